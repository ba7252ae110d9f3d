"""Calibration: known bodies are found again, by each method, and wrong input is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom.errors import FormatError, InvalidInputError
from motionloom.fitting import (
    CalibrationOptions,
    MarkerModel,
    calibrate,
    fit_markers,
    load_marker_model,
    save_marker_model,
)
from motionloom.fitting.calibration._centres import fit_axis, fit_sphere, segment_frames
from motionloom.fitting.calibration._start import choose_frames
from motionloom.fitting.limbs import match_markers
from motionloom.io import load_markers
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom_evaluation.markers.known_truth import LEGS, make_subject
from performed import performer_clips


@pytest.fixture(scope="module")
def subject():
    motion = next(c.motion for c in performer_clips() if c.motion.name == "walk_1.1")
    return make_subject(motion[::2][:120], 1.8, np.random.default_rng(3))


@pytest.fixture(scope="module")
def found(subject):
    return calibrate(subject.markers)


def test_a_known_body_is_found_again(subject, found):
    assert abs(found.size - 1.8) < 0.09
    assert found.rms < 0.008
    rows = {row.name: row.length for row in found.lengths}
    for name in ("left thigh", "left shank"):
        assert rows[name] == pytest.approx(subject.lengths[name], rel=0.06)
    assert found.model.marker_set == "cmu-41"
    assert not found.missing


def test_joint_centres_of_legs_are_near_the_truth(subject):
    fitted = fit_markers(subject.markers)
    pose = forward_kinematics(fitted.motion)
    roles = fitted.model.roles.joints
    errors = [
        np.linalg.norm(pose.positions[:, roles[role]] - subject.centres[role], axis=-1).mean()
        for role in LEGS
    ]
    assert np.mean(errors) < 0.018


def test_both_sides_are_as_long_unless_told(subject, found):
    rows = {row.name: row.length for row in found.lengths}
    assert rows["left thigh"] == pytest.approx(rows["right thigh"], abs=1e-9)
    free = calibrate(subject.markers, CalibrationOptions(symmetric=False))
    rows = {row.name: row.length for row in free.lengths}
    assert abs(rows["left thigh"] - rows["right thigh"]) > 1e-5


def test_confidence_is_of_the_size_of_errors_and_falls_with_markers(subject, found):
    for name, sd in found.confidence.items():
        assert 0.002 < sd < 0.05, name
    valid = subject.markers.valid.copy()
    for label in ("LKNE", "LTHI", "LTIB"):
        valid[:, subject.markers.index(label)] = False
    fewer = calibrate(replace(subject.markers, valid=valid))
    assert fewer.confidence["LeftLeg"] > 1.2 * found.confidence["LeftLeg"]
    assert fewer.confidence["RightHand"] == pytest.approx(found.confidence["RightHand"], rel=0.1)


def test_a_known_stature_is_kept_to(subject):
    assert abs(calibrate(subject.markers, CalibrationOptions(size=1.75)).size - 1.75) < 0.03


@pytest.mark.parametrize("method", ["rule", "functional"])
def test_other_methods_give_models_too(subject, method):
    other = calibrate(subject.markers, CalibrationOptions(method=method))
    assert other.rms < 0.02
    assert not other.confidence
    assert any(row.varies > 0 for row in other.lengths)


def test_a_report_tells_what_is_out_of_range(subject):
    wrong = calibrate(subject.markers, CalibrationOptions(size=2.2))
    assert any(row.out_of_range for row in wrong.lengths)
    assert "out of range" in wrong.to_text()
    assert any(row["out_of_range"] for row in json.loads(wrong.to_json())["lengths"])


def test_a_static_trial_may_have_more_markers(subject):
    still = subject.markers[:1]
    labels = (*still.labels, "LMKNE")
    place = (still.positions[:, [still.index("LKNE")]] + subject.centres["left_knee"][:1, None]) / 2
    more = MarkerSequence(
        labels,
        np.concatenate([still.positions, place], axis=1),
        np.ones((1, len(labels)), bool),
        0.01,
    )
    both = calibrate(subject.markers, static=more)
    assert "LMKNE" in both.model.labels


def test_wrong_options_are_refused(subject):
    for wrong in ({"method": "guess"}, {"size": 5.0}, {"frames": 0}):
        with pytest.raises(InvalidInputError):
            CalibrationOptions(**wrong)
    blind = MarkerSequence(
        subject.markers.labels,
        subject.markers.positions,
        np.zeros_like(subject.markers.valid),
        0.01,
    )
    with pytest.raises(InvalidInputError, match="are ever seen"):
        calibrate(blind)


def test_what_can_be_no_body_is_refused_and_what_looks_wrong_is_said(subject):
    markers = subject.markers
    with pytest.raises(InvalidInputError, match="look at the unit"):
        calibrate(replace(markers, positions=markers.positions * 1000))
    labels = list(markers.labels)
    left = labels.index("LKNE")
    right = labels.index("RKNE")
    labels[left] = "RKNE"
    labels[right] = "LKNE"
    exchanged = calibrate(replace(markers, labels=tuple(labels)))
    assert any(problem.startswith("LKNE lies") for problem in exchanged.problems)
    other = tuple({"L": "R", "R": "L"}.get(x[0], x[0]) + x[1:] for x in markers.labels)
    assert any(
        "exchanged in the labels" in n for n in calibrate(replace(markers, labels=other)).problems
    )
    valid = markers.valid.copy()
    valid[:, [i for i, label in enumerate(markers.labels) if label.endswith("SI")]] = False
    with pytest.raises(InvalidInputError, match="0 markers on the hips are ever seen"):
        calibrate(replace(markers, valid=valid))


def test_a_model_fits_another_trial_under_another_prefix(subject, found):
    labels = tuple(f"Ann:{label}" for label in subject.markers.labels)
    other = MarkerSequence(labels, subject.markers.positions, subject.markers.valid, 1 / 30)
    fitted = fit_markers(other, model=found.model)
    assert fitted.calibration is None
    assert fitted.tracked.rms < 0.01
    with pytest.raises(InvalidInputError, match="not both"):
        fit_markers(other, model=found.model, static=other)


def test_where_nothing_is_seen_at_the_ends_the_body_stays(subject, found):
    valid = subject.markers.valid.copy()
    valid[:40] = False
    valid[100:] = False
    part = fit_markers(replace(subject.markers, valid=valid), model=found.model)
    told = np.flatnonzero(part.tracked.observed[:, 0])
    assert 35 < told[0] < 50
    for joint in range(part.motion.skeleton.n_joints):
        seen = np.flatnonzero(part.tracked.observed[:, joint])
        if len(seen):
            first = part.motion.rotations[seen[0], joint]
            np.testing.assert_array_equal(
                part.motion.rotations[: seen[0], joint].T, np.tile(first, (seen[0], 1)).T
            )
    assert np.ptp(part.motion.translations[: told[0] + 1], axis=0).max() == 0


def test_markers_are_matched_by_label(found, subject):
    few = MarkerSequence(("LKNE", "C7"), np.zeros((1, 2, 3)), np.ones((1, 2), bool), 0.01)
    with pytest.raises(InvalidInputError, match="has 2 of the model's 41"):
        match_markers(found.model, few)
    matched = match_markers(found.model, subject.markers)
    assert matched.labels == found.model.labels


def test_a_model_is_kept_on_disk_and_damage_is_told(found, tmp_path):
    path = tmp_path / "model.npz"
    save_marker_model(found.model, path)
    again = load_marker_model(path)
    for name in ("offsets", "joints", "scatter", "spread"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found.model, name))
    assert again.labels == found.model.labels
    assert again.skeleton.matches(found.model.skeleton)
    assert again.roles.joints == found.model.roles.joints
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(FormatError, match="not a marker model"):
        load_marker_model(path)
    with pytest.raises(FormatError, match="no such file; calibrate"):
        load_marker_model(tmp_path / "none.npz")


def test_a_model_refuses_what_cannot_be(found):
    model = found.model
    with pytest.raises(InvalidInputError, match="joints of the skeleton"):
        MarkerModel(model.skeleton, model.roles, ("A",), [99], np.zeros((1, 3)), np.ones(1))
    with pytest.raises(InvalidInputError, match="spread"):
        MarkerModel(
            model.skeleton, model.roles, ("A",), [0], np.zeros((1, 3)), np.ones(1), spread=[[1]]
        )


def test_spheres_and_axes_that_points_move_on_are_found():
    rng = np.random.default_rng(0)
    center = np.array([0.1, -0.2, 0.05])
    turns = Rotation.from_rotvec(rng.normal(0, 0.4, (50, 3)))
    arms = np.array([[0.0, -0.3, 0.05], [0.05, -0.2, 0.0]])
    points = center + np.stack([turns.apply(arm) for arm in arms], axis=1)
    seen = np.ones(points.shape[:2], bool)
    np.testing.assert_allclose(fit_sphere(points, seen), center, atol=1e-9)
    axis = np.array([0.6, 0.0, 0.8])
    hinge = Rotation.from_rotvec(rng.uniform(0, 1.2, (50, 1)) * axis)
    points = center + np.stack([hinge.apply(arm) for arm in arms], axis=1)
    at, along = fit_axis(points, seen)
    assert abs(along @ axis) == pytest.approx(1, abs=1e-9)
    away = (center - at) - ((center - at) @ axis) * axis
    np.testing.assert_allclose(away, 0, atol=1e-9)
    assert fit_sphere(points[:3], seen[:3]) is None


def test_frames_of_a_rigid_group():
    rng = np.random.default_rng(1)
    shape = rng.normal(size=(4, 3))
    turns = Rotation.from_rotvec(rng.normal(size=(12, 3)))
    points = np.stack([turn.apply(shape) for turn in turns]) + rng.normal(size=(12, 1, 3))
    known = np.ones((12, 4), bool)
    known[5, 2] = False
    found, _ = segment_frames(points, known)
    expected = (turns * turns[0].inv()).as_matrix()
    keep = np.arange(12) != 5
    np.testing.assert_allclose(found[keep], expected[keep], atol=1e-9)
    assert np.isnan(found[5]).all()
    line = np.outer(np.arange(4), [1.0, 0, 0]) + np.zeros((12, 1, 1))
    assert segment_frames(line, np.ones((12, 4), bool)) is None


def test_chosen_frames_differ_and_are_well_seen():
    rng = np.random.default_rng(2)
    pose = rng.normal(size=(6, 3))
    positions = np.tile(pose, (100, 1, 1)) + rng.normal(
        size=(100, 1, 3)
    )  # the same pose, elsewhere
    positions[70] += rng.normal(size=(6, 3))
    seen = np.ones((100, 6), bool)
    seen[:20, :4] = False
    frames = choose_frames(positions, seen, 2)
    assert 70 in frames
    assert frames.min() >= 20


@pytest.mark.parametrize(
    ("file", "limit"),
    [("cmu_c3d/02_01.c3d", 0.008), ("markers/opencap_subject4/walking1.trc", 0.012)],
)
def test_real_trials_lie_near_their_models(shared_data, file, limit):
    fitted = fit_markers(load_markers(shared_data / file))
    assert fitted.tracked.rms < limit
    assert 1.5 < fitted.calibration.size < 1.95


def test_a_fitted_motion_is_taken_by_what_weaves_and_weighs_motions(subject, found):
    from motionloom.clips import analyse_clips, make_clip_set
    from motionloom.kinematics import center_of_mass

    motion = fit_markers(subject.markers, model=found.model).motion
    clips = make_clip_set([motion])
    assert clips.roles.joints == found.model.roles.joints
    down = analyse_clips(clips).contacts
    assert down is not None
    pose = forward_kinematics(motion)
    height = center_of_mass(pose.positions, found.model.roles)[:, 1]
    assert np.all((height > 0.5 * 1.8) & (height < 0.65 * 1.8))
