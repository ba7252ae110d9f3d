"""A shot while it is edited: previews at once, searches behind, alternatives to choose from."""

from motionloom.shot.live.cancelling import Cancel, Cancelled, never
from motionloom.shot.live.live import BUDGETS, LiveShot
from motionloom.shot.live.results import (
    Alternative,
    KeyRow,
    LiveCharacterReport,
    LiveResult,
    PieceShown,
    Series,
    Summary,
    Worst,
)

__all__ = [
    "BUDGETS",
    "Alternative",
    "Cancel",
    "Cancelled",
    "KeyRow",
    "LiveCharacterReport",
    "LiveResult",
    "LiveShot",
    "PieceShown",
    "Series",
    "Summary",
    "Worst",
    "never",
]
