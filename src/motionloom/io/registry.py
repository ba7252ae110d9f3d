"""Load and save any known file: the format is found from the content and the suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import read_bytes
from motionloom.io.plausible import check_body
from motionloom.markers import MarkerSequence
from motionloom.motion import Motion

if TYPE_CHECKING:
    from motionloom.io.mot import MotTable

PathName = str | PathLike[str]

#: Bytes at the start of a file that are looked at.
HEAD = 4096


@dataclass(frozen=True)
class Format:
    """One row of the table of formats.

    Parameters
    ----------
    name : str
        As people call it.
    suffix : str
        In lower case, with the dot.
    holds : type
        Motion or MarkerSequence.
    is_likely : callable
        Whether the first bytes of a file can only be this format.
    read : callable
        ``read(path, unit=, up=, skeleton=, strict=)``.
    write : callable, optional
        ``write(motion, path, skeleton=, **options)``; absent for formats that are only read.
    check : callable, optional
        ``check(motion, skeleton)`` raises what `write` would.
    has_rate : bool, optional
        Whether a file always says how many frames per second it has, rightly.
    options : tuple of str, optional
        What `write` can be told besides.
    """

    name: str
    suffix: str
    holds: type[Motion] | type[MarkerSequence]
    is_likely: Callable[[bytes], bool]
    read: Callable[..., Motion | MarkerSequence]
    write: Callable[..., None] | None = None
    check: Callable[[Any, PathName | None], None] | None = None
    has_rate: bool = True
    options: tuple[str, ...] = ()


def _read_bvh(path: PathName, skeleton: PathName | None = None, **options: Any) -> Motion:
    from motionloom.io.bvh import read_bvh

    return read_bvh(path, **options)


def _write_bvh(
    motion: Motion, path: PathName, skeleton: PathName | None = None, **options: Any
) -> None:
    from motionloom.io.bvh import write_bvh

    write_bvh(motion, path, **options)


def _read_amc(path: PathName, **options: Any) -> Motion:
    from motionloom.io.amc import read_amc

    return read_amc(path, **options)


def _write_amc(motion: Motion, path: PathName, **options: Any) -> None:
    from motionloom.io.amc import write_amc

    write_amc(motion, path, **options)


def _check_amc(motion: Motion, skeleton: PathName | None) -> None:
    from motionloom.io.amc import find_coordinates

    find_coordinates(motion, skeleton)


def _read_glb(path: PathName, skeleton: PathName | None = None, **options: Any) -> Motion:
    from motionloom.io.gltf_read import read_glb

    return read_glb(path, **options)


def _write_glb(
    motion: Motion, path: PathName, skeleton: PathName | None = None, **options: Any
) -> None:
    from motionloom.io.gltf import write_glb

    write_glb(motion, path, **options)


def _read_fbx(path: PathName, skeleton: PathName | None = None, **options: Any) -> Motion:
    from motionloom.io.fbx import read_fbx

    return read_fbx(path, **options)


def _write_fbx(
    motion: Motion, path: PathName, skeleton: PathName | None = None, **options: Any
) -> None:
    from motionloom.io.fbx import write_fbx

    write_fbx(motion, path, **options)


def _read_usd(path: PathName, skeleton: PathName | None = None, **options: Any) -> Motion:
    from motionloom.io.usd import read_usd

    return read_usd(path, **options)


def _write_usda(
    motion: Motion, path: PathName, skeleton: PathName | None = None, **options: Any
) -> None:
    from motionloom.io.usd import write_usda

    write_usda(motion, path, **options)


def _read_amass(path: PathName, **options: Any) -> Motion:
    from motionloom.io.amass import read_amass

    return read_amass(path, **options)


def _read_mot(path: PathName, **options: Any) -> Motion:
    raise FormatError(_ADVICE[".mot"], path)


def _write_mot(motion: Motion, path: PathName, skeleton: PathName | None = None) -> None:
    from motionloom.io.mot import write_mot

    write_mot(_angles(motion), path)


def _check_mot(motion: Motion, skeleton: PathName | None) -> None:
    if not motion.n_frames:
        raise InvalidInputError(
            f"{motion.source.path or motion.name}: has no frames, and a MOT file holds nothing else"
        )
    _angles(motion.cut(0, 1))


def _angles(motion: Motion) -> MotTable:
    from motionloom.io.opensim import opensim_angles
    from motionloom.io.stand import stand_up
    from motionloom.roles import find_roles

    roles = find_roles(motion.skeleton)
    return opensim_angles(stand_up(motion) if roles.kind == "human" else motion, roles)


def _read_c3d(path: PathName, skeleton: PathName | None = None, **options: Any) -> MarkerSequence:
    from motionloom.io.c3d import read_c3d

    return read_c3d(path, **options)


def _read_trc(path: PathName, skeleton: PathName | None = None, **options: Any) -> MarkerSequence:
    from motionloom.io.trc import read_trc

    return read_trc(path, **options)


def _write_trc(
    markers: MarkerSequence, path: PathName, skeleton: PathName | None = None, **options: Any
) -> None:
    from motionloom.io.trc import write_trc

    write_trc(markers, path, **options)


def _starts(*words: str) -> Callable[[bytes], bool]:
    """Whether one of `words` (lower case) begins the first line of text."""
    return lambda head: (
        head.removeprefix(b"\xef\xbb\xbf")
        .lstrip()
        .lower()
        .startswith(tuple(w.encode() for w in words))
    )


FORMATS = (
    Format(
        "BVH",
        ".bvh",
        Motion,
        _starts("hierarchy"),
        _read_bvh,
        _write_bvh,
        has_rate=False,
        options=("unit", "up", "order"),
    ),
    Format(
        "AMC",
        ".amc",
        Motion,
        lambda head: b":fully-specified" in head.lower(),
        _read_amc,
        _write_amc,
        _check_amc,
        has_rate=False,
    ),
    Format(
        "glTF binary", ".glb", Motion, _starts("gltf"), _read_glb, _write_glb, options=("rest",)
    ),
    Format(
        "FBX",
        ".fbx",
        Motion,
        _starts("kaydara fbx binary", "; fbx"),
        _read_fbx,
        _write_fbx,
        options=("unit", "up", "rest"),
    ),
    Format(
        "USD text",
        ".usda",
        Motion,
        _starts("#usda"),
        _read_usd,
        _write_usda,
        options=("unit", "up", "rest"),
    ),
    Format("USD binary", ".usdc", Motion, _starts("pxr-usdc"), _read_usd),
    Format("USD", ".usd", Motion, _starts("#usda", "pxr-usdc"), _read_usd),
    Format(
        "AMASS",
        ".npz",
        Motion,
        lambda head: head.startswith(b"PK") and b"poses.npy" in head,
        _read_amass,
        has_rate=False,
    ),
    # The second byte marks a C3D file; the first is the block where the parameters start, and zeros
    # follow somewhere.
    Format(
        "C3D",
        ".c3d",
        MarkerSequence,
        lambda head: head[1:2] == b"\x50" and b"\0" in head,
        _read_c3d,
    ),
    Format(
        "TRC",
        ".trc",
        MarkerSequence,
        _starts("pathfiletype"),
        _read_trc,
        _write_trc,
        options=("unit", "up"),
    ),
)

#: Formats that are only written.
WRITTEN_ONLY = (
    Format("MOT", ".mot", Motion, lambda head: False, _read_mot, _write_mot, _check_mot),
)

#: What to do with files that people have but that cannot be read.
_ADVICE = {
    ".asf": (
        "an ASF file is a skeleton without motion; load the AMC file and give this one as its"
        " skeleton"
    ),
    ".gltf": "glTF is read as one binary file; export it as .glb",
    ".mot": (
        "a .mot file holds numbers for a model that it does not contain; give the TRC or C3D of the"
        " trial"
    ),
    ".xml": "an XML file holds no motion; a robot's MJCF model is a body to retarget motions to",
    ".mjcf": "an MJCF model holds no motion; it is a body to retarget motions to",
    ".csv": "tables of numbers are not read; give the motion that a robot's table was made from",
    ".osim": "an OpenSim model holds no motion; give the TRC or C3D of a trial",
}


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
    """
    found, warning = find_format(path)
    if warning and strict:
        raise FormatError(f"{warning} (refused because strict)", path)
    options: dict[str, Any] = {"unit": unit, "up": up, "skeleton": skeleton, "strict": strict}
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
            f" {_suffixes(Motion)}",
            path,
        )
    return data


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
    MissingExtraError
        When it is a C3D file and neither ezc3d nor c3d is installed.
    """
    data = load(path, **options)
    if not isinstance(data, MarkerSequence):
        raise FormatError(
            f"holds the motion of a skeleton, not markers; give one of {_suffixes(MarkerSequence)}",
            path,
        )
    return data


def save(data: Motion | MarkerSequence, path: PathName, **options: Any) -> None:
    """Save a motion or markers in the format that the suffix of `path` names.

    Parameters
    ----------
    data : Motion or MarkerSequence
        What to write.
    path : path-like
        Where to write; a file that is there is replaced.
    **options
        Those of the format's writer: ``unit`` and ``up`` for BVH, FBX, USD and TRC, ``order`` of
        rotations for BVH, ``rest`` for GLB, FBX and USD;
        ``skeleton``, the ASF file that an AMC file belongs to, may be given for any. What is None
        counts as not given.

    Raises
    ------
    InvalidInputError
        When the suffix names no format that can be written, the format has no such option, or the
        file cannot be written.
    """
    find_writer(path, type(data))(data, path, **_given(path, options))


def check_save(
    data: Motion | MarkerSequence, path: PathName, skeleton: PathName | None = None, **options: Any
) -> None:
    """Raise before long work what `save` would raise for motions like `data`; nothing is written.

    Parameters
    ----------
    data : Motion or MarkerSequence
        One of the motions or sequences that are going to be saved.
    path : path-like
        Where they are going to be saved; its suffix names the format.
    skeleton : path-like, optional
        The ASF file of an AMC file.
    **options
        As for `save`.

    Raises
    ------
    InvalidInputError
        When the suffix names no format that can be written, or the format cannot hold such a motion
        or has no such option.
    """
    find_writer(path, type(data))
    _given(path, options)
    check = _format_of(path).check
    if check is not None:
        check(data, skeleton)


def _format_of(path: PathName) -> Format:
    suffix = Path(path).suffix.lower()
    return next(f for f in (*FORMATS, *WRITTEN_ONLY) if f.suffix == suffix)


#: Suffixes of files that hold several characters.
SCENE_SUFFIXES = (".glb", ".fbx", ".usda")
#: Why a format cannot be told something.
_FIXED = {
    ".glb": "glTF is always in metres with Y up",
    ".amc": "AMC has the unit and axes of its ASF file",
    ".mot": "MOT is always in degrees and metres with Y up",
}


def _given(path: PathName, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None; refused where the format has no such option."""
    found = _format_of(path)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in (*found.options, "skeleton"):
            fixed = _FIXED.get(found.suffix) if name in ("unit", "up") else None
            also = ", ".join(f.suffix for f in FORMATS if name in f.options)
            raise InvalidInputError(
                f"cannot write {path} with the option {name}:"
                f" {fixed or f'{found.name} files have no such option'}; "
                + (f"leave it out, or write {also}" if also else "leave it out")
            )
    _check_values(given)
    return given


