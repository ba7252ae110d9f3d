"""Motion graphs: clips woven into new motions that meet constraints.

`motionloom.synthesize` does the whole job. Its generator is `GraphGenerator`; the steps are
`build_graph` and `search_motion`. Functions named as their module are not repeated here.
"""

from motionloom.graph.generator import FittedGraph, GraphGenerator, GraphGeneratorOptions
from motionloom.graph.joining.join import JoinOptions
from motionloom.graph.searching.search import SearchOptions, SearchResult, search_motion
from motionloom.graph.storage.store import load_graph, save_graph
from motionloom.graph.transitions.build import GraphOptions, MotionGraph, build_graph

__all__ = [
    "FittedGraph",
    "GraphGenerator",
    "GraphGeneratorOptions",
    "GraphOptions",
    "JoinOptions",
    "MotionGraph",
    "SearchOptions",
    "SearchResult",
    "build_graph",
    "load_graph",
    "save_graph",
    "search_motion",
]
