"""What became of a motion on uneven ground, in figures.

How feet meet uneven ground: how they swing, what they clear, what of them lands first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from motionloom.edit.limbs import LARGEST_DROP
from motionloom.physics.body._limits import bend_angles, bend_limits
from motionloom.physics.dynamics.state import low_pass
from motionloom.physics.ground import Balance, balanced_share
from motionloom.physics.terrain._adapt import OnTerrain
from motionloom.physics.terrain._footholds import EDGE, Heights
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Report, Reported, Section, compare, rows_of, shown
from motionloom.typing import Array, Bools

#: A point of a sole that is no higher than this over its tread has landed, metres.
LANDED = 0.01
#: The forefoot lands first when the heel follows later than this, seconds.
LATER = 0.02


@dataclass(frozen=True)
class Landing:
    """How a foot comes down onto another level.

    Parameters
    ----------
    rise : float, metres
        Of the level over that which the foot left.
    swing : float, seconds
        Since the ball of the foot left the ground.
    cycle : float, seconds
        From the landing before to this one.
    heel_later : float, seconds
        From the ball's landing to the heel's.
    clearance : float, metres
        Smallest height of the sole over the edges that it passed; NaN where none was passed.
    """

    rise: float
    swing: float
    cycle: float
    heel_later: float
    clearance: float


def find_landings(
    points: Array, stances: Sequence[tuple[int, int, int]], fps: float, heights: Heights
) -> list[Landing]:
    """Landings of one foot on another level than it left.

    Parameters
    ----------
    points : array of shape (T, P, 3), metres
        Heel and ball of the foot, at the height of the ground where they rest.
    stances : sequence of (int, int, int)
        First frame in which it bears, first and last in which its ball stands.
    fps : float
        Frames per second.
    heights : callable
        Heights of the ground at places (..., 2).

    Returns
    -------
    list of Landing
    """
    ground = heights(points[..., [0, 2]])
    found = []
    for (came, _, left), (start, first, last) in pairwise(stances):
        before = float(np.median(ground[came : left + 1, -1]))
        here = float(np.median(ground[first : last + 1, -1]))
        if abs(here - before) < EDGE:
            continue
        landed = points[left:last, :, 1] < here + LANDED
        landed &= np.abs(ground[left:last] - here) < EDGE
        ball, heel = (_first(landed[:, i]) for i in (-1, 0))
        found.append(
            Landing(
                rise=here - before,
                swing=(start - left) / fps,
                cycle=(start - came) / fps,
                heel_later=(heel - ball) / fps,
                clearance=_clearance(points[left:start], ground[left:start]),
            )
        )
    return found


def _first(landed: Bools) -> int:
    """First frame of what has landed for good."""
    up = np.flatnonzero(~landed)
    return int(up[-1]) + 1 if len(up) and up[-1] + 1 < len(landed) else int(np.argmax(landed))


def _clearance(points: Array, ground: Array) -> float:
    """Smallest height of points (N, P, 3) over the edges that they pass; NaN without any."""
    passed = np.abs(np.diff(ground, axis=0)) > EDGE
    upper = np.maximum(ground[:-1], ground[1:])
    over = 0.5 * (points[:-1, :, 1] + points[1:, :, 1]) - upper
    return float(over[passed].min()) if passed.any() else float("nan")


#: Ground that is farther off a foot's plane than this has an edge in it, metres.
ACROSS = 0.015
#: Points of a sole that are looked at between heel and ball.
ALONG = 7
#: What is told when it is exceeded, metres.
FOOT_ERROR, DEPTH = 0.01, 0.01
#: Who gets no farther than this share of a way of at least so many metres is stuck.
STUCK, LEAST_WAY = 0.5, 0.5


@dataclass(frozen=True)
class Figures:
    """A motion before or after it was adapted.

    Parameters
    ----------
    balanced, inside : float
        Shares of support frames whose zero moment point is at most 5 cm outside, and inside.
    least_load, most_load : float
        Of the vertical force, body weights.
    force_rate : float
        99th percentile of its changes, body weights per second.
    knee_speed : float
        99.9th percentile of the knees' speeds, degrees per second.
    """

    balanced: float = field(metadata=shown("balanced within 5 cm", "%", ".0f", 100))
    inside: float = field(metadata=shown("zero moment point inside", "%", ".0f", 100))
    least_load: float = field(metadata=shown("vertical force, least", "body weights"))
    most_load: float = field(metadata=shown("vertical force, largest", "body weights"))
    force_rate: float = field(metadata=shown("changes of the force", "body weights/s", ".0f"))
    knee_speed: float = field(metadata=shown("fastest knee", "deg/s", ".0f"))


@dataclass(frozen=True)
class LandingSummary:
    """What landings have in common.

    Parameters
    ----------
    count : int
        How many there are.
    swing, share : float
        Medians of the swing, seconds and as a share of the cycle.
    clear : float or None, metres
        Least clearance of an edge; None where none is passed.
    forefoot : float
        Share of landings in which the forefoot lands first.
    """

    count: int = field(metadata=shown("landings"))
    swing: float = field(metadata=shown("swing, median", "s"))
    share: float = field(metadata=shown("swing of the cycle, median", "%", ".0f", 100))
    clear: float | None = field(metadata=shown("clear of edges, least", "cm", ".1f", 100))
    forefoot: float = field(metadata=shown("forefoot first", "%", ".0f", 100))


@dataclass(frozen=True)
class TerrainReport(Reported):
    """What became of a motion on uneven ground.

    Parameters
    ----------
    name : str
        Of the motion.
    n_frames : int
        T.
    fps : float
        Frames per second.
    stances : int
        How many there are.
    moved : int
        How many of them stand elsewhere than they did.
    across : int
        How many have an edge or a hollow under the foot.
    foot_error : float, millimetres
        Largest distance of a standing point of a sole from where it should stand.
    depth : float, millimetres
        Deepest point of the soles under the ground.
    sunk : float, metres
        How much lower above the lower standing foot the hips come than in the level motion.
    most_sunk : float, metres
        How far people lower them.
    level_way, way : float, metres
        From where the hips begin to where they end, seen from above: of the level motion and of
        the result.
    before, after : Figures
        Of the level motion and of the result.
    up, down : tuple of Landing
        Landings on higher and on lower levels.
    """

    name: str
    n_frames: int
    fps: float
    stances: int = field(metadata=shown("stances"))
    moved: int = field(metadata=shown("stances moved"))
    across: int
    foot_error: float = field(metadata=shown("feet off their footholds at most", "mm", ".1f"))
    depth: float = field(metadata=shown("soles in the ground at most", "mm", ".1f"))
    sunk: float
    most_sunk: float
    level_way: float = field(metadata=shown("gets far on level ground", "m"))
    way: float = field(metadata=shown("gets far on this ground", "m"))
    before: Figures
    after: Figures
    up: tuple[Landing, ...]
    down: tuple[Landing, ...]

    def as_report(self) -> Report:
        """What moved, measures on level ground and on the real one, and landings."""
        return self.compose(
            f"{self.name}: {self.n_frames} frames at {self.fps:g} fps, on uneven ground",
            *rows_of(self),
            compare("Measures", {"level ground": self.before, "this ground": self.after}),
            *(Section(f"Landings {word}", rows_of(s)) for word, s in self.landings.items()),
        )

    @property
    def landings(self) -> dict[str, LandingSummary]:
        """Summaries of the landings ``"up"`` and ``"down"``, where there are any."""
        landings = {"up": self.up, "down": self.down}
        return {word: summarize_landings(own) for word, own in landings.items() if own}

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not met, a sentence each."""
        return tuple(self._problems())

    def _problems(self) -> Iterator[str]:
        if self.level_way > LEAST_WAY and self.way < STUCK * self.level_way:
            why = "one edge a step is passed at most, and feet stand on no edge and in no hollow"
            yield f"feet find no footholds farther on; {why}"
        if self.sunk > self.most_sunk:
            far = f"{100 * self.sunk:.0f} cm for the legs to reach, more"
            most = f"{100 * self.most_sunk:.0f} cm"
            yield f"the hips sink by {far} than {most}; ask for lower or shorter steps"
        if self.across:
            yield f"{self.across} stances have an edge or a hollow under the foot"
        if self.foot_error > 1000 * FOOT_ERROR:
            yield "a leg does not reach its foothold"
        if self.depth > 1000 * DEPTH:
            yield "a sole is in the ground"


