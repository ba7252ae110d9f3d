"""One step of strict layers of tasks, compiled: each layer moves only in the null space of those
above it, and what is at a limit is held there before a lower layer may use the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.typing import Array, Ints

#: Below this share of a layer's typical singular value the smallest one is damped ...
POORLY = 0.1
#: ... by at most this share of it (Maciejewski and Klein 1988).
DAMPING = 0.1
#: Below this share a layer does not move that way, and leaves it to the layers below.
NOTHING = 1e-4
#: Most limits that one layer holds in one step.
MOST_HELD = 24
#: With a coordinate that stops a layer those at their limits are held that it moves as fast as this
#: share of it.
AS_HARD = 0.5
#: How often a step that is too long is damped more before it is cut: that spares directions which
#: are well conditioned.
DAMPED = 6
#: Up to this size own rotations are faster than a call of LAPACK.
SMALL = 8


class Layers(NamedTuple):
    """What R rows ask of A unknowns: ``jacobian @ step = pull``; layer k has the rows ``ends[k]``
    to ``ends[k + 1]``, the uppermost first.

    `prefer` (A,) is the step that is wanted where the layers leave it open; zero for none.
    """

    jacobian: Array
    pull: Array
    ends: Ints
    prefer: Array


class Bounds(NamedTuple):
    """What D coordinates may change by in one step, `low` <= 0 <= `high`, and at most `longest`
    each; ``matrix @ step`` (D, A) is their change, the step itself where `same`.
    """

    matrix: Array
    same: bool
    low: Array
    high: Array
    longest: float


class _Task(NamedTuple):
    """A layer within the null space of others: its rows (m, A), their products (m, m), and what is
    still wanted (m,); without rows it moves towards `prefer`. `scale` is its typical singular
    value.
    """

    own: Array
    gram: Array
    want: Array
    prefer: Array
    scale: float


class _Step(NamedTuple):
    """The step so far in unknowns (A,) and coordinates (D,), the next piece of it in both, and
    orthonormal rows (A, A) that it must not move along.
    """

    whole: Array
    moved: Array
    piece: Array
    change: Array
    basis: Array


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def layered_step(layers, bounds):  # pragma: no cover - compiled
    """A step that serves each layer as far as those above it, and the limits, leave it open.

    No layer's step changes what the layers above ask for, to first order; a limit that stops a
    layer is held while that layer goes on with what is left, and is free again for the next one.

    Returns
    -------
    array of shape (A,)
        Within the bounds.
    """
    n = layers.jacobian.shape[1]
    step = _Step(
        np.zeros(n),
        np.zeros(len(bounds.low)),
        np.zeros(n),
        np.zeros(len(bounds.low)),
        np.empty((n, n)),
    )
    count = np.int64(0)  # no literal, for which what is called would be compiled once more
    for k in range(len(layers.ends) - 1):
        lo = layers.ends[k]
        hi = layers.ends[k + 1]
        m = hi - lo
        own = layers.jacobian[lo:hi].copy()
        total = np.sum(own**2)
        # What upper layers do already counts: only the rest is wanted.
        want = layers.pull[lo:hi] - own @ step.whole
        # Projected row by row on the null space of what is above (Siciliano & Slotine 1991); the
        # basis is orthonormal, so no inverse is needed.
        for b in range(count):
            _leave_out(own, step.basis[b])
        gram = np.empty((m, m))
        _products(own, gram)
        # Holding limits changes `own`; layers below must still spare all that this one could use.
        kept = own.copy()
        task = _Task(own, gram, want, layers.prefer, np.sqrt(total / max(m, 1)))
        values, vectors = _eigen(gram)
        _pursue(task, bounds, step, count, values, vectors)
        count = _forbid(kept, values, vectors, task.scale, step.basis, count)
    if np.any(layers.prefer != 0.0):
        none = np.zeros((0, n))
        task = _Task(none, np.zeros((0, 0)), np.zeros(0), layers.prefer - step.whole, 0.0)
        _pursue(task, bounds, step, count, np.zeros(0), np.zeros((0, 0)))
    return step.whole


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _leave_out(rows, along):  # pragma: no cover - compiled
    """Take the part along a unit vector out of every row."""
    for r in range(len(rows)):
        share = _dot(rows[r], along)
        for p in range(len(along)):
            rows[r, p] -= share * along[p]


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _dot(a, b):  # pragma: no cover - compiled
    """Scalar product of rows so short that a call of BLAS takes longer."""
    total = 0.0
    for p in range(len(a)):
        total += a[p] * b[p]
    return total


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _products(rows, gram):  # pragma: no cover - compiled
    for r in range(len(rows)):
        for c in range(r + 1):
            gram[r, c] = gram[c, r] = _dot(rows[r], rows[c])


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _eigen(gram):  # pragma: no cover - compiled
    """Eigenvalues (m,), in any order, and eigenvectors (m, m), columns, of a symmetric matrix."""
    m = len(gram)
    if m > SMALL:
        values, vectors = np.linalg.eigh(gram)
        return values, np.ascontiguousarray(vectors)
    a = gram.copy()
    vectors = np.eye(m)
    for _ in range(30):
        off = 0.0
        size = 0.0
        for i in range(m):
            size += a[i, i] ** 2
            for k in range(i):
                off += a[i, k] ** 2
        # Squares: that is rounding of doubles.
        if off <= 1e-30 * size:
            break
        for i in range(1, m):
            for k in range(i):
                if a[i, k] ** 2 > 1e-32 * size:
                    _rotate(a, vectors, k, i)
    return np.diag(a).copy(), vectors


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _rotate(a, vectors, i, k):  # pragma: no cover - compiled
    """Turn the plane of two axes so that the matrix has a zero there (Jacobi)."""
    # The smaller of both angles that do it, by the form that never subtracts near numbers
    # (Golub & Van Loan, section 8.5).
    slope = (a[k, k] - a[i, i]) / (2.0 * a[i, k])
    t = (1.0 if slope >= 0.0 else -1.0) / (abs(slope) + np.sqrt(slope * slope + 1.0))
    c = 1.0 / np.sqrt(t * t + 1.0)
    s = t * c
    _turn(a, i, k, c, s)
    _turn(a.T, i, k, c, s)
    _turn(vectors, i, k, c, s)


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _turn(rows, i, k, c, s):  # pragma: no cover - compiled
    """Turn every row in the plane of two axes."""
    for r in range(len(rows)):
        x = rows[r, i]
        y = rows[r, k]
        rows[r, i] = c * x - s * y
        rows[r, k] = s * x + c * y


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _forbid(rows, values, vectors, scale, basis, count):  # pragma: no cover - compiled
    """Add the directions in which a layer moves to those that lower layers must not use; how many
    there are now.
    """
    for i in np.argsort(values)[::-1]:
        if np.sqrt(max(values[i], 0.0)) <= NOTHING * scale or count == rows.shape[1]:
            break
        basis[count] = 0.0
        for r in range(len(rows)):
            basis[count] += vectors[r, i] * rows[r]
        if _normalize(basis[count], basis, count):
            count += 1
    return count


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _normalize(along, basis, count):  # pragma: no cover - compiled
    """Make a vector a unit one across the first rows of the basis; whether anything is left."""
    before = np.dot(along, along)
    smallest = 1e-16 * before
    for _ in range(3):
        length = _keep_open(along, basis, count)
        if length <= smallest:
            return False
        # "Twice is enough" (Parlett, after Kahan): a second pass mends what cancellation left.
        if length > 0.5 * before:
            break
        before = length  # much was taken away, and rounding is left behind
    along /= np.sqrt(length)
    return True


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _pursue(task, bounds, step, count, values, vectors):  # pragma: no cover - compiled
    """Move towards what one layer wants; a limit in the way is held, and the layer solved again."""
    for held in range(MOST_HELD + 1):
        if held > 0 and len(task.want) > 0:
            values, vectors = _eigen(task.gram)
        _aim(task, values, vectors, bounds, step, count)
        # As far as the first limit in the way, then on with that coordinate held.
        share, stop = _share(bounds, step.moved, step.change)
        _go(task, step, share)
        if stop < 0:
            return
        count = _hold(task, bounds, step, count, stop)
        if count < 0:
            return


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _go(task, step, share):  # pragma: no cover - compiled
    """Add a share of the piece to the step; what is still wanted is less."""
    for p in range(len(step.whole)):
        step.whole[p] += share * step.piece[p]
    for p in range(len(step.moved)):
        step.moved[p] += share * step.change[p]
    for r in range(len(task.want)):
        task.want[r] -= share * _dot(task.own[r], step.piece)
    if len(task.want) == 0:
        for p in range(len(step.whole)):
            task.prefer[p] -= share * step.piece[p]


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _hold(task, bounds, step, count, stop):  # pragma: no cover - compiled
    """Hold the coordinate that stops a layer, and others at their limits that it pushes as hard;
    how many directions are held now, -1 where nothing is left to move.
    """
    before = count
    hardest = abs(step.change[stop])
    for d in range(len(step.change)):
        c = step.change[d]
        if abs(c) < AS_HARD * hardest:
            continue
        left = bounds.high[d] - step.moved[d] if c > 0 else step.moved[d] - bounds.low[d]
        # At its limit already and pushed on: held as well, or it would stop the next round at once.
        if d != stop and left > 1e-12:
            continue
        if count == len(step.whole):
            break
        along = step.basis[count]
        if bounds.same:
            along[:] = 0.0
            along[d] = 1.0
        else:
            along[:] = bounds.matrix[d]
        if _normalize(along, step.basis, count):
            _leave_out(task.own, along)
            count += 1
    _products(task.own, task.gram)
    return -1 if count == before else count


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _aim(task, values, vectors, bounds, step, count):  # pragma: no cover - compiled
    """The piece of a step that a layer wants, by least squares, damped until it is not too long; or
    what is preferred, as far as it is open.
    """
    piece = step.piece
    if len(task.want) == 0:
        piece[:] = task.prefer
        _keep_open(piece, step.basis, count)
        _change(bounds, piece, step.change)
        return
    squared = _damping(values, task.scale)
    for _ in range(DAMPED):
        _least_squares(task, values, vectors, squared, piece)
        _change(bounds, piece, step.change)
        if np.abs(step.change).max() <= bounds.longest:
            return
        # Damping 0 stays 0 when multiplied, so the first increase is to a share of the scale.
        squared = max(4.0 * squared, (0.03 * task.scale) ** 2)


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _least_squares(task, values, vectors, squared, piece):  # pragma: no cover - compiled
    """What a layer wants, with the square of the damping given."""
    piece[:] = 0.0
    for i in range(len(values)):
        if np.sqrt(max(values[i], 0.0)) <= NOTHING * task.scale:
            continue
        # Damped least squares (Wampler 1986): s / (s^2 + d^2); here in products of rows, so
        # squares.
        gain = _dot(vectors[:, i], task.want) / (values[i] + squared)
        for r in range(len(task.want)):
            for p in range(len(piece)):
                piece[p] += gain * vectors[r, i] * task.own[r, p]


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _damping(values, scale):  # pragma: no cover - compiled
    """Square of the damping that the smallest singular value asks for, of those that count."""
    smallest = np.inf
    for value in values:
        sigma = np.sqrt(max(value, 0.0))
        if sigma > NOTHING * scale:
            smallest = min(smallest, sigma)
    ratio = smallest / max(POORLY * scale, 1e-300)
    return (1.0 - ratio**2) * (DAMPING * scale) ** 2 if ratio < 1.0 else 0.0


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _keep_open(along, basis, count):  # pragma: no cover - compiled
    """Take what is along the first rows of the basis out of a vector; its square that is left."""
    for b in range(count):
        share = _dot(basis[b], along)
        if share != 0.0:
            for p in range(len(along)):
                along[p] -= share * basis[b, p]
    return _dot(along, along)


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _change(bounds, piece, change):  # pragma: no cover - compiled
    """How the coordinates change with a piece of a step."""
    for d in range(len(change)):
        change[d] = piece[d] if bounds.same else _dot(bounds.matrix[d], piece)


@full_kernel(fastmath={"reassoc", "contract"}, error_model="numpy")
def _share(bounds, moved, change):  # pragma: no cover - compiled
    """Largest share of a change that stays within the bounds, and the coordinate that stops it.

    The coordinate is -1 where the whole change fits, or is cut because it is too long.
    """
    share = 1.0
    stop = -1
    largest = np.abs(change).max()
    for d in range(len(change)):
        c = change[d]
        if abs(c) <= 1e-9 * largest + 1e-14:
            continue
        # The longest step comes first: what it cuts has no need of a limit.
        left = ((bounds.longest if c > 0 else -bounds.longest) - moved[d]) / c
        if left < share:
            share = max(left, 0.0)
            stop = -1
        left = ((bounds.high[d] if c > 0 else bounds.low[d]) - moved[d]) / c
        if left < share:
            share = max(left, 0.0)
            stop = d
    return share, stop
