"""The motion graph as a generator: pieces of clips, found by a search, joined to one continuous
motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.rest import add_rests
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.errors import InvalidInputError
from motionloom.graph.bridging.options import BridgeClip, BridgeOptions, BridgeUsed, find_used
from motionloom.graph.explain import explain_missed
from motionloom.graph.joining import JoinOptions, make_draft
from motionloom.graph.pacing._retime import doubt_of, has_strolls, retime_constraints, retime_draft
from motionloom.graph.pacing.plan import PacedLeg, PaceOptions, TimeMap, find_paces, plan_pace
from motionloom.graph.searching.results import PoseError
from motionloom.graph.searching.search import (
    Candidate,
    SearchOptions,
    SearchResult,
    find_out_of_reach,
    search_motion,
)
from motionloom.graph.transitions.build import MotionGraph, build_graph
from motionloom.graph.transitions.options import GraphOptions
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Section, Table, fields_of, shown, table_of
from motionloom.synthesis.generator import Draft, DraftsOnDemand, Reason

NAME = "graph"
#: Kinds of constraints that it can honour: all but those of single poses.
HONOURS = frozenset(
    {
        "body",
        "ground",
        "joints",
        "poses",
        "key_poses",
        "still",
        "avoid",
        "paths",
        "style",
        "costs",
        "hold",
        "position",
        "velocity",
    }
)


@dataclass(frozen=True)
class GraphGeneratorOptions:
    """Options of the motion graph as a generator.

    Parameters
    ----------
    graph : GraphOptions
        Of a graph that is built.
    folder : Path, optional
        Graph on disk that is used instead; it has its own options.
    search : SearchOptions
        Its seed, budget and number of alternatives are those of the synthesis.
    join : JoinOptions
        How the pieces are joined.
    pace : PaceOptions or None
        How far the clips' pace may be changed to suit the times asked for; None shows all clips at
        their own.
    rests : bool
        Whether quiet moments of the clips may be held where nobody rests in them; see
        `add_rests`. A graph on disk has the clips it was built of.
    bridging : BridgeOptions, optional
        How changes that no clip shows are bridged by another generator; they are not when not
        given. A graph on disk has no bridges.

    Raises
    ------
    InvalidInputError
        When bridges are wanted of a graph on disk.
    """

    graph: GraphOptions = field(default_factory=GraphOptions)
    folder: Path | None = None
    search: SearchOptions = field(default_factory=SearchOptions)
    join: JoinOptions = field(default_factory=JoinOptions)
    pace: PaceOptions | None = field(default_factory=PaceOptions)
    rests: bool = True
    bridging: BridgeOptions | None = None

    def __post_init__(self) -> None:
        if self.bridging is not None and self.folder is not None:
            raise InvalidInputError(
                f"{self.folder}: a graph on disk has no bridges; leave one of them out, and the"
                " graph is built of the clips"
            )


_PACED = (
    Column("", "from", "s"),
    Column("", "to", "s"),
    Column("", "times the clips' speed"),
    Column("", "times their steps' length"),
)


@dataclass(frozen=True)
class PieceUsed:
    """A piece of a clip in the result.

    Parameters
    ----------
    clip : str
        Name of the clip.
    path : str
        The clip's file; empty for one made in memory.
    start, stop : int
        Frames of the clip at the synthesis' frame rate, half-open.
    source_time : tuple of float, seconds
        When the piece begins and ends in the clip.
    time : float, seconds
        When it begins in the result.
    frames : int
        Frames of the result that show it; not ``stop - start`` where its pace is changed.
    """

    clip: str = field(metadata=shown("clip"))
    path: str
    start: int
    stop: int
    source_time: tuple[float, float] = field(metadata=shown("from, to", "s"))
    time: float = field(metadata=shown("shown at", "s"))
    frames: int = field(metadata=shown("frames"))


@dataclass(frozen=True, eq=False)
class GraphDetails:
    """What the motion graph says about a motion.

    Parameters
    ----------
    pieces : tuple of PieceUsed
        In the order in which they are played.
    found : Candidate
        The walk through the graph, at the times at which it was searched.
    iterations : int
        Mutations tried by the search.
    paced : tuple of PacedLeg
        Legs whose pace is not that of the clips.
    bridged : tuple of BridgeUsed
        What no clip shows.
    """

    pieces: tuple[PieceUsed, ...]
    found: Candidate
    iterations: int
    paced: tuple[PacedLeg, ...] = ()
    bridged: tuple[BridgeUsed, ...] = ()

    def as_section(self) -> Section:
        """A row for each piece, each leg whose pace is changed, and each bridge."""
        paced = [[leg.begin, leg.end, leg.pace, leg.steps] for leg in self.paced]
        return Section(
            "",
            [
                table_of(f"Pieces ({len(self.pieces)})", self.pieces),
                Table("Pace of the clips changed", _PACED, paced),
                table_of("Bridged, as no clip shows it", self.bridged),
            ],
            data=fields_of(self, "found", *([] if self.bridged else ["bridged"])),
        )


@dataclass(frozen=True, eq=False)
class FittedGraph:
    """The motion graph of some clips, ready for any number of constraint sets.

    Parameters
    ----------
    clips : AnalysedClips
        The clips that motions are made of, with their contacts.
    graph : MotionGraph
        The transitions between them.
    options : GraphGeneratorOptions
        How it searches and joins.
    bridges : tuple of BridgeClip
        Which of the clips are bridges.
    """

    clips: AnalysedClips
    graph: MotionGraph
    options: GraphGeneratorOptions = field(default_factory=GraphGeneratorOptions)
    bridges: tuple[BridgeClip, ...] = ()

    name = NAME
    honours = HONOURS
    score_meaning = (
        "smaller is better: a miss of 30 cm or 10 degrees counts 1, twice that 4, and every seam a"
        " little"
    )

    @property
    def notes(self) -> tuple[str, ...]:
        """How well the clips hang together, and what was left out."""
        report = self.graph.report
        notes = [
            f"motion graph: {report.n_edges} transitions, {100 * report.cross_share:.0f} % of them"
            f" to another clip; {100 * report.kept_share:.0f} % of all frames are in its largest"
            " strongly connected part"
        ]
        if self.options.bridging is not None and not self.bridges:
            notes.append(
                "no change that the clips do not show could be bridged, or none is missing"
            )
        return (*notes, *report.notes)

    def generate(
        self,
        constraints: ConstraintSet,
        *,
        seed: int = 0,
        budget: float = 5.0,
        count: int = 1,
        progress: Progress = silent,
    ) -> Sequence[Draft]:
        """Search the graph; see `Fitted.generate`.

        Parameters
        ----------
        constraints : ConstraintSet
            At the frame rate of the clips.
        seed : int
            The same seed gives the same drafts.
        budget : float, seconds
            About how long to search; counted in iterations, so that the result does not depend on
            the machine.
        count : int
            Most drafts returned.
        progress : Progress
            Told of the search; a KeyboardInterrupt that it raises ends the search with the best
            found so far.

        Returns
        -------
        sequence of Draft
            Best first, the pieces of each joined when it is looked at; `Draft.details` is a
            `GraphDetails`.

        Raises
        ------
        InvalidInputError
            When the frame rates differ, a joint, label or cost is not known, or hard poses meet a
            method of joining that cannot keep them.
        FormatError
            When the state file of the search belongs to another search.
        SynthesisError
            When no motion was found.
        """
        options = replace(self.options.search, seed=seed, budget=budget, alternatives=count)
        times = self._times(constraints)
        drafts = self._weave(constraints, options, times, progress)
        if has_strolls(times) and drafts[0].stopped == "iterations":
            doubt = doubt_of(drafts[0], times, constraints.fps)
            if doubt > (1.0, 0):
                # Few clips may have no such walk. Where others do better, they are taken.
                plain = self._times(constraints, plainly=True)
                others = self._weave(
                    constraints, replace(options, state_file=None), plain, progress
                )
                if doubt_of(others[0], plain, constraints.fps) < doubt:
                    return others
        return drafts

    def _weave(
        self,
        constraints: ConstraintSet,
        options: SearchOptions,
        times: TimeMap | None,
        progress: Progress,
    ) -> Sequence[Draft]:
        """What is found where legs are searched at other times."""
        searched = constraints if times is None else retime_constraints(constraints, times)
        result = search_motion(self.graph, searched, options, progress=progress)

        def made(found: Candidate) -> Draft:
            draft = self._draft(searched, result, found, times)
            if times is None:
                return draft
            return retime_draft(draft, constraints, times, self.clips.roles)

        return DraftsOnDemand(tuple(partial(made, found) for found in result.alternatives))

    def explain(
        self,
        constraints: ConstraintSet,
        errors: Sequence[ConstraintError],
        adherence: Sequence[Adherence],
    ) -> tuple[Reason, ...]:
        """Say why constraints are missed; see `Fitted.explain`."""

        def out_of_reach() -> Sequence[PoseError]:
            times = self._times(constraints)
            if times is None:
                return find_out_of_reach(self.graph, constraints, self.options.search)
            searched = retime_constraints(constraints, times)
            found = find_out_of_reach(self.graph, searched, self.options.search)
            return [_at_times(pose, times) for pose in found]

        return explain_missed(self.graph, constraints, errors, adherence, out_of_reach)

    def _times(self, constraints: ConstraintSet, plainly: bool = False) -> TimeMap | None:
        """Where legs are searched at another pace: when what is shown.

        Plainly slows walks no farther than other gaits.
        """
        if self.options.pace is None or len(constraints.body) < 2:
            return None
        paces = find_paces(self.graph.clips, self.graph.captured)
        pace = self.options.pace.plain() if plainly else self.options.pace
        return plan_pace(constraints, paces, pace)

    def _draft(
        self,
        constraints: ConstraintSet,
        result: SearchResult,
        found: Candidate,
        times: TimeMap | None,
    ) -> Draft:
        cut_short = "the search was cut short, so the same seed may give another motion next time"
        draft = make_draft(self.clips, found.path, found.start, constraints, self.options.join)
        shown = draft.source_frames
        if times is not None and shown is not None:
            shown = shown[times.nearest]
        starts = self.clips.clip_set.starts
        return replace(
            draft,
            errors=found.errors,
            score=found.score,
            stopped=result.stopped_because,
            notes=() if result.reproducible else (cut_short,),
            details=GraphDetails(
                _pieces(self.clips, found, times),
                found,
                result.iterations,
                () if times is None else times.legs,
                find_used(self.bridges, starts, shown, constraints.fps),
            ),
        )


class GraphGenerator:
    """Motion graphs after Arikan & Forsyth (2002)."""

    name = NAME
    honours = HONOURS

    def fit(
        self,
        clips: AnalysedClips,
        options: GraphGeneratorOptions | None = None,
        progress: Progress = silent,
    ) -> FittedGraph:
        """Build the graph of some clips, or read the one that is kept on disk.

        Parameters
        ----------
        clips : AnalysedClips
            The clips that motions are made of.
        options : GraphGeneratorOptions, optional
            Its `folder` says whether the graph is read; `search` and `join` are for later.
        progress : Progress
            Told of the transitions and of the hierarchy.

        Returns
        -------
        FittedGraph
            The graph, ready for any number of constraint sets.

        Raises
        ------
        InvalidInputError
            When `joint_weights` are not one for each joint and two more.
        FormatError
            When there is no graph in the folder, or clips are not in it or have changed since.
        SynthesisError
            When no two frames of the clips can be joined.
        """
        options = options or GraphGeneratorOptions()
        bridges: tuple[BridgeClip, ...] = ()
        if options.folder is None:
            captured = clips
            clips = add_rests(clips) if options.rests else clips
            if options.bridging is None:
                graph = build_graph(clips.clip_set, options.graph, progress)
            else:
                from motionloom.graph.bridging._build import build_bridged

                clips, graph, bridges = build_bridged(
                    clips, captured, options.graph, options.bridging, progress
                )
        else:
            # Only a graph that is kept needs it.
            from motionloom.graph.storage.disk import open_on_disk

            graph = open_on_disk(clips.clip_set, options.folder, progress=progress)
        return FittedGraph(clips, graph, options, bridges)


def _at_times(pose: PoseError, times: TimeMap) -> PoseError:
    """The error at a pose of the searched motion, in frames of the motion as it is shown."""
    n = times.frame_of(pose.frame)
    late = None if pose.frames is None else times.frame_of(pose.frame + pose.frames) - n
    return replace(pose, frame=n, frames=late)


def _pieces(clips: AnalysedClips, found: Candidate, times: TimeMap | None) -> tuple[PieceUsed, ...]:
    clip_set = clips.clip_set
    fps = clip_set.fps
    begins = (0, *found.path.seams)
    end = found.path.n_frames
    if times is not None:
        begins = tuple(times.frame_from(frame) for frame in begins)
        end = len(times.shown)
    return tuple(
        PieceUsed(
            clip=clip_set.names[p.clip],
            path=clip_set.motions[p.clip].source.path,
            start=p.start,
            stop=p.stop,
            source_time=(p.start / fps, p.stop / fps),
            time=begin / fps,
            frames=stop - begin,
        )
        for p, begin, stop in zip(found.path.pieces, begins, (*begins[1:], end), strict=True)
    )
