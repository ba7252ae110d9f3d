"""Reaching: a limb's tip brought to points at given frames or held there, eased in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, find_limbs
from motionloom.curves import minimum_jerk
from motionloom.edit.displacement import decay
from motionloom.edit.limbs import bone_lengths, solve_limb, swing_between
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Limb
from motionloom.threads import one_thread
from motionloom.two_bones import unit
from motionloom.typing import Array

#: A limb reaches as far as this share of its length: a quite straight one would snap into place.
EXTENSION = 0.99


#: What a movement takes at least, seconds, and for every metre.
QUICK, PER_METRE = 0.4, 0.6
#: How long a movement takes at most, seconds, if its bell-shaped speed needs no more than this
#: acceleration, metres per second squared; and how long it takes at most to lose a speed. Hands
#: have time, and what they are given comes on top of how they move; feet have a step.
ARM, LEG = (1.0, 4.0, 1.6), (0.8, 7.0, 1.2)
#: Largest acceleration of such a movement over one metre in one second.
BELL = 5.77
#: Largest acceleration with which one metre a second is lost in one second like that.
CATCH = 3.94
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
    priority : int
        Of targets that are in each other's way the lowest number is met.
    """

    frame: int
    joint: int
    position: Array
    velocity: Array | None = None
    last: int | None = None
    priority: int = 1

    @property
    def frames(self) -> range:
        """Its frames.

        Examples
        --------
        >>> Target(frame=30, joint=17, position=np.zeros(3), last=45).frames
        range(30, 46)
        """
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

    Examples
    --------
    >>> hand = posed.roles.joint("right_hand")
    >>> find_limb(posed, hand).tip == hand
    True
    """
    for limb in find_limbs(posed.roles).values():
        if joint in posed.skeleton.descendants(limb.tip):
            return Limb(limb.root, limb.middle, joint)
    return None


def reach_time(distance: float, ease: tuple[float, float, float] = ARM) -> float:
    """How long people take to move a hand over a distance (metres), seconds.

    Examples
    --------
    >>> reach_time(0.1) < reach_time(0.5)
    True
    """
    slow, acceleration, _ = ease
    usual = min(QUICK + PER_METRE * distance, slow)
    return max(usual, float(np.sqrt(BELL * distance / acceleration)))


def _ease(posed: PosedMotion, joint: int) -> tuple[float, float, float]:
    """That of legs for a joint of a leg, else that of arms."""
    limb = find_limb(posed, joint)
    limbs = find_limbs(posed.roles)
    legs = [limbs[role].root for role in posed.roles.feet if role in limbs]
    return LEG if limb is not None and limb.root in legs else ARM


def target_time(posed: PosedMotion, target: Target) -> float:
    """How long it takes to come to a target, and to leave it, seconds.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    target : Target
        The farther its joint is from it, and the faster it passes where it is to be held, the
        longer.

    Returns
    -------
    float, seconds
    """
    first, last = target.frames[0], min(target.frames[-1], posed.n_frames - 1)
    places = posed.positions[:, target.joint]
    way = float(np.linalg.norm(places[first : last + 1] - target.position, axis=1).max())
    ease = _ease(posed, target.joint)
    if first == last:
        return reach_time(way, ease)
    speeds = np.linalg.norm(np.gradient(places, axis=0), axis=1)[[first, last]] * posed.fps
    _, acceleration, longest = ease
    catch = CATCH * float(speeds.max()) / acceleration
    return max(reach_time(way, ease), min(catch, longest))


@one_thread()
def reach_targets(
    posed: PosedMotion,
    targets: Sequence[Target],
    blend: float = QUICK,
    hinges: Mapping[str, Hinge] | None = None,
    keep: Sequence[int] = (),
) -> PosedMotion:
    """Bring limbs to their targets.

    What a target asks for is a swing of the limb about its root and a change of its reach. Both are
    eased in before and out after the target's frames, with the bell-shaped speed that people's
    hands have, and longer for a longer way. A limb that must stretch loses a share of the bend it
    has in each frame, so it never bends the wrong way on its way there.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    targets : sequence of Target
        Targets of joints that belong to no limb are passed over.
    blend : float, seconds
        Least time over which a correction grows and fades; no longer than to the limb's next
        target.
    hinges : mapping of str to Hinge, optional
        Captured ranges of elbows and knees, by the role of the limb's tip; a limb whose own tip has
        the target keeps them, widened as `Hinge.widened` does.
    keep : sequence of int
        Frames in which nothing changes.

    Returns
    -------
    PosedMotion
        A target beyond the limb's reach is approached as far as it goes.

    Examples
    --------
    >>> hand = posed.roles.joint("right_hand")
    >>> goal = posed.positions[60, hand] + [0.0, 0.1, 0.0]
    >>> reached = reach_targets(posed, [Target(60, hand, goal)])
    >>> np.allclose(reached.positions[60, hand], goal, atol=1e-3)
    True
    """
    ranges = {hinge.limb: hinge.widened() for hinge in (hinges or {}).values()}
    limbs = [find_limb(posed, target.joint) for target in targets]
    reached = [(t, limb) for t, limb in zip(targets, limbs, strict=True) if limb is not None]
    for target, limb in reached:
        hinge = ranges.get(limb)
        others = [
            # Frames from the end of one span to the begin of another.
            max(t.frames[0] - target.frames[-1], target.frames[0] - t.frames[-1], 1)
            for t, other in reached
            if t is not target and other.root == limb.root
        ]
        width = min([max(blend, target_time(posed, target)) * posed.fps, *others])
        posed = _blend_in(posed, target, limb, width, hinge, keep)
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
    posed: PosedMotion,
    target: Target,
    limb: Limb,
    width: float,
    hinge: Hinge | None,
    keep: Sequence[int],
) -> PosedMotion:
    """Motion with a share (T,) of what the limb needs to reach its target."""
    frames = np.array([f for f in target.frames if f < posed.n_frames])
    share = bump(posed.n_frames, int(frames[0]), width, keep, int(frames[-1]))
    if not share.any():
        return posed
    above = rot.conjugate(posed.rotations[:, posed.skeleton.parents[limb.root]])
    root = posed.positions[:, limb.root]
    own = rot.rotate(above, posed.positions[:, limb.tip] - root)
    wanted = rot.rotate(above[frames], target.position - root[frames])
    size = np.linalg.norm(own, axis=-1)
    upper, lower = bone_lengths(posed, limb)
    longest = np.maximum(EXTENSION * (upper + lower), size + 1e-9)
    change = np.minimum(np.linalg.norm(wanted, axis=-1), longest[frames]) - size[frames]
    turn = rot.unroll_rotvec(rot.to_rotvec(swing_between(unit(own[frames]), unit(wanted))))
    grown = _extend(turn, np.ones((posed.n_frames, 2)), frames, share, width)
    # Stretching takes a share of what each frame's bend leaves to stretch, shrinking one of the
    # reach.
    parts = np.column_stack([longest - size, size])
    parts = np.stack([parts[:, 0 if change[0] > 0 else 1], parts[:, 0 if change[-1] > 0 else 1]], 1)
    stretch = _extend(change[:, None], parts, frames, share, width)[:, 0]
    stretched = np.minimum(size + stretch, longest)
    aim = rot.rotate(rot.from_rotvec(grown), unit(own)) * stretched[:, None]
    place = root + rot.rotate(rot.conjugate(above), aim)
    solved = solve_limb(posed, limb, place, hinge=hinge)
    # A limb that bends a little the wrong way is set right near the target only.
    gate = 1.0 - (1.0 - share) ** 4
    return posed.with_local(
        {j: rot.slerp(posed.motion.rotations[:, j], turned, gate) for j, turned in solved.items()}
    )


def _extend(
    needs: Array, parts: Array, frames: NDArray[np.intp], share: Array, width: float
) -> Array:
    """What is needed in some frames (K, D), growing before and fading after them, shape (T, D).

    It is in proportion to `parts` (T, 2), one before and one after, and where it changes in the
    span it goes on changing like that at first.
    """
    out = np.zeros((len(share), needs.shape[1]))
    out[frames] = needs
    every = np.arange(len(share))
    rates = np.gradient(needs, axis=0) if len(frames) > 1 else np.zeros_like(needs)
    for side, edge in enumerate((int(frames[0]), int(frames[-1]))):
        at = every[every < edge] if side == 0 else every[every > edge]
        part = parts[:, side]
        gain = needs[edge - frames[0]] / max(float(part[edge]), 1e-9)
        out[at] = (share * part)[at, None] * gain
        if len(frames) > 1:
            rate = rates[edge - frames[0]] - gain * float(np.gradient(part)[edge])
            fade = decay(np.abs(at - edge) / max(width, 1.0), 1.0, 1.0)[1] * (share[at] > 0)
            out[at] += (width if side else -width) * fade[:, None] * rate
    return out


def bump(
    n: int, frame: int, width: float, keep: Sequence[int] = (), last: int | None = None
) -> Array:
    """1 at a frame or over a span, falling with smooth slope and curvature to 0 on both sides.

    It is 0 in the frames to be kept and beyond, and everywhere when one of them is in the span.

    Parameters
    ----------
    n : int
        Number of frames.
    frame : int
        Frame of the top, or the first of the span.
    width : float, frames
        Where it is down to 0 on each side; nearer where a frame to be kept is.
    keep : sequence of int
        Frames to be kept.
    last : int, optional
        Last frame of the span.

    Returns
    -------
    array of shape (n,)

    Examples
    --------
    >>> bump(9, frame=4, width=4).round(2)
    array([0. , 0.1, 0.5, 0.9, 1. , 0.9, 0.5, 0.1, 0. ])
    """
    last = frame if last is None else last
    width = min([width, *(max(frame - k, k - last, 0) for k in keep)])
    if width <= 0:
        return np.zeros(n)
    at = np.arange(n)
    away = np.maximum(np.maximum(frame - at, at - last), 0)
    return minimum_jerk(1.0 - away / max(width, 1.0))
