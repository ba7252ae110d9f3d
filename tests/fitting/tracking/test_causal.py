"""Following a body frame by frame, with known truth and known damage."""

from dataclasses import replace

import numpy as np
import pytest

from marked_bodies import BODY, joints_apart, performer_model, trial, walk
from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.fitting.tracking import MarkerTracker, follow
from motionloom.kinematics import forward_kinematics

MODEL = performer_model()
LABELS = list(MODEL.labels)


def followed(markers, model=MODEL):
    """Every pose of a trial."""
    tracker = MarkerTracker(model, markers.frame_time)
    return [tracker.update(p, v) for p, v in zip(markers.positions, markers.valid, strict=True)]


def without(markers, labels, first, stop):
    """The trial with some markers gone for some frames."""
    valid = markers.valid.copy()
    valid[first:stop, [LABELS.index(label) for label in labels]] = False
    return replace(markers, valid=valid)


def own_markers(joint):
    """Labels of the markers on a joint."""
    at = MODEL.joints == MODEL.skeleton.index(joint)
    return [label for label, here in zip(LABELS, at, strict=True) if here]


def worst(markers, frames=slice(None)):
    """Largest distance of a joint from the truth, centimetres."""
    return 100 * joints_apart(follow(MODEL, markers).motion, walk())[frames].max()


def test_a_walk_is_found_within_millimetres():
    assert worst(trial()) < 0.5


def test_a_body_is_found_from_one_frame_wherever_it_stands_and_faces():
    markers = trial()
    turned = rot.rotate(rot.from_rotvec([0.1, 2.5, -0.2]), markers.positions[40])
    turned += np.array([5.0, 0.3, -7.0])
    pose = MarkerTracker(MODEL, 0.01).update(turned, markers.valid[40])
    assert pose.started
    assert np.linalg.norm(pose.residuals, axis=1).max() < 0.01
    assert pose.trusted.all()


def test_before_enough_markers_are_seen_there_is_no_body():
    markers = trial()
    valid = markers.valid[0].copy()
    valid[20:] = False
    tracker = MarkerTracker(MODEL, 0.01)
    pose = tracker.update(markers.positions[0], valid)
    assert not pose.started
    assert not pose.observable.any()
    assert np.isnan(pose.residuals).all()
    assert tracker.update(markers.positions[1], markers.valid[1]).started


def test_positions_that_are_no_numbers_are_not_seen():
    markers = trial()
    places = markers.positions[0].copy()
    places[3] = np.nan
    pose = MarkerTracker(MODEL, 0.01).update(places, markers.valid[0])
    assert not pose.trusted[3]
    assert np.isfinite(pose.rotations).all()


def test_markers_that_are_gone_for_a_while_do_not_move_the_body():
    gone = ["LFHD", "RTHI", "LKNE", "RELB", "CLAV"]
    found = follow(MODEL, without(trial(), gone, 50, 200))
    apart = joints_apart(found.motion, walk())[50:200]
    assert apart.mean() < 0.002
    assert apart.max() < 0.02


def test_a_marker_lost_for_good_does_not_break_the_body():
    assert worst(without(trial(), ["RKNE"], 0, 250)) < 1.0


def test_a_segment_whose_markers_are_gone_is_masked_and_found_again():
    gone = own_markers("RightHand")
    poses = followed(without(trial(), gone, 50, 150))
    hand = MODEL.skeleton.index("RightHand")
    observable = np.array([pose.observable[hand] for pose in poses])
    assert observable[:50].all()
    assert not observable[65:150].any()
    assert observable[160:].all()
    other = MODEL.skeleton.index("LeftLeg")
    assert all(pose.observable[other] for pose in poses)


