"""``motionloom evaluate physics``: forces beside plates, corrections of clips."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars
from motionloom.workspace.writing import check_outputs
from motionloom_evaluation.cli.options import Force, ReportAsJson, ReportFile, with_blocks
from motionloom_evaluation.cli.reports import give_report


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
    made: Annotated[
        list[str] | None,
        typer.Option(
            "--made",
            metavar="CLIPS",
            help="Walks of one skeleton: motions are made of them in three ways, corrected beside"
            " FILES, and shown to a critic (extra critic); may be repeated.",
        ),
    ] = None,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Inverse dynamics over force plates and beside MuJoCo, corrections of clips (minutes)."""
    from motionloom.io import load_motion
    from motionloom.places import find_readable
    from motionloom_evaluation.physics.evaluation import evaluate_physics as measure

    found = find_readable(files, (".c3d", ".trc", ".bvh", ".amc"))
    trials = [path for path in found if Path(path).suffix.lower() in (".c3d", ".trc")]
    others = [path for path in found if path not in trials]
    sources = find_readable(made, (".bvh", ".amc")) if made else []
    check_outputs([output], [Path(path) for path in (*found, *sources)], force)
    with progress_bars() as progress:
        motions = [load_motion(path) for path in others]
        clips = [load_motion(path) for path in sources]
        result = measure(trials, motions, clips, progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0
