"""Many characters at once."""

import pickle

import numpy as np
import pytest
from standing import stand

from motionloom.errors import InvalidInputError
from motionloom.idle import (
    IdleCrowd,
    IdleStream,
    IdleStreamOptions,
    begin_idle,
    fit_idle,
    prepare_recording,
)
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion


def test_many_are_the_same_bytes_as_one_by_one(model):
    states = [begin_idle(model, seed) for seed in range(7)]
    crowd = IdleCrowd(model, states, 60.0)
    parts = [crowd.frames(count) for count in (1, 5, 900)]
    rotations, places = (np.concatenate(kind, axis=1) for kind in zip(*parts, strict=True))
    for n, state in enumerate(states):
        alone = IdleStream(model, 60.0, state).poses(906)
        assert alone[0].tobytes() == rotations[n].tobytes()
        assert alone[1].tobytes() == places[n].tobytes()


def test_nobody_does_what_another_does(model):
    rotations, _ = IdleCrowd(model, [begin_idle(model, seed) for seed in range(5)]).frames(60)
    assert all(np.abs(rotations[n] - rotations[0]).max() > 1e-3 for n in range(1, 5))


def test_everybody_keeps_little(model):
    few, many = (
        IdleCrowd(model, [begin_idle(model, seed) for seed in range(count)]) for count in (1, 20)
    )
    assert few.bytes_each == many.bytes_each < 20_000
    many.frames(3000)
    assert few.bytes_each == many.bytes_each
    assert len(pickle.dumps(many.kept(3))) < 20_000


@pytest.mark.parametrize("frames", [1, 77, 1000])
def test_who_is_kept_goes_on_with_the_same_bytes(model, frames):
    stream = IdleStream(model, 60.0, begin_idle(model, 6))
    stream.frames(frames)
    kept = pickle.loads(pickle.dumps(stream.kept()))
    expected = stream.poses(700)
    other = IdleStream(model, 60.0, begin_idle(model, 1))
    other.resume(kept)
    assert other.frame == frames
    shown = other.poses(700)
    assert shown[0].tobytes() == expected[0].tobytes()
    assert shown[1].tobytes() == expected[1].tobytes()


def test_who_was_kept_of_another_model_is_refused(model):
    other = fit_idle([prepare_recording(stand(20.0, ((8.0, "left"),), seed=3).motion)])
    kept = IdleStream(other, 60.0).kept()
    if kept["past"].shape[1] == model.space.n_components:
        kept["past"] = kept["past"][:, 1:]
    with pytest.raises(InvalidInputError, match="another model"):
        IdleStream(model, 60.0).resume(kept)


def test_an_empty_crowd_makes_nothing(model):
    rotations, places = IdleCrowd(model, []).frames(3)
    assert rotations.shape[:2] == places.shape[:2] == (0, 3)


def test_stances_turn_as_they_are_told(model):
    place = GroundTransform(np.pi - 0.1, -4.0, 2.0)
    stream = IdleStream(model, 60.0, begin_idle(model, 2, place))
    posed = pose_motion(stream.frames(200), model.space.roles)
    np.testing.assert_allclose(posed.body[:, :2].mean(axis=0), [-4.0, 2.0], atol=0.15)


def test_liveliness_counts_from_the_next_posture_on(model):
    stream = IdleStream(model, None, begin_idle(model, 1))
    stream.options = IdleStreamOptions(liveliness=0.0)
    rotations, _ = stream.poses(round(model.fps * 200))
    calm = np.abs(np.diff(rotations, axis=0)).max(axis=(1, 2))
    # Long stretches in which nothing moves at all.
    assert (calm[-round(model.fps * 100) :] < 1e-12).mean() > 0.5
