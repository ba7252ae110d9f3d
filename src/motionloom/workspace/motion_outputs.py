"""What a synthesis writes: motions, report, page and contact sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.progress import Progress, silent
from motionloom.workspace.checks import (
    check_outputs,
    check_page,
    check_png,
    numbered,
)
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.analysis.quality import Quality
    from motionloom.clips.clip_set import ClipSet
    from motionloom.constraints import ConstraintSet
    from motionloom.synthesis.driver import Synthesis, SynthesisOptions
    from motionloom.synthesis.report import SynthesisReport


@dataclass(frozen=True)
class Outputs:
    """Where the results of a synthesis go.

    Parameters
    ----------
    motion : Path
        Its suffix says the format; further motions get numbers (``walk-2.bvh``).
    constraints : ConstraintSet
        What is asked for.
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
    constraints: ConstraintSet
    count: int = 1
    report: Path | None = None
    html: Path | None = None
    png: Path | None = None

    def check(
        self, inputs: Iterable[Path], force: bool = False, kept: Iterable[Path | None] = ()
    ) -> None:
        """Refuse before any work what could not be written, or would overwrite what is not ours.

        Parameters
        ----------
        inputs, force, kept
            As `check_outputs` has them.

        Raises
        ------
        MotionloomError
            In one sentence.
        """
        from motionloom.io.registry import find_writer

        find_writer(self.motion)
        check_png(self.png)
        check_page(self.html)
        check_outputs(self._all(), inputs, force, kept)

    def _all(self) -> Iterator[Path]:
        yield from (numbered(self.motion, i) for i in range(self.count))
        yield from (p for p in (self.report, self.html, self.png) if p is not None)

    def make(
        self,
        clips: ClipSet,
        options: SynthesisOptions,
        generator: str,
        writer: Writer,
        progress: Progress = silent,
        skeleton: Path | None = None,
    ) -> SynthesisReport:
        """Make the motions out of clips and write everything.

        Parameters
        ----------
        clips : ClipSet
            What the motions are made of.
        options : SynthesisOptions
            How.
        generator : str
            Name of the method.
        writer : Writer
            Writes the files.
        progress : Progress
            Told of every stage.
        skeleton : Path, optional
            The ASF file that an AMC file belongs to.

        Returns
        -------
        SynthesisReport
            As it was written, where a report is wanted.

        Raises
        ------
        MotionloomError
            When no motion can be made, or a file cannot be written.
        """
        from motionloom.synthesis.driver import synthesize

        result = synthesize(
            clips, self.constraints, options, progress=progress, generator=generator
        )
        self.write(result, writer, progress, skeleton)
        return result.report

    def write(
        self,
        result: Synthesis,
        writer: Writer,
        progress: Progress = silent,
        skeleton: Path | None = None,
    ) -> None:
        """Write everything, the motions first.

        Parameters
        ----------
        result : Synthesis
            The motions, their contacts and the report.
        writer : Writer
            Writes the files.
        progress : Progress
            Told of the drawing.
        skeleton : Path, optional
            The ASF file that an AMC file belongs to.

        Raises
        ------
        MotionloomError
            When a file cannot be written.
        """
        from motionloom.io import save
        from motionloom.io.files import name_of

        motions = [one.motion for one in result.finished]
        for i, motion in enumerate(motions):
            writer.write(numbered(self.motion, i), partial(save, motion, skeleton=skeleton))
        if self.report is not None:
            writer.write_report(self.report, result.report)
        named = [
            replace(motion, name=name_of(numbered(self.motion, i)))
            for i, motion in enumerate(motions)
        ]
        shown: dict[str, Any] = {
            "contacts": [one.contacts.by_foot() for one in result.finished],
            "targets": self.constraints,
        }
        if self.png is not None:
            from motionloom.view import write_contact_sheet

            notes = [[_verdict(result.report, one.quality)] for one in result.finished]
            progress("drawing", 0, 1)
            writer.write(
                self.png, lambda place: write_contact_sheet(named, place, notes=notes, **shown)
            )
            progress("drawing", 1, 1)
        if self.html is not None:
            from motionloom.view import write_page

            title = name_of(self.motion)
            writer.write(
                self.html,
                lambda place: write_page(named, place, title=title, progress=progress, **shown),
            )


def _verdict(report: SynthesisReport, quality: Quality) -> str:
    skate = _ratio(quality.skate_mean, report.sources.skate_mean)
    seam = _ratio(quality.seam_acceleration, report.sources.acceleration_p99)
    return (
        f"seed {report.seed}   skate {skate:.2f} x the clips' mean"
        f"   seams {seam:.2f} x the clips' 99th percentile"
    )


def _ratio(value: float, usual: float) -> float:
    return value / usual if usual > 0 else 0.0
