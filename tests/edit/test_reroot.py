"""Another root, and another size."""

import numpy as np
import pytest

from motionloom.edit.reroot import scaled, with_root
from motionloom.errors import InvalidInputError
from motionloom.kinematics import end_site_positions, forward_kinematics
from performed import performer_clips
from random_bodies import random_motion


@pytest.mark.parametrize("seed", range(5))
def test_a_joint_as_root_keeps_world_positions(seed):
    motion = random_motion(seed, joints=9, translated=(0, 4))
    for name in motion.skeleton.names:
        again = with_root(motion, name)
        own = [motion.skeleton.index(n) for n in again.skeleton.names]
        assert own == list(motion.skeleton.descendants(motion.skeleton.index(name)))
        before, after = forward_kinematics(motion), forward_kinematics(again)
        np.testing.assert_allclose(after.positions, before.positions[:, own], atol=1e-12)
        ends = np.isin(motion.skeleton.end_parents, own)
        np.testing.assert_allclose(
            end_site_positions(again, after),
            end_site_positions(motion, before)[:, ends],
            atol=1e-12,
        )


def test_a_new_root_on_the_ground_carries_path_and_facing():
    motion = next(c.motion for c in performer_clips() if "curve" in c.motion.name)
    again = with_root(motion, "root")
    assert again.skeleton.names == ("root", *motion.skeleton.names)
    before, after = forward_kinematics(motion), forward_kinematics(again)
    np.testing.assert_allclose(after.positions[:, 1:], before.positions, atol=1e-12)
    root = after.positions[:, 0]
    assert np.abs(root[:, 1]).max() == 0
    np.testing.assert_allclose(root[:, [0, 2]], before.positions[:, 0][:, [0, 2]], atol=1e-12)
    # The hips stay above it, and do not turn far from ahead.
    assert np.abs(again.translations[:, 1, [0, 2]]).max() < 1e-9
    assert 2 * np.degrees(np.arccos(np.abs(again.rotations[:, 1, 0]))).max() < 40


def test_a_root_on_the_ground_needs_a_body():
    with pytest.raises(InvalidInputError, match="cannot tell where"):
        with_root(random_motion(), "root")


def test_scaled_positions_and_lengths():
    motion = performer_clips()[0].motion[:9]
    again = scaled(motion, 0.5)
    found = forward_kinematics(again).positions
    np.testing.assert_allclose(found, 0.5 * forward_kinematics(motion).positions, atol=1e-12)
    for factor in (0, -1, np.nan, np.inf):
        with pytest.raises(InvalidInputError, match="positive number"):
            scaled(motion, factor)
