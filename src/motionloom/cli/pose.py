"""``motionloom pose``: clips and targets in, one pose out that meets them and looks natural."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    Constraints,
    Force,
    ReportAsJson,
    RolesBlock,
    SaveReport,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.places import find_place
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.checks import check_outputs, check_png, check_space
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.ik.start import Start
    from motionloom.motion import Motion
    from motionloom.spaces.pose_space import PoseSpace

#: Starts that are no files.
STARTS = ("standing", "zero")


@dataclass(frozen=True, kw_only=True)
class SolvingBlock:
    """How a pose is solved for."""

    method: Annotated[str, typer.Option(help="Solver; 'natural' is the one to use.")] = "natural"
    start: Annotated[
        str,
        typer.Option(metavar="START", help="'standing', 'zero', or a motion: FILE or FILE:FRAME."),
    ] = "standing"
    space: Annotated[
        Path | None,
        typer.Option(
            "--space", metavar="FILE.npz", help="Pose space: read if it exists, else written."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PoseResultBlock:
    """What is written besides the pose, and how."""

    report: SaveReport = None
    png: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Draw the pose with its targets.")
    ] = None
    force: Force = False
    as_json: ReportAsJson = False


@with_blocks
def pose(
    constraints: Constraints,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Pose to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
    reading: RolesBlock,
    solving: SolvingBlock,
    results: PoseResultBlock,
    clips: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LIB|CLIPS...",
            help="A library, or clips; may be left out with a --space that exists.",
        ),
    ] = None,
) -> int:
    """Find a pose that puts joints where a constraint file says and looks like people in CLIPS."""
    from motionloom.constraints.files import names_in
    from motionloom.ik.pose import find_pose
    from motionloom.io import save
    from motionloom.io.files import name_of
    from motionloom.io.registry import check_save, find_writer

    asked = _read_targets(constraints, solving.method)
    find_writer(output)
    check_png(results.png)
    place = find_place(clips) if clips else None
    options = reading.to_options()
    inputs = [constraints, *(() if place is None else place.files), *options.companions]
    inputs += _check_space(solving.space, place is not None)
    made = None if solving.space in inputs else solving.space
    outputs = [output, results.report, results.png, made]
    begins = [] if solving.start in STARTS else [_split_start(solving.start)[0]]
    check_outputs(outputs, inputs + begins, results.force)
    writer = Writer(results.force, say)
    with progress_bars() as progress:
        # A space that is there is used as it is, whatever clips are named besides.
        known = solving.space is not None and solving.space.exists()
        source = Naturalness(
            None if known else place,
            options,
            file=solving.space,
            judging=False,
            force=results.force,
            progress=progress,
            tell=say,
        )
        kept = source.get()
        motions = source.motions()
        if known and place is not None:
            motions = read_motions(place, options, progress, say)
        begin = _start(kept.space, motions, solving.start, options)
        with names_in(constraints):
            answer = find_pose(
                kept.space,
                asked,
                begin,
                method=solving.method,
                naturalness=kept.model,
                progress=progress,
            )
    motion = answer.to_motion(
        name_of(output), replace(motions[0].source, warnings=()) if motions else None
    )
    check_save(motion, output, options.skeleton)
    writer.write(output, lambda place: save(motion, place, skeleton=options.skeleton))
    if results.report is not None:
        writer.write_report(results.report, answer.report)
    if results.png is not None:
        from motionloom.ik.picture import write_pose_picture

        title = name_of(output)
        writer.write(results.png, lambda place: write_pose_picture(answer, place, title=title))
    print(format_report(answer.report, results.as_json), end="")
    return exit_code_of(answer.report.problems)


def _read_targets(path: Path, method: str) -> ConstraintSet:
    from motionloom.constraints.files import names_in, read_constraints
    from motionloom.ik.solve import solver_names
    from motionloom.ik.targets import check_pose_constraints

    if method not in solver_names():
        raise InvalidInputError(
            f"--method: expected one of {', '.join(solver_names())}, got {method!r}"
        )
    asked = read_constraints(path, still=True)
    with names_in(path):
        check_pose_constraints(asked)
    return asked


def _check_space(path: Path | None, have_clips: bool) -> list[Path]:
    """Inputs that the option --space is."""
    check_space(path, have_clips)
    return [path] if path is not None and path.exists() else []


def _start(space: PoseSpace, motions: Sequence[Motion], start: str, options: ReadOptions) -> Start:
    """Where the solver begins."""
    from motionloom.ik.start import captured_start, standing_start, zero_start
    from motionloom.io import load_motion

    if start in STARTS:
        return (standing_start if start == "standing" else zero_start)(space, motions)
    path, frame = _split_start(start)
    motion = load_motion(path, **options.of_files)
    return captured_start(space, motion, frame)


def _split_start(start: str) -> tuple[Path, int]:
    """File and frame of FILE or FILE:FRAME."""
    name, _, frame = start.rpartition(":")
    if name and frame.isdigit() and not Path(start).exists():
        return Path(name), int(frame)
    return Path(start), 0
