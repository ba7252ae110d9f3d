"""A clip as it was captured, to have somebody on the screen before anything is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from motionloom.errors import MotionloomError
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import pose_motion
from motionloom.roles import Roles
from motionloom.shot.script.reading import ShotFile
from motionloom.workspace.clips import read_files
from motionloom.workspace.places import Place
from motionloom.workspace.shots import find_cast

#: No more of a clip is shown, seconds.
LONGEST = 20.0


def captured_motions(file: ShotFile) -> Iterator[tuple[str, Motion, Roles]]:
    """For every character a clip of theirs, from where they begin.

    Parameters
    ----------
    file : ShotFile
        The shot.

    Yields
    ------
    who : str
        The character.
    motion : Motion
        At its own rate.
    roles : Roles
        Of its joints.
    """
    read: dict[Path, Motion] = {}
    for who, place in find_cast(file).items():
        try:
            motion = _first_clip(place, read)
        except MotionloomError:  # said by who reads all clips
            continue
        stop = min(motion.n_frames, round(LONGEST * motion.fps))
        posed = pose_motion(motion[:stop])
        start = file.shot.cast[who].start
        there = GroundTransform.of_body((*start.position, 0.0174532925 * start.facing))
        own = GroundTransform.of_body(posed.body[0])
        yield who, posed.motion.transformed(there.compose(own.inverse())), posed.roles


def _first_clip(place: Place, read: dict[Path, Motion]) -> Motion:
    """A walk, going by the names, else the first clip."""
    if place.library is not None:
        from motionloom.library import open_library

        library = open_library(place.library)
        return library.frames(_walk_of(list(library.names))).motion
    names = {str(path.stem): path for path in reversed(place.files)}
    path = names[_walk_of([path.stem for path in place.files])]
    if path not in read:
        read[path] = read_files([path])[0]
    return read[path]


def _walk_of(names: list[str]) -> str:
    return next((name for name in names if "walk" in name.lower()), names[0])
