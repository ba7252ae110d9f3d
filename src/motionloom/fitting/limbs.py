"""Limbs that a trial's markers do not tell: they are named, never guessed in silence.

Trials brought to the labels of a model.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError, NotObservedError
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.marker_sets._places import is_nameless, is_virtual, plain, subject_of
from motionloom.fitting.marker_sets.recognise import marker_sets
from motionloom.marker_motion import MarkerSequence
from motionloom.skeleton import few
from motionloom.typing import Array, Bools, Ints

#: Markers of a model that a trial must have.
_FEWEST = 3


def own_label(label: str) -> str:
    """A label without the subject's name before it, which may differ between trials."""
    subject = subject_of(label)
    return label[len(subject) + 1 :] if subject else label


def match_labels(labels: Sequence[str], wanted: Sequence[str]) -> NDArray[np.intp]:
    """Where a trial has wanted markers, subjects' names left out.

    Of several subjects the one with most of the markers is taken.

    Parameters
    ----------
    labels : sequence of str
        Of the trial.
    wanted : sequence of str
        M labels.

    Returns
    -------
    int array of shape (M,)
        Index into `labels`; -1 for those that the trial does not have.
    """
    known = {own_label(label) for label in wanted}
    count = Counter(subject_of(label) for label in labels if own_label(label) in known)
    where: dict[str, int] = {}
    for subject, _ in count.most_common():
        for i, label in enumerate(labels):
            if subject_of(label) == subject:
                where.setdefault(own_label(label), i)
    return np.array([where.get(own_label(label), -1) for label in wanted], int)


def take_markers(trial: MarkerSequence, labels: Sequence[str]) -> tuple[Array, Bools]:
    """Markers of a trial by label, in a given order; those that it does not have are not seen.

    Parameters
    ----------
    trial : MarkerSequence
        The trial.
    labels : sequence of str
        M labels.

    Returns
    -------
    positions : array of shape (T, M, 3), metres
        0 where not seen.
    seen : bool array of shape (T, M)
        Which are known.
    """
    at = match_labels(trial.labels, labels)
    there = at >= 0
    return np.where(there[:, None], trial.positions[:, at], 0.0), trial.valid[:, at] & there


def match_markers(model: MarkerModel, trial: MarkerSequence) -> MarkerSequence:
    """A trial's markers under the labels of a model, in its order.

    Parameters
    ----------
    model : MarkerModel
        Its labels have no subject's name.
    trial : MarkerSequence
        Its labels may have one.

    Returns
    -------
    MarkerSequence
        M markers; those that the trial does not have are never seen.

    Raises
    ------
    InvalidInputError
        When the trial has fewer than three of them.
    """
    positions, seen = take_markers(trial, model.labels)
    have = int((match_labels(trial.labels, model.labels) >= 0).sum())
    if have < _FEWEST:
        raise InvalidInputError(
            f"{trial.name or 'the trial'} has {have} of the model's {len(model.labels)} markers;"
            f" the model has {few(model.labels)}, the trial {few(trial.labels)}"
        )
    return replace(trial, labels=model.labels, positions=positions, valid=seen, analog=None)


#: Segments of the limbs from the trunk outwards: role of the joint that turns each, and its name.
_SEGMENTS = {
    "human": {
        "leg": {"hip": "thigh", "knee": "shank", "foot": "foot"},
        "arm": {"shoulder": "upper arm", "elbow": "forearm"},
    },
    "quadruped": {
        "hind leg": {"hip": "thigh", "knee": "shank", "foot": "foot"},
        "front leg": {"shoulder": "upper arm", "elbow": "forearm", "hand": "foot"},
    },
}
#: Markers on a segment that give its place and rotation, and so the end of the segment above it.
_WHOLE_POSE = 3


