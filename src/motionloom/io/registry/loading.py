"""Load any known file: the format is found from the content and the suffix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from motionloom.errors import FormatError
from motionloom.io.files import read_bytes
from motionloom.io.plausible import check_body
from motionloom.io.registry.formats import (
    ADVICE,
    Format,
    PathName,
    readable_formats,
    suffixes_of,
)
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion

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
    return _load(path, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time, strict=strict)


def _load(
    path: PathName,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    skeleton: PathName | None = None,
    frame_time: float | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion | MarkerSequence:
    """`load` of one of several skeletons, by its number."""
    found, warning = find_format(path)
    if warning and strict:
        raise FormatError(f"{warning} (refused because strict)", path)
    options: dict[str, Any] = {"unit": unit, "up": up, "skeleton": skeleton, "strict": strict}
    if number is not None and found.holds_several:
        options["number"] = number
    if frame_time is not None:
        if found.has_rate:
            raise FormatError(
                f"{found.name} files hold their frame rate; do not give another, but resample", path
            )
        options["frame_time"] = frame_time
    try:
        data = found.read(path, **options)
    except MemoryError:
        raise FormatError(
            "there is not enough memory to read this; is it damaged? use a shorter file", path
        ) from None
    odd = check_body(data, unit, up) if isinstance(data, Motion) else ()
    warnings = (*([warning] if warning else []), *data.source.warnings, *odd)
    return (
        data
        if warnings == data.source.warnings
        else replace(data, source=replace(data.source, warnings=warnings))
    )


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
        raise FormatError(
            f"holds {len(data.labels)} markers, not the motion of a skeleton; give one of"
            f" {suffixes_of(Motion)}",
            path,
        )
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
        raise FormatError(
            "holds the motion of a skeleton, not markers; give one of"
            f" {suffixes_of(MarkerSequence)}",
            path,
        )
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
    what = (
        f"unknown kind of file {suffix!r}"
        if suffix
        else "a file without suffix, of unknown content"
    )
    raise FormatError(
        f"{what}; known are {suffixes_of(Motion)} (motions) and {suffixes_of(MarkerSequence)}"
        " (markers)",
        path,
    )
