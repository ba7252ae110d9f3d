"""Physics, measured: what ``motionloom evaluate physics`` does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reports import plain
from motionloom_evaluation.physics.against_mujoco import MujocoRow, compare_with_mujoco
from motionloom_evaluation.physics.damaged import (
    CorrectionRow,
    evaluate_corrections,
    format_corrections,
)
from motionloom_evaluation.physics.made import (
    CriticRow,
    MadeRow,
    evaluate_made,
    format_made,
)
from motionloom_evaluation.physics.terrain import TerrainRow, evaluate_terrain, format_terrain
from motionloom_evaluation.physics.trials import TrialRow, evaluate_plates, format_plates


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
    made : tuple of MadeRow
        Motions made of clips, and captured ones, corrected.
    critics : tuple of CriticRow
        Whether they can be told from captured ones.
    terrain : tuple of TerrainRow
        Walks taken onto stairs, slopes and uneven ground, and captured stairs.
    """

    trials: tuple[TrialRow, ...]
    corrections: tuple[CorrectionRow, ...]
    mujoco: MujocoRow
    made: tuple[MadeRow, ...] = ()
    critics: tuple[CriticRow, ...] = ()
    terrain: tuple[TerrainRow, ...] = ()

    def to_text(self) -> str:
        """For people."""
        parts = [self.mujoco.in_words() + "\n"]
        if self.trials:
            parts.append(format_plates(self.trials))
        if self.corrections:
            parts.append(format_corrections(self.corrections))
        if self.made:
            parts.append(format_made(self.made, self.critics))
        if self.terrain:
            parts.append(format_terrain(self.terrain))
        return "\n".join(parts)

    def to_json(self) -> str:
        """For programs."""
        return json.dumps(plain(asdict(self)), indent=1) + "\n"


def evaluate_physics(
    trials: Sequence[str],
    motions: Sequence[Motion],
    clips: Sequence[Motion] = (),
    progress: Progress = silent,
) -> PhysicsEvaluation:
    """Measure inverse dynamics and corrections.

    Parameters
    ----------
    trials : sequence of str
        Marker files with force plates in them or beside them.
    motions : sequence of Motion
        Clips that are damaged and corrected.
    clips : sequence of Motion
        Walks of one skeleton: motions are made of them and corrected, and a critic is asked.
    progress : Progress
        Told of trials and clips.

    Returns
    -------
    PhysicsEvaluation
    """
    made, critics = evaluate_made(clips, motions, progress) if clips else ((), ())
    return PhysicsEvaluation(
        trials=evaluate_plates(trials, progress),
        corrections=evaluate_corrections(motions, progress),
        mujoco=compare_with_mujoco(),
        made=made,
        critics=critics,
        terrain=evaluate_terrain(trials, motions, progress),
    )
