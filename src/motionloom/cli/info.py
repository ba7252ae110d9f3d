"""``motionloom info``: what files are."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from motionloom.cli.console import say
from motionloom.errors import MotionloomError


def info(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Motion or marker files.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list with one entry per file.")] = False,
    unit: Annotated[float | None, typer.Option(help="Metres per unit of length in the files.")] = None,
    up: Annotated[str | None, typer.Option(help="Up axis of the files: x, y or z.")] = None,
    skeleton: Annotated[str | None, typer.Option(metavar="ASF", help="Skeleton of AMC files.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse files that need any guess or mending.")] = False,
) -> int:
    """Show what files are: unit and why, up axis, frame rate, joints, channel orders, roles, warnings."""
    from motionloom.io import load
    from motionloom.io.describe import describe, format_facts

    entries: list[dict[str, Any]] = []
    code = 0
    for path in files:
        try:
            facts = describe(load(path, unit=unit, up=up, skeleton=skeleton, strict=strict))
        except MotionloomError as error:
            code = max(code, error.exit_code)
            entries.append({"path": path, "error": str(error)})
            say(f"motionloom: {error}")
            continue
        entries.append({"path": path, **facts})
        if not as_json:
            print(f"{path}\n{format_facts(facts)}")
    if as_json:
        print(json.dumps(entries, indent=2))
    return code
