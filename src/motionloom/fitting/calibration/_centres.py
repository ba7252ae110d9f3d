"""Joint centres that a rule or a functional method found, made into a marker model.

The rule is after Xiao (2009, eq. 3.1): the reference of a group of markers plus a constant distance
along the axes of the segment that carries the group. The constants are those of the prototype,
scaled to the person.

The functional method fits the spheres and axes that markers of a segment move on. Markers below a
ball joint keep their distances from its centre, in the frame of the segment above (least squares,
one radius for each marker). Markers below a hinge stay in planes across its axis (Gamage & Lasenby
2002); the centre lies on the axis, beside the marker of the joint. Nothing is assumed about where
the centre is, so that little movement leaves it anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting._body import Lengths, Prototype, lengths_of, prototype
from motionloom.fitting.calibration import _posing as posing
from motionloom.fitting.calibration._solve import Data, Effort, minimise
from motionloom.fitting.calibration._start import rough_poses
from motionloom.fitting.limbs import own_label, take_markers
from motionloom.fitting.marker_sets._places import SIDES, Place, spread_out
from motionloom.fitting.marker_sets.recognise import FEWEST_ON_ROOT, Recognised, recognise
from motionloom.marker_motion import MarkerSequence
from motionloom.typing import Array, Bools

#: How exactly a skeleton keeps to given centres, and how freely markers are placed on it, metres.
_ON_CENTRE = 1e-4
_FREE = 0.1
#: Joints whose centres are found from the markers of the segment above them: all of these count,
#: as no marker lies at the joint.
_FROM_SEGMENT = {"LeftUpLeg": "Hips", "RightUpLeg": "Hips", "Neck": "Chest"}


def rule_centres(placed: Placed, data: Data, state: posing.State) -> dict[int, Array]:
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
    turns = posing.run(placed.layout, state).turns
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
    placed: Placed, data: Data, state: posing.State, centres: Mapping[int, Array]
) -> tuple[posing.Layout, posing.State]:
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
    layout = posing.make_layout(body, lengths, [*free, *kept])
    extra = np.stack([centres[j] for j in sorted(centres)], axis=1)
    known = np.isfinite(extra).all(axis=2)
    positions = np.concatenate([data.positions, np.nan_to_num(extra)], axis=1)
    seen = np.concatenate([data.seen, known], axis=1)
    both = Data(positions, seen, size, 1e-6 * size)
    poses = rough_poses(layout, both.positions, both.seen, size)
    begun = posing.State(np.array([size]), np.zeros((layout.n_markers, 3)), poses)
    found = minimise(layout, both, begun, Effort())
    return posing.make_layout(body, lengths, free), replace(found, shifts=found.shifts[: len(free)])


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
    layout: posing.Layout
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
    layout = posing.make_layout(kind, lengths_of(kind, symmetric), chosen)
    return Placed(kind, layout, tuple(places), chosen, found, positions, seen)


#: Segments whose frame is that of their markers alone: no centre above them is found.
_TRUNK = ("Hips", "Chest")
#: Frames, and points of a segment, below which nothing is fitted.
_FEWEST_FRAMES = 8
_FEWEST_POINTS = 3


def functional_centres(placed: Placed, data: Data, state: posing.State) -> dict[int, Array]:
    """Find joint centres from how markers move.

    Parameters
    ----------
    placed : Placed
        Markers on the prototype.
    data : Data
        The markers.
    state : State
        Poses of the scaled prototype.

    Returns
    -------
    dict of int to array of shape (T, 3), metres
        As of `rule_centres`, and by the rule where markers are too few for a sphere or an axis.
    """
    finder = _Finder(placed, data, rule_centres(placed, data, state))
    for side in SIDES:
        finder.ball(f"{side}UpLeg", "Hips")
        finder.ball(f"{side}Arm", "Chest")
    finder.ball("Neck", "Chest", "Head")
    for side in SIDES:
        finder.hinge(f"{side}Leg", f"{side}UpLeg")
        finder.hinge(f"{side}ForeArm", f"{side}Arm")
        finder.ball(f"{side}Foot", f"{side}Leg")
    return finder.places


@dataclass(frozen=True, eq=False)
class _Finder:
    """Centres found so far; those below use those above."""

    placed: Placed
    data: Data
    places: dict[int, Array]

    def ball(self, joint: str, above: str, below: str = "") -> None:
        """A centre from which the markers below, or of the joint, keep their distances."""
        seen = self._seen_from(above, below or joint)
        center = None if seen is None else fit_sphere(*seen[2:])
        if seen is not None and center is not None:
            self.places[self.placed.body.index(joint)] = seen[1] + seen[0] @ center

    def hinge(self, joint: str, above: str) -> None:
        """A centre on the axis that the markers below turn about, beside the rule's centre."""
        number = self.placed.body.index(joint)
        ruled = self.places.get(number)
        seen = self._seen_from(above, joint)
        if seen is None or ruled is None:
            return
        turns, middle, local, known = seen
        found = fit_axis(local, known)
        beside = _into(ruled[:, None], turns, middle)[:, 0]
        if found is None or not _finite(beside).any():
            return
        point, axis = found
        along = np.nanmean(beside, axis=0) - point
        self.places[number] = middle + turns @ (point + axis * (along @ axis))

    def _seen_from(self, above: str, below: str) -> tuple[Array, Array, Array, Bools] | None:
        """Rotation and middle of a segment, and the markers below it in its frame."""
        moving = self._markers(below)
        frame = self._frame(above)
        if frame is None or not moving:
            return None
        local = _into(self.data.positions[:, moving], *frame)
        return *frame, local, self.data.seen[:, moving] & _finite(local)

    def _markers(self, segment: str) -> list[int]:
        number = self.placed.body.index(segment)
        return np.flatnonzero(self.placed.layout.joints == number).tolist()

    def _frame(self, segment: str) -> tuple[Array, Array] | None:
        """Rotation and middle of a segment in every frame, from its markers and upper joint."""
        own = self._markers(segment)
        points, known = self.data.positions[:, own], self.data.seen[:, own]
        upper = self.places.get(self.placed.body.index(segment))
        if segment not in _TRUNK and upper is not None:
            points = np.concatenate([points, np.nan_to_num(upper)[:, None]], axis=1)
            known = np.column_stack([known, _finite(upper)])
        return segment_frames(points, known)


