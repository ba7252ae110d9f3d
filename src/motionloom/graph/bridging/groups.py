"""Ways of moving between which no clip shows a change: gaits, styles, standing and going."""

from __future__ import annotations

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.graph.transitions.build import GraphOptions
from motionloom.graph.transitions.connect import (
    Labels,
    find_islands,
    rank_labels,
    strong_components,
)
from motionloom.graph.transitions.edges import EdgeList, find_edges
from motionloom.graph.transitions.rules import EdgeRules
from motionloom.graph.transitions.strides import momentum_costs, stride_costs
from motionloom.graph.transitions.threshold import Calibration
from motionloom.progress import Progress, silent


def find_transitions(
    clips: ClipSet, calibration: Calibration, options: GraphOptions, progress: Progress = silent
) -> EdgeList:
    """All transitions below the threshold, in the order of `find_edges`.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    calibration : Calibration
        Gives the thresholds.
    options : GraphOptions
        Of the graph.
    progress : Progress
        Told of the transitions.

    Returns
    -------
    EdgeList
    """
    features = calibration.features(clips)
    return find_edges(
        clips,
        features,
        calibration.limits(clips, features),
        EdgeRules(options.min_piece, options.min_jump),
        block=options.block,
        progress=progress,
    )


def find_groups(
    clips: ClipSet,
    calibration: Calibration,
    options: GraphOptions,
    shown: float,
    progress: Progress = silent,
) -> Labels:
    """Frames from which the clips themselves lead to each other.

    They are strongly connected by transitions whose whole cost, that of the poses, of switching
    gait or style and of a jerk of the hips, is small. A pose of a walk may be much like one of a
    run; what is in between is a change that no clip shows all the same.

    Parameters
    ----------
    clips : ClipSet
        N frames.
    calibration : Calibration
        Gives the thresholds.
    options : GraphOptions
        Of the graph.
    shown : float
        Largest whole cost, in units of the threshold.
    progress : Progress
        Told of the transitions.

    Returns
    -------
    int32 array of shape (N,)
        Group of every frame, from 0; -1 for beginnings and ends of clips that are in none.
    """
    edges = find_transitions(clips, calibration, options, progress)
    cost = edges.cost + stride_costs(clips, edges.source, edges.target)
    if options.momentum is not None:
        cost = cost + momentum_costs(clips, edges.source, edges.target)
    label = rank_labels(strong_components(clips, edges.take(cost <= shown), options.min_piece))
    island = find_islands(clips, label, options.smallest_island)
    found = np.unique(island[island >= 0])
    groups: Labels = np.where(island < 0, -1, np.searchsorted(found, island)).astype(np.int32)
    return groups
