"""How directly motions go from constraint to constraint: their way beside a curve one might walk.

Run from the repository root: ``python evaluation/benchmarks/directness.py [--tasks two checkpoint
tour] [--budget 1] [--seeds 2] [--plain] [--json FILE] [--sheets FOLDER]``. Needs the captures
beside the project (``../shared/data``). The curve between two body constraints is the cubic Hermite
curve through their places, with their facings as its directions and the distance as the size of its
tangents. For every such span: how far the body is from the curve at most and on average, and the
way it goes (in steps of a third of a second, so that sway is no way) over the length of the curve.
For every motion: the turning of the body (averaged over a second) beyond that of the curves, in
degrees. ``--plain`` takes neither a price for the way nor another pace than the clips'. Prints a
table and writes JSON where asked to.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.graph.generator import GraphGeneratorOptions
from motionloom.synthesis.driver import Synthesis, SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.generator import Fitted
from motionloom.view import write_contact_sheet
from motionloom_evaluation.bench.run import FPS, make_parser, start, write_json
from motionloom_evaluation.bench.tasks import load_set, load_tasks

Array = NDArray[np.float64]
Row = dict[str, float]
#: Points of a curve.
POINTS = 400
#: Frames of a step of a way; frames that facings are averaged over.
STEP, STRIDE = 10, 30


def hermite(a: BodyConstraint, b: BodyConstraint) -> Array:
    """Points (x, z) of the curve between two constraints."""
    begin, end = np.array(a.position), np.array(b.position)
    size = float(np.linalg.norm(end - begin))
    tangents = [
        size * np.array([np.sin(c.stand(_ahead(a, b)).angle), np.cos(c.stand(_ahead(a, b)).angle)])
        for c in (a, b)
    ]
    t = np.linspace(0.0, 1.0, POINTS)[:, None]
    return (
        (2 * t**3 - 3 * t**2 + 1) * begin
        + (t**3 - 2 * t**2 + t) * tangents[0]
        + (3 * t**2 - 2 * t**3) * end
        + (t**3 - t**2) * tangents[1]
    )


def _ahead(a: BodyConstraint, b: BodyConstraint) -> float:
    dx, dz = np.subtract(b.position, a.position)
    return float(np.arctan2(dx, dz))


def length(points: Array) -> float:
    """Length of a way through points."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def turning(angles: Array) -> float:
    """How far a heading turns in all, to either side, degrees."""
    return float(np.degrees(np.abs(np.diff(np.unwrap(angles))).sum()))


def smooth(angles: Array, width: int) -> Array:
    """Headings averaged over so many frames; at the ends over those there are."""
    whole = np.unwrap(angles)
    kernel = np.ones(width)
    return np.convolve(whole, kernel, "same") / np.convolve(np.ones(len(whole)), kernel, "same")


def measure_spans(body: Array, task: ConstraintSet) -> tuple[list[Row], float]:
    """A row for every span of a motion with ``body`` (x, z, heading), and the turning that its
    curves need, degrees.
    """
    rows = []
    needed = 0.0
    for a, b in pairwise(task.body):
        curve = hermite(a, b)
        way = body[task.frame_of(a.time) : task.frame_of(b.time) + 1, :2]
        away = np.linalg.norm(way[:, None] - curve, axis=2).min(axis=1)
        steps = np.vstack([way[:-1:STEP], way[-1:]])
        ahead = np.diff(curve, axis=0)
        needed += turning(np.arctan2(ahead[:, 0], ahead[:, 1]))
        rows.append(
            {
                "away_most": float(away.max()),
                "away_mean": float(away.mean()),
                "ratio": length(steps) / max(length(curve), 1e-9),
                "asked_speed": length(curve) / (b.time - a.time),
            }
        )
    return rows, needed


