"""From a footstep plan to a clip: motion and everything that is known about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.kinematics import forward_kinematics
from motionloom.markers import MarkerSequence
from motionloom.motion import Motion
from motionloom.performer.body import SIDES, Performer
from motionloom.performer.curves import smooth
from motionloom.performer.feet import FootPath, foot_path
from motionloom.performer.footsteps import FootstepPlan
from motionloom.performer.legs import frame_of, solve_two_bones
from motionloom.performer.markers import place_markers
from motionloom.performer.pelvis import PelvisPath, hip_joints, pelvis_path
from motionloom.performer.upper_body import WALKING, Carriage, arm_rotations, trunk_rotations

Array = NDArray[np.float64]
#: Everything is computed at least this often, then every n-th frame is kept.
FINE_RATE = 120.0


@dataclass(frozen=True, eq=False)
class PerformerClip:
    """A motion and the truth about it.

    Parameters
    ----------
    motion : Motion
    performer : Performer
    action : str
        ``"walk"``, ``"run"``, ``"turn"``, ``"stand"``, ``"reach"``, ``"swing"``, ``"sidestep"``.
    style : str
        What kind of that action, such as ``"1.2 m/s"``.
    speed : float, metres per second
        Nominal speed of the steady part; 0 on the spot.
    contacts : bool array of shape (T, 2, 2)
        Left and right foot; heel and forefoot on the ground.
    joint_positions : array of shape (T, J, 3), metres
    markers : MarkerSequence
        41 markers, frame by frame with the motion.
    steady : tuple of float, seconds
        Between these times the nominal speed is held.
    """

    motion: Motion
    performer: Performer
    action: str
    style: str
    speed: float
    contacts: NDArray[np.bool_]
    joint_positions: Array
    markers: MarkerSequence
    steady: tuple[float, float] = (0.0, 0.0)


def perform(
    performer: Performer,
    plan: FootstepPlan,
    *,
    fps: float = 30.0,
    carriage: Carriage = WALKING,
    seed: int = 0,
    name: str = "",
    action: str = "walk",
    style: str = "",
    speed: float = 0.0,
) -> PerformerClip:
    """Perform a footstep plan."""
    every = int(np.ceil(FINE_RATE / fps - 1e-9))
    dt = 1.0 / (fps * every)
    n = int(round(plan.duration * fps)) * every + 1
    times = np.arange(n) * dt
    rng = np.random.default_rng(seed)
    sway, breath = _sway(rng, n, dt), np.sin(2 * np.pi * 0.25 * times + rng.uniform(0, 2 * np.pi))
    feet = (foot_path(performer, plan, 0, times), foot_path(performer, plan, 1, times))
    pelvis = pelvis_path(performer, plan, feet, times, sway)
    world = trunk_rotations(pelvis, carriage, breath, dt)
    for side in (0, 1):
        world |= _leg_rotations(performer, side, pelvis, feet[side])
        world |= arm_rotations(side, pelvis, carriage, world["Spine2"], breath, dt)
    motion = _make_motion(
        performer, pelvis.position[::every], {k: q[::every] for k, q in world.items()}, 1.0 / fps, name
    )
    contacts = np.stack([np.stack([f.heel_down, f.toe_down], axis=-1) for f in feet], axis=1)[::every]
    moved = [s for s in plan.stances if s.gait is not None]
    steady = (moved[1].strike, moved[-3].strike) if len(moved) >= 5 else (0.0, 0.0)
    positions = forward_kinematics(motion).positions
    markers = place_markers(performer, motion)
    return PerformerClip(motion, performer, action, style, speed, contacts, positions, markers, steady)


def _sway(rng: np.random.Generator, n: int, dt: float) -> Array:
    """Wander of the centre of pressure in standing: some 4 mm rms sideways and 6 mm fore and aft (Winter 1995)."""
    noise = smooth(rng.standard_normal((n, 2)), 0.35, dt)
    noise = noise / max(float(noise.std()), 1e-9) * np.array([0.002, 0.003])
    return noise * np.sin(np.pi * np.linspace(0.0, 1.0, n))[:, None] ** 0.5


def _leg_rotations(performer: Performer, side: int, pelvis: PelvisPath, foot: FootPath) -> dict[str, Array]:
    n = performer.lengths
    hip = hip_joints(performer, pelvis.position, pelvis.rotation)[side]
    # The knee points between the pelvis' and the foot's direction.
    toward = rot.rotate(rot.yaw(foot.heading), np.array([0.0, 0.0, 1.0]))
    facing = rot.rotate(rot.yaw(pelvis.heading), np.array([0.0, 0.0, 1.0]))
    knee, axis, _ = solve_two_bones(hip, foot.ankle, toward + facing, n["thigh"], n["shank"])
    name = SIDES[side]
    return {
        f"{name}UpLeg": frame_of(axis, knee - hip),
        f"{name}Leg": frame_of(axis, foot.ankle - knee),
        f"{name}Foot": foot.rotation,
        f"{name}ToeBase": foot.toe_rotation,
    }


def _make_motion(performer: Performer, root: Array, world: dict[str, Array], frame_time: float, name: str) -> Motion:
    skeleton = performer.skeleton
    quats = np.stack([world[joint] for joint in skeleton.names], axis=1)
    parents = skeleton.parents[1:]
    local = quats.copy()
    local[:, 1:] = rot.multiply(rot.conjugate(quats[:, parents]), quats[:, 1:])
    return Motion(skeleton, local, root[:, None, :], frame_time, name=name)
