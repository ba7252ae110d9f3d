"""A small walking human with known contacts, made by swinging straight limbs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

#: Name, parent and offset (metres).
JOINTS = (
    ("Hips", -1, (0, 0.92, 0)),
    ("Spine", 0, (0, 0.15, 0)),
    ("Neck", 1, (0, 0.35, 0)),
    ("Head", 2, (0, 0.1, 0)),
    *(
        joint
        for i, (side, x) in enumerate((("Left", 1), ("Right", -1)))
        for joint in (
            (f"{side}UpLeg", 0, (0.1 * x, 0, 0)),
            (f"{side}Leg", 4 + 6 * i, (0, -0.42, 0)),
            (f"{side}Foot", 5 + 6 * i, (0, -0.42, 0)),
            (f"{side}Arm", 1, (0.2 * x, 0.3, 0)),
            (f"{side}ForeArm", 7 + 6 * i, (0.02 * x, -0.28, 0)),
            (f"{side}Hand", 8 + 6 * i, (0, -0.25, 0)),
        )
    ),
)


def build_walker(
    n_frames: int = 61, fps: float = 30.0, heading: float = 0.0, name: str = "walker"
) -> Motion:
    """Walk at 1 m/s from the origin along `heading` (radians from +Z towards +X)."""
    names, parents, offsets = zip(*JOINTS, strict=True)
    feet = [names.index(f"{side}Foot") for side in ("Left", "Right")]
    skeleton = Skeleton(
        names,
        np.array(parents),
        np.array(offsets),
        np.array([3, *feet]),
        np.array([[0, 0.18, 0], [0, -0.06, 0.18], [0, -0.06, 0.18]]),
    )
    t = np.arange(n_frames) / fps
    swing = np.sin(2 * np.pi * t)
    quats = rot.identity(n_frames, len(names))
    for joint, angle in (
        ("LeftUpLeg", 0.45),
        ("RightUpLeg", -0.45),
        ("LeftArm", -0.4),
        ("RightArm", 0.4),
    ):
        quats[:, names.index(joint)] = rot.from_rotvec(np.outer(swing, [-angle, 0, 0]))
    quats[:, 0] = rot.yaw(heading)
    place = np.outer(t, [np.sin(heading), 0, np.cos(heading)]) + np.array([0, 0.92, 0])
    return Motion(skeleton, quats, place[:, None], 1 / fps, name=name)


def build_contacts(motion: Motion) -> dict[str, np.ndarray]:
    """Left and right foot bear in turn."""
    left = np.sin(2 * np.pi * motion.times) >= 0
    return {"left_foot": left, "RightFoot": ~left}


@pytest.fixture(scope="session")
def make_walker() -> Callable[..., Motion]:
    return build_walker


@pytest.fixture(scope="session")
def make_contacts() -> Callable[[Motion], dict[str, np.ndarray]]:
    return build_contacts


@pytest.fixture
def walker() -> Motion:
    return build_walker()


@pytest.fixture
def contacts(walker: Motion) -> dict[str, np.ndarray]:
    return build_contacts(walker)


@pytest.fixture(scope="session")
def targets() -> ConstraintSet:
    return ConstraintSet(
        duration=2.0,
        fps=30,
        body=[
            BodyConstraint(time=0.0, position=(0, 0), facing=0),
            BodyConstraint(time=2.0, position=(0.3, 2.0), facing=20),
        ],
        joints=[JointConstraint(time=1.0, joint="right_hand", position=(-0.5, 1.2, 1.2))],
    )
