"""Strict layers of tasks: whether a lower one ever makes an upper one worse, beside layers that are
corrected without projection and layers that are only weighted; and what one iteration takes, beside
the same steps with Pinocchio's kinematics and NumPy, in the same run.

Run: python evaluation/benchmarks/prioritized_ik.py [--cases N] [--data FOLDER]
[--json FILE]
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from motionloom.coordinates import Coordinates, ExponentialCoordinates
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.ik.layer_steps import LayeredProblem
from motionloom.ik.prioritized import LayerOptions
from motionloom.ik.tasks import Body, Task
from motionloom.io import load_motion
from motionloom.spaces.linear_map import LinearMap
from motionloom_evaluation.bench.pinocchio_peer import ball_joint_model, layered_step
from motionloom_evaluation.bench.run import DATA, cpu_times, make_parser, start, write_json
from motionloom_evaluation.pose_solvers.layer_trials import (
    draw_trial,
    follow_layers,
    follow_unprojected,
    follow_weighted,
)
from motionloom_evaluation.pose_solvers.one_step import project_step

RIGS = {
    "Acclaim": "cmu_asf_amc/16/16_01.amc",
    "CMU as BVH": "cmu_bvh",
    "LaFAN1": "lafan1",
    "Bandai": "bandai_namco",
    "dog": "dog",
}
METHODS = {
    "strict layers": follow_layers,
    "unprojected": follow_unprojected,
    "weighted": follow_weighted,
}
SUFFIXES = {".amc", ".bvh"}


def open_rig(path: Path) -> tuple[Body, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """A body with equal masses, its captured coordinates, and limits about them."""
    if path.is_dir():
        path = next(p for p in sorted(path.rglob("*")) if p.suffix in SUFFIXES)
    motion = load_motion(path)
    own = motion.source.extra.get("coordinates")
    coordinates: Coordinates = (
        own
        if isinstance(own, EulerCoordinates)
        else ExponentialCoordinates(motion.skeleton, tuple(sorted({0, motion.root_joint})))
    )
    poses = coordinates.to_coordinates(motion)[::4]
    masses = np.ones(motion.skeleton.n_joints)
    return Body(coordinates, masses), poses, (poses.min(axis=0) - 0.05, poses.max(axis=0) + 0.05)


def count_harm(rigs: dict, cases: int, seed: int) -> dict:
    """Worst and typical harm to an upper task by method, millimetres, over all cases."""
    rng = np.random.default_rng(seed)
    options = LayerOptions()
    harm: dict[str, list[float]] = {name: [] for name in METHODS}
    where: list[str] = []
    for case in range(cases):
        name = list(rigs)[case % len(rigs)]
        trial = draw_trial(*rigs[name], rng)
        where.append(name)
        for method, follow in METHODS.items():
            harm[method].append(1e3 * trial.harm(follow, options))
    result = {}
    for method, values in harm.items():
        array = np.array(values)
        result[method] = {
            "cases": cases,
            "worse by more than 1 mm": int((array > 1.0).sum()),
            "by rig": {n: int((array[np.array(where) == n] > 1.0).sum()) for n in rigs},
            "90 % (mm)": round(float(np.quantile(array, 0.9)), 3),
            "largest (mm)": round(float(array.max()), 3),
        }
    return result


def four_tasks(body: Body, values: np.ndarray) -> list[Task]:
    """Four tasks in three layers, two centimetres from where the body is."""
    skeleton = body.coordinates.skeleton
    parents = np.asarray(skeleton.parents)
    tips = np.flatnonzero(~np.isin(np.arange(len(parents)), parents))[:3]
    tasks = [
        Task("position", np.zeros(3), int(j), layer=k) for j, k in zip(tips, (1, 1, 2), strict=True)
    ]
    tasks.append(Task("mass", np.zeros(3), axes="xyz", layer=3))
    residual = body.measure(values, tasks)[0].reshape(4, 3)
    return [
        Task(t.kind, 0.01 - r, t.joint, axes=t.axes, layer=t.layer)
        for t, r in zip(tasks, residual, strict=True)
    ]


def least_us(call) -> float:
    """Processor time of a call in the quickest of several rounds, microseconds."""
    return 1e6 * float(cpu_times(call, rounds=15, each=40).min())


def time_iteration(body: Body, poses: np.ndarray, limits: tuple) -> dict:
    """Microseconds of one iteration: kinematics, rows, Jacobian, layered step."""
    values = poses[len(poses) // 2]
    asked = body.asked(four_tasks(body, values))
    row_layers = np.repeat(asked.layers, np.diff(asked.rows))
    problem = LayeredProblem(asked.measure, asked.rows, asked.layers, LinearMap(values), *limits)
    low, high = limits[0] - values, limits[1] - values
    start = np.zeros(len(values))

    def ours():
        now = problem.at(start)
        return project_step(now.residual, now.jacobian, row_layers, low=low, high=high, longest=0.6)

    found = {"degrees of freedom": len(values), "ours (us)": least_us(ours)}
    try:
        theirs = pinocchio_iteration(body, asked.tasks, low, high)
    except ImportError:
        return found
    found["Pinocchio and NumPy (us)"] = least_us(theirs)
    found["ratio"] = found["Pinocchio and NumPy (us)"] / found["ours (us)"]
    return found


def pinocchio_iteration(body: Body, tasks, low: np.ndarray, high: np.ndarray):
    """One iteration of the same tasks on a model with as many joints, each a ball joint below a
    free one, by singular values as the publication has it; limits are clamped after the step.
    """
    import pinocchio as pin

    skeleton = body.coordinates.skeleton
    model, made = ball_joint_model(skeleton.parents.tolist(), skeleton.offsets, mass=1.0)
    data = model.createData()
    q = pin.neutral(model)
    step_low, step_high = np.full(model.nv, low.min()), np.full(model.nv, high.max())

    def iterate():
        pin.computeJointJacobians(model, data, q)
        layers = []
        for layer in (1, 2, 3):
            rows = []
            lacking = []
            for task in tasks:
                if task.layer != layer:
                    continue
                if task.kind == "mass":
                    rows.append(pin.jacobianCenterOfMass(model, data, q))
                    lacking.append(task.value - data.com[0])
                else:
                    k = made[task.joint]
                    rows.append(pin.getJointJacobian(model, data, k, pin.LOCAL_WORLD_ALIGNED)[:3])
                    lacking.append(task.value - data.oMi[k].translation)
            layers.append((np.concatenate(rows), np.concatenate(lacking)))
        return np.clip(layered_step(layers, model.nv), step_low, step_high)

    return iterate


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--data", type=Path, default=DATA)
    options = start(parser, captures=False)
    rigs = {name: open_rig(options.data / path) for name, path in RIGS.items()}
    times = {name: time_iteration(*rig) for name, rig in rigs.items()}
    print(json.dumps(times, indent=2))
    asked = {name: rig for name, rig in rigs.items() if name != "CMU as BVH"}
    harm = count_harm(asked, options.cases, options.seed)
    print(json.dumps(harm, indent=2))
    write_json(options.json, {"iteration": times, "harm": harm})


if __name__ == "__main__":
    main()
