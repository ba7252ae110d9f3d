"""One step of two strict layers within bounds, compiled; `kernels` says how."""

from __future__ import annotations

import math
from typing import NamedTuple

from motionloom.compiling import part
from motionloom.typing import Array, Bools

#: What rows ask for is softened by this share of the square of how far they are off, so that goals
#: out of reach give no wild steps (after Sugihara 2011); rows softer than `FIRM` are passed over.
SOFTENED = 0.3
FIRM = 1e-3
#: Longest step of one iteration, radians and metres.
LONGEST = 0.3


class Work(NamedTuple):
    """Lower layer: normal matrix (n, n) and right side (n,); upper: rows (R, n), wanted (R,),
    compliance (R,); the same with bounds taken out, factors, and the step.
    """

    normal: Array
    pull: Array
    rows: Array
    wanted: Array
    give: Array
    factor: Array
    side: Array
    solved: Array
    schur: Array
    multiplier: Array
    step: Array
    fixed: Bools
    change: Array
    held: Bools
    axis: Array


@part
def soften(work, count):  # pragma: no cover - compiled
    """Give way as far as firm rows are off."""
    off = 0.0
    for r in range(count):
        if work.give[r] < FIRM:
            off += work.wanted[r] ** 2
    for r in range(count):
        work.give[r] += SOFTENED * off


@part
def _factor(matrix, n):  # pragma: no cover - compiled
    """Cholesky factor of the lower half, in place."""
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = math.sqrt(max(total, 1e-14))
            else:
                matrix[i, j] = total / matrix[j, j]


@part
def _forward(factor, n, values):  # pragma: no cover - compiled
    """Solve with the lower half of a factor, in place."""
    for i in range(n):
        total = values[i]
        for k in range(i):
            total -= factor[i, k] * values[k]
        values[i] = total / factor[i, i]


@part
def _backward(factor, n, values):  # pragma: no cover - compiled
    """Solve with its transpose, in place."""
    for i in range(n - 1, -1, -1):
        total = values[i]
        for k in range(i + 1, n):
            total -= factor[k, i] * values[k]
        values[i] = total / factor[i, i]


@part
def layered(work, count):  # pragma: no cover - compiled
    """The step of both layers with what is fixed at a bound left out."""
    n = len(work.pull)
    _take_out_fixed(work)
    for r in range(count):
        off = work.wanted[r]
        for a in range(n):
            if work.fixed[a]:
                off -= work.rows[r, a] * work.change[a]
            work.solved[r, a] = 0.0 if work.fixed[a] else work.rows[r, a]
        work.multiplier[r] = off
    _factor(work.factor, n)
    _forward(work.factor, n, work.side)
    if count:
        _meet_rows(work, count)
    _backward(work.factor, n, work.side)
    for a in range(n):
        work.step[a] = work.side[a]


@part
def _take_out_fixed(work):  # pragma: no cover - compiled
    """The lower layer's equations, with what is fixed on their right side."""
    n = len(work.pull)
    for a in range(n):
        work.side[a] = work.change[a] if work.fixed[a] else work.pull[a]
        for b in range(a + 1):
            work.factor[a, b] = work.normal[a, b]
    for a in range(n):
        if work.fixed[a]:
            for b in range(n):
                if not work.fixed[b]:
                    mixed = work.normal[a, b] if b < a else work.normal[b, a]
                    work.side[b] -= mixed * work.change[a]
                work.factor[max(a, b), min(a, b)] = 1.0 if a == b else 0.0


@part
def _meet_rows(work, count):  # pragma: no cover - compiled
    """Change the lower layer's step as little as it takes to meet the rows of the upper one; both
    are seen through the factor of the lower layer.
    """
    n = len(work.pull)
    for r in range(count):
        _forward(work.factor, n, work.solved[r])
        for a in range(n):
            if not work.fixed[a]:
                work.multiplier[r] -= work.solved[r, a] * work.side[a]
    for r in range(count):
        for s in range(r + 1):
            total = work.give[r] if r == s else 0.0
            for a in range(n):
                total += work.solved[r, a] * work.solved[s, a]
            work.schur[r, s] = total
    _factor(work.schur, count)
    _forward(work.schur, count, work.multiplier)
    _backward(work.schur, count, work.multiplier)
    for r in range(count):
        for a in range(n):
            work.side[a] += work.multiplier[r] * work.solved[r, a]


@part
def fix(tree, pose, before, first, work):  # pragma: no cover - compiled
    """Fix hinges at the bounds that the step would leave; whether there were any."""
    found = False
    for h in range(len(tree.low)):
        low = tree.low[h] if first else max(tree.low[h], before[h] - tree.fastest)
        high = tree.high[h] if first else min(tree.high[h], before[h] + tree.fastest)
        if work.fixed[6 + h]:
            continue
        there = pose.angles[h] + work.step[6 + h]
        if there < low - 1e-12 or there > high + 1e-12:
            work.fixed[6 + h] = True
            work.change[6 + h] = (low if there < low else high) - pose.angles[h]
            found = True
    return found


@part
def move(tree, pose, before, first, step):  # pragma: no cover - compiled
    """Take a step, no longer than allowed; how long it was."""
    longest = 0.0
    for a in range(len(step)):
        longest = max(longest, abs(step[a]))
    share = min(1.0, LONGEST / max(longest, 1e-12))
    for i in range(3):
        pose.place[i] += share * step[i]
    _turn_base(pose, share * step[3], share * step[4], share * step[5])
    for h in range(len(tree.low)):
        low = tree.low[h] if first else max(tree.low[h], before[h] - tree.fastest)
        high = tree.high[h] if first else min(tree.high[h], before[h] + tree.fastest)
        pose.angles[h] = min(max(pose.angles[h] + share * step[6 + h], low), high)
    return longest


@part
def _turn_base(pose, x, y, z):  # pragma: no cover - compiled
    """Turn the base about the world's axes, and keep it a rotation."""
    angle = math.sqrt(x * x + y * y + z * z)
    s = 1.0 if angle < 1e-9 else math.sin(angle) / angle
    v = 0.5 if angle < 1e-4 else (1.0 - math.cos(angle)) / (angle * angle)
    for k in range(3):
        a = pose.turn[0, k]
        b = pose.turn[1, k]
        c = pose.turn[2, k]
        along = x * a + y * b + z * c
        cosine = math.cos(angle)
        pose.turn[0, k] = cosine * a + s * (y * c - z * b) + v * along * x
        pose.turn[1, k] = cosine * b + s * (z * a - x * c) + v * along * y
        pose.turn[2, k] = cosine * c + s * (x * b - y * a) + v * along * z
    for i in range(3):
        # Rounding of thousands of frames must not make it skew.
        for j in range(i):
            dot = 0.0
            for k in range(3):
                dot += pose.turn[k, i] * pose.turn[k, j]
            for k in range(3):
                pose.turn[k, i] -= dot * pose.turn[k, j]
        size = 0.0
        for k in range(3):
            size += pose.turn[k, i] ** 2
        for k in range(3):
            pose.turn[k, i] /= math.sqrt(size)
