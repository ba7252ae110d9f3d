"""A shot while it is edited: bent at once, searched for behind, and made as it is written.

Clips of a shot's cast, read once, and the plan of the shot as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.analysis.moments import OddSeries
from motionloom.constraints.joints import find_joints
from motionloom.edit.posture import meet_targets
from motionloom.edit.reach import Target
from motionloom.edit.retarget import retarget_motion
from motionloom.errors import MotionloomError, UnknownNameError
from motionloom.io.kept import KeptFolder
from motionloom.kinematics import run_compiled_from_now_on
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, interruptible, silent
from motionloom.shot._keeping import Keeper, Kept, key_of
from motionloom.shot._natural import Naturalness
from motionloom.shot.joining import Joined
from motionloom.shot.layers import constraint_of
from motionloom.shot.live._rows import (
    NOWHERE,
    Change,
    Frames,
    Laid,
    Row,
    Windows,
    changed_windows,
    join_anew,
    lay_quickly,
    merged,
)
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.live.results import (
    Alternative,
    LiveCharacterReport,
    LiveQuality,
    LiveResult,
    report_on,
)
from motionloom.shot.making import MadeShot, make_shot, make_span
from motionloom.shot.plan.checking import plan_of
from motionloom.shot.plan.planned import Plan, PlannedSpan, seed_of
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import ReachSpan
from motionloom.shot.stage import FINISHED, Stage
from motionloom.threads import one_thread

#: Says whether work is to be given up.
Cancel = Callable[[], bool]


class Cancelled(Exception):
    """Nobody waits for the result any more; nothing has changed."""


def never() -> bool:
    """Work that is never given up."""
    return False


def cancellable(cancel: Cancel, progress: Progress = silent) -> Progress:
    """Progress that gives work up.

    Parameters
    ----------
    cancel : callable
        Says whether to.
    progress : Progress
        Told of everything.

    Returns
    -------
    Progress
        Raises `Cancelled` wherever work tells how far it is.
    """

    def report(stage: str, done: float, total: float) -> None:
        check(cancel)
        progress(stage, done, total)

    return report


def check(cancel: Cancel) -> None:
    """Give up, if that is wanted.

    Raises
    ------
    Cancelled
        If it is.
    """
    if cancel():
        raise Cancelled


@dataclass(frozen=True, eq=False)
class Shown:
    """What is shown of a shot.

    Parameters
    ----------
    rows : mapping of str to Row
        By character.
    """

    rows: Mapping[str, Row]

    @property
    def score(self) -> float:
        """How far its spans were bent, and their transitions; smaller is better."""
        return float(sum(one.kept.score for row in self.rows.values() for one in row.spans))

    @property
    def is_finished(self) -> bool:
        """Whether a longer search would make no other."""
        spans = (one for row in self.rows.values() for one in row.spans)
        return all(one.kept.budget == FINISHED for one in spans)

    def result(
        self, quality: LiveQuality, report: Mapping[str, LiveCharacterReport] | None = None
    ) -> LiveResult:
        """Its motions, and which spans of a preview no search has confirmed yet."""
        spans = [(who, one) for who, row in self.rows.items() for one in row.spans]
        bent = [(who, one.planned.name) for who, one in spans if one.kept.budget == 0]
        return LiveResult(
            quality=quality,
            motions={who: _named(row.shown.motion, who) for who, row in self.rows.items()},
            contacts={who: row.contacts for who, row in self.rows.items()},
            bent=tuple(bent) if quality == "preview" else (),
            score=self.score,
            report=report,
        )


def _named(motion: Motion, who: str) -> Motion:
    """A motion with a name; one that has it already stays as it is, bit by bit."""
    return motion if motion.name == who else replace(motion, name=who)


def preview_rows(
    stages: Mapping[str, LiveStage],
    plan: Plan,
    base: Mapping[str, Row],
    keeper: Keeper,
    cancel: Cancel,
) -> Shown:
    """What is there, bent to what is asked for; no search.

    Parameters
    ----------
    stages : mapping of str to LiveStage
        By character.
    plan : Plan
        What happens when.
    base : mapping of str to Row
        What is shown, by character.
    keeper : Keeper
        Pieces that are known.
    cancel : callable
        Whether to give up.

    Returns
    -------
    Shown
    """
    rows = {}
    for who, stage in stages.items():
        check(cancel)
        stage.is_quick = True
        known = base.get(who)
        if known is None or not _is_same_body(stage, known):
            rows[who] = _first_row(stage, plan, who, keeper)
        else:
            rows[who] = _bent_row(stage, plan, who, known, keeper)
    return Shown(rows)


def made_rows(
    stages: Mapping[str, LiveStage],
    plan: Plan,
    budget: float,
    base: Mapping[str, Row],
    keeper: Keeper,
) -> tuple[Shown, MadeShot]:
    """A shot made as the command line makes it, but for how long is searched.

    Parameters
    ----------
    stages : mapping of str to LiveStage
        By character.
    plan : Plan
        What happens when.
    budget : float, seconds
        How long a walk is searched for; `FINISHED` for the very shot of the command line.
    base : mapping of str to Row
        What is shown, by character.
    keeper : Keeper
        Pieces that are known.

    Returns
    -------
    tuple of (Shown, MadeShot)
    """
    for who, stage in stages.items():
        stage.trial = None if budget == FINISHED else min(budget, stage.budget)
        if who in base and _is_same_body(stage, base[who]):
            stage.before = base[who].before()
    made = make_shot(plan, stages, keeper=replace(keeper, budget=budget))
    rows = {who: _row_of(stages[who], plan, who, made) for who in plan.tracks}
    return Shown(rows), made


def _first_row(stage: LiveStage, plan: Plan, who: str, keeper: Keeper) -> Row:
    """Everything that a character does, when nothing is shown yet."""
    only = replace(
        plan, tracks={who: plan.tracks[who]}, layers={who: plan.layers[who]}, meetings=()
    )
    made = make_shot(only, {who: stage}, keeper=replace(keeper, budget=0.0))
    return _row_of(stage, only, who, made)


def _bent_row(stage: LiveStage, plan: Plan, who: str, base: Row, keeper: Keeper) -> Row:
    """Everything that a character does, bent out of what is shown; no search."""
    stage.before = base.before()
    layers, rule = plan.layers[who], plan.file.shot.joins
    change = Change(stage, base, lay_quickly(stage, plan, who, keeper, base.spans), layers, rule)
    spans = change.spans
    windows = changed_windows(change)
    over = layer_windows(change)
    if not windows and not over and _stays(spans, base):
        return replace(base, spans=spans, layers=layers, rule=rule)
    joined = join_anew(change)
    frames = lay_anew(change, joined, [*windows, *over])
    shown, contacts = frames.done()
    whole = Joined(*joined.done(), base.joined.joins)
    return Row(spans, layers, joined=whole, rule=rule, shown=shown, contacts=contacts)


def _stays(spans: Sequence[Laid], base: Row) -> bool:
    """Whether spans are those that were there, and nothing else."""
    pairs = zip(spans, base.spans, strict=False)
    is_same = all(one.source == k and one.kept is old.kept for k, (one, old) in enumerate(pairs))
    return len(spans) == len(base.spans) and is_same


def _is_same_body(stage: LiveStage, row: Row) -> bool:
    """Whether motions of a stage can go on from what is shown."""
    own = stage.clips.clip_set.skeleton
    return row.joined.posed.skeleton == own


def _row_of(stage: LiveStage, plan: Plan, who: str, made: MadeShot) -> Row:
    """What a made shot shows of a character."""
    track = made.tracks[who]
    shapes = [key_of(stage, p, NOWHERE) for p in plan.tracks[who]]
    spans = zip(track.spans, shapes, strict=True)
    return Row(
        spans=tuple(Laid(**vars(one), shape=shape) for one, shape in spans),
        layers=plan.layers[who],
        joined=track.joined,
        rule=plan.file.shot.joins,
        shown=PosedMotion(made.motions[who], stage.last_body.roles),
        contacts=made.contacts[who],
    )


#: A hand leaves for a point, and is back, at most so long before and after, seconds.
WAY = 1.6
#: A motion is carried over to another body with so much beside what is shown, seconds.
BESIDE = 0.5


def lay_anew(change: Change, joined: Frames, windows: Windows) -> Frames:
    """Lay over a motion what lies over it, quickly.

    Reaches are made by bending one limb; corrections by physics stay where nothing below them has
    changed.

    Parameters
    ----------
    change : Change
        What is shown now, and what was.
    joined : Frames
        The motion below.
    windows : list of (int, int)
        Where that, or what lies over it, is not as it was.

    Returns
    -------
    Frames
        The motion in the end; what it lacks is left for the search.
    """
    windows = merged(windows, change.count)
    shown = Frames.of(change, change.base.shown, change.base.contacts)
    body = change.stage.body
    for first, away in joined.taken:
        shown.take_along(first, away if body is None else body.ratio * away)
    for window in windows:
        _show(change, joined, shown, window)
    for window in windows:
        _reach(change, shown, window)
    return shown


def _show(change: Change, joined: Frames, shown: Frames, window: tuple[int, int]) -> None:
    """Show joined frames, on the body that there is in the end."""
    first, stop = window
    body = change.stage.body
    if body is None:
        shown.write(first, joined.motion(slice(*window)), joined.down[first:stop])
        return
    beside = change.frames(BESIDE)
    begin = max(first - beside, 0)
    made = retarget_motion(joined.cut(slice(begin, stop + beside)), body.own, body.target)
    shown.write(first, made.posed.motion[first - begin : stop - begin])


def layer_windows(change: Change) -> Windows:
    """Frames around reaches that are new, gone, changed, or over what has moved below them.

    Parameters
    ----------
    change : Change
        What is shown now, and what was.

    Returns
    -------
    list of (int, int)
        First frame and the one behind the last.
    """
    known = {one.name: one for one in change.base.layers if isinstance(one.span, ReachSpan)}
    windows = []
    for one in change.layers:
        old = known.get(one.name)
        if old is not None and one.kind == "reach" and _is_as_it_was(change, one, old):
            del known[one.name]
        elif isinstance(one.span, ReachSpan):
            windows.append(_span_of(change, one))
    for old in known.values():
        windows += _where_now(change, _span_of(change, old))
    return windows


def _is_as_it_was(change: Change, one: PlannedSpan, old: PlannedSpan) -> bool:
    below = [
        (span, then)
        for span, then in change.sources()
        if _overlaps((span.planned.first, span.planned.last + 1), _span_of(change, one))
    ]
    stays = all(
        then is not None
        and span.moved == GroundTransform()
        and span.planned.first - then.first == one.first - old.first
        for span, then in below
    )
    return stays and _asked(change.stage, one) == _asked(change.stage, old)


def _asked(stage: LiveStage, one: PlannedSpan) -> tuple[object, ...]:
    """What a reach asks for; not when."""
    asked = constraint_of(stage, one)
    return asked.joint, asked.position, asked.look_at, one.last - one.first


def _where_now(change: Change, window: tuple[int, int]) -> Windows:
    """Where frames that were shown are now."""
    found = []
    for one, old in change.sources():
        if old is not None and _overlaps((old.first, old.last + 1), window):
            shift = one.planned.first - old.first
            found.append((max(window[0], old.first) + shift, min(window[1], old.last + 1) + shift))
    return found


def _span_of(change: Change, one: PlannedSpan) -> tuple[int, int]:
    way = change.frames(WAY)
    return one.first - way, one.last + way + 1


def _overlaps(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _reach(change: Change, shown: Frames, window: tuple[int, int]) -> None:
    """Bring hands to points within a window; what cannot be met is left for the search."""
    first, stop = window
    begin = max(first - change.frames(WAY), 0)
    end = min(stop + change.frames(WAY), change.count)
    reaches = [one for one in change.layers if isinstance(one.span, ReachSpan)]
    own = [one for one in reaches if _overlaps(_span_of(change, one), window)]
    if not own:
        return
    inside = [one for one in own if begin <= one.first and one.last < end]
    try:
        made = _bring(change.stage, inside, shown.cut(slice(begin, end)), begin)
    except MotionloomError:
        return
    shown.write(first, made.motion[first - begin : stop - begin])


def _bring(
    stage: LiveStage, reaches: Sequence[PlannedSpan], posed: PosedMotion, begin: int
) -> PosedMotion:
    asked = [(one, constraint_of(stage, one)) for one in reaches]
    targets = [
        Target(
            frame=one.first - begin,
            joint=find_joints([target.joint], posed.skeleton, posed.roles)[0],
            position=np.array(target.position),
            last=one.last - begin,
            priority=target.priority,
        )
        for one, target in asked
        if target.position is not None  # the eyes are left for the search
    ]
    return meet_targets(posed, targets) if targets else posed


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
