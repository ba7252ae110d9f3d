"""What an animator would send back: bursts, sudden stops, changes of gait in one step, floating,
gliding, fidgeting hands, detours, knees bent deep, joints that pop, and jumps, gestures and loops
that nobody asked for, each beside what the clips themselves do at most.
"""

from motionloom.analysis.faults._find import (
    Fault,
    find_bursts,
    find_deep_bends,
    find_fidgeting,
    find_floating,
    find_gait_switches,
    find_gliding,
    find_pops,
)
from motionloom.analysis.faults._limits import MovementLimits, measure_limits
from motionloom.analysis.faults._unasked import (
    direct_curve,
    find_cut_jumps,
    find_detours,
    find_gestures,
    find_jumps,
    find_loops,
)

__all__ = [
    "Fault",
    "MovementLimits",
    "direct_curve",
    "find_bursts",
    "find_cut_jumps",
    "find_deep_bends",
    "find_detours",
    "find_fidgeting",
    "find_floating",
    "find_gait_switches",
    "find_gestures",
    "find_gliding",
    "find_jumps",
    "find_loops",
    "find_pops",
    "measure_limits",
]
