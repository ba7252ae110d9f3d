"""The table of formats: how each is recognised, read and written; loading and saving by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io._plausible import check_body
from motionloom.io.files import read_bytes
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.plugins import FORMATS as PLUGINS
from motionloom.plugins import load_plugins, note_registered
from motionloom.typing import PathName


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
    holds_several : bool, optional
        Whether a file may hold several skeletons: `read` takes the number of one.
    """

    name: str
    suffix: str
    holds: type[Motion] | type[MarkerSequence]
    is_likely: Callable[[bytes], bool]
    read: Callable[..., Motion | MarkerSequence]
    write: Callable[..., None] | None = None
    check: Callable[[Any, PathName | None], Any] | None = None
    has_rate: bool = True
    options: tuple[str, ...] = ()
    holds_several: bool = False


def lazy(module: str, skeleton: bool = False, /, **names: str) -> dict[str, Any]:
    """Functions of a module below `motionloom.io`, which is imported when they are called.

    The option `skeleton` is handed on only where the format has one.
    """

    def later(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if not skeleton:
                options.pop("skeleton", None)
            return getattr(import_module(f"motionloom.io.{module}"), name)(*arguments, **options)

        return call

    return {what: later(name) for what, name in names.items()}


def _read_mot(path: PathName, **options: Any) -> Motion:
    raise FormatError(ADVICE[".mot"], path)


def _starts(*words: str) -> Callable[[bytes], bool]:
    """Whether one of `words` (lower case) begins the first line of text."""
    begins = tuple(word.encode() for word in words)
    return lambda head: head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(begins)


def _is_amc(head: bytes) -> bool:
    return b":fully-specified" in head.lower()


def _is_amass(head: bytes) -> bool:
    return head.startswith(b"PK") and b"poses.npy" in head


def _is_c3d(head: bytes) -> bool:
    # The second byte marks a C3D file; the first is the block where the parameters start, and zeros
    # follow somewhere.
    return head[1:2] == b"\x50" and b"\0" in head


def _row(
    name: str,
    suffix: str,
    is_likely: Callable[[bytes], bool],
    module: str,
    functions: str,
    *,
    holds: type[Motion] | type[MarkerSequence] = Motion,
    skeleton: bool = False,
    **of: Any,
) -> Format:
    """A format of a module and its functions that read and, if any, write and check."""
    names = dict(zip(("read", "write", "check"), functions.split(), strict=False))
    return Format(name, suffix, holds, is_likely, **lazy(module, skeleton, **names), **of)


_BVH: dict[str, Any] = {"has_rate": False, "options": ("unit", "up", "order")}
_BODY: dict[str, Any] = {"has_rate": False, "skeleton": True}
_SCENE: dict[str, Any] = {"options": ("unit", "up", "rest"), "holds_several": True}
_GLB: dict[str, Any] = {"options": ("rest",), "holds_several": True}
_MARKERS: dict[str, Any] = {"holds": MarkerSequence, "options": ("unit", "up")}
_AMC = "read_amc write_amc find_coordinates"
_FBX = _starts("kaydara fbx binary", "; fbx")

FORMATS = (
    _row("BVH", ".bvh", _starts("hierarchy"), "bvh", "read_bvh write_bvh", **_BVH),
    _row("AMC", ".amc", _is_amc, "acclaim.amc", _AMC, **_BODY),
    _row("glTF binary", ".glb", _starts("gltf"), "_gltf", "read_glb write_glb", **_GLB),
    _row("FBX", ".fbx", _FBX, "fbx", "read_fbx write_fbx", **_SCENE),
    _row("USD text", ".usda", _starts("#usda"), "usd", "read_usd write_usda", **_SCENE),
    _row("USD binary", ".usdc", _starts("pxr-usdc"), "usd", "read_usd", holds_several=True),
    _row("USD", ".usd", _starts("#usda", "pxr-usdc"), "usd", "read_usd", holds_several=True),
    _row("AMASS", ".npz", _is_amass, "amass", "read_amass", **_BODY),
    _row("C3D", ".c3d", _is_c3d, "c3d", "read_c3d", holds=MarkerSequence),
    _row("TRC", ".trc", _starts("pathfiletype"), "_markers", "read_trc write_trc", **_MARKERS),
)

_MOT = lazy("opensim.angles", write="write_angles", check="check_angles")
#: Formats that are only written.
WRITTEN_ONLY = (Format("MOT", ".mot", Motion, lambda head: False, _read_mot, **_MOT),)

_BARE = "an ASF file is a skeleton without motion"
_NUMBERS = "a .mot file holds numbers for a model that it does not contain"
#: What to do with files that people have but that cannot be read.
ADVICE = {
    ".asf": f"{_BARE}; load the AMC file and give this one as its skeleton",
    ".gltf": "glTF is read as one binary file; export it as .glb",
    ".mot": f"{_NUMBERS}; give the TRC or C3D of the trial",
    ".xml": "an XML file holds no motion; a robot's MJCF model is a body to retarget motions to",
    ".mjcf": "an MJCF model holds no motion; it is a body to retarget motions to",
    ".urdf": "a URDF model holds no motion; it is a body to retarget motions to",
    ".csv": "tables of numbers are not read; give the motion that a robot's table was made from",
    ".osim": "an OpenSim model holds no motion; give the TRC or C3D of a trial",
}
#: Why a format cannot be told something.
FIXED = {
    ".glb": "glTF is always in metres with Y up",
    ".amc": "AMC has the unit and axes of its ASF file",
    ".mot": "MOT is always in degrees and metres with Y up",
}


_others: dict[str, Format] = {}


def register_format(found: Format) -> None:
    """Make a format of others known by its suffix; a later one of the same suffix replaces it.

    Parameters
    ----------
    found : Format
        Its row of the table.

    Raises
    ------
    InvalidInputError
        When it is no `Format`, its suffix is none, or a format of this package has that suffix.
    """
    if not isinstance(found, Format):
        raise InvalidInputError(f"{found!r:.60} is no format; expected a motionloom.io.Format")
    suffix = found.suffix
    if not (suffix.startswith(".") and suffix == suffix.lower() and len(suffix) > 1):
        message = f"{suffix!r} is no suffix; expected lower case with a dot, such as '.toy'"
        raise InvalidInputError(message)
    if not (callable(found.is_likely) and callable(found.read)):
        message = f"the format {suffix} needs is_likely(head) and read(path, ...); give it both"
        raise InvalidInputError(message)
    if any(own.suffix == suffix for own in (*FORMATS, *WRITTEN_ONLY)):
        message = f"the suffix {suffix} is that of a format of motionloom; take another"
        raise InvalidInputError(message)
    _others[suffix] = found
    note_registered(f"format {suffix}")


def _register_plugin(name: str, thing: Any) -> None:
    register_format(thing)


def readable_formats() -> tuple[Format, ...]:
    """Formats that are read: those of this package, then those of plug-ins.

    Examples
    --------
    >>> [found.suffix for found in readable_formats()][:3]
    ['.bvh', '.amc', '.glb']
    """
    load_plugins(PLUGINS, _register_plugin)
    return (*FORMATS, *_others.values())


def known_formats() -> tuple[Format, ...]:
    """All formats, with those that are only written."""
    return (*readable_formats(), *WRITTEN_ONLY)


def suffixes_of(kind: type) -> str:
    """Suffixes of the formats that are read as `kind`, with commas between them.

    Examples
    --------
    >>> suffixes_of(MarkerSequence)
    '.c3d, .trc'
    """
    return ", ".join(f.suffix for f in readable_formats() if f.holds is kind)


#: What refuses values of options that no format has.
_CHECKS = lazy("units", unit="check_unit", up="axes_to_y_up")
_CHECKS |= lazy("bvh._channels", order="check_order")
_CHECKS |= lazy("scenes.rest_pose", rest="check_rest")
#: Suffixes of files that hold several characters.
SCENE_SUFFIXES = (".glb", ".fbx", ".usda")


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

    Examples
    --------
    >>> save(walk, "walk.glb")
    >>> again = ml.load("walk.glb")
    >>> np.allclose(again.translations[:, 0], walk.translations[:, 0], atol=1e-4)
    True
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

    Examples
    --------
    >>> check_save(walk, "walk.mp4")
    Traceback (most recent call last):
    motionloom.errors.InvalidInputError: cannot write walk.mp4: the suffix '.mp4' names no ...
    """
    find_writer(path, type(data))
    _given(path, options)
    check = _format_of(path).check
    if check is not None:
        check(data, skeleton)


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

    Examples
    --------
    >>> save_scene({"anna": walk, "ben": walk}, "both.glb")
    >>> from motionloom.io.registry import load_all
    >>> list(load_all("both.glb"))
    ['anna', 'ben']
    """
    if Path(path).suffix.lower() not in SCENE_SUFFIXES:
        message = f"cannot write {path}: one file of several characters is"
        raise InvalidInputError(f"{message} {', '.join(SCENE_SUFFIXES)}; use one of them")
    find_writer(path)(motions, path, name=name, rest=rest)


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
    own = (f for f in known_formats() if issubclass(kind, f.holds))
    writers = {f.suffix: f.write for f in own if f.write is not None}
    if suffix not in writers:
        what = f"the suffix {suffix!r}" if suffix else "a name without suffix"
        held = "markers" if kind is MarkerSequence else "motions"
        message = f"cannot write {path}: {what} names no format in which {held} can be written; use"
        raise InvalidInputError(f"{message} {', '.join(writers)}")
    return writers[suffix]


def _format_of(path: PathName) -> Format:
    suffix = Path(path).suffix.lower()
    return next(f for f in known_formats() if f.suffix == suffix)


def _given(path: PathName, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None; refused where the format has no such option."""
    found = _format_of(path)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in (*found.options, "skeleton"):
            fixed = FIXED.get(found.suffix) if name in ("unit", "up") else None
            also = ", ".join(f.suffix for f in readable_formats() if name in f.options)
            raise InvalidInputError(
                f"cannot write {path} with the option {name}:"
                f" {fixed or f'{found.name} files have no such option'}; leave it out"
                f"{f', or write {also}' if also else ''}"
            )
    for name, check in _CHECKS.items():
        if name in given:
            check(given[name])
    return given


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
