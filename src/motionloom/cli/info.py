"""``motionloom info``: what files are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import say
from motionloom.cli.hints import sentence_of
from motionloom.cli.options import FileBlock, Strict, with_blocks
from motionloom.errors import MotionloomError
from motionloom.places import find_readable

if TYPE_CHECKING:
    from motionloom.marker_motion import MarkerSequence


@with_blocks
def info(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Motion or marker files, folders or patterns."),
    ],
    reading: FileBlock,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: a list with one entry per file.")
    ] = False,
    strict: Strict = False,
) -> int:
    """Show what files are: unit and why, up axis, rate, joints, channel orders, roles, warnings."""
    from motionloom.io import load
    from motionloom.io.describe import describe, format_facts
    from motionloom.io.registry import readable_formats
    from motionloom.marker_motion import MarkerSequence as Markers

    options = reading.to_options()
    entries: list[dict[str, Any]] = []
    code = 0
    for path in find_readable(files, (f.suffix for f in readable_formats())):
        try:
            data = load(path, **options.of_files, strict=strict)
            facts = describe(data)
        except MotionloomError as error:
            code = max(code, error.exit_code)
            entries.append({"path": path, "error": str(error)})
            say(f"motionloom: {sentence_of(error)}")
            continue
        entries.append({"path": path, **facts})
        more = _marker_set(data) if isinstance(data, Markers) else None
        if more is not None:
            entries[-1]["marker_set"] = more[0]
        if not as_json:
            print(f"{path}\n{format_facts(facts)}")
            if more is not None:
                print(more[1])
    if as_json:
        print(json.dumps(entries, indent=2))
    return code


def _marker_set(data: MarkerSequence) -> tuple[dict[str, Any], str]:
    """Facts about markers that go beyond their file, and the same as text."""
    from motionloom.fitting.marker_sets.describe import describe_markers, format_markers

    facts = describe_markers(data)
    return facts, format_markers(facts)
