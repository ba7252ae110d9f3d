"""How hands meet targets of the motion graph: found and written errors, the arm, the feet.

Run from the repository root: ``python evaluation/benchmarks/reach_targets.py [--sets bandai cmu16
lafan1 performer] [--seeds 0 1] [--part tune] [--budget 1]``. Targets at four heights, drawn at
random on the way of a walk: passed with the body free, met from a place to stand at, and held.
Clips are split by take: ``--part tune`` has every second one, ``--part test`` the others. Needs the
captures beside the project (``../shared/data``). Prints a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import numpy as np

from motionloom.analysis.quality import joint_acceleration
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.reach import find_limb
from motionloom.graph.generator import GraphGeneratorOptions
from motionloom.graph.searching.results import ITERATIONS_PER_SECOND, SearchOptions
from motionloom.io.registry import load_motion
from motionloom.motion import Motion
from motionloom.performer import performer_clips
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize
from motionloom_evaluation.bench.run import DATA, FPS, make_parser, start, write_json

HEIGHTS = (0.3, 0.9, 1.4, 1.8)
KINDS = ("passed", "stood", "held")
#: Frames of a take of LaFAN1 that are used.
LONGEST = 2400
#: Of people at a distance of an arm from what they reach for, metres.
AWAY = 0.5
#: How far somebody can lean to a target, metres: what is left beyond that is out of reach.
LEAN = 0.25


def load_clips(name: str, part: str) -> list[Motion]:
    """Clips of a set, every second take."""
    first = 0 if part == "tune" else 1
    if name == "performer":
        return [c.motion for c in performer_clips(seed=first)]
    if name == "bandai":
        files = sorted(DATA.glob("bandai_namco/*walk*_normal_*.bvh"))[first::2][:14]
        files += sorted(DATA.glob("bandai_namco/*raise-up-right-hand_normal*.bvh"))[first::2][:10]
    elif name == "cmu16":
        files = sorted(DATA.glob("cmu_asf_amc/16/*.amc"))  # too few to be split
    else:
        files = sorted(DATA.glob("lafan1/obstacles*.bvh"))[first::2]
    return [_cut(load_motion(f)) for f in files]


def _cut(motion: Motion) -> Motion:
    return motion.cut(0, min(motion.n_frames, LONGEST))


def draw_tasks(seed: int) -> Iterator[tuple[str, float, ConstraintSet]]:
    """One task of every kind and height."""
    rng = np.random.default_rng(seed)
    for height in HEIGHTS:
        for kind in KINDS:
            way = np.radians(rng.uniform(-40, 40))
            ahead = np.array([np.sin(way), np.cos(way)])
            there = rng.uniform(2.0, 3.0) * ahead
            at = there + AWAY * ahead
            end = there + 2.0 * np.array([np.sin(way + 1.2), np.cos(way + 1.2)])
            body = [BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0)]
            if kind == "stood":
                facing = float(np.degrees(way))
                body.append(BodyConstraint(time=4.0, position=tuple(there), facing=facing))
            body.append(BodyConstraint(time=8.0, position=tuple(end)))
            until = 4.6 if kind == "held" else None
            point = (float(at[0]), height + rng.uniform(-0.05, 0.05), float(at[1]))
            hand = JointConstraint(time=4.0, end=until, joint="right_hand", position=point)
            yield kind, height, ConstraintSet(duration=8.0, body=tuple(body), joints=(hand,))


def left_over(posed: PosedMotion, joint: int, frame: int, target: np.ndarray) -> float:
    """What is left of a target's distance when trunk and arm do what they can, metres."""
    limb = find_limb(posed, joint)
    assert limb is not None
    length = sum(float(b[frame]) for b in bone_lengths(posed, limb))
    away = float(np.linalg.norm(target - posed.positions[frame, limb.root]))
    return max(away - length - LEAN, 0.0)


def least_possible(fitted, task: ConstraintSet) -> float:
    """How near any stretch of the clips brings the hand, laid down as well as can be, metres.

    Where the body has its place it is laid down there, else wherever the hand is best. No search
    can find less, and whether one frame can follow another is not asked.
    """
    clips, core = fitted.clips.clip_set, fitted.graph.core
    wish = task.joints[0]
    frames = task.frames_of(wish)
    count, target = len(frames), np.array(wish.position)
    first = np.flatnonzero(core[: clips.n_frames - count + 1])
    first = first[clips.clip_of[first] == clips.clip_of[first + count - 1]]
    hand = clips.positions[:, clips.roles.joints["right_hand"]]
    stretch = hand[first[:, None] + np.arange(count)]
    stands = [c for c in task.body if task.frame_of(c.time) == frames[0] and c.facing is not None]
    ground = stretch[:, :, 2] + 1j * stretch[:, :, 0]
    if stands:
        x, z = stands[0].position
        turn = np.exp(1j * (np.radians(stands[0].facing) - clips.body[first, 2]))[:, None]
        own = (clips.body[first, 1] + 1j * clips.body[first, 0])[:, None]
        # Seen from the body, as it stands in the first frame.
        away = (ground - own) * turn + (z + 1j * x) - (target[2] + 1j * target[0])
    else:
        away = ground - ground.mean(axis=1, keepdims=True)
    miss = np.sqrt(np.abs(away) ** 2 + (stretch[:, :, 1] - target[1]) ** 2)
    return float(miss.max(axis=1).min())


def elbow(posed: PosedMotion, joint: int, frame: int) -> float:
    """Angle at the elbow, degrees; 180 is straight."""
    limb = find_limb(posed, joint)
    assert limb is not None
    a, b, c = (posed.positions[frame, j] for j in (limb.root, limb.middle, limb.tip))
    u, v = a - b, c - b
    return float(np.degrees(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v))))


