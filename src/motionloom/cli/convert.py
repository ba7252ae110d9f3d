"""``motionloom convert``: a motion or markers from one format and frame rate to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import say, tell_written, warn_about
from motionloom.cli.inputs import check_outputs, frame_time_of, make_folder_of
from motionloom.cli.options import Asf, Force, Rate, Strict, Unit, Up


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its suffix says the format.")],
    fps: Annotated[float | None, typer.Option(help="Resample to this many frames per second.")] = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    strict: Strict = False,
    force: Force = False,
) -> int:
    """Convert a file; the format of OUT is that of its suffix: .bvh, .amc, .glb for motions, .trc for markers."""
    from motionloom.io.describe import format_count
    from motionloom.io.registry import check_save, load, save

    frame_time, new_time = frame_time_of(rate, "--rate"), frame_time_of(fps, "--fps")
    check_outputs([output], [source, *(() if skeleton is None else (skeleton,))], force)
    data = load(source, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time, strict=strict)
    check_save(data, output, skeleton)
    warn_about((str(source), text) for text in data.source.warnings)
    say(f"{source}: 1 unit = {data.source.unit:.6g} m ({data.source.unit_reason}), {data.source.up.upper()} up")
    if new_time is not None:
        data = data.resample(new_time)
    make_folder_of(output)
    save(data, output, skeleton=skeleton)
    tell_written(output, f": {format_count(data.n_frames)} at {data.fps:g} fps")
    return 0
