"""Physics, measured: what ``motionloom evaluate physics`` does."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from motionloom.baselines.physics.against_mujoco import MujocoRow, compare_with_mujoco
from motionloom.baselines.physics.damaged import (
    CorrectionRow,
    evaluate_corrections,
    format_corrections,
)
from motionloom.baselines.physics.terrain import TerrainRow, evaluate_terrain, format_terrain
from motionloom.baselines.physics.trials import TrialRow, evaluate_plates, format_plates
from motionloom.motion import Motion
from motionloom.progress import Progress, silent


@dataclass(frozen=True)
class PhysicsEvaluation:
    """All results.

    Parameters
    ----------
    trials : tuple of TrialRow
        Against force plates.
    corrections : tuple of CorrectionRow
        Clips damaged and corrected.
    mujoco : MujocoRow
        Against another implementation.
    terrain : tuple of TerrainRow
        Walks taken onto stairs, slopes and uneven ground, and captured stairs.
    """

    trials: tuple[TrialRow, ...]
    corrections: tuple[CorrectionRow, ...]
    mujoco: MujocoRow
    terrain: tuple[TerrainRow, ...] = ()

    def to_text(self) -> str:
        """For people."""
        parts = [self.mujoco.in_words() + "\n"]
        if self.trials:
            parts.append(format_plates(self.trials))
        if self.corrections:
            parts.append(format_corrections(self.corrections))
        if self.terrain:
            parts.append(format_terrain(self.terrain))
        return "\n".join(parts)

    def to_json(self) -> str:
        """For programs."""
        return json.dumps(_plain(asdict(self)), indent=1) + "\n"


def _plain(data: Any) -> Any:
    """JSON has no NaN."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def evaluate_physics(
    trials: Sequence[str], motions: Sequence[Motion], progress: Progress = silent
) -> PhysicsEvaluation:
    """Measure inverse dynamics and corrections.

    Parameters
    ----------
    trials : sequence of str
        Marker files with force plates in them or beside them.
    motions : sequence of Motion
        Clips that are damaged and corrected.
    progress : Progress
        Told of trials and clips.

    Returns
    -------
    PhysicsEvaluation
    """
    return PhysicsEvaluation(
        evaluate_plates(trials, progress),
        evaluate_corrections(motions, progress),
        compare_with_mujoco(),
        evaluate_terrain(trials, motions, progress),
    )
