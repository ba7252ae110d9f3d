"""Known frames named by a user, and the motion that goes through them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.errors import FormatError, InvalidInputError
from motionloom.reading import ReadOptions

if TYPE_CHECKING:
    from motionloom.inbetween.fill import Known
    from motionloom.motion import Motion

_FRAMES = re.compile(r"(\d+)(?:-(\d+))?")


def split_piece(piece: str) -> tuple[Path, tuple[int, int] | None]:
    """File and frames of FILE, FILE:FRAME or FILE:FIRST-LAST.

    Parameters
    ----------
    piece : str
        As a user names it.

    Returns
    -------
    tuple of (Path, (int, int) or None)
        First and last frame; None for all.
    """
    name, _, frames = piece.rpartition(":")
    found = _FRAMES.fullmatch(frames)
    if name and found and not Path(piece).exists():
        first = int(found[1])
        return Path(name), (first, int(found[2] or first))
    return Path(piece), None


def read_pieces(pieces: Sequence[str | Motion], options: ReadOptions) -> list[Motion]:
    """Read known frames, all at the rate of the first piece.

    Parameters
    ----------
    pieces : sequence of str or Motion
        FILE, FILE:FRAME, FILE:FIRST-LAST or what is loaded, in order.
    options : ReadOptions
        How files are read.

    Returns
    -------
    list of Motion

    Raises
    ------
    InvalidInputError
        When there are not two pieces, or a file has no such frames.
    FormatError
        When a file cannot be read.
    """
    if len(pieces) < 2:
        raise InvalidInputError("a gap needs known frames on both sides; name at least two pieces")
    motions = [_read_piece(piece, options) for piece in pieces]
    rate = motions[0].frame_time
    return [m if m.frame_time == rate or len(m) == 1 else m.resample(rate) for m in motions]


def _read_piece(piece: str | Motion, options: ReadOptions) -> Motion:
    from motionloom.io import load_motion

    if not isinstance(piece, str):
        return piece
    path, frames = split_piece(piece)
    motion = load_motion(path, **options.of_files)
    if not motion.n_frames:
        raise InvalidInputError(f"{path}: it has no frames; name a file with some")
    if frames is None:
        return motion
    first, last = frames
    if last < first:
        raise InvalidInputError(
            f"{path}:{first}-{last}: frames go from the first to the last; write {last}-{first}"
        )
    if last >= motion.n_frames:
        asked = f"{first}" if first == last else f"{first}-{last}"
        raise InvalidInputError(
            f"{path}: it has frames 0 to {motion.n_frames - 1}, so {asked} cannot be taken"
        )
    return motion.cut(first, last + 1)


def place_pieces(
    motions: Sequence[Motion], missing: int | None, given: Path | Sequence[float] | None
) -> list[Known]:
    """Place known frames in time.

    Parameters
    ----------
    motions : sequence of Motion
        In order.
    missing : int, frames, optional
        Missing frames in each gap.
    given : Path or sequence of float, optional
        When each piece begins, seconds, or a YAML list of that; either this or `missing` is given.

    Returns
    -------
    list of Known

    Raises
    ------
    InvalidInputError
        When neither or both are given, or times are not in order.
    """
    from motionloom.inbetween import Known

    fps = motions[0].fps
    # A lone pose has no rate of its own.
    same = [replace(m, frame_time=motions[0].frame_time) for m in motions]
    if (missing is None) == (given is None):
        raise InvalidInputError(
            "say how long gaps are: either how many frames, or a file of times", hint="give times"
        )
    if given is not None:
        times = _times_of(given, len(same))
        begin = round(times[0] * fps)
        return [Known(round(t * fps) - begin, m) for t, m in zip(times, same, strict=True)]
    assert missing is not None
    known = []
    at = 0
    for motion in same:
        known.append(Known(at, motion))
        at += motion.n_frames + missing
    return known


def _times_of(given: Path | Sequence[float], count: int) -> list[float]:
    """Times that pieces begin at, checked."""
    expected = f"expected a list of {count} times in seconds, ascending, one for each piece"
    path = given if isinstance(given, Path) else None
    told = given if path is None else _read_list(path, expected)
    if not isinstance(told, Sequence) or isinstance(told, str):
        raise FormatError(f"these are no times; {expected}", path)
    if len(told) != count:
        raise FormatError(f"found {len(told)} times; {expected}", path)
    for t in told:
        if not _is_time(t):
            raise FormatError(f"{t!r} is no time from 0 to 36000 s; {expected}", path)
    if list(told) != sorted(told):
        raise FormatError(f"these times do not ascend; {expected}", path)
    return [float(t) for t in told]


def _read_list(path: Path, expected: str) -> Any:
    import yaml

    from motionloom.io.files import read_text

    try:
        return yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise FormatError(f"these are no times ({reason}); {expected}", path) from None


def _is_time(told: object) -> bool:
    if isinstance(told, bool) or not isinstance(told, (int, float)):
        return False
    return 0 <= told <= 36_000
