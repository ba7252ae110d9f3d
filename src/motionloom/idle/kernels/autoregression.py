"""Autoregressive processes of many components, run on."""

from __future__ import annotations

from motionloom.compiling import kernel


@kernel
def run_on(filters, before, drive, values):  # pragma: no cover - compiled
    """Fill `values` (n, K) by ``sum_p filters[k, p] values[t - p, k] = drive[t, k]``.

    `filters` (K, P + 1) begin with 1, `before` (P, K) are the last values.
    """
    memory = filters.shape[1] - 1
    for t in range(len(drive)):
        for k in range(drive.shape[1]):
            value = drive[t, k]
            for p in range(1, memory + 1):
                past = t - p
                last = values[past, k] if past >= 0 else before[memory + past, k]
                value -= filters[k, p] * last
            values[t, k] = value
