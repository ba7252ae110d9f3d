"""What is learned from captured motions: a model without each part of them, and one of all.

Groups: clips that are alike because one person made them, or in one take, by their names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionloom.analysis.oddness._checks import Learning, Model, add_sums, fit_model, gather_sums
from motionloom.analysis.oddness._evidence import (
    Body,
    Evidence,
    fit_body,
    gather_evidence,
    is_long_enough,
)
from motionloom.analysis.oddness._tracks import make_track
from motionloom.errors import InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, breathe, silent
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


#: Parts that groups of captures are dealt into, at most.
FOLDS = 6
#: Takes are learned from in pieces, no longer than this (seconds), and no more than so many.
PIECE, MOST_PIECES = 8.0, 120
#: Fewest pieces that say how odd captures are.
FEWEST = 4
#: What the work is called.
_STAGE = "learning how captures move"


@dataclass(frozen=True, eq=False)
class Captures:
    """Captured motions in pieces, and what was learned from them.

    Parameters
    ----------
    body : Body
        What is common to all of them.
    pieces : tuple of PosedMotion
        Each no longer than `PIECE`.
    evidence : tuple of Evidence
        What each piece says.
    fold : int array of shape (C,)
        Part that each piece is in.
    models : tuple of Model
        Without each part; then of all.
    """

    body: Body
    pieces: tuple[PosedMotion, ...]
    evidence: tuple[Evidence, ...]
    fold: Ints
    models: tuple[Model, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the pieces."""
        return tuple(p.motion.name for p in self.pieces)


def learn_captures(
    clips: Sequence[PosedMotion], *, seed: int = 0, progress: Progress = silent
) -> Captures:
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
    Captures

    Raises
    ------
    InvalidInputError
        When there are too few clips, no joint turns in them, or the body has no whole leg, or no
        left and right.
    """
    random = np.random.default_rng(seed)
    pieces = _draw([p for c in clips for p in _cut(c) if is_long_enough(p)], random)
    if len(pieces) < FEWEST:
        raise InvalidInputError(
            f"motion is judged among at least {FEWEST} captured clips or pieces of"
            f" {PIECE:g} s, got {len(pieces)}; add clips"
        )
    fold = deal([p.motion.name for p in pieces], FOLDS, seed)
    tracks = [make_track(p) for p in pieces]
    body = fit_body(pieces, tracks, seed)
    if not len(body.inner):
        raise InvalidInputError("motion is judged among clips in which joints turn, and none does")
    evidence: list[Evidence] = []
    sums: dict[int, Learning] = {}
    for i, (piece, track) in enumerate(zip(pieces, tracks, strict=True)):
        progress(_STAGE, i, len(pieces))
        own = gather_evidence(body, piece, track)
        evidence.append(own)
        part = int(fold[i])
        # One generator for all pieces, in their order: what is learned is the same for a seed.
        learned = gather_sums(body, own, track, random)
        sums[part] = add_sums([sums[part], learned]) if part in sums else learned
    models = []
    # The last one leaves nothing out: it is for clips that are no captures.
    for k in range(int(fold.max()) + 2):
        breathe()
        others = [e for e, p in zip(evidence, fold, strict=True) if p != k]
        models.append(fit_model(add_sums([sums[p] for p in sums if p != k]), others))
    progress(_STAGE, len(pieces), len(pieces))
    return Captures(body, tuple(pieces), tuple(evidence), fold, tuple(models))


def _cut(clip: PosedMotion) -> list[PosedMotion]:
    """A take in pieces of equal length."""
    count = max(int(np.ceil(clip.motion.duration / PIECE)), 1)
    if count == 1:
        return [clip]
    edges = np.linspace(0, clip.n_frames, count + 1).astype(int).tolist()
    pieces = [clip.cut(a, b) for a, b in pairwise(edges)]
    return [
        p.with_same_poses(replace(p.motion, name=f"{clip.motion.name}@{a}"))
        for p, a in zip(pieces, edges, strict=False)
    ]


def _draw(pieces: list[PosedMotion], random: np.random.Generator) -> list[PosedMotion]:
    """At most `MOST_PIECES`, as many of every group as can be."""
    if len(pieces) <= MOST_PIECES:
        return pieces
    places: dict[str, int] = {}
    # Each piece is numbered within its group; the lowest numbers of all groups are taken first.
    turn = np.empty(len(pieces))
    for i in random.permutation(len(pieces)):
        group = group_of(pieces[i].motion.name)
        turn[i] = places.get(group, 0)
        places[group] = places.get(group, 0) + 1
    kept = np.sort(np.argsort(turn, kind="stable")[:MOST_PIECES])
    return [pieces[i] for i in kept]
