"""The protocol of the LaFAN1 benchmark (Harvey et al. 2020), for any captures of one skeleton.

Windows of 65 frames every 40 frames; the body is known in the first 10 frames and in the one behind
the gap. Each window is moved so that its root is over the origin on average, and turned so that the
body faces +X in the last known frame. Positions are divided by their spread over the training
captures' windows of 50 frames every 20 frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.inbetween.gaps import CONTEXT, Gaps, Track
from motionloom.inbetween.rig import Rig

Array = NDArray[np.float64]

#: Missing frames that are asked for.
LENGTHS = (5, 15, 30, 45)
#: Frames of a window and from one window to the next: of the test, and of the training's spread.
TEST_WINDOW = (65, 40)
TRAIN_WINDOW = (50, 20)
#: The root's y axis points ahead where it is this near to the ground, as it is in that data set.
_LEVEL = 0.5


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows of captures as the protocol places them.

    Parameters
    ----------
    rig : Rig
        The body.
    track : Track
        Of shape (B, T, ...).
    clip : int array of shape (B,)
        Capture that each window is from.
    """

    rig: Rig
    track: Track
    clip: NDArray[np.int64]

    @cached_property
    def positions(self) -> Array:
        """World positions of all joints, shape (B, T, J, 3), metres."""
        return self.rig.positions(self.track.rotations, self.track.roots)

    def gaps(self, missing: int) -> Gaps:
        """What is known of the windows when some frames are missing."""
        end = CONTEXT + missing
        return Gaps(
            rig=self.rig,
            rotations=self.track.rotations[:, :CONTEXT],
            roots=self.track.roots[:, :CONTEXT],
            end_rotations=self.track.rotations[:, end],
            end_roots=self.track.roots[:, end],
            missing=missing,
        )

    def missing(self, missing: int) -> Track:
        """The captured frames of the gaps."""
        inside = slice(CONTEXT, CONTEXT + missing)
        return Track(self.track.rotations[:, inside], self.track.roots[:, inside])


def cut_windows(rig: Rig, tracks: Sequence[Track], window: tuple[int, int]) -> Windows:
    """Cut captures into windows.

    Parameters
    ----------
    rig : Rig
        The body.
    tracks : sequence of Track
        One for each capture.
    window : tuple of (int, int)
        Frames of a window, and from one to the next.

    Returns
    -------
    Windows

    Raises
    ------
    InvalidInputError
        When no capture is longer than a window.
    """
    length, step = window
    starts = [np.arange(0, max(0, track.n_frames - length), step) for track in tracks]
    if not any(map(len, starts)):
        raise InvalidInputError(
            f"the protocol needs captures of more than {length} frames; give longer ones"
        )
    rotations = []
    roots = []
    for track, first in zip(tracks, starts, strict=True):
        inside = first[:, None] + np.arange(length)
        rotations.append(track.rotations[inside])
        roots.append(track.roots[inside])
    clip = np.repeat(np.arange(len(tracks)), [len(first) for first in starts])
    placed = _place(rig, np.concatenate(rotations), np.concatenate(roots))
    return Windows(rig, placed, clip)


def _place(rig: Rig, rotations: Array, roots: Array) -> Track:
    """Bring windows over the origin, facing +X in the last known frame."""
    center = roots.mean(axis=1, keepdims=True) * np.array([1.0, 0.0, 1.0])
    turn = rot.yaw(0.5 * np.pi - _headings(rig, rotations[:, CONTEXT - 1], roots[:, CONTEXT - 1]))
    return Track(
        rot.multiply(turn[:, None, None], rotations), rot.rotate(turn[:, None], roots - center)
    )


def _headings(rig: Rig, rotations: Array, roots: Array) -> Array:
    """Where bodies face, shape (B,): along the root's y axis if that is level, as published."""
    ahead = rot.rotate(rotations[:, rig.root], np.array([0.0, 1.0, 0.0]))
    if np.abs(ahead[:, 1]).mean() < _LEVEL:
        heading: Array = np.arctan2(ahead[:, 0], ahead[:, 2])
        return heading
    return rig.facing(rotations, rig.positions(rotations, roots))


def position_spread(windows: Windows) -> Array:
    """Spread of every coordinate of every joint, shape (J, 3), metres; at least a millimetre."""
    spread = windows.positions.reshape(-1, windows.rig.n_joints, 3).std(axis=0)
    floored: Array = np.maximum(spread, 1e-3)
    return floored
