"""GaitStream: gait frame by frame, for as long as it is asked for, steered on the way.

The next step answers: a footprint follows what is wanted until shortly before the foot comes down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.analysis.hinges import fit_hinges
from motionloom.errors import InvalidInputError
from motionloom.gait import stream_kernels as sk
from motionloom.gait.path._footprints import STRUCK
from motionloom.gait.path.tables.table import GaitTable, motion_of
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array


@dataclass(frozen=True, eq=False)
class StreamFrame:
    """One frame of a stream.

    Parameters
    ----------
    rotations : array of shape (J, 4)
        Local rotations; that of the root is its world rotation.
    place : array of shape (3,), metres
        Of the root in the world.
    standing : pair of bool
        Whether the left and the right foot stand.
    """

    rotations: Array
    place: Array
    standing: tuple[bool, bool]


class GaitStream:
    """Gait frame by frame.

    Parameters
    ----------
    table : GaitTable
        The gait over speed.
    fps : float
        Frames per second.
    at : GroundTransform, optional
        Where the body stands at first, and faces; the origin along +Z when not given.

    Raises
    ------
    InvalidInputError
        When the rate is not positive.
    """

    def __init__(self, table: GaitTable, fps: float, at: GroundTransform | None = None) -> None:
        if not fps > 0:
            raise InvalidInputError(f"frames per second must be positive, got {fps}")
        at = at or GroundTransform()
        self.table = table
        self.fps = fps
        self._gait = _gait_of(table)
        self._legs = _legs_of(table)
        n = table.body.skeleton.n_joints
        self._room = sk.Room(np.zeros((n, 3)), np.zeros((n, 4)), np.zeros((n, 4)))
        self._state = _begin(table, at)
        self._wanted = np.array([0.0, float(at.angle)])

    @property
    def stand(self) -> GroundTransform:
        """Where the body is and which way it goes."""
        s = self._state
        return GroundTransform(float(s[sk.HEADING]), float(s[sk.X]), float(s[sk.Z]))

    @property
    def speed(self) -> float:
        """How fast it goes, metres per second."""
        return float(self._state[sk.SPEED])

    @property
    def fastest(self) -> float:
        """How fast the person goes at most, metres per second."""
        return float(self.table.speeds[-1])

    def want(self, speed: float, heading: float | None = None) -> None:
        """Ask for a speed, and a direction.

        Parameters
        ----------
        speed : float, metres per second
            From 0, standing, to `fastest`; more is cut.
        heading : float, radians, optional
            From +Z towards +X; as before when not given.
        """
        self._wanted[0] = min(max(speed, 0.0), self.fastest)
        if heading is not None:
            self._wanted[1] = heading

    def step(self) -> StreamFrame:
        """The next frame.

        Returns
        -------
        StreamFrame
        """
        pose = np.empty(self._gait.rotations.shape[2:])
        place = np.empty(3)
        step = 1.0 / self.fps
        sk.advance(self._state, self._wanted, step, self._gait, self._legs, self._room, pose, place)
        shares = self._state[sk.FEET + sk.SHARE :: sk.FOOT_SIZE]
        return StreamFrame(pose, place, (bool(shares[0] < 0.5), bool(shares[1] < 0.5)))

    def collect(self, frames: Iterable[StreamFrame]) -> Motion:
        """Frames put together as a motion.

        Parameters
        ----------
        frames : iterable of StreamFrame
            In order.

        Returns
        -------
        Motion
        """
        kept = list(frames)
        rotations = np.stack([frame.rotations for frame in kept])
        places = np.stack([frame.place for frame in kept])
        return motion_of(self.table.body, rotations, places, 1.0 / self.fps)


def _gait_of(table: GaitTable) -> sk.Gait:
    names = [name for name in sk.Gait._fields if name not in ("heights", "feet")]
    arrays: dict[str, Any] = {name: np.array(getattr(table, name), order="C") for name in names}
    heights = table.deviations[:, :, 1].mean(axis=1)
    return sk.Gait(**arrays, heights=heights, feet=(table.foot(0), table.foot(1)))


def _legs_of(table: GaitTable) -> sk.Legs:
    body = table.body
    legs = table.legs
    poses = np.concatenate(table.rotations[1:])
    motion = motion_of(body, poses, np.zeros((len(poses), 3)), 1.0)
    hinges = fit_hinges([PosedMotion(motion, body.roles)])
    return sk.Legs(
        parents=np.array(body.skeleton.parents, np.int64),
        offsets=np.array(body.skeleton.offsets),
        root=body.root,
        trunk=-1 if body.trunk is None else body.trunk,
        joints=np.array([[leg.root, leg.middle, leg.tip] for leg in legs.values()], np.int64),
        axes=np.array([hinges[foot].axis for foot in legs]),
    )


def _begin(table: GaitTable, at: GroundTransform) -> Array:
    """Standing, both feet on the ground, the left one since just now."""
    state = np.zeros(sk.SIZE)
    state[[sk.X, sk.Z, sk.HEADING]] = at.x, at.z, at.angle
    phase = float(table.strikes[0, 0]) + STRUCK
    state[sk.PHASE] = phase
    for foot in range(2):
        own = state[sk.FEET + foot * sk.FOOT_SIZE :][: sk.FOOT_SIZE]
        gone = phase - float(table.strikes[0, foot])
        own[sk.STRIKE] = np.floor(gone) + 1.0
        own[sk.SHARE] = min(0.5 * (gone % 1.0) / float(table.stances[0, foot]), 0.49)
        ground = at.apply(table.flats[0, foot])
        own[sk.OLD : sk.OLD + 3] = own[sk.NEW : sk.NEW + 3] = [*ground, at.angle]
    return state
