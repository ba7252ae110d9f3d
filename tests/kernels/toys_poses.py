"""Toys of poses and their solvers: small work that runs their kernels."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from kernels.toys_graph import clips
from motionloom import rotations as rot
from motionloom.coordinates import ExponentialCoordinates
from motionloom.framewise.flexion_kernels import bend
from motionloom.ik.layer_steps import LayeredProblem
from motionloom.ik.prior import Gaussian, Prior, make_prior, observed
from motionloom.ik.prioritized import LayerOptions, solve_layers
from motionloom.ik.problem import IkOptions, Target, make_aims
from motionloom.ik.rig import make_rig
from motionloom.ik.solve import PoseSolver
from motionloom.ik.tasks import Body, Task
from motionloom.jacobian_kernels import make_stance, run
from motionloom.jacobians import compute_world_axes
from motionloom.models import EditOptions, KeyTasks, edit_motion
from motionloom.spaces import fit_pose_space
from motionloom.spaces.linear_map import LinearMap
from motionloom.spaces.motion_space import Keys, build_motion_space
from motionloom_evaluation.pose_solvers.lookup import tip_places
from motionloom_evaluation.pose_solvers.one_step import project_step
from walkers import NAMES, make_walker


def jacobians_of_poses(folder):
    coordinates = ExponentialCoordinates(clips().skeleton)
    values = np.random.default_rng(4).normal(0, 0.2, (3, len(coordinates.layout())))
    axes = compute_world_axes(coordinates, values)
    return axes.positions, axes.position_jacobian(3), axes.orientation_jacobian(3)


def bent_hinges(folder):
    """Two hinges of which one is hardly turned."""
    rng = np.random.default_rng(6)
    upper, lower, normals = rng.normal(0, 1, (3, 2, 3))
    reference = rot.normalize(rng.normal(0, 1, (2, 4)))
    values = np.array([0.4, -0.2, 0.1, 0.0, 1e-6, -2e-6, 1e-6])
    return bend(values, np.array([[2, 0, 1], [4, 5, 6]]), reference, upper, lower, normals)


@functools.cache
def space(kind):
    """Poses in which every joint is turned somehow."""
    turns = np.random.default_rng(1).normal(0, 0.3, (40, len(NAMES), 3))
    walker = make_walker(40)
    return fit_pose_space([replace(walker, rotations=rot.from_rotvec(turns))], kind=kind)


def poses_that_reach(folder):
    own = space("euler")
    rig = make_rig(own.coordinates)
    stance = make_stance(rig)
    pose = np.clip(own.poses[20], own.lower, own.upper)
    run(rig, pose, stance)
    foot, head = own.roles.joints["left_foot"], own.roles.joints["head"]
    place = stance.place[foot].copy()
    targets = [
        Target(foot, "position", place),
        Target(foot, "orientation", np.array([1.0, 0, 0, 0])),
        Target(head, "gaze", np.array([0.3, 1.0, 2.0]), (0.0, 0.0, 1.0)),
    ]
    options = IkOptions(iterations=6)
    natural = PoseSolver(own, "natural", options).solve(targets)
    turned = PoseSolver(own, "ccd", options).solve(targets[:1])
    columns = np.arange(3)
    tips = tip_places(rig, stance, pose, columns, own.poses[:4, columns].copy(), foot)
    everywhere = make_prior(own).everywhere
    measured = observed(everywhere, columns, np.array([0.1, 0.2, 0.3]), np.full(3, 0.05))
    return natural.pose, natural.errors, turned.pose, tips, *measured


def edits_of_motion_models(folder):
    """Two frames, the lower layer out of reach; drawn to what takes suggest, and to the mean."""
    takes = [make_walker(9, bend=0.3 * i, phase=0.2 * i**2, vary=0.3) for i in range(5)]
    space = build_motion_space(takes, Keys(("start", "end"), np.array([[0.0, 0.26]] * 5)))
    tasks = [
        KeyTasks(3, [Task("position", (0.1, -0.6, 0.2), 3, local=(0.0, 0.1, 0.0))]),
        KeyTasks("end", [Task("position", (0.0, 2.0, 0.0), 7, layer=2)]),
    ]
    found = [
        edit_motion(space, tasks, EditOptions(pull=pull, iterations=9))
        for pull in ("takes", "mean")
    ]
    return [array for one in found for array in (one.coefficients, one.history)]


def tasks_in_strict_layers(folder):
    """Of every kind, the lowest out of reach; then with eigen-poses between, drawn to one of them.

    Nine rows in one layer are more than own rotations are used for. (With limits at 0.2 rounding
    decides which of two coordinates is held, and the answers part.)
    """
    walker = make_walker(6, bend=1.0)
    coordinates = ExponentialCoordinates(walker.skeleton)
    values = coordinates.to_coordinates(walker)[3]
    body = Body(coordinates, np.arange(1.0, len(NAMES) + 1))
    own = [
        Task("position", (0.1, 1.2, 0.4), 5, local=(0.0, 0.1, 0.0)),
        Task("orientation", (1.0, 0.2, 0.0, 0.1), 5, layer=2),
        Task("gaze", (0.5, 1.0, 3.0), 3, layer=2),
        Task("mass", (0.2, 0.0, 0.1), layer=3),
        Task("position", (0.0, 4.0, 0.0), 2, layer=3),
    ]
    asked = body.asked(own)
    residual, jacobian = asked.measure(values)
    problem = LayeredProblem(
        asked.measure, asked.rows, asked.layers, LinearMap(values), values - 0.25, values + 0.25
    )
    found = solve_layers(problem, np.zeros(len(values)), LayerOptions(iterations=2))
    few = np.eye(len(values))[:, ::2]
    pull = np.full(few.shape[1], 0.05)
    low, high = np.full(len(values), -0.03), np.full(len(values), 0.03)
    rows = np.zeros(len(residual), int)
    steps = [
        project_step(
            0.1 * residual,
            jacobian @ few,
            layers,
            matrix=few,
            low=low,
            high=high,
            longest=0.04,
            prefer=pull,
        )
        for layers in (rows, np.repeat(asked.layers, np.diff(asked.rows)))
    ]
    return residual, jacobian, found.unknowns, found.lengths, *steps


def a_pose_that_stands(folder):
    own = space("exponential")
    solver = PoseSolver(own, "natural-whole", IkOptions(iterations=4, restarts=0), free=True)
    start = np.concatenate([own.poses[3], own.footing.root[3]])
    start[-5] -= 0.02
    joint = own.roles.joints
    targets = [
        Target(joint["head"], "position", np.array([0.1, 1.2, 0.3]), (0.0, 0.02, 0.0)),
        Target(joint["left_foot"], "orientation", np.array([1.0, 0, 0, 0]), wish=0.1),
        Target(own.coordinates.root, "facing", np.array([1.0, 0, 0]), own.footing.left),
        Target(own.coordinates.root, "balance", np.zeros(3), wish=0.05),
    ]
    found = solver.solve(targets, start)
    return found.pose, found.errors


def poses_near_targets(folder):
    rng = np.random.default_rng(0)
    size = 12
    spread = np.eye(size)
    prior = Prior(
        Gaussian(np.zeros(size), spread),
        0.3 * rng.standard_normal((70, size)),
        rng.standard_normal((3, 3, 70)),
        np.full(size, 1e-4),
        free=True,
    )
    aims = make_aims([Target(j, "position", rng.standard_normal(3)) for j in (0, 2)])
    held = np.zeros(size, bool)
    carried = prior.near(aims, held)
    held[-6] = True
    return *carried, *prior.near(aims, held)


def a_pose_of_rotation_vectors(folder):
    own = space("exponential")
    stance = make_stance(make_rig(own.coordinates))
    run(make_rig(own.coordinates), own.poses[3].copy(), stance)
    return stance.place, stance.turn, stance.axes


TOYS = (
    jacobians_of_poses,
    bent_hinges,
    poses_that_reach,
    edits_of_motion_models,
    tasks_in_strict_layers,
    a_pose_that_stands,
    poses_near_targets,
    a_pose_of_rotation_vectors,
)
