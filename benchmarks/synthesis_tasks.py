"""The main job on the task files: constraints as found and as written to a file, foot skate, seams, penetration.

Run from the repository root: ``python benchmarks/synthesis_tasks.py [--budget 5] [--seed 0] [--sets cmu16]``.
Needs the captures beside the project (``../shared/data``).
Prints a table and writes benchmarks/results/synthesis_tasks.json. A row is clean when, as found, every body
constraint is within 25 cm and 15 degrees; as written, within 1 mm and 0.1 degrees; skate is no more than 1.3 times
the clips' mean and no seam accelerates more than twice their 99th percentile.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from graph_tasks import CLIPS, DATA, FPS, load_tasks
from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import compute_quality
from motionloom.constraints import ConstraintSet
from motionloom.graph.objective import ConstraintError
from motionloom.graph.report import SEAM_LIMIT, SKATE_LIMIT
from motionloom.graph.search import SearchOptions
from motionloom.graph.spread import measure_errors
from motionloom.graph.synthesize import Prepared, SynthesisOptions, prepare_clips, synthesize
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.io.registry import load_motion
from motionloom.kinematics import forward_kinematics

RESULTS = Path(__file__).parent / "results" / "synthesis_tasks.json"


def worst(errors: tuple[ConstraintError, ...], kind: str) -> tuple[float, float]:
    """Largest error in metres and in degrees among the constraints of one kind."""
    own = [e for e in errors if e.kind == kind]
    return max((e.position for e in own), default=0.0), max((e.facing or 0.0 for e in own), default=0.0)


def solve(prepared: Prepared, task: ConstraintSet, options: SynthesisOptions, folder: Path) -> dict[str, float]:
    """Synthesize one task, write it, read it back and measure."""
    made = synthesize(prepared, task, options)
    report, quality = made.report, made.report.quality
    write_bvh(made.motion, folder / "made.bvh")
    back = read_bvh(folder / "made.bvh")
    pose, roles = forward_kinematics(back), prepared.sources.clips.roles
    written = measure_errors(back, pose, roles, task)
    seen = compute_quality(back, detect_contacts(back, pose, roles, soles=prepared.sources.soles))
    found_place, found_turn = worst(made.assembly.errors_before, "body")
    place, turn = worst(written, "body")
    return {
        "pieces": len(report.pieces),
        "frames_missing": task.n_frames - back.n_frames,
        "found_cm": 100 * found_place,
        "found_degrees": found_turn,
        "written_mm": 1000 * place,
        "written_degrees": turn,
        "joint_found_cm": 100 * worst(made.assembly.errors_before, "joint")[0],
        "joint_written_cm": 100 * worst(written, "joint")[0],
        "skate_ratio": report.skate_ratio,
        "skate_seen_ratio": seen.skate_mean / report.sources.skate_mean,
        "seam_ratio": report.seam_ratio,
        "penetration_mm": quality.penetration_max,
        "acceleration_max": quality.acceleration_max,
        "foot_moved_mm": 1000 * report.largest_correction,
        "hips_lowered_mm": 1000 * report.largest_drop,
        "search_seconds": report.times["search"],
        "assembly_seconds": report.times["assembly"],
    }


def is_clean(row: dict[str, float]) -> bool:
    """Whether a result meets every target of the module's docstring."""
    found = row["found_cm"] < 25 and row["found_degrees"] < 15 and row["frames_missing"] == 0
    exact = row["written_mm"] < 1 and row["written_degrees"] < 0.1
    return found and exact and row["skate_ratio"] <= SKATE_LIMIT and row["seam_ratio"] <= SEAM_LIMIT


def print_row(name: str, row: dict[str, float]) -> None:
    """One line of the table."""
    print(
        f"{name:<28}{row['pieces']:>4}{row['found_cm']:>9.1f}{row['found_degrees']:>7.1f}{row['written_mm']:>10.4f}"
        f"{row['written_degrees']:>9.5f}{row['joint_found_cm']:>8.1f}{row['joint_written_cm']:>8.2f}"
        f"{row['skate_ratio']:>8.2f}{row['skate_seen_ratio']:>6.2f}{row['seam_ratio']:>7.2f}"
        f"{row['penetration_mm']:>8.1f}{row['foot_moved_mm']:>8.0f}{row['search_seconds']:>7.1f}"
        f"  {'clean' if is_clean(row) else '-'}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sets", nargs="+", choices=CLIPS, default=list(CLIPS))
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"the captures are not at {DATA}")
    options = SynthesisOptions(search=SearchOptions(seed=arguments.seed, budget=arguments.budget, alternatives=1))
    print(
        f"{'task':<28}{'pcs':>4}{'found cm':>9}{'deg':>7}{'wrote mm':>10}{'deg':>9}{'joint cm':>8}{'wrote':>8}"
        f"{'skate x':>8}{'seen':>6}{'seam x':>7}{'sunk mm':>8}{'foot mm':>8}{'s':>7}"
    )
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            files = sorted({f for pattern in CLIPS[name] for f in DATA.glob(pattern)})
            prepared = prepare_clips([load_motion(f) for f in files], FPS, options)
            for task_name, task in load_tasks(name).items():
                rows[f"{name}/{task_name}"] = solve(prepared, task, options, Path(folder))
                print_row(f"{name}/{task_name}", rows[f"{name}/{task_name}"])
    print(f"{sum(map(is_clean, rows.values()))} of {len(rows)} clean")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
