"""What stays the same while a body is fitted: joints, lengths, markers and priors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from motionloom.fitting.body import Lengths, Prototype
from motionloom.typing import Array, Bools

Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Layout:
    """What stays the same while a body is fitted.

    Parameters
    ----------
    parents : int array of shape (J,)
        Of the skeleton.
    turning : bool array of shape (J,)
        Joints that turn.
    spread : array of shape (J, 3), radians
        Of the prior about rest.
    joints : int array of shape (M,)
        Joint that carries each marker.
    lengths : Lengths
        Numbers that the skeleton's offsets depend on, K of them.
    local : array of shape (K, M, 3)
        What each of these numbers adds to a marker's place in its joint's frame.
    loose : array of shape (M, 3), metres
        Prior of the marker about that place.
    """

    parents: NDArray[np.int64]
    turning: Bools
    spread: Array
    joints: Ints
    lengths: Lengths
    local: Array
    loose: Array

    @property
    def n_markers(self) -> int:
        """Number of markers M."""
        return len(self.joints)

    @cached_property
    def turns(self) -> Ints:
        """Joints that turn, in order."""
        return np.flatnonzero(self.turning)

    @property
    def freedom(self) -> int:
        """Degrees of freedom of a pose: place of the root, then turns."""
        return 3 + 3 * len(self.turns)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Markers, and for each all turning joints at or above its own."""
        markers = []
        above = []
        for m, joint in enumerate(self.joints):
            j = int(joint)
            while j >= 0:
                if self.turning[j]:
                    markers.append(m)
                    above.append(j)
                j = int(self.parents[j])
        return np.array(markers, int), np.array(above, int)


def make_layout(
    body: Prototype,
    lengths: Lengths,
    joints: Ints,
    anchors: Ints,
    at: Array,
    loose: Array,
) -> Layout:
    """Layout of a prototype with markers; joints with no marker below them do not turn.

    Parameters
    ----------
    body : Prototype
        The body.
    lengths : Lengths
        Of that body.
    joints, anchors : int array of shape (M,)
        Joint that carries each marker, and joint that its place is measured from.
    at : array of shape (M, 3)
        Places in shares of the body's size.
    loose : array of shape (M, 3), metres
        Prior about them.

    Returns
    -------
    Layout
    """
    carrying = np.zeros(len(body.names), bool)
    carrying[joints] = True
    for j in range(len(body.names) - 1, 0, -1):
        carrying[body.parents[j]] |= carrying[j]
    turning = carrying & (body.spread > 0).any(axis=1)
    local = lengths.directions[:, anchors] * (anchors != joints)[:, None]
    local[0] += at
    spread = np.where(turning[:, None], body.spread, 0.0)
    return Layout(body.parents, turning, spread, joints, lengths, local, loose)
