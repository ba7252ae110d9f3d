"""``motionloom inbetween`` and ``reconstruct``: motion between known frames and clips."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli import _fields as fields
from motionloom.cli._command import Result, Saving, Showing, Writing
from motionloom.cli.console import say
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress, warn, warn_about
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.workspace.gaps import split_piece
from motionloom.workspace.outputs import motion_files
from motionloom.workspace.writing import check_kept_folder, numbered

if TYPE_CHECKING:
    from motionloom.inbetween import Filled
    from motionloom.inbetween.fit import InbetweenOptions
    from motionloom.motion import Motion


class InbetweenFitCommand(Writing):
    """Learn from clips how people move over gaps; what was stopped goes on where it was."""

    clips: Place = fields.clips()
    output: Path = fields.model_output()
    learning: InbetweenOptions = fields.part("motionloom.inbetween.fit", "samples", "landmarks")
    one_sided: bool = option_field(False, "Do not learn from mirrored motion.")
    cluster: str | None = option_field(
        None, "Dask scheduler whose workers do the learning.", unit="ADDRESS"
    )
    reading: ReadOptions = fields.reading("only", "without", "roles", "mirror", "fps")

    def make(self, progress: Progress) -> Result:
        """Learn it."""
        from motionloom.inbetween.store import fit_kept, parts_of, save_inbetween

        parts = parts_of(self.output, lambda line: warn([line], say))
        check_kept_folder(parts.path, [self.output])
        clips = read_clip_set(self.clips, self.reading, progress, say)
        warn(clips.notes, say)
        options = replace(self.learning, mirror=not self.one_sided, compact=True)
        model = fit_kept(clips, options, parts, cluster=self.cluster, progress=progress)

        def save(path: Path) -> None:
            save_inbetween(model, path)
            parts_of(self.output, say).clear()

        lengths = ", ".join(str(band.missing) for band in model.bands)
        mirrored = "" if model.mirroring is None else ", mirrored too"
        text = (
            f"{clips.n_clips} clips, {model.learned} frames at {model.fps:g} fps{mirrored}; gaps of"
            f" {lengths} frames, {len(model.bands[0].landmarks)} landmarks each\n"
        )
        return Result(files={"output": save}, text=text)


class InbetweenFillCommand(Saving):
    """Fill the gaps between key poses or clips; known frames stay as they are."""

    pieces: tuple[str, ...] = fields.argument(
        "Known frames in order: FILE (all of it), FILE:FRAME or FILE:FIRST-LAST.",
        "START END...",
        repeats=True,
        file="beside",
    )
    output: Path = fields.motion_output()
    frames: int | None = option_field(
        None, "Missing frames in each gap.", unit="N", minimum=1, maximum=100_000
    )
    times: Path | None = fields.read_file("YAML list: when each piece begins, in seconds.")
    model: Path | None = fields.read_file("What 'inbetween fit' has learned.", "MODEL.npz")
    method: str | None = option_field(
        None,
        "hold, slerp, velocity; with a model kernel, nearest, phase. Else the best.",
        unit="NAME",
    )
    speeds: Path | None = fields.read_file("YAML: speeds of segments, matched by phase.")
    alternatives: int = option_field(
        1, "Most different answers: OUT, OUT-2 ...", minimum=1, maximum=20
    )
    slide: bool = option_field(False, "Leave the feet as they come, without locking them.")
    png: Path | None = fields.picture()
    reading: ReadOptions = fields.reading("roles")

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        return [*(split_piece(piece)[0] for piece in self.pieces), *super().inputs()]

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        more = [numbered(self.output, i) for i in range(1, self.alternatives)]
        return [*super().outputs(), *more]

    def make(self, progress: Progress) -> Result:
        """Fill them."""
        from motionloom.jobs.filling import inbetween

        names = ("frames", "times", "model", "method", "speeds", "alternatives", "slide")
        made = inbetween(self.pieces, **self.values_of(*names), **vars(self.reading))
        filled: tuple[Filled, ...] = made.details
        if len(filled) < self.alternatives:
            say(f"{len(filled)} of {self.alternatives} answers are different enough to be written")
        paths = [numbered(self.output, i) for i in range(len(filled))]
        contacts = [None if f.contacts is None else f.contacts.by_foot() for f in filled]
        motions = [one.motion for one in filled]
        skeleton = self.reading.skeleton
        files = motion_files(motions, paths, progress, skeleton, contacts=contacts)
        return Result(made.report, files)


class ReconstructCommand(Showing):
    """Fill the gap between two clips by walking or running along a path.

    The file's duration is that of both clips and the gap; its frame rate is theirs.
    """

    start: Path = fields.argument("The clip before the gap.", "START")
    end: Path = fields.argument("The clip behind it.", "END")
    constraints: Path = fields.constraint_file()
    output: Path = fields.motion_output()
    gait: Path | None = fields.read_file(
        "Gait space of 'gait fit'; else of the two clips.", "MODEL"
    )
    person: str | None = option_field(None, "Whose gait; else by the clips' bones.", unit="NAME")
    style: str | None = option_field(None, "One of the model's styles.", unit="NAME")
    reading: ReadOptions = fields.reading("roles")

    def make(self, progress: Progress) -> Result:
        """Fill it."""
        from motionloom.constraints.files import names_in, read_constraints
        from motionloom.constraints.kinds.table import refuse_unhonoured
        from motionloom.gait.imdr.reconstruct import HONOURS, reconstruct
        from motionloom.gait.space.space import Walker
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
