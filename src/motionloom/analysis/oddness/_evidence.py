"""Evidence: all that the checks of motion look at in one clip, before any model of captures.

How far the joints of each arm turn slowly: nobody keeps one as still as a frozen one is.

How a body stands on what carries it: flat feet, level feet, and weight above them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.analysis.oddness._cues import measure_cues
from motionloom.analysis.oddness._flow import Flow, fit_flow, split_windows
from motionloom.analysis.oddness._learned import Basis, fit_scaled
from motionloom.analysis.oddness._otherwise import mirrored
from motionloom.analysis.oddness._speeds import measure_rates, measure_speeds
from motionloom.analysis.oddness._tracks import (
    POINTS,
    RATE,
    TRUNK,
    Track,
    make_track,
    nearest_frames,
)
from motionloom.analysis.oddness._turns import Turns, measure_turns
from motionloom.analysis.oddness._windows import (
    SPAN,
    cut_windows,
    means_around,
    running_means,
    window_middles,
)
from motionloom.declared import Range, Shape
from motionloom.posed_motion import PosedMotion
from motionloom.progress import breathe
from motionloom.roles import Roles
from motionloom.typing import Array, Bools, Ints

#: A point this much slower than others, leg lengths per second, carries more; one this much lower,
#: leg lengths, too.
_SLOW, _LOW = 0.3, 0.1

#: Joints of an arm that carry it; wrists are not measured in many captures.
BEARING = ("shoulder", "elbow")
#: Turns are compared between means over this time, and averaged over the other; seconds.
_MEAN, _OVER = 0.4, 0.4
#: Turns below this are alike, degrees.
_LEAST = 0.02
#: A joint that turns less than this (quaternion) in all captures does not move.
_MOVES = 1e-4
#: Frames that a clip needs for its jumps.
_FRAMES = 5
#: Rates that differ by less than this share are one.
_SAME_RATE = 0.02


@dataclass(frozen=True, eq=False)
class Body:
    """What is common to all clips of one skeleton.

    Parameters
    ----------
    fps : float
        Frames per second that turns are measured at.
    moving : int array of shape (J,)
        Joints that move.
    large : bool array of shape (J,)
        Which of them carry more than a hand, a toe or a head: fingers jump in real captures.
    inner : int array of shape (I,)
        Joints that move beside the body's root, whose turns say nothing of where it faces.
    hinges : tuple of Hinge
        Knees and elbows.
    arms : tuple of str
        Names of the arms.
    balance, speeds, rates : Basis
        Features of balance, of speeds and of rates.
    flow : Flow
        Features of windows that change sign with time.
    """

    fps: Annotated[float, Range(1e-3, 1e6, "1/s")]
    moving: Annotated[Ints, Shape("M"), Range(0)]
    large: Annotated[Bools, Shape("M")]
    inner: Annotated[Ints, Shape("I"), Range(0)]
    hinges: Annotated[tuple[Hinge, ...], Shape("H")]
    arms: tuple[str, ...]
    balance: Basis
    speeds: Basis
    rates: Basis
    flow: Flow


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one clip says, in W windows.

    Parameters
    ----------
    times : array of shape (W,), seconds
        Middles of windows.
    balance : array of shape (W, F)
        Features of balance.
    flow : array of shape (W, G)
        Features of windows that change sign with time.
    cues : array of shape (W, C)
        Cues to the direction of time.
    speeds : array of shape (W, S)
        Features of speeds.
    rates : array of shape (W, R)
        Features of rates.
    arms : array of shape (W, A)
        How still each arm is.
    turns : Turns or None
        None where the clip has fewer frames per second than the captures.
    flexion : array of shape (N, H), degrees
        Of the hinges, `RATE` times a second.
    rotations : array of shape (W, I, 4)
        Local ones of the inner joints.
    track : Track
        What windows were cut from.
    """

    times: Array
    balance: Array
    flow: Array
    cues: Array
    speeds: Array
    rates: Array
    arms: Array
    turns: Turns | None
    flexion: Array
    rotations: Array
    track: Track


def is_long_enough(posed: PosedMotion) -> bool:
    """Whether a motion has at least one window."""
    return posed.n_frames >= _FRAMES and posed.motion.duration * RATE >= SPAN


