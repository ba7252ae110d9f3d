"""What an animator would send back: bursts, sudden stops, changes of gait in one step, floating,
gliding, fidgeting hands and detours, each beside what the clips themselves do at most.
"""

from motionloom.analysis.faults.detours import direct_curve, find_detours
from motionloom.analysis.faults.fault import Fault
from motionloom.analysis.faults.find import (
    find_bursts,
    find_fidgeting,
    find_floating,
    find_gait_switches,
    find_gliding,
)
from motionloom.analysis.faults.limits import MovementLimits, measure_limits

__all__ = [
    "Fault",
    "MovementLimits",
    "direct_curve",
    "find_bursts",
    "find_detours",
    "find_fidgeting",
    "find_floating",
    "find_gait_switches",
    "find_gliding",
    "measure_limits",
]
