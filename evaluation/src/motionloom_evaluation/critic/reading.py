"""Reads what is compared: woven motions, with what they are made of, and captured clips."""

from __future__ import annotations

from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.places import Place
from motionloom.progress import Progress, Tell, quiet, silent
from motionloom.reading import ReadOptions, read_clip_set, read_files
from motionloom_evaluation.critic.provenance import Provenance, find_provenance


def read_captured(
    place: Place, options: ReadOptions, fps: float, progress: Progress = silent, tell: Tell = quiet
) -> ClipSet:
    """Read clips that results are compared with.

    They are at the results' frame rate, or at the lowest among the clips where that is lower; a
    library is at its own.

    Parameters
    ----------
    place : Place
        A library or files.
    options : ReadOptions
        How they are read; its rate counts for libraries only.
    fps : float
        Frames per second of the results.
    progress : Progress
        Told of every file.
    tell : callable
        Takes a line for everything that was guessed or mended.

    Returns
    -------
    ClipSet

    Raises
    ------
    MotionloomError
        As of `read_clip_set`.
    """
    if place.library is not None:
        return read_clip_set(place, options, progress, tell)
    motions = read_files(place.files, options, progress, tell)
    roles = options.read_roles(motions[0].skeleton)
    rate = min(fps, *(m.fps for m in motions))
    return make_clip_set(motions, rate, roles, progress, mirror=options.mirror)


def read_results(
    place: Place,
    options: ReadOptions | None = None,
    progress: Progress = silent,
    tell: Tell = quiet,
) -> tuple[list[Motion], list[Provenance | None]]:
    """Read woven motions, and what they are made of where their reports lie beside them.

    Parameters
    ----------
    place : Place
        Files.
    options : ReadOptions, optional
        How they are read.
    progress : Progress
        Told of every file.
    tell : callable
        Takes a line for everything that was guessed or mended.

    Returns
    -------
    motions : list of Motion
        Under names that all differ.
    provenance : list of Provenance or None
        Of each motion; None without a report that fits.

    Raises
    ------
    InvalidInputError
        When they are a library: that has no reports.
    """
    if place.library is not None:
        raise InvalidInputError(
            f"{place.library}: expected woven motions, not a library; name files"
        )
    motions = read_files(place.files, options, progress, tell)
    return motions, [find_provenance(m.source.path, m.n_frames, m.fps) for m in motions]
