"""What transitions need to know of clips: how their frames are counted."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from motionloom.typing import Ints


class ClipTable(Protocol):
    """Frames of all clips counted through: clip c owns ``starts[c] <= i < starts[c + 1]``."""

    @property
    def starts(self) -> Ints:
        """First frame of every clip, and the number of frames, shape (C + 1,)."""

    @property
    def clip_of(self) -> NDArray[np.int32]:
        """Clip of every frame, shape (N,)."""

    @property
    def n_clips(self) -> int:
        """Number of clips C."""

    @property
    def n_frames(self) -> int:
        """Number of frames N."""
