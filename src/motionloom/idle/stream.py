"""Idle motion without end: shifts between resting postures, and small variations on top.

After Egges, Molet & Magnenat-Thalmann (2004, sections 4 and 5). Motion is made piece by piece: one
rest and the shift that ends it. What is kept between two pieces is small, and the same state goes
on with the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.idle.feet import lead_from, plant_feet
from motionloom.idle.layers import Layer, apply_layers, make_layer
from motionloom.idle.model import IdleModel, Rest
from motionloom.idle.recording import placed_at
from motionloom.idle.shifts import Shift, choose_shift, fit_shift, stretch_shift
from motionloom.idle.spans import CATEGORIES
from motionloom.idle.upsample import sample_places, sample_turns
from motionloom.motion import GroundTransform, Motion
from motionloom.skeleton import restore_read_only

Array = NDArray[np.float64]

#: Standard deviation of how much longer or shorter than recorded a posture is kept, as a logarithm.
STAY_SPREAD = 0.25
#: Seconds over which variations fade before a shift and come back behind it, and what is left of
#: them in between: a recorded shift has its own, and without any the same one would show twice.
FADE, LEFT = 0.4, 0.5
#: A shift is made slower or faster by up to this factor.
STRETCH = 1.15
#: Feet that stand like those of another posture within this share of a leg need no step.
SAME_STANCE = 0.1
#: Frames before the first and behind the last that in-between frames are made from.
_AROUND = 2


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
        The resting posture that is kept next.
    place : GroundTransform
        Stance in the world.
    feet : array of shape (2, 3), metres
        Places of both ankles, seen from the stance.
    turns : array of shape (2, 4)
        Rotations of both feet, seen from the stance.
    noise : array of shape (P, K)
        Last values of the small variations.
    """

    rng: dict[str, object]
    rest: int
    place: GroundTransform
    feet: Array
    turns: Array
    noise: Array
    __setstate__ = restore_read_only


@dataclass(frozen=True, eq=False)
class Piece:
    """One rest and the shift that ends it, in the world, at the model's frame rate.

    Parameters
    ----------
    motion : Motion
        Before the feet are planted.
    feet : array of shape (n, 2, 3), metres
        Places of both ankles.
    turns : array of shape (n, 2, 4)
        Rotations of both feet.
    stay : int
        Frames before the shift begins.
    """

    motion: Motion
    feet: Array
    turns: Array
    stay: int = 0


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
        place=place or GroundTransform(),
        feet=rest.feet,
        turns=rest.turns,
        noise=noise,
    )


def next_piece(
    model: IdleModel, state: IdleState, options: IdleStreamOptions | None = None
) -> tuple[Piece, IdleState]:
    """The next rest and the shift that ends it.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    state : IdleState
        From `begin_idle` or the last piece.
    options : IdleStreamOptions, optional
        How lively.

    Returns
    -------
    piece : Piece
        It ends one frame before the next one begins.
    state : IdleState
        For the next piece.
    """
    options = options or IdleStreamOptions()
    rng = np.random.default_rng()
    rng.bit_generator.state = state.rng
    rest = model.rests[state.rest]
    stay = _draw_stay(model, rest, options, rng)
    following = _draw_rest(model, state, rng)
    steps = _draw_steps(model, state, following, rng)
    pace = float(STRETCH ** rng.uniform(-1.0, 1.0))
    shift = stretch_shift(_pick_shift(model, state, following, steps), pace)
    target = model.rests[following].posture
    if shift.steps:
        target = _seen_before(model, target, shift)
    fitted = fit_shift(shift, rest.posture, target, model.fps)[:-1]
    hold = np.tile(rest.posture, (stay, 1))
    base = np.concatenate([hold, fitted])
    noise = model.variations.go_on(state.noise, len(base), rng)
    weight = options.liveliness * _fade(stay, len(fitted), model.fps)
    motion = model.space.to_motion(base + weight[:, None] * noise, 1.0 / model.fps)
    feet, turns = _foot_tracks(state, shift, stay)
    place = state.place
    piece = Piece(
        placed_at(motion, _everywhere(place, len(base))),
        place.apply(feet[:-1]),
        rot.multiply(place.quaternion, turns[:-1]),
        stay,
    )
    after = place.compose(shift.moved)
    back = shift.moved.inverse()
    stood = (feet[-1], turns[-1])
    if shift.steps:
        stood = (back.apply(feet[-1]), rot.multiply(back.quaternion, turns[-1]))
    new = IdleState(
        rng=dict(rng.bit_generator.state),
        rest=following,
        place=after if shift.steps else place,
        feet=stood[0],
        turns=stood[1],
        noise=np.concatenate([state.noise, noise])[-model.variations.memory :],
    )
    return piece, new


