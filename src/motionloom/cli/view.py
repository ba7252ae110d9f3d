"""``motionloom view``: motions in the browser or as a picture."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import FileBlock, Force, Html, Png, with_blocks
from motionloom.progress import warn_about
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.marker_motion import MarkerSequence
    from motionloom.motion import Motion

    Loaded = Mapping[str, Motion | MarkerSequence]


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
    from motionloom.io.registry import load_all

    options = reading.to_options()
    check_png(png)
    check_outputs([html, png], [*files, *options.companions], force)
    loaded = [load_all(path, **options.of_files) for path in files]
    _warn(loaded)
    write_sheet, write_page = _writers(loaded)
    writer = Writer(force, say)
    with progress_bars() as progress:
        if png is not None:
            writer.write(png, write_sheet)
        if html is not None or png is None:
            page = writer.write(
                html or Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html",
                lambda place: write_page(place, progress=progress),
            )
    if html is None and png is None:
        webbrowser.open(page.resolve().as_uri())
    return 0


def _warn(loaded: Sequence[Loaded]) -> None:
    """Say what was mended on reading, once a file, and which characters stand side by side."""
    from motionloom.skeleton import few

    texts = dict.fromkeys(
        (data.source.path, text)
        for one in loaded
        for data in one.values()
        for text in data.source.warnings
    )
    warn_about(texts, say)
    if len(loaded) > 1:
        several = [(next(iter(one.values())).source.path, list(one)) for one in loaded]
        apart = "are shown side by side; view this file alone to see where they are"
        warn_about(((path, f"{few(names)} {apart}") for path, names in several if names[1:]), say)


def _writers(loaded: Sequence[Loaded]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """What writes the sheet and the page: characters of one file together, else side by side."""
    from motionloom.analysis.contacts import find_foot_contacts
    from motionloom.motion import Motion
    from motionloom.view import write_contact_sheet, write_page
    from motionloom.view.page import write_scene_page
    from motionloom.view.scene_sheet import write_scene_sheet

    characters = loaded[0]
    if len(loaded) == 1 and _is_scene(characters):
        found = {name: find_foot_contacts(motion) for name, motion in characters.items()}
        steps = {name: down for name, down in found.items() if down is not None}
        title = next(iter(characters.values())).name
        sheet = partial(write_scene_sheet, characters, title=title)
        return sheet, partial(write_scene_page, characters, contacts=steps)
    shown = [data for one in loaded for data in one.values()]
    downs = [find_foot_contacts(data) if isinstance(data, Motion) else None for data in shown]
    return (
        partial(write_contact_sheet, shown, contacts=downs),
        partial(write_page, shown, contacts=downs),
    )


def _is_scene(characters: Loaded) -> TypeGuard[Mapping[str, Motion]]:
    """Whether several motions of equal frames can play together."""
    from motionloom.motion import Motion

    frames = {(one.frame_time, one.n_frames) for one in characters.values()}
    return (
        len(characters) > 1
        and len(frames) == 1
        and all(isinstance(one, Motion) for one in characters.values())
    )
