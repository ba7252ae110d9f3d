"""In-betweening: what a fill and a phase-space solve take, and how both and learning grow with
frames.

The library is LaFAN1's takes, then copies of them with every joint bent a little. Learning of each
size runs in a process of its own, whose largest memory is read.

Run: python evaluation/benchmarks/inbetween_speed.py [--sizes 1000 ...] [--json
FILE]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom import rotations as rot
from motionloom.clips import make_clip_set
from motionloom.inbetween import InbetweenModel, InbetweenOptions, fit_inbetween, load_inbetween
from motionloom.inbetween.fit import gather_captures
from motionloom.inbetween.gaps import Gaps, Track
from motionloom.motion import Motion
from motionloom_evaluation.bench.run import cpu_times, load_captures, make_parser, start, write_json
from motionloom_evaluation.inbetweening.phases.phase_space import (
    Ends,
    phase_spaces_of,
    solve_phase_motion,
)

LAFAN1 = "lafan1/*.bvh"
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
FRAMES = (15, 30, 60, 120, 240, 480)


def pieces(length: int) -> list[Motion]:
    """LaFAN1's takes, cut into clips of so many frames; the rest is left."""
    cuts = [
        (m, k) for m in load_captures(LAFAN1) for k in range(0, m.n_frames - length + 1, length)
    ]
    return [replace(m.cut(k, k + length), name=f"{m.name}_{k:05d}") for m, k in cuts]


def lengthened(clips: list[Motion], frames: int) -> list[Motion]:
    """Clips of about `frames` frames together: as captured while they last, then again with every
    joint bent a little.

    They come in a random order, the same on every run, so that small sets have the mixture of large
    ones. A copy's joints are turned by angles of their own, constant over the clip, of one degree
    standard deviation.
    """
    rng, chosen, n = np.random.default_rng(0), [], 0
    clips = [clips[k] for k in rng.permutation(len(clips))]
    for k in range(sys.maxsize):
        clip = clips[k % len(clips)]
        if n + clip.n_frames > frames:
            return chosen
        if k >= len(clips):
            bend = rot.from_rotvec(np.radians(rng.normal(size=(clip.skeleton.n_joints, 3))))
            clip = replace(
                clip,
                rotations=rot.multiply(clip.rotations, bend),
                name=f"{clip.name}_copy{k // len(clips)}",
            )
        chosen.append(clip)
        n += clip.n_frames
    return chosen


def learn(frames: int, options: InbetweenOptions) -> dict[str, float]:
    """Processor time and largest memory of learning from so many frames."""
    clips = make_clip_set(lengthened(pieces(500), frames))
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


def least_ms(call: Callable[[], object]) -> float:
    """Processor time of a call in the quickest of several rounds, milliseconds."""
    return 1000 * float(cpu_times(call, rounds=7, each=10).min())


def fills(model: InbetweenModel, track: Track) -> list[dict[str, float]]:
    """What fills and phase-space solves of one gap take by its frames."""
    spaces = phase_spaces_of(model)
    space = spaces.spaces["right_arm"]
    rows = []
    for missing in FRAMES:
        gaps = Gaps.cut(model.rig, track, np.array([100]), missing)
        ends = Ends.at_rest(*(spaces.pose_of(r, space.joints) for r in _two(gaps)))
        fresh = replace(gaps)
        rows.append(
            {
                "missing": missing,
                "fill_ms": least_ms(lambda g=fresh: model.fill(replace(g))),
                "phase_ms": least_ms(lambda e=ends, n=missing: solve_phase_motion(space, e, n + 1)),
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
    parser = make_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--landmarks", type=int, default=5000)
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--lengths", type=int, nargs="*", default=list(InbetweenOptions().lengths))
    parser.add_argument("--one", type=int, help="only learn from so many frames, as JSON")
    parser.add_argument("--model", type=Path, help="one that fills are timed with")
    told = start(parser)
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
    clips = make_clip_set(load_captures(LAFAN1)[:1])
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
    # Names only: where files lie is nobody else's business.
    asked = {key: v.name if isinstance(v, Path) else v for key, v in vars(told).items()}
    data = {"learning": rows, "gaps": gaps, "growth": growth, "options": asked}
    write_json(told.json, data)


if __name__ == "__main__":
    main()
