"""Tracks of all, made so that who walks goes around the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from motionloom.io.kept import KeptFolder
from motionloom.shot.detours import Collisions, Detours, find_collisions, with_detours
from motionloom.shot.keeping import Keeper
from motionloom.shot.layers import Layered, lay_under
from motionloom.shot.plan import Plan
from motionloom.shot.stage import Stage
from motionloom.shot.together import lay_out_meeting
from motionloom.shot.tracks import MadeSpan, Track, make_track

#: So often walks that lead through somebody are made anew.
DETOURS = 3


@dataclass(frozen=True, eq=False)
class _Try:
    """Tracks of all, made with detours, and who still walks through whom."""

    detours: Detours
    tracks: dict[str, Track]
    under: dict[str, Layered]
    found: Collisions

    @property
    def faults(self) -> tuple[int, float]:
        """How many problems there are, and how deep bodies are in each other."""
        pieces = [one.piece for track in self.tracks.values() for one in track.spans]
        joins = [join for track in self.tracks.values() for join in track.joined.joins]
        count = sum(len(piece.problems) for piece in pieces)
        count += sum(not join.is_good for join in joins)
        return len(self.found.depths) + count, sum(self.found.depths)


def make_tracks(
    plan: Plan, stages: Mapping[str, Stage], keeper: Keeper, kept: KeptFolder | None
) -> tuple[dict[str, Track], dict[str, Layered]]:
    """Tracks of all; walks that lead through somebody are made anew, around them.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    keeper : Keeper
        Where pieces are kept.
    kept : KeptFolder, optional
        Where joined motions, and what lies over them, are kept.

    Returns
    -------
    tracks : dict of str to Track
        By character.
    under : dict of str to Layered
        By character: the joined motions with what lies over them before anybody is met.

    Raises
    ------
    MotionloomError
        When a span cannot be made; the sentence begins with its line and name.
    """
    tried = _try(plan, stages, {}, None, (keeper, kept))
    best = tried
    for _ in range(DETOURS):
        detours = with_detours(tried.detours, tried.found.detours)
        if detours == tried.detours:
            break
        tried = _try(plan, stages, detours, tried, (keeper, kept))
        best = min(best, tried, key=lambda one: one.faults)
    if best is not tried:
        best = _try(plan, stages, best.detours, tried, (keeper, kept))
    return best.tracks, best.under


def _try(
    plan: Plan,
    stages: Mapping[str, Stage],
    detours: Detours,
    before: _Try | None,
    keeping: tuple[Keeper, KeptFolder | None],
) -> _Try:
    """Tracks made with detours; those of a try before stay where nothing of theirs changes."""
    keeper, kept = keeping
    tracks: dict[str, Track] = {}
    under = {}
    for who in plan.tracks:
        own = _of(who, detours)
        if before is not None and own == _of(who, before.detours):
            tracks[who] = before.tracks[who]
            under[who] = before.under[who]
            continue
        track = make_track(stages[who], plan, who, keeper, kept, own)
        tracks[who] = track if before is None else _with_kept(track, before.tracks[who])
        joined = track.joined
        under[who] = lay_under(stages[who], plan.layers[who], joined.posed, joined.contacts, kept)
    events = [lay_out_meeting(plan, one, stages, under) for one in plan.meetings]
    bodies = {who: one.posed for who, one in under.items()}
    return _Try(detours, tracks, under, find_collisions(plan, events, bodies, detours))


def _of(who: str, detours: Detours) -> Detours:
    """Detours of one character."""
    return {which: own for which, own in detours.items() if which[0] == who}


def _with_kept(track: Track, before: Track) -> Track:
    """A track in which what was made a moment ago is none of a run before."""

    def marked(one: MadeSpan, old: MadeSpan) -> MadeSpan:
        return replace(one, was_kept=one.was_kept and old.was_kept)

    return replace(track, spans=tuple(map(marked, track.spans, before.spans)))
