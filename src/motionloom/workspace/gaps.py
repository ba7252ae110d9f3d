"""Known frames named by a user, and the motion that goes through them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.result import model_of
from motionloom.reading import ReadOptions

if TYPE_CHECKING:
    from motionloom.inbetween import Filled, InbetweenModel
    from motionloom.inbetween.fill import Known
    from motionloom.motion import Motion
    from motionloom.roles import Roles

_FRAMES = re.compile(r"(\d+)(?:-(\d+))?")


class Timing(Protocol):
    """When known frames are: `frames` missing in each gap, or a file with `times`."""

    @property
    def frames(self) -> int | None:
        """Missing frames in each gap."""

    @property
    def times(self) -> Path | Sequence[float] | None:
        """When each piece begins, seconds, or a YAML list of that."""


class Filling(Protocol):
    """How gaps are filled."""

    @property
    def model(self) -> Path | InbetweenModel | None:
        """A model or its file."""

    @property
    def method(self) -> str | None:
        """Name of a method."""

    @property
    def speed(self) -> Path | None:
        """File of speeds."""

    @property
    def variants(self) -> int:
        """Most answers."""

    @property
    def slide(self) -> bool:
        """Whether feet are left as they come."""

    @property
    def roles(self) -> Path | Roles | None:
        """Roles or a table of them."""


@dataclass(frozen=True, eq=False)
class FilledPieces:
    """Answers, and what was guessed while files were read.

    Parameters
    ----------
    filled : tuple of Filled
        Best first.
    warnings : tuple of (str, str)
        File and sentence.
    """

    filled: tuple[Filled, ...]
    warnings: tuple[tuple[str, str], ...]


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


def fill_pieces(
    pieces: Sequence[str | Motion], timing: Timing, filling: Filling, options: ReadOptions
) -> FilledPieces:
    """Read known frames and fill the gaps between them.

    Parameters
    ----------
    pieces : sequence of str or Motion
        FILE, FILE:FRAME, FILE:FIRST-LAST or what is loaded, in order.
    timing : Timing
        Missing frames or times.
    filling : Filling
        Method, model and what else.
    options : ReadOptions
        How files are read.

    Returns
    -------
    FilledPieces

    Raises
    ------
    InvalidInputError
        When there are not two pieces, a file has no such frames, or times are not in order.
    FormatError
        When a file cannot be read.
    """
    from motionloom.inbetween import (
        FillOptions,
        InbetweenModel,
        fill_gaps,
        load_inbetween,
        make_filler,
    )
    from motionloom.inbetween.phases.speed_files import read_speeds

    if len(pieces) < 2:
        raise InvalidInputError("a gap needs known frames on both sides; name at least two pieces")
    model = None
    if filling.model is not None:
        model = model_of(filling.model, load_inbetween, InbetweenModel)
    speeds = None
    if filling.speed is not None:
        if model is None:
            raise InvalidInputError("speeds are matched with a model; name one", hint="give model")
        speeds = read_speeds(filling.speed, model.phases.spaces)
    filler = make_filler(filling.method, model, speeds)
    motions = [_read_piece(piece, options) for piece in pieces]
    rate = motions[0].frame_time
    motions = [m if m.frame_time == rate or len(m) == 1 else m.resample(rate) for m in motions]
    known = _place(motions, timing)
    told = FillOptions(count=filling.variants)
    if filling.slide:
        told = FillOptions(count=filling.variants, footlock=None)
    roles = replace(options, roles=filling.roles).read_roles(motions[0].skeleton)
    filled = fill_gaps(known, filler, model, told, roles)
    warnings = {(m.source.path, text): None for m in motions for text in m.source.warnings}
    return FilledPieces(filled, tuple(warnings))


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


def _place(motions: Sequence[Motion], timing: Timing) -> list[Known]:
    from motionloom.inbetween import Known

    fps = motions[0].fps
    # A lone pose has no rate of its own.
    same = [replace(m, frame_time=motions[0].frame_time) for m in motions]
    if (timing.frames is None) == (timing.times is None):
        raise InvalidInputError(
            "say how long gaps are: either how many frames, or a file of times", hint="give times"
        )
    if timing.times is not None:
        times = _times_of(timing.times, len(same))
        begin = round(times[0] * fps)
        return [Known(round(t * fps) - begin, m) for t, m in zip(times, same, strict=True)]
    assert timing.frames is not None
    known = []
    at = 0
    for motion in same:
        known.append(Known(at, motion))
        at += motion.n_frames + timing.frames
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
