"""Save a motion, markers or a scene: the suffix names the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.io.registry._formats import FIXED, Format, known_formats, lazy, readable_formats
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.typing import PathName

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
