"""Clips that a browser has sent put beside the shot, on the body of the clips that are there."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.owned import refuse_links
from motionloom.places import find_clips
from motionloom.reading import read_files
from motionloom.shot.script.reading import ShotFile
from motionloom.studio.making import problem_message
from motionloom.studio.shown import Message
from motionloom.studio.uploads import Arrived, free_name, put_into
from motionloom.studio.web.clients import Client
from motionloom.workspace.shots import find_cast

if TYPE_CHECKING:
    from motionloom.motion import Motion

#: Folder beside the shot that clips go to.
CLIPS = "clips"
#: So many clips are looked at for what the body is like.
MOST_LOOKED_AT = 10


@dataclass(frozen=True)
class Brought:
    """A clip that is beside the shot now.

    Parameters
    ----------
    place : Path
        Where.
    clip : str
        Name of its motion.
    note : str
        What was done to it; empty where nothing was.
    """

    place: Path
    clip: str
    note: str = ""


async def bring(arrived: Arrived, folder: Path, client: Client) -> Brought | None:
    """Put a file among the project's clips, or tell the window why it cannot be.

    Parameters
    ----------
    arrived : Arrived
        The file.
    folder : Path
        Of the shot.
    client : Client
        Who has sent it.

    Returns
    -------
    Brought or None
        None where it is no clip.
    """
    try:
        return await asyncio.to_thread(keep, arrived, folder)
    except MotionloomError as error:
        text = str(error).replace(str(arrived.place), arrived.name)
        client.send(problem_message(text, id=arrived.id, hint=error.hint))
        return None


def uploaded_message(arrived: Arrived, brought: Brought, is_used: bool) -> Message:
    """That a file is there, as windows are told it.

    Parameters
    ----------
    arrived : Arrived
        The file as it came.
    brought : Brought
        What became of it.
    is_used : bool
        Whether the shot takes its clips from where it is.

    Returns
    -------
    dict
    """
    elsewhere = (
        f"This shot takes its clips from elsewhere: name the folder {CLIPS} as its library to use"
        " this one."
    )
    notes = [brought.note, "" if is_used else elsewhere]
    return {
        "type": "uploaded",
        "id": arrived.id,
        "name": brought.place.name,
        "clips": [brought.clip] if is_used else [],
        "note": " ".join(filter(None, notes)),
    }


def is_clip_of(place: Path, file: ShotFile) -> bool:
    """Whether a file is one of a shot's clips."""
    with suppress(MotionloomError):
        found = find_cast(file).values()
        return any(place.resolve() in {f.resolve() for f in one.files} for one in found)
    return False


def keep(arrived: Arrived, folder: Path) -> Brought:
    """Put a file that the library can read into the project's clips.

    One of another skeleton is carried over to the body of the clips that are there.

    Parameters
    ----------
    arrived : Arrived
        Is removed from where it is.
    folder : Path
        Of the shot.

    Returns
    -------
    Brought

    Raises
    ------
    MotionloomError
        When it cannot be read, carried over, or put there.
    """
    from motionloom.io import load_motion
    from motionloom.library.manifest import FILE_NAME

    try:
        clip = load_motion(arrived.place)
        if clip.n_frames < 2:
            raise InvalidInputError(
                f"{arrived.name}: holds no motion, only {clip.n_frames} frames; bring one with more"
            )
        clips = folder / CLIPS
        refuse_links([clips])
        if (clips / FILE_NAME).is_file():
            raise InvalidInputError(
                f"{clips}: is a library, into which files do not come by themselves",
                hint="add to library",
            )
        clips.mkdir(exist_ok=True)
        others = _clips_in(clips)
        why = _difference(others, clip)
        if why:
            return _carry_over(arrived, clip, others, clips, why)
        place = put_into(arrived, clips)
    finally:
        shutil.rmtree(arrived.place.parent, ignore_errors=True)
    return Brought(place, place.stem if place.name != arrived.name else clip.name)


def _clips_in(clips: Path) -> list[Motion]:
    """Some of the clips that are there, of one skeleton."""
    from motionloom.clips.same_skeleton import skeletons_differ

    try:
        found = read_files(find_clips([str(clips)]).files[:MOST_LOOKED_AT])
    except MotionloomError:  # there are none, or who reads all of them says what is wrong
        return []
    return [one for one in found if not skeletons_differ(found[0], one)]


def _difference(others: list[Motion], clip: Motion) -> str:
    from motionloom.clips.same_skeleton import skeletons_differ

    return skeletons_differ(others[0], clip) if others else ""


def _carry_over(
    arrived: Arrived, clip: Motion, others: list[Motion], clips: Path, why: str
) -> Brought:
    """The clip on the body of the others, in a file like theirs."""
    from motionloom.edit.retarget import fit_role_frames, retarget_clips
    from motionloom.io import load_motion, save
    from motionloom.posed_motion import pose_motion

    told = f"{others[0].name} of this shot and {arrived.name} {why}"
    try:
        body = fit_role_frames([pose_motion(one) for one in others])
        made = retarget_clips([clip], body)[0]
    except MotionloomError as error:
        raise InvalidInputError(
            f"{arrived.name}: is of another skeleton ({told}) and cannot be carried over to it:"
            f" {error}; bring clips of the same skeleton"
        ) from None
    place = free_name((clips / arrived.name).with_suffix(".bvh"))
    source = replace(others[0].source, path="", warnings=())
    motion = replace(made.motion, name=place.stem, source=source)
    save(motion, place)
    if _difference(others, load_motion(place)):
        place.unlink()
        raise InvalidInputError(
            f"{arrived.name}: is of another skeleton ({told}), which its file cannot hold; bring"
            " clips of the same skeleton"
        )
    note = (
        "It was captured on another body, so its motion was carried over to the body of this"
        f" shot's clips: {told}."
    )
    return Brought(place, place.stem, note)
