"""A library of clips: made, and open for reading."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.soles import Soles
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.owned import is_incidental, leftovers
from motionloom.io.stored import Stored
from motionloom.library._arrays import DamageError, import_zarr, read_array, read_attributes
from motionloom.library.manifest import (
    FILE_NAME,
    VERSION,
    ClipEntry,
    ClipFacts,
    ClipLabel,
    Manifest,
    Performer,
    path_of,
    read_manifest,
    write_manifest,
)
from motionloom.library.writer import CLIPS
from motionloom.motion import Motion, Source
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton, few, frozen_array
from motionloom.typing import Array, PathName

#: Metres and radians beyond which no motion is one.
_FAR = 1e18
#: T frames, J joints, K of them with translations, P points of soles.
_ARRAYS = {
    "rotations": Stored(np.float64, ("T", "J", 4), -2, 2),
    "translations": Stored(np.float64, ("T", "K", 3), -_FAR, _FAR),
    "positions": Stored(np.float64, ("T", "J", 3), -_FAR, _FAR),
    "body": Stored(np.float64, ("T", 3), -_FAR, _FAR),
    "contacts": Stored(np.bool_, ("T", "P")),
}


@dataclass(frozen=True, eq=False)
class ClipFrames:
    """A clip of a library with its kinematics.

    Parameters
    ----------
    motion : Motion
        The clip on the library's skeleton.
    positions : array of shape (T, J, 3), metres
        World position of every joint.
    body : array of shape (T, 3)
        Ground position x, z of the hips (metres) and facing (radians, continuous).
    """

    motion: Motion
    positions: Array
    body: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", frozen_array(self.positions))
        object.__setattr__(self, "body", frozen_array(self.body))


@dataclass(frozen=True, eq=False)
class Library:
    """Clips of one skeleton at one frame rate, in a folder. Arrays are read when asked for.

    Made by `open_library`; what other processes change later is not seen.

    Parameters
    ----------
    path : Path
        Its folder.
    manifest : Manifest
        As it was when the library was opened.
    """

    path: Path
    manifest: Manifest
    _entries: dict[str, ClipEntry] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_entries", {entry.name: entry for entry in self.manifest.clips})

    def __repr__(self) -> str:
        return (
            f"<Library {str(self.path)!r}: {len(self)} clips, {self.n_frames} frames at"
            f" {self.fps:.6g} fps, {self.n_frames / self.fps:.1f} s\n "
            f" {few(self.names) or 'empty'}>"
        )

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the clips, sorted."""
        return tuple(self._entries)

    @property
    def fps(self) -> float:
        """Frames per second of all clips."""
        return self.manifest.fps

    @property
    def n_frames(self) -> int:
        """Frames of all clips together."""
        return sum(entry.n_frames for entry in self.manifest.clips)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The one skeleton of all clips."""
        return self._performer.to_skeleton()

    @cached_property
    def roles(self) -> Roles:
        """Which joint plays which part of the body."""
        return self._performer.to_roles()

    @property
    def _performer(self) -> Performer:
        if self.manifest.performer is None:
            message = f"{self.path}: this library is empty; add clips to it"
            raise InvalidInputError(message, hint="add to library")
        return self.manifest.performer

    def entry(self, name: str) -> ClipEntry:
        """All that the library says about a clip.

        Raises
        ------
        InvalidInputError
            When there is no such clip.
        """
        if name not in self._entries:
            raise InvalidInputError(f"{self.path}: there is no clip {name!r} in this library")
        return self._entries[name]

    def hash(self, name: str) -> str:
        """Hash of a clip's content: it changes when the clip does."""
        return self.entry(name).hash

    def labels(self, name: str) -> tuple[ClipLabel, ...]:
        """Labels of a clip, with times in its file."""
        return self.manifest.labels.get(self.entry(name).name, ())

    def select(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Names of clips, sorted, that equal or match (``*``, ``?``, ``[...]``) one of `patterns`.

        Raises
        ------
        InvalidInputError
            When one of them fits no clip.
        """
        found: set[str] = set()
        for pattern in patterns:
            here = {pattern} & self._entries.keys() or {
                n for n in self.names if fnmatch.fnmatchcase(n, pattern)
            }
            if not here:
                message = f"{self.path}: no clip of this library is named {pattern!r} or matches it"
                raise InvalidInputError(message)
            found |= here
        return tuple(sorted(found))

    def array(self, name: str, what: str) -> NDArray[Any]:
        """One array of a clip, as it is stored.

        Parameters
        ----------
        name : str
            Of the clip.
        what : str
            ``"rotations"`` (T, J, 4), ``"translations"`` (T, K, 3), ``"positions"`` (T, J, 3),
            ``"body"`` (T, 3) or ``"contacts"`` (T, P).

        Returns
        -------
        array
            Read-only; metres, radians and unit quaternions (w, x, y, z), or booleans for contacts.

        Raises
        ------
        InvalidInputError
            When there is no such clip or array.
        FormatError
            When it is missing on disk or damaged.
        """
        return self._arrays(name, what)[0]

    def clip(self, name: str) -> Motion:
        """A clip, with the library's skeleton and frame rate."""
        return self._motion(name, *self._arrays(name, "rotations", "translations"))

    def frames(self, name: str) -> ClipFrames:
        """A clip with its kinematics, which are read, not computed."""
        names = ("rotations", "translations", "positions", "body")
        *motion, positions, body = self._arrays(name, *names)
        return ClipFrames(self._motion(name, *motion), positions, body)

    def contacts(self, name: str) -> FootContacts | None:
        """When the feet bear on the ground, calibrated on this clip; None without feet."""
        feet = self.facts(name).feet
        if feet is None:
            return None
        soles = Soles(feet.points, feet.leg, feet.sole_ground)
        return FootContacts(soles, self.array(name, "contacts"), feet.ground)

    def facts(self, name: str) -> ClipFacts:
        """What the clip's own folder says: hashes of the arrays, and soles.

        Raises
        ------
        FormatError
            When it is missing on disk or damaged.
        """
        entry = self.entry(name)
        folder = self.path / CLIPS / entry.folder
        facts: ClipFacts | None = None
        with suppress(ValidationError):
            facts = ClipFacts.model_validate(read_attributes(folder).get("facts"))
        if facts is None or facts.hash(entry.translated) != entry.hash:
            raise DamageError("its attributes are not those that were written", folder)
        points = () if facts.feet is None else facts.feet.points
        known = all(0 <= p.joint < self.skeleton.n_joints for p in points)
        if not known or not set(facts.files) <= set(_ARRAYS):
            raise DamageError("its attributes are those of another skeleton", folder)
        return facts

    def _arrays(self, name: str, *wanted: str) -> list[NDArray[Any]]:
        facts = self.facts(name)
        entry = self.entry(name)
        files = facts.files
        folder = self.path / CLIPS / entry.folder
        points = () if facts.feet is None else facts.feet.points
        sizes = {"T": entry.n_frames, "J": self.skeleton.n_joints}
        sizes |= {"K": len(entry.translated), "P": len(points)}
        for what in wanted:
            if what not in files:
                raise InvalidInputError(f"clip {name!r} has no {what!r}; it has {', '.join(files)}")
        return [read_array(folder, what, files[what], _ARRAYS[what], sizes) for what in wanted]

    def _motion(self, name: str, rotations: NDArray[Any], translations: NDArray[Any]) -> Motion:
        entry = self.entry(name)
        source = Source(
            format=entry.source.format,
            path=str(path_of(self.path, entry.source.path)),
            unit=entry.source.unit,
            up=entry.source.up,
            channels=self._performer.channels,
        )
        return Motion(
            self.skeleton, rotations, translations, 1.0 / self.fps, entry.translated, name, source
        )


def open_library(path: PathName) -> Library:
    """Open a library for reading. Only its manifest is read.

    Raises
    ------
    InvalidInputError
        When there is no library.
    FormatError
        When it was written by another version, or is damaged.
    """
    return Library(Path(path), read_manifest(path))


#: Frames per second of a library that is not told otherwise: what motion graphs are usually
#: searched at.
DEFAULT_FPS = 30.0
#: An empty Zarr group.
_GROUP_FILE = "zarr.json"
_GROUP = b'{\n  "attributes": {},\n  "zarr_format": 3,\n  "node_type": "group"\n}'


def create_library(
    path: PathName, fps: float = DEFAULT_FPS, table: Mapping[str, Any] | None = None
) -> Library:
    """Make an empty library in a new or empty folder.

    Parameters
    ----------
    path : path-like
        A new folder, or one that is empty but for hidden files.
    fps : float
        Frames per second of every clip.
    table : mapping, optional
        What is known better about the roles of the joints; see `find_roles`.

    Returns
    -------
    Library
        Its skeleton will be that of the first clip.

    Raises
    ------
    InvalidInputError
        When `fps` is no positive number, or something is in the folder.
    MissingExtraError
        When zarr is not installed.
    """
    folder = Path(path)
    if not (np.isfinite(fps) and fps > 0):
        raise InvalidInputError(f"fps must be a positive number, got {fps}")
    import_zarr()
    if (folder / FILE_NAME).exists():
        message = f"{folder}: a library is here already; add clips to that one"
        raise InvalidInputError(message, hint="add to library")
    if os.path.lexists(folder) and not folder.is_dir():
        raise InvalidInputError(f"{folder}: this is a file; give the name of a new folder")
    begun = _begun(folder) if folder.is_dir() else ()
    if begun is None:
        message = f"{folder}: this folder holds other things;"
        raise InvalidInputError(f"{message} give the name of a new or empty folder")
    try:
        for file in begun:
            file.unlink(missing_ok=True)
        (folder / CLIPS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder}: cannot be made ({error.strerror or error}); choose another place"
        raise InvalidInputError(message) from None
    for group in (folder, folder / CLIPS):
        if not (group / _GROUP_FILE).exists():
            write_file(group / _GROUP_FILE, _GROUP)
    # With the manifest it becomes a library.
    manifest = Manifest(motionloom_library=VERSION, fps=float(fps), table=dict(table or {}))
    write_manifest(folder, manifest)
    return open_library(folder)


def _begun(folder: Path) -> tuple[Path, ...] | None:
    """Temporary files in a folder of nothing but hidden files and what this leaves when it is
    killed; else None.
    """
    clips = folder / CLIPS
    places = [folder, clips] if clips.is_dir() and not clips.is_symlink() else [folder]
    temporary = [file for place in places for file in leftovers(place, r"zarr\.json|library\.json")]
    groups = [place / _GROUP_FILE for place in places if _is_group(place / _GROUP_FILE)]
    ours = {*places[1:], *temporary, *groups}
    found = [path for place in places for path in place.iterdir()]
    whole = all(path in ours or is_incidental(path.name) for path in found)
    return tuple(temporary) if whole else None


def _is_group(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and file.read_bytes() == _GROUP
