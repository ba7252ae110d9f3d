"""Faults made on purpose, and how well the judge of motion finds them.

Of some families of captures (one of them in two forms) the judge is fitted to some clips and judges
others: takes, persons or a style that it has not seen, as they are and with each fault. For each
fault: the area under the curve (AUC) of its own check, and the share of the clips that this check
finds at the level that calls 5 % of the fitted clips odd; the same for the one number of the whole.
Splits from `BLIND` on decided nothing: they were measured when all was done, some of them once more
before the last change. The others were looked at while checks were made and weighed.

Run: python evaluation/benchmarks/naturalness_faults.py [--family NAME] [--split N] [--seed N]
[--blind] [--json FILE]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise, product
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.oddness.judge import MotionJudge, MotionVerdict, fit_motion_judge
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from motionloom_evaluation.bench.run import load_captures, make_parser, start, write_json

Array = NDArray[np.float64]
#: Longest pieces that takes are cut into, and shortest ones that are judged, seconds.
LONGEST = {
    "acclaim": 8.0,
    "cmu_bvh": 8.0,
    "lafan1": 5.0,
    "bandai": 8.0,
    "tennis": 8.0,
    "idle": 8.0,
}
SHORTEST = 2.1


# --- captures


@dataclass(frozen=True)
class Split:
    """Clips to fit to and clips to judge.

    Parameters
    ----------
    train, held : tuple of Motion
    strange : tuple of bool
        Whether each of `held` is of a person (or a style) that is not among `train`.
    """

    train: tuple[Motion, ...]
    held: tuple[Motion, ...]
    strange: tuple[bool, ...]


#: By family: what is left out, split by split: words in names, and of the other takes every n-th,
#: beginning at which.
LEFT_OUT: dict[str, tuple[tuple[tuple[str, ...], int, int], ...]] = {
    "acclaim": (
        (("01_", "03_", "49_"), 4, 1),
        (("02_", "05_"), 4, 2),
        (("14_",), 4, 3),
        (("16_",), 3, 1),
        (("05_", "16_"), 3, 2),
        (("14_", "01_"), 5, 1),
    ),
    "cmu_bvh": (
        (("07_", "12_", "35_"), 0, 0),
        (("02_", "49_", "01_"), 0, 0),
        (("35_", "16_"), 0, 0),
        (("05_", "12_"), 0, 0),
        (("16_", "02_"), 0, 0),
        (("07_", "49_"), 0, 0),
    ),
    "lafan1": (
        (("ground2_subject2", "obstacles1_subject2"), 0, 0),
        (("obstacles1_subject1", "ground1_subject4"), 0, 0),
        (("dance1_subject1", "obstacles1_subject2"), 0, 0),
        (("dance1_subject1", "ground2_subject2"), 0, 0),
        (("ground1_subject4", "dance1_subject1"), 0, 0),
    ),
    "bandai": (
        (("elderly",), 3, 1),
        (("active",), 3, 2),
        (("active", "elderly"), 0, 0),
        (("normal",), 0, 0),
    ),
    "tennis": ((("player1_", "player5_", "player8_"), 0, 0), (("player3_", "player7_"), 0, 0)),
    "idle": ((("person008", "person011"), 0, 0),),
}
#: The first split of each family that decided nothing.
BLIND = {"acclaim": 5, "cmu_bvh": 4, "lafan1": 4, "bandai": 3, "tennis": 1, "idle": 0}
FILES = {
    "acclaim": "cmu_asf_amc/*/*.amc",
    "cmu_bvh": "cmu_bvh/*/*.bvh",
    "lafan1": "lafan1/*.bvh",
    "bandai": "bandai_namco/*.bvh",
    "tennis": "tennis/*.bvh",
    "idle": "idle/*.bvh",
}


def load_family(family: str) -> list[Motion]:
    """Takes of a family, whole."""
    motions = load_captures(FILES[family])
    if family == "cmu_bvh":  # the first frame is a T-pose
        motions = [m.cut(1, m.n_frames) for m in motions]
    return motions


def split_family(motions: Sequence[Motion], family: str, split: int) -> Split:
    """Clips to fit to and clips to judge."""
    words, every, first = LEFT_OUT[family][split]
    train, held, strange, others = [], [], [], 0
    for motion in motions:
        unseen = any(word in motion.name for word in words)
        others += not unseen
        pieces = cut_pieces(motion, LONGEST[family])
        if unseen or (every and others % every == first):
            held += pieces
            strange += [unseen] * len(pieces)
        else:
            train += pieces
    return Split(tuple(train), tuple(held), tuple(strange))


def cut_pieces(motion: Motion, longest: float) -> list[Motion]:
    """A take in pieces of equal length."""
    count = int(np.ceil(motion.duration / longest))
    edges = np.linspace(0, motion.n_frames, count + 1).astype(int)
    pieces = [
        replace(motion.cut(a, b), name=f"{motion.name}@{a}" if count > 1 else motion.name)
        for a, b in pairwise(edges.tolist())
    ]
    return [p for p in pieces if p.duration >= SHORTEST]


# --- faults


def reversed_in_time(motion: Motion, rng: np.random.Generator) -> Motion:
    """Last frame first, the way through the world included."""
    return with_frames(motion, np.arange(motion.n_frames)[::-1])


def thrice_as_fast(motion: Motion, rng: np.random.Generator) -> Motion:
    """Every third frame."""
    return with_frames(motion, np.arange(0, motion.n_frames, 3))


def skating(motion: Motion, rng: np.random.Generator) -> Motion:
    """The whole body drifts at 0.3 m/s in one direction."""
    angle = rng.uniform(0, 2 * np.pi)
    drift = 0.3 * motion.times[:, None] * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return moved(motion, drift)


def tilted(motion: Motion, rng: np.random.Generator) -> Motion:
    """The whole body leans by 40 degrees to one side, about its hips."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = rot.from_rotvec(np.radians(40.0) * np.array([np.cos(angle), 0.0, np.sin(angle)]))
    rotations = motion.rotations.copy()
    j = motion.root_joint
    rotations[:, j] = rot.multiply(turn, rotations[:, j])
    return replace(motion, rotations=rotations)


