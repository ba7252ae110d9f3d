"""What ``make`` refuses without a search is refused by the check, before anything is made."""

import json
import re

import pytest

from motionloom.cli.main import main
from motionloom.io import save
from motionloom.performer import performer_clips
from motionloom.shot import making as tracks

STAND = {"id": "a", "do": "clip", "clip": "stand", "to": 1.0}
KEY = {"clip": "stand", "frame": 0}
REACH = {"do": "reach", "joint": "right_hand", "target": [0.3, 1.2, 0.4]}
#: Spans that cannot be made, and what is said of them.
BAD = {
    "a key before its span": (
        [STAND, {"id": "b", "do": "between", "keys": [{**KEY, "time": 0.5}, {**KEY, "time": 3.0}]}],
        "keys.*b has not begun, or the key before is still shown; expected a time behind 1.00 s",
    ),
    "a key behind its span": (
        [STAND, {"id": "b", "do": "between", "for": 1.0, "keys": [{**KEY, "time": 9.0}]}],
        "keys.*at 9.00 s b is over; expected a time up to 2.00 s",
    ),
    "a key before the one before": (
        [STAND, {"id": "b", "do": "between", "keys": [{**KEY, "time": 2.5}, {**KEY, "time": 2.0}]}],
        "",
    ),
    "two keys in one frame": (
        [
            STAND,
            {
                **{"id": "b", "do": "between"},
                "keys": [{**KEY, "time": 2.0}, {**KEY, "time": 2.001}, {**KEY, "time": 3.0}],
            },
        ],
        "still shown",
    ),
    "poses behind nothing": (
        [{"id": "b", "do": "between", "keys": [{**KEY, "time": 2.0}]}],
        "begins with nothing",
    ),
    "a gait in a style that nobody shows": (
        [STAND, {"id": "b", "do": "gait", "style": "proud", "speed": 1.2, "for": 3.0}],
        r":\d+: .*b: .*'proud'",
    ),
    "a gait of somebody who is not there": (
        [STAND, {"id": "b", "do": "gait", "person": "zoe", "speed": 1.2, "for": 3.0}],
        "has no person 'zoe'; it has ",
    ),
    "one hand at two points": (
        [
            STAND,
            {"id": "b", **REACH, "at": 0.4, "hold": 0.3},
            {"id": "c", **REACH, "joint": "RightHand", "at": 0.6},
        ],
        r":\d+: .*c and b bring one joint to a point at 0.60 s",
    ),
    "a clip that is too short": (
        [STAND, {"id": "b", "do": "clip", "clip": "stand", "to": 0.5, "for": 2.0}],
        "lasts 0.5.* s; end it sooner",
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "clips").mkdir()
    for clip in performer_clips(0)[:3]:
        save(clip.motion, folder / "clips" / f"{clip.motion.name}.bvh")
    stand = next(c.motion for c in performer_clips(0) if c.motion.name == "stand")
    save(stand, folder / "clips" / "stand.bvh")
    return folder


def write(folder, spans):
    document = {
        **{"shot": 1, "fps": 30, "library": "clips"},
        **{"cast": {"anna": {}}, "tracks": {"anna": spans}},
    }
    path = folder / "shot.yaml"
    path.write_text(json.dumps(document, indent=1))
    return path


@pytest.mark.parametrize("name", BAD)
def test_the_check_refuses_it(project, name, capsys):
    spans, said = BAD[name]
    assert main(["shot", "check", str(write(project, spans))]) == 2
    assert re.search(said, capsys.readouterr().err), name


@pytest.mark.parametrize("name", BAD)
def test_nothing_is_made_before_it_is_refused(project, name, monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(tracks, "make_piece", lambda *given: made.append(given))
    path = write(project, BAD[name][0])
    assert main(["shot", str(path), "-o", str(tmp_path / "out.glb")]) == 2
    assert made == []
    assert not (tmp_path / "out.glb").exists()


@pytest.fixture(scope="module")
def models(project):
    """Models of the clips, and an idle model of a body with other joints."""
    takes = [c.motion for c in performer_clips(0) if c.motion.name.startswith("reach_right")]
    (project / "takes").mkdir()
    for take in takes:
        save(take, project / "takes" / f"{take.name}.bvh")
    (project / "keys.yaml").write_text("find: {kind: hold, joint: right_hand}")
    names = [str(path) for path in sorted((project / "takes").glob("*.bvh"))]
    keys = ["--keys", str(project / "keys.yaml")]
    assert main(["model", "fit", *names, *keys, "-o", str(project / "reaches.npz")]) == 0
    other = (project / "clips" / "stand.bvh").read_text().replace("Spine2", "Chest")
    (project / "other.bvh").write_text(other)
    assert main(["idle", "fit", str(project / "other.bvh"), "-o", str(project / "other.npz")]) == 0


#: Spans with models that cannot do them, and what is said of them.
BAD_MODELS = {
    "a take that is too long": (
        [STAND, {"id": "b", "do": "edit", "model": "reaches.npz", "for": 20.0}],
        "b: these takes last .* and 20 s are asked for",
    ),
    "what a model cannot honour": (
        [
            STAND,
            {
                **{"id": "b", "do": "edit", "model": "reaches.npz", "for": 3.6},
                "constraints": {"still": [{"from": 0.0, "to": 0.5}]},
            },
        ],
        "still: a motion model cannot honour this",
    ),
    "waiting as another body from the begin": (
        [{"id": "b", "do": "idle", "model": "other.npz", "for": 2.0}],
        "this model is of another skeleton than the clips",
    ),
}


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("name", BAD_MODELS)
def test_the_check_refuses_models(project, name, capsys):
    spans, said = BAD_MODELS[name]
    assert main(["shot", "check", str(write(project, spans))]) == 2
    assert re.search(said, capsys.readouterr().err), name
