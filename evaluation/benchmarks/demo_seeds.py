"""How well `motionloom demo` does what it says, for every seed: walk a curve, stop, and reach for a
point.

Run from the repository root: ``python evaluation/benchmarks/demo_seeds.py [--seeds 20] [--first 0]
[--budget 5]``. Prints one line a seed and writes evaluation/benchmarks/results/demo_seeds.json. A
seed is good when, as found, the hand is within 2 cm and the body within 5 cm, the person stands
when the hand arrives, and the report has no problems.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

import numpy as np

from motionloom.cli.demo import demo_wish
from motionloom.constraints import ConstraintSet
from motionloom.io import load_motion, save
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.performer import performer_clips
from motionloom.synthesis.driver import Synthesis, SynthesisOptions, synthesize

RESULTS = Path(__file__).parent / "results" / "demo_seeds.json"
#: Limits of a good seed, centimetres and metres per second.
HAND, BODY, STANDS = 2.0, 5.0, 0.2


@dataclass(frozen=True)
class Row:
    """One seed: errors as found, speed of the hips when the hand arrives, ratios of quality,
    problems, CPU time.
    """

    seed: int
    hand_cm: float
    body_cm: float
    body_degrees: float
    hips_speed: float
    skate_ratio: float
    seam_ratio: float
    score: float
    problems: tuple[str, ...]
    seconds: float

    @property
    def good(self) -> bool:
        """Whether the seed does what the demo says."""
        near = self.hand_cm <= HAND and self.body_cm <= BODY and self.hips_speed < STANDS
        return near and not self.problems


def demo_clips(seed: int) -> list[Motion]:
    """The demo's clips as they are read back from its files."""
    motions = sorted(
        (clip.motion for clip in performer_clips(seed)), key=lambda motion: motion.name
    )
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{motion.name}.bvh" for motion in motions]
        for motion, path in zip(motions, files, strict=True):
            save(motion, path)
        return [load_motion(path) for path in files]


def hips_speed(motion: Motion, time: float) -> float:
    """Speed of the hips along the ground about a time, metres per second."""
    n = round(time / motion.frame_time)
    ground = forward_kinematics(motion).positions[n - 1 : n + 2, 0][:, [0, 2]]
    return float(np.linalg.norm(ground[-1] - ground[0]) / (2 * motion.frame_time))


def measure(seed: int, result: Synthesis, wish: ConstraintSet, seconds: float) -> Row:
    """The row of a seed."""
    errors = result.best.errors_before
    body = [e for e in errors if e.kind == "body"]
    return Row(
        seed=seed,
        hand_cm=100 * max(e.position for e in errors if e.kind == "joint"),
        body_cm=100 * max(e.position for e in body),
        body_degrees=max(e.facing or 0.0 for e in body),
        hips_speed=hips_speed(result.motion, wish.joints[0].time),
        skate_ratio=result.report.skate_ratio,
        seam_ratio=result.report.seam_ratio,
        score=result.report.score,
        problems=result.report.problems,
        seconds=seconds,
    )


def run_seed(seed: int, budget: float) -> Row:
    """The demo with one seed."""
    wish, clips, began = demo_wish(), demo_clips(seed), process_time()
    result = synthesize(clips, wish, SynthesisOptions(seed=seed, budget=budget, alternatives=1))
    return measure(seed, result, wish, process_time() - began)


def print_rows(rows: Sequence[Row]) -> None:
    """One line each."""
    for r in rows:
        print(
            f"{r.seed:>4}{r.hand_cm:>9.2f}{r.body_cm:>9.2f}{r.body_degrees:>7.2f}{r.hips_speed:>10.3f}{r.skate_ratio:>8.2f}{r.seam_ratio:>7.2f}{r.score:>8.3f}{len(r.problems):>9}{r.seconds:>7.1f}"
            f"  {'good' if r.good else '-'}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--budget", type=float, default=SynthesisOptions().budget)
    arguments = parser.parse_args()
    print(
        f"{'seed':>4}{'hand cm':>9}{'body cm':>9}{'deg':>7}{'hips m/s':>10}"
        f"{'skate x':>8}{'seam x':>7}{'score':>8}{'problems':>9}{'CPU s':>7}"
    )
    rows = []
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        rows.append(run_seed(seed, arguments.budget))
        print_rows(rows[-1:])
    print(f"{sum(r.good for r in rows)} of {len(rows)} good")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([asdict(r) for r in rows], indent=1))


if __name__ == "__main__":
    main()
