"""Waiting, alive."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.edit.retarget import fit_role_frames, retarget_clips
from motionloom.errors import InvalidInputError, MotionloomError, SynthesisError
from motionloom.idle.continuing import FEET, WaitingIdle
from motionloom.idle.generator import FittedIdle, IdleGeneratorOptions
from motionloom.idle.model import IdleModel
from motionloom.idle.store import load_idle
from motionloom.idle.streams.plans import IdleStreamOptions
from motionloom.motion import GroundTransform, Motion
from motionloom.performer import performer_clips
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.shot._handover.bridging import Feet, Side
from motionloom.shot._handover.stopping import HELD, come_to_stand, follow, standing_side
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.span_fields import IdleSpan
from motionloom.shot.spans._asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State, state_of
from motionloom.synthesis.generator import Fitted, find_generator
from motionloom.synthesis.streaming import Streaming, state_before


def make(stage: Stage, planned: PlannedSpan, state: State | Place) -> Piece:
    """Wait where the body is; see `motionloom.shot.making.MAKERS`.

    Who stands on both feet waits from that pose on, and the feet stay where they are.
    """
    span = planned.of(IdleSpan)
    if isinstance(state, State) and _stands_on_both(state):
        return _wait_on(stage, planned, span, state)
    if isinstance(state, State) and stage.feet is not None:
        come = come_to_stand(stage, state, planned.n_frames)
        if come is not None:
            rest = planned.n_frames - come.motion.n_frames + 1
            waits = _wait_on(stage, planned, span, state_of(stage, come), rest)
            return replace(follow(come, waits), notes=waits.notes)
        if span.model is None and not isinstance(_learned(stage, span), FittedIdle):
            return _wait_on(stage, planned, span, _stand(stage, stage.feet, state))
    place = state.place
    asked = constraints_of(stage.file, planned, {}, body=[place.body()])
    fitted, notes = _fitted(stage, planned, span)
    piece = stage.piece(fitted, stage.synthesize(fitted, asked, planned), place)
    return replace(piece, notes=(*piece.notes, *notes))


def check(stage: Stage, planned: PlannedSpan) -> None:
    """Refuse an idle model that cannot be read, or that has to show the first pose of a shot and
    is of another skeleton than the clips.

    Raises
    ------
    MotionloomError
        When the span cannot be made with its model.
    """
    span = planned.of(IdleSpan)
    if span.model is None:
        return
    if planned.first == 0:
        _model_of_clips_body(stage, planned, span.model)
    else:
        load_idle(stage.file.beside(span.model))


def _learned(stage: Stage, span: IdleSpan) -> FittedIdle | MotionloomError:
    """How these people wait, learned from their clips, or why that cannot be learned."""
    try:
        fitted = stage.fitted(
            "idle", IdleGeneratorOptions(waiting=IdleStreamOptions(liveliness=span.liveliness))
        )
    except (InvalidInputError, SynthesisError) as error:
        return error
    assert isinstance(fitted, FittedIdle)
    return fitted


def _stand(stage: Stage, feet: Feet, state: State) -> State:
    """The pose of the clips in which the body stands best, on both feet, where it shall wait."""
    like = state.tail.motion
    begins = GroundTransform.of_body(stage.posed(like[-1:]).body[0])
    posed = stage.posed(like.transformed(state.place.transform.compose(begins.inverse())))
    down = np.zeros((posed.n_frames, len(stage.clips.soles.points)), np.bool_)
    side = Side(posed, FootContacts(stage.clips.soles, down, 0.0))
    held = standing_side(stage.clips, feet, side, HELD)
    return State(held.posed, held.contacts.down[-1], stage.clips.soles, state.place)


def _stands_on_both(state: State) -> bool:
    roles = state.tail.roles
    if not state.stands or roles.kind != "human" or not set(FEET) <= roles.joints.keys():
        return False
    return all(state.stands_on(foot) for foot in FEET)


def _wait_on(
    stage: Stage, planned: PlannedSpan, span: IdleSpan, stand: State, frames: int | None = None
) -> Piece:
    """Wait from a pose on whose feet stay where they are, for the whole span when not told."""
    how, notes = _stream(stage, span)
    begin = state_before(stand.tail, stand.tail.n_frames - 1, FEET)
    n_frames = planned.n_frames if frames is None else frames
    motion = how.stream(begin, stage.fps, planned.seed).frames(n_frames)
    down = np.repeat(stand.down[None], n_frames, axis=0)
    return Piece(motion, FootContacts(stand.soles, down, 0.0), stand.place, notes=notes)


def _stream(stage: Stage, span: IdleSpan) -> tuple[Streaming, tuple[str, ...]]:
    """How somebody waits, of whatever body, and what is to be said of it."""
    how = IdleStreamOptions(liveliness=span.liveliness)
    if span.model is not None:
        return WaitingIdle(load_idle(stage.file.beside(span.model)), how), ()
    learned = _learned(stage, span)
    if isinstance(learned, FittedIdle):
        return learned, ()
    return WaitingIdle(_performed_idle(), how), (BORROWED.format(learned),)


#: Said of who waits in clips in which nobody does.
BORROWED = "waits as the built-in performer does: {}"


@cache
def _performed_idle() -> IdleModel:
    """How the built-in performer waits, for clips in which nobody does."""
    return _model_of(_performed())


def can_wait(roles: Roles) -> bool:
    """Whether a body can wait: a person's, whose feet are known."""
    return roles.kind == "human" and {"left_foot", "right_foot"} <= roles.joints.keys()


