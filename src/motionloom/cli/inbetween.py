"""``motionloom inbetween``: motion between known frames, and what it is learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    FileBlock,
    Force,
    GraphBlock,
    Places,
    Png,
    ReportAsJson,
    Roles,
    SaveReport,
    given,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.workspace.checks import (
    check_kept_folder,
    check_outputs,
    check_png,
    numbered,
)
from motionloom.workspace.clips import read_clip_set
from motionloom.workspace.places import find_place
from motionloom.workspace.tell import warn, warn_about
from motionloom.workspace.writing import Writer, format_report

#: What is run when no command of the group is named.
_DEFAULT = "fill"


class _FillByDefault(TyperGroup):
    """A group of commands that fills gaps where none of them is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="inbetween",
    cls=_FillByDefault,
    help="Fill gaps between known frames; 'inbetween START END ...' is 'inbetween fill'.",
    no_args_is_help=True,
)


@dataclass(frozen=True, kw_only=True)
class LearningBlock:
    """How much is learned."""

    samples: Annotated[
        int | None, typer.Option(min=10, max=1_000_000, help="Most gaps learned from; else 5000.")
    ] = None
    landmarks: Annotated[
        int | None,
        typer.Option(min=10, max=50_000, help="Most of them that are kept; else all."),
    ] = None
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help="Do not learn from mirrored motion.")
    ] = False


@app.command()
@with_blocks
def fit(
    places: Places,
    reading: GraphBlock,
    learning: LearningBlock,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL.npz", help="Model to write.")
    ],
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers do the learning."),
    ] = None,
    force: Force = False,
) -> int:
    """Learn from clips how people move over gaps; what was stopped goes on where it was."""
    from motionloom.inbetween.keeping import drop_parts, fit_and_keep, parts_of
    from motionloom.inbetween.store import save_inbetween

    if output.suffix.lower() != ".npz":
        raise InvalidInputError(f"{output}: expected a name that ends in .npz")
    read_options = reading.to_options()
    place = find_place(places)
    check_outputs([output], [*place.files, *read_options.companions], force)
    check_kept_folder(parts_of(output).path, [output])
    with progress_bars() as progress:
        clips = read_clip_set(place, read_options, progress, say)
        warn(clips.notes, say)
        model = fit_and_keep(
            clips,
            _options(learning),
            output,
            cluster=cluster,
            progress=progress,
            tell=lambda line: warn([line], say),
        )
    Writer(force, say).write(output, lambda place: save_inbetween(model, place))
    drop_parts(output, say)
    lengths = ", ".join(str(band.missing) for band in model.bands)
    mirrored = "" if model.mirroring is None else ", mirrored too"
    print(
        f"{clips.n_clips} clips, {model.learned} frames at {model.fps:g} fps{mirrored}; gaps of"
        f" {lengths} frames, {len(model.bands[0].landmarks)} landmarks each"
    )
    return 0


def _options(learning: LearningBlock) -> Any:
    from motionloom.inbetween.fit import InbetweenOptions

    told = given(samples=learning.samples, landmarks=learning.landmarks)
    if "samples" in told and "landmarks" not in told:
        told["landmarks"] = told["samples"]
    return InbetweenOptions(**told, mirror=not learning.one_sided, compact=True)


@dataclass(frozen=True, kw_only=True)
class TimingBlock:
    """When the known frames are."""

    frames: Annotated[
        int | None,
        typer.Option(min=1, max=100_000, metavar="N", help="Missing frames in each gap."),
    ] = None
    times: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML list: when each piece begins, in seconds."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class MethodBlock:
    """How gaps are filled."""

    model: Annotated[
        Path | None,
        typer.Option(metavar="MODEL.npz", help="What 'inbetween fit' has learned."),
    ] = None
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="hold, slerp, velocity; with a model kernel, nearest, phase. Else the best.",
        ),
    ] = None
    speed: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML: speeds of segments, matched by phase."),
    ] = None
    variants: Annotated[
        int, typer.Option(min=1, max=20, help="Most different answers: OUT, OUT-2 ...")
    ] = 1
    slide: Annotated[
        bool, typer.Option("--slide", help="Leave the feet as they come, without locking them.")
    ] = False
    roles: Roles = None


@dataclass(frozen=True, kw_only=True)
class FilledBlock:
    """What is written besides the motion, and how."""

    report: SaveReport = None
    png: Png = None
    force: Force = False
    as_json: ReportAsJson = False


@app.command(_DEFAULT)
@with_blocks
def fill(
    pieces: Annotated[
        list[str],
        typer.Argument(
            metavar="START END...",
            help="Known frames in order: FILE (all of it), FILE:FRAME or FILE:FIRST-LAST.",
        ),
    ],
    timing: TimingBlock,
    filling: MethodBlock,
    reading: FileBlock,
    results: FilledBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
) -> int:
    """Fill the gaps between key poses or clips; known frames stay as they are."""
    from motionloom.io.files import name_of
    from motionloom.io.registry import check_save, find_writer, save
    from motionloom.view import write_contact_sheet
    from motionloom.workspace.gaps import fill_pieces, split_piece

    find_writer(output)
    check_png(results.png)
    outputs = [numbered(output, i) for i in range(filling.variants)]
    options = reading.to_options()
    inputs = [split_piece(piece)[0] for piece in pieces]
    told = (timing.times, filling.model, filling.speed, filling.roles)
    inputs += [path for path in told if path is not None]
    check_outputs(
        [*outputs, results.report, results.png], [*inputs, *options.companions], results.force
    )
    with progress_bars():
        answer = fill_pieces(pieces, timing, filling, options)
    warn_about(answer.warnings, say)
    check_save(answer.filled[0].motion, output, options.skeleton)
    writer = Writer(results.force, say)
    for path, one in zip(outputs, answer.filled, strict=False):
        motion = one.motion
        writer.write(path, partial(save, motion, skeleton=options.skeleton))
    _say_fewer(outputs, answer.filled)
    best = answer.filled[0]
    if results.report is not None:
        writer.write_report(results.report, best)
    if results.png is not None:
        named = zip(outputs, answer.filled, strict=False)
        shown = [replace(one.motion, name=name_of(path)) for path, one in named]
        downs = [None if f.contacts is None else f.contacts.by_foot() for f in answer.filled]
        writer.write(results.png, lambda p: write_contact_sheet(shown, p, contacts=downs))
    print(format_report(best, results.as_json), end="")
    return exit_code_of(best.problems)


def _say_fewer(outputs: Sequence[Path], filled: Sequence[object]) -> None:
    if len(filled) < len(outputs):
        say(f"{len(filled)} of {len(outputs)} answers are different enough to be written")
