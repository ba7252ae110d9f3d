"""A graph and an objective in the arrays that the compiled parts of the search take."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.graph.scoring.terms import Objective
from motionloom.graph.scoring.walk import Ground, Span, Sums, Terms
from motionloom.graph.searching.adjacency import Adjacency, make_adjacency, make_ground
from motionloom.graph.searching.meet import Goal
from motionloom.graph.transitions.build import MotionGraph
from motionloom.typing import Ints

#: Share of the clips that count as cheap, at least one.
CHEAP = 1 / 32


@dataclass(frozen=True)
class Leg:
    """Frames ``first < i <= last`` of the motion, after a walk that ends in `first`.

    Parameters
    ----------
    first, last : int
        Frames of the motion.
    goal : Goal
        What the body or a joint is asked for in frame `last`; weights of 0 where nothing is.
    joint : int
        Row of the terms' joint that is asked for; -1 for the body.
    frame : int
        Frame of the clip set to show in frame `last`; -1 for any.
    lag : int
        The goal is for so many frames before `last`.
    """

    first: int
    last: int
    goal: Goal
    joint: int
    frame: int = -1
    lag: int = 0

    @property
    def placed(self) -> bool:
        """Whether a place is asked for at its end."""
        return self.goal.w_place > 0


@dataclass(frozen=True, eq=False)
class Problem:
    """What is searched.

    Parameters
    ----------
    ground : Ground
        Where the body is in every frame of the clips.
    adjacency : Adjacency
        The edges, and the hierarchy over them.
    terms : Terms
        What is asked for, as arrays.
    span : Span
        The whole motion.
    pins : int64 array of shape (K, 2)
        Hard constraints: frame of the motion, frame of the clip set.
    legs : tuple of Leg
        One after the other they make up the motion.
    boundaries : tuple of int
        Frames between the legs that no pin asked for.
    starts : int64 array
        Frames a walk may begin with.
    cheap : int64 array of shape (S, K)
        For every span of the terms' sums the clips in which showing frames costs least.
    """

    ground: Ground
    adjacency: Adjacency
    terms: Terms
    span: Span
    pins: Ints
    legs: tuple[Leg, ...]
    boundaries: tuple[int, ...]
    starts: Ints
    cheap: Ints

    def until(self, last: int) -> Span:
        """The motion up to and with frame `last`."""
        return self.span._replace(last_frame=last + 1)


def make_problem(graph: MotionGraph, objective: Objective) -> Problem:
    """Index a graph and split an objective into legs.

    Parameters
    ----------
    graph : MotionGraph
        The graph that is searched.
    objective : Objective
        What is asked for, compiled on its clips.

    Returns
    -------
    Problem
        Walks may begin in any frame of the largest component.
    """
    ground = make_ground(graph)
    span = objective.span
    pins = np.array(sorted(objective.poses), np.int64).reshape(-1, 2)
    return Problem(
        ground=ground,
        adjacency=make_adjacency(graph),
        terms=objective.terms,
        span=span,
        pins=pins,
        legs=_legs(ground, objective.terms, span, objective.boundaries, pins),
        boundaries=objective.boundaries,
        starts=np.flatnonzero(graph.core),
        cheap=cheap_clips(objective.terms.sums, graph.clips.starts),
    )


def cheap_clips(sums: Sums, starts: Ints) -> Ints:
    """The clips in which showing frames costs least, shape (S, K); none where nothing has a cost.

    Parameters
    ----------
    sums : Sums
        Of S spans.
    starts : int64 array of shape (C + 1,)
        First frame of every clip, and their number.

    Returns
    -------
    int64 array
        Cheapest first, a share `CHEAP` of the clips.
    """
    count = max(int(CHEAP * (len(starts) - 1)), 1)
    rates = np.diff(sums.before[:, starts], axis=1) / np.maximum(np.diff(starts), 1)
    return np.argsort(rates, axis=1, kind="stable")[:, :count].astype(np.int64)


def with_pins(problem: Problem, pins: Ints) -> Problem:
    """The problem with other hard constraints.

    Parameters
    ----------
    problem : Problem
        It is not changed.
    pins : int64 array of shape (K, 2)
        Frame of the motion and frame of the clip set, ordered by the first.

    Returns
    -------
    Problem
        Its legs are split anew.
    """
    legs = _legs(problem.ground, problem.terms, problem.span, problem.boundaries, pins)
    return replace(problem, pins=pins, legs=legs)


def without_pins(problem: Problem, frames: list[int]) -> Problem:
    """The problem without the hard constraints on these frames of the motion.

    Parameters
    ----------
    problem : Problem
        It is not changed.
    frames : list of int
        Frames of the motion; those without a pin do not matter.

    Returns
    -------
    Problem
        The same object when `frames` is empty.
    """
    if not frames:
        return problem
    return with_pins(problem, problem.pins[~np.isin(problem.pins[:, 0], frames)])


def _legs(
    ground: Ground, terms: Terms, span: Span, boundaries: tuple[int, ...], pins: Ints
) -> tuple[Leg, ...]:
    """Split the motion at its boundaries, its anchor and its pins."""
    end = span.last_frame - 1
    shown = {int(n): int(frame) for n, frame in pins}
    legs = []
    first = span.first_frame
    for asked in sorted({*boundaries, *shown, span.anchor, end} - {span.first_frame}):
        frame = shown.get(asked, -1)
        # A frame near the beginning of its clip comes early in its piece: the leg ends when that is
        # long enough.
        lag = 0 if frame < 0 else max(int(ground.begin[frame]) + ground.min_piece - 1 - frame, 0)
        if asked + lag > end or (frame >= 0 and frame + lag >= ground.end[frame]):
            lag = 0
        if asked + lag > first:
            goal, joint = _goal(terms, span, asked)
            legs.append(
                Leg(first, asked + lag, goal, joint, frame + lag if frame >= 0 else -1, lag)
            )
            first = asked + lag
    return tuple(legs)


def _goal(terms: Terms, span: Span, asked: int) -> tuple[Goal, int]:
    """What is asked for in a frame, the body before joints. Before the anchor nothing has its place
    yet.
    """
    here = [int(k) for k in np.flatnonzero(terms.frame == asked)] if asked > span.anchor else []
    for k in sorted(here, key=lambda k: int(terms.joint[k])):
        w_turn = float(terms.w_turn[k]) if terms.joint[k] < 0 else 0.0
        if terms.w_place[k] > 0 and (terms.joint[k] < 0 or terms.moves[k] > 0):  # no velocity
            goal = Goal(
                complex(terms.at[k]), complex(terms.turn[k]), float(terms.w_place[k]), w_turn
            )
            return goal, int(terms.joint[k])
    return Goal(0j, 1 + 0j, 0.0, 0.0), -1
