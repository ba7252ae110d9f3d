"""``motionloom edit``: a clip and a constraint file in, the edited clip out."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    FileBlock,
    Force,
    Html,
    Png,
    ReportAsJson,
    Roles,
    SaveReport,
    given,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.places import Place, find_place
from motionloom.progress import warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.checks import (
    check_outputs,
    check_page,
    check_png,
    check_space,
)
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.framewise import ClipEdit, EditOptions, Goal
    from motionloom.framewise.report import EditReport
    from motionloom.posed_motion import PosedMotion
    from motionloom.progress import Progress

#: Time beside an edit that a contact sheet shows, seconds.
_MARGIN = 0.3


@dataclass(frozen=True, kw_only=True)
class EditResultBlock:
    """What is written besides the motion, and how."""

    report: SaveReport = None
    html: Html = None
    png: Png = None
    force: Force = False
    as_json: ReportAsJson = False

    @property
    def files(self) -> list[Path]:
        """What is written."""
        return [p for p in (self.report, self.html, self.png) if p is not None]


@dataclass(frozen=True, kw_only=True)
class AskedBlock:
    """What a clip is edited to."""

    constraints: Annotated[
        Path | None, typer.Option("--constraints", "-c", metavar="FILE", help="Constraint file.")
    ] = None
    slope: Annotated[
        float | None,
        typer.Option(
            metavar="DEGREES",
            help="Put who stands on ground that rises to the left; below 0, to the right.",
        ),
    ] = None
    ease: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Time to ease in and out where a constraint does not say; else 0.4.",
        ),
    ] = None

    def check(self) -> None:
        """Refuse to edit to nothing."""
        if self.constraints is None and self.slope is None:
            raise InvalidInputError("say what is to be edited: a constraint file (-c), or --slope")

    def read(self, posed: PosedMotion) -> tuple[tuple[Goal, ...], EditOptions]:
        """Goals and options of an edit of a clip."""
        from motionloom.constraints.files import names_in
        from motionloom.framewise import EditOptions
        from motionloom.framewise.asked import goals_of, read_edit
        from motionloom.framewise.slopes import stand_on_slope

        goals: tuple[Goal, ...] = () if self.slope is None else stand_on_slope(posed, self.slope)
        if self.constraints is None:
            return goals, EditOptions()
        asked = read_edit(self.constraints, posed.motion)
        with names_in(self.constraints):
            goals += goals_of(asked, posed, **given(ease=self.ease))
        return goals, EditOptions(**given(feet=asked.feet, balance=asked.balance))


@dataclass(frozen=True, kw_only=True)
class NaturalBlock:
    """What an edit's naturalness is told by."""

    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="LIB|CLIPS",
            help="Say how natural the edit is among these captures; may be repeated.",
        ),
    ] = None
    space: Annotated[
        Path | None,
        typer.Option(
            "--space",
            metavar="FILE.npz",
            help="Keep what is learned from them: read if it is of these, else written.",
        ),
    ] = None

    @property
    def is_wanted(self) -> bool:
        """Whether naturalness is to be told."""
        return bool(self.against) or self.space is not None

    def check(self) -> Place | None:
        """The captures, where they are named."""
        if self.is_wanted:
            check_space(self.space, bool(self.against))
        return find_place(self.against) if self.against else None


@with_blocks
def edit(
    clip: Annotated[
        Path, typer.Argument(metavar="CLIP", help="The clip: .bvh, .amc, .glb, .fbx ...")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda, .amc."
        ),
    ],
    reading: FileBlock,
    results: EditResultBlock,
    natural: NaturalBlock,
    asking: AskedBlock,
    roles: Roles = None,
) -> int:
    """Edit CLIP so that joints, tools, gaze or the centre of mass do what a constraint file says.

    Every frame by itself serves strict layers: planted feet first, then the file's priorities.
    """
    from motionloom.constraints.files import names_in
    from motionloom.framewise import edit_clip
    from motionloom.framewise.report import report_edit
    from motionloom.io import load_motion, save
    from motionloom.io.registry import check_save, find_writer
    from motionloom.posed_motion import pose_motion

    asking.check()
    find_writer(output)
    check_png(results.png)
    check_page(results.html)
    beside = [p for p in (roles, reading.skeleton, asking.constraints) if p is not None]
    outputs = [output, *results.files]
    captures = natural.check()
    beside += [] if captures is None else captures.files
    check_outputs(outputs, [clip, *beside], results.force, kept=[natural.space])
    options = ReadOptions(**given(roles=roles))
    motion = load_motion(clip, **reading.to_options().of_files)
    warn_about(((str(clip), text) for text in motion.source.warnings), say)
    check_save(motion, output, reading.skeleton)
    posed = pose_motion(motion, options.read_roles(motion.skeleton))
    goals, how = asking.read(posed)
    named: AbstractContextManager[object] = nullcontext()
    if asking.constraints is not None:
        named = names_in(asking.constraints)
    with progress_bars() as progress, named:
        result = edit_clip(posed, goals, how, progress)
        told = {} if not natural.is_wanted else _compare(result, captures, natural, progress, roles)
    report = report_edit(result, told)
    writer = Writer(results.force, say)
    writer.write(output, lambda place: save(result.motion, place, skeleton=reading.skeleton))
    _write_beside(result, report, results, output, writer)
    print(report.to_json() if results.as_json else report.to_text(), end="")
    return exit_code_of(report.problems)


def _compare(
    result: ClipEdit,
    captures: Place | None,
    natural: NaturalBlock,
    progress: Progress,
    roles: Path | None,
) -> dict[str, tuple[float, float]]:
    """How natural the clip and its edit are among captures."""
    from motionloom.framewise.natural import compare_naturalness

    learned = Naturalness(
        captures,
        ReadOptions(**given(roles=roles)),
        file=natural.space,
        progress=progress,
        tell=say,
    )
    kept = learned.get()
    assert kept.judge is not None
    return compare_naturalness(result, kept.judge, kept.motion, progress)


def _write_beside(
    result: ClipEdit, report: EditReport, results: EditResultBlock, output: Path, writer: Writer
) -> None:
    """Report, contact sheet and page: the edit beside the clip."""
    from dataclasses import replace

    from motionloom.io.files import name_of

    if results.report is not None:
        writer.write_report(results.report, report)
    first, stop = result.frames
    margin = round(_MARGIN * result.before.fps)
    part = slice(max(first - margin, 0), min(stop + margin, result.before.n_frames))
    whole = [replace(result.motion, name=name_of(output)), result.before.motion]
    shown = [motion[part] for motion in whole]
    if results.png is not None:
        from motionloom.view import write_contact_sheet

        # The sheet counts from its own first frame; times of the constraint file do not.
        since = [f"0 s is {part.start / result.before.fps:.2f} s of the clip"]
        writer.write(results.png, lambda place: write_contact_sheet(shown, place, notes=since))
    if results.html is not None:
        from motionloom.view import write_page

        title = name_of(output)
        writer.write(results.html, lambda place: write_page(whole, place, title=title))
