"""What draws motions that were made: a contact sheet and a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.progress import Progress, silent

if TYPE_CHECKING:
    from motionloom.motion import Motion

#: Writes a file.
Write = Callable[[Path], object]


def motion_files(
    motions: Sequence[Motion],
    paths: Sequence[Path],
    progress: Progress = silent,
    skeleton: Path | None = None,
    notes: Sequence[Sequence[str]] = (),
    **shown: Any,
) -> dict[str | Path, Write]:
    """Say what writes motions, a contact sheet of them and a page.

    Parameters
    ----------
    motions : sequence of Motion
        What was made.
    paths : sequence of Path
        Where each goes; pictures call it by that name.
    progress : Progress
        Told of the drawing.
    skeleton : Path, optional
        The ASF file that an AMC file belongs to.
    notes : sequence of sequences of str
        What the contact sheet says of each.
    **shown
        What both show besides, such as ``contacts`` and ``targets``.

    Returns
    -------
    dict
        Writers: of the motions by path, of the pictures as ``"png"`` and ``"html"``.

    Raises
    ------
    InvalidInputError
        When a format cannot hold the motions.
    """
    from motionloom.io.files import name_of
    from motionloom.io.registry import check_save, save

    check_save(motions[0], paths[0], skeleton)
    files: dict[str | Path, Write] = {}
    named = []
    for motion, path in zip(motions, paths, strict=False):
        files[path] = partial(save, motion, skeleton=skeleton)
        named.append(replace(motion, name=name_of(path)))
    title = name_of(paths[0])
    return files | view_files(named, title, progress, notes, **shown)


def view_files(
    motions: Sequence[Motion],
    title: str | None = None,
    progress: Progress = silent,
    notes: Sequence[Any] = (),
    **shown: Any,
) -> dict[str | Path, Write]:
    """Say what writes a contact sheet of motions and a page.

    Parameters
    ----------
    motions : sequence of Motion
        What is shown.
    title : str, optional
        Of the page.
    progress : Progress
        Told of the drawing.
    notes : sequence
        What the contact sheet says.
    **shown
        What both show besides, such as ``contacts`` and ``targets``.

    Returns
    -------
    dict
        Writers, ``"png"`` and ``"html"``.
    """

    def draw(path: Path) -> None:
        from motionloom.view import write_contact_sheet

        progress("drawing", 0, 1)
        write_contact_sheet(motions, path, notes=notes, **shown)
        progress("drawing", 1, 1)

    def write_page(path: Path) -> None:
        from motionloom.view import write_page

        write_page(motions, path, title=title, progress=progress, **shown)

    return {"png": draw, "html": write_page}
