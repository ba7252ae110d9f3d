"""A clip as it was captured, to have somebody on the screen before anything is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from motionloom.errors import MotionloomError
from motionloom.motion import GroundTransform, Motion
from motionloom.places import Place
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.reading import read_files
from motionloom.roles import Roles
from motionloom.shot.plan.planned import place_of
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import IdleSpan, WalkSpan
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
        there, length = _way(file, who)
        own = GroundTransform.of_body(posed.body[0])
        moved = posed.motion.transformed(there.compose(own.inverse()))
        yield who, moved[: _frames_until(posed, length)], posed.roles


def _frames_until(posed: PosedMotion, length: float | None) -> int:
    """Frames in which somebody gets so far; all of them where no length is given."""
    if length is None:
        return posed.n_frames
    walked = np.linalg.norm(posed.body[:, :2] - posed.body[0, :2], axis=1)
    return max(2, int(np.searchsorted(np.maximum.accumulate(walked), length)))


def _way(file: ShotFile, who: str) -> tuple[GroundTransform, float | None]:
    """Where somebody begins, towards the first place to go to, and how far that is in metres."""
    start = file.shot.cast[who].start
    x, z = start.position
    for i, span in enumerate(file.shot.tracks.get(who, ())):
        if isinstance(span, WalkSpan) and span.to is not None:
            (to_x, to_z), _ = place_of(file, ("tracks", who, i, "to"), span.to)
            angle = float(np.arctan2(to_x - x, to_z - z))
            return GroundTransform.of_body((x, z, angle)), float(np.hypot(to_x - x, to_z - z))
        if not isinstance(span, IdleSpan):
            break
    return GroundTransform.of_body((x, z, 0.0174532925 * start.facing)), None


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
