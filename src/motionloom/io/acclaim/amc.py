"""Acclaim motion files (AMC): frames of numbers for the degrees of freedom of an ASF skeleton."""

from __future__ import annotations

import os
from collections.abc import Sequence
from os import fspath
from pathlib import Path

import numpy as np

from motionloom.errors import FormatError, InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.io._notes import Notes
from motionloom.io.acclaim._asf import AsfSkeleton, read_asf
from motionloom.io.acclaim._table import format_frames, format_head, parse_frames
from motionloom.io.files import decode, name_of, read_text_bytes, write_file
from motionloom.io.units import axes_to_y_up, body_height, check_unit, guess_unit
from motionloom.motion import Motion, Source
from motionloom.typing import Array, PathName

#: Seconds between frames; the format does not store it, and the one large public collection has 120
#: per second.
DEFAULT_FRAME_TIME = 1.0 / 120.0


def read_amc(
    path: PathName,
    *,
    skeleton: PathName | None = None,
    unit: float | str | None = None,
    up: str | None = None,
    frame_time: float | None = None,
    strict: bool = False,
) -> Motion:
    """Read an AMC file with its ASF skeleton.

    Parameters
    ----------
    path : path-like
        The AMC file.
    skeleton : path-like, optional
        The ASF file; otherwise looked for beside the AMC file by name (``16_15.amc``:
        ``16_15.asf``, ``16.asf``, the name in the first line), then the only ASF file in the
        folder.
    unit : float, metres, optional
        Length of the file's unit; otherwise an inch divided by the ``length`` of the skeleton
        file's units.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``; otherwise Y, as the format has it.
    frame_time : float, seconds, optional
        Time between frames, which the format does not hold; otherwise what `write_amc` left in a
        comment, else 1/120.
    strict : bool, optional
        Refuse a file that breaks its format instead of mending it with a warning; guesses are
        warned about all the same.

    Returns
    -------
    Motion
        Its joints are the bones, each at the start of its bone. ``source.extra["coordinates"]`` are
        the file's degrees of freedom as `EulerCoordinates`, ``source.extra["first_values"]`` their
        values in the first frame.

    Raises
    ------
    FormatError
        When no skeleton is found or either file cannot be read; the message names file and line.
    """
    data = read_text_bytes(path)
    notes = Notes(path, strict)
    found = find_skeleton(path, decode(data[:2000])) if skeleton is None else skeleton
    asf = read_asf(found, strict=strict)
    table = parse_frames(data, asf.by_name, notes)
    if table.degrees is None:
        own = "degrees" if asf.degrees else "radians"
        notes.mended(f"no :DEGREES line; angles taken as the skeleton's {own}")
    frame_time = table.frame_time if frame_time is None else frame_time
    if frame_time is None:
        frame_time = DEFAULT_FRAME_TIME
        message = "AMC files do not hold the frame rate; 120 per second taken; give the right rate"
        notes.guessed(message)
    scale, reason = _choose_unit(unit, asf, notes)
    axes = axes_to_y_up(up or "y")
    coordinates = asf.coordinates(asf.skeleton(scale, axes), scale, axes, table.bones)
    degrees = asf.degrees if table.degrees is None else table.degrees
    values = _in_order(table.values, _column_names(asf, table.bones), coordinates.names)
    values = values * _unit_of_each(coordinates, degrees, scale)
    extra = {"asf": asf, "coordinates": coordinates, "first_values": values[0], "degrees": degrees}
    texts = (*asf.notes, *notes.texts)
    source = Source("amc", fspath(path), scale, reason, up=up or "y", warnings=texts, extra=extra)
    return coordinates.to_motion(values, frame_time, name=name_of(path), source=source)


def find_skeleton(path: PathName, text: str = "") -> Path:
    """ASF file of an AMC file: by name, by the AMC's first line, or the only one in the folder.

    Parameters
    ----------
    path : path-like
        The AMC file.
    text : str, optional
        How the AMC file begins; its first line may name the ASF file.

    Returns
    -------
    Path
        The ASF file.

    Raises
    ------
    FormatError
        When there is none or the choice is not clear.
    """
    path = Path(path)
    found = sorted(path.parent.glob("*.[aA][sS][fF]"))
    by_stem = {p.stem.lower(): p for p in found}
    stem = path.stem.lower()
    for candidate in (stem, stem.rpartition("_")[0]):
        if candidate in by_stem:
            return by_stem[candidate]
    head = text[:2000].splitlines()[:1]
    if head and head[0].lower().startswith("#!oml:asf"):
        named = head[0][len("#!oml:asf") :].strip().replace("\\", "/")
        for place in (path.parent / named, path.parent / named.rpartition("/")[2]):
            if os.path.isfile(place):  # False, not an error, for names that no file can have
                return place
    if len(found) == 1:
        return found[0]
    some = ", ".join(p.name for p in found[:5])
    seen = f"its folder holds {some}" if found else "there is none in its folder"
    message = f"no ASF skeleton found for this AMC file ({seen}); name it with the option skeleton"
    raise FormatError(message, path)


