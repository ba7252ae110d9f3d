"""Clips as a user names them, a library or files, as one clip set at one frame rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.console import say
from motionloom.cli.inputs import find_clips
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress

if TYPE_CHECKING:
    from motionloom.clips.clip_set import ClipSet
    from motionloom.motion import Motion

#: Frames per second of a graph of files when none are asked for.
DEFAULT_FPS = 30.0


@dataclass(frozen=True)
class Place:
    """Where clips are.

    Parameters
    ----------
    library : Path or None
        The one library that was named.
    files : tuple of Path
        What is read: the library's manifest, or the clips' files.
    skipped : tuple of Path
        Files in folders that are no motions.
    """

    library: Path | None
    files: tuple[Path, ...]
    skipped: tuple[Path, ...] = ()

    @property
    def graph(self) -> Path | None:
        """Folder of the graph beside the library."""
        return None if self.library is None else self.library / "graph"


def find_place(places: Sequence[str]) -> Place:
    """Tell a library from files of clips.

    Raises
    ------
    InvalidInputError
        When a folder holds no motion file or a pattern matches none.
    """
    from motionloom.library.manifest import FILE_NAME

    if len(places) == 1 and (Path(places[0]) / FILE_NAME).is_file():
        return Place(Path(places[0]), (Path(places[0]) / FILE_NAME,))
    found = find_clips(places)
    return Place(None, found.files, found.skipped)


def find_graph(place: Place, named: Path | None) -> Path | None:
    """Folder of the graph on disk that is used for the clips of a place; None when a graph has to be made."""
    from motionloom.graph.storage.disk import HEAD

    folder = named or place.graph
    if folder is None or (named is None and not (folder / HEAD).exists()):
        return None
    say(f"using the motion graph in {folder}")
    return folder


@dataclass(frozen=True)
class ReadWishes:
    """How files of clips are read, and which clips are wanted.

    Parameters
    ----------
    fps : float, optional
        Frames per second of the set; the library's, else 30.
    roles, skeleton : Path, optional
        Table of roles; ASF skeleton of AMC files.
    unit : float or str, optional
    up : str, optional
    frame_time : float, seconds, optional
    only, without : sequences of str
        Patterns of names of clips.
    mirror : bool
        Whether mirrored copies are wanted too.
    """

    fps: float | None = None
    roles: Path | None = None
    skeleton: Path | None = None
    unit: float | str | None = None
    up: str | None = None
    frame_time: float | None = None
    only: Sequence[str] = ()
    without: Sequence[str] = ()
    mirror: bool = False


def read_clip_set(place: Place, wishes: ReadWishes, progress: Progress) -> ClipSet:
    """Read the clips of a place.

    Raises
    ------
    InvalidInputError
        When a library is at another frame rate than asked for, or a pattern matches no clip.
    """
    from motionloom.clips.clip_set import make_clip_set
    from motionloom.graph.storage.disk import choose_clips
    from motionloom.io.roles_table import read_roles
    from motionloom.library import open_library
    from motionloom.library.clip_set import clip_set_from_library

    if place.library is not None:
        library = open_library(place.library)
        if wishes.fps is not None and abs(wishes.fps / library.fps - 1) > 1e-4:
            raise InvalidInputError(
                f"{place.library}: this library is at {library.fps:g} frames per second, not {wishes.fps:g}; "
                "ask for its rate, or create a library at yours"
            )
        names = choose_clips(library.names, wishes.only, wishes.without)
        return clip_set_from_library(library, names, progress, mirror=wishes.mirror)
    motions = _read_files(place, wishes, progress)
    table = None if wishes.roles is None else read_roles(wishes.roles, motions[0].skeleton)
    return make_clip_set(motions, wishes.fps or DEFAULT_FPS, table, progress, mirror=wishes.mirror)


def read_motions(place: Place, wishes: ReadWishes, progress: Progress) -> list[Motion]:
    """Read the motions of a place, each at the rate of its file or of the library."""
    from motionloom.graph.storage.disk import choose_clips
    from motionloom.library import open_library

    if place.library is None:
        return _read_files(place, wishes, progress)
    library = open_library(place.library)
    return [library.frames(name).motion for name in choose_clips(library.names, wishes.only, wishes.without)]


def _read_files(place: Place, wishes: ReadWishes, progress: Progress) -> list[Motion]:
    from motionloom.cli.synthesize import read_clips
    from motionloom.graph.storage.disk import choose_clips

    motions = read_clips(
        place.files, progress, unit=wishes.unit, up=wishes.up, skeleton=wishes.skeleton, frame_time=wishes.frame_time,
        roles_told=wishes.roles is not None,
    )  # fmt: skip
    chosen = set(choose_clips([m.name for m in motions], wishes.only, wishes.without))
    return [m for m in motions if m.name in chosen]
