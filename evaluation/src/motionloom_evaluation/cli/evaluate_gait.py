"""``motionloom evaluate gait``: cycles found and made, beside what was captured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.places import find_place
from motionloom.reading import read_motions
from motionloom.workspace.writing import check_outputs
from motionloom_evaluation.cli.options import (
    Force,
    Places,
    ReportAsJson,
    ReportFile,
    RolesBlock,
    with_blocks,
)
from motionloom_evaluation.cli.reports import give_report


@dataclass(frozen=True, kw_only=True)
class GaitBlock:
    """What gait is measured against."""

    told: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML: whose clips they are, and their styles."),
    ] = None
    events: Annotated[
        list[Path] | None,
        typer.Option("--events", metavar="FILE", help="Marker file with foot strikes and offs."),
    ] = None
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--others", metavar="CLIPS", help="Clips of other actions: no cycle should be found."
        ),
    ] = None
    gap: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=10.0,
            metavar="M/S",
            help="Takes of a person nearer than this in speed are left out together.",
        ),
    ] = 0.05

    @property
    def files(self) -> list[Path]:
        """Files that are read beside the clips."""
        return [*(self.events or ()), *([] if self.told is None else [self.told])]


@with_blocks
def evaluate_gait(
    places: Places,
    reading: RolesBlock,
    measuring: GaitBlock,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """How well gait cycles are found and made: left-out speeds and people, frequency, events."""
    from motionloom.gait.cycles.told import read_told
    from motionloom.io import load_markers
    from motionloom_evaluation.gait.evaluation import evaluate_gait as measure

    options = reading.to_options()
    place = find_place(places)
    none = find_place(measuring.others) if measuring.others else None
    inputs = [*place.files, *options.companions, *measuring.files]
    check_outputs([output], [*inputs, *(() if none is None else none.files)], force)
    rows = () if measuring.told is None else read_told(measuring.told)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        unlike = [] if none is None else read_motions(none, None, progress, say)
        markers = [load_markers(path) for path in measuring.events or ()]
        result = measure(motions, markers, unlike, rows, measuring.gap, progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0
