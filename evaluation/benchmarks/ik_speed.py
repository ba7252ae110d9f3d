"""Speed of solving for poses on one core, beside damped least squares with Pinocchio's kinematics,
in one run.

Both have the same bones, degrees of freedom, limits, targets (positions only) and start. Pinocchio
has no solver of its own: the damped least squares of its documentation is used (`J^t (J J^t + d
I)^-1 e`), stopped at the same tolerance.

Run: python evaluation/benchmarks/ik_speed.py CLIPS... [--targets N] [--json FILE]
"""

from __future__ import annotations

import json
import time
from typing import NamedTuple

import numpy as np

from motionloom import rotations as rot
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.ik.problem import Target
from motionloom.ik.rig import make_rig
from motionloom.ik.solve import PoseSolver
from motionloom.io import load_motion
from motionloom.jacobian_kernels import make_stance, run
from motionloom.places import find_clips
from motionloom_evaluation.bench.run import make_parser, start, write_json
from motionloom_evaluation.natural_spaces.targets import GROUPS, Split, draw_targets, split_captures

#: Of the peer: the fastest of eight pairs of damping (1e-6 to 1e-2) and step (0.5, 1) among those
#: that reach as many.
DAMPING, STEP, ITERATIONS, TOLERANCE = 1e-4, 1.0, 250, 1e-3


class Times(NamedTuple):
    """Milliseconds a solve, and the share of the targets that were reached within 1 cm."""

    median: float
    p90: float
    reached: float


class Peer:
    """The same skeleton as a Pinocchio model, and damped least squares on it."""

    def __init__(self, split: Split) -> None:
        import pinocchio as pin

        self.pin, pose = pin, split.space.coordinates
        skeleton, coordinates = pose.skeleton, pose.coordinates
        assert isinstance(coordinates, EulerCoordinates)
        self.model, column = pin.Model(), {int(c): p for p, c in enumerate(pose.columns)}
        layout, above = coordinates.layout(), set(skeleton.chain(pose.root))
        by_joint, begin = {}, 0
        for f in coordinates.freedoms:
            by_joint[f.joint] = (f, [begin + k for k in f.turns if begin + k in column])
            begin += len(f.freedoms)
        # Where each of our joints hangs: its joint of the model, and its frame in that joint's.
        self.frame: dict[int, tuple[int, pin.SE3]] = {}
        self.order: list[int] = []
        for j in range(skeleton.n_joints):
            parent, at = (
                (0, pin.SE3.Identity()) if j in above else self.frame[int(skeleton.parents[j])]
            )
            if j not in above:
                at = at * pin.SE3(np.eye(3), skeleton.offsets[j])
            freedom, turns = by_joint.get(j, (None, []))
            if freedom is not None and j not in above:
                at = at * pin.SE3(rot.to_matrix(freedom.before), np.zeros(3))
                for c in turns:
                    kind = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}[
                        layout[c].freedom[1]
                    ]
                    parent, at = (
                        self.model.addJoint(parent, kind(), at, f"{j}.{c}"),
                        pin.SE3.Identity(),
                    )
                    self.order.append(column[c])
                at = at * pin.SE3(rot.to_matrix(freedom.after), np.zeros(3))
            self.frame[j] = (parent, at)
        self.data = self.model.createData()
        self.lower, self.upper = split.space.lower[self.order], split.space.upper[self.order]

    def places(self, q: np.ndarray, joints: list[int]) -> np.ndarray:
        """World places of joints, (K, 3)."""
        self.pin.forwardKinematics(self.model, self.data, q)
        return np.array(
            [(self.data.oMi[self.frame[j][0]] * self.frame[j][1]).translation for j in joints]
        )

    def solve(self, targets: tuple[Target, ...], start: np.ndarray) -> np.ndarray:
        """Damped least squares, clamped to the same limits; the last errors (K,), metres."""
        pin, joints = self.pin, [t.joint for t in targets]
        q, wanted = start[self.order].copy(), np.array([t.value for t in targets])
        error = np.empty((0, 3))
        for _ in range(ITERATIONS):
            pin.computeJointJacobians(self.model, self.data, q)
            at = [self.data.oMi[self.frame[j][0]] * self.frame[j][1] for j in joints]
            error = wanted - np.array([m.translation for m in at])
            if np.linalg.norm(error, axis=1).max() < TOLERANCE:
                break
            rows = []
            for j, m in zip(joints, at, strict=True):
                full = pin.getJointJacobian(self.model, self.data, self.frame[j][0], pin.WORLD)
                rows.append(full[:3] - pin.skew(m.translation) @ full[3:])
            jacobian = np.concatenate(rows)
            force = np.linalg.solve(
                jacobian @ jacobian.T + DAMPING * np.eye(len(jacobian)), error.ravel()
            )
            q = np.clip(q + STEP * (jacobian.T @ force), self.lower, self.upper)
        return np.linalg.norm(error, axis=1)


