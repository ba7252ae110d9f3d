"""Small problems that between them run every compiled function, and what comes of each.

`test_plain.py` solves them with the compiler and, in a process of its own, without it: there every
kernel is the Python that it was written as, and so are those that it calls. Run as a script this
module is that process: it writes the results and the functions that were run.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import CodeType

import numpy as np

import motionloom
from idle.standing import stand
from kernels import toys_fitting, toys_physics, toys_robots
from motionloom import kinematics
from motionloom import rotations as rot
from motionloom.analysis.soles import SolePoint, Soles
from motionloom.baselines.graph_search import paper
from motionloom.baselines.graph_search.steepest import Descent, best_demotion, best_replacement
from motionloom.baselines.pose_solvers.lookup import tip_places
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import Box, ConstraintSet, Cylinder, HeightMap
from motionloom.constraints.kinds.avoid import measure_depths
from motionloom.coordinates import ExponentialCoordinates
from motionloom.gait.body import GaitBody
from motionloom.gait.cycle import GaitCycle
from motionloom.gait.path.tables.table import make_table
from motionloom.gait.stream import GaitStream
from motionloom.graph.scoring.terms import compile_objective
from motionloom.graph.scoring.walk import STEP
from motionloom.graph.searching import legs
from motionloom.graph.searching.annealing import (
    HOT,
    anneal_walk,
    is_complete,
    lay_walk,
    random_walk,
)
from motionloom.graph.searching.legs import LegSearch
from motionloom.graph.searching.problem import make_problem, with_pins
from motionloom.graph.searching.state import new_state
from motionloom.graph.storage.fits import runs_fit
from motionloom.graph.storage.store import load_graph, save_graph
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.connect import _union
from motionloom.graph.transitions.edges import Pairs, find_edges
from motionloom.graph.transitions.rules import EdgeRules
from motionloom.idle import (
    IdleStream,
    IdleStreamOptions,
    Shift,
    begin_idle,
    fit_idle,
    next_piece,
)
from motionloom.idle.learning.recording import prepare_recording
from motionloom.idle.streams.planting import Legs, plant_legs
from motionloom.idle.streams.upsample import Track, sample_track
from motionloom.ik.natural import solve_many
from motionloom.ik.prior import Gaussian, Prior, make_prior, observed
from motionloom.ik.prioritized import (
    LayeredProblem,
    LayerOptions,
    project_step,
    solve_layers,
)
from motionloom.ik.problem import IkOptions, Target, make_aims
from motionloom.ik.problem import make_problem as make_pose_problem
from motionloom.ik.rig import make_rig, make_stance, run
from motionloom.ik.solve import PoseSolver
from motionloom.ik.tasks import Body, Task
from motionloom.io import number_table
from motionloom.io.euler_kernels import fill
from motionloom.jacobians import compute_world_axes
from motionloom.models import EditOptions, KeyTasks, edit_motion
from motionloom.motion import GroundTransform
from motionloom.performer import make_performer
from motionloom.roles import find_roles
from motionloom.spaces import fit_pose_space
from motionloom.spaces.linear_map import LinearMap
from motionloom.spaces.motion_space import Keys, build_motion_space
from walkers import NAMES, SKELETON, make_walker

Toy = Callable[[Path], tuple]
TOYS: dict[str, Toy] = {}
SOURCE = Path(motionloom.__file__).parent


def toy(function: Toy) -> Toy:
    """One of the problems: given an empty folder, it returns numbers and arrays."""
    TOYS[function.__name__] = function
    return function


@functools.cache
def clips():
    """Three short walks."""
    return make_clip_set(
        [make_walker(48 + 6 * i, phase=0.9 * i, vary=0.5, name=f"walk_{i}") for i in range(3)]
    )


@functools.cache
def graph():
    """Their graph."""
    return build_graph(clips())


@functools.cache
def wishes():
    """A walk around things, with a hand to be somewhere, that is slow in the end."""
    return ConstraintSet.model_validate(
        {
            "duration": 3.0,
            "body": [
                {"time": 0, "position": [0, 0], "facing": 0},
                {"time": 2, "position": [0.2, 1.8], "facing": 20},
            ],
            "joints": [{"time": 1.0, "joint": "head", "position": [0.1, 1.4, 0.9]}],
            "still": [{"from": 2.2, "to": 2.8}],
            "avoid": [
                {"shape": "cylinder", "center": [0.3, 0.8], "radius": 0.3},
                {"shape": "heightmap", "heights": [[0.0, 0.1], [0.3, 0.2]], "cell": 1.0},
            ],
        }
    )


def asked(wish: ConstraintSet):
    """A problem and a random stream.

    The weight is a number of NumPy's: times a single it is a double, as it is in compiled code.
    """
    objective = compile_objective(graph().clips, wish, w_cost=np.float64(0.03))
    return make_problem(graph(), objective), new_state(3, 1).streams[0]


def shown_by(problem, walk):
    """A frame of each of two pieces of a walk, and when it is shown."""
    laid, used = lay_walk(problem, walk, problem.span)[1:3]
    pins = [(int(laid[p]["frames"]) + 2, int(walk.steps[p - 1]["target"]) + 2) for p in (1, used)]
    return np.array(pins, np.int64)


@toy
def a_graph_of_three_walks(folder):
    edges, tree = graph().edges, graph().hierarchy
    return (*edges.arrays, tree.pair_ptr, tree.root_ptr, tree.roots, tree.children, tree.medoid)


@toy
def transitions_between_islands(folder):
    features = np.linspace(0, 1, 36)[:, None] * [1.0, 0.3]
    table = clips()
    island = (np.arange(table.n_frames) // 20).astype(np.int32)
    wide = np.resize(features, (table.n_frames, 2))
    limits = np.full(table.n_frames, 0.05)
    found = find_edges(table, wide, limits, EdgeRules(2, 4, island), Pairs([0], [1, 2], both=True))
    union = _union(found.arrays, graph().edges.take(np.arange(50)).arrays, table.clip_of)
    return (*found.arrays, *union)


@toy
def jacobians_of_poses(folder):
    coordinates = ExponentialCoordinates(clips().skeleton)
    values = np.random.default_rng(4).normal(0, 0.2, (3, len(coordinates.layout())))
    axes = compute_world_axes(coordinates, values)
    return axes.positions, axes.position_jacobian(3), axes.orientation_jacobian(3)


@toy
def a_graph_that_is_kept(folder):
    save_graph(graph(), folder / "graph.npz")
    same = load_graph(folder / "graph.npz", clips())
    order = np.lexsort((graph().edges.target, graph().edges.source))[:4]
    source, target, cost = graph().edges.take(order).arrays
    ends, n = np.array([0, 4]), np.array([200])
    fits = runs_fit(source, target, cost, ends, n, n, 0, np.array([0]))
    swapped = runs_fit(source[::-1].copy(), target, cost, ends, n, n, 0, np.array([0]))
    return len(same.edges.source), fits, swapped


@toy
def a_walk_that_is_annealed(folder):
    problem, stream = asked(wishes())
    walk = random_walk(problem, stream.rng, problem.span)
    found = anneal_walk(problem, stream.rng, problem.span, walk, 150, HOT)
    return walk.steps, found.score, found.steps, is_complete(found, problem, problem.span)


@toy
def a_walk_that_keeps_its_pins(folder):
    problem, stream = asked(ConstraintSet(duration=3.0))
    walk = random_walk(problem, stream.rng, problem.span)
    pins = shown_by(problem, walk)
    pinned = with_pins(problem, pins)
    found = anneal_walk(pinned, stream.rng, pinned.span, walk, 250, HOT)
    return pins, found.score, found.start, found.steps


@contextmanager
def few_generations():
    """Legs are bred twice only, the second time from the few best walks of the first."""
    usual = legs.GENERATIONS, legs.SCORED
    legs.GENERATIONS, legs.SCORED = 2, 16
    try:
        yield
    finally:
        legs.GENERATIONS, legs.SCORED = usual


@toy
@few_generations()
def legs_that_meet_in_the_middle(folder):
    problem, stream = asked(wishes())
    beam = []
    for leg in problem.legs[:2]:
        search = LegSearch(problem, leg, beam, stream.rng, 16)
        found = search.run()
        beam = [walk for walk, _ in found[:3]] or beam
    return search.iterations, len(found), *(walk.score for walk in beam), beam[0].steps


@toy
@few_generations()
def a_leg_to_a_frame_that_is_given(folder):
    problem, stream = asked(ConstraintSet(duration=3.0))
    walk = random_walk(problem, stream.rng, problem.span)
    pinned = with_pins(problem, shown_by(problem, walk)[1:])
    search = LegSearch(pinned, pinned.legs[0], [], stream.rng, 24)
    found = search.run()
    return search.iterations, len(found), search.guide.soon, *(walk.score for walk, _ in found[:3])


@toy
def the_search_of_the_paper(folder):
    wish = ConstraintSet(duration=2.0, body=wishes().body[1:])
    problem, stream = asked(wish)
    for _ in range(4):
        paper.step(problem, None, stream)
    walk = stream.beam[0]
    m = len(walk.steps)
    steps = np.zeros(m + 2, STEP)
    steps[:m] = walk.steps
    task = Descent(
        problem.ground,
        problem.adjacency,
        problem.terms,
        problem.span,
        problem.pins,
        walk.start,
        steps,
        m,
    )
    best = np.zeros(m + 2, STEP)
    replaced = best_replacement(task, 0, m, np.inf, best)
    demoted = best_demotion(task, np.inf, best)
    return stream.iterations, *(w.score for w in stream.minima), *replaced, *demoted


@toy
def bodies_in_obstacles(folder):
    avoid = (
        Box(center=(0.2, 0.1), size=(1.0, 0.6), angle=30.0, top=0.9),
        Cylinder(center=(-0.4, 0.5), radius=0.3),
        HeightMap(heights=((0.0, 0.2, 0.4), (0.1, 0.3, 0.2)), cell=0.5),
    )
    points = np.random.default_rng(2).uniform(-1, 1, (6, 5, 3))
    return (measure_depths(avoid, points),)


@toy
def numbers_in_text(folder):
    text = b"1 -2.5 .5e2 # no\n+3 1e-30 x 12345678901234567890\n\n7 -0.0 1e400\n"
    found = number_table._parse_any(number_table.without_comments(text))
    table = np.zeros((3, 2))
    number_table.place_rows(found.values, found.starts, table)
    return found.values, found.starts, found.lines, found.offsets, found.bad, table


@toy
def turns_of_a_table(folder):
    values = np.random.default_rng(0).uniform(-720, 720, (4, 8))
    columns = np.array([[0, 1, 2], [3, 4, -1], [5, -1, -1], [-1, -1, -1], [7, 6, 5]])
    axes = np.array([[0, 1, 2], [2, 1, -1], [1, -1, -1], [-1, -1, -1], [0, 2, 0]])
    quaternions = np.empty((4, 5, 4))
    fill(values, columns, axes, quaternions)
    return (quaternions,)


@toy
def where_joints_are(folder):
    small, kinematics._SMALL = kinematics._SMALL, 0
    try:
        world = kinematics.forward_kinematics(make_walker(5, bend=1.0))
    finally:
        kinematics._SMALL = small
    return world.positions, world.rotations


@functools.cache
def space(kind):
    """Poses in which every joint is turned somehow."""
    turns = np.random.default_rng(1).normal(0, 0.3, (40, len(NAMES), 3))
    walker = make_walker(40)
    return fit_pose_space([replace(walker, rotations=rot.from_rotvec(turns))], kind=kind)


@toy
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
    problem = make_pose_problem(own, targets[:1], options=options)
    many = solve_many(problem, place[None, None], make_prior(own), local=False)
    columns = np.arange(3)
    tips = tip_places(rig, stance, pose, columns, own.poses[:4, columns].copy(), foot)
    everywhere = make_prior(own).everywhere
    measured = observed(everywhere, columns, np.array([0.1, 0.2, 0.3]), np.full(3, 0.05))
    return natural.pose, natural.errors, turned.pose, *many, tips, *measured


@toy
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


@toy
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


@toy
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


@toy
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


@toy
def a_pose_of_rotation_vectors(folder):
    own = space("exponential")
    stance = make_stance(make_rig(own.coordinates))
    run(make_rig(own.coordinates), own.poses[3].copy(), stance)
    return stance.place, stance.turn, stance.axes


def stick_gait():
    """A walk and a run of a stick figure."""
    feet = (("left_foot", 3), ("right_foot", 6))
    points = [
        SolePoint(foot, part, joint, (0.0, -0.05, ahead), 0.0)
        for foot, joint in feet
        for part, ahead in (("heel", -0.05), ("toe", 0.12))
    ]
    soles = Soles(tuple(points), 0.8, 0.0)
    roles = find_roles(SKELETON)
    # What hangs on the hips besides the legs is turned back against their lean.
    roles = replace(roles, joints={**roles.joints, "spine": NAMES.index("Head")})
    body = GaitBody(SKELETON, roles, 0, soles, 0.85)
    made = [_stick_cycle(1.2, 1.0, 0.62, "walk"), _stick_cycle(3.0, 0.7, 0.35, "run")]
    return make_table(made, body)


def _stick_cycle(speed, duration, stance, behaviour):
    phase = np.arange(20) / 20
    turns = np.zeros((20, 8, 3))
    for joint, begin in ((1, 0.0), (4, 0.5)):
        turns[:, joint, 0] = -0.4 * np.cos(2 * np.pi * (phase - begin))
        turns[:, joint + 1, 0] = 0.3 + 0.3 * np.cos(2 * np.pi * (phase - begin - 0.75))
    down = [(phase - begin) % 1.0 < stance for begin in (0.0, 0.0, 0.5, 0.5)]
    places = np.zeros((20, 3))
    places[:, 1] = 0.84
    return GaitCycle(
        rotations=rot.from_rotvec(turns),
        deviations=places,
        contacts=np.column_stack(down),
        duration=duration,
        speed=speed,
        behaviour=behaviour,
    )


@toy
def a_gait_that_is_steered(folder):
    stream = GaitStream(stick_gait(), 20.0)
    frames = []
    for frame in range(90):
        stream.want(3.0 if frame > 30 else 1.2, 0.02 * frame)
        frames.append(stream.step())
    return np.stack([f.rotations for f in frames]), np.stack([f.place for f in frames])


@toy
def somebody_who_waits(folder):
    recording = prepare_recording(stand(14.0, ((6.0, "left"),)).motion)
    model = fit_idle([recording])
    shown = IdleStream(model, 45.0, begin_idle(model, 1)).frames(20)
    piece, _ = next_piece(model, begin_idle(model, 1))
    varied, _ = model.variations.go_on(model.variations.begin(np.random.default_rng(0)), 5)
    return shown.rotations, shown.translations, piece.motion.rotations[-5:], varied


@toy
def somebody_who_steps(folder):
    """Feet go from one place to another between two postures."""
    recording = prepare_recording(stand(14.0, ((6.0, "left"),)).motion)
    model = fit_idle([recording])
    way = np.linspace(0.0, 1.0, 12)[:, None, None]
    feet = model.rests[0].feet + way * way * (3 - 2 * way) * [0.0, 0.0, 0.05]
    turns = np.repeat(model.rests[0].turns[None], 12, axis=0)
    postures = np.repeat(model.rests[0].posture[None], 12, axis=0)
    ends = {"begin": model.rests[0].category, "end": model.rests[-1].category}
    steps = Shift(postures, **ends, feet=feet, turns=turns, moved=GroundTransform(0.1, 0.0, 0.05))
    walker = replace(model, shifts=(steps,))
    quick = IdleStreamOptions(restlessness=30.0)
    shown = IdleStream(walker, 30.0, begin_idle(walker, 1), quick).frames(60)
    return shown.rotations, shown.translations


@toy
def frames_between_frames_on_planted_feet(folder):
    """Of a body of three bones a leg, both legs sampled at once and taken to their places."""
    skeleton = make_performer().skeleton
    roles = find_roles(skeleton)
    rng = np.random.default_rng(3)
    rotations = rot.from_rotvec(0.15 * rng.standard_normal((6, skeleton.n_joints, 3)))
    places = np.array([0.0, 0.95, 0.0]) + 0.01 * rng.standard_normal((6, 1, 3))
    ankles = np.array([[0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]])
    feet = ankles + 0.01 * rng.standard_normal((6, 2, 3))
    turns = rot.from_rotvec(0.1 * rng.standard_normal((6, 2, 3)))
    shown = sample_track(Track(rotations, places, feet, turns), np.array([0.0, 1.3, 2.5, 4.9]))
    knees = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0]])
    legs = Legs.of_body(skeleton, roles, knees)
    plant_legs(shown.rotations, shown.places[:, 0], legs, shown.feet, shown.turns)
    return shown.rotations, shown.places


for function in (*toys_fitting.TOYS, *toys_physics.TOYS, *toys_robots.TOYS):
    toy(function)


def solve_all(folder: Path) -> dict[str, list]:
    """What comes of every toy, as plain values."""
    return {name: solve(function, folder / name) for name, function in TOYS.items()}


def solve(function: Toy, folder: Path) -> list:
    """What comes of a toy, as arrays of numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_numbers(value) for value in function(folder)]


def _numbers(value) -> np.ndarray:
    value = np.asarray(value)
    if value.dtype.names:
        value = np.stack([value[name].astype(float) for name in value.dtype.names])
    return value.astype(float)


def functions_of(codes: set[CodeType]) -> list[tuple[str, str]]:
    """File within the library and name of each of its functions."""
    own = [code for code in codes if code.co_filename.startswith(str(SOURCE))]
    return sorted(
        (Path(code.co_filename).relative_to(SOURCE).as_posix(), code.co_name) for code in own
    )


def main(folder: Path) -> None:
    """Solve all toys without the compiler; write what came of it."""
    assert os.environ["NUMBA_DISABLE_JIT"] == "1"
    called: set[CodeType] = set()
    sys.settrace(lambda frame, event, arg: called.add(frame.f_code))  # of calls, not of lines
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        results = solve_all(folder)
    sys.settrace(None)
    arrays = {f"{name}/{k}": a for name, found in results.items() for k, a in enumerate(found)}
    np.savez(folder / "plain.npz", called=np.array(json.dumps(functions_of(called))), **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
