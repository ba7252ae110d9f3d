"""Motions kept at what is asked: bodies in their places over a span of frames, joints in key poses
at theirs, with smooth ways there and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.constraints import BodyConstraint, KeyPose
from motionloom.edit.reach import bump
from motionloom.edit.root import move_body
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array


def hold_values(values: ArrayLike, first: int, last: int, target: ArrayLike, width: int) -> Array:
    """Curves that stay at a target over a span, with smooth ways there and back.

    Outside the span the difference fades over `width` frames as the polynomial of fifth degree
    whose value, slope and curvature fit on both sides, so that nothing jumps but the third
    derivative.

    Parameters
    ----------
    values : array of shape (T, K)
        The curves; K of them.
    first, last : int
        Frames of the span.
    target : array of shape (K,)
        Where they stay, in the same unit.
    width : int
        Frames; fewer where the motion begins or ends before.

    Returns
    -------
    array of shape (T, K)
    """
    values = np.asarray(values, float)
    out = values.copy()
    out[first : last + 1] = target
    slope = np.gradient(values, axis=0) if len(values) > 1 else np.zeros_like(values)
    curve = np.gradient(slope, axis=0) if len(values) > 1 else np.zeros_like(values)
    for edge, sign in ((first, -1), (last, 1)):
        n = min(width, edge if sign < 0 else len(values) - 1 - edge)
        if n < 1:
            continue
        # Time runs away from the span, so odd derivatives change sign with it.
        away = np.arange(1, n + 1)
        gap = np.asarray(target, float) - values[edge]
        # The polynomial of fifth degree with this value, slope and curvature, that ends in nothing.
        start = [gap, -sign * slope[edge] * n, -curve[edge] * n**2]
        fade = scipy.interpolate.BPoly.from_derivatives([0.0, 1.0], [start, np.zeros_like(start)])
        out[edge + sign * away] = values[edge + sign * away] + fade(away / n)
    return out


def hold_body(
    posed: PosedMotion, holds: Sequence[BodyConstraint], fade: float = 0.8
) -> PosedMotion:
    """Keep the body in its places.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    holds : sequence of BodyConstraint
        Each from its time to its end.
    fade : float, seconds
        Time before and after a span within which the body goes another way.

    Returns
    -------
    PosedMotion
    """
    body = posed.body
    wanted = body.copy()
    width = round(fade * posed.fps)
    for hold in holds:
        end = hold.time if hold.end is None else hold.end
        first, last = (min(round(t * posed.fps), posed.n_frames - 1) for t in (hold.time, end))
        wanted[:, :2] = hold_values(wanted[:, :2], first, last, hold.position, width)
        if hold.facing is not None:
            near = wanted[first, 2]
            facing = near + rot.wrap_angle(hold.stand().angle - near)
            wanted[:, 2:] = hold_values(wanted[:, 2:], first, last, [facing], width)
    shift = np.zeros((posed.n_frames, 3))
    shift[:, [0, 2]] = (wanted - body)[:, :2]
    pivot = np.column_stack([body[:, 0], np.zeros(len(body)), body[:, 1]])
    return move_body(posed, shift, wanted[:, 2] - body[:, 2], pivot)


def show_poses(
    motion: Motion, poses: Sequence[KeyPose], blend: float = 0.5, keep: Sequence[int] = ()
) -> Motion:
    """Bring joints to their rotations, exactly at their frames.

    What a joint lacks is taken over by the frames around, each in the tangent space of its own
    rotation.

    Parameters
    ----------
    motion : Motion
        Motion to be changed.
    poses : sequence of KeyPose
        Of joints by their own names, rotations of unit length.
    blend : float, seconds
        Time before and after over which the difference grows and fades; no longer than to the next
        pose.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    Motion
        With other rotations of the poses' joints; the body stands and faces as before.

    Raises
    ------
    UnknownJointError
        When the skeleton has no joint of a pose's name.
    """
    rotations = motion.rotations.copy()
    frames = [frame_of(pose, motion) for pose in poses]
    for pose, frame in zip(poses, frames, strict=True):
        joints = [motion.skeleton.index(name) for name in pose.joints]
        others = [f for f in (*frames, *keep) if f != frame]
        share = bump(motion.n_frames, frame, blend * motion.fps, others)[:, None, None]
        own = rotations[:, joints]
        gap = rot.between(own[frame], np.array(pose.rotations))
        rotations[:, joints] = rot.multiply(own, rot.from_rotvec(share * gap))
    return replace(motion, rotations=rotations)


def frame_of(pose: KeyPose, motion: Motion) -> int:
    """Frame of a motion nearest to the time of a pose; the last one for a later time.

    Parameters
    ----------
    pose : KeyPose
        It has a time in seconds.
    motion : Motion
        It has the frame rate.

    Returns
    -------
    int
    """
    return min(round(pose.time * motion.fps), motion.n_frames - 1)
