"""``motionloom view``: motions in the browser or as a picture."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say, warn
from motionloom.cli.inputs import check_outputs, make_folder_of


def view(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Motions to look at, side by side.")],
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write a page that plays from disk.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="OUT", help="Write a contact sheet.")] = None,
    unit: Annotated[float | None, typer.Option(help="Metres per unit of length in the files.")] = None,
    up: Annotated[str | None, typer.Option(help="Up axis of the files: x, y or z.")] = None,
    skeleton: Annotated[str | None, typer.Option(metavar="ASF", help="Skeleton of AMC files.")] = None,
) -> int:
    """Look at motions: a page for the browser (opened when no output is named), a contact sheet (PNG), or both."""
    from motionloom.io.registry import load_motion
    from motionloom.view import write_contact_sheet, write_page

    check_outputs([html, png], files)
    motions = [load_motion(path, unit=unit, up=up, skeleton=skeleton) for path in files]
    warn(f"{m.source.path}: {text}" for m in motions for text in m.source.warnings)
    with progress_bars() as progress:
        if png is not None:
            make_folder_of(png)
            write_contact_sheet(motions, png)
            say(f"wrote {png}")
        if html is not None or png is None:
            page = html or Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html"
            make_folder_of(page)
            write_page(motions, page, progress=progress)
            say(f"wrote {page}")
            if html is None:
                webbrowser.open(page.resolve().as_uri())
    return 0
