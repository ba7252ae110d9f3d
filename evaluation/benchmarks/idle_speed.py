"""Idle motion: what frames take one by one, in blocks, and with a gesture over them; what many
characters take in one pass.

Without recordings somebody is learned from the demo's person who stands. Times are processor
times, of all that a stream does: pieces that are made ahead are counted where they fall.

Run: OMP_NUM_THREADS=1 python evaluation/benchmarks/idle_speed.py [RECORDING...] [--json FILE]
"""

from __future__ import annotations

import argparse
import gc
import json
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench_clips import use_one_core
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

FPS = 60.0
BLOCKS = (1, 6, 60, 600)
CROWD = 800


def recorded(paths: list[Path]) -> list[Motion]:
    """Recordings, or the demo's person who stands."""
    if paths:
        return [load_motion(path) for path in paths]
    return [clip.motion for clip in performer_clips() if clip.motion.name == "stand"]


def times_of(call: Callable[[], object], calls: int) -> np.ndarray:
    """Processor time of each call, microseconds."""
    call()
    times = np.empty(calls)
    for i in range(calls):
        began = time.process_time_ns()
        call()
        times[i] = (time.process_time_ns() - began) / 1000
    return times


def told(times: np.ndarray, frames: int) -> dict[str, float]:
    """What calls take that make so many frames each."""
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
        rows.append(told(times_of(lambda s=stream, n=count: s.frames(n), calls), count))
    bare = IdleStream(model, FPS, begin_idle(model, 1))
    rows.append({"bare": 1.0, **told(times_of(lambda: bare.poses(1), 3600), 1)})
    return rows


def with_gesture(model: IdleModel) -> dict[str, float]:
    """One frame at a time while a gesture plays."""
    gesture = IdleStream(model, FPS, begin_idle(model, 2)).frames(1200)
    stream = IdleStream(model, FPS, begin_idle(model, 1))
    stream.play(gesture, ease=0.4)
    return told(times_of(lambda: stream.frames(1), 1000), 1)


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
    times = times_of(lambda: everybody.frames(1), 300)
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordings", type=Path, nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    use_one_core()
    model = fit_idle([prepare_recording(motion) for motion in recorded(given.recordings)])
    data = {
        "joints": model.space.coordinates.skeleton.n_joints,
        "model_fps": model.fps,
        "blocks": blocks(model, given.seconds),
        "with_gesture": with_gesture(model),
        "crowd": crowd(model),
    }
    print(json.dumps(data, indent=1))
    if given.json:
        given.json.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
