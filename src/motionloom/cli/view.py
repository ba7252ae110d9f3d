"""``motionloom view``: motions in the browser or as a picture."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say, warn_about
from motionloom.cli.inputs import check_outputs, check_png, frame_time_of, make_folder_of
from motionloom.cli.options import Asf, Html, Png, Rate, Unit, Up
from motionloom.errors import InvalidInputError

if TYPE_CHECKING:
    from motionloom.markers import MarkerSequence
    from motionloom.motion import Motion
    from motionloom.view.figure import Contacts


def view(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Motions or markers to look at.")],
    html: Html = None,
    png: Png = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
) -> int:
    """Look at motions: a page for the browser (opened when no output is named), a contact sheet (PNG), or both."""
    from motionloom.io import load
    from motionloom.view import write_contact_sheet, write_page

    check_png(png)
    check_outputs([html, png], files)
    frame_time = frame_time_of(rate, "--rate")
    shown = [load(path, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time) for path in files]
    warn_about((data.source.path, text) for data in shown for text in data.source.warnings)
    downs = [_contacts(data) for data in shown]
    with progress_bars() as progress:
        if png is not None:
            make_folder_of(png)
            write_contact_sheet(shown, png, contacts=downs)
            say(f"wrote {png}")
        if html is not None or png is None:
            page = html or Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html"
            make_folder_of(page)
            write_page(shown, page, contacts=downs, progress=progress)
            say(f"wrote {page}")
    if html is None and png is None:
        webbrowser.open(page.resolve().as_uri())
    return 0


def _contacts(data: Motion | MarkerSequence) -> Contacts | None:
    """When the feet bear on the ground; None for what has no feet."""
    from motionloom.analysis.contacts import detect_contacts
    from motionloom.kinematics import forward_kinematics
    from motionloom.motion import Motion
    from motionloom.roles import find_roles

    if not isinstance(data, Motion) or not data.n_frames:
        return None
    try:
        return detect_contacts(data, forward_kinematics(data), find_roles(data.skeleton)).by_foot()
    except InvalidInputError:
        return None
