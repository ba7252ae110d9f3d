"""Where a robot's own parts go into each other, counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from motionloom.polygons import segment_distance
from motionloom.robots.robot import LinkPoses, Robot, Shape, neutral_poses

Array = NDArray[np.float64]

#: Shapes less deep in each other than this do not count, metres.
TOUCH = 1e-3
#: Frames that are tested at once.
_CHUNK = 512


@dataclass(frozen=True)
class SelfTouch:
    """How often and how deep parts are in each other.

    Parameters
    ----------
    frames : int or None
        Frames in which any are; None where that is not known.
    deepest : float, metres
        How deep at most; 0 where none are.
    pairs : tuple of (str, str, int)
        Names of the bodies and in how many frames, the most frequent first.
    unknown : str
        Why it is not known; empty where it is.
    """

    frames: int | None
    deepest: float
    pairs: tuple[tuple[str, str, int], ...]
    unknown: str = ""


def find_self_touch(robot: Robot, poses: LinkPoses) -> SelfTouch:
    """Count frames in which geoms of a robot are in each other.

    Boxes, cylinders and ellipsoids are taken as the capsule inside them. As in MuJoCo neighbours
    do not count, nor bodies that the model excludes or whose bits do not meet; besides, nor pairs
    that are in each other as the model is drawn. Nothing is counted where some of the geoms that
    can touch are no simple shapes.

    Parameters
    ----------
    robot : Robot
        The robot.
    poses : LinkPoses
        Of T frames.

    Returns
    -------
    SelfTouch
    """
    pairs = tested_pairs(robot)
    unknown = _untested(robot, len(pairs))
    if unknown:
        return SelfTouch(None, np.nan, (), unknown)
    n = len(poses.places)
    hit = np.zeros((n, len(pairs)), bool)
    deepest = 0.0
    for start in range(0, n, _CHUNK):
        part = LinkPoses(poses.places[start : start + _CHUNK], poses.turns[start : start + _CHUNK])
        depth = _depths(robot, part, pairs)
        hit[start : start + _CHUNK] = depth > TOUCH
        deepest = max(deepest, float(depth.max()))
    counted: dict[tuple[str, str], NDArray[np.bool_]] = {}
    for k, (a, b) in enumerate(pairs):
        names = (robot.bodies[robot.shapes[a].body].name, robot.bodies[robot.shapes[b].body].name)
        counted[names] = counted.get(names, np.zeros(n, bool)) | hit[:, k]
    rows = [(a, b, int(frames.sum())) for (a, b), frames in counted.items() if frames.any()]
    return SelfTouch(
        int(hit.any(axis=1).sum()),
        deepest if rows else 0.0,
        tuple(sorted(rows, key=lambda row: -row[2])),
    )


def _untested(robot: Robot, pairs: int) -> str:
    """Why touching cannot be counted; empty where it can."""
    kinds = (
        (robot.meshes, "shape is a mesh", "shapes are meshes"),
        (robot.others, "shape is of another kind", "shapes are of other kinds"),
    )
    skipped = [f"{count} {one if count == 1 else many}" for count, one, many in kinds if count]
    return " and ".join(skipped) or ("" if pairs else "no two shapes of the model can touch")


def tested_pairs(robot: Robot) -> list[tuple[int, int]]:
    """Pairs of shapes that can go into each other and are apart as the model is drawn."""
    shapes = robot.shapes
    pairs = [
        (a, b)
        for a, b in combinations(range(len(shapes)), 2)
        if _may_meet(robot, shapes[a], shapes[b])
    ]
    if not pairs:
        return []
    depth = _depths(robot, neutral_poses(robot), pairs)[0]
    return [pair for pair, deep in zip(pairs, depth, strict=True) if deep <= TOUCH]


def _may_meet(robot: Robot, a: Shape, b: Shape) -> bool:
    bodies = (min(a.body, b.body), max(a.body, b.body))
    bits = (a.collides[0] & b.collides[1]) | (b.collides[0] & a.collides[1])
    return a.body != b.body and bodies not in robot.apart and bits != 0


def _depths(robot: Robot, poses: LinkPoses, pairs: Sequence[tuple[int, int]]) -> Array:
    """How deep the capsules of pairs are in each other, shape (T, P), metres."""
    shapes = robot.shapes
    links = np.repeat([shape.link for shape in shapes], 2)
    cores = np.concatenate([shape.core for shape in shapes])
    ends = poses.points(links, cores).reshape(len(poses.places), -1, 2, 3)
    first, second = np.array(pairs).T
    radii = np.array([shape.thickness for shape in shapes])
    apart = segment_distance(ends[:, first], ends[:, second])
    deep: Array = radii[first] + radii[second] - apart
    return deep
