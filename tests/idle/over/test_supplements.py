"""What is done now and then: as often as it is told, one at a time."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.labels import Label
from motionloom.errors import InvalidInputError
from motionloom.idle._making import make_idle
from motionloom.idle.over.supplements import (
    PAUSE,
    Supplement,
    draw_happenings,
    learn_supplements,
    plan_supplements,
)


def test_it_happens_as_often_as_it_is_told(wave):
    often = [Supplement(2.0, (wave,)), Supplement(3.0)]
    drawn = draw_happenings(often, 36_000.0, seed=1)
    waves = [h for h in drawn if h.clip is not None]
    looks = [h for h in drawn if h.point is not None]
    assert len(waves) == pytest.approx(1200, rel=0.1)
    assert len(looks) == pytest.approx(1800, rel=0.1)
    ends = np.array([h.until for h in drawn])
    begins = np.array([h.time for h in drawn])
    assert np.all(begins[1:] >= ends[:-1] + PAUSE - 1e-9)
    assert ends[-1] <= 36_000.0


def test_the_same_seed_gives_the_same_times(wave):
    often = [Supplement(4.0, (wave,))]
    times = [[h.time for h in draw_happenings(often, 600.0, seed)] for seed in (3, 3, 4)]
    assert times[0] == times[1]
    assert times[0] != times[2]
    assert draw_happenings([Supplement(0.0, (wave,))], 600.0) == ()


@pytest.mark.parametrize("rate", [-1.0, 61.0, float("nan")])
def test_rates_beyond_reason_are_refused(rate):
    with pytest.raises(InvalidInputError, match="times a minute"):
        Supplement(rate)


def test_a_clip_that_leaves_no_time_is_refused(wave):
    with pytest.raises(InvalidInputError, match="too long"):
        Supplement(30.0, (replace(wave, name="wave"),))


def test_who_looks_round_turns_the_head(model):
    plan = plan_supplements([Supplement(10.0)], 40.0, 2, model.space.leg)
    assert plan.gestures == ()
    assert len(plan.looks) >= 6
    made = make_idle(model, 40.0, 30.0, 2, looks=plan.looks)
    plain = make_idle(model, 40.0, 30.0, 2)
    head = model.space.roles.joints["head"]
    assert np.abs(made.motion.rotations - plain.motion.rotations)[:, head].max() > 0.05
    assert made.sliding < 1e-6


def test_rates_and_clips_are_learned_from_labels(standing):
    recording = replace(standing.motion, name="ada")
    told = [
        Label("ada", "scratch", 5.0, 7.0),
        Label("ad*", "scratch", 20.0, 21.5),
        Label("ada", "watch", 40.0, 42.0),
    ]
    learned = learn_supplements([recording], told)
    assert learned["scratch"].rate == pytest.approx(2.0, rel=0.01)
    assert learned["watch"].rate == pytest.approx(1.0, rel=0.01)
    assert [clip.n_frames for clip in learned["scratch"].clips] == [61, 46]
    np.testing.assert_array_equal(learned["watch"].clips[0].rotations[0], recording.rotations[1200])


@pytest.mark.parametrize(
    ("label", "says"),
    [
        (Label("bea", "watch", 1.0, 2.0), "recordings are ada"),
        (Label("ada", "watch"), "from and to"),
    ],
)
def test_labels_that_do_not_fit_are_refused(standing, label, says):
    with pytest.raises(InvalidInputError, match=says):
        learn_supplements([replace(standing.motion, name="ada")], [label])


@pytest.mark.parametrize("wrong", [{"seconds": np.nan}, {"seconds": np.inf}, {"leg": np.nan}])
def test_times_and_legs_that_are_no_numbers_are_refused(wrong):
    with pytest.raises(InvalidInputError, match="number"):
        plan_supplements([Supplement(2.0)], **{"seconds": 20.0, **wrong})
