"""Spreading the jump where two pieces meet, so that poses are continuous and slopes agree (Arikan &
Forsyth 2002).

Inertialization: what the old piece leaves behind, in pose and in speed, dies away over the new
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk
from motionloom.edit.root import move_root
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.typing import Array

#: A body is not moved for larger changes of its velocity than this, metres per second: legs would
#: not reach the ground where it stands.
LARGEST_CHANGE = 0.5


def decay(offset: ArrayLike, span: float | Array, speed_span: float | Array) -> tuple[Array, Array]:
    """How much of an offset and of its speed is left some time after a seam.

    Quintic polynomials: value and slope at the seam are (1, 0) and (0, 1), the curvature there is
    0, and value, slope and curvature are 0 at the end.

    Parameters
    ----------
    offset : array
        Frames (or seconds) after the seam; nothing is left before it.
    span, speed_span : float or array of that shape
        When nothing is left of the offset and of its speed, in the same unit.

    Returns
    -------
    value : array of the shape of `offset`
        Share of the offset that is left.
    speed : array of the shape of `offset`
        To be multiplied by the speed at the seam; in the unit of `offset`.
    """
    t = np.asarray(offset, float)
    w = np.clip(t / speed_span, 0.0, 1.0)
    # Quintics with no speed nor acceleration at their ends, but for the speed 1 that the second one
    # begins with.
    value = 1.0 - minimum_jerk(t / span)
    speed = w - w**3 * (6.0 - 8.0 * w + 3.0 * w * w)
    return np.where(t < 0, 0.0, value), speed_span * np.where(t < 0, 0.0, speed)


def inertialize(
    motion: Motion, seams: Sequence[Seam], span: float = 0.4, speed_span: float = 0.3
) -> Motion:
    """Let the jumps of pose and of speed at every seam die away after it.

    Pieces keep their own poses up to a seam, so contacts before it stay as they were captured. A
    seam within the reach of an earlier one takes over what is left of that.

    Parameters
    ----------
    motion : Motion
        Pieces laid down one after the other.
    seams : sequence of Seam
        Where pieces meet, in the order of time.
    span, speed_span : float, seconds
        Time until nothing is left of a jump of pose, and of one of speed. The latter leads far away
        over a long time.

    Returns
    -------
    Motion

    Raises
    ------
    InvalidInputError
        When a span is not positive or a seam lies outside the motion.
    """
    if not min(span, speed_span) > 0:
        raise InvalidInputError(
            f"spans of an inertialization must be positive, got {span} and {speed_span}"
        )
    reach = span * motion.fps
    speed_reach = speed_span * motion.fps
    quats, translations, times = _with_ends(motion, seams)
    n = motion.n_frames
    for k, seam in enumerate(seams):
        s = seam.frame
        after = min(s + 1, n - 1)
        turn = rot.between(quats[s], quats[n + k])
        shift = translations[n + k] - translations[s]
        # Where the new piece would have been a frame before, going on as it begins.
        begun = rot.multiply(quats[s], rot.multiply(rot.conjugate(quats[after]), quats[s]))
        turn_rate = turn - rot.between(begun, quats[s - 1])
        begins = translations[after] - translations[s]
        shift_rate = translations[n + k] - translations[s - 1] - begins
        left, speed = (x[:, None, None] for x in decay(times - s, reach, speed_reach))
        rows = np.flatnonzero((left > 0) | (speed > 0))
        left, speed = left[rows], speed[rows]
        turns = rot.from_rotvec(left * turn + speed * turn_rate)
        quats[rows] = rot.multiply(quats[rows], turns)
        translations[rows] += left * shift + speed * shift_rate
    return replace(motion, rotations=quats[:n], translations=translations[:n])


def _with_ends(motion: Motion, seams: Sequence[Seam]) -> tuple[Array, Array, Array]:
    """Rotations and translations of all frames, then of the poses with which pieces go on, which
    are displaced like the frames beside them; and the frame that each of them is at.
    """
    n = motion.n_frames
    for seam in seams:
        if not 0 < seam.frame < n:
            raise InvalidInputError(
                f"seam at frame {seam.frame} lies outside the motion's {n} frames"
            )
    return (
        np.stack([*motion.rotations, *(s.rotations for s in seams)]),
        np.stack([*motion.translations, *(s.translations for s in seams)]),
        np.array([*range(n), *(s.frame for s in seams)], float),
    )


@dataclass(frozen=True, eq=False)
class Seam:
    """A frame at which a new piece begins, and the pose the piece before would have had there.

    Parameters
    ----------
    frame : int
        First frame of the new piece.
    rotations : array of shape (J, 4)
        Joint rotations with which the piece before goes on in this frame.
    translations : array of shape (K, 3), metres
        The same for its translations.
    """

    frame: int
    rotations: Array
    translations: Array


def displacement(offset: ArrayLike, before: float, after: float | None = None) -> Array:
    """Share of a jump that frames around it take over.

    With ``x = 1 - |offset| / span`` the share is ``x^2 / 2`` before the jump and ``-x^2 / 2`` from
    it on (the two halves of the paper's curve, its second one written from its far end): 1/2 on one
    side and -1/2 on the other close the jump, the slopes on both sides agree, and both value and
    slope are 0 at the ends. With spans of different length each side takes a share in proportion to
    its own, so that the slopes still agree.

    Parameters
    ----------
    offset : array
        Frames (or seconds) after the jump; negative before it.
    before, after : float
        Reach on each side, in the same unit; the same when one is given. One of them may be 0: that
        side keeps still.

    Returns
    -------
    array of the shape of `offset`
        From -1/2 to 1/2 where both spans are alike.

    Examples
    --------
    >>> displacement([0.0, 0.5], 1.0).round(3)  # half of the jump at the seam
    array([-0.5  , -0.125])
    """
    offset = np.asarray(offset, float)
    after = before if after is None else after
    span = np.where(offset < 0, before, after)
    x = np.clip(1.0 - np.abs(offset) / np.maximum(span, 1e-12), 0.0, 1.0)
    # Parabolas on both sides whose slopes agree at the seam; the longer side takes the larger
    # share.
    return np.where(offset < 0, 1.0, -1.0) * span / (before + after) * x * x


def _bend_displacement(offset: ArrayLike, span: float) -> Array:
    """Share of a change of speed that frames around it take over.

    ``span (1 - |offset| / span)^2 / 4``: its slope falls by 1 at the offset 0, and value and slope
    are 0 at the ends.

    Parameters
    ----------
    offset : array
        Frames (or seconds) after the change; negative before it.
    span : float
        Reach on each side, in the same unit; positive.

    Returns
    -------
    array of the shape of `offset`
        To be multiplied by the change of speed, per frame (or per second).
    """
    offset = np.asarray(offset, float)
    return 0.25 * span * np.clip(1.0 - np.abs(offset) / span, 0.0, 1.0) ** 2


def spread_jumps(
    motion: Motion, seams: Sequence[Seam], span: float = 1.0, keep: Sequence[int] = ()
) -> Motion:
    """Spread the jumps of pose at every seam over the frames around it.

    Each seam's displacement acts on all pieces within its reach, also beyond its neighbours: seen
    from another seam it is a smooth factor on both sides, which keeps that seam closed. So pieces
    may be as short as they like, and seams are treated one after the other. Rotations are displaced
    in the tangent space of their own pose.

    Parameters
    ----------
    motion : Motion
        Pieces laid down one after the other.
    seams : sequence of Seam
        Where pieces meet, in the order of time.
    span : float, seconds
        Reach on each side of a seam.
    keep : sequence of int
        Frames whose pose shall stay as it was captured: no displacement reaches over them.

    Returns
    -------
    Motion

    Raises
    ------
    InvalidInputError
        When `span` is not positive or a seam lies outside the motion.
    """
    if not span > 0:
        raise InvalidInputError(f"the span of a displacement must be positive, got {span}")
    quats, translations, times = _with_ends(motion, seams)
    n = motion.n_frames
    for k, seam in enumerate(seams):
        turn = rot.between(quats[n + k], quats[seam.frame])
        shift = translations[seam.frame] - translations[n + k]
        share = displacement(times - seam.frame, *reaches(seam.frame, span * motion.fps, keep))
        _displace(quats, translations, share, (turn, shift))
    return replace(motion, rotations=quats[:n], translations=translations[:n])


def _displace(quats: Array, translations: Array, share: Array, by: tuple[Array, Array]) -> None:
    """Turn and shift poses by a share (N,) of something, in place."""
    rows = np.flatnonzero(share)
    part = share[rows, None, None]
    turn, shift = by
    quats[rows] = rot.multiply(quats[rows], rot.from_rotvec(part * turn))
    translations[rows] += part * shift


def spread_pace(
    motion: Motion,
    frames: Sequence[int],
    changes: ArrayLike,
    span: float = 0.5,
    keep: Sequence[int] = (),
) -> Motion:
    """Let a body change its velocity on the ground over some time instead of from one frame to the
    next.

    A person takes a step to walk faster or slower. Where the body is beyond the reach of a change
    stays as it is.

    Parameters
    ----------
    motion : Motion
        A motion whose body goes on another way, or at another pace, in some frames.
    frames : sequence of int
        Those S frames.
    changes : array of shape (S, 3), metres per second
        By how much the velocity changes there. What is larger than `LARGEST_CHANGE` counts as that;
        heights do not count.
    span : float, seconds
        Time on both sides of a frame that this takes.
    keep : sequence of int
        Frames whose pose and place shall stay.

    Returns
    -------
    Motion
        It changes its velocity at those frames by as much less.

    Raises
    ------
    InvalidInputError
        When `span` is not positive.
    """
    if not span > 0:
        raise InvalidInputError(f"the span of a change of pace must be positive, got {span}")
    shift = np.zeros((motion.n_frames, 3))
    every = np.arange(motion.n_frames)
    for frame, change in zip(frames, np.asarray(changes, float).reshape(-1, 3), strict=True):
        reach = min(reaches(frame, span * motion.fps, keep))
        if reach < 1:
            continue
        flat = change * np.array([1.0, 0.0, 1.0]) / motion.fps
        size = float(np.linalg.norm(flat))
        flat *= min(1.0, LARGEST_CHANGE / motion.fps / max(size, 1e-12))
        shift += _bend_displacement(every - frame, reach)[:, None] * flat
    return move_root(motion, shift)


def reaches(frame: int, reach: float, keep: Sequence[int]) -> tuple[float, float]:
    """How far a displacement at a seam may reach: not beyond frames to be kept.

    Parameters
    ----------
    frame : int
        The seam: first frame of the new piece.
    reach : float, frames
        Reach on each side without frames to be kept.
    keep : sequence of int
        Frames whose pose shall stay.

    Returns
    -------
    before, after : float, frames
        `after` is 0 where the seam's own frame is to be kept.
    """
    before = min([reach, *(float(frame - k) for k in keep if k < frame)])
    after = min([reach, *(float(k - frame) for k in keep if k >= frame)])
    return before, after


def spread_speeds(
    motion: Motion, frames: Sequence[int], span: float = 0.1, keep: Sequence[int] = ()
) -> Motion:
    """Spread changes of speed at frames where the motion has a kink but no jump.

    Parameters
    ----------
    motion : Motion
        The motion.
    frames : sequence of int
        Where its kinks are.
    span : float, seconds
        Reach on each side.
    keep : sequence of int
        Frames whose pose shall stay.

    Returns
    -------
    Motion
    """
    most = span * motion.fps
    quats = motion.rotations.copy()
    translations = motion.translations.copy()
    for frame in frames:
        reach = min(reaches(frame, most, keep))
        if not 2 <= frame < motion.n_frames - 2 or reach < 1:
            continue
        near = slice(frame - 2, frame + 3)
        turn = _kink(rot.between(motion.rotations[near][:-1], motion.rotations[near][1:]))
        shift = _kink(np.diff(motion.translations[near], axis=0))
        share = _bend_displacement(np.arange(motion.n_frames) - frame, reach)
        _displace(quats, translations, share, (turn, shift))
    return replace(motion, rotations=quats, translations=translations)


def _kink(rates: Array) -> Array:
    """Change of speed in the middle of four steps beyond what the acceleration on both sides
    explains.
    """
    return (rates[2] - rates[1]) - 0.5 * ((rates[1] - rates[0]) + (rates[3] - rates[2]))
