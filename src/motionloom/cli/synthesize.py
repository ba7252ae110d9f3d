"""``motionloom synthesize``: clips and a constraint file in, a new motion out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    ClipSetBlock,
    Constraints,
    Graph,
    Places,
    ResultBlock,
    Seed,
    given,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.places import Place, find_place, tell_skipped
from motionloom.reading import read_clip_set
from motionloom.workspace.checks import check_state
from motionloom.workspace.places import find_graph
from motionloom.workspace.scene_outputs import plan_outputs
from motionloom.workspace.tell import warn_unused
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.scene import SceneConstraints
    from motionloom.graph.bridging.options import BridgeOptions
    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.graph.pacing.plan import PaceOptions
    from motionloom.synthesis.driver import SynthesisOptions
    from motionloom.synthesis.finish import FinishOptions

#: The generator that is used unless another is asked for.
GRAPH = "graph"


@dataclass(frozen=True, kw_only=True)
class SearchBlock:
    """How a motion is searched for."""

    labels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Labels of clips, for styles.")
    ] = None
    graph: Graph = None
    generator: Annotated[
        str, typer.Option(metavar="NAME", help="Method that makes the motion.")
    ] = GRAPH
    seed: Seed = 0
    budget: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long to search; else 5 s.")
    ] = None
    alternatives: Annotated[
        int | None,
        typer.Option(min=1, max=20, help="Most motions to write: OUT, OUT-2 ...; else 1."),
    ] = None
    restarts: Annotated[
        int,
        typer.Option(
            "--seeds", min=1, metavar="N", help="Independent searches, each with the whole budget."
        ),
    ] = 1
    workers: Annotated[
        int, typer.Option(min=1, metavar="M", help="Processes that share the searches.")
    ] = 1
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="Go on from this state if it exists, and keep it up to date."
        ),
    ] = None
    blend: Annotated[
        str | None,
        typer.Option(
            metavar="METHOD",
            help=(
                "How pieces are joined: displacement, crossfade or inertialize; else displacement."
            ),
        ),
    ] = None
    own_pace: Annotated[
        bool, typer.Option("--own-pace", help="Show all clips at their own pace.")
    ] = False
    gait: Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL.npz",
            help=(
                "Gait space of 'gait fit': steps of clips shown at another pace change as it says;"
                " with --generator gait, the gait itself."
            ),
        ),
    ] = None
    physics: Annotated[
        bool,
        typer.Option("--physics", help="Correct the result: feet, balance, flights that fall."),
    ] = False
    bridge: Annotated[
        bool,
        typer.Option("--bridge", help="Fill changes that no clip shows, as learned from CLIPS."),
    ] = False
    bridge_model: Annotated[
        Path | None,
        typer.Option(metavar="MODEL.npz", help="The same, as 'inbetween fit' has learned."),
    ] = None
    idle: Annotated[
        Path | None,
        typer.Option(
            "--idle", metavar="MODEL.npz", help="Fill waiting, as 'idle fit' has learned it."
        ),
    ] = None

    @property
    def bridges(self) -> bool:
        """Whether changes that no clip shows are filled."""
        return self.bridge or self.bridge_model is not None

    def find_graph(self, place: Place) -> Path | None:
        """Folder of the graph to use, if there is one; bridges are added to one that is built."""
        if not self.bridges:
            return find_graph(place, self.graph, say)
        if self.graph is not None:
            raise InvalidInputError(
                f"{self.graph}: a graph on disk has no bridges; leave one of them out, and the"
                " graph is built of the clips"
            )
        return None

    def to_options(self, folder: Path | None) -> SynthesisOptions:
        """Options of the library, for the motion graph in a folder, if there is one."""
        from motionloom.clips.label_files import read_labels
        from motionloom.synthesis.driver import SynthesisOptions

        if self.bridges and self.generator != GRAPH:
            raise InvalidInputError(
                f"bridges are for the motion graph, not for the generator {self.generator!r}; leave"
                " one of them out"
            )
        options = SynthesisOptions(
            **given(seed=self.seed, budget=self.budget, alternatives=self.alternatives)
        )
        return replace(
            options,
            finish=self._finish(),
            generator=self._of_generator(folder),
            labels=() if self.labels is None else read_labels(self.labels),
        )

    def _of_generator(self, folder: Path | None) -> object:
        """Options of the generator; None for one that has none here."""
        if self.generator == GRAPH:
            return self._of_graph(folder)
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

            waiting = WaitingOptions(WaitingIdle(load_idle(self.idle)), seed=self.seed)
            finish = replace(finish, waiting=waiting)
        if self.physics:
            from motionloom.physics.correct import make_finisher

            finish = replace(finish, processor=make_finisher())
        return finish

    def _of_graph(self, folder: Path | None) -> GraphGeneratorOptions:
        from motionloom.graph.generator import GraphGeneratorOptions
        from motionloom.graph.joining.join import JoinOptions
        from motionloom.graph.searching.search import SearchOptions

        search = SearchOptions(restarts=self.restarts, workers=self.workers, state_file=self.state)
        options = GraphGeneratorOptions(
            folder=folder, search=search, join=JoinOptions(**given(method=self.blend))
        )
        if self.bridges:
            options = replace(options, bridging=self._bridging())
        return replace(options, pace=None if self.own_pace else self._pace())

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


@dataclass(frozen=True, kw_only=True)
class TrustBlock:
    """What the constraint file may use."""

    costs: Annotated[
        Path | None,
        typer.Option(metavar="FILE.py", help="Python file that registers costs; it is executed."),
    ] = None
    trust_paths: Annotated[
        bool,
        typer.Option(
            "--trust-paths", help="Let the constraint file name height maps outside of its folder."
        ),
    ] = False


@with_blocks
def synthesize(
    clips: Places,
    constraints: Constraints,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda, .amc."
        ),
    ],
    searching: SearchBlock,
    results: ResultBlock,
    reading: ClipSetBlock,
    trust: TrustBlock,
) -> int:
    """Weave a motion out of CLIPS that meets a constraint file. Ctrl-C ends the search with the
    best found so far.
    """
    from motionloom.constraints.files import names_in
    from motionloom.constraints.scene_files import read_any
    from motionloom.io.registry import check_save
    from motionloom.synthesis.costs import load_costs

    asked = read_any(constraints, trust_paths=trust.trust_paths)
    _refuse_unhonoured(asked, searching.generator, constraints)
    read_options = replace(reading.to_options(), fps=asked.fps)
    found = find_place(clips)
    outputs = plan_outputs(
        output, asked, searching.alternatives, results.report, results.html, results.png
    )
    models = (searching.bridge_model, searching.gait, searching.idle)
    told = (searching.labels, *models, trust.costs)
    beside = [path for path in told if path is not None]
    outputs.check(
        [*found.files, constraints, *read_options.companions, *beside],
        results.force,
        kept=[searching.state],
    )
    if trust.costs is not None:
        load_costs(trust.costs)
    if searching.state is not None:
        check_state(searching.state)
    options = searching.to_options(searching.find_graph(found))
    tell_skipped(found.skipped, say)
    with progress_bars() as progress:
        clip_set = read_clip_set(found, read_options, progress, say)
        if searching.labels is not None and not (read_options.only or read_options.without):
            warn_unused(searching.labels, options.labels, clip_set.names, say)
        check_save(clip_set.motions[0], output, reading.skeleton)
        with names_in(constraints):
            made = outputs.make(
                clip_set,
                options,
                searching.generator,
                Writer(results.force, say),
                progress,
                reading.skeleton,
            )
    print(format_report(made, results.as_json), end="")
    return exit_code_of(made.problems)


def _refuse_unhonoured(asked: ConstraintSet | SceneConstraints, generator: str, file: Path) -> None:
    """Refuse before any work what the generator cannot honour."""
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.files import names_in
    from motionloom.constraints.kinds.table import refuse_unhonoured
    from motionloom.synthesis.generator import find_generator

    honours = find_generator(generator).honours
    with names_in(file):
        for one in (asked,) if isinstance(asked, ConstraintSet) else asked.characters.values():
            if generator == GRAPH:
                refuse_unhonoured(one, "a motion", honours)
            else:
                # Who asks for a motion already is not told to ask for one.
                other = "leave it out, or take another generator (--generator)"
                refuse_unhonoured(one, f"the generator {generator!r}", honours, advice=other)
