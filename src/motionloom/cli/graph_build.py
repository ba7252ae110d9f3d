"""``motionloom graph build``: the motion graph of a library or of clips, on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import GraphBlock, Places, with_blocks
from motionloom.errors import InvalidInputError
from motionloom.reports import in_words
from motionloom.workspace.checks import check_place
from motionloom.workspace.clips import read_clip_set
from motionloom.workspace.places import find_place
from motionloom.workspace.tell import warn


@with_blocks
def build(
    places: Places,
    reading: GraphBlock,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Where to; else beside the library."),
    ] = None,
    tau: Annotated[
        float | None, typer.Option(help="Threshold of the transition cost; else calibrated.")
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(
            metavar="FRAMES",
            help="A transition may change a pose as much as clips do in this time.",
        ),
    ] = None,
    relative: Annotated[
        float | None,
        typer.Option(help="0: one threshold for all frames; 1: each frame's own (default)."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers find the transitions."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Forget the graph that is there and calibrate anew.")
    ] = False,
) -> int:
    """Build a motion graph, or bring one up to date: only what is new or has changed is computed.

    A build that was stopped goes on where it was.
    """
    from motionloom.graph.storage.disk import HEAD, build_on_disk, check_graph_folder
    from motionloom.graph.transitions.build import GraphOptions

    options = reading.to_options()
    place = find_place(places)
    folder = output or place.graph
    if folder is None:
        raise InvalidInputError(
            "a graph of clips needs a folder to be kept in; name it with -o FOLDER"
        )
    check_place(folder / HEAD)
    check_graph_folder(folder, force)
    wanted: dict[str, Any] = {"tau": tau, "step": step, "relative": relative}
    given = {name: value for name, value in wanted.items() if value is not None}
    with progress_bars() as progress:
        clips = read_clip_set(place, options, progress, say)
        graph_options = GraphOptions(**given) if given else None
        done = build_on_disk(
            clips, folder, graph_options, cluster=cluster, anew=force, progress=progress
        )
    report = done.graph.report
    warn((*clips.notes, *done.notes, *report.notes), say)
    say(f"wrote {folder}: {in_words(done)}")
    print(
        f"{clips.n_clips} clips, {clips.n_frames} frames, {report.n_edges} transitions,"
        f" {report.n_roots} at the coarsest level; {100 * report.kept_share:.0f} % of the frames in"
        " the largest connected part"
    )
    return 0
