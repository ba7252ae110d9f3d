"""``motionloom naturalness``: how like captured ones poses and motion of clips are, over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import Force, RolesBlock, Seed, with_blocks
from motionloom.places import find_place
from motionloom.reading import read_motions
from motionloom.workspace.checks import check_outputs, check_png, check_space
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.analysis.judge import Judge
    from motionloom.motion import Motion


@dataclass(frozen=True, kw_only=True)
class VerdictBlock:
    """Where what was learned and the verdicts go."""

    space: Annotated[
        Path | None,
        typer.Option(
            "--space",
            metavar="FILE.npz",
            help="Keep what is learned from the clips: read if it is of these, else written.",
        ),
    ] = None
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Save it, .json or text.")
    ] = None
    png: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the curves over time.")] = (
        None
    )
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all figures and curves as JSON.")
    ] = False


@with_blocks
def naturalness(
    clips: Annotated[
        list[str],
        typer.Argument(metavar="CLIPS...", help="What is judged: files, folders, patterns."),
    ],
    reading: RolesBlock,
    results: VerdictBlock,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="LIB|CLIPS",
            help="A library or clips to compare with, as far as --only and --without leave them;"
            " may be repeated.",
        ),
    ] = None,
    physics: Annotated[
        bool,
        typer.Option("--physics", help="Balance, friction and flight of CLIPS, too."),
    ] = False,
    seed: Seed = 0,
    force: Force = False,
) -> int:
    """Say how natural CLIPS are among captured ones; one that is among these is left out."""
    from motionloom.analysis.verdicts import (
        format_verdicts,
        judge_clips,
        verdicts_to_json,
        write_curves,
    )

    check_png(results.png)
    check_space(results.space, bool(against))
    place = find_place(clips)
    others = find_place(against) if against else None
    options = reading.to_options()
    inputs = [*place.files, *(() if others is None else others.files), *options.companions]
    check_outputs([results.output, results.png], inputs, force, kept=[results.space])
    with progress_bars() as progress:
        motions = read_motions(place, replace(options, only=(), without=()), progress, say)
        kept = Naturalness(
            others,
            options,
            file=results.space,
            seed=seed,
            force=force,
            progress=progress,
            tell=say,
        ).get()
        judge = kept.judge
        assert judge is not None
        verdicts = judge_clips(judge, motions, progress, kept.motion)
        terms = _physical(motions, judge) if physics else None
    table = format_verdicts(verdicts, kept.why, terms)
    writer = Writer(force, say)
    if results.png is not None:
        writer.write(results.png, lambda place: write_curves(judge, verdicts, place))
    if results.output is not None:
        is_json = results.output.suffix.lower() == ".json"
        data = verdicts_to_json(verdicts, terms)
        writer.write_text(results.output, data if is_json else table)
    print(verdicts_to_json(verdicts, terms) if results.as_json else table, end="")
    return 0


def _physical(motions: Sequence[Motion], judge: Judge) -> list[dict[str, float]]:
    """Balance, friction and flight of every clip."""
    from motionloom.analysis.soles import fit_soles
    from motionloom.physics.quality import physical_terms
    from motionloom.posed_motion import PosedMotion

    posed = [PosedMotion(motion, judge.space.roles) for motion in motions]
    soles = fit_soles(posed)
    return [physical_terms([one], soles) for one in posed]
