"""``motionloom evaluate markers``: skeletons from markers, measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.errors import MotionloomError
from motionloom.workspace.writing import check_outputs
from motionloom_evaluation.cli.options import Force, ReportAsJson, ReportFile, Seed, with_blocks
from motionloom_evaluation.cli.reports import give_report

if TYPE_CHECKING:
    from motionloom.motion import Motion
    from motionloom_evaluation.markers.evaluation import MarkerEvaluationOptions


@dataclass(frozen=True, kw_only=True)
class MarkersBlock:
    """What is measured of markers."""

    subjects: Annotated[
        int, typer.Option(min=0, max=1000, help="Subjects of known truth; 0 for none.")
    ] = 20
    damage: Annotated[
        int,
        typer.Option(min=0, max=100, metavar="N", help="Trials that are damaged and solved again."),
    ] = 0
    seed: Seed = 0

    def to_options(self) -> MarkerEvaluationOptions:
        """Options of the library."""
        from motionloom_evaluation.markers.evaluation import MarkerEvaluationOptions

        return MarkerEvaluationOptions(self.subjects, self.damage, self.seed)


@with_blocks
def evaluate_markers(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Trials (.c3d, .trc), and motions of people and dogs that get markers; folders.",
        ),
    ],
    measuring: MarkersBlock,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Skeletons from markers: known truth by three methods, real trials, dogs, damage (minutes)."""
    from motionloom.places import find_readable
    from motionloom_evaluation.markers.evaluation import evaluate_markers as evaluate

    found = find_readable(files, (".c3d", ".trc", ".bvh", ".amc"))
    trials = [path for path in found if Path(path).suffix.lower() in (".c3d", ".trc")]
    others = [path for path in found if path not in trials]
    check_outputs([output], [Path(path) for path in found], force)
    with progress_bars() as progress:
        motions = _readable(others)
        result = evaluate(trials, motions, measuring.to_options(), progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0


def _readable(paths: list[str]) -> list[Motion]:
    """Motions of files; those that cannot be read are told of and left out."""
    from motionloom.io import load_motion

    found = []
    for path in paths:
        try:
            found.append(load_motion(path))
        except MotionloomError as error:
            say(f"left out: {error}")
    return found
