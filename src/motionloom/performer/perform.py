"""From a footstep plan and gestures to a clip: the motion and everything that is known about it.

Legs: from the hip joint to where the foot is, the knee pointing ahead.

Arms: hanging and swinging, or taken to where a hand should be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.curves import gaussian_average
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.performer._body import SIDES, SIGN, Performer
from motionloom.performer._curves import ramp
from motionloom.performer._drive import Drive, Gesture, HandPath, combine
from motionloom.performer._feet import FootPath, foot_path
from motionloom.performer._footsteps import FootstepPlan
from motionloom.performer._pelvis import PelvisPath, hip_joints, pelvis_path
from motionloom.performer._upper_body import (
    arm_angles,
    carriage_of,
    joint_position,
    trunk_rotations,
)
from motionloom.performer.markers import place_markers
from motionloom.threads import one_thread
from motionloom.two_bones import solve_two_bones, unit
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
    >>> from motionloom.performer._body import make_performer
    >>> from motionloom.performer._routes import plan_steps
    >>> from motionloom.performer._routes import walking_steps
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
        world |= _leg_rotations(performer, side, pelvis, feet[side])
    motion = _make_motion(performer, pelvis.position, world, every, 1.0 / fps, label.name)
    down = [np.stack([f.heel_down, f.toe_down], axis=-1)[::every] for f in feet]
    return PerformerClip(
        motion=motion,
        performer=performer,
        action=label.action,
        style=label.style,
        speed=label.speed,
        steady=plan.steady,
        contacts=np.stack(down, axis=1),
        joint_positions=forward_kinematics(motion).positions,
        markers=place_markers(performer, motion),
    )


def _sway(rng: np.random.Generator, times: Array, height: float) -> Array:
    """Sway of the centre of pressure in quiet standing, millimetres (Winter 1995), left and ahead.

    It dies away at both ends, so that every clip starts and ends in one pose.
    """
    dt = float(times[1] - times[0])
    noise = gaussian_average(rng.standard_normal((len(times), 2)), 0.35 / dt)
    noise = noise / max(float(noise.std()), 1e-9) * np.array([0.0012, 0.0025]) * height
    ends = ramp(times, 0.0, 0.8) * (1.0 - ramp(times, float(times[-1]) - 0.8, float(times[-1])))
    return np.asarray(noise * ends[:, None])


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
    carriage = carriage_of(gaussian_average(running, 0.22 / dt))
    world = trunk_rotations(pelvis, carriage, breath, drive, performer.height, dt)
    chest = world["Spine2"]
    for side in (0, 1):
        flexion, elbow = arm_angles(side, pelvis, carriage, drive, performer.height, dt)
        shrug = np.radians(0.8) * breath
        world |= _hanging_arm(side, chest, flexion, elbow, carriage["abduction"], shrug)
    if drive.hands:
        root = pelvis.position
        left, right = (joint_position(performer, root, world, f"{side}Arm") for side in SIDES)
        for path in drive.hands:
            world |= _reaching_arm(performer, path, (left, right), chest, world)
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


def _leg_rotations(
    performer: Performer, side: int, pelvis: PelvisPath, foot: FootPath
) -> dict[str, Array]:
    """World rotations of a leg's joints by inverse kinematics.

    Parameters
    ----------
    performer : Performer
        Gives the lengths of thigh and shank.
    side : int
        0 left, 1 right.
    pelvis : PelvisPath
        Where the hip joints are; the knee points between the pelvis' and the foot's direction.
    foot : FootPath
        Where the ankle is, and how foot and toes are turned.

    Returns
    -------
    dict of str to array of shape (T, 4)
        Thigh, shank, foot and toes, by joint.
    """
    n = performer.lengths
    hip = hip_joints(performer, pelvis.position, pelvis.rotation)[side]
    # The knee points between the pelvis' and the foot's direction.
    toward = rot.rotate(rot.yaw(foot.heading), np.array([0.0, 0.0, 1.0]))
    facing = rot.rotate(pelvis.rotation, np.array([0.0, 0.0, 1.0]))
    knee, axis = solve_two_bones(hip, foot.ankle, toward + facing, n["thigh"], n["shank"])
    name = SIDES[side]
    return {
        f"{name}UpLeg": leg_frame(axis, knee - hip),
        f"{name}Leg": leg_frame(axis, foot.ankle - knee),
        f"{name}Foot": foot.rotation,
        f"{name}ToeBase": foot.toe_rotation,
    }


def leg_frame(axis: Array, bone: Array) -> Array:
    """World rotation of a segment that at rest hangs along -Y with its hinge along +X.

    Parameters
    ----------
    axis : array of shape (..., 3)
        Direction of the hinge; what it has along the bone is taken off.
    bone : array of shape (..., 3)
        From the segment's joint to the next one, of any length.

    Returns
    -------
    array of shape (..., 4)
    """
    up = -unit(bone)
    x = unit(axis - np.sum(axis * up, axis=-1, keepdims=True) * up)
    return rot.from_matrix(np.stack([x, up, np.cross(x, up)], axis=-1))


def _hanging_arm(
    side: int, chest: Array, flexion: Array, elbow: Array, abduction: Array, shrug: Array
) -> dict[str, Array]:
    """World rotations of an arm that hangs from the chest.

    Parameters
    ----------
    side : int
        0 left, 1 right.
    chest : array of shape (T, 4)
        World rotation of the chest.
    flexion, elbow, abduction, shrug : arrays of shape (T,), radians
        Forward flexion of the shoulder, bend of the elbow, how far the upper arm stands off the
        trunk, lift of the collar bone.

    Returns
    -------
    dict of str to array of shape (T, 4)
        Collar bone, upper arm, forearm and hand, by joint.
    """
    sign = SIGN[side]
    n = len(flexion)
    inward = -np.radians(20.0)
    angles = np.stack([-flexion, sign * abduction, np.full(n, sign * inward)], axis=-1)
    hang = rot.multiply(rot.from_euler(angles, "XZY"), turn("Z", -sign * np.pi / 2))
    upper = rot.multiply(chest, hang)
    forearm = rot.multiply(upper, turn("Y", -sign * elbow))
    hand = rot.multiply(forearm, turn("Z", -sign * np.radians(4.0)))
    clavicle = rot.multiply(chest, turn("Z", sign * shrug))
    return dict(zip(_joints(side), (clavicle, upper, forearm, hand), strict=True))


def _reaching_arm(
    performer: Performer,
    path: HandPath,
    shoulders: tuple[Array, Array],
    chest: Array,
    hanging: dict[str, Array],
) -> dict[str, Array]:
    """Take a hanging arm's wrist along a path by inverse kinematics.

    Parameters
    ----------
    performer : Performer
        Gives the lengths of upper arm and forearm.
    path : HandPath
        Which arm, where its wrist goes, and how far it follows.
    shoulders : pair of arrays of shape (T, 3), metres
        World positions of the left and right shoulder joint.
    chest : array of shape (T, 4)
        World rotation of the chest.
    hanging : mapping of str to array
        World rotations of the arm where the path has no weight.

    Returns
    -------
    dict of str to array of shape (T, 4)
        World rotations of upper arm, forearm and hand, by joint; the collar bone stays.
    """
    side = path.side
    sign = SIGN[path.side]
    n = performer.lengths
    _, arm, forearm, hand = _joints(side)
    shoulder = shoulders[side]
    rest_elbow = shoulder + rot.rotate(hanging[arm], [sign * n["upper_arm"], 0.0, 0.0])
    rest_wrist = rest_elbow + rot.rotate(hanging[forearm], [sign * n["forearm"], 0.0, 0.0])
    target = path.target
    if path.on_chest:
        target = 0.5 * (shoulders[0] + shoulders[1]) + rot.rotate(chest, target)
    w = path.weight[:, None]
    span = target - shoulder
    if not path.on_chest:
        span = _settling(span, path.weight)
    wrist = shoulder + _arc(rest_wrist - shoulder, span, path.weight)
    # The elbow swivels from where it hangs to below and outside of the line from shoulder to hand.
    rest_pole = unit(rest_elbow - 0.5 * (shoulder + rest_wrist))
    pole = (1.0 - w) * rest_pole + w * rot.rotate(chest, np.array([sign * 0.50, -0.60, -0.60]))
    elbow, axis = solve_two_bones(shoulder, wrist, pole, n["upper_arm"], n["forearm"])
    wrist = elbow + unit(wrist - elbow) * n["forearm"]
    wrist_bend = rot.multiply(rot.conjugate(hanging[forearm]), hanging[hand])
    lower = _arm_frame(sign, wrist - elbow, axis)
    upper = _arm_frame(sign, elbow - shoulder, axis)
    return {arm: upper, forearm: lower, hand: rot.multiply(lower, wrist_bend)}


def _settling(span: Array, weight: Array) -> Array:
    """Vector from shoulder to target, (T, 3): that of arrival until the hand is nearly there.

    While the trunk still bends the target may be farther than the arm is long.
    """
    held = np.nonzero(weight >= weight.max() - 1e-9)[0]
    last = span[held[len(held) // 2]]
    return np.asarray(last + ramp(weight, 0.6, 1.0)[:, None] * (span - last))


def _arc(start: Array, stop: Array, w: Array) -> Array:
    """Between two vectors (T, 3), turning in the plane of both while the length changes evenly."""
    near, far = (np.linalg.norm(v, axis=-1) for v in (start, stop))
    a = start / near[:, None]
    b = stop / far[:, None]
    angle = np.arccos(np.clip(np.sum(a * b, axis=-1), -1.0, 1.0))
    sine = np.maximum(np.sin(angle), 1e-6)
    first, second = np.sin((1.0 - w) * angle) / sine, np.sin(w * angle) / sine
    direction = first[:, None] * a + second[:, None] * b
    return np.asarray(unit(direction) * (near + w * (far - near))[:, None])


def turn(axis: str, angle: ArrayLike) -> Array:
    """Rotation about one coordinate axis.

    Parameters
    ----------
    axis : {"X", "Y", "Z"}
        Which.
    angle : float or array of shape (...), radians
        Counterclockwise seen from the axis' tip.

    Returns
    -------
    array of shape (..., 4)
    """
    return rot.from_euler(np.asarray(angle, float)[..., None], axis)


def _joints(side: int) -> tuple[str, str, str, str]:
    name = SIDES[side]
    return f"{name}Shoulder", f"{name}Arm", f"{name}ForeArm", f"{name}Hand"


def _arm_frame(sign: float, bone: Array, axis: Array) -> Array:
    """World rotation of an arm segment that rests sideways along X with its hinge along Y."""
    x = sign * unit(bone)
    y = -sign * axis
    y = unit(y - np.sum(y * x, axis=-1, keepdims=True) * x)
    return rot.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