def summarize_landings(landings: tuple[Landing, ...]) -> LandingSummary:
    """Summarize landings; at least one.

    Parameters
    ----------
    landings : tuple of Landing
        Of a motion.
    """
    clear = [landing.clearance for landing in landings if np.isfinite(landing.clearance)]
    return LandingSummary(
        count=len(landings),
        swing=float(np.median([landing.swing for landing in landings])),
        share=float(np.median([landing.swing / landing.cycle for landing in landings])),
        clear=min(clear, default=None),
        forefoot=float(np.mean([landing.heel_later > LATER for landing in landings])),
    )


def make_terrain_report(made: OnTerrain) -> TerrainReport:
    """Measure a motion that was adapted to uneven ground.

    Parameters
    ----------
    made : OnTerrain
        As `adapt_to_terrain` returns it.

    Returns
    -------
    TerrainReport
    """
    n = made.posed.n_frames
    seen = [h for h in made.holds if h.stance.start < n]
    points = made.soles.positions(made.posed)
    # At the height of the ground where they rest.
    grounded = points - np.multiply.outer([p.rest for p in made.soles.points], [0.0, 1.0, 0.0])
    ends = np.array([np.take(made.soles.of(foot), (0, -1)) for foot in made.plans]).T
    share = np.linspace(0.0, 1.0, ALONG)[:, None]
    heels, balls = grounded[:, ends[0], None], grounded[:, ends[1], None]
    soles = heels * (1.0 - share) + balls * share
    deep = made.heights(soles[..., [0, 2]]) - soles[..., 1]
    landings = [landing for foot in made.plans for landing in _landings(made, foot, grounded)]
    is_moved = any(h.is_moved for h in seen)
    return TerrainReport(
        name=made.motion.name or "motion",
        n_frames=n,
        fps=made.posed.fps,
        stances=len(seen),
        moved=sum(h.is_moved for h in seen),
        across=sum(h.uneven > ACROSS for h in seen),
        foot_error=1000 * _foot_error(made, points) if is_moved else 0.0,
        depth=1000 * max(float(deep.max(initial=0.0)), 0.0),
        sunk=_sunk(made),
        most_sunk=LARGEST_DROP * made.soles.leg,
        level_way=_way(made.level),
        way=_way(made.posed),
        before=_figures(made.level, made.before),
        after=_figures(made.posed, made.after),
        up=tuple(landing for landing in landings if landing.rise > 0),
        down=tuple(landing for landing in landings if landing.rise < 0),
    )


