"""Which leg is late: each leg is foretold from trunk and arms, and compared with later frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.analysis.oddness._learned import Sums
from motionloom.analysis.oddness._tracks import ARM, LEG, RATE, Track
from motionloom.curves import moving_average
from motionloom.declared import LEARNED, SPREAD, Shape
from motionloom.typing import Array

SIDES = ("left", "right")
#: Frames about each one that a leg is foretold from, and frames that places are smoothed over.
_ABOUT, _SMOOTH = (-9, -6, -3, 0, 3, 6, 9), 5
#: How late a leg can be, frames; fewest frames that tell.
_LAGS, _FEWEST = range(4, 25), 30
#: What goes on so long before and after a moment tells, too; seconds.
AROUND = 1.0
#: Velocities count so many seconds of places; what is added to spreads, and to what is missed.
_SECONDS, _RIDGE, _LEAST = 0.2, 0.02, 1e-3
#: Weight of small coefficients against small errors.
_PENALTY = 0.01
#: A leg is named when its error falls by so much more than the other's (natural logarithm).
_CLEAR = 0.3


@dataclass(frozen=True)
class LateLeg:
    """A leg that does what trunk and arms did before.

    Parameters
    ----------
    side : str
        ``"left"`` or ``"right"``.
    lag : float, seconds
        How late it is.
    """

    side: str
    lag: float


@dataclass(frozen=True, eq=False)
class LegModel:
    """How legs go with trunk and arms in captures, in leg lengths.

    Parameters
    ----------
    weights : array of shape (X, Y)
        From what trunk and arms do to what a leg does.
    missed : array of shape (Y,)
        Mean squares of what that misses in captures.
    """

    weights: Annotated[Array, Shape("a", "l"), LEARNED]
    missed: Annotated[Array, Shape("l"), SPREAD]

    def errors(self, about: Array, leg: Array) -> Array:
        """What is missed of one leg, in every frame, if it were on time, and by how late it is.

        Parameters
        ----------
        about : array of shape (N, X)
        leg : array of shape (N, Y)

        Returns
        -------
        array of shape (N - 24, 22)
            Beside what is missed in captures.
        """
        last = len(leg) - _LAGS[-1]
        told = (about @ self.weights)[:last]
        lags = (0, *_LAGS)
        return np.stack(
            [np.mean((leg[k : k + last] - told) ** 2 / self.missed, axis=1) for k in lags], axis=1
        )


def fit_legs(sums: Sums, columns: int) -> LegModel:
    """How legs go with trunk and arms.

    Parameters
    ----------
    sums : Sums
        Of rows as `rows_of_legs` gives them.
    columns : int
        How many of their numbers are of a leg: the last ones.

    Returns
    -------
    LegModel
    """
    squares = sums.squares / max(sums.count, 1)
    split = len(squares) - columns
    both, own = squares[:split, split:], np.diag(squares)[split:]
    spread = np.sqrt(np.diag(squares)[:split]) + _RIDGE
    scaled = squares[:split, :split] / np.outer(spread, spread)
    ridge = max(_PENALTY * float(np.trace(scaled)) / max(split, 1), 1e-9)
    solved = np.linalg.solve(scaled + ridge * np.eye(split), both / spread[:, None])
    weights = solved / spread[:, None]
    fitted = np.sum(weights * (2 * both - squares[:split, :split] @ weights), axis=0)
    return LegModel(weights, np.maximum(own - fitted, 0.0) + _LEAST)


def find_late_leg(model: LegModel, track: Track, begin: float, end: float) -> LateLeg | None:
    """The leg that is late between two times.

    Parameters
    ----------
    model : LegModel
    track : Track
        Of the whole clip.
    begin, end : float, seconds

    Returns
    -------
    LateLeg or None
        None where that is not clear: legs that stand still are never late.
    """
    if not len(model.missed) or len(track) < _LAGS[-1] + _FEWEST:
        return None
    frames = slice(max(round(begin * RATE), 0), round(end * RATE) + 1)
    means = []
    for about, leg in measure_legs(track):
        errors = model.errors(about, leg)[frames]
        if len(errors) < _FEWEST:
            return None
        means.append(errors.mean(axis=0))
    least = np.min(means, axis=1, where=np.arange(1 + len(_LAGS)) > 0, initial=np.inf)
    gains = np.maximum(np.log([m[0] / low for m, low in zip(means, least, strict=True)]), 0.0)
    late = int(gains.argmax())
    if gains[late] - gains[1 - late] < _CLEAR:
        return None
    return LateLeg(SIDES[late], _LAGS[int(means[late][1:].argmin())] / RATE)


def rows_of_legs(track: Track) -> Array:
    """Rows to learn from: what trunk and arms do about each frame, then what a leg does."""
    return np.concatenate([np.concatenate(pair, axis=1) for pair in measure_legs(track)])


def sizes_of_legs(roles: tuple[str, ...]) -> tuple[int, int]:
    """Numbers of trunk and arms, and of a leg, of such a body."""
    still = Track(roles, np.zeros((4, len(roles), 3)), np.tile(np.eye(3), (4, 2, 1, 1)))
    about, leg = measure_legs(still)[0]
    return about.shape[1], leg.shape[1]


def _pairs(roles: tuple[str, ...], parts: tuple[str, ...]) -> list[str]:
    """Parts that are there on both sides."""
    return [p for p in parts if all(f"{side}_{p}" in roles for side in SIDES)]


def measure_legs(track: Track) -> list[tuple[Array, Array]]:
    """Of either side, the right as its mirror image: trunk and arms about each frame, and the leg.

    Parameters
    ----------
    track : Track
        N frames.

    Returns
    -------
    list of (array of shape (N, X), array of shape (N, Y))
        Both about their means over the clip; Y is 0 for a body without two whole legs.
    """
    return [(_about(_trunk_and_arms(track, s)), _leg(track, s)) for s in SIDES]


def _leg(track: Track, side: str) -> Array:
    parts = _pairs(track.roles, LEG[1:3]) if _pairs(track.roles, LEG[:1]) else []
    places = _beside(track, side, f"{side}_hip", [f"{side}_{p}" for p in parts])
    if not places.shape[1]:
        return places
    places = places - places.mean(axis=0)
    return np.concatenate([places, _SECONDS * np.gradient(places, 1 / RATE, axis=0)], axis=1)


def _trunk_and_arms(track: Track, side: str) -> Array:
    """How the trunk goes, turns and leans, and where arms are; the own side's arm first."""
    other = SIDES[1 - SIDES.index(side)]
    hips = track.places[:, track.roles.index("hips")]
    smooth = moving_average(hips, 3)
    going = track.seen(np.gradient(smooth, 1 / RATE, axis=0)[:, None])[:, 0]
    numbers = [going * _mirror(side), hips[:, 1:2]]
    # An axis of rotation is mirrored in the other two directions.
    axial = _mirror(side) * _mirror(side)[0]
    numbers += [_turning(track, part) * axial for part in (0, 1)]
    numbers.append(_beside(track, side, "hips", [r for r in ("chest", "head") if r in track.roles]))
    if _pairs(track.roles, LEG[:1]):
        numbers.append(_beside(track, side, f"{other}_hip", [f"{side}_hip"]))
    if _pairs(track.roles, ARM[:1]):
        parts = _pairs(track.roles, ARM[1:])
        numbers += [
            _beside(track, side, f"{s}_shoulder", [f"{s}_{p}" for p in parts])
            for s in (side, other)
        ]
    return np.concatenate(numbers, axis=1)


