"""Holding: bodies kept in place over a span of frames, with smooth ways there and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from motionloom.constraints import BodyConstraint
from motionloom.edit.root import move_body
from motionloom.posed_motion import PosedMotion
from motionloom.rotations import wrap_angle
from motionloom.typing import Array


def hold_values(values: ArrayLike, first: int, last: int, target: ArrayLike, width: int) -> Array:
    """Curves that stay at a target over a span, with smooth ways there and back.

    Outside the span the difference fades over `width` frames as the polynomial of fifth degree
    whose value, slope and curvature fit on both sides, so that nothing jumps but the third
    derivative.

    Parameters
    ----------
    values : array of shape (T, K)
        The curves; K of them.
    first, last : int
        Frames of the span.
    target : array of shape (K,)
        Where they stay, in the same unit.
    width : int
        Frames; fewer where the motion begins or ends before.

    Returns
    -------
    array of shape (T, K)
    """
    values = np.asarray(values, float)
    out = values.copy()
    out[first : last + 1] = target
    slope = np.gradient(values, axis=0) if len(values) > 1 else np.zeros_like(values)
    curve = np.gradient(slope, axis=0) if len(values) > 1 else np.zeros_like(values)
    for edge, sign in ((first, -1), (last, 1)):
        n = min(width, edge if sign < 0 else len(values) - 1 - edge)
        if n < 1:
            continue
        # Time runs away from the span, so odd derivatives change sign with it.
        away = np.arange(1, n + 1)
        gap = np.asarray(target, float) - values[edge]
        fade = _fade(away / n, gap, -sign * slope[edge] * n, -curve[edge] * n**2)
        out[edge + sign * away] = values[edge + sign * away] + fade
    return out


def _fade(u: Array, value: Array, slope: Array, curve: Array) -> Array:
    """Polynomials of fifth degree from given value, slope and curvature at 0 to nothing at 1, shape
    (len(u), K).
    """
    u = u[:, None]
    by_value = 1 - 10 * u**3 + 15 * u**4 - 6 * u**5
    by_slope = u - 6 * u**3 + 8 * u**4 - 3 * u**5
    by_curve = 0.5 * u**2 - 1.5 * u**3 + 1.5 * u**4 - 0.5 * u**5
    return by_value * value + by_slope * slope + by_curve * curve


def hold_body(
    posed: PosedMotion, holds: Sequence[BodyConstraint], fade: float = 0.8
) -> PosedMotion:
    """Keep the body in its places.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    holds : sequence of BodyConstraint
        Each from its time to its end.
    fade : float, seconds
        Time before and after a span within which the body goes another way.

    Returns
    -------
    PosedMotion
    """
    body = posed.body
    wanted = body.copy()
    width = round(fade * posed.fps)
    for hold in holds:
        end = hold.time if hold.end is None else hold.end
        first, last = (min(round(t * posed.fps), posed.n_frames - 1) for t in (hold.time, end))
        wanted[:, :2] = hold_values(wanted[:, :2], first, last, hold.position, width)
        if hold.facing is not None:
            near = wanted[first, 2]
            facing = near + wrap_angle(hold.stand().angle - near)
            wanted[:, 2:] = hold_values(wanted[:, 2:], first, last, [facing], width)
    shift = np.zeros((posed.n_frames, 3))
    shift[:, [0, 2]] = (wanted - body)[:, :2]
    pivot = np.column_stack([body[:, 0], np.zeros(len(body)), body[:, 1]])
    return move_body(posed, shift, wanted[:, 2] - body[:, 2], pivot)
