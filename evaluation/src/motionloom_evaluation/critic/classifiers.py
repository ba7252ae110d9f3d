"""Two classifiers that try to tell two sets of windows apart, and how well they can."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, t

from motionloom.errors import MissingExtraError
from motionloom.threads import one_thread
from motionloom_evaluation.critic.folds import balanced, split_folds

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Takes features to learn from, features to judge, labels of the former and a seed; gives scores.
_Maker = Callable[[Array, Array, Ints, int], Array]

#: The classifiers, in the order in which they are shown.
CLASSIFIERS = ("boosted", "linear")
#: Trees of the boosted classifier.
TREES = 100
#: Principal components of a part's velocities.
COMPONENTS = 20
#: Fewest windows of each kind in a fold from which its figure counts.
_FEWEST = 5


@dataclass(frozen=True)
class Auc:
    """Probability that a window of the one set is taken for one more than a window of the other.

    Parameters
    ----------
    mean : float
        Over folds and repeats: .5 when nothing tells the sets apart, 1 when everything does.
    low, high : float
        Interval of the mean at 95 %.
    folds : tuple of float
        Of every fold of every repeat.
    """

    mean: float
    low: float
    high: float
    folds: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the classifiers found from one part of the body.

    Parameters
    ----------
    auc : mapping of str to Auc
        By classifier.
    near, far : mapping of str to Auc
        The same for windows near seams and away from them; empty where seams are not known.
    scores : array of shape (N,)
        How much each window looks woven to the boosted classifier when it has not seen its take:
        0 the median of the captured windows, 1 as far beyond as nine tenths of these are apart.
    """

    auc: Mapping[str, Auc]
    near: Mapping[str, Auc]
    far: Mapping[str, Auc]
    scores: Array


def area_under_curve(scores: Array, labels: Ints) -> float:
    """Area under the ROC curve: share of pairs, one of each label, scored in the right order.

    From the sum of ranks (the Mann-Whitney statistic); ties count half.

    Parameters
    ----------
    scores : array of shape (N,)
        Larger for what looks more like label 1.
    labels : int array of shape (N,)
        0 or 1, each at least once.

    Returns
    -------
    float
        1 when all pairs are in order, .5 by chance.
    """
    n = int(labels.sum())
    others = len(labels) - n
    ranks = rankdata(scores)[labels == 1].sum()
    return float((ranks - n * (n + 1) / 2) / (n * others))


def tell_apart(
    course: Array,
    statistics: Array,
    labels: Ints,
    takes: Sequence[Sequence[str]],
    near: Ints,
    seeds: Sequence[int],
    *,
    folds: int,
    most: int,
) -> Verdict:
    """Let both classifiers try to tell windows of label 1 from windows of label 0.

    Parameters
    ----------
    course : array of shape (N, M)
        Velocities in every frame, of which principal components are taken.
    statistics : array of shape (N, S)
        Features that are taken as they are.
    labels : int array of shape (N,)
        1 for woven, 0 for captured windows.
    takes : sequence of sequences of str
        The takes of every window, its own first.
    near : int array of shape (N,)
        As `Windows.near`.
    seeds : sequence of int
        One for each repeat with other folds.
    folds : int
        Parts that the takes are dealt into, each judged once for each seed.
    most : int
        Windows of each label that are learned from, at most.

    Returns
    -------
    Verdict
        Without a classifier's figure where no fold holds enough windows of both labels.

    Raises
    ------
    MissingExtraError
        When scikit-learn is not installed.
    """
    makers = _makers()
    figures: dict[tuple[str, str], list[float]] = {
        (name, where): [] for name in CLASSIFIERS for where in ("all", "near", "far")
    }
    scores = np.zeros(len(labels))
    times = np.zeros(len(labels))
    for seed in seeds:
        rng = np.random.default_rng(seed)
        for train, test in split_folds(takes, labels, folds, rng):
            learned = balanced(train, labels, most, rng)
            if min(np.bincount(labels[learned], minlength=2)) < _FEWEST or not len(test):
                continue
            with one_thread():  # the sets are small: more threads only wait for each other
                features = _reduce(course, statistics, learned, test, seed)
                judged = {
                    name: make(*features, labels[learned], seed) for name, make in makers.items()
                }
            for name, found in judged.items():
                for where, rows in _regions(near[test]).items():
                    own = labels[test][rows]
                    if min(np.bincount(own, minlength=2)) >= _FEWEST:
                        figures[name, where].append(area_under_curve(found[rows], own))
                if name == "boosted":
                    scores[test] += _against_captured(found, labels[test])
                    times[test] += 1
    scores /= np.maximum(times, 1)
    by_region = {
        where: {
            name: summarize(figures[name, where], folds)
            for name in CLASSIFIERS
            if figures[name, where]
        }
        for where in ("all", "near", "far")
    }
    return Verdict(by_region["all"], by_region["near"], by_region["far"], scores)


