"""Searches of a motion graph of the publications, and trials, for the registry of methods."""

from __future__ import annotations

from motionloom.graph.searching.results import Method
from motionloom_evaluation.graph_search import annealed, paper

ANNEAL = Method(annealed.step, annealed.fits)
PAPER = Method(paper.step, paper.fits)
