"""Shots opened and written: clips of the cast by place, motions and pictures of the result.

The motion graph on disk beside the clips that a user names.

First shots on one's own clips: of what the body that they show can do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.kept import KeptFolder
from motionloom.places import Place, find_place
from motionloom.progress import Progress, Tell, quiet, silent
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.workspace.bodies import clips_of, is_performer, read_body

if TYPE_CHECKING:
    from motionloom.clips.analysis import AnalysedClips
    from motionloom.clips.clip_set import ClipSet
    from motionloom.shot import ShotFile, Stage
    from motionloom.shot.script.first import FirstParts
    from motionloom.shot.stage import AnotherBody


def find_cast(file: ShotFile, library: str | None = None) -> dict[str, Place]:
    """Where the clips of every character are.

    Parameters
    ----------
    file : ShotFile
        Names of places in it are relative to its folder.
    library : str, optional
        Clips of those for whom the shot names none.

    Returns
    -------
    dict of str to Place

    Raises
    ------
    MotionloomError
        When a place is not said, is not there, or holds no clip.
    """
    found = {}
    for who, member in file.shot.cast.items():
        name = member.library or file.shot.library
        if name is None and library is None:
            where = f"{file.path}:{file.line_of(('cast', who))}: cast.{who}"
            told = f"{where}: {who} has no clips; name a library there, or one for the whole shot"
            raise InvalidInputError(told, hint="give clips")
        place = str(library) if name is None else str(file.beside(name))
        field = ("cast", who, "library") if member.library else ("library",)
        if name is not None and not file.beside(name).exists():
            why = "no such file or folder; names are relative to the shot file's folder"
            raise file.fault(field, f"{place}: {why}")
        try:
            found[who] = find_place([place])
        except MotionloomError as error:
            if name is None:
                raise
            raise file.fault(field, str(error)) from None
    return found


def library_beside(name: str, file: Path) -> str:
    """Name of a folder of clips or library as a shot file in another folder has it.

    Parameters
    ----------
    name : str
        As it is called from where we are.
    file : Path
        The shot file.

    Returns
    -------
    str
        Relative to the folder of the file; as it is where nothing is called so here.
    """
    place = Path(name).expanduser()
    if place.is_absolute() or not place.exists():
        return name
    return Path(os.path.relpath(place, file.absolute().parent)).as_posix()


def open_stages(
    file: ShotFile,
    places: dict[str, Place],
    reading: ReadOptions | None = None,
    budget: float = 5.0,
    progress: Progress = silent,
    tell: Tell = quiet,
    learned: KeptFolder | None = None,
) -> dict[str, Stage]:
    """Read the clips of every character; those of the same place once.

    Parameters
    ----------
    file : ShotFile
        The shot.
    places : dict of str to Place
        Of `find_cast`.
    reading : ReadOptions, optional
        How clips are read.
    budget : float, seconds
        How long each walk is searched for.
    progress : Progress
        Told of every file.
    tell : callable
        Takes a line for everything that was guessed or mended.
    learned : KeptFolder, optional
        Where what takes long to learn stays for the next time.

    Returns
    -------
    dict of str to Stage

    Raises
    ------
    MotionloomError
        When clips cannot be read, or a pattern matches none.
    """
    from motionloom.clips.analysis import analyse_clips
    from motionloom.shot import Stage
    from motionloom.shot.stage import Methods

    opened: dict[object, AnalysedClips] = {}
    stages = {}
    for who, member in file.shot.cast.items():
        place = places[who]
        key = (place.library, tuple(place.files), member.clips, member.labels)
        if key not in opened:
            options = replace(
                reading or ReadOptions(),
                fps=file.shot.fps,
                only=member.clips,
                needed=_named_in(file),
            )
            try:
                clips = read_clip_set(place, options, progress, tell)
            except InvalidInputError as error:
                raise _not_read(file, who, error) from None
            if member.labels is not None:
                clips = _labelled(file, who, member.labels, clips)
            opened[key] = analyse_clips(clips, progress=progress)
        body = None
        if member.skeleton is not None:
            body = _another_body(file, who, member.skeleton, opened[key], tell)
        stages[who] = Stage(file, opened[key], budget, progress, body, Methods(learned))
    return stages


def _named_in(file: ShotFile) -> Callable[[str], bool]:
    """Whether a shot names a clip."""
    text = file.shot.model_dump_json()
    return lambda name: json.dumps(name, ensure_ascii=False) in text


def _not_read(file: ShotFile, who: str, error: InvalidInputError) -> MotionloomError:
    """Why clips cannot be had, at the field that names them."""
    member = file.shot.cast[who]
    if file.shot.library is None and member.library is None:
        return error
    is_own = member.clips or member.library is not None
    own = ("cast", who, "clips" if member.clips else "library")
    return file.fault(own if is_own else ("library",), str(error))


def _labelled(file: ShotFile, who: str, name: str, clips: ClipSet) -> ClipSet:
    """Clips with the labels of a file."""
    from motionloom.clips.label_files import read_labels
    from motionloom.clips.labels import label_clips

    try:
        return label_clips(clips, read_labels(file.beside(name)))
    except MotionloomError as error:
        raise file.fault(("cast", who, "labels"), str(error)) from None


def _another_body(
    file: ShotFile, who: str, name: str, clips: AnalysedClips, tell: Tell
) -> AnotherBody:
    """The body that the motion of clips is carried over to."""
    from motionloom.edit.retarget import fit_role_frames
    from motionloom.posed_motion import PosedMotion
    from motionloom.shot.stage import AnotherBody

    place = name if is_performer(name) else str(file.beside(name))
    try:
        body = read_body(place, tell=tell)
        own = fit_role_frames([PosedMotion(m, clips.roles) for m in clips.clip_set.motions])
    except MotionloomError as error:
        raise file.fault(("cast", who, "skeleton"), str(error)) from None
    return AnotherBody(body.name, own, body.frames, body.source)


def find_graph(place: Place, named: Path | None = None, tell: Tell = quiet) -> Path | None:
    """Folder of the graph on disk for a place's clips; None when a graph has to be made.

    Parameters
    ----------
    place : Place
        Where the clips are.
    named : Path, optional
        The folder, where it is not that beside the library.
    tell : callable
        Takes the line that says which graph is used.

    Returns
    -------
    Path or None
        A folder that is named comes back whether or not a graph is in it.
    """
    from motionloom.graph.storage.disk import HEAD

    folder = named or place.graph
    if folder is None or (named is None and not (folder / HEAD).exists()):
        return None
    tell(f"using the motion graph in {folder}")
    return folder


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
    from motionloom.shot.script.first import first_shot

    parts, why = _parts_of(library)
    text = first_shot(library_beside(library, path), names, parts)
    if why:
        tell(f"{path} has no {why}")
    return text, parts.told


def _parts_of(library: str) -> tuple[FirstParts, str]:
    """What a first shot consists of, and what it goes without, and why."""
    from motionloom.roles import find_roles
    from motionloom.shot.script.first import FirstParts
    from motionloom.shot.spans.idle import can_wait

    try:
        (clip,) = clips_of(find_place([library]), 1)
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
