"""What a bridge does that the clips never do."""

from __future__ import annotations

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.faults import (
    find_bursts,
    find_floating,
    find_gait_switches,
    find_gliding,
)
from motionloom.clips.analysis import AnalysedClips
from motionloom.posed_motion import PosedMotion

#: What passes a limit by more than this many times it counts as this.
_MOST = 4.0


def measure_strain(posed: PosedMotion, clips: AnalysedClips) -> float:
    """How far a motion passes the limits of some clips: 0 where it keeps to all of them.

    Parameters
    ----------
    posed : PosedMotion
        A bridge and what is around it.
    clips : AnalysedClips
        The clips.

    Returns
    -------
    float
        By what share of the limit, summed up over all that the hips' speed, the gait, flights and
        feet that slide pass it by.
    """
    limits = clips.limits
    contacts = detect_contacts(posed, soles=clips.soles)
    faults = (
        *find_bursts(posed, limits),
        *find_gait_switches(posed, limits),
        *find_floating(posed, contacts, limits),
        *find_gliding(posed, contacts, limits),
    )
    return float(sum(min(fault.excess - 1.0, _MOST) for fault in faults))
