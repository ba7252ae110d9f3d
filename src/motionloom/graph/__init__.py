"""Motion graphs: clips woven into new motions that meet constraints.

`motionloom.synthesize` does the whole job. Its generator is `GraphGenerator`; the steps are
`build_graph` and `search_motion`. Functions named as their module are not repeated here. Names are
loaded when they are first used: building a graph needs nothing that searches one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motionloom.verbs import show_verbs

if TYPE_CHECKING:
    from motionloom.graph.bridging.options import BridgeOptions
    from motionloom.graph.generator import FittedGraph, GraphGenerator, GraphGeneratorOptions
    from motionloom.graph.joining import JoinOptions
    from motionloom.graph.searching.search import SearchOptions, SearchResult, search_motion
    from motionloom.graph.storage._disk_head import load_graph, save_graph
    from motionloom.graph.transitions.build import MotionGraph, build_graph
    from motionloom.graph.transitions.options import GraphOptions

_HOMES = {
    "BridgeOptions": "bridging.options",
    "FittedGraph": "generator",
    "GraphGenerator": "generator",
    "GraphGeneratorOptions": "generator",
    "GraphOptions": "transitions.options",
    "JoinOptions": "joining",
    "MotionGraph": "transitions.build",
    "SearchOptions": "searching.search",
    "SearchResult": "searching.search",
    "build_graph": "transitions.build",
    "load_graph": "storage._disk_head",
    "save_graph": "storage._disk_head",
    "search_motion": "searching.search",
}

__all__ = [
    "BridgeOptions",
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


show_verbs(__name__, {name: f"{__name__}.{home}" for name, home in _HOMES.items()})
