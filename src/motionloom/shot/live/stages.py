"""A stage whose methods answer at once, or search for as long as they are told to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.table import find_kind, refuse_unhonoured
from motionloom.idle.generator import FittedIdle, IdleGeneratorOptions
from motionloom.idle.streams.plans import IdleStreamOptions
from motionloom.progress import Progress
from motionloom.shot.live.drafts import SEARCHED, Found, draft_of, fit_draft, score_of
from motionloom.shot.plan import PlannedSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.stage import BRIDGING, Piece, Stage
from motionloom.synthesis.bridges import Bridge
from motionloom.synthesis.driver import Synthesis
from motionloom.synthesis.finish import Finished, FinishOptions, finish
from motionloom.synthesis.generator import Draft, Fitted
from motionloom.synthesis.measure import check_names
from motionloom.synthesis.report import SynthesisReport, make_report, meaning_of_score

#: A preview meets a goal however far it was moved, metres and degrees per second.
QUICK = FinishOptions(shift=10.0, turn=720.0, faults=False)
#: Searched for so long where nothing is known of a span, seconds.
LEAST_BUDGET = 0.05


@dataclass(frozen=True, eq=False)
class Before:
    """What a span was when it was last shown.

    Parameters
    ----------
    piece : Piece
        Its motion.
    found : Found, optional
        What that was made of.
    """

    piece: Piece
    found: Found | None = None


@dataclass(eq=False)
class LiveStage(Stage):
    """Clips of one character, for work that may be quick.

    Parameters
    ----------
    trial : float, seconds, optional
        How long is searched; as long as for the finished shot when not given. It is no part of the
        keys of pieces.
    is_quick : bool
        Whether what a span was is bent instead of searching anew.
    before : dict of str to Before
        What spans were, by name; for what is bent.
    found : dict of str to Found
        Written: what spans were made of, by name, since the stage is there.
    went_without : bool
        Written: whether gaps were left that a slower one fills, as that was not learned yet.
    """

    trial: float | None = None
    is_quick: bool = False
    before: dict[str, Before] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)
    went_without: bool = False

    @classmethod
    def of(cls, stage: Stage, file: ShotFile, progress: Progress) -> LiveStage:
        """The same clips and methods for a file as it is now.

        Parameters
        ----------
        stage : Stage
            What has learned stays learned.
        file : ShotFile
            The file.
        progress : Progress
            Told of everything.

        Returns
        -------
        LiveStage
        """
        return cls(file, stage.clips, stage.budget, progress, stage.body, stage.methods)

    @property
    def bridge(self) -> Bridge | None:
        """What fills gaps; a preview does not wait until that is learned."""
        if self.is_quick and not self.methods.has("inbetween", BRIDGING):
            self.went_without = True
            return None
        return super().bridge

    def fitted(self, generator: str, options: Any = None) -> Fitted:
        """A method that has learned from the clips; see `Stage.fitted`.

        How lively somebody waits is nothing that is learned.
        """
        if generator == "idle" and isinstance(options, IdleGeneratorOptions):
            usual = replace(options, waiting=IdleStreamOptions())
            learned = super().fitted(generator, usual)
            assert isinstance(learned, FittedIdle)
            return replace(learned, waiting=options.waiting)
        return super().fitted(generator, options)

    def synthesize(
        self, fitted: Fitted, constraints: ConstraintSet, planned: PlannedSpan
    ) -> Synthesis:
        """The motion of a span; see `Stage.synthesize`."""
        if self.is_quick:
            return self._quickly(fitted, constraints, planned)
        if self.trial is None:
            made = super().synthesize(fitted, constraints, planned)
        else:
            made = self._tried(self.trial, fitted, constraints, planned)
        self.found[planned.name] = Found.of(fitted, made.best, constraints)
        return made

    def _tried(
        self, budget: float, fitted: Fitted, constraints: ConstraintSet, planned: PlannedSpan
    ) -> Synthesis:
        """What a shorter search finds, or what was there bent, if that is better."""
        made = Stage.synthesize(replace(self, budget=budget), fitted, constraints, planned)
        draft = self._bent(fitted, constraints, planned)
        if draft is None:
            return made
        bent = finish(draft, fitted.clips, constraints)
        if score_of(bent) >= score_of(made.best):
            return made
        report = make_report(fitted, constraints, planned.seed, (bent,), {})
        return Synthesis(bent.motion, report, (bent,))

    def _quickly(self, fitted: Fitted, asked: ConstraintSet, planned: PlannedSpan) -> Synthesis:
        refuse_unhonoured(asked, fitted.name, fitted.honours)
        check_names(asked, fitted.clips.clip_set)
        draft = self._bent(fitted, asked, planned)
        if draft is None:
            draft = fitted.generate(
                asked,
                seed=planned.seed,
                budget=LEAST_BUDGET,
                count=1,
                progress=self.progress,
            )[0]
        made = finish(draft, fitted.clips, asked, QUICK)
        self.found[planned.name] = Found.of(fitted, made, asked)
        return Synthesis(made.motion, _report(fitted, asked, planned, made), (made,))

    def _bent(self, fitted: Fitted, asked: ConstraintSet, planned: PlannedSpan) -> Draft | None:
        """What the span was, laid for what is asked; None where that is made quicker anew."""
        known = self.before.get(planned.name)
        if fitted.name != SEARCHED or known is None:
            return None
        found = draft_of(known.piece) if known.found is None else known.found.draft
        return fit_draft(found, asked, self.posed(known.piece.motion[:1]))


def _report(
    fitted: Fitted, asked: ConstraintSet, planned: PlannedSpan, made: Finished
) -> SynthesisReport:
    """What a preview says: errors only."""
    errors = zip(made.errors_before, made.errors_after, strict=True)
    outcomes = []
    for before, after in errors:
        constraint = find_kind(after.kind).of(asked)[after.index]
        name = getattr(constraint, "joint", after.kind)
        outcomes.append((name, constraint.time, before, after, None))
    return SynthesisReport(
        generator=fitted.name,
        seed=planned.seed,
        fps=asked.fps,
        frames_wanted=asked.n_frames,
        frames_missing=0,
        constraints=tuple(outcomes),
        quality=made.quality,
        sources=fitted.clips.quality,
        score_meaning=meaning_of_score(fitted),
        largest_correction=made.largest_correction,
        largest_drop=made.largest_drop,
        released_contacts=made.released,
        score=made.draft.score,
        stopped=made.draft.stopped,
        alternatives=0,
        times={},
    )
