"""The table of numbers in an AMC file: text <-> one row a frame."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import FormatError
from motionloom.io.acclaim import Bone
from motionloom.io.asf import LARGEST, shown
from motionloom.io.notes import Notes

_FRAME_TIME = re.compile(r"# frame time (\d+(?:\.\d+)?(?:e[-+]?\d+)?) s", re.ASCII)


@dataclass(frozen=True, eq=False)
class FrameTable:
    """The numbers of an AMC file, in the file's units.

    Parameters
    ----------
    bones : tuple of str
        In the order of the file.
    values : array of shape (T, columns)
        Each bone's numbers, bone after bone.
    degrees : bool or None
        Whether the file says degrees or radians; None when it says nothing.
    frame_time : float or None, seconds
        From the comment that `write_amc` leaves; None in files of others, as the format does not hold it.
    """

    bones: tuple[str, ...]
    values: NDArray[np.float64]
    degrees: bool | None = None
    frame_time: float | None = None


def parse_frames(text: str, bones: Mapping[str, Bone], notes: Notes) -> FrameTable:
    """Read all frames; quick where all look alike, else line by line.

    Raises
    ------
    FormatError
        When a line is not a frame number and not a bone with the right count of numbers.
    """
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if _is_frame_number(line)), None)
    if start is None:
        raise notes.error("no frame found (a line with only a frame number); this is not an AMC motion file")
    found = _parse_regular(lines, start, bones)
    if found is None:
        frames = _Frames(bones, notes)
        for number, line in enumerate(lines[start:], start + 1):
            words = line.partition("#")[0].split()
            if words:
                frames.take(number, words)
        found = frames.table()
    degrees, frame_time = _parse_head(lines[:start])
    return replace(found, degrees=degrees, frame_time=frame_time)


def _parse_head(lines: list[str]) -> tuple[bool | None, float | None]:
    """Whether angles are degrees, and the frame time, where the lines before the first frame say so."""
    degrees, frame_time = None, None
    for line in lines:
        word = line.strip().lower()
        if word.startswith((":deg", ":rad")):
            degrees = word.startswith(":deg")
        elif (match := _FRAME_TIME.fullmatch(word)) and 1e-6 < float(match[1]) < 1e6:
            frame_time = float(match[1])
    return degrees, frame_time


def format_head(skeleton: str, degrees: bool, frame_time: float) -> str:
    """First lines of a file; the frame time is a comment, as the format has no place for it."""
    words = [f"#!OML:ASF {skeleton}", f"# frame time {frame_time!r} s", ":FULLY-SPECIFIED"]
    return "\n".join([*words, ":DEGREES" if degrees else ":RADIANS", ""])


def format_frames(bones: Sequence[tuple[str, int]], values: NDArray[np.float64]) -> str:
    """Text of frames 1 to T; `bones` names each bone and how many of the columns of `values` are its own."""
    frame = "".join(f"{name}{' %.9g' * count}\n" for name, count in bones)
    values = np.where(np.abs(values) < 1e-12, 0.0, values)
    return "".join(f"{i}\n{frame % tuple(row)}" for i, row in enumerate(values.tolist(), 1))


def _is_frame_number(line: str) -> bool:
    line = line.strip()
    return line.isascii() and line.isdigit()


def _parse_regular(lines: list[str], start: int, bones: Mapping[str, Bone]) -> FrameTable | None:
    """Read frames that all look alike as one stream of words, or return None where they do not."""
    stop = next((i for i in range(start + 1, len(lines)) if _is_frame_number(lines[i])), len(lines))
    first = [words for line in lines[start + 1 : stop] if (words := line.split())]
    if any(row[0] not in bones or len(row) != 1 + len(bones[row[0]].freedoms) for row in first):
        return None
    names = tuple(row[0] for row in first)
    if sorted(names) != sorted(name for name, bone in bones.items() if bone.freedoms):
        return None
    words = " ".join(lines[start:]).split()
    stride = 1 + sum(map(len, first))
    n, rest = divmod(len(words), stride)
    if rest or len(words[0]) > 9 or words[::stride] != [str(int(words[0]) + i) for i in range(n)]:
        return None
    columns: list[int] = []
    k = 1
    for row in first:
        if words[k::stride].count(row[0]) != n:
            return None
        columns += range(k + 1, k + len(row))
        k += len(row)
    try:
        values = np.array([list(map(float, words[k::stride])) for k in columns]).T
    except ValueError:
        return None
    return FrameTable(names, values) if np.all(np.abs(values) <= LARGEST) else None


class _Frames:
    """Frames whose bones may be missing or come in any order, collected line by line."""

    def __init__(self, bones: Mapping[str, Bone], notes: Notes) -> None:
        self.bones, self.notes = bones, notes
        self.names = {name.lower(): name for name in bones}
        self.frames: list[dict[str, list[float]]] = []
        self.last_number: int | None = None
        self.cut_short: FormatError | None = None
        self.jumps: list[tuple[int, str]] = []
        self.twice: list[tuple[int, str]] = []

    def take(self, line: int, words: list[str]) -> None:
        """Take one line; a wrong line is forgiven where nothing follows it."""
        if self.cut_short is not None:
            raise self.cut_short
        try:
            if len(words) == 1 and _is_frame_number(words[0]):
                self._begin(line, int(words[0][:15]))
            else:
                self._bone(line, words)
        except FormatError as error:
            self.cut_short = error

    def _begin(self, line: int, number: int) -> None:
        if self.last_number is not None and number != self.last_number + 1:
            self.jumps.append((line, f"frame {number} follows frame {self.last_number}; read as the next one"))
        self.last_number = number
        self.frames.append({})

    def _bone(self, line: int, words: list[str]) -> None:
        name = self.names.get(words[0].lower())
        if name is None:
            raise self.notes.error(f"{shown(words[:1])} is neither a frame number nor a bone of the skeleton", line)
        count = len(self.bones[name].freedoms)
        if len(words) != 1 + count:
            message = f"bone {name!r} has {count} degrees of freedom, found {len(words) - 1} numbers"
            raise self.notes.error(message, line)
        try:
            values = [float(word) for word in words[1:]]
        except ValueError:
            message = f"bone {name!r} needs {count} numbers, found {shown(words[1:])}"
            raise self.notes.error(message, line) from None
        if not all(abs(v) <= LARGEST for v in values):
            raise self.notes.error(f"bone {name!r} has a number beyond {LARGEST:g}", line)
        if name in self.frames[-1]:
            self.twice.append((line, f"bone {name!r} comes twice in one frame; the last counts"))
        self.frames[-1][name] = values

    def table(self) -> FrameTable:
        """Return the frames as one table; a missing bone keeps its numbers from the frame before."""
        names = tuple(dict.fromkeys(name for frame in self.frames for name in frame))
        frames = self.frames
        if self.cut_short is not None or (len(frames) > 1 and len(frames[-1]) < len(frames[-2])):
            self.notes.mended(f"the file ends in the middle of frame {self.last_number}; that frame is left out")
            frames = frames[:-1]
        if not frames or not names:
            raise self.cut_short or self.notes.error("the file ends before its first frame is complete")
        for found in (self.jumps, self.twice):
            if found:
                line, message = found[0]
                more = f" (and {len(found) - 1} times more below)" if len(found) > 1 else ""
                self.notes.mended(message + more, line)
        self._note_missing(names, frames)
        held = {name: [0.0] * len(self.bones[name].freedoms) for name in names}
        rows = []
        for frame in frames:
            held = held | frame
            rows.append([value for name in names for value in held[name]])
        return FrameTable(names, np.array(rows, float).reshape(len(rows), -1))

    def _note_missing(self, names: tuple[str, ...], frames: list[dict[str, list[float]]]) -> None:
        for name in names:
            missing = [i for i, frame in enumerate(frames, 1) if name not in frame]
            if missing:
                more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
                kept = "kept as it was before (at rest at the start)"
                self.notes.mended(f"bone {name!r} is missing in frame {missing[0]}{more}; {kept}")
