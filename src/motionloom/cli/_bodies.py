"""``motionloom retarget`` and ``physics``: clips on other bodies, and what bodies need for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Reporting, Result, Saving, Showing, Surveying
from motionloom.cli.console import refusal_of, say
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.options import option_field
from motionloom.places import Place, distinct_names, find_place, tell_skipped
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.bodies import is_performer, is_robot
from motionloom.workspace.outputs import Files, motion_files
from motionloom.workspace.writing import numbered

if TYPE_CHECKING:
    from motionloom.motion import Motion
    from motionloom.physics.correct.options import CorrectionOptions
    from motionloom.physics.dynamics.state import Smoothing

#: Gap between source and result on a page, metres.
_ASIDE = 1.5


class RetargetCommand(Showing):
    """Carry CLIPS over to another body: any skeletons, by the roles of their joints.

    Poses are matched by body parts, not by rest poses; contacts with the ground are kept.
    """

    clips: Place = fields.clip_files()
    to: str = option_field(
        MISSING,
        "Body that they go to: a motion file (one frame of a T-pose will do), clips of it, a"
        " library, performer[:HEIGHT], or a robot's model: MJCF (.xml), .urdf.",
        unit="TARGET",
    )
    output: tuple[Path, ...] = fields.output(
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
    to_roles: Path | None = fields.read_file("Table of roles of the target.")
    png: Path | None = fields.picture("Write a picture: the clip, and the same on the target.")
    html: Path | None = fields.page("Write a page on which both play side by side.")
    reading: ReadOptions = fields.reading("roles")

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
        more = SUFFIXES if self.is_robot else ()
        if given and not more:
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
            suffix = path.suffix.lower()
            if suffix in SUFFIXES and not more:
                raise InvalidInputError(
                    f"cannot write {path}: {path.suffix} holds the motion of a robot, and {self.to}"
                    " is no robot's model (.xml, .urdf); use another format"
                )
            try:
                if suffix not in more:
                    find_writer(path)
            except InvalidInputError as error:
                raise InvalidInputError(", ".join([str(error), *more])) from None

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
        target: Iterable[Path] = ()
        if not is_performer(self.to):
            target = [Path(self.to)] if self.is_robot else find_place([self.to]).files
        return [*self.clips.files, *target, *super().inputs()]

    def outputs(self) -> Iterable[Path]:
        """Files that are written; pictures of several clips are numbered."""
        written = [path for row in self._rows for path in row]
        pictures = [path for path in (self.png, self.html) if path is not None]
        shown = [numbered(path, i) for path in pictures for i in range(len(self.clips.files))]
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
        rows = self._rows
        written: Files = {}
        for place, (index, (one, _)) in enumerate(made.items()):
            write = partial(target.write, one, skeleton=self.reading.skeleton)
            written |= dict.fromkeys(rows[index], write) | self._beside(place, *target.beside(one))
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


class _OfBody(Reporting):
    """A command about one motion and the body that makes it."""

    clip: Place = fields.argument(
        "A motion of one person.", "CLIP", parse=lambda clip: find_place([clip])
    )
    height: float | None = option_field(
        None, "Stature; else from the length of the legs.", unit="METRES"
    )
    mass: float | None = option_field(None, "Body mass; else that of a usual build.", unit="KG")
    masses: Path | None = fields.read_file("YAML table of segments: share, along, gyration.")
    smoothing: Smoothing = fields.part("motionloom.physics.dynamics.state", "poses", "balance")
    reading: ReadOptions = fields.reading("only", "without", "roles")

    @property
    def body(self) -> dict[str, Any]:
        """What the library is told of the body, its motion and the files."""
        return {**self.values_of("height", "mass", "masses", "smoothing"), **vars(self.reading)}


class PhysicsReportCommand(Surveying, _OfBody):
    """Say which forces and torques a motion needs and whether it keeps its balance."""

    html: Path | None = fields.page("Write a page with figures and curves.")
    png: Path | None = fields.picture("Draw balance, forces, friction and torques.")
    npz: Path | None = fields.written_file("Write motion, torques and forces as arrays.")
    mjcf: Path | None = fields.written_file("Write the body as a MuJoCo model.")
    plates: Path | None = fields.read_file("Force plates of the same trial: .mot, .sto or .c3d.")
    friction: float = option_field(0.9, "Friction between feet and ground.", unit="MU")

    def make(self, progress: Progress) -> Result:
        """Measure it."""
        from motionloom.physics.verbs import report

        made = report(
            self.clip, plates=self.plates, friction=self.friction, progress=progress, **self.body
        )
        suffixes = {"npz": ".npz", "mjcf": ".xml", "png": ".png", "html": ".html"}
        files = {name: made.writers[suffix] for name, suffix in suffixes.items()}
        return Result(made.report, files, problems=made.problems)


def _height_or_file(text: str) -> float | Path:
    try:
        level = float(text)
    except ValueError:
        return Path(text)
    if not math.isfinite(level):
        raise InvalidInputError(f"--ground {text}: expected a height in metres or a file")
    return level


class PhysicsCorrectCommand(_OfBody, Saving):
    """Pin feet that slip or sink, keep the balance, let flights fall; say what changed."""

    output: Path = fields.motion_output()
    ground: float | Path | None = option_field(
        None,
        "Height of level ground, else where the feet rest; or a file with 'ground': stairs,"
        " slopes, height maps to walk on.",
        unit="METRES|FILE",
        parse=_height_or_file,
        file="read",
    )
    slower: float = option_field(
        1.0, "How many times as long steps on stairs take; as people climb: 1.5.", unit="FACTOR"
    )
    trust_paths: bool = option_field(False, "Read height maps from any folder.")
    correcting: CorrectionOptions = fields.part(
        "motionloom.physics.correct.options", "objective", "balance", "flight", "friction"
    )
    png: Path | None = fields.picture("Draw a contact sheet of the result, with its ground.")

    def check(self) -> None:
        """Refuse slower steps where there are none."""
        if self.slower != 1.0 and not isinstance(self.ground, Path):
            raise InvalidInputError(
                "--slower is about steps on stairs; name a file of ground (--ground FILE), or leave"
                " it out"
            )

    def make(self, progress: Progress) -> Result:
        """Correct it."""
        from motionloom.physics.verbs import correct

        made = correct(
            self.clip,
            progress=progress,
            **{**vars(self.correcting), **self.values_of("ground", "slower", "trust_paths")},
            **self.body,
        )
        paths, skeleton = [self.output], self.reading.skeleton
        files = motion_files([made.motion], paths, progress, skeleton, targets=made.asked)
        return Result(made.report, files)
