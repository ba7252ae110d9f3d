"""Anatomical frames of a robot, from the geometry of the pose in which its model is drawn.

They are those of skeletons (`edit.retarget`): x to the body's left, y up, z ahead on someone who
stands with hanging arms. A thigh's y points from knee to hip, its x along the hinge of the knee.

Joints of a person that a robot does not have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.retarget.captured import basis
from motionloom.robots import _parts as anatomy
from motionloom.robots._robot import LinkPoses, Robot, Shape, neutral_poses
from motionloom.threads import one_thread
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Movements of trunk and ankles by the axis that they need in a robot's world.
_TRUNK = {"bends ahead": 1, "bends aside": 0, "turns about the vertical": 2}
_ANKLE = {"bends up and down": 1, "tilts aside": 0}
#: Hips and shoulders turn about so many axes.
_BALL = 3
#: Cosine of the angle to an axis up to which a hinge serves it: 60 degrees.
_SERVES = 0.5

UP = np.array([0.0, 0.0, 1.0])
#: Parts of the sole lie this much above its lowest point at most, metres.
SOLE_DEPTH = 0.015
#: Where a foot has no geoms: height of the ankle, and how far heel and toe are from it,
#: and half the width, in lengths of a leg.
PLAIN_FOOT = (0.07, 0.08, 0.2, 0.04)
#: Hinges nearer to each other than this are in one place, metres.
NO_LENGTH = 0.005
#: Radius of knees, hands and other parts without geoms, metres.
PLAIN_RADIUS = 0.03


@dataclass(frozen=True, eq=False)
class Pad:
    """A part of a robot that may bear on the ground: the sphere of a geom.

    Parameters
    ----------
    link : int
        That carries it.
    local : array of shape (3,), metres
        Its centre in the link's frame.
    radius : float, metres
    """

    link: int
    local: Array
    radius: float


@dataclass(frozen=True, eq=False)
class RobotFoot:
    """A foot and its sole.

    Parameters
    ----------
    link : int
        Of the foot.
    frame : array of shape (4,)
        Left, up and ahead in the link.
    ankle : array of shape (3,), metres
        In the link.
    heel, toe : array of shape (3,), metres
        Middles of the sole's rear and front edge, from the ankle along left, up, ahead.
    half_width : float, metres
        Of the sole.
    """

    link: int
    frame: Array
    ankle: Array
    heel: Array
    toe: Array
    half_width: float

    @property
    def anchors(self) -> Array:
        """Three points of the sole from the ankle along left, up, ahead, shape (3, 3), metres.

        They are the heel and both ends of the front edge.
        """
        side = np.array([self.half_width, 0.0, 0.0])
        return np.array([self.heel, self.toe + side, self.toe - side])

    def to_link(self, points: Array) -> Array:
        """Points from the ankle along left, up, ahead, in the frame of the link."""
        return np.asarray(self.ankle + rot.rotate(self.frame, points))


@dataclass(frozen=True, eq=False)
class RobotFrames:
    """How body parts lie in a robot's links.

    Parameters
    ----------
    robot : Robot
        The robot.
    parts : RobotParts
        Its legs, arms and trunk.
    links : mapping of str to int
        Link of each part: ``hips``, ``chest``, and by side ``hip knee foot shoulder elbow``.
    frames : mapping of str to array of shape (4,)
        Left, up and ahead of the part in its link, as a unit quaternion.
    feet : mapping of str to RobotFoot
        By side.
    pads : mapping of str to Pad
        Knees and hands, by the role of a skeleton's joint there.
    middle : array of shape (3,), metres
        Between the hips, in the pelvis.
    leg : float, metres
        Length of a straight leg from hip to ankle.
    guessed : tuple of str
        What the model does not show.
    lacks : tuple of str
        Joints of a person that the robot does not have, one sentence each.
    """

    robot: Robot
    parts: anatomy.RobotParts
    links: Mapping[str, int]
    frames: Mapping[str, Array]
    feet: Mapping[str, RobotFoot]
    pads: Mapping[str, Pad]
    middle: Array
    leg: float
    guessed: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@one_thread()
def fit_robot_frames(robot: Robot) -> RobotFrames:
    """Find the anatomical frames of a robot.

    Parameters
    ----------
    robot : Robot
        Drawn as it stands upright; which way it faces follows from its sides.

    Returns
    -------
    RobotFrames

    Raises
    ------
    InvalidInputError
        When its legs cannot be found.
    """
    parts = anatomy.find_robot_parts(robot)
    fitting = _Fitting(robot, parts, neutral_poses(robot))
    fitting.trunk()
    for side in anatomy.SIDES:
        fitting.limb(side, parts.legs[side], ("hip", "knee"), bends=1.0)
        fitting.foot(side, parts.legs[side])
        if side in parts.arms:
            fitting.limb(side, parts.arms[side], ("shoulder", "elbow"), bends=-1.0)
    found = fitting.links, fitting.frames, fitting.feet, fitting.pads, fitting.middle
    leg = float(np.mean([fitting.legs[side] for side in anatomy.SIDES]))
    lacks = _find_lacking(robot, parts, fitting.axes)
    return RobotFrames(robot, parts, *found, leg, tuple(fitting.guessed), lacks)


class _Fitting:
    """Frames found so far, in the pose in which the model is drawn."""

    def __init__(self, robot: Robot, parts: anatomy.RobotParts, poses: LinkPoses) -> None:
        self.robot = robot
        self.parts = parts
        self.poses = poses
        self.places = poses.places[0]
        self.turns = poses.turns[0]
        self.axes = rot.rotate(self.turns, robot.axes)
        self.links: dict[str, int] = {}
        self.frames: dict[str, Array] = {}
        self.feet: dict[str, RobotFoot] = {}
        self.pads: dict[str, Pad] = {}
        self.legs: dict[str, float] = {}
        self.guessed: list[str] = []
        roots = {side: self.center(parts.legs[side].upper) for side in anatomy.SIDES}
        self.left = unit((roots["left"] - roots["right"]) * [1.0, 1.0, 0.0])
        self.middle = self.local(parts.pelvis, 0.5 * (roots["left"] + roots["right"]))

    def local(self, link: int, point: Array) -> Array:
        """A point of the world in a link."""
        return rot.rotate(rot.conjugate(self.turns[link]), point - self.places[link])

    def put(self, part: str, link: int, world: Array) -> None:
        self.links[part] = link
        self.frames[part] = rot.multiply(rot.conjugate(self.turns[link]), world)

    def center(self, links: Sequence[int]) -> Array:
        """The point nearest to the axes of hinges that make up one joint of the body."""
        return anatomy.center_of(self.places[list(links)], self.axes[list(links)])

    def trunk(self) -> None:
        for part, link in (("hips", self.parts.pelvis), ("chest", self.parts.chest)):
            self.put(part, link, basis(UP, self.left, "yx"))

    def limb(
        self, side: str, limb: anatomy.RobotLimb, names: tuple[str, str], bends: float
    ) -> None:
        """Both bones, by their directions and the hinge between them."""
        root = self.center(limb.upper)
        middle = self.places[limb.middle]
        tip, source = self.tip(limb)
        self.say_end(f"{side} {names[1]}", source)
        upper = middle - root
        lower = tip - middle
        hinge = self.axes[limb.middle]
        axis = hinge * bends * self._flexing(limb.middle, upper, lower, hinge)
        self.put(f"{side}_{names[0]}", limb.upper[-1], basis(-upper, axis, "yx"))
        self.put(f"{side}_{names[1]}", limb.middle, basis(-lower, axis, "yx"))
        if bends > 0:
            self.legs[side] = float(np.linalg.norm(upper) + np.linalg.norm(lower))
            self.pads[f"{side}_knee"] = self.pad(limb.middle, middle)
        else:
            self.pads[f"{side}_hand"] = self.pad(limb.tip, tip)

    def tip(self, limb: anatomy.RobotLimb) -> tuple[Array, str]:
        """Ankle or wrist, or the end of a limb that is rigid below; and where that is from."""
        middle = self.places[limb.middle]
        below = [k for k in limb.lower if np.linalg.norm(self.places[k] - middle) > NO_LENGTH]
        if below:
            anchors = self.places[below]
            along = unit(anchors[0] - middle)
            # Axes along the bone do not say where on it the joint is.
            center = self.center(below)
            level = center + ((anchors.mean(axis=0) - center) @ along) * along
            return np.asarray(level), "hinge"
        end, source = anatomy.find_end(self.robot, self.poses, limb.tip)
        if end is None:
            end = middle + 0.5 * (middle - self.places[limb.upper[0]])
        return end, source

    def say_end(self, joint: str, source: str) -> None:
        """Say what the model does not show of the bone below a joint."""
        bone = f"the bone below the {joint}"
        touching = f"{bone} has no geom that can touch, so it is taken to point to its centre of"
        straight = f"nothing shows where {bone} ends, so it is taken to go on straight"
        guesses = {"mass": [f"{touching} mass"], "": [straight]}
        self.guessed += guesses.get(source, [])

    def _flexing(self, link: int, upper: Array, lower: Array, hinge: Array) -> float:
        """Sign with which the hinge's axis points along the normal of upper and lower bone."""
        low, high = self.robot.low[link - 1], self.robot.high[link - 1]
        if not np.isfinite([low, high]).all():
            low, high = -0.5, 0.5
        ends = [rot.rotate(rot.from_rotvec(angle * hinge), lower) for angle in (low, high)]
        bent = min(ends, key=lambda bone: float(unit(bone) @ unit(upper)))
        return 1.0 if np.cross(upper, bent) @ hinge >= 0 else -1.0

    def spheres(self, link: int, shapes: Sequence[Shape]) -> Array:
        """Centres and radii (B, 4) of shapes on a link, in the world."""
        rows = [np.insert(s.centers, 3, s.radius, axis=1) for s in shapes if s.link == link]
        found = np.vstack([np.zeros((0, 4)), *rows])
        found[:, :3] = self.places[link] + rot.rotate(self.turns[link], found[:, :3])
        return found

    def pad(self, link: int, place: Array) -> Pad:
        """The sphere of a link that is nearest to a place."""
        own = self.spheres(link, self.robot.shapes)
        if not len(own):
            return Pad(link, self.local(link, place), PLAIN_RADIUS)
        nearest = own[int(np.argmin(np.linalg.norm(own[:, :3] - place, axis=-1)))]
        return Pad(link, self.local(link, nearest[:3]), float(nearest[3]))

    def foot(self, side: str, limb: anatomy.RobotLimb) -> None:
        """The sole: the lowest points of the foot's simple geoms, else of its meshes."""
        ankle, _ = self.tip(limb)
        world = basis(UP, self.left, "yx")
        own = self.spheres(limb.tip, self.robot.shapes)
        own = own if len(own) else self.spheres(limb.tip, self.robot.meshes)
        if len(own):
            low = own[:, :3] - own[:, 3:] * UP
            low = low[low[:, 2] < low[:, 2].min() + SOLE_DEPTH]
            points = rot.rotate(rot.conjugate(world), low - ankle)
            # A sole is one plane, even where geoms on it differ by millimetres.
            points[:, 1] = points[:, 1].min()
        else:
            points = _plain_sole(self.legs[side])
            self.guessed.append(
                f"the {side} foot has no geoms that can touch, so its sole is taken to be"
                f" {-100 * points[0, 1]:.0f} cm below the ankle"
            )
        low, high = points.min(axis=0), points.max(axis=0)
        across = 0.5 * (low[0] + high[0])
        self.put(f"{side}_foot", limb.tip, world)
        self.feet[side] = RobotFoot(
            limb.tip,
            frame=self.frames[f"{side}_foot"],
            ankle=self.local(limb.tip, ankle),
            heel=np.array([across, low[1], low[2]]),
            toe=np.array([across, low[1], high[2]]),
            half_width=float(0.5 * (high[0] - low[0])),
        )


