"""Motions corrected so that their bodies could do them."""

from motionloom.physics.correct.correct import (
    Corrected,
    correct_motion,
    make_finisher,
)
from motionloom.physics.correct.options import CorrectionOptions
from motionloom.physics.correct.report import CorrectionReport

__all__ = [
    "Corrected",
    "CorrectionOptions",
    "CorrectionReport",
    "correct_motion",
    "make_finisher",
]
