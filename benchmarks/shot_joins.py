"""Joins of every pair of kinds of spans: how hard they are, how far feet slide, what was repaired.

Usage: python benchmarks/shot_joins.py CLIPS... [--only PATTERN...] [--kinds KIND...] [--seeds 2]
[--idle MODEL.npz] [--edit MODEL.npz] [--layers reach correct] [--plain] [--pieces DIR]
[--sheets DIR] [--json OUT.json]

One shot has every pair of kinds once, and is made once for each seed, with other clips and places
in them each time. What a join is measured by, and the limit, are those of the shot's own report.
Layers lie over every second join, and are compared to the same shot without them. --plain leaves
out what fills in the way from span to span.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from motionloom.analysis.quality import skate_speed
from motionloom.clips.analysis import AnalysedClips, analyse_clips
from motionloom.posed_motion import PosedMotion
from motionloom.shot import MadeShot, Stage, make_shot, making, read_shot
from motionloom.shot.joining import GATE, Join
from motionloom.shot.methods import Methods
from motionloom.workspace.clips import ReadOptions, read_clip_set
from motionloom.workspace.places import find_place
from motionloom.workspace.shots import plan_of

FPS = 30
#: How long every span lasts, seconds.
SECONDS = {"walk": 2.5, "gait": 2.0, "idle": 1.5, "between": 0.8, "clip": 1.2, "edit": 2.5}
#: Speed over so many seconds before and behind a join is compared.
JUMP_SPAN = 0.15
#: A planted foot that a layer moves by more counts, metres.
MOVED = 0.005


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
        time = round(time + SECONDS[kind], 6)
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


def with_layers(fields: dict, kinds: Sequence[str], made: MadeShot, clips: AnalysedClips) -> dict:
    """The same shot with a reach over every second join, or all of it corrected."""
    spans = [*fields["tracks"]["anna"]]
    posed = PosedMotion(made.motions["anna"], clips.roles)
    hand = clips.roles.joints["right_hand"]
    if "reach" in kinds:
        for k, join in enumerate(made.report.characters["anna"].joins[1::2]):
            away = posed.positions[join.frame, hand] + np.array([0.0, 0.08, 0.0])
            spans.append(
                {
                    "id": f"reach{k}",
                    "do": "reach",
                    "joint": "right_hand",
                    "target": [round(float(v), 4) for v in away],
                    "at": join.frame / FPS,
                }
            )
    if "correct" in kinds:
        spans.append({"id": "fix", "do": "correct"})
    return {**fields, "tracks": {"anna": spans}}


def make(
    clips: AnalysedClips, methods: Methods, fields: dict, models: argparse.Namespace
) -> MadeShot:
    """One shot."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shot.json"
        path.write_text(json.dumps(fields))
        file = read_shot(path)
        stages = {"anna": Stage(file, clips, models.budget, methods=methods)}
        return make_shot(plan_of(file, stages), stages, models.pieces)


def jump(posed: PosedMotion, frame: int) -> float:
    """Change of the hips' velocity over the ground at a frame, metres per second."""
    lag = round(JUMP_SPAN * posed.fps)
    ground = posed.hips[:, [0, 2]]
    if not lag <= frame < len(ground) - lag:
        return 0.0
    change = ground[frame + lag] - 2 * ground[frame] + ground[frame - lag]
    return float(np.linalg.norm(change)) / JUMP_SPAN


def under_layers(made: MadeShot, laid: MadeShot, clips: AnalysedClips) -> str:
    """What layers did to feet that stand, and to how hard joints accelerate at joins."""
    contacts = made.contacts["anna"]
    posed = [PosedMotion(one.motions["anna"], clips.roles) for one in (made, laid)]
    points = [contacts.soles.positions(one) for one in posed]
    moved = np.linalg.norm(points[1] - points[0], axis=-1)[contacts.down]
    creep = [100 * float(skate_speed(p, contacts.down, FPS).mean()) for p in points]
    hard = [_hardest(one, made.report.characters["anna"].joins) for one in posed]
    ratio = hard[1] / np.maximum(hard[0], 3.0)
    return (
        f"layers: planted feet moved by {1000 * moved.max():.1f} mm at most"
        f" ({100 * (moved > MOVED).mean():.2f} % by more than {1000 * MOVED:.0f} mm), creep"
        f" {creep[0]:.2f} -> {creep[1]:.2f} cm/s; joints accelerate"
        f" {np.median(ratio):.2f} times as hard at joins (most {ratio.max():.2f})"
    )


