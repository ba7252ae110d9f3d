from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import FormatError, InvalidInputError, SynthesisError
from motionloom.graph.storage._disk_head import load_graph, save_graph
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.options import GraphOptions
from walkers import make_walker


def test_the_report_says_what_was_kept(graph):
    report = graph.report
    assert report.n_edges == len(graph.edges.source)
    assert report.n_roots == len(graph.hierarchy.roots)
    assert report.kept_share == pytest.approx(graph.core.mean())
    assert report.component_sizes[0] == graph.core.sum()
    assert 0 < report.cross_share <= 1


def test_no_transition_leads_out_of_the_core(graph):
    assert graph.core[graph.edges.source].all()
    assert graph.core[graph.edges.target + graph.options.min_piece].all()


def test_from_every_frame_of_the_core_the_motion_goes_on(graph):
    leaves = np.zeros(graph.clips.n_frames, bool)
    leaves[graph.edges.source] = True
    for clip in range(graph.clips.n_clips):
        own = slice(*graph.clips.starts[clip : clip + 2])
        if graph.core[own].any():
            assert np.flatnonzero(graph.core[own])[-1] <= np.flatnonzero(leaves[own])[-1]


def test_a_clip_that_joins_no_other_is_dropped_and_named(performed):
    clip = performed.motions[0]
    rotations = clip.rotations.copy()
    rotations[:, performed.roles.joints["chest"]] = [0, 1, 0, 0]
    strange = replace(clip, rotations=rotations, name="upside_down")
    graph = build_graph(make_clip_set([*performed.motions[:6], strange]))
    assert "upside_down" in graph.report.dropped_clips


def test_notes_name_the_first_islands_and_count_the_rest(graph):
    said = tuple(f"clip_{i}: nothing leads into it" for i in range(9))
    report = replace(graph.report, left_out=said, bridged_clips=("jump",), loosest=3.0)
    first, *notes, last = report.notes
    assert first.startswith("jump: joined to the other clips only by transitions of up to 3 times")
    assert [said[i] in note for i, note in enumerate(notes)] == [True] * 6
    assert last.startswith("3 more")
    assert replace(report, left_out=(), bridged_clips=()).notes == ()


def test_bridges_join_islands_and_cost_more_than_the_threshold(performed):
    named = dict(zip(performed.names, performed.motions, strict=True))
    clips = make_clip_set(
        [named[n].cut(70, 180) for n in ("walk_1.1", "walk_1.6", "run_3")]
    )  # no standing in them
    apart = build_graph(clips, GraphOptions(step=2, bridges=()))
    assert apart.report.kept_share < 0.7
    assert apart.report.loosest == 1
    joined = build_graph(clips, GraphOptions(step=2, bridges=(2.0, 8.0, 32.0)))
    assert joined.report.kept_share > 0.8
    assert joined.report.loosest > 1
    assert np.any(joined.edges.cost > 1)
    pairs = np.column_stack([joined.edges.source, joined.edges.target])
    assert len(np.unique(pairs, axis=0)) == len(pairs)


def test_tau_is_honoured(performed):
    clips = make_clip_set(performed.motions[:5])
    tight = build_graph(clips, GraphOptions(tau=1.0, bridges=(), prune=False))
    loose = build_graph(clips, GraphOptions(tau=3.0, bridges=(), prune=False))
    assert tight.report.tau == pytest.approx(1.0)
    assert 100 < tight.report.n_edges < loose.report.n_edges
    kept = loose.edges.cost < 1 / 3
    assert int(kept.sum()) == pytest.approx(
        tight.report.n_edges, rel=0.01
    )  # costs on the border are rounded


def test_clips_that_nothing_joins_are_told():
    with pytest.raises(SynthesisError, match="no two frames"):
        build_graph(make_clip_set([make_walker(12)]), GraphOptions(tau=1e-6))


@pytest.mark.parametrize(
    "options",
    [
        {"tau": 0.0},
        {"tau": float("nan")},
        {"step": 0},
        {"min_piece": 0},
        {"relative": 2.0},
        {"bridges": (3.0, 2.0)},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(InvalidInputError):
        GraphOptions(**options)


def test_a_graph_is_the_same_after_saving_and_loading(graph, tmp_path):
    path = tmp_path / "walks.npz"
    save_graph(graph, path)
    again = load_graph(path, graph.clips)
    assert again.options == graph.options
    assert again.report == graph.report
    for part in ("edges", "hierarchy"):
        for name, array in vars(getattr(graph, part)).items():
            assert np.array_equal(array, getattr(getattr(again, part), name)), name


def test_wrong_graph_files_are_refused_in_one_sentence(graph, tmp_path):
    path = tmp_path / "walks.npz"
    save_graph(graph, path)
    other = make_clip_set([*graph.clips.motions[1:], graph.clips.motions[0]])
    with pytest.raises(FormatError, match="other clips"):
        load_graph(path, other)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(FormatError, match="not a motion graph"):
        load_graph(path, graph.clips)
    np.savez(path, head=np.array('{"motionloom_graph": 99}'))
    with pytest.raises(FormatError, match="another version of motionloom"):
        load_graph(path, graph.clips)
    with pytest.raises(FormatError, match="no such file"):
        load_graph(tmp_path / "missing.npz", graph.clips)


def test_progress_of_every_stage_goes_from_nothing_to_all(walkers):
    reports = {}

    def progress(stage, done, total):
        reports.setdefault(stage, []).append((done, total))

    build_graph(walkers, progress=progress)
    assert "finding transitions" in reports
    for rows in reports.values():
        done, totals = zip(*rows, strict=True)
        assert list(done) == sorted(done)
        assert set(totals) == {totals[-1]}
        assert done[-1] == totals[-1] > 0
