"""What the tracker's kernels are given: the moving part of a skeleton, its markers, the settings.

A node is a joint that turns markers: one with markers on it or below. Joints without any keep
their rest pose, so that only nodes are solved for. Unknowns are the root's place (3) and one turn
per node (3), a vector in the frame of the node's parent.

TrackingOptions: what a tracker may be told; frozen settings that all trials share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.fitting.marker_model import MarkerModel
from motionloom.typing import Array, Bools, Ints


class Rig(NamedTuple):
    """Nodes and markers as arrays.

    Parameters
    ----------
    joints : int array of shape (K,)
        Joint of each node; parents precede.
    parents : int array of shape (K,)
        Node above each node, -1 for the first.
    offsets : array of shape (K, 3), metres
        Place of each node in its parent's frame.
    places : array of shape (M, 3), metres
        Place of each marker in its node's frame.
    nodes : int array of shape (M,)
        Node that each marker moves with.
    weights : array of shape (M,), 1 / metres^2
        Inverse variance of each marker about its place.
    above : int array of shape (N,)
        Unknown above each unknown in the tree, -1 for the first.
    rest_weights : array of shape (K, 3), 1 / radians^2
        Pull of each node's rotation vector towards 0, along its parent's axes.
    ranks : int array of shape (K,)
        Directions of each node's turn that the markers tell when all are seen.
    own : int array of shape (K,)
        Number of markers on each node.
    holders : int array of shape (J,)
        Node that a joint turns with, -1 for one that could turn but has no markers to tell it.
    """

    joints: Ints
    parents: Ints
    offsets: Array
    places: Array
    nodes: Ints
    weights: Array
    above: Ints
    rest_weights: Array
    ranks: Ints
    own: Ints
    holders: Ints


class Work(NamedTuple):
    """What a solve writes to, allocated once.

    Parameters
    ----------
    centres : array of shape (K, 3), metres
        World place of each node.
    frames : array of shape (K, 3, 3)
        World axes of each node.
    seen : array of shape (M, 3), metres
        World place of each marker as the pose has it.
    misses : array of shape (M, 3), metres
        From there to where the marker was observed.
    trust : array of shape (M,)
        Weight of each marker's loss, 0 to 1, before its variance.
    moments : array of shape (K, 16)
        Sums over the markers on a node and below.
    matrix : array of shape (N, N)
        Normal equations; entries of unknowns that are not above each other stay unused.
    step : array of shape (N,)
        Right side, then solution: world-frame turns.
    """

    centres: Array
    frames: Array
    seen: Array
    misses: Array
    trust: Array
    moments: Array
    matrix: Array
    step: Array


def make_work(rig: Rig) -> Work:
    """Room for one solve of a rig."""
    nodes = len(rig.joints)
    markers = len(rig.nodes)
    unknowns = len(rig.above)
    of_markers = np.zeros((markers, 3)), np.zeros((markers, 3)), np.zeros(markers)
    solved = np.zeros((nodes, 16)), np.zeros((unknowns, unknowns)), np.zeros(unknowns)
    return Work(np.zeros((nodes, 3)), np.zeros((nodes, 3, 3)), *of_markers, *solved)


def make_rig(model: MarkerModel, options: TrackingOptions) -> Rig:
    """Nodes, markers and weights of a model.

    Parameters
    ----------
    model : MarkerModel
        Skeleton and markers on it.
    options : TrackingOptions
        Pulls towards the rest pose.

    Returns
    -------
    Rig
        Its ranks are those of the rest pose with all markers seen.

    Raises
    ------
    InvalidInputError
        When the model has fewer than three markers.
    """
    if len(model.labels) < 3:
        raise InvalidInputError(
            f"a body is tracked by at least 3 markers, the model has {len(model.labels)}"
        )
    joints = _moving_joints(model)
    holders, places = _held_by(model, joints)
    parents = np.array([holders[p] if p >= 0 else -1 for p in model.skeleton.parents[joints]])
    above = np.maximum(model.skeleton.parents[joints], 0)
    nodes = holders[model.joints]
    own = np.bincount(nodes, minlength=len(joints))
    rig = Rig(
        joints=joints,
        parents=parents,
        offsets=model.skeleton.offsets[joints] + (parents[:, None] >= 0) * places[above],
        places=model.offsets + places[model.joints],
        nodes=nodes,
        weights=1.0 / np.maximum(model.scatter, options.least_scatter) ** 2,
        above=_unknowns_above(parents),
        rest_weights=_rest_weights(model.spreads[joints], own, options),
        ranks=np.zeros(len(joints), np.int64),
        own=own,
        holders=_told_with(model, joints, holders),
    )
    from motionloom.fitting.tracking.normal import count_ranks

    count_ranks(rig, rest_work(rig), options.least_lever, rig.ranks)
    return rig


def rest_work(rig: Rig) -> Work:
    """Work on the rest pose, with the root at the origin and all markers trusted."""
    from motionloom.fitting.tracking.normal import run_forward

    work = make_work(rig)
    run_forward(rig, work, np.zeros(3), rot.identity(len(rig.joints)))
    work.trust[:] = 1.0
    return work


def _moving_joints(model: MarkerModel) -> Ints:
    """Joints that turn and have markers on them or below, ascending; always the root."""
    moving = {0}.union(*map(model.skeleton.chain, set(model.joints.tolist())))
    return np.array([j for j in sorted(moving) if j == 0 or model.turning[j]])


def _held_by(model: MarkerModel, joints: Ints) -> tuple[Ints, Array]:
    """Of every joint the node that carries it, and its place in that node's frame.

    Between them are only joints that never turn, whose axes are the node's.
    """
    skeleton = model.skeleton
    holders = np.zeros(skeleton.n_joints, np.int64)
    places = np.zeros((skeleton.n_joints, 3))
    node_of = {int(joint): node for node, joint in enumerate(joints)}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        holders[joint] = node_of.get(joint, holders[parent])
        if joint not in node_of:
            places[joint] = places[parent] + skeleton.offsets[joint]
    return holders, places


def _told_with(model: MarkerModel, joints: Ints, holders: Ints) -> Ints:
    found = np.where(model.turning, -1, holders)
    found[joints] = np.arange(len(joints))
    for joint, parent in enumerate(model.skeleton.parents.tolist()):
        if parent >= 0 and found[joint] >= 0 and joint not in joints:
            found[joint] = found[parent]
    return found


def spread_to_joints(rig: Rig, flags: Bools) -> Bools:
    """Bools of nodes (..., K) as flags of joints (..., J); joints of no node are False."""
    return np.asarray(flags[..., rig.holders] & (rig.holders >= 0))


def _rest_weights(spreads: Array, own: Ints, options: TrackingOptions) -> Array:
    """What the model says of each turn; where it says nothing, the options. The root is free."""
    usual = np.where(own > 0, options.rest_spread, options.bare_rest_spread)[:, None]
    told = np.where(np.isfinite(spreads), spreads, usual)
    weights = np.maximum(told, options.least_spread) ** -2.0
    weights[0] = 0.0
    return weights


def _unknowns_above(parents: Ints) -> Ints:
    """Each unknown's predecessor: within a turn the one before, else the last of the parent's."""
    above = np.arange(-1, 3 * len(parents) + 2)
    for node, parent in enumerate(parents.tolist()):
        above[3 + 3 * node] = 5 + 3 * parent  # the root's own parent is its place
    return above


@dataclass(frozen=True, kw_only=True)
class TrackingOptions:
    """Settings of causal tracking and of smoothing.

    Parameters
    ----------
    cutoff : float, hertz
        Movement faster than this is taken for noise.
    gate : float, metres
        A marker this far from where its segment and its habit put it is not trusted.
    tolerance : float, metres
        Scale of the Geman-McClure loss.
    rounds : int
        Gauss-Newton steps per frame.
    least_scatter : float, metres
        No marker counts as more exact than this.
    rest_spread, bare_rest_spread : float, radians
        Standard deviation of a turn about its rest pose, with markers on the segment and without,
        where the model does not say.
    least_spread : float, radians
        No turn is taken to be more certain than this.
    least_lever : float, metres
        A turn is told by markers at least this far from its axis.
    habit_time : float, seconds
        Over which a marker's usual place beside its model place is learned.
    coast_time : float, seconds
        Over which a segment that is not seen loses its speed.
    patience : float, seconds
        How long a body of which most markers disagree with the pose is followed before it is looked
        for anew.
    patience_alone : float, seconds
        How long a segment holds out against the only marker that it has.
    drift : float, metres per second
        How fast the prediction of a segment without a trusted marker may go wrong.
    memory : float, seconds
        A segment that was not told for longer is masked, and found again wherever its markers come
        back.
    rest_time : float, seconds
        While a turn is not told, the pull towards its rest pose weighs as one look at it in so
        long.
    """

    cutoff: float = 12.0
    gate: float = 0.03
    tolerance: float = 0.03
    rounds: int = 2
    least_scatter: float = 0.01
    rest_spread: float = 3.0
    bare_rest_spread: float = 0.5
    least_spread: float = 0.02
    least_lever: float = 0.02
    habit_time: float = 0.25
    coast_time: float = 0.15
    patience: float = 0.15
    patience_alone: float = 1.0
    drift: float = 1.5
    memory: float = 0.1
    rest_time: float = 100.0
