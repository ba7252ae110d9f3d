"""First shots on one's own clips: of what the body that they show can do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import MotionloomError
from motionloom.places import find_place
from motionloom.progress import Tell, quiet
from motionloom.reading import read_files
from motionloom.shot.script.first import FirstParts, first_shot
from motionloom.workspace.shots import library_beside

if TYPE_CHECKING:
    from motionloom.motion import Motion


def first_shot_on(
    library: str, names: Sequence[str], path: Path, tell: Tell = quiet
) -> tuple[str, str]:
    """A first shot on clips, and what happens in it.

    Parameters
    ----------
    library : str
        Folder of clips, or a library, as it is called from where we are.
    names : sequence of str
        Of one character, or of two.
    path : Path
        Where the shot is going to be.
    tell : callable
        Takes a line for what is left out of it.

    Returns
    -------
    text : str
        Of the shot file.
    happens : str
        In words.

    Raises
    ------
    MotionloomError
        When names are not fit for it.
    """
    parts, why = _parts_of(library)
    text = first_shot(library_beside(library, path), names, parts)
    if why:
        tell(f"{path} has no {why}")
    return text, parts.told


def _parts_of(library: str) -> tuple[FirstParts, str]:
    """What a first shot consists of, and what it goes without, and why."""
    from motionloom.roles import find_roles
    from motionloom.shot.spans.idle import can_wait

    try:
        clip = _a_clip(library)
        roles = find_roles(clip.skeleton)
    except (MotionloomError, OSError):  # said by who reads all clips
        return FirstParts(), ""
    waits = can_wait(roles)
    reaches = waits and "right_hand" in roles.joints
    left = ["waiting"] * (not waits) + ["reaching"] * (not reaches)
    if not left:
        return FirstParts(), ""
    what = "two legs" if not waits else "a right hand"
    return FirstParts(waits, reaches), (
        f"{' and no '.join(left)}: {clip.name} shows a body without {what} that could be recognised"
    )


def _a_clip(library: str) -> Motion:
    place = find_place([library])
    if place.library is None:
        return read_files(place.files[:1])[0]
    from motionloom.library import open_library

    opened = open_library(place.library)
    return opened.frames(next(iter(opened.names))).motion
