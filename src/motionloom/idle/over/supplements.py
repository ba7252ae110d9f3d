"""What people do now and then while they wait: touch their face, check a watch, look round.

Supplemental idles of Egges, Molet and Magnenat-Thalmann (2004): recorded clips played over the idle
motion, each so many times a minute, one at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np

from motionloom.clips.labels import Label, find_unused
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.threads import one_thread

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
    clips : tuple of Motion
        One of them is played; who has none looks round.

    Raises
    ------
    InvalidInputError
        When the rate is not from 0 to 60 a minute, or leaves no time for the clips.
    """

    rate: float
    clips: tuple[Motion, ...] = ()

    def __post_init__(self) -> None:
        name = self.clips[0].name or "a clip" if self.clips else "looking round"
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
        return max((clip.duration for clip in self.clips), default=LOOKING[1])


@one_thread()
def learn_supplements(
    recordings: Sequence[Motion], labels: Sequence[Label]
) -> dict[str, Supplement]:
    """What somebody does now and then, as often as in recordings.

    Parameters
    ----------
    recordings : sequence of Motion
        Of somebody who waits.
    labels : sequence of Label
        Which parts of them show what: ``from`` and ``to`` of each time that it is done.

    Returns
    -------
    dict of str to Supplement
        By label.

    Raises
    ------
    InvalidInputError
        When a label is for none of the recordings, or lasts for all of one.
    """
    unused = find_unused(labels, [motion.name for motion in recordings])
    if unused:
        raise InvalidInputError(
            f"labels are for {unused[0]!r}, and the recordings are"
            f" {', '.join(motion.name for motion in recordings)}"
        )
    minutes = sum(motion.duration for motion in recordings) / 60.0
    clips: dict[str, list[Motion]] = {}
    for label in labels:
        for motion in recordings:
            if fnmatchcase(motion.name, label.clips):
                clips.setdefault(label.label, []).append(_labelled(motion, label))
    return {name: Supplement(len(own) / minutes, tuple(own)) for name, own in clips.items()}


def _labelled(motion: Motion, label: Label) -> Motion:
    first = round(label.begin * motion.fps)
    if not (label.end <= motion.duration + 1e-6 and first + 2 <= round(label.end * motion.fps)):
        raise InvalidInputError(
            f"{label.label} of {motion.name} lasts from {label.begin:g} to {label.end:g} s, and the"
            f" recording {motion.duration:.2f} s; give from and to of each time that it is done"
        )
    part = motion.cut(first, min(round(label.end * motion.fps) + 1, motion.n_frames))
    return replace(part, name=label.label)


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


@one_thread()
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

    Raises
    ------
    InvalidInputError
        When the length of the legs is not a positive number, or as `draw_happenings` does.
    """
    if not 0.0 < leg < math.inf:
        raise InvalidInputError(f"the length of the legs must be a positive number, got {leg}")
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

    Raises
    ------
    InvalidInputError
        When the time is not a number from 0 on.
    """
    if not 0.0 <= seconds < math.inf:
        raise InvalidInputError(f"seconds must be a number from 0 on, got {seconds}")
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
        clip = one.clips[int(rng.integers(len(one.clips)))] if one.clips else None
        lasts = float(rng.uniform(*LOOKING)) if clip is None else clip.duration
        point = _somewhere(rng) if clip is None else None
        found.append(Happening(time, time + lasts, clip, point))
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
