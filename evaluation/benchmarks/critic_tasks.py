"""Whether woven motion can be told from captured motion, by family of clips and part of the body.

Run from the repository root: ``python evaluation/benchmarks/critic_tasks.py [walks slowed strolls
runs cmu16 performer dog] [--tasks 4] [--draw 5] [--budget 1] [--matching] [--json FILE]``. Draws
ways along arcs at speeds that the family's clips have (``slowed``: a little below them,
``strolls``: well below), weaves a motion for each, and lets classifiers tell the results by windows
of half a second from

- the same frames as captured: what processing adds, near seams and away from them;
- all clips: what choosing adds too, and beside it the floor, that of the same frames as captured;
- captured windows of other takes at the same pace: the fair question where the pace is changed.

The control is of clips against clips. Only ``slowed`` and ``strolls`` show clips at another pace
than their own, with ``--long-steps`` in time only. With ``--matching`` the same for motions of
plain motion matching (`motion_matching.py`). Needs the captures beside the project
(``../shared/data``), except for the performer; prints tables.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from motion_matching import match_task
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet
from motionloom.graph.generator import GraphGeneratorOptions
from motionloom.graph.pacing.plan import PaceOptions
from motionloom.motion import Motion
from motionloom.performer import performer_clips
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.generator import Fitted
from motionloom_evaluation.bench.run import FPS, load_captures, make_parser, start, write_json
from motionloom_evaluation.bench.tasks import draw_tasks
from motionloom_evaluation.critic import (
    Auc,
    CompareOptions,
    Comparison,
    Pair,
    Provenance,
    compare_motions,
    comparison_to_json,
    format_comparison,
    parse_provenance,
    write_comparison,
)
from motionloom_evaluation.critic.classifiers import tell_apart
from motionloom_evaluation.critic.parts import PARTS, find_parts
from motionloom_evaluation.critic.windows import (
    Windows,
    courses,
    cut_windows,
    join_windows,
    make_track,
    statistics,
)

Made = tuple[list[Motion], list[Provenance]]
BOTH = ("boosted", "linear")


@dataclass(frozen=True)
class Family:
    """Clips, speeds at which ways are drawn (metres per second), and how many times as many."""

    clips: tuple[str, ...]
    speeds: tuple[float, float]
    times: int = 1


#: By name; no clips stand for those of the performer.
FAMILIES = {
    "walks": Family(("bandai_namco/*walk*.bvh",), (0.9, 1.3)),
    "slowed": Family(("bandai_namco/*walk*.bvh",), (0.85, 1.0)),
    "strolls": Family(("bandai_namco/*walk*.bvh",), (0.6, 0.8)),
    "runs": Family(("bandai_namco/*run*.bvh",), (2.6, 3.3)),
    "cmu16": Family(("cmu_asf_amc/16/*.amc",), (1.0, 1.5)),
    "performer": Family((), (0.65, 1.0)),
    "dog": Family(("dog/*.bvh",), (0.7, 2.0), 2),
}


def load_clips(family: Family) -> list[Motion]:
    """The clips of a family."""
    if not family.clips:
        return [clip.motion for clip in performer_clips(0)]
    return load_captures(*family.clips)


def weave(fitted: Fitted, tasks: Mapping[str, ConstraintSet], budget: float) -> Made:
    """Motions for all tasks, and what they are made of."""
    made: Made = ([], [])
    for seed, (name, task) in enumerate(tasks.items()):
        options = SynthesisOptions(seed=seed, budget=budget, alternatives=1)
        result = synthesize(fitted, task, options)
        known = parse_provenance(result.report.to_dict())
        assert known is not None
        made[0].append(replace(result.motion, name=name))
        made[1].append(known)
        print(f"wove {name}: {len(known.pieces)} pieces", file=sys.stderr, flush=True)
    return made


def match_pace(windows: Windows, others: Windows, hips: int) -> tuple[Windows, Windows]:
    """Windows, and beside each one of another take at the same speed and turning, used once."""
    own, their = (_pace(w, hips) for w in (windows, others))
    _, near = cKDTree(their).query(own, k=60, distance_upper_bound=1.0)
    used: set[int] = set()
    rows = []
    for i in np.random.default_rng(1).permutation(len(own)):
        free = (
            j
            for j in near[i].tolist()
            if j < len(their) and j not in used and others.takes[j][0] not in windows.takes[i]
        )
        mate = next(free, None)
        if mate is not None:
            used.add(mate)
            rows.append((i, mate))
    table = np.array(rows, int).reshape(-1, 2)
    return windows.chosen(table[:, 0]), others.chosen(table[:, 1])


def _pace(windows: Windows, hips: int) -> NDArray[np.float64]:
    """Speed ahead, size and direction of turning, in units of what counts as the same."""
    speed = windows.velocities[:, :, hips, 2].mean(axis=1) / 0.03
    turning = windows.turning
    return np.column_stack([speed, np.abs(turning).mean(1) / 0.15, turning.mean(1) / 0.3])


def tell_pace(made: Made, clips: ClipSet, repeats: int) -> dict[str, dict[str, Mapping[str, Auc]]]:
    """Results, and clips, against captured windows of other takes at the same pace."""
    real = [make_track(motion, clips.roles) for motion in clips.motions]
    woven = [make_track(m, clips.roles, known) for m, known in zip(*made, strict=True)]
    rng = np.random.default_rng(0)
    length = round(0.5 * clips.fps)
    others = cut_windows(real, length, 2, 20_000, rng)
    parts = find_parts(clips.motions[0].skeleton, clips.roles)
    found: dict[str, dict[str, Mapping[str, Auc]]] = {}
    for title, tracks in (("same pace", woven), ("  clips at the same pace", real)):
        windows = cut_windows(tracks, length, length // 2, 3000, rng)
        a, b = match_pace(windows, others, clips.roles.joints["hips"])
        both = join_windows(a, b)
        title += f" ({len(a)} of {len(windows)})"
        labels = np.repeat([1, 0], [len(a), len(b)])
        found[title] = {}
        for part, joints in parts.items():
            features = [courses(both, joints, part in ("hips", "all")), statistics(both, joints)]
            folds = max(2, min(5, len({t[0] for t in b.takes})))
            verdict = tell_apart(
                *features, labels, both.takes, both.near, range(repeats), folds=folds, most=3000
            )
            found[title][part] = verdict.auc
    return found


def rows_of(found: Comparison) -> dict[str, dict[str, Mapping[str, Auc]]]:
    """Figures of a comparison, by what is compared and part of the body."""

    def column(pair: Pair, where: str) -> dict[str, Mapping[str, Auc]]:
        return {part: getattr(verdict, where) for part, verdict in pair.verdicts.items()}

    assert found.sources is not None
    assert found.floor is not None
    return {
        "same frames": column(found.sources, "auc"),
        "  near seams": column(found.sources, "near"),
        "  elsewhere": column(found.sources, "far"),
        "all clips": column(found.clips, "auc"),
        "  floor": column(found.floor, "auc"),
        "control: clips | clips": dict(found.control),
    }


def print_table(name: str, rows: Mapping[str, Mapping[str, Mapping[str, Auc]]]) -> None:
    """One row for each pair of sets."""
    print(f"{name + ': AUC, boosted/linear':<42}" + "".join(f"{part:>12}" for part in PARTS))
    for title, row in rows.items():
        cells = [
            "/".join(f"{row[part][c].mean:.2f}" for c in BOTH if c in row[part])
            if part in row
            else "-"
            for part in PARTS
        ]
        print(f"{title:<42}" + "".join(f"{cell or '-':>12}" for cell in cells))


def print_feet(found: Comparison) -> None:
    """Figures of the feet beside those of the same frames as captured."""
    shown = ("toe speed in", "below the", "foot_skate")
    for d in found.distributions:
        if d.name.startswith(shown):
            pairs = (f"{a:.3g} ({b:.3g})" for a, b in zip(d.woven, d.sources, strict=True))
            print(f"  {d.name}, {d.unit} {'/'.join(d.figures)}: " + ", ".join(pairs))


def measure(name: str, arguments: argparse.Namespace) -> dict[str, object]:
    """Weave and tell one family; figures by what made the motions."""
    family = FAMILIES[name]
    began = process_time()
    pace = PaceOptions(steps=not arguments.long_steps) if name in ("slowed", "strolls") else None
    options = SynthesisOptions(generator=GraphGeneratorOptions(pace=pace))
    fitted = fit_generator(load_clips(family), FPS, options=options)
    clips = fitted.clips.clip_set
    tasks = draw_tasks(arguments.draw, family.times * arguments.tasks, family.speeds)
    makers: dict[str, Callable[[], Made]] = {name: lambda: weave(fitted, tasks, arguments.budget)}
    if arguments.matching:
        makers[f"{name}, motion matching"] = lambda: _match(clips, tasks)
    saved: dict[str, object] = {}
    for title, make in makers.items():
        made = make()
        found = compare_motions(
            made[0],
            clips.motions,
            provenance=made[1],
            sources=True,
            roles=clips.roles,
            options=CompareOptions(repeats=arguments.repeats),
        )
        saved[title] = json.loads(comparison_to_json(found))
        if arguments.long:
            print(f"\n== {title} ==\n{format_comparison(found)}")
        print_table(title, {**rows_of(found), **tell_pace(made, clips, arguments.repeats)})
        print_feet(found)
        print(f"  {process_time() - began:.0f} s of CPU\n", flush=True)
        if arguments.png is not None:
            write_comparison(found, arguments.png.with_stem(f"{arguments.png.stem}-{title}"))
    return saved


def _match(clips: ClipSet, tasks: Mapping[str, ConstraintSet]) -> Made:
    matched = [match_task(clips, task, name) for name, task in tasks.items()]
    return [m for m, _ in matched], [p for _, p in matched]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("families", nargs="*", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--tasks", type=int, default=4, help="of each kind: 1, 2 and 4 spans")
    parser.add_argument("--draw", type=int, default=5, help="seed of the ways")
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--matching", action="store_true")
    parser.add_argument("--long-steps", action="store_true", help="slow legs in time only")
    parser.add_argument("--long", action="store_true", help="print all of every comparison")
    parser.add_argument("--png", type=Path)
    arguments = start(parser)
    saved: dict[str, object] = {}
    for name in arguments.families:
        saved |= measure(name, arguments)
    write_json(arguments.json, saved)


if __name__ == "__main__":
    main()
