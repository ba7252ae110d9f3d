"""The table of formats: how each is recognised, read and written; saving by suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from motionloom.errors import FormatError, InvalidInputError
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
    _row("TRC", ".trc", _starts("pathfiletype"), "_markers.trc", "read_trc write_trc", **_MARKERS),
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
    >>> from motionloom.io.registry._loading import load_all
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
