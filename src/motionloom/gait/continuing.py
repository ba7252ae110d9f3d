"""Gait that goes on from any state of the body: where another motion ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.gait.path.tables.table import GaitTable
from motionloom.gait.stream import GaitStream
from motionloom.motion import GroundTransform, Motion
from motionloom.synthesis.streaming import ContinuedStream, StreamState


class ContinuedGait(ContinuedStream):
    """A gait stream that begins with the pose of a state.

    It goes on as fast and in the direction in which the body went, until `walk` is steered. Until
    it has come into step, within a second, feet do not stand exactly.

    Parameters
    ----------
    table : GaitTable
        The gait over speed.
    state : StreamState
        Of the same joints.
    fps : float
        Frames per second.

    Raises
    ------
    InvalidInputError
        When the state is of another skeleton.
    """

    def __init__(self, table: GaitTable, state: StreamState, fps: float) -> None:
        posed = state.posed
        if not posed.skeleton.has_topology_of(table.body.skeleton):
            raise InvalidInputError(
                "this gait is of another skeleton than the motion that it shall go on from; learn"
                " it from clips of that skeleton"
            )
        x, z, facing = posed.body[0]
        #: What is steered.
        self.walk = GaitStream(table, fps, GroundTransform(float(facing), float(x), float(z)))
        velocity = _speed_of_hips(state)
        speed = float(np.hypot(*velocity))
        heading = float(np.arctan2(*velocity)) if speed > 0.1 else float(facing)
        self.walk.want(speed, heading)
        self._pattern = posed.motion
        super().__init__(state, self._made, fps)

    def _made(self, count: int) -> Motion:
        made = self.walk.collect(self.walk.step() for _ in range(count))
        pattern = self._pattern
        made = made.with_translated(pattern.translated)
        return replace(made, skeleton=pattern.skeleton)


def _speed_of_hips(state: StreamState) -> tuple[float, float]:
    """How fast the hips go along x and z, metres per second."""
    moment = 1e-3
    posed = state.posed
    hips = posed.roles.joints["hips"]
    before = posed.with_motion(state.earlier(moment)).positions[0, hips]
    moved = (posed.positions[0, hips] - before) / moment
    return float(moved[0]), float(moved[2])
