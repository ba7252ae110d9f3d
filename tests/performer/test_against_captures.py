"""The performer beside people: the figures that make a walk look right lie among those of captured
walks.
"""

import numpy as np
import pytest

from motionloom.io import load_motion
from motionloom.kinematics import forward_kinematics
from motionloom.roles import find_roles

#: Plain straight walks of subject 16; the middle third of each is steady.
WALKS = ("16_15", "16_31", "16_47")


def figures(motion, start, stop):
    """Speed, vertical and lateral travel of the hips, farthest ankles, 99th percentile of joint
    acceleration.
    """
    motion = motion.resample(1 / 30)
    joints = find_roles(motion.skeleton).joints
    frames = slice(round(start * 30), round(stop * 30))
    positions = forward_kinematics(motion).positions[frames]
    hips = positions[:, joints["hips"]]
    ground = hips[:, [0, 2]]
    along = (ground[-1] - ground[0]) / np.linalg.norm(ground[-1] - ground[0])
    across = ground @ np.array([along[1], -along[0]])
    apart = positions[:, joints["left_foot"]] - positions[:, joints["right_foot"]]
    chosen = positions[:, sorted(joints.values())]
    acceleration = np.linalg.norm(np.diff(chosen, 2, axis=0) * 900, axis=-1)
    return {
        "speed": np.linalg.norm(ground[-1] - ground[0]) / (len(ground) - 1) * 30,
        "vertical": np.ptp(hips[:, 1]),
        "lateral": np.ptp(across - np.linspace(across[0], across[-1], len(across))),
        "apart": np.linalg.norm(apart[:, [0, 2]], axis=1).max(),
        "acceleration": np.percentile(acceleration, 99),
    }


@pytest.mark.parametrize("name", WALKS)
def test_walks_like_a_captured_person(walk, shared_data, name):
    captured = load_motion(shared_data / "cmu_asf_amc" / "16" / f"{name}.amc")
    theirs = figures(captured, captured.duration / 3, captured.duration * 2 / 3)
    clip = walk(theirs["speed"])
    ours = figures(clip.motion, *clip.steady)
    assert ours["speed"] == pytest.approx(theirs["speed"], rel=0.03)
    assert ours["apart"] == pytest.approx(theirs["apart"], rel=0.25)
    assert ours["vertical"] == pytest.approx(theirs["vertical"], abs=0.02)
    assert ours["lateral"] == pytest.approx(theirs["lateral"], abs=0.03)
    assert 0.5 < ours["acceleration"] / theirs["acceleration"] < 1.5
