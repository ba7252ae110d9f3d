"""Strides cut out of a motion as cycles: resampled, closed, their travel taken out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.gait.cycle import SAMPLES, GaitCycle
from motionloom.gait.cycles.find import Stride
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools


def cut_cycle(
    posed: PosedMotion, contacts: FootContacts, stride: Stride, person: str = ""
) -> GaitCycle:
    """A stride as a cycle that begins at the left foot's strike.

    What is left over between both ends is spread evenly over the cycle, so that it closes.

    Parameters
    ----------
    posed : PosedMotion
        The motion that holds the stride.
    contacts : FootContacts
        Of this motion.
    stride : Stride
        Where it is. One of the right foot is rolled, so that it begins with the left foot too.
    person : str
        Whose it is.

    Returns
    -------
    GaitCycle
        Of `SAMPLES` samples.
    """
    # A contact may lie just behind the last frame: the same cycle, begun a little earlier.
    behind = max(stride.stop - (posed.n_frames - 1) / posed.fps, 0.0)
    frames = (np.linspace(stride.start, stride.stop, SAMPLES + 1) - behind) * posed.fps
    first = max(int(frames[0]) - 2, 0)
    last = min(int(np.ceil(frames[-1])) + 3, posed.n_frames)
    own = np.arange(first, last)
    root = posed.motion.root_joint
    way = CubicSpline(own, posed.positions[first:last, root])(frames)
    travel = np.arctan2(way[-1, 0] - way[0, 0], way[-1, 2] - way[0, 2])
    cycle = GaitCycle(
        rotations=_closed(_rotations(posed, root, travel, slice(first, last), frames)),
        deviations=_deviations(way, travel, contacts.ground),
        contacts=_sampled(contacts.down, frames[:-1]),
        duration=stride.duration,
        speed=float(np.hypot(*(way[-1] - way[0])[[0, 2]])) / stride.duration,
        behaviour=stride.behaviour,
        person=person,
        root=root,
        name=posed.motion.name,
    )
    share = behind / stride.duration
    if stride.foot == "right":
        share += (stride.opposite - stride.start) / stride.duration
    return cycle if share == 0.0 else _centred(cycle.rolled(share))


def _rotations(posed: PosedMotion, root: int, travel: float, own: slice, frames: Array) -> Array:
    """Local rotations at frames and between, the root's relative to the travel, (N + 1, J, 4)."""
    local = posed.motion.rotations[own].copy()
    local[:, root] = rot.multiply(rot.yaw(-travel), posed.rotations[own, root])
    local[:, list(posed.skeleton.chain(root)[:-1])] = (1.0, 0.0, 0.0, 0.0)
    known = np.arange(own.start, own.stop)
    return rot.normalize(CubicSpline(known, rot.unroll(local))(frames))


def _closed(rotations: Array) -> Array:
    """Without the difference between both ends, and without the second of them, (N, J, 4)."""
    rotations = rot.unroll(rotations)
    open_by = rot.to_rotvec(rot.multiply(rot.conjugate(rotations[0]), rotations[-1]))
    share = np.linspace(0.5, -0.5, len(rotations))[:, None, None]
    closed = rot.multiply(rotations, rot.from_rotvec(share * open_by))
    return rot.unroll(closed[:-1])


def _deviations(way: Array, travel: float, ground: float) -> Array:
    """To the left, up and ahead of uniform travel from the first to the last place, (N, 3)."""
    share = np.linspace(0.0, 1.0, len(way))[:, None]
    away = way - way[0] - share * (way[-1] - way[0])
    left = away[:, 0] * np.cos(travel) - away[:, 2] * np.sin(travel)
    ahead = away[:, 0] * np.sin(travel) + away[:, 2] * np.cos(travel)
    height = away[:, 1] + 0.5 * (way[0, 1] + way[-1, 1]) - ground
    deviations = np.column_stack([left, height, ahead])[:-1]
    deviations[:, [0, 2]] -= deviations[:, [0, 2]].mean(axis=0)
    return deviations


def _sampled(down: Bools, frames: Array) -> Bools:
    nearest = np.clip(np.round(frames).astype(int), 0, len(down) - 1)
    return np.asarray(down[nearest])


def _centred(cycle: GaitCycle) -> GaitCycle:
    deviations = cycle.deviations.copy()
    deviations[:, [0, 2]] -= deviations[:, [0, 2]].mean(axis=0)
    return replace(cycle, deviations=deviations)
