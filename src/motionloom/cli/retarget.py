"""``motionloom retarget``: clips of one body carried over to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.hints import refusal_of, sentence_of
from motionloom.cli.options import (
    FileBlock,
    Force,
    ReportAsJson,
    Roles,
    SaveReport,
    given,
    with_blocks,
)
from motionloom.cli.retarget_robot import RobotBlock, RobotJob, give_to_robot, is_robot_model
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.places import distinct_names, find_clips, find_place, tell_skipped
from motionloom.progress import warn, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.bodies import Body, is_performer, read_body
from motionloom.workspace.checks import check_outputs, check_page, check_png, numbered
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.edit.retarget import Retargeted, RoleFrames
    from motionloom.motion import Motion
    from motionloom.progress import Progress

#: Gap between source and result on a page, metres.
_ASIDE = 1.5


@dataclass(frozen=True, kw_only=True)
class RetargetBlock:
    """What is written, and how."""

    suffix: Annotated[
        str,
        typer.Option(
            metavar="SUFFIX",
            help="Format in a folder: .bvh, .fbx, .glb, .usda, .amc; of robots also .csv, .npz.",
        ),
    ] = ".bvh"
    report: SaveReport = None
    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Write a picture: the clip, and the same on the target."),
    ] = None
    html: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Write a page on which both play side by side."),
    ] = None
    force: Force = False
    as_json: ReportAsJson = False

    def places(self, outputs: Sequence[Path], sources: Sequence[Path]) -> list[list[Path]]:
        """Where the result of every clip goes: files of one clip, or folders."""
        columns = [self._places_in(output, sources) for output in outputs]
        return [list(row) for row in zip(*columns, strict=True)]

    def _places_in(self, output: Path, sources: Sequence[Path]) -> list[Path]:
        many = len(sources) > 1
        if not many and output.suffix and not output.is_dir():
            return [output]
        if many and output.suffix:
            raise InvalidInputError(
                f"{output}: several clips are retargeted, so name a folder to write them to"
            )
        names = distinct_names(sources, [path.stem for path in sources])
        return [output / f"{name}.{self.suffix.removeprefix('.').lower()}" for name in names]


@dataclass(frozen=True, eq=False)
class _Made:
    """A result, where it goes and what it was made with."""

    outputs: Sequence[Path]
    result: Retargeted
    own: RoleFrames
    index: int


@with_blocks
def retarget(
    clips: Annotated[
        list[str], typer.Argument(metavar="CLIPS...", help="Clips: files, folders or patterns.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="TARGET",
            help=(
                "Body that they go to: a motion file (one frame of a T-pose will do), clips of it,"
                " a library, performer[:HEIGHT], or a robot's model: MJCF (.xml), .urdf."
            ),
        ),
    ],
    output: Annotated[
        list[Path],
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write, or a folder; once or more."
        ),
    ],
    reading: FileBlock,
    writing: RetargetBlock,
    moving: RobotBlock,
    roles: Roles = None,
    to_roles: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Table of roles of the target.")
    ] = None,
) -> int:
    """Carry CLIPS over to another body: any skeletons, by the roles of their joints.

    Poses are matched by body parts, not by rest poses; contacts with the ground are kept.
    """
    found = find_clips(clips)
    if is_robot_model(to):
        options = replace(reading.to_options(), roles=roles)
        return give_to_robot(RobotJob(to, output, found, options, to_roles), moving, writing, _read)
    moving.refuse(to)
    outputs = writing.places(output, found.files)
    written = [path for row in outputs for path in row]
    _check_formats(written, to)
    check_png(writing.png)
    check_page(writing.html)
    options = replace(reading.to_options(), roles=roles)
    beside = () if is_performer(to) else find_place([to]).files
    shown = [numbered(p, i) for p in _pictures(writing) for i in range(len(found.files))]
    check_outputs(
        [*written, *shown, writing.report],
        [*found.files, *options.companions, *beside, *given(to_roles=to_roles).values()],
        writing.force,
    )
    tell_skipped(found.skipped, say)
    body = read_body(to, ReadOptions(**given(roles=to_roles, skeleton=reading.skeleton)), say)
    with progress_bars() as progress:
        motions, failed = _read(found.files, outputs, options)
        made, worse = _retarget(motions, body, options, progress)
        failed = max(failed, worse)
        for one in made:
            _write(one, body, writing, reading.skeleton)
    problems = _tell(made, body, writing) if made else ()
    if failed and len(found.files) > 1:
        say(f"retargeted {len(made)} of {len(found.files)} clips")
    return max(exit_code_of(problems), some_failed(failed, len(made)))


def some_failed(failed: int, made: int) -> int:
    """Exit code where some clips were refused: 1 where others were written.

    Parameters
    ----------
    failed : int
        The largest exit code of the refused clips; 0 without any.
    made : int
        How many were written.

    Returns
    -------
    int
    """
    return min(failed, 1) if made else failed


def _check_formats(outputs: Sequence[Path], target: str) -> None:
    """Refuse formats that cannot hold what is made before anything is read."""
    from motionloom.io.registry import find_writer
    from motionloom.robots.motion import SUFFIXES

    for path in outputs:
        if path.suffix.lower() in SUFFIXES:
            raise InvalidInputError(
                f"cannot write {path}: {path.suffix} holds the motion of a robot, and {target} is"
                " no robot's model (.xml, .urdf); use another format"
            )
        find_writer(path)


def _pictures(writing: RetargetBlock) -> list[Path]:
    return [path for path in (writing.png, writing.html) if path is not None]


def _read(
    files: Sequence[Path], outputs: Sequence[Sequence[Path]], options: ReadOptions
) -> tuple[list[tuple[Sequence[Path], Motion]], int]:
    """Clips that can be read, each with where its result goes; the others are told."""
    from motionloom.clips.prepare import without_calibration_pose
    from motionloom.io import load_motion
    from motionloom.posed_motion import pose_motion

    motions = []
    failed = 0
    for path, places in zip(files, outputs, strict=True):
        try:
            motion = load_motion(path, **options.of_files)
            if not motion.n_frames:
                raise InvalidInputError(f"{path}: has no frames, so there is nothing to retarget")
            posed, notes = without_calibration_pose(
                pose_motion(motion, options.read_roles(motion.skeleton))
            )
        except MotionloomError as error:
            say(f"motionloom: {sentence_of(error)}")
            failed = max(failed, error.exit_code)
            continue
        warn_about(((str(path), text) for text in motion.source.warnings), say)
        warn(notes, say)
        motions.append((places, posed.motion))
    return motions, failed


def _retarget(
    motions: Sequence[tuple[Sequence[Path], Motion]],
    body: Body,
    options: ReadOptions,
    progress: Progress,
) -> tuple[list[_Made], int]:
    """Results in the order of the clips; skeletons that cannot be retargeted are told."""
    from motionloom.edit.retarget import fit_role_frames, group_by_skeleton, retarget_motion
    from motionloom.posed_motion import pose_motion

    made: list[_Made] = []
    failed = 0
    done = 0
    for group in group_by_skeleton([motion for _, motion in motions]):
        try:
            roles = options.read_roles(motions[group[0]][1].skeleton)
            posed = [pose_motion(motions[i][1], roles) for i in group]
            own = fit_role_frames(posed)
            for i, clip in zip(group, posed, strict=True):
                progress("retargeting", done, len(motions))
                done += 1
                made.append(_Made(motions[i][0], retarget_motion(clip, own, body.frames), own, i))
        except MotionloomError as error:
            say(refusal_of([motions[i][1].source.path for i in group], error))
            failed = max(failed, error.exit_code)
    progress("retargeting", len(motions), len(motions))
    return sorted(made, key=lambda one: one.index), failed


def _write(one: _Made, body: Body, writing: RetargetBlock, skeleton: Path | None) -> None:
    """The motion, and the pictures that are wanted of it."""
    from motionloom.io import save

    motion = body.as_its_own(one.result.motion)
    writer = Writer(writing.force, say)
    for output in one.outputs:
        writer.write(output, lambda place: save(motion, place, skeleton=skeleton))
    source = one.result.source.motion
    downs = [one.result.source_contacts.by_foot(), one.result.contacts.by_foot()]
    if writing.png is not None:
        from motionloom.view import write_side_by_side

        writer.write(
            numbered(writing.png, one.index),
            lambda place: write_side_by_side(
                [source, motion], place, contacts=downs, titles=[source.name, body.name]
            ),
        )
    if writing.html is not None:
        from motionloom.motion import GroundTransform
        from motionloom.view import write_page

        aside = motion.transformed(GroundTransform(x=_ASIDE))
        writer.write(
            numbered(writing.html, one.index),
            lambda place: write_page([source, aside], place, contacts=downs),
        )


def _tell(made: Sequence[_Made], body: Body, writing: RetargetBlock) -> tuple[str, ...]:
    """The report, on the screen and where it is saved; its problems."""
    from motionloom.edit.retarget import report_retargeting

    results = [one.result for one in made]
    report = report_retargeting(results, [one.own for one in made], body.frames, body.name)
    if writing.report is not None:
        Writer(writing.force, say).write_report(writing.report, report)
    warn(report.notes, say)
    print(format_report(report, writing.as_json), end="")
    return report.problems
