"""The methods of searching against each other over time, and the default against the number of
clips.

Run from the repository root: ``python evaluation/benchmarks/search_curves.py [--seeds 7] [--longest
5] [--sizes 10 20 40 70]``. Needs the captures beside the project (``../shared/data``). Prints two
tables, writes evaluation/benchmarks/results/search_curves.json and docs/images/search.png.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path

import numpy as np

from graph_tasks import CLIPS, DATA, FPS, load_tasks
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import ConstraintSet
from motionloom.graph.searching.registry import method_names
from motionloom.graph.searching.results import ITERATIONS_PER_SECOND
from motionloom.graph.searching.search import SearchOptions, search_motion
from motionloom.graph.transitions.build import MotionGraph, build_graph
from motionloom.io.registry import load_motion

ROOT = Path(__file__).resolve().parents[2]
#: Seconds (as budgets) at which a search is looked at.
TIMES = (0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
#: Worst body constraint that counts as arrived, metres.
ARRIVED = 0.1


def curve(
    graph: MotionGraph, task: ConstraintSet, method: str, seed: int, times: list[float]
) -> list[tuple[float, float, float]]:
    """Score, worst body constraint and seconds at each time, from one search gone on with again and
    again.
    """
    state, rows, seconds = None, [], 0.0
    for time in times:
        options = SearchOptions(
            iterations=int(time * ITERATIONS_PER_SECOND), seed=seed, method=method
        )
        result = search_motion(graph, task, options, state=state)
        state, seconds = result.state, seconds + result.seconds
        worst = max(e.position for e in result.best.errors if e.kind == "body")
        rows.append((result.best.score, worst, seconds))
    return rows


def compare(
    graph: MotionGraph, seeds: int, times: list[float]
) -> dict[str, dict[str, list[list[float]]]]:
    """Quartiles of the score at each time, by method and family."""
    found: dict[str, dict[str, list]] = {m: {} for m in method_names()}
    for (name, task), method, seed in product(
        load_tasks("random").items(), method_names(), range(seeds)
    ):
        rows = curve(graph, task, method, seed, times)
        found[method].setdefault(name.split("_")[0], []).append([r[0] for r in rows])
    return {
        m: {f: np.quantile(scores, [0.25, 0.5, 0.75], axis=0).tolist() for f, scores in by.items()}
        for m, by in found.items()
    }


def arrivals(graph: MotionGraph, seeds: int, times: list[float]) -> dict[str, float]:
    """Mean iterations and seconds until the worst constraint is within `ARRIVED`; never counts as
    twice the longest.
    """
    budgets, seconds = [], []
    for (name, task), seed in product(load_tasks("random").items(), range(seeds)):
        if name.startswith("checkpoint"):
            rows = curve(graph, task, "meet", seed, times)
            first = next((i for i, r in enumerate(rows) if r[1] < ARRIVED), None)
            budgets.append(2 * times[-1] if first is None else times[first])
            seconds.append(2 * rows[-1][2] if first is None else rows[first][2])
    return {
        "iterations": float(np.mean(budgets)) * ITERATIONS_PER_SECOND,
        "seconds": float(np.mean(seconds)),
    }


def draw(curves: dict, times: list[float], path: Path) -> None:
    """Score over budget, one panel for each family."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    families = list(curves["meet"])
    figure, axes = plt.subplots(
        1, len(families), figsize=(9, 2.8), sharey=True, layout="constrained"
    )
    for axis, family in zip(axes, families, strict=True):
        for method in method_names():
            low, middle, high = curves[method][family]
            axis.loglog(times, middle, label=method)
            axis.fill_between(times, low, high, alpha=0.2)
        axis.set(title=family, xlabel="budget (s)")
    axes[0].set_ylabel("score")
    axes[0].legend()
    figure.savefig(path, dpi=80)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=7)
    parser.add_argument("--longest", type=float, default=5.0)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 20, 40, 70])
    arguments = parser.parse_args()
    times = [t for t in TIMES if t <= arguments.longest]
    files = sorted({f for pattern in CLIPS["bandai_walk"] for f in DATA.glob(pattern)})
    motions = [load_motion(f) for f in files]
    sizes: dict[int, dict[str, float]] = {}
    for size in arguments.sizes:
        chosen = [motions[i] for i in np.linspace(0, len(motions) - 1, size).round().astype(int)]
        graph = build_graph(make_clip_set(chosen, fps=FPS))
        row = {
            "clips": graph.clips.n_clips,
            "frames": graph.clips.n_frames,
            "transitions": graph.report.n_edges,
        }
        sizes[size] = row | arrivals(graph, arguments.seeds, times)
        print(sizes[size], flush=True)
    frames = [r["frames"] for r in sizes.values()]
    fits = {
        k: float(np.polyfit(np.log(frames), np.log([r[k] for r in sizes.values()]), 1)[0])
        for k in ("iterations", "seconds")
    }
    growth = ", ".join(f"{k} ~ frames^{v:.2f}" for k, v in fits.items())
    print(f"to come within {100 * ARRIVED:.0f} cm: {growth}")
    curves = compare(graph, arguments.seeds, times)
    print(f"{'method':<8}{'family':<12}" + "".join(f"{t:>9}" for t in times))
    for method, family in product(method_names(), curves["meet"]):
        print(f"{method:<8}{family:<12}" + "".join(f"{v:>9.3g}" for v in curves[method][family][1]))
    draw(curves, times, ROOT / "docs" / "images" / "search.png")
    results = {"times": times, "score quartiles": curves, "sizes": sizes, "exponents": fits}
    (ROOT / "evaluation" / "benchmarks" / "results" / "search_curves.json").write_text(
        json.dumps(results, indent=1)
    )


if __name__ == "__main__":
    main()
