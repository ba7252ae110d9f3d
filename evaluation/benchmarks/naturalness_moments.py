"""Stretches spoilt on purpose, and whether the judge of moments is highest there.

Of each family every other take is learned from. In the others a second is spoilt: a foot is
elsewhere for some frames, a limb is frozen, another second of the take stands there, the body goes
twice as fast, or slides. For each kind: the area under the curve (AUC) of the highest value in the
spoilt stretch against that in the same stretch untouched, the share of spoilt stretches beyond the
limit, and in how many the highest value of the whole take is there. All settings were chosen on
CMU's Acclaim files and LaFAN1; Bandai-Namco was judged when they were fixed.

Run: python evaluation/benchmarks/naturalness_moments.py [--family NAME] [--seed N]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.moments import MomentJudge, fit_moment_judge
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom_evaluation.bench.run import load_captures, make_parser, start
from naturalness_faults import area_under_curve

Array = NDArray[np.float64]
#: Frames per second, those of a spoilt stretch, and those beside it that are looked at, too.
FPS, LENGTH, BESIDE = 30, 30, 6
#: Captures, and trials of each take.
FAMILIES = {
    "cmu16": ("cmu_asf_amc/16/*.amc", 4),
    "cmu14": ("cmu_asf_amc/14/*.amc", 2),
    "bandai": ("bandai_namco/*.bvh", 2),
}
#: A spoilt motion, the first spoilt frame and the one behind the last.
Spoilt = tuple[Motion, int, int]


def limb(posed: PosedMotion, parts: tuple[str, ...], rng: np.random.Generator) -> list[int]:
    """Joints of a limb of a side that is drawn."""
    side = rng.choice(["left", "right"])
    joints = posed.roles.joints
    return [joints[name] for part in parts if (name := f"{side}_{part}") in joints]


def foot_elsewhere(posed: PosedMotion, a: int, b: int, rng: np.random.Generator) -> Spoilt:
    """A leg is turned by 35 degrees for some frames."""
    joint = limb(posed, ("hip", "knee"), rng)[0]
    first = int(rng.integers(a + 5, b - 12))
    stop = first + int(rng.integers(4, 9))
    rotations = posed.motion.rotations.copy()
    turn = rot.from_rotvec(np.radians(35.0) * rng.normal(size=3) / 1.7)
    rotations[first:stop, joint] = rot.multiply(rotations[first:stop, joint], turn)
    return replace(posed.motion, rotations=rot.unroll(rotations)), first, stop


def frozen_limb(posed: PosedMotion, a: int, b: int, rng: np.random.Generator) -> Spoilt:
    """An arm or a leg stays as it is, and comes back within four frames."""
    parts = ("hip", "knee", "foot") if rng.random() < 0.5 else ("shoulder", "elbow", "hand")
    joints = limb(posed, parts, rng)
    rotations = rot.unroll(posed.motion.rotations.copy())
    held = rotations[a, joints].copy()
    rotations[a:b, joints] = held
    for k in range(4):
        share = (k + 1) / 5
        rotations[b + k, joints] = rot.normalize(
            (1 - share) * held + share * rotations[b + k, joints]
        )
    return replace(posed.motion, rotations=rot.unroll(rotations)), a, b + 4


def another_second(posed: PosedMotion, a: int, b: int, rng: np.random.Generator) -> Spoilt:
    """Another second of the take, where the body is and faces."""
    motion, count = posed.motion, b - a
    others = [c for c in range(motion.n_frames - count) if abs(c - a) >= count // 2]
    c = int(rng.choice(others))
    body = posed.body

    def moved(part: Motion, begin: int, to: Array) -> Motion:
        way = GroundTransform.of_body(to).compose(GroundTransform.of_body(body[begin]).inverse())
        return part.transformed(way)

    middle = moved(motion[c : c + count], c, body[a - 1])
    end = pose_motion(middle[-1:], posed.roles).body[0]
    return concatenate([motion[:a], middle, moved(motion[b:], b, end)]), a - 2, b + 2


def twice_as_fast(posed: PosedMotion, a: int, b: int, rng: np.random.Generator) -> Spoilt:
    """Every second frame of a stretch."""
    motion = posed.motion
    fast = replace(motion[a:b].every(2), frame_time=motion.frame_time)
    return concatenate([motion[:a], fast, motion[b:]]), a, a + fast.n_frames


def sliding(posed: PosedMotion, a: int, b: int, rng: np.random.Generator) -> Spoilt:
    """The whole body is pushed over the ground at half a metre a second."""
    motion = posed.motion
    angle = rng.uniform(0, 2 * np.pi)
    way = 0.5 / motion.fps * np.clip(np.arange(motion.n_frames) - a, 0, b - a)
    translations = motion.translations.copy()
    column = list(motion.translated).index(motion.root_joint)
    translations[:, column] += way[:, None] * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return replace(motion, translations=translations), a, b


Spoil = Callable[[PosedMotion, int, int, np.random.Generator], Spoilt]
KINDS: dict[str, Spoil] = {
    "a foot elsewhere": foot_elsewhere,
    "a limb frozen": frozen_limb,
    "another second": another_second,
    "twice as fast": twice_as_fast,
    "sliding": sliding,
}


def takes_of(family: str) -> list[PosedMotion]:
    """All takes of a family."""
    pattern, _ = FAMILIES[family]
    loaded = load_captures(pattern)
    return [pose_motion(m if m.fps < FPS + 1 else m.resample(1 / FPS)) for m in loaded]


def highest(judge: MomentJudge, posed: PosedMotion, first: int, stop: int) -> tuple[float, bool]:
    """Highest value of a stretch, and whether that of the whole is there."""
    odd = judge.judge(posed)
    assert odd is not None
    near = slice(max(first - BESIDE, 0), stop + BESIDE)
    most = float(odd.values[near].max())
    return most, bool(most >= odd.values.max())


def measure(family: str, seed: int) -> None:
    """Print a table."""
    takes = takes_of(family)
    judge = fit_moment_judge(takes[0::2], seed=0)
    rng = np.random.default_rng(seed)
    plain: list[float] = []
    found: dict[str, list[tuple[float, bool]]] = {name: [] for name in KINDS}
    beyond: list[Array] = []
    for take in takes[1::2]:
        if take.n_frames < 2 * LENGTH:
            continue
        odd = judge.judge(take)
        assert odd is not None
        beyond.append(odd.values > 1)
        for _ in range(FAMILIES[family][1]):
            a = int(rng.integers(12, take.n_frames - LENGTH - 12))
            plain.append(highest(judge, take, a, a + LENGTH)[0])
            for name, spoil in KINDS.items():
                motion, first, stop = spoil(take, a, a + LENGTH, rng)
                posed = PosedMotion(motion, take.roles)
                found[name].append(highest(judge, posed, first, stop))
    print(f"{family}: {len(plain)} stretches")
    for name, ones in found.items():
        values = [one[0] for one in ones]
        hit, there = np.mean(np.array(values) > 1), np.mean([one[1] for one in ones])
        auc = area_under_curve(plain, values)
        print(f"  {name:18} AUC {auc:.2f}  beyond the limit {hit:.2f}  highest there {there:.2f}")
    frames, stretches = np.mean(np.concatenate(beyond)), np.mean(np.array(plain) > 1)
    print(f"  untouched: {100 * frames:.1f} % of frames, {stretches:.2f} of stretches beyond it")


def main() -> None:
    """Read what is asked for, and measure it."""
    parser = make_parser(__doc__, json=False)
    parser.add_argument("--family", choices=list(FAMILIES))
    parser.add_argument("--seed", type=int, default=5)
    wanted = start(parser)
    for family in FAMILIES if wanted.family is None else [wanted.family]:
        measure(family, wanted.seed)


if __name__ == "__main__":
    main()
