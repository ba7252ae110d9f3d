"""How a person waits, in a body of another size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.idle.learning.shifts import Shift
from motionloom.idle.model import IdleModel, Rest
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion

#: Sizes of a body that are taken for a person's, metres.
SHORTEST, TALLEST = 0.4, 3.0


def height_of(model: IdleModel) -> float:
    """How high the body reaches in the person's mean posture, metres."""
    space = model.space
    neutral = space.to_motion(np.zeros((1, space.n_components)), 1.0 / model.fps)
    posed = pose_motion(neutral, space.roles)
    return float(np.concatenate([posed.positions[0], posed.end_sites[0]])[:, 1].max())


def set_height(model: IdleModel, height: float) -> IdleModel:
    """The person in a body that reaches so high when they wait.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    height : float, metres
        From the ground to the top of the head.

    Returns
    -------
    IdleModel

    Raises
    ------
    InvalidInputError
        When nobody is of that height.
    """
    if not SHORTEST <= height <= TALLEST:
        raise InvalidInputError(
            f"a body is from {SHORTEST:g} to {TALLEST:g} m high, got {height:g}"
        )
    return resize_idle(model, height / height_of(model))


def resize_idle(model: IdleModel, factor: float) -> IdleModel:
    """The person in a body whose bones are so many times as long.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    factor : float
        On all lengths; angles and times stay.

    Returns
    -------
    IdleModel
    """
    if factor == 1.0:
        return model
    space = model.space
    skeleton = space.coordinates.skeleton
    bones = replace(
        skeleton,
        offsets=factor * skeleton.offsets,
        end_offsets=factor * skeleton.end_offsets,
    )
    sized = replace(
        space,
        coordinates=replace(space.coordinates, skeleton=bones),
        origin=factor * space.origin,
        leg=factor * space.leg,
    )
    return replace(
        model,
        space=sized,
        limits=model.limits.scaled(factor),
        rests=tuple(_rest(rest, factor) for rest in model.rests),
        shifts=tuple(_shift(shift, factor) for shift in model.shifts),
    )


def _rest(rest: Rest, factor: float) -> Rest:
    return replace(rest, feet=factor * rest.feet)


def _shift(shift: Shift, factor: float) -> Shift:
    moved = GroundTransform(shift.moved.angle, factor * shift.moved.x, factor * shift.moved.z)
    feet = None if shift.feet is None else factor * shift.feet
    return replace(shift, feet=feet, moved=moved)