def _plain_sole(leg: float) -> Array:
    down, behind, ahead, half = (share * leg for share in PLAIN_FOOT)
    return np.array([[x, -down, z] for z in (-behind, ahead) for x in (-half, half)])


def _find_lacking(robot: Robot, parts: anatomy.RobotParts, axes: Array) -> tuple[str, ...]:
    """What a person's joints can do and a robot's cannot.

    Parameters
    ----------
    robot : Robot
        The robot.
    parts : RobotParts
        Its legs, arms and trunk.
    axes : array of shape (L, 3)
        Axes of its links' hinges in the world, as the model is drawn.

    Returns
    -------
    tuple of str
        One sentence for every joint.
    """
    found = [_moves("waist", _between(robot, parts), axes, _TRUNK)]
    for side in anatomy.SIDES:
        found.append(_ball(f"{side} hip", len(parts.legs[side].upper)))
        found.append(_moves(f"{side} ankle", parts.legs[side].lower, axes, _ANKLE))
        if side in parts.arms:
            found.append(_ball(f"{side} shoulder", len(parts.arms[side].upper)))
        else:
            found.append(f"the robot has no {side} arm that bends, so that of the clip is left out")
    found.append(_neck(robot, parts))
    return tuple(sentence for sentence in found if sentence)


def _between(robot: Robot, parts: anatomy.RobotParts) -> list[int]:
    """Links whose hinges lie between pelvis and chest."""
    return sorted(set(robot.chain(parts.pelvis)) ^ set(robot.chain(parts.chest)))