def _sunk(made: OnTerrain) -> float:
    """How much lower above the lower standing foot the hips come than in the level motion."""
    if not made.plans:
        return 0.0
    level = _lowest_hips(made, made.level, made.contacts.bearing.down)
    return max(level - _lowest_hips(made, made.posed, made.down), 0.0)


def _lowest_hips(made: OnTerrain, posed: PosedMotion, down: Bools) -> float:
    """Least height of the hips above the lower foot that stands, metres."""
    feet = list(made.plans)
    ankles = posed.positions[:, [posed.roles.joints[foot] for foot in feet], 1]
    stands = np.stack([down[:, made.soles.of(foot)].any(axis=1) for foot in feet], axis=1)
    heights = posed.hips[:, 1] - np.where(stands, ankles, np.inf).min(axis=1)
    return float(heights[np.isfinite(heights)].min(initial=np.inf))


def _foot_error(made: OnTerrain, points: Array) -> float:
    plans = [(points[:, made.soles.of(foot)], plan) for foot, plan in made.plans.items()]
    off = [np.linalg.norm((own - plan.places)[plan.held], axis=-1) for own, plan in plans]
    return float(max((far.max(initial=0.0) for far in off), default=0.0))


def _landings(made: OnTerrain, foot: str, grounded: Array) -> list[Landing]:
    own = [h.stance for h in made.holds if h.stance.foot == foot]
    stances = [(s.start, s.first, s.last) for s in own if s.start < made.posed.n_frames]
    points = grounded[:, made.soles.of(foot)]
    return find_landings(points, stances, made.posed.fps, made.heights)


def _figures(posed: PosedMotion, standing: Balance) -> Figures:
    load = low_pass(standing.load, posed.fps, standing.smoothing.balance)
    rate = np.abs(np.diff(load)) * posed.fps
    return Figures(
        balanced=balanced_share(standing.distance),
        inside=balanced_share(standing.distance, 0.0),
        least_load=float(load.min()),
        most_load=float(load.max()),
        force_rate=float(np.quantile(rate, 0.99)),
        knee_speed=_knee_speed(posed),
    )


def _way(posed: PosedMotion) -> float:
    return float(np.linalg.norm((posed.hips[-1] - posed.hips[0])[[0, 2]]))


def _knee_speed(posed: PosedMotion) -> float:
    knees = [limit for limit in bend_limits(posed) if limit.name.endswith("_knee")]
    bends = (np.degrees(bend_angles(posed.positions, knee)) for knee in knees)
    speeds = [np.quantile(np.abs(np.diff(bend)) * posed.fps, 0.999) for bend in bends]
    return float(max(speeds, default=0.0))
