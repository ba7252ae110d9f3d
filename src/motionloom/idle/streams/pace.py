"""How long a shift takes, so that no joint moves faster or accelerates harder than it may."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from motionloom.idle.learning.shifts import Shift
from motionloom.idle.model import IdleModel
from motionloom.idle.streams.feet import lead_between
from motionloom.posed_motion import pose_motion
from motionloom.typing import Array

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
    fast = _norms(velocity).max(initial=0.0) / max(MOST * model.limits.speed, 1e-9)
    hard = _norms(pull).max(initial=0.0) / max(MOST * model.limits.acceleration, 1e-9)
    return float(max(fast, np.sqrt(hard)))


def _norms(vectors: Array) -> Array:
    norms: Array = np.linalg.norm(vectors, axis=-1)
    return norms


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
    largest: Array = np.linalg.norm(moved, axis=-1).max(axis=0, initial=0.0)
    return largest
