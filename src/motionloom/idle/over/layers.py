"""Layers over idle motion: gestures with a weight that comes and goes, a priority and a joint mask.

Values between frames, on curves with a continuous slope through all of them.

After Egges, Molet & Magnenat-Thalmann (2004, section 7). Blending is linear in the logarithm of
rotations. Joints that a gesture does not set go along as the person's postures do: what it changes
is seen in the components of the posture space, of which only the leading ones are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.constraints.joints import find_joints
from motionloom.curves import minimum_jerk
from motionloom.errors import InvalidInputError
from motionloom.idle.learning.posture_space import PostureSpace
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Components up to the first are kept whole, from the second on not at all.
KEPT, GONE = 10, 30
#: Seconds over which a gesture comes and goes at least, where nobody says how long; longer where it
#: would jerk more than it does by itself, or than this (radians per second cubed).
USUAL_EASE, USUAL_JERK = 0.4, 40.0
#: Largest third derivative of the weight over one second; a share of the jerk is left to the
#: gesture itself and to what it lies over.
_WEIGHT_JERK, _LEFT_OVER = 60.0, 0.4


@dataclass(frozen=True, eq=False)
class Layer:
    """A clip that is played over idle motion.

    Parameters
    ----------
    clip : Motion
        On joints of the same names, at the stream's frame rate.
    begin : int
        Frame of the stream at which it begins.
    joints : tuple of int
        Joints that it sets.
    priority : int
        Layers of a higher priority lie over those of a lower one.
    ease_in, ease_out : float
        Frames over which it comes and goes, within the clip.
    spread : bool
        Whether the other joints go along.
    stop : int, optional
        Frame of the stream at which it is gone, where that is before its end.
    """

    clip: Motion
    begin: int
    joints: tuple[int, ...]
    priority: int = 0
    ease_in: float = 12
    ease_out: float = 12
    spread: bool = True
    stop: int | None = None

    @property
    def end(self) -> int:
        """Frame of the stream behind its last."""
        last = self.begin + self.clip.n_frames
        return last if self.stop is None else min(last, self.stop)

    def weight(self, frames: Ints) -> Array:
        """How much it counts in frames of the stream: 0 outside, 1 within, eased, (N,)."""
        after = (frames - self.begin + 1) / (self.ease_in + 1)
        before = (self.end - frames) / (self.ease_out + 1)
        return minimum_jerk(np.minimum(after, before))


def upper_body(skeleton: Skeleton, roles: Roles) -> tuple[int, ...]:
    """Joints that a gesture may set: all but the hips, what is above them, and the legs."""
    legs = {
        joint
        for side in ("left", "right")
        for part in ("hip", "knee", "foot", "toe")
        if (joint := roles.joint(f"{side}_{part}")) is not None
    }
    above = set(skeleton.chain(roles.joints["hips"]))
    return tuple(
        j for j in range(skeleton.n_joints) if j not in above and legs.isdisjoint(skeleton.chain(j))
    )


def apply_layers(
    rotations: Array, first: int, layers: Sequence[Layer], space: PostureSpace
) -> Array:
    """Idle motion with layers over it.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Of frames of the stream from `first` on.
    first : int
        Its first frame.
    layers : sequence of Layer
        Of the same skeleton.
    space : PostureSpace
        How the person's joints go together.

    Returns
    -------
    array of shape (T, J, 4)
        The same where no layer plays. Joints that are not set turn only where `spread` is asked
        for; the root and the legs never do.
    """
    frames = np.arange(first, first + len(rotations))
    playing = [layer for layer in layers if layer.begin < frames[-1] + 1 and layer.end > first]
    if not playing:
        return rotations
    rotations = rotations.copy()
    free = upper_body(space.coordinates.skeleton, space.roles)
    for layer in sorted(playing, key=lambda layer: layer.priority):
        weight = layer.weight(frames)
        part = np.flatnonzero(weight > 0)
        if not len(part):  # stopped before it began
            continue
        shown = layer.clip.rotations[frames[part] - layer.begin]
        _lay_over(rotations, part, weight[part], shown, layer, space, free)
    return rotations


def _lay_over(
    rotations: Array,
    part: Ints,
    weight: Array,
    shown: Array,
    layer: Layer,
    space: PostureSpace,
    free: Sequence[int],
) -> None:
    """Turn joints towards the clip in some frames, and others along with them."""
    own = rotations[part]
    set_joints = list(layer.joints)
    change = np.zeros((len(part), own.shape[1], 3))
    back = rot.conjugate(own[:, set_joints])
    change[:, set_joints] = rot.to_rotvec(rot.multiply(back, shown[:, set_joints]))
    if layer.spread:
        others = [joint for joint in free if joint not in layer.joints]
        change[:, others] = _along(change, space)[:, others]
    turned = rot.from_rotvec(weight[:, None, None] * change)
    moved = set_joints if not layer.spread else [*set_joints, *others]
    rotations[part[:, None], moved] = rot.multiply(own, turned)[:, moved]


def _along(change: Array, space: PostureSpace) -> Array:
    """What all joints do when some change, by the leading components, shape (n, J, 3)."""
    numbers = np.zeros((len(change), space.components.shape[1]))
    numbers[:, 3:] = change.reshape(len(change), -1)
    components = numbers @ space.components.T
    fade = np.clip((GONE - 1 - np.arange(space.n_components)) / (GONE - KEPT), 0.0, 1.0)
    spread = (components * fade) @ space.components
    return spread[:, 3:].reshape(change.shape)


def make_layer(
    clip: Motion,
    space: PostureSpace,
    fps: float,
    begin: int,
    joints: Sequence[str] | None = None,
    priority: int = 0,
    ease: float | None = None,
    spread: bool = True,
) -> Layer:
    """A layer out of a clip as it was read.

    Parameters
    ----------
    clip : Motion
        It has the joints of the model's skeleton, by name.
    space : PostureSpace
        Of the person who waits.
    fps : float
        Frames per second of the stream.
    begin : int
        Frame of the stream at which it begins.
    joints : sequence of str, optional
        Names or roles of the joints that it sets; all but hips and legs when not given.
    priority : int
        Layers of a higher priority lie over those of a lower one.
    ease : float, seconds, optional
        How long it comes and goes; as long as it takes to do so gently when not given.
    spread : bool
        Whether the other joints go along.

    Returns
    -------
    Layer

    Raises
    ------
    InvalidInputError
        When the clip lacks joints, or hips or legs are to be set.
    """
    skeleton = space.coordinates.skeleton
    missing = [name for name in skeleton.names if name not in clip.skeleton.names]
    if missing:
        raise InvalidInputError(
            f"{clip.name or 'the clip'} has no joint {', '.join(missing[:3])}; a layer must be of"
            " the same skeleton as the person who waits"
        )
    if clip.n_frames < 2:
        raise InvalidInputError(f"{clip.name or 'the clip'} has one frame; a layer is a movement")
    free = upper_body(skeleton, space.roles)
    wanted = free if joints is None else find_joints(tuple(joints), skeleton, space.roles)
    held = [skeleton.names[j] for j in wanted if j not in free]
    if held:
        raise InvalidInputError(
            f"a layer cannot set {', '.join(held)}: hips and legs stand; name joints above them"
        )
    count = int(clip.duration * fps + 1e-6) + 1
    # On the curves that idle motion is shown by: straight lines between frames would jerk.
    at = np.minimum(np.arange(count) * (clip.fps / fps), clip.n_frames - 1.0)
    order = [clip.skeleton.names.index(name) for name in skeleton.names]
    own = Motion(
        skeleton=skeleton,
        rotations=_sample_turns(clip.rotations[:, order], at),
        translations=np.zeros((count, 1, 3)),
        frame_time=1.0 / fps,
        translated=(0,),
        name=clip.name,
    )
    most = max(0, own.n_frames // 2 - 1)
    frames = [
        min(round((gentle_ease(own, wanted, space, end) if ease is None else ease) * fps), most)
        for end in (0, -1)
    ]
    return Layer(
        clip=own,
        begin=begin,
        joints=tuple(wanted),
        priority=priority,
        ease_in=frames[0],
        ease_out=frames[1],
        spread=spread,
    )


def gentle_ease(clip: Motion, joints: Sequence[int], space: PostureSpace, frame: int) -> float:
    """How long a gesture takes to come or go without a jerk that it does not have itself, seconds.

    Parameters
    ----------
    clip : Motion
        The gesture.
    joints : sequence of int
        Joints that it sets.
    space : PostureSpace
        Of the person who waits; their mean posture is where it comes from or goes to.
    frame : int
        Of the clip, where it comes or goes.
    """
    own = clip.rotations[:, list(joints)]
    usual = np.asarray(space.coordinates.reference)[list(joints)]
    away = float(rot.angle_between(own[frame], usual).max(initial=0.0))
    speed = rot.to_rotvec(rot.multiply(rot.conjugate(own[:-1]), own[1:])) * clip.fps
    jerk = np.linalg.norm(np.diff(speed, 2, axis=0), axis=-1) * clip.fps**2
    most = max(USUAL_JERK, float(np.quantile(jerk, 0.995)) if jerk.size else 0.0)
    return max(USUAL_EASE, float(np.cbrt(_WEIGHT_JERK * away / (_LEFT_OVER * most))))


def stop_layer(layer: Layer, frame: int, frames: int) -> Layer:
    """A layer that goes from some frame on, from whatever weight it has then.

    Parameters
    ----------
    layer : Layer
        What is played.
    frame : int
        Frame of the stream at which it begins to go.
    frames : int
        How many it takes, at most those until it would have ended.
    """
    left = layer.end - frame
    if left <= 0:
        return layer
    frames = min(frames, left)
    # One that is on its way out already goes on from there.
    before = min(1.0, left / (layer.ease_out + 1))
    return replace(layer, ease_out=max(frames / before - 1, frames), stop=frame + frames)


def _sample_turns(quaternions: Array, at: Array) -> Array:
    """Rotations at times between frames, by Catmull and Rom's cubic about the frame before.

    Parameters
    ----------
    quaternions : array of shape (T, ..., 4)
        One row for every frame, unit.
    at : array of shape (N,)
        Times in frames, within the motion.

    Returns
    -------
    array of shape (N, ..., 4)
    """
    # Frames around each time, those at an end twice, and how far on it is.
    n = len(quaternions)
    row = np.clip(np.floor(at).astype(int), 0, max(n - 2, 0))
    u = (at - row).reshape(-1, *(1,) * (quaternions.ndim - 1))
    before, first, second, after = (quaternions[np.clip(row + k, 0, n - 1)] for k in (-1, 0, 1, 2))
    back = rot.conjugate(first)
    last, step, far = (rot.to_rotvec(rot.multiply(back, q)) for q in (before, second, after))
    begin = 0.5 * (step - last) - step
    end = 0.5 * far - step
    bent = u * step + u * (1 - u) * ((1 - u) * begin - u * end)
    return rot.normalize(rot.multiply(first, rot.from_rotvec(bent)))
