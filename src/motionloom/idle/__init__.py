"""Idle motion: a character that waits alive, as one person does, for ever."""

from motionloom.idle.align import align_start
from motionloom.idle.crowd import IdleCrowd
from motionloom.idle.model import IdleModel, IdleOptions, Rest, find_rests, fit_idle
from motionloom.idle.plans import IdleState, IdleStreamOptions, begin_idle
from motionloom.idle.posture_space import PostureSpace, fit_posture_space
from motionloom.idle.recording import Recording, prepare_recording
from motionloom.idle.shifts import Shift, choose_shift, fit_shift, warp_through
from motionloom.idle.spans import CATEGORIES, Span, SpanOptions, find_spans
from motionloom.idle.store import load_idle, save_idle
from motionloom.idle.stream import IdleStream, next_piece

__all__ = [
    "CATEGORIES",
    "IdleCrowd",
    "IdleModel",
    "IdleOptions",
    "IdleState",
    "IdleStream",
    "IdleStreamOptions",
    "PostureSpace",
    "Recording",
    "Rest",
    "Shift",
    "Span",
    "SpanOptions",
    "align_start",
    "begin_idle",
    "choose_shift",
    "find_rests",
    "find_spans",
    "fit_idle",
    "fit_posture_space",
    "fit_shift",
    "load_idle",
    "next_piece",
    "prepare_recording",
    "save_idle",
    "warp_through",
]
