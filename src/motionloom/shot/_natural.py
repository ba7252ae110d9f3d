"""How natural the motions of a shot are, moment by moment, among the clips they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from motionloom.analysis.moments import (
    MomentJudge,
    OddSeries,
    fit_moment_judge,
    load_moment_judge,
    save_moment_judge,
)
from motionloom.errors import InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress
from motionloom.shot._report import Oddest
from motionloom.shot.making import MadeShot
from motionloom.shot.stage import Stage
from motionloom.threads import one_thread


@dataclass(eq=False)
class Naturalness:
    """Judges motions by clips; what is learned of clips is learned once and kept."""

    _judges: dict[bytes, MomentJudge | None] = field(default_factory=dict)

    def judge(self, stage: Stage, posed: PosedMotion, progress: Progress) -> OddSeries | None:
        """How odd a motion is among the clips of its character, frame by frame.

        Parameters
        ----------
        stage : Stage
            Of the character.
        posed : PosedMotion
            What it does.
        progress : Progress
            Told of every clip that is learned from; may give the work up.

        Returns
        -------
        OddSeries or None
            None where that cannot be said: the clips are too few, the motion is too short, or was
            carried over to another body than that of the clips.
        """
        if stage.body is not None:
            return None
        key = stage.clips.fingerprint
        if key not in self._judges:
            self._judges[key] = _learn(stage, progress)
        judge = self._judges[key]
        return None if judge is None else judge.judge(posed)


def _learn(stage: Stage, progress: Progress) -> MomentJudge | None:
    """What is known of the moments of clips; read where it was kept."""
    clips, roles, name = stage.clips.clip_set, stage.clips.roles, stage.clips.fingerprint.hex()
    kept, key = stage.methods.kept, name[:32]
    if kept is not None:
        known = load_moment_judge(kept, key, roles, clips.skeleton.n_joints)
        if known is not None:
            return known
    try:
        judge = fit_moment_judge([PosedMotion(m, roles) for m in clips.motions], progress=progress)
    except InvalidInputError:
        return None
    if kept is not None:
        save_moment_judge(judge, kept, key)
    return judge


@one_thread()
def with_naturalness(made: MadeShot, stages: Mapping[str, Stage]) -> MadeShot:
    """A shot whose report names the least natural moment of everybody.

    Parameters
    ----------
    made : MadeShot
        The shot.
    stages : mapping of str to Stage
        By character.

    Returns
    -------
    MadeShot
    """
    naturalness = Naturalness()
    characters = {}
    for who, one in made.report.characters.items():
        stage = stages[who]
        odd = naturalness.judge(stage, stage.posed(made.motions[who]), stage.progress)
        oddest = None if odd is None else _oddest_of(odd, one.fps)
        characters[who] = replace(one, oddest=oddest)
    return replace(made, report=replace(made.report, characters=characters))


def _oddest_of(odd: OddSeries, fps: float) -> Oddest:
    """The least natural moment, as a report tells it."""
    worst = odd.worst
    at, start, end = (frame / fps for frame in (worst.frame, worst.first, worst.last))
    return Oddest(at, start, end, worst.value, worst.words, odd.share)
