"""Tracks that strikes are found in: hips and ankles over time, of a skeleton or of markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.marker_motion import MarkerSequence
from motionloom.posed_motion import PosedMotion
from motionloom.skeleton import restore_read_only
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Left, then right: the order of all that has a row or column per foot.
SIDES = ("left", "right")
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
#: Nobody's hips are faster, leg lengths per second.
_JUMP = 20.0
#: Gaps of markers up to this long are bridged, seconds.
_BRIDGE = 0.2


@dataclass(frozen=True, eq=False)
class FootTracks:
    """What strikes are found in.

    Parameters
    ----------
    hips : array of shape (T, 3), metres
        Middle of the pelvis in the world, +Y up.
    ankles : array of shape (T, 2, 3), metres
        Left and right ankle.
    facing : array of shape (T,), radians
        Where the pelvis faces, from +Z towards +X.
    fps : float
        Frames per second.
    leg : float, metres
        Length of a leg: thresholds scale with it.
    first : int
        Frame of the clip that is frame 0 here.
    """

    hips: Array
    ankles: Array
    facing: Array
    fps: float
    leg: float
    first: int = 0
    __setstate__ = restore_read_only

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.hips)


@one_thread()
def tracks_of_motion(posed: PosedMotion, leg: float) -> FootTracks:
    """Tracks of a skeleton's motion, whose legs are found by their roles.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    leg : float, metres
        Length of a leg.

    Returns
    -------
    FootTracks

    Raises
    ------
    InvalidInputError
        When it has no two feet, or stands on four.
    """
    joints = posed.roles.joints
    if posed.roles.kind == "quadruped":
        raise InvalidInputError("gait cycles are of two feet; this body has four")
    if not {"left_foot", "right_foot", "hips"} <= joints.keys():
        raise InvalidInputError(
            "cannot find gait without hips and two feet; name them in a roles table"
        )
    ankles = posed.positions[:, [joints["left_foot"], joints["right_foot"]]]
    start, stop = _without_jumps(posed.hips, posed.fps, leg)
    return FootTracks(
        posed.hips[start:stop],
        ankles[start:stop],
        np.unwrap(posed.facing[start:stop]),
        posed.fps,
        leg,
        start,
    )


def _without_jumps(hips: Array, fps: float, leg: float) -> tuple[int, int]:
    """The longest span in which the hips do not jump: files may begin or end with other frames."""
    steps = np.linalg.norm(np.diff(hips, axis=0), axis=1) * fps
    jumps = np.flatnonzero(steps > _JUMP * leg) + 1
    ends = np.array([0, *jumps, len(hips)])
    longest = int(np.argmax(np.diff(ends)))
    return int(ends[longest]), int(ends[longest + 1])


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
