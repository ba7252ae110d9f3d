"""``motionloom graph``: motion graphs on disk, and what their clips can and cannot do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli._command import Command, Result, Surveying
from motionloom.cli._fields import clips, graph_folder, output, part, picture, reading
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.reports import in_words
from motionloom.workspace.checks import check_place
from motionloom.workspace.shots import find_graph

if TYPE_CHECKING:
    from motionloom.graph.transitions.options import GraphOptions


class BuildGraph(Command):
    """Build a motion graph, or bring one up to date: only what is new or has changed is computed.

    A build that was stopped goes on where it was.
    """

    clips: Place = clips()
    output: Path | None = output(
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
    options: GraphOptions = part("motionloom.graph.transitions.options", "tau", "step")
    reading: ReadOptions = reading("only", "without", "roles", "mirror", "fps")

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
        options = self.options
        if self.relative is not None:
            options = replace(options, relative=self.relative)
        # Where nothing is given, the graph that is there keeps its options.
        is_given = self.relative is not None or self.options != GraphOptions()
        done = build_on_disk(
            clips,
            self.folder,
            options if is_given else None,
            cluster=self.cluster,
            anew=self.anew,
            progress=progress,
        )
        report = done.graph.report
        say(f"wrote {self.folder}: {in_words(done)}")
        text = (
            f"{clips.n_clips} clips, {clips.n_frames} frames, {report.n_edges} transitions,"
            f" {report.n_roots} at the coarsest level; {100 * report.kept_share:.0f} % of the"
            " frames in the largest connected part\n"
        )
        return Result(notes=(*clips.notes, *done.notes, *report.notes), text=text)


class ReportGraph(Surveying):
    """Say how the clips hang together, which speeds and turns they cover, and what nobody does."""

    clips: Place = clips()
    graph: Path | None = graph_folder()
    png: Path | None = picture("Draw it: transitions, speeds and turns, clips.")
    reading: ReadOptions = reading("only", "without", "roles", "mirror", "fps")

    def make(self, progress: Progress) -> Result:
        """Survey it."""
        from motionloom.graph.overview.picture import write_overview_picture
        from motionloom.graph.overview.survey import report_overview, survey_graph
        from motionloom.graph.storage.disk import open_on_disk
        from motionloom.graph.transitions.build import build_graph

        clips = read_clip_set(self.clips, self.reading, progress, say)
        folder = find_graph(self.clips, self.graph, say)
        made = (
            build_graph(clips, progress=progress)
            if folder is None
            else open_on_disk(clips, folder, progress=progress)
        )
        overview = survey_graph(made)
        files = {"png": lambda path: write_overview_picture(overview, path)}
        return Result(report_overview(overview), files)
