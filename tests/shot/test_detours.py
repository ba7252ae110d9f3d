"""People walk around each other."""

import numpy as np
import pytest

from motionloom.constraints.kinds.avoid import Box
from motionloom.io.kept import KeptFolder
from motionloom.shot import make_shot
from motionloom.shot import making as tracks
from motionloom.shot._detours import find_collisions

HEAD = "shot: 1\nfps: 30\nseed: 2\nlibrary: clips\n"
#: Somebody stands where another one goes.
IN_THE_WAY = (
    HEAD
    + """\
cast:
  anna: {}
  carl: {start: {position: [0.1, 2.0], facing: 180}}
tracks:
  anna:
    - {id: go, do: gait, path: [[0, 4]], for: 5.0}
  carl:
    - {id: stand, do: clip, clip: stand, to: 2.0}
    - {id: wait, do: idle, for: 3.0}
"""
)
#: Two cross at the same time.
CROSSING = (
    HEAD
    + """\
cast:
  anna: {}
  ben: {start: {position: [2.0, 2.0], facing: -90}}
tracks:
  anna:
    - {id: go, do: gait, path: [[0, 4]], for: 4.0}
  ben:
    - {id: over, do: gait, path: [[-2, 2]], for: 4.0}
"""
)
#: Ben walks up to where anna stands.
BESIDE = (
    HEAD
    + """\
cast:
  anna: {}
  ben: {start: {position: [0.0, 3.0], facing: 180}}
tracks:
  anna:
    - {id: stand, do: clip, clip: stand, to: 2.0}
    - {id: wait, do: idle, for: 2.0}
  ben:
    - {id: come, do: gait, path: [[0, 0.25]], for: 4.0}
"""
)


def notes_of(made, who):
    """What is said of a character's spans."""
    return [text for span in made.report.characters[who].spans for text in span.notes]


def deepest(made):
    """How deep two are in each other, millimetres."""
    return max(one.depth for one in made.report.overlaps)


@pytest.mark.parametrize(
    ("text", "who", "other"),
    [(IN_THE_WAY, "anna", "carl"), (CROSSING, "ben", "anna")],
    ids=["one stands in the way", "two cross"],
)
def test_a_walk_leads_around_people(planned, monkeypatch, text, who, other):
    plan, stages = planned(text)
    made = make_shot(plan, stages)
    assert deepest(made) <= 10
    assert f"went around {other}" in notes_of(made, who)
    assert not any("went around" in text for text in notes_of(made, other))
    # They still come where they are sent.
    end = made.motions[who].translations[-1, 0, [0, 2]]
    goal = {"anna": (0, 4), "ben": (-2, 2)}[who]
    assert np.linalg.norm(end - goal) < 0.3
    # Without this they walk through each other.
    monkeypatch.setattr(tracks, "DETOURS", 0)
    plan, stages = planned(text)
    assert deepest(make_shot(plan, stages)) > 100


def test_who_comes_to_somebody_gets_there(planned):
    plan, stages = planned(BESIDE)
    made = make_shot(plan, stages)
    end = made.motions["ben"].translations[-1, 0, [0, 2]]
    assert np.linalg.norm(end - (0, 0.25)) < 0.3
    assert not made.report.characters["ben"].spans[0].problems


def test_a_detour_is_kept_and_counts_as_kept_only_then(planned, tmp_path):
    plan, stages = planned(IN_THE_WAY)
    first = make_shot(plan, stages, KeptFolder(tmp_path))
    assert first.report.kept[0] == 0
    again = make_shot(plan, stages, KeptFolder(tmp_path))
    assert again.report.kept == (3, 3)
    np.testing.assert_array_equal(again.motions["anna"].rotations, first.motions["anna"].rotations)
    without = make_shot(plan, stages)
    np.testing.assert_array_equal(
        without.motions["anna"].rotations, first.motions["anna"].rotations
    )


def test_who_stands_elsewhere_changes_no_walk(planned, tmp_path):
    plan, stages = planned(IN_THE_WAY)
    make_shot(plan, stages, KeptFolder(tmp_path))
    near = IN_THE_WAY.replace("facing: 180", "facing: 170")
    report = make_shot(*planned(near), KeptFolder(tmp_path)).report
    rows = {span.name: span.kept for span in report.characters["anna"].spans}
    assert rows == {"go": True}


def test_what_somebody_sweeps_is_a_box_along_their_way(planned, monkeypatch):
    plan, stages = planned(CROSSING)
    monkeypatch.setattr(tracks, "DETOURS", 0)
    made = make_shot(plan, stages)
    bodies = {who: stages[who].posed(motion) for who, motion in made.motions.items()}
    ((which, (detour,)),) = find_collisions(plan, [], bodies).detours.items()
    assert which == ("ben", "over")
    assert detour.other == "anna"
    assert isinstance(detour.obstacle, Box)
    assert detour.obstacle.size[1] > detour.obstacle.size[0]
    assert detour.obstacle.angle % 180 == 0
