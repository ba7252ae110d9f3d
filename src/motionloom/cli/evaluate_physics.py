"""``motionloom evaluate physics``: forces over plates and beside MuJoCo, corrections."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import Force, ReportAsJson, with_blocks
from motionloom.workspace.checks import check_outputs, make_folder_of
from motionloom.workspace.writing import Writer, format_report


@with_blocks
def evaluate_physics(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help=(
                "Trials over force plates (.c3d, or .trc with NAME_grf.mot beside), and clips that"
                " are corrected; folders."
            ),
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save the report, .json or text."),
    ] = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Inverse dynamics over force plates and beside MuJoCo, corrections of clips (minutes)."""
    from motionloom.baselines.physics.evaluation import evaluate_physics as evaluate
    from motionloom.io import load_motion
    from motionloom.workspace.places import find_readable

    found = find_readable(files, (".c3d", ".trc", ".bvh", ".amc"))
    trials = [path for path in found if Path(path).suffix.lower() in (".c3d", ".trc")]
    others = [path for path in found if path not in trials]
    check_outputs([output], [Path(path) for path in found], force)
    with progress_bars() as progress:
        motions = [load_motion(path) for path in others]
        result = evaluate(trials, motions, progress)
    if output is not None:
        make_folder_of(output)
        Writer(force, say).write_report(output, result)
    print(format_report(result, as_json), end="")
    return 0
