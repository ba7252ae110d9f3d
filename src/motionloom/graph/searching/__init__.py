"""Walks through the graph that meet constraints: seeds, mutations, annealing, several processes, a
state to resume.
"""
