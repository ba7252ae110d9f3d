"""Joint centres that a rule or a functional method found, made into a marker model.

Joint centres by a rule: a group of markers, and a constant along the segment's axes.

After Xiao (2009, eq. 3.1): the reference of the group plus a constant distance along the lateral
axis. The constants are those of the prototype, scaled to the person; the axes are those of the
segment that carries the group.

Markers of trials put onto a prototype: which are fitted to, on which joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting._body import Lengths, Prototype, lengths_of, prototype
from motionloom.fitting.calibration._posing import Layout, State, make_layout, run
from motionloom.fitting.calibration._solve import Data, Effort, minimise
from motionloom.fitting.calibration._start import rough_poses
from motionloom.fitting.limbs import own_label, take_markers
from motionloom.fitting.marker_sets._places import Place, spread_out
from motionloom.fitting.marker_sets.recognise import FEWEST_ON_ROOT, Recognised, recognise
from motionloom.marker_motion import MarkerSequence
from motionloom.typing import Array, Bools

#: How exactly a skeleton keeps to given centres, and how freely markers are placed on it, metres.
_ON_CENTRE = 1e-4
_FREE = 0.1
#: Joints whose centres are found from the markers of the segment above them: all of these count,
#: as no marker lies at the joint.
_FROM_SEGMENT = {"LeftUpLeg": "Hips", "RightUpLeg": "Hips", "Neck": "Chest"}


def rule_centres(placed: Placed, data: Data, state: State) -> dict[int, Array]:
    """Find joint centres by the rule.

    Parameters
    ----------
    placed : Placed
        Markers on the prototype.
    data : Data
        The markers.
    state : State
        Poses of the scaled prototype; only its axes count.

    Returns
    -------
    dict of int to array of shape (T, 3), metres
        World places of joints that have a group, NaN in frames that do not tell them.
    """
    turns = run(placed.layout, state).turns
    size = float(state.values[0])
    found = {}
    for joint, name in enumerate(placed.body.names):
        group = _group(placed, name)
        center = _from_group(placed, data, turns, joint, group, size)
        if np.isfinite(center).any():
            found[joint] = center
    return found


def _group(placed: Placed, name: str) -> list[int]:
    """Markers that a joint's centre is found from."""
    segment = _FROM_SEGMENT.get(name)
    if segment is not None:
        carrier = placed.body.index(segment)
        own = np.flatnonzero(placed.layout.joints == carrier).tolist()
        return own if len(own) >= 3 else []
    places = enumerate(placed.places)
    return [m for m, place in places if place.anchor == name != place.joint]


def _from_group(
    placed: Placed, data: Data, turns: Array, joint: int, group: list[int], size: float
) -> Array:
    """Mean, over the group, of each marker less its constant along the axes of its segment."""
    offset = size * placed.body.shares[joint]
    carrier = placed.layout.joints[group]
    constant = size * placed.layout.local[0, group]  # of the markers in their segment's frame
    away = np.einsum("tmab,mb->tma", turns[:, carrier], offset - constant)
    known = data.seen[:, group]
    told = np.where(known[..., None], data.positions[:, group] + away, 0.0)
    count = known.sum(axis=1)
    if placed.body.names[joint] in _FROM_SEGMENT:  # part of a group would shift the mean
        count = np.where(known.all(axis=1), count, 0)
    mean = told.sum(axis=1) / np.maximum(count, 1)[:, None]
    return np.where(count[:, None] > 0, mean, np.nan)


