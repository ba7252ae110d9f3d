"""``motionloom convert``: a motion or markers from one format and frame rate to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import say, warn_about
from motionloom.cli.inputs import check_fps, check_outputs, make_folder_of
from motionloom.cli.options import Asf, Strict, Unit, Up


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its suffix says the format.")],
    fps: Annotated[float | None, typer.Option(help="Resample to this many frames per second.")] = None,
    unit: Unit = None,
    up: Up = None,
    skeleton: Asf = None,
    strict: Strict = False,
) -> int:
    """Convert a file; the format of OUT is that of its suffix: .bvh, .amc, .glb for motions, .trc for markers."""
    from motionloom.io.registry import find_writer, load, save

    check_fps(fps)
    check_outputs([output], [source])
    data = load(source, unit=unit, up=up, skeleton=skeleton, strict=strict)
    find_writer(output, type(data))
    warn_about((str(source), text) for text in data.source.warnings)
    if fps is not None:
        data = data.resample(1.0 / fps)
    make_folder_of(output)
    save(data, output)
    say(f"wrote {output}: {data.n_frames} frames at {data.fps:g} fps")
    return 0
