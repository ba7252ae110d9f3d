"""Soles: the points of the feet that meet the ground, and how high each of them is when it rests there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose, end_site_positions, forward_kinematics
from motionloom.motion import Motion
from motionloom.roles import Roles

Array = NDArray[np.float64]

#: A point slower than this many leg lengths per second may be standing.
STILL_SPEED = 0.35
#: Velocities are differences over about this time, so that noise at high frame rates does not look like speed.
VELOCITY_SPAN = 1 / 30
#: The heel lies behind the ankle by this share of the way from ankle to toe joint on the ground.
HEEL_SHARE = 0.4
#: Of the heights of a slow point this quantile is where it rests: low enough to leave out slow moments in the air.
REST_QUANTILE = 0.25
#: A foot's lowest joint or tip lies this far above the ground, in leg lengths, when the motion's floor is at height 0.
LOWEST_JOINT = (-0.02, 0.08)
#: So few slow moments tell nothing about where a point rests, seconds.
LEAST_STILL = 0.1


@dataclass(frozen=True)
class SolePoint:
    """One point of a foot that bears on the ground.

    Parameters
    ----------
    foot : str
        Role of the foot's joint, such as ``"left_foot"``.
    part : str
        ``"heel"`` or ``"toe"``.
    joint : int
        Joint that carries the point.
    local : tuple of float, metres
        The point in that joint's frame.
    rest : float, metres
        Height above the ground when it rests.
    """

    foot: str
    part: str
    joint: int
    local: tuple[float, float, float]
    rest: float


@dataclass(frozen=True)
class Soles:
    """The soles of one skeleton, calibrated on its motions.

    Parameters
    ----------
    points : tuple of SolePoint
    leg : float, metres
        Length of a straight leg from hip to ankle; every threshold scales with it.
    ground : float, metres
        Height of the floor: 0 where the feet's lowest joints rest as far above 0 as joints do, else where they rest.
    """

    points: tuple[SolePoint, ...]
    leg: float
    ground: float

    def positions(self, pose: WorldPose) -> Array:
        """World positions of the points, shape (T, P, 3), metres."""
        joints = [p.joint for p in self.points]
        local = np.array([p.local for p in self.points])
        return pose.positions[:, joints] + rot.rotate(pose.rotations[:, joints], local)

    def of(self, foot: str) -> tuple[int, ...]:
        """Indices of one foot's points."""
        return tuple(i for i, p in enumerate(self.points) if p.foot == foot)

    @property
    def feet(self) -> tuple[str, ...]:
        """Roles of the feet, in order, each once."""
        return tuple(dict.fromkeys(p.foot for p in self.points))


def point_velocity(positions: Array, fps: float) -> Array:
    """Velocity of points (T, ..., 3) by central differences over about `VELOCITY_SPAN`, metres per second."""
    if len(positions) < 2:
        return np.zeros_like(positions)
    half = max(1, round(0.5 * VELOCITY_SPAN * fps))
    index = np.arange(len(positions))
    before, after = np.maximum(index - half, 0), np.minimum(index + half, len(positions) - 1)
    span = (after - before).reshape(-1, *[1] * (positions.ndim - 1))
    return (positions[after] - positions[before]) * (fps / span)


def leg_length(pose: WorldPose, roles: Roles) -> float:
    """Length of a straight hind leg, hip to knee to ankle, metres; the mean of both sides and all frames.

    Raises
    ------
    InvalidInputError
        When the roles hold no whole leg.
    """
    lengths = []
    for side in ("left", "right"):
        chain = [j for part in ("hip", "knee", "foot") if (j := roles.joint(f"{side}_{part}")) is not None]
        if len(chain) == 3:
            bones = np.diff(pose.positions[:, chain], axis=1)
            lengths.append(float(np.linalg.norm(bones, axis=-1).sum(axis=1).mean()))
    if not lengths:
        raise InvalidInputError(
            "contacts need a leg: no hip, knee and foot of one side were found; name them in a roles table"
        )
    return float(np.mean(lengths))


