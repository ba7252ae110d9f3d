"""Files of the built-in clips, kept ready: performing them takes longer than all else they are for.

``python tools/build_demo.py`` writes them anew where the performer has changed.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path

from motionloom.io.files import write_file

#: The kept files, of seed 0.
KEPT = "demo.zip"


def demo_files(seed: int = 0) -> dict[str, Callable[[Path], object]]:
    """What writes the clips, and markers of a walk, each to the place that it is given.

    Parameters
    ----------
    seed : int
        Seed of sway and breathing.

    Returns
    -------
    dict of str to callable
        By the name of the file: ``clips/NAME.bvh``, and ``markers.trc`` at last.

    Examples
    --------
    >>> from pathlib import Path
    >>> demo_files()["clips/walk_1.1.bvh"](Path("walk.bvh"))
    >>> ml.load("walk.bvh").fps
    30.0
    """
    if seed != 0:
        return perform_files(seed)
    kept = files("motionloom.performer").joinpath(KEPT).read_bytes()
    with zipfile.ZipFile(io.BytesIO(kept)) as archive:
        return {name: partial(_write, content=archive.read(name)) for name in archive.namelist()}


def perform_files(seed: int = 0) -> dict[str, Callable[[Path], object]]:
    """As `demo_files`, performed now."""
    from motionloom.io import save
    from motionloom.performer import make_performer, performer_clips
    from motionloom.performer.markers import place_markers

    motions = {clip.motion.name: clip.motion for clip in performer_clips(seed)}
    markers = place_markers(make_performer(), motions["walk_1.1"])
    clips = {f"clips/{name}.bvh": partial(save, motions[name]) for name in sorted(motions)}
    return {**clips, "markers.trc": partial(save, markers)}


def _write(path: Path, content: bytes) -> None:
    write_file(path, content)
