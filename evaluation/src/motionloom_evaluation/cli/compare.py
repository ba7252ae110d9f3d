"""``motionloom compare``: whether woven motion can be told from captured motion, and by what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.errors import InvalidInputError
from motionloom.places import find_place
from motionloom.workspace.writing import Writer, check_outputs
from motionloom_evaluation.cli.options import ClipSetBlock, Force, Seed, given, with_blocks
from motionloom_evaluation.critic.reading import read_results


@dataclass(frozen=True, kw_only=True)
class ComparisonBlock:
    """What is compared, and where the figures go."""

    sources: Annotated[
        bool,
        typer.Option(
            "--sources", help="Also against the same frames as captured: what processing adds."
        ),
    ] = False
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PNG", help="Draw the figures.")
    ] = None
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the figures, .json or text.")
    ] = None
    repeats: Annotated[
        int | None,
        typer.Option(min=1, max=50, help="How often, with other folds each time; else 2."),
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False


@with_blocks
def compare(
    results: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULT...",
            help="Woven motions: files, folders, patterns. Save their reports as JSON beside them.",
        ),
    ],
    captured: Annotated[
        list[str],
        typer.Option(
            "--with", metavar="LIB|CLIPS", help="A library or captured clips; may be repeated."
        ),
    ],
    reading: ClipSetBlock,
    asked: ComparisonBlock,
    seed: Seed = 0,
    force: Force = False,
) -> int:
    """Say whether woven motions (RESULT...) can be told from captured clips, by what and when."""
    from motionloom_evaluation.critic import (
        CompareOptions,
        compare_motions,
        comparison_to_json,
        format_comparison,
        write_comparison,
    )
    from motionloom_evaluation.critic.reading import read_captured

    if asked.output is not None and asked.output.suffix.lower() != ".png":
        raise InvalidInputError(
            f"{asked.output}: pictures are written as PNG; give a name that ends in .png"
        )
    place = find_place(results)
    others = find_place(captured)
    options = reading.to_options()
    check_outputs(
        [asked.output, asked.report], [*place.files, *others.files, *options.companions], force
    )
    with progress_bars() as progress:
        plain = replace(options, only=(), without=(), mirror=False)
        motions, known = read_results(place, plain, progress, say)
        clips = read_captured(others, options, min(m.fps for m in motions), progress, say)
        comparison = compare_motions(
            motions,
            clips.motions,
            provenance=known,
            sources=asked.sources,
            roles=clips.roles,
            options=CompareOptions(**given(seed=seed, repeats=asked.repeats)),
            progress=progress,
        )
    writer = Writer(force, say)
    if asked.output is not None:
        writer.write(asked.output, lambda place: write_comparison(comparison, place))
    text = format_comparison(comparison)
    if asked.report is not None:
        is_json = asked.report.suffix.lower() == ".json"
        writer.write_text(asked.report, comparison_to_json(comparison) if is_json else text)
    print(comparison_to_json(comparison) if asked.as_json else text, end="")
    return 0
