"""Which links of a robot are its legs, arms and trunk, from its tree and the names of its joints.

Nothing is told by a table: the two limbs that end lowest are the legs, the longest of the others
the arms; they leave the pelvis and the chest. A limb bends in its middle, at the hinge that is
farthest from both of its ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.joint_names import read_joint_names
from motionloom.robots.robot import LinkPoses, Robot, neutral_poses

Array = NDArray[np.float64]

SIDES = ("left", "right")
#: Words of joints that bend a limb in its middle.
_MIDDLE = {"leg": ("knee", "shin", "calf"), "arm": ("elbow", "forearm")}
#: Hinges nearer to each other than this share of a limb belong to one joint of the body.
_NEAR = 0.2
#: Hands that hang no lower than this share of the height of the hips above the soles.
_LOWEST_HAND = 0.25


@dataclass(frozen=True)
class RobotLimb:
    """Links of one arm or leg.

    Parameters
    ----------
    upper : tuple of int
        Links from hip or shoulder down to the one that carries knee or elbow.
    middle : int
        Link below knee or elbow.
    lower : tuple of int
        Links below it: ankle or wrist; none where hand or foot is rigid.
    """

    upper: tuple[int, ...]
    middle: int
    lower: tuple[int, ...]

    @property
    def tip(self) -> int:
        """Link of the foot or hand."""
        return self.lower[-1] if self.lower else self.middle


@dataclass(frozen=True)
class RobotParts:
    """Links by the part that they play.

    Parameters
    ----------
    pelvis, chest : int
        Links that the legs and the arms leave; one link on robots without a waist.
    legs, arms : mapping of str to RobotLimb
        By side; arms may be absent.
    """

    pelvis: int
    chest: int
    legs: Mapping[str, RobotLimb]
    arms: Mapping[str, RobotLimb]


def find_robot_parts(robot: Robot) -> RobotParts:
    """Find legs, arms and trunk.

    Parameters
    ----------
    robot : Robot
        Drawn as it stands upright.

    Returns
    -------
    RobotParts

    Raises
    ------
    InvalidInputError
        When there are no two legs, or it stands on four.
    """
    poses = neutral_poses(robot)
    places = poses.places[0]
    sides = _sides(robot, poses)
    leaves = [k for k in range(1, robot.n_links) if not np.any(robot.parents == k)]
    low = {side: _lowest(leaves, sides, side, places) for side in SIDES}
    pelvis = _fork(robot, [low[side] for side in SIDES])
    legs = {side: _limb(robot, poses, pelvis, low[side], "leg") for side in SIDES}
    rest = [k for k in leaves if not any(limb.upper[0] in robot.chain(k) for limb in legs.values())]
    ends = {side: _longest(robot, rest, sides, side) for side in SIDES}
    found = [end for end in ends.values() if end is not None]
    if len(found) < 2:
        return RobotParts(pelvis, pelvis, legs, {})
    chest = _fork(robot, found)
    arms = {
        side: _limb(robot, poses, chest, end, "arm")
        for side, end in ends.items()
        if end is not None
    }
    _check_upright(places, legs, arms)
    return RobotParts(pelvis, chest, legs, arms)


def _check_upright(
    places: Array, legs: Mapping[str, RobotLimb], arms: Mapping[str, RobotLimb]
) -> None:
    sole = min(places[limb.tip, 2] for limb in legs.values())
    hip = max(places[limb.upper[0], 2] for limb in legs.values())
    if any(places[limb.tip, 2] - sole < _LOWEST_HAND * (hip - sole) for limb in arms.values()):
        raise InvalidInputError(
            "the robot stands on four limbs, or is not drawn upright; expected one that stands on"
            " two legs in its zero pose"
        )


def _sides(robot: Robot, poses: LinkPoses) -> list[str]:
    """Side of every link: by its joint's name, else its parent's, else by where it ends."""
    names = read_joint_names(robot.joints)
    sides = [""]
    for link in range(1, robot.n_links):
        sides.append(names[link - 1].side or sides[robot.parents[link]])
    if set(SIDES) <= set(sides):
        return sides
    left = poses.places[0, :, 1] - poses.places[0, 0, 1]
    width = float(np.abs(left).max())
    return ["" if abs(y) < 0.1 * width else SIDES[int(y < 0)] for y in left]


def _lowest(leaves: Sequence[int], sides: Sequence[str], side: str, places: Array) -> int:
    own = [link for link in leaves if sides[link] == side]
    if not own:
        raise InvalidInputError(
            f"the robot has no {side} leg: no chain of hinges ends on that side; name its joints"
            " left_... and right_..."
        )
    return min(own, key=lambda link: float(places[link, 2]))


def _longest(robot: Robot, leaves: Sequence[int], sides: Sequence[str], side: str) -> int | None:
    own = [link for link in leaves if sides[link] == side and len(robot.chain(link)) > 1]
    return max(own, key=lambda link: _length(robot, robot.chain(link)), default=None)


def _length(robot: Robot, chain: Sequence[int]) -> float:
    return float(np.linalg.norm(robot.offsets[list(chain[1:])], axis=-1).sum())


def _fork(robot: Robot, links: Sequence[int]) -> int:
    """Deepest link above all."""
    shared = set.intersection(*({0, *robot.chain(link)} for link in links))
    return max(shared, key=lambda link: len(robot.chain(link)))


def _limb(robot: Robot, poses: LinkPoses, top: int, leaf: int, kind: str) -> RobotLimb:
    """The chain from the trunk to where it ends, or to where fingers part."""
    chain = robot.chain(leaf)
    chain = chain[chain.index(top) + 1 :] if top else chain
    parted = [k for k, link in enumerate(chain) if np.sum(robot.parents == link) > 1]
    chain = chain[: parted[0] + 1] if parted else chain
    if len(chain) < 3:
        raise InvalidInputError(
            f"joint {robot.joints[leaf - 1]!r} ends a limb of {len(chain)} hinges; expected at"
            " least three in an arm or leg"
        )
    places = poses.places[0, chain]
    middle = _middle(robot, chain, places, kind)
    lower = chain[middle + 1 :]
    if kind == "leg" and lower:
        ankle = places[middle + 1]
        size = float(np.linalg.norm(ankle - places[0]))
        near = np.linalg.norm(places[middle + 1 :] - ankle, axis=-1) < _NEAR * size
        lower = [link for link, close in zip(lower, near, strict=True) if close]
    return RobotLimb(tuple(chain[:middle]), chain[middle], tuple(lower))


def _middle(robot: Robot, chain: Sequence[int], places: Array, kind: str) -> int:
    """Position in the chain of the hinge that bends the limb."""
    for k, link in enumerate(chain[1:], start=1):
        name = robot.joints[link - 1].lower()
        if any(word in name for word in _MIDDLE[kind]) and "roll" not in name:
            return k
    end = places[-1]
    if np.linalg.norm(places[-1] - places[-2]) < 1e-6 or kind == "arm":
        end = places[-1] + 0.5 * (places[-1] - places[0]) / len(chain)
    reach = np.minimum(
        np.linalg.norm(places - places[0], axis=-1), np.linalg.norm(places - end, axis=-1)
    )
    return max(1, int(np.argmax(reach)))
