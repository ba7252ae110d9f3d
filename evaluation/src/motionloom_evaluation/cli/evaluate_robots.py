"""``motionloom evaluate robots``: clips on a robot, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.places import find_place
from motionloom.reading import read_motions
from motionloom.workspace.writing import check_outputs
from motionloom_evaluation.cli.options import (
    Force,
    ReportAsJson,
    ReportFile,
    RolesBlock,
    with_blocks,
)
from motionloom_evaluation.cli.reports import give_report


@with_blocks
def evaluate_robots(
    places: Annotated[
        list[str], typer.Argument(metavar="CLIPS...", help="Clips of people: files, folders.")
    ],
    robot: Annotated[
        Path,
        typer.Option("--robot", metavar="MODEL", help="Model of the robot: MJCF (.xml) or URDF."),
    ],
    reading: RolesBlock,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Clips on a robot: contacts, limbs, limits, depth and time, beside MuJoCo."""
    from motionloom_evaluation.robots.evaluation import evaluate_robots as measure

    options = reading.to_options()
    place = find_place(places)
    check_outputs([output], [*place.files, *options.companions, robot], force)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        result = measure(robot, motions, progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0
