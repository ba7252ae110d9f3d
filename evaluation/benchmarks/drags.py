"""How far joints turn when a target is dragged by a centimetre, with held hips and with free ones.

Learns from every second capture, or from those whose name lacks `--others`, and drags joints from
poses of the others, each along a bent way of its own, within reach and out of it.

Run: python evaluation/benchmarks/drags.py CLIPS... [--others TEXT] [--drags N] [--steps N] [--seed
N]
"""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.ik.placing import Placing, root_placing
from motionloom.ik.problem import Target
from motionloom.ik.solve import PoseSolver
from motionloom.ik.standing import plan_footwork
from motionloom.io import load_motion
from motionloom.jacobian_kernels import make_stance, run
from motionloom.places import find_clips
from motionloom.spaces import fit_pose_space
from motionloom.spaces.footing import gather_footing
from motionloom.spaces.pose_coordinates import gather_poses
from motionloom_evaluation.bench.run import make_parser, start

ROLES = ("right_hand", "left_hand", "right_foot", "head")
STEP, BEND = 0.01, 0.05


def turned(space, before: np.ndarray, after: np.ndarray, free: bool) -> float:
    """Largest turn of a joint, the free root among them, degrees."""
    size = space.coordinates.size
    poses = [
        space.coordinates.coordinates.local_pose(space.coordinates.to_values(p[:size]))[0]
        for p in (before, after)
    ]
    angles = rot.angle_between(*poses)
    if free:
        roots = [rot.from_rotvec(p[-3:]) for p in (before, after)]
        angles = np.append(angles, rot.angle_between(*roots))
    return float(np.degrees(angles.max()))


def keep(space, stance, pose: np.ndarray, role: str, held: bool) -> list[Target]:
    """What else is asked: planted feet of a free body; feet and a hand of every other held one."""
    joint = space.roles.joints
    if len(pose) > space.coordinates.size:
        origin = Placing(np.zeros(3), rot.identity())
        placing = root_placing(space, pose[-6:], origin)
        dragged = [Target(joint[role], "position", stance.place[joint[role]])]
        footwork = plan_footwork(space, pose[:-6], placing, dragged)
        return [*footwork.planted, *footwork.wishes]
    others = [r for r in ("left_foot", "right_foot", "right_hand") if held and r != role]
    return [Target(joint[r], "position", stance.place[joint[r]].copy()) for r in others]


def drag(solver: PoseSolver, pose: np.ndarray, role: str, held: bool, steps: int, rng) -> float:
    """Largest turn in one step of a drag, degrees."""
    space, rig = solver.space, solver.body.rig
    stance = make_stance(rig)
    pose = solver.body.clamp(pose)
    run(rig, pose, stance)
    joint = space.roles.joints[role]
    at = stance.place[joint].copy()
    more = keep(space, stance, pose, role, held)
    # The pose may not fit this body's floor and limits: that is no leap.
    pose = solver.solve([Target(joint, "position", at.copy()), *more], pose).pose
    way, bend = rng.normal(size=3), BEND * rng.normal(size=3)
    way /= np.linalg.norm(way)
    largest = 0.0
    for _ in range(steps):
        at = at + STEP * way
        way = (way + bend) / np.linalg.norm(way + bend)
        if solver.free:
            at[1] = max(at[1], 0.05)
        found = solver.solve([Target(joint, "position", at.copy()), *more], pose).pose
        largest = max(largest, turned(space, pose, found, solver.free))
        pose = found
    return largest


def main() -> None:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--others")
    parser.add_argument("--drags", type=int, default=24)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--seed", type=int, default=404)
    options = start(parser, captures=False)
    files = find_clips(options.clips).files
    others = {f for f in files if options.others in str(f)} if options.others else {*files[1::2]}
    space = fit_pose_space([load_motion(f) for f in files if f not in others])
    unseen = [load_motion(f) for f in files if f in others]
    poses, _ = gather_poses(space.coordinates, unseen)
    roots = gather_footing(space.coordinates, unseen, space.roles).root
    for free in (False, True):
        rng = np.random.default_rng(options.seed)
        solver = PoseSolver(space, free=free)
        turns = []
        for k in range(options.drags):
            i = int(rng.integers(len(poses)))
            pose = np.concatenate([poses[i], roots[i]]) if free else poses[i]
            role = ROLES[k % len(ROLES)]
            turns.append(drag(solver, pose, role, bool(k % 2), options.steps, rng))
        over = [f"{ROLES[k % len(ROLES)]} {t:.0f}" for k, t in enumerate(turns) if t > 10]
        print(
            f"{'free' if free else 'held'} hips: largest turn in a step {max(turns):.1f} degrees,"
            f" median of the largest {np.median(turns):.1f}; over 10 in {len(over)} of"
            f" {len(turns)} drags: {', '.join(over) or 'none'}"
        )


if __name__ == "__main__":
    main()
