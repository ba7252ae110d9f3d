"""``motionloom retarget`` where the target is a robot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.hints import refusal_of, sentence_of
from motionloom.cli.options import given
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.places import tell_skipped
from motionloom.progress import warn
from motionloom.reading import ReadOptions
from motionloom.workspace.checks import check_outputs, check_page, check_png, numbered
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.motion import Motion
    from motionloom.places import FoundClips
    from motionloom.posed_motion import PosedMotion
    from motionloom.progress import Progress
    from motionloom.robots import RobotFrames, RobotOptions, RobotResult
    from motionloom.roles import Roles

#: Gap between person and robot on a page, metres.
_ASIDE = 1.5
#: Format in a folder where none is told.
_USUAL = ".csv"


@dataclass(frozen=True, kw_only=True)
class RobotBlock:
    """What is asked of robots only."""

    fps: Annotated[
        float | None, typer.Option(help="Frames per second of a robot's motion; else 30.")
    ] = None
    joint_speed: Annotated[
        float | None,
        typer.Option(metavar="RAD/S", help="Fastest speed of a robot's joints; else 20 rad/s."),
    ] = None

    def refuse(self, target: str) -> None:
        """Refuse these options where the target is no robot."""
        told = given(**{"--fps": self.fps, "--joint-speed": self.joint_speed})
        if told:
            raise InvalidInputError(
                f"{' and '.join(told)}: for robots only, and {target} is no robot's model"
                " (.xml, .urdf); leave it out"
            )

    def to_options(self) -> RobotOptions:
        """Options of the library."""
        from motionloom.robots import RobotOptions

        return RobotOptions(**given(fps=self.fps, fastest=self.joint_speed))


class Writing(Protocol):
    """What is written, and how: the options of the command."""

    @property
    def suffix(self) -> str:
        """Format in a folder."""

    @property
    def report(self) -> Path | None:
        """Where the report goes."""

    @property
    def png(self) -> Path | None:
        """Where the picture goes."""

    @property
    def html(self) -> Path | None:
        """Where the page goes."""

    @property
    def force(self) -> bool:
        """Whether files that are there are replaced."""

    @property
    def as_json(self) -> bool:
        """Whether the report is for programs."""

    def places(self, outputs: Sequence[Path], sources: Sequence[Path]) -> list[list[Path]]:
        """Where the result of every clip goes."""


#: Reads clips that can be read: with where each result goes, and the exit code of the others.
Read = Callable[
    [Sequence[Path], Sequence[Sequence[Path]], ReadOptions],
    "tuple[list[tuple[Sequence[Path], Motion]], int]",
]


@dataclass(frozen=True, eq=False)
class RobotJob:
    """What is given to which robot.

    Parameters
    ----------
    model : str
        Its MJCF or URDF file.
    output : sequence of Path
        Files, or folders.
    found : FoundClips
        Clips.
    options : ReadOptions
        How they are read.
    to_roles : Path, optional
        Refused: a robot's parts are found without a table.
    """

    model: str
    output: Sequence[Path]
    found: FoundClips
    options: ReadOptions
    to_roles: Path | None = None


def is_robot_model(target: str) -> bool:
    """Whether a target is named as an MJCF or URDF model is."""
    return Path(target).suffix.lower() in (".xml", ".mjcf", ".urdf")


def give_to_robot(job: RobotJob, moving: RobotBlock, writing: Writing, read: Read) -> int:
    """Give clips to a robot; says and writes what comes of them.

    Parameters
    ----------
    job : RobotJob
        Clips and robot.
    moving : RobotBlock
        Options of robots.
    writing : Writing
        What is written.
    read : callable
        Reads the clips.

    Returns
    -------
    int
        Exit code.
    """
    from motionloom.robots import fit_robot_frames, read_robot

    if job.to_roles is not None:
        raise InvalidInputError(
            f"{job.to_roles}: the parts of a robot are found from its tree and names, without a"
            " table of roles; leave it out"
        )
    files = job.found.files
    outputs = _places(job, writing)
    check_png(writing.png)
    check_page(writing.html)
    pictures = [path for path in (writing.png, writing.html) if path is not None]
    shown = [numbered(path, i) for path in pictures for i in range(len(files))]
    inputs = [*files, *job.options.companions, Path(job.model)]
    written = [path for row in outputs for path in row]
    check_outputs([*written, *shown, writing.report], inputs, writing.force)
    tell_skipped(job.found.skipped, say)
    options = moving.to_options()
    robot = fit_robot_frames(read_robot(job.model))
    with progress_bars() as progress:
        motions, failed = read(files, outputs, job.options)
        made, worse = _retarget(motions, robot, job.options, options, progress)
        for index, (places, result) in enumerate(made):
            _write(places, result, writing, index)
    problems = _tell([result for _, result in made], writing) if made else ()
    if (failed or worse) and len(files) > 1:
        say(f"retargeted {len(made)} of {len(files)} clips")
    refused = max(failed, worse)
    return max(exit_code_of(problems), min(refused, 1) if made else refused)


def _places(job: RobotJob, writing: Writing) -> list[list[Path]]:
    from motionloom.io.registry import find_writer
    from motionloom.robots.motion import SUFFIXES

    told = f".{writing.suffix.removeprefix('.').lower()}"
    # In a folder a robot's motion is written as robots read it, where nothing else is told.
    suffix = _USUAL if told == ".bvh" else told
    named = set(job.output)
    outputs = [
        [path if path in named else path.with_suffix(suffix) for path in row]
        for row in writing.places(job.output, job.found.files)
    ]
    for path in (path for row in outputs for path in row):
        if path.suffix.lower() not in SUFFIXES:
            try:
                find_writer(path)
            except InvalidInputError as error:
                raise InvalidInputError(f"{error}, {', '.join(SUFFIXES)}") from None
    return outputs


def _retarget(
    motions: Sequence[tuple[Sequence[Path], Motion]],
    robot: RobotFrames,
    reading: ReadOptions,
    options: RobotOptions,
    progress: Progress,
) -> tuple[list[tuple[Sequence[Path], RobotResult]], int]:
    """Results in the order of the clips; skeletons that a robot cannot follow are told."""
    from motionloom.edit.retarget import fit_role_frames, group_by_skeleton
    from motionloom.robots import retarget_to_robot

    made: dict[int, RobotResult] = {}
    failed = 0
    for group in group_by_skeleton([motion for _, motion in motions]):
        try:
            roles = reading.read_roles(motions[group[0]][1].skeleton)
            posed, worse = _prepare([motions[i][1] for i in group], options.fps, roles)
            failed = max(failed, worse)
            if not posed:
                continue
            frames = fit_role_frames(list(posed.values()))
            for k, clip in posed.items():
                i = group[k]
                progress("retargeting", len(made), len(motions))
                made[i] = retarget_to_robot(clip, robot, options, frames)
        except MotionloomError as error:
            say(refusal_of([motions[i][1].source.path for i in group], error))
            failed = max(failed, error.exit_code)
    progress("retargeting", len(motions), len(motions))
    return [(motions[i][0], made[i]) for i in sorted(made)], failed


def _prepare(
    clips: Sequence[Motion], fps: float, roles: Roles | None
) -> tuple[dict[int, PosedMotion], int]:
    """Clips at a rate, by their places among these; those that are too short are told."""
    from motionloom.clips.prepare import prepare_clip

    posed = {}
    failed = 0
    for i, motion in enumerate(clips):
        try:
            posed[i], _, notes = prepare_clip(motion, fps, roles)
        except MotionloomError as error:
            say(f"motionloom: {sentence_of(error)}")
            failed = max(failed, error.exit_code)
            continue
        warn(notes, say)
    return posed, failed


def _write(outputs: Sequence[Path], result: RobotResult, writing: Writing, index: int) -> None:
    """The motion, and the pictures that are wanted of it."""
    from motionloom.io import save
    from motionloom.robots import robot_as_body, robot_as_motion, write_robot_motion
    from motionloom.robots.motion import SUFFIXES

    writer = Writer(writing.force, say)
    for output in outputs:
        if output.suffix.lower() in SUFFIXES:
            writer.write(output, lambda place: write_robot_motion(place, result.motion))
        else:
            writer.write(output, lambda place: save(robot_as_motion(result.motion), place))
    if writing.png is None and writing.html is None:
        return
    source = result.source.motion
    name = result.motion.robot.name
    body = replace(robot_as_body(result.motion, result.frames), name=name)
    if writing.png is not None:
        from motionloom.view import write_side_by_side

        downs = [result.contacts, result.contacts]
        writer.write(
            numbered(writing.png, index),
            lambda place: write_side_by_side(
                [source, body], place, contacts=downs, titles=[source.name, name]
            ),
        )
    if writing.html is not None:
        from motionloom.motion import GroundTransform
        from motionloom.view import write_page

        aside = body.transformed(GroundTransform(x=_ASIDE))
        writer.write(
            numbered(writing.html, index), lambda place: write_page([source, aside], place)
        )


def _tell(results: Sequence[RobotResult], writing: Writing) -> tuple[str, ...]:
    """The report, on the screen and where it is saved; its problems."""
    from motionloom.robots.report import RobotReports

    report = RobotReports(tuple(result.report for result in results))
    if writing.report is not None:
        Writer(writing.force, say).write_report(writing.report, report)
    notes = dict.fromkeys(note for one in report.clips for note in one.notes)
    warn(tuple(notes), say)
    print(format_report(report, writing.as_json), end="")
    return report.problems
