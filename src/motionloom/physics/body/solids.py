"""Solids of uniform density that stand for segments: capsules for limbs, boxes for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from motionloom.typing import Array

#: Round ends stand out beyond the joints by this share of the radius: flesh goes on there.
END = 0.5


@dataclass(frozen=True)
class Solid:
    """A solid about its own centre; its long axis is z.

    Parameters
    ----------
    shape : {"capsule", "box"}
        A cylinder with half spheres at its ends, or a box.
    size : tuple of float, metres
        Of a capsule its radius and half the length between the centres of its ends; of a box half
        its lengths along x, y and z.
    """

    shape: Literal["capsule", "box"]
    size: tuple[float, ...]

    @property
    def volume(self) -> float:
        """Cubic metres."""
        if self.shape == "box":
            return float(8 * np.prod(self.size))
        radius, half = self.size
        return float(np.pi * radius**2 * (2 * half + 4 / 3 * radius))

    def inertia(self, mass: float) -> Array:
        """Moments about x, y and z through the centre, kilograms times square metres, shape (3,).

        Parameters
        ----------
        mass : float, kilograms
            Spread evenly over the volume.

        Returns
        -------
        array of shape (3,)
        """
        if self.shape == "box":
            square = np.square(self.size)
            return np.asarray(mass / 3 * (square.sum() - square), float)
        return self._of_capsule(mass)

    def _of_capsule(self, mass: float) -> Array:
        radius, half = self.size
        length = 2 * half
        ends = mass * (4 / 3 * radius) / (length + 4 / 3 * radius)
        middle = mass - ends
        along = middle * radius**2 / 2 + ends * 2 / 5 * radius**2
        across = middle * (length**2 / 12 + radius**2 / 4) + ends * (
            2 / 5 * radius**2 + half**2 + 3 / 8 * length * radius
        )
        return np.array([across, across, along])


def limb_capsule(length: float, volume: float) -> Solid:
    """The capsule of a limb: its round ends stand out beyond both joints by half their radius.

    Parameters
    ----------
    length : float, metres
        Between the joints.
    volume : float, cubic metres
        Of the whole solid.

    Returns
    -------
    Solid
        A ball where the segment is too short for its volume.
    """
    ball = (3 * volume / (4 * np.pi)) ** (1 / 3)
    if length + 2 * END * ball <= 2 * ball:
        return Solid("capsule", (float(ball), 0.0))
    # Cylinder of length + (2 END - 2) r, and a ball: both together have the volume.
    radius = scipy.optimize.brentq(
        lambda r: np.pi * r**2 * (length + (2 * END - 2 + 4 / 3) * r) - volume, 1e-9, ball
    )
    half = 0.5 * length + (END - 1) * radius
    return Solid("capsule", (float(radius), float(max(half, 0.0))))


def filled_box(length: float, width: float, volume: float) -> Solid:
    """The box of given length (z) and width (x) whose depth (y) gives its volume.

    Parameters
    ----------
    length, width : float, metres
        Along z and x.
    volume : float, cubic metres
        Of the whole solid.

    Returns
    -------
    Solid
    """
    depth = volume / max(length * width, 1e-9)
    return Solid("box", (0.5 * width, 0.5 * depth, 0.5 * length))
