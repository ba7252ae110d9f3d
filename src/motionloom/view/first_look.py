"""From where a page first looks at its figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from motionloom.view.figure import Figure

#: How far the first view looks down, and beside the path of one that walks or the face of one that
#: stands, degrees.
ELEVATION, _BESIDE, _ASKEW = 16.0, 65.0, 35.0
#: Where several are seen, directions so many degrees apart are tried, in every so manieth frame;
#: so far apart in the picture nobody hides another, metres.
_TURN, _SKIP, _WIDE = 15.0, 5, 0.9


def azimuth_of(figures: Sequence[Figure]) -> float:
    """From where the page first looks, degrees: there where nobody hides another.

    Of directions all around that is the one in which every two are most apart in the picture, those
    that are near each other above all; of such that are as good, the one beside the first's path.

    Parameters
    ----------
    figures : sequence of Figure
        In one world.

    Returns
    -------
    float
        From +Z towards +X.
    """
    usual = _beside(figures[0])
    azimuths = usual + np.arange(0, 360, _TURN)
    across = np.stack([np.cos(np.radians(azimuths)), -np.sin(np.radians(azimuths))])
    seen = 0.1 * np.cos(np.radians(azimuths - usual))
    for a, b in combinations(figures, 2):
        n = min(a.n_frames, b.n_frames)
        way = b.body[:n:_SKIP, :2] - a.body[:n:_SKIP, :2]
        weights = 1 / (0.5 + np.hypot(*way.T)) ** 2
        free = np.minimum(np.abs(way @ across) / _WIDE, 1)
        seen = seen + np.average(free, axis=0, weights=weights)
    return float((azimuths[int(seen.argmax())] + 180) % 360 - 180)


def _beside(figure: Figure) -> float:
    """Across the path of one, a little from ahead; degrees."""
    walked = figure.body[-1] - figure.body[0]
    far = np.hypot(walked[0], walked[1]) > 0.5 * figure.height
    heading = np.arctan2(walked[0], walked[1]) if far else figure.body[0, 2]
    return float(np.degrees(heading) - (_BESIDE if far else _ASKEW))
