"""Values between frames: on curves through them as `upsample` makes them, or on smooth curves near
them.
"""

from __future__ import annotations

import math

from motionloom.compiling import kernel, part
from motionloom.rotation_kernels import (
    conjugate,
    from_rotvec,
    multiply,
    normalize,
    to_rotvec,
    turn_at,
)


@kernel
def sample(rotations, places, feet, turns, at, sampled):  # pragma: no cover - compiled
    """Fill `sampled`, four arrays like the first four, with what is shown at times `at`."""
    for i in range(len(at)):
        first = min(max(math.floor(at[i]), 0), max(len(rotations) - 2, 0))
        u = at[i] - first
        rows = (
            max(first - 1, 0),
            first,
            min(first + 1, len(rotations) - 1),
            min(first + 2, len(rotations) - 1),
        )
        between_turns(rotations, rows, u, sampled[0][i])
        between_places(places, rows, u, sampled[1][i])
        between_places(feet, rows, u, sampled[2][i])
        between_turns(turns, rows, u, sampled[3][i])


@part
def between_places(values, rows, u, out):  # pragma: no cover - compiled
    """Catmull and Rom's cubic; see `upsample.sample_places`."""
    for k in range(values.shape[1]):
        for c in range(values.shape[2]):
            first = values[rows[1], k, c]
            second = values[rows[2], k, c]
            step = second - first
            begin = 0.5 * (second - values[rows[0], k, c]) - step
            end = 0.5 * (values[rows[3], k, c] - first) - step
            out[k, c] = first + u * step + u * (1 - u) * ((1 - u) * begin - u * end)


@part
def between_turns(values, rows, u, out):  # pragma: no cover - compiled
    """The same cubic about the frame before; see `upsample.sample_turns`."""
    for k in range(values.shape[1]):
        first = turn_at(values[rows[1], k])
        back = conjugate(first)
        last = to_rotvec(multiply(back, turn_at(values[rows[0], k])))
        step = to_rotvec(multiply(back, turn_at(values[rows[2], k])))
        far = to_rotvec(multiply(back, turn_at(values[rows[3], k])))
        bent = (
            _bent(last[0], step[0], far[0], u),
            _bent(last[1], step[1], far[1], u),
            _bent(last[2], step[2], far[2], u),
        )
        turned = normalize(multiply(first, from_rotvec(bent)))
        for c in range(4):
            out[k, c] = turned[c]


@part
def _bent(last, step, far, u):  # pragma: no cover - compiled
    begin = 0.5 * (step - last) - step
    end = 0.5 * far - step
    return u * step + u * (1 - u) * ((1 - u) * begin - u * end)


@part
def near_places(values, rows, weights, out):  # pragma: no cover - compiled
    """A point of the cubic B-spline whose control points are frames; see `spline_weights`."""
    w0, w1, w2, w3 = weights
    a, b, c, d = rows
    for k in range(values.shape[1]):
        for e in range(values.shape[2]):
            near = w0 * values[a, k, e] + w1 * values[b, k, e]
            out[k, e] = near + w2 * values[c, k, e] + w3 * values[d, k, e]


@part
def near_turns(values, rows, weights, out):  # pragma: no cover - compiled
    """The same of unit quaternions that lie on one side of the sphere."""
    near_places(values, rows, weights, out)
    for k in range(values.shape[1]):
        turned = normalize(turn_at(out[k]))
        for c in range(4):
            out[k, c] = turned[c]


@part
def spline_weights(u):  # pragma: no cover - compiled
    """Weights of four frames at a share of the way from the second to the third.

    The second derivative of this curve is a mean of second differences of the frames, so that it
    never accelerates harder than they do. A curve through the frames does: by 3 for Catmull and
    Rom's where frames alternate.
    """
    left = 1.0 - u
    return (
        left * left * left / 6.0,
        (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
        (3.0 * left * left * left - 6.0 * left * left + 4.0) / 6.0,
        u * u * u / 6.0,
    )
