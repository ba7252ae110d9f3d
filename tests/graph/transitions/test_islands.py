"""Islands that touch the other clips in one pair of poses, or do not, by their features."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import InvalidInputError
from motionloom.graph.storage._disk_head import load_graph, save_graph
from motionloom.graph.storage.disk import build_on_disk, open_on_disk
from motionloom.graph.transitions._islands import ascending_levels, join_islands, measure_hips
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.connect import connect
from motionloom.graph.transitions.edges import find_edges, make_rules
from motionloom.graph.transitions.options import GraphOptions
from motionloom.graph.transitions.product import CostProduct
from walkers import make_walker

LENGTH, PIECE, PHASES = 40, 3, 10
#: The only frames of the walks and of the others that are near one another.
TOUCH = 20


def toy(speed=1.0):
    """Two walks and two clips of somebody at another speed."""
    clips = make_clip_set(
        [
            make_walker(LENGTH, speed=v, name=name)
            for name, v in (("walk_1", 1.0), ("walk_2", 1.0), ("run_1", speed), ("run_2", speed))
        ]
    )
    features = np.zeros((clips.n_frames, 2))
    features[:, 0] = np.arange(clips.n_frames) % PHASES  # alike at the same phase
    features[: 2 * LENGTH, 1] = -5.0
    features[2 * LENGTH :, 1] = 5.0
    return clips, features


def touching(features, own, other, gap=1.0):
    """Bring two frames as near as `gap`; the threshold is at half a unit."""
    features = features.copy()
    features[own, 1] = 0.0
    features[other, 1] = gap
    features[other, 0] = features[own, 0]
    return features


def join(clips, features, block=1 << 20, farthest=9.0):
    limits = np.full(clips.n_frames, 0.5)

    def find(limits, island):
        rules = make_rules(clips.starts, PIECE, PHASES, island)
        return find_edges(CostProduct(features, limits), rules, block=block)

    options = GraphOptions(
        min_piece=PIECE, min_jump=PHASES, bridges=(), smallest_island=10, farthest=farthest
    )
    apart = connect(clips, limits, find, options)
    assert len(apart.sizes[apart.sizes >= 10]) == 2
    loose = replace(options, bridges=(1.5, 2.25))
    return join_islands(clips, features, limits, apart, [find], loose)


@pytest.mark.parametrize("block", [64, 1 << 20])
def test_two_islands_are_joined_where_they_touch(block):
    clips, features = toy()
    walk, run = TOUCH, 2 * LENGTH + TOUCH
    joined = join(clips, touching(features, walk, run), block)
    edges = joined.edges
    over = edges.take(edges.cost > 1)
    assert sorted(zip(over.source.tolist(), over.target.tolist(), strict=True)) == [
        (walk, run),
        (run, walk),
    ]
    assert over.cost == pytest.approx([4.0, 4.0])
    assert 4 <= joined.loosest < 6
    assert set(joined.bridged) == {"run_1", "run_2"} or set(joined.bridged) == {"walk_1", "walk_2"}
    assert joined.apart == ()


def test_bridges_go_no_farther_than_asked():
    clips, features = toy()
    joined = join(clips, touching(features, TOUCH, 2 * LENGTH + TOUCH), farthest=3.0)
    assert joined.bridged == ()
    assert len(joined.apart) == 1
    assert not np.any(joined.edges.cost > 1)
    assert "differ by 4.0 times the threshold, and a bridge may by 3" in joined.apart[0]


def test_an_island_far_from_all_is_named_with_its_distance():
    clips, features = toy()
    (said,) = join(clips, features).apart
    assert said.startswith(("run_1, run_2: nothing leads into them or out of them", "walk_1"))
    assert "differ by 400.0 times the threshold" in said
    assert "add a clip that leads from the pose of" in said
    assert said.endswith("and one that leads back")


def test_what_can_only_be_left_is_not_entered():
    """A clip's last frame may be left, but it is too late to enter there."""
    clips, features = toy()
    features = touching(features, TOUCH, 4 * LENGTH - 1)
    joined = join(clips, features)
    (said,) = joined.apart
    small = "run_1, run_2: nothing leads into them" in said
    assert small or "walk_1, walk_2: nothing leads out of them" in said
    assert joined.sizes[0] < 2 * LENGTH + 1