def test_exchanged_labels_are_put_right():
    markers = trial()
    places = markers.positions.copy()
    a, b = LABELS.index("LKNE"), LABELS.index("RANK")
    places[60:100, [a, b]] = places[60:100, [b, a]]
    poses = followed(replace(markers, positions=places))
    sources = np.array([pose.sources for pose in poses])
    assert (sources[60:100, a] == b).all()
    assert (sources[60:100, b] == a).all()
    own = np.arange(len(LABELS))
    assert (sources[:60] == own).all()
    assert (sources[100:] == own).all()
    assert worst(replace(markers, positions=places)) < 0.5


def test_a_marker_that_jumps_is_left_out_until_it_is_back():
    markers = trial()
    places = markers.positions.copy()
    m = LABELS.index("RELB")
    places[80:110, m] += [0.0, 0.08, 0.05]
    poses = followed(replace(markers, positions=places))
    trusted = np.array([pose.trusted[m] for pose in poses])
    assert not trusted[80:110].any()
    assert trusted[:80].all()
    assert trusted[111:].all()
    assert worst(replace(markers, positions=places)) < 2.0


def test_a_body_that_is_carried_away_is_found_anew():
    markers = trial()
    places = markers.positions.copy()
    places[100:] = rot.rotate(rot.yaw(2.0), places[100:]) + np.array([3.0, 0.0, 0.0])
    poses = followed(replace(markers, positions=places))
    assert poses[-1].trusted.all()
    assert np.linalg.norm(poses[-1].residuals, axis=1).max() < 0.01


def test_nothing_grows_from_frame_to_frame():
    markers = trial()
    tracker = MarkerTracker(MODEL, markers.frame_time)
    held = [*tracker._state, *tracker._work]
    sizes = [array.nbytes for array in held]
    for p, v in zip(markers.positions[:20], markers.valid[:20], strict=True):
        tracker.update(p, v)
    after = [*tracker._state, *tracker._work]
    assert all(a is b for a, b in zip(held, after, strict=True))
    assert [array.nbytes for array in after] == sizes


def test_joints_that_never_turn_keep_their_rest_and_are_told_with_what_carries_them():
    spread = np.full((MODEL.skeleton.n_joints, 3), np.inf)
    neck = MODEL.skeleton.index("Neck")
    spread[neck] = 0.0
    model = replace(MODEL, spread=spread)
    poses = followed(trial()[:10], model)
    assert all(tuple(pose.rotations[neck]) == (1.0, 0.0, 0.0, 0.0) for pose in poses)
    assert poses[-1].observable[neck]


def test_a_frame_of_another_size_is_refused():
    with pytest.raises(InvalidInputError, match=r"41 markers of 3 coordinates, got \(40, 3\)"):
        MarkerTracker(MODEL, 0.01).update(np.zeros((40, 3)), np.ones(41, bool))


@pytest.mark.parametrize("frame_time", [0.0, -1.0, np.nan, 30.0])
def test_a_frame_time_must_be_seconds(frame_time):
    with pytest.raises(InvalidInputError, match="seconds between frames"):
        MarkerTracker(MODEL, frame_time)


def test_a_body_needs_three_markers():
    two = replace(
        MODEL,
        labels=MODEL.labels[:2],
        joints=MODEL.joints[:2],
        offsets=MODEL.offsets[:2],
        scatter=MODEL.scatter[:2],
    )
    with pytest.raises(InvalidInputError, match="at least 3 markers"):
        MarkerTracker(two, 0.01)


def test_residuals_lead_from_the_body_to_the_markers():
    markers = trial()
    poses = followed(markers)
    m = LABELS.index("LTOE")
    motion = walk()
    places = forward_kinematics(motion)
    joint = MODEL.joints[m]
    truth = places.positions[-1, joint] + rot.rotate(places.rotations[-1, joint], MODEL.offsets[m])
    np.testing.assert_allclose(markers.positions[-1, m], truth, atol=1e-9)
    assert np.linalg.norm(poses[-1].residuals[m]) < 0.005
    assert BODY.skeleton is MODEL.skeleton
