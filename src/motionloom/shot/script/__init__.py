"""The vocabulary of a shot file, and shot files read."""

from motionloom.shot.script.joins import LONGEST_JOIN, Joins
from motionloom.shot.script.shot import MOST_SPANS, CastMember, Mark, Shot, Start
from motionloom.shot.script.span_fields import (
    GAZE,
    LAYERS,
    BetweenSpan,
    ClipSpan,
    CorrectSpan,
    EditSpan,
    GaitSpan,
    IdleSpan,
    Key,
    ReachSpan,
    Span,
    SpanBase,
    SynthesizeSpan,
    WalkSpan,
)

__all__ = [
    "GAZE",
    "LAYERS",
    "LONGEST_JOIN",
    "MOST_SPANS",
    "BetweenSpan",
    "CastMember",
    "ClipSpan",
    "CorrectSpan",
    "EditSpan",
    "GaitSpan",
    "IdleSpan",
    "Joins",
    "Key",
    "Mark",
    "ReachSpan",
    "Shot",
    "Span",
    "SpanBase",
    "Start",
    "SynthesizeSpan",
    "WalkSpan",
]
