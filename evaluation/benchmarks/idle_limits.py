"""How wide idle people stand, how low their hips come and how fast their joints move, for hours.

Each recording is learned and shown for a while with several seeds. A row says the extremes beside
the recording's; what is beyond the limits of `motionloom idle make` is named.

Run: python evaluation/benchmarks/idle_limits.py RECORDING... [--seconds 3600]
[--json FILE]
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from motionloom.idle import IdleModel, IdleStream, begin_idle, fit_idle, prepare_recording
from motionloom.idle.learning.limits import MotionRange, find_beyond, join_ranges, measure_range
from motionloom.io import load_motion
from motionloom.motion import concatenate
from motionloom.posed_motion import pose_motion
from motionloom_evaluation.bench.run import make_parser, start, write_json

#: Frames made and measured at once.
BLOCK = 6000


def range_of(model: IdleModel, seed: int, seconds: float, fps: float) -> MotionRange:
    """Extremes of what is made."""
    stream = IdleStream(model, fps, begin_idle(model, seed))
    left = round(seconds * fps)
    ranges = []
    last = None
    while left > 0:
        motion = stream.frames(min(BLOCK, left))
        left -= motion.n_frames
        # Two frames of each block are in the next one too, for its first accelerations.
        whole = motion if last is None else concatenate([last, motion])
        ranges.append(measure_range(pose_motion(whole, model.space.roles)))
        last = whole.cut(max(whole.n_frames - 2, 0), whole.n_frames)
    return join_ranges(ranges)


def row_of(name: str, model: IdleModel, seed: int, given: argparse.Namespace) -> dict[str, Any]:
    """One recording and seed."""
    made = range_of(model, seed, given.seconds, given.fps)
    beyond = find_beyond(made, model.limits)
    return {
        "name": name,
        "seed": seed,
        "made": asdict(made),
        "recorded": asdict(model.limits),
        "beyond": list(beyond),
    }


def line_of(row: dict[str, Any]) -> str:
    """A row of the table: made and recorded, and times as fast and as hard as recorded."""
    made, recorded = row["made"], row["recorded"]
    return (
        f"{row['name']:20s} {row['seed']:4d}"
        f"  {100 * made['width']:5.1f} ({100 * recorded['width']:5.1f})"
        f"  {100 * made['hips']:5.1f} ({100 * recorded['hips']:5.1f})"
        f"  {made['speed'] / recorded['speed']:5.2f}"
        f"  {made['acceleration'] / recorded['acceleration']:12.2f}"
        f"  {'beyond' if row['beyond'] else 'within'}"
    )


def main() -> None:
    """Make, measure, print, save."""
    parser = make_parser(__doc__)
    parser.add_argument("recordings", type=Path, nargs="+")
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--fps", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=3)
    given = start(parser)
    print("recording            seed  width, cm      hips, cm       speed  acceleration")
    rows = []
    for path in given.recordings:
        model = fit_idle([prepare_recording(load_motion(path))])
        for seed in range(given.seeds):
            rows.append(row_of(path.stem, model, seed, given))
            print(line_of(rows[-1]), flush=True)
    print(f"{sum(bool(row['beyond']) for row in rows)} of {len(rows)} beyond")
    write_json(given.json, rows)


if __name__ == "__main__":
    main()
