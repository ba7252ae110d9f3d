"""Two checkouts side by side, this and another: poses, building and searching graphs, finished
motions, whole commands.

Run from the repository root: ``python evaluation/benchmarks/beside.py OTHER [--parts poses build
search motions commands] [--runs 3] [--seeds 4] [--budgets 0.2 1]``. OTHER is the root of another
checkout. Needs the captures beside the project (``../shared/data``); OTHER's own benchmarks of
tasks are run on the same captures. Every run is a process of its own on one core; the two checkouts
take turns. Seconds are of the processor, and the least of the runs stands in the table; what has a
seed is the same in every run. Prints a table.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parents[2]
DATA = HERE.parent / "shared" / "data"
#: Where a checkout has what is imported, an older one the last.
SOURCES = ("src", "evaluation/src", "evaluation/benchmarks", "benchmarks")
#: Tasks by set: what their names begin with.
SEARCHED = {"bandai_walk": ("two", "checkpoint", "tour"), "cmu16": ("two", "checkpoint", "jump")}
FINISHED = {"bandai_walk": ("two_01", "two_02", "checkpoint_01", "tour_01"), "cmu16": ()}
POSED = {"cmu": "cmu_asf_amc/14/*.amc", "bandai": "bandai_namco/*walk*00[1-9].bvh"}
BUILT, WARMING = "bandai_namco/*0?[13].bvh", 4
#: Clips of a graph, and where the motion is that is converted.
CLIPS, LONG = 40, "cmu_asf_amc/05/05_02.amc"
Rows = dict[str, float]


def first_of(*names: str) -> Any:
    """The first of these functions that this checkout has; they were called otherwise before."""
    for name in names:
        module, _, attribute = name.rpartition(".")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError):
            continue
    sys.exit(f"this checkout has none of {', '.join(names)}")


def seconds(work: Callable[..., Any], *given: Any) -> tuple[float, Any]:
    """Processor time of a call, and what it returns."""
    began = process_time()
    made = work(*given)
    return process_time() - began, made


def built_files() -> list[Path]:
    """Clips of the graph that is built."""
    return sorted(DATA.glob(BUILT))[:CLIPS]


def measure_poses(options: argparse.Namespace) -> Rows:
    """The default solver on targets out of captures that were held out."""
    from motionloom.analysis.naturalness import fit_naturalness
    from motionloom.ik.solve import PoseSolver
    from motionloom.io import load_motion

    names = (
        "motionloom_evaluation.natural_spaces.targets",
        "motionloom_evaluation.natural_spaces.targets",
    )
    split_captures = first_of(*(f"{n}.split_captures" for n in names))
    draw_targets = first_of(*(f"{n}.draw_targets" for n in names))
    rows = {}
    for name, pattern in POSED.items():
        split = split_captures([load_motion(f) for f in sorted(DATA.glob(pattern))], 0)
        model = fit_naturalness(split.held_out, seed=0)
        took, solver = seconds(PoseSolver, split.space)
        rows[f"{name}: making the solver, s"] = took
        for group in ("right hand", "both hands", "both feet", "hands and feet"):
            drawn = draw_targets(split, group, options.targets, 0)
            solver.solve(drawn.targets[0], split.standing)  # learns and compiles
            times = []
            found = []
            for targets in drawn.targets:
                took, result = seconds(solver.solve, targets, split.standing)
                times.append(took)
                found.append(result)
            reached = np.array([r.errors.max() < 0.01 for r in found])
            poses = np.array([r.pose for r in found])[reached]
            head = f"{name}, {group}"
            rows[f"{head}: reached, %"] = 100 * float(reached.mean())
            rows[f"{head}: naturalness, one Gaussian"] = float(model.log_likelihood(poses).mean())
            rows[f"{head}: naturalness, mixture"] = float(model.mixture_score(poses).mean())
            rows[f"{head}: median ms"] = 1e3 * float(np.median(times))
    return rows


def measure_build(options: argparse.Namespace) -> Rows:
    """Making clips ready and building a graph of them."""
    from motionloom.io import load_motion

    make_clip_set = first_of(
        "motionloom.clips.clip_set.make_clip_set", "motionloom.graph.clips.make_clip_set"
    )
    build_graph = first_of(
        "motionloom.graph.transitions.build.build_graph",
        "motionloom.graph.splices.build.build_graph",
    )
    read, motions = seconds(list, map(load_motion, built_files()))
    build_graph(make_clip_set(motions[:WARMING], fps=30.0))  # compiles
    prepare, clips = seconds(partial(make_clip_set, motions, fps=30.0))
    build, graph = seconds(build_graph, clips)
    return {
        "clips": clips.n_clips,
        "reading, s": read,
        "preparing, s": prepare,
        "building, s": build,
        "edges": graph.report.n_edges,
        "frames in one component, %": 100 * graph.report.kept_share,
    }


def measure_search(options: argparse.Namespace) -> Rows:
    """Searches of the task files, before anything is spread; as long by iterations."""
    tasks = import_module("graph_tasks")
    tasks.DATA = DATA
    rows = {}
    for name, families in SEARCHED.items():
        graph, _ = tasks.build(name)
        files = tasks.load_tasks(name)
        tasks.solve(graph, next(iter(files.values())), 0.01, 0)  # compiles
        for family in families:
            chosen = [t for n, t in files.items() if n.startswith(family)]
            for budget in options.budgets:
                found = []
                times = []
                scores = []
                for task in chosen:
                    for seed in range(options.seeds):
                        took, result = seconds(tasks.solve, graph, task, budget, seed)
                        times.append(took)
                        scores.append(result.best.score)
                        found.append(tasks.measure(graph, task, result))
                head = f"{name}, {family}, {budget:g} s:"
                rows[f"{head} score, mean"] = float(np.mean(scores))
                for key in ("body_cm", "body_degrees", "joint_cm"):
                    values = [f[key] for f in found]
                    if any(values):
                        rows[f"{head} {key.replace('_', ' ')}, median"] = float(np.median(values))
                        rows[f"{head} {key.replace('_', ' ')}, worst"] = max(values)
                rows[f"{head} CPU s a search"] = float(np.mean(times))
    return rows


def make_options(finish: Any, budget: float, seed: int) -> Any:
    """Options of a synthesis; those of its search were apart before."""
    chosen = {"seed": seed, "budget": budget, "alternatives": 1}
    if hasattr(finish, "SearchOptions"):
        return finish.SynthesisOptions(search=finish.SearchOptions(**chosen))
    return finish.SynthesisOptions(**chosen)


def measure_motions(options: argparse.Namespace) -> Rows:
    """The limits of quality over some finished motions together, by budget."""
    from motionloom.io import load_motion

    tasks = import_module("graph_tasks")
    finish = import_module("synthesis_tasks")
    tasks.DATA = DATA
    fit = first_of("synthesis_tasks.fit_generator", "synthesis_tasks.prepare_clips")
    fitted = {}
    for name in FINISHED:
        files = sorted({f for pattern in tasks.CLIPS[name] for f in DATA.glob(pattern)})
        fitted[name] = fit([load_motion(f) for f in files], tasks.FPS)
    folder = Path(options.scratch)
    rows = {}
    for budget in options.budgets:
        done = [
            seconds(finish.solve, fitted[name], task, make_options(finish, budget, seed), folder)
            for name, wanted in FINISHED.items()
            for task_name, task in tasks.load_tasks(name).items()
            if not wanted or task_name in wanted
            for seed in range(options.seeds)
        ]
        rows |= {f"{budget:g} s: {k}": v for k, v in pool_motions(finish, done).items()}
    return rows


def pool_motions(finish: Any, done: list[tuple[float, Any]]) -> Rows:
    """Rows of finished motions together."""
    rows = [row for _, (row, _) in done]
    limits = finish.summarize([samples for _, (_, samples) in done])
    shown = ("written_mm", "joint_written_cm", "foot_moved_mm", "hips_lowered_mm")
    return {
        "motions": len(rows),
        "clean": float(sum(finish.is_clean(r) for r in rows)),
        **{k.split(" (")[0]: v for k, v in limits.items()},
        **{f"{k.replace('_', ' ')}, worst": max(r[k] for r in rows) for k in shown},
        "CPU s, median": float(np.median([took for took, _ in done])),
    }


def measure_commands(options: argparse.Namespace) -> Rows:
    """Whole commands, from an empty folder of compiled code and then with what is in it."""
    rows = {}
    clips = [str(f) for f in built_files()]
    with tempfile.TemporaryDirectory() as folder:
        cache = {**os.environ, "NUMBA_CACHE_DIR": f"{folder}/cache"}
        out = f"{folder}/demo"
        commands = [
            ("demo, cold", ["demo", "-o", out]),
            ("demo, warm", ["demo", "-o", f"{out}2"]),
            ("info", ["info", clips[0]]),
            ("convert", ["convert", str(DATA / LONG), f"{folder}/out.bvh"]),
            ("graph build, cold", ["graph", "build", *clips, "-o", f"{folder}/graph"]),
            ("graph build, warm", ["graph", "build", *clips, "-o", f"{folder}/graph2"]),
        ]
        for name, words in commands:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                [sys.executable, "-m", "motionloom", *words],
                env=cache,
                capture_output=True,
                text=True,
                check=False,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode:
                print(f"{name}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            rows[f"{name}, s"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return rows


PARTS: dict[str, Callable[[argparse.Namespace], Rows]] = {
    "poses": measure_poses,
    "build": measure_build,
    "search": measure_search,
    "motions": measure_motions,
    "commands": measure_commands,
}


def run_in(checkout: Path, part: str, words: Sequence[str], cache: str) -> Rows:
    """One part in a process that imports everything from a checkout."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    environment = {
        **os.environ,
        **dict.fromkeys(threads, "1"),
        "PYTHONPATH": os.pathsep.join(str(checkout / folder) for folder in SOURCES),
        "NUMBA_CACHE_DIR": cache,
    }
    # Without this folder before the others: modules beside this script are not the checkout's.
    command = [sys.executable, "-P", __file__, str(checkout), "--parts", part, "--child", *words]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    rows: Rows = json.loads(done.stdout.splitlines()[-1])
    return rows


