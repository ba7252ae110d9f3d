"""``motionloom pose``: clips and a constraint file in, one pose out that reaches its targets and looks natural."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.clipsets import ReadWishes, find_place, read_motions
from motionloom.cli.console import progress_bars, say, tell_written
from motionloom.cli.inputs import check_outputs, check_png, frame_time_of, make_folder_of, output_place
from motionloom.cli.options import Asf, Force, Only, Rate, Unit, Up, Without
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress

if TYPE_CHECKING:
    from motionloom.ik.start import Start
    from motionloom.motion import Motion
    from motionloom.spaces.pose_space import PoseSpace

#: Starts that are no files.
STARTS = ("standing", "zero")


def pose(
    constraints: Annotated[Path, typer.Option("--constraints", "-c", metavar="FILE", help="Constraint file.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Pose to write: .bvh, .glb, .amc.")],
    clips: Annotated[
        list[str] | None,
        typer.Argument(metavar="LIB|CLIPS...", help="A library, or clips; may be left out with a --space that exists."),
    ] = None,
    method: Annotated[str, typer.Option(help="Solver; 'natural' is the one to use.")] = "natural",
    start: Annotated[
        str, typer.Option(metavar="START", help="'standing', 'zero', or a motion: FILE or FILE:FRAME.")
    ] = "standing",
    space_file: Annotated[
        Path | None, typer.Option("--space", metavar="FILE.npz", help="Pose space: read if it exists, else written.")
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the report, .json or text.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the pose with its targets.")] = None,
    roles: Annotated[Path | None, typer.Option(metavar="FILE", help="Table of roles, for odd skeletons.")] = None,
    only: Only = None,
    without: Without = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Find a pose that puts joints where a constraint file says and looks like the people in CLIPS."""
    from motionloom.constraints.files import names_in, read_constraints
    from motionloom.ik.pose import find_pose
    from motionloom.ik.solve import solver_names
    from motionloom.ik.wish import check_wish
    from motionloom.io import save
    from motionloom.io.files import name_of, write_file
    from motionloom.io.registry import check_save, find_writer
    from motionloom.spaces import load_pose_space

    if method not in solver_names():
        raise InvalidInputError(f"--method: expected one of {', '.join(solver_names())}, got {method!r}")
    wish = read_constraints(constraints, still=True)
    with names_in(constraints):
        check_wish(wish)
    find_writer(output)
    check_png(png)
    place = find_place(clips) if clips else None
    inputs = [constraints, *(() if place is None else place.files), *(p for p in (skeleton, roles) if p is not None)]
    inputs += _check_space(space_file, place is not None)
    outputs = [output, report, png, space_file if space_file not in inputs else None]
    check_outputs(outputs, inputs + ([] if start in STARTS else [_split_start(start)[0]]), force)
    for path in outputs:
        if path is not None:
            make_folder_of(path)
    wishes = ReadWishes(
        roles=roles, skeleton=skeleton, unit=unit, up=up, frame_time=frame_time_of(rate, "--rate"), only=only or (),
        without=without or (),
    )  # fmt: skip
    with progress_bars() as progress:
        known = None if space_file is None or not space_file.exists() else load_pose_space(space_file)
        motions = [] if place is None else read_motions(place, wishes, progress)
        space = known or _fit_space(space_file, motions, wishes, progress, force)
        begin = _start(space, motions, start, wishes)
        with names_in(constraints):
            answer = find_pose(space, wish, begin, method=method, progress=progress)
    motion = answer.to_motion(name_of(output), replace(motions[0].source, warnings=()) if motions else None)
    check_save(motion, output, skeleton)
    free = output_place(output, force)
    save(motion, free, skeleton=skeleton)
    tell_written(free)
    made = answer.report
    if report is not None:
        free = output_place(report, force)
        write_file(free, made.to_json() if report.suffix.lower() == ".json" else made.to_text())
        tell_written(free)
    if png is not None:
        from motionloom.ik.picture import write_pose_picture

        free = output_place(png, force)
        write_pose_picture(answer, free, title=name_of(output))
        tell_written(free)
    print(made.to_json() if as_json else made.to_text(), end="")
    for problem in made.problems:
        say(f"not met: {problem}")
    return 1 if made.problems else 0


def _check_space(path: Path | None, have_clips: bool) -> list[Path]:
    """Inputs that the option --space is."""
    if path is not None and path.suffix.lower() != ".npz":
        raise InvalidInputError(f"{path}: a pose space is kept as .npz; give a name that ends in .npz")
    if path is not None and path.exists():
        return [path]
    if not have_clips:
        raise InvalidInputError("no clips were given; name a library or clips, or a --space that exists")
    return []


def _fit_space(
    path: Path | None, motions: Sequence[Motion], wishes: ReadWishes, progress: Progress, force: bool
) -> PoseSpace:
    """Pose space fitted to clips, and kept in a file."""
    from motionloom.io.roles_table import read_roles
    from motionloom.spaces import fit_pose_space, save_pose_space

    table = None if wishes.roles is None else read_roles(wishes.roles, motions[0].skeleton)
    space = fit_pose_space(motions, roles=table, progress=progress)
    if path is not None:
        free = output_place(path, force)
        save_pose_space(space, free)
        tell_written(free)
    return space


def _start(space: PoseSpace, motions: Sequence[Motion], start: str, wishes: ReadWishes) -> Start:
    """Where the solver begins."""
    from motionloom.ik.start import captured_start, standing_start, zero_start
    from motionloom.io import load_motion

    if start in STARTS:
        return (standing_start if start == "standing" else zero_start)(space, motions)
    path, frame = _split_start(start)
    motion = load_motion(path, unit=wishes.unit, up=wishes.up, skeleton=wishes.skeleton, frame_time=wishes.frame_time)
    return captured_start(space, motion, frame)


def _split_start(start: str) -> tuple[Path, int]:
    """File and frame of FILE or FILE:FRAME."""
    name, _, frame = start.rpartition(":")
    if name and frame.isdigit() and not Path(start).exists():
        return Path(name), int(frame)
    return Path(start), 0
