"""Gestures at random times over idle motion: whether they come and go smoothly, and exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.idle import IdleModel, IdleStream, begin_idle
from motionloom.idle.learning.posture_space import PostureSpace
from motionloom.idle.over.layers import GONE, KEPT, Layer, upper_body
from motionloom.motion import Motion

Array = NDArray[np.float64]

#: Frames per second, and seconds of every schedule.
FPS, SECONDS = 60.0, 12.0
#: Share of the clips' jerks that counts as theirs.
SHARE = 0.995
#: A joint belongs to an arm where it is this share of the farthest joint's way to a side.
_ARM = 0.4


@dataclass(frozen=True)
class GestureTable:
    """What random schedules of gestures showed.

    Parameters
    ----------
    schedules, gestures : int
        How many.
    jerk : float
        99.5 % of the jerks while gestures come and go, as a share of 99.5 % of those in the clips.
    beyond : float
        Share of the jerks while gestures come and go that are beyond 99.5 % of the clips'; .005 is
        as in the clips.
    smooth : int
        Schedules whose 99.5 % is within that of the clips.
    outside : float, radians
        Largest turn of a joint that no gesture may turn.
    masked : float, radians
        Largest difference to the clip where the highest gesture that sets a joint has come whole.
    promised : float, radians
        Largest difference between how joints go along and what the fade of components says.
    trunk : float, degrees
        How far the trunk goes along with the right arm, at the median.
    """

    schedules: int
    gestures: int
    jerk: float
    beyond: float
    smooth: int
    outside: float
    masked: float
    promised: float
    trunk: float

    def to_text(self) -> str:
        """For people."""
        return (
            f"Gestures: {self.gestures} in {self.schedules} random schedules\n"
            f"jerk while they come and go: {self.jerk:.2f} of the clips' ({100 * SHARE:g} % each),"
            f" {100 * self.beyond:.2f} % of it beyond; within in {self.smooth} of"
            f" {self.schedules}\n"
            f"joints outside masks turn by {self.outside:.1e} rad; the highest is shown to"
            f" {self.masked:.1e} rad; joints go along as promised to {self.promised:.1e} rad,"
            f" the trunk by {self.trunk:.2f} degrees with the right arm\n"
        )


def play_schedules(
    models: Sequence[IdleModel], clips: Sequence[Motion], count: int, seed: int = 0
) -> GestureTable:
    """Play gestures at random over idle motion.

    Parameters
    ----------
    models : sequence of IdleModel
        People who wait.
    clips : sequence of Motion
        One for each, of the same joints; gestures are cut out of its lively moments.
    count : int
        Schedules.
    seed : int
        Of all draws.

    Returns
    -------
    GestureTable
    """
    rng = np.random.default_rng(seed)
    parts = [
        _play(models[i % len(models)], clips[i % len(models)], rng, seed + i) for i in range(count)
    ]
    jerks = np.array([part.jerk for part in parts])
    eased = np.concatenate([part.eased for part in parts])
    return GestureTable(
        schedules=count,
        gestures=sum(part.gestures for part in parts),
        jerk=float(np.quantile(eased, SHARE)),
        beyond=float((eased > 1.0).mean()),
        smooth=int((jerks <= 1.0).sum()),
        outside=max(part.outside for part in parts),
        masked=max(part.masked for part in parts),
        promised=max(part.promised for part in parts),
        trunk=float(np.median([part.trunk for part in parts])),
    )


@dataclass(frozen=True, eq=False)
class _Part:
    gestures: int
    jerk: float
    eased: Array
    outside: float
    masked: float
    promised: float
    trunk: float


def _play(model: IdleModel, recorded: Motion, rng: np.random.Generator, seed: int) -> _Part:
    """One schedule: up to four gestures, some of them over others, some stopped early."""
    frames = round(SECONDS * FPS)
    plain = IdleStream(model, FPS, begin_idle(model, seed)).poses(frames)[0]
    stream = IdleStream(model, FPS, begin_idle(model, seed))
    layers: list[Layer] = []
    shown: list[Array] = []
    for n in range(int(rng.integers(1, 5))):
        masks = (arm_of(model.space, 1.0), arm_of(model.space, -1.0), None)
        joints = masks[int(rng.integers(len(masks)))]
        layers.append(
            stream.play(
                cut_gesture(recorded, rng),
                joints,
                at=float(rng.uniform(0.5, 6.0)),
                priority=n if rng.random() < 0.5 else -n,
                spread=bool(rng.random() < 0.5),
            )
        )
    cut = int(rng.integers(frames // 4, frames))
    shown.append(stream.poses(cut)[0])
    if rng.random() < 0.3 and layers[0].end > cut:
        layers[0] = stream.stop(layers[0])
    shown.append(stream.poses(frames - cut)[0])
    made = np.concatenate(shown)
    clips = [_jerk(layer.clip.rotations[:, list(layer.joints)]).ravel() for layer in layers]
    usual = np.quantile(np.concatenate(clips), SHARE)
    eased = _while_eased(made, layers) / max(float(usual), 1e-9)
    return _Part(
        gestures=len(layers),
        jerk=float(np.quantile(eased, SHARE)) if eased.size else 0.0,
        eased=eased,
        outside=_outside(plain, made, layers, model.space),
        masked=_masked(made, layers),
        promised=_promised(model, recorded, rng, seed),
        trunk=_trunk(model, recorded, rng, seed),
    )


def arm_of(space: PostureSpace, side: float) -> tuple[str, ...]:
    """Names of the joints of an arm, told by where they are in the rest pose.

    Parameters
    ----------
    space : PostureSpace
        Of the body.
    side : float
        1 for the left one, -1 for the right one.
    """
    skeleton = space.coordinates.skeleton
    reference = np.asarray(space.coordinates.reference)
    places = np.zeros((skeleton.n_joints, 3))
    turns = np.array(reference)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            turns[joint] = rot.multiply(turns[parent], reference[joint])
            places[joint] = places[parent] + rot.rotate(turns[parent], skeleton.offsets[joint])
    joints = space.roles.joints
    across = places[joints["left_hip"]] - places[joints["right_hip"]]
    free = upper_body(skeleton, space.roles)
    out = side * (places @ across)
    far = _ARM * max(float(out[j]) for j in free)
    return tuple(skeleton.names[j] for j in free if out[j] > far)


def cut_gesture(recorded: Motion, rng: np.random.Generator) -> Motion:
    """Two to four seconds in which arms move more than usually.

    Parameters
    ----------
    recorded : Motion
        Somebody who stands about.
    rng : Generator
        Draws which.
    """
    length = min(round(float(rng.uniform(2.0, 4.0)) * recorded.fps), recorded.n_frames // 2)
    steps = rot.angle_between(recorded.rotations[1:], recorded.rotations[:-1]).sum(axis=1)
    starts = rng.integers(0, recorded.n_frames - length, 8)
    moved = [float(steps[s : s + length].sum()) for s in starts]
    first = int(starts[int(np.argmax(moved))])
    return recorded.cut(first, first + length)


def _jerk(rotations: Array) -> Array:
    """Size of the third differences of rotations, shape (T - 3, J)."""
    speed = rot.to_rotvec(rot.multiply(rot.conjugate(rotations[:-1]), rotations[1:]))
    jerk: Array = np.linalg.norm(np.diff(speed, 2, axis=0), axis=-1)
    return jerk


def _while_eased(made: Array, layers: Sequence[Layer]) -> Array:
    """Jerks of set joints in frames where a gesture comes or goes, shape (n,)."""
    jerk = _jerk(made)
    found = [np.zeros(0)]
    frames = np.arange(len(made))
    for layer in layers:
        weight = layer.weight(frames)
        coming = np.convolve((weight > 0) & (weight < 1), np.ones(4), "full")[3 : len(made)] > 0
        found.append(jerk[coming[: len(jerk)]][:, list(layer.joints)].ravel())
    return np.concatenate(found)


def _outside(plain: Array, made: Array, layers: Sequence[Layer], space: PostureSpace) -> float:
    """Largest turn of joints that no gesture sets and none goes along with."""
    frames = np.arange(len(made))
    free = upper_body(space.coordinates.skeleton, space.roles)
    turned = np.zeros(made.shape[:2], np.bool_)
    for layer in layers:
        on = layer.weight(frames) > 0
        turned[np.ix_(on, np.array(free if layer.spread else layer.joints, int))] = True
    apart = np.abs(plain - made).max(axis=-1)
    return float(apart[~turned].max(initial=0.0))


def _masked(made: Array, layers: Sequence[Layer]) -> float:
    """Largest difference to the clip where the highest gesture sets a joint and is whole."""
    worst = 0.0
    frames = np.arange(len(made))
    ordered = sorted(layers, key=lambda layer: layer.priority)
    for i, layer in enumerate(ordered):
        whole = layer.weight(frames) >= 1.0
        for above in ordered[i + 1 :]:
            whole &= above.weight(frames) == 0.0
        at = frames[whole]
        joints = list(layer.joints)
        clip = layer.clip.rotations[at - layer.begin][:, joints]
        apart = rot.angle_between(made[at][:, joints], clip)
        worst = max(worst, float(apart.max(initial=0.0)))
    return worst


def _gesture_of_right_arm(
    model: IdleModel, recorded: Motion, rng: np.random.Generator, seed: int
) -> tuple[Array, Array, Layer, int]:
    """Rotations without and with a gesture of the right arm, where it has come whole."""
    plain = IdleStream(model, FPS, begin_idle(model, seed))
    stream = IdleStream(model, FPS, begin_idle(model, seed))
    layer = stream.play(cut_gesture(recorded, rng), arm_of(model.space, -1.0), ease=0.3)
    middle = layer.clip.n_frames // 2
    return plain.poses(middle + 1)[0][-1], stream.poses(middle + 1)[0][-1], layer, middle


def _promised(model: IdleModel, recorded: Motion, rng: np.random.Generator, seed: int) -> float:
    """How far joints that go along are from what the fade of components says, radians.

    Told by the publication's words alone: the change of the set joints as components; those before
    the tenth as they are, those from the thirtieth on not at all, in between ever less.
    """
    own, made, layer, at = _gesture_of_right_arm(model, recorded, rng, seed)
    space = model.space
    change = np.zeros(space.components.shape[1])
    for joint in layer.joints:
        told = rot.multiply(rot.conjugate(own[joint]), layer.clip.rotations[at, joint])
        change[3 + 3 * joint : 6 + 3 * joint] = rot.to_rotvec(told)
    along = np.zeros_like(change)
    for k, direction in enumerate(space.components):
        kept = min(1.0, max(0.0, (GONE - 1 - k) / (GONE - KEPT)))
        along += kept * float(direction @ change) * direction
    worst = 0.0
    for joint in upper_body(space.coordinates.skeleton, space.roles):
        if joint in layer.joints:
            continue
        wanted = rot.multiply(own[joint], rot.from_rotvec(along[3 + 3 * joint : 6 + 3 * joint]))
        worst = max(worst, float(rot.angle_between(made[joint], wanted)))
    return worst


def _trunk(model: IdleModel, recorded: Motion, rng: np.random.Generator, seed: int) -> float:
    """How far the joints between hips and head go along with the right arm, degrees together."""
    own, made, layer, _ = _gesture_of_right_arm(model, recorded, rng, seed)
    skeleton = model.space.coordinates.skeleton
    chain = skeleton.chain(layer.joints[0])
    free = upper_body(skeleton, model.space.roles)
    trunk = [j for j in chain if j in free and j not in layer.joints]
    return float(np.degrees(rot.angle_between(own[trunk], made[trunk]).sum()))
