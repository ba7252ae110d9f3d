"""``motionloom evaluate idle``: idle motion beside recordings of people who wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.motion import Motion
from motionloom.places import find_place
from motionloom.reading import read_motions
from motionloom.roles import Roles
from motionloom.workspace.writing import Writer, check_outputs
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
class MeasuringBlock:
    """How much is measured."""

    seeds: Annotated[int, typer.Option(min=1, max=100, help="Motions made of each person.")] = 3
    minutes: Annotated[
        float, typer.Option(min=1, max=60, help="How long stays and repeats are looked for.")
    ] = 10.0
    schedules: Annotated[
        int, typer.Option(min=0, max=10_000, help="Random schedules of gestures that are played.")
    ] = 0
    hours: Annotated[
        float,
        typer.Option(min=0, max=100, help="Hours that everybody waits, to see what drifts."),
    ] = 0.0


@with_blocks
def evaluate_idle(
    places: Places,
    reading: RolesBlock,
    measuring: MeasuringBlock,
    sheets: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Draw a minute of each, recorded, ours, noise and a loop, as PNG and page.",
        ),
    ] = None,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Compare idle motion made from one half of each recording with the other half."""
    from motionloom_evaluation.idle.evaluation import IdleEvaluationOptions
    from motionloom_evaluation.idle.evaluation import evaluate_idle as measure
    from motionloom_evaluation.idle.films import film_places

    place = find_place(places)
    options = reading.to_options()
    names = [file.stem for file in place.files]
    pictures = [] if sheets is None else film_places(sheets, names)
    check_outputs([output, *pictures], [*place.files, *options.companions], force)
    wanted = IdleEvaluationOptions(**asdict(measuring))
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        roles = options.read_roles(motions[0].skeleton)
        result = measure(motions, roles, wanted, progress)
    if pictures:
        _draw(motions, roles, pictures, Writer(force, say))
    give_report(result, output, as_json=as_json, force=force)
    return 0


def _draw(
    motions: Sequence[Motion], roles: Roles | None, pictures: Sequence[Path], writer: Writer
) -> None:
    from motionloom_evaluation.idle.films import make_films, write_films

    for motion in motions:
        films = make_films(motion, roles)
        for picture in pictures:
            if picture.stem == motion.name:
                writer.write(picture, partial(write_films, films))
