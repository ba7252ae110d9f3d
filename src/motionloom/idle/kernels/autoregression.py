"""Autoregressive processes of many components, driven by stretches of what drove recorded ones."""

from __future__ import annotations

from motionloom.compiling import kernel, part

#: Whole numbers of who is driven: row that comes next, rows left of its stretch, its sign, the
#: last number drawn, and where in the past the oldest value is.
ROW, LEFT, SIGN, DRAWN, OLDEST = 0, 1, 2, 3, 4
#: A stretch begins this share of all rows farther up or down the order of liveliness, at most.
WANDER = 0.17
#: Park and Miller's generator, exact in whole numbers of 64 bits.
FACTOR, MODULUS = 16807, 2147483647


@kernel
def run_on(noise, past, drawn, values):  # pragma: no cover - compiled
    """Fill `values` (n, K) with what follows `past` (P, K); both, and `drawn` (5,), go on."""
    for t in range(len(values)):
        vary(noise, past, drawn, values[t])


@part
def vary(noise, past, drawn, value):  # pragma: no cover - compiled
    """The next value: ``sum_p filters[p, k] value[t - p, k] = +-drive[row, k]``.

    `noise` holds filters (P + 1, K) that begin with 1, the drive (E, K), its rows in the order of
    liveliness (E,), where each is in that order (E,), where the span of each begins and ends
    (E, 2), and the length of a stretch.
    """
    filters, drive = noise[0], noise[1]
    if drawn[LEFT] <= 0:
        _draw_stretch(noise, drawn)
    row = drawn[ROW]
    sign = float(drawn[SIGN])
    for k in range(len(value)):
        value[k] = sign * drive[row, k]
    memory = len(past)
    for p in range(1, memory + 1):
        last = past[(drawn[OLDEST] - p) % memory]
        for k in range(len(value)):
            value[k] -= filters[p, k] * last[k]
    newest = past[drawn[OLDEST]]
    for k in range(len(value)):
        newest[k] = value[k]
    drawn[OLDEST] = (drawn[OLDEST] + 1) % memory
    drawn[ROW] = row + 1
    drawn[LEFT] -= 1


@part
def _draw_stretch(noise, drawn):  # pragma: no cover - compiled
    """A stretch that begins about as lively as the last one ended, as it was or upside down."""
    _, drive, order, rank, spans, stretch = noise
    count = len(drive)
    before = min(max(drawn[ROW] - 1, 0), count - 1)
    place = float(rank[before]) + (2.0 * _uniform(drawn) - 1.0) * WANDER * count
    if place < 0.0:
        place = -place
    if place > count - 1.0:
        place = 2.0 * (count - 1.0) - place
    first = order[min(max(int(place), 0), count - 1)]
    begin, end = spans[first, 0], spans[first, 1]
    # Short ones would be nothing but beginnings.
    first = max(begin, min(first, end - stretch // 2))
    drawn[ROW] = first
    drawn[LEFT] = min(stretch, end - first)
    drawn[SIGN] = 1 if _uniform(drawn) < 0.5 else -1


@part
def _uniform(drawn):  # pragma: no cover - compiled
    """The next number from 0 to 1."""
    drawn[DRAWN] = (FACTOR * drawn[DRAWN]) % MODULUS
    return drawn[DRAWN] / MODULUS
