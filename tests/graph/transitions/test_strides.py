"""What switching gait or style costs."""

from dataclasses import replace

import numpy as np

from motionloom.clips.clip_set import make_clip_set
from motionloom.graph.searching.adjacency import make_adjacency
from motionloom.graph.transitions._momentum import (
    MOST,
    OTHER_STYLE,
    UNSEEN_CHANGE,
    momentum_costs,
    stride_costs,
    stride_means,
)
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.options import GraphOptions
from walkers import make_walker

LENGTH = 90
SLOW, FAST = np.array([45], np.int32), np.array([LENGTH + 45], np.int32)


def pair(slow, fast):
    return make_clip_set([make_walker(LENGTH, speed=v, name=f"{v}") for v in (slow, fast)])


def test_going_on_is_free_and_a_jump_of_the_pace_is_not():
    clips = pair(1.0, 1.3)
    assert stride_costs(clips, SLOW, SLOW + 1) == 0
    small, large = (stride_costs(pair(1.0, v), SLOW, FAST)[0] for v in (1.3, 1.4))
    assert 0 < small < large < MOST
    assert stride_costs(pair(1.0, 1.0 + 0.9 * UNSEEN_CHANGE), SLOW, FAST) == 0
    assert stride_costs(pair(1.0, 4.0), SLOW, FAST) == MOST


def test_means_are_those_of_the_gait():
    means = stride_means(pair(1.0, 2.0))
    assert np.allclose(means[[45, LENGTH + 45], 0], [1.0, 2.0], atol=0.01)
    assert np.allclose(means[:, 1], 0.0, atol=0.01)


def test_another_style_costs_unless_a_label_is_common():
    clips = pair(1.0, 1.0)
    first = np.arange(2 * LENGTH) < LENGTH
    other = replace(clips, labels={"calm": first, "brisk": ~first})
    assert stride_costs(other, SLOW, FAST) == OTHER_STYLE
    assert stride_costs(other, SLOW, SLOW + 1) == 0
    common = replace(clips, labels={**other.labels, "walk": np.ones(2 * LENGTH, bool)})
    assert stride_costs(common, SLOW, FAST) == 0
    assert stride_costs(replace(clips, labels={"calm": first}), SLOW, FAST) == 0


def test_a_jerk_of_the_hips_costs_only_beyond_what_is_usual(walkers):
    assert momentum_costs(pair(1.0, 1.2), SLOW, FAST) == 0
    jerks = [momentum_costs(pair(1.0, v), SLOW, FAST)[0] for v in (1.4, 1.5)]
    assert 0 < jerks[0] < jerks[1]
    graph = build_graph(walkers)
    edges = graph.edges
    cost = make_adjacency(graph).cost
    extra = stride_costs(walkers, edges.source, edges.target)
    assert np.allclose(cost, edges.cost + extra)
    assert (extra > 0).any()


def test_clips_that_no_calm_transition_joins_are_joined_by_a_jerk():
    """A walk and a run without a start: only a transition that is not borne leads over."""

    def jerks(fast):
        clips = make_clip_set(
            [
                make_walker(LENGTH, speed=v, phase=p, name=f"{v}_{p}")
                for v in (1.0, fast)
                for p in (0, 1)
            ]
        )
        graph = build_graph(clips, GraphOptions(density=1.0, connected=0.95))
        assert graph.report.dropped_clips == ()
        return momentum_costs(clips, graph.edges.source, graph.edges.target) > 0

    assert jerks(2.0).any()
    assert not jerks(1.1).any()
