"""When nothing but the way is asked."""

import pytest

from motionloom.constraints import ConstraintSet, forget_kind, register_kind
from motionloom.constraints.idle import NEAR, idle_frames, notes_on_kinds, spans_aside
from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.speeds import StillConstraint
from motionloom.constraints.kinds.table import KINDS
from motionloom.errors import InvalidInputError

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


def test_every_kind_says_what_it_asks_for():
    """Whoever adds a kind has to say it in its record: nothing else is looked at."""
    silent = [k.name for k in KINDS.values() if k.model is not None and k.asks is None]
    assert silent == []


def test_speeds_are_a_way_so_what_nobody_asked_for_is_looked_for():
    path = [{"points": [[0, 0], [0, 3]]}]
    fast = [{"from": 2.0, "to": 4.0, "speed": 1.2}]
    assert idle_frames(wish(paths=path, speeds=fast)) == [(0, 101)]


@pytest.mark.parametrize(("asks", "idle"), [("way", [(0, 101)]), ("nothing", []), (None, [])])
def test_a_kind_of_others_is_taken_as_its_record_says(asks, idle):
    glow = Kind(
        name="glow", item="glow", model=StillConstraint, field=entries("spans", "[]"), asks=asks
    )
    register_kind(glow)
    try:
        asked = wish(glow=[{"from": 2.0, "to": 3.0}])
        assert idle_frames(asked) == idle
        notes = notes_on_kinds(asked)
    finally:
        forget_kind("glow")
    assert [n.split(":")[0] for n in notes] == (["glow"] if asks is None else [])
    with pytest.raises(InvalidInputError, match="way, deed or nothing"):
        Kind(name="glow", asks="maybe")


def test_a_deed_of_others_counts_from_a_second_before_to_a_second_behind():
    glow = Kind(
        name="glow",
        item="glow",
        model=StillConstraint,
        field=entries("spans", "[]"),
        asks="deed",
        aside="then",
    )
    register_kind(glow)
    try:
        asked = wish(glow=[{"from": 2.0, "to": 3.0}])
        assert idle_frames(asked) == [(0, 10), (41, 101)]
        assert spans_aside(asked) == [(2.0, 3.0)]
    finally:
        forget_kind("glow")
