"""Footstep plans: where and when each foot stands."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.motion import GroundTransform
from motionloom.performer.gaits import Gait

LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Step:
    """One step of the path's centre line: advance, then the swinging foot lands beside it.

    Parameters
    ----------
    gait : Gait
        Width, timing and angles of the step.
    forward, sideways : float, metres
        Advance of the centre in the body's frame (left is positive).
    turn : float, radians
        Change of heading (+Z towards +X, so positive turns left).
    closes : bool
        Land beside the standing foot at standing width.
    rolls : float
        Share of the gait's angles at this footprint's strike and at the toe-off that begins the
        step: 1 full, 0 flat.
    wait : float, seconds
        Standing still before this step.
    """

    gait: Gait
    forward: float = 0.0
    sideways: float = 0.0
    turn: float = 0.0
    closes: bool = False
    rolls: float = 1.0
    wait: float = 0.0


@dataclass(frozen=True)
class Stance:
    """One foot standing once.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    x, z : float, metres
        Ground point under the ankle while the foot is flat.
    heading : float, radians
        Where the body faces when it stands over this footprint.
    foot_heading : float, radians
        Where the foot points.
    strike, flat, heel_off, toe_off : float, seconds
        Heel down, sole down, heel up, toes up. The heel bears until `heel_off`, the forefoot from
        `flat` on.
    loaded, unloading : float, seconds
        The foot's share of the weight rises from `strike` to `loaded` and falls from `unloading` to
        `toe_off`.
    strike_pitch, off_pitch : float, radians
        Angle of the sole at strike (toes up) and toe-off (heel up).
    gait : Gait or None
        The gait of the step that led here; None where the plan starts.
    """

    side: int
    x: float
    z: float
    heading: float
    foot_heading: float
    strike: float
    flat: float
    heel_off: float
    toe_off: float
    loaded: float
    unloading: float
    strike_pitch: float
    off_pitch: float
    gait: Gait | None


@dataclass(frozen=True)
class FootstepPlan:
    """Stances of both feet in order of strike, from standing to standing.

    Parameters
    ----------
    stances : tuple of Stance
        In order of strike.
    duration : float, seconds
        From the first standing to the end of the last.
    steady : tuple of float, seconds
        Between these times every step is like the one before it; both 0 when there are not two such
        strides.
    """

    stances: tuple[Stance, ...]
    duration: float
    steady: tuple[float, float] = (0.0, 0.0)

    def of(self, side: int) -> tuple[Stance, ...]:
        """The stances of one foot, in order."""
        return tuple(s for s in self.stances if s.side == side)

    def place(self, time: float) -> GroundTransform:
        """Ground between the footprints that stand at a time, facing with the newer one."""
        standing = [
            max((s for s in self.of(k) if s.strike <= time), key=lambda s: s.strike)
            for k in (LEFT, RIGHT)
        ]
        newer = max(standing, key=lambda s: s.strike)
        return GroundTransform(
            newer.heading,
            0.5 * (standing[0].x + standing[1].x),
            0.5 * (standing[0].z + standing[1].z),
        )
