import numpy as np
import pytest

from motionloom.analysis.gaits import RUNNING, STANDING, WALKING
from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import InvalidInputError
from motionloom.graph.searching.adjacency import make_adjacency
from motionloom.graph.transitions._momentum import UNSEEN, _measure, measure_momentum
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.options import GraphOptions
from motionloom.motion import GroundTransform
from walkers import make_walker


def test_velocity_is_seen_by_the_body_and_gaits_are_told_apart():
    momentum = measure_momentum(
        make_clip_set([make_walker(90, speed=1.0, bend=0.8), make_walker(90, speed=3.0)])
    )
    inside = slice(5, 85)
    assert np.allclose(momentum.velocity[inside], [0.0, 1.0], atol=0.05)
    assert (momentum.gait[:90] == WALKING).all()
    assert (momentum.gait[90:] == RUNNING).all()


def test_it_does_not_change_when_a_clip_is_moved_and_turned():
    motion = make_walker(90, bend=0.8)
    here = measure_momentum(make_clip_set([motion]))
    there = measure_momentum(make_clip_set([motion.transformed(GroundTransform(2.5, -4.0, 7.0))]))
    assert np.allclose(here.velocity, there.velocity, atol=1e-9)
    assert np.allclose(here.limits, there.limits, atol=1e-9)


def test_going_on_in_a_clip_is_borne_and_a_stop_is_not(performed):
    momentum = measure_momentum(performed)
    ahead = np.flatnonzero(performed.clip_of[1:] == performed.clip_of[:-1]).astype(np.int32) + 1
    assert momentum.bears(ahead, ahead, 1.0).mean() > 0.95
    walk, stand = performed.names.index("walk_1.6"), performed.names.index("stand")
    middle = np.array([np.mean(performed.starts[k : k + 2]) for k in (walk, stand)], np.int32)
    assert momentum.changes(middle[:1], middle[1:])[0] > 3.0
    assert not momentum.bears(middle[:1], middle[1:], 1.0)[0]
    assert momentum.bears(middle[:1], middle[1:], 100.0)[0]


def test_a_gait_hardly_shown_is_judged_by_all_gaits():
    momentum = measure_momentum(make_clip_set([make_walker(90, speed=1.0)]))
    assert np.array_equal(momentum.limits[RUNNING], momentum.limits[STANDING])
    assert (momentum.limits == UNSEEN).all()  # an even walk


def test_the_graph_keeps_only_transitions_that_are_borne(performed):
    graph = build_graph(performed, GraphOptions(momentum=1.0, density=1.0, farthest=1.0))
    free = build_graph(performed, GraphOptions(momentum=None, farthest=1.0))
    momentum = measure_momentum(performed)
    assert graph.report.loosest == 1
    assert momentum.bears(graph.edges.source, graph.edges.target, 1.0).all()
    assert not momentum.bears(free.edges.source, free.edges.target, 1.0).all()
    assert graph.report.dropped_clips == free.report.dropped_clips == ()
    assert graph.report.kept_share > free.report.kept_share - 0.02


def test_a_clip_set_is_measured_once_for_its_graph_and_search(monkeypatch):
    measured = []

    def count(clips):
        measured.append(clips)
        return _measure(clips)

    monkeypatch.setattr("motionloom.graph.transitions._momentum._measure", count)
    clips = make_clip_set([make_walker(90, speed=v, name=f"{v}") for v in (1.0, 1.05, 1.1)])
    make_adjacency(build_graph(clips, GraphOptions(density=1.0)))
    assert len(measured) == 1


@pytest.mark.parametrize("momentum", [0.0, -1.0, np.nan, np.inf])
def test_a_limit_that_is_none_is_refused(momentum):
    with pytest.raises(InvalidInputError, match="momentum"):
        GraphOptions(momentum=momentum)
