"""Figures of woven and captured motion side by side: feet, accelerations, pace, turning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import joint_acceleration
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.roles import Roles
from motionloom_evaluation.critic.parts import find_parts
from motionloom_evaluation.critic.windows import Track

Array = NDArray[np.float64]

#: Shortest contact that has a middle, seconds; its middle third is the middle of the stance.
_STANCE = 0.2
#: Times over which a change of the hips' speed is taken, and over which pace and facing are
#: smoothed, seconds.
_CHANGE = 0.3
_SMOOTH = 0.5
#: A toe lower than this is on the ground, and faster than this it skates: the public benchmark's.
_LOW, _SKATES = 0.05, 0.2


@dataclass(frozen=True, eq=False)
class Samples:
    """Numbers of one kind, and the frame of the motion that each belongs to.

    Parameters
    ----------
    frames : int array of shape (N,)
        Frame of the motion.
    values : array of shape (N, ...)
        In SI units.
    """

    frames: NDArray[np.int64]
    values: Array


@dataclass(frozen=True, eq=False)
class Distribution:
    """Figures of one kind, woven and captured.

    Parameters
    ----------
    name, unit : str
        For tables and pictures.
    figures : tuple of str
        What is counted, such as ``("p10", "p50", "p90")``.
    woven, sources, captured : tuple of float
        A number for each of `figures`; empty where there is nothing to measure.
    drawn : mapping of str to array
        Values for a picture, by column; empty for single numbers.
    """

    name: str
    unit: str
    figures: tuple[str, ...]
    woven: tuple[float, ...]
    sources: tuple[float, ...]
    captured: tuple[float, ...]
    drawn: Mapping[str, Array]


@dataclass(frozen=True)
class _Kind:
    """How one kind of samples becomes figures."""

    key: str
    name: str
    unit: str
    figures: tuple[str, ...]
    scale: float = 1.0
    draw: bool = True


_KINDS = (
    _Kind("stance", "toe speed in the middle of a stance", "cm/s", ("p10", "p50", "p90"), 100),
    _Kind("least", "least toe speed of half a second", "cm/s", ("p10", "p50", "p90"), 100),
    _Kind("depth", "below the lowest captured", "mm", ("mean", "p99", "max"), 1000, False),
    _Kind("acceleration", "acceleration of the legs", "m/s2", ("p50", "p95", "p99")),
    _Kind("change", "change of hip speed in .3 s", "m/s", ("p50", "p95", "max")),
    _Kind("pace", "pace", "m/s", ("p10", "p50", "p90")),
    _Kind("turning", "turning per metre", "deg/m", ("ratio",), np.degrees(1.0), False),
    _Kind("low_toe", "foot_skate_from_height", "cm/s", ("mean",), 100, False),
    _Kind("skates", "foot_skate_ratio", "", ("mean",), 1.0, False),
)


def compare_distributions(
    woven: Sequence[Track], captured: Sequence[Track], roles: Roles, length: int
) -> tuple[Distribution, ...]:
    """Figures of the woven motions, of the frames they are made of, and of all clips.

    Parameters
    ----------
    woven, captured : sequence of Track
        Motions of one skeleton at one frame rate. The soles are calibrated on the captured ones.
    roles : Roles
        Which joint plays which part of the body.
    length : int
        Velocities of half a second.

    Returns
    -------
    tuple of Distribution
        One for each kind of figure, in the order in which they are shown.

    Raises
    ------
    InvalidInputError
        When the body has no feet or no whole leg.
    """
    soles = fit_soles([track.posed for track in captured])
    clips = [_measure(track, soles, roles, length) for track in captured]
    lowest = np.min([c["height"].values.min(axis=0) for c in clips], axis=0)
    made = [_measure(track, soles, roles, length) for track in woven]
    for samples in (*clips, *made):
        height = samples.pop("height")
        samples["depth"] = Samples(height.frames, np.maximum(lowest - height.values, 0.0))
    used = _used(woven, captured, clips)
    return tuple(_distribution(kind, made, used, clips) for kind in _KINDS)


def _used(
    woven: Sequence[Track], captured: Sequence[Track], clips: Sequence[Mapping[str, Samples]]
) -> list[dict[str, Samples]]:
    """Samples of exactly the captured frames that the woven motions show, as often as they do."""
    by_name = {track.motion.name: c for track, c in zip(captured, clips, strict=True)}
    found = []
    for track in woven:
        for piece in track.provenance.pieces if track.provenance else ():
            if piece.clip in by_name:
                found.append(
                    {
                        key: _between(samples, piece.start, piece.stop)
                        for key, samples in by_name[piece.clip].items()
                    }
                )
    return found


def _between(samples: Samples, start: int, stop: int) -> Samples:
    inside = (samples.frames >= start) & (samples.frames < stop)
    return Samples(samples.frames[inside], samples.values[inside])


def _distribution(kind: _Kind, *columns: Sequence[Mapping[str, Samples]]) -> Distribution:
    pooled = [
        np.concatenate([s[kind.key].values for s in column]) if column else np.zeros(0)
        for column in columns
    ]
    woven, sources, clips = (_figures(kind, values) for values in pooled)
    names = ("woven", "sources", "captured")
    drawn = {
        name: kind.scale * values.ravel()
        for name, values in zip(names, pooled, strict=True)
        if kind.draw
    }
    return Distribution(kind.name, kind.unit, kind.figures, woven, sources, clips, drawn)


def _figures(kind: _Kind, values: Array) -> tuple[float, ...]:
    if not values.size:
        return ()
    return tuple(kind.scale * _figure(figure, values) for figure in kind.figures)


def _figure(figure: str, values: Array) -> float:
    if figure == "ratio":
        return float(values[:, 0].sum() / max(values[:, 1].sum(), 1e-9))
    pooled: dict[str, Callable[[Array], np.floating]] = {"mean": np.mean, "max": np.max}
    if figure in pooled:
        return float(pooled[figure](values))
    return float(np.percentile(values, float(figure[1:])))


def _measure(track: Track, soles: Soles, roles: Roles, length: int) -> dict[str, Samples]:
    """Samples of one motion by the keys of `_KINDS`, but heights in place of depths."""
    motion = track.motion
    contacts = detect_contacts(track.posed, soles=soles)
    points = soles.positions(track.posed)
    height = points[..., 1] - contacts.ground
    toes = [max(soles.of(foot), key=lambda i: soles.points[i].part == "toe") for foot in soles.feet]
    speed = np.linalg.norm(np.diff(points[:, toes], axis=0), axis=-1) * motion.fps
    legs = find_parts(motion.skeleton, roles)["legs"]
    acceleration = joint_acceleration(track.posed.positions[:, list(legs)], motion.fps)
    steps = np.arange(len(speed))
    least = speed.min(axis=1)
    middles = np.arange(length // 2, max(len(least) - length // 2, length // 2))
    return {
        "height": Samples(np.arange(motion.n_frames), height),
        "stance": _in_stance(speed, contacts.down[:, toes], motion.fps),
        "least": Samples(middles, ndimage.minimum_filter1d(least, length)[middles]),
        "acceleration": Samples(np.arange(len(acceleration)) + 1, acceleration),
        **_of_the_hips(track, roles),
        **_benchmark(height[:, toes], speed, steps),
    }


def _in_stance(speed: Array, down: NDArray[np.bool_], fps: float) -> Samples:
    """Speeds of the toes in the middle third of every stance."""
    frames = []
    values = []
    for toe in range(speed.shape[1]):
        for (stance,) in ndimage.find_objects(ndimage.label(down[:-1, toe])[0]):
            n = stance.stop - stance.start
            if n >= _STANCE * fps:
                inside = np.arange(stance.start + n // 3, stance.stop - n // 3)
                frames.append(inside)
                values.append(speed[inside, toe])
    empty = np.zeros(0)
    return Samples(np.concatenate([empty.astype(int), *frames]), np.concatenate([empty, *values]))


def _of_the_hips(track: Track, roles: Roles) -> dict[str, Samples]:
    motion = track.motion
    body = track.posed.body
    span = max(1, round(_SMOOTH * motion.fps))
    smooth = ndimage.uniform_filter1d(body, span, axis=0, mode="nearest")
    velocity = np.diff(body[:, :2], axis=0) * motion.fps
    quick = ndimage.uniform_filter1d(velocity, max(1, round(0.1 * motion.fps)), axis=0)
    lag = max(1, round(_CHANGE * motion.fps))
    swift = np.linalg.norm(quick, axis=1)
    way = np.linalg.norm(np.diff(smooth[:, :2], axis=0), axis=1)
    turn = np.abs(np.diff(smooth[:, 2]))
    frames = np.arange(len(way))
    change = np.abs(swift[lag:] - swift[:-lag])
    return {
        "change": Samples(frames[: len(change)], change),
        "pace": Samples(frames, way * motion.fps),
        "turning": Samples(frames, np.column_stack([turn, way])),
    }


def _benchmark(height: Array, speed: Array, steps: NDArray[np.int64]) -> dict[str, Samples]:
    """The public benchmark's foot measures, of the toes; heights are above the ground."""
    low = height < _LOW
    frames = np.broadcast_to(steps[:, None], speed.shape)
    both = low[:-1] & low[1:]
    return {
        "low_toe": Samples(frames[low[:-1]], speed[low[:-1]]),
        "skates": Samples(frames[both], (speed[both] > _SKATES).astype(float)),
    }
