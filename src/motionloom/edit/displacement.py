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


def decay(offset: ArrayLike, span: float, speed_span: float) -> tuple[Array, Array]:
    """How much of an offset and of its speed is left some time after a seam.

    Quintic polynomials: value and slope at the seam are (1, 0) and (0, 1), the curvature there is
    0, and value, slope and curvature are 0 at the end.

    Parameters
    ----------
    offset : array
        Frames (or seconds) after the seam; nothing is left before it.
    span, speed_span : float
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
    n = motion.n_frames
    quats = motion.rotations.copy()
    translations = motion.translations.copy()
    ends = [(s.rotations.copy(), s.translations.copy()) for s in seams]
    for k, seam in enumerate(seams):
        s = seam.frame
        if not 0 < s < n:
            raise InvalidInputError(f"seam at frame {s} lies outside the motion's {n} frames")
        old_q, old_t = ends[k]
        after = min(s + 1, n - 1)
        turn = _turn(quats[s], old_q)
        shift = old_t - translations[s]
        # Where the new piece would have been a frame before, going on as it begins.
        begun = rot.multiply(quats[s], rot.multiply(rot.conjugate(quats[after]), quats[s]))
        turn_rate = turn - _turn(begun, quats[s - 1])
        shift_rate = (old_t - translations[s - 1]) - (translations[after] - translations[s])
        frames = np.arange(s, min(n, s + int(np.ceil(max(reach, speed_reach))) + 1))
        left, left_speed = (x[:, None, None] for x in decay(frames - s, reach, speed_reach))
        quats[frames] = rot.multiply(
            quats[frames], rot.from_rotvec(left * turn + left_speed * turn_rate)
        )
        translations[frames] += left * shift + left_speed * shift_rate
        for later in range(k + 1, len(seams)):
            # The pose with which a piece goes on is displaced like the frames in front of it.
            x, v = (float(part) for part in decay(seams[later].frame - s, reach, speed_reach))
            q, t = ends[later]
            ends[later] = (
                rot.multiply(q, rot.from_rotvec(x * turn + v * turn_rate)),
                t + x * shift + v * shift_rate,
            )
    return replace(motion, rotations=quats, translations=translations)


def _turn(start: Array, stop: Array) -> Array:
    """Rotation vectors that lead from one pose to another, in the joints' own frames."""
    return rot.to_rotvec(rot.multiply(rot.conjugate(start), stop))


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
    share: Array = np.where(offset < 0, 1.0, -1.0) * span / (before + after) * x * x
    return share


def bend_displacement(offset: ArrayLike, span: float) -> Array:
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
    share: Array = 0.25 * span * np.clip(1.0 - np.abs(offset) / span, 0.0, 1.0) ** 2
    return share


def spread_jumps(
    motion: Motion,
    seams: Sequence[Seam],
    span: float = 1.0,
    speed_span: float = 0.1,
    keep: Sequence[int] = (),
) -> Motion:
    """Spread the jumps of pose and of speed at every seam over the frames around it.

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
    speed_span : float, seconds
        The same for jumps of speed; 0 leaves them. A long reach would bend poses far from where
        they were captured.
    keep : sequence of int
        Frames whose pose shall stay as it was captured: no displacement reaches over them.

    Returns
    -------
    Motion

    Raises
    ------
    InvalidInputError
        When `span` is not positive, `speed_span` is negative or a seam lies outside the motion.
    """
    if not speed_span >= 0:
        raise InvalidInputError(
            f"the span of a change of speed must not be negative, got {speed_span}"
        )
    if not span > 0:
        raise InvalidInputError(f"the span of a displacement must be positive, got {span}")
    reach = span * motion.fps
    quats = motion.rotations.copy()
    translations = motion.translations.copy()
    ends = [(s.rotations.copy(), s.translations.copy()) for s in seams]
    for k, seam in enumerate(seams):
        if not 0 < seam.frame < motion.n_frames:
            raise InvalidInputError(
                f"seam at frame {seam.frame} lies outside the motion's {motion.n_frames} frames"
            )
        before_q, before_t = ends[k]
        turn = rot.to_rotvec(rot.multiply(rot.conjugate(before_q), quats[seam.frame]))
        shift = translations[seam.frame] - before_t
        before, after = reaches(seam.frame, reach, keep)
        lo = max(0, int(np.floor(seam.frame - before)))
        hi = min(motion.n_frames, int(np.ceil(seam.frame + after)) + 1)
        share = displacement(np.arange(lo, hi) - seam.frame, before, after)[:, None, None]
        quats[lo:hi] = rot.multiply(quats[lo:hi], rot.from_rotvec(share * turn))
        translations[lo:hi] += share * shift
        for later in range(k + 1, len(seams)):
            # The poses with which pieces go on are displaced like the frames they stand beside.
            own = float(displacement(seams[later].frame - seam.frame, before, after))
            ends[later] = (
                rot.multiply(ends[later][0], rot.from_rotvec(own * turn)),
                ends[later][1] + own * shift,
            )
    out = replace(motion, rotations=quats, translations=translations)
    if not speed_span:
        return out
    return spread_speeds(out, [s.frame for s in seams], speed_span, keep)


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
        shift += bend_displacement(every - frame, reach)[:, None] * flat
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
        turns = rot.to_rotvec(
            rot.multiply(rot.conjugate(motion.rotations[near][:-1]), motion.rotations[near][1:])
        )
        turn = _kink(turns)
        shift = _kink(np.diff(motion.translations[near], axis=0))
        lo = max(0, int(frame - reach))
        hi = min(motion.n_frames, int(np.ceil(frame + reach)) + 1)
        share = bend_displacement(np.arange(lo, hi) - frame, reach)[:, None, None]
        quats[lo:hi] = rot.multiply(quats[lo:hi], rot.from_rotvec(share * turn))
        translations[lo:hi] += share * shift
    return replace(motion, rotations=quats, translations=translations)


def _kink(rates: Array) -> Array:
    """Change of speed in the middle of four steps beyond what the acceleration on both sides
    explains.
    """
    jump: Array = (rates[2] - rates[1]) - 0.5 * ((rates[1] - rates[0]) + (rates[3] - rates[2]))
    return jump