def check_same_kinematics(split: Split, peer: Peer) -> float:
    """Largest distance (metres) between our joints and the peer's over some captured poses."""
    rig = make_rig(split.space.coordinates)
    stance, worst = make_stance(rig), 0.0
    joints = list(range(split.space.coordinates.skeleton.n_joints))
    for pose in split.held_out.poses[::200]:
        run(rig, pose, stance)
        worst = max(
            worst, float(np.abs(stance.place - peer.places(pose[peer.order], joints)).max())
        )
    return worst


def summarize(times: list[float], errors: list[float]) -> Times:
    return Times(*(1e3 * np.quantile(times, [0.5, 0.9])), float((np.array(errors) < 0.01).mean()))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--targets", type=int, default=300)
    parser.add_argument("--seed", type=int, default=11)
    options = start(parser, captures=False)
    # The peer's joints turn about axes: Euler degrees of freedom, those of the file where it has
    # some, for both.
    motions = [load_motion(p) for p in find_clips(options.clips).files]
    split = split_captures(motions, options.seed, kind="euler")
    drawn = draw_targets(split, "hands and feet", options.targets, options.seed)
    solver = PoseSolver(split.space)
    solver.solve(drawn.targets[0], split.standing)
    try:
        peer = Peer(split)
    except ImportError:
        peer = None
        print("Pinocchio is not installed (pip install pin): ours alone")
    own, other, own_errors, other_errors = [], [], [], []
    for targets in drawn.targets:  # the two in turn, so that a busy machine is as hard on both
        began = time.perf_counter()
        result = solver.solve(targets, split.standing)
        own.append(time.perf_counter() - began)
        own_errors.append(float(result.errors.max()))
        if peer is not None:
            began = time.perf_counter()
            errors = peer.solve(targets, split.standing)
            other.append(time.perf_counter() - began)
            other_errors.append(float(errors.max()))
    result: dict = {
        "interactive, hands and feet (ms)": {"motionloom": summarize(own, own_errors)._asdict()}
    }
    if peer is not None:
        theirs = summarize(other, other_errors)
        result["same kinematics (m)"] = check_same_kinematics(split, peer)
        result["interactive, hands and feet (ms)"]["pinocchio, damped least squares"] = (
            theirs._asdict()
        )
        result["ratio of medians"] = theirs.median / summarize(own, own_errors).median
    hips = free_hips(split, options.targets, options.seed)
    result["interactive, hands and feet, free hips (ms)"] = {"motionloom": hips._asdict()}
    print(json.dumps(result, indent=2))
    write_json(options.json, result)


def free_hips(split: Split, count: int, seed: int) -> Times:
    """Hands and feet of held-out poses with free hips, from standing: ours alone, as the peer holds
    them.
    """
    solver = PoseSolver(split.space, free=True)
    rows = np.concatenate([split.held_out.poses, split.held_out.footing.root], axis=1)
    start = np.concatenate([split.space.poses[0], split.space.footing.root[0]])
    joints = [split.space.roles.joints[role] for role in GROUPS["hands and feet"]]
    stance, times, errors = make_stance(solver.body.rig), [], []
    chosen = np.random.default_rng(seed).integers(0, len(rows), count)
    for pose in rows[[chosen[0], *chosen]]:
        run(solver.body.rig, pose, stance)
        targets = tuple(Target(j, "position", stance.place[j].copy()) for j in joints)
        began = time.perf_counter()
        result = solver.solve(targets, start)
        times.append(time.perf_counter() - began)
        errors.append(float(result.errors.max()))
    return summarize(times[1:], errors[1:])  # the first learned the prior


if __name__ == "__main__":
    main()
