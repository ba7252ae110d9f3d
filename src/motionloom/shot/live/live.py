"""A shot while it is edited: bent at once, searched for behind, and made as it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.moments import OddSeries
from motionloom.kinematics import run_compiled_from_now_on
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, interruptible, silent
from motionloom.shot.keeping import key_of
from motionloom.shot.live.cancelling import Cancel, cancellable, check, never
from motionloom.shot.live.joining import changed_windows, join_anew
from motionloom.shot.live.layers import lay_anew, layer_windows
from motionloom.shot.live.memory import FINISHED, Kept, Memory, RowKeeper
from motionloom.shot.live.others import other_motions
from motionloom.shot.live.reports import report_on
from motionloom.shot.live.results import Alternative, LiveCharacterReport, LiveResult, Quality
from motionloom.shot.live.rows import NOWHERE, Laid, Row, lay_quickly
from motionloom.shot.live.stages import LiveStage
from motionloom.shot.making import MadeShot, make_shot
from motionloom.shot.natural import Naturalness
from motionloom.shot.plan import Plan, plan_shot
from motionloom.shot.plan.checking import check_shot
from motionloom.shot.plan.meetings import place_meetings
from motionloom.shot.script import ClipSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.spans.clip import frames_of_clip
from motionloom.shot.stage import Place, Stage, State, state_of

#: Reads the clips of the cast of a shot; gives a stage by character.
Opener = Callable[[ShotFile, Progress], Mapping[str, Stage]]
#: Seconds for which a search goes on, one after the other.
BUDGETS = (0.3, 1.0, 3.0)
#: A score is better when it is smaller by more than this.
BETTER = 1e-3
#: Numbers of a motion that differ by less are the same.
SAME = 1e-9


@dataclass(frozen=True, eq=False)
class _Shown:
    """What is shown: rows by character, of which plan."""

    plan: Plan
    rows: Mapping[str, Row]
    score: float


@dataclass(eq=False)
class LiveShot:
    """A shot that is edited.

    Every call gives whole motions and says what of them differs from those given before. A call
    that is cancelled raises `Cancelled` and leaves everything as it was.

    Parameters
    ----------
    folder : Path, optional
        Where finished pieces are kept, as ``motionloom shot`` does; read too.
    opener : callable
        Reads the clips of a cast; called again only where other clips are asked for.
    progress : Progress
        Told of everything.
    """

    folder: Path | None
    opener: Opener
    progress: Progress = silent
    _memory: Memory = field(init=False)
    _opened: tuple[str, Mapping[str, Stage]] | None = None
    _planned: tuple[ShotFile, Plan] | None = None
    _base: _Shown | None = None
    _given: Mapping[str, tuple[Motion, FootContacts]] = field(default_factory=dict)
    _naturalness: Naturalness = field(default_factory=Naturalness)
    _unjudged: _Shown | None = None

    def __post_init__(self) -> None:
        self._memory = Memory(self.folder)

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

    def preview(self, file: ShotFile, cancel: Cancel = never) -> LiveResult:
        """What is there, bent to what is wished for now; no search.

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
        base = self._base
        rows = {}
        notes: tuple[str, ...] = ()
        for who, stage in stages.items():
            check(cancel)
            stage.is_quick = True
            known = None if base is None else base.rows.get(who)
            if known is None or not _is_same_body(stage, known):
                rows[who] = self._first_row(stage, plan, who)
                continue
            stage.before = known.before()
            rows[who], told = self._bent_row(stage, plan, who, known)
            notes = (*notes, *told)
        check(cancel)
        shown = _Shown(plan, rows, _score(rows))
        if base is None:
            self._base = shown
        return self._give(shown, "preview", notes)

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
        best: _Shown | None = None
        budgets = BUDGETS if budget is None else (budget,)
        for k, seconds in enumerate(budgets):
            stages, plan = self._open(file, cancel)
            with interruptible(lambda: check(cancel)):
                shown, made = self._make(stages, plan, seconds)
                is_better = best is None or shown.score < best.score - BETTER
                told = report_on(stages, plan, made, shown.rows) if is_better else None
            is_last = k == len(budgets) - 1 or self._is_finished(shown)
            if is_better:
                best = shown
                self._base = shown
                yield self._give(shown, "search", report=told)
            if is_last:
                return

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
        shown, made = self._make(stages, plan, FINISHED)
        self._base = shown
        return self._give(shown, "final", report=report_on(stages, plan, made, shown.rows))

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
        row = None if self._base is None else self._base.rows.get(who)
        return other_motions(stages, plan, (who, span), count, self._memory, row)

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
        shown = self._unjudged
        if shown is None or self._opened is None:
            return None
        stages = self._opened[1]
        progress = cancellable(cancel)
        judged = {}
        with interruptible(lambda: check(cancel)):
            for who, row in shown.rows.items():
                odd = self._naturalness.judge(stages[who], row.shown, progress)
                if odd is not None:
                    judged[who] = odd
        self._unjudged = None
        return judged

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

    def _bent_row(
        self, stage: LiveStage, plan: Plan, who: str, base: Row
    ) -> tuple[Row, tuple[str, ...]]:
        spans = lay_quickly(stage, plan, who, self._memory, base.spans)
        rule = plan.file.shot.joins
        windows = changed_windows(spans, base, rule, stage.fps)
        layers = plan.layers[who]
        over = layer_windows(stage, spans, layers, base)
        if not windows and not over and _stays(spans, base):
            return replace(base, spans=spans, layers=layers, rule=rule), ()
        joined = join_anew(stage, spans, base, rule)
        frames, notes = lay_anew(stage, spans, layers, base, joined, [*windows, *over])
        below, below_contacts = joined.done()
        shown, contacts = frames.done()
        row = Row(spans, layers, below, below_contacts, base.joins, rule, shown, contacts)
        return row, tuple(f"{who}: {text}" for text in notes)

    def _first_row(self, stage: LiveStage, plan: Plan, who: str) -> Row:
        """Everything that a character does, when nothing is shown yet."""
        keeper = RowKeeper(self._memory, 0.0)
        only = replace(
            plan, tracks={who: plan.tracks[who]}, layers={who: plan.layers[who]}, meetings=()
        )
        made = make_shot(only, {who: stage}, None, keeper)
        return _row(stage, only, who, keeper, made)

    def _make(
        self, stages: Mapping[str, LiveStage], plan: Plan, budget: float
    ) -> tuple[_Shown, MadeShot]:
        base = {} if self._base is None else self._base.rows
        for who, stage in stages.items():
            stage.trial = None if budget == FINISHED else min(budget, stage.budget)
            if who in base and _is_same_body(stage, base[who]):
                stage.before = base[who].before()
        keeper = RowKeeper(self._memory, budget)
        made = make_shot(plan, stages, self.folder if budget == FINISHED else None, keeper)
        rows = {who: _row(stages[who], plan, who, keeper, made) for who in plan.tracks}
        return _Shown(plan, rows, _score(rows)), made

    def _is_finished(self, shown: _Shown) -> bool:
        return all(one.kept.budget == FINISHED for row in shown.rows.values() for one in row.spans)

    def _give(
        self,
        shown: _Shown,
        quality: Quality,
        notes: tuple[str, ...] = (),
        report: Mapping[str, LiveCharacterReport] | None = None,
    ) -> LiveResult:
        """The result, with what differs from the one before."""
        given = {
            who: (_named(row.shown.motion, who), row.contacts) for who, row in shown.rows.items()
        }
        changed = {}
        for who, (motion, contacts) in given.items():
            window = _changed(self._given.get(who), motion, contacts)
            if window is not None:
                changed[who] = window
        bent = tuple(
            (who, one.planned.name)
            for who, row in shown.rows.items()
            for one in row.spans
            if one.is_bent
        )
        self._given = given
        self._unjudged = None if quality == "preview" else shown
        return LiveResult(
            quality=quality,
            motions={who: motion for who, (motion, _) in given.items()},
            contacts={who: contacts for who, (_, contacts) in given.items()},
            changed=changed,
            bent=bent if quality == "preview" else (),
            score=shown.score,
            notes=notes,
            report=report,
        )


