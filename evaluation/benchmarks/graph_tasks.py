"""How well the motion graph meets the task files: worst constraint before spreading, by family and
budget.

Run from the repository root: ``python evaluation/benchmarks/graph_tasks.py [--seeds 7] [--budgets
0.2 1 5] [--sets bandai_walk] [--methods meet]``. The set ``random`` is of tasks drawn at random for
the clips of ``bandai_walk``, so that nothing is tuned to the files. Needs the captures beside the
project (``../shared/data``). Prints a table.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import product
from time import perf_counter

import numpy as np

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import ConstraintSet
from motionloom.graph.searching.results import method_names
from motionloom.graph.searching.search import SearchResult
from motionloom.graph.transitions.build import MotionGraph, build_graph
from motionloom_evaluation.bench.run import FPS, make_parser, start, write_json
from motionloom_evaluation.bench.tasks import CLIPS, load_set, load_tasks, search_task


def build(name: str) -> tuple[MotionGraph, dict[str, float]]:
    """Read the clips and build their graph; with the seconds that each stage took."""
    times, began = {}, perf_counter()
    motions = load_set(name)
    times["read"], began = perf_counter() - began, perf_counter()
    clips = make_clip_set(motions, fps=FPS)
    times["prepare"], began = perf_counter() - began, perf_counter()
    graph = build_graph(clips)
    times["build"] = perf_counter() - began
    return graph, {k: round(v, 2) for k, v in times.items()}


def way(graph: MotionGraph, result: SearchResult, task: ConstraintSet) -> float:
    """Length of the way walked over the straight lines between the constraints."""
    body = result.best.path.body(graph.clips, result.best.start)[::10, :2]
    straight = np.linalg.norm(np.diff([b.position for b in task.body], axis=0), axis=1).sum()
    return float(np.linalg.norm(np.diff(body, axis=0), axis=1).sum() / straight)


def measure(graph: MotionGraph, task: ConstraintSet, result: SearchResult) -> dict[str, float]:
    """Numbers of the best motion, before anything is spread."""
    best = result.best
    body = [e for e in best.errors if e.kind == "body"]
    return {
        "body_cm": 100 * max(e.position for e in body),
        "body_degrees": max(e.facing or 0.0 for e in body),
        "joint_cm": 100 * max((e.position for e in best.errors if e.kind == "joint"), default=0.0),
        "missing_frames": task.n_frames - best.path.n_frames,
        "pieces": len(best.path.pieces),
        "pieces_per_s": len(best.path.pieces) / task.duration,
        "way": way(graph, result, task),
        "seam_cost": max(best.edge_costs, default=0.0),
        "alternatives": len(result.alternatives),
        "seconds": result.seconds,
        "reproducible": result.reproducible,
    }


def is_met(row: dict[str, float]) -> bool:
    """Whether body errors are under 25 cm and 15 degrees with no frame missing."""
    return row["body_cm"] < 25 and row["body_degrees"] < 15 and row["missing_frames"] == 0


def summarise(rows: list[dict[str, float]]) -> dict[str, float]:
    """Median and 90th percentile of one family at one budget."""
    summary = {"runs": len(rows), "met": float(np.mean([is_met(r) for r in rows]))}
    for key in (
        "body_cm",
        "body_degrees",
        "joint_cm",
        "seconds",
        "pieces_per_s",
        "seam_cost",
        "way",
    ):
        values = [r[key] for r in rows]
        summary[f"{key}_median"], summary[f"{key}_p90"] = (
            float(np.median(values)),
            float(np.quantile(values, 0.9)),
        )
    return summary


def print_table(results: dict) -> None:
    """One line per set, family and budget."""
    print(f"{'set':<13}{'method':<8}{'family':<12}{'budget':>7}{'met':>6}{'cm':>8}{'p90':>8}{'deg':>7}{'p90':>7}{'joint':>8}"
          f"{'p90':>8}{'pieces/s':>9}{'way':>6}{'s':>7}")  # fmt: skip
    for name, part in results.items():
        for (method, family), budgets in part["families"].items():
            for budget, s in budgets.items():
                print(f"{name:<13}{method:<8}{family:<12}{budget:>7}{s['met']:>6.2f}"
                      f"{s['body_cm_median']:>8.1f}{s['body_cm_p90']:>8.1f}"
                      f"{s['body_degrees_median']:>7.1f}{s['body_degrees_p90']:>7.1f}{s['joint_cm_median']:>8.1f}"
                      f"{s['joint_cm_p90']:>8.1f}{s['pieces_per_s_median']:>9.2f}{s['way_median']:>6.2f}"
                      f"{s['seconds_median']:>7.2f}")  # fmt: skip


def run(name: str, budgets: list[float], seeds: int, methods: list[str]) -> dict:
    """All tasks of one set."""
    graph, times = build(name)
    r = graph.report
    print(
        f"{name}: {graph.clips.n_clips} clips, {graph.clips.n_frames} frames, seconds {times}",
        file=sys.stderr,
    )
    print(
        f"  {r.n_edges} transitions, {100 * r.kept_share:.0f} % of the frames in one component",
        file=sys.stderr,
    )
    for method in methods:
        search_task(graph, next(iter(load_tasks(name).values())), 0.01, 0, method)  # compiles
    runs, families = [], defaultdict(lambda: defaultdict(list))
    for task_name, task in load_tasks(name).items():
        for method, budget, seed in product(methods, budgets, range(seeds)):
            row = measure(graph, task, search_task(graph, task, budget, seed, method))
            runs.append(
                {"task": task_name, "method": method, "budget": budget, "seed": seed, **row}
            )
            families[method, task_name.split("_")[0]][budget].append(row)
    summary = {f: {b: summarise(rows) for b, rows in by.items()} for f, by in families.items()}
    report = {k: v for k, v in vars(graph.report).items() if k != "dropped_clips"}
    return {"seconds": times, "graph": report, "families": summary, "runs": runs}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=7)
    parser.add_argument("--budgets", type=float, nargs="+", default=[0.2, 1.0, 5.0])
    parser.add_argument("--sets", nargs="+", choices=CLIPS, default=list(CLIPS))
    parser.add_argument("--methods", nargs="+", choices=method_names(), default=["meet"])
    arguments = start(parser)
    results = {
        name: run(name, arguments.budgets, arguments.seeds, arguments.methods)
        for name in arguments.sets
    }
    print_table(results)
    for part in results.values():
        part["families"] = {" ".join(key): by for key, by in part["families"].items()}
    write_json(arguments.json, results)


if __name__ == "__main__":
    main()
