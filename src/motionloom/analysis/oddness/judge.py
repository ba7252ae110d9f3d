"""Motions judged by captured ones, each by models that have not seen its person or take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from motionloom.analysis.oddness._checks import CHECKS, Curve, Model, score
from motionloom.analysis.oddness._evidence import Body, gather_evidence, is_long_enough
from motionloom.analysis.oddness._legs import AROUND, find_late_leg
from motionloom.analysis.oddness._levels import SHARE, Levels, Weight, fit_levels, guaranteed_share
from motionloom.analysis.oddness._tracks import Track
from motionloom.analysis.oddness.captures import group_of, learn_captures
from motionloom.declared import LEARNED, Range, Shape
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.threads import one_thread
from motionloom.typing import Array, Ints

#: Odd moments of one kind are at least this far apart, and shorter ones are instants; seconds.
APART, SHORTEST = 1.0, 0.15
#: What is odd goes on as far as its evidence is this share of the most, or so much.
_LASTS, _ENOUGH = 0.5, 2.0


@dataclass(frozen=True)
class OddMoment:
    """A moment that is odd by one check.

    Parameters
    ----------
    time : float, seconds
        When it is oddest.
    begin, end : float, seconds
        From when to when it is odd; the time, where that is an instant.
    check : str
        Name of the check.
    part : str
        Limb or joint that it is about; empty for the whole body.
    rarity : float
        How rare it is, in powers of ten: one captured clip in 10 ** `rarity` has such a moment.
    evidence : float
        How much likelier it is in a faulty clip than in a captured one, natural logarithm.
    words : str
        What is odd, and of which part.
    """

    time: float
    begin: float
    end: float
    check: str
    part: str
    rarity: float
    evidence: float
    words: str

    @property
    def when(self) -> str:
        """From when to when, for people."""
        if self.end - self.begin < SHORTEST:
            return f"at {self.time:.1f} s"
        return f"from {self.begin:.1f} to {self.end:.1f} s"


@dataclass(frozen=True, eq=False)
class MotionVerdict:
    """How odd the motion of a clip is.

    Parameters
    ----------
    times : array of shape (W,), seconds
        Middles of the judged windows.
    curves : dict of str to array of shape (W,)
        By check, how rare what it sees there is, in powers of ten.
    scores : dict of str to float
        What each check gives the whole clip.
    evidence : float
        How much likelier the scores are with one of the faults than without, natural logarithm.
    oddness : float
        How rare that is among captured clips, in powers of ten.
    low, high : float
        The least and the most that would be, had one part of the captures not been there.
    odd : bool
        Whether fewer than `SHARE` of captured clips are as odd.
    by_chance : float
        Of a person or take that is like these but not among them, at most this share of the clips
        is odd by chance.
    worst : tuple of OddMoment
        Those that say most first.
    """

    times: Array
    curves: dict[str, Array]
    scores: dict[str, float]
    evidence: float
    oddness: float
    low: float
    high: float
    odd: bool
    by_chance: float
    worst: tuple[OddMoment, ...]


@dataclass(frozen=True, eq=False)
class MotionJudge:
    """Models of all captures but those of one part, for every part, and of all.

    Parameters
    ----------
    body : Body
    models : tuple of Model
        Without each part; then of all.
    names : tuple of str
        Of the pieces of captures.
    fold : int array of shape (C,)
        Part that each piece is in.
    checks : tuple of str
        Names of the checks.
    scores : array of shape (C, K)
        What each check gives each piece, by the model without its part.
    length : float, seconds
        How long a piece usually is.
    """

    body: Body
    models: tuple[Model, ...]
    names: Annotated[tuple[str, ...], Shape("C")]
    fold: Annotated[Ints, Shape("C"), Range(0)]
    checks: Annotated[tuple[str, ...], Shape("K")]
    scores: Annotated[Array, Shape("C", "K"), LEARNED]
    length: Annotated[float, Range(1e-3, 1e9, "s")]

    @property
    def _rows(self) -> list[dict[str, float]]:
        """Scores of each capture by the names of checks."""
        return [dict(zip(self.checks, map(float, row), strict=True)) for row in self.scores]

    @cached_property
    def levels(self) -> tuple[Levels, ...]:
        """Levels of the captures without each part; then of all."""
        rows = self._rows
        parts = [np.flatnonzero(self.fold != k).tolist() for k in range(len(self.models) - 1)]
        weights = weights_of(self.checks)
        groups = [group_of(name) for name in self.names]
        parts.append(list(range(len(rows))))
        every = (([rows[i] for i in part], [groups[i] for i in part]) for part in parts)
        return tuple(fit_levels(own, weights, who) for own, who in every)

    @cached_property
    def by_chance(self) -> float:
        """Largest share of an unseen person's clips, or take's pieces, that are odd by chance."""
        odd = [self.levels[-1].evidence(row) > self.levels[-1].odd for row in self._rows]
        # Parts, where these are finer than groups, are what was left out.
        both = zip(self.fold, self.names, strict=True)
        return guaranteed_share(odd, [f"{part} {group_of(name)}" for part, name in both])

    def part_of(self, name: str) -> int | None:
        """Part that all pieces of a capture are in; None where it is no capture."""
        whole = [piece.rpartition("@")[0] or piece for piece in self.names]
        parts = {int(p) for p, own in zip(self.fold, whole, strict=True) if own == name}
        return parts.pop() if len(parts) == 1 else None

    def judge(
        self, posed: PosedMotion, capture: str | None = None, worst: int = 3
    ) -> MotionVerdict | None:
        """Judge a motion.

        Parameters
        ----------
        posed : PosedMotion
            Of the skeleton of the captures.
        capture : str, optional
            Which capture it is; the model that has not seen its person or take judges it then.
        worst : int
            Odd moments, at most.

        Returns
        -------
        MotionVerdict or None
            None for a motion that is too short.
        """
        if not is_long_enough(posed):
            return None
        evidence = gather_evidence(self.body, posed)
        part = None if capture is None else self.part_of(capture)
        own = len(self.models) - 1 if part is None else part
        scored = score(self.body, self.models, evidence)
        curves = scored[own]
        # Longer clips have more moments to be odd in.
        longer = np.log10(max(posed.motion.duration / self.length, 1.0))
        # Every part's model gives a score of its own: how far they lie apart says how sure it is.
        values = [
            levels.oddness({n: c.most for n, c in other.items()}) - longer
            for levels, other in zip(self.levels, scored, strict=True)
        ]
        levels = self.levels[-1]
        scores = {name: curve.most for name, curve in curves.items()}
        oddness = max(levels.oddness(scores) - longer, 0.0)
        rare = {name: levels.checks[name].rarity(c.values) for name, c in curves.items()}
        return MotionVerdict(
            times=evidence.times,
            curves=rare,
            scores=scores,
            evidence=levels.evidence(scores),
            oddness=oddness,
            low=max(min(*values, oddness), 0.0),
            high=max(*values, oddness),
            odd=bool(oddness > -np.log10(SHARE)),
            by_chance=self.by_chance,
            worst=tuple(
                self._name_late_leg(m, self.models[own], evidence.track)
                for m in self._moments(evidence.times, rare, curves, posed, worst)
            ),
        )

    def _moments(
        self,
        times: Array,
        rare: dict[str, Array],
        curves: dict[str, Curve],
        posed: PosedMotion,
        count: int,
    ) -> tuple[OddMoment, ...]:
        names = list(rare)
        weights = self.levels[-1].weights
        table = np.array([weights[name].evidence(curves[name].values) for name in names])
        found: list[OddMoment] = []
        left = np.ones(table.shape, bool)
        while len(found) < count and left.any():
            # Each time that a check has spoken its next word counts half: others are heard, too.
            told = np.array([sum(f.check == name for f in found) for name in names])
            worth = np.where(table > 0, table / 2.0 ** told[:, None], table)
            c, w = np.unravel_index(np.where(left, worth, -np.inf).argmax(), table.shape)
            name = names[int(c)]
            near = _run(table[c], int(w))
            left[c] &= np.abs(times - times[w]) >= APART
            # What goes on is told once.
            left[c, near] = False
            begin, end = _stretch(times[near], CHECKS[name].reach, posed.motion.duration)
            parts = curves[name].parts
            part = "" if parts is None else part_of_check(self.body, name, int(parts[w]), posed)
            words = CHECKS[name].words_of(float(curves[name].values[w]), part)
            span, rarity = (float(times[w]), begin, end), float(rare[name][w])
            found.append(OddMoment(*span, name, part, rarity, float(table[c, w]), words))
        return tuple(found)

    def _name_late_leg(self, moment: OddMoment, model: Model, track: Track) -> OddMoment:
        """The same, with the leg that is late where that is clear."""
        if moment.check != "phase":
            return moment
        late = find_late_leg(model.legs, track, moment.begin - AROUND, moment.end + AROUND)
        words = CHECKS["phase"].words_of(np.inf, "a leg" if late is None else f"{late.side} leg")
        if late is None:
            return replace(moment, words=words)
        words = f"{words}, about {late.lag:.1f} s late"
        return replace(moment, part=f"{late.side} leg", words=words)


def weights_of(checks: Sequence[str]) -> dict[str, Weight]:
    """What scores of checks say, by their names."""
    return {name: CHECKS[name] for name in checks}


def part_of_check(body: Body, check: str, index: int, posed: PosedMotion) -> str:
    """Name of the limb or joint that a check points at.

    Parameters
    ----------
    body : Body
    check : str
        Name of the check.
    index : int
        Of `Curve.parts`.
    posed : PosedMotion
        Of the body's skeleton.

    Returns
    -------
    str
    """
    if check == "frozen":
        return body.arms[index]
    if check == "hinge":
        joint = body.hinges[index].limb.middle
        roles = {j: role.replace("_", " ") for role, j in posed.roles.joints.items()}
        return roles.get(joint, posed.skeleton.names[joint])
    joint = int(body.inner[index] if check == "axes" else body.moving[index])
    return posed.skeleton.names[joint]


def _run(evidence: Array, at: int) -> slice:
    """Windows about one in which evidence is not much less; that one where it has none."""
    most = float(evidence[at])
    if most <= 0:
        return slice(at, at + 1)
    less = np.flatnonzero(evidence < min(_LASTS * most, _ENOUGH))
    before, after = less[less < at], less[less > at]
    first = int(before[-1]) + 1 if len(before) else 0
    return slice(first, int(after[0]) if len(after) else len(evidence))


def _stretch(times: Array, reach: float, duration: float) -> tuple[float, float]:
    """From when to when windows are, and what reaches beyond them."""
    first, last = float(times[0]), float(times[-1])
    return max(first - reach, 0.0), min(last + reach, duration)


@one_thread()
def fit_motion_judge(
    clips: Sequence[PosedMotion], *, seed: int = 0, progress: Progress = silent
) -> MotionJudge:
    """Learn what captured motions are like.

    Parameters
    ----------
    clips : sequence of PosedMotion
        Captures of one skeleton; their names say who moves and which take they are of (see
        `groups.group_of`).
    seed : int
        Of the draw of pieces, of the random features, and of how captures are dealt into parts and
        made otherwise.
    progress : Progress
        Told of every piece.

    Returns
    -------
    MotionJudge

    Raises
    ------
    InvalidInputError
        When there are too few clips, no joint turns in them, or the body has no whole leg, or no
        left and right.
    """
    captures = learn_captures(clips, seed=seed, progress=progress)
    body, models, names = captures.body, captures.models, captures.names
    judged = zip(captures.evidence, captures.fold, strict=True)
    curves = [score(body, [models[p]], e)[0] for e, p in judged]
    # A check that some captures lack has no level to be judged by.
    checks = tuple(name for name in CHECKS if all(name in c for c in curves))
    table = np.array([[c[name].most for name in checks] for c in curves])
    length = float(np.median([p.motion.duration for p in captures.pieces]))
    return MotionJudge(body, models, names, captures.fold, checks, table, length)
