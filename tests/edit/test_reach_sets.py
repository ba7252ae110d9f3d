"""What a hand reaches, said beforehand, against what comes of reaching."""

import numpy as np
import pytest

from motionloom.edit.limbs import bone_lengths
from motionloom.edit.posture import take_postures
from motionloom.edit.reach import Target, find_limb, reach_targets
from motionloom.edit.reach_sets import SPARE, find_reach_set, left_over
from motionloom.posed_motion import pose_motion
from performed import performer_clips


@pytest.fixture(scope="module")
def stander():
    """One frame of somebody who stands, at the origin, facing +Z."""
    clip = next(c for c in performer_clips(seed=0) if c.motion.name == "stand")
    return pose_motion(clip.motion.cut(10, 11))


def _reach(posed, height, speed=0.0):
    hand = posed.roles.joints["right_hand"]
    arm = find_limb(posed, hand)
    length = sum(float(b[0]) for b in bone_lengths(posed, arm))
    facing = np.exp(1j * posed.body[:, 2])
    places = posed.positions[:, hand], posed.positions[:, arm.root]
    return find_reach_set(*places, facing, length, height, speed), hand, length


def _ahead(reach, hand, height, away, aside, stander):
    """A target so far (metres) from the shoulder on the ground, `aside` radians from ahead."""
    at = reach.shoulder[0] + away * np.exp(1j * (aside + stander.body[0, 2]))
    return at, Target(0, hand, np.array([at.imag, height, at.real]))


def _made(posed, target):
    made = reach_targets(take_postures(posed, [target]), [target])
    arm = find_limb(made, target.joint)
    ends = made.positions[0, [arm.root, arm.tip]]
    miss = float(np.linalg.norm(made.positions[0, target.joint] - target.position))
    return miss, float(np.linalg.norm(ends[1] - ends[0]))


def test_what_is_said_to_be_in_reach_is_met_with_an_arm_to_spare(stander):
    rng = np.random.default_rng(3)
    for _ in range(20):
        height = float(rng.uniform(0.35, 1.5))
        reach, hand, length = _reach(stander, height)
        away = rng.uniform(0.4 * length, float(reach.radius[0]))
        at, target = _ahead(reach, hand, height, away, rng.uniform(-0.7, 0.5), stander)
        assert left_over(reach, np.array([at]))[0] == 0.0
        miss, stretch = _made(stander, target)
        assert miss < 1e-3
        assert stretch < (SPARE + 0.01) * length


@pytest.mark.parametrize(("height", "more"), [(0.6, 1.0), (1.0, 1.0), (1.5, 1.0), (2.6, 0.0)])
def test_what_nobody_reaches_is_left_over(stander, height, more):
    reach, hand, length = _reach(stander, height)
    away = float(reach.radius[0]) + more * length
    at, target = _ahead(reach, hand, height, away, 0.0, stander)
    high = float(reach.effort[0]) > 2 * length
    assert high or left_over(reach, np.array([at]))[0] == pytest.approx(more * length)
    assert _made(stander, target)[0] > 0.05


def test_a_hand_at_the_height_is_used_where_it_is_and_low_targets_lie_ahead(stander):
    height = float(stander.positions[0, stander.roles.joints["right_hand"], 1])
    reach, hand, length = _reach(stander, height)
    x, _, z = stander.positions[0, hand]
    assert reach.place[0] == pytest.approx(z + 1j * x)
    assert reach.effort[0] == pytest.approx(0.0, abs=1e-9)
    low, _, _ = _reach(stander, 0.1)
    ahead = (low.place[0] - low.shoulder[0]) * np.exp(-1j * stander.body[0, 2])
    assert 0.4 * length < ahead.real < 0.8 * length
    assert low.effort[0] > reach.effort[0]


def test_it_is_the_same_for_every_size_and_costs_more_for_who_does_not_stop(stander):
    rng = np.random.default_rng(0)
    hand, shoulder = rng.normal(1.0, 0.3, (2, 50, 3))
    facing = np.exp(1j * rng.uniform(-3, 3, 50))
    small = find_reach_set(hand, shoulder, facing, 0.6, 0.9)
    large = find_reach_set(2 * hand, 2 * shoulder, facing, 1.2, 1.8)
    for a, b in zip(small[:4], large[:4], strict=True):
        np.testing.assert_allclose(b, 2 * a, rtol=1e-12)
    walking = find_reach_set(hand, shoulder, facing, 0.6, 0.9, np.full(50, 1.2))
    assert np.all(walking.effort > small.effort)
