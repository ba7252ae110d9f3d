"""The main job as one call: clips and constraints in, a motion that meets them and a report out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

from motionloom.analysis.contacts import ContactOptions
from motionloom.constraints import ConstraintSet
from motionloom.constraints.honoured import MOTION_REFUSES, refuse
from motionloom.graph.clips import ClipSet, make_clip_set
from motionloom.graph.diagnosis.problems import find_problems
from motionloom.graph.diagnosis.report import Alternative, ConstraintOutcome, PieceUsed, SynthesisReport
from motionloom.graph.finishing.assemble import AssembleOptions, Assembly, assemble
from motionloom.graph.scoring.misses import Adherence, measure_adherence, pose_adherence
from motionloom.graph.scoring.names import check_names
from motionloom.graph.scoring.styles import Label, label_clips
from motionloom.graph.searching.search import Candidate, SearchOptions, SearchResult, search_motion
from motionloom.graph.sources import ClipSources, analyse_clips
from motionloom.graph.splices.build import GraphOptions, MotionGraph, build_graph
from motionloom.graph.storage.disk import open_on_disk
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.motion import Motion, length_of
from motionloom.progress import Progress, silent
from motionloom.roles import Roles


@dataclass(frozen=True)
class SynthesisOptions:
    """Options of every stage.

    Parameters
    ----------
    graph : GraphOptions
    search : SearchOptions
        Seed, budget and number of alternatives among them.
    assemble : AssembleOptions
    contacts : ContactOptions
    labels : tuple of Label
        Of the clips, for constraints of style.
    mirror : bool
        Whether mirrored copies of the clips may be used too.
    """

    graph: GraphOptions = field(default_factory=GraphOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    assemble: AssembleOptions = field(default_factory=AssembleOptions)
    contacts: ContactOptions = field(default_factory=ContactOptions)
    labels: tuple[Label, ...] = ()
    mirror: bool = False


@dataclass(frozen=True, eq=False)
class Prepared:
    """Clips made ready: their motion graph and contacts. Any number of constraint sets can be solved with it.

    Parameters
    ----------
    graph : MotionGraph
    sources : ClipSources
    times : dict of str to float, seconds
    """

    graph: MotionGraph
    sources: ClipSources
    times: dict[str, float]

    def labelled(self, labels: Sequence[Label]) -> Prepared:
        """The same with labels on its clips."""
        clips = label_clips(self.sources.clips, labels)
        return replace(self, graph=replace(self.graph, clips=clips), sources=replace(self.sources, clips=clips))


@dataclass(frozen=True, eq=False)
class Synthesis:
    """A synthesized motion.

    Parameters
    ----------
    motion : Motion
    report : SynthesisReport
    assembly : Assembly
        Seams, contacts and errors of the motion.
    alternatives : tuple of Assembly
        Other motions that answer the same constraints, best first.
    search : SearchResult
        The paths they were made of.
    """

    motion: Motion
    report: SynthesisReport
    assembly: Assembly
    alternatives: tuple[Assembly, ...]
    search: SearchResult

    def __repr__(self) -> str:
        problems = self.report.problems
        met = f"{len(problems)} problems; the first: {problems[0]}" if problems else "no problems"
        return (
            f"<Synthesis: {length_of(self.motion)}, from {len(self.report.pieces)} pieces, "
            f"{len(self.alternatives)} alternatives\n  score {self.report.score:.4g}, {met}>"
        )

    def _repr_html_(self) -> str:
        return self.motion._repr_html_()


def prepare_clips(
    clips: Sequence[Motion],
    fps: float,
    options: SynthesisOptions | None = None,
    roles: Roles | None = None,
    progress: Progress = silent,
) -> Prepared:
    """Make clips ready for synthesis at a frame rate.

    Raises
    ------
    InvalidInputError
        When the clips do not share a skeleton or one is too short.
    SynthesisError
        When no two frames of the clips can be joined.
    """
    mirror = options is not None and options.mirror
    return prepare_clip_set(make_clip_set(clips, fps, roles, progress, mirror=mirror), None, options, progress)


def prepare_clip_set(
    clips: ClipSet,
    folder: Path | None = None,
    options: SynthesisOptions | None = None,
    progress: Progress = silent,
) -> Prepared:
    """Make a clip set ready for synthesis, with the graph that is kept in a folder or with one made for it.

    Parameters
    ----------
    clips : ClipSet
    folder : Path, optional
        Graph on disk; it has its own options. One is made when not given.
    options : SynthesisOptions, optional
    progress : Progress

    Raises
    ------
    FormatError
        When there is no graph in the folder, or clips are not in it or have changed since.
    SynthesisError
        When no two frames of the clips can be joined.
    """
    options = options or SynthesisOptions()
    began = perf_counter()
    sources = analyse_clips(clips, options.contacts, progress)
    built = perf_counter()
    if folder is None:
        graph = build_graph(clips, options.graph, progress)
    else:
        graph = open_on_disk(clips, folder, progress=progress)
    return Prepared(graph, sources, {"clips": built - began, "graph": perf_counter() - built})


def synthesize(
    clips: Sequence[Motion] | Prepared,
    constraints: ConstraintSet,
    options: SynthesisOptions | None = None,
    roles: Roles | None = None,
    progress: Progress = silent,
) -> Synthesis:
    """Make a motion that meets constraints out of pieces of clips.

    Parameters
    ----------
    clips : sequence of Motion, or Prepared
        Clips of one skeleton; or what `prepare_clips` made of them, to solve several constraint sets in a row.
    constraints : ConstraintSet
    options : SynthesisOptions, optional
        The same options, clips and seed give the same motion, bit by bit, unless the search was cut short.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.
    progress : Progress
        Ctrl-C during the search ends it with the best motion found so far.

    Raises
    ------
    InvalidInputError
        When the clips do not share a skeleton or one is too short.
    UnknownNameError
        When a constraint names a joint, clip, label or cost that does not exist.
    SynthesisError
        When the clips cannot be joined, or not to a motion of that duration.
    """
    options = options or SynthesisOptions()
    refuse(constraints, "a motion", MOTION_REFUSES)
    if not isinstance(clips, Prepared):
        clip_set = make_clip_set(clips, constraints.fps, roles, progress)
        check_names(constraints, clip_set, options.labels)  # a name that is wrong need not wait for the graph
        clips = prepare_clip_set(clip_set, None, options, progress)
    check_names(constraints, clips.sources.clips, options.labels)
    if options.labels:
        clips = clips.labelled(options.labels)
    result = search_motion(clips.graph, constraints, options.search, progress=progress)
    began = perf_counter()
    made = []
    for i, found in enumerate(result.alternatives):
        progress("assembling", i, len(result.alternatives))
        made.append(assemble(clips.sources, found.path, found.start, constraints, options.assemble))
    progress("assembling", len(made), len(made))
    times = {**clips.times, "search": result.seconds, "assembly": perf_counter() - began}
    report = make_report(clips, constraints, options.search.seed, result, made, times)
    return Synthesis(made[0].motion, report, made[0], tuple(made[1:]), result)


def make_report(
    prepared: Prepared,
    constraints: ConstraintSet,
    seed: int,
    result: SearchResult,
    made: Sequence[Assembly],
    times: dict[str, float],
) -> SynthesisReport:
    """Report on the best motion of a search, the first one made, with a row for every other."""
    assembly = made[0]
    notes = (*prepared.sources.clips.notes, *_notes(prepared, result))
    kept = _kept(prepared, constraints, result.best, assembly)
    return SynthesisReport(
        seed=seed,
        fps=constraints.fps,
        frames_wanted=constraints.n_frames,
        frames_missing=constraints.n_frames - assembly.motion.n_frames,
        constraints=_outcomes(constraints, assembly),
        pieces=_pieces(prepared, result.best),
        quality=assembly.quality,
        sources=prepared.sources.quality,
        largest_correction=assembly.largest_correction,
        largest_drop=assembly.largest_drop,
        released_contacts=assembly.released,
        score=result.best.score,
        stopped=result.stopped_because,
        alternatives=len(result.alternatives) - 1,
        times=times,
        notes=notes,
        problems=find_problems(prepared.graph, constraints, assembly.errors_after, kept, result.out_of_reach),
        kept=kept,
        rows=tuple(_row(c.score, a) for c, a in zip(result.alternatives, made, strict=True)),
    )


def _kept(
    prepared: Prepared, constraints: ConstraintSet, found: Candidate, assembly: Assembly
) -> tuple[Adherence, ...]:
    """What is asked all along, and the hard poses, measured on the finished motion."""
    clips, pose = prepared.sources.clips, forward_kinematics(assembly.motion)
    body = body_trajectory(pose, clips.roles)
    shown = tuple(
        pose_adherence(clips, assembly.motion, error.frame, error.shows, error.frames) for error in found.poses
    )
    return (*shown, *measure_adherence(clips, constraints, found.path, found.start, pose.positions, body))


def _row(score: float, assembly: Assembly) -> Alternative:
    before, after = (
        (max((e.position for e in errors), default=0.0), max((e.facing or 0.0 for e in errors), default=0.0))
        for errors in (assembly.errors_before, assembly.errors_after)
    )
    quality = assembly.quality
    return Alternative(score, before[0], after[0], before[1], after[1], quality.skate_mean, quality.seam_acceleration)


def _outcomes(constraints: ConstraintSet, assembly: Assembly) -> tuple[ConstraintOutcome, ...]:
    asked = [("body", c.time) for c in constraints.body] + [(c.joint, c.time) for c in constraints.joints]
    return tuple(
        ConstraintOutcome(
            what,
            time,
            before.position,
            after.position,
            before.facing,
            after.facing,
            before.velocity,
            after.velocity,
        )
        for (what, time), before, after in zip(asked, assembly.errors_before, assembly.errors_after, strict=True)
    )


def _pieces(prepared: Prepared, found: Candidate) -> tuple[PieceUsed, ...]:
    clips = prepared.sources.clips
    begins = (0, *found.path.seams)
    return tuple(
        PieceUsed(
            clip=clips.names[p.clip],
            path=clips.motions[p.clip].source.path,
            start=p.start,
            stop=p.stop,
            source_time=(p.start / clips.fps, p.stop / clips.fps),
            time=begin / clips.fps,
        )
        for p, begin in zip(found.path.pieces, begins, strict=True)
    )


def _notes(prepared: Prepared, result: SearchResult) -> list[str]:
    graph = prepared.graph.report
    notes = [
        f"motion graph: {graph.n_edges} splices, {100 * graph.cross_share:.0f} % of them to another clip; "
        f"{100 * graph.kept_share:.0f} % of all frames are in its largest strongly connected part"
    ]
    if graph.dropped_clips:
        notes.append(f"clips that nothing can be joined to, left out: {', '.join(graph.dropped_clips)}")
    if not result.reproducible:
        notes.append("the search was cut short, so the same seed may give another motion next time")
    return notes
