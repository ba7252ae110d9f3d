"""Whose gait it is: the skeleton, soles and legs that a cycle is laid on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from motionloom.analysis.soles import SolePoint, Soles
from motionloom.declared import Below, Positive
from motionloom.errors import InvalidInputError
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class GaitBody:
    """A person's body as gait sees it.

    Parameters
    ----------
    skeleton : Skeleton
        With the person's own bones.
    roles : Roles
        Which joint plays which part.
    root : int
        The joint that carries the body through the world; those above it stay at rest.
    soles : Soles
        Points of the feet that bear on the ground: the columns of `GaitCycle.contacts`.
    hip_height : float, metres
        Of the hip joints above the ground, standing straight: leg and ankle height.
    """

    skeleton: Skeleton
    roles: Roles
    root: Annotated[int, Below("J")]
    soles: Soles
    hip_height: Positive

    @property
    def trunk(self) -> int | None:
        """The joint that hangs on the root and bears chest and head; None where none does."""
        roles = ("spine", "chest", "neck", "head")
        above = next((j for j in map(self.roles.joint, roles) if j is not None), None)
        if above is None or self.root not in self.skeleton.chain(above)[:-1]:
            return None
        chain = self.skeleton.chain(above)
        return int(chain[chain.index(self.root) + 1])

    def scaled(self, hip_height: float) -> GaitBody:
        """The same build at another size.

        Parameters
        ----------
        hip_height : float, metres
            What the hips' height becomes; every bone is scaled with it.

        Returns
        -------
        GaitBody

        Raises
        ------
        InvalidInputError
            When no person has such legs.
        """
        if not 0.2 <= hip_height <= 2.0:
            raise InvalidInputError(
                f"hips {hip_height:g} m above the ground; expected 0.2 to 2, in metres"
            )
        size = hip_height / self.hip_height
        skeleton = replace(
            self.skeleton,
            offsets=self.skeleton.offsets * size,
            end_offsets=self.skeleton.end_offsets * size,
        )
        return replace(
            self, skeleton=skeleton, soles=_scaled(self.soles, size), hip_height=hip_height
        )


def _scaled(soles: Soles, size: float) -> Soles:
    points = tuple(
        SolePoint(p.foot, p.part, p.joint, _vector(p.local, size), p.rest * size)
        for p in soles.points
    )
    return Soles(points, soles.leg * size, soles.ground * size)


def _vector(local: tuple[float, float, float], size: float) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in np.multiply(local, size))
    return x, y, z
