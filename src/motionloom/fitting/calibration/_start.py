"""Where the solver begins: frames that show many poses, the body's size, rough poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motionloom.fitting.calibration._posing import Layout, LocalPoses, nearest_rotations
from motionloom.typing import Array, Bools

#: Frames that are looked at before a few of them are chosen.
_LOOKED_AT = 300
#: Markers whose distances tell poses apart.
_TELLING = 24
#: How far a marker's share of a joint's rotation falls with every joint between them.
_FALL = 0.25
#: Weight of turning as the parent does, in square metres of markers.
_STIFF = 4e-4


def choose_frames(positions: Array, seen: Bools, wanted: int) -> NDArray[np.intp]:
    """Frames that differ most from each other.

    Poses are told apart by the distances of their markers, so that places and headings do not
    count.

    Parameters
    ----------
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    wanted : int
        Most frames.

    Returns
    -------
    int array
        In order.
    """
    count = seen.sum(axis=1)
    good = np.flatnonzero(count >= 0.75 * count.max(initial=0))
    good = good[count[good] > 0]
    if len(good) <= wanted:
        return np.asarray(good)
    looked = good[np.linspace(0, len(good) - 1, min(_LOOKED_AT, len(good))).astype(int)]
    features = _distances(positions[looked], seen[looked])
    chosen = [len(looked) // 2]
    far = np.full(len(looked), np.inf)
    while len(chosen) < wanted:
        far = np.minimum(far, np.sum((features - features[chosen[-1]]) ** 2, axis=1))
        furthest = int(np.argmax(far))
        if far[furthest] <= 0:
            break
        chosen.append(furthest)
    return np.asarray(np.sort(looked[np.unique(chosen)]))


def _distances(positions: Array, seen: Bools) -> Array:
    """Distances of some markers from each other in every frame; where unknown, the median."""
    n = min(_TELLING, positions.shape[1])
    best = np.sort(np.argsort(-seen.mean(axis=0), kind="stable")[: 2 * n])
    some = best[np.linspace(0, len(best) - 1, n).astype(int)]
    first, second = np.triu_indices(n, 1)
    p = positions[:, some]
    known = seen[:, some][:, first] & seen[:, some][:, second]
    apart = np.linalg.norm(p[:, first] - p[:, second], axis=-1)
    apart[~known] = np.nan
    middle = np.nanmedian(np.where(known.any(axis=0), apart, 0.0), axis=0)
    return np.where(known, apart, middle)


def guess_size(layout: Layout, positions: Array, seen: Bools, sizes: tuple[float, float]) -> float:
    """The body's size, from distances of markers on one segment or on neighbours.

    Parameters
    ----------
    layout : Layout
        Its first length is the size.
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    sizes : tuple of float, metres
        Smallest and largest that is plausible.

    Returns
    -------
    float
        Metres.
    """
    rest = _rest_joints(layout)[layout.joints] + layout.local[0]
    a, b = np.tril_indices(layout.n_markers, -1)
    one, other = layout.joints[a], layout.joints[b]
    parents = layout.parents
    near = (one == other) | (other == parents[one]) | (one == parents[other])
    lengths = np.linalg.norm(rest[a] - rest[b], axis=-1)
    known = seen[:, a] & seen[:, b]
    used = near & (lengths >= 0.08) & known.any(axis=0)
    if not used.any():
        return float(np.sqrt(sizes[0] * sizes[1]))
    apart = np.linalg.norm(positions[:, a[used]] - positions[:, b[used]], axis=-1)
    # Bending brings markers together, so the upper end of the range is looked at.
    far = np.nanquantile(np.where(known[:, used], apart, np.nan), 0.8, axis=0)
    ratios = far / lengths[used]
    order = np.argsort(ratios)
    share = np.cumsum(lengths[used][order])
    middle = order[int(np.searchsorted(share, 0.5 * share[-1]))]
    return float(np.clip(ratios[middle], *sizes))


def _rest_joints(layout: Layout) -> Array:
    """Places of the joints of a body of size 1 at rest, root at the origin, shape (J, 3)."""
    places = np.zeros((len(layout.parents), 3))
    for j, p in enumerate(layout.parents[1:], 1):
        places[j] = places[p] + layout.lengths.directions[0, j]
    return places


def rough_poses(layout: Layout, positions: Array, seen: Bools, size: float) -> LocalPoses:
    """Poses from the root outwards: every joint turns so that the markers on its segment, and with
    less weight those below, come near where they were seen.

    Parameters
    ----------
    layout : Layout
        The body and its markers.
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    size : float, metres
        Of the body.

    Returns
    -------
    LocalPoses
    """
    joints = size * _rest_joints(layout)
    markers = joints[layout.joints] + size * layout.local[0]
    places = np.zeros((len(positions), len(joints), 3))
    turns = np.tile(np.eye(3), (*places.shape[:2], 1, 1))
    weight = _weights(layout, 0) * seen
    middle, own = _middle(weight, positions, markers)
    if layout.turning[0]:
        there, here = markers - own[:, None], positions - middle[:, None]
        turns[:, 0] = _nearest_turn(weight, there, here, turns[:, 0], 0.0)
    places[:, 0] = middle - (turns[:, 0] @ (own - joints[0])[..., None])[..., 0]
    for j, p in enumerate(layout.parents[1:], 1):
        above = turns[:, p]
        places[:, j] = places[:, p] + above @ (joints[j] - joints[p])
        turns[:, j] = above
        if layout.turning[j]:
            there = np.broadcast_to(markers - joints[j], positions.shape)
            here = positions - places[:, None, j]
            turns[:, j] = _nearest_turn(_weights(layout, j) * seen, there, here, above, _STIFF)
    local = turns.copy()
    local[:, 1:] = turns[:, layout.parents[1:]].swapaxes(-1, -2) @ turns[:, 1:]
    return LocalPoses(places[:, 0], local)


def _weights(layout: Layout, joint: int) -> Array:
    """How much each marker says of a joint's rotation, shape (M,)."""
    found = np.zeros(layout.n_markers)
    reached = layout.joints
    for steps in range(len(layout.parents)):
        found[reached == joint] = _FALL**steps
        reached = np.where(reached >= 0, layout.parents[reached], -1)
    if joint == 0 and (found == 1).sum() >= 3:  # a pelvis that is seen needs no help
        return np.where(found == 1, 1.0, 0.0)
    return found


def _middle(weight: Array, positions: Array, markers: Array) -> tuple[Array, Array]:
    """Weighted middles of seen markers, and of the same markers at rest."""
    total = np.maximum(weight.sum(axis=1), 1e-12)[:, None]
    middle = np.einsum("tm,tmc->tc", weight, positions) / total
    return middle, weight @ markers / total


def _nearest_turn(weight: Array, at: Array, to: Array, above: Array, stiff: float) -> Array:
    """Rotations that bring `at` nearest to `to` (Kabsch 1976), held a little by `above`."""
    product = np.einsum("tm,tma,tmb->tab", weight, to, at, optimize=True) + stiff * above
    return nearest_rotations(product + 1e-9 * above)
