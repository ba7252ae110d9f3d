"""What somebody who waits does next: which posture, for how long, and by which shift.

After Egges, Molet & Magnenat-Thalmann (2004, sections 4 and 5). What is kept between two plans is
small, and the same state goes on with the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.idle.learning.recording import placed_at
from motionloom.idle.learning.shifts import Shift, choose_shift
from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.model import IdleModel, Rest
from motionloom.idle.streams.feet import way_share
from motionloom.idle.variations import NoiseState
from motionloom.motion import GroundTransform
from motionloom.skeleton import restore_read_only

Array = NDArray[np.float64]

#: Standard deviation of how much longer or shorter than recorded a posture is kept, as a logarithm.
STAY_SPREAD = 0.25
#: How far a posture is from the recorded one, as a share of how far postures are from each other.
VARIETY = 0.25
#: A shift is made slower or faster by up to this factor.
STRETCH = 1.15
#: Feet that stand like those of another posture within this share of a leg need no step.
SAME_STANCE = 0.1


@dataclass(frozen=True)
class IdleStreamOptions:
    """How lively somebody waits.

    Parameters
    ----------
    liveliness : float
        Factor on small variations.
    restlessness : float
        Factor on how often the posture shifts.
    """

    liveliness: float = 1.0
    restlessness: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.liveliness <= 10.0:
            raise InvalidInputError(f"liveliness must be from 0 to 10, got {self.liveliness}")
        if not 0.01 <= self.restlessness <= 100.0:
            raise InvalidInputError(
                f"restlessness must be from 0.01 to 100, got {self.restlessness}"
            )


@dataclass(frozen=True, eq=False)
class IdleState:
    """What is known between two pieces.

    Parameters
    ----------
    rng : dict
        State of the random generator.
    rest : int
        The resting posture that is kept next, of those recorded.
    posture : array of shape (K,)
        What comes of it this time.
    place : GroundTransform
        Stance in the world.
    feet : array of shape (2, 3), metres
        Places of both ankles, seen from the stance.
    turns : array of shape (2, 4)
        Rotations of both feet, seen from the stance.
    noise : NoiseState
        What the small variations go on from.
    """

    rng: dict[str, Any]
    rest: int
    posture: Array
    place: GroundTransform
    feet: Array
    turns: Array
    noise: NoiseState
    __setstate__ = restore_read_only


@dataclass(frozen=True, eq=False)
class Plan:
    """One rest and the shift that ends it.

    Parameters
    ----------
    stay : int
        Frames at rest, at the model's rate.
    count : int
        Frames of the shift; its last is the first of the next rest.
    shift : int or None
        Which of the model's; None where none was recorded.
    start, leave, end : array of shape (K,)
        Postures when the rest begins, when it ends, and behind the shift, seen from the stance
        before it.
    place : GroundTransform
        That stance.
    feet : array of shape (2, 3), metres
        Places of both ankles before it, seen from the stance.
    turns : array of shape (2, 4)
        Rotations of both feet likewise.
    liveliness : float
        Factor on small variations.
    """

    stay: int
    count: int
    shift: int | None
    start: Array
    leave: Array
    end: Array
    place: GroundTransform
    feet: Array
    turns: Array
    liveliness: float

    @property
    def n_frames(self) -> int:
        """Frames up to the next plan's first."""
        return self.stay + self.count - 1


def begin_idle(model: IdleModel, seed: int = 0, place: GroundTransform | None = None) -> IdleState:
    """State in which somebody begins to wait.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    seed : int
        The same seed gives the same motion.
    place : GroundTransform, optional
        Where they stand; at the origin, facing +Z, when not given.

    Returns
    -------
    IdleState
    """
    rng = np.random.default_rng(seed)
    stays = np.array([rest.stay for rest in model.rests])
    first = int(rng.choice(len(stays), p=stays / stays.sum()))
    noise = model.variations.begin(rng)
    rest = model.rests[first]
    return IdleState(
        rng=dict(rng.bit_generator.state),
        rest=first,
        posture=_vary(model, first, rng),
        place=place or GroundTransform(),
        feet=rest.feet,
        turns=rest.turns,
        noise=noise,
    )


def plan_piece(
    model: IdleModel, state: IdleState, options: IdleStreamOptions
) -> tuple[Plan, IdleState]:
    """What is done next.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    state : IdleState
        From `begin_idle` or the last plan.
    options : IdleStreamOptions
        How lively.

    Returns
    -------
    plan : Plan
    state : IdleState
        Behind the plan, but for the small variations, which are those before it.
    """
    bits: Any = np.random.PCG64(0)
    bits.state = state.rng
    rng = np.random.Generator(bits)
    rest = model.rests[state.rest]
    stay = _draw_stay(model, rest, options, rng)
    following = _draw_rest(model, state, rng)
    steps = _draw_steps(model, state, following, rng)
    # Nobody stands still: the posture creeps while it is kept.
    creep = _vary(model, state.rest, rng) - state.posture
    leave = state.posture + min(1.0, options.liveliness) * creep
    pace = float(STRETCH ** rng.uniform(-1.0, 1.0))
    chosen = _pick_shift(model, state, leave, following, steps)
    shift = None if chosen is None else model.shifts[chosen]
    # Where nothing was recorded to get there by: two postures a second apart.
    frames = max(3, round(model.fps)) if shift is None else shift.n_frames
    posture = target = _vary(model, following, rng)
    near = state.turns
    if shift is not None and shift.turns is not None:
        target = _seen_before(model, target, shift)
        near = np.sign(np.sum(shift.turns[0] * near, axis=-1, keepdims=True)) * near
    plan = Plan(
        stay=stay,
        count=max(2, round((frames - 1) * pace) + 1),
        shift=chosen,
        start=state.posture,
        leave=leave,
        end=target,
        place=state.place,
        feet=state.feet,
        turns=near,
        liveliness=options.liveliness,
    )
    after = replace(state, rng=dict(bits.state), rest=following, posture=posture)
    return plan, after if shift is None else _stepped(after, shift)


