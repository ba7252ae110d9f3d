"""From motions as they were read to an idle model, with the spans that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from motionloom.errors import InvalidInputError
from motionloom.idle.learning.posture_space import fit_posture_space
from motionloom.idle.learning.recording import Recording, prepare_recording
from motionloom.idle.learning.spans import Span
from motionloom.idle.model import IdleModel, IdleOptions, find_rests, fit_idle
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles


@dataclass(frozen=True, eq=False)
class LearnedIdle:
    """An idle model and what it was made from.

    Parameters
    ----------
    model : IdleModel
        How the person waits.
    spans : mapping of str to tuple of Span
        When they rest, by the name of the recording.
    notes : tuple of str
        What was left out or guessed, one sentence each.
    """

    model: IdleModel
    spans: Mapping[str, tuple[Span, ...]]
    notes: tuple[str, ...]


def learn_idle(
    motions: Sequence[Motion],
    roles: Roles | None = None,
    spans: Sequence[Sequence[Span]] | None = None,
    options: IdleOptions | None = None,
    person: str = "",
    progress: Progress = silent,
) -> LearnedIdle:
    """Learn how a person waits from motions as they were read.

    Parameters
    ----------
    motions : sequence of Motion
        Recordings of one person who stands about; bones become those of the first.
    roles : Roles, optional
        Which joint is which part of the body; found from names when not given.
    spans : sequence of sequence of Span, optional
        When the person rests in each; found when not given.
    options : IdleOptions, optional
        How it is learned.
    person : str
        Whose motion it is; the first recording's name when empty.
    progress : Progress
        Told of every recording.

    Returns
    -------
    LearnedIdle

    Raises
    ------
    InvalidInputError
        When the recordings do not fit each other, or nobody rests in them.
    """
    options = options or IdleOptions()
    if not motions:
        raise InvalidInputError("idle motion is learned from at least one recording")
    recordings = [prepare_recording(motion, roles) for motion in motions]
    notes = _other_bones(recordings)
    if spans is None:
        space = fit_posture_space(recordings)
        spans = [find_rests(recording, space, options.spans) for recording in recordings]
    name = person or motions[0].name
    model = fit_idle(recordings, options, spans, name, progress)
    found = {motion.name: tuple(own) for motion, own in zip(motions, spans, strict=True)}
    return LearnedIdle(replace(model, notes=(*model.notes, *notes)), found, notes)


def _other_bones(recordings: Sequence[Recording]) -> tuple[str, ...]:
    first = recordings[0]
    return tuple(
        f"{other.posed.motion.name} has legs of {100 * other.leg:.0f} cm and"
        f" {first.posed.motion.name} of {100 * first.leg:.0f} cm; the motion made has the bones of"
        f" {first.posed.motion.name}"
        for other in recordings[1:]
        if abs(other.leg / first.leg - 1.0) > 0.02
    )
