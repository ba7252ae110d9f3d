"""What a synthesis writes: motions, report, page and contact sheets."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.console import tell_written
from motionloom.cli.inputs import check_outputs, check_png, make_folder_of, numbered, output_place
from motionloom.errors import MissingExtraError
from motionloom.progress import Progress, silent

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.scene.report import SceneReport
    from motionloom.synthesis.driver import Synthesis
    from motionloom.synthesis.report import SynthesisReport


@dataclass(frozen=True)
class Outputs:
    """Where the results of a synthesis go.

    Parameters
    ----------
    motion : Path
        Its suffix says the format; further motions get numbers (``walk-2.bvh``).
    count : int
        Most motions that will be written.
    report : Path, optional
        JSON where the name ends in ``.json``, else text.
    html : Path, optional
        A page with all motions side by side.
    png : Path, optional
        A contact sheet of all motions.
    """

    motion: Path
    count: int = 1
    report: Path | None = None
    html: Path | None = None
    png: Path | None = None

    def check(self, inputs: Iterable[Path], force: bool = False, kept: Iterable[Path | None] = ()) -> None:
        """Refuse before any work what could not be written in the end, and what would overwrite what is not ours.

        Raises
        ------
        MotionloomError
            In one sentence.
        """
        from motionloom.io.registry import find_writer

        find_writer(self.motion)
        check_png(self.png)
        check_page(self.html)
        kept = [*kept]
        check_outputs(self._all(), inputs, force, kept)
        for path in (*self._all(), *(p for p in kept if p is not None)):
            make_folder_of(path)

    def _all(self) -> Iterator[Path]:
        yield from (numbered(self.motion, i) for i in range(self.count))
        yield from (p for p in (self.report, self.html, self.png) if p is not None)

    def write(
        self,
        result: Synthesis,
        wish: ConstraintSet,
        progress: Progress = silent,
        skeleton: Path | None = None,
        force: bool = False,
    ) -> None:
        """Write everything, the motions first; `skeleton` is the ASF file that an AMC file belongs to."""
        from motionloom.io import save
        from motionloom.io.files import name_of, write_file

        for i, one in enumerate(result.finished):
            place = output_place(numbered(self.motion, i), force)
            save(one.motion, place, skeleton=skeleton)
            tell_written(place)
        if self.report is not None:
            text = format_report(result.report, as_json=self.report.suffix.lower() == ".json")
            place = output_place(self.report, force)
            write_file(place, text)
            tell_written(place)
        motions = [one.motion for one in result.finished]
        downs = [one.contacts.by_foot() for one in result.finished]
        if self.png is not None:
            from motionloom.view import write_contact_sheet

            progress("drawing", 0, 1)
            place = output_place(self.png, force)
            write_contact_sheet(motions, place, contacts=downs, targets=wish, notes=[_verdict(result.report)])
            progress("drawing", 1, 1)
            tell_written(place)
        if self.html is not None:
            from motionloom.view import write_page

            place = output_place(self.html, force)
            write_page(motions, place, contacts=downs, targets=wish, title=name_of(self.motion), progress=progress)
            tell_written(place)


def check_page(path: Path | None) -> None:
    """Refuse a page that could not be written.

    Raises
    ------
    MissingExtraError
        When viser is not installed.
    """
    if path is not None and importlib.util.find_spec("viser") is None:
        raise MissingExtraError("viser", "studio", "a page (--html)")


def format_report(report: SynthesisReport | SceneReport, as_json: bool) -> str:
    """Report as JSON or text."""
    return report.to_json() if as_json else report.to_text()


def _verdict(report: SynthesisReport) -> str:
    skate = f"skate {report.skate_ratio:.2f} x the clips' mean"
    return f"seed {report.seed}   {skate}   seams {report.seam_ratio:.2f} x the clips' 99th percentile"
