"""A walked path bent and stretched so that the body is at given places, facing given ways, at given
frames.

Turning a walking body without turning its way makes it walk sideways, and shifting it makes its
feet slide. So the way turns with the body: every step keeps its direction as seen from the body,
the body turns a little more or less between two knots, and steps lengthen or shorten a little. What
bending and stretching cannot do (someone who stands still) is a shift that grows evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

_Way = NDArray[np.complex128]

#: What is worth as much as a shift of `SHIFT` metres: a turn of this size (radians) back and forth
#: between knots ...
BEND = 0.3
#: ... and steps longer or shorter by this share.
STRETCH = 0.2
SHIFT = 0.03


def bend_path(
    posed: PosedMotion,
    center: ArrayLike,
    turns: Sequence[tuple[int, float]],
    places: Sequence[tuple[int, ArrayLike]],
) -> PosedMotion:
    """Bend the way a body goes.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    center : array of shape (T, 3), metres
        The point of the body (the hips) whose place on the ground is meant.
    turns : sequence of (frame, radians)
        By how much the body shall be turned in those frames, ascending.
    places : sequence of (frame, (x, z))
        Where on the ground `center` shall be in those frames, metres, ascending.

    Returns
    -------
    PosedMotion
        Turned by exactly those angles and at exactly those places; in front of the first knot and
        after the last the motion is moved as one piece.

    Raises
    ------
    InvalidInputError
        When frames do not ascend or lie outside the motion.
    """
    for knots in (turns, places):
        frames = [f for f, _ in knots]
        if frames != sorted(set(frames)) or any(not 0 <= f < posed.n_frames for f in frames):
            raise InvalidInputError(
                f"knots must be at ascending frames inside the motion, got {frames}"
            )
    center = np.asarray(center, float)
    turn = _ramp(turns, posed.n_frames)
    shift = np.zeros((posed.n_frames, 3))
    if places:
        way = center[:, 0] + 1j * center[:, 2]
        bend, bent = _bend(way, turn, [(f, complex(*np.asarray(p, float))) for f, p in places])
        turn = turn + bend
        shift[:, 0] = (bent - way).real
        shift[:, 2] = (bent - way).imag
    return move_body(posed, shift, turn, center)


def _ramp(knots: Sequence[tuple[int, float]], n: int) -> Array:
    """Values through knots: even between two, with smooth slopes where spans meet, constant
    outside.
    """
    if len(knots) < 2:
        return np.full(n, knots[0][1] if knots else 0.0)
    frames, values = np.transpose(knots)
    inside = np.clip(np.arange(n), frames[0], frames[-1])
    return scipy.interpolate.PchipInterpolator(frames, values)(inside)


def _bend(way: _Way, turn: Array, places: Sequence[tuple[int, complex]]) -> tuple[Array, _Way]:
    """Additional turn (T,) and the way through the places, complex x + i z."""
    steps = np.diff(way)
    bend = np.zeros(len(way))
    bent = np.empty_like(way)
    first = places[0]
    last = places[-1]
    for (a, start), (b, stop) in pairwise(places):
        bend[a : b + 1], bent[a : b + 1] = _bend_span(steps[a:b], turn[a : b + 1], start, stop)
    bent[: first[0]] = first[1] + (way[: first[0]] - way[first[0]]) * _turned(turn[first[0]])
    bent[last[0] :] = last[1] + (way[last[0] :] - way[last[0]]) * _turned(turn[last[0]])
    return bend, bent


def _turned(angle: Array) -> _Way:
    """Factor that turns x + i z from +Z towards +X by `angle`."""
    return np.exp(-1j * angle)


def _bend_span(steps: _Way, turn: Array, start: complex, stop: complex) -> tuple[Array, _Way]:
    """Additional turn and way of one span: least squares say how much to bend and stretch."""
    u = np.linspace(0.0, 1.0, len(steps) + 1)
    # 1 in the middle, 0 with its slope at both ends: facing at the knots is not touched.
    bump = 16.0 * u**2 * (1.0 - u) ** 2
    middle = 0.5 * (bump[1:] + bump[:-1])
    base = steps * _turned(0.5 * (turn[1:] + turn[:-1]))

    def cost(x: Array) -> Array:
        miss = stop - start - (1.0 + x[1]) * (base * _turned(x[0] * middle)).sum()
        return np.array([miss.real / SHIFT, miss.imag / SHIFT, x[0] / BEND, x[1] / STRETCH])

    x = scipy.optimize.least_squares(cost, np.zeros(2), method="lm").x
    # Beyond that a way looks bent: the rest is left to the even shift.
    x = np.clip(x, [-1.5 * BEND, -1.5 * STRETCH], [1.5 * BEND, 1.5 * STRETCH])
    gone = np.cumsum((1.0 + x[1]) * base * _turned(x[0] * middle))
    own_way = start + np.concatenate([[0.0], gone])
    # What bending and stretching leave is spread evenly, so the end is exact.
    return x[0] * bump, own_way + (stop - own_way[-1]) * u
