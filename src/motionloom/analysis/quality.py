"""Numbers that say how natural a motion is: foot skate, penetration, accelerations, jerk,
implausible turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge
from motionloom.analysis.soles import VELOCITY_SPAN
from motionloom.posed_motion import PosedMotion
from motionloom.reports import shown
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Heights (...) above level ground at places (..., 2), metres.
Heights = Callable[[Array], Array]

#: Contact points faster than this are counted as sliding, metres per second.
SLIDING = 0.15


@dataclass(frozen=True)
class Quality:
    """How natural a motion is, or several together.

    Parameters
    ----------
    n_frames : int
        Of all motions together.
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
        99th percentile over all joints and frames, from third differences.
    turn_rate_max : float, degrees per second
        Fastest turn of any joint relative to its parent.
    knee_excess : float, degrees
        How far a leg's knee leaves the range that it has in the captures; 0 where no range was
        given.
    terms : mapping of str to float
        What others measure, by name with its unit, such as balance.
    """

    n_frames: int
    skate_mean: float = field(metadata=shown("foot skate, mean", "cm/s"))
    skate_p90: float = field(metadata=shown("foot skate, 90th percentile", "cm/s"))
    skate_p99: float = field(metadata=shown("foot skate, 99th percentile", "cm/s"))
    skate_share: float = field(metadata=shown("contacts sliding over 15 cm/s", "%", factor=100))
    contact_share: float
    penetration_mean: float = field(metadata=shown("penetration, mean", "mm"))
    penetration_max: float = field(metadata=shown("penetration, deepest", "mm"))
    acceleration_median: float
    acceleration_p99: float = field(metadata=shown("joint acceleration, 99th percentile", "m/s2"))
    acceleration_p995: float = field(
        metadata=shown("joint acceleration, 99.5th percentile", "m/s2")
    )
    acceleration_max: float = field(metadata=shown("joint acceleration, largest", "m/s2"))
    seam_acceleration: float
    seam_accelerations: tuple[float, ...]
    jerk_p99: float = field(metadata=shown("jerk, 99th percentile", "m/s3"))
    turn_rate_max: float = field(metadata=shown("fastest turn of a joint", "deg/s"))
    knee_excess: float = field(default=0.0, metadata=shown("knee past its captured range", "deg"))
    terms: Mapping[str, float] = field(default_factory=dict)

    def seam_share(self, limit: float) -> float:
        """Share of the seams that accelerate no more than a limit (m/s^2); 1 without seams."""
        within = [a <= limit for a in self.seam_accelerations]
        return sum(within) / len(within) if within else 1.0


@one_thread()
def compute_quality(
    posed: PosedMotion,
    contacts: FootContacts,
    seams: Sequence[int] = (),
    hinges: Mapping[str, Hinge] | None = None,
    floor: Heights | None = None,
) -> Quality:
    """Measure one motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        Of this motion.
    seams : sequence of int
        First frames of new pieces.
    hinges : mapping of str to Hinge, optional
        Captured ranges of the knees, by the roles of the feet.
    floor : callable, optional
        How much higher than level ground it is at places (..., 2), in metres; level when not given.

    Returns
    -------
    Quality

    Examples
    --------
    >>> from motionloom.analysis.contacts import detect_contacts
    >>> quality = compute_quality(posed, detect_contacts(posed))
    >>> bool(quality.skate_mean < 2.0), quality.n_frames == posed.n_frames
    (True, True)
    """
    return _summarize(posed.n_frames, [_measure(posed, contacts, seams, hinges or {}, floor)])


@one_thread()
def compute_pooled_quality(
    motions: Sequence[PosedMotion], contacts: Sequence[FootContacts]
) -> Quality:
    """Measure several motions as if they were one, such as all clips that a synthesis drew from.

    Parameters
    ----------
    motions : sequence of PosedMotion
        The motions.
    contacts : sequence of FootContacts
        One per motion.

    Returns
    -------
    Quality

    Examples
    --------
    >>> from motionloom.analysis.contacts import detect_contacts
    >>> contacts = detect_contacts(posed)
    >>> compute_pooled_quality([posed, posed], [contacts, contacts]).n_frames == 2 * posed.n_frames
    True
    """
    pairs = zip(motions, contacts, strict=True)
    n_frames = sum(posed.n_frames for posed in motions)
    return _summarize(n_frames, [_measure(posed, own, (), {}) for posed, own in pairs])


def _measure(
    posed: PosedMotion,
    contacts: FootContacts,
    seams: Sequence[int],
    hinges: Mapping[str, Hinge],
    floor: Heights | None = None,
) -> dict[str, NDArray[Any]]:
    """Raw numbers of one motion, by name."""
    feet = contacts.soles.feet
    local = posed.motion.rotations
    points = contacts.soles.positions(posed)
    rest = contacts.ground + np.array([p.rest for p in contacts.soles.points])
    higher = 0.0 if floor is None else floor(points[..., [0, 2]])
    acceleration = joint_acceleration(posed.positions, posed.fps)
    jerk = np.linalg.norm(np.diff(posed.positions, 3, axis=0), axis=-1)
    step = rot.angle_between(local[:-1], local[1:])
    knees = [hinges[foot].excess(posed).max(initial=0.0) for foot in feet if foot in hinges]
    return {
        "skate": skate_speed(points, contacts.down, posed.fps),
        "contact": np.column_stack([contacts.foot(f) for f in feet]).ravel(),
        "depth": np.maximum(rest + higher - points[..., 1], 0.0).ravel(),
        "acceleration": acceleration.ravel(),
        "seams": np.array([acceleration[max(s - 2, 0) : s + 1].max(initial=0.0) for s in seams]),
        "jerk": jerk.ravel() * posed.fps**3,
        "turn_rate": np.array([float(step.max(initial=0.0)) * posed.fps]),
        "knees": np.array(knees, float),
    }


def joint_acceleration(positions: Array, fps: float) -> Array:
    """Size of the joints' accelerations, by second differences.

    Parameters
    ----------
    positions : array of shape (T, J, 3), metres
        World positions of joints.
    fps : float
        Frames per second.

    Returns
    -------
    array of shape (T - 2, J), metres per second squared
        Entry i belongs to frame i + 1.

    Examples
    --------
    >>> falling = np.zeros((5, 1, 3))
    >>> falling[:, 0, 1] = -4.905 * (np.arange(5) / 10.0) ** 2
    >>> float(joint_acceleration(falling, fps=10.0).round(3).max())  # metres per second squared
    9.81
    """
    return np.asarray(np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) * fps**2)


def skate_speed(points: Array, down: Bools, fps: float) -> Array:
    """Horizontal speed of points while in contact.

    Taken over about `VELOCITY_SPAN`, so that a clip skates as much at 120 as at 30 frames per
    second; the point is in contact at both ends of that time.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        World positions, y up.
    down : bool array of shape (T, P)
        Whether each point bears on the ground.
    fps : float
        Frames per second.

    Returns
    -------
    array of shape (K,), metres per second
        One for each pair of frames in which a point is in contact, frame by frame.

    Examples
    --------
    >>> points = np.zeros((3, 1, 3))
    >>> points[:, 0, 0] = [0.0, 0.01, 0.02]  # a centimetre a frame
    >>> skate_speed(points, np.ones((3, 1), bool), fps=30.0).round(3)
    array([0.3, 0.3])
    """
    lag = max(1, round(VELOCITY_SPAN * fps))
    step = points[lag:, :, [0, 2]] - points[:-lag, :, [0, 2]]
    return np.asarray(np.linalg.norm(step, axis=-1)[down[lag:] & down[:-lag]] * (fps / lag))


def _summarize(n_frames: int, samples: Sequence[Mapping[str, NDArray[Any]]]) -> Quality:
    pooled = {name: np.concatenate([s[name] for s in samples]) for name in samples[0]}
    names = ("skate", "contact", "depth", "acceleration", "seams")
    skate, contact, depth, acceleration, seams = map(pooled.__getitem__, names)
    feet = max(1, len(contact))
    return Quality(
        n_frames=n_frames,
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
        jerk_p99=_quantile(pooled["jerk"], 0.99),
        turn_rate_max=float(np.degrees(pooled["turn_rate"].max())),
        knee_excess=float(np.degrees(pooled["knees"].max(initial=0.0))),
    )


def _mean(values: NDArray[Any]) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _quantile(values: Array, q: float) -> float:
    return float(np.quantile(values, q)) if len(values) else 0.0
