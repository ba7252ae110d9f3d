"""Ways of joining pieces compared on the same paths: skate, acceleration at seams, distance to the
captured poses.

Run from the repository root: ``python evaluation/benchmarks/assembly_methods.py [--budget 1]
[--seeds 3] [--sets bandai_walk]``. Needs the captures beside the project (``../shared/data``).
Prints a table. Every task is searched once a seed; every method then makes a motion of the same
paths, with and without the foot lock. Contacts are found anew on each motion, so that no method is
measured where it chose to hold a foot. Poses are compared joint by joint as seen from the torso.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import joint_acceleration, skate_speed
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet
from motionloom.edit.footlock import FootLockOptions
from motionloom.graph.joining import JoinOptions, make_draft
from motionloom.graph.searching.results import Candidate
from motionloom.motion import GroundTransform
from motionloom.synthesis.driver import fit_generator
from motionloom.synthesis.finish import Finished, FinishOptions, finish
from motionloom_evaluation.bench.run import FPS, make_parser, start, write_json
from motionloom_evaluation.bench.tasks import CLIPS, load_set, load_tasks, search_task

Array = NDArray[np.float64]
#: Methods with the spans at which they are tried, seconds.
TRIED = (
    ("displacement", 0.3),
    ("displacement", 0.5),
    ("displacement", 1.0),
    ("crossfade", 0.15),
    ("crossfade", 0.3),
    ("crossfade", 0.5),
    ("inertialize", 0.3),
    ("inertialize", 0.5),
    ("inertialize", 0.8),
)
Work = list[tuple[ConstraintSet, Candidate]]


def seen_from_torso(positions: Array, body: Array) -> Array:
    """Joint positions (T, J, 3) in the torso frames of body (T, 3)."""
    return np.stack(
        [
            GroundTransform(b[2], b[0], b[1]).inverse().apply(p)
            for p, b in zip(positions, body, strict=True)
        ]
    )


def measure(sources: AnalysedClips, made: Finished, found: Candidate) -> dict[str, Array]:
    """Samples of one motion."""
    clips, pose = sources.clip_set, made.posed
    joints = list(
        made.motion.skeleton.descendants(made.motion.root_joint)
    )  # not a reference joint that never moves
    contacts = detect_contacts(pose, soles=sources.soles)
    frames = found.path.frames(clips)
    own = seen_from_torso(clips.positions[frames], clips.body[frames])
    gap = seen_from_torso(pose.positions, pose.body) - own
    return {
        "skate": 100 * skate_speed(sources.soles.positions(pose), contacts.down, FPS),
        "seams": np.array(made.quality.seam_accelerations),
        "acceleration": joint_acceleration(pose.positions, FPS).ravel(),
        "pose": 100 * np.linalg.norm(gap[:, joints], axis=-1).ravel(),
        "knee": np.array([made.quality.knee_excess]),
        "sunk": np.array([made.quality.penetration_max]),
        "let_go": np.array([float(made.released)]),
    }


def compare(sources: AnalysedClips, work: Work) -> Iterator[dict[str, float | str]]:
    """One row per method, span and foot lock."""
    limit = sources.quality.acceleration_p995
    for method, span in TRIED:
        for lock in (None, FootLockOptions()):
            rows = []
            for task, found in work:
                draft = make_draft(
                    sources, found.path, found.start, task, JoinOptions(method, span)
                )
                made = finish(draft, sources, task, FinishOptions(footlock=lock))
                rows.append(measure(sources, made, found))
            s = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
            yield {
                "method": method,
                "span": span,
                "foot_lock": "yes" if lock else "no",
                "skate_mean": float(s["skate"].mean()),
                "skate_p99": float(np.quantile(s["skate"], 0.99)),
                "skate_over_15": 100 * float((s["skate"] > 15).mean()),
                "seams_within": 100 * float((s["seams"] <= limit).mean()),
                "seam_p90": float(np.quantile(s["seams"], 0.9)),
                "acceleration_p995": float(np.quantile(s["acceleration"], 0.995)),
                "pose_mean": float(s["pose"].mean()),
                "pose_p99": float(np.quantile(s["pose"], 0.99)),
                "knee_excess": float(s["knee"].max()),
                "penetration": float(s["sunk"].max()),
                "let_go": float(s["let_go"].sum()),
            }


def print_row(row: dict[str, float | str]) -> None:
    """One line of the table."""
    numbers = [
        f"{value:>9.2f}"
        for name, value in row.items()
        if isinstance(value, float) and name != "span"
    ]
    print(f"{row['method']:<14}{row['span']:>5}{row['foot_lock']:>5}{''.join(numbers)}", flush=True)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+", choices=CLIPS, default=["bandai_walk", "cmu16"])
    options = start(parser)
    table: dict[str, object] = {}
    for name in options.sets:
        fitted = fit_generator(load_set(name), FPS)
        tasks = load_tasks(name).values()
        work = [
            (task, search_task(fitted.graph, task, options.budget, seed).best)
            for task in tasks
            for seed in range(options.seeds)
        ]
        own = fitted.clips.quality
        print(
            f"\n{name}: {len(work)} motions, {sum(len(f.path.seams) for _, f in work)} seams;"
            f" sources: skate {own.skate_mean:.2f} cm/s,"
            f" {100 * own.skate_share:.1f} % over 15 cm/s,"
            f" acceleration p99.5 {own.acceleration_p995:.1f} m/s2"
        )
        columns = (
            "skate", "p99", ">15 %", "seams %", "seam p90", "acc p995",
            "pose cm", "p99", "knee", "sunk", "let go",
        )  # fmt: skip
        print(f"{'method':<14}{'span':>5}{'lock':>5}" + "".join(f"{c:>9}" for c in columns))
        rows = []
        for row in compare(fitted.clips, work):
            print_row(row)
            rows.append(row)
        table[name] = rows
    write_json(options.json, table)


if __name__ == "__main__":
    main()
