"""Joint centres by a rule: a group of markers, and a constant along the segment's axes.

After Xiao (2009, eq. 3.1): the reference of the group plus a constant distance along the lateral
axis. The constants are those of the prototype, scaled to the person; the axes are those of the
segment that carries the group.
"""

from __future__ import annotations

import numpy as np

from motionloom.fitting.calibration.centres import Centres
from motionloom.fitting.calibration.cost import State
from motionloom.fitting.calibration.placed import Placed
from motionloom.fitting.calibration.posing import Posed, run
from motionloom.typing import Array, Bools

#: Joints whose centres are found from the markers of the segment above them: all of these count,
#: as no marker lies at the joint.
_FROM_SEGMENT = {"LeftUpLeg": "Hips", "RightUpLeg": "Hips", "Neck": "Chest"}


def rule_centres(placed: Placed, positions: Array, seen: Bools, state: State) -> Centres:
    """Find joint centres by the rule.

    Parameters
    ----------
    placed : Placed
        Markers on the prototype.
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    state : State
        Poses of the scaled prototype; only its axes count.

    Returns
    -------
    Centres
        Of joints that have a group.
    """
    layout = placed.layout
    posed = run(layout, state.values, state.shifts, state.poses)
    size = float(state.values[0])
    found = {}
    for joint, name in enumerate(placed.body.names):
        group = _group(placed, joint, name)
        if not group:
            continue
        center = _from_group(placed, posed, positions, seen, joint, group, size)
        if np.isfinite(center).any():
            found[joint] = center
    return Centres(found, dict.fromkeys(found, "rule"))


def _group(placed: Placed, joint: int, name: str) -> list[int]:
    """Markers that a joint's centre is found from."""
    segment = _FROM_SEGMENT.get(name)
    if segment is not None:
        carrier = placed.body.index(segment)
        own = [m for m, j in enumerate(placed.layout.joints) if int(j) == carrier]
        return own if len(own) >= 3 else []
    return [
        m
        for m, place in enumerate(placed.places)
        if place.anchor == placed.body.names[joint] != place.joint
    ]


def _from_group(
    placed: Placed,
    posed: Posed,
    positions: Array,
    seen: Bools,
    joint: int,
    group: list[int],
    size: float,
) -> Array:
    """Mean, over the group, of each marker less its constant along the axes of its segment."""
    offset = size * placed.body.shares[joint]
    carrier = placed.layout.joints[group]
    constant = size * placed.layout.local[0, group]  # of the markers in their segment's frame
    away = np.einsum("tmab,mb->tma", posed.turns[:, carrier], offset - constant)
    known = seen[:, group]
    told = np.where(known[..., None], positions[:, group] + away, 0.0)
    count = known.sum(axis=1)
    if placed.body.names[joint] in _FROM_SEGMENT:  # part of a group would shift the mean
        count = np.where(known.all(axis=1), count, 0)
    mean = told.sum(axis=1) / np.maximum(count, 1)[:, None]
    return np.where(count[:, None] > 0, mean, np.nan)
