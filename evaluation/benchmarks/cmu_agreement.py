"""The same CMU trials as ASF/AMC and as a BVH conversion: how far apart are the joints, and why?

Both files of a trial describe one tree of 31 joints, joint for joint. The conversion puts an extra
T-pose first, and gives all children of a joint that branches below the root the joint's own place:
the thorax bone and the two wrist bones have no length in it. `explained` adds these three bones
back.

Run: python evaluation/benchmarks/cmu_agreement.py [--data FOLDER] [--json FILE]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from motionloom import rotations as rot
from motionloom.io.acclaim.amc import read_amc
from motionloom.io.bvh import read_bvh
from motionloom.kinematics import forward_kinematics
from motionloom_evaluation.bench.run import DATA, make_parser, start, write_json

#: Metres per unit in both kinds of files: an inch divided by 0.45.
UNIT = 0.0254 / 0.45
#: Bones that the conversion gives no length: all children of a joint that branches below the root
#: start where it does.
DROPPED = ("thorax", "lwrist", "rwrist")
PARTS = {
    "root": ("root", "lhipjoint", "rhipjoint", "lowerback"),
    "legs": ("lfemur", "ltibia", "lfoot", "ltoes", "rfemur", "rtibia", "rfoot", "rtoes"),
    "spine": ("upperback", "thorax"),
    "neck and head": ("lowerneck", "upperneck", "head"),
    "arms": (
        "lclavicle",
        "lhumerus",
        "lradius",
        "lwrist",
        "rclavicle",
        "rhumerus",
        "rradius",
        "rwrist",
    ),
    "hands": ("lhand", "lfingers", "lthumb", "rhand", "rfingers", "rthumb"),
}


def pairs(data: Path) -> Iterator[tuple[Path, Path]]:
    """Trials that are there in both formats."""
    conversions = {path.stem: path for path in (data / "cmu_bvh").rglob("*.bvh")}
    for path in sorted((data / "cmu_asf_amc").rglob("*.amc")):
        if path.stem in conversions:
            yield path, conversions[path.stem]


def compare(amc_path: Path, bvh_path: Path) -> dict[str, dict[str, float]]:
    """Differences by body part: positions in millimetres, world orientations in degrees."""
    amc, bvh = read_amc(amc_path, unit=UNIT), read_bvh(bvh_path, unit=UNIT)
    skeleton = amc.skeleton
    assert np.array_equal(skeleton.parents, bvh.skeleton.parents), "the trees differ"
    n = min(amc.n_frames, bvh.n_frames - 1)
    ours, theirs = forward_kinematics(amc.cut(0, n)), forward_kinematics(bvh.cut(1, n + 1))
    raw = 1000 * (ours.positions - theirs.positions)
    explained = raw - 1000 * dropped_bones(skeleton, ours)
    angle = np.degrees(rot.angle_between(ours.rotations, theirs.rotations))
    result = {}
    for part, names in PARTS.items():
        joints = [skeleton.index(name) for name in names]
        apart = np.linalg.norm(raw[:, joints], axis=-1)
        result[part] = {
            "mean_mm": float(apart.mean()),
            "max_mm": float(apart.max()),
            "explained_max_mm": float(np.linalg.norm(explained[:, joints], axis=-1).max()),
            "angle_max_deg": float(angle[:, joints].max()),
        }
    return result


def dropped_bones(skeleton, pose):
    """World vectors (T, J, 3), metres, of the dropped bones above each joint."""
    total = np.zeros_like(pose.positions)
    for name in DROPPED:
        start = skeleton.index(name)
        tip = skeleton.children[start][0]
        bone = pose.positions[:, tip] - pose.positions[:, start]
        total[:, [j for j in skeleton.descendants(start) if j != start]] += bone[:, None]
    return total


def format_row(trial: str, part: str, row: dict[str, float]) -> str:
    numbers = f"{row['mean_mm']:9.3f} {row['max_mm']:9.3f} {row['explained_max_mm']:13.3f}"
    return f"{trial:8} {part:14} {numbers} {row['angle_max_deg']:10.5f}"


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    options = start(parser, captures=False)
    table = {amc.stem: compare(amc, bvh) for amc, bvh in pairs(options.data)}
    if not table:
        raise SystemExit(f"no trial in both formats under {options.data}")
    print(
        f"{'trial':8} {'part':14} {'mean mm':>9} {'max mm':>9} {'explained mm':>13}"
        f" {'angle deg':>10}"
    )
    for trial, parts in table.items():
        for part, row in parts.items():
            print(format_row(trial, part, row))
    print(f"\nworst of {len(table)} trials")
    for part in PARTS:
        rows = [parts[part] for parts in table.values()]
        print(format_row("", part, {key: max(row[key] for row in rows) for key in rows[0]}))
    write_json(options.json, table)


if __name__ == "__main__":
    main()
