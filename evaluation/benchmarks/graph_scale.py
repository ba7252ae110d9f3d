"""Time and peak memory of building a motion graph over the size of the database, fitted, and on
paper far beyond.

Run from the repository root: ``python evaluation/benchmarks/graph_scale.py [--frames 3000 10000
30000 100000] [--set bandai] [--most 500] [--budget 600]``. One core, every size in a process of its
own. Where the captures run out they are repeated with every joint bent by about a degree, so that
copies are no copies. Sizes whose predecessor says that they would take longer than `budget` seconds
are left out. Needs the captures beside the project (``../shared/data``). Writes
evaluation/benchmarks/results/graph_scale_SET.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from time import process_time

import numpy as np

from bench_clips import FPS, RESULTS, SETS, lengthened, load_clips, use_one_core
from motionloom.clips.clip_set import make_clip_set
from motionloom.graph.transitions.build import GraphOptions, build_graph, fit_calibration
from motionloom.graph.transitions.edges import find_edges
from motionloom.graph.transitions.rules import EdgeRules

#: What the figures on paper assume.
WORKERS, GPU_FLOPS, GPU_SHARE, LARGE = 32, 60e12, 0.5, 1_000_000


def peak_memory() -> float:
    """Largest memory this process has had, bytes."""
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(name: str, frames: int, most: float) -> dict[str, float]:
    """Build one graph; the distance stage first, so that its peak is seen alone."""
    captured = load_clips(name)
    build_graph(make_clip_set(captured[:4], fps=FPS))  # compiles
    clips = make_clip_set(lengthened(captured, frames), fps=FPS)
    began = process_time()
    calibration = fit_calibration(clips, GraphOptions(most=most))
    features = calibration.features(clips)
    limits = calibration.limits(clips, features)
    prepared, before = process_time() - began, peak_memory()
    began = process_time()
    edges = find_edges(clips, features, limits, EdgeRules(5, 10))
    distances, stage = process_time() - began, peak_memory()
    found, tau = len(edges.source), float(np.median(limits) ** 2)
    del edges
    began = process_time()
    report = build_graph(clips, GraphOptions(most=most)).report
    return {
        "frames": clips.n_frames,
        "clips": clips.n_clips,
        "captured_frames": sum(m.n_frames for m in captured),
        "width": features.shape[1] + 2,
        "tau": tau,
        "found": found,
        "edges": report.n_edges,
        "kept_share": report.kept_share,
        "calibration_s": prepared,
        "edges_s": distances,
        "build_s": process_time() - began,
        "before_mb": before / 1e6,
        "edges_mb": (stage - before) / 1e6,
        "build_mb": peak_memory() / 1e6,
    }


def power(rows: list[dict[str, float]], key: str) -> tuple[float, float]:
    """Exponent and factor of the power law through all sizes."""
    n, value = np.log([[r["frames"], max(r[key], 1e-9)] for r in rows]).T
    exponent, offset = np.polyfit(n, value, 1)
    return float(exponent), float(np.exp(offset))


def on_paper(rows: list[dict[str, float]], most: float) -> dict[str, float]:
    """A large database from the largest that was measured: products grow with the square, what is
    kept linearly.
    """
    last = rows[-1]
    pairs = LARGE**2 / 2
    per_pair = last["edges_s"] / (last["frames"] ** 2 / 2)
    kept = min(most, last["edges"] / last["frames"]) * LARGE
    per_edge = max(last["build_s"] - last["edges_s"], 0.0) / last["edges"]
    one, rest = pairs * per_pair, kept * per_edge
    return {
        "frames": LARGE,
        "edges": kept,
        "edges_gb": 12 * kept / 1e9,
        "hierarchy_gb": 12 * kept / 1e9,
        "one_core_h": (one + rest) / 3600,
        "workers": WORKERS,
        "workers_h": (one / WORKERS + rest) / 3600,
        "gpu_product_s": 2 * last["width"] * pairs / (GPU_FLOPS * GPU_SHARE),
        "gpu_h": (2 * last["width"] * pairs / (GPU_FLOPS * GPU_SHARE) + rest) / 3600,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=SETS, default="bandai", dest="name")
    parser.add_argument("--frames", type=int, nargs="+", default=[3000, 10_000, 30_000, 100_000])
    parser.add_argument(
        "--most",
        type=float,
        default=GraphOptions().most,
        help="transitions a frame that are too many",
    )
    parser.add_argument(
        "--budget", type=float, default=600.0, help="seconds that one size may take"
    )
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    use_one_core()
    if arguments.one:
        print(json.dumps(measure(arguments.name, arguments.one, arguments.most)))
        return
    rows: list[dict[str, float]] = []
    for frames in sorted(arguments.frames):
        if rows and (frames / rows[-1]["frames"]) ** 2 * rows[-1]["build_s"] > arguments.budget:
            print(f"{frames} frames would take longer than {arguments.budget:g} s", file=sys.stderr)
            break
        command = [sys.executable, __file__, "--set", arguments.name, "--most", str(arguments.most)]
        done = subprocess.run(
            [*command, "--one", str(frames)], stdout=subprocess.PIPE, text=True, check=True
        )
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(f"{frames} frames: {rows[-1]['build_s']:.1f} s", file=sys.stderr)
    result: dict[str, object] = {"set": arguments.name, "most": arguments.most, "rows": rows}
    columns = (
        "frames",
        "tau",
        "edges",
        "kept_share",
        "edges_s",
        "build_s",
        "before_mb",
        "edges_mb",
        "build_mb",
    )
    print("".join(f"{c:>13}" for c in columns))
    for row in rows:
        print("".join(f"{row[c]:>13.5g}" for c in columns))
    if len(rows) > 1:
        result["power"] = {
            key: power(rows, key) for key in ("edges", "edges_s", "build_s", "build_mb")
        }
        print(
            "grows as frames to the power of: "
            + ", ".join(f"{k} {v[0]:.2f}" for k, v in result["power"].items())
        )
    result["on_paper"] = on_paper(rows, arguments.most)
    for key, value in result["on_paper"].items():
        print(f"  {key:<16}{value:>14.5g}")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"graph_scale_{arguments.name}.json").write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
