"""Subjects and dogs of known truth, angles beside references."""

import numpy as np
import pytest

from motionloom.io import load_motion
from motionloom.kinematics import forward_kinematics
from motionloom.roles import find_roles
from motionloom_evaluation.markers.angles import compare, flexion
from motionloom_evaluation.markers.known_truth import CENTRES, lengths_between, make_subject
from motionloom_evaluation.markers.trials import TrialRow, find_pairs
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    motion = next(c.motion for c in performer_clips() if c.motion.name == "walk_1.1")
    return motion[::3]


def test_a_subject_has_the_stature_and_centres_that_it_says(walk):
    subject = make_subject(walk, 1.9, np.random.default_rng(0))
    legs = subject.lengths["left thigh"] + subject.lengths["left shank"]
    assert legs == pytest.approx(1.9 * 0.491, rel=0.1)
    roles = find_roles(subject.motion.skeleton)
    pose = forward_kinematics(subject.motion)
    for role in CENTRES:
        np.testing.assert_array_equal(subject.centres[role], pose.positions[:, roles.joints[role]])
    assert len(subject.markers.labels) == 41


def test_skin_moves_markers_as_much_as_told(walk):
    still = make_subject(walk, 1.7, np.random.default_rng(1), soft_tissue=0.0)
    moving = make_subject(walk, 1.7, np.random.default_rng(1), soft_tissue=0.005)
    apart = np.linalg.norm(still.markers.positions - moving.markers.positions, axis=-1)
    assert np.sqrt(np.mean(apart**2)) == pytest.approx(0.005, rel=0.2)


def test_the_same_seed_gives_the_same_subject(walk):
    one, two = (make_subject(walk, 1.7, np.random.default_rng(2)) for _ in range(2))
    np.testing.assert_array_equal(one.markers.positions, two.markers.positions)


def test_left_and_right_segments_are_as_long(walk):
    subject = make_subject(walk, 1.7, np.random.default_rng(3))
    lengths = lengths_between(subject.centres)
    for name in ("thigh", "shank", "upper arm", "forearm"):
        assert lengths[f"left {name}"] == pytest.approx(lengths[f"right {name}"], rel=1e-3)


def test_angles_are_compared_without_their_mean_difference():
    t = np.linspace(0, 6, 50)
    ours = {"left knee": 30 * np.sin(t), "left hip": 20 * np.cos(t)}
    theirs = {"left knee": -30 * np.sin(t) + 4, "left hip": 20 * np.cos(t) + 7, "x": t}
    found = {a.name: a for a in compare(ours, theirs)}
    assert set(found) == {"left knee", "left hip"}
    assert found["left knee"].rms == pytest.approx(0, abs=1e-9)  # bends negatively there
    assert found["left hip"].rms == pytest.approx(0, abs=1e-9)
    assert found["left hip"].offset == pytest.approx(-7)


def test_knees_of_a_walk_bend_forward_hips_swing_both_ways(walk):
    angles = flexion(walk, find_roles(walk.skeleton))
    assert angles["left knee"].min() > -5
    assert 40 < angles["left knee"].max() < 90
    assert angles["left hip"].min() < 0 < angles["left hip"].max()


def test_pairs_differ_in_the_last_word_only():
    told = {"left knee": np.zeros(3)}
    rows = [
        TrialRow(f"/a/{name}.c3d", frames=n, flexion=told)
        for name, n in (("walk-1-vicon", 3), ("walk-1-suit", 3), ("walk-2-suit", 3), ("run", 3))
    ]
    assert [(a.name, b.name) for a, b in find_pairs(rows)] == [("walk-1-vicon", "walk-1-suit")]


def test_a_dog_is_fitted_near_its_own_skeleton(shared_data):
    from motionloom_evaluation.markers.dog import is_dog, make_dog
    from motionloom_evaluation.markers.dog_errors import evaluate_dog

    motion = load_motion(sorted((shared_data / "dog").glob("*.bvh"))[0])
    assert is_dog(motion)
    row = evaluate_dog(make_dog(motion[::4], np.random.default_rng(0)))
    assert np.mean(list(row.joints.values())) < 0.03


@pytest.mark.slow
def test_joint_centres_and_lengths_are_found_as_well_as_the_documents_say(shared_data):
    from motionloom_evaluation.markers.truth import evaluate_truth, make_subjects

    motions = [load_motion(path) for path in sorted((shared_data / "cmu_asf_amc/16").glob("*.amc"))]
    rows = evaluate_truth(make_subjects(motions, 20, seed=0))
    own = [row for row in rows if row.method == "joint"]
    assert np.mean([row.mean for row in own]) < 0.018
    assert np.mean([row.length for row in own]) < 0.02
    others = [row for row in rows if row.method != "joint"]
    assert np.mean([row.mean for row in own]) < np.mean([row.mean for row in others])


@pytest.mark.parametrize("name", ["pi", "si", "vr"])
def test_clusters_whose_labels_say_no_place_are_refused_in_a_sentence(shared_data, name):
    from motionloom_evaluation.markers.trials import evaluate_trials

    (row,) = evaluate_trials([str(shared_data / f"odd/Eb015{name}.c3d")])
    assert "markers on the hips are too few" in row.refused
    assert "of no place that is known are " in row.refused
    assert "a table with a line" in row.refused
