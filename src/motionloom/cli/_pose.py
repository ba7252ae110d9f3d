"""``motionloom pose``: clips and targets in, one pose out that meets them and looks natural."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli import _fields as fields
from motionloom.cli._command import Result, Saving
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.checks import check_space
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.outputs import Files

if TYPE_CHECKING:
    from motionloom.motion import Motion

#: Starts that are no files.
STARTS = ("standing", "zero")


def _start(text: str) -> str | tuple[Path, int]:
    """``standing``, ``zero``, or file and frame of FILE or FILE:FRAME."""
    if text in STARTS:
        return text
    name, _, frame = text.rpartition(":")
    if name and frame.isdigit() and not Path(text).exists():
        return Path(name), int(frame)
    return Path(text), 0


class FindPose(Saving):
    """Find a pose that puts joints where a constraint file says and looks like people in CLIPS."""

    clips: Place | None = fields.clips(
        "A library, or clips; may be left out with a --space that exists.", default=None
    )
    constraints: Path = fields.constraint_file()
    output: Path = fields.motion_output(what="Pose")
    method: str = option_field("natural", "Solver; 'natural' is the one to use.")
    start: str | tuple[Path, int] = option_field(
        "standing",
        "'standing', 'zero', or a motion: FILE or FILE:FRAME.",
        unit="START",
        parse=_start,
        file="read",
    )
    space: Path | None = fields.space_file(
        "Pose space: read if it exists, else written.", file="beside"
    )
    png: Path | None = fields.picture("Draw the pose with its targets.")
    reading: ReadOptions = fields.reading("only", "without", "roles")

    def check(self) -> None:
        """Refuse a space that cannot be, and targets that no pose meets."""
        check_space(self.space, self.clips is not None)
        self._check_targets()

    @property
    def _has_space(self) -> bool:
        """Whether the space is there: it is used as it is, whatever clips are named besides."""
        return self.space is not None and self.space.exists()

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        return [*super().inputs(), *([self.space] if self.space and self._has_space else [])]

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        made = [self.space] if self.space and not self._has_space else []
        return [*super().outputs(), *made]

    def make(self, progress: Progress) -> Result:
        """Find it."""
        from motionloom.ik.picture import write_pose_picture
        from motionloom.io import save
        from motionloom.io.files import name_of
        from motionloom.io.registry import check_save
        from motionloom.jobs.posing import Captured, pose

        has_space = self._has_space
        source = Naturalness(
            None if has_space else self.clips,
            self.reading,
            file=self.space,
            judging=False,
            force=self.force,
            progress=progress,
            tell=say,
        )
        kept = source.get()
        motions = source.motions()
        if has_space and self.clips is not None:
            motions = read_motions(self.clips, self.reading, progress, say)
        made = pose(
            Captured(kept.space, kept.model, motions),
            self.constraints,
            start=self._begin(),
            method=self.method,
            progress=progress,
        )
        title = name_of(self.output)
        motion = replace(made.motion, name=title)
        skeleton = self.reading.skeleton
        check_save(motion, self.output, skeleton)
        files: Files = {
            "output": partial(save, motion, skeleton=skeleton),
            "png": lambda path: write_pose_picture(made.details, path, title=title),
        }
        return Result(made.report, files)

    def _check_targets(self) -> None:
        from motionloom.constraints.files import names_in, read_constraints
        from motionloom.ik.solve import solver_names
        from motionloom.ik.targets import check_pose_constraints

        if self.method not in solver_names():
            raise InvalidInputError(
                f"--method: expected one of {', '.join(solver_names())}, got {self.method!r}"
            )
        asked = read_constraints(self.constraints, still=True)
        with names_in(self.constraints):
            check_pose_constraints(asked)

    def _begin(self) -> str | tuple[Motion, int]:
        """Where the solver begins."""
        from motionloom.io import load_motion

        if isinstance(self.start, str):
            return self.start
        path, frame = self.start
        return load_motion(path, **self.reading.of_files), frame
