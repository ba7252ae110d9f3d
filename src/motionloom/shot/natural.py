"""How natural the motions of a shot are, moment by moment, among the clips they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from motionloom.analysis.moments import (
    MomentJudge,
    OddSeries,
    fit_moment_judge,
    load_moment_judge,
    save_moment_judge,
)
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress
from motionloom.shot.making import MadeShot
from motionloom.shot.report import Oddest
from motionloom.shot.stage import Stage
from motionloom.threads import one_thread

#: What begins the name of a file with what was learned, and how many of them there are.
PREFIX, MOST_KEPT = "moments-", 3


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
    path = (
        None if stage.methods.folder is None else stage.methods.folder / f"{PREFIX}{name[:24]}.npz"
    )
    if path is not None:
        with suppress(FormatError):  # none yet, or another version's
            return load_moment_judge(path, name, roles, clips.skeleton.n_joints)
    try:
        judge = fit_moment_judge([PosedMotion(m, roles) for m in clips.motions], progress=progress)
    except InvalidInputError:
        return None
    if path is not None:
        # What cannot be kept is learned again.
        with suppress(OSError, MotionloomError):
            path.parent.mkdir(parents=True, exist_ok=True)
            save_moment_judge(judge, path, name)
            _drop_old(path.parent)
    return judge


def _drop_old(folder: Path) -> None:
    """Remove what was learned of clips that have not been used for long."""
    kept = sorted(folder.glob(f"{PREFIX}*.npz"), key=lambda one: one.stat().st_mtime)
    for old in kept[:-MOST_KEPT]:
        old.unlink()


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
        oddest = None if odd is None else oddest_of(odd, one.fps)
        characters[who] = replace(one, oddest=oddest)
    return replace(made, report=replace(made.report, characters=characters))


def oddest_of(odd: OddSeries, fps: float) -> Oddest:
    """The least natural moment, as a report tells it."""
    worst = odd.worst
    return Oddest(
        time=worst.frame / fps,
        start=worst.first / fps,
        end=worst.last / fps,
        value=worst.value,
        words=worst.words,
        share=odd.share,
    )
