"""How a body holds itself where nobody asks: arms hang, and what is symmetric is done so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.ik.problem import LEVER, Target
from motionloom.kinematics import WorldPose
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array

#: An arm hangs that is turned from straight down by less than this, radians.
_HANGS = np.radians(60.0)
#: Standard deviations of arms from how they hang, and of a trunk from upright and square between
#: what is asked symmetrically, radians.
_HANGING, _SQUARE = np.radians(15.0), np.radians(5.0)
#: Targets are symmetric when each is this near to the mirror image of another or itself, metres.
_SAME = 0.05
#: Points that directions are told by are this far away, metres.
_FAR = 1000.0


def posture_wishes(
    space: PoseSpace, world: WorldPose, targets: Sequence[Target]
) -> tuple[Target, ...]:
    """How a body should hold itself that begins in a pose; none of it has to be met.

    Parameters
    ----------
    space : PoseSpace
        Gives skeleton and roles.
    world : WorldPose
        Where the body begins, in coordinates of the floor.
    targets : sequence of Target
        What is asked.

    Returns
    -------
    tuple of Target
        Arms that hang and that nothing is asked of keep hanging, however the trunk is bent; the
        trunk is not twisted or bent to a side for targets that are symmetric.
    """
    if space.roles.kind == "quadruped":
        return ()
    return (*_hanging_arms(space, world, targets), *_square_trunk(space, world, targets))


def _hanging_arms(space: PoseSpace, world: WorldPose, targets: Sequence[Target]) -> list[Target]:
    joints, skeleton = space.roles.joints, space.coordinates.skeleton
    wishes: list[Target] = []
    for side in ("left", "right"):
        parts = [f"{side}_{part}" for part in ("shoulder", "elbow", "hand")]
        chain = [joints[part] for part in parts if part in joints]
        if len(chain) < len(parts) or any(
            t.joint in skeleton.descendants(chain[0]) for t in targets
        ):
            continue
        for joint, below in pairwise(chain):
            along = world.positions[0, below] - world.positions[0, joint]
            length = float(np.linalg.norm(along))
            if length < 1e-6 or -along[1] < np.cos(_HANGS) * length:
                continue
            axis = rot.rotate(rot.conjugate(world.rotations[0, joint]), along / length)
            # Straight down and not as it hung: which way it hung is known only of who stands so.
            down = world.positions[0, joint] + np.array([0.0, -_FAR, 0.0])
            wishes.append(Target(joint, "gaze", down, axis, wish=LEVER * _HANGING))
    return wishes


def _square_trunk(space: PoseSpace, world: WorldPose, targets: Sequence[Target]) -> list[Target]:
    joints = space.roles.joints
    if not _symmetric(space, targets):
        return []
    wishes = []
    trunk = [space.coordinates.root, *(joints[r] for r in ("chest",) if r in joints)]
    for joint in dict.fromkeys(trunk):
        left = rot.rotate(rot.conjugate(world.rotations[0, joint]), [1.0, 0.0, 0.0])
        far = np.array([_FAR, 0.0, 0.0])
        wishes.append(Target(joint, "gaze", far, left, wish=LEVER * _SQUARE))
    return wishes


def _symmetric(space: PoseSpace, targets: Sequence[Target]) -> bool:
    """Whether left and right are asked for the same, as seen from where the body begins."""
    names = {joint: role for role, joint in space.roles.joints.items()}
    places: dict[str, Array] = {}
    for target in targets:
        if target.kind not in ("position", "gaze") or target.joint not in names:
            return False
        places[f"{names[target.joint]} {target.kind}"] = np.asarray(target.value, float)
    if not any(name.startswith("left_") for name in places):
        return False
    for name, place in places.items():
        other = places.get(_mirrored(name))
        if other is None or np.linalg.norm(other * [-1.0, 1.0, 1.0] - place) > _SAME:
            return False
    return True


def _mirrored(name: str) -> str:
    for a, b in (("left_", "right_"), ("right_", "left_")):
        if name.startswith(a):
            return b + name.removeprefix(a)
    return name
