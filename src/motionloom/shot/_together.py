"""Meetings on motions: where joints of two characters meet, how well, and who is in whose way.

Tracks of all, made so that who walks goes around the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import JointConstraint
from motionloom.constraints.kinds.ground import ground_heights
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.scene.check import EventGeometry, check_event, measure_overlaps
from motionloom.scene.placement import Relation, find_joint, find_relation, meeting_points
from motionloom.scene.report import EventOutcome, PairOverlap
from motionloom.shot._detours import Collisions, Detours, find_collisions, with_detours
from motionloom.shot._keeping import Keeper
from motionloom.shot._tracks import MadeSpan, Track, make_track
from motionloom.shot.layers import Layered, joint_at, lay_under
from motionloom.shot.plan.planned import Plan, PlannedMeeting
from motionloom.shot.stage import Stage

#: Hands are brought to where they meet, and back, in this time, seconds.
EASE = 0.9
#: Hips stay where they stand as far as what meets lets them: their layer.
STAYS = 2

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
    plan: Plan, stages: Mapping[str, Stage], keeper: Keeper
) -> tuple[dict[str, Track], dict[str, Layered]]:
    """Tracks of all; walks that lead through somebody are made anew, around them.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.
    keeper : Keeper
        Where pieces, joined motions and what lies over them are kept.

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
    tried = _try(plan, stages, {}, None, keeper)
    best = tried
    for _ in range(DETOURS):
        detours = with_detours(tried.detours, tried.found.detours)
        if detours == tried.detours:
            break
        tried = _try(plan, stages, detours, tried, keeper)
        best = min(best, tried, key=lambda one: one.faults)
    if best is not tried:
        best = _try(plan, stages, best.detours, tried, keeper)
    return best.tracks, best.under


def _try(
    plan: Plan,
    stages: Mapping[str, Stage],
    detours: Detours,
    before: _Try | None,
    keeper: Keeper,
) -> _Try:
    """Tracks made with detours; those of a try before stay where nothing of theirs changes."""
    tracks: dict[str, Track] = {}
    under = {}
    for who in plan.tracks:
        own = _of(who, detours)
        if before is not None and own == _of(who, before.detours):
            tracks[who] = before.tracks[who]
            under[who] = before.under[who]
            continue
        track = make_track(stages[who], plan, who, keeper, own)
        tracks[who] = track if before is None else _with_kept(track, before.tracks[who])
        under[who] = lay_under(stages[who], plan.layers[who], track.joined, keeper.folder)
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


def lay_out_meeting(
    plan: Plan, one: PlannedMeeting, stages: Mapping[str, Stage], made: Mapping[str, Layered]
) -> EventGeometry:
    """Find where joints meet, from where both stand.

    Parameters
    ----------
    plan : Plan
        What happens when.
    one : PlannedMeeting
        The meeting.
    stages : mapping of str to Stage
        By character.
    made : mapping of str to Layered
        By character: the motion on the body that there is in the end, before anything reaches.

    Returns
    -------
    EventGeometry
    """
    event = one.meet.at(round(one.first / plan.fps, 3))
    clips = {who: _clips_of(stages[who], made[who].posed) for who in event.between}
    first, second = (made[who].posed.body[one.first] for who in event.between)
    seen = Relation.of_bodies(first, second)
    middle = 0.5 * (first[:2] + second[:2])
    spot = GroundTransform(float(np.arctan2(*(second - first)[:2])), *middle.tolist())
    level = np.zeros(3)
    if plan.file.shot.ground and all(stages[who].body is None for who in event.between):
        level[1] = float(ground_heights(plan.file.shot.ground, middle))
    points = [meeting_points(event, joints, seen, spot, clips) for joints in event.joints]
    told = [joints.position is not None for joints in event.joints]
    return EventGeometry(
        event=event,
        spot=spot,
        relation=find_relation(event, {who: stages[who].clips.clip_set for who in event.between}),
        frames=(one.first, one.last),
        joints=tuple(
            (
                find_joint(clips[event.between[0]], joints.first),
                find_joint(clips[event.between[1]], joints.second),
            )
            for joints in event.joints
        ),
        points=tuple(
            pair if is_told else (pair[0] + level, pair[1] + level)
            for pair, is_told in zip(points, told, strict=True)
        ),
    )


def _clips_of(stage: Stage, posed: PosedMotion) -> ClipSet:
    """What tells how the body holds its joints: the clips, or its own motion where it is another
    body.
    """
    if stage.body is None:
        return stage.clips.clip_set
    return ClipSet(
        motions=(posed.motion,),
        roles=posed.roles,
        starts=np.array([0, posed.n_frames]),
        positions=posed.positions,
        body=posed.body,
        fps=posed.fps,
    )


def joints_of(
    events: Sequence[EventGeometry], who: str, posed: PosedMotion
) -> tuple[JointConstraint, ...]:
    """What meetings ask of the joints of a character: those that meet, and the hips stay.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    who : str
        The character.
    posed : PosedMotion
        Theirs, before anything reaches.

    Returns
    -------
    tuple of JointConstraint
    """
    asked = []
    for one in events:
        event = one.event
        if who not in event.between:
            continue
        k = event.between.index(who)
        hips = posed.roles.joints["hips"]
        stays = {
            "joint": posed.skeleton.names[hips],
            "position": posed.positions[one.frames[0], hips].tolist(),
            "priority": STAYS,
        }
        meets = [
            {"joint": (joints.first, joints.second)[k], "position": points[k].tolist()}
            for joints, points in zip(event.joints, one.points, strict=True)
        ]
        whole = [stays, *meets] if meets else []
        asked += [joint_at(event.time, event.hold, EASE, facts) for facts in whole]
    return tuple(asked)


def check_meetings(
    events: Sequence[EventGeometry], before: Mapping[str, Layered], after: Mapping[str, Layered]
) -> tuple[tuple[EventOutcome, ...], tuple[PairOverlap, ...]]:
    """Measure meetings, and how deep characters are in each other besides.

    Parameters
    ----------
    events : sequence of EventGeometry
        Of `lay_out_meeting`.
    before, after : mapping of str to Layered
        By character, before and after joints were brought together.

    Returns
    -------
    outcomes : tuple of EventOutcome
        One for each.
    overlaps : tuple of PairOverlap
        One for every two characters.
    """
    old = {who: one.posed for who, one in before.items()}
    new = {who: one.posed for who, one in after.items()}
    outcomes = tuple(check_event(event, old, new) for event in events)
    return outcomes, measure_overlaps(events, new)
