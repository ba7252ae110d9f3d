"""Every moment of a motion judged by captured ones, and what was learned of them in a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.moments import (
    TURNING,
    _stretches,
    fit_moment_judge,
    fit_turning,
    load_moment_judge,
    measure_turning,
    save_moment_judge,
)
from motionloom.errors import InvalidInputError
from motionloom.io.kept import KeptFolder
from motionloom.posed_motion import pose_motion
from walkers import make_lively_walker

#: None of the clips that are learned from, but like them.
UNSEEN = 5


@pytest.fixture(scope="module")
def clips():
    return [pose_motion(make_lively_walker(150, i)) for i in range(12) if i != UNSEEN]


@pytest.fixture(scope="module")
def judge(clips):
    return fit_moment_judge(clips, seed=1)


@pytest.fixture(scope="module")
def unseen():
    return make_lively_walker(420, UNSEEN)


def joints_of(motion, *names):
    return [motion.skeleton.names.index(name) for name in names]


def with_jump(motion, frame, name="LeftLeg", degrees=25.0):
    rotations = motion.rotations.copy()
    (joint,) = joints_of(motion, name)
    turn = rot.from_rotvec([0.0, 0.0, np.radians(degrees)])
    rotations[frame, joint] = rot.multiply(rotations[frame, joint], turn)
    return replace(motion, rotations=rotations)


def with_frozen(motion, first, stop):
    rotations = motion.rotations.copy()
    joints = joints_of(motion, "LeftUpLeg", "LeftLeg", "LeftFoot")
    rotations[first:stop, joints] = rotations[first, joints]
    return replace(motion, rotations=rotations)


def with_slide(motion, first, stop, speed=0.6):
    translations = motion.translations.copy()
    way = np.clip(np.arange(motion.n_frames) - first, 0, stop - first) * speed / motion.fps
    translations[:, 0, 0] += way
    return replace(motion, translations=translations)


SPOILT = {
    "a jump": lambda motion: (with_jump(motion, 120), 120, 121),
    "a frozen leg": lambda motion: (with_frozen(motion, 100, 140), 100, 140),
    "a slide": lambda motion: (with_slide(motion, 110, 150), 110, 150),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_the_peak_is_where_the_motion_was_spoilt(judge, unseen, kind):
    spoilt, first, stop = SPOILT[kind](unseen)
    plain = judge.judge(pose_motion(unseen)).values
    odd = judge.judge(pose_motion(spoilt))
    reach = 20
    assert first - reach <= odd.values.argmax() <= stop + reach
    assert odd.values.max() > max(1.0, 1.2 * plain[first - reach : stop + reach].max())
    assert first - reach <= odd.worst.frame <= stop + reach
    # What is far away stays as it was.
    far = np.abs(np.arange(len(plain)) - (first + stop) / 2) > 80
    assert odd.values[far] == pytest.approx(plain[far], abs=0.25)


def test_a_frozen_leg_and_a_jump_are_named(judge, unseen):
    frozen = judge.judge(pose_motion(with_frozen(unseen, 100, 140)))
    assert any("hardly turns" in one.words for one in frozen.stretches)
    jump = judge.judge(pose_motion(with_jump(unseen, 120, degrees=40.0)))
    assert "LeftLeg" in jump.worst.words


def test_captures_and_their_like_are_below_the_limit(judge, unseen, clips):
    seen = np.concatenate([judge.judge(clip).values for clip in clips])
    assert np.mean(seen > 1) < 0.01
    assert judge.judge(pose_motion(unseen)).values.max() < 1
    assert judge.judge(pose_motion(unseen)).stretches == ()


def test_a_series_has_a_value_of_every_frame_at_any_rate(judge, unseen):
    fast = unseen.resample(1 / 60)
    odd = judge.judge(pose_motion(fast))
    assert odd.values.shape == (fast.n_frames,)
    assert odd.values.min() >= 0
    assert odd.share == pytest.approx(np.mean(odd.values > 1))
    first = pose_motion(unseen[:4])
    assert judge.judge(first) is None


def test_long_motions_are_judged_as_their_parts_are(judge, unseen):
    spoilt = with_slide(unseen, 110, 150)
    whole = judge.judge(pose_motion(spoilt)).values
    part = judge.judge(pose_motion(spoilt[:240])).values
    assert whole[30:180] == pytest.approx(part[30:180], abs=0.25)


def test_the_same_seed_learns_the_same(judge, clips, unseen):
    again = fit_moment_judge(clips, seed=1)
    posed = pose_motion(unseen)
    assert (again.judge(posed).values == judge.judge(posed).values).all()


def test_too_few_clips_are_refused(clips):
    with pytest.raises(InvalidInputError, match="add clips"):
        fit_moment_judge(clips[:2])


def test_stretches_end_where_reasons_or_the_limit_do():
    values = np.array([0.5, 1.2, 1.5, 1.3, 0.9, 2.0])
    words = ["a", "a", "a", "b", "b", "b"]
    found = list(_stretches(values, words))
    assert [(one.first, one.last, one.frame, one.words) for one in found] == [
        (1, 2, 2, "a"),
        (3, 3, 3, "b"),
        (5, 5, 5, "b"),
    ]


def test_joints_are_compared_with_what_the_others_do(judge, unseen):
    posed = pose_motion(unseen)
    turning = measure_turning(judge.body, posed)
    model = fit_turning(turning)
    still = turning.copy()
    still[:, 1] = np.log(3.0)
    assert model.distances(still).mean() > model.distances(turning).mean()
    assert model.beside_others(still)[:, 1].mean() < -1
    assert TURNING in judge.scales


def test_what_was_learned_is_read_as_it_was_written(judge, unseen, clips, tmp_path):
    kept = KeptFolder(tmp_path)
    save_moment_judge(judge, kept, "these-clips")
    skeleton, roles = clips[0].skeleton, clips[0].roles
    read = load_moment_judge(kept, "these-clips", roles, skeleton.n_joints)
    posed = pose_motion(with_jump(unseen, 120))
    own, again = judge.judge(posed), read.judge(posed)
    assert (own.values == again.values).all()
    assert own.stretches == again.stretches
    assert load_moment_judge(kept, "other-clips", roles, skeleton.n_joints) is None
