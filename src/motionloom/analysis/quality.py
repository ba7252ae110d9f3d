"""Numbers that say how natural a motion is: foot skate, penetration, accelerations, jerk,
implausible turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge
from motionloom.analysis.soles import VELOCITY_SPAN
from motionloom.kinematics import WorldPose, forward_kinematics
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Contact points faster than this are counted as sliding, metres per second.
SLIDING = 0.15


@dataclass(frozen=True)
class Quality:
    """How natural a motion is, or several together.

    Parameters
    ----------
    n_frames : int
    skate_mean, skate_p90, skate_p99 : float, centimetres per second
        Horizontal speed of the soles' points while in contact.
    skate_share : float
        Share of contact samples that slide faster than 15 cm/s.
    contact_share : float
        Share of frames in which a foot bears on the ground, averaged over the feet.
    penetration_mean, penetration_max : float, millimetres
        Depth of the soles' points below where they rest: mean over all samples, and the deepest.
    acceleration_median, acceleration_p99, acceleration_p995, acceleration_max : float
        Over all joints and frames, metres per second squared.
    seam_acceleration : float, metres per second squared
        Largest of any joint in the frames beside seams; 0 without seams.
    seam_accelerations : tuple of float, metres per second squared
        The same for each seam.
    jerk_p99 : float, metres per second cubed
    turn_rate_max : float, degrees per second
        Fastest turn of any joint relative to its parent.
    knee_excess : float, degrees
        How far a leg's knee leaves the range that it has in the captures; 0 where no range was
        given.
    """

    n_frames: int
    skate_mean: float
    skate_p90: float
    skate_p99: float
    skate_share: float
    contact_share: float
    penetration_mean: float
    penetration_max: float
    acceleration_median: float
    acceleration_p99: float
    acceleration_p995: float
    acceleration_max: float
    seam_acceleration: float
    seam_accelerations: tuple[float, ...]
    jerk_p99: float
    turn_rate_max: float
    knee_excess: float = 0.0

    def seam_share(self, limit: float) -> float:
        """Share of the seams that accelerate no more than a limit (m/s^2); 1 without seams."""
        within = [a <= limit for a in self.seam_accelerations]
        return sum(within) / len(within) if within else 1.0


@dataclass(frozen=True, eq=False)
class _Samples:
    """Raw numbers of one motion."""

    n_frames: int

    skate: Array
    contact: NDArray[np.bool_]
    depth: Array
    acceleration: Array
    seams: Array
    jerk: Array
    turn_rate: float
    knees: float


def compute_quality(
    motion: Motion,
    contacts: FootContacts,
    seams: Sequence[int] = (),
    pose: WorldPose | None = None,
    hinges: Mapping[str, Hinge] | None = None,
) -> Quality:
    """Measure one motion.

    Parameters
    ----------
    motion : Motion
    contacts : FootContacts
        Of this motion.
    seams : sequence of int
        First frames of new pieces.
    pose : WorldPose, optional
        Its kinematics, if already there.
    hinges : mapping of str to Hinge, optional
        Captured ranges of the knees, by the roles of the feet.
    """
    return _summarize(
        [_measure(motion, contacts, seams, pose or forward_kinematics(motion), hinges or {})]
    )


def compute_pooled_quality(
    motions: Sequence[Motion],
    contacts: Sequence[FootContacts],
    poses: Sequence[WorldPose] | None = None,
) -> Quality:
    """Measure several motions as if they were one, such as all clips that a synthesis drew from."""
    poses = [forward_kinematics(m) for m in motions] if poses is None else poses
    return _summarize(
        [_measure(m, c, (), p, {}) for m, c, p in zip(motions, contacts, poses, strict=True)]
    )


def _measure(
    motion: Motion,
    contacts: FootContacts,
    seams: Sequence[int],
    pose: WorldPose,
    hinges: Mapping[str, Hinge],
) -> _Samples:
    points = contacts.soles.positions(pose)
    rest = contacts.ground + np.array([p.rest for p in contacts.soles.points])
    acceleration = joint_acceleration(pose.positions, motion.fps)
    knees = [hinges[foot].excess(pose) for foot in contacts.soles.feet if foot in hinges]
    step = rot.angle_between(motion.rotations[:-1], motion.rotations[1:])
    return _Samples(
        n_frames=motion.n_frames,
        skate=skate_speed(points, contacts.down, motion.fps),
        contact=np.column_stack([contacts.foot(f) for f in contacts.soles.feet]).ravel(),
        depth=np.maximum(rest - points[..., 1], 0.0).ravel(),
        acceleration=acceleration.ravel(),
        seams=np.array([acceleration[max(s - 2, 0) : s + 1].max(initial=0.0) for s in seams]),
        jerk=np.linalg.norm(np.diff(pose.positions, 3, axis=0), axis=-1).ravel() * motion.fps**3,
        turn_rate=float(step.max(initial=0.0)) * motion.fps,
        knees=max((float(k.max(initial=0.0)) for k in knees), default=0.0),
    )


def joint_acceleration(positions: Array, fps: float) -> Array:
    """Size of second differences, shape (T - 2, J), m/s^2; entry i belongs to frame i + 1."""
    accelerations: Array = np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) * fps**2
    return accelerations


def skate_speed(points: Array, down: NDArray[np.bool_], fps: float) -> Array:
    """Horizontal speed of points while in contact, metres per second, flat.

    Taken over about `VELOCITY_SPAN`, so that a clip skates as much at 120 as at 30 frames per
    second; the point is in contact at both ends of that time.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
    down : bool array of shape (T, P)
    fps : float
    """
    lag = max(1, round(VELOCITY_SPAN * fps))
    step = points[lag:, :, [0, 2]] - points[:-lag, :, [0, 2]]
    speeds: Array = np.linalg.norm(step, axis=-1)[down[lag:] & down[:-lag]] * (fps / lag)
    return speeds


def _summarize(samples: Sequence[_Samples]) -> Quality:
    skate, contact, depth, acceleration, seams, jerk = (
        np.concatenate([getattr(s, name) for s in samples])
        for name in ("skate", "contact", "depth", "acceleration", "seams", "jerk")
    )
    feet = max(1, len(contact))
    return Quality(
        n_frames=sum(s.n_frames for s in samples),
        skate_mean=100 * _mean(skate),
        skate_p90=100 * _quantile(skate, 0.9),
        skate_p99=100 * _quantile(skate, 0.99),
        skate_share=_mean(skate > SLIDING),
        contact_share=float(contact.sum()) / feet,
        penetration_mean=1000 * _mean(depth),
        penetration_max=1000 * float(depth.max(initial=0.0)),
        acceleration_median=_quantile(acceleration, 0.5),
        acceleration_p99=_quantile(acceleration, 0.99),
        acceleration_p995=_quantile(acceleration, 0.995),
        acceleration_max=float(acceleration.max(initial=0.0)),
        seam_acceleration=float(seams.max(initial=0.0)),
        seam_accelerations=tuple(float(a) for a in seams),
        jerk_p99=_quantile(jerk, 0.99),
        turn_rate_max=float(np.degrees(max(s.turn_rate for s in samples))),
        knee_excess=float(np.degrees(max(s.knees for s in samples))),
    )


def _mean(values: NDArray[Any]) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _quantile(values: Array, q: float) -> float:
    return float(np.quantile(values, q)) if len(values) else 0.0
