"""GaitCycle: two steps, from a strike of the left foot to its next, apart from where they lead.

Whose gait it is: the skeleton, soles and legs that a cycle is laid on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.analysis.soles import Soles
from motionloom.declared import Positive, below
from motionloom.errors import InvalidInputError
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton, frozen_array, restore_read_only
from motionloom.typing import Array, Bools

#: Samples of every cycle (Xiao 2009, section 4.2).
SAMPLES = 100
#: Behaviours, slowest first.
BEHAVIOURS = ("walk", "run")


@dataclass(frozen=True, eq=False)
class GaitCycle:
    """One cycle of gait, as if along a straight line towards +Z at uniform speed.

    Sample ``k`` is at phase ``k / N`` of the cycle; the cycle closes, so that phase 1 is phase 0
    again. Phase 0 is the strike of the left foot.

    Parameters
    ----------
    rotations : array of shape (N, J, 4)
        Local rotations of all joints, unit quaternions (w, x, y, z). That of the root is its world
        rotation relative to the direction of travel; joints above the root are at rest.
    deviations : array of shape (N, 3), metres
        The root relative to uniform travel: to the left of the line, height above the ground, and
        ahead of the uniform place. Left and ahead are 0 on average.
    contacts : bool array of shape (N, F)
        Whether each point of the soles bears on the ground: `GaitBody.soles.points` in order.
    duration : float, seconds
        Of the whole cycle: two steps.
    speed : float, metres per second
        Of the uniform travel.
    behaviour : str
        One of `BEHAVIOURS`.
    person : str
        Whose it is; empty for nobody's in particular.
    root : int
        The joint whose row of `rotations` is relative to the travel.
    name : str
        Where it comes from, such as a clip's name.
    """

    rotations: Array
    deviations: Array
    contacts: Bools
    duration: float
    speed: float
    behaviour: str = "walk"
    person: str = ""
    root: int = 0
    name: str = ""
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        rotations = np.asarray(self.rotations, float)
        n = len(rotations)
        if rotations.ndim != 3 or rotations.shape[2] != 4 or n < 2:
            raise InvalidInputError(f"rotations must have shape (N, J, 4), got {rotations.shape}")
        if np.shape(self.deviations) != (n, 3) or np.shape(self.contacts)[:1] != (n,):
            raise InvalidInputError(
                f"deviations must have shape ({n}, 3) and contacts ({n}, F), got"
                f" {np.shape(self.deviations)} and {np.shape(self.contacts)}"
            )
        if self.behaviour not in BEHAVIOURS:
            raise InvalidInputError(f"behaviour must be walk or run, got {self.behaviour!r}")
        if not (self.duration > 0 and self.speed > 0):
            raise InvalidInputError("a cycle's duration and speed must be positive")
        object.__setattr__(self, "rotations", frozen_array(rotations))
        object.__setattr__(self, "deviations", frozen_array(self.deviations))
        object.__setattr__(self, "contacts", frozen_array(self.contacts, bool))

    @property
    def n_samples(self) -> int:
        """Number of samples N."""
        return len(self.rotations)

    @property
    def frequency(self) -> float:
        """Cycles per second; steps come twice as often."""
        return 1.0 / self.duration

    @property
    def length(self) -> float:
        """Way travelled in a cycle, metres."""
        return self.speed * self.duration

    def at(self, phase: ArrayLike) -> tuple[Array, Array, Bools]:
        """Pose at any phase.

        Parameters
        ----------
        phase : float or array of shape (T,)
            Share of the cycle; 1.25 is 0.25 again.

        Returns
        -------
        rotations : array of shape (T, J, 4)
        deviations : array of shape (T, 3), metres
        contacts : bool array of shape (T, F)
            Those of the nearest sample.
        """
        place = np.atleast_1d(np.asarray(phase, float)) % 1.0 * self.n_samples
        before = np.floor(place).astype(int) % self.n_samples
        after = (before + 1) % self.n_samples
        part = place - np.floor(place)
        rotations = rot.slerp(self.rotations[before], self.rotations[after], part[:, None])
        deviations = (1 - part)[:, None] * self.deviations[before]
        deviations = deviations + part[:, None] * self.deviations[after]
        nearest = np.round(place).astype(int) % self.n_samples
        return rotations, deviations, self.contacts[nearest]

    def rolled(self, share: float = 0.5) -> GaitCycle:
        """The same cycle begun at another phase.

        Parameters
        ----------
        share : float
            Phase at which it begins: a cycle from right strike to right strike, begun at 0.5, is
            one from left to left.

        Returns
        -------
        GaitCycle
        """
        rotations, deviations, contacts = self.at(
            share + np.arange(self.n_samples) / self.n_samples
        )
        return replace(
            self, rotations=rot.unroll(rotations), deviations=deviations, contacts=contacts
        )


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
    root: Annotated[int, below("J")]
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
        replace(
            p, local=(p.local[0] * size, p.local[1] * size, p.local[2] * size), rest=p.rest * size
        )
        for p in soles.points
    )
    return Soles(points, soles.leg * size, soles.ground * size)
