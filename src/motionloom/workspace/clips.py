"""Woven motions read from files, with the reports that lie beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError
from motionloom.places import Place
from motionloom.progress import Progress, Tell, quiet, silent
from motionloom.reading import ReadOptions, read_files

if TYPE_CHECKING:
    from motionloom.analysis.critic import Provenance
    from motionloom.motion import Motion


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
    from motionloom.analysis.critic import find_provenance

    if place.library is not None:
        raise InvalidInputError(
            f"{place.library}: expected woven motions, not a library; name files"
        )
    motions = read_files(place.files, options, progress, tell)
    return motions, [find_provenance(m.source.path, m.n_frames, m.fps) for m in motions]
