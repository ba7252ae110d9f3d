"""When somebody rests in one posture, and when they shift to another.

Shifts from one resting posture to another: kept as they were recorded, fitted to new postures.

Where somebody's weight is, between the right foot and the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.signal import find_peaks

from motionloom.curves import low_pass, runs_of
from motionloom.declared import LENGTH, NORMALIZED, NUMBER, Declared, Shape
from motionloom.errors import InvalidInputError
from motionloom.idle.learning.recording import Recording
from motionloom.kinematics import center_of_mass
from motionloom.motion import GroundTransform
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Bools

#: Names of the categories of balance, from the right foot to the left.
CATEGORIES = ("right", "both", "left")
#: One of them, in a record.
Category = Annotated[str, Declared(Literal["right", "both", "left"])]


#: A posture has shifted when its mean before and after differ by this share of how far postures
#: differ at all (root mean square), by this much in any case, radians or leg lengths over all
#: joints, and by this many times as much as it usually (median) differs within a recording.
CHANGE, LEAST, USUAL = 0.5, 0.1, 1.6
#: Seconds over which these means are taken, and between the moment of the shift and both windows.
WINDOW, GAP = 1.5, 0.4
#: A shift lasts while the posture changes at more than this share of its fastest.
SPEED = 0.25
#: Shorter rests belong to the shifts around them, seconds.
SHORTEST = 0.5
#: The centre of mass is over a foot when it is this far towards it, as a share of the way from the
#: middle.
OVER_FOOT = 0.25


@dataclass(frozen=True)
class Span:
    """Somebody rests in one posture.

    Parameters
    ----------
    first, stop : int
        Frames ``first <= i < stop``.
    category : str
        Where the balance is: ``"left"``, ``"right"`` or ``"both"``.
    """

    first: int
    stop: int
    category: str


def find_spans(components: Array, balance: Array, moving: Bools, fps: float) -> tuple[Span, ...]:
    """Find when somebody rests; what lies between two spans is a shift.

    Parameters
    ----------
    components : array of shape (T, K)
        Postures.
    balance : array of shape (T,)
        Where the centre of mass is: -1 over the right foot, 1 over the left.
    moving : bool array of shape (T,)
        Where a foot steps: nobody rests there.
    fps : float
        Frames per second.

    Returns
    -------
    tuple of Span
        In the order of time.
    """
    slow = low_pass(components, fps, 1.0)
    shifting = moving.copy()
    for first, stop in _shifts(slow, fps):
        shifting[first:stop] = True
    return tuple(
        Span(first, stop, _categorise(float(balance[first:stop].mean())))
        for first, stop in runs_of(~shifting, least=SHORTEST * fps)
    )


def _categorise(balance: float) -> str:
    """Category of a mean balance: ``"left"``, ``"right"`` or ``"both"``."""
    if balance > OVER_FOOT:
        return "left"
    return "right" if balance < -OVER_FOOT else "both"


def _change_of_posture(slow: Array, fps: float) -> Array:
    """How far the mean postures before and after each frame differ, shape (T,); 0 near the ends."""
    window = max(1, round(WINDOW * fps))
    gap = round(GAP * fps)
    change = np.zeros(len(slow))
    reach = window + gap
    if len(slow) <= 2 * reach:
        return change
    sums = np.concatenate([np.zeros((1, slow.shape[1])), np.cumsum(slow, axis=0)])
    at = np.arange(reach, len(slow) - reach)
    before = sums[at - gap] - sums[at - reach]
    after = sums[at + reach] - sums[at + gap]
    change[at] = np.linalg.norm(after - before, axis=1) / window
    return change


def _shifts(slow: Array, fps: float) -> list[tuple[int, int]]:
    """Frames of each shift: around the fastest moment near each peak of change."""
    size = float(np.sqrt(np.mean(np.sum((slow - slow.mean(axis=0)) ** 2, axis=1))))
    window = max(1, round(WINDOW * fps))
    change = _change_of_posture(slow, fps)
    usual = float(np.median(change[change > 0])) if (change > 0).any() else 0.0
    limit = max(CHANGE * size, LEAST, USUAL * usual)
    peaks, _ = find_peaks(change, height=limit, distance=window)
    speed = np.linalg.norm(np.gradient(slow, axis=0), axis=1)
    return [_extent(speed, int(peak), window) for peak in peaks]


def _extent(speed: Array, peak: int, window: int) -> tuple[int, int]:
    first = max(0, peak - window)
    stop = min(len(speed), peak + window)
    top = first + int(np.argmax(speed[first:stop]))
    slow = np.flatnonzero(speed[first:stop] < SPEED * speed[top]) + first
    before = slow[slow < top]
    after = slow[slow > top]
    begin = int(before[-1]) + 1 if len(before) else first
    end = int(after[0]) if len(after) else stop
    return begin, end


#: How far up from the hips to the neck the centre of mass is taken to be where arms are unknown.
_UP_THE_TRUNK = 0.3


def compute_balance(recording: Recording) -> Array:
    """Where the centre of mass is: -1 over the right ankle, 1 over the left, shape (T,).

    Parameters
    ----------
    recording : Recording
        Somebody who stands.

    Returns
    -------
    array of shape (T,)
        On the line between the ankles of each frame's stance.
    """
    places = recording.places()
    mass = places.seen(_center(recording))
    which = recording.stance_of()
    feet = np.array([stance.feet for stance in recording.stances])[which]
    across = feet[:, 0, ::2] - feet[:, 1, ::2]
    half = 0.5 * np.maximum(np.linalg.norm(across, axis=1), 1e-3)
    middle = 0.5 * (feet[:, 0, ::2] + feet[:, 1, ::2])
    along = np.sum((mass[:, ::2] - middle) * across, axis=1) / (2.0 * half)
    balance: Array = along / half
    return balance


def _center(recording: Recording) -> Array:
    posed = recording.posed
    try:
        return center_of_mass(posed.positions, posed.roles)
    except InvalidInputError:
        joints = posed.roles.joints
        top = next((joints[r] for r in ("neck", "chest", "spine") if r in joints), joints["hips"])
        hips = posed.positions[:, joints["hips"]]
        return hips + _UP_THE_TRUNK * (posed.positions[:, top] - hips)


#: Frames over which a shift takes over from the rest before it, as a share of its length, and most
#: seconds.
EASE, LONGEST_EASE = 0.25, 0.4


@dataclass(frozen=True, eq=False)
class Shift:
    """A recorded way from one posture to another.

    Parameters
    ----------
    postures : array of shape (n, K)
        Components, seen from a place that goes from the stance before it to the one behind it, as
        a cubic eases; the shift's share of time is the share of the way.
    begin, end : str
        Categories of balance before and after.
    feet : array of shape (n, 2, 3), metres, optional
        Places of both ankles seen from the stance before it, where a foot steps.
    turns : array of shape (n, 2, 4), optional
        Rotations of both feet likewise.
    moved : GroundTransform
        The stance after it, seen from the stance before it.
    """

    postures: Annotated[Array, Shape("n", "K"), NUMBER]
    begin: Category
    end: Category
    feet: Annotated[Array, Shape("n", 2, 3), LENGTH] | None = None
    turns: Annotated[Array, Shape("n", 2, 4), NORMALIZED] | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)
    __setstate__ = restore_read_only

    @property
    def n_frames(self) -> int:
        """How long it takes."""
        return len(self.postures)

    @property
    def steps(self) -> bool:
        """Whether a foot steps."""
        return self.feet is not None


def choose_shift(
    shifts: Sequence[Shift], start: ArrayLike, end: ArrayLike, weights: ArrayLike
) -> int:
    """The shift that fits best between two postures (section 5.4.3).

    Parameters
    ----------
    shifts : sequence of Shift
        At least one.
    start, end : array of shape (K,)
        Postures.
    weights : array of shape (K,)
        Of the components in the distance (equation 4).

    Returns
    -------
    int
        The one whose larger distance, at its first and its last frame, is least.
    """
    weights = np.asarray(weights, float)
    firsts = np.array([shift.postures[0] for shift in shifts])
    lasts = np.array([shift.postures[-1] for shift in shifts])
    at_start = np.sum(weights * (firsts - start) ** 2, axis=1)
    at_end = np.sum(weights * (lasts - end) ** 2, axis=1)
    return int(np.argmin(np.maximum(at_start, at_end)))