def save_scene(
    motions: Mapping[str, Motion], path: PathName, name: str = "scene", rest: str | None = None
) -> None:
    """Save motions of several characters as one file, by its suffix.

    Parameters
    ----------
    motions : mapping of str to Motion
        By character; all with the same frame time and number of frames.
    path : path-like
        One of `SCENE_SUFFIXES`.
    name : str, optional
        Of the scene.
    rest : str, optional
        Rest pose, as of `save`.

    Raises
    ------
    InvalidInputError
        When the suffix is another, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".glb":
        from motionloom.io.gltf import write_scene_glb as write
    elif suffix == ".fbx":
        from motionloom.io.fbx import write_scene_fbx as write
    elif suffix == ".usda":
        from motionloom.io.usd import write_scene_usda as write
    else:
        raise InvalidInputError(
            f"cannot write {path}: one file of several characters is"
            f" {', '.join(SCENE_SUFFIXES)}; use one of them"
        )
    write(motions, path, name, rest=rest)


def _check_values(options: Mapping[str, Any]) -> None:
    from motionloom.io.units import axes_to_y_up, check_unit

    if "unit" in options:
        check_unit(options["unit"])
    if "up" in options:
        axes_to_y_up(options["up"])
    if "order" in options:
        from motionloom.io.bvh_channels import check_order

        check_order(options["order"])
    if "rest" in options:
        from motionloom.io.rest_pose import check_rest

        check_rest(options["rest"])


def find_writer(
    path: PathName, kind: type[Motion] | type[MarkerSequence] = Motion
) -> Callable[..., None]:
    """Writer of a format for motions or markers; can be asked for before long work.

    Parameters
    ----------
    path : path-like
        Its suffix names the format.
    kind : type, optional
        `Motion` or `MarkerSequence`: what is to be written.

    Returns
    -------
    callable
        ``write(data, path, **options)``.

    Raises
    ------
    InvalidInputError
        When the suffix names no format that can be written.
    """
    suffix = Path(path).suffix.lower()
    writers = {
        f.suffix: f.write
        for f in (*FORMATS, *WRITTEN_ONLY)
        if f.write is not None and issubclass(kind, f.holds)
    }
    if suffix not in writers:
        what = f"the suffix {suffix!r}" if suffix else "a name without suffix"
        held = "markers" if kind is MarkerSequence else "motions"
        raise InvalidInputError(
            f"cannot write {path}: {what} names no format in which {held} can be written; use"
            f" {', '.join(writers)}"
        )
    return writers[suffix]


def find_format(path: PathName) -> tuple[Format, str]:
    """Format of a file, and a warning (or nothing) where its content contradicts its suffix.

    Raises
    ------
    FormatError
        When the file cannot be read, or neither content nor suffix is known.
    """
    head = read_bytes(path, limit=HEAD)
    suffix = Path(path).suffix.lower()
    named = next((f for f in FORMATS if f.suffix == suffix), None)
    likely = next((f for f in FORMATS if f.is_likely(head)), None)
    if named and (likely in (None, named) or named.is_likely(head)):
        return named, ""
    if likely:
        return likely, f"named {suffix or 'without suffix'} but holds {likely.name}; read as that"
    if suffix in _ADVICE:
        raise FormatError(_ADVICE[suffix], path)
    what = (
        f"unknown kind of file {suffix!r}"
        if suffix
        else "a file without suffix, of unknown content"
    )
    raise FormatError(
        f"{what}; known are {_suffixes(Motion)} (motions) and {_suffixes(MarkerSequence)}"
        " (markers)",
        path,
    )


def _suffixes(kind: type) -> str:
    return ", ".join(f.suffix for f in FORMATS if f.holds is kind)
