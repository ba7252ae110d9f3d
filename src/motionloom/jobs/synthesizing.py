"""What a synthesis can be told, by the words of the command line.

Clips and constraints in, a new motion out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.clips.label_files import read_labels
from motionloom.clips.labels import Label, find_unused
from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import constraints_of, in_mapping, names_in
from motionloom.constraints.scene import SceneConstraints, check_scene, read_any
from motionloom.errors import InvalidInputError
from motionloom.io.document import Document
from motionloom.io.result import Learned, Result, model_of
from motionloom.options import take_options
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, clip_set_of
from motionloom.synthesis.driver import Synthesis, SynthesisOptions
from motionloom.synthesis.driver import synthesize as weave
from motionloom.synthesis.finish import FinishOptions
from motionloom.synthesis.generator import Fitted

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.graph.pacing.plan import PaceOptions

Model = str | PathLike[str] | Learned
#: The generator that is used unless another is asked for.
GRAPH = "graph"

Asked = ConstraintSet | SceneConstraints


def synthesize(
    clips: Clips | Fitted,
    constraints: Asked | Mapping[str, Any] | str | PathLike[str],
    *,
    generator: str = GRAPH,
    progress: Progress = silent,
    **options: Any,
) -> Result:
    """Make a motion out of clips that meets constraints.

    Parameters
    ----------
    clips : path-like, Motion, ClipSet, Fitted, or sequence of path-like and Motion
        Clips of one skeleton: files, folders, patterns, a library, or what is loaded. What
        `motionloom.synthesis.fit_generator` made of them saves learning again.
    constraints : ConstraintSet, SceneConstraints, mapping or path-like
        What the motion is to meet: a file, or the fields of one. With ``characters`` it is a scene
        of several.
    generator : str
        Method: ``"graph"``, ``"inbetween"``, ``"gait"``, ``"model"``, ``"idle"``, or a plug-in's.
    progress : Progress
        Told of every stage; Ctrl-C ends the search with the best motion found so far.
    **options
        Fields of `motionloom.jobs.synthesizing.SynthesizeOptions`: `seed`, `budget` (seconds),
        `alternatives`, `labels`, `mirror`, `physics`, `idle`, `gait`, `bridge`, `graph`, `blend`,
        `restarts`, `workers`, `own_pace` ...; and of `motionloom.reading.ReadOptions`: `roles`,
        `only`, `without`, `unit` ...

    Returns
    -------
    Result
        Of a scene with a motion for each character; `details` is the `Synthesis` or `Scene`.

    Raises
    ------
    FormatError
        When a file cannot be read; the sentence has its line.
    InvalidInputError
        When the clips do not share a skeleton, or the generator cannot honour a constraint.
    UnknownNameError
        When a constraint names a joint, clip, label or cost that does not exist.
    SynthesisError
        When no motion of that duration can be made of the clips.

    Notes
    -----
    The motion graph is that of Kovar, Gleicher & Pighin (2002); other generators name theirs.

    Examples
    --------
    >>> wish = {
    ...     "duration": 3.0,
    ...     "body": [{"time": 0.0, "position": [0, 0]}, {"time": 3.0, "position": [0, 2.5]}],
    ... }
    >>> result = ml.synthesize(demo / "clips", wish, seed=1, budget=0.5)
    >>> result.motion.duration, result.problems
    (3.0, ())
    >>> result.save("ahead.bvh")
    """
    how = take_options(SynthesizeOptions, options)
    reading = ReadOptions(**options, mirror=how.mirror)
    wanted = how.to_options(generator)
    asked = _asked(constraints)
    with names_in(constraints):
        if _is_fitted(clips):
            if options or wanted.labels or wanted.mirror:
                raise InvalidInputError(
                    "what is fitted has its roles, labels and mirrored copies; leave them out"
                )
            ready: Any = clips
        else:
            ready = clip_set_of(clips, replace(reading, fps=asked.fps), progress)
            if not (reading.only or reading.without):
                named = how.labels if isinstance(how.labels, (str, PathLike)) else "labels"
                unused = find_unused(wanted.labels, ready.names)
                where = fspath(named)
                warn((f"{where}: no clip is called {name!r}" for name in unused), as_warning)
        if isinstance(asked, SceneConstraints):
            return _scene(ready, asked, wanted, progress, generator)
        made: Synthesis = weave(ready, asked, wanted, progress=progress, generator=generator)
    return Result({made.motion.name or "motion": made.motion}, made.report, made, asked)


def _is_fitted(clips: Clips | Fitted) -> TypeIs[Fitted]:
    return hasattr(clips, "generate")


def _asked(given: Asked | Mapping[str, Any] | str | PathLike[str]) -> Asked:
    if isinstance(given, (str, PathLike)):
        return read_any(given)
    if isinstance(given, SceneConstraints):
        return given
    if isinstance(given, Mapping) and "characters" in given:
        with in_mapping():
            return check_scene(Document(dict(given), {}), "scene")
    return constraints_of(given)


def _scene(
    clips: Any, asked: SceneConstraints, options: Any, progress: Progress, generator: str
) -> Result:
    from motionloom.scene import fit_cast, synthesize_scene
    from motionloom.synthesis.measure import check_names

    if _is_fitted(clips):
        cast = dict.fromkeys(asked.characters, clips)
    else:
        for character in asked.characters.values():
            check_names(character, clips, options.labels)
        cast = fit_cast(clips, asked, options, progress, generator=generator)
    made = synthesize_scene(cast, asked, options, progress)
    return Result(made.motions, made.report, made, asked)


@dataclass(frozen=True, kw_only=True)
class SynthesizeOptions:
    """Options of `motionloom.synthesize`.

    Parameters
    ----------
    seed : int
        The same options, clips and seed give the same motion.
    budget : float, seconds
        How long to search.
    alternatives : int
        Most motions made.
    labels : path-like or sequence of Label
        Labels of clips, for constraints of style.
    mirror : bool
        Whether mirrored copies of the clips may be used, too.
    graph : path-like, optional
        Folder of a motion graph on disk.
    blend : str
        How pieces are joined: ``"displacement"``, ``"crossfade"`` or ``"inertialize"``.
    restarts : int
        Independent searches, each with the whole budget.
    workers : int
        Processes that share the searches.
    state : path-like, optional
        Go on from this state if it exists, and keep it up to date.
    own_pace : bool
        Show all clips at their own pace.
    gait : path-like or Learned, optional
        Gait space of `motionloom.gait.fit`: steps of clips that are shown at another pace change as
        it says; with the generator ``"gait"`` the gait itself.
    idle : path-like or Learned, optional
        Idle model that fills waiting.
    bridge : bool
        Fill transitions that no clip shows, as learned from the clips.
    bridge_model : path-like, optional
        The same, by a model in a file.
    physics : bool
        Correct the result: feet, balance, flights that fall.
    """

    seed: int = 0
    budget: float = 5.0
    alternatives: int = 1
    labels: str | PathLike[str] | Sequence[Label] = ()
    mirror: bool = False
    graph: str | PathLike[str] | None = None
    blend: str = "displacement"
    restarts: int = 1
    workers: int = 1
    state: str | PathLike[str] | None = None
    own_pace: bool = False
    gait: Model | None = None
    idle: Model | None = None
    bridge: bool = False
    bridge_model: str | PathLike[str] | None = None
    physics: bool = False

    def to_options(self, generator: str) -> SynthesisOptions:
        """Options of every stage for a generator.

        Parameters
        ----------
        generator : str
            Name of the method.

        Returns
        -------
        SynthesisOptions

        Raises
        ------
        InvalidInputError
            When an option is for another generator.
        """
        labels = self.labels
        return SynthesisOptions(
            seed=self.seed,
            budget=self.budget,
            alternatives=self.alternatives,
            generator=self._of_generator(generator),
            finish=self._finish(),
            labels=read_labels(labels) if isinstance(labels, (str, PathLike)) else tuple(labels),
            mirror=self.mirror,
        )

    def check(self, generator: str) -> None:
        """Refuse options that are not for a generator, or not for each other.

        Parameters
        ----------
        generator : str
            Name of the method.

        Raises
        ------
        InvalidInputError
            With the names of the options.
        """
        if self._bridges and self.graph is not None:
            raise InvalidInputError(
                f"{self.graph}: a graph on disk has no bridges; leave one of them out, and the"
                " graph is built of the clips"
            )
        if generator == GRAPH:
            return
        others = {
            "bridges are for the motion graph": self._bridges,
            "a gait space is for the motion graph and for gait": self.gait is not None
            and generator != "gait",
        }
        for what in (what for what, is_given in others.items() if is_given):
            raise InvalidInputError(
                f"{what}, not for the generator {generator!r}; leave one of them out"
            )
        plain = SynthesizeOptions()
        only = ("graph", "blend", "restarts", "workers", "state", "own_pace")
        given = [name for name in only if getattr(self, name) != getattr(plain, name)]
        if given:
            raise InvalidInputError(
                f"{', '.join(given)}: not for the generator {generator!r}; leave it out"
            )

    @property
    def _bridges(self) -> bool:
        return self.bridge or self.bridge_model is not None

    def _of_generator(self, generator: str) -> Any:
        self.check(generator)
        if generator == GRAPH:
            return self._of_graph()
        if self.gait is None:
            return None
        from motionloom.gait.generator import GaitGeneratorOptions

        return GaitGeneratorOptions(model=_file_of(self.gait))

    def _of_graph(self) -> GraphGeneratorOptions:
        from motionloom.graph.bridging.options import BridgeOptions
        from motionloom.graph.generator import GraphGeneratorOptions
        from motionloom.graph.joining import JoinOptions
        from motionloom.graph.searching.search import SearchOptions
        from motionloom.inbetween.generator import InbetweenGeneratorOptions

        state = None if self.state is None else Path(self.state)
        options = GraphGeneratorOptions(
            folder=None if self.graph is None else Path(self.graph),
            search=SearchOptions(restarts=self.restarts, workers=self.workers, state_file=state),
            join=JoinOptions(method=self.blend),
            pace=None if self.own_pace else self._pace(),
        )
        if not self._bridges:
            return options
        model = None if self.bridge_model is None else Path(self.bridge_model)
        return replace(options, bridging=BridgeOptions(fitting=InbetweenGeneratorOptions(model)))

    def _pace(self) -> PaceOptions:
        from motionloom.gait.space.space import GaitSpace
        from motionloom.gait.store import load_gait
        from motionloom.gait.survey import pace_model_of
        from motionloom.graph.pacing.plan import PaceOptions

        if self.gait is None:
            return PaceOptions()
        return PaceOptions(model=pace_model_of(model_of(self.gait, load_gait, GaitSpace)))

    def _finish(self) -> FinishOptions:
        from motionloom.idle.continuing import WaitingIdle
        from motionloom.idle.model import IdleModel
        from motionloom.idle.store import load_idle
        from motionloom.physics.correct import finish_by_physics
        from motionloom.physics.quality import physical_terms
        from motionloom.synthesis.waiting import WaitingOptions

        finish = FinishOptions(terms=physical_terms)
        if self.idle is not None:
            idle = WaitingIdle(model_of(self.idle, load_idle, IdleModel))
            finish = replace(finish, waiting=WaitingOptions(idle, seed=self.seed))
        return replace(finish, processor=finish_by_physics) if self.physics else finish


def _file_of(model: Model) -> Path:
    if isinstance(model, Learned):
        raise InvalidInputError("gait: the generator 'gait' reads its model from a file; save it")
    return Path(model)
