"""How fast a motion graph is built: every stage beside the matrix product that it needs, and beside
fairmotion's graph.

Run from the repository root:
``python evaluation/benchmarks/graph_build.py [--set lafan1] [--clips 80] [--length 300] [--runs 7]
[--fairmotion PYTHON]``. One core, CPU seconds, medians. PYTHON is the interpreter of an environment
with fairmotion (see fairmotion_graph.py); its graph is built for 2, 4, 8 ... clips and extrapolated
by the power law through the last sizes. Needs the captures beside the project (``../shared/data``).
Writes evaluation/benchmarks/results/graph_build_SET.json.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from bench_clips import FPS, RESULTS, SETS, load_clips, use_one_core
from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.graph.transitions.build import GraphOptions, build_graph, fit_calibration
from motionloom.graph.transitions.connect import strong_components
from motionloom.graph.transitions.edges import find_edges
from motionloom.graph.transitions.hierarchy import build_hierarchy
from motionloom.graph.transitions.product import TILE, CostProduct, TileScanner
from motionloom.graph.transitions.rules import EdgeRules
from motionloom.io.bvh import write_bvh

ROWS = 512


def seconds(work: Callable[[], object]) -> float:
    """CPU time of one call."""
    began = process_time()
    work()
    return process_time() - began


def peak() -> float:
    """Floating-point operations a second of a large single-precision product."""
    n = 4096
    a = np.random.default_rng(0).random((n, n), np.float32)
    out = np.empty((n, n), np.float32)
    return 2 * n**3 / min(seconds(lambda: np.matmul(a, a, out=out)) for _ in range(3))


def whole_product(features: np.ndarray) -> float:
    """Seconds of all pairs of frames, and nothing else."""
    a = features.astype(np.float32)
    out = np.empty((2048, len(a)), np.float32)
    out[:] = 0
    blocks = [a[k : k + 2048] for k in range(0, len(a), 2048)]
    return seconds(lambda: [np.matmul(b, a.T, out=out[: len(b)]) for b in blocks])


def distances(features: np.ndarray, limits: np.ndarray) -> tuple[int, int]:
    """Product and threshold, each unordered pair once: (pairs of frames multiplied, pairs below the
    threshold).
    """
    scanner, n, found, done = TileScanner(CostProduct(features, limits)), len(features), 0, 0
    width = TILE // ROWS
    for i in range(0, n, ROWS):
        for j in range(i, n, width):
            rows, cols = slice(i, min(i + ROWS, n)), slice(j, min(j + width, n))
            found += len(scanner.below(rows, cols)[0])
            done += (rows.stop - rows.start) * (cols.stop - cols.start)
    return done, found


def measure(clips: ClipSet) -> dict[str, float]:
    """One run of every stage."""
    options = GraphOptions()
    row: dict[str, float] = {"peak_gflops": peak() / 1e9}
    box: dict[str, object] = {}

    row["calibration_s"] = seconds(lambda: box.update(calibration=fit_calibration(clips, options)))
    calibration = box["calibration"]
    row["features_s"] = seconds(lambda: box.update(features=calibration.features(clips)))
    scaled = box["features"]
    limits = calibration.limits(clips, scaled)
    row["whole_product_s"] = whole_product(scaled)
    row["distance_s"] = seconds(lambda: box.update(count=distances(scaled, limits)))
    rules = EdgeRules(options.min_piece, options.min_jump)
    row["edges_s"] = seconds(lambda: box.update(edges=find_edges(clips, scaled, limits, rules)))
    edges = box["edges"]
    row["components_s"] = seconds(lambda: strong_components(clips, edges, options.min_piece))
    pair = (
        clips.clip_of[edges.source].astype(np.int64) * clips.n_clips + clips.clip_of[edges.target]
    )
    row["hierarchy_s"] = seconds(lambda: build_hierarchy(edges, pair, clips.n_clips))
    row["build_s"] = seconds(lambda: box.update(graph=build_graph(clips)))
    report, done = box["graph"].report, box["count"][0]
    width = scaled.shape[1] + 2
    row["rate_done_gflops"] = 2 * width * done / row["distance_s"] / 1e9
    row["rate_all_gflops"] = 2 * width * clips.n_frames**2 / row["distance_s"] / 1e9
    row["share_of_peak_done"] = row["rate_done_gflops"] / row["peak_gflops"]
    row["share_of_peak_all"] = row["rate_all_gflops"] / row["peak_gflops"]
    row["build_over_product"] = row["build_s"] / row["whole_product_s"]
    row |= {
        "edges": report.n_edges,
        "roots_share": report.n_roots / report.n_edges,
        "kept_share": report.kept_share,
    }
    return row | {"edges_per_frame": report.n_edges / clips.n_frames, "loosest": report.loosest}


def fairmotion(python: str, clips: ClipSet, largest: int, stride: float) -> dict:
    """Their graph on growing parts of the same clips, and the power law through the last three
    sizes.
    """
    script, rows = Path(__file__).with_name("fairmotion_graph.py"), []
    with tempfile.TemporaryDirectory() as folder:
        for k, motion in enumerate(clips.motions[:largest]):
            write_bvh(motion, Path(folder) / f"{k:03d}.bvh")
        size = 2
        while size <= min(largest, clips.n_clips):
            command = [python, str(script), folder, str(size), str(stride)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            rows.append(json.loads(done.stdout.splitlines()[-1]))
            print(f"fairmotion {size} clips: {rows[-1]['build_cpu_s']:.1f} s", file=sys.stderr)
            size *= 2
    size, time = np.log([[r["clips"], r["build_cpu_s"]] for r in rows[-3:]]).T
    power, offset = np.polyfit(size, time, 1)
    whole = float(np.exp(offset + power * np.log(clips.n_clips)))
    return {
        "rows": rows,
        "power": float(power),
        "extrapolated_s": whole,
        "extrapolated_to_clips": clips.n_clips,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=SETS, default="lafan1", dest="name")
    parser.add_argument("--clips", type=int, default=80)
    parser.add_argument(
        "--length", type=int, default=300, help="frames of a clip; 0 leaves clips as they are"
    )
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--fairmotion", metavar="PYTHON", help="interpreter with fairmotion")
    parser.add_argument(
        "--largest", type=int, default=8, help="clips of fairmotion's largest graph"
    )
    parser.add_argument(
        "--stride",
        type=float,
        default=1.5,
        help="seconds between fairmotion's windows (its default)",
    )
    arguments = parser.parse_args()
    use_one_core()
    motions = load_clips(arguments.name, arguments.length or None)[: arguments.clips]
    clips = make_clip_set(motions, fps=FPS)
    build_graph(make_clip_set(motions[:4], fps=FPS))  # compiles
    began, runs = perf_counter(), []
    for _ in range(arguments.runs):
        runs.append(measure(clips))
    median = {key: float(np.median([r[key] for r in runs])) for key in runs[0]}
    head = {
        "set": arguments.name,
        "clips": clips.n_clips,
        "frames": clips.n_frames,
        "joints": clips.skeleton.n_joints,
    }
    result = {**head, "median": median, "runs": runs, "wall_s": perf_counter() - began}
    print(
        f"{arguments.name}: {clips.n_clips} clips, {clips.n_frames} frames, median of"
        f" {arguments.runs} runs, one core"
    )
    for key, value in median.items():
        print(f"  {key:<22}{value:>14.3f}")
    if arguments.fairmotion:
        theirs = fairmotion(arguments.fairmotion, clips, arguments.largest, arguments.stride)
        result["fairmotion"] = theirs | {
            "times_slower": theirs["extrapolated_s"] / median["build_s"]
        }
        print(
            f"fairmotion {theirs['rows'][-1]['version']}, a window every {arguments.stride:g} s, as"
            " measured:"
        )
        for r in theirs["rows"]:
            print(f"  {r['clips']:>4} clips {r['nodes']:>6} windows {r['build_cpu_s']:>10.1f} s")
        print(
            f"  {clips.n_clips} clips by a power of {theirs['power']:.2f}:"
            f" {theirs['extrapolated_s']:.0f} s,"
            f" {result['fairmotion']['times_slower']:.0f} times as long"
        )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"graph_build_{arguments.name}.json").write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
