"""Motions corrected so that their bodies could do them."""

from motionloom.physics.correct._correct import Corrected, correct_motion, finish_by_physics
from motionloom.physics.correct._report import CorrectionReport
from motionloom.physics.correct.options import CorrectionOptions

__all__ = ["Corrected", "CorrectionOptions", "CorrectionReport", "correct_motion"]
__all__ += ["finish_by_physics"]
