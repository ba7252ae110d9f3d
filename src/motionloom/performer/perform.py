"""From a footstep plan and gestures to a clip: the motion and everything that is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.performer.arms import hanging_arm, reaching_arm
from motionloom.performer.body import SIDES, Performer
from motionloom.performer.curves import ramp
from motionloom.performer.drive import Drive, Gesture, combine
from motionloom.performer.feet import foot_path
from motionloom.performer.footsteps import FootstepPlan
from motionloom.performer.legs import leg_rotations
from motionloom.performer.markers import place_markers
from motionloom.performer.pelvis import PelvisPath, pelvis_path
from motionloom.performer.upper_body import (
    RUNNING,
    WALKING,
    arm_angles,
    blend_carriage,
    joint_position,
    trunk_rotations,
)
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Everything is computed at least this often, then every n-th frame is kept.
FINE_RATE = 120.0
BREATHS_PER_SECOND = 0.25


@dataclass(frozen=True)
class ClipLabel:
    """What a clip is called, and what is done in it.

    Parameters
    ----------
    name : str
        Name of the motion.
    action, style : str
        As those of a `PerformerClip`.
    speed : float, metres per second
        Speed of the steady part; 0 on the spot.
    """

    name: str = ""
    action: str = "walk"
    style: str = ""
    speed: float = 0.0


@dataclass(frozen=True, eq=False)
class PerformerClip:
    """A motion and the truth about it.

    Parameters
    ----------
    motion : Motion
        The performer's skeleton in motion.
    performer : Performer
        Who performed it.
    action : str
        ``"walk"``, ``"turn"``, ``"run"``, ``"sidestep"``, ``"stand"``, ``"reach"`` or ``"swing"``.
    style : str
        What kind of that action, such as ``"1.2 m/s"``.
    speed : float, metres per second
        Speed of the steady part; 0 on the spot.
    steady : tuple of float, seconds
        That speed is held between these times, whole strides apart; both 0 where there is no steady
        part.
    contacts : bool array of shape (T, 2, 2)
        Left and right foot; heel and forefoot on the ground.
    joint_positions : array of shape (T, J, 3), metres
        World positions of the joint centres.
    markers : MarkerSequence
        41 markers, frame by frame with the motion.
    """

    motion: Motion
    performer: Performer
    action: str
    style: str
    speed: float
    steady: tuple[float, float]
    contacts: Bools
    joint_positions: Array
    markers: MarkerSequence


_UNLABELLED = ClipLabel()


@one_thread()
def perform(
    performer: Performer,
    plan: FootstepPlan,
    gestures: Sequence[Gesture] = (),
    *,
    fps: float = 30.0,
    seed: int = 0,
    label: ClipLabel = _UNLABELLED,
) -> PerformerClip:
    """Perform a footstep plan, with gestures on the way.

    Parameters
    ----------
    performer : Performer
        Who performs.
    plan : FootstepPlan
        Where and when each foot stands; it also says how long the clip lasts.
    gestures : sequence of Gesture
        Each takes place where the feet stand when it starts.
    fps : float
        Frames per second.
    seed : int
        Seed of postural sway and of the phase of breathing.
    label : ClipLabel
        What the clip is called.

    Returns
    -------
    PerformerClip
        Computed at `FINE_RATE` or more, then thinned to `fps`.

    Examples
    --------
    >>> from motionloom.performer.body import make_performer
    >>> from motionloom.performer.planning import plan_steps
    >>> from motionloom.performer.routes import walking_steps
    >>> person = make_performer(height=1.92)
    >>> clip = perform(person, plan_steps(person, walking_steps(person, speed=1.4, count=4)))
    >>> clip.motion.fps, bool(clip.motion.duration > 3.0)
    (30.0, True)
    """
    every = int(np.ceil(FINE_RATE / fps - 1e-9))
    dt = 1.0 / (fps * every)
    times: Array = dt * np.arange(round(plan.duration * fps) * every + 1, dtype=np.float64)
    rng = np.random.default_rng(seed)
    sway = _sway(rng, times, performer.height)
    breath = np.sin(2 * np.pi * (BREATHS_PER_SECOND * times + rng.uniform()))
    drive = combine(gestures, performer, [plan.place(g.start) for g in gestures], times)
    feet = (foot_path(performer, plan, 0, times), foot_path(performer, plan, 1, times))
    pelvis = pelvis_path(performer, plan, feet, times, sway, drive)
    world = _upper_body(performer, plan, pelvis, breath, drive, times)
    for side in (0, 1):
        world |= leg_rotations(performer, side, pelvis, feet[side])
    motion = _make_motion(performer, pelvis.position, world, every, 1.0 / fps, label.name)
    contacts = np.stack([np.stack([f.heel_down, f.toe_down], axis=-1) for f in feet], axis=1)[
        ::every
    ]
    positions = forward_kinematics(motion).positions
    markers = place_markers(performer, motion)
    return PerformerClip(
        motion=motion,
        performer=performer,
        action=label.action,
        style=label.style,
        speed=label.speed,
        steady=plan.steady,
        contacts=contacts,
        joint_positions=positions,
        markers=markers,
    )


def _sway(rng: np.random.Generator, times: Array, height: float) -> Array:
    """Sway of the centre of pressure in quiet standing, millimetres (Winter 1995), left and ahead.

    It dies away at both ends, so that every clip starts and ends in one pose.
    """
    dt = float(times[1] - times[0])
    noise = gaussian_average(rng.standard_normal((len(times), 2)), 0.35 / dt)
    noise = noise / max(float(noise.std()), 1e-9) * np.array([0.0012, 0.0025]) * height
    ends = ramp(times, 0.0, 0.8) * (1.0 - ramp(times, float(times[-1]) - 0.8, float(times[-1])))
    sway: Array = noise * ends[:, None]
    return sway


def _upper_body(
    performer: Performer,
    plan: FootstepPlan,
    pelvis: PelvisPath,
    breath: Array,
    drive: Drive,
    times: Array,
) -> dict[str, Array]:
    dt = float(times[1] - times[0])
    running = np.zeros(len(times))
    for s in plan.stances:
        if s.gait is not None and s.gait.runs:
            running[(times >= s.strike) & (times <= s.toe_off + 0.1)] = 1.0
    carriage = blend_carriage(WALKING, RUNNING, gaussian_average(running, 0.22 / dt))
    world = trunk_rotations(pelvis, carriage, breath, drive, performer.height, dt)
    chest = world["Spine2"]
    for side in (0, 1):
        flexion, elbow = arm_angles(side, pelvis, carriage, drive, performer.height, dt)
        world |= hanging_arm(
            side, chest, flexion, elbow, carriage["abduction"], np.radians(0.8) * breath
        )
    if drive.hands:
        left, right = (
            joint_position(performer, pelvis.position, world, f"{side}Arm") for side in SIDES
        )
        for path in drive.hands:
            world |= reaching_arm(performer, path, (left, right), chest, world)
    return world


def _make_motion(
    performer: Performer,
    root: Array,
    world: dict[str, Array],
    every: int,
    frame_time: float,
    name: str,
) -> Motion:
    """World rotations to a motion of every n-th frame."""
    skeleton = performer.skeleton
    quats = np.stack([world[joint][::every] for joint in skeleton.names], axis=1)
    local = quats.copy()
    local[:, 1:] = rot.multiply(rot.conjugate(quats[:, skeleton.parents[1:]]), quats[:, 1:])
    return Motion(skeleton, local, root[::every, None, :], frame_time, name=name)
