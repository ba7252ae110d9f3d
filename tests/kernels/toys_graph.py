"""Toys of the motion graph and its search: small work that runs their kernels."""

from __future__ import annotations

import functools
from contextlib import contextmanager

import numpy as np

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import Box, ConstraintSet, Cylinder, HeightMap
from motionloom.constraints.kinds.avoid import measure_depths
from motionloom.graph.scoring.terms import compile_objective
from motionloom.graph.scoring.walk import STEP
from motionloom.graph.searching import legs
from motionloom.graph.searching.annealing import (
    HOT,
    anneal_walk,
    is_complete,
    lay_walk,
    random_walk,
)
from motionloom.graph.searching.legs import LegSearch
from motionloom.graph.searching.problem import make_problem, with_pins
from motionloom.graph.searching.state import new_state
from motionloom.graph.storage._disk_head import load_graph, save_graph
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.connect import _union
from motionloom.graph.transitions.edges import find_edges, make_rules
from motionloom.graph.transitions.product import CostProduct
from motionloom_evaluation.graph_search import paper
from motionloom_evaluation.graph_search.steepest import Descent, best_demotion, best_replacement
from walkers import make_walker


@functools.cache
def clips():
    """Three short walks."""
    return make_clip_set(
        [make_walker(48 + 6 * i, phase=0.9 * i, vary=0.5, name=f"walk_{i}") for i in range(3)]
    )


@functools.cache
def graph():
    """Their graph."""
    return build_graph(clips())


@functools.cache
def wishes():
    """A walk around things, with a hand to be somewhere, that is slow in the end."""
    return ConstraintSet.model_validate(
        {
            "duration": 3.0,
            "body": [
                {"time": 0, "position": [0, 0], "facing": 0},
                {"time": 2, "position": [0.2, 1.8], "facing": 20},
            ],
            "joints": [{"time": 1.0, "joint": "head", "position": [0.1, 1.4, 0.9]}],
            "still": [{"from": 2.2, "to": 2.8}],
            "avoid": [
                {"shape": "cylinder", "center": [0.3, 0.8], "radius": 0.3},
                {"shape": "heightmap", "heights": [[0.0, 0.1], [0.3, 0.2]], "cell": 1.0},
            ],
        }
    )


def asked(wish: ConstraintSet):
    """A problem and a random stream.

    The weight is a number of NumPy's: times a single it is a double, as it is in compiled code.
    """
    objective = compile_objective(graph().clips, wish, w_cost=np.float64(0.03))
    return make_problem(graph(), objective), new_state(3, 1)[0]


def shown_by(problem, walk):
    """A frame of each of two pieces of a walk, and when it is shown."""
    laid, used = lay_walk(problem, walk, problem.span)[1:3]
    pins = [(int(laid[p]["frames"]) + 2, int(walk.steps[p - 1]["target"]) + 2) for p in (1, used)]
    return np.array(pins, np.int64)


def a_graph_of_three_walks(folder):
    edges, tree = graph().edges, graph().hierarchy
    return (*edges.arrays, tree.pair_ptr, tree.root_ptr, tree.roots, tree.children, tree.medoid)


def transitions_between_islands(folder):
    features = np.linspace(0, 1, 36)[:, None] * [1.0, 0.3]
    table = clips()
    island = (np.arange(table.n_frames) // 20).astype(np.int32)
    wide = np.resize(features, (table.n_frames, 2))
    limits = np.full(table.n_frames, 0.05)
    wanted = np.zeros((table.n_clips, table.n_clips), bool)
    wanted[0, [1, 2]] = wanted[[1, 2], 0] = True
    rules = make_rules(table.starts, 2, 4, island, wanted)
    found = find_edges(CostProduct(wide, limits), rules)
    union = _union(found.arrays, graph().edges.take(np.arange(50)).arrays, table.clip_of)
    return (*found.arrays, *union)


def a_graph_that_is_kept(folder):
    save_graph(graph(), folder / "graph.npz")
    same = load_graph(folder / "graph.npz", clips())
    return (len(same.edges.source),)


def a_walk_that_is_annealed(folder):
    problem, stream = asked(wishes())
    walk = random_walk(problem, stream.rng, problem.span)
    found = anneal_walk(problem, stream.rng, problem.span, walk, 150, HOT)
    return walk.steps, found.score, found.steps, is_complete(found, problem, problem.span)


def a_walk_that_keeps_its_pins(folder):
    problem, stream = asked(ConstraintSet(duration=3.0))
    walk = random_walk(problem, stream.rng, problem.span)
    pins = shown_by(problem, walk)
    pinned = with_pins(problem, pins)
    found = anneal_walk(pinned, stream.rng, pinned.span, walk, 250, HOT)
    return pins, found.score, found.start, found.steps


@contextmanager
def few_generations():
    """Legs are bred twice only, the second time from the few best walks of the first."""
    usual = legs.GENERATIONS
    legs.GENERATIONS = 2
    try:
        yield
    finally:
        legs.GENERATIONS = usual


@few_generations()
def legs_that_meet_in_the_middle(folder):
    problem, stream = asked(wishes())
    beam = []
    for leg in problem.legs[:2]:
        search = LegSearch(problem, leg, beam, stream.rng, 16)
        found = search.run()
        beam = [walk for walk, _ in found[:3]] or beam
    return search.iterations, len(found), *(walk.score for walk in beam), beam[0].steps


@few_generations()
def a_leg_to_a_frame_that_is_given(folder):
    problem, stream = asked(ConstraintSet(duration=3.0))
    walk = random_walk(problem, stream.rng, problem.span)
    pinned = with_pins(problem, shown_by(problem, walk)[1:])
    search = LegSearch(pinned, pinned.legs[0], [], stream.rng, 24)
    found = search.run()
    return search.iterations, len(found), search.guide.soon, *(walk.score for walk, _ in found[:3])


def the_search_of_the_paper(folder):
    wish = ConstraintSet(duration=2.0, body=wishes().body[1:])
    problem, stream = asked(wish)
    for _ in range(4):
        paper.step(problem, None, stream)
    walk = stream.beam[0]
    m = len(walk.steps)
    steps = np.zeros(m + 2, STEP)
    steps[:m] = walk.steps
    task = Descent(
        problem.ground,
        problem.adjacency,
        problem.terms,
        problem.span,
        problem.pins,
        walk.start,
        steps,
        m,
    )
    best = np.zeros(m + 2, STEP)
    replaced = best_replacement(task, 0, m, np.inf, best)
    demoted = best_demotion(task, np.inf, best)
    return stream.iterations, *(w.score for w in stream.minima), *replaced, *demoted


def bodies_in_obstacles(folder):
    avoid = (
        Box(center=(0.2, 0.1), size=(1.0, 0.6), angle=30.0, top=0.9),
        Cylinder(center=(-0.4, 0.5), radius=0.3),
        HeightMap(heights=((0.0, 0.2, 0.4), (0.1, 0.3, 0.2)), cell=0.5),
    )
    points = np.random.default_rng(2).uniform(-1, 1, (6, 5, 3))
    return (measure_depths(avoid, points),)


TOYS = (
    a_graph_of_three_walks,
    transitions_between_islands,
    a_graph_that_is_kept,
    a_walk_that_is_annealed,
    a_walk_that_keeps_its_pins,
    legs_that_meet_in_the_middle,
    a_leg_to_a_frame_that_is_given,
    the_search_of_the_paper,
    bodies_in_obstacles,
)
