from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.hinges import fit_hinges
from motionloom.edit.footlock import limit_hinges
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    motion = performer_clips(seed=0)[1].motion
    return motion, find_roles(motion.skeleton)


def test_a_motion_is_within_its_own_ranges(walk):
    motion, roles = walk
    pose = pose_motion(motion, roles)
    hinges = fit_hinges([pose])
    assert set(hinges) == {"left_hand", "left_foot", "right_hand", "right_foot"}
    for hinge in hinges.values():
        assert hinge.excess(pose).max() == 0
        assert hinge.least == pytest.approx(hinge.flexion(pose).min())
        assert 0 < hinge.most < np.pi
    same = limit_hinges(pose, hinges.values())
    np.testing.assert_array_equal(same.motion.rotations, motion.rotations)


def test_knees_come_back_into_a_narrower_range_smoothly(walk):
    motion, roles = walk
    pose = pose_motion(motion, roles)
    hinge = fit_hinges([pose])["left_foot"]
    narrow = replace(hinge, least=hinge.least + 0.1, most=hinge.most - 0.2)
    after = pose_motion(limit_hinges(pose, [narrow]).motion)
    assert narrow.excess(pose).max() > 0.15
    assert narrow.excess(after).max() < 1e-6
    bones = pose.positions[:, 1:] - pose.positions[:, motion.skeleton.parents[1:]]
    again = after.positions[:, 1:] - after.positions[:, motion.skeleton.parents[1:]]
    np.testing.assert_allclose(
        np.linalg.norm(again, axis=-1), np.linalg.norm(bones, axis=-1), atol=1e-12
    )
    change = narrow.flexion(after) - narrow.flexion(pose)
    assert np.abs(np.diff(change)).max() < 0.5 * np.abs(change).max(), (
        "the correction grows and fades; it does not switch on"
    )


def test_a_knee_bent_backwards_is_straightened(walk):
    motion, roles = walk
    hinge = fit_hinges([pose_motion(motion, roles)])["left_foot"]
    quats = motion.rotations.copy()
    quats[:, hinge.limb.middle] = [1.0, 0.0, 0.0, 0.0]
    axis = rot.rotate(rot.conjugate(quats[:, hinge.limb.middle]), np.array(hinge.axis))
    quats[:, hinge.limb.middle] = rot.multiply(
        quats[:, hinge.limb.middle], rot.from_rotvec(-0.2 * axis)
    )
    broken = replace(motion, rotations=quats)
    assert hinge.flexion(pose_motion(broken)).max() < -0.1
    mended = hinge.flexion(limit_hinges(pose_motion(broken), [hinge]))
    assert mended.min() > hinge.least - 1e-6
