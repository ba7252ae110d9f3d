"""Known frames to motion: met exactly, feet that stay, any number of gaps, several answers."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.inbetween import METHODS, FillOptions, Known, fill_gaps, make_filler
from motionloom.posed_motion import PosedMotion


@pytest.mark.parametrize("method", METHODS)
def test_known_frames_are_met_exactly(walks, model, method):
    motion = walks.motions[1]
    known = [
        Known(0, motion.cut(20, 32)),
        Known(30, motion.cut(50, 51)),
        Known(55, motion.cut(75, 80)),
    ]
    made = fill_gaps(known, make_filler(method, model), model)[0]
    assert made.motion.n_frames == 60
    assert made.key_error < 1e-4
    shown = PosedMotion(made.motion, walks.roles).positions
    for piece in known:
        wanted = PosedMotion(piece.motion, walks.roles).positions
        np.testing.assert_allclose(shown[piece.frame : piece.stop], wanted, atol=1e-4)
    assert [gap.missing for gap in made.gaps] == [18, 24]


def test_nothing_jumps_at_the_ends_of_a_gap(walks, model):
    motion = walks.motions[1]
    known = [Known(0, motion.cut(20, 32)), Known(42, motion.cut(62, 75))]
    made = fill_gaps(known, make_filler(None, model), model)[0].motion
    turned = rot.angle_between(made.rotations[:-1], made.rotations[1:]).max(axis=1)
    captured = rot.angle_between(motion.rotations[:-1], motion.rotations[1:]).max()
    assert turned.max() < 1.5 * captured


def test_standing_feet_stay(walks, model):
    """A body that sways over its feet: they are down on both sides of the gap."""
    motion = walks.motions[0]
    known = [Known(0, motion.cut(20, 40)), Known(50, motion.cut(70, 90))]
    free = fill_gaps(known, make_filler(None, model), model, FillOptions(footlock=None))[0]
    locked = fill_gaps(known, make_filler(None, model), model)[0]
    assert locked.gaps[0].skate is not None
    assert locked.gaps[0].skate <= free.gaps[0].skate + 1e-9
    assert locked.gaps[0].skate < 5


def test_feet_that_stand_are_held_from_the_first_missing_frame_to_the_last(walks, model):
    motion = walks.motions[1]
    known = [Known(0, motion.cut(20, 32)), Known(42, motion.cut(62, 75))]
    made = fill_gaps(known, make_filler(None, model), model)[0]
    points = made.contacts.soles.positions(PosedMotion(made.motion, walks.roles))
    speed = np.linalg.norm(np.diff(points, axis=0)[..., [0, 2]], axis=-1) * motion.fps
    held = made.contacts.down[1:] & made.contacts.down[:-1]
    edges = [12, 13, 14, 38, 39, 40]
    assert held[edges].sum() > 6
    assert speed[edges][held[edges]].mean() < 0.02


def test_feet_are_not_lifted_to_a_ground_that_known_frames_are_below(walks, model):
    """Known frames show a body that stands on something and then steps down."""
    motion = walks.motions[2]
    up = motion.translations + np.array([0.0, 0.25, 0.0])
    box = replace(motion, translations=up)
    known = [Known(0, box.cut(20, 40)), Known(58, motion.cut(78, 79))]
    free = fill_gaps(known, make_filler(None, model), model, FillOptions(footlock=None))[0]
    locked = fill_gaps(known, make_filler(None, model), model)[0]
    soles = locked.contacts.soles
    heights = [
        soles.positions(PosedMotion(made.motion, walks.roles))[..., 1] for made in (free, locked)
    ]
    assert np.abs(heights[1] - heights[0]).max() < 0.01


def test_one_skeleton_without_a_model(walks):
    motion = walks.motions[2]
    known = [Known(0, motion.cut(10, 11)), Known(21, motion.cut(31, 32))]
    made = fill_gaps(known, make_filler(None, None))[0]
    assert made.method == "velocity"
    assert made.motion.n_frames == 22
    assert made.to_dict()["known_frames"] == [0, 21]


def test_another_frame_rate_is_filled_alike(walks, model):
    motion = walks.motions[1]
    fine = motion.resample(1 / 60)
    slow = [Known(0, motion.cut(10, 25)), Known(35, motion.cut(45, 46))]
    fast = [Known(0, fine.cut(20, 49)), Known(70, fine.cut(90, 91))]
    options = FillOptions(footlock=None)
    filler = make_filler(None, model)
    a, b = (fill_gaps(k, filler, model, options)[0].motion for k in (slow, fast))
    gap = rot.angle_between(a.rotations[15:35], b.rotations[30:70:2])
    assert np.degrees(gap.max()) < 3


def test_answers_differ(walks, model):
    motion = walks.motions[1]
    known = [Known(0, motion.cut(20, 32)), Known(62, motion.cut(82, 83))]
    made = fill_gaps(known, make_filler(None, model), model, FillOptions(count=3))
    assert 2 <= len(made) <= 3
    for a, b in pairwise(made):
        apart = rot.angle_between(a.motion.rotations, b.motion.rotations)
        assert np.degrees(apart.max()) > 0.5


def test_what_does_not_fit_is_refused(walks, model):
    motion = walks.motions[0]
    one = Known(0, motion.cut(0, 5))
    filler = make_filler("slerp", None)
    for known, word in (
        ([one], "both sides"),
        ([one, Known(3, motion.cut(9, 10))], "the piece before it ends at 4"),
        ([one, Known(9, replace(motion.cut(9, 10), frame_time=0.1))], "frames per second"),
    ):
        with pytest.raises(InvalidInputError, match=word):
            fill_gaps(known, filler)
    with pytest.raises(InvalidInputError, match="needs a model"):
        make_filler("kernel", None)
    with pytest.raises(InvalidInputError, match="no method"):
        make_filler("magic", model)
    with pytest.raises(InvalidInputError, match="phase"):
        make_filler("slerp", model, "speeds.yaml")


def test_a_long_gap_is_told(walks, model):
    motion = walks.motions[0]
    known = [Known(0, motion.cut(0, 12)), Known(120, motion.cut(60, 61))]
    made = fill_gaps(known, make_filler(None, model), model)[0]
    assert any("longer than" in note for note in made.notes)


def test_a_root_below_a_still_joint_and_joints_that_slide(shared_data):
    """Position channels on every joint, and a body that is carried by its hips."""
    from motionloom.io import load_motion

    files = sorted((shared_data / "bandai_namco").glob("*walk*.bvh"))
    motion = load_motion(files[0])
    known = [Known(0, motion.cut(10, 20)), Known(25, motion.cut(35, 40))]
    made = fill_gaps(known, make_filler(None, None))[0]
    assert made.key_error < 1e-4
    assert made.motion.n_frames == 30
