"""``motionloom info``: what files are."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from motionloom.cli.console import say
from motionloom.cli.inputs import find_readable, frame_time_of
from motionloom.cli.options import Asf, Rate, Strict, Unit, Up
from motionloom.errors import MotionloomError


def info(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Motion or marker files, folders or patterns.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a list with one entry per file.")] = False,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    strict: Strict = False,
) -> int:
    """Show what files are: unit and why, up axis, frame rate, joints, channel orders, roles, warnings."""
    from motionloom.io import load
    from motionloom.io.describe import describe, format_facts
    from motionloom.io.registry import FORMATS

    frame_time = frame_time_of(rate, "--rate")
    entries: list[dict[str, Any]] = []
    code = 0
    for path in find_readable(files, (f.suffix for f in FORMATS)):
        try:
            data = load(path, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time, strict=strict)
            facts = describe(data)
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
