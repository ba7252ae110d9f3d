"""Forward kinematics of whole motions beside upc-pymotion's, in one run.

Run: python evaluation/benchmarks/forward_kinematics.py [--frames N] [--joints J] [--json FILE]
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np

from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton
from motionloom_evaluation.bench.run import make_parser, start, write_json


def random_motion(frames: int, joints: int) -> Motion:
    """A random tree in random poses: the work does not depend on the values."""
    rng = np.random.default_rng(0)
    parents = np.array([-1, *(int(rng.integers(max(0, j - 3), j)) for j in range(1, joints))])
    offsets = rng.normal(size=(joints, 3))
    skeleton = Skeleton(tuple(f"j{j}" for j in range(joints)), parents, offsets)
    return Motion(
        skeleton, rng.normal(size=(frames, joints, 4)), rng.normal(size=(frames, 1, 3)), 1 / 30
    )


def peer(motion: Motion) -> Callable[[], np.ndarray]:
    """The same work by upc-pymotion, whose root is its own parent and has no offset."""
    from pymotion.ops.skeleton import fk

    parents, offsets = motion.skeleton.parents.copy(), motion.skeleton.offsets.copy()
    parents[0], offsets[0] = 0, 0.0
    return lambda: fk(motion.rotations, motion.translations[:, 0], offsets, parents)[0]


def measure(
    ours: Callable[[], object], theirs: Callable[[], object], runs: int
) -> tuple[list[float], list[float]]:
    """Times in milliseconds, the two in turn."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for function, kept in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            function()
            kept.append(1000 * (time.perf_counter() - start))
    return times


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--joints", type=int, default=31)
    parser.add_argument("--runs", type=int, default=9)
    options = start(parser, captures=False)
    motion = random_motion(options.frames, options.joints)
    theirs = peer(motion)
    apart = float(np.abs(forward_kinematics(motion).positions - theirs()).max())
    own, other = measure(lambda: forward_kinematics(motion), theirs, options.runs)
    ratios = np.array(other) / np.array(own)
    result = {
        "frames": options.frames,
        "joints": options.joints,
        "motionloom_ms": round(float(np.median(own)), 2),
        "pymotion_ms": round(float(np.median(other)), 2),
        "pymotion_over_motionloom": {
            "min": round(float(ratios.min()), 1),
            "median": round(float(np.median(ratios)), 1),
            "max": round(float(ratios.max()), 1),
        },
        "largest_difference_of_positions": apart,
    }
    print(json.dumps(result, indent=2))
    write_json(options.json, result)


if __name__ == "__main__":
    main()
