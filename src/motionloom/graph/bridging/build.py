"""A motion graph with bridges where its clips show no change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.graph.bridging.add import add_bridges
from motionloom.graph.bridging.choose import choose_gaps
from motionloom.graph.bridging.groups import find_groups, find_transitions
from motionloom.graph.bridging.options import BridgeOptions
from motionloom.graph.bridging.used import BridgeClip
from motionloom.graph.transitions.build import (
    GraphOptions,
    MotionGraph,
    activate,
    build_graph,
    fit_calibration,
)
from motionloom.graph.transitions.edges import EdgeList
from motionloom.progress import Progress, silent
from motionloom.synthesis.bridges import fit_bridge
from motionloom.typing import Array, Bools


def build_bridged(
    clips: AnalysedClips,
    learned: AnalysedClips,
    options: GraphOptions,
    bridging: BridgeOptions,
    progress: Progress = silent,
) -> tuple[AnalysedClips, MotionGraph, tuple[BridgeClip, ...]]:
    """Build the motion graph of some clips and of bridges between those that show no change.

    Thresholds are those of the clips alone.

    Parameters
    ----------
    clips : AnalysedClips
        Their frames are the nodes.
    learned : AnalysedClips
        What the bridge learns from: captured clips only.
    options : GraphOptions
        Of the graph.
    bridging : BridgeOptions
        Which changes are bridged, and by what.
    progress : Progress
        Told of every stage.

    Returns
    -------
    clips : AnalysedClips
        With the bridges, as they were where none is needed or none can be made.
    graph : MotionGraph
        Of these clips.
    bridges : tuple of BridgeClip
        What was added.

    Raises
    ------
    InvalidInputError
        When the generator is no bridge.
    SynthesisError
        When the clips are too short to learn from, or no two frames can be joined.
    """
    own = clips.clip_set
    calibration = fit_calibration(own, options)
    groups = find_groups(own, calibration, options, bridging.shown, progress)
    if groups.max() < 1:
        return clips, build_graph(own, options, progress), ()
    bridge = fit_bridge(bridging.generator, learned, bridging.fitting, progress)
    gaps = choose_gaps(clips, groups, bridge, bridging, progress)
    longer, bridges = add_bridges(clips, gaps, bridge, bridging, progress)
    if not bridges:
        return clips, build_graph(own, options, progress), ()
    edges = find_transitions(longer.clip_set, calibration, options, progress)
    edges = edges.take(_whole(longer.clip_set, bridges, edges))
    graph = activate(longer.clip_set, calibration, options, edges, progress)
    toll = _toll(longer.clip_set, bridges, bridging.toll)
    return longer, replace(graph, toll=toll), bridges


def _whole(clips: ClipSet, bridges: tuple[BridgeClip, ...], edges: EdgeList) -> Bools:
    """Transitions that enter bridges before what is filled and leave them behind it.

    In the middle of a change a pose may be like one of either side; to go over half a bridge would
    be to jump the other half.
    """
    enters = np.ones(clips.n_frames, bool)
    leaves = np.ones(clips.n_frames, bool)
    for one in bridges:
        start, stop = (int(clips.starts[one.clip + k]) for k in (0, 1))
        enters[start + one.begin : stop] = False
        leaves[start : start + one.end] = False
    whole: Bools = enters[edges.target] & leaves[edges.source]
    return whole


def _toll(clips: ClipSet, bridges: tuple[BridgeClip, ...], price: float) -> Array:
    """What showing every frame costs for a second; a bridge costs `price` and that many times its
    doubt and strain.
    """
    toll = np.zeros(clips.n_frames)
    for one in bridges:
        start = int(clips.starts[one.clip])
        seconds = (one.end - one.begin) / clips.fps
        toll[start + one.begin : start + one.end] = price * (1.0 + one.doubt + one.strain) / seconds
    return toll
