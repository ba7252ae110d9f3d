"""Whole takes as a mean and eigen-motions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError, UnknownNameError
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion
from motionloom.skeleton import Skeleton
from motionloom.spaces.motion_space import (
    KeyRule,
    Keys,
    MotionSpaceOptions,
    build_motion_space,
    cut_strokes,
    find_keys,
    guess_rule,
    load_motion_space,
    save_motion_space,
)
from motionloom.spaces.motion_space._key_files import read_key_file
from motionloom.spaces.motion_space.learning import lever_scale
from motionloom.spaces.motion_space.takes import fit_timing, normalise_takes, warp
from reaches import RULE, reach_keys, reach_space, reach_takes


def normalised():
    return normalise_takes(reach_takes(), reach_keys())


def test_eigen_motions_are_those_of_scikit_learn():
    decomposition = pytest.importorskip("sklearn.decomposition")
    space = reach_space()
    rows = normalised().rows
    scale = np.tile(space.scale, space.n_frames)
    oracle = decomposition.PCA(space.n_components, svd_solver="full")
    scores = oracle.fit_transform(rows.reshape(len(rows), -1) * scale)
    assert_allclose(space.sigmas**2, oracle.explained_variance_, rtol=1e-8)
    assert_allclose(space.energy[-1], 1.0)
    own = (space.components * space.scale).reshape(space.n_components, -1)
    assert_allclose(np.abs((own * oracle.components_).sum(axis=1)), 1.0, atol=1e-8)
    assert_allclose(
        np.abs(space.transform(rows)), np.abs(scores) / np.sqrt(oracle.explained_variance_),
        atol=1e-6,
    )  # fmt: skip


def test_takes_have_unit_deviations_and_come_back_from_their_coefficients():
    space = reach_space()
    rows = normalised().rows
    assert space.n_components == len(rows) - 1
    assert_allclose(space.coefficients.mean(axis=0), 0.0, atol=1e-9)
    assert_allclose(space.coefficients.std(axis=0, ddof=1), 1.0)
    assert_allclose(space.inverse_transform(space.transform(rows)), rows, atol=1e-8)


def test_eigen_poses_are_slices_of_whole_motions():
    space = reach_space()
    own = np.linspace(-1, 1, space.n_components)
    whole = space.inverse_transform(own)
    for frame in (0, "hold", space.n_frames - 1):
        at = int(space.frame_of(frame))
        assert_allclose(space.eigen_poses(frame).to_coordinates(own), whole[at], atol=1e-12)
    between = space.eigen_poses(10.25).to_coordinates(own)
    assert_allclose(between, 0.75 * whole[10] + 0.25 * whole[11], atol=1e-12)


def test_eigen_poses_are_the_slope_of_places():
    """Jacobian of a hand in the coefficients against finite differences."""
    from motionloom.jacobians import compute_world_axes

    space = reach_space()
    hand = space.roles.joints["right_hand"]
    poses = space.eigen_poses("hold")
    own = np.linspace(0.5, -0.5, space.n_components)

    def place(c):
        return compute_world_axes(space.coordinates, poses.to_coordinates(c)[None]).positions[
            0, hand
        ]

    axes = compute_world_axes(space.coordinates, poses.to_coordinates(own)[None])
    slope = poses.pull_back(axes.position_jacobian(hand)[0])
    step = 1e-6
    differences = [
        (place(own + step * e) - place(own - step * e)) / (2 * step)
        for e in np.eye(space.n_components)
    ]
    assert_allclose(slope, np.array(differences).T, atol=1e-8)


def test_noise_is_what_is_left_out_and_coefficients_are_the_likeliest():
    takes = reach_takes(6)
    keys = reach_keys(6)
    options = MotionSpaceOptions(kind="ppca", components=2, n_frames=len(keys.names))
    space = build_motion_space(takes, keys, options)
    size = space.mean.size
    assert_allclose(space.noise_variance, space.spectrum[2:].sum() / (size - 2))
    assert_allclose(space.sigmas**2 + space.noise_variance, space.spectrum[:2])
    scale = np.tile(space.scale, space.n_frames)
    loadings = (space.components * space.scale).reshape(2, -1).T * space.sigmas
    rows = space.mean + 0.01 * np.random.default_rng(0).normal(size=(3, *space.mean.shape))
    away = (rows - space.mean).reshape(3, -1) * scale
    posterior = np.linalg.inv(loadings.T @ loadings + space.noise_variance * np.eye(2))
    assert_allclose(space.transform(rows), away @ loadings @ posterior, atol=1e-10)


def test_where_takes_were_captured_does_not_count():
    takes = reach_takes()
    moved = [
        take.transformed(GroundTransform(0.7 * i, 1.3 * i, -2.0)) for i, take in enumerate(takes)
    ]
    here = reach_space()
    there = build_motion_space(moved, reach_keys())
    assert_allclose(there.spectrum, here.spectrum, rtol=1e-6)
    left = build_motion_space(moved, reach_keys(), MotionSpaceOptions(align=False))
    assert left.spectrum[0] > 100 * here.spectrum[0]


def test_rotation_vectors_of_all_takes_are_on_one_branch():
    """A joint that is turned by half a turn, a little more or less, in every take."""
    takes = reach_takes()
    joint = takes[0].skeleton.index("LeftLeg")
    rng = np.random.default_rng(1)
    turned = []
    for take in takes:
        half = rot.from_rotvec([0.0, 0.0, np.pi + rng.uniform(-0.2, 0.2)])
        turns = take.rotations.copy()
        turns[:, joint] = rot.multiply(turns[:, joint], half)
        turned.append(replace(take, rotations=turns * rng.choice([-1.0, 1.0])))
    rows = normalise_takes(turned, reach_keys()).rows
    assert np.ptp(rows, axis=0).max() < 1.5


def test_bodies_of_another_size_stand_on_the_same_ground():
    takes = list(reach_takes())
    small = takes[3].skeleton
    shrunk = Skeleton(
        small.names, small.parents, 0.9 * small.offsets, small.end_parents, 0.9 * small.end_offsets
    )
    takes[3] = replace(takes[3], skeleton=shrunk, translations=0.9 * takes[3].translations)
    space = build_motion_space(takes, reach_keys())
    assert_allclose(space.spectrum, reach_space().spectrum, rtol=1e-9)


def test_a_number_counts_by_how_far_it_moves_the_joints():
    space = reach_space()
    names = space.coordinates.names
    poses = space.mean[:1]
    scale = lever_scale(space.coordinates, poses)
    assert_allclose(scale[: names.index("Hips.vx")], 1.0)  # the whole body, metre by metre
    step = 1e-5
    column = names.index("RightArm.vx")
    before, after = (
        pose_motion(space.coordinates.to_motion(poses + s * np.eye(len(names))[column], 1.0))
        for s in (-step, step)
    )
    points = [np.concatenate([p.positions[0], p.end_sites[0]]) for p in (before, after)]
    speed = (points[1] - points[0]) / (2 * step)
    assert_allclose(scale[column], np.sqrt((speed**2).sum(axis=1).mean()), rtol=1e-5)


def test_the_mean_motion_lasts_as_long_as_takes_do():
    space = reach_space()
    spans = space.timing.takes
    motion = space.to_motion(np.zeros(space.n_components))
    assert abs(motion.duration - np.exp(np.log(spans).mean(axis=0)).sum()) <= motion.frame_time
    assert space.to_motion(np.zeros(space.n_components), 3.0).duration == pytest.approx(3.0)


def test_edited_moments_fall_on_whole_frames():
    space = reach_space()
    own = np.linspace(1, -1, space.n_components)
    frames = space.shown_frames(own, None, 1 / 30, (20.4, 31.0))
    assert {20.4, 31.0, 0.0, space.n_frames - 1.0} <= set(np.round(frames, 9))
    assert (np.diff(frames) > 0).all()


def test_spans_are_predicted_where_motions_tell_them():
    rng = np.random.default_rng(0)
    coefficients = rng.normal(size=(20, 5))
    spans = np.exp(0.2 * coefficients[:, :1] + [[-1.0]])
    told = fit_timing(np.array([0, 9]), spans, coefficients)
    assert_allclose(told.spans(coefficients), spans, rtol=0.02)
    assert told.error[0] < 0.02
    # Where nothing tells them, the mean is as good as it gets.
    many = rng.normal(size=(400, 5))
    told = fit_timing(np.array([0, 9]), np.exp(rng.normal(size=(400, 1))), many)
    assert np.linalg.norm(told.slopes) < 0.2


def test_times_between_key_postures_are_smooth_and_ascend():
    at, values = np.array([0.0, 10, 30, 40]), np.array([0.0, 0.2, 1.0, 1.1])
    wanted = np.linspace(0, 40, 200)
    found = warp(at, values, wanted)
    assert_allclose(warp(at, values, at), values)
    assert (np.diff(found) > 0).all()


def test_a_hold_is_found_between_frames():
    """The hand is where the performer is told to hold it, and when."""
    keys = reach_keys()
    assert keys.names == ("start", "leave", "up", "hold", "down", "back", "end")
    for take, times in zip(reach_takes(), keys.times, strict=True):
        hand = pose_motion(take).positions[:, take.skeleton.index("RightHand")]
        held = hand[round(times[3] * take.fps)]
        far = np.linalg.norm(hand - hand[0], axis=1)
        assert np.linalg.norm(held - hand[0]) > 0.99 * far.max()
    # Twice as many frames show the same moments.
    twice = [take.resample(take.frame_time / 2) for take in reach_takes()]
    assert_allclose(find_keys(twice, RULE).times, keys.times, atol=0.01)


def test_the_fastest_moment_is_found_between_frames():
    takes = reach_takes()
    keys = find_keys(takes, KeyRule("speed", "right_hand"))
    halves = find_keys(takes, KeyRule("extremes", "right_hand"))
    assert keys.names == ("start", "fastest", "end")
    assert_allclose(halves.times[:, 2], keys.times[:, 1])
    twice = [take.resample(take.frame_time / 2) for take in takes]
    assert_allclose(find_keys(twice, KeyRule("speed", "right_hand")).times, keys.times, atol=0.04)


def test_key_postures_are_guessed_by_what_moves_most():
    assert guess_rule(reach_takes()) == RULE


def test_recordings_are_cut_at_strokes():
    from motionloom.motion import concatenate

    three = concatenate([replace(take, name="three") for take in reach_takes()[:3]])
    found = cut_strokes(three, "right_hand", before=0.5, after=1.45, share=0.5)
    assert [m.name for m in found] == ["three#1", "three#2", "three#3"]
    assert {m.n_frames for m in found} == {60}


def test_stored_models_are_the_same(tmp_path):
    space = reach_space("ppca", 4)
    save_motion_space(space, tmp_path / "a.npz")
    again = load_motion_space(tmp_path / "a.npz")
    for name in ("mean", "components", "sigmas", "scale", "coefficients", "spectrum"):
        assert np.array_equal(getattr(again, name), getattr(space, name))
    assert (again.kind, again.key_names, again.names) == (space.kind, space.key_names, space.names)
    own = np.linspace(-1, 1, 4)
    a, b = space.to_motion(own), again.to_motion(own)
    assert np.array_equal(a.rotations, b.rotations)
    save_motion_space(again, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_what_is_no_model_is_refused(tmp_path):
    file = tmp_path / "m.npz"
    with pytest.raises(FormatError, match="no such file; fit one with"):
        load_motion_space(file)
    np.savez(file, head=np.array("{}"))
    with pytest.raises(FormatError, match="not a motion model"):
        load_motion_space(file)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda takes, keys: (takes[:2], keys.of(range(2))), "at least 3 takes"),
        (lambda takes, keys: (takes, keys.of(range(4))), "key postures of 4"),
        (lambda takes, keys: ((*takes[:9], takes[9].cut(0, 20)), keys), "lasts 0.633 s"),
        (
            lambda takes, keys: ((*takes[:9], without_joint(takes[9])), keys),
            "only one of them has Head",
        ),
        (lambda takes, keys: ([takes[0]] * 4, Keys(keys.names, keys.times[:1].repeat(4, 0))),
         "do not differ"),
        (lambda takes, keys: (rounded(takes[0]), Keys(keys.names, keys.times[:1].repeat(4, 0))),
         "do not differ"),
    ],
)  # fmt: skip
def test_takes_that_make_no_model_are_refused_in_one_sentence(change, told):
    takes, keys = change(reach_takes(), reach_keys())
    with pytest.raises(InvalidInputError, match=told):
        build_motion_space(takes, keys)


def rounded(take):
    """A take four times, as files of eight to eleven decimals would give it."""
    return [replace(take, translations=take.translations.round(8 + i)) for i in range(4)]


def without_joint(motion):
    """The same without its last leaf, the head."""
    skeleton = motion.skeleton
    drop = skeleton.index("Head")
    keep = [j for j in range(skeleton.n_joints) if j != drop]
    parents = [keep.index(p) if p >= 0 else -1 for p in skeleton.parents[keep]]
    bare = Skeleton(
        tuple(skeleton.names[j] for j in keep), np.array(parents), skeleton.offsets[keep]
    )
    return replace(motion, skeleton=bare, rotations=motion.rotations[:, keep])


def test_few_takes_and_too_many_components_are_told():
    takes, keys = reach_takes(), reach_keys()
    few = build_motion_space(takes[:5], keys.of(range(5)))
    assert "only 5 takes" in few.notes[0]
    with pytest.raises(InvalidInputError, match="10 takes allow 1 to 9 eigen-motions"):
        build_motion_space(takes, keys, MotionSpaceOptions(components=12))
    most = build_motion_space(takes, keys, MotionSpaceOptions(components=0.9))
    assert most.energy[most.n_components - 1] >= 0.9 > most.energy[most.n_components - 2]


def test_a_take_cut_short_is_told():
    takes, keys = reach_takes(), reach_keys()
    assert not any("longer" in note for note in build_motion_space(takes, keys).notes)
    stub = replace(takes[3].cut(0, 20), name="stub")
    times = keys.times.copy()
    times[3] = np.linspace(0.0, stub.duration, len(keys.names))
    space = build_motion_space((*takes[:3], stub, *takes[4:]), Keys(keys.names, times))
    assert any("stub (0.63 s): much shorter or longer" in note for note in space.notes)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_take_of_hardly_any_frames_is_named(count, tmp_path):
    stub = replace(reach_takes()[0][:count], name="stub")
    takes = (*reach_takes()[:3], stub)
    file = tmp_path / "keys.yaml"
    file.write_text("find: {kind: speed, joint: right_hand}\ncut: {joint: right_hand}\n")
    for look in (guess_rule, lambda t: find_keys(t, RULE), read_key_file(file).takes_of):
        with pytest.raises(InvalidInputError, match=f"stub has {count} frames, a take needs"):
            look(takes)


def test_cuts_longer_than_every_recording_are_refused(tmp_path):
    file = tmp_path / "keys.yaml"
    file.write_text(
        "find: {kind: speed, joint: right_hand}\ncut: {joint: right_hand, before: 99}\n"
    )
    with pytest.raises(InvalidInputError, match=r"cut: reach_0 and 1 more shows no stroke"):
        read_key_file(file).takes_of(reach_takes()[:2])


def test_frames_and_key_postures_that_there_are_not():
    space = reach_space()
    with pytest.raises(UnknownNameError, match="there are: start, leave"):
        space.frame_of("impact")
    with pytest.raises(InvalidInputError, match="has frames 0 to"):
        space.frame_of(space.n_frames)


def test_key_files(tmp_path):
    file = tmp_path / "keys.yaml"
    keys = reach_keys()
    rows = "\n".join(
        f"  {take.name}: {times.tolist()}"
        for take, times in zip(reach_takes(), keys.times, strict=True)
    )
    file.write_text(f"keys: [{', '.join(keys.names)}]\ntakes:\n{rows}\n")
    assert_allclose(read_key_file(file).keys_of(reach_takes()).times, keys.times)
    file.write_text("find: {kind: hold, joint: right_hand}\n")
    assert_allclose(read_key_file(file).keys_of(reach_takes()).times, keys.times)
    file.write_text("keys: [a, b]\ntakes:\n  reach_0: [0, 1]\n")
    with pytest.raises(InvalidInputError, match="no key postures of the take 'reach_1'"):
        read_key_file(file).keys_of(reach_takes()[:2])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("duration: 3", "expected 'keys' and 'takes', or 'find'"),
        ("keys: 3\ntakes: {a: [0]}", ":1: keys: expected a list of names"),
        ("keys: [a, b]\ntakes:\n  x: [1, 0]", ":3: takes: expected 2 ascending times"),
        ("keys: [a, b]\ntakes:\n  x: [0, .inf]", ":3: takes: expected 2 ascending times"),
        ("keys: [a, b]\ntakes:\n  x: [0, .nan]", ":3: takes: expected 2 ascending times"),
        ("keys: []\ntakes:\n  x: []", ":1: keys: expected a list of names, two or more"),
        ("keys: [a, a]\ntakes:\n  x: [0, 1]", ":1: keys: expected a list of names, two or more"),
        ("find: {kind: hold, joint: hips}\nkeys: [a, b]\ntakes: {x: [0, 1]}", "got both"),
        ("find: {kind: hold, joint: hips}\ncut: {joint: hips, after: .inf}", ":2: cut: expected"),
        ("find: {kind: jump, joint: hips}", ":1: find: key postures are found by"),
        ("find: {kind: hold, joint: hips, share: 2}", "share must be between 0.5 and 1"),
        ("find: {kind: hold, joint: hips}\ncut: {joint: hips, before: -1}", ":2: cut: expected"),
    ],
)
def test_key_files_that_cannot_be_read(text, told, tmp_path):
    file = tmp_path / "keys.yaml"
    file.write_text(text)
    with pytest.raises(FormatError, match=told):
        read_key_file(file)


def test_keys_in_another_order_are_refused():
    with pytest.raises(InvalidInputError, match=r"'up' is at 0\.6 s and 'down' at 0\.5 s"):
        Keys(("up", "down"), np.array([[0.6, 0.5]]))
    with pytest.raises(InvalidInputError, match="'down' of take 0 is at inf s"):
        Keys(("up", "down"), np.array([[0.6, np.inf]]))
