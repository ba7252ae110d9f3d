"""Reaching: a limb's tip brought to points at given frames, blended in before and out after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, find_limbs
from motionloom.edit.limbs import bone_lengths, solve_limb, swing_between
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.two_bones import unit

Array = NDArray[np.float64]

#: A limb reaches as far as this share of its length: a quite straight one would snap into place.
EXTENSION = 0.99
#: Time before and after a target within which its velocity is met, seconds.
VELOCITY_TIME = 0.3


@dataclass(frozen=True, eq=False)
class Target:
    """A place for a joint at a frame, or over a span of frames.

    Parameters
    ----------
    frame : int
        The first one of a span.
    joint : int
        Index of the joint that is brought there.
    position : array of shape (3,), metres
        In the world.
    velocity : array of shape (3,), metres per second, optional
        With which it passes there.
    last : int, optional
        Last frame of a span.
    """

    frame: int
    joint: int
    position: Array
    velocity: Array | None = None
    last: int | None = None

    @property
    def frames(self) -> range:
        """Its frames."""
        return range(self.frame, (self.frame if self.last is None else self.last) + 1)


def find_limb(posed: PosedMotion, joint: int) -> Limb | None:
    """The arm or leg that ends in a joint or carries it at its end.

    Parameters
    ----------
    posed : PosedMotion
        Whose limbs there are.
    joint : int
        A joint of its skeleton.

    Returns
    -------
    Limb or None
        With `joint` as its tip; None for joints of the trunk and inside limbs.
    """
    for limb in find_limbs(posed.roles).values():
        if joint in posed.skeleton.descendants(limb.tip):
            return Limb(limb.root, limb.middle, joint)
    return None


def reach_targets(
    posed: PosedMotion,
    targets: Sequence[Target],
    blend: float = 0.8,
    turn_rate: float = 1.0,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
) -> PosedMotion:
    """Bring limbs to their targets.

    What a target asks for is a swing of the limb about its root and a change of its reach. Both are
    blended in before and out after the target's frame. A limb that must stretch loses a share of
    the bend it has in each frame, so it never bends the wrong way on its way there.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Targets of joints that belong to no limb are passed over.
    blend : float, seconds
        Least time over which a correction grows and fades; no longer than to the limb's next
        target.
    turn_rate : float, radians per second
        A larger correction takes longer, so that it turns no joint faster than this on average.
    hinges : mapping of str to Hinge, optional
        Captured ranges of elbows and knees, by the role of the limb's tip; a limb whose own tip has
        the target keeps them, widened as `Hinge.widened` does.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    PosedMotion
        A target beyond the limb's reach is approached as far as it goes.
    """
    ranges = {hinge.limb: hinge.widened() for hinge in (hinges or {}).values()}
    limbs = [find_limb(posed, target.joint) for target in targets]
    reached = [(t, limb) for t, limb in zip(targets, limbs, strict=True) if limb is not None]
    for target, limb in reached:
        hinge = ranges.get(limb)
        others = [
            abs(t.frame - target.frame)
            for t, other in reached
            if t is not target and other.root == limb.root
        ]
        width = max(blend, _largest_turn(posed, target, limb) / turn_rate) * posed.fps
        share = bump(posed.n_frames, target.frame, min([width, *others]), keep)
        posed = _blend_in(posed, target, limb, share, hinge)
        if target.velocity is not None and 0 < target.frame < posed.n_frames - 1:
            width = min([VELOCITY_TIME * posed.fps, *others])
            near = bump(posed.n_frames, target.frame, width, keep)
            posed = _meet_velocity(posed, target.frame, target.velocity, limb, near, hinge)
    return posed


def _meet_velocity(
    posed: PosedMotion, frame: int, velocity: Array, limb: Limb, share: Array, hinge: Hinge | None
) -> PosedMotion:
    """Motion whose limb passes its place at a frame with a velocity; places before and after move
    along it.
    """
    tip = posed.positions[:, limb.tip]
    own = 0.5 * posed.fps * (tip[frame + 1] - tip[frame - 1])
    # A bump is not quite 1 in the next frames, between which velocity is measured.
    gain = (velocity - own) / max(0.5 * (share[frame - 1] + share[frame + 1]), 1e-3)
    seconds = (np.arange(posed.n_frames) - frame) / posed.fps
    place = tip + (share * seconds)[:, None] * gain
    solved = solve_limb(posed, limb, place, hinge=hinge)
    changed = (share > 0)[:, None]
    own_rotations = posed.motion.rotations
    return posed.with_local(
        {j: np.where(changed, turned, own_rotations[:, j]) for j, turned in solved.items()}
    )


def _blend_in(
    posed: PosedMotion, target: Target, limb: Limb, share: Array, hinge: Hinge | None
) -> PosedMotion:
    """Motion with a share (T,) of what the limb needs to reach its target."""
    above = rot.conjugate(posed.rotations[:, posed.skeleton.parents[limb.root]])
    root = posed.positions[:, limb.root]
    frame = target.frame
    own = rot.rotate(above, posed.positions[:, limb.tip] - root)
    wanted = rot.rotate(above[frame], target.position - root[frame])
    size = np.linalg.norm(own, axis=-1)
    upper, lower = bone_lengths(posed, limb)
    longest = np.maximum(EXTENSION * (upper + lower), size + 1e-9)
    change = min(float(np.linalg.norm(wanted)), float(longest[frame])) - size[frame]
    # Stretching takes a share of what each frame's bend leaves to stretch, shrinking one of the
    # reach.
    left = longest - size if change > 0 else size
    stretched = size + share * left * change / left[frame]
    turn = rot.to_rotvec(swing_between(unit(own[frame]), unit(wanted)))
    aim = rot.rotate(rot.from_rotvec(share[:, None] * turn), unit(own)) * stretched[:, None]
    place = root + rot.rotate(rot.conjugate(above), aim)
    solved = solve_limb(posed, limb, place, hinge=hinge)
    # A limb that bends a little the wrong way is set right near the target only.
    gate = 1.0 - (1.0 - share) ** 4
    return posed.with_local(
        {j: rot.slerp(posed.motion.rotations[:, j], turned, gate) for j, turned in solved.items()}
    )


def _largest_turn(posed: PosedMotion, target: Target, limb: Limb) -> float:
    """Largest turn, radians, of any joint that brings the limb to its target in its frame."""
    place = np.broadcast_to(target.position, (posed.n_frames, 3))
    turns = [
        rot.angle_between(posed.motion.rotations[target.frame, joint], turned[target.frame])
        for joint, turned in solve_limb(posed, limb, place).items()
    ]
    return float(np.max(turns))


def bump(n: int, frame: int, width: float, keep: Sequence[int] = ()) -> Array:
    """1 at a frame, falling with smooth slope and curvature to 0 on both sides.

    It is 0 in the frames to be kept and beyond, and everywhere when `frame` is one of them.

    Parameters
    ----------
    n : int
        Number of frames.
    frame : int
        Frame of the top.
    width : float, frames
        Where it is down to 0 on each side; nearer where a frame to be kept is.
    keep : sequence of int
        Frames to be kept.

    Returns
    -------
    array of shape (n,)
    """
    width = min([width, *(abs(frame - k) for k in keep)])
    if width <= 0:
        return np.zeros(n)
    u = np.clip(1.0 - np.abs(np.arange(n) - frame) / max(width, 1.0), 0.0, 1.0)
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
