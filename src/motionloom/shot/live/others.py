"""Other motions of one span, to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom.errors import UnknownNameError
from motionloom.shot.live.results import Alternative
from motionloom.shot.live.rows import Memory, Row, RowKeeper
from motionloom.shot.live.stages import Kept, LiveStage
from motionloom.shot.plan.planned import Plan, seed_of
from motionloom.shot.stage import Place, Stage, State
from motionloom.shot.tracks import make_span

#: How long each is searched for, seconds.
BUDGET = 1.0
#: Points of a path over the ground.
POINTS = 40


def other_motions(
    stages: Mapping[str, LiveStage],
    plan: Plan,
    which: tuple[str, str],
    count: int,
    memory: Memory,
    row: Row | None,
) -> tuple[Alternative, ...]:
    """Other motions of one span, of other seeds.

    Parameters
    ----------
    stages : mapping of str to LiveStage
        By character.
    plan : Plan
        What happens when.
    which : tuple of (str, str)
        Character, and name of the span.
    count : int
        How many.
    memory : Memory
        Pieces that are known.
    row : Row, optional
        What is shown.

    Returns
    -------
    tuple of Alternative
        Best first.

    Raises
    ------
    UnknownNameError
        When there is no such span.
    """
    who, name = which
    names = [one.name for one in plan.tracks.get(who, ())]
    if name not in names:
        known = ", ".join(names) or "no spans"
        raise UnknownNameError(name, f"{who} has no span {name!r} of its own; there are {known}")
    at = names.index(name)
    planned = plan.tracks[who][at]
    following = plan.following(planned)
    stage = stages[who]
    stage.trial = BUDGET
    begin = _begin(stage, who, at, row)
    made = []
    for k in range(count):
        seed = planned.seed if k == 0 else seed_of(planned.seed, who, name, str(k))
        stage.progress(f"{who}: {name}", k, count)
        own = replace(planned, seed=seed, span=planned.span.model_copy(update={"seed": seed}))
        keeper = RowKeeper(memory=memory, budget=BUDGET)
        make_span(stage, own, begin, following, keeper)
        kept = keeper.rows[who, name]
        made.append(_alternative(stage, kept, seed, is_shown=k == 0))
    return tuple(sorted(made, key=lambda one: one.score))


def _begin(stage: Stage, who: str, at: int, row: Row | None) -> State | Place:
    """What a span begins with, as it is shown."""
    if at and row is not None and len(row.spans) >= at:
        return row.spans[at - 1].state
    return stage.start_of(who)


def _alternative(stage: Stage, kept: Kept, seed: int, is_shown: bool) -> Alternative:
    piece = kept.piece
    body = stage.posed(piece.motion).body
    shown = np.round(np.linspace(0, len(body) - 1, min(POINTS, len(body)))).astype(int)
    return Alternative(
        seed=seed,
        score=kept.score,
        path=body[shown, :2],
        motion=piece.motion,
        contacts=piece.contacts,
        rows=piece.rows,
        is_shown=is_shown,
    )
