"""Legs of somebody who waits, bent so that the feet stand exactly where they should.

First the hips move so that both ankles come as near as they can with the knees as they are: a
nearly straight knee would turn a millimetre at the hips into degrees. They sink where a leg would
be too short still. Then the legs bend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.edit.footlock import find_legs
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: A sway that no body reaches, metres.
ANYWHERE = 1e6


@dataclass(frozen=True, eq=False)
class Legs:
    """Both legs of a body, as the compiled planting takes them.

    Parameters
    ----------
    offsets : array of shape (J, 3), metres
        Of all joints from their parents.
    chains : int array of shape (2, L)
        Joints from the root down to each ankle, filled up with -1.
    ends : int array of shape (2, 3)
        Where in its chain each leg has its hip, knee and ankle.
    knees : array of shape (2, 3)
        Axes about which the knees usually bend, in the frames of the thighs.
    sway : float, metres
        Farthest that the root may be from the middle between the ankles, over the ground.
    lowest : float, metres
        Height above the lower ankle below which the root sinks by a centimetre at most, unless a
        leg is too short.
    """

    offsets: Array
    chains: Ints
    ends: Ints
    knees: Array
    sway: float = ANYWHERE
    lowest: float = -ANYWHERE

    @classmethod
    def of_body(
        cls,
        skeleton: Skeleton,
        roles: Roles,
        knees: Array,
        sway: float = ANYWHERE,
        lowest: float = -ANYWHERE,
    ) -> Legs:
        """Legs of a skeleton, the left one first.

        Parameters
        ----------
        skeleton : Skeleton
            Its joint 0 carries the body.
        roles : Roles
            With both legs.
        knees : array of shape (2, 3)
            Axes about which the knees usually bend, in the frames of the thighs.
        sway, lowest : float, metres
            How far aside and how low the root may be.
        """
        limbs = find_legs(roles)
        legs = [limbs[foot] for foot in ("left_foot", "right_foot")]
        chains = [skeleton.chain(leg.tip) for leg in legs]
        longest = max(len(chain) for chain in chains)
        filled = [[*chain, *(-1,) * (longest - len(chain))] for chain in chains]
        ends = [
            [chain.index(joint) for joint in (leg.root, leg.middle, leg.tip)]
            for leg, chain in zip(legs, chains, strict=True)
        ]
        # Copies, so that compiled code sees one kind of array, whoever the arrays belong to.
        return cls(
            offsets=np.array(skeleton.offsets),
            chains=np.array(filled),
            ends=np.array(ends),
            knees=np.array(knees),
            sway=sway,
            lowest=lowest,
        )

    @property
    def numbers(self) -> tuple[Any, ...]:
        """As compiled code takes them."""
        return self.offsets, self.chains, self.ends, self.knees, (self.sway, self.lowest)
