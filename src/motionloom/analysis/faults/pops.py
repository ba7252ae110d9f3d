"""Joints that jump for a frame and are back at once: slips of a capture that got into a motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.faults.fault import Fault
from motionloom.curves import runs_of
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

#: No joint of people turns there and back with a larger angular acceleration, radians per second
#: squared: toes that hit the ground come near to it.
LARGEST = 5000.0


def find_pops(posed: PosedMotion, sources: Sequence[str] = ()) -> tuple[Fault, ...]:
    """Where a joint jumps for one frame and back faster than anybody moves; never grave.

    A jump of 10 degrees is one at 120 frames per second; at 30 only flips are.

    Parameters
    ----------
    posed : PosedMotion
    sources : sequence of str
        Name of the clip that every frame shows.

    Returns
    -------
    tuple of Fault
        Ascending in time.
    """
    if posed.n_frames < 3:
        return ()
    own = posed.motion.rotations
    steps = _angles(own[1:], own[:-1])
    back = np.minimum(steps[1:], steps[:-1]) - _angles(own[2:], own[:-2])
    faults = []
    # Twice: it turns there in one frame and back in the next.
    acceleration: Array = np.vstack([np.zeros(own.shape[1]), 2 * back * posed.fps**2])
    fast: Bools = np.any(acceleration > LARGEST, axis=1)
    for first, stop in runs_of(fast):
        near = acceleration[first:stop]
        frame, joint = np.unravel_index(int(near.argmax()), near.shape)
        at = first + int(frame)
        time = at / posed.fps
        text = (
            f"at {time:.2f} s {posed.skeleton.names[joint]} jumps by"
            f" {np.degrees(back[at - 1, joint]):.0f} degrees and back in one frame"
        )
        if len(sources):
            text += f", as captured in clip {sources[at]!r}"
        value = float(near.max())
        faults.append(Fault("pop", time, time, value, LARGEST, False, text))
    return tuple(faults)


def _angles(a: Array, b: Array) -> Array:
    """Angles between rotations, radians."""
    return np.asarray(np.linalg.norm(rot.to_rotvec(rot.multiply(rot.conjugate(a), b)), axis=-1))
