"""Inertialization: what the old piece leaves behind, in pose and in speed, dies away over the new
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.curves import minimum_jerk
from motionloom.edit.displacement import Seam
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.typing import Array


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
