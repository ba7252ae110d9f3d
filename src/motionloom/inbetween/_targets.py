"""Places and key poses that do not fit together, so that feet have to slide, told by name.

Bodies brought to where a hand or foot can reach what is asked of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.kinds.table import label_of
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import find_limb
from motionloom.edit.root import move_body
from motionloom.inbetween.fill import Known
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.spread import SHIFT
from motionloom.typing import Array

#: Places nearer than this to the way are no misfit, metres.
_NEAR = 0.05
#: Time over which the speed of bodies in clips is read, seconds.
_SPAN = 0.3


def misfits(
    posed: PosedMotion, constraints: ConstraintSet, keys: Sequence[int], clips: ClipSet
) -> tuple[str, ...]:
    """What is asked of the body and does not fit the key poses.

    Parameters
    ----------
    posed : PosedMotion
        The way between the key poses, before it is bent to places.
    constraints : ConstraintSet
        What is asked for.
    keys : sequence of int
        Frames of the key poses, ascending.
    clips : ClipSet
        What people do.

    Returns
    -------
    tuple of str
        One sentence for each, with the constraint's name.
    """
    return (*_off_the_way(posed, constraints, keys), *_too_fast(posed, keys, clips))


def _off_the_way(
    posed: PosedMotion, constraints: ConstraintSet, keys: Sequence[int]
) -> Iterator[str]:
    places = posed.body[:, :2]
    for i, constraint in enumerate(constraints.body):
        frames = constraints.frames_of(constraint)
        own = places[frames.start : frames.stop]
        off = float(np.linalg.norm(own - np.array(constraint.position), axis=1).max())
        free = min(abs(frame - key) for frame in frames for key in keys)
        if off > max(_NEAR, SHIFT * free / posed.fps):
            yield (
                f"{label_of(constraints, 'body', i)} is {off:.2f} m off the way between the key"
                " poses, which is bent to it, so feet may slide; move it, or ask for a key pose at"
                " that time"
            )


def _too_fast(posed: PosedMotion, keys: Sequence[int], clips: ClipSet) -> Iterator[str]:
    fastest = max(_fastest(PosedMotion(m, clips.roles).body[:, :2], m.fps) for m in clips.motions)
    for first, second in pairwise(keys):
        way = float(np.linalg.norm(posed.body[second, :2] - posed.body[first, :2]))
        seconds = (second - first) / posed.fps
        if way > max(_NEAR, fastest * seconds):
            yield (
                f"the key poses at {first / posed.fps:g} s and {second / posed.fps:g} s are"
                f" {way:.2f} m apart, {way / seconds:.1f} m/s, and nobody goes faster than"
                f" {fastest:.1f} m/s in the clips, so feet slide; give more time or a shorter way"
            )


def _fastest(places: Array, fps: float) -> float:
    """Largest speed of a body on the ground, metres per second."""
    lag = max(1, round(_SPAN * fps))
    if len(places) <= lag:
        return 0.0
    return float(np.linalg.norm(places[lag:] - places[:-lag], axis=1).max()) * fps / lag


#: A limb is asked for this share of its length at most.
_STRETCHED = 0.95


def poses_in_reach(
    posed: PosedMotion, constraints: ConstraintSet, known: Sequence[Known]
) -> list[Known]:
    """Poses that a motion has when something is asked of a joint, moved until the joint reaches it.

    Parameters
    ----------
    posed : PosedMotion
        A motion between key poses.
    constraints : ConstraintSet
        What is asked for.
    known : sequence of Known
        Frames that are given: nothing is moved there.

    Returns
    -------
    list of Known
        Where joints would not reach as the motion is; one at most for each frame.
    """
    given = {frame for piece in known for frame in range(piece.frame, piece.stop)}
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    found = {}
    for constraint, joint in zip(constraints.joints, joints, strict=True):
        frame = constraints.frame_of(constraint.time)
        if constraint.position is None or frame in given:
            continue
        lack = _lacking(posed, frame, joint, np.asarray(constraint.position))
        if lack.any():
            moved = move_body(posed, np.broadcast_to(lack, (posed.n_frames, 3)))
            found[frame] = Known(frame, moved.motion.cut(frame, frame + 1))
    return list(found.values())


def _lacking(posed: PosedMotion, frame: int, joint: int, target: Array) -> Array:
    """What a joint lacks to a target when its limb is stretched, shape (3,), metres."""
    limb = find_limb(posed, joint)
    if limb is None:
        return target - posed.positions[frame, joint]
    length = _STRETCHED * sum(float(b[frame]) for b in bone_lengths(posed, limb))
    way: Array = target - posed.positions[frame, limb.root]
    far = float(np.linalg.norm(way))
    return way * max(0.0, 1.0 - length / max(far, 1e-12))
