"""Build a motion graph: from clips to edges, their largest strongly connected part, and the
hierarchy over them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.clip_set import ClipSet
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.graph.transitions._cost import compute_features, fit_scale, scale_features
from motionloom.graph.transitions._islands import join_islands
from motionloom.graph.transitions._momentum import measure_momentum
from motionloom.graph.transitions._threshold import Calibration, calibrate
from motionloom.graph.transitions.connect import Connection, Find, Labels, connect
from motionloom.graph.transitions.edges import EdgeList, find_edges, make_rules
from motionloom.graph.transitions.hierarchy import Hierarchy, build_hierarchy
from motionloom.graph.transitions.options import GraphOptions
from motionloom.graph.transitions.product import CostProduct
from motionloom.progress import Progress, silent
from motionloom.skeleton import few
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Where few transitions are left, they may change the hips' velocity so many times as much, at a
#: cost.
_FEW = 2.0
#: A set of bridges that joins this share of the frames that another joins is as good.
_AS_MUCH = 0.98
#: Reasons why clips are left out that are given where there is more to say.
_MOST_NOTES = 6


@dataclass(frozen=True)
class GraphReport:
    """What the graph is made of and what was left out.

    Parameters
    ----------
    tau : float
        Threshold of the transition cost (the median one where it differs from frame to frame).
    n_edges : int
        Transitions that were kept.
    n_roots : int
        Transitions of the coarsest level.
    cross_share : float
        Share of the transitions that lead to another clip.
    kept_share : float
        Share of all frames inside the largest strongly connected component.
    dropped_edges : int
        Transitions outside it, left out when pruning.
    dropped_clips : tuple of str
        Clips without a frame inside it.
    component_sizes : tuple of int
        Frames of the strongly connected components, largest first, without the smallest.
    loosest : float
        Relative cost up to which transitions between components were let in; 1 when no bridge was
        needed.
    n_bridges : int
        Transitions above the threshold that were kept; their cost is above 1.
    bridged_clips : tuple of str
        Clips that only the best bridges, looked for island by island, joined.
    left_out : tuple of str
        Of every island that is left its clips, why nothing joins it and what would, one sentence
        each.
    """

    tau: float
    n_edges: int
    n_roots: int
    cross_share: float
    kept_share: float
    dropped_edges: int
    dropped_clips: tuple[str, ...]
    component_sizes: tuple[int, ...]
    loosest: float
    n_bridges: int
    bridged_clips: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was joined with effort, and what was left out and why, one sentence each."""
        notes = []
        if self.bridged_clips:
            notes.append(
                f"{few(self.bridged_clips)}: joined to the other clips only by transitions of up to"
                f" {self.loosest:g} times the threshold"
            )
        notes += [f"left out of the motion: {said}" for said in self.left_out[:_MOST_NOTES]]
        if len(self.left_out) > _MOST_NOTES:
            more = len(self.left_out) - _MOST_NOTES
            notes.append(f"{more} more are left out; `motionloom graph report` names them all")
        return tuple(notes)


@dataclass(frozen=True, eq=False)
class MotionGraph:
    """Clips, every allowed transition between them, and the hierarchy over the transitions.

    Parameters
    ----------
    clips : ClipSet
        Their N frames are the nodes.
    options : GraphOptions
        How it was built.
    edges : EdgeList
        In the order of `hierarchy`.
    hierarchy : Hierarchy
        Trees over the transitions of each pair of clips.
    component : int32 array of shape (N,)
        Strongly connected component of every frame, counted from the largest (0) down.
    report : GraphReport
        What it is made of and what was left out.
    toll : array of shape (N,), optional
        What showing each frame for a second costs, in units of the threshold; nothing when not
        given.
    """

    clips: ClipSet
    options: GraphOptions
    edges: EdgeList
    hierarchy: Hierarchy
    component: NDArray[np.int32] = field(repr=False)
    report: GraphReport
    toll: Array | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return (
            f"<MotionGraph: {self.report.n_edges} transitions between {self.clips.n_frames} frames"
            f" of {self.clips.n_clips} clips at {self.clips.fps:.6g} fps\n "
            f" {100 * self.report.kept_share:.1f} % of the frames in the largest component,"
            f" {100 * self.report.cross_share:.1f} % of the transitions lead to another clip>"
        )

    @cached_property
    def core(self) -> Bools:
        """Frames of the largest component, shape (N,): from them the motion can go on for ever."""
        return self.component == 0

    @cached_property
    def captured(self) -> Bools:
        """Those of them that cost nothing to show, shape (N,): what somebody has really done."""
        return self.core if self.toll is None else self.core & (self.toll == 0)


@one_thread()
def build_graph(
    clips: ClipSet, options: GraphOptions | None = None, progress: Progress = silent
) -> MotionGraph:
    """Build the motion graph of a clip set.

    Parameters
    ----------
    clips : ClipSet
        Clips of one skeleton at one frame rate.
    options : GraphOptions, optional
        Thresholds, shortest pieces, bridges and pruning.
    progress : Progress
        Told of the transitions and of the hierarchy.

    Returns
    -------
    MotionGraph
        Transitions, their hierarchy, and which frames are strongly connected.

    Raises
    ------
    InvalidInputError
        When `joint_weights` are not one for each joint and two more.
    SynthesisError
        When no two frames of the clips can be joined, or only in one direction.
    """
    options = options or GraphOptions()
    return activate(clips, fit_calibration(clips, options), options, progress=progress)


