"""Random walks of the whole motion, annealed one after the other: what meeting in the middle is
worth.

Blind to hard constraints.
"""

from __future__ import annotations

from motionloom.graph.searching.annealing import HOT, random_walk
from motionloom.graph.searching.problem import Problem
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.rounds import GROWTH, QUICK, anneal_whole
from motionloom.graph.searching.state import Stream

#: The effort grows in so many steps.
_LONGER = 7


def step(problem: Problem, options: SearchOptions, stream: Stream) -> None:
    """Anneal a random walk of the whole motion, each with more effort than the one before.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        Not used.
    stream : Stream
        Changed in place: its round, its iterations and its local minima.
    """
    stream.round += 1
    effort = QUICK * GROWTH ** min(stream.round, _LONGER)
    anneal_whole(problem, stream, random_walk(problem, stream.rng, problem.span), effort, HOT)


def fits(problem: Problem, options: SearchOptions, stream: Stream) -> bool:
    """Whether a stream can have come to where it is: nothing is carried from step to step.

    Parameters
    ----------
    problem : Problem
        Not used.
    options : SearchOptions
        Not used.
    stream : Stream
        As read from a file.

    Returns
    -------
    bool
        True when the beam is empty.
    """
    return not stream.beam
