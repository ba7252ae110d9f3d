"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _lower(text: str | None) -> str | None:
    return None if text is None else text.lower()


Unit = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT",
        help="Unit of length of the input: metres per unit, or mm, cm, m, in, ft; else read or guessed. A unit that "
        "makes a body of no plausible height is refused, except with a '!' behind it.",
    ),
]
Up = Annotated[
    str | None,
    typer.Option(metavar="AXIS", help="Up axis of the input: x, y or z; else read or guessed.", callback=_lower),
]
OutUnit = Annotated[
    float | None,
    typer.Option(metavar="METRES", help="Metres per unit of length in BVH or TRC output; else that of the input."),
]
OutUp = Annotated[
    str | None,
    typer.Option(metavar="AXIS", help="Up axis of BVH or TRC output: x, y or z; else the input's.", callback=_lower),
]
Rest = Annotated[
    str | None,
    typer.Option(
        metavar="POSE",
        help="Rest pose of GLB output: standing (a T-pose; usual for humans), file or first (frame).",
        callback=_lower,
    ),
]
Asf = Annotated[Path | None, typer.Option("--skeleton", metavar="ASF", help="Skeleton of AMC files.")]
Rate = Annotated[
    float | None, typer.Option(metavar="FPS", help="Frames per second of BVH or AMC input that says it wrongly or not.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse an input that needs any guess or mending.")]
Html = Annotated[Path | None, typer.Option(metavar="OUT", help="Write a page that plays in a browser, from disk.")]
Png = Annotated[Path | None, typer.Option(metavar="OUT", help="Write a contact sheet: poses, path, feet, speeds.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")]
Only = Annotated[list[str] | None, typer.Option("--only", metavar="PATTERN", help="Only clips whose names match.")]
Graph = Annotated[
    Path | None,
    typer.Option("--graph", metavar="FOLDER", help="Motion graph made by 'graph build -o'; else the library's."),
]
Mirror = Annotated[bool, typer.Option("--mirror", help="Add a mirrored copy of every clip, left and right exchanged.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace files that motionloom did not write, or that were changed since.")
]
Without = Annotated[list[str] | None, typer.Option("--without", metavar="PATTERN", help="Leave clips out.")]