def measure(made: Synthesis, task: ConstraintSet, cpu: float) -> Row | dict[str, object]:
    """Numbers of one motion."""
    best, report = made.best, made.report
    body = best.posed.body
    spans, needed = measure_spans(body, task)
    found = [e for e in best.errors_before if e.kind == "body"][1:]
    return {
        "spans": spans,
        "extra_turning": turning(smooth(body[:, 2], STRIDE)) - needed,
        "found_cm": [100 * e.position for e in found],
        "found_degrees": [e.facing or 0.0 for e in found],
        "worst_written_mm": 1000 * max(e.position for e in best.errors_after if e.kind == "body"),
        "skate_ratio": report.skate_ratio,
        "seam_ratio": report.seam_ratio,
        "pieces": len(report.details.pieces),
        "pieces_per_s": len(report.details.pieces) / task.duration,
        "problems": len(report.problems),
        "cpu": cpu,
    }


def summarize(rows: dict[str, dict]) -> dict[str, Row]:
    """Median and 90th percentile over all spans, constraints or motions."""
    spans = [s for r in rows.values() for s in r["spans"]]
    values = {
        "off the curve at most, m": [s["away_most"] for s in spans],
        "off the curve on average, m": [s["away_mean"] for s in spans],
        "way / curve": [s["ratio"] for s in spans],
        "turning beyond the need, deg a motion": [r["extra_turning"] for r in rows.values()],
        "found, worst of a motion, cm": [max(r["found_cm"]) for r in rows.values()],
        "found, cm": [e for r in rows.values() for e in r["found_cm"]],
        "found, deg": [e for r in rows.values() for e in r["found_degrees"]],
        "written, worst, mm": [r["worst_written_mm"] for r in rows.values()],
        "skate, times the clips'": [r["skate_ratio"] for r in rows.values()],
        "seams, times the clips' p99": [r["seam_ratio"] for r in rows.values()],
        "pieces a second": [r["pieces_per_s"] for r in rows.values()],
        "search and finish, CPU s": [r["cpu"] for r in rows.values()],
    }
    return {
        name: {
            "median": float(np.median(v)),
            "p90": float(np.quantile(v, 0.9)),
            "most": float(np.max(v)),
        }
        for name, v in values.items()
    }


def run(
    fitted: Fitted,
    tasks: dict[str, ConstraintSet],
    seeds: int,
    budget: float,
    sheets: Path | None = None,
) -> dict[str, dict]:
    """All tasks with all seeds."""
    rows = {}
    for name, task in tasks.items():
        for seed in range(seeds):
            began = process_time()
            options = SynthesisOptions(seed=seed, budget=budget, alternatives=1)
            made = synthesize(fitted, task, options)
            rows[f"{name}#{seed}"] = measure(made, task, process_time() - began)
            if sheets is not None and seed == 0:
                sheets.mkdir(parents=True, exist_ok=True)
                write_contact_sheet(made.motion, sheets / f"{name}.png", targets=task, title=name)
    return rows


def print_table(rows: dict[str, dict]) -> None:
    """Summary of all rows."""
    for name, row in summarize(rows).items():
        print(f"{name:<42}" + "".join(f"{row[k]:>9.2f}" for k in ("median", "p90", "most")))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--tasks", nargs="+", default=["two", "checkpoint", "tour"])
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--plain", action="store_true", help="without price and pace")
    parser.add_argument("--sheets", type=Path, help="folder for a contact sheet of every task")
    arguments = start(parser)
    tasks = load_tasks("bandai_walk")
    tasks = {n: t for n, t in tasks.items() if n.startswith(tuple(arguments.tasks))}
    method = GraphGeneratorOptions()
    if arguments.plain:
        free = replace(method.search, w_way=0.0, w_turning=0.0)
        method = replace(method, search=free, pace=None)
    options = SynthesisOptions(generator=method)
    fitted = fit_generator(load_set("bandai_walk"), FPS, options=options)
    rows = run(fitted, tasks, arguments.seeds, arguments.budget, arguments.sheets)
    print(f"{len(rows)} motions{'':<32}{'median':>9}{'p90':>9}{'most':>9}")
    print_table(rows)
    write_json(arguments.json, {"summary": summarize(rows), "motions": rows})


if __name__ == "__main__":
    main()
