"""Idle motion without end."""

from contextlib import suppress

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.idle import (
    IdleStream,
    IdleStreamOptions,
    begin_idle,
    fit_idle,
    load_idle,
    save_idle,
)
from motionloom.idle._making import make_idle
from motionloom.idle.streams.plans import plan_piece
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion


def test_feet_stand_exactly(model):
    motion = IdleStream(model, 60.0, begin_idle(model, 3)).frames(2400)
    posed = pose_motion(motion, model.space.roles)
    for foot in ("left_foot", "right_foot"):
        track = posed.positions[:, model.space.roles.joints[foot]]
        assert np.ptp(track, axis=0).max() < 1e-9


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(model):
    first, again, other = (
        IdleStream(model, 30.0, begin_idle(model, seed)).frames(600) for seed in (1, 1, 2)
    )
    assert first.rotations.tobytes() == again.rotations.tobytes()
    assert np.abs(first.rotations - other.rotations).max() > 0.01


def test_frame_by_frame_is_the_same_as_all_at_once(model):
    whole = IdleStream(model, 50.0, begin_idle(model, 1)).frames(400)
    stream = IdleStream(model, 50.0, begin_idle(model, 1))
    parts = [stream.frames(count) for count in (1, 1, 98, 300)]
    for what in ("rotations", "translations"):
        joined = np.concatenate([getattr(part, what) for part in parts])
        np.testing.assert_allclose(joined, getattr(whole, what), atol=1e-12)


def test_a_kept_state_goes_on_the_same(model):
    state = begin_idle(model, 4)
    for _ in range(3):
        _, state = plan_piece(model, state, IdleStreamOptions())
    one, two = (IdleStream(model, None, state).frames(90) for _ in range(2))
    assert one.rotations.tobytes() == two.rotations.tobytes()


def test_another_rate_shows_the_same_motion(model):
    slow = IdleStream(model, 60.0, begin_idle(model, 1)).frames(300)
    fast = IdleStream(model, 120.0, begin_idle(model, 1)).frames(600)
    np.testing.assert_allclose(fast.rotations[::2], slow.rotations, atol=1e-9)
    # A cubic B-spline passes its control points, here the model's own frames, by a sixth of their
    # second difference.
    own = IdleStream(model, None, begin_idle(model, 1)).frames(150).translations[:, 0]
    apart = np.linalg.norm(slow.translations[::2, 0] - own, axis=1)[1:-1]
    bend = np.linalg.norm(np.diff(own, 2, axis=0), axis=1)
    assert apart.max() < 0.3 * bend.max()


@pytest.mark.parametrize("fps", [60.0, 90.0, 120.0])
def test_frames_in_between_accelerate_no_harder_than_those_of_the_model(model, fps):
    own = IdleStream(model, None, begin_idle(model, 3)).frames(600)
    more = IdleStream(model, fps, begin_idle(model, 3)).frames(round(600 * fps / model.fps) - 9)
    hardest = [
        np.abs(np.diff(motion.rotations, 2, axis=0)).max() * motion.fps**2 for motion in (own, more)
    ]
    assert hardest[1] < 1.05 * hardest[0]


def test_nobody_moves_without_liveliness_until_they_shift(model):
    calm = IdleStreamOptions(liveliness=0.0)
    stream = IdleStream(model, None, begin_idle(model, 0), calm)
    still = stream.frames(round(0.5 * model.fps)).rotations
    assert np.ptp(still, axis=0).max() < 1e-12


def test_it_jerks_no_more_than_the_recording(model, recording):
    made = IdleStream(model, None, begin_idle(model, 0)).frames(1800)
    jerks = [
        np.abs(np.diff(motion.rotations, 3, axis=0)).max()
        for motion in (made, recording.posed.motion)
    ]
    assert jerks[0] < 1.2 * jerks[1]


def test_it_stands_where_it_is_told(model):
    place = GroundTransform(1.0, 3.0, -2.0)
    motion = IdleStream(model, None, begin_idle(model, 0, place)).frames(60)
    posed = pose_motion(motion, model.space.roles)
    np.testing.assert_allclose(posed.body[:, :2].mean(axis=0), [3.0, -2.0], atol=0.15)
    assert abs(posed.facing.mean() - 1.0) < 0.2


def test_stays_and_balance_are_those_of_the_recording(model):
    state = begin_idle(model, 5)
    seen = set()
    for _ in range(30):
        seen.add(model.rests[state.rest].category)
        _, state = plan_piece(model, state, IdleStreamOptions())
    assert seen == {rest.category for rest in model.rests}


def test_a_model_is_kept(model, tmp_path):
    save_idle(model, tmp_path / "ada.npz")
    kept = load_idle(tmp_path / "ada.npz")
    assert kept.person == "Ada"
    first, second = (IdleStream(m, 30.0, begin_idle(m, 1)).frames(90) for m in (model, kept))
    assert first.rotations.tobytes() == second.rotations.tobytes()


@pytest.mark.parametrize("seed", range(12))
def test_damaged_models_are_refused(model, tmp_path, seed):
    path = tmp_path / "ada.npz"
    save_idle(model, path)
    data = bytearray(path.read_bytes())
    rng = np.random.default_rng(seed)
    for _ in range(20):
        data[rng.integers(len(data))] = rng.integers(256)
    path.write_bytes(bytes(data))
    # A file that is damaged where nothing is read may pass; no other error comes out.
    with suppress(FormatError):
        load_idle(path)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FormatError, match="no such file; fit one with"):
        load_idle(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no model")
    with pytest.raises(FormatError, match="not an idle model"):
        load_idle(tmp_path / "text.npz")


def test_options_are_checked(model):
    with pytest.raises(InvalidInputError):
        IdleStreamOptions(liveliness=-1.0)
    with pytest.raises(InvalidInputError):
        IdleStream(model, fps=0.0)


def test_recordings_must_fit_each_other(recording):
    with pytest.raises(InvalidInputError, match="at least one"):
        fit_idle([])


def test_made_motion_says_how_its_feet_stand(model):
    made = make_idle(model, 10.0, 30.0, seed=1)
    assert made.motion.n_frames == 300
    assert made.steps == 0
    assert made.sliding < 1e-9
    assert "0.00 mm" in made.to_text()


def test_a_shift_of_weight_shifts_the_weight(model):
    state = begin_idle(model, 2)
    seen = {}
    for _ in range(25):
        plan, after = plan_piece(model, state, IdleStreamOptions())
        hips = model.space.to_motion(plan.begin.posture[None], 1.0).translations[0, 0, 0]
        seen.setdefault(model.rests[state.rest].category, []).append(hips)
        state = after
    assert max(seen["right"]) < min(seen["both"])
    assert max(seen["both"]) < min(seen["left"])
