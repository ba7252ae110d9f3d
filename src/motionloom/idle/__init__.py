"""Idle motion: a character that waits alive, as one person does, for ever."""

from typing import TYPE_CHECKING

from motionloom.idle.continuing import WaitingIdle, wait_on_body
from motionloom.idle.learning.posture_space import PostureSpace, fit_posture_space
from motionloom.idle.learning.recording import Recording, prepare_recording
from motionloom.idle.learning.spans import CATEGORIES, Shift, Span, choose_shift, find_spans
from motionloom.idle.mixing import mix_idle, set_height
from motionloom.idle.model import IdleModel, Rest, find_rests, fit_idle
from motionloom.idle.over.supplements import Supplement, learn_supplements, plan_supplements
from motionloom.idle.store import load_idle, save_idle
from motionloom.idle.streams._crowd import IdleCrowd
from motionloom.idle.streams.plans import IdleState, IdleStreamOptions, begin_idle
from motionloom.idle.streams.stream import IdleStream
from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.idle.verbs import fit, make, stream

__all__ = [
    "CATEGORIES",
    "IdleCrowd",
    "IdleModel",
    "IdleState",
    "IdleStream",
    "IdleStreamOptions",
    "PostureSpace",
    "Recording",
    "Rest",
    "Shift",
    "Span",
    "Supplement",
    "WaitingIdle",
    "begin_idle",
    "choose_shift",
    "find_rests",
    "find_spans",
    "fit",
    "fit_idle",
    "fit_posture_space",
    "learn_supplements",
    "load_idle",
    "make",
    "mix_idle",
    "plan_supplements",
    "prepare_recording",
    "save_idle",
    "set_height",
    "stream",
    "wait_on_body",
]

show_verbs(__name__, dict.fromkeys(("fit", "make", "stream"), f"{__name__}.verbs"))
