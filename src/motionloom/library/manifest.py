"""The manifest of a library: what it holds, as one JSON file that is replaced as a whole.

Files that clips were read from are named relative to the library, and known by a hash.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from motionloom.analysis.soles import SolePoint
from motionloom.declared import MOST
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import read_bytes, write_file
from motionloom.io.owned import real_path
from motionloom.io.stored import Fault, brief
from motionloom.roles import Roles, check_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, PathName

#: Raised whenever the content of a library or its meaning changes.
VERSION = 1
#: Name of the manifest in the library's folder.
FILE_NAME = "library.json"
_AGAIN = "make the library again from its clips"

Vector = tuple[float, float, float]
_Count = Annotated[int, Field(ge=0, le=MOST)]
_Positive = Annotated[float, Field(gt=0)]
_Channel = Annotated[str, Field(pattern="^[XYZ](position|rotation)$")]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class SourceOptions(_Record):
    """What the user knew better than a file, as `load_motion` takes it.

    Parameters
    ----------
    unit : float (metres) or str, optional
        A string such as ``"1!"`` where the user insisted.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``.
    skeleton : str, optional
        ASF file, as its path from the library's folder.
    frame_time : float, seconds, optional
        Time between frames.
    retarget : bool
        Whether a clip of another skeleton is carried over to the library's.
    """

    unit: float | str | None = None
    up: str | None = None
    skeleton: str | None = None
    frame_time: float | None = None
    retarget: bool = False


class SourceFile(_Record):
    """The file a clip was read from.

    Parameters
    ----------
    path : str
        From the library's folder, with slashes; absolute where there is no such path.
    skeleton : str, optional
        The skeleton file that was read with it, likewise.
    hash : str
        SHA-256 of its bytes, and of those of its skeleton file.
    format : str
        As in `motionloom.motion.Source`, such as ``"bvh"``.
    frame_time : float, seconds
        Time between frames of the file.
    n_frames : int
        Frames in the file.
    first_frame : int
        Frame of the file that is frame 0 of the clip.
    unit : float
        Metres per unit of length in the file.
    up : str
        Its up axis.
    options : SourceOptions
        What the user said about how to read it.
    """

    path: str
    skeleton: str | None = None
    hash: str
    format: str
    frame_time: _Positive
    n_frames: _Count
    first_frame: _Count = 0
    unit: _Positive
    up: str
    options: SourceOptions = SourceOptions()


class Feet(_Record):
    """How a clip's contacts were found: its soles, calibrated on it alone, and the ground.

    Parameters
    ----------
    points : tuple of SolePoint
        In the order of the columns of the clip's contacts.
    leg : float, metres
        Length of a straight leg from hip to ankle.
    sole_ground : float, metres
        Height of the floor that the soles were calibrated with.
    ground : float, metres
        Height of the ground that the contacts were found with.
    """

    points: tuple[SolePoint, ...]
    leg: _Positive
    sole_ground: float
    ground: float


class ClipFacts(_Record):
    """What a clip's own folder says beside its arrays.

    Parameters
    ----------
    values : mapping of str to str
        SHA-256 of the values of each array.
    files : mapping of str to str
        SHA-256 of the files of each array.
    feet : Feet, optional
        Absent where the skeleton has no feet.
    """

    values: dict[str, str]
    files: dict[str, str]
    feet: Feet | None

    def hash(self, translated: tuple[int, ...]) -> str:
        """SHA-256 of all that makes the clip, however it is stored."""
        text = f"{translated}{self.model_dump_json(exclude={'files'})}"
        return hashlib.sha256(text.encode()).hexdigest()


class ClipEntry(_Record):
    """One clip of a library.

    Parameters
    ----------
    name : str
        Unique in the library.
    folder : str
        Of its arrays, below ``clips``.
    n_frames : int
        At the library's frame rate.
    translated : tuple of int
        Joints with translations.
    hash : str
        Of its content.
    source : SourceFile
        The file it was read from.
    scale : float
        Leg length of the library's performer over that of the clip's; 1 for a clip of the same
        bones.
    raised : float, metres
        How far a clip of another size was moved up, so that its feet are on the ground.
    notes : tuple of str
        What was guessed or changed while the clip was read and made ready.
    """

    name: str
    folder: Annotated[str, Field(pattern="^[A-Za-z0-9_-]+$", max_length=200)]
    n_frames: _Count
    translated: tuple[_Count, ...]
    hash: str
    source: SourceFile
    scale: _Positive = 1.0
    raised: float = 0.0
    notes: tuple[str, ...] = ()


class Performer(_Record):
    """The one skeleton of a library, that of its first clip.

    Parameters
    ----------
    names : tuple of str
        Joint names.
    parents : tuple of int
        Index of each joint's parent, -1 for the root.
    offsets : tuple of (float, float, float), metres
        Position of each joint in its parent's frame.
    end_parents : tuple of int
        Joint of each end site.
    end_offsets : tuple of (float, float, float), metres
        Position of each end site in its joint's frame.
    roles : mapping of str to int
        Joint index by role.
    kind : str
        ``"human"``, ``"quadruped"`` or ``"other"``.
    forward : tuple of (int, (float, float, float)), optional
        Joint and axis in its frame that point where the body faces.
    channels : tuple of tuple of str
        Of the first clip's file, for writing.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: tuple[Vector, ...]
    end_parents: tuple[int, ...]
    end_offsets: tuple[Vector, ...]
    roles: dict[str, int]
    kind: str
    forward: tuple[int, Vector] | None = None
    channels: tuple[tuple[_Channel, ...], ...] = ()

    @classmethod
    def of(
        cls, skeleton: Skeleton, roles: Roles, channels: tuple[tuple[str, ...], ...] = ()
    ) -> Performer:
        """Record of a skeleton and its roles.

        Parameters
        ----------
        skeleton : Skeleton
            The library's skeleton.
        roles : Roles
            Of its joints.
        channels : tuple of tuple of str, optional
            Channel names of each joint in the first clip's file; empty for files without channels.

        Returns
        -------
        Performer
            `to_skeleton` and `to_roles` give both back, the roles without their doubts.
        """
        return cls(
            names=skeleton.names,
            parents=tuple(skeleton.parents.tolist()),
            offsets=_vectors(skeleton.offsets),
            end_parents=tuple(skeleton.end_parents.tolist()),
            end_offsets=_vectors(skeleton.end_offsets),
            roles=dict(roles.joints),
            kind=roles.kind,
            forward=roles.forward,
            channels=channels,
        )

    def to_skeleton(self) -> Skeleton:
        """The skeleton."""
        ends = np.array(self.end_parents, int), np.array(self.end_offsets).reshape(-1, 3)
        return Skeleton(self.names, np.array(self.parents), np.array(self.offsets), *ends)

    def to_roles(self) -> Roles:
        """The roles of its joints."""
        return Roles(dict(self.roles), self.kind, self.forward)


