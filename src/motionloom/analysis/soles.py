"""Soles: the points of the feet that meet the ground, and how high each of them is when it rests
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.curves import runs_of
from motionloom.declared import Finite, Positive, below
from motionloom.errors import InvalidInputError
from motionloom.kinematics import WorldPose
from motionloom.posed_motion import PosedMotion
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: A point slower than this many leg lengths per second may be standing.
STILL_SPEED = 0.35
#: Velocities are differences over about this time, so that noise at high frame rates does not look
#: like speed.
VELOCITY_SPAN = 1 / 30
#: The heel lies behind the ankle by this share of the way from ankle to toe joint on the ground.
HEEL_SHARE = 0.4
#: Of the heights of a slow point this quantile is where it rests: low enough to leave out slow
#: moments in the air.
REST_QUANTILE = 0.25
#: One stay counts no more than this, seconds: someone who sits for a minute says no more than
#: someone who steps.
LONGEST_STAY = 0.5
#: Sine of the slope, ankle over toe, beyond which a resting foot has no heel on the ground (dogs
#: walk on their toes).
STEEP = 0.7
#: A foot's lowest joint or tip lies this far above the ground, in leg lengths, when the motion's
#: floor is at height 0.
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
    joint: Annotated[int, below("J")]
    local: tuple[Finite, Finite, Finite]
    rest: Finite


@dataclass(frozen=True)
class Soles:
    """The soles of one skeleton, calibrated on its motions.

    Parameters
    ----------
    points : tuple of SolePoint
        Heels and toes, foot by foot.
    leg : float, metres
        Length of a straight leg from hip to ankle; every threshold scales with it.
    ground : float, metres
        Height of the floor: 0 where the feet's lowest joints rest as far above 0 as joints do, else
        where they rest.
    """

    points: tuple[SolePoint, ...]
    leg: Positive
    ground: Finite

    def positions(self, posed: PosedMotion | WorldPose) -> Array:
        """World positions of the points, shape (T, P, 3), metres.

        Examples
        --------
        >>> heights = fit_soles([posed]).positions(posed)[..., 1]
        >>> bool(np.abs(heights.min()) < 0.05)  # metres from the ground
        True
        """
        joints = [p.joint for p in self.points]
        local = np.array([p.local for p in self.points])
        return posed.positions[:, joints] + rot.rotate(posed.rotations[:, joints], local)

    def of(self, foot: str) -> tuple[int, ...]:
        """Indices of one foot's points.

        Examples
        --------
        >>> fit_soles([posed]).of("left_foot")
        (0, 1)
        """
        return tuple(i for i, p in enumerate(self.points) if p.foot == foot)

    @property
    def feet(self) -> tuple[str, ...]:
        """Roles of the feet, in order, each once."""
        return tuple(dict.fromkeys(p.foot for p in self.points))


def point_velocity(positions: Array, fps: float, over: float = VELOCITY_SPAN) -> Array:
    """Velocity of points by central differences over about so long a time.

    Parameters
    ----------
    positions : array of shape (T, ...), metres
        Of points; at the ends of the motion the differences are one-sided.
    fps : float
        Frames per second.
    over : float, seconds
        Over which differences are taken.

    Returns
    -------
    array of shape (T, ...), metres per second
        0 for a motion of fewer than two frames.

    Examples
    --------
    >>> points = np.arange(30)[:, None, None] * [0.0, 0.0, 0.1]
    >>> point_velocity(points, fps=30.0)[10, 0].round(3)  # 0.1 m a frame
    array([0., 0., 3.])
    """
    half = max(1, round(0.5 * over * fps))
    index = np.arange(len(positions))
    before = np.maximum(index - half, 0)
    after = np.minimum(index + half, len(positions) - 1)
    span = np.maximum(after - before, 1).reshape(-1, *[1] * (positions.ndim - 1))
    return np.asarray((positions[after] - positions[before]) * (fps / span))


def leg_length(posed: PosedMotion) -> float:
    """Length of a straight hind leg, hip to knee to ankle; the mean of both sides and all frames.

    Parameters
    ----------
    posed : PosedMotion
        The motion.

    Returns
    -------
    float, metres

    Raises
    ------
    InvalidInputError
        When the roles hold no whole leg.

    Examples
    --------
    >>> round(leg_length(posed), 2)  # metres
    0.86
    """
    lengths = []
    for side in ("left", "right"):
        known = (posed.roles.joint(f"{side}_{part}") for part in ("hip", "knee", "foot"))
        chain = [joint for joint in known if joint is not None]
        if len(chain) == 3:
            bones = np.diff(posed.positions[:, chain], axis=1)
            lengths.append(float(np.linalg.norm(bones, axis=-1).sum(axis=1).mean()))
    if not lengths:
        raise InvalidInputError(
            "contacts need a leg: no hip, knee and foot of one side were found; name them in a"
            " roles table"
        )
    return float(np.mean(lengths))


@one_thread()
def fit_soles(motions: Sequence[PosedMotion]) -> Soles:
    """Find the points of the feet that bear on the ground, and how high they are when they do.

    A skeleton does not say where its soles are. They are read off the moments in which a foot is
    slow: the height at which its joints rest, and the direction that is then down. A foot without a
    toe joint has its toe at its end site; one that rests steeply (a dog's hock is high above its
    paw) has no heel.

    Parameters
    ----------
    motions : sequence of PosedMotion
        Motions of one skeleton over one level ground.

    Returns
    -------
    Soles
        A foot that never rests has the soles of the other one, mirrored. Where there is none, its
        points rest where they were lowest.

    Raises
    ------
    InvalidInputError
        When there is no motion, no foot or no whole leg.

    Examples
    --------
    >>> soles = fit_soles([posed])
    >>> soles.feet, sorted({point.part for point in soles.points})
    (('left_foot', 'right_foot'), ['heel', 'toe'])
    """
    feet = motions[0].roles.feet if motions else ()
    if not feet:
        raise InvalidInputError("contacts need a motion with feet; name the feet in a roles table")
    leg = leg_length(motions[0])
    resting = {foot: _rests(foot, motions, leg) for foot in feet}
    points = {foot: _foot_points(foot, motions, leg) for foot in feet}
    for foot in feet:
        other = _other_side(foot)
        if not resting[foot] and resting.get(other, False):
            points[foot] = _mirrored(points[other], foot, motions[0])
    found = [point for own in points.values() for point in own]
    lowest = min([p.rest for p in found] + _tip_rests(motions, leg))
    ground = 0.0 if LOWEST_JOINT[0] * leg <= lowest <= LOWEST_JOINT[1] * leg else lowest
    return Soles(tuple(replace(p, rest=p.rest - ground) for p in found), leg, ground)


def resting_height(heights: Array, slow: Bools, fps: float) -> float | None:
    """Height at which a point rests: a low quantile (`REST_QUANTILE`) of its heights while slow.

    Parameters
    ----------
    heights : array of shape (T,), metres
        Of the point.
    slow : bool array of shape (T,)
        Whether it is slow enough to stand.
    fps : float
        Frames per second.

    Returns
    -------
    float or None, metres
        None when it is slow for too short (`LEAST_STILL`) to tell.
    """
    counted = heights[_stays(slow, fps)]
    return float(np.quantile(counted, REST_QUANTILE)) if len(counted) > LEAST_STILL * fps else None


def _stays(slow: Bools, fps: float) -> NDArray[np.intp]:
    """Frames in which a point is slow, of each stay no more than `LONGEST_STAY`, evenly."""
    most = max(1, round(LONGEST_STAY * fps))
    counted = [np.zeros(0, np.intp)]
    for start, stop in runs_of(slow):
        counted.append(np.linspace(start, stop - 1, min(stop - start, most)).astype(np.intp))
    return np.concatenate(counted)


def _foot_points(foot: str, motions: Sequence[PosedMotion], leg: float) -> list[SolePoint]:
    """Heel and toe of one foot, or what there is of them; rest heights in world coordinates."""
    ankle = motions[0].roles.joints[foot]
    ankles = [posed.positions[:, ankle] for posed in motions]
    ankle_rest = _rest_height(motions, ankles, leg)
    joint, local = _find_toe(foot, motions[0])
    if joint == ankle and not any(local):
        return [SolePoint(foot, "heel", ankle, local, ankle_rest)]
    toes = [p.positions[:, joint] + rot.rotate(p.rotations[:, joint], local) for p in motions]
    rest = _rest_height(motions, toes, leg)
    toe = SolePoint(foot, "toe", joint, local, rest)
    if _slope(motions, ankles, toes, leg) > STEEP:
        return [toe]
    heel = _heel_in_foot(motions, ankle, toes, (ankle_rest, rest), leg)
    return [SolePoint(foot, "heel", ankle, heel, rest), toe]


def _rests(foot: str, motions: Sequence[PosedMotion], leg: float) -> bool:
    """Whether the ankle of a foot is slow for long enough to tell where its soles are."""
    ankle = motions[0].roles.joints[foot]
    stays = [_stays(slow_frames(posed, ankle, leg), posed.fps) for posed in motions]
    return sum(map(len, stays)) > LEAST_STILL * motions[0].fps


def _other_side(foot: str) -> str:
    """The role of the foot on the other side; empty where it has none."""
    side, _, part = foot.partition("_")
    other = {"left": "right", "right": "left"}.get(side, "")
    return f"{other}_{part}" if other else ""


def _mirrored(points: Sequence[SolePoint], foot: str, posed: PosedMotion) -> list[SolePoint]:
    """Points of the soles of one foot for the other one; those of a skeleton at rest mirror it."""
    joints = posed.roles.joints
    ankle = joints[foot]
    toe, local = _find_toe(foot, posed)
    offsets, chain = posed.skeleton.offsets, posed.skeleton.chain
    both = (ankle, joints[_other_side(foot)])
    here, there = (offsets[list(chain(j))].sum(axis=0) for j in both)
    across = (here - there) / np.linalg.norm(here - there)
    made = []
    for point in points:
        own = np.array(point.local)
        own = own - 2.0 * (own @ across) * across
        joint, place = (toe, local) if point.part == "toe" else (ankle, _triple(own))
        made.append(SolePoint(foot, point.part, joint, place, point.rest))
    return made


def _triple(vector: Array) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


def _find_toe(foot: str, posed: PosedMotion) -> tuple[int, tuple[float, float, float]]:
    """Joint and place in it of a foot's toe: the toe's joint, else the foot's end site, else the
    foot itself.
    """
    ankle = posed.roles.joints[foot]
    toe = posed.roles.joint(foot.replace("foot", "toe"))
    if toe is not None and toe != ankle:
        return toe, (0.0, 0.0, 0.0)
    skeleton = posed.skeleton
    tips = skeleton.end_offsets[skeleton.end_parents == ankle]
    return ankle, _triple(max(tips, key=np.linalg.norm, default=np.zeros(3)))


def slow_frames(posed: PosedMotion, joint: int, leg: float) -> Bools:
    """In which frames a joint is slow enough to stand.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    joint : int
        The joint.
    leg : float, metres
        Length of a leg.

    Returns
    -------
    bool array of shape (T,)

    Examples
    --------
    >>> foot = posed.skeleton.index("LeftFoot")
    >>> bool(0.4 < slow_frames(posed, foot, leg=0.86).mean() < 0.9)  # it stands more than it swings
    True
    """
    return _slow(posed, posed.positions[:, joint], leg)


def _slow(motion: PosedMotion, positions: Array, leg: float) -> Bools:
    speed = np.linalg.norm(point_velocity(positions, motion.fps), axis=-1)
    return np.asarray(speed < STILL_SPEED * leg)


def _slope(
    motions: Sequence[PosedMotion], ankles: Sequence[Array], toes: Sequence[Array], leg: float
) -> float:
    """Sine of a foot's usual slope, ankle over toe, while the toe is slow; 0 when it never is."""
    up = []
    for motion, ankle, toe in zip(motions, ankles, toes, strict=True):
        bone = (ankle - toe)[_stays(_slow(motion, toe, leg), motion.fps)]
        up.append(bone[:, 1] / np.maximum(np.linalg.norm(bone, axis=-1), 1e-9))
    pooled = np.concatenate(up)
    return float(np.median(pooled)) if len(pooled) else 0.0


