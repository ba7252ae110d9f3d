"""``motionloom view``: motions in the browser or as a picture."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from motionloom.cli._command import Result, Writing
from motionloom.cli._fields import argument, output, reading
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import Files, view_files

if TYPE_CHECKING:
    from motionloom.marker_motion import MarkerSequence
    from motionloom.motion import Motion

    Loaded = Mapping[str, Motion | MarkerSequence]

#: What is written, by suffix.
_KINDS = {".png": "png", ".html": "html", ".htm": "html"}


def _views(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    for path in paths:
        if path.suffix.lower() not in _KINDS:
            raise InvalidInputError(
                f"{path}: a view is a page (.html) or a contact sheet (.png); give such a name"
            )
    return paths


class View(Writing):
    """Look at motions: a page in the browser (opened without outputs), a sheet (PNG), or both."""

    files: tuple[Path, ...] = argument("Motions or markers to look at.", "FILE...", repeats=True)
    output: tuple[Path, ...] = output(
        "Page (.html) or contact sheet (.png) to write; may be repeated.",
        default=(),
        repeats=True,
        parse=_views,
    )
    reading: ReadOptions = reading()

    def make(self, progress: Progress) -> Result:
        """Draw them."""
        from motionloom.io.registry import load_all

        loaded = [load_all(path, **self.reading.of_files) for path in self.files]
        _warn(loaded)
        writers = _writers(loaded, progress)
        if not self.output:
            page = Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html"
            return Result(files={page: partial(_show, writers["html"])})
        return Result(files={path: writers[_KINDS[path.suffix.lower()]] for path in self.output})


def _show(write: Any, page: Path) -> None:
    write(page)
    webbrowser.open(page.resolve().as_uri())


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


def _writers(loaded: Sequence[Loaded], progress: Progress) -> Files:
    """What writes the sheet and the page: characters of one file together, else side by side."""
    from motionloom.analysis.contacts import find_foot_contacts
    from motionloom.motion import Motion
    from motionloom.view.page import write_scene_page
    from motionloom.view.scene_sheet import write_scene_sheet

    characters = loaded[0]
    if len(loaded) == 1 and _is_scene(characters):
        found = {name: find_foot_contacts(motion) for name, motion in characters.items()}
        steps = {name: down for name, down in found.items() if down is not None}
        title = next(iter(characters.values())).name
        return {
            "png": partial(write_scene_sheet, characters, title=title),
            "html": partial(write_scene_page, characters, contacts=steps, progress=progress),
        }
    shown = [data for one in loaded for data in one.values()]
    downs = [find_foot_contacts(data) if isinstance(data, Motion) else None for data in shown]
    return view_files(shown, None, progress, contacts=downs)


def _is_scene(characters: Loaded) -> TypeGuard[Mapping[str, Motion]]:
    """Whether several motions of equal frames can play together."""
    from motionloom.motion import Motion

    frames = {(one.frame_time, one.n_frames) for one in characters.values()}
    return (
        len(characters) > 1
        and len(frames) == 1
        and all(isinstance(one, Motion) for one in characters.values())
    )
