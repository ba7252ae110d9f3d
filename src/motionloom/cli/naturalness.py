"""``motionloom naturalness``: how like captured ones the poses of clips are, over time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import Force, RolesBlock, Seed, with_blocks
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.clips import read_motions
from motionloom.workspace.places import find_place
from motionloom.workspace.writing import Writer


@with_blocks
def naturalness(
    clips: Annotated[
        list[str],
        typer.Argument(metavar="CLIPS...", help="What is judged: files, folders, patterns."),
    ],
    against: Annotated[
        list[str],
        typer.Option(
            "--against",
            metavar="LIB|CLIPS",
            help="A library or clips to compare with; may be repeated.",
        ),
    ],
    reading: RolesBlock,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Save it, .json or text.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Draw the curves over time.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all figures and curves as JSON.")
    ] = False,
    seed: Seed = 0,
    force: Force = False,
) -> int:
    """Say how natural CLIPS are among captured ones; one that is among these is left out."""
    from motionloom.analysis.judge import fit_judge
    from motionloom.analysis.verdicts import (
        format_verdicts,
        judge_clips,
        verdicts_to_json,
        write_curves,
    )
    from motionloom.spaces import fit_pose_space

    check_png(png)
    place = find_place(clips)
    others = find_place(against)
    options = reading.to_options()
    check_outputs([output, png], [*place.files, *others.files, *options.companions], force)
    with progress_bars() as progress:
        motions = read_motions(place, replace(options, only=(), without=()), progress, say)
        captured = read_motions(others, options, progress, say)
        table = options.read_roles(captured[0].skeleton)
        judge = fit_judge(
            fit_pose_space(captured, roles=table, progress=progress), seed=seed, progress=progress
        )
        verdicts = judge_clips(judge, motions, captured, progress)
    writer = Writer(force, say)
    if png is not None:
        writer.write(png, lambda place: write_curves(judge, verdicts, place))
    if output is not None:
        is_json = output.suffix.lower() == ".json"
        writer.write_text(
            output, verdicts_to_json(verdicts) if is_json else format_verdicts(verdicts)
        )
    print(verdicts_to_json(verdicts) if as_json else format_verdicts(verdicts), end="")
    return 0
