"""A scene as a span of a shot that is edited."""

import json

import numpy as np
import pytest

from motionloom.shot import Stage, make_shot, parse_shot
from motionloom.shot.live.live import LiveShot
from motionloom.shot.plan.checking import plan_of
from motionloom.studio._making import told_plan

SCENE = {
    "duration": 3.5,
    "characters": {
        "anna": {"body": [{"time": 0.0, "position": [0, 0], "facing": 0}]},
        "ben": {"body": [{"time": 0.0, "position": [0, 2.6], "facing": 180}]},
    },
    "events": [{"time": 2.5, "between": ["anna", "ben"], "distance": 0.9, "name": "greeting"}],
}
GREET = {"id": "greet", "do": "synthesize", "file": "scene.json"}
FIELDS = {
    "shot": 1,
    "cast": {"anna": {}, "ben": {"start": {"position": [0.0, 2.6], "facing": 180}}},
    "tracks": {
        "anna": [{"id": "wait", "do": "idle", "for": 1.0}, GREET, {"id": "rest", "do": "idle"}],
        "ben": [{"id": "wait", "do": "idle", "for": 1.0}, GREET, {"id": "rest", "do": "idle"}],
    },
}


@pytest.fixture
def read(tmp_path):
    """A function that reads the shot with another wait in the end, of one who begins elsewhere."""
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))

    def make(rest=1.0, start=2.6):
        fields = json.loads(json.dumps(FIELDS))
        for track in fields["tracks"].values():
            track[-1]["for"] = rest
        fields["cast"]["ben"]["start"]["position"][1] = start
        return parse_shot(json.dumps(fields), tmp_path / "shot.json")

    return make


def test_a_shot_with_a_scene_is_edited(analysed, learned, read):
    def stages(file, progress=None):
        return {who: Stage(file, analysed, 0.4, methods=learned) for who in ("anna", "ben")}

    live = LiveShot(None, stages)
    final = live.final(read())
    (met,) = final.report["anna"].meetings
    assert met.label == "greeting of anna and ben at 3.5 s"
    (lane,) = told_plan(live.plan(read()))["meetings"]
    assert (lane["first"], lane["between"]) == (105, ["anna", "ben"])
    # A longer rest changes nothing of the scene; who begins elsewhere is met elsewhere.
    longer = live.preview(read(rest=1.5))
    own, before = (one.motions["anna"].rotations[:100] for one in (longer, final))
    np.testing.assert_allclose(own, before, atol=1e-12)
    farther = live.preview(read(start=2.8))
    assert np.isfinite(farther.motions["ben"].translations).all()
    file = read(start=2.8)
    made = make_shot(plan_of(file, stages(file)), stages(file))
    done = live.final(file)
    for who in ("anna", "ben"):
        assert done.motions[who].rotations.tobytes() == made.motions[who].rotations.tobytes()
