"""When nothing but the way is asked."""

import pytest

from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import NEAR, idle_frames

BODY = [{"time": 0.0, "position": [0.0, 0.0]}, {"time": 10.0, "position": [0.0, 5.0]}]
HAND = {"joint": "right_hand", "position": [0.0, 1.0, 0.3]}


def wish(**asked):
    return ConstraintSet(duration=10.0, fps=10.0, **asked)


def test_the_whole_motion_is_idle_where_only_the_way_is_asked():
    assert idle_frames(wish(body=BODY)) == [(0, 101)]
    assert idle_frames(wish(still=[{"from": 2.0, "to": 3.0}])) == [(0, 101)]


def test_limbs_have_time_before_and_after_they_are_asked_for():
    held = {"from": 4.0, "to": 5.0, **HAND}
    assert idle_frames(wish(body=BODY, joints=[held])) == [(0, 30), (61, 101)]
    soon = {"time": 5.5, **HAND}
    assert idle_frames(wish(body=BODY, joints=[soon, held])) == [(0, 30), (66, 101)]
    assert idle_frames(wish(joints=[{"time": 9.5, **HAND}])) == [(0, 85)]
    assert NEAR == 1.0


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"body": BODY, "style": [{"from": 0.5, "to": 10.0, "label": "lively"}]},
        {"body": BODY, "avoid": [{"shape": "heightmap", "heights": [[0, 0], [1, 1]]}]},
    ],
)
def test_nothing_is_idle_where_anything_may_be_wanted(asked):
    assert idle_frames(wish(**asked)) == []
