"""A stage whose methods answer at once, or search for as long as they are told to.

What a span was made of, kept so that it can be bent to other constraints without a search.

Which frames of which clips a draft shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.idle.generator import FittedIdle, IdleGeneratorOptions
from motionloom.idle.streams.plans import IdleStreamOptions
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress
from motionloom.shot._keeping import Kept
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.stage import BRIDGING, FINISHED, Found, Stage
from motionloom.synthesis.bridges import Bridge
from motionloom.synthesis.driver import Synthesis
from motionloom.synthesis.finish import Finished, FinishOptions, finish
from motionloom.synthesis.generator import Draft, Fitted
from motionloom.synthesis.measure import check_names
from motionloom.synthesis.report import make_report

#: An error that counts 1 in a score: metres and degrees before bending, metres after it.
FAR, TURNED, MISSED = 0.3, 10.0, 0.03
#: What a transition at the threshold counts.
EDGE = 0.03
#: The method whose result is bent instead of asking it anew, as it searches long.
SEARCHED = "graph"
#: Budget of what a busy machine cut short, seconds: it is no finished one.
CUT_SHORT = 60.0
#: A draft may be played by this factor faster or slower.
PACE = 1.5


def score_of(made: Finished) -> float:
    """How far a draft had to be bent to what was asked, what is still missed, and its transitions.

    Smaller is better; comparable whatever budget it was searched with.
    """
    from motionloom.graph.generator import GraphDetails  # with all that compiles

    before = sum(
        (one.position / FAR) ** 2 + ((one.facing or 0.0) / TURNED) ** 2
        for one in made.errors_before
    )
    after = sum((one.position / MISSED) ** 2 for one in made.errors_after)
    details = made.draft.details
    edges = sum(details.found.edge_costs) if isinstance(details, GraphDetails) else 0.0
    return float(before + after + EDGE * edges)


def _found(fitted: Fitted, made: Finished) -> Found:
    """What a span is made of that was finished."""
    return Found(made.draft, score_of(made), fitted.name == SEARCHED)


def _fit_draft(found: Draft, asked: ConstraintSet, roles_of: PosedMotion) -> Draft | None:
    """A draft laid where a span begins now, and played in the time there is now.

    Parameters
    ----------
    found : Draft
        Of the span as it was.
    asked : ConstraintSet
        What is asked for now; its first body constraint says where the span begins.
    roles_of : PosedMotion
        Any motion of that body.

    Returns
    -------
    Draft or None
        None where it would have to be played much faster or slower.
    """
    count = asked.n_frames
    share = found.motion.duration / max(asked.duration, 1e-9)
    if not 1 / PACE <= share <= PACE:
        return None
    draft = found if found.motion.n_frames == count else _played(found, count)
    first = next(iter(asked.body), None)
    if first is None or first.time > 0 or first.position is None:
        return draft
    begins = roles_of.with_motion(draft.motion[:1]).body[0]
    facing = begins[2] if first.facing is None else np.radians(first.facing)
    wanted = GroundTransform(float(facing), *first.position)
    way = wanted.compose(GroundTransform.of_body(begins).inverse())
    feet = draft.feet and {foot: track.transformed(way) for foot, track in draft.feet.items()}
    return replace(draft, motion=draft.motion.transformed(way), feet=feet, errors=None)


def _played(draft: Draft, count: int) -> Draft:
    """A draft in so many frames."""
    motion = draft.motion
    frame_time = motion.duration / (count - 1)
    played = motion.resample(frame_time)[:count]
    nearest = np.linspace(0, motion.n_frames - 1, count).round().astype(int)
    contacts = draft.contacts
    return replace(
        draft,
        motion=replace(played, frame_time=motion.frame_time),
        contacts=None if contacts is None else replace(contacts, down=contacts.down[nearest]),
        feet=None,
        seams=tuple(round(s * (count - 1) / (motion.n_frames - 1)) for s in draft.seams),
        kept_frames=(),
        source_frames=None if draft.source_frames is None else draft.source_frames[nearest],
        errors=None,
    )


#: A preview meets a goal however far it was moved, metres and degrees per second.
QUICK = FinishOptions(shift=10.0, turn=720.0, faults=False)
#: Searched for so long where nothing is known of a span, seconds.
LEAST_BUDGET = 0.05


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
    before : dict of str to Kept
        What spans were, by name; for what is bent.
    found : dict of str to Found
        Written: what spans were made of, by name, since the stage is there.
    went_without : bool
        Written: whether gaps were left that a slower one fills, as that was not learned yet.
    """

    trial: float | None = None
    is_quick: bool = False
    before: dict[str, Kept] = field(default_factory=dict)
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

    def searched(self, name: str, budget: float) -> tuple[Found | None, float]:
        """See `Stage.searched`."""
        found = self.found.pop(name, None)
        if not self.went_without and (found is None or not (found.is_searched or self.is_quick)):
            return found, FINISHED
        if found is not None and found.is_searched and found.draft.stopped == "time":
            return found, min(budget, CUT_SHORT)  # another run may make another
        return found, budget

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
        self.found[planned.name] = _found(fitted, made.best)
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
            how: Any = {"seed": planned.seed, "budget": LEAST_BUDGET, "progress": self.progress}
            (draft,) = fitted.generate(asked, count=1, **how)
        made = finish(draft, fitted.clips, asked, QUICK)
        self.found[planned.name] = _found(fitted, made)
        # Nothing of a preview is a fault: the search that follows says what is missed.
        report = make_report(fitted, asked, planned.seed, (made,), {})
        return Synthesis(made.motion, replace(report, missed=(), faults=()), (made,))

    def _bent(self, fitted: Fitted, asked: ConstraintSet, planned: PlannedSpan) -> Draft | None:
        """What the span was, laid for what is asked; None where that is made quicker anew."""
        known = self.before.get(planned.name)
        if fitted.name != SEARCHED or known is None:
            return None
        piece = known.piece
        found = known.found.draft if known.found else Draft(piece.motion, contacts=piece.contacts)
        return _fit_draft(found, asked, self.posed(piece.motion[:1]))
