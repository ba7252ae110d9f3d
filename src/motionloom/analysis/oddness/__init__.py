"""How odd a motion is among captured ones: named checks, each with its place in the clip, and one
number of all of them.
"""

from motionloom.analysis.oddness._checks import CHECKS
from motionloom.analysis.oddness.judge import (
    MotionJudge,
    MotionVerdict,
    OddMoment,
    fit_motion_judge,
)

__all__ = ["CHECKS", "MotionJudge", "MotionVerdict", "OddMoment", "fit_motion_judge"]
