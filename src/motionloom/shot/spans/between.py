"""From pose to pose."""

from __future__ import annotations

from motionloom.clips.clip_set import ClipSet
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform, Motion
from motionloom.shot.plan import PlannedSpan, place_of
from motionloom.shot.script import BetweenSpan, Key
from motionloom.shot.stage import Piece, Place, Stage, State
from motionloom.synthesis.bridges import Bridge

#: Frames of a clip behind a key's pose tell how fast it is shown, seconds.
GOES_ON = 0.2


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Fill the ways from pose to pose; see `motionloom.shot.making.MAKERS`."""
    span = planned.span
    assert isinstance(span, BetweenSpan)
    if isinstance(state, Place):
        raise stage.file.fault(
            planned.where,
            f"{planned.name} begins with nothing, and goes from pose to pose; put a clip or an idle"
            " before it",
        )
    bridge = stage.fitted("inbetween")
    if not isinstance(bridge, Bridge):
        raise InvalidInputError("in-betweening has learned nothing from these clips")
    done = state.tail.motion
    skipped = done.n_frames - 1
    place = state.place
    for i, (key, time) in enumerate(zip(span.keys, planned.keys, strict=True)):
        place = _place(stage, planned, i, key, place)
        behind = _shown(stage, key, place)
        missing = round(time * stage.fps) - planned.first - (done.n_frames - skipped)
        if missing < 0:
            raise stage.file.fault(
                (*planned.where, "keys", i, "time"),
                f"at {time:.2f} s {planned.name} has not begun, or the key before is still shown",
            )
        made = bridge.bridge(done, behind, missing)
        # Of what goes on behind a key only its pose counts.
        done = made.motion[: done.n_frames + missing + 1]
    motion = done[skipped:]
    return Piece(motion=motion, contacts=stage.contacts(motion), end=place, bound=True)


def _place(stage: Stage, planned: PlannedSpan, i: int, key: Key, before: Place) -> Place:
    """Where the body is and faces at a key."""
    if key.position is None:
        return Place(before.position, before.facing if key.facing is None else key.facing)
    where = (*planned.where, "keys", i, "position")
    position, facing = place_of(stage.file, where, key.position, key.facing)
    return Place(position, before.facing if facing is None else facing)


def _shown(stage: Stage, key: Key, place: Place) -> Motion:
    """The pose of a key and how it goes on, at a place."""
    clips: ClipSet = stage.clips.clip_set
    frame = clips.frame_of_file(key.clip, key.frame)
    clip = int(clips.clip_of[frame])
    first = frame - int(clips.starts[clip])
    goes_on = clips.motions[clip][first : first + 1 + round(GOES_ON * stage.fps)]
    own = GroundTransform.of_body(clips.body[frame])
    return goes_on.transformed(place.transform.compose(own.inverse()))
