import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.performer import Reach, Swing, WeightShift, make_performer, perform, plan_steps

POINTS = [
    (0.06, 0.78, 0.34),
    (0.08, 0.95, 0.22),
    (0.4, 0.7, 0.1),
    (-0.12, 0.55, 0.3),
    (0.15, 0.3, 0.25),
]


def stand(seconds, gestures, **options):
    body = make_performer()
    return perform(body, plan_steps(body, (), lead_in=seconds, lead_out=1.2), gestures, **options)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("point", POINTS)
def test_wrist_is_at_the_point_while_it_is_held(side, point):
    x, y, z = point
    target = ((1.0, -1.0)[side] * x, y, z)
    reach = Reach(side, target, 0.4, hold=0.6)
    clip = stand(2.4, (reach,))
    wrist = clip.joint_positions[:, clip.motion.skeleton.index(("LeftHand", "RightHand")[side])]
    held = (clip.motion.times >= reach.arrival) & (clip.motion.times <= reach.arrival + reach.hold)
    assert np.linalg.norm(wrist[held] - np.array(target) * 1.75, axis=-1).max() < 1e-3
    assert np.linalg.norm(wrist[0] - wrist[-1]) < 0.02  # and comes back
    speed = np.linalg.norm(np.diff(wrist, axis=0), axis=-1) * clip.motion.fps
    assert speed.max() < 4.0


def test_beyond_reach_is_refused_with_the_gap():
    with pytest.raises(InvalidInputError, match="out of reach by"):
        stand(2.0, (Reach(1, (0.0, 0.8, 1.5), 0.3),))


def test_weight_shift_moves_the_hips_over_one_foot():
    clip = stand(4.0, (WeightShift(0.3, 0.8, 1.0),))
    hips = clip.joint_positions[:, 0, 0]
    left = clip.joint_positions[0, clip.motion.skeleton.index("LeftFoot"), 0]
    assert hips.max() > 0.5 * left
    assert hips[0] == pytest.approx(0.0, abs=2e-3)
    assert clip.contacts.all()


def test_swing_keeps_the_hands_together_and_turns_the_chest_far():
    swing = Swing(0.4)
    clip = stand(swing.duration + 0.5, (swing,))
    names = clip.motion.skeleton.index
    between = (
        clip.joint_positions[:, names("LeftHand")] - clip.joint_positions[:, names("RightHand")]
    )
    gripping = (clip.motion.times > 1.3) & (clip.motion.times < 3.5)
    assert np.linalg.norm(between[gripping], axis=-1).max() < 0.15
    across = clip.joint_positions[:, names("LeftArm")] - clip.joint_positions[:, names("RightArm")]
    turn = np.degrees(np.unwrap(np.arctan2(-across[:, 2], across[:, 0])))
    assert turn.min() < -70.0
    assert turn.max() > 70.0
    hand = clip.joint_positions[:, names("LeftHand")]
    assert np.linalg.norm(np.diff(hand, axis=0), axis=-1).max() * clip.motion.fps > 3.0


def test_standing_is_alive_but_quiet():
    clip = stand(6.0, (), seed=3)
    hips = clip.joint_positions[:, 0]
    assert 1e-3 < np.ptp(hips[:, [0, 2]], axis=0).max() < 0.03
    chest = np.ptp(clip.joint_positions[:, clip.motion.skeleton.index("LeftArm"), 1])
    assert 1e-3 < chest < 0.02  # breathing