def eased_gap(motion: Motion, rng: np.random.Generator) -> Motion:
    """One second is interpolated, eased in and out."""
    n = round(motion.fps)
    a = int(rng.integers(1, max(motion.n_frames - n - 1, 2)))
    b = min(a + n, motion.n_frames - 1)
    t = np.linspace(0, 1, b - a + 1)
    t = t * t * (3 - 2 * t)
    rotations, places = motion.rotations.copy(), motion.translations.copy()
    rotations[a : b + 1] = rot.slerp(rotations[a][None], rotations[b][None], t[:, None])
    places[a : b + 1] = places[a] + t[:, None, None] * (places[b] - places[a])
    return replace(motion, rotations=rotations, translations=places)


def leg_late(motion: Motion, rng: np.random.Generator) -> Motion:
    """One leg is half a second late; the first half second, where it has nothing, is cut off."""
    lag = round(0.5 * motion.fps)
    side = rng.choice(["left", "right"])
    below = list(motion.skeleton.descendants(find_roles(motion.skeleton).joints[f"{side}_hip"]))
    rotations = motion.rotations[lag:].copy()
    rotations[:, below] = motion.rotations[:-lag][:, below]
    return replace(motion, rotations=rotations, translations=motion.translations[lag:])


def frozen_arm(motion: Motion, rng: np.random.Generator) -> Motion:
    """One arm stays as it is in the middle of the clip, but for noise of 0.3 degrees."""
    side = rng.choice(["left", "right"])
    below = motion.skeleton.descendants(find_roles(motion.skeleton).joints[f"{side}_shoulder"])
    still = motion.rotations[motion.n_frames // 2]
    rotations = motion.rotations.copy()
    for j in below:
        if np.ptp(motion.rotations[:, j], axis=0).max() > 1e-6:
            noise = np.radians(0.3) * rng.normal(size=(motion.n_frames, 3))
            rotations[:, j] = rot.multiply(still[j], rot.from_rotvec(noise))
    return replace(motion, rotations=rotations)


def three_pops(motion: Motion, rng: np.random.Generator) -> Motion:
    """Three times a large joint is turned by 20 degrees for one frame."""
    roles = find_roles(motion.skeleton).joints
    large = [r for r in roles if r.split("_")[-1] not in ("hand", "toe", "head")]
    rotations = motion.rotations.copy()
    for frame in rng.choice(np.arange(3, motion.n_frames - 3), 3, replace=False):
        j = roles[str(rng.choice(large))]
        rotations[frame, j] = rot.multiply(rotations[frame, j], turn_by(rng, 20.0))
    return replace(motion, rotations=rotations)


def turn_by(rng: np.random.Generator, degrees: float) -> Array:
    axis = rng.normal(size=3)
    return rot.from_rotvec(np.radians(degrees) * axis / np.linalg.norm(axis))


def bent_back(motion: Motion, rng: np.random.Generator, ease: float) -> Motion:
    """A knee is 35 degrees beyond straight for half a second."""
    posed = pose_motion(motion)
    side = rng.choice(["left", "right"])
    hip, knee, foot = (posed.roles.joints[f"{side}_{part}"] for part in ("hip", "knee", "foot"))
    upper = posed.positions[:, knee] - posed.positions[:, hip]
    lower = posed.positions[:, foot] - posed.positions[:, knee]
    normal = np.cross(upper, lower)
    into = rot.conjugate(posed.rotations[:, hip])
    axis = rot.rotate(into, normal).sum(axis=0)
    axis /= np.linalg.norm(axis)
    world = rot.rotate(posed.rotations[:, hip], axis)
    sine = np.sum(normal * world, axis=-1)
    flexion = np.arctan2(sine, np.sum(upper * lower, axis=-1))
    middle = rng.uniform(0.5, max(motion.duration - 0.5, 0.6))
    away = np.abs(motion.times - middle) - 0.25
    share = np.clip(-away / ease, 0, 1) if ease else (away <= 0).astype(float)
    share = share * share * (3 - 2 * share)
    turn = rot.from_rotvec(-(share * (flexion + np.radians(35.0)))[:, None] * axis)
    rotations = motion.rotations.copy()
    # The axis is in the frame of the thigh, which the knee's parent need not be.
    parent = int(motion.skeleton.parents[knee])
    if parent != hip:
        relative = rot.multiply(rot.conjugate(posed.rotations[:, parent]), posed.rotations[:, hip])
        turn = rot.multiply(rot.multiply(relative, turn), rot.conjugate(relative))
    rotations[:, knee] = rot.multiply(turn, rotations[:, knee])
    return replace(motion, rotations=rotations)


def knee_sudden(motion: Motion, rng: np.random.Generator) -> Motion:
    return bent_back(motion, rng, 0.0)


def knee_eased(motion: Motion, rng: np.random.Generator) -> Motion:
    return bent_back(motion, rng, 0.2)


def noisy(motion: Motion, rng: np.random.Generator) -> Motion:
    """Every joint that moves is turned by half a degree (standard deviation) in every frame."""
    moving = np.ptp(motion.rotations, axis=0).max(axis=-1) > 1e-6
    noise = np.radians(0.5) * rng.normal(size=(*motion.rotations.shape[:2], 3))
    noise[:, ~moving] = 0.0
    return replace(motion, rotations=rot.multiply(motion.rotations, rot.from_rotvec(noise)))


def swapped_axes(motion: Motion, rng: np.random.Generator) -> Motion:
    """The x and z of all turns but the root's are swapped."""
    vectors = rot.to_rotvec(motion.rotations)[..., ::-1].copy()
    vectors[..., 1] *= -1
    rotations = rot.from_rotvec(vectors)
    j = motion.root_joint
    rotations[:, : j + 1] = motion.rotations[:, : j + 1]
    return replace(motion, rotations=rotations)


def with_frames(motion: Motion, frames: Array) -> Motion:
    return replace(
        motion, rotations=motion.rotations[frames], translations=motion.translations[frames]
    )


def moved(motion: Motion, by: Array) -> Motion:
    """The body's root moved in the world."""
    places = motion.translations.copy()
    places[:, motion.translated.index(motion.root_joint)] += by
    return replace(motion, translations=places)


@dataclass(frozen=True)
class Kind:
    """A kind of fault: how it is made, the check that is for it, and what it has to reach."""

    make: Callable[[Motion, np.random.Generator], Motion]
    check: str
    wanted: float


KINDS: dict[str, Kind] = {
    "reversed": Kind(reversed_in_time, "order", 0.92),
    "3 x speed": Kind(thrice_as_fast, "pace", 0.95),
    "skate .3 m/s": Kind(skating, "stance", 0.98),
    "tilt 40 deg": Kind(tilted, "gravity", 0.95),
    "gap 1 s, eased": Kind(eased_gap, "gap", 0.90),
    "leg .5 s late": Kind(leg_late, "phase", 0.90),
    "arm frozen, noise": Kind(frozen_arm, "frozen", 0.85),
    "3 pops 20 deg": Kind(three_pops, "pops", 0.97),
    "knee -35, sudden": Kind(knee_sudden, "hinge", 0.95),
    "knee -35, eased": Kind(knee_eased, "hinge", 0.85),
    "noise .5 deg": Kind(noisy, "noise", 0.95),
    "axes swapped": Kind(swapped_axes, "axes", 0.99),
}


def with_fault(motion: Motion, kind: str, seed: int) -> Motion:
    """The clip with one fault; the same seed makes the same."""
    rng = np.random.default_rng([seed, crc32(f"{motion.name} {kind}".encode())])
    return KINDS[kind].make(motion, rng)


# --- judging


@dataclass(frozen=True)
class Row:
    """What was found of one kind of fault."""

    kind: str
    check: str
    wanted: float
    auc: float
    hit: float
    overall: float
    overall_hit: float
    clips: int


@dataclass(frozen=True)
class Outcome:
    """What was found on one split of a family, seconds of CPU beside it."""

    family: str
    split: int
    seed: int
    train: int
    fit_seconds: float
    clip_seconds: float
    odd: float
    odd_strange: float
    held: int
    strange: int
    rows: tuple[Row, ...]


def area_under_curve(low: Sequence[float], high: Sequence[float]) -> float:
    """How often a number of the second is above one of the first; equal ones count half."""
    a, b = np.asarray(low)[None], np.asarray(high)[:, None]
    return float(np.mean((b > a) + 0.5 * (b == a)))


def judge_split(motions: Sequence[Motion], family: str, split: int, seed: int) -> Outcome:
    """Fit to one part of a family and judge the other, with and without faults."""
    parts = split_family(motions, family, split)
    begin = time.process_time()
    judge = fit_motion_judge([pose_motion(m) for m in parts.train], seed=seed)
    fitted = time.process_time()
    plain = [judge.judge(pose_motion(m)) for m in parts.held]
    judged = time.process_time()
    seconds = sum(m.duration for m in parts.held)
    known = [v for v in plain if v is not None]
    strange = [v.odd for v, s in zip(plain, parts.strange, strict=True) if s and v is not None]
    # Bodies whose arms are not found have no check of them, and no arm to freeze.
    kinds = [kind for kind in KINDS if KINDS[kind].check in judge.checks]
    return Outcome(
        family,
        split,
        seed,
        len(parts.train),
        fitted - begin,
        10 * (judged - fitted) / seconds,
        float(np.mean([v.odd for v in known])),
        float(np.mean(strange)) if strange else np.nan,
        len(known),
        len(strange),
        tuple(judge_kind(judge, known, parts.held, kind, seed) for kind in kinds),
    )


def judge_kind(
    judge: MotionJudge,
    plain: Sequence[MotionVerdict],
    clips: Sequence[Motion],
    kind: str,
    seed: int,
) -> Row:
    """One kind of fault, made in every clip."""
    check = KINDS[kind].check
    found = [judge.judge(pose_motion(with_fault(m, kind, seed))) for m in clips]
    faulty = [v for v in found if v is not None]
    level = np.quantile(judge.scores[:, judge.checks.index(check)], 0.95)
    own = [v.scores[check] for v in faulty]
    return Row(
        kind,
        check,
        KINDS[kind].wanted,
        area_under_curve([v.scores[check] for v in plain], own),
        float(np.mean(np.array(own) > level)),
        area_under_curve([v.evidence for v in plain], [v.evidence for v in faulty]),
        float(np.mean([v.odd for v in faulty])),
        len(faulty),
    )


def in_words(outcome: Outcome) -> str:
    """The table of one split."""
    o = outcome
    once = " (blind)" if o.split >= BLIND[o.family] else ""
    lines = [
        f"{o.family}, split {o.split}{once}, seed {o.seed}: fitted to {o.train} clips in"
        f" {o.fit_seconds:.1f} s; {1000 * o.clip_seconds:.0f} ms for 10 s of a clip (CPU)",
        f"  called odd as they are: {o.odd:.2f} of {o.held}; of persons or styles not fitted to"
        f" {o.odd_strange:.2f} of {o.strange}",
        f"  {'fault':<20}{'check':<10}{'AUC':>6}{'hit':>6}{'whole':>8}{'hit':>6}",
    ]
    for r in o.rows:
        short = f"  below {r.wanted:.2f}" if r.auc < r.wanted else ""
        lines.append(
            f"  {r.kind:<20}{r.check:<10}{r.auc:>6.3f}{r.hit:>6.2f}{r.overall:>8.3f}"
            f"{r.overall_hit:>6.2f}{short}"
        )
    whole = [r.overall for r in o.rows]
    lines.append(f"  the whole: mean {np.mean(whole):.3f}, least {min(whole):.3f}")
    return "\n".join(lines)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--family", action="append", choices=FILES, help="default: all")
    parser.add_argument("--split", type=int, action="append", help="from 0; default: all")
    parser.add_argument("--seed", type=int, action="append", help="default: 0")
    parser.add_argument("--blind", action="store_true", help="only splits that decided nothing")
    args = start(parser)
    outcomes = []
    for family in args.family or FILES:
        motions = load_family(family)
        splits = args.split or range(len(LEFT_OUT[family]))
        known = [s for s in splits if s < len(LEFT_OUT[family])]
        if args.blind:
            known = [s for s in known if s >= BLIND[family]]
        for split, seed in product(known, args.seed or [0]):
            outcomes.append(judge_split(motions, family, split, seed))
            print(in_words(outcomes[-1]), flush=True)
    write_json(args.json, [asdict(o) for o in outcomes])


if __name__ == "__main__":
    main()
