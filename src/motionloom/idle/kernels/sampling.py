"""Values between frames, on smooth curves near them."""

from __future__ import annotations

from motionloom.compiling import part
from motionloom.rotation_kernels import normalize, turn_at


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