def fit_to_centres(
    placed: Placed, data: Data, state: State, centres: Mapping[int, Array]
) -> tuple[Layout, State]:
    """A skeleton whose lengths are the mean distances of the centres, and poses that keep to them.

    Parameters
    ----------
    placed : Placed
        Markers on the prototype.
    data : Data
        What is fitted to.
    state : State
        Its first value is the size.
    centres : mapping of int to array of shape (T, 3), metres
        World places of joints in the same frames.

    Returns
    -------
    layout : Layout
        With the skeleton's lengths and the M markers.
    state : State
        Of that layout.
    """
    size = float(state.values[0])
    body = replace(placed.body, shares=_measured(placed.body, size, centres) / size)
    lengths = Lengths(body.shares[None], np.array([np.inf]))
    free = [replace(place, loose=spread_out(_FREE)) for place in placed.places]
    names = [body.names[j] for j in sorted(centres)]
    kept = [Place(j, j, j, (0.0, 0.0, 0.0), spread_out(_ON_CENTRE)) for j in names]
    layout = make_layout(body, lengths, [*free, *kept])
    extra = np.stack([centres[j] for j in sorted(centres)], axis=1)
    known = np.isfinite(extra).all(axis=2)
    positions = np.concatenate([data.positions, np.nan_to_num(extra)], axis=1)
    seen = np.concatenate([data.seen, known], axis=1)
    both = Data(positions, seen, size, 1e-6 * size)
    poses = rough_poses(layout, both.positions, both.seen, size)
    begun = State(np.array([size]), np.zeros((layout.n_markers, 3)), poses)
    found = minimise(layout, both, begun, Effort())
    return make_layout(body, lengths, free), replace(found, shifts=found.shifts[: len(free)])


def _measured(body: Prototype, size: float, centres: Mapping[int, Array]) -> Array:
    """Offsets of the joints with the lengths that centres give, as long on both sides."""
    offsets = size * body.shares
    for name in body.names:
        other = name.replace("Left", "Right")
        pair = sorted({body.index(name), body.index(other)})
        found = [length for j in pair if (length := _bone(body, j, centres)) is not None]
        for j in pair if found and not name.startswith("Right") else ():
            offsets[j] *= np.mean(found) / np.linalg.norm(offsets[j])
    return offsets


def _bone(body: Prototype, joint: int, centres: Mapping[int, Array]) -> float | None:
    """Mean length of the bone that ends in a joint; None where it is not known."""
    other, share = int(body.parents[joint]), 1.0
    hips = [body.index(f"{side}UpLeg") for side in ("Left", "Right")]
    if joint in hips:  # the hips' own centre is not found: half the way to the other side
        other, share = sum(hips) - joint, 0.5
    if not {joint, other} <= centres.keys():
        return None
    apart = np.linalg.norm(centres[joint] - centres[other], axis=-1)
    apart = apart[np.isfinite(apart)]
    return share * float(apart.mean()) if len(apart) else None


@dataclass(frozen=True, eq=False)
class Placed:
    """Markers with their places on a prototype.

    Parameters
    ----------
    body : Prototype
        The prototype.
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
    layout: Layout
    labels: tuple[str, ...]
    places: tuple[Place, ...]
    recognised: tuple[Recognised, ...]
    positions: tuple[Array, ...]
    seen: tuple[Bools, ...]


def place_markers(
    trials: Sequence[MarkerSequence],
    table: Mapping[str, Place | None],
    body: str | None,
    symmetric: bool,
) -> Placed:
    """Put the markers of trials of one person onto a prototype.

    Parameters
    ----------
    trials : sequence of MarkerSequence
        The first is the one that is fitted; others, such as a static trial, may have more markers.
    table : mapping of str to Place or None
        What the user says of labels.
    body : str or None
        Kind of body, where the user says so.
    symmetric : bool
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
    on_root = sum(place.joint == "Hips" for place in places.values())
    if on_root < FEWEST_ON_ROOT:
        raise InvalidInputError(
            f"{on_root} markers on the hips are ever seen; at least {FEWEST_ON_ROOT} are needed"
        )
    kind = prototype(found[0].body)
    chosen = tuple(places.values())
    positions, seen = zip(*(take_markers(trial, tuple(places)) for trial in trials), strict=True)
    if not seen[0].any():
        name = trials[0].name or "the trial"
        raise InvalidInputError(
            f"{name}: no marker is seen in any of its {trials[0].n_frames} frames"
        )
    return Placed(
        body=kind,
        layout=make_layout(kind, lengths_of(kind, symmetric), chosen),
        labels=tuple(places),
        places=chosen,
        recognised=found,
        positions=positions,
        seen=seen,
    )
