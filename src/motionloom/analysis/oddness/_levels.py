"""Levels: what the scores of a clip say together, and how many captured clips are as odd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from motionloom.typing import Array

#: Beyond this share of the captures their tail is taken for an exponential.
_BODY = 0.8
#: The same for what all checks say together.
_RARE = 0.9
#: A clip is odd when fewer than this share of captured clips are as odd.
SHARE = 0.05
#: Beyond so many powers of ten nothing is told apart.
_MOST = 12.0
#: Shortest length of a tail.
_LEAST = 1e-9
#: A weight grows at most so many times as fast as captures thin out; of how much groups differ this
#: share is added to what makes a clip odd.
_STEEPEST, _WIDER = 4.0, 0.5
#: What clips of unseen people got in other families of captures: the middle, and over how much
#: higher evidence falls to 1/e; and how many clips of one's own that counts for.
_USUAL, _FALLS, _OTHERS = 0.0, 1.3, 30


@dataclass(frozen=True, eq=False)
class Tail:
    """Scores of captured clips, and how they thin out.

    Parameters
    ----------
    scores : array of shape (C,)
        Ascending.
    body : float
        Share of the clips below the tail.
    begin, length : float
        Where the tail begins, and over how much of a score it falls to 1/e.
    """

    scores: Array
    body: float
    begin: float
    length: float

    def rarity(self, values: ArrayLike) -> Array:
        """How rare such scores or higher ones are, in powers of ten: 2 is one of a hundred."""
        values = np.asarray(values, float)
        below = np.interp(values, self.scores, _shares(len(self.scores)))
        inside = -np.log10(1 - np.minimum(below, self.body))
        # An exponential tail: `log10` of what is left falls evenly.
        beyond = np.maximum(values - self.begin, 0) / self.length / np.log(10)
        outside = -np.log10(1 - self.body) + beyond
        return np.asarray(np.minimum(np.where(values > self.begin, outside, inside), _MOST))


def fit_tail(scores: Array, body: float = _BODY, least: float = _LEAST) -> Tail:
    """How scores of captured clips thin out.

    Parameters
    ----------
    scores : array of shape (C,)
    body : float
        Share of the clips below the tail.
    least : float
        Shortest length of the tail.

    Returns
    -------
    Tail
    """
    scores = np.sort(scores)
    begin = float(np.interp(body, _shares(len(scores)), scores))
    above = scores[scores > begin] - begin
    # An exponential falls so from its middle.
    falls = (begin - float(np.median(scores))) / np.log(0.5 / (1 - body)) / 4
    length = max(float(above.mean()) if len(above) else 0.0, falls, least)
    return Tail(scores, body, begin, length)


def _shares(count: int) -> Array:
    """Share of so many scores that is below each."""
    # Midpoints (Hazen): no captured score is the rarest possible, nor the most usual.
    return (np.arange(count) + 0.5) / count


@dataclass(frozen=True)
class Weight:
    """What a score says: a line of natural logarithms.

    Parameters
    ----------
    even : float
        The score that faulty clips have as often as captured ones.
    slope : float
        How fast a score's likelihood among faulty clips, beside captured ones, grows.
    beside : bool
        Whether `even` is counted from the middle of the captures.
    fixed : bool
        Whether captures at hand cannot change it.
    """

    even: float
    slope: float
    beside: bool = False
    fixed: bool = False

    def evidence(self, scores: ArrayLike) -> Array:
        """How much likelier scores are in faulty clips, in natural logarithms (Good 1950)."""
        return self.slope * (np.asarray(scores, float) - self.even)


@dataclass(frozen=True, eq=False)
class Levels:
    """Tails and weights of every check, and the tail of all checks of a clip together.

    Parameters
    ----------
    checks : mapping of str to Tail
    weights : mapping of str to Weight
    overall : Tail
    wider : float
        By how much more evidence clips of unseen people may have.
    """

    checks: Mapping[str, Tail]
    weights: Mapping[str, Weight]
    overall: Tail
    wider: float = 0.0

    @property
    def odd(self) -> float:
        """Evidence from which clips are odd."""
        tail = self.overall
        return tail.begin + tail.length * float(np.log((1 - tail.body) / SHARE)) + self.wider

    def evidence(self, scores: Mapping[str, float]) -> float:
        """How much likelier a clip's scores are with one of the faults than without."""
        return float(_together([self.weights[name].evidence(own) for name, own in scores.items()]))

    def oddness(self, scores: Mapping[str, float]) -> float:
        """How rare a clip is by all checks together, among captures judged likewise."""
        return float(self.overall.rarity(self.evidence(scores) - self.wider))


