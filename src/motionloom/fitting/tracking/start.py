"""The first pose of a body from one frame of markers, without a pose to start from."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.fitting.tracking.rig import Rig
from motionloom.typing import Array, Bools

#: A joint below a segment counts like this share of a marker: it is only guessed from below.
_GUESS = 0.3


def first_pose(rig: Rig, observed: Array, valid: Bools) -> tuple[Array, Array]:
    """Pose that turns segments, from the root outwards, as their markers and those below lie.

    Parameters
    ----------
    rig : Rig
        Nodes and markers.
    observed : array of shape (M, 3), metres
        World places of the markers.
    valid : bool array of shape (M,)
        Whether they were seen.

    Returns
    -------
    root : array of shape (3,), metres
        Place of the first node.
    turns : array of shape (K, 4)
        Turn of each node relative to its parent.
    """
    at_rest = _rest_places(rig)
    markers = at_rest[rig.nodes] + rig.places
    guesses = _guessed_places(rig, at_rest, markers, observed, valid)
    world = rot.identity(len(rig.joints))
    centres = np.zeros((len(rig.joints), 3))
    turns = rot.identity(len(rig.joints))
    for node, parent in enumerate(rig.parents.tolist()):
        ours, theirs, weights = _pairs_of(rig, node, at_rest, markers, observed, valid, guesses)
        if parent < 0:
            middle = weights @ ours / weights.sum()
            seen = weights @ theirs / weights.sum()
            world[node] = _best_turn(ours - middle, theirs - seen, weights, rot.identity())
            centres[node] = seen + rot.rotate(world[node], at_rest[node] - middle)
        else:
            offset = rot.rotate(world[parent], rig.offsets[node])
            centres[node] = centres[parent] + offset
            world[node] = _best_turn(
                ours - at_rest[node], theirs - centres[node], weights, world[parent]
            )
            turns[node] = rot.multiply(rot.conjugate(world[parent]), world[node])
    turns[0] = world[0]
    return centres[0], turns


def _rest_places(rig: Rig) -> Array:
    places = np.zeros((len(rig.joints), 3))
    for node, parent in enumerate(rig.parents.tolist()):
        places[node] = rig.offsets[node] + (places[parent] if parent >= 0 else 0.0)
    return places


def _guessed_places(
    rig: Rig, at_rest: Array, markers: Array, observed: Array, valid: Bools
) -> Array:
    """Each node's place as the mean of its markers, NaN where none was seen."""
    guesses = np.full((len(rig.joints), 3), np.nan)
    for node in range(len(rig.joints)):
        own = valid & (rig.nodes == node)
        if own.any():
            guesses[node] = observed[own].mean(axis=0)
    return guesses


def _pairs_of(
    rig: Rig,
    node: int,
    at_rest: Array,
    markers: Array,
    observed: Array,
    valid: Bools,
    guesses: Array,
) -> tuple[Array, Array, Array]:
    """Points at rest, where they were seen, and their weights: own markers and segments below."""
    own = valid & (rig.nodes == node)
    ours = list(markers[own])
    theirs = list(observed[own])
    weights = [1.0] * len(ours)
    for below in _nearest_seen_below(rig, node, guesses):
        theirs.append(guesses[below])
        ours.append(markers[valid & (rig.nodes == below)].mean(axis=0))
        weights.append(_GUESS)
    if not ours:
        return np.zeros((1, 3)), np.zeros((1, 3)), np.full(1, 1e-9)
    return np.array(ours), np.array(theirs), np.array(weights)


def _nearest_seen_below(rig: Rig, node: int, guesses: Array) -> list[int]:
    found = []
    for below in np.flatnonzero(rig.parents == node).tolist():
        if np.isfinite(guesses[below]).all():
            found.append(below)
        else:
            found += _nearest_seen_below(rig, below, guesses)
    return found


def _best_turn(ours: Array, theirs: Array, weights: Array, usual: Array) -> Array:
    """Turn that takes `ours` to `theirs` best; where they leave it open, as near to `usual`."""
    start = rot.rotate(usual, ours)
    size = float(weights @ np.einsum("ij,ij->i", start, start))
    spread = np.einsum("i,ij,ik->jk", weights, theirs, start)
    # A little of the identity settles what points on a line leave open.
    u, _, vt = np.linalg.svd(spread + 0.02 * max(size, 1e-12) * np.eye(3))
    fix = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
    return rot.multiply(rot.from_matrix(u @ fix @ vt), usual)
