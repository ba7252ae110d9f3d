"""A shot while it is edited: bent at once, searched for behind, and made as it is written.

Clips of a shot's cast, read once, and the plan of the shot as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.analysis.moments import OddSeries
from motionloom.errors import UnknownNameError
from motionloom.io.kept import KeptFolder
from motionloom.kinematics import run_compiled_from_now_on
from motionloom.progress import Progress, interruptible, silent
from motionloom.shot._keeping import Keeper, Kept
from motionloom.shot._natural import Naturalness
from motionloom.shot._tracks import make_span
from motionloom.shot.live._reports import report_on
from motionloom.shot.live._rows import Row
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.live.remaking import (
    Cancel,
    Shown,
    cancellable,
    check,
    made_rows,
    never,
    preview_rows,
)
from motionloom.shot.live.results import Alternative, LiveResult
from motionloom.shot.plan.checking import plan_of
from motionloom.shot.plan.planned import Plan, seed_of
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.stage import FINISHED, Stage
from motionloom.threads import one_thread

#: How long each is searched for, seconds.
BUDGET = 1.0
#: Points of a path over the ground.
POINTS = 40


def _alternative(stage: Stage, kept: Kept, seed: int, is_shown: bool) -> Alternative:
    piece = kept.piece
    body = stage.posed(piece.motion).body
    shown = np.round(np.linspace(0, len(body) - 1, min(POINTS, len(body)))).astype(int)
    path = body[shown, :2]
    return Alternative(
        seed, kept.score, path, piece.motion, piece.contacts, piece.rows, is_shown=is_shown
    )


#: Reads the clips of the cast of a shot; gives a stage by character.
Opener = Callable[[ShotFile, Progress], Mapping[str, Stage]]


def _clips_of(file: ShotFile) -> str:
    """What of a file says which clips are read."""
    cast = {
        who: member.model_dump(mode="json", exclude={"start"})
        for who, member in file.shot.cast.items()
    }
    facts = [str(file.path.parent), file.shot.library, file.shot.fps, cast]
    return json.dumps(facts, sort_keys=True)


#: Seconds for which a search goes on, one after the other.
BUDGETS = (0.3, 1.0, 3.0)
#: A score is better when it is smaller by more than this.
BETTER = 1e-3


@dataclass(eq=False)
class LiveShot:
    """A shot that is edited.

    Every call gives whole motions. A call that is cancelled raises `Cancelled` and leaves all
    as it was.

    Parameters
    ----------
    folder : KeptFolder, optional
        Where finished pieces are kept, as ``motionloom shot`` does; read too.
    opener : callable
        Reads the clips of a cast; called again only where other clips are asked for.
    progress : Progress
        Told of everything.
    """

    folder: KeptFolder | None
    opener: Opener
    progress: Progress = silent
    _keeper: Keeper = field(init=False)
    _opened: tuple[str, Mapping[str, Stage]] | None = None
    _planned: tuple[ShotFile, Plan] | None = None
    _base: Shown | None = None
    _naturalness: Naturalness = field(default_factory=Naturalness)
    _unjudged: tuple[Mapping[str, LiveStage], Shown] | None = None

    def __post_init__(self) -> None:
        self._keeper = Keeper(self.folder)

    @one_thread()
    def plan(self, file: ShotFile, cancel: Cancel = never) -> Plan:
        """When everything happens; reads the clips, where they are not read yet.

        Parameters
        ----------
        file : ShotFile
            The shot as it is now.
        cancel : callable
            Whether to give up.

        Returns
        -------
        Plan

        Raises
        ------
        MotionloomError
            When names or times do not go together, with the line.
        Cancelled
            When that was wanted.
        """
        return self._open(file, cancel)[1]

    @property
    def is_shown(self) -> bool:
        """Whether anything was made yet."""
        return self._base is not None

    def forget_clips(self) -> None:
        """Read clips anew with the next call, as files of them have changed."""
        self._opened = None

    @one_thread()
    def preview(self, file: ShotFile, cancel: Cancel = never) -> LiveResult:
        """What is there, bent to what is asked for; no search.

        Spans that have not changed are kept, those that only begin elsewhere are moved, walks are
        bent to their goals, and what is quick is made anew; joins and what lies over spans are made
        anew where something has changed.

        Parameters
        ----------
        file : ShotFile
            The shot as it is now.
        cancel : callable
            Whether to give up.

        Returns
        -------
        LiveResult

        Raises
        ------
        MotionloomError
            When it cannot be made, with the line.
        Cancelled
            When that was wanted.
        """
        stages, plan = self._open(file, cancel)
        shown = preview_rows(stages, plan, self._rows, self._keeper, cancel)
        check(cancel)
        if self._base is None:
            self._base = shown
        self._unjudged = None
        return shown.result("preview")

    @one_thread()
    def search(
        self, file: ShotFile, budget: float | None = None, cancel: Cancel = never
    ) -> Iterator[LiveResult]:
        """Motions that were searched for ever longer; only such that are better than the last.

        Parameters
        ----------
        file : ShotFile
            The shot as it is now.
        budget : float, seconds, optional
            How long a walk is searched for; one after the other of `BUDGETS` when not given.
        cancel : callable
            Whether to give up.

        Yields
        ------
        LiveResult
            With a report. The last one confirms what is shown: nothing in it is bent any more.

        Raises
        ------
        MotionloomError
            When it cannot be made, with the line.
        Cancelled
            When that was wanted.
        """
        best: Shown | None = None
        budgets = BUDGETS if budget is None else (budget,)
        for k, seconds in enumerate(budgets):
            stages, plan = self._open(file, cancel)
            with interruptible(lambda: check(cancel)):
                shown, made = made_rows(stages, plan, seconds, self._rows, self._keeper)
                is_better = best is None or shown.score < best.score - BETTER
                told = report_on(stages, plan, made, shown.rows) if is_better else None
            is_last = k == len(budgets) - 1 or shown.is_finished
            if is_better:
                best = shown
                self._base = shown
                self._unjudged = (stages, shown)
                yield shown.result("search", told)
            if is_last:
                return

    @one_thread()
    def final(self, file: ShotFile, cancel: Cancel = never) -> LiveResult:
        """The very motion that ``motionloom shot`` makes of the file.

        Parameters
        ----------
        file : ShotFile
            The shot as it is now.
        cancel : callable
            Whether to give up.

        Returns
        -------
        LiveResult
            With a report.

        Raises
        ------
        MotionloomError
            When it cannot be made, with the line.
        Cancelled
            When that was wanted.
        """
        stages, plan = self._open(file, cancel)
        shown, made = made_rows(stages, plan, FINISHED, self._rows, self._keeper)
        self._base = shown
        self._unjudged = (stages, shown)
        return shown.result("final", report_on(stages, plan, made, shown.rows))

    @one_thread()
    def alternatives(
        self, file: ShotFile, who: str, span: str, count: int = 4, cancel: Cancel = never
    ) -> tuple[Alternative, ...]:
        """Other motions of one span, of other seeds.

        Parameters
        ----------
        file : ShotFile
            The shot as it is now.
        who, span : str
            Character, and name of the span.
        count : int
            How many.
        cancel : callable
            Whether to give up.

        Returns
        -------
        tuple of Alternative
            Best first; what is shown now is among them.

        Raises
        ------
        MotionloomError
            When there is no such span, or it cannot be made.
        Cancelled
            When that was wanted.
        """
        stages, plan = self._open(file, cancel)
        names = [one.name for one in plan.tracks.get(who, ())]
        if span not in names:
            known = ", ".join(names) or "no spans"
            raise UnknownNameError(
                span, f"{who} has no span {span!r} of its own; there are {known}"
            )
        at = names.index(span)
        stage, planned = stages[who], plan.tracks[who][at]
        stage.trial = BUDGET
        shown = self._rows[who].spans if who in self._rows else ()
        begin = shown[at - 1].end if 0 < at <= len(shown) else stage.start_of(who)
        keeper = replace(self._keeper, budget=BUDGET)
        made = []
        for k in range(count):
            seed = planned.seed if k == 0 else seed_of(planned.seed, who, span, str(k))
            stage.progress(f"{who}: {span}", k, count)
            own = replace(planned, seed=seed, span=planned.span.model_copy(update={"seed": seed}))
            kept = make_span(stage, own, begin, keeper).kept
            made.append(_alternative(stage, kept, seed, is_shown=k == 0))
        return tuple(sorted(made, key=lambda one: one.score))

    def naturalness(self, cancel: Cancel = never) -> Mapping[str, OddSeries] | None:
        """How natural what was last searched for is, frame by frame; each motion is judged once.

        Parameters
        ----------
        cancel : callable
            Whether to give up.

        Returns
        -------
        mapping of str to OddSeries, or None
            By character, but for those of whom that cannot be said. None where there is nothing
            new to judge: a preview is shown, or what is shown was judged before.

        Raises
        ------
        Cancelled
            When that was wanted; what was learned of clips so far is learned again.
        """
        if self._unjudged is None:
            return None
        stages, shown = self._unjudged
        progress = cancellable(cancel)
        judged = {}
        with interruptible(lambda: check(cancel)):
            for who, row in shown.rows.items():
                odd = self._naturalness.judge(stages[who], row.shown, progress)
                if odd is not None:
                    judged[who] = odd
        self._unjudged = None
        return judged

    @property
    def _rows(self) -> Mapping[str, Row]:
        """What is shown, by character."""
        return {} if self._base is None else self._base.rows

    def _open(self, file: ShotFile, cancel: Cancel) -> tuple[dict[str, LiveStage], Plan]:
        """Stages for a file, and when everything happens in it."""
        progress = cancellable(cancel, self.progress)
        wanted = _clips_of(file)
        opened = self._opened
        if opened is None or opened[0] != wanted:
            opened = (wanted, self.opener(file, progress))
            for stage in opened[1].values():
                run_compiled_from_now_on(stage.clips.clip_set.motions[0])
        stages = {who: LiveStage.of(opened[1][who], file, progress) for who in file.shot.cast}

        if self._opened is opened and self._planned is not None and self._planned[0] is file:
            return stages, self._planned[1]
        plan = plan_of(file, stages)
        self._opened = opened
        self._planned = (file, plan)
        return stages, plan
