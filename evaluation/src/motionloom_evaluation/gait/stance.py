"""How fast stance feet pass under the body of a made cycle."""

from __future__ import annotations

import numpy as np

from motionloom.gait.picture import cycle_motion
from motionloom.gait.space.space import GaitSpace
from motionloom.posed_motion import PosedMotion


def stance_speed(space: GaitSpace, speed: float, behaviour: str, person: str) -> float:
    """Speed that the feet of a made cycle would carry the body at, if those down stood still.

    Parameters
    ----------
    space : GaitSpace
        Where the cycle comes from.
    speed : float, metres per second
        Asked for.
    behaviour, person : str
        As of `GaitSpace.cycle`.

    Returns
    -------
    float, metres per second
        Median over the samples in which points of the soles are down.
    """
    cycle = space.cycle(speed, person, behaviour)
    body = space.body(person)
    motion = cycle_motion(space, speed, behaviour, person)
    points = body.soles.positions(PosedMotion(motion, body.roles))[..., 2]
    ahead = np.roll(points, -1, axis=0)
    ahead[-1] += cycle.length
    before = np.roll(points, 1, axis=0)
    before[0] -= cycle.length
    slides = (ahead - before) * cycle.n_samples / (2.0 * cycle.duration)
    down = [slides[cycle.contacts[:, k], k] for k in range(points.shape[1])]
    medians = [float(np.median(own)) for own in down if len(own)]
    return speed - float(np.mean(medians)) if medians else speed