def summarize(values: Sequence[float], folds: int) -> Auc:
    """Mean of the figures of all folds and repeats, and its interval at 95 %.

    Folds share most of what they learn from, so their figures are more alike than independent ones:
    the variance of the mean is corrected for that after Nadeau & Bengio (2003), by the factor
    ``1 / n + 1 / (folds - 1)`` of the variance of `n` figures.

    Parameters
    ----------
    values : sequence of float
        Areas under the curve, one for each fold of each repeat; at least one.
    folds : int
        Of one repeat.

    Returns
    -------
    Auc
        With the interval 0 to 1 for fewer than three figures.
    """
    own = np.array(values)
    mean = float(own.mean())
    if len(own) < 3:  # too few to say how far they scatter
        return Auc(mean, 0.0, 1.0, tuple(values))
    spread = float(own.std(ddof=1)) * np.sqrt(1 / len(own) + 1 / max(folds - 1, 1))
    reach = float(t.ppf(0.975, len(own) - 1)) * spread
    return Auc(mean, max(mean - reach, 0.0), min(mean + reach, 1.0), tuple(values))


def _regions(near: Ints) -> dict[str, NDArray[np.bool_]]:
    everywhere = np.ones(len(near), bool)
    found = {"all": everywhere}
    if np.any(near == 1):
        found["near"] = near != 0
    if np.any(near == 0):
        found["far"] = near != 1
    return found


def _reduce(
    course: Array, statistics: Array, learned: Ints, test: Ints, seed: int
) -> tuple[Array, Array]:
    """Features to learn from and to judge: components found on the former, and the statistics."""
    from sklearn.decomposition import PCA

    count = min(COMPONENTS, course.shape[1], len(learned) - 1)
    model = PCA(count, svd_solver="randomized", random_state=seed).fit(course[learned])
    first, second = (
        np.column_stack([model.transform(course[rows]), statistics[rows]])
        for rows in (learned, test)
    )
    mean = first.mean(axis=0)
    spread = np.maximum(first.std(axis=0), 1e-9)
    return (first - mean) / spread, (second - mean) / spread


def _against_captured(scores: Array, labels: Ints) -> Array:
    """Scores on the scale of those of the captured windows of the same fold."""
    if not np.any(labels == 0):
        return np.zeros(len(scores))
    low, middle, high = np.quantile(scores[labels == 0], [0.05, 0.5, 0.95])
    scaled: Array = (scores - middle) / max(high - low, 1e-9)
    return scaled


def check_installed() -> None:
    """Refuse before any work where the classifiers are not installed.

    Raises
    ------
    MissingExtraError
        When scikit-learn is not installed.
    """
    _makers()


def _makers() -> dict[str, _Maker]:
    """Functions that learn from some features and labels and score others, by classifier."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtraError("scikit-learn", "critic", "telling motions apart") from None

    def run(model: Any, learned: Array, test: Array, labels: Ints) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(learned, labels)
            return np.asarray(model.decision_function(test))

    def boosted(learned: Array, test: Array, labels: Ints, seed: int) -> Array:
        model = HistGradientBoostingClassifier(
            max_iter=TREES,
            max_leaf_nodes=15,
            min_samples_leaf=min(20, max(2, len(learned) // 10)),
            early_stopping=False,
            random_state=seed,
        )
        return run(model, learned, test, labels)

    def linear(learned: Array, test: Array, labels: Ints, seed: int) -> Array:
        return run(LogisticRegression(C=0.1, max_iter=300), learned, test, labels)

    return {"boosted": boosted, "linear": linear}