def can_borrow(stage: Stage) -> bool:
    """Whether the built-in performer's waiting can be carried over to the body of the clips."""
    try:
        idle_of_performer(stage)
    except (InvalidInputError, SynthesisError):
        return False
    return True


def idle_of_performer(stage: Stage) -> IdleModel:
    """How the built-in performer waits, on the body of a character's clips; learned once.

    Raises
    ------
    InvalidInputError
        When the body is no person's, or lacks parts that waiting takes.
    """

    def learn() -> Fitted:
        own = stage.clips.clip_set
        body = fit_role_frames([PosedMotion(motion, own.roles) for motion in own.motions])
        carried = [one.motion for one in retarget_clips(_performed(), body)]
        return FittedIdle(stage.clips, _model_of(carried, own.roles), ())

    fitted = stage.methods.once("idle of the built-in performer", learn)
    assert isinstance(fitted, FittedIdle)
    return fitted.model


def _performed() -> list[Motion]:
    return [one.motion for one in performer_clips() if one.motion.name == "stand"]


def _model_of(motions: list[Motion], roles: Roles | None = None) -> IdleModel:
    fitted = find_generator("idle").fit(analyse_clips(make_clip_set(motions, roles=roles)), None)
    assert isinstance(fitted, FittedIdle)
    return fitted.model


def _fitted(
    stage: Stage, planned: PlannedSpan, span: IdleSpan
) -> tuple[FittedIdle, tuple[str, ...]]:
    """How somebody waits, of the body of the clips, and what is to be said of it."""
    how = IdleStreamOptions(liveliness=span.liveliness)
    if span.model is not None:
        model = _model_of_clips_body(stage, planned, span.model)
        return FittedIdle(stage.clips, model, (), how), ()
    learned = _learned(stage, span)
    if isinstance(learned, FittedIdle):
        return learned, ()
    if not can_borrow(stage):
        raise learned
    borrowed = FittedIdle(stage.clips, idle_of_performer(stage), (), how)
    return borrowed, (BORROWED.format(learned),)


def _model_of_clips_body(stage: Stage, planned: PlannedSpan, name: str) -> IdleModel:
    """An idle model that also says how to stand, so its skeleton is that of the clips."""
    model = load_idle(stage.file.beside(name))
    if not model.space.coordinates.skeleton.has_topology_of(stage.clips.clip_set.skeleton):
        raise stage.file.fault(
            (*planned.where, "model"),
            "this model is of another skeleton than the clips, and the body does not stand on both"
            " feet there; put a clip or a longer walk before it",
        )
    return model
