"""Motion graphs on disk: time, peak memory and size of building, adding, removing, opening, and of
a cluster of two.

Run from the repository root: ``python evaluation/benchmarks/graph_storage.py [--set bandai]
[--frames 10000]``. Time of one core, every step in a process of its own, with the clips read and
prepared before. Needs the captures beside the project (``../shared/data``). Writes
evaluation/benchmarks/results/graph_storage_SET.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from hashlib import file_digest, sha256
from pathlib import Path
from time import perf_counter, process_time

from bench_clips import FPS, RESULTS, SETS, lengthened, load_clips, use_one_core
from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.graph.storage.disk import build_on_disk, open_on_disk
from motionloom.graph.transitions.build import build_graph

STEPS = {
    "in memory": "all clips, nothing on disk",
    "build": "all clips but one",
    "add": "the one that was left out",
    "again": "nothing to do",
    "open": "all clips",
    "half": "every second clip active",
    "remove": "that one again",
    "cluster": "all clips, two workers on this machine, wall time",
}


def digest(folder: Path) -> str:
    """Hash over the names and bytes of every file."""
    whole = sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            whole.update(
                str(path.relative_to(folder)).encode()
                + b"\0"
                + file_digest(file, "sha256").digest()
            )
    return whole.hexdigest()


def peak_memory() -> float:
    """Largest memory this process has had, bytes."""
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def run_step(step: str, motions: list, folder: Path) -> tuple[float, int]:
    """Run a step; returns seconds and how many transitions the graph has."""
    middle = len(motions) // 2

    def chosen() -> ClipSet:
        if step in ("build", "remove"):
            return make_clip_set(motions[:middle] + motions[middle + 1 :], fps=FPS)
        return make_clip_set(motions[::2] if step == "half" else motions, fps=FPS)

    clips = chosen()
    if step == "cluster":
        return on_cluster(clips, folder)
    began = process_time()
    if step == "in memory":
        graph = build_graph(clips)
    elif step in ("open", "half"):
        graph = open_on_disk(clips, folder)
    else:
        graph = build_on_disk(clips, folder).graph
    return process_time() - began, graph.report.n_edges


def on_cluster(clips: ClipSet, beside: Path) -> tuple[float, int]:
    """The graph computed by two workers, the second time; it must be the one computed here."""
    from distributed import LocalCluster

    there, here = (beside.with_name(name) for name in ("there", "here"))
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        build_on_disk(clips, there, cluster=cluster.scheduler_address)
        began = perf_counter()
        graph = build_on_disk(clips, there, cluster=cluster.scheduler_address, anew=True).graph
        seconds = perf_counter() - began
    build_on_disk(clips, here)
    if digest(here) != digest(there):
        sys.exit("the cluster's graph has other bytes")
    return seconds, graph.report.n_edges


def measure(step: str, name: str, frames: int, folder: Path) -> dict[str, float]:
    """One step in this process, warmed up."""
    captured = load_clips(name)
    few = make_clip_set(captured[:3], fps=FPS)
    with tempfile.TemporaryDirectory() as scratch:
        build_on_disk(few, scratch)  # compiles
    motions = sorted(lengthened(captured, frames), key=lambda motion: motion.name)
    before = peak_memory()
    seconds, transitions = run_step(step, motions, folder)
    return {
        "seconds": seconds,
        "transitions": transitions,
        "before_mb": before / 1e6,
        "peak_mb": peak_memory() / 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=SETS, default="bandai", dest="name")
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    use_one_core()
    if arguments.one:
        step, folder = arguments.one
        print(json.dumps(measure(step, arguments.name, arguments.frames, Path(folder))))
        return
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="graph-storage-") as scratch:
        folder, first = Path(scratch) / "graph", ""
        for step, what in STEPS.items():
            command = [
                sys.executable,
                __file__,
                "--set",
                arguments.name,
                "--frames",
                str(arguments.frames),
            ]
            done = subprocess.run(
                [*command, "--one", step, str(folder)],
                stdout=subprocess.PIPE,
                check=True,
                text=True,
            )
            rows[step] = json.loads(done.stdout.splitlines()[-1])
            row = rows[step]
            if folder.exists():
                row["disk_mb"] = sum(p.stat().st_size for p in folder.rglob("*")) / 1e6
            print(
                f"{step:<10} {row['seconds']:7.2f} s  {row['transitions']:>9} kept  peak"
                f" {row['peak_mb']:6.0f} MB ({row['before_mb']:.0f} before) "
                f" {row.get('disk_mb', 0):6.0f} MB on disk   {what}",
                flush=True,
            )
            if step == "build":
                first = digest(folder)
            if step == "remove" and digest(folder) != first:
                sys.exit("removing the clip that was added did not end in the first bytes")
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"graph_storage_{arguments.name}.json"
    path.write_text(json.dumps({"frames": arguments.frames, "steps": rows}, indent=1) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
