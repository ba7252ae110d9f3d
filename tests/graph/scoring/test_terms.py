"""Compiled constraints: where a motion is laid down from, and scores of walks against plain NumPy
on the finished path: velocities, styles, costs, paths, obstacles.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.label_files import read_labels
from motionloom.clips.labels import Label, label_clips
from motionloom.clips.rates import joint_velocities
from motionloom.constraints import (
    BodyConstraint,
    Box,
    ConstraintSet,
    CostConstraint,
    Cylinder,
    HeightMap,
    JointConstraint,
    PathConstraint,
    StyleConstraint,
)
from motionloom.constraints.kinds.avoid import measure_depths
from motionloom.constraints.kinds.paths import follow
from motionloom.constraints.obstacles import body_points
from motionloom.errors import FormatError, InvalidInputError
from motionloom.graph.scoring._price import STYLE_COST
from motionloom.graph.scoring.clearance import DEPTH_SCALE, EVERY, INSIDE
from motionloom.graph.scoring.terms import PLACE_SCALE, VELOCITY_SCALE, compile_objective
from motionloom.graph.scoring.walk import lay
from motionloom.graph.searching.annealing import lay_walk, random_walk
from motionloom.graph.searching.problem import make_problem
from motionloom.graph.searching.search import SearchOptions, search_motion
from motionloom.graph.searching.state import new_state
from motionloom.graph.transitions.build import build_graph
from motionloom.motion import GroundTransform, concatenate
from motionloom.posed_motion import pose_motion
from motionloom.synthesis.costs import load_costs, register_cost
from motionloom.synthesis.measure import adherence_of
from performed import performer_clips


@pytest.fixture(scope="module")
def graph():
    clips = make_clip_set([c.motion for c in performer_clips()[:8]])
    return build_graph(
        label_clips(
            clips, [Label("walk*", "walk"), Label("turn*", "turn"), Label("curve*", "turn")]
        )
    )


def laid_start(clips, wish):
    """Ground position and facing of a body that is laid down from the objective's anchor."""
    span = compile_objective(clips, wish, w_cost=0.0).span
    return span.anchor, (span.place.imag, span.place.real), float(np.angle(span.turn))


@given(st.floats(-180, 180), st.floats(0.1, 10), st.floats(-5, 5), st.floats(-5, 5))
def test_with_an_open_facing_the_body_faces_the_next_place(walkers, angle, far, x, z):
    """Facing is from +Z towards +X, so a place straight ahead in X is at 90 degrees."""
    ahead = (x + far * np.sin(np.radians(angle)), z + far * np.cos(np.radians(angle)))
    body = (BodyConstraint(time=0.5, position=(x, z)), BodyConstraint(time=4.0, position=ahead))
    wish = ConstraintSet(duration=4.0, fps=walkers.fps, body=body)
    anchor, place, facing = laid_start(walkers, wish)
    assert anchor == wish.frame_of(0.5)
    assert place == (x, z)
    moved = GroundTransform(facing, *place).apply([0.0, 0.0, far])
    np.testing.assert_allclose(moved[[0, 2]], ahead, atol=1e-6)


def test_a_facing_that_is_asked_for_wins_and_the_origin_is_where_nothing_is_asked_for(walkers):
    body = (
        BodyConstraint(time=0.0, position=(1, 2), facing=40),
        BodyConstraint(time=4.0, position=(9, 2)),
    )
    assert laid_start(walkers, ConstraintSet(duration=4.0, fps=30, body=body)) == (
        0,
        (1, 2),
        pytest.approx(0.698132),
    )
    alone = (BodyConstraint(time=1.0, position=(1, 2)),)
    assert laid_start(walkers, ConstraintSet(duration=4.0, fps=30, body=alone)) == (30, (1, 2), 0)
    path = PathConstraint(points=((3.0, 1.0), (7.0, 1.0)), begin=2.0, end=4.0)
    late = PathConstraint(points=((0.0, 0.0), (0.0, 5.0)), begin=3.0, end=4.0)
    wish = ConstraintSet(duration=4.0, fps=30, paths=(late, path))
    assert laid_start(walkers, wish) == (60, (3, 1), pytest.approx(np.pi / 2))
    assert follow(path, wish)[0][0] == 60
    assert laid_start(walkers, ConstraintSet(duration=4.0, fps=30)) == (0, (0, 0), 0)


