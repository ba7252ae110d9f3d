"""Several characters that meet: solved one by one, placed, checked and corrected together."""

from motionloom.scene.check import EventOutcome, PairOverlap, SceneReport
from motionloom.scene.solve import Scene, fit_cast, synthesize_scene

__all__ = ["EventOutcome", "PairOverlap", "Scene", "SceneReport", "fit_cast", "synthesize_scene"]