def fit_soles(motions: Sequence[Motion], roles: Roles, poses: Sequence[WorldPose] | None = None) -> Soles:
    """Find the points of the feet that bear on the ground, and how high they are when they do.

    A skeleton does not say where its soles are. They are read off the moments in which a foot is slow: the height at
    which its joints rest, and the direction that is then down.

    Parameters
    ----------
    motions : sequence of Motion
        Motions of one skeleton over one level ground.
    roles : Roles
    poses : sequence of WorldPose, optional
        Their kinematics, if already there.

    Returns
    -------
    Soles
        A point that is never slow is taken to rest where it was lowest.

    Raises
    ------
    InvalidInputError
        When there is no motion, no foot or no whole leg.
    """
    if not motions or not roles.feet:
        raise InvalidInputError("contacts need a motion with feet; name the feet in a roles table")
    poses = [forward_kinematics(m) for m in motions] if poses is None else poses
    leg = leg_length(poses[0], roles)
    found = [point for foot in roles.feet for point in _foot_points(foot, motions, poses, roles, leg)]
    lowest = min([p.rest for p in found] + _tip_rests(motions, poses, roles, leg))
    ground = 0.0 if LOWEST_JOINT[0] * leg <= lowest <= LOWEST_JOINT[1] * leg else lowest
    return Soles(tuple(replace(p, rest=p.rest - ground) for p in found), leg, ground)


def _foot_points(
    foot: str, motions: Sequence[Motion], poses: Sequence[WorldPose], roles: Roles, leg: float
) -> list[SolePoint]:
    """Heel and toe of one foot, with rest heights in world coordinates."""
    ankle, toe = roles.joints[foot], roles.joint(foot.replace("foot", "toe"))
    toe = None if toe == ankle else toe
    if toe is None:
        return [SolePoint(foot, "heel", ankle, (0.0, 0.0, 0.0), _rest_height(motions, poses, ankle, leg))]
    heights = [_rest_height(motions, poses, j, leg) for j in (ankle, toe)]
    local = _heel_in_foot(motions, poses, ankle, toe, heights, leg)
    return [
        SolePoint(foot, "heel", ankle, local, heights[1]),
        SolePoint(foot, "toe", toe, (0.0, 0.0, 0.0), heights[1]),
    ]


def _slow(motion: Motion, positions: Array, leg: float) -> NDArray[np.bool_]:
    return np.linalg.norm(point_velocity(positions, motion.fps), axis=-1) < STILL_SPEED * leg


def _rest_height(motions: Sequence[Motion], poses: Sequence[WorldPose], joint: int, leg: float) -> float:
    """Height of a joint where it rests, metres."""
    series = [pose.positions[:, joint] for pose in poses]
    slow = [p[_slow(m, p, leg), 1] for m, p in zip(motions, series, strict=True)]
    return _resting(np.concatenate(slow), np.concatenate([p[:, 1] for p in series]), motions[0].fps)


def _resting(slow: Array, heights: Array, fps: float) -> float:
    return float(np.quantile(slow, REST_QUANTILE) if len(slow) > LEAST_STILL * fps else heights.min())


def _tip_rests(motions: Sequence[Motion], poses: Sequence[WorldPose], roles: Roles, leg: float) -> list[float]:
    """Resting heights of the end sites below the feet (toe tips)."""
    skeleton = motions[0].skeleton
    below = {j for foot in roles.feet for j in skeleton.descendants(roles.joints[foot])}
    tips = [e for e, parent in enumerate(skeleton.end_parents) if int(parent) in below]
    if not tips:
        return []
    sites = [end_site_positions(m, pose)[:, tips] for m, pose in zip(motions, poses, strict=True)]
    rests = []
    for e in range(len(tips)):
        slow = [s[_slow(m, s[:, e], leg), e, 1] for m, s in zip(motions, sites, strict=True)]
        rests.append(_resting(np.concatenate(slow), np.concatenate([s[:, e, 1] for s in sites]), motions[0].fps))
    return rests


def _heel_in_foot(
    motions: Sequence[Motion], poses: Sequence[WorldPose], ankle: int, toe: int, rest: Sequence[float], leg: float
) -> tuple[float, float, float]:
    """The heel in the ankle's frame: as high as the toe joint when the foot is flat, and somewhat behind the ankle."""
    local = []
    for motion, pose in zip(motions, poses, strict=True):
        a, t = pose.positions[:, ankle], pose.positions[:, toe]
        flat = _slow(motion, a, leg) & _slow(motion, t, leg)
        flat &= (np.abs(a[:, 1] - rest[0]) < 0.02 * leg) & (np.abs(t[:, 1] - rest[1]) < 0.02 * leg)
        behind = HEEL_SHARE * (a - t)[flat]
        behind[:, 1] = rest[1] - a[flat, 1]
        local.append(rot.rotate(rot.conjugate(pose.rotations[flat, ankle]), behind))
    pooled = np.concatenate(local)
    if not len(pooled):
        return (0.0, 0.0, 0.0)
    x, y, z = np.median(pooled, axis=0)
    return (float(x), float(y), float(z))
