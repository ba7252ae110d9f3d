"""Left and right exchanged in the features of gaps and in what fills them.

Both are vectors of joints, so mirroring is a change of order and of signs: a model that is learned
from captures and their mirrored copies need not look at the copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.analysis.soles import Soles
from motionloom.declared import Below, Range, Shape
from motionloom.edit.mirror import Symmetry, find_symmetry
from motionloom.errors import InvalidInputError
from motionloom.inbetween.features import describe_layout
from motionloom.inbetween.regression.curves import CELLS, WAVES
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion
from motionloom.typing import Array, Ints, Singles


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

    order: Annotated[Ints, Shape("v"), Below("v")]
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
        if block.joints:
            vectors = _partner_places(block.joints, symmetry.partners)
            order.append(at + (3 * vectors[:, None] + np.arange(3)).ravel())
            turned = symmetry.turn_signs[list(block.joints)]
            seen = np.tile([-1.0, 1.0, 1.0], (len(block.joints), 1))
            signs.append((turned if block.turns else seen).ravel())
        else:
            order.append(at + np.arange(block.size))
            signs.append(np.array(block.signs))
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
    vectors = np.concatenate([[[-1.0, 1.0, 1.0]], symmetry.turn_signs])
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
