"""Acclaim motion files (AMC): numbers for the degrees of freedom of an ASF skeleton, frame by frame."""

from __future__ import annotations

import os
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType

import numpy as np

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.amc_table import format_frames, parse_frames
from motionloom.io.asf import AsfSkeleton, read_asf
from motionloom.io.files import read_text, write_file
from motionloom.motion import Motion, Source

#: Seconds between frames; the format does not store it, and the one large public collection has 120 per second.
DEFAULT_FRAME_TIME = 1.0 / 120.0


def read_amc(
    path: str | PathLike[str],
    *,
    skeleton: str | PathLike[str] | None = None,
    unit: float | None = None,
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
        The ASF file; otherwise looked for beside the AMC file by name (``16_15.amc``: ``16_15.asf``, ``16.asf``, the
        name in the first line), then the only ASF file in the folder.
    unit : float, metres, optional
        Length of the file's unit; otherwise an inch divided by the ``length`` of the skeleton file's units.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``; otherwise Y, as the format has it.
    frame_time : float, seconds, optional
        Time between frames, which the file does not hold; otherwise 1/120.
    strict : bool, optional
        Refuse what would only be warned about.

    Returns
    -------
    Motion
        Its joints are the bones, each at the start of its bone. ``source.extra["coordinates"]`` are the file's
        degrees of freedom as `EulerCoordinates`, ``source.extra["first_values"]`` their values in the first frame.

    Raises
    ------
    FormatError
        When no skeleton is found or either file cannot be read; the message names file and line.
    """
    text = read_text(path)
    asf = read_asf(skeleton if skeleton is not None else find_skeleton(path, text))
    bones = {bone.name: bone for bone in (asf.root, *asf.bones)}
    table = parse_frames(path, text, bones)
    warnings = [*asf.warnings, *table.warnings]
    if table.degrees is None:
        warnings.append(f"no :DEGREES line; angles taken as the skeleton's {'degrees' if asf.degrees else 'radians'}")
    if strict and warnings:
        raise FormatError(f"refused because strict: {warnings[0]}", path)
    if frame_time is None:
        frame_time = DEFAULT_FRAME_TIME
        warnings.append("AMC files do not hold the frame rate; 120 frames per second taken (option frame_time)")
    scale, reason = _unit(asf, unit)
    joints = asf.skeleton(scale)
    coordinates = asf.coordinates(joints, scale, table.bones)
    degrees = asf.degrees if table.degrees is None else table.degrees
    per_unit = np.where(coordinates.rotational, np.pi / 180 if degrees else 1.0, scale)
    names = [name for bone in table.bones for name in (f"{bone}.{f}" for f in bones[bone].freedoms)]
    given = {name: k for k, name in enumerate(names)}
    values = np.zeros((len(table.values), coordinates.size))
    for k, name in enumerate(coordinates.names):
        if name in given:
            values[:, k] = table.values[:, given[name]] * per_unit[k]
    extra = {
        "asf": asf,
        "coordinates": coordinates,
        "first_values": values[0] if len(values) else np.zeros(coordinates.size),
        "degrees": degrees,
    }
    source = Source("amc", fspath(path), scale, reason, "y", (), tuple(warnings), MappingProxyType(extra))
    return coordinates.to_motion(values, frame_time, name=Path(path).stem, source=source)


def find_skeleton(path: str | PathLike[str], text: str = "") -> Path:
    """ASF file that belongs to an AMC file: by name, by the AMC's first line, or the only one in the folder.

    Raises
    ------
    FormatError
        When there is none or the choice is not clear.
    """
    path = Path(path)
    found = sorted(p for p in path.parent.iterdir() if p.suffix.lower() == ".asf")
    by_stem = {p.stem.lower(): p for p in found}
    stem = path.stem.lower()
    for candidate in (stem, stem.rpartition("_")[0]):
        if candidate in by_stem:
            return by_stem[candidate]
    head = text[:2000].splitlines()[:1]
    if head and head[0].lower().startswith("#!oml:asf"):
        named = head[0][len("#!oml:asf") :].strip().replace("\\", "/")
        for place in (path.parent / named, path.parent / named.rpartition("/")[2]):
            if place.is_file():
                return place
    if len(found) == 1:
        return found[0]
    seen = "there is none in its folder" if not found else f"its folder holds {', '.join(p.name for p in found[:5])}"
    raise FormatError(f"no ASF skeleton found for this AMC file ({seen}); name it with the option skeleton", path)


def _unit(asf: AsfSkeleton, unit: float | None) -> tuple[float, str]:
    """Metres per unit of length, and why."""
    if unit is not None:
        if not (np.isfinite(unit) and unit > 0):
            raise InvalidInputError(f"unit must be a positive number of metres, got {unit}")
        return float(unit), "told by the user"
    return 0.0254 / asf.length_unit, f"an inch divided by the skeleton file's length {asf.length_unit:g}"


def write_amc(motion: Motion, path: str | PathLike[str], *, skeleton: str | PathLike[str] | None = None) -> None:
    """Write a motion as AMC for the ASF skeleton it was read with, or for another one of the same bones.

    Angles are continuous over time and start on the branch of the file that was read. Joints turn only about the
    axes that the skeleton file gives them; other rotations become the closest that these axes allow.

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
        When no ASF skeleton is known or the motion has other bones.
    """
    extra = motion.source.extra
    if skeleton is None and not isinstance(extra.get("asf"), AsfSkeleton):
        raise InvalidInputError("an AMC file needs an ASF skeleton; name it with the option skeleton, or write BVH")
    if skeleton is None:
        asf, coordinates, near = extra["asf"], extra["coordinates"], extra["first_values"]
        scale, degrees = motion.source.unit, extra["degrees"]
    else:
        asf = read_asf(skeleton)
        scale, degrees = _unit(asf, None)[0], asf.degrees
        coordinates, near = asf.coordinates(asf.skeleton(scale), scale), None
    if not motion.skeleton.matches(coordinates.skeleton):
        raise InvalidInputError(f"the motion's bones differ from those of the skeleton file {asf.path}")
    values = coordinates.to_coordinates(motion, near)
    values = values / np.where(coordinates.rotational, np.pi / 180 if degrees else 1.0, scale)
    bones = {bone.name: bone.freedoms for bone in (asf.root, *asf.bones)}
    order = list(dict.fromkeys(name.rpartition(".")[0] for name in coordinates.names))
    columns = {name: values[:, k] for k, name in enumerate(coordinates.names)}
    table = np.zeros((motion.n_frames, 0))
    rows = [(bone, [f"{bone}.{f}" for f in bones[bone]]) for bone in order]
    zero = np.zeros(motion.n_frames)
    table = np.column_stack([columns.get(name, zero) for _, names in rows for name in names])
    head = [f"#!OML:ASF {_beside(asf.path, path)}", ":FULLY-SPECIFIED", ":DEGREES" if degrees else ":RADIANS"]
    text = format_frames([(bone, len(names)) for bone, names in rows], table)
    write_file(path, "\n".join(head) + "\n" + text)


def _beside(asf: str, path: str | PathLike[str]) -> str:
    """Path of the skeleton file as seen from the folder of `path`."""
    return os.path.relpath(asf, Path(path).parent).replace(os.sep, "/")
