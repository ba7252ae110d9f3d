import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.kinematics import forward_kinematics
from motionloom.performer import (
    ClipLabel,
    make_performer,
    perform,
    performer_clips,
    plan_steps,
    walking_steps,
)
from motionloom.performer._body import SIDES


@pytest.fixture(scope="session")
def clips():
    return performer_clips(seed=0, fps=30.0)


@pytest.fixture(scope="session")
def walk():
    """Makes a straight walk at a speed, by a person of a height."""

    def make(speed, *, height=1.75, fps=60.0, count=8, seed=0):
        body = make_performer(height)
        plan = plan_steps(body, walking_steps(body, speed, count))
        return perform(body, plan, fps=fps, seed=seed, label=ClipLabel(speed=speed))

    return make


@pytest.fixture(scope="session")
def sole():
    """World positions of heel, forefoot and toe tip of both feet, (T, 2, 3, 3), from the motion
    alone.
    """

    def points(clip):
        pose, skeleton, body = forward_kinematics(clip.motion), clip.motion.skeleton, clip.performer
        feet = []
        for side in SIDES:
            places = (("Foot", body.heel), ("ToeBase", body.toe_sole), ("ToeBase", body.toe_tip))
            joints = [(skeleton.index(side + joint), place) for joint, place in places]
            feet.append(
                np.stack(
                    [pose.positions[:, j] + rot.rotate(pose.rotations[:, j], p) for j, p in joints],
                    axis=1,
                )
            )
        return np.stack(feet, axis=1)

    return points


@pytest.fixture(scope="session")
def leg_angles():
    """Hip, knee and ankle angles in the sagittal plane, degrees, (T,) each, of a person who walks
    towards +Z.
    """

    def angles(clip, side):
        at = {
            n: clip.joint_positions[:, clip.motion.skeleton.index(n)]
            for n in clip.motion.skeleton.names
        }
        hip, knee, ankle, toe = (at[side + n] for n in ("UpLeg", "Leg", "Foot", "ToeBase"))
        thigh, shank, sole = (
            np.arctan2(v[:, 2], -v[:, 1]) for v in (knee - hip, ankle - knee, toe - ankle)
        )
        rest = np.arctan2(clip.performer.ball[2], -clip.performer.ball[1])
        return np.degrees(thigh), np.degrees(thigh - shank), np.degrees(sole - rest - shank)

    return angles