def _choose_unit(told: float | str | None, asf: AsfSkeleton, notes: Notes) -> tuple[float, str]:
    """Metres per unit of length, and why: an inch over its length, unless that makes no human."""
    if told is not None:
        return check_unit(told), "told by the user"
    unit = 0.0254 / asf.length_unit
    height, kind = body_height(asf.skeleton(1.0))
    if kind != "human" or 1.0 <= height * unit <= 2.5:
        return unit, f"an inch divided by the skeleton file's length {asf.length_unit:g}"
    guess, reason, _ = guess_unit(height, kind)
    message = f"length {asf.length_unit:g} in inches would make the body {height * unit:.3g} m"
    notes.guessed(f"{message} tall; {reason}")
    return guess, reason


def write_amc(motion: Motion, path: PathName, *, skeleton: PathName | None = None) -> None:
    """Write a motion as AMC for the ASF skeleton it was read with, or one of the same bones.

    Angles are continuous over time and start on the branch of the file that was read. Joints turn
    only about the axes that the skeleton file gives them; other rotations become the closest that
    these axes allow.

    Parameters
    ----------
    motion : Motion
        A motion of the skeleton.
    path : path-like
        Where to write.
    skeleton : path-like, optional
        ASF file; otherwise the one in ``motion.source``.

    Raises
    ------
    InvalidInputError
        When no ASF skeleton is known, or the motion has other bones or no frames.
    """
    if motion.n_frames == 0:
        raise InvalidInputError("an AMC file needs at least one frame; this motion has none")
    asf, coordinates, scale = find_coordinates(motion, skeleton)
    own = motion.source.extra if asf is motion.source.extra.get("asf") else {}
    near = own.get("first_values")
    degrees = own.get("degrees", asf.degrees)
    values = coordinates.to_coordinates(motion, near) / _unit_of_each(coordinates, degrees, scale)
    order = tuple(dict.fromkeys(coordinates.skeleton.names[j] for j in coordinates.joints))
    table = _in_order(values, coordinates.names, _column_names(asf, order))
    counts = [(bone, len(asf.by_name[bone].freedoms)) for bone in order]
    head = format_head(_beside(asf.path, path), degrees, motion.frame_time)
    write_file(path, head + format_frames(counts, table))


def find_coordinates(
    motion: Motion, skeleton: PathName | None = None
) -> tuple[AsfSkeleton, EulerCoordinates, float]:
    """What writing a motion as AMC needs.

    Parameters
    ----------
    motion : Motion
        The motion to write.
    skeleton : path-like, optional
        ASF file; otherwise, or when it is the same, what is in ``motion.source``.

    Returns
    -------
    asf : AsfSkeleton
        The skeleton file as it is written.
    coordinates : EulerCoordinates
        Its degrees of freedom.
    unit : float
        Metres per unit of length.

    Raises
    ------
    InvalidInputError
        When no ASF skeleton is known, or the motion has other bones.
    FormatError
        When the ASF file cannot be read.
    """
    own = motion.source.extra.get("asf")
    if skeleton is None and not isinstance(own, AsfSkeleton):
        message = "an AMC file needs an ASF skeleton;"
        raise InvalidInputError(f"{message} name it with the option skeleton, or write BVH")
    if isinstance(own, AsfSkeleton) and (
        skeleton is None or Path(skeleton).resolve() == Path(own.path).resolve()
    ):
        asf = own
        scale = motion.source.unit
        coordinates = motion.source.extra["coordinates"]
    else:
        assert skeleton is not None
        asf = read_asf(skeleton)
        scale = _choose_unit(None, asf, Notes(skeleton))[0]
        coordinates = asf.coordinates(asf.skeleton(scale), scale)
    if not motion.skeleton.matches(coordinates.skeleton):
        message = f"the motion's bones differ from those of the skeleton file {asf.path};"
        raise InvalidInputError(f"{message} give the one it belongs to, or write BVH")
    return asf, coordinates, scale


def _column_names(asf: AsfSkeleton, order: tuple[str, ...]) -> list[str]:
    """Name of each number of a frame, as coordinates are named, for bones in this order."""
    return [f"{name}.{freedom}" for name in order for freedom in asf.by_name[name].freedoms]


def _in_order(values: Array, names: Sequence[str], wanted: Sequence[str]) -> Array:
    """Columns of a table by other names in another order; 0 where there is none."""
    column = dict(zip(names, values.T, strict=True))
    still = np.zeros(len(values))
    return np.column_stack([column.get(name, still) for name in wanted])


def _unit_of_each(coordinates: EulerCoordinates, degrees: bool, unit: float) -> Array:
    """Metres or radians per unit of each coordinate in the file, shape (D,)."""
    return np.where(coordinates.rotational, np.pi / 180 if degrees else 1.0, unit)


def _beside(asf: str, path: PathName) -> str:
    """Skeleton file as seen from the folder of `path`; only its name where no such path exists."""
    try:
        return os.path.relpath(asf, Path(path).parent).replace(os.sep, "/")
    except ValueError:  # another drive
        return Path(asf).name
