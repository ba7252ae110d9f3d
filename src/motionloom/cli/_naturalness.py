"""``motionloom naturalness``: how like captured ones poses and motion of clips are, over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli._command import Result, Surveying
from motionloom.cli._fields import clips, picture, reading, references, seed, space_file
from motionloom.cli.console import say
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.checks import check_space
from motionloom.workspace.naturalness import Naturalness

if TYPE_CHECKING:
    from motionloom.analysis.judge import Judge
    from motionloom.motion import Motion


class JudgeNaturalness(Surveying):
    """Say how natural CLIPS are among captured ones; one that is among these is left out."""

    clips: Place = clips("What is judged: files, folders, patterns.", "CLIPS...")
    reference: Place | None = references(
        "A library or clips to compare with, as far as --only and --without leave them; may be"
        " repeated."
    )
    space: Path | None = space_file(
        "Keep what is learned from the clips: read if it is of these, else written."
    )
    png: Path | None = picture("Draw the curves over time.")
    physics: bool = option_field(False, "Balance, friction and flight of CLIPS, too.")
    seed: int = seed()
    reading: ReadOptions = reading("only", "without", "roles")

    def check(self) -> None:
        """Refuse a space that cannot be."""
        check_space(self.space, self.reference is not None)

    def make(self, progress: Progress) -> Result:
        """Judge them."""
        from motionloom.analysis.verdicts import judge_clips, report_verdicts, write_curves

        every = replace(self.reading, only=(), without=())
        motions = read_motions(self.clips, every, progress, say)
        kept = Naturalness(
            self.reference,
            self.reading,
            file=self.space,
            seed=self.seed,
            force=self.force,
            progress=progress,
            tell=say,
        ).get()
        judge = kept.judge
        assert judge is not None
        verdicts = judge_clips(judge, motions, progress, kept.motion)
        terms = _physical(motions, judge) if self.physics else None
        files = {"png": lambda path: write_curves(judge, verdicts, path)}
        return Result(report_verdicts(verdicts, kept.why, terms), files)


def _physical(motions: Sequence[Motion], judge: Judge) -> list[dict[str, float]]:
    """Balance, friction and flight of every clip."""
    from motionloom.analysis.soles import fit_soles
    from motionloom.physics.quality import physical_terms
    from motionloom.posed_motion import PosedMotion

    posed = [PosedMotion(motion, judge.space.roles) for motion in motions]
    soles = fit_soles(posed)
    return [physical_terms([one], soles) for one in posed]
