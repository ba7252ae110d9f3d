"""``motionloom pose``, ``edit`` and ``naturalness``: poses found, changed and judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Result, Saving, Showing, Surveying
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.outputs import Files, motion_files, view_files
from motionloom.workspace.writing import check_space

if TYPE_CHECKING:
    from motionloom.analysis.judge import Judge
    from motionloom.framewise import ClipEdit
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


class PoseCommand(Saving):
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
        return [*super().outputs(), *([self.space] if self.space and not self._has_space else [])]

    def make(self, progress: Progress) -> Result:
        """Find it."""
        from motionloom.ik.picture import write_pose_picture
        from motionloom.io.files import name_of
        from motionloom.jobs.posing import Captured, pose

        place = None if self._has_space else self.clips
        told: Any = {"force": self.force, "progress": progress, "tell": say}
        source = Naturalness(place, self.reading, self.space, judging=False, **told)
        kept = source.get()
        motions = source.motions()
        if place is None and self.clips is not None:
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
        files = motion_files([motion], [self.output], progress, self.reading.skeleton)
        files["png"] = partial(write_pose_picture, made.details, title=title)
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


#: Time beside an edit that a contact sheet shows, seconds.
_MARGIN = 0.3


class EditCommand(Showing):
    """Edit CLIP so that joints, tools, gaze or the centre of mass do what a constraint file says.

    Every frame by itself serves strict layers: planted feet first, then the file's priorities.
    """

    clip: Path = fields.argument("The clip: .bvh, .amc, .glb, .fbx ...", "CLIP")
    constraints: Path | None = fields.read_file("Constraint file.", name="-c --constraints")
    output: Path = fields.motion_output(".bvh, .glb, .fbx, .usda, .amc")
    slope: float | None = option_field(
        None,
        "Put who stands on ground that rises to the left; below 0, to the right.",
        unit="DEGREES",
    )
    ease: float | None = option_field(
        None,
        "Time to ease in and out where a constraint does not say; else 0.4.",
        unit="SECONDS",
        minimum=0,
    )
    reference: Place | None = fields.references(
        "Say how natural the edit is among these captures; may be repeated."
    )
    space: Path | None = fields.space_file(
        "Keep what is learned from them: read if it is of these, else written."
    )
    reading: ReadOptions = fields.reading("roles")

    def check(self) -> None:
        """Refuse to edit to nothing."""
        if self.constraints is None and self.slope is None:
            raise InvalidInputError("say what is to be edited: a constraint file (-c), or --slope")
        if self.reference is not None or self.space is not None:
            check_space(self.space, self.reference is not None)

    def make(self, progress: Progress) -> Result:
        """Edit it."""
        from motionloom.jobs.editing import edit

        made = edit(
            self.clip,
            self.constraints,
            **self.values_of("slope", "ease", "reference", "space"),
            progress=progress,
            **vars(self.reading),
        )
        files = motion_files([made.motion], [self.output], progress, self.reading.skeleton)
        return Result(made.report, files | self._views(made.details, progress))

    def _views(self, result: ClipEdit, progress: Progress) -> Files:
        """Contact sheet and page: the edit beside the clip."""
        from motionloom.io.files import name_of

        first, stop = result.frames
        fps = result.before.fps
        margin = round(_MARGIN * fps)
        part = slice(max(first - margin, 0), min(stop + margin, result.before.n_frames))
        title = name_of(self.output)
        whole = [replace(result.motion, name=title), result.before.motion]
        # The sheet counts from its own first frame; times of the constraint file do not.
        since = [f"0 s is {part.start / fps:.2f} s of the clip"]
        sheet = view_files([motion[part] for motion in whole], notes=since)
        return {**view_files(whole, title, progress), "png": sheet["png"]}


class NaturalnessCommand(Surveying):
    """Say how natural CLIPS are among captured ones; one that is among these is left out."""

    clips: Place = fields.clips("What is judged: files, folders, patterns.", "CLIPS...")
    reference: Place | None = fields.references(
        "A library or clips to compare with, as far as --only and --without leave them; may be"
        " repeated."
    )
    space: Path | None = fields.space_file(
        "Keep what is learned from the clips: read if it is of these, else written."
    )
    png: Path | None = fields.picture("Draw the curves over time.")
    physics: bool = option_field(False, "Balance, friction and flight of CLIPS, too.")
    seed: int = fields.seed()
    reading: ReadOptions = fields.reading("only", "without", "roles")

    def check(self) -> None:
        """Refuse a space that cannot be."""
        check_space(self.space, self.reference is not None)

    def make(self, progress: Progress) -> Result:
        """Judge them."""
        from motionloom.analysis.verdicts import judge_clips, report_verdicts, write_curves

        every = replace(self.reading, only=(), without=())
        motions = read_motions(self.clips, every, progress, say)
        told: Any = {"force": self.force, "progress": progress, "tell": say}
        kept = Naturalness(self.reference, self.reading, self.space, self.seed, **told).get()
        judge = kept.judge
        assert judge is not None
        verdicts = judge_clips(judge, motions, progress, kept.motion)
        terms = _physical(motions, judge) if self.physics else None
        files = {"png": lambda path: write_curves(judge, verdicts, path)}
        return Result(report_verdicts(verdicts, kept.why, terms), files)


def _physical(motions: Sequence[Motion], judge: Judge) -> list[dict[str, float]]:
    """Balance, friction and flight of every clip."""
    from motionloom.analysis.soles import fit_soles
    from motionloom.physics.quality import physical_terms
    from motionloom.posed_motion import PosedMotion

    posed = [PosedMotion(motion, judge.space.roles) for motion in motions]
    soles = fit_soles(posed)
    return [physical_terms([one], soles) for one in posed]