def _draw_stay(
    model: IdleModel, rest: Rest, options: IdleStreamOptions, rng: np.random.Generator
) -> int:
    """Frames that a posture is kept, within what its category shows."""
    stays = model.stays(rest.category)
    drawn = rest.stay * float(np.exp(STAY_SPREAD * rng.standard_normal()))
    kept = float(np.clip(drawn, stays.min(), stays.max()))
    return max(1, round(kept / options.restlessness * model.fps))


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
    near = [i for i, rest in others if steppable or _stands(model, rest, state)]
    return int(rng.choice(near)) if near else state.rest


def _stands(model: IdleModel, rest: Rest, state: IdleState) -> bool:
    """Whether a posture was recorded on feet that stand like these."""
    apart = np.abs(rest.feet - state.feet)[:, ::2].max()
    return bool(apart <= SAME_STANCE * model.space.leg)


def _draw_steps(
    model: IdleModel, state: IdleState, following: int, rng: np.random.Generator
) -> bool:
    """Whether the next shift steps: as often as recorded, and wherever the feet stand otherwise."""
    category = model.rests[state.rest].category
    kinds = [shift.steps for shift in model.shifts if shift.begin == category]
    chance = float(np.mean(kinds)) if kinds else 0.0
    drawn = bool(rng.random() < chance)
    return drawn or not _stands(model, model.rests[following], state)


def _pick_shift(model: IdleModel, state: IdleState, following: int, steps: bool) -> Shift:
    start = model.rests[state.rest]
    end = model.rests[following]
    of_kind = [shift for shift in model.shifts if shift.steps == steps]
    usable = of_kind or [shift for shift in model.shifts if not shift.steps]
    same = [s for s in usable if (s.begin, s.end) == (start.category, end.category)]
    usable = same or usable
    if not usable:
        # Nothing was recorded to get there by: two postures a second apart.
        ends = np.stack([start.posture, end.posture])
        u = np.linspace(0.0, 1.0, max(3, round(model.fps)))[:, None]
        return Shift(ends[0] + u * (ends[1] - ends[0]), start.category, end.category)
    return usable[choose_shift(usable, start.posture, end.posture, model.space.weights)]


def _seen_before(model: IdleModel, posture: Array, shift: Shift) -> Array:
    """A posture on the stance behind a shift, seen from the one before it."""
    alone = model.space.to_motion(posture[None], 1.0 / model.fps)
    moved: Array = model.space.to_components(placed_at(alone, _everywhere(shift.moved, 1)))[0]
    return moved


def _everywhere(place: GroundTransform, n_frames: int) -> GroundTransform:
    return GroundTransform(*(np.full(n_frames, v) for v in (place.angle, place.x, place.z)))


def _fade(stay: int, shifting: int, fps: float) -> Array:
    """Weight of the variations: 1 at rest, `LEFT` within a shift, shape (stay + shifting,)."""
    n = stay + shifting
    reach = max(1.0, FADE * fps)
    from_rest = np.maximum(np.arange(n) - (stay - 1), 0) / reach
    to_rest = (n - np.arange(n)) / reach
    least = 1.0 - np.minimum(from_rest, 1.0)
    back = 1.0 - np.minimum(to_rest, 1.0)
    u = np.where(np.arange(n) < stay, 1.0, np.maximum(least, back))
    weight: Array = LEFT + (1.0 - LEFT) * u * u * (3.0 - 2.0 * u)
    return weight


def _foot_tracks(state: IdleState, shift: Shift, stay: int) -> tuple[Array, Array]:
    """Places and rotations of both feet seen from the stance, until the shift's last frame."""
    n = stay + shift.n_frames
    if shift.feet is None or shift.turns is None:
        return np.tile(state.feet, (n, 1, 1)), np.tile(state.turns, (n, 1, 1))
    feet = lead_from(shift.feet, state.feet)
    near = np.sign(np.sum(shift.turns[0] * state.turns, axis=-1, keepdims=True))
    turns = rot.normalize(lead_from(shift.turns, near * state.turns))
    return (
        np.concatenate([np.tile(state.feet, (stay, 1, 1)), feet]),
        np.concatenate([np.tile(near * state.turns, (stay, 1, 1)), turns]),
    )


