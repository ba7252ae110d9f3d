"""Bodies that motion is carried over to: of a file, clips, a library, or the built-in person."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError
from motionloom.places import Place, find_place
from motionloom.progress import Tell, quiet
from motionloom.reading import ReadOptions, read_files

if TYPE_CHECKING:
    from motionloom.edit.retarget import RoleFrames
    from motionloom.motion import Motion, Source

#: What the built-in person is called, and how its height is told: ``performer:1.68``.
PERFORMER = "performer"
#: Heights that the built-in person may have, metres.
HEIGHTS = (0.5, 2.5)
#: So many clips of a body are looked at.
MOST_CLIPS = 40


@dataclass(frozen=True, eq=False)
class Body:
    """A body that motion is carried over to.

    Parameters
    ----------
    name : str
        What it is called.
    frames : RoleFrames
        How its parts lie in its joints.
    source : Source
        How its files look: unit, axes, channels.
    files : tuple of Path
        What it was read from.
    """

    name: str
    frames: RoleFrames
    source: Source
    files: tuple[Path, ...] = field(default=())

    def as_its_own(self, motion: Motion) -> Motion:
        """A motion of this body, to be written as its own files are."""
        return replace(motion, source=replace(self.source, path="", warnings=()))


def is_performer(place: str) -> bool:
    """Whether a place is no file but the built-in person.

    Parameters
    ----------
    place : str
        As the user named it.

    Returns
    -------
    bool
        False where there is a file of that name.
    """
    return place.partition(":")[0] == PERFORMER and not Path(place).exists()


def is_robot(place: str) -> bool:
    """Whether a place is named as a model of a robot is.

    Examples
    --------
    >>> is_robot("g1.xml"), is_robot("walk.bvh")
    (True, False)
    """
    return Path(place).suffix.lower() in (".xml", ".mjcf", ".urdf")


def read_body(place: str, options: ReadOptions | None = None, tell: Tell = quiet) -> Body:
    """Find out what a body is.

    Parameters
    ----------
    place : str
        A motion file (one frame of a T-pose is enough), a folder or pattern of clips of one
        skeleton, a library, or ``performer`` or ``performer:1.68`` for the built-in person of a
        height in metres.
    options : ReadOptions, optional
        How files are read, and their table of roles.
    tell : callable
        Takes a line for everything that was guessed or mended.

    Returns
    -------
    Body

    Raises
    ------
    MotionloomError
        When a file cannot be read, clips are of several skeletons, or roles are missing.
    """
    from motionloom.clips.prepare import without_calibration_pose
    from motionloom.edit.retarget import fit_role_frames
    from motionloom.posed_motion import pose_motion

    if is_performer(place):
        return _performer(place)
    if not place.strip():
        raise InvalidInputError("no body was named; name a file, clips, a library or performer")
    options = options or ReadOptions()
    found = find_place([place])
    clips = clips_of(found, MOST_CLIPS, options, tell)
    first = clips[0]
    odd = next((c for c in clips if not c.skeleton.matches(first.skeleton)), None)
    if odd is not None:
        raise InvalidInputError(
            f"{place}: a body is told by clips of one skeleton, and that of {odd.name} is not that"
            f" of {first.name}; name one of the files"
        )
    roles = options.read_roles(first.skeleton)
    posed = [without_calibration_pose(pose_motion(clip, roles))[0] for clip in clips]
    moving = [clip for clip in posed if clip.n_frames]
    frames = fit_role_frames(moving or first.skeleton, roles)
    return Body(Path(place).stem or place, frames, first.source, found.files)


def clips_of(
    place: Place, most: int, options: ReadOptions | None = None, tell: Tell = quiet
) -> list[Motion]:
    """So many clips of a place.

    Parameters
    ----------
    place : Place
        Files, or a library.
    most : int
        No more are read.
    options : ReadOptions, optional
        How files are read.
    tell : callable
        Takes a line for everything that was guessed or mended.

    Returns
    -------
    list of Motion

    Raises
    ------
    MotionloomError
        When a file cannot be read, or a library is empty.
    """
    if place.library is None:
        return read_files(place.files[:most], options, tell=tell)
    from motionloom.library import open_library

    library = open_library(place.library)
    if not len(library):
        raise InvalidInputError(f"{place.library}: this library is empty, so it has no body yet")
    return [library.frames(name).motion for name in library.names[:most]]


def _performer(place: str) -> Body:
    from motionloom.edit.retarget import fit_role_frames
    from motionloom.motion import Source
    from motionloom.performer import make_performer

    _, colon, told = place.partition(":")
    try:
        height = float(told) if colon else 1.75
    except ValueError:
        height = float("nan")
    if not HEIGHTS[0] <= height <= HEIGHTS[1]:
        raise InvalidInputError(
            f"{place}: expected {PERFORMER} or {PERFORMER}:HEIGHT with a height in metres from"
            f" {HEIGHTS[0]:g} to {HEIGHTS[1]:g}, such as {PERFORMER}:1.68"
        )
    # Which way this body bends is known, and nothing that anybody has to be told.
    frames = replace(fit_role_frames(make_performer(height).skeleton), guessed=())
    return Body(f"{PERFORMER} of {height:.2f} m", frames, Source())