def _vectors(array: Array) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x, y, z in array.tolist())


class ClipLabel(_Record):
    """What happens in a clip between two times of its file.

    Parameters
    ----------
    label : str
        What happens.
    begin : float, seconds
        From when.
    end : float, seconds, optional
        Until when; to the clip's end when not given.
    """

    label: str
    begin: float = 0.0
    end: float | None = None


class Manifest(_Record):
    """Everything a library says about its clips; the clips are sorted by name.

    Parameters
    ----------
    version : int
        Of the format.
    fps : float
        Frames per second of all clips.
    table : mapping
        What the user said about roles when the library was made.
    performer : Performer, optional
        Absent until there is a clip.
    clips : tuple of ClipEntry
        Sorted by name.
    labels : mapping of str to tuple of ClipLabel
        By the names of clips.
    """

    version: int = Field(alias="motionloom_library")
    fps: Annotated[float, Field(gt=0, le=1e6)]
    table: dict[str, Any] = Field(default_factory=dict)
    performer: Performer | None = None
    clips: tuple[ClipEntry, ...] = ()
    labels: dict[str, tuple[ClipLabel, ...]] = Field(default_factory=dict)

    def with_clips(self, clips: Iterable[ClipEntry], **others: Any) -> Manifest:
        """The same library with other clips, in the order of their names, and other fields."""
        ordered = tuple(sorted(clips, key=lambda entry: entry.name))
        return self.model_copy(update={"clips": ordered, **others})


def read_manifest(folder: PathName) -> Manifest:
    """Read the manifest of the library in a folder.

    Raises
    ------
    InvalidInputError
        When there is no library.
    FormatError
        When it was written by another version, or is damaged.
    """
    path = Path(folder) / FILE_NAME
    if not path.is_file():
        message = f"{folder}: no library is here; create one first"
        raise InvalidInputError(message, hint="create library")
    try:
        content = from_json(read_bytes(path))
        version = content["motionloom_library"]
    except (ValueError, TypeError, KeyError):
        raise FormatError(f"this is not the manifest of a library; {_AGAIN}", path) from None
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        way, todo = ("newer", "update motionloom") if newer else ("other", _AGAIN)
        found = f"{brief(version)}, expected {VERSION}"
        raise FormatError(f"this library was written by a {way} version ({found}); {todo}", path)
    try:
        manifest = Manifest.model_validate(content)
        if len({entry.name for entry in manifest.clips}) < len(manifest.clips):
            raise Fault("two clips have one name")
        if manifest.performer is not None:
            check_roles(manifest.performer.to_roles(), manifest.performer.to_skeleton())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        said = f"damaged at {brief(where)} ({brief(first['msg'].lower())})"
        raise FormatError(f"{said}; {_AGAIN}", path) from None
    except (Fault, InvalidInputError) as error:
        raise FormatError(f"damaged ({brief(error)}); {_AGAIN}", path) from None
    return manifest


