"""In-betweening: what a fill and a phase-space solve take, and how both and learning grow with
frames.

The library is LaFAN1's takes, then copies of them with every joint bent a little. Learning of each
size runs in a process of its own, whose largest memory is read.

Run: OMP_NUM_THREADS=1 python evaluation/benchmarks/inbetween_speed.py [--sizes 1000 ...] [--json
FILE]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench_clips import lengthened, load_clips, use_one_core
from motionloom.clips import make_clip_set
from motionloom.inbetween import InbetweenModel, InbetweenOptions, fit_inbetween, load_inbetween
from motionloom.inbetween.fit import gather_captures
from motionloom.inbetween.gaps import Gaps, Track
from motionloom.inbetween.phases.phase_space import Ends, solve_phase_motion

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
FRAMES = (15, 30, 60, 120, 240, 480)


def learn(frames: int, options: InbetweenOptions) -> dict[str, float]:
    """Processor time and largest memory of learning from so many frames."""
    clips = make_clip_set(lengthened(load_clips("lafan1", 500), frames))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    captures = gather_captures(clips, options)
    gathered = time.process_time()
    model = fit_inbetween(captures, options)
    ended = time.process_time()
    return {
        "frames": captures.n_frames,
        "landmarks": len(model.bands[0].landmarks),
        "gather_s": gathered - began,
        "learn_s": ended - gathered,
        "before_mb": before / 1024,
        "largest_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def cpu_ms(run: Callable[[], object], rounds: int = 7, each: int = 10) -> float:
    """Processor time of a call in the quickest of several rounds, milliseconds."""
    run()
    times = []
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(each):
            run()
        times.append((time.process_time() - began) / each)
    return 1000 * float(np.min(times))


def fills(model: InbetweenModel, track: Track) -> list[dict[str, float]]:
    """What fills and phase-space solves of one gap take by its frames."""
    space = model.phases.spaces["right_arm"]
    rows = []
    for missing in FRAMES:
        gaps = Gaps.cut(model.rig, track, np.array([100]), missing)
        ends = Ends.at_rest(*(model.phases.pose_of(r, space.joints) for r in _two(gaps)))
        fresh = gaps.take(slice(None))
        rows.append(
            {
                "missing": missing,
                "fill_ms": cpu_ms(lambda g=fresh: model.fill(g.take(slice(None)))),
                "phase_ms": cpu_ms(lambda e=ends, n=missing: solve_phase_motion(space, e, n + 1)),
            }
        )
    return rows


def _two(gaps: Gaps) -> tuple[np.ndarray, np.ndarray]:
    return gaps.start_rotations[0], gaps.end_rotations[0]


def power(x: list[float], y: list[float]) -> float:
    """Exponent of y over x by least squares of logarithms."""
    return float(np.polyfit(np.log(x), np.log(np.maximum(y, 1e-9)), 1)[0])


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--landmarks", type=int, default=5000)
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--lengths", type=int, nargs="*", default=list(InbetweenOptions().lengths))
    parser.add_argument("--one", type=int, help="only learn from so many frames, as JSON")
    parser.add_argument("--model", type=Path, help="one that fills are timed with")
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    use_one_core()
    options = InbetweenOptions(
        lengths=tuple(told.lengths), samples=told.samples, landmarks=told.landmarks
    )
    if told.one:
        print(json.dumps(learn(told.one, options)))
        return
    rows = []
    for size in told.sizes:
        own = [sys.executable, __file__, "--one", str(size)]
        own += ["--landmarks", str(told.landmarks), "--samples", str(told.samples)]
        own += ["--lengths", *map(str, told.lengths)]
        rows.append(json.loads(subprocess.check_output(own)))
        print(rows[-1], flush=True)
    clips = make_clip_set(load_clips("lafan1")[:1])
    model = load_inbetween(told.model) if told.model else fit_inbetween(clips, options)
    gaps = fills(model, Track.of(clips.motions[0], model.rig))
    for row in gaps:
        print(row)
    frames = [r["frames"] for r in rows]
    growth = {
        "gather over frames": power(frames, [r["gather_s"] for r in rows]),
        "learn over frames": power(frames, [r["learn_s"] for r in rows]),
        "memory over frames": power(frames, [r["largest_mb"] for r in rows]),
        "fill over missing": power(FRAMES, [r["fill_ms"] for r in gaps]),
        "phase over missing": power(FRAMES, [r["phase_ms"] for r in gaps]),
    }
    print(growth)
    if told.json:
        # Names only: where files lie is nobody else's business.
        asked = {key: v.name if isinstance(v, Path) else v for key, v in vars(told).items()}
        data = {"learning": rows, "gaps": gaps, "growth": growth, "options": asked}
        told.json.write_text(json.dumps(data, indent=1, default=str) + "\n")


if __name__ == "__main__":
    main()
