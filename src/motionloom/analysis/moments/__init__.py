"""How natural every moment of a motion is: how far it is from captured ones, in what they differ
among each other.
"""

from motionloom.analysis.moments.judge import (
    MomentJudge,
    OddSeries,
    OddStretch,
    fit_moment_judge,
    load_moment_judge,
    save_moment_judge,
)

__all__ = [
    "MomentJudge",
    "OddSeries",
    "OddStretch",
    "fit_moment_judge",
    "load_moment_judge",
    "save_moment_judge",
]
