"""``motionloom edit``: a clip and a constraint file in, the edited clip out."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli import _fields as fields
from motionloom.cli._command import Result, Showing
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.workspace.checks import check_space
from motionloom.workspace.outputs import Files, view_files

if TYPE_CHECKING:
    from motionloom.framewise import ClipEdit

#: Time beside an edit that a contact sheet shows, seconds.
_MARGIN = 0.3


class EditClip(Showing):
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
        from motionloom.io import save
        from motionloom.io.registry import check_save
        from motionloom.jobs.editing import edit

        made = edit(
            self.clip,
            self.constraints,
            **self.values_of("slope", "ease", "reference", "space"),
            progress=progress,
            **vars(self.reading),
        )
        skeleton = self.reading.skeleton
        check_save(made.motion, self.output, skeleton)
        files: Files = {"output": partial(save, made.motion, skeleton=skeleton)}
        return Result(made.report, files | self._views(made.details, progress))

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
