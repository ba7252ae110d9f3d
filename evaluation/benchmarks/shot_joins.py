"""Joins of every pair of kinds of spans: how hard they are, how far feet slide, what was repaired.

Usage: python evaluation/benchmarks/shot_joins.py CLIPS... [--only PATTERN...] [--kinds KIND...]
[--seeds 2] [--idle MODEL.npz] [--edit MODEL.npz] [--plain] [--pieces DIR] [--sheets DIR] [--json
OUT.json]

One shot has every pair of kinds once, and is made once for each seed, with other clips and places
in them each time. `edit` is one of the kinds where --edit names a motion model. What a join is
measured by, and the limit, are those of the shot's own report: of the motion in the end, under all
that lies over it, against the 99th percentile of the two spans before anything was laid over them.

`reach` and `correct` lie over other spans, and cannot follow one. A `reach` is taken as a stretch
of waiting (a clip where nobody is to wait) in whose first frame the right hand leaves, and in whose
last one it is back, from a point near the body; a `correct` as a clip or a gait that is corrected
by physics from its first frame to its last, and nothing beside it. So a join with one of these is
the border of what lies over, and a join of two of them the border of both.

Points are found in the shot without what lies over it, whose spans are then as before. --plain
leaves out what fills in the way from span to span.
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
from motionloom.constraints import JointConstraint
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform
from motionloom.places import find_place
from motionloom.posed_motion import PosedMotion
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.shot import MadeShot, Stage, make_shot, making, read_shot
from motionloom.shot.joining import GATE, Join
from motionloom.shot.layers import EASE_REACH, LONGEST, unhurried
from motionloom.shot.plan.checking import plan_of
from motionloom.shot.stage import Methods
from motionloom_evaluation.bench.run import make_parser, start, write_json

FPS = 30
#: Without those that take a model.
KINDS = ("walk", "gait", "idle", "between", "clip", "reach", "correct")
#: How long every span lasts, seconds.
SECONDS = {
    "walk": 2.5,
    "gait": 2.0,
    "idle": 1.5,
    "between": 0.8,
    "clip": 1.2,
    "edit": 2.5,
    "reach": 2 * LONGEST + 0.3,
    "correct": 1.6,
}
#: What lies over other spans, and what is then below.
BELOW = {"reach": ("idle",), "correct": ("clip", "gait")}
#: Points are so far to the right of the hips, above and ahead of them, leg lengths.
RIGHT, ABOVE, AHEAD = (0.1, 0.4), (0.0, 0.5), (0.25, 0.55)
#: Speed over so many seconds before and behind a join is compared.
JUMP_SPAN = 0.15
#: A planted foot that something laid over moves by more counts, metres.
MOVED = 0.005


def every_pair(kinds: Sequence[str]) -> list[str]:
    """A row of kinds in which each follows each exactly once (a de Bruijn sequence)."""
    row = [kinds[0]]
    left = {kind: [*kinds] for kind in kinds}
    while left[row[-1]]:
        # Bridges are burnt last: the first kind is left for the end.
        row.append(left[row[-1]].pop())
    return row


def below(kind: str, kinds: Sequence[str], draw: random.Random) -> str:
    """The method of a span, or of what is below one that lies over others."""
    choices = [one for one in BELOW.get(kind, (kind,)) if one in kinds]
    return draw.choice(choices) if choices else "clip"


def write_shot(kinds: Sequence[str], clips: AnalysedClips, seed: int, models: argparse.Namespace):
    """A shot file's fields, with clips and frames drawn at random."""
    draw = random.Random(seed)
    most = max(SECONDS["clip"], SECONDS["reach"], SECONDS["correct"])
    long = [m for m in clips.clip_set.motions if m.duration > most + 0.2]
    spans = []
    time = 0.0
    for i, kind in enumerate(kinds):
        begun = time
        time = round(time + SECONDS[kind], 6)
        clip = draw.choice(long)
        begin = round(draw.uniform(0, clip.duration - (time - begun) - 0.1), 2)
        method = below(kind, kinds, draw)
        span = {"id": f"{kind}{i}", "do": method, "by": time}
        if method == "clip":
            span |= {"clip": clip.name, "from": begin}
        elif method == "between":
            k = clips.clip_set.names.index(clip.name)
            rate = clips.clip_set.origins[k][1] if clips.clip_set.origins else FPS
            frame = round(clips.clip_set.file_time(k)[round(begin * FPS)] * rate)
            span["keys"] = [{"time": time, "clip": clip.name, "frame": frame}]
            span.pop("by")
        elif method == "gait":
            span["speed"] = round(draw.uniform(0.9, 1.5), 2)
        elif method == "idle" and models.idle:
            span["model"] = str(Path(models.idle).absolute())
        elif method == "edit":
            span["model"] = str(Path(models.edit).absolute())
        spans.append(span)
    return {"shot": 1, "fps": FPS, "seed": seed, "cast": {"anna": {}}, "tracks": {"anna": spans}}


def with_layers(fields: dict, kinds: Sequence[str], made: MadeShot, clips: AnalysedClips) -> dict:
    """The same shot with what lies over its spans."""
    draw = random.Random(fields["seed"])
    spans = fields["tracks"]["anna"]
    posed = PosedMotion(made.motions["anna"], clips.roles)
    over = []
    begin = 0.0
    for kind, span in zip(kinds, spans, strict=True):
        end = span["by"] if "by" in span else span["keys"][-1]["time"]
        name = f"over_{span['id']}"
        if kind == "reach":
            target = near_body(posed, round(0.5 * (begin + end) * FPS), clips.soles.leg, draw)
            over.append({"id": name, "do": "reach", **held_between(posed, target, begin, end)})
        elif kind == "correct":
            over.append({"id": name, "do": "correct", "begin": begin, "by": end})
        begin = end
    return {**fields, "tracks": {"anna": [*spans, *over]}}


