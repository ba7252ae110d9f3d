"""Trials brought to the labels of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import InvalidInputError
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.marker_sets.labels import subject_of
from motionloom.marker_motion import MarkerSequence
from motionloom.skeleton import few
from motionloom.typing import Array, Bools

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
    count: dict[str, int] = {}
    for label in labels:
        subject = subject_of(label)
        count[subject] = count.get(subject, 0) + (own_label(label) in known)
    order = sorted(count, key=lambda subject: -count[subject])
    where: dict[str, int] = {}
    for subject in order:
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
    at = np.maximum(at, 0)
    positions = np.where(there[:, None], trial.positions[:, at], 0.0)
    return positions, trial.valid[:, at] & there


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
