"""What somebody who waits does next: which posture, for how long, and by which shift.

After Egges, Molet & Magnenat-Thalmann (2004, sections 4 and 5). What is kept between two plans is
small, and the same state goes on with the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.idle._variations import NoiseState
from motionloom.idle.learning.spans import CATEGORIES, choose_shift
from motionloom.idle.model import IdleModel, Rest
from motionloom.idle.streams._steps import (
    SAME_STANCE,
    Step,
    Steps,
    find_steps,
    on_side,
    shift_factor,
    step_factor,
    step_to,
)
from motionloom.motion import GroundTransform
from motionloom.options import check_options, option_field
from motionloom.skeleton import restore_read_only
from motionloom.typing import Array, Bools

#: Standard deviation of how much longer or shorter than recorded a posture is kept, as a logarithm.
STAY_SPREAD = 0.25
#: How far a posture is from the recorded one, as a share of how far postures are from each other.
VARIETY = 0.25
#: Least seconds on both feet before and after a step, in which the body comes to stand over them.
LEAST_STAND = 0.4
#: A shift is made slower or faster by up to this factor.
STRETCH = 1.15


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

    liveliness: float = option_field(1.0, "Factor on small variations.", minimum=0, maximum=10)
    restlessness: float = option_field(
        1.0, "Factor on how often the posture shifts.", minimum=0.01, maximum=100
    )

    def __post_init__(self) -> None:
        check_options(self)


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
    came : int, optional
        The model's shift that led here, where a foot stepped.
    """

    rng: dict[str, Any]
    rest: int
    posture: Array
    place: GroundTransform
    feet: Array
    turns: Array
    noise: NoiseState
    came: int | None = None
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
    begin : IdleState
        Posture, stance and feet when the rest begins.
    leave, end : array of shape (K,)
        Postures when the rest ends, and behind the shift, each seen from its stance.
    turns : array of shape (2, 4)
        Rotations of both feet as in `begin`, on the side of the sphere where the shift begins.
    after : Step
        Where they stand behind the shift.
    liveliness : float
        Factor on small variations.
    """

    stay: int
    count: int
    shift: int | None
    begin: IdleState
    leave: Array
    end: Array
    turns: Array
    after: Step
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
    stay = _draw_stay(model, model.rests[state.rest], options, rng)
    # Nobody stands still: the posture creeps while it is kept.
    creep = _vary(model, state.rest, rng) - state.posture
    leave = state.posture + min(1.0, options.liveliness) * creep
    following, shift, step = _draw_way(model, state, leave, rng)
    pace = float(STRETCH ** rng.uniform(-1.0, 1.0))
    posture = _vary(model, following, rng)
    if step is not None or state.came is not None:
        stay = max(stay, round(LEAST_STAND * model.fps))
    plan = Plan(
        stay=stay,
        count=_count_frames(model, shift, (leave, posture), pace, state.feet, step),
        shift=shift,
        begin=state,
        leave=leave,
        end=posture,
        turns=_near(model, shift, state.turns),
        after=step or Step(GroundTransform(), state.feet, state.turns),
        liveliness=options.liveliness,
    )
    came = None if step is None else shift
    after = replace(state, rng=dict(bits.state), rest=following, posture=posture, came=came)
    if step is None:
        return plan, after
    back = step.moved.inverse()
    return plan, replace(
        after,
        place=state.place.compose(step.moved),
        feet=back.apply(step.feet),
        turns=rot.multiply(back.quaternion, step.turns),
    )


def _count_frames(
    model: IdleModel,
    shift: int | None,
    ends: tuple[Array, Array],
    pace: float,
    feet: Array,
    step: Step | None,
) -> int:
    """Frames of a shift between two postures."""
    if shift is None:
        # Nothing was recorded to get there by: two postures a second apart.
        return max(2, round((max(3, round(model.fps)) - 1) * pace) + 1)
    own = model.shifts[shift]
    pace = max(pace, shift_factor(model, own, *ends))
    if step is not None:
        pace = max(pace, step_factor(model, own, feet, step.feet))
    return max(2, round((own.n_frames - 1) * pace) + 1)


def _near(model: IdleModel, shift: int | None, turns: Array) -> Array:
    """Rotations of feet on the side of the sphere where a shift begins."""
    own = None if shift is None else model.shifts[shift].turns
    return turns if own is None else on_side(turns, own[0])


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
    return np.asarray(own.posture + VARIETY * (weights @ apart))


def _stands_like(model: IdleModel, rest: Rest, feet: Array) -> bool:
    """Whether a posture was recorded on feet that stand like these."""
    apart = np.abs(rest.feet - feet)[:, ::2].max()
    return bool(apart <= SAME_STANCE * model.space.leg)


#: The rest that follows, and the shift and step by which somebody gets there.
_Way = tuple[int, int | None, Step | None]


def _draw_way(model: IdleModel, state: IdleState, leave: Array, rng: np.random.Generator) -> _Way:
    """The next posture, among those recorded on feet like these or reached by a recorded step."""
    steps = find_steps(model, state.feet, state.turns, state.rest)
    stepped = np.asarray(steps.usable.any(axis=0))
    stands = np.array([_stands_like(model, rest, state.feet) for rest in model.rests])
    stands[state.rest] = False
    # A shift from a posture of this balance steps as often as in the recording.
    category = model.rests[state.rest].category
    kinds = [shift.steps for shift in model.shifts if shift.begin == category]
    chance = float(np.mean(kinds)) if kinds else 0.0
    steps_now = stepped.any() and (rng.random() < chance or not stands.any())
    following = _draw_rest(model, state, stepped if steps_now else stands, rng)
    if steps_now:
        way = _step_there(model, state, leave, following, steps)
        if way is not None:
            return way
        following = state.rest
    usable = [i for i, shift in enumerate(model.shifts) if not shift.steps]
    shift = _best_shift(model, state, leave, following, usable) if usable else None
    return following, shift, None


def _draw_rest(model: IdleModel, state: IdleState, near: Bools, rng: np.random.Generator) -> int:
    """One of the rests that are near: a category by its probability, then one of its postures.

    Where there is none, the posture is kept.
    """
    if not near.any():
        return state.rest
    kinds = np.array([CATEGORIES.index(rest.category) for rest in model.rests])
    there = np.bincount(kinds[near], minlength=len(CATEGORIES)) > 0
    chances = there * model.transitions[kinds[state.rest]]
    chances = chances if chances.any() else there.astype(float)
    category = int(rng.choice(len(CATEGORIES), p=chances / chances.sum()))
    return int(rng.choice(np.flatnonzero(near & (kinds == category))))


def _step_there(
    model: IdleModel, state: IdleState, leave: Array, following: int, steps: Steps
) -> _Way | None:
    """The step to a rest whose postures fit best, of those that keep the feet together."""
    rows = {int(steps.shifts[row]): int(row) for row in np.flatnonzero(steps.usable[:, following])}
    start = Step(GroundTransform(), state.feet, state.turns)
    while rows:
        chosen = _best_shift(model, state, leave, following, list(rows))
        step = step_to(model, steps, rows.pop(chosen), following, start)
        if step is not None:
            return following, chosen, step
    return None


def _best_shift(
    model: IdleModel, state: IdleState, leave: Array, following: int, usable: list[int]
) -> int:
    """Of some shifts the one that fits best, between the same categories where there is one."""
    end = model.rests[following]
    ends = (model.rests[state.rest].category, end.category)
    same = [i for i in usable if (model.shifts[i].begin, model.shifts[i].end) == ends]
    known = same or usable
    shifts = [model.shifts[i] for i in known]
    return known[choose_shift(shifts, leave, end.posture, model.space.weights)]
