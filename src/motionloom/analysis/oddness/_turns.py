"""How each joint turns from frame to frame: jumps of one frame, noise, and turns that are too
smooth to be captured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from motionloom.declared import LEARNED, SPREAD, Shape
from motionloom.typing import Array, Ints

#: Deviations (degrees) below these are alike: for smoothness, and for jumps.
_SMOOTHEST, _NO_JUMP = 1e-4, 0.02
#: A joint slower than this is still, degrees per second.
_STILL = 0.3
#: Windows in which the deviations of a joint are compared, and steps between them; seconds over
#: which a jump is compared with what surrounds it.
_WINDOW, STEP, _AROUND = 0.5, 0.1, 0.3
#: Shares of the joints that are at least so noisy, or so smooth.
_NOISY, _SMOOTH = 0.3, 0.8
#: Captured frames that jump less than the level that jumps are counted from.
_USUAL = 0.999
#: What is added to spreads of logarithms.
_RIDGE = 0.1


@dataclass(frozen=True, eq=False)
class Turns:
    """What one clip says, of J joints that move.

    Parameters
    ----------
    deviations, speeds : array of shape (W, J)
        Logarithms of the median deviation from a smooth turn (degrees) and of the speed (degrees
        per second) in every window.
    jumps : array of shape (F, J)
        Logarithms of a frame's deviation, and how far that is above those around it, added.
    times : array of shape (W,), seconds
        Middles of the windows.
    frame_times : array of shape (F,), seconds
        Of the frames.
    """

    deviations: Array
    speeds: Array
    jumps: Array
    times: Array
    frame_times: Array


def measure_turns(rotations: Array, fps: float) -> Turns:
    """Deviations of joints from smooth turns.

    Parameters
    ----------
    rotations : array of shape (T, J, 4)
        Local rotations, of one sign each, at least five frames.
    fps : float

    Returns
    -------
    Turns
        A frame's deviation is how far it is from the cubic through the two frames on either side.
    """
    fourth = np.diff(rotations, 4, axis=0)
    # A fourth difference is 6 times a lone frame's error, and an angle twice the quaternion's
    # length.
    away = np.degrees(2 / 6) * np.sqrt(np.einsum("tji,tji->tj", fourth, fourth))
    step = rotations[3:-1] - rotations[1:-3]
    speed = np.degrees(fps) * np.sqrt(np.einsum("tji,tji->tj", step, step))
    n = min(max(round(_WINDOW * fps), 1), len(away))
    hop = max(round(STEP * fps), 1)
    medians: Array = np.median(_windows(away, n, hop), axis=-1)
    speeds: Array = np.sqrt(np.mean(_windows(speed, n, hop) ** 2, axis=-1))
    level: Array = np.log(away + _NO_JUMP)
    usual: Array = np.log(_medians_around(away, max(9, round(_AROUND * fps))) + _NO_JUMP)
    times = np.asarray((np.arange(len(medians)) * hop + n / 2 + 2) / fps, np.float64)
    return Turns(
        deviations=np.log(medians + _SMOOTHEST),
        speeds=np.log(speeds + _STILL),
        # Over its surroundings, and once more by itself: a jump in a noisy stretch is none, and a
        # tiny one in a still stretch neither.
        jumps=2 * level - usual,
        times=times,
        # A fourth difference of frames is about the third of its five.
        frame_times=(np.arange(len(away)) + 2) / fps,
    )


def _medians_around(values: Array, length: int) -> Array:
    """Medians of about so many frames around each frame, an eighth of that apart.

    Beyond its ends a clip goes on with its first and last frame.
    """
    half = length // 2
    hop = max(length // 8, 1)
    longer = np.pad(values, ((half, half), (0, 0)), mode="edge")
    medians = np.median(_windows(longer, 2 * half + 1, hop), axis=-1)
    nearest = np.round(np.arange(len(values)) / hop).astype(int)
    return np.asarray(medians[np.minimum(nearest, len(medians) - 1)])


def _windows(values: Array, length: int, hop: int) -> Array:
    return np.lib.stride_tricks.sliding_window_view(values, length, axis=0)[::hop]


@dataclass(frozen=True, eq=False)
class TurnModel:
    """What turns are like in captures.

    Parameters
    ----------
    curve : array of shape (3, J)
        Deviation by speed: polynomials of second degree, all logarithms.
    spread : array of shape (J,)
        Of deviations about the curve.
    jumps : array of shape (J,)
        What jumps are counted from.
    """

    curve: Annotated[Array, Shape(3, "M"), LEARNED]
    spread: Annotated[Array, Shape("M"), SPREAD]
    jumps: Annotated[Array, Shape("M"), LEARNED]

    def roughness(self, turns: Turns) -> Array:
        """How much rougher each joint is than it usually is at its speed, in spreads, (W, J)."""
        return (turns.deviations - _usual(self.curve, turns.speeds)) / self.spread

    def noise_and_smoothness(self, turns: Turns) -> tuple[Array, Array]:
        """What most joints have: roughness, and smoothness beyond that of the whole clip.

        Parameters
        ----------
        turns : Turns

        Returns
        -------
        tuple of array of shape (W,)
        """
        # Both from one sorting.
        noise, rough = np.quantile(self.roughness(turns), [_NOISY, _SMOOTH], axis=1)
        # A whole clip may be smooth by its camera or filter; only what differs from its rest is
        # odd.
        return noise, -rough - float(np.median(-rough))

    def pops(self, jumps: Array, joints: Ints) -> Array:
        """How far jumps (F, L) of some of the joints are beyond usual ones, shape (F, L)."""
        return jumps - self.jumps[joints]


def _usual(curve: Array, speeds: Array) -> Array:
    return np.asarray(curve[0] + speeds * (curve[1] + speeds * curve[2]))


def fit_turns(clips: list[Turns]) -> TurnModel:
    """What turns of captures are like."""
    deviations = np.concatenate([c.deviations for c in clips])
    speeds = np.concatenate([c.speeds for c in clips])
    curves, spreads = [], []
    for own, v in zip(deviations.T, speeds.T, strict=True):
        # Roughness grows with speed, about as a power of it: a parabola in logarithms.
        terms = np.column_stack([np.ones(len(v)), v, v * v])
        curve = np.linalg.lstsq(terms, own, rcond=None)[0]
        curves.append(curve)
        spreads.append(float(np.std(own - terms @ curve)) + _RIDGE)
    curve = np.array(curves).T
    jumps = np.quantile(np.concatenate([c.jumps for c in clips]), _USUAL, axis=0)
    return TurnModel(curve, np.array(spreads), jumps)
