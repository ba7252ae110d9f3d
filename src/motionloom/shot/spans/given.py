"""Spans that show what is given: clips, poses, a model, what a constraint file asks for."""

from __future__ import annotations

from dataclasses import replace

from motionloom.analysis.contacts import FootContacts
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.models.generator import FittedModel, fitted_model
from motionloom.motion import GroundTransform
from motionloom.shot._handover.bridging import (
    Filled,
    Side,
    carried,
    end_to_end,
    fill_bridged,
    moved_to,
)
from motionloom.shot.plan.planned import PlannedSpan, place_of
from motionloom.shot.script.reading import fields_of
from motionloom.shot.script.span_fields import BetweenSpan, ClipSpan, EditSpan, Key, SynthesizeSpan
from motionloom.shot.spans._asked import constraints_of, fields_until
from motionloom.shot.stage import BRIDGING, Piece, Place, Stage, State
from motionloom.spaces.motion_space import load_motion_space
from motionloom.synthesis.bridges import Bridge
from motionloom.synthesis.measure import check_names


def make_clip(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Show a clip from where the body is; see `motionloom.shot.making.MAKERS`."""
    shown = _clip_at(stage, *part_of(stage, planned), state.place)
    return Piece(motion=shown.motion, contacts=shown.contacts)


def _clip_at(stage: Stage, clip: int, first: int, stop: int, place: Place) -> Side:
    """Frames of a clip, put where a body begins."""
    clips = stage.clips.clip_set
    own = GroundTransform.of_body(clips.body[int(clips.starts[clip]) + first])
    moved = clips.motions[clip][first:stop].transformed(place.transform.compose(own.inverse()))
    captured = stage.clips.contacts[clip]
    return Side(stage.posed(moved), replace(captured, down=captured.down[first:stop]))


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


def frames_of_clip(stage: Stage, span: ClipSpan) -> tuple[int, int]:
    """First frame of a clip's part, and the one behind its last, in the clip.

    Raises
    ------
    FormatError
        When there is no such clip, with the line.
    """
    clips = stage.clips.clip_set
    try:
        origins = dict(zip(clips.names, clips.origins, strict=False))
        start = clips.frame_of_file(span.clip, origins.get(span.clip, (0,))[0])
    except UnknownNameError as error:
        for who, track in stage.file.shot.tracks.items():
            for i, one in enumerate(track):
                if one is span:
                    raise stage.file.fault(("tracks", who, i, "clip"), str(error)) from None
        raise  # it is not as the file has it
    clip = int(clips.clip_of[start])
    n = clips.motions[clip].n_frames
    first = min(round(span.first * stage.fps), n - 2)
    last = n - 1 if span.last is None else min(round(span.last * stage.fps), n - 1)
    return first, max(last, first + 1) + 1


def make_synthesize(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Make what a file asks for; see `motionloom.shot.making.MAKERS`."""
    span = planned.of(SynthesizeSpan)
    place = state.place
    asked = asked_of(stage, planned, None if span.moved else place)
    fitted = stage.fitted(span.generator)
    made = stage.piece(fitted, stage.synthesize(fitted, asked, planned))
    return _moved_to(stage, made, place) if span.moved else replace(made, bound=True)


def _moved_to(stage: Stage, made: Piece, place: Place) -> Piece:
    """A piece put where a body begins."""
    begins = GroundTransform.of_body(stage.posed(made.motion[:1]).body[0])
    moved = made.motion.transformed(place.transform.compose(begins.inverse()))
    return replace(made, motion=moved, sources=(0.0, 0.0))


def asked_of(stage: Stage, planned: PlannedSpan, place: Place | None) -> ConstraintSet:
    """Constraints of the span, from its file or from the shot.

    Parameters
    ----------
    stage : Stage
        Of the character.
    planned : PlannedSpan
        The span.
    place : Place, optional
        Where it is to begin, unless it says where; None where the whole is moved there.

    Returns
    -------
    ConstraintSet

    Raises
    ------
    FormatError
        When they are not valid.
    """
    span = planned.of(SynthesizeSpan)
    given = span.constraints
    if span.file is not None:
        own = stage.file.constraints(planned.where, span.file)
        duration = (planned.n_frames - 1) / stage.fps
        given = fields_until(fields_of(own, {"duration", "fps"}), duration)
    body: list[BodyConstraint] = []
    if place is not None and not _says_where(given, stage.fps):
        body.append(place.body())
    return constraints_of(stage.file, planned, given, shot_avoid=place is not None, body=body)


def _says_where(given: dict[str, object], fps: float) -> bool:
    """Whether a place is asked for in the first frame, or a way that begins there."""
    rows = given.get("body")
    entries = rows if isinstance(rows, list) else []
    early = (one.get("time") for one in entries if isinstance(one, dict))
    starts = any(isinstance(time, (int, float)) and round(time * fps) == 0 for time in early)
    return starts or bool(given.get("paths")) or bool(given.get("speeds"))


def make_edit(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Show a model's motion; see `motionloom.shot.making.MAKERS`."""
    span = planned.of(EditSpan)
    fitted = _fitted_of(stage, planned)
    place = state.place
    begins_at = [] if span.constraints.get("body") else [place.body()]
    asked = constraints_of(stage.file, planned, span.constraints, body=begins_at)
    made = stage.piece(fitted, stage.synthesize(fitted, asked, planned))
    is_bound = asked.joints or not begins_at
    return replace(made, bound=True) if is_bound else _moved_to(stage, made, place)


def check_edit(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse what the model of a span cannot do.

    Raises
    ------
    MotionloomError
        When the model is of another skeleton, its takes are much longer or shorter than the span,
        or it cannot honour a constraint.
    """
    span = planned.of(EditSpan)
    fitted = _fitted_of(stage, planned)
    asked = constraints_of(stage.file, planned, span.constraints)
    fitted.check_duration(asked.duration)
    refuse_unhonoured(asked, "a motion model", fitted.honours)
    check_names(asked, fitted.clips.clip_set)


def _fitted_of(stage: Stage, planned: PlannedSpan) -> FittedModel:
    """The model of a span.

    Raises
    ------
    FormatError
        When it is of another skeleton than the clips; with the line.
    """
    span = planned.of(EditSpan)
    fitted = fitted_model(load_motion_space(stage.file.beside(span.model)))
    own = stage.clips.clip_set.skeleton
    if not fitted.clips.clip_set.skeleton.has_topology_of(own):
        raise stage.file.fault(
            (*planned.where, "model"), "this model is of another skeleton than the clips"
        )
    return fitted


#: A body that goes on, or comes to a speed, does so within this time, seconds.
CARRIED = 1.2
#: Gaps that last longer, seconds, or whose steps are harder, have feet as in-betweening has them.
LONGEST, MOST_STRAIN = 1.6, 3.0
#: Frames of a clip behind a key's pose tell how fast it is shown, seconds.
GOES_ON = 0.2


def check_between(stage: Stage, planned: PlannedSpan) -> None:
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
        frame = round(time * stage.fps)
        if not before < frame <= planned.last:
            why = f"is over; expected a time up to {planned.last / stage.fps:.2f} s"
            if frame <= before:
                why = (
                    "has not begun, or the key before is still shown; expected a time behind"
                    f" {before / stage.fps:.2f} s"
                )
            where = (*planned.where, "keys", i, "time")
            raise stage.file.fault(where, f"at {time:.2f} s {planned.name} {why}")
        before = frame
        stage.clips.clip_set.frame_of_file(key.clip, key.frame)
        if key.position is not None:
            place_of(stage.file, (*planned.where, "keys", i, "position"), key.position)


def make_between(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Fill the ways from pose to pose; see `motionloom.shot.making.MAKERS`."""
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
        if key.position is None:  # what speed there is goes over into that of the key
            way = carried(done, behind, min((missing + 1) / stage.fps, CARRIED))
            behind = moved_to(behind, done.posed.hips[-1, [0, 2]] + way)
        done = _gone_on(stage, bridge, done, behind, missing)
    motion = done.posed.motion[skipped:]
    contacts = FootContacts(state.soles, done.contacts.down[skipped:], 0.0)
    end = place if span.keys[-1].position is not None else None
    return Piece(motion=motion, contacts=contacts, end=end, bound=True)


def _gone_on(stage: Stage, bridge: Bridge, done: Side, behind: Side, missing: int) -> Side:
    """What there is, a gap and a key's pose; of what goes on behind that only the pose counts."""
    parts: list[Side | Filled] = [done, behind.cut(0, 1)]
    if missing:
        most = MOST_STRAIN if missing < LONGEST * stage.fps else 0.0
        made = bridge.bridge(done.motion, behind.motion, missing)
        sides = (done, behind)
        parts.insert(1, fill_bridged(stage.clips, stage.feet, made, sides, missing, most))
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
    clips = stage.clips.clip_set
    frame = clips.frame_of_file(key.clip, key.frame)
    clip = int(clips.clip_of[frame])
    first = frame - int(clips.starts[clip])
    return _clip_at(stage, clip, first, first + 1 + round(GOES_ON * stage.fps), place)
