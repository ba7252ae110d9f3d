"""What it does to the feet when a performer's clips are brought to another one's size.

python evaluation/benchmarks/library_performers.py FOLDER REFERENCE OTHER... (each a folder of one
performer's clips in FOLDER) python evaluation/benchmarks/library_performers.py
../shared/data/cmu_bvh 16 02 05 07 12 35 49
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import Quality, compute_pooled_quality
from motionloom.analysis.soles import fit_soles
from motionloom.clips.prepare import prepare_clip
from motionloom.io import load_motion
from motionloom.library._ingest import fit_to, own_skeleton
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.roles import Roles, find_roles
from motionloom_evaluation.bench.run import make_parser, start

FPS = 30.0
SUFFIXES = (".bvh", ".amc", ".glb")


def read(folder: Path) -> list[Motion]:
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)
    return [prepare_clip(load_motion(file), FPS)[0].motion for file in files]


def measure(motions: Sequence[Motion], roles: Roles) -> Quality:
    posed = [pose_motion(m, roles) for m in motions]
    soles = fit_soles(posed)
    contacts = [detect_contacts(m, None, soles) for m in posed]
    return compute_pooled_quality(posed, contacts)


def main() -> None:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("reference")
    parser.add_argument("others", nargs="+")
    options = start(parser, captures=False)
    folder = options.folder
    skeleton = own_skeleton(read(folder / options.reference)[0])
    roles = find_roles(skeleton)
    print(
        "| subject | clips | scale | moved by | skate, mean (cm/s) | ratio | penetration, mean"
        " (mm) |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for other in options.others:
        clips = read(folder / other)
        fitted = [fit_to(clip, skeleton, roles) for clip in clips]
        before, after = measure(clips, roles), measure([fit.motion for fit in fitted], roles)
        rises = [1000 * fit.raised for fit in fitted]
        print(
            f"| {other} | {len(clips)} | {fitted[0].scale:.3f} | {min(rises):.0f} to"
            f" {max(rises):.0f} mm | {before.skate_mean:.2f} → {after.skate_mean:.2f} |"
            f" {after.skate_mean / before.skate_mean:.2f} | {before.penetration_mean:.1f} →"
            f" {after.penetration_mean:.1f} |"
        )


if __name__ == "__main__":
    main()
