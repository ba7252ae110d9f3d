"""What targets of hands are scored by, against their definition."""

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.graph.scoring.terms import PLACE_SCALE, compile_objective, reach_row
from motionloom.graph.scoring.walk import OUT_OF_REACH
from motionloom.graph.searching.problem import make_problem
from motionloom.graph.searching.reach import likely_ends
from motionloom.graph.searching.search import SearchOptions, search_motion
from motionloom.graph.transitions.build import build_graph
from performed import performer_clips


@pytest.fixture(scope="module")
def graph():
    return build_graph(make_clip_set([c.motion for c in performer_clips()[:8]]))


def _wish(graph, place, **more):
    hand = JointConstraint(time=2.0, joint="right_hand", position=place, **more)
    start = BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0)
    return ConstraintSet(duration=4.0, fps=graph.clips.fps, body=(start,), joints=(hand,))


@pytest.mark.parametrize("place", [(0.2, 0.9, 1.6), (0.3, 0.2, 9.0)])
def test_a_target_scores_by_what_is_left_to_do(graph, place):
    """Both near and hopelessly far away."""
    wish = _wish(graph, place)
    best = search_motion(graph, wish, SearchOptions(iterations=4000, w_cost=0.0, w_idle=0.0)).best
    clips = graph.clips
    frame = wish.frame_of(2.0)
    piece = int(np.searchsorted([0, *best.path.seams], frame, side="right")) - 1
    laid = best.path.transforms(clips, best.start)[piece]
    shift, turn = laid.as_complex
    shown = best.path.frames(clips)[frame]
    places, heights, roots, radii = reach_row(clips, clips.roles.joints["right_hand"], place[1])
    at = complex(place[2], place[0])
    miss = abs(turn * places[shown] + shift - at)
    left = max(abs(turn * roots[shown] + shift - at) - radii[shown], 0.0)
    effort = heights[shown] - place[1]
    wanted = (miss**2 + effort**2 + OUT_OF_REACH * left**2) / PLACE_SCALE**2
    assert best.score == pytest.approx(wanted, rel=1e-6)
    assert (left > 0) == (place[2] > 4)


def test_joints_that_are_no_hands_are_taken_as_they_are(graph):
    clips = graph.clips
    for role in ("head", "left_foot"):
        joint = clips.roles.joints[role]
        place, height, _, radius = reach_row(clips, joint, 0.3)
        x, y, z = clips.positions[:, joint].T
        np.testing.assert_array_equal(place, z + 1j * x)
        np.testing.assert_array_equal(height, y)
        assert np.all(np.isinf(radius))
    empty = compile_objective(clips, ConstraintSet(fps=clips.fps, duration=2.0), w_cost=0.03).terms
    assert empty.joint_place.shape == empty.joint_radius.shape == (0, clips.n_frames)


def test_who_passes_with_a_velocity_need_not_stop(graph):
    joint = graph.clips.roles.joints["right_hand"]
    stops, passes = (reach_row(graph.clips, joint, 0.9, stops=s)[1] for s in (True, False))
    assert np.all(stops >= passes)
    for velocity, row in ((None, stops), ((0.0, 0.0, 1.0), passes)):
        terms = compile_objective(
            graph.clips, _wish(graph, (0.2, 0.9, 1.6), velocity=velocity), w_cost=0.03
        ).terms
        np.testing.assert_array_equal(terms.joint_height[0], row)


def test_half_walks_may_begin_in_the_frames_that_reach_best(graph):
    wish = _wish(graph, (0.2, 1.2, 1.6))
    problem = make_problem(graph, compile_objective(graph.clips, wish, w_cost=0.03))
    leg = next(leg for leg in problem.legs if leg.joint >= 0)
    ends = problem.starts
    likely = likely_ends(problem, leg, ends)
    effort = problem.terms.joint_height[0] - 1.2
    assert 0 < len(likely) < len(ends)
    assert effort[likely].max() <= np.sort(effort[ends])[len(likely) - 1] + 1e-12
