"""A clip as it was captured."""

from __future__ import annotations

from motionloom.analysis.contacts import FootContacts
from motionloom.errors import UnknownNameError
from motionloom.io.field_path import Path as FieldPath
from motionloom.motion import GroundTransform
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.span_fields import ClipSpan
from motionloom.shot.stage import Piece, Place, Stage, State


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Show a clip from where the body is; see `motionloom.shot.tracks.MAKERS`."""
    clip, first, stop = part_of(stage, planned)
    clips = stage.clips.clip_set
    motion = clips.motions[clip][first:stop]
    own = GroundTransform.of_body(clips.body[int(clips.starts[clip]) + first])
    motion = motion.transformed(state.place.transform.compose(own.inverse()))
    captured = stage.clips.contacts[clip]
    contacts = FootContacts(captured.soles, captured.down[first:stop], captured.ground)
    return Piece(motion=motion, contacts=contacts)


def part_of(stage: Stage, planned: PlannedSpan) -> tuple[int, int, int]:
    """The clip of a span, its first frame there and the one behind its last.

    Raises
    ------
    FormatError
        When there is no such clip, or it is shorter than the span; with the line.
    """
    span = planned.of(ClipSpan)
    first, stop = frames_of_clip(stage, span)
    clips = stage.clips.clip_set
    clip = clips.names.index(span.clip)
    if stop - first == planned.n_frames - 1:
        # Its ends were rounded apart: what is beside it in the clip fills the frame.
        last = clips.motions[clip].n_frames
        stop, first = (stop + 1, first) if stop < last else (stop, max(first - 1, 0))
    stop = min(stop, first + planned.n_frames)
    if stop - first < planned.n_frames:
        raise stage.file.fault(
            planned.where,
            f"{planned.name} is to last {planned.n_frames / stage.fps:.2f} s, and its part of the"
            f" clip lasts {(stop - first) / stage.fps:.2f} s; end it sooner",
        )
    return clip, first, stop


def _where(stage: Stage, span: ClipSpan) -> FieldPath | None:
    """Path of a span in the file; None for one that is not as the file has it."""
    for who, track in stage.file.shot.tracks.items():
        for i, one in enumerate(track):
            if one is span:
                return ("tracks", who, i)
    return None


def frames_of_clip(stage: Stage, span: ClipSpan) -> tuple[int, int]:
    """First frame of a clip's part, and the one behind its last, in the clip.

    Raises
    ------
    FormatError
        When there is no such clip, with the line.
    """
    clips = stage.clips.clip_set
    try:
        start = clips.frame_of_file(span.clip, _first_of_file(stage, span.clip))
    except UnknownNameError as error:
        where = _where(stage, span)
        if where is None:
            raise
        raise stage.file.fault((*where, "clip"), str(error)) from None
    clip = int(clips.clip_of[start])
    n = clips.motions[clip].n_frames
    first = min(round(span.first * stage.fps), n - 2)
    last = n - 1 if span.last is None else min(round(span.last * stage.fps), n - 1)
    return first, max(last, first + 1) + 1


def _first_of_file(stage: Stage, name: str) -> int:
    """Frame of a clip's file that its first frame shows."""
    clips = stage.clips.clip_set
    if name not in clips.names or not clips.origins:
        return 0
    return clips.origins[clips.names.index(name)][0]
