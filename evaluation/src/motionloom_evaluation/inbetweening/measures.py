"""Errors of fillings as the LaFAN1 benchmark measures them (Harvey et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.inbetween.gaps import Track
from motionloom.inbetween.rig import Rig

Array = NDArray[np.float64]

#: The errors, in the order in which they are printed.
NAMES = ("L2Q", "L2P", "NPSS")


@dataclass(frozen=True, eq=False)
class WindowErrors:
    """Errors of every window; those of a set of windows are means of them.

    Parameters
    ----------
    l2q : array of shape (B,)
        Mean over the frames of the distance of all world quaternions.
    l2p : array of shape (B,)
        Mean over the frames of the distance of all positions, in units of their spread.
    npss, power : array of shape (B,)
        Distance of the spectra times their power, and that power.
    """

    l2q: Array
    l2p: Array
    npss: Array
    power: Array

    def means(self, chosen: NDArray[np.int64] | None = None) -> dict[str, float]:
        """Errors of all windows, or of those chosen, by `NAMES`."""
        some = slice(None) if chosen is None else chosen
        power = float(self.power[some].sum())
        return {
            "L2Q": float(self.l2q[some].mean()),
            "L2P": float(self.l2p[some].mean()),
            "NPSS": float(self.npss[some].sum() / power) if power > 0 else 0.0,
        }


def measure_errors(rig: Rig, truth: Track, found: Track, spread: Array) -> WindowErrors:
    """Compare fillings with what was captured.

    Parameters
    ----------
    rig : Rig
        The body.
    truth, found : Track
        Of shape (B, n, ...); signs of the quaternions count.
    spread : array of shape (J, 3), metres
        What positions are divided by.

    Returns
    -------
    WindowErrors
    """
    turned = np.sqrt(((truth.rotations - found.rotations) ** 2).sum(axis=(2, 3)))
    places = [rig.positions(t.rotations, t.roots) / spread for t in (truth, found)]
    moved = np.sqrt(((places[0] - places[1]) ** 2).sum(axis=(2, 3)))
    shape = (*truth.roots.shape[:2], -1)
    distance, power = _spectra(truth.rotations.reshape(shape), found.rotations.reshape(shape))
    return WindowErrors(turned.mean(axis=1), moved.mean(axis=1), distance, power)


def _spectra(truth: Array, found: Array) -> tuple[Array, Array]:
    """Distance of normalised power spectra weighted by the captured power, and that power, (B,).

    As published, of the real parts of the Fourier transforms over time.
    """
    powers = [np.real(np.fft.fft(values, axis=1)) ** 2 for values in (truth, found)]
    totals = [power.sum(axis=1) for power in powers]
    shares = [
        np.cumsum(power / np.maximum(total, 1e-300)[:, None], axis=1)
        for power, total in zip(powers, totals, strict=True)
    ]
    distance = np.abs(shares[1] - shares[0]).sum(axis=1)
    return (distance * totals[0]).sum(axis=1), totals[0].sum(axis=1)


#: Published errors for 5, 15, 30 and 45 missing frames on the whole release.
PUBLISHED: Mapping[str, Mapping[str, tuple[float | None, ...]]] = {
    "zero velocity": {
        "L2Q": (0.56, 1.10, 1.51, 1.81),
        "L2P": (1.52, 3.69, 6.60, 9.33),
        "NPSS": (0.0053, 0.0522, 0.2318, 0.4918),
    },
    "slerp": {
        "L2Q": (0.22, 0.62, 0.98, 1.25),
        "L2P": (0.37, 1.25, 2.32, 3.45),
        "NPSS": (0.0023, 0.0391, 0.2013, 0.4493),
    },
    "recurrent network, 2020": {
        "L2Q": (0.17, 0.42, 0.69, 0.94),
        "L2P": (0.23, 0.65, 1.28, 2.24),
        "NPSS": (0.0020, 0.0258, 0.1328, 0.3311),
    },
    "delta interpolator, 2022": {
        "L2Q": (0.11, 0.32, 0.57, None),
        "L2P": (0.13, 0.47, 1.00, None),
        "NPSS": (0.0014, 0.0217, 0.1217, None),
    },
    "two-stage transformer, 2022": {
        "L2Q": (0.10, 0.28, 0.55, 0.87),
        "L2P": (0.11, 0.40, 0.90, 1.68),
        "NPSS": (0.0011, 0.0188, 0.1124, 0.3217),
    },
}
