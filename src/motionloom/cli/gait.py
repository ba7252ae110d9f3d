"""``motionloom gait``: walks and runs as a space of cycles at any speed, and what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import (
    Force,
    Places,
    ReportAsJson,
    RolesBlock,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.places import find_place, tell_skipped
from motionloom.progress import warn
from motionloom.reading import read_motions
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.gait.cycles.find import FoundGait

app = typer.Typer(
    name="gait",
    help="Gait spaces: walking and running at any speed, learned from clips.",
    no_args_is_help=True,
)

GaitModel = Annotated[Path, typer.Argument(metavar="MODEL", help="Gait space of 'gait fit'.")]
Told = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="YAML: whose clips they are, their styles, strikes that were found wrongly.",
    ),
]


@app.command()
@with_blocks
def fit(
    places: Places,
    reading: RolesBlock,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL.npz", help="Gait space to write.")
    ],
    told: Told = None,
    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw the strikes, offs and strides of every clip."),
    ] = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Learn a gait space from walks and runs, of one person or more."""
    from motionloom.gait.cycles.told import read_told
    from motionloom.gait.overview.survey import survey_gait
    from motionloom.gait.space.fit import learn_gait
    from motionloom.gait.space.gather import gather_examples
    from motionloom.gait.store import save_gait

    if output.suffix.lower() != ".npz":
        raise InvalidInputError(f"{output}: expected a name that ends in .npz")
    check_png(png)
    options = reading.to_options()
    place = find_place(places)
    inputs = [*place.files, *options.companions, *([told] if told is not None else [])]
    check_outputs([output, png], inputs, force)
    rows = () if told is None else read_told(told)
    tell_skipped(place.skipped, say)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        roles = options.read_roles(motions[0].skeleton)
        found = gather_examples(motions, rows, roles, progress=progress)
        space = learn_gait(found)
    warn(space.notes, say)
    writer = Writer(force, say)
    writer.write(output, lambda path: save_gait(space, path))
    if png is not None:
        writer.write(png, lambda path: _draw_found(found.found, path))
    print(format_report(survey_gait(space), as_json), end="")
    return 0


def _draw_found(found: Mapping[str, FoundGait], path: Path) -> None:
    from motionloom.gait.cycles.picture import write_found_picture

    left = write_found_picture(found, path)
    if left:
        say(f"{left} clips are not in the picture")


@app.command()
def info(
    model: GaitModel,
    png: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT", help="Draw it: coefficients, frequency, transition and poses over speed."
        ),
    ] = None,
    as_json: ReportAsJson = False,
    force: Force = False,
) -> int:
    """Say what a MODEL holds: energy, speeds, persons, frequency laws, styles."""
    from motionloom.gait.overview.picture import write_gait_picture
    from motionloom.gait.overview.survey import survey_gait
    from motionloom.gait.store import load_gait
    from motionloom.io.files import name_of

    check_png(png)
    check_outputs([png], [model], force)
    overview = survey_gait(load_gait(model))
    if png is not None:
        title = name_of(model)
        Writer(force, say).write(png, lambda path: write_gait_picture(overview, path, title))
    print(format_report(overview, as_json), end="")
    return 0