def found(graph, **wishes):
    """Best motion for wishes; a weightless search, so that its score holds nothing but errors."""
    wish = ConstraintSet(
        duration=4.0,
        fps=graph.clips.fps,
        body=(BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),),
        **wishes,
    )
    best = search_motion(graph, wish, SearchOptions(iterations=6000, w_cost=0.0, w_idle=0.0)).best
    return wish, best, laid_positions(graph.clips, best)


def laid_positions(clips, best):
    """World positions of all joints in every frame of a path, by its definition."""
    rows = []
    for piece, transform in zip(
        best.path.pieces, best.path.transforms(clips, best.start), strict=True
    ):
        first = clips.starts[piece.clip]
        own = clips.positions[first + piece.start : first + piece.stop]
        rows.append(transform.apply(own.reshape(-1, 3)).reshape(own.shape))
    return np.concatenate(rows)


def test_a_velocity_scores_by_its_distance(graph):
    aim = JointConstraint(time=2.0, joint="right_hand", velocity=(0.3, 0.2, 1.0))
    wish, best, positions = found(graph, joints=(aim,))
    joint, frame = graph.clips.roles.joints["right_hand"], wish.frame_of(2.0)
    shown = best.path.frames(graph.clips)
    piece = int(np.searchsorted([0, *best.path.seams], frame, side="right")) - 1
    turn = replace(best.path.transforms(graph.clips, best.start)[piece], x=0.0, z=0.0)
    velocity = turn.apply(joint_velocities(graph.clips, joint)[shown[frame]])
    miss = float(np.linalg.norm(velocity - aim.velocity))
    assert best.score == pytest.approx((miss / VELOCITY_SCALE) ** 2, rel=1e-6)
    assert best.errors[-1].velocity == pytest.approx(miss)
    assert positions.shape[0] == wish.n_frames


def test_a_path_scores_by_its_distance_over_time(graph):
    path = PathConstraint(points=((0.0, 0.0), (0.5, 1.5), (0.0, 3.0)), curve="spline", weight=2.0)
    wish, best, _ = found(graph, paths=(path,))
    (frames, way), body = follow(path, wish), best.path.body(graph.clips, best.start)
    stride = round(0.2 * wish.fps)
    away = np.linalg.norm(body[frames, :2] - way.ground, axis=1)[::stride]
    assert best.score == pytest.approx(
        2.0 * stride / wish.fps * np.sum((away / PLACE_SCALE) ** 2), rel=1e-6
    )


def test_a_style_scores_by_the_time_without_it_and_is_found(graph):
    style = StyleConstraint(begin=0.0, end=4.0, label="turn")
    wish, best, _ = found(graph, style=(style,))
    shown = best.path.frames(graph.clips)
    missing = (~graph.clips.labels["turn"][shown]).sum() / wish.fps
    assert best.score == pytest.approx(STYLE_COST * missing, abs=1e-9)
    clips = graph.clips
    laid = concatenate([clips.motions[p.clip].cut(p.start, p.stop) for p in best.path.pieces])
    kept = adherence_of(clips, wish, pose_motion(laid, clips.roles), shown)
    assert kept[0].value == pytest.approx(1 - missing * wish.fps / wish.n_frames)
    assert kept[0].value > 0.9


