"""What the checks of motion are made of."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.oddness import otherwise
from motionloom.analysis.oddness.angles import fit_axes, fit_hinge_range
from motionloom.analysis.oddness.balance import measure_balance
from motionloom.analysis.oddness.flow import Flow, fit_flow
from motionloom.analysis.oddness.groups import deal, group_of
from motionloom.analysis.oddness.learned import Sums, fit_scaled, fit_weights
from motionloom.analysis.oddness.levels import fit_levels, fit_tail
from motionloom.analysis.oddness.speeds import measure_speeds
from motionloom.analysis.oddness.tracks import ARM, LEG, RATE, Track, make_track
from motionloom.analysis.oddness.turns import fit_turns, measure_turns
from motionloom.analysis.oddness.windows import SPAN, cut_windows, window_middles
from motionloom.posed_motion import pose_motion
from walkers import make_lively_walker, make_walker


@pytest.fixture(scope="module")
def track():
    return make_track(pose_motion(make_lively_walker(60, 3)))


def with_arms(n=40):
    """A track of a body with one arm, whose joints go their own ways."""
    random = np.random.default_rng(5)
    roles = ("hips", "left_shoulder", "left_elbow", "left_hand", "left_hip", "right_hip")
    places = np.cumsum(random.normal(size=(n, len(roles), 3)), axis=0)
    trunk = rot.to_matrix(rot.from_rotvec(0.1 * np.cumsum(random.normal(size=(n, 2, 3)), axis=0)))
    return Track(roles, places, trunk)


# --- groups


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("16_05", "16"),
        ("16_05@480", "16"),
        ("dance1_subject1@90", "subject1"),
        ("dance1_subject1 (mirrored)", "subject1"),
        ("set-2_walk_active_001", "set-2_walk_active"),
        ("walk_1.1", "walk"),
        ("stand", "stand"),
        ("17", "17"),
    ],
)
def test_names_tell_persons_and_takes(name, group):
    assert group_of(name) == group


def test_groups_are_dealt_undivided_into_parts_of_like_size():
    names = [f"{person}_{take:02d}" for person in "abcdef" for take in range(4)]
    parts = deal(names, 3, 0)
    for person in "abcdef":
        assert len({p for p, n in zip(parts, names, strict=True) if n[0] == person}) == 1
    assert np.bincount(parts).tolist() == [8, 8, 8]


def test_a_group_of_most_clips_is_divided_by_takes():
    names = [f"a_{take}@{piece}" for take in range(4) for piece in range(3)] + ["b_1", "c_1"]
    parts = deal(names, 6, 0)
    of_takes = [{int(p) for p in parts[3 * take : 3 * take + 3]} for take in range(4)]
    assert all(len(own) == 1 for own in of_takes)
    assert len(set.union(*of_takes)) == 4


# --- levels


def test_a_tail_tells_shares_of_what_it_was_fitted_to():
    scores = np.random.default_rng(0).exponential(size=4000)
    tail = fit_tail(scores)
    for share in (0.5, 0.1, 0.01):
        assert tail.rarity(-np.log(share)) == pytest.approx(-np.log10(share), abs=0.1)
    values = tail.rarity(np.linspace(-1, 30, 200))
    assert np.all(np.diff(values) >= 0)
    assert fit_tail(scores, wider=2.0).rarity(8.0) < tail.rarity(8.0)


def test_all_checks_together_call_as_many_odd_as_they_should():
    random = np.random.default_rng(1)
    clips = [dict(zip("abcd", random.normal(size=4), strict=True)) for _ in range(400)]
    levels = fit_levels(clips)
    odd = np.mean([levels.oddness(clip) > -np.log10(0.05) for clip in clips])
    assert 0.02 < odd < 0.08
    usual = dict.fromkeys("abcd", 0.0)
    assert levels.oddness(usual | {"c": 6.0}) > 2 > levels.oddness(usual)


# --- tracks made otherwise


def test_a_track_is_in_leg_lengths_from_the_ground():
    one, twice = (make_track(pose_motion(make_walker(60, fps=fps))) for fps in (30.0, 60.0))
    assert len(one) == 60
    assert np.allclose(one.places[:29], twice.places[:29], atol=0.05)
    assert one.places[..., 1].min() == pytest.approx(0.0, abs=0.05)
    hip, foot = (one.roles.index(f"left_{part}") for part in ("hip", "foot"))
    assert np.linalg.norm(one.places[:, hip] - one.places[:, foot], axis=-1).max() < 1.001


def test_twice_otherwise_is_as_before(track):
    for change in (otherwise.mirrored, otherwise.backwards):
        assert np.allclose(change(change(track)).places, track.places)
    there = otherwise.drifting(track, np.array([0.3, 0.0, 0.1]))
    assert np.allclose(otherwise.drifting(there, -np.array([0.3, 0.0, 0.1])).places, track.places)
    turn = rot.to_matrix(rot.from_rotvec([0.5, 0.0, 0.2]))
    back = otherwise.leaning(otherwise.leaning(track, turn), turn.T)
    assert np.allclose(back.places, track.places)


def test_a_late_limb_does_beside_the_trunk_what_it_did_before():
    track = with_arms()
    late = otherwise.with_late_limb(track, "left", ARM, 7)
    arm = track.limb("left", ARM)

    def local(t):
        return (t.places[:, arm] - t.places[:, arm[:1]]) @ t.trunk[:, 1]

    assert np.allclose(local(late), local(track)[:-7])
    others = [i for i in range(len(track.roles)) if i not in arm]
    assert np.array_equal(late.places[:, others], track.places[7:, others])
    still = otherwise.with_still_limb(track, "left", ARM, 0.0, np.random.default_rng(0))
    assert np.ptp(local(still), axis=0).max() < 1e-9


def test_faster_has_the_same_places_sooner(track):
    fast = otherwise.faster(track, 2.0)
    assert np.allclose(fast.places, track.places[: len(track) - 1 : 2])


# --- features


def test_features_of_flow_change_sign_with_time(track):
    windows = cut_windows(track)
    flow = fit_flow(windows, 0)
    ahead, back = flow.features(windows), flow.features(windows[:, ::-1])
    assert np.allclose(ahead, -back)
    assert np.abs(ahead).max() > 0.1
    assert ahead.shape[1] == Flow.count(len(flow.phase), len(flow.scale))


@pytest.mark.parametrize("measure", [measure_balance, measure_speeds, cut_windows])
def test_place_and_heading_in_the_world_do_not_count(track, measure):
    turn = rot.to_matrix(rot.yaw(1.1))
    places = track.places @ turn.T + np.array([3.0, 0.0, -2.0])
    elsewhere = Track(track.roles, places, turn @ track.trunk)
    assert np.allclose(measure(elsewhere), measure(track))
    assert len(measure(track)) == len(window_middles(len(track)))


def test_a_track_shorter_than_a_window_has_none(track):
    short = Track(track.roles, track.places[: SPAN - 1], track.trunk[: SPAN - 1])
    assert len(cut_windows(short)) == 0


def test_regression_tells_rows_from_others():
    random = np.random.default_rng(2)
    rows = random.normal(size=(300, 3))
    others = random.normal(size=(300, 3)) + np.array([0.0, 3.0, 0.0])
    basis = fit_scaled(rows, 0, features=30, wave=1.5, plain=0.3)
    sums = [Sums.of(basis.features(r)) for r in (rows[:150], rows[150:], others)]
    weights = fit_weights([(sums[0] + sums[1], -1.0), (sums[2], 1.0)])
    assert np.mean(basis.features(rows) @ weights < 0) > 0.9
    assert np.mean(basis.features(others) @ weights > 0) > 0.9


# --- turns


def bent(frames, joints=4, fps=60.0, seed=0):
    """Joints that swing smoothly, with a little noise."""
    random = np.random.default_rng(seed)
    times = np.arange(frames)[:, None, None] / fps
    swing = np.sin(2 * times + random.uniform(0, 6, (1, joints, 3)))
    noise = 2e-4 * random.normal(size=(frames, joints, 3))
    return rot.unroll(rot.from_rotvec(0.4 * swing + noise))


def test_a_jump_is_as_large_as_the_deviation_and_where_it_is():
    rotations = bent(120)
    model = fit_turns([measure_turns(bent(240, seed=1), 60.0)])
    rotations[50, 2] = rot.multiply(rotations[50, 2], rot.from_rotvec([np.radians(10), 0, 0]))
    turns = measure_turns(rotations, 60.0)
    pops = model.pops(turns)
    frame, joint = np.unravel_index(pops.argmax(), pops.shape)
    assert joint == 2
    assert turns.frame_times[frame] == pytest.approx(50 / 60.0)
    assert pops.max() > 3


def test_noise_and_what_is_filled_in_go_opposite_ways():
    model = fit_turns([measure_turns(bent(240, seed=1), 60.0)])
    usual = measure_turns(bent(240), 60.0)
    noise = rot.from_rotvec(0.005 * np.random.default_rng(3).normal(size=(240, 4, 3)))
    noisy = measure_turns(rot.unroll(rot.multiply(bent(240), noise)), 60.0)
    assert model.noise(noisy).mean() > model.noise(usual).mean() + 3
    filled = bent(240)
    t = np.linspace(0, 1, 61)[:, None]
    filled[60:121] = rot.slerp(filled[60][None], filled[120][None], t)
    turns = measure_turns(rot.unroll(filled), 60.0)
    smooth = model.smoothness(turns)
    assert 1.0 < turns.times[smooth.argmax()] < 2.0
    assert smooth.max() > model.smoothness(usual).max() + 3


# --- angles


def test_only_what_nobody_can_is_past_a_hinge():
    walks = [np.random.default_rng(i).uniform(5, 60, (100, 2)) for i in range(4)]
    hinges = fit_hinge_range(walks)
    assert hinges.excess(np.array([[0.0, 140.0]])).max() <= 0
    past = hinges.excess(np.array([[-35.0, 30.0], [30.0, 175.0]]))
    assert np.array_equal(past.argmax(axis=1), [0, 1])
    assert past.max(axis=1).min() > 1


def test_swapped_axes_are_far_from_captured_turns():
    random = np.random.default_rng(4)
    centre = np.array([[0.9, 0.0, 0.1], [-0.8, 0.2, 0.0], [0.7, 0.1, -0.2]])
    vectors = centre + 0.1 * random.normal(size=(200, 3, 3))
    model = fit_axes([rot.from_rotvec(vectors)])
    swapped = rot.from_rotvec(vectors[..., ::-1])
    own, other = (model.oddness(model.distances(q)) for q in (rot.from_rotvec(vectors), swapped))
    assert own.max() < other.min()


def test_roles_of_arms_and_legs():
    track = with_arms()
    assert track.limb("left", ARM) == [1, 2, 3]
    assert track.limb("right", ARM) == []
    assert track.limb("left", LEG) == [4]
    assert RATE == 30.0
