"""``motionloom synthesize``: clips and a constraint file in, a new motion out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.command import Result, Showing
from motionloom.cli.console import say
from motionloom.cli.fields import (
    clips,
    constraint_file,
    graph_folder,
    motion_output,
    part,
    read_file,
    reading,
)
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.workspace.checks import check_state, numbered
from motionloom.workspace.outputs import CastPaths, scene_files, synthesis_files
from motionloom.workspace.places import find_graph
from motionloom.workspace.tell import warn_unused

if TYPE_CHECKING:
    from motionloom.clips.clip_set import ClipSet
    from motionloom.constraints import ConstraintSet
    from motionloom.graph.bridging.options import BridgeOptions
    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.graph.joining.join import JoinOptions
    from motionloom.graph.pacing.plan import PaceOptions
    from motionloom.graph.searching.results import SearchOptions
    from motionloom.synthesis.driver import SynthesisOptions
    from motionloom.synthesis.finish import FinishOptions

#: The generator that is used unless another is asked for.
GRAPH = "graph"


class Synthesize(Showing):
    """Weave a motion out of CLIPS that meets a constraint file. Ctrl-C ends the search with the
    best found so far.
    """

    clips: Place = clips()
    constraints: Path = constraint_file()
    output: Path = motion_output(".bvh, .glb, .fbx, .usda, .amc")
    labels: Path | None = read_file("Labels of clips, for styles.")
    graph: Path | None = graph_folder()
    generator: str = option_field(GRAPH, "Method that makes the motion.", unit="NAME")
    synthesis: SynthesisOptions = part(
        "motionloom.synthesis.driver", "seed", "budget", "alternatives"
    )
    search: SearchOptions = part("motionloom.graph.searching.results", "restarts", "workers")
    state: Path | None = option_field(
        None,
        "Go on from this state if it exists, and keep it up to date.",
        unit="FILE.npz",
        file="kept",
    )
    join: JoinOptions = part("motionloom.graph.joining.join", "method")
    own_pace: bool = option_field(False, "Show all clips at their own pace.")
    gait: Path | None = read_file(
        "Gait space of 'gait fit': steps of clips shown at another pace change as it says; with"
        " --generator gait, the gait itself.",
        "MODEL.npz",
    )
    physics: bool = option_field(False, "Correct the result: feet, balance, flights that fall.")
    bridge: bool = option_field(False, "Fill changes that no clip shows, as learned from CLIPS.")
    bridge_model: Path | None = read_file("The same, as 'inbetween fit' has learned.", "MODEL.npz")
    idle: Path | None = read_file("Fill waiting, as 'idle fit' has learned it.", "MODEL.npz")
    costs: Path | None = read_file("Python file that registers costs; it is executed.", "FILE.py")
    trust_paths: bool = option_field(
        False, "Let the constraint file name height maps outside of its folder."
    )
    reading: ReadOptions = reading("only", "without", "roles", "mirror")

    @cached_property
    def asked(self) -> Any:
        """What is asked for: a `ConstraintSet`, or `SceneConstraints`."""
        from motionloom.constraints.scene_files import read_any

        return read_any(self.constraints, trust_paths=self.trust_paths)

    @cached_property
    def cast(self) -> Mapping[str, ConstraintSet]:
        """What is asked of each character of a scene; empty for one motion."""
        from motionloom.constraints import ConstraintSet

        return {} if isinstance(self.asked, ConstraintSet) else self.asked.characters

    @property
    def _paths(self) -> CastPaths:
        return CastPaths(self.output, tuple(self.cast))

    def check(self) -> None:
        """Refuse what the generator cannot honour, and what scenes have not."""
        self._refuse_bridges()
        self._refuse_unhonoured()
        if self.cast and self.synthesis.alternatives > 1:
            raise InvalidInputError(
                "of a scene one motion each is written, so there are no alternatives; ask for one"
            )
        if self.cast and self.state is not None:
            raise InvalidInputError(
                f"{self.state}: a search is kept for one motion, not for a scene of several; leave"
                " it out"
            )

    def _refuse_bridges(self) -> None:
        if self._bridges and self.graph is not None:
            raise InvalidInputError(
                f"{self.graph}: a graph on disk has no bridges; leave one of them out, and the"
                " graph is built of the clips"
            )
        if self._bridges and self.generator != GRAPH:
            raise InvalidInputError(
                f"bridges are for the motion graph, not for the generator {self.generator!r}; leave"
                " one of them out"
            )

    def _refuse_unhonoured(self) -> None:
        from motionloom.constraints.files import names_in
        from motionloom.constraints.kinds.table import refuse_unhonoured
        from motionloom.synthesis.generator import find_generator

        honours = find_generator(self.generator).honours
        with names_in(self.constraints):
            for one in self.cast.values() or (self.asked,):
                if self.generator == GRAPH:
                    refuse_unhonoured(one, "a motion", honours)
                else:
                    # Who asks for a motion already is not told to ask for one.
                    other = "leave it out, or take another generator (--generator)"
                    named = f"the generator {self.generator!r}"
                    refuse_unhonoured(one, named, honours, advice=other)

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        count = self.synthesis.alternatives
        motions = [numbered(self.output, i) for i in range(count)]
        beside = [p for p in (self.report, self.html, self.png) if p is not None]
        return [*(self._paths.all if self.cast else motions), *beside]

    def make(self, progress: Progress) -> Result:
        """Make it."""
        from motionloom.constraints.files import names_in
        from motionloom.io.registry import check_save
        from motionloom.synthesis.costs import load_costs
        from motionloom.synthesis.driver import synthesize

        if self.costs is not None:
            load_costs(self.costs)
        if self.state is not None:
            check_state(self.state)
        options = self._options()
        reading = replace(self.reading, fps=self.asked.fps)
        clips = read_clip_set(self.clips, reading, progress, say)
        if self.labels is not None and not (reading.only or reading.without):
            warn_unused(self.labels, options.labels, clips.names, say)
        check_save(clips.motions[0], self.output, reading.skeleton)
        with names_in(self.constraints):
            if self.cast:
                return self._make_scene(clips, options, progress)
            made = synthesize(
                clips, self.asked, options, progress=progress, generator=self.generator
            )
        paths = [numbered(self.output, i) for i in range(len(made.finished))]
        files = synthesis_files(made, self.asked, paths, progress, reading.skeleton)
        return Result(made.report, files)

    def _make_scene(self, clips: ClipSet, options: SynthesisOptions, progress: Progress) -> Result:
        from motionloom.scene.solve import fit_cast, synthesize_scene
        from motionloom.synthesis.measure import check_names

        for character in self.cast.values():
            check_names(character, clips, options.labels)
        cast = fit_cast(clips, self.asked, options, progress=progress, generator=self.generator)
        scene = synthesize_scene(cast, self.asked, options, None, progress)
        return Result(scene.report, scene_files(scene, self._paths, progress))

    @property
    def _bridges(self) -> bool:
        """Whether changes that no clip shows are filled."""
        return self.bridge or self.bridge_model is not None

    def _options(self) -> SynthesisOptions:
        from motionloom.clips.label_files import read_labels

        return replace(
            self.synthesis,
            finish=self._finish(),
            generator=self._of_generator(),
            labels=() if self.labels is None else read_labels(self.labels),
        )

    def _of_generator(self) -> object:
        """Options of the generator; None for one that has none here."""
        if self.generator == GRAPH:
            return self._of_graph()
        if self.gait is None:
            return None
        if self.generator != "gait":
            raise InvalidInputError(
                f"a gait space is for the motion graph and for gait, not for the generator"
                f" {self.generator!r}; leave one of them out"
            )
        from motionloom.gait.generator import GaitGeneratorOptions

        return GaitGeneratorOptions(model=self.gait)

    def _finish(self) -> FinishOptions:
        from motionloom.physics.quality import physical_terms
        from motionloom.synthesis.finish import FinishOptions

        finish = FinishOptions(terms=physical_terms)
        if self.idle is not None:
            from motionloom.idle.bodies.continuing import WaitingIdle
            from motionloom.idle.store import load_idle
            from motionloom.synthesis.waiting import WaitingOptions

            waiting = WaitingOptions(WaitingIdle(load_idle(self.idle)), seed=self.synthesis.seed)
            finish = replace(finish, waiting=waiting)
        if self.physics:
            from motionloom.physics.correct import make_finisher

            finish = replace(finish, processor=make_finisher())
        return finish

    def _of_graph(self) -> GraphGeneratorOptions:
        from motionloom.graph.generator import GraphGeneratorOptions

        options = GraphGeneratorOptions(
            # Bridges are added to a graph that is built.
            folder=None if self._bridges else find_graph(self.clips, self.graph, say),
            search=replace(self.search, state_file=self.state),
            join=self.join,
            pace=None if self.own_pace else self._pace(),
        )
        return replace(options, bridging=self._bridging()) if self._bridges else options

    def _pace(self) -> PaceOptions:
        from motionloom.graph.pacing.plan import PaceOptions

        if self.gait is None:
            return PaceOptions()
        from motionloom.gait.paces import pace_model_of
        from motionloom.gait.store import load_gait

        return PaceOptions(model=pace_model_of(load_gait(self.gait)))

    def _bridging(self) -> BridgeOptions:
        from motionloom.graph.bridging.options import BridgeOptions
        from motionloom.inbetween.generator import InbetweenGeneratorOptions

        return BridgeOptions(fitting=InbetweenGeneratorOptions(model=self.bridge_model))
