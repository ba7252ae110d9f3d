"""Gaps in motion, many of one length at once: what is known, and what fills them.

Fillings that need no data: standing still, straight ways, and straight ways that begin with the
speed that the body had.
"""

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
        known = track.rotations[context], track.roots[context]
        return cls(rig, *known, track.rotations[end], track.roots[end], missing)

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
        known = before.rotations[None, context], before.roots[None, context]
        return cls(rig, *known, end.rotations[None, 0], end.roots[None, 0], missing)

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


#: Time over which the speed before a gap dies away, in frames, and as a share of the gap.
SPEED_FRAMES = 8.0
SPEED_SHARE = 0.6


def hold_still(gaps: Gaps) -> Track:
    """The last frame before each gap, held: what is called zero velocity.

    Parameters
    ----------
    gaps : Gaps
        B gaps of n frames.

    Returns
    -------
    Track
        Of shape (B, n, ...).
    """
    start = gaps.start_rotations[:, None], gaps.start_roots[:, None]
    return Track(*(np.repeat(own, gaps.missing, axis=1) for own in start))


def go_straight(gaps: Gaps) -> Track:
    """Shortest local rotations at constant speed, and a straight line for the root.

    Parameters
    ----------
    gaps : Gaps
        B gaps of n frames.

    Returns
    -------
    Track
        Of shape (B, n, ...).
    """
    return keep_speed(gaps, kept=0.0)


def keep_speed(gaps: Gaps, shares: Array | None = None, kept: float = 1.0) -> Track:
    """Straight ways that begin with the speed that the body had, which dies away.

    Parameters
    ----------
    gaps : Gaps
        B gaps.
    shares : array of shape (n,), optional
        Shares of the gap that are shown; those of the missing frames when not given.
    kept : float
        Share of the speed that is kept at the begin.

    Returns
    -------
    Track
        Of shape (B, n, ...).
    """
    rig = gaps.rig
    shown = gaps.shares if shares is None else shares
    steps = gaps.missing + 1
    start = rig.local_rotations(gaps.start_rotations)
    earlier = rig.local_rotations(gaps.rotations[:, -2])
    turn = rot.between(start, rig.local_rotations(gaps.end_rotations))
    speed = rot.between(earlier, start) - turn / steps
    share = shown[None, :, None, None]
    left = kept * speed_left(shown * steps, steps)[None, :, None, None]
    turned = rot.from_rotvec(share * turn[:, None] + left * speed[:, None])
    local = rot.multiply(start[:, None], turned)
    way = gaps.end_roots - gaps.start_roots
    drift = gaps.start_roots - gaps.roots[:, -2] - way / steps
    moved = share[..., 0] * way[:, None] + left[..., 0] * drift[:, None]
    return Track(rig.world_rotations(local), gaps.start_roots[:, None] + moved)


def speed_left(frames: Array, steps: int) -> Array:
    """How far a speed of 1 at the begin of a gap has led.

    It has the slope 1 at the begin, and value and slope 0 at the end.

    Parameters
    ----------
    frames : array
        Frames since the begin.
    steps : int
        Frames from the begin to the end.

    Returns
    -------
    array of the shape of `frames`
    """
    span = min(SPEED_FRAMES, SPEED_SHARE * steps)
    return frames * (1 - np.clip(frames / span, 0.0, 1.0)) ** 2
