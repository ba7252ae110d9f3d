"""Which links of a robot are its legs, arms and trunk, from its tree and its hinges.

There is no table: the two limbs that end lowest are the legs, the longest of the others the arms;
they leave the pelvis and the chest. Knee or elbow is the hinge that brings the end of the limb
nearest to its root and farthest from it. A hinge along a bone does neither, whatever its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.joint_names import read_joint_names
from motionloom.robots._robot import LinkPoses, Robot, Shape, neutral_poses
from motionloom.typing import Array

SIDES = ("left", "right")
#: A hinge that changes the reach of a limb by less than this share of the limb's length is no knee
#: or elbow. Wrists of captured robots come to .2 at most, elbows and knees to .5 at least.
_LEAST_BEND = 0.3
#: Angles of a hinge at which the reach is looked at.
_ANGLES = 25
#: Geoms that reach less far than this share of what the centre of mass says do not show where a
#: bone ends: they are those of the hinge itself.
_SHORT_END = 0.5
#: Bones shorter than this have no direction, metres.
_NO_LENGTH = 0.01
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
        By side; an arm is absent where the robot has none, or none that bends.
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
    legs = {side: _leg(robot, poses, pelvis, low[side]) for side in SIDES}
    rest = [k for k in leaves if not any(limb.upper[0] in robot.chain(k) for limb in legs.values())]
    ends = {side: _longest(robot, rest, sides, side) for side in SIDES}
    found = [end for end in ends.values() if end is not None]
    if len(found) < 2:
        return RobotParts(pelvis, pelvis, legs, {})
    chest = _fork(robot, found)
    arms = {}
    for side, end in zip(ends, found, strict=True):
        arm = _limb(robot, poses, _below(robot, chest, end))
        if arm is not None:
            arms[side] = arm
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
    sides = [""]
    for name, parent in zip(read_joint_names(robot.joints), robot.parents[1:], strict=True):
        sides.append(name.side or sides[parent])
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
    sizes = np.linalg.norm(robot.offsets, axis=-1)
    return max(own, key=lambda link: float(sizes[robot.chain(link)[1:]].sum()), default=None)


def _fork(robot: Robot, links: Sequence[int]) -> int:
    """Deepest link above all."""
    shared = set.intersection(*({0, *robot.chain(link)} for link in links))
    return max(shared, key=lambda link: len(robot.chain(link)))


def _below(robot: Robot, top: int, leaf: int) -> list[int]:
    """The chain from the trunk to where it ends, or to where fingers part."""
    chain = robot.chain(leaf)
    chain = chain[chain.index(top) + 1 :] if top else chain
    parted = [k for k, link in enumerate(chain) if np.sum(robot.parents == link) > 1]
    return chain[: parted[0] + 1] if parted else chain


def _leg(robot: Robot, poses: LinkPoses, pelvis: int, leaf: int) -> RobotLimb:
    chain = _below(robot, pelvis, leaf)
    ends = f"the leg that ends at joint {robot.joints[leaf - 1]!r}"
    if len(chain) < 3:
        raise InvalidInputError(f"{ends} has {len(chain)} hinges; expected at least three")
    leg = _limb(robot, poses, chain, rigid=False)
    if leg is None:
        raise InvalidInputError(
            f"no hinge bends {ends} in its middle; expected a knee, whose axis lies across thigh"
            " and shank"
        )
    away = poses.places[0] - poses.places[0, leg.lower[:1] or (0,)]
    far = np.linalg.norm(away, axis=-1)
    return replace(leg, lower=tuple(k for k in leg.lower if far[k] < _NEAR * far[chain[0]]))


def _limb(
    robot: Robot, poses: LinkPoses, chain: Sequence[int], rigid: bool = True
) -> RobotLimb | None:
    """A limb of these links, perhaps `rigid` below its middle; None where no hinge bends it."""
    middle = _middle(robot, poses, chain, rigid) if len(chain) > 1 else None
    if middle is None:
        return None
    return RobotLimb(tuple(chain[:middle]), chain[middle], tuple(chain[middle + 1 :]))


def _middle(robot: Robot, poses: LinkPoses, chain: Sequence[int], rigid: bool) -> int | None:
    """Position in the chain of the hinge that changes the limb's reach the most."""
    places = poses.places[0, chain]
    end, _ = find_end(robot, poses, chain[-1])
    # Nothing shows that the last hinge has a bone, so it bends the limb only if no other does.
    found = _bending(robot, poses, chain, places[-1] if end is None else end)
    if end is not None or found is not None or not rigid:
        return found
    return _bending(robot, poses, chain, places[-1] + 0.5 * (places[-1] - places[0]))


