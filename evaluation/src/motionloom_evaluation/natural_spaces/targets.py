"""Random targets from captured poses, in the thesis' five groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.ik.problem import Target
from motionloom.ik.rig import make_rig
from motionloom.jacobian_kernels import make_stance, run
from motionloom.motion import Motion
from motionloom.spaces.footing import gather_footing
from motionloom.spaces.pose_coordinates import gather_poses
from motionloom.spaces.pose_space import PoseSpace, fit_pose_space

Array = NDArray[np.float64]

#: Joints that have a target, by group.
GROUPS = {
    "right hand": ("right_hand",),
    "right foot": ("right_foot",),
    "both hands": ("right_hand", "left_hand"),
    "both feet": ("right_foot", "left_foot"),
    "hands and feet": ("right_hand", "left_hand", "right_foot", "left_foot"),
}
#: Share of the captures that is held out.
HELD_OUT = 0.25


@dataclass(frozen=True, eq=False)
class Split:
    """Captures to learn from and captures held out.

    Parameters
    ----------
    space : PoseSpace
        Learned from the first.
    held_out : PoseSpace
        The held-out poses, in the same coordinates and limits.
    names : tuple of str
        The held-out captures.
    """

    space: PoseSpace
    held_out: PoseSpace
    names: tuple[str, ...]

    @property
    def standing(self) -> Array:
        """A standing pose to start from, shape (P,): the first captured one."""
        pose: Array = self.space.poses[0]
        return pose


@dataclass(frozen=True, eq=False)
class TargetSet:
    """Targets of one group.

    Parameters
    ----------
    targets : tuple of tuple of Target
        Of every problem.
    poses : array of shape (N, P), radians
        The captured poses they are from.
    trial : int array of shape (N,)
        Which capture each is from.
    """

    targets: tuple[tuple[Target, ...], ...]
    poses: Array
    trial: NDArray[np.int64]


def split_captures(
    motions: Sequence[Motion],
    seed: int,
    *,
    kind: str = "auto",
) -> Split:
    """Hold a quarter of the captures out.

    Parameters
    ----------
    motions : sequence of Motion
        At least four, of one topology.
    seed : int
        Says which are held out.
    kind : {"auto", "euler", "exponential"}
        Coordinates of the poses.

    Returns
    -------
    Split
        The space of the captures kept, and the poses held out.

    Raises
    ------
    InvalidInputError
        When there are fewer than four captures, or their joints differ.
    """
    if len(motions) < 4:
        raise InvalidInputError(
            "the evaluation holds a quarter of the clips out and needs at least 4, got"
            f" {len(motions)}"
        )
    order = np.random.default_rng(seed).permutation(len(motions))
    count = max(round(HELD_OUT * len(motions)), 1)
    held = sorted(order[:count])
    kept = sorted(order[count:])
    # The bones of all are those of the clip with the commonest skeleton, so that splits differ only
    # in their poses.
    lengths = [round(float(np.linalg.norm(m.skeleton.offsets, axis=-1).sum()), 4) for m in motions]
    common = max(set(lengths), key=lambda v: (lengths.count(v), v))
    kept.sort(key=lambda i: lengths[i] != common)
    space = fit_pose_space([motions[i] for i in kept], kind=kind)
    poses, trial = gather_poses(space.coordinates, [motions[i] for i in held])
    held_out = PoseSpace(
        coordinates=space.coordinates,
        roles=space.roles,
        poses=poses,
        trial=trial,
        lower=space.lower,
        upper=space.upper,
        segments=space.segments,
        footing=gather_footing(space.coordinates, [motions[i] for i in held], space.roles),
    )
    return Split(space, held_out, tuple(motions[i].name for i in held))


def draw_targets(split: Split, group: str, count: int, seed: int) -> TargetSet:
    """Targets where the joints of a group are in random held-out poses, in root coordinates.

    Parameters
    ----------
    split : Split
        Targets are drawn from its held-out poses.
    group : str
        One of `GROUPS`; each draws its own poses.
    count : int
        Targets; poses are drawn with replacement.
    seed : int
        Of the draw.

    Returns
    -------
    TargetSet
        One position (metres) for each joint of the group, and the poses they are from.
    """
    rng = np.random.default_rng([seed, list(GROUPS).index(group)])
    chosen = rng.integers(0, len(split.held_out.poses), count)
    poses = split.held_out.poses[chosen]
    rig = make_rig(split.space.coordinates)
    stance = make_stance(rig)
    targets = []
    for pose in poses:
        run(rig, pose, stance)
        joints = [split.space.roles.joints[role] for role in GROUPS[group]]
        targets.append(tuple(Target(j, "position", stance.place[j].copy()) for j in joints))
    return TargetSet(tuple(targets), poses, split.held_out.trial[chosen])
