"""A motion graph with bridges where its clips show no change.

Ways of moving between which no clip shows a change: gaits, styles, standing and going.

Gaps filled: each becomes a short clip that leads from one captured clip into another.

What a bridge does that the clips never do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts, drop_short_contacts
from motionloom.analysis.faults.find import (
    find_bursts,
    find_floating,
    find_gait_switches,
    find_gliding,
)
from motionloom.clips.analysis import AnalysedClips, extend_clips
from motionloom.clips.clip_set import ClipSet
from motionloom.graph.bridging._choose import APART, AROUND, Gap, Sides, choose_gaps, different
from motionloom.graph.bridging.options import BridgeClip, BridgeOptions
from motionloom.graph.transitions._momentum import momentum_costs, stride_costs
from motionloom.graph.transitions._threshold import Calibration
from motionloom.graph.transitions.build import MotionGraph, activate, build_graph, fit_calibration
from motionloom.graph.transitions.connect import (
    Labels,
    find_islands,
    rank_labels,
    strong_components,
)
from motionloom.graph.transitions.edges import EdgeList, find_edges, make_rules
from motionloom.graph.transitions.options import GraphOptions
from motionloom.graph.transitions.product import CostProduct
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.skeleton import few
from motionloom.synthesis.bridges import Bridge, fit_bridge
from motionloom.typing import Array, Bools, Ints

#: What passes a limit by more than this many times it counts as this.
_MOST = 4.0
#: Between the names of the clips on both sides, in the name of a bridge.
ARROW = " > "


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
    edges = _find_transitions(longer.clip_set, calibration, options, progress)
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
    return enters[edges.target] & leaves[edges.source]


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


def _find_transitions(
    clips: ClipSet, calibration: Calibration, options: GraphOptions, progress: Progress = silent
) -> EdgeList:
    """All transitions below the threshold, in the order of `find_edges`."""
    features = calibration.features(clips)
    product = CostProduct(features, calibration.limits(clips, features))
    rules = make_rules(clips.starts, options.min_piece, options.min_jump)
    return find_edges(product, rules, block=options.block, progress=progress)


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
    edges = _find_transitions(clips, calibration, options, progress)
    cost = edges.cost + stride_costs(clips, edges.source, edges.target)
    if options.momentum is not None:
        cost = cost + momentum_costs(clips, edges.source, edges.target)
    label = rank_labels(strong_components(clips, edges.take(cost <= shown), options.min_piece))
    island = find_islands(clips, label, options.smallest_island)
    found = np.unique(island[island >= 0])
    return np.where(island < 0, -1, np.searchsorted(found, island)).astype(np.int32)


def add_bridges(
    clips: AnalysedClips,
    gaps: Sequence[Sequence[Gap]],
    bridge: Bridge,
    options: BridgeOptions,
    progress: Progress = silent,
) -> tuple[AnalysedClips, tuple[BridgeClip, ...]]:
    """The clips, and after them the best bridges, called ``FROM > TO (bridge 1)``.

    All gaps are filled. The best bridges are those that pass the limits of the clips least, of
    those alike the surest.

    Parameters
    ----------
    clips : AnalysedClips
        Not changed.
    gaps : sequence of sequence of Gap
        From one way of moving to another.
    bridge : Bridge
        Fills them.
    options : BridgeOptions
        How many are kept of every sequence, and how doubtful and strained at most.
    progress : Progress
        Told of every gap.

    Returns
    -------
    clips : AnalysedClips
        As they were where no bridge is good enough.
    added : tuple of BridgeClip
    """
    sides = Sides(clips)
    made: list[tuple[Gap, _Made]] = []
    for i, own in enumerate(gaps):
        progress("bridging", i, len(gaps))
        filled = [(gap, _fill(sides, gap, bridge)) for gap in own]
        usable = sorted((one for one in filled if _rank(one)[0] <= options.farthest), key=_rank)
        apart = APART * clips.clip_set.fps
        kept = different([gap for gap, _ in usable], options.each, apart)
        made += [one for one in usable if one[0] in kept]
    progress("bridging", len(gaps), len(gaps))
    if not made:
        return clips, ()
    posed, contacts, shown, records = zip(*(one for _, one in made), strict=True)
    first = clips.clip_set.n_clips
    records = tuple(replace(record, clip=first + k) for k, record in enumerate(records))
    names = [f"{one.before} to {one.behind}" for one in records]
    called = [
        PosedMotion(
            replace(own.motion, name=f"{one.before}{ARROW}{one.behind} (bridge {k})"), own.roles
        )
        for k, (own, one) in enumerate(zip(posed, records, strict=True), 1)
    ]
    longer = extend_clips(
        clips,
        called,
        contacts,
        shown,
        f"changes that no clip shows may be bridged: {few(list(dict.fromkeys(names)))}",
    )
    return longer, records


#: A bridge as a clip: its motion, contacts, the frames that it shows, and what it is.
_Made = tuple[PosedMotion, FootContacts, Ints, BridgeClip]


def _rank(made: tuple[Gap, _Made]) -> tuple[float, int, int]:
    """Least first."""
    gap, (*_, record) = made
    return record.strain + gap.doubt, gap.source, gap.target


def _fill(sides: Sides, gap: Gap, bridge: Bridge) -> _Made:
    clips = sides.clips.clip_set
    around = round(AROUND * clips.fps)
    here, there = (int(clips.clip_of[frame]) for frame in (gap.source, gap.target))
    first = max(gap.source + 1 - around, int(clips.starts[here]))
    last = min(gap.target + around, int(clips.starts[there + 1]))
    before = sides.cut(first, gap.source + 1)
    behind = sides.cut(gap.target, last).transformed(sides.move(gap))
    filled = bridge.bridge(before, behind, gap.missing)
    motion = replace(
        filled.motion.with_translated(clips.motions[here].translated),
        source=replace(clips.motions[here].source, path="", warnings=()),
    )
    posed = PosedMotion(motion, clips.roles)
    begin = before.n_frames
    shown = _nearest(gap, begin, behind.n_frames)
    gap_frames = slice(begin, begin + gap.missing)
    contacts = _contacts(sides, posed, filled.contacts, shown, gap_frames)
    record = BridgeClip(
        clip=-1,  # it is numbered when it is kept
        before=clips.names[here],
        behind=clips.names[there],
        begin=begin,
        end=gap_frames.stop,
        doubt=gap.doubt,
        strain=measure_strain(posed, sides.clips),
    )
    return posed, contacts, shown, record


def _nearest(gap: Gap, before: int, behind: int) -> Ints:
    """Frames of the clip set that a bridge shows; each half of the gap the one beside it."""
    half = gap.missing // 2
    first = gap.source + 1 - before + np.arange(before + half)
    second = gap.target + np.arange(half - gap.missing, behind)
    return np.concatenate([np.minimum(first, gap.source), np.maximum(second, gap.target)])


def _contacts(
    sides: Sides, posed: PosedMotion, filled: FootContacts | None, shown: Ints, gap: slice
) -> FootContacts:
    """Contacts as captured on both sides, as the bridge says in between, else as detected."""
    down = sides.down[shown]
    said = None if filled is None else filled.down
    if said is None or said.shape != down.shape:
        said = detect_contacts(posed, soles=sides.clips.soles).down
    down[gap] = said[gap]
    return FootContacts(sides.clips.soles, drop_short_contacts(down, posed.fps), 0.0)


def measure_strain(posed: PosedMotion, clips: AnalysedClips) -> float:
    """How far a motion passes the limits of some clips: 0 where it keeps to all of them.

    Parameters
    ----------
    posed : PosedMotion
        A bridge and what is around it.
    clips : AnalysedClips
        The clips.

    Returns
    -------
    float
        By what share of the limit, summed up over all that the hips' speed, the gait, flights and
        feet that slide pass it by.
    """
    limits = clips.limits
    contacts = detect_contacts(posed, soles=clips.soles)
    faults = (
        *find_bursts(posed, limits),
        *find_gait_switches(posed, limits),
        *find_floating(posed, contacts, limits),
        *find_gliding(posed, contacts, limits),
    )
    return float(sum(min(fault.excess - 1.0, _MOST) for fault in faults))
