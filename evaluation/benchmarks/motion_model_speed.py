"""Motion models at the published size: 93 degrees of freedom, 15 eigen-motions, 132 frames, four
constraints in two layers. What an iteration takes, beside the same step with Pinocchio's kinematics
and NumPy in the same run; a whole edit, beside the per-frame editor; a drag of 10 s at 60 Hz.

Run: python evaluation/benchmarks/motion_model_speed.py [--json FILE]
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionloom.framewise import Goal, edit_clip
from motionloom.ik.tasks import Task
from motionloom.models import EditOptions, KeyTasks, build_problem, edit_motion
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.skeleton import Skeleton
from motionloom.spaces.motion_space import MotionSpace, MotionSpaceOptions
from motionloom_evaluation.bench.pinocchio_peer import ball_joint_model, layered_step
from motionloom_evaluation.bench.run import cpu_times, make_parser, start, write_json
from motionloom_evaluation.motion_models.study import Study
from motionloom_evaluation.motion_models.swings import swing_takes

#: The publication's figures, milliseconds.
THEIRS = {
    "iteration": 5.3,
    "edit, one constraint": 200.0,
    "edit, four constraints": 3000.0,
    "per frame": 80_000.0,
}
#: Joints that make 93 degrees of freedom with the place of the body.
JOINTS = 30
FRAMES = 132


def with_fingers(motion: Motion) -> Motion:
    """The performer with as many fingers as make 30 joints."""
    skeleton = motion.skeleton
    n = skeleton.n_joints
    hands = [skeleton.index(f"{side}Hand") for side in ("Left", "Right")]
    parents = [hands[k % 2] for k in range(JOINTS - n)]
    offsets = [[0.0, -0.08, 0.01 * k] for k in range(JOINTS - n)]
    more = Skeleton(
        (*skeleton.names, *(f"Finger{k}" for k in range(JOINTS - n))),
        (*skeleton.parents, *parents),
        np.concatenate([skeleton.offsets, offsets]),
    )
    still = np.tile([1.0, 0.0, 0.0, 0.0], (motion.n_frames, JOINTS - n, 1))
    return replace(
        motion, skeleton=more, rotations=np.concatenate([motion.rotations, still], axis=1)
    )


def make_study() -> tuple[Study, MotionSpace]:
    """Sixteen swings of 132 frames and 93 degrees of freedom."""
    takes = [replace(t, motion=with_fingers(t.motion)) for t in swing_takes(16, fps=27.3)]
    study = Study.of_swings(takes)
    space = study.space(range(16), MotionSpaceOptions(components=15))
    return study, space


def cpu_time(call: Callable[[], object], rounds: int = 9, each: int = 20) -> float:
    """Processor time of a call in the quickest of several rounds, seconds."""
    return float(cpu_times(call, rounds, each).min())


def four_tasks(study: Study, by: float) -> list[Task]:
    """Three points of the feet above the club's head, which is moved."""
    rows = study.normalised.rows
    feet = study.feet_tasks(rows.mean(axis=0)[study.hit_frame])
    point = study.hit_points.mean(axis=0) + by * np.array([1.0, 0.5, 1.0])
    return [*feet, study.hit_task(point, layer=2)]


def time_iterations(study: Study, space: MotionSpace) -> dict[str, float]:
    """Microseconds of an iteration, ours and Pinocchio's."""
    # Out of reach, so that it goes on for as long as it is let.
    tasks = four_tasks(study, 3.0)
    problem = build_problem(space, [KeyTasks(study.hit_key, tasks)])
    begin = np.zeros(space.n_components)
    options = EditOptions(pull="mean", tolerance=1e-9, limit=1e3, iterations=60)
    taken = problem.solve(begin, options).iterations
    few = EditOptions(pull="mean", tolerance=1e-9, limit=1e3, iterations=2)
    whole = cpu_time(lambda: problem.solve(begin, options))
    start = cpu_time(lambda: problem.solve(begin, few))
    found = {
        "iterations": taken,
        "ours (us)": 1e6 * (whole - start) / max(taken - 2, 1),
        "ours with all around it (us)": 1e6 * whole / taken,
    }
    theirs = pinocchio_step(study, space, tasks)
    if theirs is not None:
        found["Pinocchio and NumPy (us)"] = 1e6 * cpu_time(theirs, each=100)
        found["ratio"] = found["Pinocchio and NumPy (us)"] / found["ours (us)"]
    return found


