"""Gaps in motion, many of one length at once: what is known, and what fills them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Ints

#: Frames before a gap that fillers look at.
CONTEXT = 10
#: Of them the last, the one before, and one further back: where points of the body are read.
DESCRIBED = (-1, -2, -5)
#: Missing frames of the longest gap.
LONGEST = 100_000


@dataclass(frozen=True, eq=False)
class Track:
    """World rotations of a motion's joints and where its root is, continuous in sign.

    Parameters
    ----------
    rotations : array of shape (..., T, J, 4)
        World rotations.
    roots : array of shape (..., T, 3), metres
        World position of the root.
    """

    rotations: Array
    roots: Array

    @classmethod
    def of(cls, motion: Motion, rig: Rig) -> Track:
        """The track of a motion of the rig's skeleton."""
        world = PosedMotion(motion, rig.roles).world
        return cls(rot.unroll(world.rotations), world.positions[:, rig.root])

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return int(self.roots.shape[-2])


@dataclass(frozen=True, eq=False)
class Gaps:
    """B gaps of one length.

    Parameters
    ----------
    rig : Rig
        The body.
    rotations : array of shape (B, C, J, 4)
        World rotations in the `CONTEXT` frames before each gap.
    roots : array of shape (B, C, 3), metres
        World position of the root in them.
    end_rotations : array of shape (B, J, 4)
        World rotations in the first frame behind each gap.
    end_roots : array of shape (B, 3), metres
        World position of the root in it.
    missing : int
        Frames n between.

    Raises
    ------
    InvalidInputError
        When no frame is missing, or too many are.
    """

    rig: Rig
    rotations: Array
    roots: Array
    end_rotations: Array
    end_roots: Array
    missing: int

    def __post_init__(self) -> None:
        if not 1 <= self.missing <= LONGEST:
            raise InvalidInputError(f"a gap has 1 to {LONGEST} missing frames, got {self.missing}")

    @classmethod
    def cut(cls, rig: Rig, track: Track, last: Ints, missing: int) -> Gaps:
        """Gaps in a track of which all is known, for learning and for tests.

        Parameters
        ----------
        rig : Rig
            The body.
        track : Track
            A motion of it.
        last : int array of shape (B,)
            Last frame before each gap, at least ``CONTEXT - 1``.
        missing : int
            Frames of each gap.

        Returns
        -------
        Gaps
        """
        context = last[:, None] - np.arange(CONTEXT - 1, -1, -1)
        end = last + missing + 1
        return cls(
            rig,
            track.rotations[context],
            track.roots[context],
            track.rotations[end],
            track.roots[end],
            missing,
        )

    @classmethod
    def between(cls, rig: Rig, before: Track, end: Track, missing: int) -> Gaps:
        """One gap between what is known before it and the first frame behind it.

        Parameters
        ----------
        rig : Rig
            The body.
        before : Track
            At least one frame; fewer than `CONTEXT` stand for a body that was at rest before them.
        end : Track
            Its first frame is where the gap ends.
        missing : int
            Frames of the gap.

        Returns
        -------
        Gaps
            One.
        """
        n = before.n_frames
        context = np.maximum(np.arange(n - CONTEXT, n), 0)
        return cls(
            rig,
            before.rotations[None, context],
            before.roots[None, context],
            end.rotations[None, 0],
            end.roots[None, 0],
            missing,
        )

    @property
    def size(self) -> int:
        """Number of gaps B."""
        return len(self.roots)

    @property
    def shares(self) -> Array:
        """How far through its gap each missing frame is, shape (n,), between 0 and 1."""
        return np.arange(1, self.missing + 1) / (self.missing + 1)

    @property
    def start_rotations(self) -> Array:
        """World rotations in the last frame before each gap, shape (B, J, 4)."""
        return self.rotations[:, -1]

    @property
    def start_roots(self) -> Array:
        """World position of the root in it, shape (B, 3), metres."""
        return self.roots[:, -1]

    @cached_property
    def known_positions(self) -> Array:
        """World positions of all joints in `DESCRIBED` and behind the gap, (B, 4, J, 3), metres."""
        before = list(DESCRIBED)
        turned = np.concatenate([self.rotations[:, before], self.end_rotations[:, None]], axis=1)
        roots = np.concatenate([self.roots[:, before], self.end_roots[:, None]], axis=1)
        return self.rig.positions(turned, roots)

    @property
    def start_positions(self) -> Array:
        """World position of every joint in the last frame before each gap, (B, J, 3), metres."""
        return self.known_positions[:, 0]

    @property
    def end_positions(self) -> Array:
        """World position of every joint in the first frame behind each gap, (B, J, 3), metres."""
        return self.known_positions[:, -1]

    @cached_property
    def start_facing(self) -> Array:
        """Where the bodies face before the gap, shape (B,), radians."""
        return self.rig.facing(self.start_rotations, self.start_positions)

    @cached_property
    def end_facing(self) -> Array:
        """Where the bodies face behind the gap, shape (B,), radians."""
        return self.rig.facing(self.end_rotations, self.end_positions)

    def retimed(self, missing: int) -> Gaps:
        """The same gaps at another pace, so that another number of frames is missing.

        Parameters
        ----------
        missing : int
            Frames that are missing then.

        Returns
        -------
        Gaps
            Frames before the gap are read at the new pace too.
        """
        if missing == self.missing:
            return self
        pace = (self.missing + 1) / (missing + 1)
        count = self.roots.shape[1]
        place = np.maximum(count - 1 - pace * np.arange(count - 1, -1, -1), 0.0)
        first = np.minimum(place.astype(int), count - 2)
        share = (place - first)[:, None]
        turned = rot.slerp(self.rotations[:, first], self.rotations[:, first + 1], share[None])
        moved = (1 - share) * self.roots[:, first] + share * self.roots[:, first + 1]
        return replace(self, rotations=turned, roots=moved, missing=missing)

    def take(self, chosen: Ints | slice) -> Gaps:
        """Some of the gaps."""
        return replace(
            self,
            rotations=self.rotations[chosen],
            roots=self.roots[chosen],
            end_rotations=self.end_rotations[chosen],
            end_roots=self.end_roots[chosen],
        )
