"""Changes that no clip shows: found, bridged, paid for and told."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet, StyleConstraint
from motionloom.errors import InvalidInputError
from motionloom.graph.bridging._build import add_bridges, build_bridged, find_groups, measure_strain
from motionloom.graph.bridging._choose import PUSH, Gap, Sides, choose_gaps, different
from motionloom.graph.bridging.options import BridgeOptions, find_used
from motionloom.graph.generator import GraphGenerator, GraphGeneratorOptions
from motionloom.graph.transitions.build import build_graph, fit_calibration
from motionloom.graph.transitions.options import GraphOptions
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis import SynthesisOptions, synthesize
from motionloom.synthesis.bridges import fit_bridge
from motionloom.synthesis.generator import register_generator

QUICK = BridgeOptions(generator="straight", seconds=(0.5, 0.8), each=2, farthest=50.0)


def groups_of(clips):
    options = GraphOptions()
    return find_groups(clips, fit_calibration(clips, options), options, QUICK.shown)


@pytest.fixture(scope="module")
def bridged(apart, straight):
    register_generator(straight)
    return build_bridged(apart, apart, GraphOptions(), QUICK)


def test_a_walk_and_a_run_are_two_ways_of_moving(apart):
    clips = apart.clip_set
    groups = groups_of(clips)
    assert groups.max() == 1
    for clip in range(2):
        own = groups[clips.starts[clip] : clips.starts[clip + 1]]
        assert len(np.unique(own[own >= 0])) == 1


def test_clips_that_show_their_changes_are_one(apart):
    clips = make_clip_set(apart.clip_set.motions[:1])
    assert groups_of(clips).max() == 0


def test_where_no_change_is_missing_the_graph_is_the_same(apart, straight):
    register_generator(straight)
    alone = analyse_clips(make_clip_set(apart.clip_set.motions[:1]))
    clips, graph, bridges = build_bridged(alone, alone, GraphOptions(), QUICK)
    plain = build_graph(alone.clip_set)
    assert clips is alone
    assert not bridges
    assert graph.toll is None
    for one, other in zip(graph.edges.arrays, plain.edges.arrays, strict=True):
        assert np.array_equal(one, other)


def test_bridges_lead_both_ways_and_join_the_clips(apart, bridged):
    clips, graph, bridges = bridged
    ways = {(one.before, one.behind) for one in bridges}
    assert ways == {("walk_1.1", "run_3"), ("run_3", "walk_1.1")}
    assert clips.clip_set.n_clips == 2 + len(bridges)
    assert graph.core[: apart.clip_set.n_frames].mean() > 0.8
    for one in bridges:
        name = clips.clip_set.names[one.clip]
        assert name.startswith(f"{one.before} > {one.behind} (bridge ")


def test_what_is_known_stays_as_it_was_captured(apart, bridged):
    clips, _, bridges = bridged
    own = apart.clip_set
    for one in bridges:
        made = clips.clip_set.motions[one.clip]
        before = own.motions[own.names.index(one.before)]
        lead = made.rotations[: one.begin, 1:]
        starts = range(before.n_frames - one.begin + 1)
        assert any(np.array_equal(lead, before.rotations[k : k + one.begin, 1:]) for k in starts)


def test_labels_change_in_the_middle_of_a_bridge(bridged):
    clips, _, bridges = bridged
    for one in bridges:
        start, stop = clips.clip_set.starts[one.clip : one.clip + 2]
        walks = clips.clip_set.labels["walk"][start:stop]
        assert np.flatnonzero(np.diff(walks.astype(int))).tolist() == [
            (one.begin + one.end) // 2 - 1
        ]


def test_only_whole_bridges_are_gone_over(bridged):
    clips, graph, bridges = bridged
    own = clips.clip_set
    for one in bridges:
        start, stop = own.starts[one.clip : one.clip + 2]
        into = graph.edges.target[own.clip_of[graph.edges.target] == one.clip]
        out = graph.edges.source[own.clip_of[graph.edges.source] == one.clip]
        assert len(into)
        assert (into < start + one.begin).all()
        assert ((out >= start + one.end) & (out < stop)).all()


def test_a_bridge_costs_its_doubt_and_strain(bridged):
    clips, graph, bridges = bridged
    own = clips.clip_set
    for one in bridges:
        frames = slice(own.starts[one.clip], own.starts[one.clip + 1])
        paid = graph.toll[frames].sum() / own.fps
        assert paid == pytest.approx(QUICK.toll * (1 + one.doubt + one.strain))
    assert not graph.toll[: own.starts[2]].any()
    assert np.array_equal(graph.captured, graph.core & (graph.toll == 0))


def test_a_motion_goes_over_a_bridge_and_says_so(apart, straight):
    register_generator(straight)
    options = SynthesisOptions(
        generator=GraphGeneratorOptions(bridging=QUICK, rests=False), budget=0.5
    )
    asked = ConstraintSet(
        duration=4.0,
        body=[BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0)],
        style=[
            StyleConstraint(begin=0.0, end=1.2, label="walk"),
            StyleConstraint(begin=2.6, end=4.0, label="run"),
        ],
    )
    made = synthesize(apart.clip_set, asked, options)
    used = made.report.to_dict()["bridged"]
    assert [(one["before"], one["behind"]) for one in used] == [("walk_1.1", "run_3")]
    assert 1.0 < used[0]["time"] < 2.7
    text = made.report.to_text()
    assert text.index("Bridged, as no clip shows it") < text.index("walk_1.1  run_3")
    assert made.report.to_text().count("may be bridged") <= 1


def test_without_bridges_nothing_is_said_of_them(apart):
    fitted = GraphGenerator().fit(
        replace(apart, clip_set=apart.clip_set), GraphGeneratorOptions(rests=False)
    )
    assert fitted.bridges == ()
    assert fitted.graph.toll is None
    assert not any("bridge" in note for note in fitted.notes)


def test_too_doubtful_bridges_are_left_out(apart, straight):
    options = replace(QUICK, farthest=0.0)
    gaps = choose_gaps(apart, groups_of(apart.clip_set), straight, QUICK)
    clips, bridges = add_bridges(apart, gaps, straight, options)
    assert clips is apart
    assert not bridges


def test_the_way_of_a_bridge_is_as_long_as_both_sides_go(apart):
    going = Sides(apart)
    walk, run = np.array([50]), np.array([160])
    stand = going.stands(walk, run, 30, 1.0)
    way = np.hypot(*(stand.ground - apart.clip_set.body[walk, :2])[0])
    speeds = [np.linalg.norm(going.velocity[k]) for k in (walk, run)]
    assert way == pytest.approx(np.mean(speeds), rel=0.05)
    assert going.seconds(walk, run)[0] == pytest.approx(
        abs(speeds[1] - speeds[0]) / (PUSH * 9.81), rel=0.1
    )


def test_captured_clips_are_not_strained(apart):
    clips = apart.clip_set
    assert measure_strain(PosedMotion(clips.motions[0], clips.roles), apart) == 0.0


def test_gaps_at_one_moment_are_one():
    gaps = [Gap(0.1 * k, source, 0, 10, 1.0) for k, source in enumerate((100, 103, 120, 90))]
    assert [gap.source for gap in different(gaps, 2, 8.0)] == [100, 120]
    later = Gap(0.5, 101, 30, 10, 1.0)
    assert different([gaps[0], later], 2, 8.0) == [gaps[0], later]


def test_stretches_are_found_where_they_are_shown(bridged):
    clips, _, bridges = bridged
    one = bridges[0]
    start = int(clips.clip_set.starts[one.clip])
    shown = np.concatenate([np.arange(30), start + np.arange(one.begin - 5, one.end + 5)])
    used = find_used(bridges, clips.clip_set.starts, shown, 30.0)
    assert [(u.time, u.frames) for u in used] == [(35 / 30, one.end - one.begin)]


def test_another_generator_is_no_bridge(apart):
    with pytest.raises(InvalidInputError, match="fills no gaps between clips"):
        fit_bridge("graph", apart)


def test_a_graph_on_disk_has_no_bridges(tmp_path):
    with pytest.raises(InvalidInputError, match="has no bridges"):
        GraphGeneratorOptions(folder=tmp_path, bridging=QUICK)


@pytest.mark.parametrize("wrong", [{"seconds": ()}, {"each": 0}, {"toll": -1.0}])
def test_options_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InvalidInputError):
        BridgeOptions(**wrong)