def pinocchio_step(
    study: Study, space: MotionSpace, tasks: list[Task]
) -> Callable[[], object] | None:
    """One step of two layers over the eigen-poses, on a model with as many joints."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    skeleton = space.skeleton
    model, made = ball_joint_model(skeleton.parents.tolist(), skeleton.offsets)
    data = model.createData()
    q = pin.neutral(model)
    linear = space.eigen_poses(study.hit_key)
    eigen = np.asarray(linear.matrix)
    layers = [[t for t in tasks if t.layer == k] for k in (1, 2)]
    coefficients = np.zeros(eigen.shape[1])

    def iterate() -> object:
        linear.to_coordinates(coefficients)
        pin.computeJointJacobians(model, data, q)
        rows = []
        for own in layers:
            jacobians = []
            lacking = []
            for task in own:
                k = made[task.joint]
                jacobians.append(pin.getJointJacobian(model, data, k, pin.LOCAL_WORLD_ALIGNED)[:3])
                lacking.append(np.asarray(task.value) - data.oMi[k].translation)
            rows.append((np.concatenate(jacobians) @ eigen, np.concatenate(lacking)))
        return layered_step(rows, eigen.shape[1])

    return iterate


def time_edits(study: Study, space: MotionSpace) -> dict[str, float]:
    """Milliseconds of whole edits, ours and per frame."""
    four = four_tasks(study, 0.05)
    one = [replace(four[-1], layer=1)]
    found = {
        f"edit, {name} (ms)": 1e3
        * cpu_time(lambda tasks=tasks: edit_motion(space, [KeyTasks(study.hit_key, tasks)]))
        for name, tasks in (("one constraint", one), ("four constraints", four))
    }
    motion = study.motion(study.normalised.rows.mean(axis=0))
    posed = pose_motion(motion, study.roles)
    hit = study.hit_frame
    point = np.asarray(four[-1].value)
    # As published: the feet in all frames, the club in ten, the centre of mass below both.
    club = Goal("position", point, hit - 4, hit + 5, joint=study.joint, local=study.local)
    toe = study.feet()[-1]
    foot = Goal("position", (0, 0, 0), 0, len(motion) - 1, joint=toe, shift=True)
    found["per frame, one constraint (ms)"] = 1e3 * cpu_time(
        lambda: edit_clip(posed, [replace(club, first=hit, last=hit)]), 3, 1
    )
    found["per frame, feet in all frames, then the club (ms)"] = 1e3 * cpu_time(
        lambda: edit_clip(posed, [foot, replace(club, layer=2)]), 3, 1
    )
    found["ratio, one constraint"] = (
        found["per frame, one constraint (ms)"] / found["edit, one constraint (ms)"]
    )
    found["ratio, four constraints"] = (
        found["per frame, feet in all frames, then the club (ms)"]
        / found["edit, four constraints (ms)"]
    )
    return found


def drag(study: Study, space: MotionSpace, seconds: float = 10.0, rate: float = 60.0) -> dict:
    """A scripted drag of the club's head: every frame the whole motion is made anew."""
    middle = study.hit_points.mean(axis=0)
    feet = four_tasks(study, 0.0)[:3]
    coefficients = np.zeros(space.n_components)
    spent = []
    passed = []
    missed = []
    for i in range(round(seconds * rate)):
        angle = 2 * np.pi * i / rate / 2.5
        point = middle + 0.08 * np.array(
            [np.cos(angle) - 1, 0.5 * np.sin(2 * angle), np.sin(angle)]
        )
        began = (time.process_time(), time.perf_counter())
        tasks = [*feet, study.hit_task(point, layer=2)]
        edit = edit_motion(space, [KeyTasks(study.hit_key, tasks)], start=coefficients)
        spent.append(time.process_time() - began[0])
        passed.append(time.perf_counter() - began[1])
        coefficients = edit.coefficients
        missed.append(edit.outcomes[-1].residual)
    return {
        "frames": len(spent),
        "late frames, processor time": int((np.array(spent) > 1.0 / rate).sum()),
        "median, processor time (ms)": 1e3 * float(np.median(spent)),
        "slowest, processor time (ms)": 1e3 * float(np.max(spent)),
        "late frames by the clock of a busy machine": int((np.array(passed) > 1.0 / rate).sum()),
        "hit point missed by, 99 % (mm)": 1e3 * float(np.quantile(missed, 0.99)),
    }


def main() -> None:
    parser = make_parser(__doc__)
    options = start(parser, captures=False)
    study, space = make_study()
    edit_motion(space, [KeyTasks(study.hit_key, four_tasks(study, 0.05))])  # compiles
    result = {
        "degrees of freedom": space.coordinates.size,
        "eigen-motions": space.n_components,
        "frames": space.n_frames,
        "iteration": time_iterations(study, space),
        "edits": time_edits(study, space),
        "drag": drag(study, space),
        "published (ms)": THEIRS,
    }
    print(json.dumps(result, indent=2))
    write_json(options.json, result)


if __name__ == "__main__":
    main()
