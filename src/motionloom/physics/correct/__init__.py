"""Motions corrected so that their bodies could do them."""

from motionloom.physics.correct.correct import Corrected, correct_motion, finish_by_physics
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.correct.report import CorrectionReport

__all__ = [
    "Corrected",
    "CorrectionOptions",
    "CorrectionReport",
    "correct_motion",
    "finish_by_physics",
]
