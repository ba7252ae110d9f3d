"""Captured poses as a model keeps them: what it learns from is exactly what its file holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom.declared import LENGTH, Range, Shape
from motionloom.inbetween._features import describe_gaps
from motionloom.inbetween.gaps import CONTEXT, DESCRIBED, Gaps, Track
from motionloom.inbetween.rig import Rig
from motionloom.typing import Array, Ints, Singles

#: What 1 is in a stored quaternion; the largest number of 16 bits.
ONE = 32767
#: Frames before a gap, from its last known one, that the features look at.
_LOOKED_AT = (*DESCRIBED, -3)


@dataclass(frozen=True, eq=False)
class Poses:
    """Some frames of all captures, one after the other.

    Parameters
    ----------
    frames : int array of shape (F,)
        Their numbers in all captures together, ascending.
    rotations : int16 array of shape (F, J, 4)
        World rotations, in units of 1 / `ONE`.
    roots : float32 array of shape (F, 3), metres
        World position of the root.
    """

    frames: Annotated[NDArray[np.uint32], Shape("F")]
    rotations: Annotated[NDArray[np.int16], Shape("F", "J", 4), Range(-ONE, ONE)]
    roots: Annotated[Singles, Shape("F", 3), LENGTH]

    @classmethod
    def of(cls, track: Track) -> Poses:
        """All frames of a track.

        Parameters
        ----------
        track : Track
            Of T frames.

        Returns
        -------
        Poses
        """
        rotations = np.rint(track.rotations * ONE).astype(np.int16)
        frames = np.arange(track.n_frames, dtype=np.uint32)
        return cls(frames, rotations, track.roots.astype(np.float32))

    @classmethod
    def joined(cls, parts: Sequence[Poses]) -> Poses:
        """All frames of some captures, each with all its frames, numbered through."""
        rotations = np.concatenate([part.rotations for part in parts])
        roots = np.concatenate([part.roots for part in parts])
        return cls(np.arange(len(roots), dtype=np.uint32), rotations, roots)

    @cached_property
    def track(self) -> Track:
        """The poses in double precision, with quaternions of length 1."""
        wide = self.rotations.astype(float)
        wide /= np.sqrt(np.sum(wide * wide, axis=-1, keepdims=True))
        return Track(wide, self.roots.astype(float))

    def holds(self, last: NDArray[np.uint32], missing: int) -> bool:
        """Whether there is all that the features of gaps look at."""
        wanted = _looked_at(last, missing)
        return bool(len(last) and wanted.min() >= 0 and np.isin(wanted, self.frames).all())

    def kept_for(self, gaps: Sequence[tuple[NDArray[np.uint32], int]]) -> Poses:
        """The frames that the features of some gaps look at.

        Parameters
        ----------
        gaps : sequence of (int array, int)
            Last frames before gaps, and their missing frames.

        Returns
        -------
        Poses
        """
        wanted = np.unique(np.concatenate([_looked_at(*own).ravel() for own in gaps]))
        chosen = np.searchsorted(self.frames, wanted)
        return Poses(self.frames[chosen], self.rotations[chosen], self.roots[chosen])

    def describe(
        self, rig: Rig, reference: Array, last: NDArray[np.uint32], missing: int
    ) -> Singles:
        """Features of gaps behind some frames.

        Parameters
        ----------
        rig : Rig
            The body.
        reference : array of shape (J, 4)
            As `describe_gaps` takes it.
        last : int array of shape (M,)
            Last frames before the gaps; see `holds`.
        missing : int
            Missing frames of the gaps.

        Returns
        -------
        array of shape (M, D)
        """
        parts = []
        for at in range(0, len(last), 1024):
            known = last[at : at + 1024, None].astype(np.int64) - np.arange(CONTEXT - 1, -1, -1)
            # Frames that the features do not look at need not be there.
            before = np.maximum(np.searchsorted(self.frames, known, side="right") - 1, 0)
            end = np.searchsorted(self.frames, known[:, -1] + missing + 1)
            turned, roots = self.track.rotations, self.track.roots
            gaps = Gaps(rig, turned[before], roots[before], turned[end], roots[end], missing)
            parts.append(describe_gaps(gaps, reference).astype(np.float32))
        return np.concatenate(parts)


def _looked_at(last: NDArray[np.uint32], missing: int) -> Ints:
    steps = np.array([*(1 + at for at in _LOOKED_AT), missing + 1])
    found: Ints = last.astype(np.int64)[:, None] + steps
    return found
