"""When what is shown where legs are searched at another pace than asked."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import (
    BodyConstraint,
    ConstraintSet,
    JointConstraint,
    PathConstraint,
    PoseConstraint,
    StillConstraint,
)
from motionloom.errors import InvalidInputError
from motionloom.graph.pacing.plan import (
    PaceOptions,
    Paces,
    find_paces,
    measure_curve,
    plan_pace,
    suiting_rate,
)
from motionloom.synthesis.paces import PaceLaw, PaceModel
from walkers import make_walker

PACES = Paces(walk=(1.0, 1.3), run=(2.8, 3.2))


def along(*stops, **more):
    """Body constraints straight ahead, at times and distances."""
    body = [BodyConstraint(time=t, position=(0.0, z), facing=0.0) for t, z in stops]
    return ConstraintSet(duration=stops[-1][0], body=tuple(body), **more)


@given(
    st.lists(st.tuples(st.integers(30, 200), st.floats(0.6, 4.0)), min_size=1, max_size=5),
    st.floats(1.0, 1.5),
    st.floats(1.0, 1.5),
)
def test_the_map_ascends_within_bounds_and_is_whole_at_constraints(legs, slowed, sped):
    options = PaceOptions(slowed, sped)
    frames = np.cumsum([0, *(n for n, _ in legs)])
    places = np.cumsum([0.0, *(v * n / 30 for n, v in legs)])
    wish = along(*zip(frames / 30, places, strict=True))
    times = plan_pace(wish, PACES, options)
    if times is None:
        return
    steps = np.diff(times.shown)
    assert len(times.shown) == wish.n_frames
    assert steps.min() >= 1 / slowed - 1e-9
    assert steps.max() <= sped + 1e-9
    assert times.rates.min() >= 1 / slowed - 1e-9
    assert times.rates.max() <= sped + 1e-9
    at = [wish.frame_of(c.time) for c in wish.body]
    assert np.array_equal(times.shown[at], np.round(times.shown[at]))
    assert np.abs(steps - 0.5 * (times.rates[1:] + times.rates[:-1])).max() < 0.02
    for leg in times.legs:
        first, last = wish.frame_of(leg.begin), wish.frame_of(leg.end)
        shown = times.shown[last] - times.shown[first]
        assert leg.rate == pytest.approx(shown / (last - first))


def test_the_pace_changes_little_by_little():
    times = plan_pace(along((0.0, 0.0), (4.0, 2.0), (8.0, 6.8)), PACES)
    (leg,) = times.legs
    assert (leg.begin, leg.end) == (0.0, 4.0)
    assert leg.pace < 1
    assert np.abs(np.diff(times.rates)).max() < 0.03
    assert np.allclose(times.rates[121:], 1.0)


def test_half_of_a_change_is_in_the_time_of_steps_and_half_in_their_length():
    wish = along((0.0, 0.0), (6.0, 4.8))
    both = plan_pace(wish, PACES, PaceOptions(1.3, 1.3))
    (leg,) = both.legs
    assert leg.pace == leg.rate * leg.steps == pytest.approx(0.8, abs=0.01)
    assert leg.rate == leg.steps == pytest.approx(np.sqrt(0.8), abs=0.01)
    assert np.array_equal(both.steps, both.rates)
    (timed,) = plan_pace(wish, PACES, PaceOptions(1.3, 1.3, steps=False)).legs
    assert (timed.rate, timed.steps) == (pytest.approx(0.8, abs=0.01), 1.0)


def test_steps_keep_their_length_where_places_on_the_way_are_asked_for():
    path = PathConstraint(points=((0.0, 5.0), (0.0, 8.0)), begin=6.0, end=9.0)
    found = plan_pace(along((0.0, 0.0), (6.0, 4.8), (9.0, 8.1), paths=(path,)), PACES)
    assert found.legs
    assert np.all(found.steps == 1)


@pytest.mark.parametrize(
    ("paces", "more", "most"),
    [
        (PACES, {}, 1.6),
        (replace(PACES, feet=4), {}, 1.15),
        (replace(PACES, walk=None), {}, 1.0),
        (PACES, {"paths": (PathConstraint(points=((0.0, 4.0), (0.0, 8.0)), begin=8.0),)}, 1.15),
    ],
)
def test_only_walks_on_two_feet_whose_steps_may_shorten_become_strolls(paces, more, most):
    times = plan_pace(along((0.0, 0.0), (8.0, 4.0), (12.0, 8.0), **more), paces)
    slowest = 1.0 if times is None else 1.0 / (times.rates * times.steps).min()
    assert 1.0 + 0.85 * (most - 1.0) <= slowest <= most + 1e-9


def test_a_leg_at_a_speed_that_the_clips_have_keeps_its_pace():
    assert plan_pace(along((0.0, 0.0), (4.0, 4.6)), PACES) is None
    assert plan_pace(along((0.0, 0.0), (4.0, 12.0)), PACES) is None
    assert plan_pace(along((0.0, 0.0), (4.0, 2.0)), PACES, PaceOptions(1.0, 1.0)) is None


@pytest.mark.parametrize(
    ("needed", "rate"),
    [
        (0.9, 0.9),
        (0.3, 1 / 1.6),
        (1.2, 1.0),
        (1.4, 1.4 / 1.3),
        (2.0, 1.0),
        (2.5, 2.5 / 2.8),
        (9, 1.15),
    ],
)
def test_running_counts_only_where_walking_cannot_meet_the_need(needed, rate):
    assert suiting_rate(needed, PACES, PaceOptions()) == pytest.approx(rate)


@pytest.mark.parametrize(
    "busy",
    [
        {"still": (StillConstraint(begin=1.0, end=2.0),)},
        {"paths": (PathConstraint(points=((0.0, 0.0), (0.0, 2.0))),)},
        {"joints": (JointConstraint(time=1.0, end=3.0, joint="Head", position=(0, 1.6, 1)),)},
        {"joints": (JointConstraint(time=4.0, joint="Head", position=(0, 1.6, 1)),)},
        {"poses": (PoseConstraint(time=3.5, clip="walk", frame=3),)},
    ],
)
def test_a_leg_in_which_time_has_its_own_meaning_keeps_its_pace(busy):
    slow = along((0.0, 0.0), (4.0, 2.0))
    assert plan_pace(slow, PACES) is not None
    assert plan_pace(slow.model_copy(update=busy), PACES) is None


def test_other_legs_are_warped_all_the_same():
    wish = along((0.0, 0.0), (4.0, 2.0), (8.0, 4.0), still=(StillConstraint(begin=5.0, end=6.0),))
    times = plan_pace(wish, PACES)
    assert [(leg.begin, leg.end) for leg in times.legs] == [(0.0, 4.0)]
    assert np.allclose(np.diff(times.shown[120:]), 1.0)


def test_the_curve_between_constraints():
    a, b = (BodyConstraint(time=t, position=(0.0, 3.0 * t), facing=0.0) for t in (0, 1))
    assert measure_curve(a, b) == pytest.approx((3.0, 0.0))
    back = BodyConstraint(time=1, position=(3.0, 0.0), facing=180.0)
    length, turning = measure_curve(a, back)
    assert 3.0 < length < 0.5 * np.pi * 3.0
    assert turning == pytest.approx(180.0, abs=3.0)


def test_who_has_to_turn_much_is_not_slowed():
    body = tuple(
        BodyConstraint(time=t, position=(x, 0.0), facing=180.0 * t / 4)
        for t, x in ((0.0, 0.0), (4.0, 2.0))
    )
    wish = ConstraintSet(duration=4.0, body=body)
    assert plan_pace(wish, replace(PACES, turn=90.0)) is not None
    assert plan_pace(wish, replace(PACES, turn=40.0)) is None


def test_the_paces_of_clips():
    clips = make_clip_set([make_walker(150, speed=0.9), make_walker(150, speed=3.0, name="run")])
    found = find_paces(clips)
    assert found.walk == pytest.approx((0.9, 0.9), abs=0.01)
    assert found.run == pytest.approx((3.0, 3.0), abs=0.01)
    assert find_paces(clips, clips.clip_of == 0).run is None
    assert found.turn == pytest.approx(0.0, abs=0.1)
    assert find_paces(make_clip_set([make_walker(150, bend=0.5)])).turn == pytest.approx(
        np.degrees(0.5), abs=0.1
    )


@pytest.mark.parametrize("wrong", [{"slowed": 0.9}, {"sped": 3.0}, {"slowed": float("nan")}])
def test_wrong_options_are_refused(wrong):
    with pytest.raises(InvalidInputError, match="from 1 to 2"):
        PaceOptions(**wrong)


def _law(b, speeds):
    return PaceLaw(a=0.75, b=b, deviation=0.05, speeds=speeds, hip_height=0.9)


def test_a_model_says_how_much_of_a_change_is_in_the_time_of_steps():
    wish = along((0.0, 0.0), (4.0, 0.8 * 4.0))
    even = plan_pace(wish, PACES, PaceOptions()).legs[0]
    model = PaceModel(walk=_law(0.25, (0.5, 2.0)))
    longer = plan_pace(wish, PACES, PaceOptions(model=model)).legs[0]
    assert even.steps == pytest.approx(even.rate)
    assert longer.rate > even.rate
    assert longer.steps == pytest.approx(longer.rate**3.0)
    assert longer.pace == pytest.approx(even.pace, rel=0.02)


def test_runs_are_slowed_as_far_as_a_model_knows_them():
    slow = along((0.0, 0.0), (3.0, 2.0 * 3.0))
    assert suiting_rate(2.0, PACES, PaceOptions()) == 1.0
    known = PaceOptions(model=PaceModel(run=_law(0.25, (1.9, 4.0))))
    assert suiting_rate(2.0, PACES, known) == pytest.approx(2.0 / 2.8)
    (leg,) = plan_pace(slow, PACES, known).legs
    assert leg.pace == pytest.approx(2.0 / 2.8, rel=0.05)


def test_steps_change_smoothly_between_legs_of_walking_and_running():
    model = PaceModel(walk=_law(0.5, (0.5, 2.0)), run=_law(0.2, (1.9, 4.0)))
    wish = along((0.0, 0.0), (4.0, 3.2), (8.0, 3.2 + 2.5 * 4.0))
    times = plan_pace(wish, PACES, PaceOptions(model=model))
    assert len(times.legs) == 2
    assert np.abs(np.diff(times.steps)).max() < 0.03
