"""``motionloom gait make``: gait at a speed, or along the way of a constraint file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import ResultBlock, given, with_blocks
from motionloom.errors import InvalidInputError
from motionloom.workspace.checks import check_outputs, check_page, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.gait.make import MadeGait, Walker
    from motionloom.gait.space.space import GaitSpace

#: Hips are this share of a person's stature above the ground (Drillis & Contini 1966).
HIP_SHARE = 0.53
#: Statures that are taken, metres.
SMALLEST, TALLEST = 0.5, 3.0


@dataclass(frozen=True, kw_only=True)
class WayBlock:
    """Where the gait leads, and when."""

    speed: Annotated[
        float | None, typer.Option(metavar="M/S", help="Straight ahead at this speed.")
    ] = None
    seconds: Annotated[float | None, typer.Option(help="For so long.")] = None
    constraints: Annotated[
        Path | None,
        typer.Option(
            "--constraints", "-c", metavar="FILE", help="Along its paths and body constraints."
        ),
    ] = None
    fps: Annotated[
        float | None,
        typer.Option(help="Frames per second with --speed; else 30. A file has its own."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class WhoBlock:
    """Whose gait it is."""

    person: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of the model's; else anybody's.")
    ] = None
    height: Annotated[
        float | None, typer.Option(metavar="METRES", help="Stature of a body of another size.")
    ] = None
    style: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of the model's styles.")
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Strides differ, drawn with this seed; else they are alike."),
    ] = None

    def to_walker(self) -> Walker:
        """As the library has it."""
        from motionloom.gait.make import Walker

        if self.height is not None and not SMALLEST <= self.height <= TALLEST:
            raise InvalidInputError(
                f"--height {self.height:g}: expected a stature from {SMALLEST:g} to {TALLEST:g}"
                " metres"
            )
        hips = None if self.height is None else HIP_SHARE * self.height
        return Walker(self.person, hips, self.style, self.seed)


@with_blocks
def make(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Gait space of 'gait fit'.")],
    way: WayBlock,
    who: WhoBlock,
    results: ResultBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
) -> int:
    """Walk or run: at a speed, or along the paths of a constraint file.

    A way that no gait can follow is refused, with the nearest speed or radius that one can.
    """
    from motionloom.gait.report import report_gait
    from motionloom.gait.store import load_gait
    from motionloom.io.registry import check_save, find_writer, save

    _check_way(way)
    find_writer(output)
    check_png(results.png)
    check_page(results.html)
    beside = [p for p in (results.report, results.png, results.html) if p is not None]
    inputs = [p for p in (model, way.constraints) if p is not None]
    check_outputs([output, *beside], inputs, results.force)
    with progress_bars():
        made, asked = _made(load_gait(model), way, who.to_walker())
    motion = made.woven.posed.motion
    check_save(motion, output, None)
    writer = Writer(results.force, say)
    writer.write(output, lambda place: save(motion, place))
    report = report_gait(made, asked)
    if results.report is not None:
        writer.write_report(results.report, report)
    _write_views(made, asked, results, output, writer)
    print(format_report(report, results.as_json), end="")
    return exit_code_of(report.problems)


def _check_way(way: WayBlock) -> None:
    if way.constraints is None and (way.speed is None or way.seconds is None):
        raise InvalidInputError(
            "gait make needs --speed and --seconds, or --constraints: where it leads and when"
        )
    if way.constraints is not None and any(
        told is not None for told in (way.speed, way.seconds, way.fps)
    ):
        raise InvalidInputError(
            "a constraint file has its own times and frames per second; leave --speed, --seconds"
            " and --fps out"
        )


def _made(space: GaitSpace, way: WayBlock, walker: Walker) -> tuple[MadeGait, ConstraintSet | None]:
    from motionloom.constraints.files import names_in, read_constraints
    from motionloom.constraints.kinds.table import refuse_unhonoured
    from motionloom.gait.make import HONOURED, make_at_speed, make_for

    if way.constraints is None:
        assert way.speed is not None
        assert way.seconds is not None
        fps = 30.0 if way.fps is None else way.fps
        return make_at_speed(space, way.speed, way.seconds, fps, walker), None
    asked = read_constraints(way.constraints)
    with names_in(way.constraints):
        refuse_unhonoured(asked, "'gait make'", HONOURED)
        return make_for(space, asked, walker), asked


def _write_views(
    made: MadeGait,
    asked: ConstraintSet | None,
    results: ResultBlock,
    output: Path,
    writer: Writer,
) -> None:
    """Contact sheet and page."""
    from dataclasses import replace

    from motionloom.gait.generator import contacts_of
    from motionloom.io.files import name_of

    shown = [replace(made.woven.posed.motion, name=name_of(output))]
    seen = {"contacts": [contacts_of(made.woven).by_foot()], **given(targets=asked)}
    if results.png is not None:
        from motionloom.view import write_contact_sheet

        writer.write(results.png, lambda place: write_contact_sheet(shown, place, **seen))
    if results.html is not None:
        from motionloom.view import write_page

        title = name_of(output)
        writer.write(results.html, lambda place: write_page(shown, place, title=title, **seen))
