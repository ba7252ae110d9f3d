"""``motionloom graph report``: what a motion graph's clips can and cannot do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.inputs import check_outputs, check_png, find_clips, frame_time_of, make_folder_of
from motionloom.cli.options import Asf, Rate, Unit, Up
from motionloom.errors import InvalidInputError


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
    roles: Annotated[Path | None, typer.Option(metavar="FILE", help="Table of roles, for odd skeletons.")] = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
) -> int:
    """Say how the clips hang together, which speeds and turns they cover, and what nobody does in them."""
    from motionloom.cli.synthesize import read_clips
    from motionloom.graph.build import build_graph
    from motionloom.graph.clips import make_clip_set
    from motionloom.graph.library_clips import clip_set_from_library
    from motionloom.graph.overview import survey_graph
    from motionloom.graph.overview_text import format_overview
    from motionloom.graph.picture import write_overview_picture
    from motionloom.io.files import write_file
    from motionloom.io.roles_table import read_roles
    from motionloom.library import open_library
    from motionloom.library.manifest import FILE_NAME

    frame_time_of(fps, "--fps")
    frame_time = frame_time_of(rate, "--rate")
    check_png(png)
    is_library = len(places) == 1 and (Path(places[0]) / FILE_NAME).is_file()
    files = [Path(places[0]) / FILE_NAME] if is_library else find_clips(places).files
    check_outputs([output, png], [*files, *(p for p in (roles, skeleton) if p is not None)])
    with progress_bars() as progress:
        if is_library:
            library = open_library(places[0])
            if fps not in (None, library.fps):
                raise InvalidInputError(f"--fps: the library is at {library.fps:g} frames per second, not {fps:g}")
            clips = clip_set_from_library(library, progress=progress)
        else:
            motions = read_clips(files, progress, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time)
            table = None if roles is None else read_roles(roles, motions[0].skeleton)
            clips = make_clip_set(motions, fps or 30.0, table, progress)
        graph = build_graph(clips, progress=progress)
        overview = survey_graph(graph)
    for path in (output, png):
        if path is not None:
            make_folder_of(path)
    if output is not None:
        write_file(output, overview.to_json() if output.suffix.lower() == ".json" else format_overview(overview))
        say(f"wrote {output}")
    if png is not None:
        write_overview_picture(overview, png)
        say(f"wrote {png}")
    print(overview.to_json() if as_json else format_overview(overview), end="")
    return 0
