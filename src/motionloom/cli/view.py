"""``motionloom view``: motions in the browser or as a picture."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, tell_written, warn_about
from motionloom.cli.inputs import check_outputs, check_png, frame_time_of, output_place
from motionloom.cli.options import Asf, Force, Html, Png, Rate, Unit, Up


def view(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Motions or markers to look at.")],
    html: Html = None,
    png: Png = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    force: Force = False,
) -> int:
    """Look at motions: a page for the browser (opened when no output is named), a contact sheet (PNG), or both."""
    from motionloom.analysis.contacts import find_foot_contacts
    from motionloom.io import load
    from motionloom.motion import Motion
    from motionloom.view import write_contact_sheet, write_page

    check_png(png)
    check_outputs([html, png], [*files, *(() if skeleton is None else (skeleton,))], force)
    frame_time = frame_time_of(rate, "--rate")
    shown = [load(path, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time) for path in files]
    warn_about((data.source.path, text) for data in shown for text in data.source.warnings)
    downs = [find_foot_contacts(data) if isinstance(data, Motion) else None for data in shown]
    with progress_bars() as progress:
        if png is not None:
            place = output_place(png, force)
            write_contact_sheet(shown, place, contacts=downs)
            tell_written(place)
        if html is not None or png is None:
            page = output_place(html or Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html", force)
            write_page(shown, page, contacts=downs, progress=progress)
            tell_written(page)
    if html is None and png is None:
        webbrowser.open(page.resolve().as_uri())
    return 0
