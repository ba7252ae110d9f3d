"""Recorded steps placed on the feet as they stand, so that every step ends in a recorded stance.

How long a shift takes, so that no joint moves faster or accelerates harder than it may.

A step is placed by the foot that stands meanwhile: the stance behind it is that of the rest that
follows, laid so that this foot is where it is. However often somebody steps, the feet stand as they
stood in the recording.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from motionloom import rotations as rot
from motionloom.idle.learning.recording import lead_between, way_share
from motionloom.idle.learning.spans import Shift
from motionloom.idle.model import IdleModel
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion
from motionloom.typing import Array, Bools, Ints

#: A recorded step is taken only on feet that stand like its own within this share of a leg.
SAME_STANCE = 0.03
#: Where none is so near, those within this share are.
LEAST_ALIKE = 0.1
#: What a stance turned by one radian counts as, legs.
TURN = 0.5


@dataclass(frozen=True, eq=False)
class Step:
    """Where a step leads.

    Parameters
    ----------
    moved : GroundTransform
        The stance after it, seen from the stance before it.
    feet : array of shape (2, 3), metres
        Ankles after it, seen from the stance before it.
    turns : array of shape (2, 4)
        Rotations of both feet likewise.
    """

    moved: GroundTransform
    feet: Array
    turns: Array


@dataclass(frozen=True, eq=False)
class Steps:
    """All recorded steps, from feet as they stand to the stances of all rests.

    Parameters
    ----------
    shifts : int array of shape (H,)
        The model's shifts in which a foot steps.
    moved : GroundTransform
        The stance after each, to each rest, seen from the stance before; arrays of shape (H, R).
    feet : array of shape (H, R, 2, 3), metres
        Ankles after it likewise.
    usable : bool array of shape (H, R)
        Where feet begin and end about as recorded, and never too far apart.
    """

    shifts: Ints
    moved: GroundTransform
    feet: Array
    usable: Bools


def find_steps(model: IdleModel, feet: Array, turns: Array, stay: int) -> Steps:
    """Recorded steps that can be taken on feet as they stand.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    feet : array of shape (2, 3), metres
        Ankles, seen from the stance.
    turns : array of shape (2, 4)
        Rotations of both feet likewise.
    stay : int
        The rest that somebody is in, which is not stepped to.

    Returns
    -------
    Steps
        Where no step begins and ends so, those that do least unlike.
    """
    known = _known_of(model)
    moved = _placed(known, feet, turns)
    after = _seen(moved, known.rest_feet)
    after = np.where(known.stands[:, None, :, None], feet, after)
    off = np.maximum(
        _apart(known.begins - feet)[:, None],
        np.maximum(
            _apart(after - known.ends[:, None]),
            TURN * model.space.leg * np.abs(rot.wrap_angle(moved.angle - known.moved.angle)),
        ),
    )
    wide = np.hypot(*np.moveaxis((after[:, :, 0] - after[:, :, 1])[..., ::2], -1, 0))
    off = np.where(wide <= model.limits.width, off, np.inf)
    off[:, stay] = np.inf
    usable = np.asarray(off <= SAME_STANCE * model.space.leg)
    if not usable.any():
        usable = _most_alike(model, known, off, feet, after)
    return Steps(known.shifts, moved, after, usable)


def _most_alike(model: IdleModel, known: _Known, off: Array, feet: Array, after: Array) -> Bools:
    """Steps that are less like the recorded ones, and the first that keeps the feet together."""
    usable = np.asarray(off <= LEAST_ALIKE * model.space.leg)
    for at in np.argsort(off, axis=None, kind="stable")[: np.isfinite(off).sum()].tolist():
        row, rest = divmod(at, off.shape[1])
        tracks = model.shifts[int(known.shifts[row])].feet
        if tracks is not None and _widest(tracks, feet, after[row, rest]) <= model.limits.width:
            usable[row, rest] = True
            break
    return usable


def _widest(tracks: Array, start: Array, end: Array) -> float:
    """Largest distance between both ankles over the ground on the way from feet to feet."""
    led = lead_between(tracks, start, end)
    return float(np.hypot(*(led[:, 0] - led[:, 1])[:, ::2].T).max())


def step_to(model: IdleModel, steps: Steps, row: int, rest: int, start: Step) -> Step | None:
    """A step as it is taken.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    steps : Steps
        From `find_steps`.
    row : int
        Which of them.
    rest : int
        The rest that follows.
    start : Step
        Where the feet stand before it.

    Returns
    -------
    Step or None
        None where feet would be farther apart on their way than they ever were in the recording.
    """
    shift = model.shifts[int(steps.shifts[row])]
    if shift.feet is None or shift.turns is None:
        return None
    feet = steps.feet[row, rest]
    if _widest(shift.feet, start.feet, feet) > model.limits.width:
        return None
    moved = GroundTransform(*(float(v[row, rest]) for v in _numbers(steps.moved)))
    stands = way_share(shift.feet)[-1] == 0.0
    turned = rot.multiply(moved.quaternion, model.rests[rest].turns)
    turns = np.where(stands[:, None], start.turns, turned)
    return Step(moved, feet, on_side(turns, shift.turns[-1]))


def on_side(turns: Array, like: Array) -> Array:
    """Rotations (..., 4) on the side of the sphere where others are."""
    return np.asarray(np.where(np.sum(like * turns, axis=-1, keepdims=True) < 0, -turns, turns))


@dataclass(frozen=True, eq=False)
class _Known:
    """Stances before and behind all recorded steps, and those of all rests."""

    shifts: Ints
    begins: Array
    ends: Array
    stands: Bools
    moved: GroundTransform
    rest_feet: Array
    rest_turns: Array


_known: WeakKeyDictionary[IdleModel, _Known] = WeakKeyDictionary()


def _known_of(model: IdleModel) -> _Known:
    if model not in _known:
        _known[model] = _gather(model)
    return _known[model]


def _gather(model: IdleModel) -> _Known:
    tracks = [(i, s.feet, s.moved) for i, s in enumerate(model.shifts) if s.feet is not None]
    moved = np.array([_numbers(place) for _, _, place in tracks], float).reshape(-1, 3)
    return _Known(
        shifts=np.array([i for i, _, _ in tracks], int),
        begins=np.array([feet[0] for _, feet, _ in tracks]).reshape(-1, 2, 3),
        ends=np.array([feet[-1] for _, feet, _ in tracks]).reshape(-1, 2, 3),
        stands=(np.array([way_share(feet)[-1] for _, feet, _ in tracks]) == 0.0).reshape(-1, 2),
        moved=GroundTransform(*moved.T[:, :, None]),
        rest_feet=np.array([rest.feet for rest in model.rests]),
        rest_turns=np.array([rest.turns for rest in model.rests]),
    )


def _placed(known: _Known, feet: Array, turns: Array) -> GroundTransform:
    """The stance after every step to every rest: on the foot that stands, else as recorded."""
    foot = np.argmax(known.stands, axis=1)
    turned = rot.multiply(turns, rot.conjugate(known.rest_turns))
    angle = 2.0 * np.arctan2(turned[..., 2], turned[..., 0]).T[foot]
    stood = known.rest_feet.transpose(1, 0, 2)[foot]
    about = GroundTransform(angle).apply(stood)
    there = feet[foot][:, None] - about
    stands = np.asarray(known.stands.any(axis=1))[:, None]
    own = known.moved
    return GroundTransform(
        np.where(stands, angle, own.angle),
        np.where(stands, there[..., 0], own.x),
        np.where(stands, there[..., 2], own.z),
    )


def _seen(moved: GroundTransform, feet: Array) -> Array:
    """Feet (R, 2, 3) of stances at places (H, R), shape (H, R, 2, 3)."""
    places = GroundTransform(*(v[..., None] for v in _numbers(moved)))
    return places.apply(feet)


def _apart(off: Array) -> Array:
    """Larger distance over the ground of both feet, shape (...)."""
    return np.asarray(np.hypot(off[..., 0], off[..., 2]).max(axis=-1))


def _numbers(place: GroundTransform) -> tuple[Array, Array, Array]:
    return place.angle, place.x, place.z


#: Speed and acceleration of a fitted shift, as a share of the recording's largest; small variations
#: come on top.
MOST = 1.2
#: Peaks of the slope and the second derivative of ``u u (3 - 2 u)``, by which offsets are led over.
SLOPE, CURVE = 1.5, 6.0
#: Most seconds over which the body is led to its recorded place above the feet before a step, and
#: back behind it.
LOOSEN = 0.8
#: A small step along a component, for differences.
_SMALL = 1e-4


def shift_factor(model: IdleModel, shift: Shift, start: Array, end: Array) -> float:
    """How many times as long as recorded a shift must take at least between two postures.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    shift : Shift
        One of the model's.
    start, end : array of shape (K,)
        Postures that it is fitted to.

    Returns
    -------
    float
        To first order about the neutral posture; less than 1 where it may be quicker.
    """
    moves = _moves_of(model)
    speed, acceleration = _recorded(model, shift, moves)
    seconds = (shift.n_frames - 1) / model.fps
    off = (end - shift.postures[-1]) - (start - shift.postures[0])
    led = np.linalg.norm(moves @ off, axis=-1)
    limits = model.limits
    fast = speed + SLOPE * led / seconds
    hard = acceleration + CURVE * led / seconds**2
    return max(
        float(fast.max()) / max(MOST * limits.speed, 1e-9),
        float(np.sqrt(hard.max() / max(MOST * limits.acceleration, 1e-9))),
    )


def step_factor(model: IdleModel, shift: Shift, start: Array, end: Array) -> float:
    """How many times as long as recorded a step must take at least on other feet.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    shift : Shift
        One of the model's.
    start, end : array of shape (2, 3), metres
        Ankles before and after it, seen from the stance before it.

    Returns
    -------
    float
        Less than 1 where it may be quicker; 0 where no foot steps.
    """
    if shift.feet is None:
        return 0.0
    velocity = np.diff(lead_between(shift.feet, start, end), axis=0) * model.fps
    pull = np.diff(velocity, axis=0) * model.fps
    limits = model.limits
    fast = np.linalg.norm(velocity, axis=-1).max(initial=0.0) / max(MOST * limits.speed, 1e-9)
    hard = np.linalg.norm(pull, axis=-1).max(initial=0.0) / max(MOST * limits.acceleration, 1e-9)
    return float(max(fast, np.sqrt(hard)))


_moves: WeakKeyDictionary[IdleModel, Array] = WeakKeyDictionary()
_rates: WeakKeyDictionary[Shift, tuple[Array, Array]] = WeakKeyDictionary()


def _moves_of(model: IdleModel) -> Array:
    """How joints move with each component about the neutral posture, shape (J, 3, K), metres."""
    if model not in _moves:
        space = model.space
        around = _SMALL * np.concatenate([np.eye(space.n_components), -np.eye(space.n_components)])
        posed = pose_motion(space.to_motion(around, 1.0), space.roles)
        ahead, behind = np.split(posed.positions, 2)
        _moves[model] = np.moveaxis((ahead - behind) / (2.0 * _SMALL), 0, -1)
    return _moves[model]


def _recorded(model: IdleModel, shift: Shift, moves: Array) -> tuple[Array, Array]:
    """Largest speed and acceleration of every joint in a shift as it was recorded, (J,) each."""
    if shift not in _rates:
        velocity = np.diff(shift.postures, axis=0) * model.fps
        pull = np.diff(velocity, axis=0) * model.fps
        _rates[shift] = _largest(velocity, moves), _largest(pull, moves)
    return _rates[shift]


def _largest(rates: Array, moves: Array) -> Array:
    """Largest of every joint, shape (J,), where components change by `rates` (T, K)."""
    moved = np.einsum("jck,tk->tjc", moves, rates)
    return np.asarray(np.linalg.norm(moved, axis=-1).max(axis=0, initial=0.0))