def fit_levels(
    scores: Sequence[Mapping[str, float]],
    weights: Mapping[str, Weight] | None = None,
    groups: Sequence[str] = (),
) -> Levels:
    """Levels of captured clips, each scored by a model that has not seen it nor its like.

    Parameters
    ----------
    scores : sequence of mapping of str to float
        By check, clip by clip.
    weights : mapping of str to Weight, optional
        What scores say; where a check has none, how far it is in the tail of the captures.
    groups : sequence of str
        Of the clips: who moves, or which take; empty where that is not known.

    Returns
    -------
    Levels
    """
    columns = {name: np.array([s[name] for s in scores]) for name in scores[0]}
    told = weights or {}
    # A tail is no shorter than a weight is steep: captures that are all alike make nothing rare.
    least = {name: 1 / weight.slope for name, weight in told.items()}
    tails = {name: fit_tail(own, least=least.get(name, _LEAST)) for name, own in columns.items()}
    known = {name: _weight(told.get(name), tails[name]) for name in columns}
    evidence = _together([known[name].evidence(own) for name, own in columns.items()])
    sample = np.concatenate([evidence, _usual()]) if told else evidence
    return Levels(tails, known, fit_tail(sample, body=_RARE), _wider(evidence, groups))


def _weight(weight: Weight | None, tail: Tail) -> Weight:
    """A weight in scores as they are."""
    if weight is None:
        return Weight(tail.begin + 2 * tail.length, 1 / tail.length)
    if weight.fixed:
        return weight
    middle = float(np.median(tail.scores)) if weight.beside else 0.0
    # Where many captures have what are faults elsewhere, by their rig or sensors, only more is odd.
    usual = float(np.quantile(tail.scores, _RARE)) + 1 / weight.slope
    slope = min(weight.slope, _STEEPEST / tail.length)
    return Weight(max(weight.even + middle, usual), slope)


def _wider(evidence: Array, groups: Sequence[str]) -> float:
    """Part of how groups differ, the fewer the more: the next one is none of them."""
    means = _means_of(evidence, groups)
    if len(means) < 2:
        return 0.0
    return _WIDER * float(np.std(means, ddof=1)) * float(np.sqrt(1 + 1 / len(means)))


def _together(evidence: Sequence[ArrayLike]) -> Array:
    """Evidence for any of the faults: each may be the one that is there."""
    return np.asarray(np.logaddexp.reduce(np.asarray(evidence, float), axis=0))


def _usual() -> Array:
    """What few captures are taken together with: evidence of unseen people elsewhere."""
    above = np.minimum(1 - _shares(_OTHERS), 0.5)
    # Exponential above the middle; below nothing is told apart.
    return np.asarray(_USUAL - _FALLS * np.log(2 * above))


def guaranteed_share(odd: ArrayLike, groups: Sequence[str]) -> float:
    """Largest share of a new group's clips that are odd by chance, where groups are alike.

    Parameters
    ----------
    odd : bool array of shape (C,)
        Whether each captured clip is odd by models that have not seen its group.
    groups : sequence of str
        Of the clips: who moves, or which take.

    Returns
    -------
    float
        The mean over groups and one more, of which nothing is known (conformal prediction with
        groups, Dunn, Wasserman & Ramdas 2022).
    """
    shares = _means_of(np.asarray(odd, bool), groups)
    return (sum(shares) + 1.0) / (len(shares) + 1)


def _means_of(values: np.ndarray, groups: Sequence[str]) -> list[float]:
    """Mean of the values of each group."""
    names = np.asarray(groups)
    return [float(values[names == name].mean()) for name in dict.fromkeys(groups)]
