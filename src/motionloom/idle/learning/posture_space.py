"""Postures as components of a PCA that subtracts no mean: zero is the neutral posture.

After Egges, Molet & Magnenat-Thalmann (2004, section 3): rotations of all joints as exponential
maps, here about each joint's mean rotation, and the place of the root. Layers of motion simply add
in this space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.coordinates import ExponentialCoordinates
from motionloom.declared import LENGTH, PART, SIZE, Positive, Shape
from motionloom.errors import InvalidInputError
from motionloom.idle.learning.recording import Recording
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom.skeleton import restore_read_only
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Share of the postures' energy that the components hold, and the most of them.
ENERGY = 0.9999
MOST_COMPONENTS = 30


@dataclass(frozen=True, eq=False)
class PostureSpace:
    """Linear space of the postures of a body.

    Parameters
    ----------
    coordinates : ExponentialCoordinates
        About the neutral posture's rotations.
    origin : array of shape (3,), metres
        Place of the root in the neutral posture, seen from the stance.
    leg : float, metres
        Length of the legs: a move of one leg counts as much as one radian.
    components : array of shape (K, D)
        Orthonormal directions, the one with most energy first.
    energy : array of shape (K,)
        Mean square along each.
    roles : Roles
        Of the skeleton's joints.
    """

    coordinates: ExponentialCoordinates
    origin: Annotated[Array, Shape(3), LENGTH]
    leg: Positive
    components: Annotated[Array, Shape("K", "D"), PART]
    energy: Annotated[Array, Shape("K"), SIZE]
    roles: Roles
    __setstate__ = restore_read_only

    @property
    def n_components(self) -> int:
        """Number of components K."""
        return len(self.components)

    @property
    def weights(self) -> Array:
        """Weights of the components in distances, the first 1 (equation 4), shape (K,)."""
        return np.asarray(self.energy / self.energy[0])

    def to_components(self, motion: Motion) -> Array:
        """Components of every frame, shape (T, K).

        Parameters
        ----------
        motion : Motion
            Its root as seen from its stance.

        Returns
        -------
        array of shape (T, K)
        """
        projected: Array = to_numbers(self.coordinates, motion, self.origin, self.leg)
        return projected @ self.components.T

    def to_motion(self, components: Array, frame_time: float) -> Motion:
        """Motion whose root is seen from its stance.

        Parameters
        ----------
        components : array of shape (T, K)
            Of every frame.
        frame_time : float, seconds
            Time between frames.

        Returns
        -------
        Motion
        """
        numbers = components @ self.components
        numbers[:, :3] = numbers[:, :3] * self.leg + self.origin
        return self.coordinates.to_motion(numbers, frame_time)

    def distance(self, a: Array, b: Array) -> Array:
        """Distance between postures, weighted by energy (equation 4), shape (...)."""
        return np.asarray(np.sqrt(np.sum(self.weights * (a - b) ** 2, axis=-1)))


def to_numbers(
    coordinates: ExponentialCoordinates, motion: Motion, origin: Array, leg: float
) -> Array:
    """Coordinates of every frame, the root's place from `origin` and in legs, shape (T, D)."""
    numbers = coordinates.to_coordinates(motion)
    numbers[:, :3] = (numbers[:, :3] - origin) / leg
    return numbers


@one_thread()
def fit_posture_space(recordings: Sequence[Recording]) -> PostureSpace:
    """Learn the space of the postures in recordings of one skeleton.

    Parameters
    ----------
    recordings : sequence of Recording
        At least one.

    Returns
    -------
    PostureSpace

    Raises
    ------
    InvalidInputError
        When there is no recording, their joints differ, or nobody moves.
    """
    if not recordings:
        raise InvalidInputError("a space of postures needs at least one recording")
    first = recordings[0].posed
    motions = [recording.seen_from_stances() for recording in recordings]
    coordinates = ExponentialCoordinates.about(motions, first.skeleton)
    leg = float(np.mean([recording.leg for recording in recordings]))
    roots = np.concatenate([motion.translations[:, 0] for motion in motions])
    origin = roots.mean(axis=0)
    numbers = np.concatenate([to_numbers(coordinates, m, origin, leg) for m in motions])
    covariance = numbers.T @ numbers / len(numbers)
    return space_of_numbers(coordinates, origin, leg, covariance, first.roles)


def space_of_numbers(
    coordinates: ExponentialCoordinates, origin: Array, leg: float, covariance: Array, roles: Roles
) -> PostureSpace:
    """The space in which postures are told by their leading components.

    Parameters
    ----------
    coordinates : ExponentialCoordinates
        About the neutral posture's rotations.
    origin : array of shape (3,), metres
        Place of the root in the neutral posture, seen from the stance.
    leg : float, metres
        Length of the legs.
    covariance : array of shape (D, D)
        Mean products of the numbers of postures, no mean subtracted; see `to_numbers`.
    roles : Roles
        Of the skeleton's joints.

    Returns
    -------
    PostureSpace

    Raises
    ------
    InvalidInputError
        When nobody moves.
    """
    energy, directions = np.linalg.eigh(covariance)
    energy = np.maximum(energy[::-1], 0.0)
    if energy[0] <= 1e-12:
        raise InvalidInputError("nobody moves in these recordings; there is nothing to learn")
    held = np.cumsum(energy) / energy.sum()
    count = min(int(np.searchsorted(held, ENERGY)) + 1, MOST_COMPONENTS, len(energy))
    components = np.ascontiguousarray(directions[:, ::-1][:, :count].T)
    return PostureSpace(
        coordinates=coordinates,
        origin=origin,
        leg=leg,
        components=components,
        energy=energy[:count],
        roles=roles,
    )