class IdleStream:
    """Idle motion frame by frame, at any frame rate.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    fps : float, optional
        Frames per second of what is made; those of the model when not given.
    state : IdleState, optional
        Where to begin; `begin_idle` with seed 0 when not given.
    options : IdleStreamOptions, optional
        How lively.
    """

    def __init__(
        self,
        model: IdleModel,
        fps: float | None = None,
        state: IdleState | None = None,
        options: IdleStreamOptions | None = None,
    ) -> None:
        if fps is not None and not 1.0 <= fps <= 1000.0:
            raise InvalidInputError(f"fps must be from 1 to 1000, got {fps}")
        self.model = model
        self.fps = float(fps or model.fps)
        self.options = options or IdleStreamOptions()
        self.state = begin_idle(model) if state is None else state
        #: Frame that comes next, counted from the first.
        self.frame = 0
        self._layers: list[Layer] = []
        self._first = 0
        self._made = _nothing(model)

    def frames(self, count: int) -> Motion:
        """The next frames.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        Motion
            In the world, feet planted.
        """
        times: Array = (self.frame + np.arange(count, dtype=float)) * (self.model.fps / self.fps)
        need = int(np.ceil(times[-1])) + _AROUND + 1 if count else 0
        while self._first + self._made.motion.n_frames < need:
            piece, self.state = next_piece(self.model, self.state, self.options)
            self._made = _joined(self._made, piece)
        at: Array = times - float(self._first)
        made = self._made
        feet = sample_places(made.feet, at)
        turns = sample_turns(made.turns, at)
        motion = replace(
            made.motion,
            rotations=sample_turns(made.motion.rotations, at),
            translations=sample_places(made.motion.translations, at),
            frame_time=1.0 / self.fps,
            name=self.model.person or "idle",
        )
        motion = apply_layers(motion, self.frame, self._layers, self.model.space)
        self.frame += count
        self._layers = [layer for layer in self._layers if layer.end > self.frame]
        self._forget(self.frame * (self.model.fps / self.fps))
        roles = self.model.space.roles
        return plant_feet(motion, roles, feet, turns, self.model.knees).motion

    def play(
        self,
        clip: Motion,
        joints: Sequence[str] | None = None,
        *,
        at: float = 0.0,
        priority: int = 0,
        ease: float = 0.4,
        spread: bool = True,
    ) -> Layer:
        """Play a clip over the idle motion.

        Parameters
        ----------
        clip : Motion
            It has the joints of the model's skeleton, by name.
        joints : sequence of str, optional
            Names or roles of the joints that it sets; all but hips and legs when not given.
        at : float, seconds
            How long after the next frame it begins.
        priority : int
            Layers of a higher priority lie over those of a lower one.
        ease : float, seconds
            How long it comes and goes.
        spread : bool
            Whether the other joints go along.

        Returns
        -------
        Layer
            What `stop` takes.

        Raises
        ------
        InvalidInputError
            When the clip lacks joints, hips or legs are to be set, or a time is negative.
        """
        if not (0.0 <= at < 1e6 and 0.0 <= ease < 1e6):
            raise InvalidInputError(f"times must be from 0 s on, got {at} and {ease}")
        begin = self.frame + round(at * self.fps)
        layer = make_layer(clip, self.model.space, self.fps, begin, joints, priority, ease, spread)
        self._layers.append(layer)
        return layer

    def stop(self, layer: Layer, ease: float = 0.4) -> None:
        """Let a layer go before its end; one that has ended is passed over.

        Parameters
        ----------
        layer : Layer
            What `play` gave.
        ease : float, seconds
            How long it takes to go.
        """
        frames = max(1, round(ease * self.fps))
        stopped = replace(layer, ease_out=frames, stop=self.frame + frames)
        self._layers = [stopped if own is layer else own for own in self._layers]

    def _forget(self, time: float) -> None:
        """Drop frames that nothing will be made from again."""
        past = max(0, int(time) - _AROUND - self._first)
        past = min(past, self._made.motion.n_frames)
        made = self._made
        self._made = Piece(
            made.motion.cut(past, made.motion.n_frames), made.feet[past:], made.turns[past:]
        )
        self._first += past


def _nothing(model: IdleModel) -> Piece:
    empty = model.space.to_motion(np.zeros((1, model.space.n_components)), 1.0 / model.fps)
    return Piece(empty.cut(0, 0), np.zeros((0, 2, 3)), np.zeros((0, 2, 4)))


def _joined(before: Piece, after: Piece) -> Piece:
    rotations = np.concatenate([before.motion.rotations, after.motion.rotations])
    places = np.concatenate([before.motion.translations, after.motion.translations])
    return Piece(
        replace(after.motion, rotations=rot.unroll(rotations), translations=places),
        np.concatenate([before.feet, after.feet]),
        rot.unroll(np.concatenate([before.turns, after.turns])),
    )
