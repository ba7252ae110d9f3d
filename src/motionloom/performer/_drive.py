"""Drive: what gestures add to the body that walks or stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np

from motionloom.motion import GroundTransform
from motionloom.performer._body import Performer
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class HandPath:
    """Where a wrist goes.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    weight : array of shape (T,)
        0 where the arm hangs, 1 where the wrist is at `target`.
    target : array of shape (T, 3), metres
        Where the wrist goes, frame by frame.
    on_chest : bool
        Whether `target` is in the chest's frame (from the mid-point of the shoulders) or in the
        world.
    """

    side: int
    weight: Array
    target: Array
    on_chest: bool = False


@dataclass(frozen=True, eq=False)
class Drive:
    """What gestures add to pelvis, trunk, head and hands over time; T frames.

    Parameters
    ----------
    shift : array of shape (T, 2), metres
        Of the centre of pressure, to the left and ahead.
    pelvis : array of shape (T, 2), radians
        Turn to the left and list (left side up).
    drop : array of shape (T,), metres
        Lowering of the pelvis.
    trunk : array of shape (T, 3), radians
        Turn to the left, forward pitch and roll to the right of the chest.
    head : array of shape (T, 2), radians
        Turn to the left and forward pitch of the head.
    hands : tuple of HandPath
        Paths that wrists follow; none for arms that hang.
    """

    shift: Array
    pelvis: Array
    drop: Array
    trunk: Array
    head: Array
    hands: tuple[HandPath, ...] = ()

    @classmethod
    def none(cls, n: int) -> Drive:
        """Nothing for `n` frames."""
        two = (n, 2)
        return cls(np.zeros(two), np.zeros(two), np.zeros(n), np.zeros((n, 3)), np.zeros(two))

    def plus(self, other: Drive) -> Drive:
        """Both at once."""
        return Drive(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


class Gesture(Protocol):
    """Anything that drives the upper body from a place on the ground."""

    @property
    def start(self) -> float:
        """When it begins, seconds."""
        ...

    def drive(self, performer: Performer, place: GroundTransform, times: Array) -> Drive:
        """Return what it adds at every time.

        Parameters
        ----------
        performer : Performer
            Who performs; lengths scale with the stature.
        place : GroundTransform
            Ground between the feet where the gesture takes place, facing as the body does.
        times : array of shape (T,), seconds
            Of the whole clip.

        Returns
        -------
        Drive
            T frames.
        """
        ...


def combine(
    gestures: Iterable[Gesture],
    performer: Performer,
    places: Iterable[GroundTransform],
    times: Array,
) -> Drive:
    """Sum of all gestures, each at its place.

    Parameters
    ----------
    gestures : iterable of Gesture
        What is done.
    performer : Performer
        Who performs.
    places : iterable of GroundTransform
        Where each gesture takes place.
    times : array of shape (T,), seconds
        Of the whole clip.

    Returns
    -------
    Drive
        T frames; zero without gestures.
    """
    total = Drive.none(len(times))
    for gesture, place in zip(gestures, places, strict=True):
        total = total.plus(gesture.drive(performer, place, times))
    return total