def fit_body(clips: Sequence[PosedMotion], tracks: Sequence[Track], seed: int) -> Body:
    """What is common to captures.

    Parameters
    ----------
    clips : sequence of PosedMotion
        Of one skeleton, each long enough.
    tracks : sequence of Track
        Of the clips.
    seed : int
        Of the random features.

    Returns
    -------
    Body
    """
    spans = [np.ptp(c.motion.rotations, axis=0).max(axis=-1) for c in clips]
    moving = np.flatnonzero(np.max(spans, axis=0) > _MOVES)
    both = [*tracks, *map(mirrored, tracks)]
    windows = _of_all(cut_windows, both)
    speeds = _of_all(measure_speeds, tracks)
    balance = _of_all(measure_balance, both)
    rates = _of_all(measure_rates, tracks)
    above_root = clips[0].skeleton.chain(clips[0].motion.root_joint)
    return Body(
        # The lowest rate: how turns look from frame to frame depends on it, and none can be made
        # up.
        fps=min(c.fps for c in clips),
        moving=moving,
        large=_large(clips[0], moving),
        inner=np.setdiff1d(moving, above_root),
        hinges=tuple(fit_hinges(clips).values()),
        arms=tuple(f"{side} arm" for side, _ in _find_arms(clips[0].roles)),
        balance=fit_scaled(balance, seed, features=200, wave=2.0, plain=0.3),
        speeds=fit_scaled(speeds, seed, features=200, wave=1.5, plain=0.3),
        # No random ones: what is common to all movements is simple.
        rates=fit_scaled(rates, seed, features=0, wave=1.0, plain=1.0),
        flow=fit_flow(windows, seed),
    )


def _of_all(measure: Callable[[Track], Array], tracks: Sequence[Track]) -> Array:
    """Rows of all tracks."""
    rows = []
    for track in tracks:
        breathe()
        rows.append(measure(track))
    return np.concatenate(rows)


def _find_arms(roles: Roles) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Side and joints of the arms of a body.

    Parameters
    ----------
    roles : Roles

    Returns
    -------
    tuple of (str, tuple of int)
        Of each side that has one, the joints that carry it.
    """
    known = {side: [roles.joint(f"{side}_{p}") for p in BEARING] for side in ("left", "right")}
    arms = {side: tuple(j for j in joints if j is not None) for side, joints in known.items()}
    return tuple((side, joints) for side, joints in arms.items() if joints)


def _large(posed: PosedMotion, moving: Ints) -> Bools:
    """Which moving joints carry more than a tip of the body; all where none does."""
    tips = [j for r, j in posed.roles.joints.items() if r.endswith(("hand", "toe", "head"))]
    small = [j for tip in tips for j in posed.skeleton.descendants(tip)]
    large: Bools = ~np.isin(moving, small)
    return large if large.any() else np.ones_like(large)


def gather_evidence(body: Body, posed: PosedMotion, track: Track | None = None) -> Evidence:
    """What a clip says.

    Parameters
    ----------
    body : Body
    posed : PosedMotion
        Of the body's skeleton, long enough.
    track : Track, optional
        Of the motion, where it is known.

    Returns
    -------
    Evidence
    """
    track = track or make_track(posed)
    middles = window_middles(len(track))
    shown = cut_windows(track)
    frames = nearest_frames(posed)
    arms = [joints for _, joints in _find_arms(posed.roles)]
    return Evidence(
        times=middles / RATE,
        balance=body.balance.features(measure_balance(track)),
        flow=body.flow.features(shown),
        cues=measure_cues(track),
        speeds=body.speeds.features(measure_speeds(track)),
        rates=body.rates.features(measure_rates(track)),
        arms=measure_stillness(posed.motion.rotations[frames], arms)[middles],
        turns=_turns(body, posed),
        flexion=np.degrees([hinge.flexion(posed)[frames] for hinge in body.hinges]).T,
        rotations=posed.motion.rotations[frames[middles]][:, body.inner],
        track=track,
    )


def _turns(body: Body, posed: PosedMotion) -> Turns | None:
    """At the rate of the captures; None where the clip has not enough frames for it."""
    # Filled-in frames would pass for smoothness, so slower clips are not judged by it.
    if posed.fps < body.fps * (1 - _SAME_RATE):
        return None
    differs = posed.fps > body.fps * (1 + _SAME_RATE)
    motion = posed.motion.resample(1 / body.fps) if differs else posed.motion
    if motion.n_frames < _FRAMES:
        return None
    return measure_turns(motion.rotations[:, body.moving], motion.fps)


def sizes_of(roles: Roles) -> tuple[int, ...]:
    """Numbers of a window's balance, speeds, rates, cues, directions and poses, of such a body."""
    known = tuple(role for role in POINTS if role in roles.joints)
    still = Track(known, np.zeros((SPAN, len(known), 3)), np.tile(np.eye(3), (SPAN, 2, 1, 1)))
    odd, even = split_windows(cut_windows(still))
    measured = [m(still) for m in (measure_balance, measure_speeds, measure_rates, measure_cues)]
    return tuple(a.shape[1] for a in (*measured, odd, even))