def fit_calibration(clips: ClipSet, options: GraphOptions) -> Calibration:
    """Scale of the features and threshold of the cost that fit the clips.

    Parameters
    ----------
    clips : ClipSet
        Their steps from frame to frame calibrate the scale and the threshold.
    options : GraphOptions
        Says what is given and what is calibrated.

    Returns
    -------
    Calibration
        The cost is the squared distance of scaled features (Arikan & Forsyth 2002, equation 5).

    Raises
    ------
    InvalidInputError
        When `joint_weights` are not one for each joint and two more.
    """
    pose, change = compute_features(clips)
    weights = None if options.joint_weights is None else np.asarray(options.joint_weights, float)
    if weights is not None and weights.shape != (clips.skeleton.n_joints + 2,):
        raise InvalidInputError(
            "joint_weights needs one number per joint and two more"
            f" ({clips.skeleton.n_joints + 2}), got {len(weights)}"
        )
    scale = fit_scale(clips, pose, change, weights)
    allowed = None
    if options.momentum is not None:
        allowed = partial(measure_momentum(clips).bears, times=options.momentum)
    return calibrate(clips, scale_features(pose, change, scale), scale, options, allowed)


def activate(
    clips: ClipSet,
    calibration: Calibration,
    options: GraphOptions,
    edges: EdgeList | None = None,
    progress: Progress = silent,
) -> MotionGraph:
    """Make a graph of clips that can be searched: connected, without dead ends, with its hierarchy.

    Parameters
    ----------
    clips : ClipSet
        Their frames are the nodes.
    calibration : Calibration
        Scales the features and gives the thresholds.
    options : GraphOptions
        Bridges, pruning, shortest pieces and jumps.
    edges : EdgeList, optional
        All transitions below the threshold, in the order of `find_edges`, where they are known
        already.
    progress : Progress
        Told of the transitions, of bridges and of the hierarchy.

    Returns
    -------
    MotionGraph
        Its edges are in the order of its hierarchy.

    Raises
    ------
    SynthesisError
        When no two frames of the clips can be joined, or only in one direction.
    """
    features = calibration.features(clips)
    limits = calibration.limits(clips, features)
    connection = _connect(clips, features, limits, options, edges, progress)
    edges = connection.edges
    core = connection.component == 0
    if len(edges.source) == 0:
        raise SynthesisError(
            f"no two frames of {few(clips.names, 3)} are alike enough to be joined; add longer"
            " clips or more of the same movement, or raise tau of the graph"
        )
    arrival = edges.target + options.min_piece
    ends = arrival >= clips.starts[clips.clip_of[edges.target] + 1]
    inside = core[edges.source] & core[np.where(ends, 0, arrival)] & ~ends
    dropped = int((~inside).sum()) if options.prune else 0
    if options.prune:
        edges = edges.take(inside)
    if len(edges.source) == 0:
        raise SynthesisError(
            "the clips join only in one direction, so every walk through them ends; build with"
            " prune off or add clips"
        )
    progress("building the hierarchy", 0, 1)
    source_clip = clips.clip_of[edges.source]
    target_clip = clips.clip_of[edges.target]
    pair = source_clip.astype(np.int64) * clips.n_clips + target_clip
    cross = float(np.mean(source_clip != target_clip))
    edges, hierarchy = build_hierarchy(edges, pair, clips.n_clips)
    progress("building the hierarchy", 1, 1)
    alive = np.add.reduceat(core, clips.starts[:-1]) > 0
    report = GraphReport(
        tau=float(np.median(limits) ** 2),
        n_edges=len(edges.source),
        n_roots=len(hierarchy.roots),
        cross_share=cross,
        kept_share=float(core.mean()),
        dropped_edges=dropped,
        dropped_clips=tuple(n for n, a in zip(clips.names, alive, strict=True) if not a),
        component_sizes=tuple(int(n) for n in connection.sizes if n >= options.smallest_island),
        loosest=connection.loosest,
        n_bridges=int((edges.cost > 1).sum()),
        bridged_clips=connection.bridged,
        left_out=connection.apart,
    )
    return MotionGraph(clips, options, edges, hierarchy, connection.component, report)


def _connect(
    clips: ClipSet,
    features: Array,
    limits: Array,
    options: GraphOptions,
    known: EdgeList | None,
    progress: Progress,
) -> Connection:
    """All edges under the threshold, and bridges where they leave islands."""
    momentum = None if options.momentum is None else measure_momentum(clips)
    # Anything rather than leave clips out: where bridges leave islands, they may change the hips'
    # velocity as they like.
    grades = (np.inf,) if options.momentum is None else (options.momentum, np.inf)

    def bearable(edges: EdgeList, times: float) -> EdgeList:
        if momentum is None or np.isinf(times):
            return edges
        return edges.take(momentum.bears(edges.source, edges.target, times))

    def find(limits: Array, island: Labels | None) -> EdgeList:
        def tell(stage: str, done: float, total: float) -> None:
            progress(stage if island is None else "finding bridges", done, total)

        rules = make_rules(clips.starts, options.min_piece, options.min_jump, island)
        product = CostProduct(features, limits)
        return find_edges(product, rules, block=options.block, progress=tell)

    def finder(times: float) -> Find:
        return lambda limits, island: (
            plain if island is None else bearable(find(limits, island), times)
        )

    every = known if known is not None else find(limits, None)
    plain = bearable(every, grades[0])
    if len(plain.source) < options.density * clips.n_frames:
        plain = bearable(every, _FEW * grades[0])
    finds = [finder(times) for times in grades]
    tried = []
    for find_grade in finds:
        tried.append(connect(clips, limits, find_grade, options))
        if tried[-1].sizes[0] >= options.connected * clips.n_frames:
            break
    # Where none joins enough, the strictest that joins about as much as any.
    enough = _AS_MUCH * max(c.sizes[0] for c in tried)
    connection = next(c for c in tried if c.sizes[0] >= enough)
    return join_islands(clips, features, limits, connection, finds, options)
