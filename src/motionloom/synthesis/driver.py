"""The main job as one call: clips and constraints in, a motion that meets them and a report out.

Written once for all generators: refuse what cannot be honoured, check names, fit, generate, finish,
measure, explain, report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from motionloom.analysis.contacts import ContactOptions
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.clips.labels import Label, label_clips
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.table import refuse_unhonoured
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion, length_of
from motionloom.options import check_options, option_field
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom.synthesis.finish import Finished, FinishOptions, finish
from motionloom.synthesis.generator import Draft, Fitted, find_generator
from motionloom.synthesis.measure import check_names
from motionloom.synthesis.report import SynthesisReport, faults_of, make_report
from motionloom.threads import one_thread

if TYPE_CHECKING:
    from typing_extensions import TypeIs

#: Further drafts that are looked at where those asked for are not clean.
_SPARE = 6


@dataclass(frozen=True)
class SynthesisOptions:
    """Options of every stage.

    Parameters
    ----------
    seed : int
        The same options, clips and seed give the same motion, bit by bit, unless the search was cut
        short.
    budget : float, seconds
        How long to search; counted so that the result does not depend on the machine.
    alternatives : int
        Most motions made.
    generator : object, optional
        Options of the generator, such as `GraphGeneratorOptions`.
    finish : FinishOptions
        How a draft is made exact and its feet locked.
    contacts : ContactOptions
        Thresholds of contact in the clips.
    labels : tuple of Label
        Of the clips, for constraints of style.
    mirror : bool
        Whether mirrored copies of the clips may be used too.

    Raises
    ------
    InvalidInputError
        When the number of alternatives or the budget is not positive.

    Examples
    --------
    >>> SynthesisOptions(budget=-1.0)
    Traceback (most recent call last):
    motionloom.errors.InvalidInputError: budget: expected seconds above 0, got -1
    """

    seed: int = option_field(0, "The same seed gives the same result.", minimum=0)
    budget: float = option_field(5.0, "How long to search.", unit="SECONDS", above=0)
    alternatives: int = option_field(
        1, "Most motions to write: OUT, OUT-2 ...", minimum=1, maximum=20
    )
    generator: Any = None
    finish: FinishOptions = field(default_factory=FinishOptions)
    contacts: ContactOptions = field(default_factory=ContactOptions)
    labels: tuple[Label, ...] = ()
    mirror: bool = False

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, eq=False)
class Synthesis:
    """A synthesized motion.

    Parameters
    ----------
    motion : Motion
        The best motion found.
    report : SynthesisReport
        Its diagnosis.
    finished : tuple of Finished
        All motions that answer the constraints, best first; the first is `motion`.
    """

    motion: Motion
    report: SynthesisReport
    finished: tuple[Finished, ...]

    @property
    def best(self) -> Finished:
        """The best motion with its diagnosis."""
        return self.finished[0]

    def __repr__(self) -> str:
        problems = self.report.problems
        met = f"{len(problems)} problems; the first: {problems[0]}" if problems else "no problems"
        others = f"{len(self.finished) - 1} alternatives"
        return (
            f"<Synthesis by {self.report.generator!r}: {length_of(self.motion)}, {others}\n"
            f"  score {self.report.score:.4g}, {met}>"
        )

    def _repr_html_(self) -> str:
        return self.motion._repr_html_()


@one_thread()
def fit_generator(
    clips: Sequence[Motion] | ClipSet,
    fps: float | None = None,
    generator: str = "graph",
    options: SynthesisOptions | None = None,
    roles: Roles | None = None,
    progress: Progress = silent,
) -> Fitted:
    """Let a generator learn from clips, to solve several constraint sets in a row with it.

    Parameters
    ----------
    clips : sequence of Motion, or ClipSet
        Clips of one skeleton.
    fps : float, optional
        Frames per second at which motions will be made; the lowest of the clips' when not given. A
        clip set has its own.
    generator : str
        Name of the method.
    options : SynthesisOptions, optional
        Those of the generator, contacts, labels and mirroring count.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.
    progress : Progress
        Told of every clip and of the generator's own stages.

    Returns
    -------
    Fitted

    Raises
    ------
    InvalidInputError
        When there is no such generator, the clips do not share a skeleton, or one is too short.
    SynthesisError
        When nothing can be learned from the clips.

    Examples
    --------
    >>> fitted = fit_generator([ml.load(demo / "clips/stand.bvh")], generator="idle")
    >>> "still" in fitted.honours
    True
    """
    options = options or SynthesisOptions()
    method = find_generator(generator)
    if not isinstance(clips, ClipSet):
        clips = make_clip_set(clips, fps, roles, progress, mirror=options.mirror)
    if options.labels:
        clips = label_clips(clips, options.labels)
    analysed = analyse_clips(clips, options.contacts, progress)
    return method.fit(analysed, options.generator, progress)


@one_thread()
def synthesize(
    clips: Sequence[Motion] | ClipSet | Fitted,
    constraints: ConstraintSet,
    options: SynthesisOptions | None = None,
    roles: Roles | None = None,
    progress: Progress = silent,
    *,
    generator: str = "graph",
) -> Synthesis:
    """Make a motion that meets constraints.

    Parameters
    ----------
    clips : sequence of Motion, ClipSet, or Fitted
        Clips of one skeleton; or what `fit_generator` made of them, to solve several constraint
        sets in a row.
    constraints : ConstraintSet
        What the motion is to meet.
    options : SynthesisOptions, optional
        Seed, budget and options of every stage.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.
    progress : Progress
        Ctrl-C during the search ends it with the best motion found so far.
    generator : str
        Which method to use, where it is not fitted yet.

    Returns
    -------
    Synthesis

    Raises
    ------
    InvalidInputError
        When the clips do not share a skeleton or one is too short, or the generator cannot honour a
        constraint.
    UnknownNameError
        When a constraint names a joint, clip, label or cost that does not exist.
    SynthesisError
        When no motion of that duration can be made of the clips.
    """
    options = options or SynthesisOptions()
    if constraints.ground and options.finish.processor is None:
        raise InvalidInputError(
            "ground: motions are made on level ground, and nothing takes them onto this; leave it"
            " out, or correct the motion by physics",
            hint="correct on ground",
            field="ground",
        )
    times: dict[str, float] = {}
    began = perf_counter()
    if _is_fitted(clips):
        fitted = clips
        refuse_unhonoured(constraints, fitted.name, fitted.honours)
    else:
        refuse_unhonoured(constraints, generator, find_generator(generator).honours)
        clip_set = clips
        if not isinstance(clip_set, ClipSet):
            mirror = options.mirror
            clip_set = make_clip_set(clip_set, constraints.fps, roles, progress, mirror=mirror)
        # A name that is wrong need not wait for the fit.
        check_names(constraints, clip_set, options.labels)
        fitted = fit_generator(clip_set, None, generator, options, None, progress)
        times["fit"] = perf_counter() - began
    check_names(constraints, fitted.clips.clip_set)
    began = perf_counter()
    drafts = fitted.generate(
        constraints,
        seed=options.seed,
        budget=options.budget,
        count=options.alternatives + _SPARE,
        progress=progress,
    )
    times["generate"] = perf_counter() - began
    began = perf_counter()
    made = _finish_all(fitted, drafts, constraints, options, progress)
    times["finish"] = perf_counter() - began
    report = make_report(fitted, constraints, options.seed, made, times, options.finish.terms)
    return Synthesis(made[0].motion, report, tuple(made))


def _finish_all(
    fitted: Fitted,
    drafts: Sequence[Draft],
    constraints: ConstraintSet,
    options: SynthesisOptions,
    progress: Progress,
) -> list[Finished]:
    """The best drafts finished; where the very best is not clean, the next that is comes first."""
    made: list[Finished] = []

    def is_clean(one: Finished) -> bool:
        # Who misses more than the best is no better, however it moves.
        if _missed(one) > _missed(made[0]):
            return False
        return not faults_of(one, fitted.clips, constraints.fps)

    for i, draft in enumerate(drafts):
        enough = i >= options.alternatives
        if enough and any(is_clean(one) for one in made):
            break
        progress("finishing", i, len(drafts))
        made.append(finish(draft, fitted.clips, constraints, options.finish))
    progress("finishing", len(drafts), len(drafts))
    clean = next((one for one in made if is_clean(one)), None)
    if clean is not None:
        made.remove(clean)
        made.insert(0, clean)
    return made[: options.alternatives]


def _missed(one: Finished) -> int:
    """How many constraints are missed."""
    return sum(bool(error.amount()) for error in one.errors_after)


def _is_fitted(clips: Sequence[Motion] | ClipSet | Fitted) -> TypeIs[Fitted]:
    return hasattr(clips, "generate")
