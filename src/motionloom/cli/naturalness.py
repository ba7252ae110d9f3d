"""``motionloom naturalness``: how like captured ones the poses of clips are, over time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.clipsets import ReadWishes, find_place, read_motions
from motionloom.cli.console import progress_bars, tell_written
from motionloom.cli.inputs import check_outputs, check_png, frame_time_of, output_place
from motionloom.cli.options import Asf, Force, Only, Rate, Seed, Unit, Up, Without


def naturalness(
    clips: Annotated[list[str], typer.Argument(metavar="CLIPS...", help="What is judged: files, folders, patterns.")],
    against: Annotated[
        list[str],
        typer.Option("--against", metavar="LIB|CLIPS", help="A library or clips to compare with; may be repeated."),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Save it, .json or text.")
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the curves over time.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures and curves as JSON.")] = False,
    seed: Seed = 0,
    only: Only = None,
    without: Without = None,
    roles: Annotated[Path | None, typer.Option(metavar="FILE", help="Table of roles, for odd skeletons.")] = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    force: Force = False,
) -> int:
    """Say how natural CLIPS are among captured ones; a clip that is among these is left out of them first."""
    from motionloom.analysis.judge import fit_judge
    from motionloom.analysis.verdicts import format_verdicts, judge_clips, verdicts_to_json, write_curves
    from motionloom.io.files import write_file
    from motionloom.io.roles_table import read_roles
    from motionloom.spaces import fit_pose_space

    check_png(png)
    place, others = find_place(clips), find_place(against)
    inputs = [*place.files, *others.files, *(p for p in (roles, skeleton) if p is not None)]
    check_outputs([output, png], inputs, force)
    wishes = ReadWishes(None, roles, skeleton, unit, up, frame_time_of(rate, "--rate"), only or (), without or ())
    with progress_bars() as progress:
        motions = read_motions(place, replace(wishes, only=(), without=()), progress)
        captured = read_motions(others, wishes, progress)
        table = None if roles is None else read_roles(roles, captured[0].skeleton)
        judge = fit_judge(fit_pose_space(captured, roles=table, progress=progress), seed=seed, progress=progress)
        verdicts = judge_clips(judge, motions, captured, progress)
    if png is not None:
        free = output_place(png, force)
        write_curves(judge, verdicts, free)
        tell_written(free)
    if output is not None:
        is_json = output.suffix.lower() == ".json"
        free = output_place(output, force)
        write_file(free, verdicts_to_json(verdicts) if is_json else format_verdicts(verdicts))
        tell_written(free)
    print(verdicts_to_json(verdicts) if as_json else format_verdicts(verdicts), end="")
    return 0