def test_costs_of_frames_and_of_paths_count(graph):
    @register_cost("test_height")
    def height(clips, *, above):
        return np.maximum(clips.positions[:, 0, 1] - above, 0.0)

    @register_cost("test_pieces", "path")
    def pieces(clips, frames, body):
        assert body.shape == (len(frames), 3)
        return 1 + np.sum(np.diff(frames) != 1)

    costs = (CostConstraint(name="test_height", parameters={"above": 0.5}, weight=3.0),)
    wish, best, _ = found(graph, costs=costs)
    shown = best.path.frames(graph.clips)
    expected = 3.0 * np.maximum(graph.clips.positions[shown, 0, 1] - 0.5, 0.0).sum() / wish.fps
    assert best.score == pytest.approx(expected, rel=1e-6)
    _, fewest, _ = found(graph, costs=(CostConstraint(name="test_pieces", weight=10.0),))
    assert fewest.score == pytest.approx(10.0 * len(fewest.path.pieces))
    with pytest.raises(InvalidInputError, match="does not take the parameters"):
        found(graph, costs=(CostConstraint(name="test_height", parameters={"over": 0.5}),))
    with pytest.raises(InvalidInputError, match="registered: "):
        found(graph, costs=(CostConstraint(name="nothing"),))


@pytest.mark.parametrize(
    "obstacle",
    [
        Cylinder(center=(0.1, 1.5), radius=0.5, weight=1e-3),
        Box(center=(0.0, 1.5), size=(1.0, 0.4), angle=30.0, top=1.2, weight=1e-3),
        HeightMap(heights=((0.0, 0.0), (0.3, 0.3)), origin=(-5.0, -5.0), cell=10.0, weight=1e-3),
    ],
    ids=lambda o: o.shape,
)
def test_an_obstacle_scores_by_the_depth_of_the_body_in_it(graph, obstacle):
    ahead = JointConstraint(time=4.0, joint="hips", position=(0.0, 0.9, 4.0), weight=1e-9)
    wish, best, positions = found(graph, avoid=(obstacle,), joints=(ahead,))
    depth = measure_depths(
        wish.avoid, body_points(graph.clips.skeleton, graph.clips.roles, positions)
    )[:, 0]
    stride = round(EVERY * wish.fps)
    inside = depth[::stride][depth[::stride] > 0]
    expected = obstacle.weight * np.sum(((inside + INSIDE) / DEPTH_SCALE) ** 2) * stride / wish.fps
    assert best.score == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_depths_are_distances_to_the_nearest_way_out():
    points = np.zeros((3, 2, 3))
    points[:] = [[[9.0, 1.0, 9.0]], [[0.9, 1.0, 0.0]], [[0.2, 1.95, 0.0]]]
    avoid = (
        Cylinder(center=(0.0, 0.0), radius=1.0, top=2.0),
        Box(center=(0.0, 0.0), size=(2.0, 4.0), angle=90.0),
    )
    depths = measure_depths(avoid, points)
    np.testing.assert_allclose(depths, [[0, 0], [0.1, 1.0], [0.05, 1.0]], atol=1e-9)


def test_labels_are_read_and_wrong_ones_named(tmp_path, graph):
    file = tmp_path / "labels.yaml"
    file.write_text(
        "labels:\n  - {clips: 'walk_*', label: walk}\n  - {clips: walk_0.6, label: slow, from: 1,"
        " to: 2}\n"
    )
    labels = read_labels(file)
    assert labels[1] == Label("walk_0.6", "slow", 1.0, 2.0)
    slow = label_clips(graph.clips, labels).labels["slow"]
    assert slow.sum() == round(graph.clips.fps) + 1
    wrong = (
        ("labels: 3\n", 1),
        ("labels:\n  - {clips: a}\n", 2),
        ("labels:\n  - {clips: a, label: b, from: 3, to: 2}\n", 2),
    )
    for text, line in wrong:
        file.write_text(text)
        with pytest.raises(FormatError) as caught:
            read_labels(file)
        assert f":{line}:" in str(caught.value)
    with pytest.raises(InvalidInputError, match="labels there are: "):
        found(graph, style=(StyleConstraint(begin=0.0, end=1.0, label="limping"),))


