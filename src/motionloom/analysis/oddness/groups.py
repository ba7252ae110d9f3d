"""Groups: clips that are alike because one person made them, or in one take, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from motionloom.typing import Ints

#: A word that says who moves, such as subject4 or person_07.
_PERSON = re.compile(r"(?:subject|person|actor|performer|player)[-_ ]?\d+", re.IGNORECASE)
#: What pieces and copies of a take add to its name.
_PIECE = re.compile(r"( \(mirrored\)|[@#].*)$")
#: Models would miss too much without a larger share of the captures: such a group is divided.
_LARGEST = 0.4
#: The number of a take, at the end of its name.
_NUMBER = re.compile(r"[-_. ]*\d[\d.]*$")


def group_of(name: str) -> str:
    """Group of a clip by its name.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
        Who moves, where the name says so (``"dance1_subject1"``); else the name without the number
        at its end (``"16_05"``, ``"walk_active_001"``), where something is left.
    """
    person = _PERSON.search(name)
    if person:
        return person.group(0).lower()
    take = _PIECE.sub("", name)
    return _NUMBER.sub("", take) or take


def _take_of(name: str) -> str:
    return _PIECE.sub("", name)


def _split(groups: list[str], finer: list[str]) -> list[str]:
    """Groups of more than `_LARGEST` of all clips in their own smaller groups."""
    large = {g for g in groups if groups.count(g) > _LARGEST * len(groups)}
    return [f if g in large else g for g, f in zip(groups, finer, strict=True)]


def deal(names: Sequence[str], folds: int, seed: int) -> Ints:
    """Deal clips into parts, groups undivided.

    Parameters
    ----------
    names : sequence of str
    folds : int
        Parts, at most.
    seed : int

    Returns
    -------
    int array of shape (C,)
        Part of each clip, from 0. Where all are of one group, takes are dealt, and where there is
        one take, its pieces.
    """
    groups = [group_of(name) for name in names]
    for key in (_take_of, str):
        groups = _split(groups, [key(name) for name in names])
    sizes = {g: groups.count(g) for g in dict.fromkeys(groups)}
    order = list(sizes)
    np.random.default_rng(seed).shuffle(order)
    order.sort(key=lambda g: -sizes[g])
    filled = np.zeros(min(folds, len(sizes)), int)
    part = {}
    for group in order:  # the largest first, each into the smallest part
        part[group] = int(filled.argmin())
        filled[part[group]] += sizes[group]
    return np.array([part[g] for g in groups])
