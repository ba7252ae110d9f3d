"""``motionloom retarget``: clips of one body carried over to another, or to a robot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli._command import Result, Showing
from motionloom.cli._fields import argument, output, page, picture, read_file, reading
from motionloom.cli._hints import refusal_of
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.options import option_field
from motionloom.places import Place, distinct_names, find_clips, find_place, tell_skipped
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.bodies import is_performer, is_robot
from motionloom.workspace.checks import numbered
from motionloom.workspace.outputs import Files

if TYPE_CHECKING:
    from motionloom.motion import Motion

#: Gap between source and result on a page, metres.
_ASIDE = 1.5


class RetargetClips(Showing):
    """Carry CLIPS over to another body: any skeletons, by the roles of their joints.

    Poses are matched by body parts, not by rest poses; contacts with the ground are kept.
    """

    clips: Place = argument(
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
        return is_robot(self.to)

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
        from motionloom.jobs.retargeting import carry_over, find_target

        tell_skipped(self.clips.skipped, say)
        reading = ReadOptions(roles=self.to_roles, skeleton=self.reading.skeleton)
        target = find_target(self.to, reading, fps=self.fps, joint_speed=self.joint_speed)
        failed = [0]
        files = self.clips.files

        def refuse(error: MotionloomError, clips: Sequence[int]) -> None:
            failed.append(error.exit_code)
            say(refusal_of([str(files[i]) for i in clips], error))

        motions = self._read(refuse)
        made = carry_over(motions, target, self.reading.roles, progress, refuse)
        if max(failed) and len(files) > 1:
            say(f"retargeted {len(made)} of {len(files)} clips")
        if not made:
            return Result(code=max(failed))
        report = target.report(list(made.values()))
        written: Files = {}
        for place, (index, (one, _)) in enumerate(made.items()):
            write = partial(target.write, one, skeleton=self.reading.skeleton)
            written |= dict.fromkeys(self._rows[index], write)
            written |= self._beside(place, *target.beside(one))
        return Result(report, written, report.notes, code=min(max(failed), 1))

    def _read(self, refuse: Callable[[MotionloomError, Sequence[int]], None]) -> dict[int, Motion]:
        """Clips that can be read, by their index; the others are told."""
        from motionloom.io import load_motion

        motions = {}
        for i, path in enumerate(self.clips.files):
            try:
                motion = load_motion(path, **self.reading.of_files)
                if not motion.n_frames:
                    raise InvalidInputError(
                        f"{path}: has no frames, so there is nothing to retarget"
                    )
            except MotionloomError as error:
                refuse(error, ())
                continue
            warn_about(((str(path), text) for text in motion.source.warnings), say)
            motions[i] = motion
        return motions

    def _beside(self, index: int, source: Motion, made: Motion, name: str, downs: Any) -> Files:
        """What draws a clip and what was made of it, beside each other."""

        def draw(path: Path) -> None:
            from motionloom.view import write_side_by_side

            titles = [source.name, name]
            write_side_by_side([source, made], path, contacts=downs, titles=titles)

        def write_page(path: Path) -> None:
            from motionloom.motion import GroundTransform
            from motionloom.view import write_page

            aside = made.transformed(GroundTransform(x=_ASIDE))
            write_page([source, aside], path, contacts=None if self.is_robot else downs)

        places = {self.png: draw, self.html: write_page}
        return {numbered(path, index): write for path, write in places.items() if path is not None}
