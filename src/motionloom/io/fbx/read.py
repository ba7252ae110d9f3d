"""Read the skeleton and animation of an FBX file, ours or another program's."""

from __future__ import annotations

from os import PathLike

from motionloom.io.files import read_bytes
from motionloom.io.scenes.apart import Extractor, extract_apart
from motionloom.io.scenes.reading import motion_of_scene
from motionloom.motion import Motion

_UFBX = Extractor("motionloom.io.fbx.scene", "FBX", "ufbx", "fbx")


def read_fbx(
    path: str | PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion:
    """Read the skeleton and the first animation of an FBX file, binary or text.

    The bones are the limb nodes and those that carry a skin, or else the animated nodes; nodes
    above them are folded into the root. Our own files give back the skeleton and rotations that
    were written. Of others, at rest every joint's frame has the world's axes.

    The file is read by ufbx in a process of its own, so that a crash ends in a sentence.

    Parameters
    ----------
    path : path-like
        The FBX file.
    unit : float or str, metres, optional
        Length of the file's unit, where it is known better than the file says.
    up : str, optional
        The file's up axis, likewise.
    strict : bool, optional
        Refuse what would otherwise be mended with a warning.
    number : int, optional
        Of the skeleton, the largest first, as ``source.skeletons`` lists them; otherwise the first,
        with a warning about the others.

    Returns
    -------
    Motion
        In metres, +Y up, sampled at the keys where they are even.

    Raises
    ------
    FormatError
        When the file cannot be read or holds no skeleton.
    MissingExtraError
        When ufbx is not installed.
    """
    read_bytes(path, limit=1)
    scene = extract_apart(_UFBX, path, number or 0)
    return motion_of_scene(scene, path, "fbx", unit=unit, up=up, strict=strict, number=number)
