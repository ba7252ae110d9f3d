"""Knees that bend deeper than in any clip."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from motionloom.analysis.faults.fault import Fault
from motionloom.analysis.hinges import MARGIN, Hinge
from motionloom.curves import runs_of
from motionloom.posed_motion import PosedMotion


def find_deep_bends(posed: PosedMotion, hinges: Mapping[str, Hinge]) -> tuple[Fault, ...]:
    """Where a knee bends deeper than in any clip, as it does when a hand is to be low; never grave.

    Parameters
    ----------
    posed : PosedMotion
    hinges : mapping of str to Hinge
        By the role of the limb's tip, as the clips bend them; those of feet are looked at.
    """
    faults = []
    for role, hinge in hinges.items():
        if role not in posed.roles.feet:
            continue
        flexion = np.degrees(hinge.flexion(posed))
        limit = float(np.degrees(hinge.most))
        for first, stop in runs_of(flexion > limit + np.degrees(MARGIN)):
            begin, end = first / posed.fps, (stop - 1) / posed.fps
            deepest = float(flexion[first:stop].max())
            text = (
                f"from {begin:.2f} to {end:.2f} s the {role.split('_')[0]} knee bends by up to"
                f" {deepest:.0f} degrees, in the clips by {limit:.0f} at most; clips of somebody"
                " who bends down would show how"
            )
            faults.append(Fault("deep bend", begin, end, deepest, limit, False, text))
    return tuple(faults)