def _moves(name: str, links: Sequence[int], axes: Array, wanted: dict[str, int]) -> str:
    """What a joint of these hinges cannot do."""
    if not links:
        return f"the robot has no {name}"
    served = np.abs(axes[list(links)]).max(axis=0) >= _SERVES
    lacking = [move for move, axis in wanted.items() if not served[axis]]
    return f"the robot has no hinge in its {name} that {' or '.join(lacking)}" if lacking else ""


def _ball(name: str, hinges: int) -> str:
    """What a hip or shoulder of so many hinges lacks."""
    has = f"the robot's {name} has {hinges} of {_BALL} hinges"
    return "" if hinges >= _BALL else f"{has}, so the limb below cannot point everywhere"


def _neck(robot: Robot, parts: anatomy.RobotParts) -> str:
    limbs = [limb.upper[0] for limb in (*parts.legs.values(), *parts.arms.values())]
    used = {*_between(robot, parts), *robot.chain(parts.pelvis), *robot.chain(parts.chest)}
    rest = sorted(set(range(1, robot.n_links)) - used)
    free = [link for link in rest if not set(limbs) & set(robot.chain(link))]
    names = ", ".join(robot.joints[link - 1] for link in free)
    if not free:
        return "the robot has no neck, so its head goes along with its trunk"
    return f"hinges that play no part stay as the model is drawn: {names}"
