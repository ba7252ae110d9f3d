"""Folds of windows in which a take is never both learned from and judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def split_folds(
    takes: Sequence[Sequence[str]], labels: Ints, count: int, rng: np.random.Generator
) -> list[tuple[Ints, Ints]]:
    """Folds by take, with windows of both labels in each as evenly as takes allow.

    Parameters
    ----------
    takes : sequence of sequences of str
        The takes of every window, its own first.
    labels : int array of shape (N,)
        0 or 1.
    count : int
        Folds wanted.
    rng : numpy.random.Generator
        Order of the takes.

    Returns
    -------
    list of (train, test)
        Rows of windows. A window that shows frames of several takes is judged with its own one, and
        learned from only where none of them is judged.
    """
    own = [t[0] for t in takes]
    names = sorted(set(own))
    number = {name: i for i, name in enumerate(names)}
    share = np.zeros((len(names), 2))
    np.add.at(share, (np.array([number[t] for t in own], int), labels), 1.0)
    share /= np.maximum(share.sum(axis=0), 1.0)
    fold_of = _assign(share, count, rng)
    tested = np.array([fold_of[number[t]] for t in own], int)
    touched = np.zeros((len(takes), count), bool)
    for row, several in enumerate(takes):
        touched[row, [fold_of[number[t]] for t in several if t in number]] = True
    return [(np.flatnonzero(~touched[:, f]), np.flatnonzero(tested == f)) for f in range(count)]


def _assign(share: NDArray[np.float64], count: int, rng: np.random.Generator) -> Ints:
    """Fold of every take: large takes first, each to the fold that has least of its labels."""
    order = rng.permutation(len(share))
    order = order[np.argsort(-share[order].sum(axis=1), kind="stable")]
    filled = np.zeros((count, 2))
    fold_of = np.zeros(len(share), int)
    for take in order.tolist():
        crowded = filled @ share[take] / max(share[take].sum(), 1e-12)
        fold = int(np.lexsort((filled.sum(axis=1), crowded))[0])
        fold_of[take] = fold
        filled[fold] += share[take]
    return fold_of


def balanced(rows: Ints, labels: Ints, most: int, rng: np.random.Generator) -> Ints:
    """As many rows of the one label as of the other, drawn at random.

    Parameters
    ----------
    rows : int array of shape (M,)
        Rows to draw from.
    labels : int array of shape (N,)
        0 or 1, of all rows.
    most : int
        Rows of each label, at most.
    rng : numpy.random.Generator
        Draws the rows.

    Returns
    -------
    int array
        The drawn rows, ascending.
    """
    own = [rows[labels[rows] == label] for label in (0, 1)]
    n = min(most, *(len(o) for o in own))
    return np.sort(np.concatenate([rng.permutation(o)[:n] for o in own]))


def random_halves(takes: Sequence[Sequence[str]], rng: np.random.Generator) -> Ints:
    """Labels that put each take in one of two halves at random: nothing tells these apart.

    Parameters
    ----------
    takes : sequence of sequences of str
        The takes of every window, its own first.
    rng : numpy.random.Generator
        Deals the takes.

    Returns
    -------
    int array of shape (N,)
        0 or 1 for every window; the same for all windows of a take.
    """
    names = sorted({t[0] for t in takes})
    half = dict(zip(rng.permutation(names), np.arange(len(names)) % 2, strict=True))
    return np.array([half[t[0]] for t in takes], int)
