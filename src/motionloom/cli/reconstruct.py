"""``motionloom reconstruct``: two clips, a gap and a path in, one motion out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    Constraints,
    FileBlock,
    ResultBlock,
    Roles,
    given,
    with_blocks,
)
from motionloom.progress import warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.checks import check_outputs, check_page, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.motion import Motion


@dataclass(frozen=True, kw_only=True)
class GapBlock:
    """How the gap is filled."""

    gait: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="Gait space of 'gait fit'; else of the two clips."),
    ] = None
    person: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose gait; else by the clips' bones.")
    ] = None
    style: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of the model's styles.")
    ] = None
    roles: Roles = None


@with_blocks
def reconstruct(
    start: Annotated[Path, typer.Argument(metavar="START", help="The clip before the gap.")],
    end: Annotated[Path, typer.Argument(metavar="END", help="The clip behind it.")],
    constraints: Constraints,
    filling: GapBlock,
    reading: FileBlock,
    results: ResultBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
) -> int:
    """Fill the gap between two clips by walking or running along a path.

    The file's duration is that of both clips and the gap; its frame rate is theirs.
    """
    from motionloom.constraints.files import names_in, read_constraints
    from motionloom.constraints.kinds.table import refuse_unhonoured
    from motionloom.gait.imdr.reconstruct import HONOURS
    from motionloom.gait.imdr.reconstruct import reconstruct as fill
    from motionloom.gait.make import Walker
    from motionloom.gait.store import load_gait
    from motionloom.io.registry import check_save, find_writer, save

    find_writer(output)
    check_png(results.png)
    check_page(results.html)
    beside = [p for p in (results.report, results.png, results.html) if p is not None]
    told = [p for p in (filling.gait, filling.roles, reading.skeleton) if p is not None]
    check_outputs([output, *beside], [start, end, constraints, *told], results.force)
    asked = read_constraints(constraints)
    options = reading.to_options()
    clips = [_read(clip, options, asked.fps) for clip in (start, end)]
    roles = ReadOptions(**given(roles=filling.roles)).read_roles(clips[0].skeleton)
    with progress_bars(), names_in(constraints):
        refuse_unhonoured(asked, "'reconstruct'", HONOURS)
        space = None if filling.gait is None else load_gait(filling.gait)
        walker = Walker(person=filling.person, style=filling.style)
        made = fill(clips[0], clips[1], asked, space, roles, walker)
    check_save(made.motion, output, reading.skeleton)
    writer = Writer(results.force, say)
    writer.write(output, lambda place: save(made.motion, place, skeleton=reading.skeleton))
    if results.report is not None:
        writer.write_report(results.report, made)
    _write_views(made.motion, results, output, writer)
    print(format_report(made, results.as_json), end="")
    return exit_code_of(made.problems)


def _read(clip: Path, options: ReadOptions, fps: float) -> Motion:
    """A clip at the rate of the constraints, without a calibration pose at its begin."""
    from motionloom.clips.prepare import prepare_clip
    from motionloom.io import load_motion

    motion = load_motion(clip, **options.of_files)
    warn_about(((str(clip), text) for text in motion.source.warnings), say)
    posed, _, remarks = prepare_clip(motion, fps, None)
    warn_about(((str(clip), text) for text in remarks), say)
    return posed.motion


def _write_views(motion: Motion, results: ResultBlock, output: Path, writer: Writer) -> None:
    """Contact sheet and page."""
    from dataclasses import replace

    from motionloom.io.files import name_of

    shown = [replace(motion, name=name_of(output))]
    if results.png is not None:
        from motionloom.view import write_contact_sheet

        writer.write(results.png, lambda place: write_contact_sheet(shown, place))
    if results.html is not None:
        from motionloom.view import write_page

        title = name_of(output)
        writer.write(results.html, lambda place: write_page(shown, place, title=title))
