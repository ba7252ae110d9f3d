"""What people do now and then while they wait: touch their face, check a watch, look round.

Supplemental idles of Egges, Molet and Magnenat-Thalmann (2004): recorded clips played over the idle
motion, each so many times a minute, one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import Motion

#: Seconds between two of them at least.
PAUSE = 1.0
#: Most times a minute.
MOST = 60.0
#: Who looks round does so for so long, seconds, to either side by so much, degrees, at points so
#: far away and so much higher or lower than the eyes, metres.
LOOKING, ASIDE, AFAR, UP = (1.0, 3.0), (15.0, 60.0), 3.0, 0.4
#: Height of eyes over the ground, in leg lengths.
EYES = 1.85


@dataclass(frozen=True, eq=False)
class Supplement:
    """Something that is done now and then.

    Parameters
    ----------
    rate : float
        How many times a minute, on average.
    clip : Motion, optional
        What is played; who has none looks round.

    Raises
    ------
    InvalidInputError
        When the rate is not from 0 to 60 a minute, or leaves no time for the clip.
    """

    rate: float
    clip: Motion | None = None

    def __post_init__(self) -> None:
        name = "looking round" if self.clip is None else self.clip.name or "a clip"
        if not 0.0 <= self.rate <= MOST:
            raise InvalidInputError(
                f"{name}: a rate is from 0 to {MOST:g} times a minute, got {self.rate:g}"
            )
        if self.rate * (self.lasts + PAUSE) > 60.0:
            raise InvalidInputError(
                f"{name} lasts {self.lasts:.1f} s, too long for {self.rate:g} times a minute"
            )

    @property
    def lasts(self) -> float:
        """For how long at most, seconds."""
        return LOOKING[1] if self.clip is None else self.clip.duration


@dataclass(frozen=True, eq=False)
class Happening:
    """When something is done.

    Parameters
    ----------
    time, until : float, seconds
        Its begin and its end.
    clip : Motion, optional
        What is played.
    point : tuple of float, metres, optional
        What is looked at, seen from where the person stands and faces, eyes at height 0.
    """

    time: float
    until: float
    clip: Motion | None = None
    point: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Happenings:
    """What is done besides waiting, as `make_idle` takes it.

    Parameters
    ----------
    gestures : tuple of (Motion, float)
        Clips and when each begins, seconds.
    looks : tuple of (point or None, float)
        Points in the world, metres, and from when on, seconds; None lets it be.
    """

    gestures: tuple[tuple[Motion, float], ...]
    looks: tuple[tuple[tuple[float, float, float] | None, float], ...]


def plan_supplements(
    supplements: Sequence[Supplement], seconds: float, seed: int = 0, leg: float = 0.85
) -> Happenings:
    """What happens and when, for somebody who stands at the origin facing +Z.

    Parameters
    ----------
    supplements : sequence of Supplement
        What may happen.
    seconds : float
        Before this time everything ends.
    seed : int
        The same seed gives the same.
    leg : float, metres
        Length of the person's legs.

    Returns
    -------
    Happenings
    """
    drawn = draw_happenings(supplements, seconds, seed)
    looks: list[tuple[tuple[float, float, float] | None, float]] = []
    for one in drawn:
        if one.point is not None:
            x, up, z = one.point
            looks += [((x, EYES * leg + up, z), one.time), (None, one.until)]
    gestures = tuple((one.clip, one.time) for one in drawn if one.clip is not None)
    return Happenings(gestures, tuple(looks))


def draw_happenings(
    supplements: Sequence[Supplement], seconds: float, seed: int = 0
) -> tuple[Happening, ...]:
    """When supplements happen: at random at their rates, one at a time.

    Parameters
    ----------
    supplements : sequence of Supplement
        What may happen.
    seconds : float
        Before this time everything ends.
    seed : int
        The same seed gives the same times.

    Returns
    -------
    tuple of Happening
        In the order of time.
    """
    happenings: list[Happening] = []
    for k, supplement in enumerate(supplements):
        rng = np.random.default_rng([seed, k])
        happenings += _times_of(supplement, seconds, rng)
    return _one_at_a_time(happenings, seconds)


def _times_of(one: Supplement, seconds: float, rng: np.random.Generator) -> list[Happening]:
    """A renewal process: pauses of at least `PAUSE`, else without memory."""
    if one.rate == 0.0:
        return []
    between = 60.0 / one.rate
    found = []
    # Somewhere within the first pause.
    time = float(rng.uniform(0.0, between))
    while time < seconds:
        lasts = float(rng.uniform(*LOOKING)) if one.clip is None else one.clip.duration
        point = None if one.clip is not None else _somewhere(rng)
        found.append(Happening(time, time + lasts, one.clip, point))
        least = lasts + PAUSE
        time += least + float(rng.exponential(max(between - least, 1e-6)))
    return found


def _somewhere(rng: np.random.Generator) -> tuple[float, float, float]:
    angle = np.radians(rng.uniform(*ASIDE)) * rng.choice([-1.0, 1.0])
    return (float(AFAR * np.sin(angle)), float(rng.uniform(-UP, UP)), float(AFAR * np.cos(angle)))


def _one_at_a_time(happenings: Sequence[Happening], seconds: float) -> tuple[Happening, ...]:
    """Whatever begins during another waits for its end."""
    kept: list[Happening] = []
    free = 0.0
    for one in sorted(happenings, key=lambda h: h.time):
        begin = max(one.time, free)
        until = begin + (one.until - one.time)
        if until > seconds:
            continue
        kept.append(Happening(begin, until, one.clip, one.point))
        free = until + PAUSE
    return tuple(kept)
