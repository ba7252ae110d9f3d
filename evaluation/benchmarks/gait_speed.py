"""How fast gait is made: ten seconds along a way, and a stream steered frame by frame.

    OMP_NUM_THREADS=1 python evaluation/benchmarks/gait_speed.py [CLIPS...] [--fps 30] [--json FILE]

Clips are the built-in performer's where none are given. Times are of one core, after a first run;
the best and the median of many.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from motionloom.gait.make import Walker, make_along
from motionloom.gait.path.plan import plan_gait
from motionloom.gait.path.tables.nodes import table_of
from motionloom.gait.path.way.route import Bend, route_of_bends
from motionloom.gait.path.way.timing import steady
from motionloom.gait.path.weave import weave
from motionloom.gait.space.fit import fit_gait
from motionloom.gait.stream import GaitStream
from motionloom.io import load_motion
from motionloom.performer import performer_clips

RUNS = 40
STREAMED = 60.0


def timed(work, runs=RUNS):
    """Best and median process time of some work, milliseconds."""
    work()
    times = []
    for _ in range(runs):
        begin = process_time()
        work()
        times.append(1000 * (process_time() - begin))
    return {"best": min(times), "median": float(np.median(times))}


def stream(table, fps):
    """Microseconds of every frame of a stream that is steered all the while."""
    gait = GaitStream(table, fps)
    rng = np.random.default_rng(0)
    times = []
    for i in range(round(STREAMED * fps)):
        if i % round(fps) == 0:
            gait.want(float(rng.uniform(0.0, gait.fastest)), float(rng.uniform(-np.pi, np.pi)))
        begin = perf_counter()
        gait.step()
        times.append(1e6 * (perf_counter() - begin))
    own = np.array(times[round(fps) :])
    return {
        "median": float(np.median(own)),
        "mean": float(own.mean()),
        "p99": float(np.quantile(own, 0.99)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="*", type=Path)
    parser.add_argument("--fps", type=float, default=30.0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.clips:
        motions = [load_motion(path) for path in args.clips]
    else:
        names = ("walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2", "run_3")
        motions = [c.motion for c in performer_clips() if c.motion.name in names]
    begin = process_time()
    space = fit_gait(motions)
    found = {"clips": len(motions), "fit_s": process_time() - begin, "fps": args.fps}
    person = space.persons[0]
    table = table_of(space, person)
    found["table_ms"] = timed(lambda: table_of(space, person), 5)
    route = route_of_bends([Bend(5.0), Bend(angle=180.0, radius=1.5, lead=0.6), Bend(3.0)])
    timing = steady(route.length / 10.0, 10.0, args.fps)
    found["ten_seconds_ms"] = timed(lambda: weave(plan_gait(table, route, timing)))
    found["with_checks_ms"] = timed(lambda: make_along(space, route, timing, Walker(person)), 5)
    found["stream_us"] = stream(table, args.fps)
    print(json.dumps(found, indent=1))
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
