"""Which legs of a motion are searched at another pace than asked, and the map between the times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.analysis.faults.unasked import direct_curve
from motionloom.analysis.gaits import RUNNING, STANDING, WALKING, gaits_of
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.travel import measure_travel, usual_leg
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.table import KINDS
from motionloom.options import check_options, option_field
from motionloom.synthesis.paces import PaceModel
from motionloom.typing import Array, Bools, Ints

#: A leg shorter than this in time, seconds, or in length, metres, keeps its pace.
SHORTEST, NEAREST = 1.0, 0.5
#: Time over which the pace changes after a constraint and before the next, seconds.
RAMP = 0.5
#: Share of the largest change of pace that the mean of a leg leaves for that.
ROOM = 0.08
#: Most times that a gait is slower than captured where its steps keep their length, where it is a
#: run or where nobody goes on two feet: how such gaits change with their speed is not known.
PLAIN = 1.15
#: Share of a change of pace, as a factor, that is in the time of steps where nothing else is known,
#: and the least: steps are not made longer and shorter only.
EVEN, LEAST_TIME = 0.5, 0.1
#: Share of a gait's frames that turn no faster than who is slowed would have to.
TURNING = 0.95


@dataclass(frozen=True)
class PaceOptions:
    """How far a leg may be searched at another pace and warped to its time afterwards.

    Parameters
    ----------
    slowed : float
        Most times that a captured walk may be slower than it was; 1 slows nothing. Runs, walks on
        four legs, and walks whose steps have to keep their length for what is asked are slowed
        1.15 times at most.
    sped : float
        Most times that a captured gait may be faster than it was; 1 speeds up nothing.
    steps : bool
        Whether steps become shorter and longer with the pace, as in life, where nothing that is
        asked for depends on places on the way.
    model : PaceModel, optional
        How a person's steps change with speed; half of a change, as a factor, is in the time of a
        step and half in its length when not given, and runs are hardly slowed.

    Raises
    ------
    InvalidInputError
        When one is below 1 or above 2.
    """

    slowed: float = option_field(1.6, "Most times slower.", minimum=1, maximum=2)
    sped: float = option_field(1.15, "Most times faster.", minimum=1, maximum=2)
    steps: bool = True
    model: PaceModel | None = None

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def least(self) -> float:
        """Least speed over that in the clips."""
        return 1.0 / self.slowed

    def plain(self) -> PaceOptions:
        """Bounds for gaits of which it is not known how they change with their speed."""
        return replace(self, slowed=min(self.slowed, PLAIN))

    def shared(self, time: float) -> PaceOptions:
        """Bounds of the share of a change that is in the time of steps."""
        return replace(self, slowed=self.slowed**time, sped=self.sped**time)

    def in_time(self, running: bool) -> float:
        """Which share of a change of pace, as a factor, is in the time of steps."""
        law = None if self.model is None else self.model.law(running)
        return EVEN if law is None else min(max(law.b, LEAST_TIME), 1.0)

    def slowest_run(self, usual: float) -> float:
        """Least speed of a run over that in the clips, `usual` in metres per second."""
        known = None if self.model is None else self.model.run
        if known is None or not self.steps:
            return self.plain().least
        return max(self.least, min(known.speeds[0] / usual, self.plain().least))


@dataclass(frozen=True)
class PacedLeg:
    """A leg that is not shown at the pace of its clips.

    Parameters
    ----------
    begin, end : float, seconds
        In the motion.
    rate : float
        Mean seconds of clips in a second of the motion: below 1 it is slowed.
    steps : float
        Length of its steps over that in the clips.
    """

    begin: float
    end: float
    rate: float
    steps: float = 1.0

    @property
    def pace(self) -> float:
        """Speed over that in the clips."""
        return self.rate * self.steps


@dataclass(frozen=True, eq=False)
class TimeMap:
    """What is shown when.

    Parameters
    ----------
    shown : array of shape (T,)
        For every frame of the motion the frame, whole or between two, of the motion as it is
        searched; ascending. Whole where anything is asked for at a time.
    rates : array of shape (T,)
        How fast it ascends there.
    legs : tuple of PacedLeg
        The legs whose pace is changed.
    steps : array of shape (T,)
        Length of steps over that in the clips.
    """

    shown: Array
    rates: Array
    legs: tuple[PacedLeg, ...]
    steps: Array

    @property
    def nearest(self) -> Ints:
        """The whole frame that is nearest to each, shape (T,)."""
        return np.floor(self.shown + 0.5).astype(np.int64)

    def frame_of(self, frame: int) -> int:
        """Frame of the motion that shows a frame of the searched one, or comes nearest to it."""
        return int(np.argmin(np.abs(self.shown - frame)))

    def frame_from(self, frame: int) -> int:
        """First frame of the motion that shows a frame of the searched one, or one after it."""
        return min(int(np.searchsorted(self.nearest, frame)), len(self.shown) - 1)


@dataclass(frozen=True)
class Paces:
    """Speeds at which the clips' gaits are usual, and how fast people turn in them.

    Parameters
    ----------
    walk, run : tuple of (float, float), optional
        Quartiles, metres per second; None where the clips hold less than a second of it.
    turn : float, degrees per second
        19 of 20 frames turn no faster, to either side.
    feet : int
        On how many the body goes.
    """

    walk: tuple[float, float] | None
    run: tuple[float, float] | None
    turn: float = np.inf
    feet: int = 2


def find_paces(clips: ClipSet, core: Bools | None = None) -> Paces:
    """Measure at which speeds the clips walk and run.

    Parameters
    ----------
    clips : ClipSet
    core : bool array of shape (N,), optional
        Frames that count; all when not given.

    Returns
    -------
    Paces
    """
    travel = measure_travel(clips)
    gait = gaits_of(travel.speed, usual_leg(clips))
    moves = gait > STANDING
    if core is not None:
        moves &= core
    enough = max(clips.fps, 1.0)

    def quartiles(speeds: Array) -> tuple[float, float] | None:
        if len(speeds) < enough:
            return None
        low, high = np.quantile(speeds, (0.25, 0.75))
        return float(low), float(high)

    turn = float(np.quantile(np.abs(travel.turn[moves]), TURNING)) if moves.any() else np.inf
    walk, run = (quartiles(travel.speed[moves & (gait == g)]) for g in (WALKING, RUNNING))
    return Paces(walk, run, turn, len(clips.roles.feet))


def suiting_rate(needed: float, paces: Paces, options: PaceOptions) -> float:
    """At which rate clips are to be shown where a speed is needed: 1 where they have that speed.

    Parameters
    ----------
    needed : float, metres per second
    paces : Paces
    options : PaceOptions

    Returns
    -------
    float
        Within the options' bounds. Running counts only where walking cannot meet the need; between
        the two clips are shown as they are.
    """
    low, high = options.least, options.sped
    if paces.walk is not None and needed <= paces.walk[1] * high:
        return float(np.clip(_rate(needed, paces.walk), low, high))
    if paces.run is not None:
        run_low = options.slowest_run(paces.run[0])
        if needed >= paces.run[0] * run_low:
            return float(np.clip(_rate(needed, paces.run), run_low, high))
    if paces.walk is not None and paces.run is None:
        return high
    return 1.0


def _runs_at(needed: float, paces: Paces, options: PaceOptions) -> bool:
    """Whether a speed is one that clips of running are taken for.

    Parameters
    ----------
    needed : float, metres per second
    paces : Paces
    options : PaceOptions

    Returns
    -------
    bool
    """
    walked = paces.walk is not None and needed <= paces.walk[1] * options.sped
    return paces.run is not None and not walked


def _rate(needed: float, usual: tuple[float, float]) -> float:
    return needed / float(np.clip(needed, *usual))


def plan_pace(
    constraints: ConstraintSet, paces: Paces, options: PaceOptions | None = None
) -> TimeMap | None:
    """Choose at which pace every leg between two body constraints is searched.

    Parameters
    ----------
    constraints : ConstraintSet
    paces : Paces
    options : PaceOptions, optional

    Returns
    -------
    TimeMap or None
        None where every leg keeps its pace. A leg is slowed no further than its turning allows, and
        keeps its pace where it is short, where anything is held, a joint is asked for, a path
        followed or somebody to stand still in it, and where times asked for in it are so near to
        each other that whole frames would not fit the bounds.
    """
    options = options or PaceOptions()
    scaled = options.steps and _may_scale(constraints)
    if scaled != options.steps or paces.feet != 2:
        options = options.plain()
    others = [k for k in KINDS.values() if k.model is not None and not k.retimed]
    if any(kind.is_in(constraints) for kind in others):
        return None
    knots = _knots(constraints)
    spans = {pair: (pair[1] - pair[0]) for pair in pairwise(knots)}
    busy = _busy_spans(constraints)
    legs = []
    shares = []
    for a, b in pairwise(constraints.body):
        first = constraints.frames_of(a)[-1]
        last = constraints.frames_of(b)[0]
        seconds = (last - first) / constraints.fps
        needed, turning = measure_curve(a, b)
        kept = any(end > first and begin < last for begin, end in busy)
        if kept or seconds < SHORTEST or needed < NEAREST:
            continue
        rate = suiting_rate(needed / seconds, paces, options)
        # Who is slowed turns more slowly too.
        rate = max(rate, min(turning / seconds / max(paces.turn, 1e-9), 1.0))
        # Of the change, as a factor, one share is in the time of steps, the rest in their length.
        share = options.in_time(_runs_at(needed / seconds, paces, options)) if scaled else 1.0
        inside = [pair for pair in spans if first <= pair[0] and pair[1] <= last]
        searched = _whole_frames(inside, rate**share, constraints.fps, options.shared(share))
        if searched is None or all(n == j - i for (i, j), n in zip(inside, searched, strict=True)):
            continue
        spans.update(zip(inside, searched, strict=True))
        mean = sum(searched) / (last - first)
        steps = mean ** (1.0 / share - 1.0)
        legs.append(PacedLeg(first / constraints.fps, last / constraints.fps, mean, steps))
        shares.append(share)
    if not legs:
        return None
    timed = options.shared(max(shares))
    shown, rates = _map_frames(spans, RAMP * constraints.fps, timed)
    return TimeMap(shown, rates, tuple(legs), rates ** _powers(legs, shares, constraints))


def _powers(legs: Sequence[PacedLeg], shares: Sequence[float], constraints: ConstraintSet) -> Array:
    """Powers of the rates that are the length of steps, shape (T,), changing between legs as rates
    do.
    """
    knots = []
    for leg in legs:
        ramp = min(RAMP, 0.25 * (leg.end - leg.begin))
        knots += [leg.begin + ramp, leg.end - ramp]
    values = np.repeat(1.0 / np.array(shares) - 1.0, 2)
    now = np.arange(constraints.n_frames) / constraints.fps
    return np.interp(now, knots, values)


def _may_scale(constraints: ConstraintSet) -> bool:
    """Whether the way between two places can be another one in the search: whether nothing but
    bodies and joints has places, and no captured pose is asked for.
    """
    c = constraints
    return not (c.poses or c.key_poses or c.avoid or c.paths or c.costs)


def measure_curve(a: BodyConstraint, b: BodyConstraint) -> tuple[float, float]:
    """Measure the cubic Hermite curve between two places.

    Facings are its directions where they are asked for, and the distance the size of its tangents.

    Parameters
    ----------
    a, b : BodyConstraint

    Returns
    -------
    length : float, metres
    turning : float, degrees
        To either side.
    """
    x, z = np.diff(direct_curve(a, b, 257), axis=0).T
    turns = np.diff(np.unwrap(np.arctan2(x, z)))
    return float(np.hypot(x, z).sum()), float(np.degrees(np.abs(turns).sum()))


def _knots(constraints: ConstraintSet) -> list[int]:
    """Frames in which anything is asked for at a time, and the first and the last."""
    knots = {0, constraints.n_frames - 1}
    for held in (*constraints.body, *constraints.joints):
        frames = constraints.frames_of(held)
        knots |= {frames[0], frames[-1]}
    knots |= {constraints.frame_of(pose.time) for pose in constraints.poses}
    knots |= {constraints.frame_of(pose.time) for pose in constraints.key_poses}
    return sorted(knots)


def _busy_spans(constraints: ConstraintSet) -> list[tuple[int, int]]:
    """Frames from which and to which something is held, followed, reached for or to stand still."""
    asked: list[tuple[float | None, float | None]] = [
        (c.time, c.end) for c in constraints.body if c.end is not None
    ]
    asked += [(c.begin, c.end) for c in constraints.still]
    asked += [(c.times[0], c.times[-1]) if c.times else (c.begin, c.end) for c in constraints.paths]
    busy = [
        (
            0 if begin is None else constraints.frame_of(begin),
            constraints.n_frames - 1 if end is None else constraints.frame_of(end),
        )
        for begin, end in asked
    ]
    # Whoever reaches for something or jumps at it does so before its time, and comes back after it.
    reached = [constraints.frames_of(c) for c in constraints.joints]
    return busy + [(frames[0] - 1, frames[-1] + 1) for frames in reached]


def _whole_frames(
    spans: Sequence[tuple[int, int]], rate: float, fps: float, options: PaceOptions
) -> list[int] | None:
    """Frames that each of a leg's spans has in the search; None where a span cannot keep to the
    bounds.
    """
    low = options.least + ROOM * (1.0 - options.least)
    high = options.sped - ROOM * (options.sped - 1.0)
    found = []
    for a, b in spans:
        if b - a < SHORTEST * fps:
            return None
        n = round(float(np.clip(rate, low, high)) * (b - a))
        found.append(int(np.clip(n, np.ceil(low * (b - a)), np.floor(high * (b - a)))))
    return found


def _map_frames(
    spans: dict[tuple[int, int], int], ramp: float, options: PaceOptions
) -> tuple[Array, Array]:
    """Frames shown, and rates, for spans of the motion and their frames in the search."""
    mean = [n / (b - a) for (a, b), n in spans.items()]
    # A span that keeps its pace keeps it up to its ends; others change theirs half way.
    edge = [1.0 if 1.0 in (r, s) else 0.5 * (r + s) for r, s in pairwise(mean)]
    edges = [mean[0], *edge, mean[-1]]
    shown = [np.zeros(1)]
    rates = [np.array(edges[:1])]
    begin = 0
    for k, ((a, b), n) in enumerate(spans.items()):
        own, rate = _span(b - a, n, edges[k], edges[k + 1], ramp, options)
        shown.append(begin + own)
        rates.append(rate)
        begin += n
    return np.concatenate(shown), np.concatenate(rates)


def _span(
    length: int, n: int, first: float, last: float, ramp: float, options: PaceOptions
) -> tuple[Array, Array]:
    """Frames shown after the beginning of a span, and rates: two ramps, and an even pace between
    them that makes up for them.
    """
    width = min(ramp, length / 4)
    middle = _middle(length, n, first, last, width)
    while not options.least <= middle <= options.sped:
        width *= 0.5
        middle = _middle(length, n, first, last, width)
        if width < 1e-3:
            break
    t = np.arange(1.0, length + 1)
    rates = np.interp(t, [0.0, width, length - width, length], [first, middle, middle, last])
    into = np.minimum(t, width)
    out = np.maximum(t - (length - width), 0.0)
    shown = middle * t
    shown += (first - middle) * into * (1.0 - 0.5 * into / width)
    shown += (last - middle) * 0.5 * out * out / width
    shown[-1] = n
    return shown, rates


def _middle(length: int, n: int, first: float, last: float, width: float) -> float:
    return (n - 0.5 * width * (first + last)) / (length - width)