def bends(posed: PosedMotion, frame: int) -> tuple[float, float]:
    """Larger bend of the knees, and how far the trunk is from upright, degrees."""
    parts = posed.roles.joints
    place = posed.positions[frame]
    knees = []
    for side in ("left", "right"):
        hip, knee, foot = (place[parts[f"{side}_{p}"]] for p in ("hip", "knee", "foot"))
        u, v = hip - knee, foot - knee
        cos = u @ v / np.linalg.norm(u) / np.linalg.norm(v)
        knees.append(180 - np.degrees(np.arccos(cos)))
    chest = 0.5 * (place[parts["left_shoulder"]] + place[parts["right_shoulder"]])
    trunk = chest - place[parts["hips"]]
    lean = np.degrees(np.arccos(trunk[1] / np.linalg.norm(trunk)))
    return float(max(knees)), float(lean)


def measure(fitted, task: ConstraintSet, seed: int, budget: float, p99: float) -> dict:
    """One task solved and measured."""
    began = process_time()
    made = synthesize(fitted, task, SynthesisOptions(seed=seed, budget=budget))
    cpu = process_time() - began
    best, joint = made.best, made.best.posed.roles.joints["right_hand"]
    wish = task.joints[0]
    frames = task.frames_of(wish)
    target = np.array(wish.position)
    hand = best.posed.positions[:, joint]
    near = slice(max(frames[0] - 36, 2), frames[-1] + 36)
    acceleration = joint_acceleration(best.posed.positions, FPS)[near, joint]
    drafted = PosedMotion(best.draft.motion, best.posed.roles)
    knee, lean = bends(best.posed, frames[0])
    knees_before, lean_before = bends(drafted, frames[0])
    at = slice(frames[0] - 15, frames[-1] + 16)
    return {
        "found_cm": 100 * float(np.linalg.norm(drafted.positions[frames[0], joint] - target)),
        "found_most_cm": 100
        * float(np.linalg.norm(drafted.positions[list(frames), joint] - target, axis=1).max()),
        "least_cm": 100 * least_possible(fitted, task),
        "left_cm": 100 * left_over(drafted, joint, frames[0], target),
        "written_cm": 100
        * float(np.max(np.linalg.norm(hand[frames[0] : frames[-1] + 1] - target, axis=1))),
        "elbow": elbow(best.posed, joint, frames[0]),
        "hand_acc": float(np.max(acceleration)) / p99,
        "body_acc": float(np.max(joint_acceleration(best.posed.positions, FPS)[at])) / p99,
        "skate": made.report.quality.skate_mean,
        "skate_p99": made.report.quality.skate_p99,
        "skate_ratio": made.report.skate_ratio,
        "penetration": made.report.quality.penetration_max,
        "body_found_cm": 100 * max(e.position for e in best.errors_before if e.kind == "body"),
        "body_cm": 100 * max(e.position for e in best.errors_after if e.kind == "body"),
        "body_deg": max(e.facing or 0.0 for e in best.errors_after if e.kind == "body"),
        "knee": knee,
        "lean": lean,
        "knee_found": knees_before,
        "lean_found": lean_before,
        "faults": len(best.movement),
        "cpu": cpu,
    }


def main() -> None:
    """Run all and print a table."""
    parser = make_parser(__doc__)
    parser.add_argument("--sets", nargs="+", default=["bandai", "cmu16", "lafan1", "performer"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--part", choices=("tune", "test"), default="tune")
    parser.add_argument("--budget", type=float, default=1.0)
    args = start(parser)
    rows = []
    for name in args.sets:
        search = SearchOptions(iterations=int(args.budget * ITERATIONS_PER_SECOND))
        options = GraphGeneratorOptions(search=search)
        clips = load_clips(name, args.part)
        fitted = fit_generator(clips, FPS, options=SynthesisOptions(generator=options))
        hand = fitted.clips.clip_set.roles.joints["right_hand"]
        clip_set = fitted.clips.clip_set
        all_acc = [
            joint_acceleration(clip_set.positions[a:b], FPS)[:, hand]
            for a, b in zip(clip_set.starts, clip_set.starts[1:], strict=False)
        ]
        p99 = float(np.percentile(np.concatenate(all_acc), 99))
        for seed in args.seeds:
            for kind, height, task in draw_tasks(100 * seed + (args.part == "test")):
                row = measure(fitted, task, seed, args.budget, p99)
                rows.append({"set": name, "kind": kind, "height": height, "seed": seed, **row})
                print(_line(rows[-1]), flush=True)
    write_json(args.json, rows)
    summarise(rows)


def _line(row: dict) -> str:
    return "  ".join(
        f"{k}={v:.1f}" if isinstance(v, float) else f"{k}={v}"
        for k, v in row.items()
        if k not in ("skate_ratio", "penetration", "body_deg")
    )


def summarise(rows: list[dict]) -> None:
    """Median and worst of every measure, by set and by height."""
    keys = [k for k, v in rows[0].items() if isinstance(v, float) and k != "height"]
    for by in ("set", "kind", "height"):
        for group in dict.fromkeys(r[by] for r in rows):
            of = [r for r in rows if r[by] == group]
            text = "  ".join(
                f"{k} {np.median([r[k] for r in of]):.1f}/{max(r[k] for r in of):.1f}" for k in keys
            )
            print(f"{by} {group} ({len(of)}): {text}")


if __name__ == "__main__":
    main()
