"""Idle motion: what frames take one by one, in blocks, and with a gesture over them; what many
characters take in one pass.

Without recordings somebody is learned from the demo's person who stands. Times are processor
times, of all that a stream does: pieces that are made ahead are counted where they fall.

Run: python evaluation/benchmarks/idle_speed.py [RECORDING...] [--json FILE]
"""

from __future__ import annotations

import gc
import json
import tracemalloc
from pathlib import Path

import numpy as np

from motionloom.idle import (
    IdleCrowd,
    IdleModel,
    IdleStream,
    begin_idle,
    fit_idle,
    prepare_recording,
)
from motionloom.io import load_motion
from motionloom.motion import Motion
from motionloom.performer import performer_clips
from motionloom_evaluation.bench.run import cpu_times, make_parser, start, write_json

FPS = 60.0
BLOCKS = (1, 6, 60, 600)
CROWD = 800


def recorded(paths: list[Path]) -> list[Motion]:
    """Recordings, or the demo's person who stands."""
    if paths:
        return [load_motion(path) for path in paths]
    return [clip.motion for clip in performer_clips() if clip.motion.name == "stand"]


def told(seconds: np.ndarray, frames: int) -> dict[str, float]:
    """What calls take that make so many frames each."""
    times = 1e6 * seconds
    return {
        "frames": frames,
        "call_median_us": float(np.median(times)),
        "call_p99_us": float(np.percentile(times, 99)),
        "frame_mean_us": float(times.mean() / frames),
    }


def blocks(model: IdleModel, seconds: float) -> list[dict[str, float]]:
    """One character, by the number of frames asked for at once."""
    rows = []
    for count in BLOCKS:
        stream = IdleStream(model, FPS, begin_idle(model, 1))
        calls = max(20, round(seconds * FPS / count))
        rows.append(told(cpu_times(lambda s=stream, n=count: s.frames(n), calls), count))
    bare = IdleStream(model, FPS, begin_idle(model, 1))
    rows.append({"bare": 1.0, **told(cpu_times(lambda: bare.poses(1), 3600), 1)})
    return rows


def with_gesture(model: IdleModel) -> dict[str, float]:
    """One frame at a time while a gesture plays."""
    gesture = IdleStream(model, FPS, begin_idle(model, 2)).frames(1200)
    stream = IdleStream(model, FPS, begin_idle(model, 1))
    stream.play(gesture, ease=0.4)
    return told(cpu_times(lambda: stream.frames(1), 1000), 1)


def crowd(model: IdleModel) -> dict[str, float]:
    """Many characters in one pass, a frame at a time, and what each keeps of all memory."""
    tracemalloc.start()
    states = [begin_idle(model, seed) for seed in range(CROWD)]
    everybody = IdleCrowd(model, states, FPS)
    del states
    everybody.frames(1)
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0] / CROWD
    tracemalloc.stop()
    times = 1e6 * cpu_times(lambda: everybody.frames(1), 300)
    frame = float(times.mean() / CROWD)
    return {
        "characters": CROWD,
        "frame_mean_us": frame,
        "step_p99_ms": float(np.percentile(times, 99)) / 1000,
        "at_60_hz_on_a_core": float(1e6 / FPS / frame),
        "arrays_kb": everybody.bytes_each / 1000,
        "memory_kb": kept / 1000,
    }


def main() -> None:
    """Measure, print, save."""
    parser = make_parser(__doc__)
    parser.add_argument("recordings", type=Path, nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    given = start(parser)
    model = fit_idle([prepare_recording(motion) for motion in recorded(given.recordings)])
    data = {
        "joints": model.space.coordinates.skeleton.n_joints,
        "model_fps": model.fps,
        "blocks": blocks(model, given.seconds),
        "with_gesture": with_gesture(model),
        "crowd": crowd(model),
    }
    print(json.dumps(data, indent=1))
    write_json(given.json, data)


if __name__ == "__main__":
    main()