def _named(motion: Motion, who: str) -> Motion:
    """A motion with a name; one that has it already stays as it is, bit by bit."""
    return motion if motion.name == who else replace(motion, name=who)


def _clips_of(file: ShotFile) -> str:
    """What of a file says which clips are read."""
    cast = {
        who: member.model_dump(mode="json", exclude={"start"})
        for who, member in file.shot.cast.items()
    }
    facts = [str(file.path.parent), file.shot.library, file.shot.fps, cast]
    return json.dumps(facts, sort_keys=True)


def _stays(spans: Sequence[Laid], base: Row) -> bool:
    """Whether spans are those that were there, and nothing else."""
    return len(spans) == len(base.spans) and all(
        one.source == k and one.kept is base.spans[k].kept for k, one in enumerate(spans)
    )


def _is_same_body(stage: LiveStage, row: Row) -> bool:
    """Whether motions of a stage can go on from what is shown."""
    own = stage.clips.clip_set.skeleton
    return row.joined.skeleton is own or row.joined.skeleton == own


def _row(stage: LiveStage, plan: Plan, who: str, keeper: RowKeeper, made: MadeShot) -> Row:
    """What a made shot shows of a character."""
    track = plan.tracks[who]
    start = plan.file.shot.cast[who].start
    state: State | Place = Place(stage.file.scaled(start.position), start.facing)
    spans = []
    for i, planned in enumerate(track):
        following = track[i + 1] if i + 1 < len(track) else None
        kept: Kept = keeper.rows[who, planned.name]
        piece = made.tracks[who].pieces[i]
        place = state if isinstance(state, Place) else state.place
        shape = key_of(stage, planned, NOWHERE, following)
        state = state_of(stage, piece)
        spans.append(Laid(planned, kept, piece, shape, place, state))
    joined = made.tracks[who].joined
    body = stage.clips.roles if stage.body is None else stage.body.target.roles
    shown = PosedMotion(made.motions[who], body)
    return Row(
        tuple(spans),
        plan.layers[who],
        joined.posed,
        joined.contacts,
        joined.joins,
        plan.file.shot.joins,
        shown,
        made.contacts[who],
    )


def _score(rows: Mapping[str, Row]) -> float:
    return float(sum(one.kept.score for row in rows.values() for one in row.spans))


def _changed(
    before: tuple[Motion, FootContacts] | None, motion: Motion, contacts: FootContacts
) -> tuple[int, int] | None:
    """First frame that differs and the one behind the last; None where none does."""
    count = motion.n_frames
    if before is None or before[0].rotations.shape[1:] != motion.rotations.shape[1:]:
        return 0, count
    old, old_contacts = before
    both = min(count, old.n_frames)
    differs = np.zeros(max(count, old.n_frames), bool)
    differs[both:] = True
    differs[:both] = (
        (np.abs(old.rotations[:both] - motion.rotations[:both]) > SAME).any(axis=(1, 2))
        | (np.abs(old.translations[:both] - motion.translations[:both]) > SAME).any(axis=(1, 2))
        | (old_contacts.down[:both] != contacts.down[:both]).any(axis=1)
    )
    frames = np.flatnonzero(differs)
    if not len(frames):
        return None
    # Of a motion that became shorter its last frame stands for those that are gone.
    return int(min(frames[0], count - 1)), int(min(frames[-1] + 1, count))
