"""Load any known file: the format is found from the content and the suffix.

Whether a body has a size and an attitude that bodies have, and what its names leave in doubt.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.errors import FormatError
from motionloom.io.files import read_bytes
from motionloom.io.registry._formats import ADVICE, Format, readable_formats, suffixes_of
from motionloom.io.units import (
    MOST_BODY_JOINTS,
    UNCLEAR,
    body_height,
    check_unit,
    guess_unit,
    is_insisted,
    joints_of_person,
)
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import PathName

#: Heights (metres) of bodies: people from a newborn's half a metre with room for dolls and giants
#: of games, quadrupeds from a small cat, hind paw to nose, to a large horse. Units that are
#: mistaken differ by 2.5 at least, most by 10.
HEIGHTS = {"human": (0.3, 3.0), "quadruped": (0.1, 4.0)}
_NAMES = {"human": "person", "quadruped": "animal"}
#: Frames that are looked at for the attitude.
_FRAMES = 200
#: A body is upright where its head is above its feet by this share of their distance ...
_UPRIGHT = 0.5
#: ... and lies all the time when it is upright in less than this share of the frames.
_SELDOM = 0.1

#: Bytes at the start of a file that are looked at.
HEAD = 4096


def load(
    path: PathName,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    skeleton: PathName | None = None,
    frame_time: float | None = None,
    strict: bool = False,
) -> Motion | MarkerSequence:
    """Load a file of any known format.

    A file whose content clearly is another format than its suffix says is read as what it is, with
    a warning.

    Parameters
    ----------
    path : path-like
        The file, of any format in `FORMATS`.
    unit : float (metres) or str, optional
        Length of the file's unit, where it is known better than the file or a guess has it: a
        number, or one of ``"mm"``, ``"cm"``, ``"m"``, ``"in"``, ``"ft"``. A ``!`` behind it
        (``"1!"``) insists: a unit that makes a person of 180 m is refused else.
    up : str, optional
        The file's up axis, ``"x"``, ``"y"`` or ``"z"``, likewise.
    skeleton : path-like, optional
        The ASF file of an AMC file, or the body model of an AMASS file; others do not need it.
    frame_time : float, seconds, optional
        Time between frames of a BVH, AMC or AMASS file, which may say it wrongly or not at all.
    strict : bool, optional
        Refuse a file that breaks its format, or is not what its suffix says, instead of mending it
        with a warning. Guesses, such as a unit, are warned about all the same.

    Returns
    -------
    Motion or MarkerSequence
        In metres, +Y up; ``source.warnings`` tells what was guessed, mended or looks odd.

    Raises
    ------
    FormatError
        When the file cannot be read; the sentence says why and what to do.
    InvalidInputError
        When an option cannot be used.
    MissingExtraError
        When it is a C3D, FBX or USD file and what reads it is not installed.

    Examples
    --------
    >>> motion = load(demo / "clips/walk_1.1.bvh")
    >>> motion.n_frames, motion.source.unit
    (232, 1.0)
    >>> load(demo / "markers.trc").labels[:2]
    ('C7', 'T10')
    """
    options: dict[str, Any] = {"unit": unit, "up": up, "skeleton": skeleton, "strict": strict}
    return _load(path, frame_time=frame_time, **options)


def _load(
    path: PathName, frame_time: float | None = None, number: int | None = None, **options: Any
) -> Motion | MarkerSequence:
    """`load` of one of several skeletons, by its number."""
    found, warning = find_format(path)
    if warning and options.get("strict"):
        raise FormatError(f"{warning} (refused because strict)", path)
    if number is not None and found.holds_several:
        options["number"] = number
    if frame_time is not None:
        if found.has_rate:
            message = f"{found.name} files hold their frame rate; do not give another, but resample"
            raise FormatError(message, path)
        options["frame_time"] = frame_time
    try:
        data = found.read(path, **options)
    except MemoryError:
        message = "there is not enough memory to read this; is it damaged? use a shorter file"
        raise FormatError(message, path) from None
    told = options.get("unit"), options.get("up")
    odd = check_body(data, *told) if isinstance(data, Motion) else ()
    if not warning and not odd:
        return data
    warnings = (*([warning] if warning else []), *data.source.warnings, *odd)
    return replace(data, source=replace(data.source, warnings=warnings))


def load_motion(path: PathName, **options: Any) -> Motion:
    """Load a file that holds the motion of a skeleton; options as for `load`.

    Parameters
    ----------
    path : path-like
        The file.
    **options
        `unit`, `up`, `skeleton`, `frame_time` and `strict` as for `load`.

    Returns
    -------
    Motion
        In metres, +Y up.

    Raises
    ------
    FormatError
        When it cannot be read or holds markers.
    InvalidInputError
        When an option cannot be used.
    """
    data = load(path, **options)
    if not isinstance(data, Motion):
        message = f"holds {len(data.labels)} markers, not the motion of a skeleton; give one of"
        raise FormatError(f"{message} {suffixes_of(Motion)}", path)
    return data


def load_all(path: PathName, **options: Any) -> dict[str, Motion | MarkerSequence]:
    """Load all that a file holds; options as for `load`.

    Parameters
    ----------
    path : path-like
        The file. GLB, FBX and USD files may hold several skeletons.
    **options
        `unit`, `up`, `skeleton`, `frame_time` and `strict` as for `load`.

    Returns
    -------
    dict of str to Motion or MarkerSequence
        By the names of the skeletons, the largest first; all in one world. One entry for a file
        with a single skeleton or markers.

    Raises
    ------
    FormatError
        When it cannot be read.
    InvalidInputError
        When an option cannot be used.
    MissingExtraError
        As of `load`.

    Examples
    --------
    >>> list(load_all(demo / "clips/stand.bvh"))
    ['stand']
    """
    first = _load(path, **options, number=0)
    names = first.source.skeletons
    others = [_load(path, **options, number=i) for i in range(1, len(names))]
    return dict(zip(names or (first.name,), (first, *others), strict=True))


def load_markers(path: PathName, **options: Any) -> MarkerSequence:
    """Load a file that holds markers; options as for `load`.

    Parameters
    ----------
    path : path-like
        The file.
    **options
        `unit`, `up`, `skeleton`, `frame_time` and `strict` as for `load`.

    Returns
    -------
    MarkerSequence
        In metres, +Y up.

    Raises
    ------
    FormatError
        When it cannot be read or holds the motion of a skeleton.
    InvalidInputError
        When an option cannot be used.

    Examples
    --------
    >>> markers = load_markers(demo / "markers.trc")
    >>> markers.fps, markers.positions.shape[1] == len(markers.labels)
    (30.0, True)
    """
    data = load(path, **options)
    if not isinstance(data, MarkerSequence):
        message = "holds the motion of a skeleton, not markers; give one of"
        raise FormatError(f"{message} {suffixes_of(MarkerSequence)}", path)
    return data


def find_format(path: PathName) -> tuple[Format, str]:
    """Format of a file, and a warning (or nothing) where its content contradicts its suffix.

    Raises
    ------
    FormatError
        When the file cannot be read, or neither content nor suffix is known.

    Examples
    --------
    >>> find_format(demo / "clips/stand.bvh")[0].name
    'BVH'
    """
    head = read_bytes(path, limit=HEAD)
    suffix = Path(path).suffix.lower()
    named = next((f for f in readable_formats() if f.suffix == suffix), None)
    likely = next((f for f in readable_formats() if f.is_likely(head)), None)
    if named and (likely in (None, named) or named.is_likely(head)):
        return named, ""
    if likely:
        return likely, f"named {suffix or 'without suffix'} but holds {likely.name}; read as that"
    if suffix in ADVICE:
        raise FormatError(ADVICE[suffix], path)
    unknown = "a file without suffix, of unknown content"
    what = f"unknown kind of file {suffix!r}" if suffix else unknown
    message = f"{what}; known are {suffixes_of(Motion)} (motions) and {suffixes_of(MarkerSequence)}"
    raise FormatError(f"{message} (markers)", path)


def check_body(
    motion: Motion, unit: float | str | None = None, up: str | None = None
) -> tuple[str, ...]:
    """What is odd about the body of a motion that was just read.

    Parameters
    ----------
    motion : Motion
        As its reader made it.
    unit : float or str, optional
        The unit that the user told, if any; with a ``!`` no size is odd.
    up : str, optional
        The up axis that the user told, if any.

    Returns
    -------
    tuple of str
        Warnings, one sentence each.

    Raises
    ------
    FormatError
        When the unit that the user told makes the body smaller or larger than bodies are.
    """
    skeleton = motion.skeleton
    if skeleton.n_joints > MOST_BODY_JOINTS:
        return ()
    roles = find_roles(skeleton)
    size = "" if is_insisted(unit) else _odd_size(motion, roles)
    if size and unit is not None:
        message = f"{size}, or the unit {check_unit(unit):g}! to insist"
        raise FormatError(message, motion.source.path)
    if size and any(text.startswith(UNCLEAR) for text in motion.source.warnings):
        size = ""
    attitude = "" if up is None else _odd_attitude(motion, roles, up)
    return tuple(text for text in (*roles.doubts, size, attitude) if text)


def _odd_size(motion: Motion, roles: Roles) -> str:
    """What the height of a body with legs and head says against the unit, or nothing."""
    if roles.kind not in HEIGHTS or not {"head", "left_foot", "left_hip"} <= roles.joints.keys():
        return ""
    height, _ = body_height(_as_moved(motion))
    low, high = HEIGHTS[roles.kind]
    unit = motion.source.unit
    if not height > 0 or low <= height <= high:
        return ""
    likely, _, sure = guess_unit(height / unit, roles.kind)
    said = f"with 1 unit = {unit:.6g} m this {_NAMES[roles.kind]} is {height:.4g} m tall"
    return f"{said}; give the unit {likely:.6g}" if sure else f"{said}; give the right unit"


def _as_moved(motion: Motion) -> Skeleton:
    """The skeleton with the mid-range offsets of joints that have positions of their own."""
    offsets = np.array(motion.skeleton.offsets)
    if motion.n_frames:
        offsets[list(motion.translated)] = np.median(motion.translations, axis=0)
    return replace(motion.skeleton, offsets=offsets)


def _odd_attitude(motion: Motion, roles: Roles, up: str) -> str:
    """That a person lies or stands on the head nearly all the time, or nothing."""
    # It compiles, and few commands' options need it.
    from motionloom.kinematics import forward_kinematics

    feet, head = joints_of_person(roles)
    if roles.kind != "human" or head is None or not feet or not motion.n_frames:
        return ""
    some = np.linspace(0, motion.n_frames - 1, min(_FRAMES, motion.n_frames)).astype(int)
    turns, places = motion.rotations[some], motion.translations[some]
    sample = replace(motion, rotations=turns, translations=places)
    positions = forward_kinematics(sample).positions
    along = positions[:, head] - positions[:, feet].mean(axis=1)
    rise = along[:, 1] / np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    if np.mean(rise > _UPRIGHT) >= _SELDOM:
        return ""
    how = "is upside down" if np.median(rise) < -_UPRIGHT else "lies on the ground"
    message = f"with {up.upper()} up this person {how} nearly all the time;"
    return f"{message} leave out the up axis if that is wrong"
