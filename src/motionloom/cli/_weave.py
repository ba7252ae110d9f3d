"""``motionloom graph`` and ``synthesize``: motion graphs of clips, and new motions from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Command, Result, Showing, Surveying
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.reports import in_words
from motionloom.workspace.outputs import CastPaths, scene_files, synthesis_files
from motionloom.workspace.shots import find_graph
from motionloom.workspace.writing import check_place, check_state, numbered

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.graph.joining import JoinOptions
    from motionloom.graph.searching.results import SearchOptions
    from motionloom.graph.transitions.options import GraphOptions
    from motionloom.synthesis.driver import SynthesisOptions


class GraphBuildCommand(Command):
    """Build a motion graph, or bring one up to date: only what is new or has changed is computed.

    A build that was stopped goes on where it was.
    """

    clips: Place = fields.clips()
    output: Path | None = fields.output(
        "Where to; else beside the library.", "FOLDER", None, file="beside"
    )
    cluster: str | None = option_field(
        None, "Dask scheduler whose workers find the transitions.", unit="ADDRESS"
    )
    anew: bool = option_field(
        False, "Forget the graph that is there and calibrate anew.", name="--force"
    )
    relative: float | None = option_field(
        None, "0: one threshold for all frames; 1: each frame's own (default)."
    )
    options: GraphOptions = fields.part("motionloom.graph.transitions.options", "tau", "step")
    reading: ReadOptions = fields.reading("only", "without", "roles", "mirror", "fps")

    @property
    def folder(self) -> Path:
        """Where the graph is kept."""
        folder = self.output or self.clips.graph
        if folder is None:
            raise InvalidInputError(
                "a graph of clips needs a folder to be kept in; name it with -o FOLDER"
            )
        return folder

    def outputs(self) -> Iterable[Path]:
        """Nothing that a runner checks: the folder is one of ours or none."""
        from motionloom.graph.storage.disk import HEAD, check_graph_folder

        check_place(self.folder / HEAD)
        check_graph_folder(self.folder, self.anew)
        return ()

    def make(self, progress: Progress) -> Result:
        """Build it."""
        from motionloom.graph.storage.disk import build_on_disk
        from motionloom.graph.transitions.options import GraphOptions

        clips = read_clip_set(self.clips, self.reading, progress, say)
        options: GraphOptions | None = self.options
        if self.relative is not None:
            options = replace(self.options, relative=self.relative)
        elif options == GraphOptions():
            options = None  # the graph that is there keeps its options
        told = self.values_of("cluster", "anew")
        done = build_on_disk(clips, self.folder, options, progress=progress, **told)
        report = done.graph.report
        say(f"wrote {self.folder}: {in_words(done)}")
        text = (
            f"{clips.n_clips} clips, {clips.n_frames} frames, {report.n_edges} transitions,"
            f" {report.n_roots} at the coarsest level; {100 * report.kept_share:.0f} % of the"
            " frames in the largest connected part\n"
        )
        return Result(notes=(*clips.notes, *done.notes, *report.notes), text=text)


class GraphReportCommand(Surveying):
    """Say how the clips hang together, which speeds and turns they cover, and what nobody does."""

    clips: Place = fields.clips()
    graph: Path | None = fields.graph_folder()
    png: Path | None = fields.picture("Draw it: transitions, speeds and turns, clips.")
    reading: ReadOptions = fields.reading("only", "without", "roles", "mirror", "fps")

    def make(self, progress: Progress) -> Result:
        """Survey it."""
        from motionloom.graph.overview.picture import write_overview_picture
        from motionloom.graph.overview.survey import report_overview, survey_graph
        from motionloom.graph.storage.disk import open_on_disk
        from motionloom.graph.transitions.build import build_graph

        clips = read_clip_set(self.clips, self.reading, progress, say)
        folder = find_graph(self.clips, self.graph, say)
        if folder is None:
            overview = survey_graph(build_graph(clips, progress=progress))
        else:
            overview = survey_graph(open_on_disk(clips, folder, progress=progress))
        files = {"png": partial(write_overview_picture, overview)}
        return Result(report_overview(overview), files)


#: The generator that is used unless another is asked for.
GRAPH = "graph"


class SynthesizeCommand(Showing):
    """Weave a motion out of CLIPS that meets a constraint file. Ctrl-C ends the search with the
    best found so far.
    """

    clips: Place = fields.clips()
    constraints: Path = fields.constraint_file()
    output: Path = fields.motion_output(".bvh, .glb, .fbx, .usda, .amc")
    labels: Path | None = fields.read_file("Labels of clips, for styles.")
    graph: Path | None = fields.graph_folder()
    generator: str = option_field(GRAPH, "Method that makes the motion.", unit="NAME")
    synthesis: SynthesisOptions = fields.part(
        "motionloom.synthesis.driver", "seed", "budget", "alternatives"
    )
    search: SearchOptions = fields.part("motionloom.graph.searching.results", "restarts", "workers")
    state: Path | None = option_field(
        None,
        "Go on from this state if it exists, and keep it up to date.",
        unit="FILE.npz",
        file="kept",
    )
    join: JoinOptions = fields.part("motionloom.graph.joining", "method")
    own_pace: bool = option_field(False, "Show all clips at their own pace.")
    gait: Path | None = fields.read_file(
        "Gait space of 'gait fit': steps of clips shown at another pace change as it says; with"
        " --generator gait, the gait itself.",
        "MODEL.npz",
    )
    physics: bool = option_field(False, "Correct the result: feet, balance, flights that fall.")
    bridge: bool = option_field(False, "Fill changes that no clip shows, as learned from CLIPS.")
    bridge_model: Path | None = fields.read_file(
        "The same, as 'inbetween fit' has learned.", "MODEL.npz"
    )
    idle: Path | None = fields.read_file("Fill waiting, as 'idle fit' has learned it.", "MODEL.npz")
    costs: Path | None = fields.read_file(
        "Python file that registers costs; it is executed.", "FILE.py"
    )
    trust_paths: bool = option_field(
        False, "Let the constraint file name height maps outside of its folder."
    )
    reading: ReadOptions = fields.reading("only", "without", "roles", "mirror")

    @cached_property
    def asked(self) -> Any:
        """What is asked for: a `ConstraintSet`, or `SceneConstraints`."""
        from motionloom.constraints.scene import read_any

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
        from motionloom.jobs.synthesizing import SynthesizeOptions

        SynthesizeOptions(**self._told).check(self.generator)
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

    @property
    def _told(self) -> dict[str, Any]:
        """What the library is told, by the names of its options."""
        own = ("gait", "physics", "bridge", "bridge_model", "idle", "own_pace", "state", "graph")
        parts = {**vars(self.search), **vars(self.synthesis)}
        of_parts = ("seed", "budget", "alternatives", "restarts", "workers")
        labels = () if self.labels is None else self.labels
        told = {"blend": self.join.method, "labels": labels}
        return {**self.values_of(*own), **{name: parts[name] for name in of_parts}, **told}

    def _refuse_unhonoured(self) -> None:
        from motionloom.constraints.files import names_in
        from motionloom.constraints.kinds.table import refuse_unhonoured
        from motionloom.synthesis.generator import find_generator

        honours = find_generator(self.generator).honours
        what, advice = "a motion", {}
        if self.generator != GRAPH:
            # Who asks for a motion already is not told to ask for one.
            what = f"the generator {self.generator!r}"
            advice = {"advice": "leave it out, or take another generator (--generator)"}
        with names_in(self.constraints):
            for one in self.cast.values() or (self.asked,):
                refuse_unhonoured(one, what, honours, **advice)

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        motions = [numbered(self.output, i) for i in range(self.synthesis.alternatives)]
        beside = [p for p in (self.report, self.html, self.png) if p is not None]
        return [*(self._paths.all if self.cast else motions), *beside]

    def make(self, progress: Progress) -> Result:
        """Make it."""
        from motionloom.constraints.files import names_in
        from motionloom.io.registry import check_save
        from motionloom.jobs.synthesizing import synthesize
        from motionloom.synthesis.costs import load_costs

        if self.costs is not None:
            load_costs(self.costs)
        if self.state is not None:
            check_state(self.state)
        reading = replace(self.reading, fps=self.asked.fps)
        names = {"only": reading.only, "without": reading.without}
        told = {**self._told, **names, "generator": self.generator, "progress": progress}
        if self.generator == GRAPH and not (self.bridge or self.bridge_model):
            # Bridges are added to a graph that is built.
            told["graph"] = find_graph(self.clips, self.graph, say)
        clips = read_clip_set(self.clips, reading, progress, say)
        check_save(clips.motions[0], self.output, reading.skeleton)
        with names_in(self.constraints):
            made = synthesize(clips, self.asked, **told)
        if self.cast:
            return Result(made.report, scene_files(made.details, self._paths, progress))
        paths = [numbered(self.output, i) for i in range(len(made.details.finished))]
        files = synthesis_files(made.details, self.asked, paths, progress, reading.skeleton)
        return Result(made.report, files)
