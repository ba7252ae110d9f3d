"""Travel and coverage against clips whose speeds and turns are known."""

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.coverage import describe_covered, describe_missing, measure_coverage
from motionloom.clips.travel import measure_travel
from motionloom.motion import Motion
from performed import performer_clips
from walkers import SKELETON, make_walker

TURN = np.degrees(0.5)


def slide(velocity, frames=90, pause=0):
    """A body that faces +Z and moves at (left, ahead) m/s after standing for `pause` frames."""
    way = (
        np.concatenate([np.zeros(pause), np.arange(frames - pause)])[:, None]
        / 30
        * np.asarray(velocity)
    )
    place = np.column_stack([way[:, 0], np.full(frames, 0.85), way[:, 1]])
    quats = np.tile([1.0, 0, 0, 0], (frames, SKELETON.n_joints, 1))
    return Motion(SKELETON, quats, place[:, None], 1 / 30, name="slide")


def coverage_of(*motions, core=None):
    clips = make_clip_set(motions)
    return measure_coverage(clips, np.ones(clips.n_frames, bool) if core is None else core)


def missing(*motions, core=None):
    return " ".join(describe_missing(coverage_of(*motions, core=core)))


def test_travel_of_a_circle_and_of_steps_aside():
    clips = make_clip_set(
        [make_walker(120, speed=1.2, bend=0.5), slide((0.6, 0.8)), slide((0.0, -0.4))]
    )
    travel = measure_travel(clips)
    circle, slant, back = (
        slice(a, b) for a, b in zip(clips.starts[:-1], clips.starts[1:], strict=True)
    )
    assert np.allclose(travel.forward[circle], 1.2, atol=1e-3)
    assert np.allclose(travel.turn[circle], TURN, atol=1e-6)
    assert np.allclose(travel.left[circle], 0.0, atol=0.02)
    assert np.allclose([travel.left[slant], travel.forward[slant]], [[0.6], [0.8]])
    assert np.allclose(travel.speed[slant], 1.0)
    assert np.allclose(travel.forward[back], -0.4)
    assert np.allclose(travel.gain, 0.0, atol=1e-9)


def test_travel_where_clips_are_shorter_than_the_window():
    travel = measure_travel(make_clip_set([slide((0, 1.0), frames=2), slide((0, 1.5), frames=10)]))
    assert np.allclose(travel.speed, [1.0] * 2 + [1.5] * 10)
    assert np.all(travel.gain == 0)


def test_speeding_up_is_measured():
    travel = measure_travel(make_clip_set([slide((0, 1.5), frames=120, pause=60)]))
    assert travel.gain.max() == pytest.approx(1.5)  # from standing to 1.5 m/s within the second
    assert travel.gain.min() == pytest.approx(0.0, abs=1e-9)


def test_figures_of_known_clips():
    walks = [make_walker(150, speed=s, bend=b) for s, b in ((0.8, 0.5), (1.1, -0.5), (1.9, 0.0))]
    found = coverage_of(*walks)
    assert found.slowest == pytest.approx(0.8, abs=0.01)
    assert found.fastest == pytest.approx(1.9, abs=0.01)
    assert (found.left, found.right) == pytest.approx((TURN, TURN))
    assert (found.turned_left, found.turned_right) == pytest.approx((5 * TURN, 5 * TURN))
    assert np.allclose(found.gaps, [(0.8, 1.1), (1.1, 1.9)], atol=0.01)
    assert found.inside.sum() == pytest.approx(15.0)
    assert found.outside.sum() == 0
    assert found.paces.sum() == pytest.approx(15.0)
    # Every frame lies in the cell of its speed and turn.
    row = np.searchsorted(found.speed_edges, 1.9) - 1
    column = np.searchsorted(found.turn_edges, 0.0) - 1
    assert found.inside[row, column] == pytest.approx(5.0)


def test_sentences_about_what_is_missing():
    text = missing(*(make_walker(150, speed=s) for s in (0.8, 1.0, 1.2)))
    assert "Nobody moves slower than 0.80 m/s." in text
    assert "Nobody moves faster than 1.20 m/s: nobody runs." in text
    assert "Nobody turns to either side by more than 15 degrees a second." in text
    assert "stands still" in text
    assert "walks backward" in text
    one_way = missing(
        make_walker(300, speed=1.0, bend=0.9), make_walker(200, speed=3.0), slide((0, 0))
    )
    assert "Nobody turns to the right by more than 15 degrees a second." in one_way
    assert "Nobody turns to the left by more than 90 degrees a second." in one_way
    assert "Turns to the left by more than 15 degrees a second only at a walk" in one_way
    assert "Turning is lopsided" in one_way
    assert "slower than" not in one_way
    assert "runs" not in one_way


def test_what_is_done_is_not_called_missing():
    clips = [
        slide((0, 0)),
        slide((0.5, 0)),
        slide((-0.5, 0)),
        slide((0, -0.5)),
        slide((0, 1.2), pause=45),
    ]
    text = missing(*clips)
    for done in (
        "stands still",
        "starts from standing",
        "steps sideways to the left",
        "walks backward",
    ):
        assert done not in text
    assert "comes to a stop" in text
    told = " ".join(describe_covered(coverage_of(*clips)))
    assert "steps sideways to the right" in told


def test_what_only_left_out_frames_do_is_told():
    core = np.concatenate([np.ones(90, bool), np.zeros(90, bool)])
    text = missing(slide((0, 1.0)), slide((0, 0)), core=core)
    assert "Nobody stands still in connected frames; 3.0 s of it were left out, in slide." in text


def test_the_performers_straight_walks_lack_turns():
    text = missing(*(c.motion for c in performer_clips() if c.action == "walk"))
    assert "Nobody turns to either side by more than 15 degrees a second." in text
    assert "turns left on the spot" in text
    assert "comes to a stop" not in text


def test_all_of_the_performers_clips_lack_little(graph):
    lines = describe_missing(measure_coverage(graph.clips, graph.core))
    assert "Nobody walks backward." in lines
    assert len(lines) <= 5
