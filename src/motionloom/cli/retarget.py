"""``motionloom retarget``: clips of one body carried over to another, or to a robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.command import Result, Showing
from motionloom.cli.console import say
from motionloom.cli.fields import argument, output, page, picture, read_file, reading
from motionloom.cli.hints import refusal_of, sentence_of
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.options import option_field
from motionloom.places import FoundClips, distinct_names, find_clips, find_place, tell_skipped
from motionloom.progress import Progress, warn, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.bodies import is_performer, read_body
from motionloom.workspace.checks import numbered
from motionloom.workspace.outputs import Files

if TYPE_CHECKING:
    from motionloom.motion import Motion
    from motionloom.posed_motion import PosedMotion
    from motionloom.roles import Roles
    from motionloom.workspace.bodies import Body

#: Gap between source and result on a page, metres.
_ASIDE = 1.5


@dataclass
class _Batch:
    """Clips that are carried over: what became of each, and the worst exit status."""

    progress: Progress
    n_clips: int
    made: dict[int, Any] = field(default_factory=dict)
    failed: int = 0

    def refuse(self, error: MotionloomError, sentence: str) -> None:
        """Say why a clip is left out."""
        say(sentence)
        self.failed = max(self.failed, error.exit_code)


class RetargetClips(Showing):
    """Carry CLIPS over to another body: any skeletons, by the roles of their joints.

    Poses are matched by body parts, not by rest poses; contacts with the ground are kept.
    """

    clips: FoundClips = argument(
        "Clips: files, folders or patterns.",
        "CLIPS...",
        repeats=True,
        parse=find_clips,
        file="beside",
    )
    to: str = option_field(
        MISSING,
        "Body that they go to: a motion file (one frame of a T-pose will do), clips of it, a"
        " library, performer[:HEIGHT], or a robot's model: MJCF (.xml), .urdf.",
        unit="TARGET",
    )
    output: tuple[Path, ...] = output(
        "Motion to write, or a folder; once or more.", repeats=True, file="beside"
    )
    format: str | None = option_field(
        None,
        "Format in a folder: .bvh, .fbx, .glb, .usda, .amc; of robots also .csv, .npz. Else .bvh,"
        " of robots .csv.",
        unit="SUFFIX",
    )
    fps: float | None = option_field(
        None, "Frames per second of a robot's motion; else 30.", minimum=1, maximum=1000
    )
    joint_speed: float | None = option_field(
        None, "Fastest speed of a robot's joints; else 20 rad/s.", unit="RAD/S", above=0
    )
    to_roles: Path | None = read_file("Table of roles of the target.")
    png: Path | None = picture("Write a picture: the clip, and the same on the target.")
    html: Path | None = page("Write a page on which both play side by side.")
    reading: ReadOptions = reading("roles")

    @property
    def is_robot(self) -> bool:
        """Whether the target is named as a model of a robot is."""
        return Path(self.to).suffix.lower() in (".xml", ".mjcf", ".urdf")

    def check(self) -> None:
        """Refuse options and formats that the target has not."""
        from motionloom.io.registry import find_writer
        from motionloom.robots.motion import SUFFIXES

        told = {"--fps": self.fps, "--joint-speed": self.joint_speed}
        given = [name for name, value in told.items() if value is not None]
        if given and not self.is_robot:
            raise InvalidInputError(
                f"{' and '.join(given)}: for robots only, and {self.to} is no robot's model (.xml,"
                " .urdf); leave it out"
            )
        if self.to_roles is not None and self.is_robot:
            raise InvalidInputError(
                f"{self.to_roles}: the parts of a robot are found from its tree and names, without"
                " a table of roles; leave it out"
            )
        for path in (path for row in self._rows for path in row):
            is_of_robots = path.suffix.lower() in SUFFIXES
            if is_of_robots and not self.is_robot:
                raise InvalidInputError(
                    f"cannot write {path}: {path.suffix} holds the motion of a robot, and {self.to}"
                    " is no robot's model (.xml, .urdf); use another format"
                )
            if is_of_robots:
                continue
            try:
                find_writer(path)
            except InvalidInputError as error:
                more = f", {', '.join(SUFFIXES)}" if self.is_robot else ""
                raise InvalidInputError(f"{error}{more}") from None

    @property
    def _rows(self) -> list[list[Path]]:
        """Where the result of every clip goes: files of one clip, or folders."""
        columns = [self._paths_in(output) for output in self.output]
        return [list(row) for row in zip(*columns, strict=True)]

    def _paths_in(self, output: Path) -> list[Path]:
        sources = self.clips.files
        many = len(sources) > 1
        if not many and output.suffix and not output.is_dir():
            return [output]
        if many and output.suffix:
            raise InvalidInputError(
                f"{output}: several clips are retargeted, so name a folder to write them to"
            )
        names = distinct_names(sources, [path.stem for path in sources])
        suffix = (self.format or ("csv" if self.is_robot else "bvh")).removeprefix(".").lower()
        return [output / f"{name}.{suffix}" for name in names]

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        if self.is_robot:
            target: Iterable[Path] = (Path(self.to),)
        else:
            target = () if is_performer(self.to) else find_place([self.to]).files
        return [*self.clips.files, *target, *super().inputs()]

    def outputs(self) -> Iterable[Path]:
        """Files that are written; pictures of several clips are numbered."""
        written = [path for row in self._rows for path in row]
        pictures = [path for path in (self.png, self.html) if path is not None]
        count = len(self.clips.files)
        shown = [numbered(path, i) for path in pictures for i in range(count)]
        return [*written, *shown, *([] if self.report is None else [self.report])]

    def make(self, progress: Progress) -> Result:
        """Carry them over."""
        tell_skipped(self.clips.skipped, say)
        carry = _ToRobot(self) if self.is_robot else _ToBody(self)
        batch = _Batch(progress, len(self.clips.files))
        self._carry_all(self._read(batch), carry, batch)
        files: Files = {}
        for place, (index, one) in enumerate(sorted(batch.made.items())):
            files |= carry.files_of(one, self._rows[index], place)
        if batch.failed and batch.n_clips > 1:
            say(f"retargeted {len(batch.made)} of {batch.n_clips} clips")
        code = min(batch.failed, 1) if batch.made else batch.failed
        if not batch.made:
            return Result(code=code)
        report = carry.report([batch.made[i] for i in sorted(batch.made)])
        return Result(report, files, carry.notes_of(report), code=code)

    def _read(self, batch: _Batch) -> dict[int, Motion]:
        """Clips that can be read, by their index; the others are told."""
        from motionloom.clips.prepare import without_calibration_pose
        from motionloom.io import load_motion
        from motionloom.posed_motion import pose_motion

        motions = {}
        for i, path in enumerate(self.clips.files):
            try:
                motion = load_motion(path, **self.reading.of_files)
                if not motion.n_frames:
                    raise InvalidInputError(
                        f"{path}: has no frames, so there is nothing to retarget"
                    )
                posed, notes = without_calibration_pose(
                    pose_motion(motion, self.reading.read_roles(motion.skeleton))
                )
            except MotionloomError as error:
                batch.refuse(error, f"motionloom: {sentence_of(error)}")
                continue
            warn_about(((str(path), text) for text in motion.source.warnings), say)
            warn(notes, say)
            motions[i] = posed.motion
        return motions

    def _carry_all(
        self, motions: Mapping[int, Motion], carry: _ToBody | _ToRobot, batch: _Batch
    ) -> None:
        """Carry clips over, those of one skeleton together; skeletons that cannot be are told."""
        from motionloom.edit.retarget import fit_role_frames, group_by_skeleton

        indices = list(motions)
        for group in group_by_skeleton(list(motions.values())):
            own = [indices[i] for i in group]
            try:
                roles = self.reading.read_roles(motions[own[0]].skeleton)
                posed = carry.prepare({i: motions[i] for i in own}, roles, batch)
                if not posed:
                    continue
                frames = fit_role_frames(list(posed.values()))
                for i, clip in posed.items():
                    batch.progress("retargeting", len(batch.made), len(motions))
                    batch.made[i] = carry.carry(clip, frames)
            except MotionloomError as error:
                batch.refuse(error, refusal_of([motions[i].source.path for i in own], error))
        batch.progress("retargeting", len(motions), len(motions))


class _ToBody:
    """Carries clips over to a body."""

    def __init__(self, command: RetargetClips) -> None:
        self._skeleton = command.reading.skeleton
        options = ReadOptions(roles=command.to_roles, skeleton=self._skeleton)
        self._command = command
        self._body: Body = read_body(command.to, options, say)
        self._frames: list[Any] = []

    def prepare(
        self, clips: Mapping[int, Motion], roles: Roles | None, batch: _Batch
    ) -> dict[int, PosedMotion]:
        """Clips with their roles."""
        from motionloom.posed_motion import pose_motion

        return {i: pose_motion(clip, roles) for i, clip in clips.items()}

    def carry(self, clip: PosedMotion, frames: Any) -> Any:
        """One clip on the body, and the frames it had."""
        from motionloom.edit.retarget import retarget_motion

        return retarget_motion(clip, frames, self._body.frames), frames

    def files_of(self, one: Any, paths: Sequence[Path], index: int) -> Files:
        """What writes a result and its pictures."""
        from motionloom.io import save

        result, _ = one
        motion = self._body.as_its_own(result.motion)
        files: Files = {path: partial(save, motion, skeleton=self._skeleton) for path in paths}
        downs = [result.source_contacts.by_foot(), result.contacts.by_foot()]
        source = result.source.motion
        return files | _beside(self._command, index, source, motion, self._body.name, downs)

    def report(self, made: Sequence[Any]) -> Any:
        """The report of all."""
        from motionloom.edit.retarget import report_retargeting

        results = [result for result, _ in made]
        frames = [own for _, own in made]
        return report_retargeting(results, frames, self._body.frames, self._body.name)

    def notes_of(self, report: Any) -> Sequence[str]:
        """What is warned of."""
        return tuple(report.notes)


class _ToRobot:
    """Gives clips to a robot."""

    def __init__(self, command: RetargetClips) -> None:
        from motionloom.robots import RobotOptions, fit_robot_frames, read_robot

        told: dict[str, Any] = {"fps": command.fps, "fastest": command.joint_speed}
        self._command = command
        self._options = RobotOptions(**{n: value for n, value in told.items() if value is not None})
        self._robot = fit_robot_frames(read_robot(command.to))

    def prepare(
        self, clips: Mapping[int, Motion], roles: Roles | None, batch: _Batch
    ) -> dict[int, PosedMotion]:
        """Clips at the robot's rate; those that are too short are told."""
        from motionloom.clips.prepare import prepare_clip

        posed = {}
        for i, motion in clips.items():
            try:
                posed[i], _, notes = prepare_clip(motion, self._options.fps, roles)
            except MotionloomError as error:
                batch.refuse(error, f"motionloom: {sentence_of(error)}")
                continue
            warn(notes, say)
        return posed

    def carry(self, clip: PosedMotion, frames: Any) -> Any:
        """One clip on the robot."""
        from motionloom.robots import retarget_to_robot

        return retarget_to_robot(clip, self._robot, self._options, frames)

    def files_of(self, one: Any, paths: Sequence[Path], index: int) -> Files:
        """What writes a result and its pictures."""
        from motionloom.io import save
        from motionloom.robots import robot_as_body, robot_as_motion, write_robot_motion
        from motionloom.robots.motion import SUFFIXES

        files: Files = {}
        for path in paths:
            if path.suffix.lower() in SUFFIXES:
                files[path] = lambda place: write_robot_motion(place, one.motion)
            else:
                files[path] = lambda place: save(robot_as_motion(one.motion), place)
        name = one.motion.robot.name
        body = replace(robot_as_body(one.motion, one.frames), name=name)
        source = one.source.motion
        downs = [one.contacts, one.contacts]
        return files | _beside(self._command, index, source, body, name, downs)

    def report(self, made: Sequence[Any]) -> Any:
        """The report of all."""
        from motionloom.robots.report import RobotReports

        return RobotReports(tuple(one.report for one in made))

    def notes_of(self, report: Any) -> Sequence[str]:
        """What is warned of, each once."""
        return tuple(dict.fromkeys(note for one in report.clips for note in one.notes))


def _beside(
    command: RetargetClips, index: int, source: Motion, made: Motion, name: str, downs: Any
) -> Files:
    """What draws a clip and what was made of it, beside each other."""

    def draw(path: Path) -> None:
        from motionloom.view import write_side_by_side

        titles = [source.name, name]
        write_side_by_side([source, made], path, contacts=downs, titles=titles)

    def write_page(path: Path) -> None:
        from motionloom.motion import GroundTransform
        from motionloom.view import write_page

        aside = made.transformed(GroundTransform(x=_ASIDE))
        write_page([source, aside], path, contacts=None if command.is_robot else downs)

    places = {command.png: draw, command.html: write_page}
    return {numbered(path, index): write for path, write in places.items() if path is not None}
