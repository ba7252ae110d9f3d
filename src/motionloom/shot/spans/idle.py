"""Waiting, alive."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.idle.bodies.continuing import FEET, WaitingIdle
from motionloom.idle.generator import FittedIdle, IdleGeneratorOptions
from motionloom.idle.model import IdleModel
from motionloom.idle.store import load_idle
from motionloom.idle.streams.plans import IdleStreamOptions
from motionloom.motion import GroundTransform
from motionloom.performer import performer_clips
from motionloom.shot.handover.bridging import Side
from motionloom.shot.handover.feet import Feet
from motionloom.shot.handover.standing import standing_side
from motionloom.shot.handover.stopping import HELD, come_to_stand, follow
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script import IdleSpan
from motionloom.shot.spans.asked import constraints_of
from motionloom.shot.stage import Piece, Place, Stage, State, state_of
from motionloom.synthesis.generator import Fitted, find_generator
from motionloom.synthesis.streaming import Streaming, state_before


def make(
    stage: Stage, planned: PlannedSpan, state: State | Place, following: PlannedSpan | None
) -> Piece:
    """Wait where the body is; see `motionloom.shot.making.MAKERS`.

    Who stands on both feet waits from that pose on, and the feet stay where they are.
    """
    span = planned.span
    assert isinstance(span, IdleSpan)
    waiting = IdleStreamOptions(liveliness=span.liveliness)
    if isinstance(state, State) and _stands_on_both(state):
        how, notes = _stream(stage, span, waiting)
        waits = _waiting(stage, state, planned.n_frames, planned.seed, how)
        return replace(waits, notes=notes)
    if isinstance(state, State) and stage.feet is not None:
        come = come_to_stand(stage, state, planned.n_frames)
        if come is not None:
            rest = planned.n_frames - come.motion.n_frames + 1
            stands = state_of(stage, come)
            how, notes = _stream(stage, span, waiting)
            waits = _waiting(stage, stands, rest, planned.seed, how)
            return replace(follow(come, waits), notes=notes)
    place = state if isinstance(state, Place) else state.place
    try:
        fitted = _fitted(stage, planned, span, waiting)
    except (InvalidInputError, SynthesisError):
        if stage.feet is None or span.model is not None:
            raise
        stand = _stand(stage, stage.feet, state, place)
        how, notes = _stream(stage, span, waiting)
        return replace(_waiting(stage, stand, planned.n_frames, planned.seed, how), notes=notes)
    asked = constraints_of(stage.file, planned, {}, body=[place.body()])
    return stage.piece(stage.synthesize(fitted, asked, planned), place)


def _stand(stage: Stage, feet: Feet, state: State | Place, place: Place) -> State:
    """The pose of the clips in which the body stands best, on both feet, where it shall wait."""
    like = stage.clips.clip_set.motions[0][:1] if isinstance(state, Place) else state.tail.motion
    begins = GroundTransform.of_body(stage.posed(like[-1:]).body[0])
    posed = stage.posed(like.transformed(place.transform.compose(begins.inverse())))
    down = np.zeros((posed.n_frames, len(stage.clips.soles.points)), np.bool_)
    side = Side(posed, FootContacts(stage.clips.soles, down, 0.0))
    held = standing_side(stage.clips, feet, side, HELD)
    return State(held.posed, held.contacts.down[-1], stage.clips.soles, place)


def _stands_on_both(state: State) -> bool:
    roles = state.tail.roles
    if not state.stands or roles.kind != "human" or not set(FEET) <= roles.joints.keys():
        return False
    return all(state.stands_on(foot) for foot in FEET)


def _waiting(stage: Stage, state: State, frames: int, seed: int, how: Streaming) -> Piece:
    begin = state_before(state.tail, state.tail.n_frames - 1, FEET)
    motion = how.stream(begin, stage.fps, seed).frames(frames)
    down = np.repeat(state.down[None], frames, axis=0)
    return Piece(motion, FootContacts(state.soles, down, 0.0), state.place)


def _stream(
    stage: Stage, span: IdleSpan, waiting: IdleStreamOptions
) -> tuple[Streaming, tuple[str, ...]]:
    """How somebody waits, of whatever body, and what is to be said of it."""
    if span.model is not None:
        return WaitingIdle(load_idle(stage.file.beside(span.model)), waiting), ()
    try:
        fitted = stage.fitted("idle", IdleGeneratorOptions(waiting=waiting))
    except (InvalidInputError, SynthesisError) as error:
        return WaitingIdle(performed_idle(), waiting), (
            f"waits as the built-in performer does: {error}",
        )
    assert isinstance(fitted, FittedIdle)
    return fitted, ()


@cache
def performed_idle() -> IdleModel:
    """How the built-in performer waits, for clips in which nobody does."""
    stands = [one.motion for one in performer_clips() if one.motion.name == "stand"]
    fitted = find_generator("idle").fit(analyse_clips(make_clip_set(stands)), None)
    assert isinstance(fitted, FittedIdle)
    return fitted.model


def _fitted(
    stage: Stage, planned: PlannedSpan, span: IdleSpan, waiting: IdleStreamOptions
) -> Fitted:
    """How somebody waits, of the body of the clips."""
    if span.model is None:
        return stage.fitted("idle", IdleGeneratorOptions(waiting=waiting))
    model = load_idle(stage.file.beside(span.model))
    if not model.space.coordinates.skeleton.has_topology_of(stage.clips.clip_set.skeleton):
        raise stage.file.fault(
            (*planned.where, "model"),
            "this model is of another skeleton than the clips, and the body does not stand on both"
            " feet there; put a clip or a longer walk before it",
        )
    return FittedIdle(stage.clips, model, (), waiting)
