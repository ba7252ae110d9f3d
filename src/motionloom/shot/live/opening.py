"""Clips of a shot's cast, read once, and the plan of the shot as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from motionloom.kinematics import run_compiled_from_now_on
from motionloom.progress import Progress, silent
from motionloom.shot.live.cancelling import Cancel, cancellable
from motionloom.shot.live.stages import LiveStage
from motionloom.shot.plan import Plan, plan_shot
from motionloom.shot.plan.checking import check_shot
from motionloom.shot.plan.meetings import place_meetings
from motionloom.shot.script import ClipSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.spans.clip import frames_of_clip
from motionloom.shot.stage import Stage

#: Reads the clips of the cast of a shot; gives a stage by character.
Opener = Callable[[ShotFile, Progress], Mapping[str, Stage]]


@dataclass(eq=False)
class OpenedShot:
    """What was read for a shot, as long as it asks for the same clips.

    Parameters
    ----------
    opener : callable
        Reads the clips of a cast; called again only where other clips are asked for.
    progress : Progress
        Told of everything.
    """

    opener: Opener
    progress: Progress = silent
    _opened: tuple[str, Mapping[str, Stage]] | None = None
    _planned: tuple[ShotFile, Plan] | None = None

    def forget_clips(self) -> None:
        """Read clips anew with the next call, as files of them have changed."""
        self._opened = None

    def open(self, file: ShotFile, cancel: Cancel) -> tuple[dict[str, LiveStage], Plan]:
        """Stages for a file, and when everything happens in it.

        Parameters
        ----------
        file : ShotFile
            The shot as it is.
        cancel : callable
            Whether to give up.

        Returns
        -------
        tuple of (dict of str to LiveStage, Plan)
            Stages by character.

        Raises
        ------
        MotionloomError
            When clips cannot be read, or names or times do not go together.
        Cancelled
            When that was wanted.
        """
        progress = cancellable(cancel, self.progress)
        wanted = _clips_of(file)
        opened = self._opened
        if opened is None or opened[0] != wanted:
            opened = (wanted, self.opener(file, progress))
            for stage in opened[1].values():
                run_compiled_from_now_on(stage.clips.clip_set.motions[0])
        stages = {who: LiveStage.of(opened[1][who], file, progress) for who in file.shot.cast}

        def length(who: str, span: ClipSpan) -> float:
            first, stop = frames_of_clip(stages[who], span)
            return (stop - first - 1) / file.shot.fps

        if self._opened is opened and self._planned is not None and self._planned[0] is file:
            return stages, self._planned[1]
        plan = place_meetings(plan_shot(file, length), stages)
        check_shot(plan, stages)
        self._opened = opened
        self._planned = (file, plan)
        return stages, plan


def _clips_of(file: ShotFile) -> str:
    """What of a file says which clips are read."""
    cast = {
        who: member.model_dump(mode="json", exclude={"start"})
        for who, member in file.shot.cast.items()
    }
    facts = [str(file.path.parent), file.shot.library, file.shot.fps, cast]
    return json.dumps(facts, sort_keys=True)