def _bending(robot: Robot, poses: LinkPoses, chain: Sequence[int], end: Array) -> int | None:
    """The same of a limb with this end: how far that comes nearer to its root, metres."""
    places = poses.places[0, chain]
    axes = rot.rotate(poses.turns[0, chain], robot.axes[chain])
    length = float(np.linalg.norm(np.diff(np.vstack([places, end]), axis=0), axis=-1).sum())
    changes = []
    for k, link in enumerate(chain[1:], start=1):
        root = center_of(places[:k], axes[:k])
        # Ankle or wrist is where a limb ends, not toe or finger, but for the ankle and wrist.
        bone = places[-1] - places[k]
        bone = bone if np.linalg.norm(bone) > _NEAR * length else end - places[k]
        low, high, neutral = (v[link - 1] for v in (robot.low, robot.high, robot.neutral))
        angles = np.linspace(max(low - neutral, -np.pi), min(high - neutral, np.pi), _ANGLES)
        ends = places[k] + rot.rotate(rot.from_rotvec(angles[:, None] * axes[k]), bone)
        changes.append(float(np.ptp(np.linalg.norm(ends - root, axis=-1))))
    best = int(np.argmax(changes))
    return best + 1 if changes[best] > _LEAST_BEND * length else None


def center_of(anchors: Array, axes: Array) -> Array:
    """The point nearest to the axes of hinges that make up one joint of the body.

    Parameters
    ----------
    anchors, axes : array of shape (K, 3)
        Of the hinges, in the world.

    Returns
    -------
    array of shape (3,), metres
    """
    across = np.eye(3) - axes[:, :, None] * axes[:, None, :]
    near = 1e-3 * np.eye(3)
    total = across.sum(axis=0) + near
    wanted = np.einsum("kij,kj->i", across, anchors) + near @ anchors.mean(axis=0)
    return np.linalg.solve(total, wanted)


def find_end(robot: Robot, poses: LinkPoses, link: int) -> tuple[Array | None, str]:
    """Where the bone of the last link of a limb ends.

    Parameters
    ----------
    robot : Robot
        The robot.
    poses : LinkPoses
        As it is drawn.
    link : int
        The last link of an arm or leg.

    Returns
    -------
    end : array of shape (3,), metres, or None
        In the world: the simple geom or fixed body that is farthest from the hinge, else the mesh,
        else twice as far as the centre of mass, as the end of a rod is. None where the model shows
        none of them.
    source : str
        ``"shape"``, ``"mass"`` or empty.
    """
    anchor = poses.places[0, link]
    rod = 2.0 * _center_of_mass(robot, poses, link) - anchor
    length = float(np.linalg.norm(rod - anchor))
    for shapes in (robot.shapes, (*robot.shapes, *robot.meshes)):
        shown = _shown(robot, poses, link, shapes)
        away = np.linalg.norm(shown - anchor, axis=-1)
        if away.max() > max(_SHORT_END * length, _NO_LENGTH):
            return shown[int(np.argmax(away))], "shape"
    return (rod, "mass") if length > _NO_LENGTH else (None, "")


def _center_of_mass(robot: Robot, poses: LinkPoses, link: int) -> Array:
    """Of the bodies on a link, shape (3,), in the world, metres; its hinge where none is known."""
    own = [body for body in robot.bodies if body.link == link and body.mass]
    if not own:
        return np.asarray(poses.places[0, link])
    centers = poses.points([link] * len(own), np.array([body.center for body in own]))[0]
    return np.asarray(np.average(centers, axis=0, weights=[body.mass for body in own]))


def _shown(robot: Robot, poses: LinkPoses, link: int, shapes: Sequence[Shape]) -> Array:
    """Shapes, bodies and hinges on a link and below it, shape (N, 3), in the world, metres."""
    below = [k for k in range(robot.n_links) if k == link or link in robot.chain(k)]
    bodies = [body for body in robot.bodies if body.link in below]
    own = [shape for shape in shapes if shape.link in below]
    return np.vstack(
        [
            poses.places[0, below],
            *(poses.points([body.link], body.place[None])[0] for body in bodies),
            *(poses.points([s.link] * len(s.centers), s.centers)[0] for s in own),
        ]
    )
