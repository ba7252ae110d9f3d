"""Speed prototypes of walking and running: one stride of the right foot of each capture, speeds at
13 key points, Hotelling's test between the two kinds and between halves of one kind.

Run: python evaluation/benchmarks/speed_prototypes.py [--json FILE]
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np

from bench_clips import DATA
from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.errors import MotionloomError
from motionloom.inbetween.phases.speed import KEY_POINTS, SpeedPrototype, compare_speeds
from motionloom.inbetween.rig import Rig
from motionloom.io import load_motion
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.spaces.segments import find_segments

#: Captures of each set; walking and running are told apart by the body's speed.
SETS = {
    "bandai": ("bandai_namco/*_walk_normal_*.bvh", "bandai_namco/*_run_normal_*.bvh"),
    "cmu": ("cmu_bvh/*/*.bvh",),
    "acclaim": ("cmu_asf_amc/*/*.amc",),
}
SEGMENTS = ("right_leg", "right_arm")
#: Metres per second, in leg lengths of .85 m.
WALK = (0.7, 2.0)
RUN = (2.3, 7.0)
COUNT = 12


def stride_of(motion: Motion) -> tuple[str, Motion] | None:
    """The straightest stride of the right foot, and its kind; None where there is none."""
    posed = PosedMotion(motion, Rig.of(motion).roles)
    down = detect_contacts(posed).foot("right_foot")
    starts = np.flatnonzero(~down[:-1] & down[1:]) + 1
    best = None
    for first, last in pairwise(starts):
        seconds = (last - first) / motion.fps
        if not 0.4 < seconds < 1.6:
            continue
        body = posed.body[first : last + 1]
        speed = float(np.linalg.norm(body[-1, :2] - body[0, :2])) / seconds
        turned = float(np.ptp(np.unwrap(body[:, 2])))
        kind = "walk" if WALK[0] < speed < WALK[1] else "run" if RUN[0] < speed < RUN[1] else None
        if kind and (best is None or turned < best[0]):
            best = (turned, kind, motion.cut(int(first), int(last) + 1))
    return None if best is None else best[1:]


def speeds_of(stride: Motion, segment: str) -> np.ndarray:
    """Total angular speed of a segment's joints, radians a frame."""
    rig = Rig.of(stride)
    joints = list(find_segments(stride.skeleton, rig.roles, rig.root)[segment])
    turned = rot.angle_between(stride.rotations[:-1, joints], stride.rotations[1:, joints])
    return np.linalg.norm(turned, axis=1)


def gather(patterns: tuple[str, ...]) -> dict[str, list[Motion]]:
    """Up to twelve strides of each kind, of as many performers as there are."""
    found: dict[str, list[tuple[str, Motion]]] = {"walk": [], "run": []}
    for path in sorted(p for pattern in patterns for p in DATA.glob(pattern)):
        try:
            stride = stride_of(load_motion(path))
        except MotionloomError:
            continue
        if stride is not None:
            found[stride[0]].append((path.stem.split("_")[0], stride[1]))
    chosen = {}
    for kind, own in found.items():
        turns = {}
        for i, (person, _) in enumerate(own):
            turns[i] = sum(p == person for p, _ in own[:i])
        order = sorted(turns, key=lambda i: (turns[i], i))[:COUNT]
        chosen[kind] = [own[i][1] for i in order]
    return chosen


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    rows = []
    for name, patterns in SETS.items():
        strides = gather(patterns)
        for segment in SEGMENTS:
            kinds = {k: [speeds_of(s, segment) for s in own] for k, own in strides.items()}
            row = {"set": name, "segment": segment, **{k: len(v) for k, v in kinds.items()}}
            if min(map(len, kinds.values())) >= 2:
                keys = {k: SpeedPrototype.of(v) for k, v in kinds.items()}
                walk, run = keys["walk"], keys["run"]
                row["correlation"] = float(np.corrcoef(walk.keys, run.keys)[0, 1])
                if len(walk.samples) + len(run.samples) >= KEY_POINTS + 2:
                    test = compare_speeds(walk.samples, run.samples)
                    row |= {"t2": test.t_squared, "f": test.f, "df": test.degrees, "p": test.p}
                few = [SpeedPrototype.of(v, 5).samples for v in kinds.values()]
                if len(few[0]) + len(few[1]) >= 7:
                    row["p_at_5_keys"] = compare_speeds(*few).p
                    row["p_walks_halves"] = compare_speeds(few[0][::2], few[0][1::2]).p
            rows.append(row)
            print(row, flush=True)
    if told.json:
        told.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
