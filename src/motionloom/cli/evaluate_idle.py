"""``motionloom evaluate idle``: idle motion beside recordings of people who wait."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import Force, Places, ReportAsJson, RolesBlock, with_blocks
from motionloom.workspace.checks import check_outputs, make_folder_of
from motionloom.workspace.clips import read_motions
from motionloom.workspace.places import find_place
from motionloom.workspace.writing import Writer, format_report


@with_blocks
def evaluate_idle(
    places: Places,
    reading: RolesBlock,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Motions made of each person.")] = 3,
    minutes: Annotated[
        float, typer.Option(min=1, max=60, help="How long stays and repeats are looked for.")
    ] = 10.0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save the report, .json or text."),
    ] = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Compare idle motion made from one half of each recording with the other half."""
    from motionloom.baselines.idle.evaluation import IdleEvaluationOptions
    from motionloom.baselines.idle.evaluation import evaluate_idle as measure

    place = find_place(places)
    options = reading.to_options()
    check_outputs([output], [*place.files, *options.companions], force)
    measuring = IdleEvaluationOptions(seeds, minutes)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        roles = options.read_roles(motions[0].skeleton)
        result = measure(motions, roles, measuring, progress)
    if output is not None:
        make_folder_of(output)
        Writer(force, say).write_report(output, result)
    print(format_report(result, as_json), end="")
    return 0