def _about(numbers: Array) -> Array:
    """Numbers (N, D) some frames before to some after each one, (N, 7 D), about their mean."""
    away = numbers - numbers.mean(axis=0)
    at = np.arange(len(away))[:, None] + np.array(_ABOUT)
    return np.asarray(away[np.clip(at, 0, len(away) - 1)].reshape(len(away), -1))


def _beside(track: Track, side: str, first: str, roles: list[str]) -> Array:
    """Where joints are beside another, to the left (of a mirror image), up and ahead, (N, 3 K)."""
    places = track.places[:, [track.roles.index(r) for r in roles]]
    if not roles:
        return np.zeros((len(track), 0))
    away = places - track.places[:, track.roles.index(first)][:, None]
    return (track.seen(away) * _mirror(side)).reshape(len(track), -1)


def _mirror(side: str) -> Array:
    return np.array([1.0 if side == "left" else -1.0, 1.0, 1.0])


def _turning(track: Track, part: int) -> Array:
    """How hips (0) or chest (1) turn, (N, 3), radians per second, smoothed."""
    frames = track.trunk[:, part]
    steps = np.einsum("nab,ncb->nac", frames[1:], frames[:-1])
    # The antisymmetric part of a rotation by a small angle is its axis times that.
    skew = steps - steps.swapaxes(1, 2)
    turns = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=-1)
    turns = 0.5 * RATE * np.concatenate([turns[:1], turns])
    turns = track.seen(turns[:, None])[:, 0]
    return moving_average(turns, _SMOOTH)
