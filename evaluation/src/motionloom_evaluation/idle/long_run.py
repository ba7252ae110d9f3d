"""Somebody who waits for hours: whether anything comes again, drifts, slides, or is left behind."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.idle import IdleModel, IdleStream, begin_idle
from motionloom.idle.learning.posture_space import PostureSpace, to_numbers
from motionloom.kinematics import chain_kinematics
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom_evaluation.idle.measures import kpss, nearest_earlier
from motionloom_evaluation.idle.pieces import plans_of

Array = NDArray[np.float64]

#: Frames per second that are made, those of them that are looked at, and seconds made in one go.
FPS, LOOKED, BLOCK = 60.0, 10, 60.0
#: Repeats are looked for in windows of so many seconds, at most so many of them.
WINDOW, MOST_WINDOWS = 5.0, 14_400
#: Means of so many seconds are what may drift; above this KPSS's statistic is not that of something
#: that stays (5 %).
MEAN, DRIFTS = 30.0, 0.463
#: An ankle that goes farther from one frame to the next is on its way, metres.
STEPS = 1e-9


@dataclass(frozen=True)
class LongRun:
    """Hours of one character.

    Parameters
    ----------
    hours : float
        How long.
    frames : int
        At 60 a second.
    sliding : float, metres
        Farthest that an ankle moves while it stands.
    sinking : float, metres
        How far an ankle stands below the lowest that it was learned to stand.
    stepping : float
        Share of the time in which a foot is on its way.
    nearest, recorded : float
        How near any 5 s come to earlier ones, made and recorded.
    drift : tuple of (str, float)
        KPSS's statistic of means over half a minute; above .463 something drifts (5 %).
    shifts : float
        Shifts a minute.
    kept : int
        Bytes that the character keeps at the end.
    grown : int
        Bytes that making all frames left behind.
    """

    hours: float
    frames: int
    sliding: float
    sinking: float
    stepping: float
    nearest: float
    recorded: float
    drift: tuple[tuple[str, float], ...]
    shifts: float
    kept: int
    grown: int

    def to_text(self) -> str:
        """For people."""
        drifting = [name for name, value in self.drift if value > DRIFTS]
        most = max((value for _, value in self.drift), default=0.0)
        return (
            f"{self.hours:g} h, {self.frames} frames, {self.shifts:.1f} shifts a minute, a foot on"
            f" its way {100 * self.stepping:.1f} % of the time\n"
            f"standing feet move by {1000 * self.sliding:.6f} mm and sink by"
            f" {1000 * self.sinking:.6f} mm\n"
            f"nearest 5 s before: {self.nearest:.3f}, recorded {self.recorded:.3f}\n"
            f"drift (KPSS, .463 at 5 %): at most {most:.2f} of {len(self.drift)},"
            f" {', '.join(drifting) or 'none'} beyond\n"
            f"kept {self.kept} bytes, left behind {self.grown}\n"
        )


def run_long(
    model: IdleModel,
    recorded: Motion,
    hours: float,
    seed: int = 0,
    progress: Progress = silent,
) -> LongRun:
    """Let somebody wait for hours, and look at every frame's feet and at six postures a second.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    recorded : Motion
        What it was learned from, of the model's skeleton.
    hours : float
        How long.
    seed : int
        Of the motion.
    progress : Progress
        Told of every minute.

    Returns
    -------
    LongRun
    """
    stream = IdleStream(model, FPS, begin_idle(model, seed))
    blocks = max(1, round(hours * 3600.0 / BLOCK))
    postures: list[Array] = []
    hips: list[Array] = []
    feet = _Feet(_lowest(model))
    for i in range(blocks):
        progress("waiting", i, blocks)
        motion = _block(stream, round(BLOCK * FPS))
        ankles = _ankles(motion, model)
        feet.follow(ankles)
        seen = slice(None, None, LOOKED)
        postures.append(_numbers(motion.rotations[seen], model.space))
        hips.append(_hips(motion.translations[seen, 0], ankles[seen]))
    progress("waiting", blocks, blocks)
    made = np.concatenate(postures)
    rate = FPS / LOOKED
    was = recorded.resample(1.0 / rate)
    window = round(WINDOW * rate)
    stride = max(1, -(-len(made) // MOST_WINDOWS))
    return LongRun(
        hours=hours,
        frames=blocks * round(BLOCK * FPS),
        sliding=feet.sliding,
        sinking=feet.sinking,
        stepping=feet.stepping / max(1, feet.frames),
        nearest=nearest_earlier(made, window, stride),
        recorded=nearest_earlier(_numbers(was.rotations, model.space), window, 1),
        drift=_drift(made, np.concatenate(hips), rate),
        shifts=_shifts(model, hours, seed),
        kept=_bytes_of(stream),
        grown=left_behind(model, hours, seed),
    )


class _Feet:
    """Ankles, followed from block to block."""

    def __init__(self, lowest: float) -> None:
        self.sliding = self.sinking = 0.0
        self.frames = self.stepping = 0
        self._last: Array | None = None
        self._stood: Array | None = None
        self._lowest = lowest

    def follow(self, ankles: Array) -> None:
        """The next frames, shape (T, 2, 3)."""
        if self._last is None or self._stood is None:
            self._last = self._stood = ankles[0]
        steps = np.linalg.norm(np.diff(ankles, axis=0, prepend=self._last[None]), axis=-1)
        moving = steps > STEPS
        self.frames += len(ankles)
        self.stepping += int(moving.any(axis=1).sum())
        for f in range(2):
            # A foot stands where it came to stand last.
            came = np.maximum.accumulate(np.where(moving[:, f], np.arange(len(ankles)), -1))
            stood = np.where((came >= 0)[:, None], ankles[came, f], self._stood[f])
            off = np.linalg.norm(ankles[:, f] - stood, axis=-1)
            self.sliding = max(self.sliding, float(off[~moving[:, f]].max(initial=0.0)))
            self._stood[f] = stood[-1]
        standing = ankles[:, :, 1][~moving]
        self.sinking = max(self.sinking, self._lowest - float(standing.min(initial=np.inf)))
        self._last = ankles[-1]
        self._stood = self._stood.copy()


def _lowest(model: IdleModel) -> float:
    """Lowest that an ankle stands in what was learned, metres."""
    rests = [float(rest.feet[:, 1].min()) for rest in model.rests]
    shifts = [float(s.feet[[0, -1], :, 1].min()) for s in model.shifts if s.feet is not None]
    return min([*rests, *shifts])


def _block(stream: IdleStream, count: int) -> Motion:
    rotations, places = stream.poses(count)
    skeleton = stream.model.space.coordinates.skeleton
    return Motion(skeleton, rotations, places[:, None], 1.0 / FPS, (0,))


def _ankles(motion: Motion, model: IdleModel) -> Array:
    """Places of both ankles, shape (T, 2, 3)."""
    joints = model.space.roles.joints
    ends = [joints["left_foot"], joints["right_foot"]]
    return np.stack([chain_kinematics(motion, j).positions[:, -1] for j in ends], axis=1)


def _numbers(rotations: Array, space: PostureSpace) -> Array:
    """Components of what joints above and below the root do, wherever it is, shape (T, K)."""
    still = np.zeros((len(rotations), 1, 3))
    motion = Motion(space.coordinates.skeleton, rotations, still, 1.0, (0,))
    numbers = to_numbers(space.coordinates, motion, space.origin, space.leg)
    own: Array = numbers[:, 6:] @ space.components[:, 6:].T
    return own


def _hips(places: Array, ankles: Array) -> Array:
    """Hips seen from between the ankles: to the left, ahead of their line, and up, metres."""
    middle = ankles.mean(axis=1)
    across = (ankles[:, 0] - ankles[:, 1])[:, [0, 2]]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    off = places - middle
    flat = off[:, [0, 2]]
    side = np.sum(flat * across, axis=1)
    ahead = across[:, 0] * flat[:, 1] - across[:, 1] * flat[:, 0]
    return np.column_stack([side, ahead, off[:, 1]])


def _drift(postures: Array, hips: Array, rate: float) -> tuple[tuple[str, float], ...]:
    names = ("hips aside", "hips ahead", "hips up", *(f"component {k + 1}" for k in range(4)))
    values = np.column_stack([hips, postures[:, :4]])
    length = round(MEAN * rate)
    count = len(values) // length
    means = values[: count * length].reshape(count, length, -1).mean(axis=1)
    return tuple((name, kpss(means[:, i])) for i, name in enumerate(names))


def _shifts(model: IdleModel, hours: float, seed: int) -> float:
    """Shifts a minute, in an hour at most."""
    plans = plans_of(model, seed)
    minutes = 60.0 * min(hours, 1.0)
    seconds = 0.0
    count = 0
    while seconds < 60.0 * minutes:
        seconds += next(plans).n_frames / model.fps
        count += 1
    return 60.0 * count / seconds


def _bytes_of(stream: IdleStream) -> int:
    kept = stream.kept()
    return sum(value.nbytes for value in kept.values() if isinstance(value, np.ndarray))


def left_behind(model: IdleModel, hours: float, seed: int = 0) -> int:
    """Bytes by which memory has grown when a stream has run for hours.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    hours : float
        How long.
    seed : int
        Of the motion.
    """
    stream = IdleStream(model, FPS, begin_idle(model, seed))
    stream.poses(round(BLOCK * FPS))
    tracemalloc.start()
    try:
        stream.poses(round(BLOCK * FPS))
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(max(1, round(hours * 3600.0 / BLOCK))):
            stream.poses(round(BLOCK * FPS))
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
