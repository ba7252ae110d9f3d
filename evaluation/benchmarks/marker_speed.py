"""Speed of following markers frame by frame on one core, beside Gauss-Newton with Pinocchio's
kinematics on the same trial, in one run.

Both have the same bones, the same turning joints (free root, ball joints), the same markers, steps
per frame (2) and pull towards the predicted pose. Pinocchio has no solver of its own: its Jacobians
of the markers' frames are stacked, and the normal equations solved with NumPy. The two take turns,
pass by pass over the trial. A frame is the same work in every pass: its least time over the passes
is what it takes undisturbed, and percentiles are over frames; those of all passes are printed too.

Run: python evaluation/benchmarks/marker_speed.py TRIAL... [--passes N] [--json
FILE] Trials are C3D or TRC files with known labels; each is calibrated from itself first.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from motionloom.fitting import MarkerModel, calibrate
from motionloom.fitting.limbs import match_markers
from motionloom.fitting.tracking import MarkerTracker
from motionloom.io import load_markers
from motionloom_evaluation.bench.pinocchio_peer import ball_joint_model
from motionloom_evaluation.bench.run import make_parser, start, write_json

#: Of the peer: steps per frame, and the pull towards the predicted pose (metres and radians are
#: weighed by markers' variances of 1 cm), the fastest that follows all trials.
STEPS, NOISE, PULL = 2, 0.01, 0.02
#: Frames that are not counted: what they need is loaded or compiled.
WARMING = 30


class Peer:
    """The same body as a Pinocchio model, followed by Gauss-Newton steps."""

    def __init__(self, model: MarkerModel, rig: Any) -> None:
        import pinocchio as pin

        self.pin = pin
        self.model, ids = ball_joint_model(rig.parents.tolist(), rig.offsets)
        self.frames = []
        for m, node in enumerate(rig.nodes.tolist()):
            at = pin.SE3(np.eye(3), rig.places[m])
            frame = pin.Frame(f"marker{m}", ids[node], 0, at, pin.FrameType.OP_FRAME)
            self.frames.append(self.model.addFrame(frame))
        self.data = self.model.createData()
        self.pose = pin.neutral(self.model)
        self.speed = np.zeros(self.model.nv)
        self.rest = np.full(self.model.nv, (NOISE / PULL) ** 2)

    def start(self, root: np.ndarray, turns: np.ndarray) -> None:
        """Take the pose that ours has found (quaternions w x y z)."""
        self.pose[:3] = root
        for k in range(len(turns)):
            self.pose[3 + 4 * k : 7 + 4 * k] = turns[k, [1, 2, 3, 0]]

    def update(self, observed: np.ndarray, valid: np.ndarray) -> np.ndarray:
        """One frame; residuals of the markers, metres."""
        pin = self.pin
        told = pin.integrate(self.model, self.pose, self.speed)
        pose = told
        seen = np.flatnonzero(valid)
        for _ in range(STEPS):
            pin.computeJointJacobians(self.model, self.data, pose)
            pin.updateFramePlacements(self.model, self.data)
            slopes = np.empty((3 * len(seen), self.model.nv))
            misses = np.empty((len(seen), 3))
            for row, m in enumerate(seen):
                frame = self.frames[m]
                own = pin.getFrameJacobian(
                    self.model, self.data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
                )
                slopes[3 * row : 3 * row + 3] = own[:3]
                misses[row] = observed[m] - self.data.oMf[frame].translation
            normal = slopes.T @ slopes
            normal[np.diag_indices_from(normal)] += self.rest
            back = pin.difference(self.model, pose, told)
            right = slopes.T @ misses.ravel() + self.rest * back
            pose = pin.integrate(self.model, pose, np.linalg.solve(normal, right))
        self.speed = pin.difference(self.model, self.pose, pose)
        self.pose = pose
        pin.framesForwardKinematics(self.model, self.data, pose)
        return observed[seen] - np.array([self.data.oMf[self.frames[m]].translation for m in seen])


def measure(path: Path, passes: int) -> dict[str, Any]:
    markers = load_markers(path)
    model = calibrate(markers).model
    trial = match_markers(model, markers)
    frames = list(zip(trial.positions.copy(), trial.valid.copy(), strict=True))
    times: dict[str, list[np.ndarray]] = {"ours": [], "theirs": []}
    rms: dict[str, float] = {}
    for _ in range(passes):
        tracker = MarkerTracker(model, trial.frame_time)
        own, rms["ours"] = follow(lambda o, v, t=tracker: t.update(o, v).residuals[v], frames)
        times["ours"].append(own)
        peer = Peer(model, tracker.rig)
        first = MarkerTracker(model, trial.frame_time).update(*frames[0])
        peer.start(first.root, first.rotations[tracker.rig.joints])
        own, rms["theirs"] = follow(peer.update, frames)
        times["theirs"].append(own)
    row: dict[str, Any] = {
        "trial": path.name,
        "markers": len(model.labels),
        "unknowns": len(tracker.rig.above),
        "frames": len(frames) - WARMING,
        "passes": passes,
        "rms_cm": [100 * rms[who] for who in times],
    }
    for all_passes in times.values():
        table = 1000 * np.array(all_passes)
        least = table.min(axis=0)
        row.setdefault("median_ms", []).append(float(np.median(least)))
        row.setdefault("p99_ms", []).append(float(np.percentile(least, 99)))
        row.setdefault("median_all_ms", []).append(float(np.median(table)))
        row.setdefault("p99_all_ms", []).append(float(np.percentile(table, 99)))
    return row


def follow(update: Callable[..., np.ndarray], frames: list[Any]) -> tuple[np.ndarray, float]:
    """Seconds of every frame behind the first, and the markers' rms distance, metres."""
    taken = []
    squares = []
    for observed, valid in frames:
        begun = perf_counter()
        missed = update(observed, valid)
        taken.append(perf_counter() - begun)
        squares.append(np.nanmean(np.sum(missed**2, axis=1)))
    return np.array(taken[WARMING:]), float(np.sqrt(np.mean(squares)))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("trials", nargs="+", type=Path)
    parser.add_argument("--passes", type=int, default=5)
    given = start(parser, captures=False)
    rows = [measure(path, given.passes) for path in given.trials]
    print(f"{'':32}{'motionloom':>24}{'Pinocchio':>24}{'ratio':>8}")
    for row in rows:
        print(f"{row['trial']}: {row['markers']} markers, {row['unknowns']} unknowns,", end=" ")
        print(f"{row['frames']} frames")
        for name in ("median_ms", "p99_ms", "median_all_ms", "p99_all_ms", "rms_cm"):
            ours, theirs = row[name]
            print(f"  {name:30}{ours:24.3f}{theirs:24.3f}{theirs / ours:8.2f}")
    write_json(given.json, rows)


if __name__ == "__main__":
    main()
