"""Persons mixed by shares, and in bodies of other sizes."""

from dataclasses import replace

import numpy as np
import pytest
from standing import stand

from motionloom.errors import InvalidInputError
from motionloom.idle import (
    IdleStream,
    begin_idle,
    fit_idle,
    load_idle,
    prepare_recording,
    save_idle,
)
from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.mixing import height_of, mix_idle, resize_idle, set_height
from motionloom.idle.model import transition_chances
from motionloom.posed_motion import pose_motion


@pytest.fixture(scope="module")
def restless():
    """Somebody else, who shifts more often and sways differently."""
    shifts = ((8.0, "right"), (17.0, "left"), (26.0, "right"), (37.0, "both"), (48.0, "left"))
    return fit_idle([prepare_recording(stand(shifts=shifts, seed=5).motion)], person="Bea")


def stay(model):
    return float(np.median([rest.stay for rest in model.rests]))


def test_all_of_one_is_that_one(model, restless):
    same = mix_idle([model, restless], [1.0, 0.0])
    assert same.variations is model.variations
    assert same.rests == model.rests


def test_a_mixture_lies_in_between_and_knows_both(model, restless):
    mixed = mix_idle([model, restless], [0.5, 0.5])
    low, high = sorted((stay(model), stay(restless)))
    assert low * 0.8 <= stay(mixed) <= high * 1.2
    assert len(mixed.shifts) == len(model.shifts) + len(restless.shifts)
    assert mixed.person == "0.5 Ada + 0.5 Bea"
    rows = mixed.transitions.sum(axis=1)
    assert np.all(np.isclose(rows, 1.0) | (rows == 0.0))


def test_mixed_motion_stands_and_is_saved(model, restless, tmp_path):
    mixed = mix_idle([model, restless], [7, 3])
    save_idle(mixed, tmp_path / "m.npz")
    again = load_idle(tmp_path / "m.npz")
    made = IdleStream(again, 30.0, begin_idle(again, 3)).frames(900)
    posed = pose_motion(made, again.space.roles)
    joints = again.space.roles.joints
    feet = posed.positions[:, [joints["left_foot"], joints["right_foot"]]]
    assert np.ptp(feet, axis=0).max() < 1e-6
    own = IdleStream(model, 30.0, begin_idle(model, 3)).frames(300)
    alone = pose_motion(own, model.space.roles)
    assert abs(posed.hips[:, 1].mean() - alone.hips[:, 1].mean()) < 0.01


def test_size_of_small_variations_lies_in_between(model):
    def lively(one):
        made = IdleStream(one, 30.0, begin_idle(one, 1)).frames(900)
        return np.abs(np.diff(made.rotations, axis=0)).mean()

    calm = replace(model, variations=replace(model.variations, drive=0.3 * model.variations.drive))
    half = mix_idle([model, calm], [1, 1])
    assert lively(calm) < lively(half) < lively(model)


@pytest.mark.parametrize(
    ("shares", "says"),
    [([1.0], "one share for each"), ([0.0, 0.0], "positive"), ([1.0, -1.0], "positive")],
)
def test_wrong_shares_are_refused(model, restless, shares, says):
    with pytest.raises(InvalidInputError, match=says):
        mix_idle([model, restless], shares)


def test_other_joints_and_rates_are_refused(model, restless):
    with pytest.raises(InvalidInputError, match="frames per second"):
        mix_idle([model, replace(restless, fps=60.0)], [1, 1])
    coordinates = restless.space.coordinates
    names = tuple(f"x{name}" for name in coordinates.skeleton.names)
    skeleton = replace(coordinates.skeleton, names=names)
    space = replace(restless.space, coordinates=replace(coordinates, skeleton=skeleton))
    with pytest.raises(InvalidInputError, match="other joints"):
        mix_idle([model, replace(restless, space=space)], [1, 1])


def test_a_body_of_another_size_stands_as_well(model):
    tall = set_height(model, 2.0)
    assert height_of(tall) == pytest.approx(2.0)
    made = IdleStream(tall, 30.0, begin_idle(tall, 2)).frames(300)
    own = IdleStream(model, 30.0, begin_idle(model, 2)).frames(300)
    factor = 2.0 / height_of(model)
    # What tilts of the body count beside its moves is in radians per metre, and does not grow.
    np.testing.assert_allclose(made.rotations, own.rotations, atol=1e-4)
    np.testing.assert_allclose(made.translations, factor * own.translations, atol=1e-4)
    assert resize_idle(model, 1.0) is model
    with pytest.raises(InvalidInputError, match="m high"):
        set_height(model, float("nan"))


def test_where_nothing_follows_it_goes_on_to_the_others(model):
    rests = [replace(model.rests[0], category=c) for c in CATEGORIES]
    counts = np.zeros((3, 3))
    counts[0, 1] = counts[1, 2] = 3.0
    chances = transition_chances(counts, rests)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    np.testing.assert_allclose(chances[2], [0.0, 1.0, 0.0])
    alone = transition_chances(np.zeros((3, 3)), rests[:1])
    assert alone[0, 0] == 1.0
    assert alone.sum() == 1.0
