"""Markers that are not where their labels say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from motionloom.typing import Array, Bools

#: Median distance (metres) from the body beyond which a marker is not where its label says. In 19
#: captured trials of eight data sets (walks, turns, stairs, a run, squats, standing; 400 frames
#: each) no marker lies farther off than 1.1 cm, the one on a sternum in a turn. The limit is nearly
#: three times that: loose skin and plates shall not be called wrong labels.
MOST_OFF = 0.03


def misplaced_markers(labels: Sequence[str], away: Array, seen: Bools) -> dict[str, float]:
    """Markers that lie too far from the body in most frames in which they are seen.

    The median counts, so that a marker that jumps or swaps for some time does not.

    Parameters
    ----------
    labels : sequence of str
        Of the M markers.
    away : array of shape (T, M), metres
        Distance of each marker from its place on the body.
    seen : bool array of shape (T, M)
        Where that is known.

    Returns
    -------
    dict of str to float
        Median distance (metres) by label.
    """
    found = {}
    for m, label in enumerate(labels):
        own = away[seen[:, m], m]
        if len(own) and float(np.median(own)) > MOST_OFF:
            found[label] = float(np.median(own))
    return found


def misplaced_in_words(markers: Mapping[str, float]) -> tuple[str, ...]:
    """One sentence for each of `misplaced_markers`, the farthest first."""
    return tuple(
        f"{label} lies {100 * off:.1f} cm (median) from where its label says, more than"
        f" {100 * MOST_OFF:.0f} cm; look at its label, or leave it out"
        for label, off in sorted(markers.items(), key=lambda item: -item[1])
    )