def test_a_file_of_costs_that_fails_is_named(tmp_path):
    file = tmp_path / "costs.py"
    file.write_text("x = 1 +\n")
    with pytest.raises(FormatError, match=r"costs\.py:1: not valid Python"):
        load_costs(file)
    file.write_text("raise ValueError('no')\n")
    with pytest.raises(FormatError, match="failed with ValueError: no"):
        load_costs(file)


def test_frames_of_files_are_found_by_clip_and_frame(graph):
    clips = graph.clips
    assert clips.frame_of_file(clips.names[1], 3) == clips.starts[1] + 3
    with pytest.raises(InvalidInputError, match="did you mean"):
        clips.frame_of_file(clips.names[1] + "x", 3)
    with pytest.raises(InvalidInputError, match="it can show frames 0 to"):
        clips.frame_of_file(clips.names[1], 99_999)


def test_a_path_is_walked_in_legs_from_where_it_begins(graph):
    path = PathConstraint(points=((1.0, 2.0), (4.0, 2.2), (6.5, 2.0)), begin=1.0, end=6.0)
    wish = ConstraintSet(duration=7.0, fps=graph.clips.fps, paths=(path,))
    objective = compile_objective(graph.clips, wish, w_cost=0.0)
    assert objective.boundaries == (90, 150, 210)
    assert set(objective.boundaries[:-1]) <= set(objective.terms.frame.tolist())
    best = search_motion(graph, wish, SearchOptions(iterations=20_000)).best
    body = best.path.body(graph.clips, best.start)
    np.testing.assert_allclose(body[30], (1.0, 2.0, follow(path, wish)[1].angle[0]), atol=1e-9)
    away = np.linalg.norm(body[30:181, :2] - follow(path, wish)[1].ground, axis=1)
    assert away.mean() < 0.25


def test_milestones_make_way_for_what_is_asked_for_beside_them(graph):
    path = PathConstraint(points=((0.0, 0.0), (0.0, 6.0)))
    body = (
        BodyConstraint(time=0.0, position=(0.0, 0.0)),
        BodyConstraint(time=2.4, position=(0.0, 2.0)),
    )
    wish = ConstraintSet(duration=6.0, fps=graph.clips.fps, paths=(path,), body=body)
    assert compile_objective(graph.clips, wish, w_cost=0.0).boundaries == (72, 120, 180)


def test_laying_on_from_any_piece_gives_the_same_score(graph):
    wish = ConstraintSet(
        duration=6.0,
        fps=graph.clips.fps,
        body=(BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),),
        joints=(JointConstraint(time=3.0, joint="right_hand", velocity=(0.0, 0.0, 2.0)),),
        avoid=(
            Cylinder(center=(0.0, 2.0), radius=1.0),
            HeightMap(heights=((0.0, 0.5), (0.5, 0.0)), cell=4.0),
        ),
        style=(StyleConstraint(begin=1.0, end=5.0, label="turn"),),
        paths=(PathConstraint(points=((0.0, 0.0), (1.0, 6.0)), face_along=True),),
    )
    problem = make_problem(graph, compile_objective(graph.clips, wish, w_cost=0.03))
    rng = new_state(0, 1)[0].rng
    walks = [random_walk(problem, rng, problem.span) for _ in range(20)]
    assert max(len(walk.steps) for walk in walks) > 3
    for walk in walks:
        score, laid, used, _ = lay_walk(problem, walk, problem.span)
        assert score > 0
        for first in range(used + 1):
            again = laid.copy()
            again[first + 1 :] = np.zeros(1, again.dtype)
            ground, terms, steps = problem.ground, problem.terms, walk.steps
            assert (
                lay(ground, terms, problem.span, walk.start, steps, len(steps), first, again)[0]
                == score
            )
