"""A robot: a floating base, links that hinges turn, and the simple shapes on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.kinematics import tree_kinematics
from motionloom.typing import Array, Bools, Ints


@dataclass(frozen=True, eq=False)
class Shape:
    """A geom on a link, as spheres whose hull it is.

    A sphere is one of them, a capsule two, a box eight points; of a mesh they are points that are
    farthest in one of 26 directions.

    Parameters
    ----------
    link : int
        Link it is fixed to.
    centers : array of shape (B, 3), metres
        Of the spheres, in the link's frame.
    radius : float, metres
        Of all of them; 0 for points.
    """

    link: int
    centers: Array
    radius: float


@dataclass(frozen=True, eq=False)
class RobotBody:
    """A body of the model.

    Parameters
    ----------
    name : str
        As in the file.
    link : int
        Link that it is fixed to.
    place : array of shape (3,), metres
    turn : array of shape (4,)
        Where it is in the link's frame; the turn is a unit quaternion (w, x, y, z).
    mass : float, kilograms
        0 where the model does not show it.
    center : array of shape (3,), metres
        Its centre of mass in the link's frame, where its mass is known.
    """

    name: str
    link: int
    place: Array
    turn: Array
    mass: float
    center: Array


@dataclass(frozen=True, eq=False)
class Robot:
    """Links in a tree. Link 0 is the base, which moves freely; link h + 1 hangs on hinge h.

    A link's frame lies at its hinge's anchor. World axes are those of robotics: x ahead, y to the
    left, z up.

    Parameters
    ----------
    name : str
        Of the model.
    joints : tuple of str
        Names of the H hinges, in MuJoCo's order.
    parents : int array of shape (L,)
        Links above; -1 for the base.
    offsets : array of shape (L, 3), metres
        Anchor in the frame of the link above.
    turns : array of shape (L, 4)
        Link in the frame of the link above where its angle is zero.
    axes : array of shape (L, 3)
        Unit axes in the link's own frame; zero for the base.
    low, high : array of shape (H,), radians
        Limits; infinite where there are none.
    neutral : array of shape (H,), radians
        Angles of the pose in which the model is drawn.
    base_place : array of shape (3,), metres
    base_turn : array of shape (4,)
        Of the base as the model is drawn.
    bodies : tuple of RobotBody
        In MuJoCo's order.
    shapes : tuple of Shape
        Simple geoms.
    meshes : tuple of Shape
        Meshes that can touch.
    model : mujoco.MjModel
        What MuJoCo made of the file, for tests of shapes against each other.
    notes : tuple of str
        What was passed over in the file.
    left_out : int
        Geoms that can touch but are not among the shapes, because their mesh cannot be read.
    """

    name: str
    joints: tuple[str, ...]
    parents: Ints
    offsets: Array
    turns: Array
    axes: Array
    low: Array
    high: Array
    neutral: Array
    base_place: Array
    base_turn: Array
    bodies: tuple[RobotBody, ...]
    shapes: tuple[Shape, ...]
    meshes: tuple[Shape, ...]
    model: Any
    notes: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def n_joints(self) -> int:
        """Number of hinges H."""
        return len(self.joints)

    @property
    def n_links(self) -> int:
        """Number of links L, one more than hinges."""
        return len(self.parents)

    @cached_property
    def above(self) -> Bools:
        """Whether hinge h turns link l, shape (L, H)."""
        moved = np.zeros((self.n_links, self.n_joints), bool)
        for link in range(1, self.n_links):
            moved[link] = moved[self.parents[link]]
            moved[link, link - 1] = True
        return moved

    def chain(self, link: int) -> list[int]:
        """Links from below the base down to a link."""
        found = []
        while link > 0:
            found.append(link)
            link = int(self.parents[link])
        return found[::-1]


@dataclass(frozen=True, eq=False)
class LinkPoses:
    """Where links are.

    Parameters
    ----------
    places : array of shape (T, L, 3), metres
        Of their anchors.
    turns : array of shape (T, L, 4)
        Unit quaternions (w, x, y, z).
    """

    places: Array
    turns: Array

    def points(self, links: Ints | list[int], local: Array) -> Array:
        """World positions (T, K, 3) of points (K, 3) in the frames of links (K,)."""
        return self.places[:, links] + rot.rotate(self.turns[:, links], local)

    def path(self, link: int, local: Array) -> Array:
        """World positions (T, 3) of a point (3,) in the frame of a link."""
        return self.places[:, link] + rot.rotate(self.turns[:, link], local)


def pose_links(robot: Robot, places: Array, turns: Array, angles: Array) -> LinkPoses:
    """Where a robot's links are.

    Parameters
    ----------
    robot : Robot
        The robot.
    places : array of shape (T, 3), metres
    turns : array of shape (T, 4)
        Of the base.
    angles : array of shape (T, H), radians
        Of the hinges.

    Returns
    -------
    LinkPoses
    """
    hinges = rot.from_rotvec(angles[..., None] * robot.axes[1:])
    local = np.concatenate([turns[:, None], rot.multiply(robot.turns[1:], hinges)], axis=1)
    world = tree_kinematics(robot.parents, robot.offsets, places, local)
    return LinkPoses(world.positions, world.rotations)


def neutral_poses(robot: Robot) -> LinkPoses:
    """The one pose in which the model is drawn, shape T = 1."""
    return pose_links(robot, robot.base_place[None], robot.base_turn[None], robot.neutral[None])


EXAMPLE = "humanoid29.xml"


def example_robot() -> str:
    """MJCF model of a plain humanoid: legs of six hinges, a waist of three, arms of seven.

    Returns
    -------
    str
        XML, for a file of your own.

    Examples
    --------
    >>> example_robot().startswith("<mujoco")
    True
    """
    return resources.files("motionloom.robots").joinpath(EXAMPLE).read_text()