@dataclass(frozen=True)
class UnobservedLimb:
    """A limb, or the part of one, that no marker tells.

    Parameters
    ----------
    name : str
        Such as ``"left leg"``.
    segments : tuple of str
        Those that are not observed: ``("shank", "foot")``.
    whole : bool
        Whether these are all segments of the limb.
    joints : tuple of int
        Joints of the skeleton that turn these segments.
    """

    name: str
    segments: tuple[str, ...]
    whole: bool
    joints: tuple[int, ...]

    def in_words(self) -> str:
        """The limb, with its segments where others are observed."""
        return self.name if self.whole else f"{self.name} ({', '.join(self.segments)})"


def unobserved_limbs(model: MarkerModel, seen: Bools) -> tuple[UnobservedLimb, ...]:
    """Limbs of a body whose segments have too few markers to be placed.

    A segment is observed when it carries a marker that is seen, or when the segment below it
    carries three: their pose gives the joint between both.

    Parameters
    ----------
    model : MarkerModel
        The body with its markers.
    seen : bool array of shape (M,)
        Which of its markers are ever seen.

    Returns
    -------
    tuple of UnobservedLimb
    """
    count = np.bincount(model.joints[seen], minlength=model.skeleton.n_joints)
    found = []
    for limb, segments in _SEGMENTS.get(model.roles.kind, {}).items():
        for side in ("left", "right"):
            named = {name: model.roles.joint(f"{side}_{part}") for part, name in segments.items()}
            known = {name: joint for name, joint in named.items() if joint is not None}
            missing = {k: joint for k, joint in known.items() if not _seen(model, count, joint)}
            if missing:
                whole = len(missing) == len(segments)
                joints = tuple(missing.values())
                found.append(UnobservedLimb(f"{side} {limb}", tuple(missing), whole, joints))
    return tuple(found)


def limb_joints(model: MarkerModel) -> frozenset[int]:
    """Joints of a body that turn the segments of its limbs."""
    parts = [part for limb in _SEGMENTS.get(model.roles.kind, {}).values() for part in limb]
    roles = [f"{side}_{part}" for side in ("left", "right") for part in parts]
    return frozenset(model.roles.joints[role] for role in roles if role in model.roles.joints)


def _seen(model: MarkerModel, count: Ints, joint: int) -> bool:
    below = count[model.skeleton.parents == joint]
    return bool(count[joint] > 0 or (below >= _WHOLE_POSE).any())


def check_limbs(model: MarkerModel, markers: MarkerSequence) -> None:
    """Refuse a trial that does not observe all limbs of a body.

    Parameters
    ----------
    model : MarkerModel
        The body with its markers.
    markers : MarkerSequence
        The trial.

    Raises
    ------
    NotObservedError
        It names the limbs, the labels of the trial that say nothing, and known labels like them.
    """
    limbs = unobserved_limbs(model, seen_markers(model, markers))
    if not limbs:
        return
    own = (own_label(label) for label in markers.labels)
    unknown = [one for one in own if one not in model.labels and not is_virtual(plain(one))]
    named = " and ".join(f"the {limb.in_words()}" for limb in limbs)
    raise NotObservedError(
        f"{markers.name or 'the trial'}: too few markers tell {named}; {_named(unknown)}",
        hint="fit partial",
    )


def seen_markers(model: MarkerModel, markers: MarkerSequence) -> Bools:
    """Which of a model's markers (M,) a trial has and sees in any frame."""
    return np.asarray(take_markers(markers, model.labels)[1].any(axis=0), bool)


def _named(unknown: Sequence[str]) -> str:
    """What to do about labels that say nothing."""
    if not unknown:
        return "it has no other markers"
    likely = "; ".join(islice(_alike(unknown), 6))
    return (
        f"{len(unknown)} of its labels are not known: {few(unknown, 12)}"
        f"{f' (nearest known: {likely})' if likely else ''}; give their places in a table"
        " if they are on these limbs"
    )


def _alike(unknown: Sequence[str]) -> Iterator[str]:
    """Known labels that are like some of those that are not: ``LFCX: LLFC, LMFC``."""
    known = {word: label for one in marker_sets() for word, label in one.shown.items()}
    for label in unknown:
        word = plain(label)
        near = [] if is_nameless(word) else difflib.get_close_matches(word, known, 2, 0.7)
        if near:
            yield f"{label}: {', '.join(known[one] for one in near)}"