def _hardest(posed: PosedMotion, joins: Sequence[Join]) -> np.ndarray:
    second = np.linalg.norm(np.diff(posed.positions, 2, axis=0), axis=-1) * posed.fps**2
    spans = [slice(max(j.frame - 3, 0), j.frame + 15) for j in joins]
    return np.array([np.percentile(second[span], 99.5) for span in spans])


def table(found: Sequence[tuple[int, Join, float]]) -> str:
    """What is said of all joins, the worst first."""
    joins = [join for _, join, _ in found]
    soft = sum(join.is_soft for join in joins)
    accelerate = sum(join.acceleration <= GATE for join in joins)
    slide = sum(join.slides for join in joins)
    lines = [
        f"{accelerate} of {len(found)} joins accelerate within {GATE:g}"
        f" ({100 * accelerate / len(found):.0f} %); {soft} with the push of the hips"
        f" ({100 * soft / len(found):.0f} %); feet slide at {slide};"
        f" {sum(bool(join.filled) for join in joins)} filled in,"
        f" {sum(not join.is_good for join in joins)} reported",
        f"median of push {np.median([j.push for j in joins]):.2f}, of the change of speed"
        f" {np.median([j for _, _, j in found]):.2f} m/s (most"
        f" {max(j for _, _, j in found):.2f}), of creep {np.median([j.skate for j in joins]):.2f}"
        f" cm/s (most {max(j.skate for j in joins):.1f})",
    ]
    hard = sorted(found, key=lambda one: -max(one[1].acceleration, one[1].push))
    for seed, join, change in hard[:12]:
        lines.append(
            f"  seed {seed} {join.before:>10} -> {join.after:<10} joints {join.acceleration:5.2f}"
            f" hips {join.push:5.2f} change {change:.2f} m/s, poses {join.apart:4.0f} deg apart,"
            f" over {join.seconds:.2f} s, {join.steps} steps, filled {join.filled:.2f} s, creep"
            f" {join.skate:.2f} cm/s"
        )
    lines.append("feet creep most at")
    for seed, join, _ in sorted(found, key=lambda one: -one[1].skate)[:8]:
        lines.append(f"  seed {seed} {join.before:>10} -> {join.after:<10} {join.skate:5.2f} cm/s")
    pairs = Counter(
        "->".join(name.rstrip("0123456789") for name in (join.before, join.after))
        for join in joins
        if not join.is_good
    )
    lines.append(f"reported: {', '.join(f'{k} {n}' for k, n in sorted(pairs.items())) or 'none'}")
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """Of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--kinds", nargs="*", default=["walk", "gait", "idle", "clip", "between"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--idle")
    parser.add_argument("--edit")
    parser.add_argument("--layers", nargs="*", default=[])
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--pieces", type=Path, help="folder in which spans are kept")
    parser.add_argument("--sheets", type=Path, help="folder for a picture of every join")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Make, measure, say."""
    models = arguments()
    options = replace(ReadOptions(), fps=FPS, only=tuple(models.only))
    clips = analyse_clips(read_clip_set(find_place(models.clips), options))
    if models.plain:
        making.hand_over = lambda stage, before, piece, *_: piece
    kinds = [*models.kinds, *(["edit"] if models.edit else [])]
    row = ["clip", *every_pair(kinds)]
    methods = Methods()
    found = []
    for seed in range(models.first, models.first + models.seeds):
        fields = write_shot(row, clips, seed, models)
        made = make(clips, methods, fields, models)
        report = made.report.characters["anna"]
        posed = PosedMotion(made.motions["anna"], clips.roles)
        # The first join only leads in.
        found += [(seed, join, jump(posed, join.frame)) for join in report.joins[1:]]
        print("\n".join(report.to_text().splitlines()[-2:]), flush=True)
        for layer in models.layers:
            laid = make(clips, methods, with_layers(fields, [layer], made, clips), models)
            print(layer, under_layers(made, laid, clips), flush=True)
        if models.sheets:
            from shot_sheets import draw_join

            for join in report.joins[1:]:
                name = f"{seed}_{join.before}_{join.after}.png"
                draw_join(posed, made.contacts["anna"], join, models.sheets / name)
    print(table(found))
    if models.json:
        rows = [{"seed": seed, "change": change, **asdict(join)} for seed, join, change in found]
        models.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
