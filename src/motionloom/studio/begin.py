"""A first shot for who has none: on the built-in performer's clips, or on one's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from motionloom.errors import InvalidInputError
from motionloom.io.document import read_document
from motionloom.places import find_clips
from motionloom.progress import Tell, quiet
from motionloom.studio._bringing import free_name
from motionloom.workspace.checks import check_outputs, make_folder_of
from motionloom.workspace.shots import first_shot_on, library_beside
from motionloom.workspace.writing import Writer

#: What a shot is called when nobody names it, its character, and the folder of its clips.
NAME, WHO, CLIPS = "shot.yaml", "anna", "clips"


def begin(shot: Path | None, library: str | None, tell: Tell = quiet) -> Path:
    """Find the shot, or write a first one; a file that is there is never written over.

    Parameters
    ----------
    shot : Path, optional
        As the user named it.
    library : str, optional
        Clips of a new shot; the built-in performer's when not given.
    tell : callable
        Takes a line for everything that is made.

    Returns
    -------
    Path
        The shot file.

    Raises
    ------
    MotionloomError
        When clips are named for a shot that names its own, or nothing can be written.
    """
    path = Path(NAME) if shot is None else shot
    if path.exists() and library is None:
        read_document(path)
        if shot is None:
            tell(f"opening {path}, which is here")
        return path
    if path.exists() and shot is not None:
        raise InvalidInputError(
            f"{path}: is there and says itself where its clips are; name another file for a shot on"
            f" {library}, or open it without naming clips"
        )
    path = free_name(path)
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        raise InvalidInputError(f"{path}: a shot is a YAML file; name one such as {NAME}")
    if library is not None:
        find_clips([library])
    check_outputs([path], [])
    make_folder_of(path)
    place = library or str(path.parent / _performer_clips(path.parent, tell))
    text, happens = first_shot_on(place, [WHO], path, tell)
    Writer(tell=quiet).write_text(path, text)
    tell(f"made {path}, a first shot on {library_beside(place, path)}: {WHO} {happens}")
    return path


def _performer_clips(folder: Path, tell: Tell) -> str:
    """Clips that lie beside the shot already, else the built-in performer's, written there."""
    name = CLIPS
    i = 2
    while (folder / name).exists() or (folder / name).is_symlink():
        if _holds_clips(folder / name):
            return name
        name = f"{CLIPS}-{i}"
        i += 1
    _write_performer(folder / name)
    tell(f"made {folder / name}, clips of the built-in performer")
    return name


def _holds_clips(place: Path) -> bool:
    if not place.is_dir():
        return False
    try:
        return len(find_clips([str(place)]).files) > 1
    except InvalidInputError:
        return False


def _write_performer(folder: Path) -> None:
    from motionloom.io import save
    from motionloom.performer import performer_clips

    writer = Writer()
    for clip in performer_clips(0):
        writer.write(folder / f"{clip.motion.name}.bvh", partial(save, clip.motion))
