"""How well the motion graph meets the task files: worst constraint before spreading, by family and budget.

Run from the repository root:
``python benchmarks/graph_tasks.py [--seeds 3] [--budgets 0.2 1 5] [--sets bandai_walk]``.
Needs the captures beside the project (``../shared/data``).
Prints a table and writes benchmarks/results/graph_tasks.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from time import perf_counter

import numpy as np

from motionloom.constraints import ConstraintSet, read_constraints
from motionloom.graph.build import MotionGraph, build_graph
from motionloom.graph.clips import make_clip_set
from motionloom.graph.results import ITERATIONS_PER_SECOND
from motionloom.graph.search import SearchOptions, SearchResult, search_motion
from motionloom.io.registry import load_motion

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
RESULTS = Path(__file__).parent / "results" / "graph_tasks.json"
#: Clips of every set, by the folder of its tasks; reach tasks have more clips.
CLIPS = {
    "bandai_walk": ("bandai_namco/*walk*.bvh", "bandai_namco/*run*.bvh"),
    "bandai_reach": ("bandai_namco/*walk*.bvh", "bandai_namco/*run*.bvh", "bandai_namco/*raise-up-right-hand*.bvh"),
    "cmu16": ("cmu_asf_amc/16/*.amc",),
}
FPS = 30.0


def load_tasks(name: str) -> dict[str, ConstraintSet]:
    """Constraint sets of one set of clips, by file name."""
    folder = DATA / "tasks" / ("cmu16" if name == "cmu16" else "bandai_walk")
    files = [
        f for f in sorted(folder.glob("*.yaml")) if name == "cmu16" or ("reach" in f.stem) == (name == "bandai_reach")
    ]
    return {f.stem: read_constraints(f) for f in files}


def build(name: str) -> tuple[MotionGraph, dict[str, float]]:
    """Read the clips and build their graph; with the seconds that each stage took."""
    files = sorted({f for pattern in CLIPS[name] for f in DATA.glob(pattern)})
    times, began = {}, perf_counter()
    motions = [load_motion(f) for f in files]
    times["read"], began = perf_counter() - began, perf_counter()
    clips = make_clip_set(motions, fps=FPS)
    times["prepare"], began = perf_counter() - began, perf_counter()
    graph = build_graph(clips)
    times["build"] = perf_counter() - began
    return graph, {k: round(v, 2) for k, v in times.items()}


def solve(graph: MotionGraph, task: ConstraintSet, budget: float, seed: int) -> SearchResult:
    """One search, counted in iterations so that a busy machine measures the same; its seconds are in the table."""
    return search_motion(graph, task, SearchOptions(iterations=int(budget * ITERATIONS_PER_SECOND), seed=seed))


def measure(task: ConstraintSet, result: SearchResult) -> dict[str, float]:
    """Numbers of the best motion, before anything is spread."""
    best = result.best
    body = [e for e in best.errors if e.kind == "body"]
    return {
        "body_cm": 100 * max(e.position for e in body),
        "body_degrees": max(e.facing or 0.0 for e in body),
        "joint_cm": 100 * max((e.position for e in best.errors if e.kind == "joint"), default=0.0),
        "missing_frames": task.n_frames - best.path.n_frames,
        "pieces": len(best.path.pieces),
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
    for key in ("body_cm", "body_degrees", "joint_cm", "seconds", "pieces", "seam_cost"):
        values = [r[key] for r in rows]
        summary[f"{key}_median"], summary[f"{key}_p90"] = float(np.median(values)), float(np.quantile(values, 0.9))
    return summary


def print_table(results: dict) -> None:
    """One line per set, family and budget."""
    print(f"{'set':<13}{'family':<12}{'budget':>7}{'met':>6}{'cm':>8}{'p90':>8}{'deg':>7}{'p90':>7}{'joint':>8}"
          f"{'p90':>8}{'pieces':>8}{'s':>7}")  # fmt: skip
    for name, part in results.items():
        for family, budgets in part["families"].items():
            for budget, s in budgets.items():
                print(f"{name:<13}{family:<12}{budget:>7}{s['met']:>6.2f}"
                      f"{s['body_cm_median']:>8.1f}{s['body_cm_p90']:>8.1f}"
                      f"{s['body_degrees_median']:>7.1f}{s['body_degrees_p90']:>7.1f}{s['joint_cm_median']:>8.1f}"
                      f"{s['joint_cm_p90']:>8.1f}{s['pieces_median']:>8.0f}{s['seconds_median']:>7.2f}")  # fmt: skip


def run(name: str, budgets: list[float], seeds: int) -> dict:
    """All tasks of one set."""
    graph, times = build(name)
    r = graph.report
    print(f"{name}: {graph.clips.n_clips} clips, {graph.clips.n_frames} frames, seconds {times}", file=sys.stderr)
    print(f"  {r.n_edges} splices, {100 * r.kept_share:.0f} % of the frames in one component", file=sys.stderr)
    solve(graph, next(iter(load_tasks(name).values())), 0.01, 0)  # compiles
    runs, families = [], defaultdict(lambda: defaultdict(list))
    for task_name, task in load_tasks(name).items():
        for budget in budgets:
            for seed in range(seeds):
                row = measure(task, solve(graph, task, budget, seed))
                runs.append({"task": task_name, "budget": budget, "seed": seed, **row})
                families[task_name.split("_")[0]][budget].append(row)
    summary = {f: {b: summarise(rows) for b, rows in by.items()} for f, by in families.items()}
    report = {k: v for k, v in vars(graph.report).items() if k != "dropped_clips"}
    return {"seconds": times, "graph": report, "families": summary, "runs": runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budgets", type=float, nargs="+", default=[0.2, 1.0, 5.0])
    parser.add_argument("--sets", nargs="+", choices=CLIPS, default=list(CLIPS))
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"the captures are not at {DATA}")
    results = {name: run(name, arguments.budgets, arguments.seeds) for name in arguments.sets}
    print_table(results)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
