"""Levels: how many captured clips are as odd as one, by every check and by all together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

#: Beyond this share of the captures their tail is taken for an exponential.
_BODY = 0.8
#: A clip is odd when fewer than this share of captured clips are as odd.
SHARE = 0.05
#: Beyond so many powers of ten nothing is told apart.
_MOST = 12.0
#: Weight of the rarest check beside the tails.
_LITTLE = 1e-3


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
        beyond = np.maximum(self.depth(values), 0) / np.log(10)
        outside = -np.log10(1 - self.body) + beyond
        rarity: Array = np.minimum(np.where(values > self.begin, outside, inside), _MOST)
        return rarity

    def depth(self, values: ArrayLike) -> Array:
        """How far into the tail scores are, in its lengths; tells apart what is rarest."""
        depth: Array = (np.asarray(values, float) - self.begin) / self.length
        return depth


def fit_tail(scores: Array, wider: float = 1.0, body: float = _BODY, least: float = 1e-9) -> Tail:
    """How scores of captured clips thin out.

    Parameters
    ----------
    scores : array of shape (C,)
    wider : float
        By how much the tail is longer than that of these clips.
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
    return Tail(scores, body, begin, wider * length)


def _shares(count: int) -> Array:
    """Share of so many scores that is below each."""
    # Midpoints (Hazen): no captured score is the rarest possible, nor the most usual.
    shares: Array = (np.arange(count) + 0.5) / count
    return shares


@dataclass(frozen=True, eq=False)
class Levels:
    """Tails of every check, and of all checks of a clip together.

    Parameters
    ----------
    checks : mapping of str to Tail
    overall : Tail
    """

    checks: Mapping[str, Tail]
    overall: Tail

    def rarities(self, scores: Mapping[str, float]) -> dict[str, float]:
        """How rare each of a clip's scores is, in powers of ten."""
        return {name: float(self.checks[name].rarity(own)) for name, own in scores.items()}

    def oddness(self, scores: Mapping[str, float]) -> float:
        """How rare a clip is by all checks together, among captures judged likewise."""
        return float(self.overall.rarity(_together(list(self.rarities(scores).values()))))


def fit_levels(
    scores: Sequence[Mapping[str, float]],
    wider: Mapping[str, float] | None = None,
    least: Mapping[str, float] | None = None,
) -> Levels:
    """Levels of captured clips, each scored by a model that has not seen it nor its like.

    Parameters
    ----------
    scores : sequence of mapping of str to float
        By check, clip by clip.
    wider : mapping of str to float, optional
        By how much the tails of some checks are longer than those of these clips.
    least : mapping of str to float, optional
        Shortest lengths of the tails of some checks.

    Returns
    -------
    Levels
    """
    wider, least = wider or {}, least or {}
    checks = {
        name: fit_tail(
            np.array([s[name] for s in scores]),
            wider.get(name, 1.0),
            least=least.get(name, 1e-9),
        )
        for name in scores[0]
    }
    columns = [tail.rarity([s[name] for s in scores]) for name, tail in checks.items()]
    # Judged by its own distribution: sums of dependent rarities follow no law known beforehand.
    return Levels(checks, fit_tail(_together(columns), body=1 - SHARE))


def _together(rarities: Sequence[ArrayLike]) -> Array:
    """What several checks say together: how far a clip is in the tails of the two rarest.

    A fault shows in few checks, an unusual clip a little in many. Of clips that are in no tail, the
    rarest check decides.
    """
    table = np.asarray(rarities, float)
    # Two checks that agree say more than one; a third seldom adds anything independent.
    tails = np.sort(np.maximum(table + np.log10(1 - _BODY), 0.0), axis=0)[-2:]
    together: Array = tails.sum(axis=0) + _LITTLE * table.max(axis=0)
    return together
