"""Clips that a browser has sent put beside the shot, on the body of the clips that are there.

Clips that a browser sends: into a temporary folder first, then beside the shot.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.owned import refuse_links
from motionloom.places import MOTION_SUFFIXES, find_clips
from motionloom.reading import read_files
from motionloom.shot.script.reading import ShotFile
from motionloom.studio._making import problem_message
from motionloom.studio._shown import Message
from motionloom.studio._web.protocol import MOST_UPLOAD, MOST_UPLOADS, Chunk, Client, Upload
from motionloom.workspace.shots import find_cast

if TYPE_CHECKING:
    from motionloom.motion import Motion

#: Most files on their way at a time.
MOST_OPEN = 4
#: Most bytes that come in all.
MOST_TOTAL = 5_000_000_000
_ENOUGH = "were sent already; put more into the folder of clips yourself"
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


@dataclass
class Arrived:
    """A file in a temporary folder, on its way or there whole.

    Parameters
    ----------
    asked : Upload
        As it was announced.
    name : str
        Its name, made safe.
    place : Path
        Where it is.
    """

    asked: Upload
    name: str
    place: Path
    digest: Any = field(default_factory=hashlib.sha256)
    received: int = 0


@dataclass
class Uploads:
    """Files that a browser sends.

    Parameters
    ----------
    folder : Path
        Of the shot.
    """

    folder: Path
    count: int = 0
    total: int = 0
    _open: dict[str, Arrived] = field(default_factory=dict)
    _refused: set[str] = field(default_factory=set)
    _temporary: Path | None = None

    def begin(self, asked: Upload) -> None:
        """A file is announced; of one that is refused no more is said when its bytes come.

        Raises
        ------
        InvalidInputError
            When it is too large, one too many, or no motion by its name.
        """
        name = _safe_name(asked.name)
        if len(self._refused) < MOST_UPLOADS and asked.id not in self._open:
            self._refused.add(asked.id)
        self._check(asked, name)
        self._refused.discard(asked.id)
        self.count += 1
        self.total += asked.size
        if self._temporary is None:
            self._temporary = Path(tempfile.mkdtemp(prefix="motionloom-studio-"))
        place = Path(tempfile.mkdtemp(dir=self._temporary)) / name
        place.touch(exist_ok=False)
        self._open[asked.id] = Arrived(asked, name, place)

    def _check(self, asked: Upload, name: str) -> None:
        large = f"has {asked.size} bytes; a file has at most {MOST_UPLOAD}, so put it into"
        kinds = f"is no motion of a skeleton; expected one of {', '.join(MOTION_SUFFIXES)}"
        is_busy = asked.id in self._open or len(self._open) >= MOST_OPEN
        refusals = {
            f"{large} the folder of clips yourself": asked.size > MOST_UPLOAD,
            f"{MOST_UPLOADS} files {_ENOUGH}": self.count >= MOST_UPLOADS,
            f"{MOST_TOTAL} bytes {_ENOUGH}": self.total + asked.size > MOST_TOTAL,
            f"send at most {MOST_OPEN} files at a time": is_busy,
            kinds: Path(name).suffix.lower() not in MOTION_SUFFIXES,
            "the file is empty": asked.size == 0,
        }
        for why in (why for why, is_refused in refusals.items() if is_refused):
            raise InvalidInputError(f"{name}: {why}")

    def take(self, chunk: Chunk) -> Arrived | None:
        """The next bytes of a file; the file, when these were the last.

        Raises
        ------
        InvalidInputError
            When they are not the next ones, too many, or not what was announced.
        """
        one = self._open.get(chunk.id)
        if one is None:
            if chunk.id in self._refused:
                return None
            raise InvalidInputError("bytes of a file that was not announced")
        left = one.asked.size - one.received
        if chunk.offset != one.received or not 0 < len(chunk.data) <= left:
            self.drop(chunk.id)
            raise InvalidInputError(f"{one.name}: came in pieces that do not fit; send it again")
        with one.place.open("ab") as stream:
            stream.write(chunk.data)
        one.digest.update(chunk.data)
        one.received += len(chunk.data)
        if one.received < one.asked.size:
            return None
        if one.digest.hexdigest() != one.asked.sha256:
            self.drop(chunk.id)
            raise InvalidInputError(f"{one.name}: was damaged on its way; send it again")
        return self._open.pop(chunk.id)

    def drop(self, name: str) -> None:
        """Forget a file on its way."""
        one = self._open.pop(name, None)
        if one is not None:
            shutil.rmtree(one.place.parent, ignore_errors=True)

    def drop_all(self) -> None:
        """Forget all files on their way: the window that sent them is closed."""
        for name in list(self._open):
            self.drop(name)

    def close(self) -> None:
        """Remove the temporary folder."""
        self.drop_all()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def free_name(place: Path) -> Path:
    """A path, or one beside it where no file is."""
    return next(path for path in names_beside(place) if not (path.exists() or path.is_symlink()))


def names_beside(place: Path) -> Iterator[Path]:
    """A path, and others beside it: ``walk.bvh``, ``walk-2.bvh`` ..."""
    yield place
    for i in range(2, 10_000):
        yield place.with_name(f"{place.stem}-{i}{place.suffix}")


def _copied(source: Path, place: Path) -> bool:
    """Copy a file to where none is; whether that was so."""
    try:
        with source.open("rb") as read, place.open("xb") as written:
            shutil.copyfileobj(read, written)
            written.flush()
            os.fsync(written.fileno())
    except FileExistsError:
        return False
    return True


def _safe_name(told: str) -> str:
    """Name of a file without the path that it came with, fit for any file system.

    Parameters
    ----------
    told : str
        As a browser sends it.

    Returns
    -------
    str
        Of letters, digits and ``-_.()``, not hidden, of at most 100 characters.
    """
    last = told.replace("\\", "/").split("/")[-1]
    clean = re.sub(r"[^\w.()-]+", "_", last).lstrip("._-") or "clip"
    stem, dot, suffix = clean.rpartition(".")
    clean = f"{stem[:90]}{dot}{suffix[:9]}" if dot else clean[:100]
    return f"_{clean}" if _RESERVED.match(clean) else clean


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
        client.send(problem_message(text, id=arrived.asked.id, hint=error.hint))
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
    note = " ".join(filter(None, [brought.note, "" if is_used else elsewhere]))
    about = {"id": arrived.asked.id, "name": brought.place.name, "note": note}
    return {"type": "uploaded", **about, "clips": [brought.clip] if is_used else []}


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
    from motionloom.clips.same_skeleton import skeletons_differ
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
        if others and skeletons_differ(others[0], clip):
            return _carry_over(arrived, clip, others, clips)
        place = next(
            path for path in names_beside(clips / arrived.name) if _copied(arrived.place, path)
        )
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


def _carry_over(arrived: Arrived, clip: Motion, others: list[Motion], clips: Path) -> Brought:
    """The clip on the body of the others, in a file like theirs."""
    from motionloom.clips.same_skeleton import skeletons_differ
    from motionloom.edit.retarget import fit_role_frames, retarget_clips
    from motionloom.io import load_motion, save
    from motionloom.posed_motion import pose_motion

    told = f"{others[0].name} of this shot and {arrived.name} {skeletons_differ(others[0], clip)}"
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
    if skeletons_differ(others[0], load_motion(place)):
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
