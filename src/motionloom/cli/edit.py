"""``motionloom edit``: a clip and a constraint file in, the edited clip out."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.command import Result, Showing
from motionloom.cli.console import say
from motionloom.cli.fields import (
    argument,
    motion_output,
    read_file,
    reading,
    references,
    space_file,
)
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.checks import check_space
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.outputs import Files, view_files

if TYPE_CHECKING:
    from motionloom.framewise import ClipEdit, EditOptions, Goal
    from motionloom.posed_motion import PosedMotion

#: Time beside an edit that a contact sheet shows, seconds.
_MARGIN = 0.3


class EditClip(Showing):
    """Edit CLIP so that joints, tools, gaze or the centre of mass do what a constraint file says.

    Every frame by itself serves strict layers: planted feet first, then the file's priorities.
    """

    clip: Path = argument("The clip: .bvh, .amc, .glb, .fbx ...", "CLIP")
    constraints: Path | None = read_file("Constraint file.", name="-c --constraints")
    output: Path = motion_output(".bvh, .glb, .fbx, .usda, .amc")
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
    reference: Place | None = references(
        "Say how natural the edit is among these captures; may be repeated."
    )
    space: Path | None = space_file(
        "Keep what is learned from them: read if it is of these, else written."
    )
    reading: ReadOptions = reading("roles")

    def check(self) -> None:
        """Refuse to edit to nothing."""
        if self.constraints is None and self.slope is None:
            raise InvalidInputError("say what is to be edited: a constraint file (-c), or --slope")
        if self._is_judged:
            check_space(self.space, self.reference is not None)

    @property
    def _is_judged(self) -> bool:
        return self.reference is not None or self.space is not None

    def make(self, progress: Progress) -> Result:
        """Edit it."""
        from motionloom.constraints.files import names_in
        from motionloom.framewise import edit_clip
        from motionloom.framewise.report import report_edit
        from motionloom.io import load_motion, save
        from motionloom.io.registry import check_save
        from motionloom.posed_motion import pose_motion

        motion = load_motion(self.clip, **self.reading.of_files)
        warn_about(((str(self.clip), text) for text in motion.source.warnings), say)
        skeleton = self.reading.skeleton
        check_save(motion, self.output, skeleton)
        posed = pose_motion(motion, self.reading.read_roles(motion.skeleton))
        goals, how = self._goals(posed)
        named: AbstractContextManager[object] = nullcontext()
        if self.constraints is not None:
            named = names_in(self.constraints)
        with named:
            result = edit_clip(posed, goals, how, progress)
            report = report_edit(result, self._compare(result, progress))
        files: Files = {"output": partial(save, result.motion, skeleton=skeleton)}
        files |= self._views(result, progress)
        return Result(report, files)

    def _goals(self, posed: PosedMotion) -> tuple[tuple[Goal, ...], EditOptions]:
        """Goals and options of the edit."""
        from motionloom.constraints.files import names_in
        from motionloom.framewise import EditOptions
        from motionloom.framewise.asked import goals_of, read_edit
        from motionloom.framewise.slopes import stand_on_slope

        goals: tuple[Goal, ...] = () if self.slope is None else stand_on_slope(posed, self.slope)
        if self.constraints is None:
            return goals, EditOptions()
        asked = read_edit(self.constraints, posed.motion)
        ease = {} if self.ease is None else {"ease": self.ease}
        with names_in(self.constraints):
            goals += goals_of(asked, posed, **ease)
        told: dict[str, Any] = {"feet": asked.feet, "balance": asked.balance}
        return goals, EditOptions(**{name: how for name, how in told.items() if how is not None})

    def _compare(self, result: ClipEdit, progress: Progress) -> dict[str, tuple[float, float]]:
        """How natural the clip and its edit are among captures, where that is wanted."""
        from motionloom.framewise.natural import compare_naturalness

        if not self._is_judged:
            return {}
        learned = Naturalness(
            self.reference,
            ReadOptions(roles=self.reading.roles),
            file=self.space,
            progress=progress,
            tell=say,
        )
        kept = learned.get()
        assert kept.judge is not None
        return compare_naturalness(result, kept.judge, kept.motion, progress)

    def _views(self, result: ClipEdit, progress: Progress) -> Files:
        """Contact sheet and page: the edit beside the clip."""
        from dataclasses import replace

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
