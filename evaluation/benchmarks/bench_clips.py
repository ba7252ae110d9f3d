"""Sets of captured clips for the benchmarks of the motion graph, and one core to run them on."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom import rotations as rot
from motionloom.io.registry import load_motion
from motionloom.motion import Motion

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
RESULTS = Path(__file__).parent / "results"
FPS = 30.0
#: Files of every set; clips of one set share a skeleton.
SETS = {"lafan1": "lafan1/*.bvh", "bandai": "bandai_namco/*.bvh"}


def use_one_core() -> None:
    """Start this script again so that every library uses one thread, unless it does already."""
    if not DATA.is_dir():
        sys.exit(f"the captures are not at {DATA}")
    one = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
    )
    if any(os.environ.get(name) != value for name, value in one.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **one})


def load_clips(name: str, length: int | None = None) -> list[Motion]:
    """Captures of one set at 30 frames per second, cut into clips of `length` frames when given
    (the rest is left).
    """
    motions = [load_motion(f) for f in sorted(DATA.glob(SETS[name]))]
    motions = [m if abs(m.fps - FPS) < 0.01 else m.resample(1 / FPS) for m in motions]
    if length is None:
        return motions
    cuts = [(m, k) for m in motions for k in range(0, m.n_frames - length + 1, length)]
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
