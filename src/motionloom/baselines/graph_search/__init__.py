"""Searches of a motion graph of the publications, and trials, registered by name."""

from __future__ import annotations

from motionloom.baselines.graph_search import annealed, paper
from motionloom.graph.searching.registry import Method, register_method

register_method("anneal", Method(annealed.step, annealed.fits))
register_method("paper", Method(paper.step, paper.fits))
