"""From pose to pose."""

from __future__ import annotations

from dataclasses import replace

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.clip_set import ClipSet
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.shot._handover.bridging import Filled, Side, carried, end_to_end, fill_gap, moved_to
from motionloom.shot.plan.planned import PlannedSpan, place_of
from motionloom.shot.script.span_fields import BetweenSpan, Key
from motionloom.shot.stage import BRIDGING, Piece, Place, Stage, State
from motionloom.synthesis.bridges import Bridge
from motionloom.typing import Array

#: A body that goes on, or comes to a speed, does so within this time, seconds.
CARRIED = 1.2
#: Gaps that last longer, seconds, or whose steps are harder, have feet as in-betweening has them.
LONGEST, MOST_STRAIN = 1.6, 3.0
#: Frames of a clip behind a key's pose tell how fast it is shown, seconds.
GOES_ON = 0.2


def check(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse keys that cannot be shown.

    Raises
    ------
    FormatError
        When nothing comes before the span, a key is not behind the one before it, is behind the
        end of the span, or names what there is not; with the line.
    """
    span = planned.of(BetweenSpan)
    if planned.first == 0:
        raise stage.file.fault(
            planned.where,
            f"{planned.name} begins with nothing, and goes from pose to pose; put a clip or an idle"
            " before it",
        )
    before = planned.first
    for i, (key, time) in enumerate(zip(span.keys, planned.keys, strict=True)):
        if round(time * stage.fps) <= before:
            raise stage.file.fault(
                (*planned.where, "keys", i, "time"),
                f"at {time:.2f} s {planned.name} has not begun, or the key before is still shown;"
                f" expected a time behind {before / stage.fps:.2f} s",
            )
        if round(time * stage.fps) > planned.last:
            raise stage.file.fault(
                (*planned.where, "keys", i, "time"),
                f"at {time:.2f} s {planned.name} is over; expected a time up to"
                f" {planned.last / stage.fps:.2f} s",
            )
        before = round(time * stage.fps)
        stage.clips.clip_set.frame_of_file(key.clip, key.frame)
        if key.position is not None:
            place_of(stage.file, (*planned.where, "keys", i, "position"), key.position)


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Fill the ways from pose to pose; see `motionloom.shot._tracks.MAKERS`."""
    span = planned.of(BetweenSpan)
    assert isinstance(state, State)
    bridge = stage.fitted("inbetween", BRIDGING)
    if not isinstance(bridge, Bridge):
        raise InvalidInputError("in-betweening has learned nothing from these clips")
    done = Side.of_state(state)
    skipped = state.tail.n_frames - 1
    facing = state.place.facing
    for i, (key, time) in enumerate(zip(span.keys, planned.keys, strict=True)):
        missing = round(time * stage.fps) - planned.first - (done.posed.n_frames - skipped)
        place = _place(stage, planned, i, key, facing)
        facing = place.facing
        behind = _shown(stage, key, place)
        if key.position is None:
            behind = moved_to(behind, _carried_to(stage, done, behind, missing))
        done = _gone_on(stage, bridge, done, behind, missing)
    motion = done.posed.motion[skipped:]
    contacts = FootContacts(state.soles, done.contacts.down[skipped:], 0.0)
    end = place if span.keys[-1].position is not None else None
    return Piece(motion=motion, contacts=contacts, end=end, bound=True)


def _carried_to(stage: Stage, done: Side, behind: Side, missing: int) -> Array:
    """Where the hips come to by a key: what speed there is goes over into that of the key."""
    seconds = (missing + 1) / stage.fps
    way = carried(done, behind, min(seconds, CARRIED))
    place: Array = done.posed.hips[-1, [0, 2]] + way
    return place


def _gone_on(stage: Stage, bridge: Bridge, done: Side, behind: Side, missing: int) -> Side:
    """What there is, a gap and a key's pose; of what goes on behind that only the pose counts."""
    parts: list[Side | Filled] = [done, behind.cut(0, 1)]
    if missing:
        most = MOST_STRAIN if missing < LONGEST * stage.fps else 0.0
        sides = (done, behind)
        parts.insert(1, fill_gap(stage.clips, stage.feet, bridge, sides, missing, most))
    motion, down = end_to_end(*parts)
    return Side(done.posed.with_motion(motion), replace(done.contacts, down=down))


def _place(stage: Stage, planned: PlannedSpan, i: int, key: Key, before: float) -> Place:
    """Where the body is and faces at a key; anywhere where it does not say."""
    if key.position is None:
        return Place((0.0, 0.0), before if key.facing is None else key.facing)
    where = (*planned.where, "keys", i, "position")
    position, facing = place_of(stage.file, where, key.position, key.facing)
    return Place(position, before if facing is None else facing)


def _shown(stage: Stage, key: Key, place: Place) -> Side:
    """The pose of a key and how it goes on, at a place."""
    clips: ClipSet = stage.clips.clip_set
    frame = clips.frame_of_file(key.clip, key.frame)
    clip = int(clips.clip_of[frame])
    first = frame - int(clips.starts[clip])
    stop = first + 1 + round(GOES_ON * stage.fps)
    goes_on = clips.motions[clip][first:stop]
    own = GroundTransform.of_body(clips.body[frame])
    shown = goes_on.transformed(place.transform.compose(own.inverse()))
    captured = stage.clips.contacts[clip]
    down = captured.down[first:stop]
    return Side(stage.posed(shown), FootContacts(captured.soles, down, captured.ground))
