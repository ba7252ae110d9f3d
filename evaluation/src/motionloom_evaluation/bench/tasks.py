"""Tasks of the motion graph's benchmarks: sets of captures, task files, tasks drawn at random."""

from __future__ import annotations

import numpy as np

from motionloom.constraints import BodyConstraint, ConstraintSet, read_constraints
from motionloom.graph.searching.results import ITERATIONS_PER_SECOND
from motionloom.graph.searching.search import SearchOptions, SearchResult, search_motion
from motionloom.graph.transitions.build import MotionGraph
from motionloom.motion import Motion
from motionloom_evaluation.bench.run import DATA, load_captures

#: Clips of every set, by the folder of its tasks; reach tasks have more clips.
CLIPS = {
    "bandai_walk": ("bandai_namco/*walk*.bvh", "bandai_namco/*run*.bvh"),
    "bandai_reach": (
        "bandai_namco/*walk*.bvh",
        "bandai_namco/*run*.bvh",
        "bandai_namco/*raise-up-right-hand*.bvh",
    ),
    "cmu16": ("cmu_asf_amc/16/*.amc",),
    "random": ("bandai_namco/*walk*.bvh", "bandai_namco/*run*.bvh"),
}
#: Constraints after the start, by family, and how many random tasks of each.
FAMILIES, DRAWN = {"two": 1, "checkpoint": 2, "tour": 4}, 4


def load_set(name: str) -> list[Motion]:
    """Captures of one set."""
    return load_captures(*CLIPS[name])


def load_tasks(name: str) -> dict[str, ConstraintSet]:
    """Constraint sets of one set of clips, by file name."""
    if name == "random":
        return draw_tasks(5)
    folder = DATA / "tasks" / ("cmu16" if name == "cmu16" else "bandai_walk")
    files = [
        f
        for f in sorted(folder.glob("*.yaml"))
        if name == "cmu16" or ("reach" in f.stem) == (name == "bandai_reach")
    ]
    return {f.stem: read_constraints(f) for f in files}


def draw_tasks(
    seed: int, drawn: int = DRAWN, speeds: tuple[float, float] = (0.6, 1.3)
) -> dict[str, ConstraintSet]:
    """Ways along arcs: 4 to 8 s, so many metres per second and up to 80 degrees from one constraint
    to the next; so many of each family.
    """
    rng, tasks = np.random.default_rng(seed), {}
    for i in range(drawn):
        for family, count in FAMILIES.items():
            place, facing, time = np.zeros(2), 0.0, 0.0
            body = [BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0)]
            for _ in range(count):
                seconds, speed, turn = (
                    int(rng.integers(4, 9)),
                    rng.uniform(*speeds),
                    np.radians(rng.uniform(-80, 80)),
                )
                chord, way = seconds * speed * np.sinc(turn / 2 / np.pi), facing + turn / 2
                place = place + chord * np.array([np.sin(way), np.cos(way)])
                facing, time = facing + turn + np.radians(rng.normal(0, 10)), time + seconds
                there = (float(place[0]), float(place[1]))
                degrees = float((np.degrees(facing) + 180) % 360 - 180)
                body.append(BodyConstraint(time=time, position=there, facing=degrees))
            tasks[f"{family}_{i:02d}"] = ConstraintSet(duration=time, body=tuple(body))
    return tasks


def search_task(
    graph: MotionGraph, task: ConstraintSet, budget: float, seed: int, method: str = "meet"
) -> SearchResult:
    """One search, counted in iterations so that a busy machine measures the same; its seconds are
    in the table.
    """
    count = int(budget * ITERATIONS_PER_SECOND)
    return search_motion(graph, task, SearchOptions(iterations=count, seed=seed, method=method))
