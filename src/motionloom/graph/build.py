"""Build a motion graph: from clips to edges, their largest strongly connected part, and the hierarchy over them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.graph.clips import ClipSet
from motionloom.graph.cost import compute_features, fit_scale, scale_features, step_costs
from motionloom.graph.edges import EdgeList, find_edges
from motionloom.graph.hierarchy import Hierarchy, build_hierarchy
from motionloom.progress import Progress, silent


@dataclass(frozen=True)
class GraphOptions:
    """How a motion graph is built.

    Parameters
    ----------
    tau : float, optional
        Threshold of the transition cost. Not given, it is calibrated: see `step` and `relative`.
    step : int, frames
        Calibration: a splice may change the pose as much as the clips themselves do in this many frames.
    relative : float
        Calibration: 0 takes one threshold for all frames (the median cost of a `step`), 1 takes each frame's own.
        Values between are a geometric mean; see docs/motion-graph.md for what each does to slow and fast gaits.
    min_piece : int, frames
        Shortest piece of a clip between two splices.
    min_jump : int, frames
        Shortest jump within one clip.
    prune : bool
        Keep only splices inside the largest strongly connected component, so that no walk runs into a dead end.
    joint_weights : tuple of float, optional
        Weight of every joint, then of the torso's speed and turn rate, instead of those by role.
    block : int
        Most pairs of frames looked at in one go while building; bounds the memory.
    """

    tau: float | None = None
    step: int = 2
    relative: float = 1.0
    min_piece: int = 5
    min_jump: int = 10
    prune: bool = True
    joint_weights: tuple[float, ...] | None = None
    block: int = 4_000_000

    def __post_init__(self) -> None:
        if self.tau is not None and not (np.isfinite(self.tau) and self.tau > 0):
            raise InvalidInputError(f"tau must be a positive number, got {self.tau}")
        for name in ("step", "min_piece", "min_jump", "block"):
            if getattr(self, name) < 1:
                raise InvalidInputError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not 0 <= self.relative <= 1:
            raise InvalidInputError(f"relative must lie between 0 and 1, got {self.relative}")


@dataclass(frozen=True)
class GraphReport:
    """What the graph is made of and what was left out.

    Parameters
    ----------
    tau : float
        Threshold of the transition cost (the median one where it differs from frame to frame).
    n_edges : int
        Splices that were kept.
    n_roots : int
        Splices of the coarsest level.
    cross_share : float
        Share of the splices that lead to another clip.
    kept_share : float
        Share of all frames inside the largest strongly connected component.
    dropped_edges : int
        Splices outside it, left out when pruning.
    dropped_clips : tuple of str
        Clips without a frame inside it.
    component_sizes : tuple of int
        Frames of the strongly connected components, largest first, those of at least 30 frames.
    """

    tau: float
    n_edges: int
    n_roots: int
    cross_share: float
    kept_share: float
    dropped_edges: int
    dropped_clips: tuple[str, ...]
    component_sizes: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MotionGraph:
    """Clips, every allowed splice between them, and the hierarchy over the splices.

    Parameters
    ----------
    clips : ClipSet
    options : GraphOptions
    edges : EdgeList
        In the order of `hierarchy`.
    hierarchy : Hierarchy
    core : bool array of shape (N,)
        Frames from which the motion can go on for ever.
    report : GraphReport
    """

    clips: ClipSet
    options: GraphOptions
    edges: EdgeList
    hierarchy: Hierarchy
    core: NDArray[np.bool_] = field(repr=False)
    report: GraphReport

    def edges_between(self, source_clip: int, target_clip: int) -> slice:
        """Edges from one clip to another."""
        pair = source_clip * self.clips.n_clips + target_clip
        return slice(int(self.hierarchy.pair_ptr[pair]), int(self.hierarchy.pair_ptr[pair + 1]))


def build_graph(clips: ClipSet, options: GraphOptions | None = None, progress: Progress = silent) -> MotionGraph:
    """Build the motion graph of a clip set.

    Raises
    ------
    SynthesisError
        When no two frames of the clips can be joined.
    """
    options = options or GraphOptions()
    pose, change = compute_features(clips)
    weights = None if options.joint_weights is None else np.asarray(options.joint_weights, float)
    if weights is not None and weights.shape != (clips.skeleton.n_joints + 2,):
        raise InvalidInputError(
            f"joint_weights needs one number per joint and two more ({clips.skeleton.n_joints + 2}), got {len(weights)}"
        )
    features = scale_features(pose, change, fit_scale(clips, pose, change, weights))
    limits = _limits(clips, features, options)
    edges = find_edges(
        clips,
        features,
        limits,
        min_piece=options.min_piece,
        min_jump=options.min_jump,
        block=options.block,
        progress=progress,
    )
    if len(edges.source) == 0:
        raise SynthesisError("no two frames of these clips are alike enough to be joined; raise tau or add clips")
    core, sizes = _strong_core(clips, edges, options.min_piece)
    inside = core[edges.source] & core[np.minimum(edges.target + options.min_piece, clips.n_frames - 1)]
    dropped = int((~inside).sum()) if options.prune else 0
    if options.prune:
        edges = edges.take(inside)
    if len(edges.source) == 0:
        raise SynthesisError(
            "the clips join only in one direction, so every walk through them ends; build with prune off or add clips"
        )
    progress("building the hierarchy", 0, 1)
    source_clip, target_clip = clips.clip_of[edges.source], clips.clip_of[edges.target]
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
        component_sizes=sizes,
    )
    return MotionGraph(clips, options, edges, hierarchy, core, report)


def _limits(clips: ClipSet, features: NDArray[np.float64], options: GraphOptions) -> NDArray[np.float64]:
    """Square root of every frame's threshold; a pair's threshold is the product of two."""
    if options.tau is not None:
        return np.full(clips.n_frames, np.sqrt(options.tau))
    own = step_costs(clips, features, options.step)
    pooled = float(np.median(own))
    # A clip that stands still hardly changes in a step; a tenth of the pooled threshold keeps it joinable.
    own = np.maximum(own, 0.1 * pooled)
    return np.sqrt(pooled ** (1 - options.relative) * own**options.relative)


def _strong_core(clips: ClipSet, edges: EdgeList, min_piece: int) -> tuple[NDArray[np.bool_], tuple[int, ...]]:
    """Frames of the largest strongly connected component, and the sizes of the larger components.

    The node of a frame means "here, and at least `min_piece` frames into this piece", so a splice to frame c leads to
    the node of ``c + min_piece``. A splice to the very end of a clip leads nowhere.
    """
    n = clips.n_frames
    arrival = edges.target.astype(np.int64) + min_piece
    goes_on = arrival < clips.starts[clips.clip_of[edges.target] + 1]
    ahead = np.flatnonzero(clips.clip_of[1:] == clips.clip_of[:-1])
    rows = np.concatenate([edges.source[goes_on], ahead])
    cols = np.concatenate([arrival[goes_on], ahead + 1])
    links = coo_array((np.ones(len(rows), np.int8), (rows, cols)), shape=(n, n)).tocsr()
    _, label = connected_components(links, directed=True, connection="strong")
    sizes = np.bincount(label)
    ordered = np.sort(sizes)[::-1]
    return label == int(np.argmax(sizes)), tuple(int(s) for s in ordered[ordered >= 30])
