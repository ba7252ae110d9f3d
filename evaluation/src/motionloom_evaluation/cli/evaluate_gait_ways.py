"""``motionloom evaluate gait-ways`` and ``gait-gaps``: gait along given ways, and in gaps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.places import find_place
from motionloom.reading import read_motions
from motionloom.workspace.writing import check_outputs
from motionloom_evaluation.cli.options import (
    ClipBlock,
    Force,
    Places,
    ReportAsJson,
    ReportFile,
    Seed,
    with_blocks,
)
from motionloom_evaluation.cli.reports import give_report


def gait_ways(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Gait space of 'gait fit'.")],
    person: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Of whom; else of all.")
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0, max=600, help="How long they wander besides.")
    ] = 10.0,
    seed: Seed = 0,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Gait along straight ways and tight turns, and minutes of wandering: how feet stand."""
    from motionloom.gait.store import load_gait
    from motionloom_evaluation.gait.paths import evaluate_ways

    check_outputs([output], [model], force)
    with progress_bars() as progress:
        result = evaluate_ways(load_gait(model), person, minutes, seed, progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0


@with_blocks
def gait_gaps(
    places: Places,
    reading: ClipBlock,
    gaps: Annotated[int, typer.Option(min=1, max=1000, help="Gaps that are cut out.")] = 20,
    graph: Annotated[
        bool, typer.Option("--graph", help="Let the motion graph fill them too; slow.")
    ] = False,
    seed: Seed = 0,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Gaps cut out of walks and runs and filled, beside linear blending and the motion graph."""
    from motionloom_evaluation.gait.gaps import evaluate_gaps

    options = reading.to_options()
    place = find_place(places)
    check_outputs([output], [*place.files, *options.companions], force)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        result = evaluate_gaps(motions, gaps, seed, graph, progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0
