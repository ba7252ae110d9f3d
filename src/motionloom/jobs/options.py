"""What a synthesis can be told, by the words of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.clips.label_files import read_labels
from motionloom.clips.labels import Label
from motionloom.errors import InvalidInputError
from motionloom.io.result import Learned, model_of
from motionloom.synthesis.driver import SynthesisOptions
from motionloom.synthesis.finish import FinishOptions

if TYPE_CHECKING:
    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.graph.pacing.plan import PaceOptions

Model = str | PathLike[str] | Learned
#: The generator that is used unless another is asked for.
GRAPH = "graph"


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
        if self._bridges:
            raise InvalidInputError(
                f"bridges are for the motion graph, not for the generator {generator!r}; leave one"
                " of them out"
            )
        if self.gait is not None and generator != "gait":
            raise InvalidInputError(
                f"a gait space is for the motion graph and for gait, not for the generator"
                f" {generator!r}; leave one of them out"
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
        from motionloom.graph.joining.join import JoinOptions
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
        from motionloom.gait.paces import pace_model_of
        from motionloom.gait.space.space import GaitSpace
        from motionloom.gait.store import load_gait
        from motionloom.graph.pacing.plan import PaceOptions

        if self.gait is None:
            return PaceOptions()
        return PaceOptions(model=pace_model_of(model_of(self.gait, load_gait, GaitSpace)))

    def _finish(self) -> FinishOptions:
        from motionloom.idle.bodies.continuing import WaitingIdle
        from motionloom.idle.model import IdleModel
        from motionloom.idle.store import load_idle
        from motionloom.physics.correct import make_finisher
        from motionloom.physics.quality import physical_terms
        from motionloom.synthesis.waiting import WaitingOptions

        finish = FinishOptions(terms=physical_terms)
        if self.idle is not None:
            idle = WaitingIdle(model_of(self.idle, load_idle, IdleModel))
            finish = replace(finish, waiting=WaitingOptions(idle, seed=self.seed))
        return replace(finish, processor=make_finisher()) if self.physics else finish


def _file_of(model: Model) -> Path:
    if isinstance(model, Learned):
        raise InvalidInputError("gait: the generator 'gait' reads its model from a file; save it")
    return Path(model)
