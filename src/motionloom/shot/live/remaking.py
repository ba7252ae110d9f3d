"""Rows of characters remade: bent out of what is shown, or made as the command line makes them.

What was given last, so that every result says what of it differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.shot._keeping import key_of
from motionloom.shot.joining import Joined
from motionloom.shot.live._joining import changed_windows, join_anew
from motionloom.shot.live._layers import lay_anew, layer_windows
from motionloom.shot.live._rows import FINISHED, NOWHERE, Laid, Memory, Row, RowKeeper, lay_quickly
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.live.results import LiveCharacterReport, LiveResult, Quality
from motionloom.shot.making import MadeShot, make_shot
from motionloom.shot.plan.planned import Plan

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
        self, quality: Quality, report: Mapping[str, LiveCharacterReport] | None = None
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
    memory: Memory,
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
    memory : Memory
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
            rows[who] = _first_row(stage, plan, who, memory)
        else:
            rows[who] = _bent_row(stage, plan, who, known, memory)
    return Shown(rows)


def made_rows(
    stages: Mapping[str, LiveStage],
    plan: Plan,
    budget: float,
    base: Mapping[str, Row],
    memory: Memory,
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
    memory : Memory
        Pieces that are known.

    Returns
    -------
    tuple of (Shown, MadeShot)
    """
    for who, stage in stages.items():
        stage.trial = None if budget == FINISHED else min(budget, stage.budget)
        if who in base and _is_same_body(stage, base[who]):
            stage.before = base[who].before()
    keeper = RowKeeper(memory=memory, budget=budget)
    made = make_shot(plan, stages, keeper=keeper)
    rows = {who: _row_of(stages[who], plan, who, keeper, made) for who in plan.tracks}
    return Shown(rows), made


def _first_row(stage: LiveStage, plan: Plan, who: str, memory: Memory) -> Row:
    """Everything that a character does, when nothing is shown yet."""
    keeper = RowKeeper(memory=memory, budget=0.0)
    only = replace(
        plan, tracks={who: plan.tracks[who]}, layers={who: plan.layers[who]}, meetings=()
    )
    made = make_shot(only, {who: stage}, keeper=keeper)
    return _row_of(stage, only, who, keeper, made)


def _bent_row(stage: LiveStage, plan: Plan, who: str, base: Row, memory: Memory) -> Row:
    """Everything that a character does, bent out of what is shown; no search."""
    stage.before = base.before()
    spans = lay_quickly(stage, plan, who, memory, base.spans)
    rule = plan.file.shot.joins
    windows = changed_windows(spans, base, rule, stage.fps)
    layers = plan.layers[who]
    over = layer_windows(stage, spans, layers, base)
    if not windows and not over and _stays(spans, base):
        return replace(base, spans=spans, layers=layers, rule=rule)
    joined = join_anew(stage, spans, base, rule)
    frames = lay_anew(stage, spans, layers, base, joined, [*windows, *over])
    below, below_contacts = joined.done()
    shown, contacts = frames.done()
    whole = Joined(below, below_contacts, base.joined.joins)
    return Row(spans, layers, joined=whole, rule=rule, shown=shown, contacts=contacts)


def _stays(spans: Sequence[Laid], base: Row) -> bool:
    """Whether spans are those that were there, and nothing else."""
    return len(spans) == len(base.spans) and all(
        one.source == k and one.kept is base.spans[k].kept for k, one in enumerate(spans)
    )


def _is_same_body(stage: LiveStage, row: Row) -> bool:
    """Whether motions of a stage can go on from what is shown."""
    own = stage.clips.clip_set.skeleton
    return row.joined.posed.skeleton == own


def _row_of(stage: LiveStage, plan: Plan, who: str, keeper: RowKeeper, made: MadeShot) -> Row:
    """What a made shot shows of a character."""
    spans = []
    for one in made.tracks[who].spans:
        planned = one.planned
        kept = keeper.rows[who, planned.name]
        place = one.begin.place
        shape = key_of(stage, planned, NOWHERE, plan.following(planned))
        spans.append(Laid(planned, kept, one.piece, shape, place, one.end))
    body = stage.clips.roles if stage.body is None else stage.body.target.roles
    return Row(
        spans=tuple(spans),
        layers=plan.layers[who],
        joined=made.tracks[who].joined,
        rule=plan.file.shot.joins,
        shown=PosedMotion(made.motions[who], body),
        contacts=made.contacts[who],
    )
