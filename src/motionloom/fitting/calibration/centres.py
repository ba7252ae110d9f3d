"""Joint centres that a rule or a functional method found, made into a marker model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.fitting.body import Lengths, Prototype
from motionloom.fitting.calibration.cost import Data, Effort, State
from motionloom.fitting.calibration.layout import Layout, make_layout
from motionloom.fitting.calibration.placed import Placed
from motionloom.fitting.calibration.posing import Poses
from motionloom.fitting.calibration.solve import minimise
from motionloom.fitting.calibration.start import rough_poses
from motionloom.typing import Array

#: How exactly a skeleton keeps to given centres, and how freely markers are placed on it, metres.
_ON_CENTRE = 1e-4
_FREE = 0.1


@dataclass(frozen=True, eq=False)
class Centres:
    """Joint centres in the world.

    Parameters
    ----------
    places : mapping of int to array of shape (T, 3), metres
        By joint; NaN in frames where they are not known.
    how : mapping of int to str
        By joint: ``"rule"``, ``"sphere"`` or ``"axis"``.
    """

    places: Mapping[int, Array]
    how: Mapping[int, str]


def fit_to_centres(
    placed: Placed, data: Data, state: State, centres: Centres
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
    centres : Centres
        Of the same frames.

    Returns
    -------
    layout : Layout
        With the skeleton's lengths and the M markers.
    state : State
        Of that layout.
    """
    size = float(state.values[0])
    body = replace(placed.body, shares=_measured(placed.body, size, centres) / size)
    lengths = Lengths(("size",), body.shares[None], np.array([np.inf]))
    joints = placed.layout.joints
    added = np.array(sorted(centres.places), int)
    anchors = np.array([body.index(place.anchor) for place in placed.places], int)
    at = np.array([place.at for place in placed.places])
    n = len(joints)
    layout = make_layout(
        body,
        lengths,
        np.concatenate([joints, added]),
        np.concatenate([anchors, added]),
        np.concatenate([at, np.zeros((len(added), 3))]),
        np.concatenate([np.full((n, 3), _FREE), np.full((len(added), 3), _ON_CENTRE)]),
    )
    extra = np.stack([centres.places[int(j)] for j in added], axis=1)
    known = np.isfinite(extra).all(axis=2)
    both = Data(
        np.concatenate([data.positions, np.nan_to_num(extra)], axis=1),
        np.concatenate([data.seen, known], axis=1),
        size,
        1e-6 * size,
    )
    poses = rough_poses(layout, both.positions, both.seen, size)
    begun = State(np.array([size]), np.zeros((n + len(added), 3)), poses)
    found = minimise(layout, both, begun, Effort())
    real = make_layout(body, lengths, joints, anchors, at, np.full((n, 3), _FREE))
    return real, State(found.values, found.shifts[:n], _same_turns(found.poses))


def _same_turns(poses: Poses) -> Poses:
    return Poses(poses.root, poses.local)


def _measured(body: Prototype, size: float, centres: Centres) -> Array:
    """Offsets of the prototype with bones as long as the centres are apart on average.

    Hips lie between the hip joints; a bone whose upper end is no known centre keeps its proportion.
    """
    offsets = size * body.shares
    for name in body.names:
        if name.startswith("Right"):
            continue
        pair = [body.index(name)]
        if name.startswith("Left"):
            pair.append(body.index("Right" + name.removeprefix("Left")))
        found = [length for j in pair if (length := _bone(body, j, centres)) is not None]
        if not found:
            continue
        for j in pair:
            offsets[j] *= np.mean(found) / np.linalg.norm(offsets[j])
    return offsets


def _bone(body: Prototype, joint: int, centres: Centres) -> float | None:
    """Mean length of the bone that ends in a joint; None where it is not known."""
    parent = int(body.parents[joint])
    own = centres.places.get(joint)
    if own is None or parent < 0:
        return None
    if body.names[joint] in ("LeftUpLeg", "RightUpLeg"):
        pair = [centres.places.get(body.index(f"{side}UpLeg")) for side in ("Left", "Right")]
        if pair[0] is None or pair[1] is None:
            return None
        return _mean_distance(pair[0], pair[1], 0.5)
    above = centres.places.get(parent)
    return None if above is None else _mean_distance(own, above)


def _mean_distance(a: Array, b: Array, share: float = 1.0) -> float | None:
    apart = np.linalg.norm(a - b, axis=-1)
    apart = apart[np.isfinite(apart)]
    return share * float(apart.mean()) if len(apart) else None
