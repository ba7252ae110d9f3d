"""How many walks a second are proposed and scored, by kind of constraint.

Run from the repository root: ``python evaluation/benchmarks/scoring_speed.py [--repeats 7]``. Needs
the captures beside the project (``../shared/data``). CPU time of one core, compiled code warm, the
best of the repeats; the plain task first, and every other kind beside it.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.label_files import read_labels
from motionloom.clips.labels import label_clips
from motionloom.constraints import ConstraintSet, read_constraints
from motionloom.graph.scoring.terms import compile_objective
from motionloom.graph.searching.annealing import HOT, anneal_walk, random_walk
from motionloom.graph.searching.problem import make_problem
from motionloom.graph.searching.state import new_state
from motionloom.graph.transitions.build import MotionGraph, build_graph
from motionloom.synthesis.costs import load_costs
from motionloom_evaluation.bench.run import DATA, FPS, cpu_times, load_captures, make_parser, start

TASKS = Path(__file__).parent / "tasks"
KINDS = ("velocity", "obstacle", "heightmap", "style", "path", "cost")
#: Walks that are proposed and scored in a repeat.
WALKS = 20_000


def measure(graph: MotionGraph, task: ConstraintSet, repeats: int) -> float:
    """Walks proposed and scored in a second, by annealing from a random walk."""
    problem = make_problem(graph, compile_objective(graph.clips, task, w_cost=0.03))
    rng = new_state(0, 1)[0].rng
    walk = random_walk(problem, rng, problem.span)
    times = cpu_times(lambda: anneal_walk(problem, rng, problem.span, walk, WALKS, HOT), repeats)
    return WALKS / times.min()


def main() -> None:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("--repeats", type=int, default=7)
    options = start(parser)
    captures = load_captures("bandai_namco/*walk*.bvh", "bandai_namco/*run*.bvh")
    clips = make_clip_set(captures, FPS)
    graph = build_graph(label_clips(clips, read_labels(TASKS / "style_labels.yaml")))
    load_costs(TASKS / "cost_hands.py")
    plain = measure(
        graph, read_constraints(DATA / "tasks" / "bandai_walk" / "two_01.yaml"), options.repeats
    )
    print(f"{'plain':<12}{plain:>12,.0f} a second")
    for kind in KINDS:
        speed = measure(graph, read_constraints(TASKS / f"{kind}.yaml"), options.repeats)
        print(f"{kind:<12}{speed:>12,.0f} a second{100 * speed / plain:8.0f} % of the plain task")


if __name__ == "__main__":
    main()
