"""Whether motions woven for the task files can be told from captured motion, by part of the body.

Run from the repository root: ``python benchmarks/critic_tasks.py [--tasks two checkpoint tour]
[--budget 1] [--seeds 1] [--set bandai_walk] [--matching] [--json FILE]``. Weaves every task with
every seed, then lets classifiers tell the results, by windows of half a second, from the same
frames as captured (what processing adds) and from all clips (what choosing adds too), beside a
control of clips against clips. With ``--matching`` the same for motions of plain motion matching
(`motion_matching.py`). Needs the captures beside the project (``../shared/data``); prints tables.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from graph_tasks import CLIPS, DATA, FPS, load_tasks
from motion_matching import match_task
from motionloom.analysis.critic import (
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
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import ConstraintSet
from motionloom.io.registry import load_motion
from motionloom.motion import Motion
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize

PARTS = ("feet", "legs", "all")
Made = tuple[list[Motion], list[Provenance]]


def weave(
    motions: list[Motion], tasks: dict[str, ConstraintSet], budget: float, seeds: int
) -> Made:
    """Motions for all tasks and seeds, and what they are made of."""
    fitted = fit_generator(motions, FPS)
    made: Made = ([], [])
    for name, task in tasks.items():
        for seed in range(seeds):
            options = SynthesisOptions(seed=seed, budget=budget, alternatives=1)
            result = synthesize(fitted, task, options)
            known = parse_provenance(result.report.to_dict())
            assert known is not None
            made[0].append(replace(result.motion, name=f"{name}#{seed}"))
            made[1].append(known)
            print(f"wove {name}#{seed}: {len(known.pieces)} pieces", file=sys.stderr, flush=True)
    return made


def cells(pair: Pair | None) -> list[str]:
    """Boosted and linear figures of the parts of the table."""
    if pair is None:
        return ["-"] * len(PARTS)
    return [
        "/".join(f"{pair.verdicts[part].auc[c].mean:.2f}" for c in ("boosted", "linear"))
        for part in PARTS
    ]


def print_table(name: str, found: Comparison) -> None:
    """One row for each pair of sets."""
    control = [
        "/".join(f"{found.control[part][c].mean:.2f}" for c in ("boosted", "linear"))
        for part in PARTS
    ]
    rows = {
        f"{name} | the same frames as captured": cells(found.sources),
        f"{name} | all clips": cells(found.clips),
        "control: clips | clips": control,
    }
    print(f"{'AUC, boosted/linear':<44}" + "".join(f"{part:>12}" for part in PARTS))
    for title, row in rows.items():
        print(f"{title:<44}" + "".join(f"{cell:>12}" for cell in row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=CLIPS, default="bandai_walk")
    parser.add_argument("--only", nargs="*", default=["*"], help="patterns of names of clips")
    parser.add_argument("--tasks", nargs="+", default=[""], help="words names of tasks begin with")
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--matching", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--png", type=Path)
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"the captures are not at {DATA}")
    files = sorted({f for pattern in CLIPS[arguments.set] for f in DATA.glob(pattern)})
    files = [f for f in files if any(fnmatch(f.name, p) for p in arguments.only)]
    motions = [load_motion(f) for f in files]
    tasks = {
        name: task
        for name, task in load_tasks(arguments.set).items()
        if name.startswith(tuple(arguments.tasks))
    }
    captured = make_clip_set(motions, FPS)
    sets = {"woven": weave(motions, tasks, arguments.budget, arguments.seeds)}
    if arguments.matching:
        matched = [match_task(captured, task, name) for name, task in tasks.items()]
        sets["motion matching"] = ([m for m, _ in matched], [p for _, p in matched])
    saved = {}
    for name, (results, known) in sets.items():
        found = compare_motions(
            results,
            captured.motions,
            provenance=known,
            sources=True,
            roles=captured.roles,
            options=CompareOptions(repeats=arguments.repeats),
        )
        saved[name] = json.loads(comparison_to_json(found))
        print(f"\n== {name} ==\n{format_comparison(found)}")
        print_table(name, found)
        if arguments.png is not None:
            write_comparison(found, arguments.png.with_stem(f"{arguments.png.stem}-{name[:5]}"))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(saved, indent=1))


if __name__ == "__main__":
    main()
