"""Names that do not exist are told at once, with the nearest, before any graph is built."""

import pytest

from motionloom.clips.labels import Label
from motionloom.constraints import ConstraintSet
from motionloom.errors import UnknownNameError
from motionloom.graph import generator
from motionloom.synthesis.driver import synthesize
from motionloom.synthesis.measure import check_names
from performed import performer_clips

WRONG = [
    (
        {"joints": [{"time": 1, "joint": "RightHnd", "position": [0, 1, 0]}]},
        "RightHnd",
        "RightHand",
    ),
    ({"poses": [{"time": 1, "clip": "walk_06", "frame": 3}]}, "walk_06", "walk_0.6"),
    (
        {"poses": [{"time": 1, "clip": "walk_0.6", "frame": 99999}]},
        "walk_0.6",
        "can show frames 0 to",
    ),
    ({"style": [{"from": 0, "to": 1, "label": "elderly"}]}, "elderly", "labels there are: slow"),
    ({"costs": [{"name": "nobody_wrote_this"}]}, "nobody_wrote_this", "register_cost"),
]
LABELS = (Label("walk_0.6", "slow"),)


@pytest.mark.parametrize(("wish", "name", "advice"), WRONG, ids=[w[1] for w in WRONG])
def test_each_kind_of_name_is_checked(performed, wish, name, advice):
    with pytest.raises(UnknownNameError, match=advice) as caught:
        check_names(ConstraintSet(duration=2, **wish), performed, LABELS)
    assert caught.value.name == name


def test_names_that_exist_pass(performed):
    check_names(
        ConstraintSet(
            duration=2,
            joints=[{"time": 1, "joint": "right_hand", "velocity": [0, 0, 1]}],
            poses=[{"time": 1, "clip": "walk_0.6", "frame": 3}],
            style=[{"from": 0, "to": 1, "label": "slow"}],
        ),
        performed,
        LABELS,
    )


def test_a_wrong_name_does_not_wait_for_the_graph(monkeypatch):
    monkeypatch.setattr(
        generator, "build_graph", lambda *_: pytest.fail("the graph was built first")
    )
    wish = ConstraintSet(duration=2, poses=[{"time": 1, "clip": "nothing", "frame": 0}])
    with pytest.raises(UnknownNameError, match="no clip is called 'nothing'"):
        synthesize([c.motion for c in performer_clips()[:2]], wish)
