"""What a shot is going to be made of, and how long the work takes, told before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from motionloom.shot.plan.feasible import waits_as_performer
from motionloom.shot.plan.planned import Plan, PlannedSpan
from motionloom.shot.script.span_fields import (
    BetweenSpan,
    ClipSpan,
    EditSpan,
    GaitSpan,
    IdleSpan,
    ReachSpan,
    SynthesizeSpan,
    WalkSpan,
)
from motionloom.shot.stage import Stage

#: Seconds of work for every second of clips that a method learns from, once; for every second of a
#: span; and for every span besides. Measured on one core of a server of 2023.
EFFORT: Mapping[str, tuple[float, float, float]] = {
    "walk": (0.03, 0.1, 1.0),
    "synthesize": (0.03, 0.1, 1.0),
    "gait": (0.02, 0.1, 0.5),
    "idle": (0.02, 0.05, 0.5),
    "between": (0.1, 0.1, 0.5),
    "clip": (0.0, 0.0, 0.1),
    "edit": (0.0, 0.1, 1.0),
    "reach": (0.0, 0.0, 1.0),
    "correct": (0.0, 2.0, 1.0),
}
#: Methods that search for as long as they are allowed to.
SEARCHING = ("walk", "synthesize")


def table_of(plan: Plan, stages: Mapping[str, Stage]) -> str:
    """All spans: when, with which seed, and of what.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.

    Returns
    -------
    str
        A line each, and about how long the work takes.
    """
    lines = []
    for who, track in plan.tracks.items():
        lines.append(who)
        for one in (*track, *plan.layers[who]):
            start, end = one.first / plan.fps, one.last / plan.fps
            lines.append(
                f"  {one.name:<14}{one.kind:<11}{start:7.2f}{end:8.2f} s   seed {one.seed:<11}"
                f" {_used(stages[who], one)}"
            )
    for met in plan.meetings:
        lines.append(
            f"{met.meet.name} of {' and '.join(met.meet.between)} at {met.first / plan.fps:.2f} s"
        )
    effort = seconds_of(plan, stages)
    lines.append(f"{plan.duration:.2f} s at {plan.fps:g} fps; making it takes about {effort:.0f} s")
    return "\n".join(lines) + "\n"


def seconds_of(plan: Plan, stages: Mapping[str, Stage]) -> float:
    """About how long the work takes, when nothing has been kept.

    Parameters
    ----------
    plan : Plan
        What happens when.
    stages : mapping of str to Stage
        By character.

    Returns
    -------
    float
        Seconds.
    """
    total = 2.0
    for who, track in plan.tracks.items():
        clips = stages[who].clips.clip_set
        learned = set()
        for one in (*track, *plan.layers[who]):
            fit, each, besides = EFFORT.get(one.kind, (0.0, 0.1, 1.0))
            is_told = getattr(one.span, "model", None) is not None
            if one.kind not in learned and not is_told:
                total += fit * clips.n_frames / clips.fps
            learned.add(one.kind)
            total += each * (one.last - one.first) / plan.fps + besides
            # Most searches end before their time is up.
            total += 0.5 * stages[who].budget if one.kind in SEARCHING else 0.0
    return total


def _used(stage: Stage, one: PlannedSpan) -> str:
    """What a span is made of."""
    span: Any = one.span
    clips = f"{stage.clips.clip_set.n_clips} clips"
    if isinstance(span, WalkSpan):
        told = f"motion graph of {clips}"
        return told if span.style is None else f"{told}, {span.style}"
    if isinstance(span, SynthesizeSpan):
        told = f"{one.source or span.file or 'constraints'}, {span.generator} of {clips}"
        return "; ".join((told, *one.notes))
    if isinstance(span, (GaitSpan, IdleSpan, EditSpan)) and span.model is not None:
        return str(span.model)
    if isinstance(span, IdleSpan) and waits_as_performer(stage):
        return "the built-in performer's waiting: no clip is long enough to learn it from"
    if isinstance(span, IdleSpan):
        return f"idle model learned from {clips}, the built-in performer's where nobody waits"
    if isinstance(span, GaitSpan):
        return f"gait space learned from {clips}"
    if isinstance(span, BetweenSpan):
        return f"{len(span.keys)} poses, filled as in {clips}"
    if isinstance(span, ClipSpan):
        return span.clip
    if isinstance(span, ReachSpan):
        return f"{span.joint} to {span.target}"
    return "physics" + (", onto the ground" if stage.file.shot.ground else "")
