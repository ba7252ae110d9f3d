"""``motionloom view``: motions in the browser or as a picture."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import FileBlock, Force, Html, Png, with_blocks
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.tell import warn_about
from motionloom.workspace.writing import Writer


@with_blocks
def view(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Motions or markers to look at.")
    ],
    reading: FileBlock,
    html: Html = None,
    png: Png = None,
    force: Force = False,
) -> int:
    """Look at motions: a page in the browser (opened without outputs), a sheet (PNG), or both."""
    from motionloom.analysis.contacts import find_foot_contacts
    from motionloom.io import load
    from motionloom.motion import Motion
    from motionloom.view import write_contact_sheet, write_page

    options = reading.to_options()
    check_png(png)
    check_outputs([html, png], [*files, *options.companions], force)
    shown = [load(path, **options.of_files) for path in files]
    warn_about(((data.source.path, text) for data in shown for text in data.source.warnings), say)
    downs = [find_foot_contacts(data) if isinstance(data, Motion) else None for data in shown]
    writer = Writer(force, say)
    with progress_bars() as progress:
        if png is not None:
            writer.write(png, lambda place: write_contact_sheet(shown, place, contacts=downs))
        if html is not None or png is None:
            page = writer.write(
                html or Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html",
                lambda place: write_page(shown, place, contacts=downs, progress=progress),
            )
    if html is None and png is None:
        webbrowser.open(page.resolve().as_uri())
    return 0