def _rest_height(motions: Sequence[PosedMotion], series: Sequence[Array], leg: float) -> float:
    """Height at which a point, given by its positions in every motion, rests; where it was lowest
    if it never does.
    """
    # A slow run must not go on from one motion to the next, so each ends with a frame that is not
    # slow.
    both = zip(motions, series, strict=True)
    slow = np.concatenate([np.append(_slow(m, p, leg), False) for m, p in both])
    heights = np.concatenate([np.append(p[:, 1], np.inf) for p in series])
    found = resting_height(heights, slow, motions[0].fps)
    return float(heights.min()) if found is None else found


def _tip_rests(motions: Sequence[PosedMotion], leg: float) -> list[float]:
    """Resting heights of the end sites below the feet (toe tips)."""
    skeleton = motions[0].skeleton
    roles = motions[0].roles
    below = {j for foot in roles.feet for j in skeleton.descendants(roles.joints[foot])}
    tips = [e for e, parent in enumerate(skeleton.end_parents) if int(parent) in below]
    return [_rest_height(motions, [m.end_sites[:, e] for m in motions], leg) for e in tips]


def _heel_in_foot(
    motions: Sequence[PosedMotion],
    ankle: int,
    toes: Sequence[Array],
    rest: tuple[float, float],
    leg: float,
) -> tuple[float, float, float]:
    """The heel in the ankle's frame: as high as the toe joint when the foot is flat, and somewhat
    behind the ankle.
    """
    local = []
    for posed, toe in zip(motions, toes, strict=True):
        here = posed.positions[:, ankle]
        flat = _slow(posed, here, leg) & _slow(posed, toe, leg)
        flat &= np.abs(here[:, 1] - rest[0]) < 0.02 * leg
        flat &= np.abs(toe[:, 1] - rest[1]) < 0.02 * leg
        behind = HEEL_SHARE * (here - toe)[flat]
        behind[:, 1] = rest[1] - here[flat, 1]
        local.append(rot.rotate(rot.conjugate(posed.rotations[flat, ankle]), behind))
    pooled = np.concatenate(local)
    return _triple(np.median(pooled, axis=0) if len(pooled) else np.zeros(3))