def held_between(posed: PosedMotion, target: list[float], begin: float, end: float) -> dict:
    """A reach that begins and ends its ways at two times, however long these take."""
    at, to = begin + EASE_REACH, end - EASE_REACH
    for _ in range(4):
        joint = {"joint": "right_hand", "position": target, "time": at, "to": to}
        eases = {"ease_in": EASE_REACH, "ease_out": EASE_REACH}
        timed = unhurried(JointConstraint.model_validate({**joint, **eases}), posed)
        at, to = round(begin + timed.ease_in, 6), round(end - timed.ease_out, 6)
    return {"joint": "right_hand", "target": target, "at": at, "hold": round(to - at, 6)}


def near_body(posed: PosedMotion, frame: int, leg: float, draw: random.Random) -> list[float]:
    """A point that the right hand comes to, drawn at random."""
    right, above, ahead = (leg * draw.uniform(*ends) for ends in (RIGHT, ABOVE, AHEAD))
    facing = GroundTransform(float(posed.body[frame, 2]))
    point = posed.hips[frame] + facing.apply(np.array([-right, above, ahead]))
    return [round(float(v), 4) for v in point]


def in_the_end(
    clips: AnalysedClips,
    methods: Methods,
    kinds: Sequence[str],
    fields: dict,
    models: argparse.Namespace,
) -> MadeShot:
    """One shot with all that lies over it; what that does to feet is printed."""
    made = make(clips, methods, fields, models)
    if not set(BELOW) & set(kinds):
        return made
    laid = make(clips, methods, with_layers(fields, kinds, made, clips), models)
    print(under_layers(made, laid, clips), flush=True)
    for row in laid.report.characters["anna"].spans:
        for text in row.problems if row.kind in BELOW else ():
            print(f"{row.name}: {text}")
    return laid


def make(
    clips: AnalysedClips, methods: Methods, fields: dict, models: argparse.Namespace
) -> MadeShot:
    """One shot."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shot.json"
        path.write_text(json.dumps(fields))
        file = read_shot(path)
        stages = {"anna": Stage(file, clips, models.budget, methods=methods)}
        return make_shot(plan_of(file, stages), stages, KeptFolder(models.kept))


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
    return (
        f"layers: planted feet moved by {1000 * moved.max():.1f} mm at most"
        f" ({100 * (moved > MOVED).mean():.2f} % by more than {1000 * MOVED:.0f} mm), creep"
        f" {creep[0]:.2f} -> {creep[1]:.2f} cm/s"
    )


def kind_of(name: str) -> str:
    """The kind of a span."""
    return name.rstrip("0123456789")


def by_pair(kinds: Sequence[str], joins: Sequence[Join]) -> str:
    """The hardest join of every two kinds, joints and hips; what is beyond the limit is marked."""
    hardest: dict[tuple[str, str], tuple[float, float]] = {}
    for join in joins:
        pair = kind_of(join.before), kind_of(join.after)
        joints, hips = hardest.get(pair, (0.0, 0.0))
        hardest[pair] = max(joints, join.acceleration), max(hips, join.push)
    lines = ["before \\ after " + "".join(f"{kind:>13}" for kind in kinds)]
    for one in kinds:
        cells = [hardest.get((one, other), (0.0, 0.0)) for other in kinds]
        told = (f"{a:.2f} {b:.2f}{'*' if max(a, b) > GATE else ' '}" for a, b in cells)
        lines.append(f"{one:>14} " + "".join(f"{text:>13}" for text in told))
    return "\n".join(lines)


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
        "->".join(kind_of(name) for name in (join.before, join.after))
        for join in joins
        if not join.is_good
    )
    lines.append(f"reported: {', '.join(f'{k} {n}' for k, n in sorted(pairs.items())) or 'none'}")
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """Of the command line."""
    parser = make_parser(__doc__)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--idle")
    parser.add_argument("--edit")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--pieces", type=Path, help="folder in which spans are kept")
    parser.add_argument("--sheets", type=Path, help="folder for a picture of every join")
    return start(parser, captures=False)


def main() -> None:
    """Make, measure, say."""
    models = arguments()
    with tempfile.TemporaryDirectory() as folder:
        # The same spans are made twice, with and without what lies over them.
        models.kept = models.pieces or Path(folder)
        measure(models)


def measure(models: argparse.Namespace) -> None:
    """All seeds."""
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
        made = in_the_end(clips, methods, row, fields, models)
        report = made.report.characters["anna"]
        posed = PosedMotion(made.motions["anna"], clips.roles)
        # The first join only leads in.
        found += [(seed, join, jump(posed, join.frame)) for join in report.joins[1:]]
        print("\n".join(report.to_text().splitlines()[-2:]), flush=True)
        if models.sheets:
            from shot_sheets import draw_join

            for join in report.joins[1:]:
                name = f"{seed}_{join.before}_{join.after}.png"
                draw_join(posed, made.contacts["anna"], join, models.sheets / name)
        print(table([one for one in found if one[0] == seed]), flush=True)
    print(by_pair(kinds, [join for _, join, _ in found]))
    print(table(found))
    rows = [{"seed": seed, "change": change, **asdict(join)} for seed, join, change in found]
    write_json(models.json, rows)


if __name__ == "__main__":
    main()
