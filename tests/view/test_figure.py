"""What is drawn: bones and sides of real and made skeletons, contacts by name, marker gaps."""

import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton
from motionloom.view.figure import LEFT, MIDDLE, RIGHT, build_figure, build_figures


def test_sides_follow_the_limbs(walker):
    figure = build_figure(walker)
    side = dict(zip(figure.labels, figure.sides, strict=False))
    assert {side[n] for n in ("Hips", "Spine", "Neck", "Head")} == {MIDDLE}
    assert {side[n] for n in ("LeftLeg", "LeftFoot", "LeftArm", "LeftHand")} == {LEFT}
    assert {side[n] for n in ("RightLeg", "RightFoot", "RightArm", "RightHand")} == {RIGHT}
    assert list(figure.sides[-3:]) == [MIDDLE, LEFT, RIGHT]  # end sites of head and feet


def test_bones_join_each_point_to_its_parent(walker):
    figure = build_figure(walker)
    assert len(figure.bones) == walker.skeleton.n_joints - 1 + 3
    lengths = np.linalg.norm(np.diff(figure.points[:, figure.bones], axis=2)[:, :, 0], axis=-1)
    np.testing.assert_allclose(np.ptp(lengths, axis=0), 0, atol=1e-12)
    assert figure.height == pytest.approx(0.92 + 0.15 + 0.35 + 0.1 + 0.18 - 0.01, abs=0.05)


def test_contacts_are_found_by_joint_or_role_name(walker, contacts):
    left, right = build_figure(walker, contacts).contacts
    assert (left.side, right.side) == (LEFT, RIGHT)
    assert walker.skeleton.names[right.point] == "RightFoot"
    np.testing.assert_array_equal(left.down, contacts["left_foot"])


def test_every_other_frame(walker, contacts):
    figure = build_figure(walker, contacts)
    half = figure.every(2)
    assert (half.n_frames, half.frame_time) == (31, 2 * walker.frame_time)
    np.testing.assert_array_equal(half.points[10], figure.points[20])
    np.testing.assert_array_equal(half.contacts[0].down, figure.contacts[0].down[::2])


@pytest.mark.parametrize(
    ("contacts", "message"),
    [
        ({"left_fin": np.zeros(61, bool)}, "left_fin"),
        ({"left_foot": np.zeros(60, bool)}, r"shape \(61,\)"),
    ],
)
def test_contacts_that_do_not_fit_are_refused(walker, contacts, message):
    with pytest.raises(InvalidInputError, match=message):
        build_figure(walker, contacts)


def test_nothing_to_draw_is_refused(walker, contacts, make_walker):
    with pytest.raises(InvalidInputError, match="no frames"):
        build_figure(make_walker(0))
    with pytest.raises(InvalidInputError, match="no motion"):
        build_figures([])
    with pytest.raises(InvalidInputError, match="2 motions were given for 1"):
        build_figures([walker], [contacts, contacts])


def test_markers_have_a_place_even_while_none_is_seen():
    positions = np.zeros((5, 2, 3))
    positions[..., 0] = np.arange(5)[:, None]
    valid = np.ones((5, 2), bool)
    valid[1:4] = False
    figure = build_figure(MarkerSequence(("LASI", "RASI"), positions, valid, 0.01))
    np.testing.assert_allclose(figure.body[:, 0], np.arange(5))
    np.testing.assert_array_equal(figure.extent, [[0, 0, 0], [4, 0, 0]])
    with pytest.raises(InvalidInputError, match="no valid marker"):
        build_figure(MarkerSequence(("LASI",), np.zeros((3, 1, 3)), np.zeros((3, 1), bool), 0.01))


def test_a_still_joint_above_the_hips_is_no_part_of_the_body(walker):
    """Some files have one at the origin; no bone leads from it to the hips."""
    skeleton = walker.skeleton
    below = Skeleton(
        ("World", *skeleton.names),
        [-1, *(skeleton.parents + 1)],
        [[0, 0, 0], *skeleton.offsets],
        skeleton.end_parents + 1,
        skeleton.end_offsets,
    )
    rotations = np.concatenate(
        [np.tile([1.0, 0, 0, 0], (walker.n_frames, 1, 1)), walker.rotations], axis=1
    )
    figure = build_figure(Motion(below, rotations, walker.translations, walker.frame_time, (1,)))
    plain = build_figure(walker)
    drawn = {
        tuple(below.names[p] if p < len(below.names) else "end" for p in bone)
        for bone in figure.bones
    }
    assert not any("World" in bone for bone in drawn)
    assert len(figure.bones) == len(plain.bones)
    np.testing.assert_allclose(figure.points[:, 1:], plain.points, atol=1e-12)
    np.testing.assert_allclose(figure.extent, plain.extent, atol=1e-12)
