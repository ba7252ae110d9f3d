"""Markers of trials put onto a prototype: which are fitted to, on which joints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting.body import Lengths, Prototype, lengths_of, prototype
from motionloom.fitting.calibration.layout import Layout, make_layout
from motionloom.fitting.marker_sets.places import Place
from motionloom.fitting.marker_sets.recognise import FEWEST_ON_ROOT, Recognised, recognise
from motionloom.fitting.matching import own_label, take_markers
from motionloom.marker_motion import MarkerSequence
from motionloom.typing import Array, Bools


@dataclass(frozen=True, eq=False)
class Placed:
    """Markers with their places on a prototype.

    Parameters
    ----------
    body : Prototype
        The prototype.
    lengths : Lengths
        Numbers that its lengths depend on.
    layout : Layout
        The body with its markers.
    labels : tuple of str
        Of the M markers.
    places : tuple of Place
        Of the M markers.
    recognised : tuple of Recognised
        What the labels of each trial say.
    positions : tuple of array of shape (T, M, 3), metres
        Of each trial.
    seen : tuple of bool array of shape (T, M)
        Of each trial.
    """

    body: Prototype
    lengths: Lengths
    layout: Layout
    labels: tuple[str, ...]
    places: tuple[Place, ...]
    recognised: tuple[Recognised, ...]
    positions: tuple[Array, ...]
    seen: tuple[Bools, ...]


def place_markers(
    trials: Sequence[MarkerSequence],
    table: Mapping[str, Place | None] | None = None,
    body: str | None = None,
    symmetric: bool = True,
) -> Placed:
    """Put the markers of trials of one person onto a prototype.

    Parameters
    ----------
    trials : sequence of MarkerSequence
        The first is the one that is fitted; others, such as a static trial, may have more markers.
    table : mapping of str to Place or None, optional
        What the user says of labels.
    body : str, optional
        Kind of body.
    symmetric : bool, optional
        Whether both sides are as long.

    Returns
    -------
    Placed

    Raises
    ------
    InvalidInputError
        When labels do not say enough, trials are of different bodies, or no frame has markers.
    """
    found = tuple(recognise(trial.labels, table, body) for trial in trials)
    if len({one.body for one in found}) > 1:
        raise InvalidInputError(
            f"the trials are of different bodies: {', '.join(one.body for one in found)}"
        )
    places: dict[str, Place] = {}
    for trial, one in zip(trials, found, strict=True):
        for i, place in one.places.items():
            if trial.valid[:, i].any():
                places.setdefault(own_label(trial.labels[i]), place)
    _check_root(places.values())
    kind = prototype(found[0].body)
    lengths = lengths_of(kind, symmetric)
    chosen = tuple(places.values())
    layout = make_layout(
        kind,
        lengths,
        np.array([kind.index(place.joint) for place in chosen], int),
        np.array([kind.index(place.anchor) for place in chosen], int),
        np.array([place.at for place in chosen]).reshape(-1, 3),
        np.array([place.loose for place in chosen]).reshape(-1, 3),
    )
    both = [take_markers(trial, tuple(places)) for trial in trials]
    _check_seen(trials[0], both[0][1])
    return Placed(
        body=kind,
        lengths=lengths,
        layout=layout,
        labels=tuple(places),
        places=chosen,
        recognised=found,
        positions=tuple(positions for positions, _ in both),
        seen=tuple(seen for _, seen in both),
    )


def _check_root(places: Iterable[Place]) -> None:
    on_root = sum(place.joint == "Hips" for place in places)
    if on_root < FEWEST_ON_ROOT:
        raise InvalidInputError(
            f"{on_root} markers on the hips are ever seen; at least {FEWEST_ON_ROOT} are needed"
        )


def _check_seen(trial: MarkerSequence, seen: Bools) -> None:
    if not seen.any(axis=1).any():
        raise InvalidInputError(
            f"{trial.name or 'the trial'}: no marker is seen in any of its {trial.n_frames} frames"
        )
