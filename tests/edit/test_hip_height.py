import numpy as np
import pytest

from motionloom.edit.footlock import find_legs
from motionloom.edit.hip_height import ride_with_legs, sink_to_reach
from motionloom.edit.limbs import bone_lengths, solve_limb
from motionloom.edit.root import move_body
from motionloom.posed_motion import pose_motion
from performed import performer_clips

NONE = np.zeros(0, np.intp)
UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture(scope="module")
def walk():
    clip = pose_motion(performer_clips(seed=0)[1].motion)
    return clip, find_legs(clip.roles)


def _targets(posed, legs, shift):
    return {foot: posed.positions[:, leg.tip] + shift for foot, leg in legs.items()}


def test_hips_stay_where_feet_do(walk):
    posed, legs = walk
    there = _targets(posed, legs, 0.0)
    np.testing.assert_allclose(ride_with_legs(posed, legs, there, NONE, 1.0), 0, atol=1e-12)
    np.testing.assert_allclose(sink_to_reach(posed, legs, there, 1.0, {}, NONE, 1.0), 0, atol=1e-9)


@pytest.mark.parametrize("height", [0.008, -0.008])
def test_hips_ride_with_straight_legs_and_keep_some_frames(walk, height):
    posed, legs = walk
    rise = ride_with_legs(posed, legs, _targets(posed, legs, height * UP), NONE, 1.0)
    assert 0.5 < (rise / height).min() <= (rise / height).max() < 1.001
    kept = ride_with_legs(posed, legs, _targets(posed, legs, height * UP), np.array([40]), 1.0)
    assert abs(kept[40]) < 1e-6 < np.abs(kept).max()


def test_a_body_that_is_low_on_purpose_stays_low(walk):
    posed, legs = walk
    rise = ride_with_legs(posed, legs, _targets(posed, legs, 0.08 * UP), NONE, 1.0)
    assert np.abs(rise).max() < 1e-3


def test_knees_of_straight_legs_move_less_with_the_ride(walk):
    """Feet that creep to and fro by a centimetre move such knees by several without it."""
    posed, legs = walk
    sway = 0.01 * np.sin(2 * np.pi * 0.7 * posed.motion.times)[:, None] * np.array([0.2, 0.3, 1.0])
    targets = _targets(posed, legs, sway)
    rise = ride_with_legs(posed, legs, targets, NONE, 1.0)
    moved = [_knees(posed, legs, targets, y) for y in (0.0 * rise, rise)]
    still, rode = (np.sqrt(np.mean(m**2)) for m in moved)
    assert rode < 0.8 * still


def _knees(posed, legs, targets, rise):
    """How far knees are moved relative to the hips, shape (T, 2, 3)."""
    level = move_body(posed, rise[:, None] * UP)
    local = {}
    for foot, leg in legs.items():
        local |= solve_limb(level, leg, targets[foot])
    after = level.with_local(local)
    middles = [leg.middle for leg in legs.values()]
    return after.positions[:, middles] - level.positions[:, middles]


def test_no_step_is_larger_than_asked_for(walk):
    posed, legs = walk
    jump = np.where(posed.motion.times > 1.0, 0.008, 0.0)[:, None] * UP
    targets = _targets(posed, legs, jump)
    rise = ride_with_legs(posed, legs, targets, NONE, 0.0005)
    assert 0.0004 < np.abs(np.diff(rise)).max() <= 0.0005 + 1e-12
    drop = sink_to_reach(posed, legs, _targets(posed, legs, -jump), 0.999, {}, NONE, 0.001)
    assert 0.0 < np.diff(drop).max() <= 0.001 + 1e-12


def test_hips_sink_until_legs_reach(walk):
    posed, legs = walk
    targets = _targets(posed, legs, -0.05 * UP)
    drop = sink_to_reach(posed, legs, targets, 0.99, {}, NONE, 1.0)
    for foot, leg in legs.items():
        a, b = bone_lengths(posed, leg)
        own = np.linalg.norm(posed.positions[:, leg.tip] - posed.positions[:, leg.root], axis=-1)
        span = targets[foot] - posed.positions[:, leg.root] + drop[:, None] * UP
        longest = np.maximum(0.99 * (a + b), own)
        assert np.all(np.linalg.norm(span, axis=-1) <= longest + 1e-9)
