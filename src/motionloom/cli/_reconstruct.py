"""``motionloom reconstruct``: two clips, a gap and a path in, one motion out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli._command import Result, Showing
from motionloom.cli._fields import argument, constraint_file, motion_output, read_file, reading
from motionloom.cli.console import say
from motionloom.options import option_field
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import motion_files

if TYPE_CHECKING:
    from motionloom.motion import Motion


class Reconstruct(Showing):
    """Fill the gap between two clips by walking or running along a path.

    The file's duration is that of both clips and the gap; its frame rate is theirs.
    """

    start: Path = argument("The clip before the gap.", "START")
    end: Path = argument("The clip behind it.", "END")
    constraints: Path = constraint_file()
    output: Path = motion_output()
    gait: Path | None = read_file("Gait space of 'gait fit'; else of the two clips.", "MODEL")
    person: str | None = option_field(None, "Whose gait; else by the clips' bones.", unit="NAME")
    style: str | None = option_field(None, "One of the model's styles.", unit="NAME")
    reading: ReadOptions = reading("roles")

    def make(self, progress: Progress) -> Result:
        """Fill it."""
        from motionloom.constraints.files import names_in, read_constraints
        from motionloom.constraints.kinds.table import refuse_unhonoured
        from motionloom.gait.imdr.reconstruct import HONOURS, reconstruct
        from motionloom.gait.make import Walker
        from motionloom.gait.store import load_gait

        asked = read_constraints(self.constraints)
        start, end = (self._read(clip, asked.fps) for clip in (self.start, self.end))
        roles = self.reading.read_roles(start.skeleton)
        with names_in(self.constraints):
            refuse_unhonoured(asked, "'reconstruct'", HONOURS)
            space = None if self.gait is None else load_gait(self.gait)
            walker = Walker(person=self.person, style=self.style)
            made = reconstruct(start, end, asked, space, roles, walker)
        files = motion_files([made.motion], [self.output], progress, self.reading.skeleton)
        return Result(made, files)

    def _read(self, clip: Path, fps: float) -> Motion:
        """A clip at the rate of the constraints, without a calibration pose at its begin."""
        from motionloom.clips.prepare import prepare_clip
        from motionloom.io import load_motion

        motion = load_motion(clip, **self.reading.of_files)
        warn_about(((str(clip), text) for text in motion.source.warnings), say)
        posed, _, remarks = prepare_clip(motion, fps, None)
        warn_about(((str(clip), text) for text in remarks), say)
        return posed.motion