def segment_frames(points: Array, known: Bools) -> tuple[Array, Array] | None:
    """Rotation and place of a rigid group of points in every frame.

    Parameters
    ----------
    points : array of shape (T, N, 3), metres
        In the world.
    known : bool array of shape (T, N)
        Which are; frames in which one is not are NaN.

    Returns
    -------
    tuple of array of shape (T, 3, 3) and array of shape (T, 3), or None
        None where the points are too few or lie on a line.
    """
    whole = np.asarray(known.all(axis=1), bool)
    if points.shape[1] < _FEWEST_POINTS or whole.sum() < _FEWEST_FRAMES:
        return None
    middle = np.where(whole[:, None], points.mean(axis=1), np.nan)
    first = int(np.flatnonzero(whole)[0])
    shape = points[first] - middle[first]
    if np.linalg.svd(shape, compute_uv=False)[1] < 0.01:
        return None
    product = np.einsum("tna,nb->tab", points - middle[:, None], shape)
    turns = posing.nearest_rotations(np.where(whole[:, None, None], product, np.eye(3)))
    return np.where(whole[:, None, None], turns, np.nan), middle


def _finite(points: Array) -> Bools:
    """Which points (..., 3) are known."""
    return np.asarray(np.isfinite(points).all(axis=-1), bool)


def _into(points: Array, turns: Array, middle: Array) -> Array:
    """World points (T, N, 3) in the frame of a segment."""
    return np.asarray(np.einsum("tba,tnb->tna", turns, points - middle[:, None]))


def fit_sphere(points: Array, known: Bools) -> Array | None:
    """Centre from which every point keeps its own distance, by linear least squares.

    Parameters
    ----------
    points : array of shape (T, N, 3), metres
        In one frame.
    known : bool array of shape (T, N)
        Which are.

    Returns
    -------
    array of shape (3,) or None
        None where they are too few.
    """
    rows, sides = _sphere_rows(points, known)
    if len(sides) < _FEWEST_FRAMES:
        return None
    return np.asarray(np.linalg.lstsq(rows, sides, rcond=None)[0])


def _sphere_rows(points: Array, known: Bools) -> tuple[Array, Array]:
    """``2 (p - mean) . c = |p|^2 - mean |p|^2`` for every point: its radius drops out."""
    rows, sides = [np.zeros((0, 3))], [np.zeros(0)]
    for i in np.flatnonzero(known.sum(axis=0) >= _FEWEST_FRAMES // 2):
        own = points[known[:, i], i]
        square = np.sum(own**2, axis=1)
        rows.append(2 * (own - own.mean(axis=0)))
        sides.append(square - square.mean())
    return np.concatenate(rows), np.concatenate(sides)


def fit_axis(points: Array, known: Bools) -> tuple[Array, Array] | None:
    """Axis that points turn about.

    Parameters
    ----------
    points : array of shape (T, N, 3), metres
        In the frame of the segment above.
    known : bool array of shape (T, N)
        Which are.

    Returns
    -------
    tuple of array of shape (3,), or None
        A point on the axis, metres, and its unit direction; None where they are too few.
    """
    rows, sides = _sphere_rows(points, known)
    if len(sides) < _FEWEST_FRAMES:
        return None
    _, values, v = np.linalg.svd(rows, full_matrices=False)
    if values[1] < 1e-6:
        return None
    flat = np.linalg.lstsq(rows @ v[:2].T, sides, rcond=None)[0]
    return flat @ v[:2], v[2]
