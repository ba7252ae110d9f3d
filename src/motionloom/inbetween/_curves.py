"""Curves over a gap that are zero at both ends, told by a few coefficients for any length.

They are sums of half waves, ``sum_k c_k sin(k pi u)`` with u the share of the gap: what a filling
adds to straight ways. Coefficients of short and long gaps are alike, so one model serves all.

Contacts of the feet over a gap as shares of a few cells of it, so that they can be predicted for
any length.

Left and right exchanged in the features of gaps and in what fills them.

Both are vectors of joints, so mirroring is a change of order and of signs: a model that is learned
from captures and their mirrored copies need not look at the copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from scipy.interpolate import CubicSpline

from motionloom.analysis.soles import Soles
from motionloom.declared import Range, Shape, below
from motionloom.edit.mirror import Symmetry, find_symmetry
from motionloom.errors import InvalidInputError
from motionloom.inbetween._features import SEEN, describe_layout
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion
from motionloom.typing import Array, Bools, Ints, Singles

#: Half waves of a curve.
WAVES = 8
#: Points at which the curves of gaps of any length are read.
_POINTS = 24

#: Cells of a gap.
CELLS = 12
#: A point is down where at least this share of its cell is.
DOWN = 0.5


def contact_cells(down: Bools) -> Array:
    """Shares of the cells in which points of the soles are down.

    Parameters
    ----------
    down : bool array of shape (B, n, S)
        Whether each of S points is down in the n missing frames of B gaps.

    Returns
    -------
    array of shape (B, S, CELLS)
        Between 0 and 1.
    """
    table = cell_table(down.shape[1])
    return np.einsum("cn,bns->bsc", table, down.astype(float))


def contacts_of_cells(cells: Array, shares: Array) -> Bools:
    """When points are down, from the shares of cells.

    Parameters
    ----------
    cells : array of shape (S, CELLS)
        As predicted.
    shares : array of shape (n,)
        Shares of the gap at which the frames are.

    Returns
    -------
    bool array of shape (n, S)
    """
    centers = (np.arange(CELLS) + 0.5) / CELLS
    found = np.stack([np.interp(shares, centers, own) for own in cells], axis=1)
    return found >= DOWN


def wave_table(shares: Array) -> Array:
    """Values of the half waves, shape (n, K).

    Parameters
    ----------
    shares : array of shape (n,)
        Shares of the gap, between 0 and 1.

    Returns
    -------
    array of shape (n, K)
    """
    return np.sin(np.pi * shares[:, None] * np.arange(1, WAVES + 1))


@lru_cache(maxsize=256)
def fit_table(missing: int) -> Array:
    """Matrix that makes coefficients of a curve's values in the missing frames, shape (K, n).

    Between the frames the curve is a cubic spline.

    Parameters
    ----------
    missing : int
        Frames n.

    Returns
    -------
    array of shape (K, n)
    """
    frames = np.arange(missing + 2) / (missing + 1)
    points = np.arange(1, _POINTS) / _POINTS
    ends = np.zeros((1, missing))
    values = np.concatenate([ends, np.eye(missing), ends])
    read = CubicSpline(frames, values, bc_type="natural")(points)
    return (2.0 / _POINTS) * wave_table(points).T @ read


@lru_cache(maxsize=256)
def cell_table(missing: int) -> Array:
    """Matrix that takes means of a curve over equal cells of a gap, shape (cells, n).

    Parameters
    ----------
    missing : int
        Frames n.

    Returns
    -------
    array of shape (CELLS, n)
        Weights of the frames, each row with the sum 1.
    """
    edges = np.linspace(0.0, 1.0, CELLS + 1)
    centers = np.arange(1, missing + 1) / (missing + 1)
    half = 0.5 / (missing + 1)
    low = np.maximum(edges[:-1, None], centers - half)
    high = np.minimum(edges[1:, None], centers + half)
    overlap = np.maximum(high - low, 0.0)
    # A cell before the first or behind the last missing frame shows the nearest one.
    overlap[0, 0] += 1e-9
    overlap[-1, -1] += 1e-9
    near = np.abs((edges[:-1] + edges[1:])[:, None] / 2 - centers)
    overlap[np.arange(CELLS), near.argmin(axis=1)] += 1e-9
    return overlap / overlap.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Exchange:
    """A change of order and signs that is its own inverse: entry i becomes ``signs[i] *
    entry[order[i]]``.

    Parameters
    ----------
    order : int array of shape (V,)
        Where each entry comes from.
    signs : array of shape (V,)
        1 or -1.
    """

    order: Annotated[Ints, Shape("v"), below("v")]
    signs: Annotated[Singles, Shape("v"), Range(-1, 1)]

    def apply(self, values: Singles) -> Singles:
        """Values (..., V) with left and right exchanged."""
        return values[..., self.order] * self.signs


@dataclass(frozen=True, eq=False)
class Mirroring:
    """How gaps and fillings of one body are mirrored.

    Parameters
    ----------
    features : Exchange
        Of the features of gaps.
    values : Exchange
        Of what a model predicts.
    """

    features: Exchange
    values: Exchange

    @classmethod
    def of(cls, symmetry: Symmetry, rig: Rig, soles: Soles | None) -> Mirroring:
        """The mirroring of a body.

        Parameters
        ----------
        symmetry : Symmetry
            Of its skeleton.
        rig : Rig
            The body.
        soles : Soles or None
            Points whose contacts are predicted.

        Returns
        -------
        Mirroring
        """
        return cls(_of_features(symmetry, rig), _of_values(symmetry, rig, soles))


def symmetry_of(motions: Sequence[Motion], rig: Rig) -> Symmetry | None:
    """How a body is mirrored; None where its two sides differ."""
    try:
        return find_symmetry(motions, rig.roles)
    except InvalidInputError:
        return None


def _of_features(symmetry: Symmetry, rig: Rig) -> Exchange:
    order: list[Ints] = []
    signs: list[Array] = []
    at = 0
    for block in describe_layout(rig):
        own = np.arange(block.size)
        turned = np.array(block.signs or SEEN * len(block.joints))
        if block.joints:
            vectors = _partner_places(block.joints, symmetry.partners)
            own = (3 * vectors[:, None] + np.arange(3)).ravel()
        if block.turns:
            turned = symmetry.turn_signs[list(block.joints)].ravel()
        order.append(at + own)
        signs.append(turned)
        at += block.size
    return Exchange(np.concatenate(order), np.concatenate(signs).astype(np.float32))


def _partner_places(joints: Sequence[int], partners: Ints) -> Ints:
    """Where in a list the vector of each joint's counterpart is; lists may repeat."""
    places: list[int] = []
    seen: dict[int, int] = {}
    for joint in joints:
        partner = int(partners[joint])
        found = [i for i, other in enumerate(joints) if other == partner]
        turn = seen.get(joint, 0)
        seen[joint] = turn + 1
        # A point without a counterpart in the list stands for itself.
        places.append(found[turn] if turn < len(found) else len(places))
    return np.array(places, np.int64)


def _of_values(symmetry: Symmetry, rig: Rig, soles: Soles | None) -> Exchange:
    rows = np.arange((1 + rig.n_joints) * 3 * WAVES).reshape(1 + rig.n_joints, -1)
    partners = np.concatenate([[0], 1 + symmetry.partners])
    vectors = np.concatenate([[SEEN], symmetry.turn_signs])
    order = [rows[partners].ravel()]
    signs = [np.repeat(vectors.ravel(), WAVES)]
    points = () if soles is None else soles.points
    named = {(p.foot, p.part): i for i, p in enumerate(points)}
    for i, point in enumerate(points):
        other = named.get((_other_side(point.foot), point.part), i)
        order.append(rows.size + other * CELLS + np.arange(CELLS))
        signs.append(np.ones(CELLS))
    return Exchange(np.concatenate(order), np.concatenate(signs).astype(np.float32))


def _other_side(role: str) -> str:
    side, _, part = role.partition("_")
    return f"{'right' if side == 'left' else 'left'}_{part}"
