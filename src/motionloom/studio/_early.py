"""What is on the screen before anything is made: what was there last, or a clip as captured.

A clip as it was captured, to have somebody on the screen before anything is made.

What windows were shown last, kept beside the shot: who opens it again sees that at once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from motionloom.errors import MotionloomError
from motionloom.io.kept import SUFFIX, KeptFolder
from motionloom.motion import GroundTransform, Motion
from motionloom.places import Place
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.reading import read_files
from motionloom.roles import Roles
from motionloom.shot.plan.planned import place_of
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.span_fields import IdleSpan, WalkSpan
from motionloom.studio._making import Making
from motionloom.studio._shown import Message
from motionloom.studio._web.protocol import Clients, write_message
from motionloom.workspace.shots import find_cast

#: The key in the studio's folder, and the most bytes that are kept.
KEY, MOST = "shown", 200_000_000
#: What may be told again.
KINDS = ("character", "motion", "report", "naturalness")


@dataclass(frozen=True)
class Last:
    """What windows were shown last.

    Parameters
    ----------
    messages : tuple of dict
        What they were told.
    is_same : bool
        Whether the shot still is what it was made of.
    plan : mapping, optional
        When its spans were.
    """

    messages: tuple[Message, ...]
    is_same: bool
    plan: Mapping[str, Any] | None = None


def keep_last(
    folder: Path, text: str, messages: Iterable[Message], plan: Mapping[str, Any] | None = None
) -> None:
    """Keep what is shown.

    Parameters
    ----------
    folder : Path
        Of the studio, beside the shot.
    text : str
        The shot file that it was made of.
    messages : iterable of dict
        What windows were told; characters, motions, and what was measured of them are kept.
    plan : mapping, optional
        When spans are.
    """
    told = [one for one in messages if one["type"] in KINDS]
    packed = write_message({"key": _key_of(text), "told": told, "plan": plan})
    if len(packed) <= MOST:
        KeptFolder(folder).save_bytes(KEY, packed)


def load_last(folder: Path, text: str) -> Last | None:
    """What was shown last of a shot; nothing where none was, or it cannot be read.

    Parameters
    ----------
    folder : Path
        Of the studio, beside the shot.
    text : str
        The shot file as it is now.

    Returns
    -------
    Last or None
    """
    content = KeptFolder(folder).load_bytes(KEY)
    if content is None:
        return None
    try:
        kept = msgpack.unpackb(content, raw=False)
        messages = tuple(one for one in kept["told"] if one["type"] in KINDS)
        is_same = kept["key"] == _key_of(text)
        return Last(messages, is_same, kept["plan"]) if messages else None
    except (ValueError, LookupError, TypeError, msgpack.exceptions.UnpackException):
        return None


def _key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


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
        names = (name for name in library.names if "walk" in name.lower())
        return library.frames(next(names, library.names[0])).motion
    walks = (path for path in place.files if "walk" in path.stem.lower())
    path = next(walks, place.files[0])
    if path not in read:
        read[path] = read_files([path])[0]
    return read[path]


#: What is shown is kept no more often than this, seconds.
BETWEEN = 0.5


@dataclass(eq=False)
class Early:
    """Shows what there is until something is made, and keeps that for the next time.

    Parameters
    ----------
    making : Making
        What is known of the making of the shot.
    clients : Clients
        The windows.
    folder : Path
        Of what the studio keeps beside the shot.
    """

    making: Making
    clients: Clients
    folder: Path
    _known: Any = None
    _due: Callable[[], None] | None = None
    _keeping: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def show(self) -> None:
        """Have somebody on the screen."""
        if not await self._show_last():
            await self._show_captured()

    async def look(self) -> None:
        """Show what another studio has kept since."""
        if self._state() != self._known:
            await self._show_last()

    def note(self) -> None:
        """Have what is shown kept for who opens the shot again, if it is what is written."""
        shown = self.making.shown
        document = self.making.document
        is_written = document.drag is None and shown.rev == document.rev
        if document.journal is None or not is_written:
            return
        text, plan, copy = document.text, self.making.plan, shown.kept()
        self._due = lambda: keep_last(self.folder, text, copy.all(), plan)

    async def keep(self) -> None:
        """Keep what was noted; of what is noted meanwhile the last."""
        if self._keeping.locked():
            return
        async with self._keeping:
            while self._due is not None:
                await asyncio.to_thread(self.keep_now)
                await asyncio.sleep(BETWEEN)

    def keep_now(self) -> None:
        """Keep what was noted and is not kept yet."""
        due, self._due = self._due, None
        if due is not None:
            with suppress(OSError, MotionloomError):  # it is made again then
                due()

    def _state(self) -> Any:
        """What decides what is shown of what was kept: when it was, and the document."""
        with suppress(OSError):
            facts = (self.folder / f"{KEY}{SUFFIX}").lstat()
            return facts.st_mtime_ns, facts.st_size, self.making.document.text
        return self.making.document.text

    async def _show_last(self) -> bool:
        """What was shown last, of this document or an older one; whether there is any."""
        self._known = self._state()
        document = self.making.document
        rev = document.rev
        last = await asyncio.to_thread(load_last, self.folder, document.text)
        if last is None or self.making.is_made:
            return self.making.is_made
        is_older = not last.is_same or rev != document.rev
        self.clients.tell(self.making.take_last(last.messages, is_older, last.plan))
        return True

    async def _show_captured(self) -> None:
        file = self.making.document.file
        if file is None:
            return
        with suppress(MotionloomError):
            for who, motion, roles in await asyncio.to_thread(lambda: list(captured_motions(file))):
                if not self.making.is_made:
                    self.clients.tell(self.making.shown.take_captured(who, motion, roles))
