"""``motionloom evaluate``: how well methods do on given clips, beside published figures."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.clipsets import ReadWishes, find_place, read_motions
from motionloom.cli.console import progress_bars, tell_written
from motionloom.cli.inputs import check_outputs, frame_time_of, make_folder_of, output_place
from motionloom.cli.options import Asf, Force, Only, Rate, Seed, Unit, Up, Without

app = typer.Typer(
    name="evaluate", help="Measure methods on given clips, beside published figures.", no_args_is_help=True
)


@app.callback()
def _group() -> None:
    pass


@app.command("natural-spaces")
def natural_spaces(
    places: Annotated[
        list[str], typer.Argument(metavar="LIB|CLIPS...", help="A library, or clips; at least four, of one skeleton.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Folder for report.txt, report.json and pictures.")
    ] = Path("natural-spaces"),
    targets: Annotated[int, typer.Option(min=3, max=10_000, help="Targets for each of the five groups.")] = 100,
    splits: Annotated[int, typer.Option(min=1, max=50, help="Splits of the clips, with seeds SEED, SEED + 1 ...")] = 2,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option(min=1, metavar="M", help="Processes that share the splits.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="Few targets, one split, two methods: to see it run.")] = False,
    only: Only = None,
    without: Without = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    force: Force = False,
) -> int:
    """Accuracy and naturalness of every pose solver, and what else is measured of pose spaces (takes minutes)."""
    from motionloom.baselines.natural_spaces.evaluation import EvaluationOptions, evaluate_natural_spaces
    from motionloom.baselines.natural_spaces.pictures import PICTURES, write_pictures
    from motionloom.io.files import write_file

    place = find_place(places)
    inputs = [*place.files, *(() if skeleton is None else (skeleton,))]
    text, data = output / "report.txt", output / "report.json"
    pictures = [output / name for name in PICTURES]
    check_outputs([text, data, *pictures], inputs, force)
    make_folder_of(text)
    options = EvaluationOptions.quick(seed) if quick else EvaluationOptions(targets, splits, seed)
    wishes = ReadWishes(
        skeleton=skeleton, unit=unit, up=up, frame_time=frame_time_of(rate, "--rate"), only=only or (),
        without=without or (),
    )  # fmt: skip
    with progress_bars() as progress:
        motions = read_motions(place, wishes, progress)
        result = evaluate_natural_spaces(motions, replace(options, workers=workers), progress)
    free = [output_place(path, force) for path in (text, data, *pictures)]
    write_file(free[0], result.to_text())
    write_file(free[1], result.to_json())
    with tempfile.TemporaryDirectory() as drawn:
        for path, place_of in zip(write_pictures(result, drawn), free[2:], strict=True):
            write_file(place_of, path.read_bytes())
    for path in free:
        tell_written(path)
    print(result.to_text(), end="")
    return 0