def test_a_burst_of_speed_is_no_bridge():
    clips, features = toy(speed=3.5)
    (said,) = join(clips, touching(features, TOUCH, 2 * LENGTH + TOUCH)).apart
    assert "change their velocity by 2.5 m/s at once" in said
    assert "slows down from running to walking" in said or "speeds up from walking to" in said


def test_hips_that_speed_up_in_a_clip_may_do_so_at_a_bridge():
    starting = make_walker(LENGTH, vary=3.0, name="starts")
    hips = measure_hips(make_clip_set([make_walker(LENGTH), starting]))
    assert hips.allowed[0] == pytest.approx(0.0, abs=1e-9)
    assert hips.allowed[1] > 0.3
    assert hips.speed(LENGTH // 2) == pytest.approx(1.0)


def test_velocity_is_seen_from_the_body():
    clips = make_clip_set([make_walker(LENGTH, bend=1.0), make_walker(LENGTH, bend=-1.0)])
    velocity = measure_hips(clips).velocity[[10, LENGTH + 10]]
    assert velocity[:, 0] == pytest.approx([1.0, 1.0], abs=0.02)
    assert velocity[:, 1] == pytest.approx([0.0, 0.0], abs=0.05)


@pytest.fixture(scope="module")
def gaits(performed):
    """Walks, and two runs without their beginnings and ends."""
    named = dict(zip(performed.names, performed.motions, strict=True))
    cut = [named[n].cut(100, 160) for n in ("walk_1.1", "walk_1.6", "run_3")]
    return make_clip_set(cut)


OPTIONS = GraphOptions(step=2, bridges=(1.5,), connected=0.3)


def test_a_graph_on_disk_keeps_bridges_and_reasons(gaits, tmp_path):
    graph = build_graph(gaits, OPTIONS)
    assert graph.report.left_out
    save_graph(graph, tmp_path / "g.npz")
    assert load_graph(tmp_path / "g.npz", gaits).report == graph.report
    built = build_on_disk(gaits, tmp_path / "d", OPTIONS)
    assert built.graph.report == graph.report
    assert open_on_disk(gaits, tmp_path / "d").report == graph.report
    fewer = make_clip_set(gaits.motions[:2])
    less = build_on_disk(fewer, tmp_path / "d").graph.report
    assert not any("run_3" in said for said in (*less.left_out, *less.bridged_clips))
    again = build_on_disk(gaits, tmp_path / "d").graph
    assert again.report == graph.report
    assert np.array_equal(again.edges.cost, built.graph.edges.cost)


def test_tiles_of_any_size_give_the_same_bridges():
    clips, features = toy()
    features[:, 1] *= 0.2
    features[:, 1] += np.random.default_rng(3).normal(0.0, 0.25, clips.n_frames)
    a, b = (join(clips, features, block) for block in (1 << 20, 50))
    assert np.sum(a.edges.cost > 1) >= 2
    assert (a.bridged, a.apart) == (b.bridged, b.apart)
    for x, y in zip(a.edges.arrays, b.edges.arrays, strict=True):
        assert np.array_equal(x, y)


def test_one_way_in_and_out_is_enough_for_every_quarter_of_a_second():
    clips, features = toy()
    features[:, 1] *= 0.3
    joined = join(clips, features, farthest=64.0)
    over = joined.edges.take(joined.edges.cost > 1)
    assert 0 < len(over.source) <= 2 * 2 * 2 * 2 * (LENGTH // 7)


def test_levels_end_at_the_farthest():
    assert ascending_levels((1.5, 2.25), 4.0) == [1.5, 2.25, 3.375, 4.0]
    assert ascending_levels((1.5, 2.25), 2.0) == [1.5, 2.0]
    assert ascending_levels((), 9.0) == [9.0]
    assert ascending_levels((1.5,), 1.0) == []


def test_how_far_bridges_may_go_is_checked():
    with pytest.raises(InvalidInputError, match="farthest"):
        GraphOptions(farthest=0.5)
