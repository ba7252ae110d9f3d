"""Joins of every pair of kinds of spans: how many accelerate no more than 1.5 times what they join.

Usage: python benchmarks/shot_joins.py CLIPS... [--only PATTERN...] [--kinds KIND...] [--seeds 2]
[--idle MODEL.npz] [--edit MODEL.npz] [--pieces DIR] [--sheet OUT.png]

One shot has every pair of kinds once, and is made once for each seed, with other clips and places
in them each time. What a join is measured by, and the limit, are those of the shot's own report.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from motionloom.clips.analysis import AnalysedClips, analyse_clips
from motionloom.shot import MadeShot, Stage, make_shot, read_shot
from motionloom.shot.joining import GATE, Join
from motionloom.view import write_contact_sheet
from motionloom.workspace.clips import ReadOptions, read_clip_set
from motionloom.workspace.places import find_place
from motionloom.workspace.shots import plan_of

FPS = 30
#: How long every span lasts, seconds.
SECONDS = {"walk": 2.5, "gait": 2.0, "idle": 1.5, "between": 0.8, "clip": 1.2, "edit": 2.0}


def every_pair(kinds: Sequence[str]) -> list[str]:
    """A row of kinds in which each follows each exactly once (a de Bruijn sequence)."""
    row = [kinds[0]]
    left = {kind: [*kinds] for kind in kinds}
    while left[row[-1]]:
        # Bridges are burnt last: the first kind is left for the end.
        row.append(left[row[-1]].pop())
    return row


def write_shot(kinds: Sequence[str], clips: AnalysedClips, seed: int, models: argparse.Namespace):
    """A shot file's fields, with clips and frames drawn at random."""
    draw = random.Random(seed)
    long = [m for m in clips.clip_set.motions if m.duration > SECONDS["clip"] + 0.2]
    spans = []
    time = 0.0
    for i, kind in enumerate(kinds):
        clip = draw.choice(long)
        begin = round(draw.uniform(0, clip.duration - SECONDS["clip"] - 0.1), 2)
        time += SECONDS[kind]
        span = {"id": f"{kind}{i}", "do": kind, "by": time}
        if kind == "clip":
            span |= {"clip": clip.name, "from": begin}
        elif kind == "between":
            k = clips.clip_set.names.index(clip.name)
            rate = clips.clip_set.origins[k][1] if clips.clip_set.origins else FPS
            frame = round(clips.clip_set.file_time(k)[round(begin * FPS)] * rate)
            span["keys"] = [{"time": time, "clip": clip.name, "frame": frame}]
            span.pop("by")
        elif kind == "gait":
            span["speed"] = round(draw.uniform(0.9, 1.5), 2)
        elif kind == "idle" and models.idle:
            span["model"] = str(Path(models.idle).absolute())
        elif kind == "edit":
            span["model"] = str(Path(models.edit).absolute())
        spans.append(span)
    return {"shot": 1, "fps": FPS, "seed": seed, "cast": {"anna": {}}, "tracks": {"anna": spans}}


def make(clips: AnalysedClips, fitted: dict, fields: dict, models: argparse.Namespace) -> MadeShot:
    """One shot."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shot.json"
        path.write_text(json.dumps(fields))
        file = read_shot(path)
        stages = {"anna": Stage(file, clips, models.budget, _fitted=fitted)}
        return make_shot(plan_of(file, stages), stages, models.pieces)


def table(found: Sequence[tuple[int, Join]]) -> str:
    """What is said of all joins, the worst first."""
    soft = sum(join.is_soft for _, join in found)
    lines = [f"{soft} of {len(found)} joins within {GATE:g} ({100 * soft / len(found):.0f} %)"]
    for seed, join in sorted(found, key=lambda one: -one[1].acceleration)[:12]:
        lines.append(
            f"  seed {seed} {join.before:>10} -> {join.after:<10} {join.acceleration:5.2f}  poses"
            f" {join.apart:4.0f} deg apart, over {join.seconds:.2f} s, {join.steps} steps,"
            f" feet creep {join.skate:.2f} cm/s"
        )
    slide = sum(join.slides for _, join in found)
    lines.append(f"feet slide at {slide} of {len(found)}; they creep most at")
    for seed, join in sorted(found, key=lambda one: -one[1].skate)[:8]:
        lines.append(f"  seed {seed} {join.before:>10} -> {join.after:<10} {join.skate:5.2f} cm/s")
    return "\n".join(lines)


def main() -> None:
    """Make, measure, say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--kinds", nargs="*", default=["walk", "gait", "idle", "clip", "between"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--idle")
    parser.add_argument("--edit")
    parser.add_argument("--pieces", type=Path, help="folder in which spans are kept")
    parser.add_argument("--sheet")
    models = parser.parse_args()
    options = replace(ReadOptions(), fps=FPS, only=tuple(models.only))
    clips = analyse_clips(read_clip_set(find_place(models.clips), options))
    kinds = [*models.kinds, *(["edit"] if models.edit else [])]
    row = ["clip", *every_pair(kinds)]
    fitted: dict = {}
    found = []
    for seed in range(models.seeds):
        made = make(clips, fitted, write_shot(row, clips, seed, models), models)
        report = made.report.characters["anna"]
        # The first join only leads in.
        found += [(seed, join) for join in report.joins[1:]]
        print(report.to_text().splitlines()[-2:], flush=True)
        if models.sheet:
            write_contact_sheet([made.motions["anna"]], models.sheet)
    print(table(found))


if __name__ == "__main__":
    main()
