"""Options that evaluations share, each said once; `with_blocks` spreads blocks of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from motionloom.reading import ReadOptions


def _lower(text: str | None) -> str | None:
    return None if text is None else text.lower()


Unit = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT",
        help=(
            "Unit of length of the input: metres per unit, or mm, cm, m, in, ft; else read or"
            " guessed. A unit that makes a body of no plausible height is refused, except with a"
            " '!' behind it."
        ),
    ),
]
Up = Annotated[
    str | None,
    typer.Option(
        metavar="AXIS",
        help="Up axis of the input: x, y or z; else read or guessed.",
        callback=_lower,
    ),
]
Asf = Annotated[
    Path | None,
    typer.Option(
        "--skeleton",
        metavar="FILE",
        help="Skeleton of AMC files (.asf), or body model of AMASS files (.npz).",
    ),
]
Rate = Annotated[
    float | None,
    typer.Option(
        metavar="FPS", help="Frames per second of BVH or AMC input that says it wrongly or not."
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PATTERN", help="Only clips whose names match."),
]
Mirror = Annotated[
    bool,
    typer.Option("--mirror", help="Add a mirrored copy of every clip, left and right exchanged."),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace files that motionloom did not write, or that were changed since."
    ),
]
Without = Annotated[
    list[str] | None, typer.Option("--without", metavar="PATTERN", help="Leave clips out.")
]
Roles = Annotated[
    Path | None, typer.Option("--roles", metavar="FILE", help="Table of roles, for odd skeletons.")
]
GraphFps = Annotated[
    float | None,
    typer.Option("--fps", help="Frames per second of the graph; else 30, or the library's."),
]
Places = Annotated[
    list[str],
    typer.Argument(metavar="LIB|CLIPS...", help="A library, or clips: files, folders or patterns."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Save the report: .json, .md or text."),
]
ReportAsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]


@dataclass(frozen=True, kw_only=True)
class FileBlock:
    """How files are read."""

    unit: Unit = None
    up: Up = None
    rate: Rate = None
    skeleton: Asf = None

    def to_options(self) -> ReadOptions:
        """Options of the library.

        Raises
        ------
        InvalidInputError
            When a rate makes no sense.
        """
        told = {f.name: getattr(self, f.name) for f in fields(self)}
        return ReadOptions(**given(**told))


@dataclass(frozen=True, kw_only=True)
class ClipBlock(FileBlock):
    """How files are read, and which clips are wanted."""

    only: Only = None
    without: Without = None


@dataclass(frozen=True, kw_only=True)
class RolesBlock(ClipBlock):
    """The same, where roles of joints count."""

    roles: Roles = None


@dataclass(frozen=True, kw_only=True)
class ClipSetBlock(RolesBlock):
    """How a clip set is read."""

    mirror: Mirror = False


@dataclass(frozen=True, kw_only=True)
class GraphBlock(ClipSetBlock):
    """How the clips of a motion graph are read."""

    fps: GraphFps = None


def with_blocks(command: Callable[..., int]) -> Callable[..., int]:
    """A command whose parameters that are blocks are spread into the options of the command line.

    Parameters
    ----------
    command : callable
        A parameter that is annotated with a dataclass gets an instance of it, made of the options
        that its fields are.
    """
    hints = get_type_hints(command, include_extras=True)
    blocks: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    spread: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        options = (
            _options_of(blocks[name])
            if name in blocks
            else [parameter.replace(annotation=hints[name])]
        )
        spread += [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]

    @wraps(command)
    def call(**given: Any) -> int:
        made = {
            n: block(**{f.name: given.pop(f.name) for f in fields(block)})
            for n, block in blocks.items()
        }
        return command(**given, **made)

    vars(call)["__signature__"] = inspect.Signature(spread, return_annotation=int)
    call.__annotations__ = {option.name: option.annotation for option in spread}
    del call.__wrapped__  # its signature is not that of the command line
    return call


def given(**options: Any) -> dict[str, Any]:
    """Those options that were given; the others keep the defaults of the library."""
    return {name: value for name, value in options.items() if value is not None}


def _options_of(block: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(block, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(f.name, keyword, default=f.default, annotation=hints[f.name])
        for f in fields(block)
    ]
