"""Tracks that strikes are found in, of markers or model points known by the usual names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.gait.cycles.tracks import FootTracks
from motionloom.marker_motion import MarkerSequence
from motionloom.threads import one_thread

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Names of markers and model points at the pelvis, best first: all of a row are averaged.
_PELVIS = (
    ("PELO",),
    ("MIDPEL",),
    ("LASI", "RASI", "LPSI", "RPSI"),
    ("LASI", "RASI", "SACR"),
    ("LASI", "RASI", "VSAC"),
    ("L.ASIS", "R.ASIS", "L.PSIS", "R.PSIS"),
    ("LFWT", "RFWT", "LBWT", "RBWT"),
    ("LASI", "RASI"),
)
#: The same of the ankle and of the hip's sides; {s} is the side.
_ANKLE = ("{s}TIO", "{s}ANK", "{s}.Ankle", "{s}HEE", "{s}.Heel")
_SIDE = ("{s}FEP", "{s}ASI", "{s}.ASIS", "{s}FWT", "{s}.GTR")
#: Gaps of markers up to this long are bridged, seconds.
_BRIDGE = 0.2


@one_thread()
def tracks_of_markers(markers: MarkerSequence) -> FootTracks:
    """Tracks of markers or model points, known by the usual names.

    Parameters
    ----------
    markers : MarkerSequence
        With the pelvis and both ankles, such as ``LASI RASI LPSI RPSI LANK RANK``, or a model's
        joint centres ``PELO LTIO RTIO``.

    Returns
    -------
    FootTracks
        Of the longest span in which all of them are seen; `FootTracks.first` is its first frame.

    Raises
    ------
    InvalidInputError
        When no such names are there, or they are seen together for less than a second.
    """
    pelvis = next((row for row in _PELVIS if set(row) <= set(markers.labels)), None)
    ankles = _of_both(markers.labels, _ANKLE)
    sides = _of_both(markers.labels, _SIDE)
    if pelvis is None or ankles is None or sides is None:
        raise InvalidInputError(
            "cannot find gait without markers of the pelvis and both ankles, such as LASI RASI LPSI"
            " RPSI LANK RANK"
        )
    names = (*pelvis, *ankles, *sides)
    places, seen = _places(markers, names)
    start, stop = _longest(seen)
    if stop - start < markers.fps:
        raise InvalidInputError(
            f"markers {', '.join(dict.fromkeys(names))} are seen together for"
            f" {(stop - start) / markers.fps:.1f} s; expected a second at least"
        )
    places = places[start:stop]
    hips = places[:, : len(pelvis)].mean(axis=1)
    left = places[:, -2] - places[:, -1]
    facing = np.unwrap(np.arctan2(-left[:, 2], left[:, 0]))
    feet = places[:, len(pelvis) : len(pelvis) + 2]
    # Standing or walking, the hips are about a leg above the ankles' lowest places.
    leg = float(np.median(hips[:, 1]) - np.quantile(feet[..., 1], 0.05))
    return FootTracks(hips, feet, facing, markers.fps, max(leg, 0.2), start)


def _of_both(labels: Sequence[str], patterns: Sequence[str]) -> tuple[str, str] | None:
    for pattern in patterns:
        left, right = (pattern.format(s=side) for side in "LR")
        if left in labels and right in labels:
            return left, right
    return None


def _places(markers: MarkerSequence, names: Sequence[str]) -> tuple[Array, Bools]:
    """Places of markers with short gaps bridged, and the frames in which all are known."""
    columns = [markers.labels.index(name) for name in names]
    places = markers.positions[:, columns].copy()
    seen = np.ones(markers.n_frames, bool)
    most = _BRIDGE * markers.fps
    frames = np.arange(markers.n_frames)
    for i, column in enumerate(columns):
        valid = markers.valid[:, column]
        if not valid.any():
            return places, np.zeros(markers.n_frames, bool)
        known = frames[valid]
        for axis in range(3):
            places[:, i, axis] = np.interp(frames, known, places[known, i, axis])
        after = known[np.minimum(np.searchsorted(known, frames), len(known) - 1)]
        before = known[np.maximum(np.searchsorted(known, frames, side="right") - 1, 0)]
        seen &= valid | ((after >= frames) & (before <= frames) & (after - before <= most))
    return places, seen


def _longest(seen: Bools) -> tuple[int, int]:
    return max(runs_of(seen), key=lambda span: span[1] - span[0], default=(0, 0))
