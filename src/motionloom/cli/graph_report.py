"""``motionloom graph report``: what a motion graph's clips can and cannot do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.clipsets import ReadWishes, find_graph, find_place, read_clip_set
from motionloom.cli.console import progress_bars, tell_written
from motionloom.cli.inputs import check_outputs, check_png, frame_time_of, output_place
from motionloom.cli.options import Asf, Force, Graph, Mirror, Only, Rate, Unit, Up, Without


def report(
    places: Annotated[
        list[str], typer.Argument(metavar="LIB|CLIPS...", help="A library, or clips: files, folders or patterns.")
    ],
    fps: Annotated[
        float | None, typer.Option(help="Frames per second of the graph; else 30, or the library's.")
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw it: splices, speeds and turns, clips.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Save the report, .json or text.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    graph: Graph = None,
    only: Only = None,
    without: Without = None,
    mirror: Mirror = False,
    roles: Annotated[Path | None, typer.Option(metavar="FILE", help="Table of roles, for odd skeletons.")] = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    force: Force = False,
) -> int:
    """Say how the clips hang together, which speeds and turns they cover, and what nobody does in them."""
    from motionloom.graph.diagnosis.overview import survey_graph
    from motionloom.graph.diagnosis.overview_text import format_overview
    from motionloom.graph.diagnosis.picture import write_overview_picture
    from motionloom.graph.splices.build import build_graph
    from motionloom.graph.storage.disk import open_on_disk
    from motionloom.io.files import write_file

    frame_time_of(fps, "--fps")
    check_png(png)
    place = find_place(places)
    check_outputs([output, png], [*place.files, *(p for p in (roles, skeleton) if p is not None)], force)
    frame_time = frame_time_of(rate, "--rate")
    wishes = ReadWishes(fps, roles, skeleton, unit, up, frame_time, tuple(only or ()), tuple(without or ()), mirror)
    with progress_bars() as progress:
        clips = read_clip_set(place, wishes, progress)
        folder = find_graph(place, graph)
        made = (
            build_graph(clips, progress=progress) if folder is None else open_on_disk(clips, folder, progress=progress)
        )
        overview = survey_graph(made)
    if output is not None:
        free = output_place(output, force)
        write_file(free, overview.to_json() if output.suffix.lower() == ".json" else format_overview(overview))
        tell_written(free)
    if png is not None:
        free = output_place(png, force)
        write_overview_picture(overview, free)
        tell_written(free)
    print(overview.to_json() if as_json else format_overview(overview), end="")
    return 0
