"""``motionloom graph report``: what a motion graph's clips can and cannot do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import (
    Force,
    Graph,
    GraphBlock,
    Places,
    ReportAsJson,
    ReportFile,
    with_blocks,
)
from motionloom.places import find_place
from motionloom.reading import read_clip_set
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.places import find_graph
from motionloom.workspace.writing import Writer


@with_blocks
def report(
    places: Places,
    reading: GraphBlock,
    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw it: transitions, speeds and turns, clips."),
    ] = None,
    output: ReportFile = None,
    as_json: ReportAsJson = False,
    graph: Graph = None,
    force: Force = False,
) -> int:
    """Say how the clips hang together, which speeds and turns they cover, and what nobody does."""
    from motionloom.graph.overview.picture import write_overview_picture
    from motionloom.graph.overview.survey import survey_graph
    from motionloom.graph.overview.text import format_overview
    from motionloom.graph.storage.disk import open_on_disk
    from motionloom.graph.transitions.build import build_graph

    options = reading.to_options()
    check_png(png)
    place = find_place(places)
    check_outputs([output, png], [*place.files, *options.companions], force)
    with progress_bars() as progress:
        clips = read_clip_set(place, options, progress, say)
        folder = find_graph(place, graph, say)
        made = (
            build_graph(clips, progress=progress)
            if folder is None
            else open_on_disk(clips, folder, progress=progress)
        )
        overview = survey_graph(made)
    writer = Writer(force, say)
    if output is not None:
        is_json = output.suffix.lower() == ".json"
        writer.write_text(output, overview.to_json() if is_json else format_overview(overview))
    if png is not None:
        writer.write(png, lambda place: write_overview_picture(overview, place))
    print(overview.to_json() if as_json else format_overview(overview), end="")
    return 0
