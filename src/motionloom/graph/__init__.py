"""Motion graphs: clips woven into new motions that meet constraints.

`motionloom.synthesize` does the whole job. Its steps are `prepare_clips` (a clip set, what is known about its clips,
and the graph), `search_motion` and `assemble.assemble`. Functions named as their module are not repeated here.
"""

from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.clips.pieces import Path, Piece
from motionloom.graph.finishing.assemble import AssembleOptions, Assembly
from motionloom.graph.searching.search import SearchOptions, SearchResult, search_motion
from motionloom.graph.splices.build import GraphOptions, MotionGraph, build_graph
from motionloom.graph.storage.store import load_graph, save_graph
from motionloom.graph.synthesize import Synthesis, SynthesisOptions, prepare_clips
from motionloom.synthesis.report import SynthesisReport

__all__ = [
    "AssembleOptions",
    "Assembly",
    "ClipSet",
    "GraphOptions",
    "MotionGraph",
    "Path",
    "Piece",
    "SearchOptions",
    "SearchResult",
    "Synthesis",
    "SynthesisOptions",
    "SynthesisReport",
    "build_graph",
    "load_graph",
    "make_clip_set",
    "prepare_clips",
    "save_graph",
    "search_motion",
]
