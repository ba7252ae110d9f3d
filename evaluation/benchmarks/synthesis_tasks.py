"""The main job on the task files: constraints as found and as written to a file, foot skate, seams,
penetration.

Run from the repository root: ``python evaluation/benchmarks/synthesis_tasks.py [--budget 5]
[--seeds 1] [--sets cmu16]``. Needs the captures beside the project (``../shared/data``). Prints a
table. A row is clean when, as found,
every body constraint is within 25 cm and 15 degrees; as written, within 1 mm and 0.1 degrees; skate
is no more than 1.3 times the clips' mean and no seam accelerates more than twice their 99th
percentile. Below the table stand the limits of quality over all results together: skate and sliding
contacts both of the contacts that the foot lock held and of contacts found anew on what was
written, seams within the clips' 99.5th percentile of acceleration, penetration, and knees outside
the range that they have in the clips.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import SLIDING, compute_quality, skate_speed
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.posed_motion import pose_motion
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.faults import SEAM_LIMIT, SKATE_LIMIT
from motionloom.synthesis.generator import Fitted
from motionloom.synthesis.measure import errors_of
from motionloom_evaluation.bench.run import FPS, make_parser, start, write_json
from motionloom_evaluation.bench.tasks import CLIPS, load_set, load_tasks

Row = dict[str, float]
Array = NDArray


def worst(errors: tuple[ConstraintError, ...], kind: str) -> tuple[float, float]:
    """Largest error in metres and in degrees among the constraints of one kind."""
    own = [e for e in errors if e.kind == kind]
    return max((e.position for e in own), default=0.0), max(
        (e.facing or 0.0 for e in own), default=0.0
    )


def solve(
    fitted: Fitted, task: ConstraintSet, options: SynthesisOptions, folder: Path
) -> tuple[Row, dict[str, Array]]:
    """Synthesize one task, write it, read it back and measure; with samples to be pooled over all
    tasks.
    """
    made = synthesize(fitted, task, options)
    report, quality = made.report, made.report.quality
    write_bvh(made.motion, folder / "made.bvh")
    back = read_bvh(folder / "made.bvh")
    posed = pose_motion(back, fitted.clips.roles)
    written = errors_of(posed, task)
    soles, hinges = fitted.clips.soles, fitted.clips.hinges
    found = detect_contacts(posed, soles=soles)
    seen = compute_quality(posed, found, made.best.seams, hinges)
    points = soles.positions(posed)
    speeds = {
        name: skate_speed(points, c.down, FPS)
        for name, c in (("held", made.best.contacts), ("seen", found))
    }
    limit = report.sources.acceleration_p995
    samples = {
        **{name: v / (0.01 * report.sources.skate_mean) for name, v in speeds.items()},
        **{f"{name}_slides": v > SLIDING for name, v in speeds.items()},
        "seams": np.array(seen.seam_accelerations) <= limit,
        "sunk": np.array([quality.penetration_max]),
        "knee": np.array([seen.knee_excess]),
    }
    found_place, found_turn = worst(made.best.errors_before, "body")
    place, turn = worst(written, "body")
    row = {
        "pieces": len(report.details.pieces),
        "frames_missing": task.n_frames - back.n_frames,
        "found_cm": 100 * found_place,
        "found_degrees": found_turn,
        "written_mm": 1000 * place,
        "written_degrees": turn,
        "joint_found_cm": 100 * worst(made.best.errors_before, "joint")[0],
        "joint_written_cm": 100 * worst(written, "joint")[0],
        "skate_ratio": report.skate_ratio,
        "skate_seen_ratio": seen.skate_mean / report.sources.skate_mean,
        "seam_ratio": report.seam_ratio,
        "sliding_percent": 100 * quality.skate_share,
        "sliding_seen_percent": 100 * seen.skate_share,
        "seams_within_percent": 100 * quality.seam_share(limit),
        "knee_excess_degrees": seen.knee_excess,
        "penetration_mm": quality.penetration_max,
        "acceleration_max": quality.acceleration_max,
        "foot_moved_mm": 1000 * report.largest_correction,
        "hips_lowered_mm": 1000 * report.largest_drop,
        "search_seconds": report.times["generate"],
        "assembly_seconds": report.times["finish"],
    }
    return row, samples


def summarize(samples: list[dict[str, Array]]) -> dict[str, float]:
    """The limits of quality over all results together."""
    s = {name: np.concatenate([row[name] for row in samples]) for name in samples[0]}
    return {
        "skate of held contacts, times the clips' mean (limit 1.15)": float(s["held"].mean()),
        "skate of contacts found anew, times the clips' mean (limit 1.15)": float(s["seen"].mean()),
        "held contacts over 15 cm/s, % (limit 0.5)": 100 * float(s["held_slides"].mean()),
        "contacts found anew over 15 cm/s, % (limit 0.5)": 100 * float(s["seen_slides"].mean()),
        "seams within the clips' 99.5th percentile, % (at least 90)": (
            100 * float(s["seams"].mean())
        ),
        "deepest penetration, mm (limit 10)": float(s["sunk"].max()),
        "knee past its captured range, degrees (limit 0)": float(s["knee"].max()),
    }


def is_clean(row: Row) -> bool:
    """Whether a result meets every target of the module's docstring."""
    found = row["found_cm"] < 25 and row["found_degrees"] < 15 and row["frames_missing"] == 0
    exact = row["written_mm"] < 1 and row["written_degrees"] < 0.1
    return found and exact and row["skate_ratio"] <= SKATE_LIMIT and row["seam_ratio"] <= SEAM_LIMIT


def print_row(name: str, row: Row) -> None:
    """One line of the table."""
    print(
        f"{name:<28}{row['pieces']:>4}{row['found_cm']:>9.1f}{row['found_degrees']:>7.1f}{row['written_mm']:>10.4f}{row['written_degrees']:>9.5f}{row['joint_found_cm']:>8.1f}{row['joint_written_cm']:>8.2f}{row['skate_ratio']:>8.2f}{row['skate_seen_ratio']:>6.2f}{row['seam_ratio']:>7.2f}{row['penetration_mm']:>8.1f}{row['foot_moved_mm']:>8.0f}{row['search_seconds']:>7.1f}"
        f"  {'clean' if is_clean(row) else '-'}",
        flush=True,
    )


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--budget", type=float, default=5.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--sets", nargs="+", choices=CLIPS, default=list(CLIPS))
    arguments = start(parser)
    print(
        f"{'task':<28}{'pcs':>4}{'found cm':>9}{'deg':>7}{'wrote mm':>10}{'deg':>9}"
        f"{'joint cm':>8}{'wrote':>8}{'skate x':>8}{'seen':>6}{'seam x':>7}"
        f"{'sunk mm':>8}{'foot mm':>8}{'s':>7}"
    )
    rows: dict[str, Row] = {}
    samples = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            fitted = fit_generator(load_set(name), FPS)
            for task_name, task in load_tasks(name).items():
                for seed in range(arguments.seeds):
                    options = SynthesisOptions(seed=seed, budget=arguments.budget, alternatives=1)
                    row, sample = solve(fitted, task, options, Path(folder))
                    key = f"{name}/{task_name}" + (f"#{seed}" if seed else "")
                    rows[key] = row
                    samples.append(sample)
                    print_row(key, row)
    print(f"{sum(map(is_clean, rows.values()))} of {len(rows)} clean")
    limits = summarize(samples)
    for what, value in limits.items():
        print(f"{what:<72}{value:8.2f}")
    write_json(arguments.json, {"limits": limits, "tasks": rows})


if __name__ == "__main__":
    main()
