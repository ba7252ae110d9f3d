"""Many characters who wait like one person: what each keeps is some kilobytes in shared arrays.

Legs of somebody who waits, bent so that the feet stand exactly where they should.

First the hips move so that both ankles come as near as they can with the knees as they are: a
nearly straight knee would turn a millimetre at the hips into degrees. They sink where a leg would
be too short still. Then the legs bend.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from motionloom.curves import smoothstep
from motionloom.edit.footlock import find_legs
from motionloom.errors import InvalidInputError
from motionloom.idle._variations import NoiseState
from motionloom.idle.learning.recording import way_share
from motionloom.idle.learning.spans import EASE, LONGEST_EASE, Shift
from motionloom.idle.model import IdleModel, place_on_way
from motionloom.idle.streams._steps import LOOSEN
from motionloom.idle.streams.plans import IdleState, IdleStreamOptions, Plan, plan_piece
from motionloom.motion import GroundTransform, Motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array

#: Seconds over which variations fade before a shift and come back behind it, and what is left of
#: them in between: a recorded shift has its own, and without any the same one would show twice.
FADE, LEFT = 0.4, 0.5
#: Frames that are kept of each character; as in `kernels.waiting`.
_KEPT = 4


class IdleCrowd:
    """Characters who wait like one person, each in their own way, made in one compiled pass.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    states : sequence of IdleState
        Where each begins; see `begin_idle`.
    fps : float, optional
        Frames per second of what is made; those of the model when not given.
    options : IdleStreamOptions, optional
        How lively they are; what is set later counts from the next posture on.
    """

    def __init__(
        self,
        model: IdleModel,
        states: Sequence[IdleState],
        fps: float | None = None,
        options: IdleStreamOptions | None = None,
    ) -> None:
        if fps is not None and not 1.0 <= fps <= 1000.0:
            raise InvalidInputError(f"fps must be from 1 to 1000, got {fps}")
        self.model = model
        self.fps = float(fps or model.fps)
        self.options = options or IdleStreamOptions()
        self._states = list(states)
        self._numbers, self._rows = _numbers_of(model)
        extent = (model.limits.sway, model.limits.hips)
        self._legs = legs_of(self.skeleton, model.space.roles, model.knees, *extent)
        self._arrays = _room_for(model, len(self._states))
        for n, state in enumerate(self._states):
            self._arrays["past"][n] = state.noise.past
            self._arrays["drawn"][n] = (*state.noise.drawn, 0)
            self._plan(n)

    @property
    def skeleton(self) -> Skeleton:
        """Of all characters."""
        return self.model.space.coordinates.skeleton

    @property
    def n_characters(self) -> int:
        """How many wait."""
        return len(self._states)

    @property
    def bytes_each(self) -> int:
        """What is kept in arrays of each character."""
        return sum(array.nbytes for array in self._arrays.values()) // max(1, self.n_characters)

    def frames(self, count: int) -> tuple[Array, Array]:
        """The next frames of all.

        Parameters
        ----------
        count : int
            How many of each.

        Returns
        -------
        rotations : array of shape (N, count, J, 4)
            Of every joint relative to its parent, feet planted.
        places : array of shape (N, count, 3), metres
            Where joint 0 is in the world.
        """
        from motionloom.idle.kernels.waiting import show

        n = self.n_characters
        rotations = np.empty((n, count, self.skeleton.n_joints, 4))
        places = np.empty((n, count, 3))
        done = np.zeros(n, np.int64)
        step = self.model.fps / self.fps
        arrays = tuple(self._arrays.values())
        while True:
            show(self._numbers, self._legs, arrays, step, done, rotations, places)
            ended = np.flatnonzero(done < count)
            if not len(ended):
                return rotations, places
            for character in ended.tolist():
                self._plan(character)

    def kept(self, character: int = 0) -> dict[str, Any]:
        """All that a character's next frames depend on: plain numbers and small arrays.

        Parameters
        ----------
        character : int
            Which.

        Returns
        -------
        dict
            What `resume` takes; layers and gaze are not in it.
        """
        state = self._states[character]
        arrays = {name: array[character].copy() for name, array in self._arrays.items()}
        return {"state": state, "options": self.options, **arrays}

    def resume(self, kept: dict[str, Any], character: int = 0) -> None:
        """Go on as a character that was kept, to the bit.

        Parameters
        ----------
        kept : dict
            From `kept`, of the same model and frame rate.
        character : int
            Who goes on so.

        Raises
        ------
        InvalidInputError
            When it is of another model.
        """
        if any(a.shape[1:] != np.shape(kept[name]) for name, a in self._arrays.items()):
            raise InvalidInputError("what was kept is of another model; resume with its own")
        for name, array in self._arrays.items():
            array[character] = kept[name]
        self._states[character] = kept["state"]
        self.options = kept["options"]

    def _plan(self, character: int) -> None:
        plan, state = plan_piece(self.model, self._states[character], self.options)
        # Variations go on in the arrays.
        self._states[character] = replace(state, noise=_ELSEWHERE)
        _write_plan(self._arrays, character, plan, self._rows)


def idle_motion(model: IdleModel, rotations: Array, places: Array, fps: float) -> Motion:
    """A motion of rotations (T, J, 4) and places (T, 1, 3) of joint 0, called as the person is."""
    skeleton = model.space.coordinates.skeleton
    name = model.person or "idle"
    return Motion(skeleton, rotations, places, 1.0 / fps, translated=(0,), name=name)


_ELSEWHERE = NoiseState(np.zeros((0, 0)), np.zeros(4, np.int64))
_Rows = dict[int | None, tuple[int, int, int]]
_known: WeakKeyDictionary[IdleModel, tuple[tuple[Any, ...], _Rows]] = WeakKeyDictionary()


def _numbers_of(model: IdleModel) -> tuple[tuple[Any, ...], _Rows]:
    """A model as compiled code takes it, and where each shift is: its rows and those of steps."""
    if model not in _known:
        _known[model] = _gather(model)
    return _known[model]


def _gather(model: IdleModel) -> tuple[tuple[Any, ...], _Rows]:
    space = model.space
    ease = (LONGEST_EASE * model.fps, EASE)
    sizes = (*space.origin, space.leg, max(1.0, FADE * model.fps), LEFT, *ease, LOOSEN * model.fps)
    stepping = [shift for shift in model.shifts if shift.steps]
    rows: _Rows = {None: (0, 0, -1)}
    first = step = 0
    for i, shift in enumerate(model.shifts):
        rows[i] = (first, shift.n_frames, step if shift.steps else -1)
        first += shift.n_frames
        step += shift.n_frames if shift.steps else 0
    count = space.n_components
    # Copies, so that compiled code sees one kind of array, whoever the arrays belong to.
    return (
        np.array(space.components, order="C"),
        np.array(space.coordinates.reference),
        np.array(sizes, float),
        model.variations.numbers,
        _rows_of((shift.postures for shift in model.shifts), (count,)),
        _rows_of((shift.feet for shift in stepping), (2, 3)),
        _rows_of((shift.turns for shift in stepping), (2, 4)),
        _rows_of((_ways(shift) for shift in stepping), (2, 2)),
        _rows_of((_middles(shift) for shift in stepping), (3,)),
    ), rows


def _rows_of(parts: Iterable[Array | None], shape: tuple[int, ...]) -> Array:
    given = [np.zeros((0, *shape)), *(part for part in parts if part is not None)]
    return np.concatenate(given)


def _ways(shift: Shift) -> Array | None:
    if shift.feet is None or shift.turns is None:
        return None
    return np.stack([way_share(shift.feet), way_share(shift.turns)], axis=-1)


def _middles(shift: Shift) -> Array | None:
    """Middle between the ankles, seen from the place that the posture is seen from."""
    if shift.feet is None:
        return None
    places = place_on_way(
        GroundTransform(), shift.moved, smoothstep(np.linspace(0.0, 1.0, shift.n_frames))
    )
    return places.inverse().apply(shift.feet.mean(axis=1))


def _room_for(model: IdleModel, n: int) -> dict[str, NDArray[Any]]:
    """Arrays of a crowd by their names, in the order in which compiled code takes them."""
    joints = model.space.coordinates.skeleton.n_joints
    count = model.space.n_components
    shapes = {
        "plan": (10,),
        "stance": (7,),
        "ends": (3, count),
        "feet": (2, 2, 3),
        "turns": (2, 2, 4),
        "past": (model.variations.memory, count),
        "drawn": (5,),
        "rotations": (_KEPT, joints, 4),
        "places": (_KEPT, 1, 3),
        "ankles": (_KEPT, 2, 3),
        "soles": (_KEPT, 2, 4),
        "loose": (_KEPT,),
    }
    whole = ("plan", "drawn")
    return {
        name: np.zeros((n, *shape), np.int64 if name in whole else float)
        for name, shape in shapes.items()
    }


def _write_plan(arrays: dict[str, NDArray[Any]], n: int, plan: Plan, known: _Rows) -> None:
    """The next plan; frames made and shown are counted on."""
    whole = arrays["plan"]
    whole[n, :6] = (plan.stay, plan.count, *known[plan.shift], 0)
    begin = plan.begin
    first, rows, steps = known[begin.came]
    whole[n, 8:] = (-1, -1) if begin.came is None else (first + rows - 1, steps + rows - 1)
    place, moved = begin.place, plan.after.moved
    stance = (place.angle, place.x, place.z)
    arrays["stance"][n] = (*stance, plan.liveliness, moved.angle, moved.x, moved.z)
    arrays["ends"][n] = begin.posture, plan.leave, plan.end
    arrays["feet"][n] = begin.feet, plan.after.feet
    arrays["turns"][n] = plan.turns, plan.after.turns


def legs_of(
    skeleton: Skeleton, roles: Roles, knees: Array, sway: float, lowest: float
) -> tuple[Any, ...]:
    """Both legs of a body, the left one first, as the compiled planting takes them.

    Parameters
    ----------
    skeleton : Skeleton
        Its joint 0 carries the body.
    roles : Roles
        With both legs.
    knees : array of shape (2, 3)
        Axes about which the knees usually bend, in the frames of the thighs.
    sway : float, metres
        Farthest that the root may be from the middle between the ankles, over the ground.
    lowest : float, metres
        Height above the lower ankle below which the root sinks by a centimetre at most, unless a
        leg is too short.

    Returns
    -------
    tuple
        Offsets of joints (J, 3), chains (2, L) from the root down to each ankle, filled up with -1,
        where in these hip, knee and ankle are (2, 3), the axes, and both limits.
    """
    limbs = find_legs(roles)
    legs = [limbs[foot] for foot in ("left_foot", "right_foot")]
    chains = [skeleton.chain(leg.tip) for leg in legs]
    longest = max(map(len, chains))
    ends = [
        [chain.index(joint) for joint in (leg.root, leg.middle, leg.tip)]
        for leg, chain in zip(legs, chains, strict=True)
    ]
    filled = np.array([[*chain, *(-1,) * (longest - len(chain))] for chain in chains])
    # Copies, so that compiled code sees one kind of array, whoever the arrays belong to.
    return np.array(skeleton.offsets), filled, np.array(ends), np.array(knees), (sway, lowest)
