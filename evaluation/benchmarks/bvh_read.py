"""How fast a BVH file becomes a motion: ours, pybvh's and upc-pymotion's reader, and np.loadtxt on
the numbers alone.

    python evaluation/benchmarks/bvh_read.py [--repeats 7] [--json FILE]

All in one run and one process, round robin, best of the repeats. Ours includes quaternions that are
continuous in time and the guesses of unit and up axis; np.loadtxt includes nothing but the numbers.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from motionloom_evaluation.bench.run import DATA, make_parser, start, write_json


def synthetic(path: Path, n_frames: int = 5000, n_joints: int = 31) -> None:
    """Write a file of 3 n_joints + 3 channels, smooth angles, six digits."""
    from motionloom import rotations as rot
    from motionloom.io.bvh import write_bvh
    from motionloom.motion import Motion
    from motionloom.skeleton import Skeleton

    rng = np.random.default_rng(0)
    parents = [-1, *(int(rng.integers(max(0, j - 4), j)) for j in range(1, n_joints))]
    skeleton = Skeleton(
        tuple(f"joint{j}" for j in range(n_joints)), parents, rng.normal(size=(n_joints, 3)) * 10
    )
    turns = rot.from_rotvec(np.cumsum(rng.normal(size=(n_frames, n_joints, 3)) * 0.02, axis=0))
    write_bvh(Motion(skeleton, turns, rng.normal(size=(n_frames, 1, 3)), 1 / 120), path)


def readers(path: Path) -> dict[str, Callable[[], object]]:
    """What is timed, by name; peers that are not installed are left out."""
    from motionloom.io.bvh import read_bvh

    lines = path.read_text().splitlines()
    block = lines[next(i for i, line in enumerate(lines) if line.startswith("Frame Time")) + 1 :]
    found: dict[str, Callable[[], object]] = {
        "motionloom": lambda: read_bvh(path),
        "loadtxt": lambda: np.loadtxt(block),
    }
    with suppress(ImportError):
        import pybvh

        found["pybvh"] = lambda: pybvh.read_bvh_file(str(path))
    with suppress(ImportError):
        from pymotion.io.bvh import BVH

        found["pymotion"] = lambda: BVH().load(str(path))
    for peer in sorted({"pybvh", "pymotion"} - set(found)):
        print(f"{peer} is not installed (extra bench)")
    return found


def measure(path: Path, repeats: int) -> dict[str, float]:
    """Best time of each reader, seconds."""
    calls = readers(path)
    best = dict.fromkeys(calls, float("inf"))
    for repeat in range(repeats + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            if repeat:  # the first round compiles and imports
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> None:
    """Run, print the table, write its figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    options = start(parser, captures=False)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "synthetic, 5000 x 96.bvh"
        synthetic(made)
        real = DATA / "cmu_bvh" / "01" / "01_01.bvh"
        results = {
            path.stem: measure(path, options.repeats) for path in (made, real) if path.is_file()
        }
    lines = [f"{'file':24}{'reader':14}{'ms':>8}{'times ours':>12}"]
    for name, times in results.items():
        lines += [
            f"{name:24}{r:14}{1e3 * t:8.1f}{t / times['motionloom']:12.2f}"
            for r, t in times.items()
        ]
    print("\n".join(lines))
    write_json(options.json, {"seconds": results})


if __name__ == "__main__":
    main()