def write_manifest(folder: PathName, manifest: Manifest) -> None:
    """Replace the manifest of a library's folder; others see the old one or the new one.

    Parameters
    ----------
    folder : path-like
        The library's folder.
    manifest : Manifest
        What it says from now on.

    Raises
    ------
    InvalidInputError
        When the file cannot be written.
    """
    head = manifest.model_dump_json(by_alias=True, exclude={"clips"}).removesuffix("}")
    clips = ",\n".join(entry.model_dump_json(exclude_defaults=True) for entry in manifest.clips)
    write_file(Path(folder) / FILE_NAME, f'{head},"clips":[\n{clips}\n]}}\n')


#: Bytes that are no UTF-8, as Python has them in names of files; and backslashes that begin what
#: looks like an escape.
_ODD = re.compile(r"[\udc80-\udcff]|\\(?=x(?:[89a-f][0-9a-f]|5c))")
_ESCAPE = re.compile(r"\\x([89a-f][0-9a-f]|5c)")


def _unescape(match: re.Match[str]) -> str:
    byte = int(match[1], 16)
    return chr(byte if byte < 0x80 else 0xDC00 + byte)


def path_from(folder: Path, path: Path) -> str:
    r"""Path of a file as seen from the library's folder; absolute where there is no such path.

    A byte that is no UTF-8 is written as ``\xff``, and a backslash that would be taken for the
    first of these as ``\x5c``, so that any path is text.

    Parameters
    ----------
    folder : Path
        The library's folder.
    path : Path
        The file; links are resolved.

    Returns
    -------
    str
        With slashes, for `path_of`.
    """
    file = real_path(path)
    try:
        found = Path(os.path.relpath(file, folder.resolve())).as_posix()
    except ValueError:  # another drive
        found = file.as_posix()
    return _ODD.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", found)


def path_of(folder: Path, path: str) -> Path:
    """The file that `path_from` was given; an absolute path stays as it is.

    Parameters
    ----------
    folder : Path
        The library's folder.
    path : str
        As `path_from` wrote it.

    Returns
    -------
    Path
        Absolute.
    """
    return Path(os.path.normpath(folder.resolve() / _ESCAPE.sub(_unescape, path)))


def refuse_inside(folder: Path, files: Iterable[Path]) -> None:
    """Refuse clips that lie in the library's own folder.

    Parameters
    ----------
    folder : Path
        The library's folder.
    files : iterable of Path
        Files that are to become clips.

    Raises
    ------
    InvalidInputError
        Naming the first one and what to do.
    """
    here = real_path(folder)
    for file in files:
        if real_path(file).is_relative_to(here):
            raise InvalidInputError(
                f"{file}: this clip lies in the folder of the library {folder}, in which only"
                " motionloom writes; keep clips in a folder of their own, or make the library in"
                " another place"
            )


def load_options(folder: Path, options: SourceOptions) -> dict[str, Any]:
    """Options of a clip's source as arguments of `load_motion`.

    Parameters
    ----------
    folder : Path
        The library's folder, from which the skeleton file is told.
    options : SourceOptions
        As the manifest has them.

    Returns
    -------
    dict of str to object
        ``unit``, ``up``, ``skeleton`` and ``frame_time``; None where nothing was said.
    """
    skeleton = None if options.skeleton is None else path_of(folder, options.skeleton)
    return {**options.model_dump(exclude={"retarget"}), "skeleton": skeleton}


def hash_files(path: Path, skeleton: Path | None) -> str:
    """SHA-256 of the bytes of a file and of its skeleton file.

    Parameters
    ----------
    path : Path
        The motion file.
    skeleton : Path or None
        Its skeleton file, for formats that have one.

    Returns
    -------
    str
        Hexadecimal digits.

    Raises
    ------
    FormatError
        When one of them cannot be read.
    """
    digest = hashlib.sha256(read_bytes(path))
    if skeleton is not None:
        digest.update(hashlib.sha256(read_bytes(skeleton)).digest())
    return digest.hexdigest()


def hash_source(folder: Path, source: SourceFile) -> str:
    """Hash of a clip's source as it is now.

    Parameters
    ----------
    folder : Path
        The library's folder.
    source : SourceFile
        What the manifest says about the file; its own hash is not looked at.

    Returns
    -------
    str
        As of `hash_files`, to compare with ``source.hash``.

    Raises
    ------
    FormatError
        When it cannot be read.
    """
    skeleton = None if source.skeleton is None else path_of(folder, source.skeleton)
    return hash_files(path_of(folder, source.path), skeleton)