def measure_stillness(rotations: Array, limbs: Sequence[Sequence[int]]) -> Array:
    """How little each limb turns, beyond noise.

    Parameters
    ----------
    rotations : array of shape (N, J, 4)
        Local rotations, `RATE` a second.
    limbs : sequence of sequence of int
        Joints of each of L limbs.

    Returns
    -------
    array of shape (N, L)
        Minus the logarithm of how far (degrees) its joints turn in 0.4 s; noise from
        frame to frame is taken off.
    """
    n = len(rotations)
    block = min(round(_MEAN * RATE), (n - 1) // 2)
    turned = np.empty((n, len(limbs)))
    for i, limb in enumerate(limbs):
        own = rot.unroll(rotations[:, list(limb)])
        means = running_means(own, block)
        steps = np.sum((means[block:] - means[:-block]) ** 2, axis=-1)
        # A second difference of noise has six times its variance, a mean its share, and the
        # difference of two means twice that.
        noise = np.sum(np.diff(own, 2, axis=0) ** 2, axis=-1) * (2 / 6 / block)
        over = round(_OVER * RATE)
        noise = means_around(noise, over + 2 * block)
        skip = (len(noise) - len(steps)) // 2
        steps = means_around(steps, over) - noise[skip : skip + len(steps)]
        # Of the joints' turns the quadratic mean; a quaternion's length is half an angle.
        beyond = np.maximum(steps.mean(axis=1), 0.0)
        at = np.clip(np.arange(n) - (n - len(beyond)) // 2, 0, len(beyond) - 1)
        turned[:, i] = np.degrees(2 * np.sqrt(beyond[at]))
    return -np.log(turned + _LEAST)


def measure_balance(track: Track) -> Array:
    """How the body stands in the windows of a track.

    Parameters
    ----------
    track : Track
        N frames, P joints.

    Returns
    -------
    array of shape (W, B)
        Slopes of the feet that carry, differences of height between what carries, and where trunk
        and head are above it, leg lengths; means over each window.
    """
    middles = window_middles(len(track))
    speed = np.linalg.norm(np.gradient(track.places, 1 / RATE, axis=0), axis=-1)
    numbers = np.column_stack([_slopes(track, speed), _above_support(track, speed)])
    return running_means(numbers, SPAN)[middles - SPAN // 2]


def _carries(track: Track, speed: Array, joints: list[int]) -> Array:
    """Share of the weight that joints are taken to carry, (N, K): the slow and low ones."""
    heights = track.places[:, joints, 1]
    lowest = track.places[..., 1].min(axis=1, keepdims=True)
    # A soft minimum: which foot carries changes from frame to frame, and a hard one would jump.
    # The last number keeps the sum above 0 where everything is fast and high.
    weight = np.exp(-speed[:, joints] / _SLOW - (heights - lowest) / _LOW) + 1e-9
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _slopes(track: Track, speed: Array) -> Array:
    """Slope of the foot that carries, how high it is, and of both feet how much more one is up."""
    feet = [track.limb(side, ("foot", "toe")) for side in ("left", "right")]
    feet = [pair for pair in feet if len(pair) == 2]
    if not feet:
        return np.zeros((len(track), 0))
    ways = np.stack([track.places[:, toe] - track.places[:, foot] for foot, toe in feet], axis=1)
    slopes = ways[..., 1] / (np.linalg.norm(ways, axis=-1) + 1e-9)
    share = _carries(track, speed, [toe for _, toe in feet])
    carried = (slopes * share).sum(axis=1)
    spread = np.sqrt((share * (slopes - carried[:, None]) ** 2).sum(axis=1))
    return np.column_stack([carried, slopes.min(axis=1), slopes.max(axis=1), spread])


def _above_support(track: Track, speed: Array) -> Array:
    """Where the trunk is, seen from the point that carries: to the left, up and ahead; and how
    uneven what carries is.
    """
    everything = list(range(len(track.roles)))
    share = _carries(track, speed, everything)
    support = np.einsum("np,npc->nc", share, track.places)
    uneven = np.sqrt(np.einsum("np,np->n", share, (track.places[..., 1] - support[:, 1:2]) ** 2))
    away = track.seen(track.places[:, track.columns(*TRUNK)] - support[:, None])
    left, up, ahead = np.moveaxis(away, -1, 0)
    # Joints stand for the mass: a plain mean of them is near enough to the center of mass here.
    mean = track.places.mean(axis=1) - support
    aside = np.hypot(mean[:, 0], mean[:, 2])
    return np.column_stack([left, ahead, up, np.abs(left), aside, uneven])
