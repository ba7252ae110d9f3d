"""What the checks of motion are made of."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.oddness import _otherwise as otherwise
from motionloom.analysis.oddness._angles import fit_axes, fit_hinge_range
from motionloom.analysis.oddness._cues import measure_cues
from motionloom.analysis.oddness._evidence import measure_balance, measure_stillness
from motionloom.analysis.oddness._flow import Flow, fit_flow
from motionloom.analysis.oddness._learned import Sums, fit_scaled, fit_weights
from motionloom.analysis.oddness._legs import (
    find_late_leg,
    fit_legs,
    measure_legs,
    rows_of_legs,
    sizes_of_legs,
)
from motionloom.analysis.oddness._levels import Weight, fit_levels, fit_tail, guaranteed_share
from motionloom.analysis.oddness._speeds import measure_rates, measure_speeds
from motionloom.analysis.oddness._tracks import ARM, LEG, RATE, Track, make_track
from motionloom.analysis.oddness._turns import fit_turns, measure_turns
from motionloom.analysis.oddness._windows import SPAN, cut_windows, means_around, window_middles
from motionloom.analysis.oddness.captures import deal, group_of
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
    assert fit_tail(scores, least=3.0).rarity(8.0) < tail.rarity(8.0)


def normal_clips(count, checks="abcd", seed=1):
    random = np.random.default_rng(seed)
    return [dict(zip(checks, random.normal(size=len(checks)), strict=True)) for _ in range(count)]


def test_all_checks_together_call_as_many_odd_as_they_should():
    clips = normal_clips(400)
    levels = fit_levels(clips)
    odd = np.mean([levels.oddness(clip) > -np.log10(0.05) for clip in clips])
    assert 0.02 < odd < 0.08
    usual = dict.fromkeys("abcd", 0.0)
    assert levels.oddness(usual | {"c": 6.0}) > 2 > levels.oddness(usual)


def test_a_rare_score_is_no_evidence_below_what_faults_have():
    clips = [{"a": 0.01 * clip["a"]} for clip in normal_clips(100)]
    levels = fit_levels(clips, {"a": Weight(1.0, 5.0)})
    assert levels.oddness({"a": 0.3}) < -np.log10(0.05) < levels.oddness({"a": 2.5})
    assert levels.evidence({"a": 1.0}) == pytest.approx(0.0)


def test_evidence_counts_from_the_captures_where_it_is_beside_them():
    clips = [{"a": clip["a"] + 7.0} for clip in normal_clips(101)]
    middle = float(np.median([clip["a"] for clip in clips]))
    levels = fit_levels(clips, {"a": Weight(2.0, 3.0, beside=True)})
    assert levels.evidence({"a": middle + 2.0}) == pytest.approx(0.0)
    assert levels.evidence({"a": middle + 3.0}) == pytest.approx(3.0)


def test_a_check_that_is_quiet_does_not_hide_another():
    levels = fit_levels(normal_clips(60, "ab"), {n: Weight(1.0, 4.0, fixed=True) for n in "ab"})
    one = levels.evidence({"a": 3.0, "b": -9.0})
    assert one == pytest.approx(8.0, abs=1e-6)
    assert levels.evidence({"a": 3.0, "b": 3.0}) == pytest.approx(8.0 + np.log(2))


def test_what_many_captures_have_is_no_evidence():
    clips = [{"a": 5.0 + clip["a"]} for clip in normal_clips(200)]
    level, fixed = (fit_levels(clips, {"a": Weight(1.0, 9.0, fixed=own)}) for own in (False, True))
    assert level.evidence({"a": 5.5}) < 0 < fixed.evidence({"a": 5.5})
    assert level.evidence({"a": 20.0}) > 9


def test_groups_that_differ_make_odd_what_is_further_away():
    clips = [{"a": clip["a"] - 4 + 3 * (i % 2)} for i, clip in enumerate(normal_clips(80))]
    weights = {"a": Weight(1.0, 2.0)}
    alone, by_two, by_many = (
        fit_levels(clips, weights, groups).odd
        for groups in ([], [str(i % 2) for i in range(80)], [str(i // 8) for i in range(80)])
    )
    assert by_two > alone + 1
    assert by_many < by_two


def test_few_captures_lean_on_what_others_show():
    weights = {"a": Weight(1.0, 4.0)}
    one, many = ([{"a": -5.0 + 1e-3 * i} for i in range(count)] for count in (5, 2000))
    assert fit_levels(one, weights).odd > fit_levels(many, weights).odd + 1


def test_the_guarantee_is_of_groups_not_of_clips():
    groups = ["a"] * 90 + ["b"] * 5 + ["c"] * 5
    odd = [False] * 90 + [True] * 5 + [False] * 5
    assert guaranteed_share(odd, groups) == pytest.approx((0 + 1 + 0 + 1) / 4)
    many = [str(i) for i in range(99)]
    assert guaranteed_share([False] * 99, many) == pytest.approx(0.01)


# --- cues, rates and stillness


def test_cues_change_sign_with_time(track):
    back = Track(track.roles, track.places[::-1], track.trunk[::-1])
    cues = measure_cues(track)
    assert np.allclose(measure_cues(back)[::-1], -cues, atol=1e-9)
    assert np.abs(cues).max() > 0.2
    assert np.abs(cues).max() <= 1.0


def test_rates_grow_as_a_motion_is_faster(track):
    fast = otherwise.faster(track, 2.0)
    slow, quick = (measure_rates(t).mean(axis=0) for t in (track, fast))
    parts = (len(slow) - 2) // 5
    gained = (quick - slow)[2 * parts : 3 * parts]  # how fast, beside how far
    assert np.all(gained > 0.3)
    assert np.median(gained) == pytest.approx(np.log(2), abs=0.3)


@pytest.mark.parametrize("degrees", [0.0, 0.3])
def test_an_arm_that_is_fixed_is_stiller_than_one_that_sways(degrees):
    random = np.random.default_rng(6)
    times = np.arange(150)[:, None, None] / RATE
    sway = np.radians(2.0) * np.sin(2 * np.pi * 0.7 * times + random.uniform(0, 6, (1, 4, 3)))
    rotations = rot.from_rotvec(sway)
    noise = np.radians(degrees) * random.normal(size=(61, 2, 3))
    rotations[60:121, 2:] = rot.multiply(rotations[60, 2:], rot.from_rotvec(noise))
    still = measure_stillness(rotations, [(0, 1), (2, 3)])
    assert still.shape == (150, 2)
    assert 60 < still[:, 1].argmax() < 120
    assert still[:, 1].max() > still[:, 0].max() + 1
    swaying = np.r_[10:45, 135:140]
    assert np.abs(still[swaying, 1] - still[swaying, 0]).max() < 1


def test_means_around_are_plain_means_inside():
    values = np.random.default_rng(7).normal(size=(20, 2))
    means = means_around(values, 5)
    assert np.allclose(means[9], values[7:12].mean(axis=0))
    assert np.allclose(means_around(values, 50), values.mean(axis=0))
    assert means.shape == values.shape


# --- tracks made otherwise


def test_a_track_is_in_leg_lengths_from_the_ground():
    one, twice = (make_track(pose_motion(make_walker(60, fps=fps))) for fps in (30.0, 60.0))
    assert len(one) == 60
    assert np.allclose(one.places[:29], twice.places[:29], atol=0.05)
    assert one.places[..., 1].min() == pytest.approx(0.0, abs=0.05)
    hip, foot = (one.roles.index(f"left_{part}") for part in ("hip", "foot"))
    assert np.linalg.norm(one.places[:, hip] - one.places[:, foot], axis=-1).max() < 1.001


def test_twice_otherwise_is_as_before(track):
    twice = otherwise.mirrored(otherwise.mirrored(track))
    assert np.allclose(twice.places, track.places)
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


@pytest.mark.parametrize(
    "measure", [measure_balance, measure_speeds, measure_rates, measure_cues, cut_windows]
)
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
    pops = model.pops(turns.jumps, np.arange(4))
    frame, joint = np.unravel_index(pops.argmax(), pops.shape)
    assert joint == 2
    assert turns.frame_times[frame] == pytest.approx(50 / 60.0)
    assert pops.max() > 3


def test_noise_and_what_is_filled_in_go_opposite_ways():
    model = fit_turns([measure_turns(bent(240, seed=1), 60.0)])
    usual = measure_turns(bent(240), 60.0)
    noise = rot.from_rotvec(0.005 * np.random.default_rng(3).normal(size=(240, 4, 3)))
    noisy = measure_turns(rot.unroll(rot.multiply(bent(240), noise)), 60.0)
    noise, own = (model.noise_and_smoothness(t)[0] for t in (noisy, usual))
    assert noise.mean() > own.mean() + 3
    filled = bent(240)
    t = np.linspace(0, 1, 61)[:, None]
    filled[60:121] = rot.slerp(filled[60][None], filled[120][None], t)
    turns = measure_turns(rot.unroll(filled), 60.0)
    smooth, own = (model.noise_and_smoothness(t)[1] for t in (turns, usual))
    assert 1.0 < turns.times[smooth.argmax()] < 2.0
    assert smooth.max() > own.max() + 3


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


# --- legs


def make_stepping(n, seed, arms=True):
    """A track of a walk at a changing pace, arms and hips going with the legs."""
    random = np.random.default_rng(seed)
    times = np.arange(n) / RATE
    at = 2 * np.pi * (0.9 * times + 0.1 * np.sin(0.7 * times + random.uniform(0, 6)))
    at += random.uniform(0, 6)
    known = ("hips", *(f"{s}_{p}" for s in ("left", "right") for p in (*ARM, *LEG[:3])))
    roles = tuple(r for r in known if arms or not r.endswith(ARM))
    places = np.zeros((n, len(roles), 3))
    for i, role in enumerate(roles):
        side, _, part = role.partition("_")
        left = {"left": 1.0, "right": -1.0}.get(side, 0.0)
        turned = at + (np.pi if left < 0 else 0.0)
        out, swing = {"hand": (0.3, -0.3), "knee": (0.1, 0.2), "foot": (0.1, 0.5)}.get(
            part, (0.1, -0.1 if part == "elbow" else 0.0)
        )
        lift = 0.1 * np.maximum(np.sin(turned), 0) if part in ("foot", "knee") else 0.0
        height = {"foot": 0.0, "knee": 0.5, "hip": 1.0}.get(part, 1.5 if left else 1.0)
        sway = 0.02 * np.sin(at)
        places[:, i] = np.column_stack(
            [left * out + sway, height + lift + 0 * at, 1.2 * times + swing * np.cos(turned)]
        )
    places += 0.003 * random.normal(size=places.shape)
    yaw = rot.to_matrix(rot.yaw(0.1 * np.cos(at)))
    return Track(roles, places, np.stack([yaw, yaw], axis=1))


@pytest.fixture(scope="module")
def legs():
    sums = [Sums.of(rows_of_legs(make_stepping(150, seed))) for seed in range(6)]
    track = make_stepping(4, 0)
    return fit_legs(sum(sums[1:], sums[0]), sizes_of_legs(track.roles)[1])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("lag", [6, 10, 15])
@pytest.mark.parametrize("seed", [20, 21])
def test_the_leg_that_was_made_late_is_found_and_how_late(legs, side, lag, seed):
    late = otherwise.with_late_limb(make_stepping(180, seed), side, LEG, lag)
    found = find_late_leg(legs, late, 0.0, 6.0)
    assert found.side == side
    assert found.lag == pytest.approx(lag / RATE, abs=0.05)


@pytest.mark.parametrize("seed", [30, 31, 32])
def test_no_leg_is_named_where_none_is_late_or_little_is_seen(legs, seed):
    track = make_stepping(180, seed)
    assert find_late_leg(legs, track, 0.0, 6.0) is None
    late = otherwise.with_late_limb(track, "left", LEG, 10)
    assert find_late_leg(legs, late, 0.0, 0.5) is None
    still = Track(track.roles, np.tile(track.places[:1], (180, 1, 1)), track.trunk)
    assert find_late_leg(legs, still, 0.0, 6.0) is None


def test_left_and_right_legs_are_told_alike(legs):
    track = otherwise.with_late_limb(make_stepping(180, 40), "left", LEG, 9)
    flip = np.diag([-1.0, 1.0, 1.0])
    mirrored = Track(track.roles, otherwise.mirrored(track).places, flip @ track.trunk @ flip)
    one, other = (find_late_leg(legs, t, 0.0, 6.0) for t in (track, mirrored))
    assert (one.side, other.side) == ("left", "right")
    assert one.lag == other.lag
    for (a, b), (c, d) in zip(measure_legs(track), measure_legs(mirrored)[::-1], strict=True):
        assert np.allclose(a, c)
        assert np.allclose(b, d)


def test_a_body_without_two_whole_legs_has_no_late_one():
    track = with_arms(60)
    size = sizes_of_legs(track.roles)
    assert size[1] == 0
    model = fit_legs(Sums.of(rows_of_legs(track)), 0)
    assert find_late_leg(model, track, 0.0, 2.0) is None
