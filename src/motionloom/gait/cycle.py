"""GaitCycle: two steps, from a strike of the left foot to its next, apart from where they lead."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.skeleton import frozen_array, restore_read_only
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
            self,
            rotations=rot.unroll(rotations),
            deviations=deviations,
            contacts=contacts,
        )
