"""State of a body over time: poses, velocities and accelerations, smoothed as stated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import curves
from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.options import check_options, option_field
from motionloom.physics.body import Body
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints

#: A filter that runs forwards and backwards lowers its own cut-off: that of each run lies higher by
#: one over this (Winter 2009, section 3.4.4).
TWICE = 0.802
#: A cut-off above this share of half the frame rate is no filter.
OPEN = 0.95


@dataclass(frozen=True)
class Smoothing:
    """Cut-offs of zero-phase Butterworth filters, order 4 in all; 0 does not filter.

    Parameters
    ----------
    poses : float, hertz
        Of rotations and of the root's place, before they are differentiated.
    balance : float, hertz
        Of the wrench on the body, before the zero moment point is taken from it.
    """

    poses: float = option_field(
        12.0, "Low-pass of poses; 0 does not filter.", unit="HZ", minimum=0, name="cutoff"
    )
    balance: float = option_field(
        6.0, "Low-pass of the zero moment point's wrench.", unit="HZ", minimum=0, name="zmp-cutoff"
    )

    def __post_init__(self) -> None:
        check_options(self)

    def in_words(self, fps: float) -> str:
        """One line for people."""
        cuts = {"poses": self.poses, "zmp": self.balance}.items()
        how = (f"{cut:g} Hz" if _is_filtered(cut, fps) else "not filtered" for _, cut in cuts)
        words = (f"{what} {said}" for (what, _), said in zip(cuts, how, strict=True))
        return "zero-phase Butterworth of order 4: " + ", ".join(words)


def _is_filtered(cut: float, fps: float) -> bool:
    """Whether a cut-off (hertz) lies below what the frame rate can show."""
    return 0 < cut / TWICE < OPEN * fps / 2


def low_pass(values: Array, fps: float, cut: float) -> Array:
    """Smooth series without moving them in time.

    Parameters
    ----------
    values : array of shape (T, ...)
        Series over time.
    fps : float
        Frames per second.
    cut : float, hertz
        Where half the power is left after both passes; 0 does not filter.

    Returns
    -------
    array of the shape of `values`
    """
    if not _is_filtered(cut, fps) or len(values) < 4:
        return values
    pad = min(len(values) - 1, int(np.ceil(fps / cut)))
    return curves.low_pass(values, fps, cut / TWICE, pad)


@dataclass(frozen=True, eq=False)
class BodyState:
    """Where the links are and how they move, in the convention of robotics.

    Parameters
    ----------
    places : array of shape (T, 3), metres
        World position of the first link's joint.
    velocities : array of shape (T, 3), metres per second
        Of it.
    accelerations : array of shape (T, 3), metres per second squared
        Of it, without gravity.
    turns : array of shape (T, L, 4)
        Rotations of the links relative to their parents, of the first in the world; unit
        quaternions (w, x, y, z).
    spins : array of shape (T, L, 3), radians per second
        Angular velocities relative to the parents, in the links' own frames.
    spin_rates : array of shape (T, L, 3), radians per second squared
        Their rates of change.
    """

    places: Array
    velocities: Array
    accelerations: Array
    turns: Array
    spins: Array
    spin_rates: Array

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.places)

    def at(self, frames: slice | Bools | Ints) -> BodyState:
        """The state in some frames."""
        return BodyState(*(getattr(self, name)[frames] for name in self.__dataclass_fields__))


def state_of(posed: PosedMotion, body: Body, smoothing: Smoothing | None = None) -> BodyState:
    """The state of a body in a motion.

    Poses are smoothed, then differentiated by central differences. A motion of fewer than three
    frames is taken to be still.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Made of the same skeleton.
    smoothing : Smoothing, optional
        Cut-offs.

    Returns
    -------
    BodyState

    Raises
    ------
    InvalidInputError
        When the body has other joints.
    """
    if not body.skeleton.has_topology_of(posed.skeleton):
        raise InvalidInputError("the body was made of another skeleton than the motion has")
    cut = (smoothing or Smoothing()).poses
    fps = posed.fps
    places = low_pass(posed.positions[:, body.joints[0]], fps, cut)
    turns = rot.normalize(low_pass(rot.unroll(local_turns(posed, body)), fps, cut))
    return differentiate(places, turns, fps)


def local_turns(posed: PosedMotion, body: Body) -> Array:
    """Rotations relative to the parents among the links, (T, L, 4)."""
    local = posed.motion.rotations[:, body.joints].copy()
    local[:, 0] = posed.rotations[:, body.joints[0]]
    return local


def differentiate(places: Array, turns: Array, fps: float) -> BodyState:
    """Velocities and accelerations of poses by central differences.

    The vector of the turn from one frame to the next is the same in both frames, so that its
    differences are those of angular velocities in the link's own frame.

    Parameters
    ----------
    places : array of shape (T, 3), metres
        World positions of the first link.
    turns : array of shape (T, L, 4)
        Rotations relative to the parents.
    fps : float
        Frames per second.

    Returns
    -------
    BodyState
        The first and the last frame have the accelerations of their neighbours.
    """
    if len(places) < 3:
        still = np.zeros((*turns.shape[:-1], 3))
        return BodyState(places, 0 * places, 0 * places, turns, still, still)
    steps = fps * np.diff(places, axis=0)
    spins = fps * rot.to_rotvec(rot.multiply(rot.conjugate(turns[:-1]), turns[1:]))
    moves = (_at_frames(steps), _rates(steps, fps))
    return BodyState(places, *moves, turns, _at_frames(spins), _rates(spins, fps))


def _at_frames(between: Array) -> Array:
    """Values at frames of those between them, (T - 1, ...) to (T, ...)."""
    ends = 2 * between[[0, -1]] - between[[1, -2]]
    longer = np.concatenate([ends[:1], between, ends[1:]])
    return np.asarray(0.5 * (longer[:-1] + longer[1:]))


def _rates(between: Array, fps: float) -> Array:
    inner = fps * np.diff(between, axis=0)
    return np.concatenate([inner[:1], inner, inner[-1:]])