def _stepped(state: IdleState, shift: Shift) -> IdleState:
    """Where somebody stands behind a shift."""
    if shift.feet is None or shift.turns is None:
        return state
    near = np.sign(np.sum(shift.turns[0] * state.turns, axis=-1, keepdims=True)) * state.turns
    feet = _behind(shift.feet, state.feet)
    turns = rot.normalize(_behind(shift.turns, near))
    back = shift.moved.inverse()
    return replace(
        state,
        place=state.place.compose(shift.moved),
        feet=back.apply(feet),
        turns=rot.multiply(back.quaternion, turns),
    )


def _behind(tracks: Array, start: Array) -> Array:
    """Where tracks end that are begun elsewhere; see `feet.lead_from`."""
    stands = way_share(tracks)[-1] == 0.0
    ended: Array = tracks[-1] + np.where(stands[:, None], start - tracks[0], 0.0)
    return ended


def _draw_stay(
    model: IdleModel, rest: Rest, options: IdleStreamOptions, rng: np.random.Generator
) -> int:
    """Frames that a posture is kept, within what its category shows."""
    stays = model.stays(rest.category)
    drawn = rest.stay * float(np.exp(STAY_SPREAD * rng.standard_normal()))
    kept = float(np.clip(drawn, stays.min(), stays.max()))
    return max(1, round(kept / options.restlessness * model.fps))


def _vary(model: IdleModel, rest: int, rng: np.random.Generator) -> Array:
    """A posture like a recorded one: nobody comes back to the same.

    What is added is drawn from how postures on the same feet differ, so that joints stay together.
    """
    own = model.rests[rest]
    others = [other for other in model.rests if _stands_like(model, other, own.feet)]
    apart = np.array([other.posture for other in others])
    apart -= apart.mean(axis=0)
    weights = rng.standard_normal(len(others)) / np.sqrt(len(others))
    varied: Array = own.posture + VARIETY * (weights @ apart)
    return varied


def _draw_rest(model: IdleModel, state: IdleState, rng: np.random.Generator) -> int:
    """The next posture: a category by its probability, then one of its postures."""
    current = model.rests[state.rest].category
    chances = model.transitions[CATEGORIES.index(current)]
    category = CATEGORIES[int(rng.choice(len(CATEGORIES), p=chances))]
    steppable = any(shift.steps for shift in model.shifts)
    others = [
        (i, rest)
        for i, rest in enumerate(model.rests)
        if rest.category == category and i != state.rest
    ]
    near = [i for i, rest in others if steppable or _stands_like(model, rest, state.feet)]
    return int(rng.choice(near)) if near else state.rest


def _stands_like(model: IdleModel, rest: Rest, feet: Array) -> bool:
    """Whether a posture was recorded on feet that stand like these."""
    apart = np.abs(rest.feet - feet)[:, ::2].max()
    return bool(apart <= SAME_STANCE * model.space.leg)


def _draw_steps(
    model: IdleModel, state: IdleState, following: int, rng: np.random.Generator
) -> bool:
    """Whether the next shift steps: as often as recorded, and wherever the feet stand otherwise."""
    category = model.rests[state.rest].category
    kinds = [shift.steps for shift in model.shifts if shift.begin == category]
    chance = float(np.mean(kinds)) if kinds else 0.0
    drawn = bool(rng.random() < chance)
    return drawn or not _stands_like(model, model.rests[following], state.feet)


def _pick_shift(
    model: IdleModel, state: IdleState, leave: Array, following: int, steps: bool
) -> int | None:
    """The shift that fits best, of those between the categories where there are any."""
    start = model.rests[state.rest]
    end = model.rests[following]
    known = list(enumerate(model.shifts))
    of_kind = [i for i, shift in known if shift.steps == steps]
    usable = of_kind or [i for i, shift in known if not shift.steps]
    ends = (start.category, end.category)
    same = [i for i in usable if (model.shifts[i].begin, model.shifts[i].end) == ends]
    usable = same or usable
    if not usable:
        return None
    shifts = [model.shifts[i] for i in usable]
    return usable[choose_shift(shifts, leave, end.posture, model.space.weights)]


def _seen_before(model: IdleModel, posture: Array, shift: Shift) -> Array:
    """A posture on the stance behind a shift, seen from the one before it."""
    alone = model.space.to_motion(posture[None], 1.0 / model.fps)
    place = GroundTransform(*(np.full(1, v) for v in _numbers_of(shift.moved)))
    moved: Array = model.space.to_components(placed_at(alone, place))[0]
    return moved


def _numbers_of(place: GroundTransform) -> tuple[float, float, float]:
    return place.angle, place.x, place.z