def is_time(name: str) -> bool:
    """Whether a row is a time, of which the least of all runs counts."""
    return name.endswith((", s", " ms", "CPU s a search", "CPU s, median"))


def compare(other: Path, part: str, runs: int, words: Sequence[str], cache: Path) -> None:
    """Print the table of one part, the checkouts taking turns."""
    found: dict[Path, list[Rows]] = {other: [], HERE: []}
    for _ in range(runs):
        for k, checkout in enumerate(found):
            found[checkout].append(run_in(checkout, part, words, str(cache / str(k))))
    print(f"\n{part:<62}{'other':>12}{'this':>12}{'this/other':>12}")
    for name in found[HERE][0]:
        before, now = (
            min(r[name] for r in rows) if is_time(name) else rows[0][name]
            for rows in found.values()
        )
        ratio = f"{now / before:>12.2f}" if before > 0 else ""
        print(f"{name:<62}{before:>12.3f}{now:>12.3f}{ratio}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", type=Path)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--budgets", type=float, nargs="+", default=[0.2, 1.0])
    parser.add_argument("--targets", type=int, default=60)
    parser.add_argument("--cache", type=Path, help="folder for compiled code, to use again")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"the captures are not at {DATA}")
    if options.child:
        with tempfile.TemporaryDirectory() as folder:
            options.scratch = folder
            print(json.dumps(PARTS[options.parts[0]](options)))
        return
    if not (options.other / "src" / "motionloom").is_dir():
        sys.exit(f"{options.other} is no checkout of motionloom: it has no src/motionloom")
    words = ["--seeds", str(options.seeds), "--targets", str(options.targets)]
    words += ["--budgets", *map(str, options.budgets)]
    with tempfile.TemporaryDirectory() as folder:
        for part in options.parts:
            cache = (options.cache or Path(folder)).resolve()
            compare(options.other.resolve(), part, options.runs, words, cache)


if __name__ == "__main__":
    main()
