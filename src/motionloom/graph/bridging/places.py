"""Where a body gets while it changes from one way of moving to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.travel import measure_travel
from motionloom.curves import moving_average
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Ints

#: Velocities are means over about a step, seconds.
WINDOW = 0.5
#: People change their velocity no faster than this share of gravity, and their turn rate no faster
#: than this, radians per second squared.
PUSH, SWING = 0.15, 4.0


@dataclass(frozen=True, eq=False)
class Going:
    """How the body goes in every frame of a clip set, without the sway of its steps.

    Parameters
    ----------
    body : array of shape (N, 3)
        As `ClipSet.body`.
    heading : array of shape (N,), radians
        Facing, averaged over a step.
    velocity : array of shape (N, 2), metres per second
        To the left and ahead of the heading.
    turn : array of shape (N,), radians per second
        Turn rate.
    fps : float
        Ints per second.
    """

    body: Array
    heading: Array
    velocity: Array
    turn: Array
    fps: float

    @classmethod
    def of(cls, clips: ClipSet) -> Going:
        """How the body goes in some clips."""
        travel = measure_travel(clips, WINDOW)
        width = max(round(WINDOW * clips.fps), 1)
        means = [
            moving_average(clips.body[a:b, 2], min(width, b - a))
            for a, b in zip(clips.starts[:-1], clips.starts[1:], strict=True)
        ]
        return cls(
            body=clips.body,
            heading=np.concatenate(means),
            velocity=np.column_stack([travel.left, travel.forward]),
            turn=np.radians(travel.turn),
            fps=clips.fps,
        )

    def stands(self, source: Ints, target: Ints, steps: int, far: float) -> GroundTransform:
        """Where the body stands in `target` frames so many frames after `source` frames.

        Its velocity and its turn rate change evenly from those of the one to those of the other.

        Parameters
        ----------
        source, target : int arrays of shape (P,)
            Ints of the clip set.
        steps : int
            Ints from the one to the other.
        far : float
            What the way is multiplied by.

        Returns
        -------
        GroundTransform
            Of P bodies, in the coordinates of the source clips.
        """
        seconds = steps / self.fps
        turned = 0.5 * (self.turn[source] + self.turn[target]) * seconds
        middle = GroundTransform(self.heading[source] + 0.5 * turned)
        mean = 0.5 * (self.velocity[source] + self.velocity[target])
        way = middle.apply(mean * (seconds * far))
        sway = self.body[target, 2] - self.heading[target]
        angle = self.heading[source] + turned + sway
        place = self.body[source, :2] + way
        return GroundTransform(angle, place[:, 0], place[:, 1])

    def seconds(self, source: Ints, target: Ints) -> Array:
        """Time that people need for a change, shape (P,).

        Parameters
        ----------
        source, target : int arrays of shape (P,)
            Ints of the clip set.
        """
        push = np.linalg.norm(self.velocity[target] - self.velocity[source], axis=1)
        swing = np.abs(self.turn[target] - self.turn[source])
        needed: Array = np.maximum(push / (PUSH * GRAVITY), swing / SWING)
        return needed
