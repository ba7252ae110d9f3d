"""Idle motion measured beside recordings, noise and loops."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.idle import fit_idle
from motionloom.idle.learning.recording import prepare_recording
from motionloom.motion import Motion
from motionloom.performer import make_performer
from motionloom_evaluation.idle.evaluation import IdleEvaluationOptions, evaluate_idle
from motionloom_evaluation.idle.films import film_places, make_films
from motionloom_evaluation.idle.long_run import run_long
from motionloom_evaluation.idle.measures import (
    bootstrap_interval,
    distance_of_rates,
    kpss,
    nearest_earlier,
    spectrum_difference,
)
from motionloom_evaluation.idle.rivals import joint_noise, looped_clip

FPS = 30.0


def tremble(seconds, rate, seed, name="person"):
    """Every joint turns to and fro about its own axis."""
    skeleton = make_performer().skeleton
    rng = np.random.default_rng(seed)
    n = round(seconds * FPS)
    steps = rng.standard_normal((n + 99, skeleton.n_joints, 3))
    window = np.hanning(2 * round(FPS / rate) + 3)
    smooth = np.apply_along_axis(np.convolve, 0, steps, window / window.sum(), "same")[:n]
    smooth[:, 1:9] = 0.0
    smooth[:, 0] = 0.0
    place = skeleton.offsets[0] * [1.0, 0.99, 1.0]
    turned = 0.02 * smooth / smooth.std()
    return Motion(skeleton, rot.from_rotvec(turned), np.tile(place, (n, 1, 1)), 1 / FPS, (0,), name)


def test_a_motion_is_as_near_to_itself_as_can_be():
    motion = tremble(20.0, 2.0, 0)
    assert distance_of_rates(motion, motion) == (0.0, 0.0)


def test_quicker_motion_is_farther():
    motion = tremble(20.0, 2.0, 0)
    again, quick = tremble(20.0, 2.0, 1), tremble(20.0, 6.0, 1)
    for near, far in zip(
        distance_of_rates(motion, again), distance_of_rates(motion, quick), strict=True
    ):
        assert near < 0.5 * far


def test_twice_the_size_is_six_decibels():
    values = np.random.default_rng(0).standard_normal((2000, 2))
    np.testing.assert_allclose(spectrum_difference(2 * values, values, FPS), 6.02, atol=0.01)


def test_the_interval_holds_the_mean_and_shrinks():
    rng = np.random.default_rng(0)
    values = rng.exponential(3.0, 400)
    low, high = bootstrap_interval(values, rng)
    few_low, few_high = bootstrap_interval(values[:20], rng)
    assert low < values.mean() < high
    assert high - low < few_high - few_low


def test_a_loop_comes_back_and_noise_does_not():
    motion = tremble(30.0, 2.0, 0)
    rng = np.random.default_rng(0)
    distances = []
    for made in (looped_clip(motion, 900), joint_noise(motion, 900, rng)):
        turned = rot.to_rotvec(made.rotations).reshape(900, -1)
        distances.append(nearest_earlier(turned, 150, 1))
    assert distances[0] < 1e-6 < 0.1 * distances[1]


def test_nothing_is_earlier_in_a_short_motion():
    assert nearest_earlier(np.zeros((20, 2)), 15, 1) == float("inf")


@pytest.fixture(scope="module")
def people():
    return [tremble(36.0, rate, seed, f"person{seed}") for seed, rate in ((1, 1.5), (2, 3.0))]


def test_people_are_told_and_what_is_made_is_near(people):
    pytest.importorskip("sklearn")
    result = evaluate_idle(people, options=IdleEvaluationOptions(seeds=1, minutes=1.0))
    assert [row.name for row in result.rows] == ["person1", "person2"]
    for row in result.rows:
        assert max(row.rates.made) < max(row.rates.noise)
    assert result.telling is not None
    assert result.telling.person_recorded == 1.0
    assert "person named right" in result.to_text()


def test_short_recordings_are_refused(people):
    with pytest.raises(InvalidInputError, match="person1 lasts 10 s"):
        evaluate_idle([people[0].cut(0, 301)])


def test_made_motion_has_the_skeleton_of_the_recording(people):
    model = fit_idle([prepare_recording(replace(people[0], name="x"))])
    assert model.space.coordinates.skeleton.names == people[0].skeleton.names


@pytest.fixture(scope="module")
def recording():
    return prepare_recording(tremble(40.0, 2.0, 3, "Ada"))


def test_minutes_neither_slide_nor_grow(recording):
    run = run_long(fit_idle([recording]), recording.posed.motion, 0.05)
    assert run.frames == 10_800
    assert run.sliding < 1e-9
    assert run.sinking < 1e-6
    assert run.kept < 20_000
    assert "standing feet move by 0.000000 mm" in run.to_text()


@pytest.mark.slow
def test_an_hour_leaves_nothing_behind(recording):
    run = run_long(fit_idle([recording]), recording.posed.motion, 1.0)
    assert run.grown < 200_000
    assert run.nearest > 0.0


def test_what_wanders_off_is_told_from_what_stays():
    rng = np.random.default_rng(0)
    stays = rng.standard_normal((200, 200))
    wanders = np.cumsum(stays, axis=1)
    assert np.mean([kpss(row) > 0.463 for row in stays]) < 0.1
    assert np.mean([kpss(row) > 0.463 for row in wanders]) > 0.9


def test_the_nearest_window_is_found_among_many():
    values = np.random.default_rng(1).standard_normal((1500, 2))
    values[1200:1220] = values[100:120] + 1e-4
    assert nearest_earlier(values, 20, 1) == pytest.approx(np.sqrt(2) * 1e-4, rel=1e-6)


def test_gestures_and_hours_are_part_of_the_report():
    people = [tremble(36.0, 2.0, 1, "Ada")]
    options = IdleEvaluationOptions(seeds=1, minutes=0.5, schedules=2, hours=0.02)
    told = evaluate_idle(people, options=options)
    assert "in 2 random schedules" in told.to_text()
    assert "Ada: 0.02 h" in told.to_text()
    assert '"hours"' in told.to_json()


def test_films_are_four_of_one_length(tmp_path):
    films = make_films(tremble(36.0, 2.0, 1, "Ada"), seconds=5.0)
    assert [film.name for film in films] == [
        "Ada, recorded",
        "Ada, ours",
        "Ada, noise",
        "Ada, loop",
    ]
    assert {film.n_frames for film in films} == {150}
    assert film_places(tmp_path, ["Ada"]) == [tmp_path / "Ada.png", tmp_path / "Ada.html"]
