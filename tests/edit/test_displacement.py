from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.edit.displacement import (
    LARGEST_CHANGE,
    Seam,
    displacement,
    spread_jumps,
    spread_pace,
    spread_speeds,
)
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

FPS = 30.0
SKELETON = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1, 0], [0, 0.5, 0]]))


def _smooth_piece(rng, n):
    """Slowly turning joints and a slowly moving root, from a random pose on."""
    start, rate = rng.normal(size=(2, 3)), 0.3 * rng.normal(size=(2, 3))
    t = np.arange(n)[:, None, None] / FPS
    quats = rot.multiply(rot.from_rotvec(start), rot.from_rotvec(rate * t))
    return Motion(
        SKELETON,
        quats,
        0.2 * rng.normal(size=(1, 1, 3)) + 0.2 * rng.normal(size=(1, 1, 3)) * t,
        1 / FPS,
    )


def _with_transitions(rng, lengths):
    """Pieces that do not fit, the seams between them, and for each what the piece before would have
    gone on with.
    """
    pieces = [_smooth_piece(rng, n + 1) for n in lengths]
    motion = replace(
        pieces[0],
        rotations=np.concatenate([p.rotations[:-1] for p in pieces]),
        translations=np.concatenate([p.translations[:-1] for p in pieces]),
    )
    frames = np.cumsum(lengths)[:-1]
    seams = [
        Seam(int(f), p.rotations[-1], p.translations[-1])
        for f, p in zip(frames, pieces, strict=False)
    ]
    return motion, seams


def _spread(motion, seams, span=1.0, keep=()):
    """Jumps of pose spread, then those of speed."""
    joined = spread_jumps(motion, seams, span, keep)
    return spread_speeds(joined, [seam.frame for seam in seams], keep=keep)


def test_curve_is_the_published_one():
    s = 30.0
    f = np.arange(-30, 31)
    x = (f + s) / s
    expected = np.where(f < 0, x**2 / 2, -(x**2) / 2 + 2 * x - 2)
    np.testing.assert_allclose(displacement(f, s), expected, atol=1e-12)


def test_curve_closes_the_jump_with_equal_slopes_and_ends_flat():
    h = 1e-6
    assert displacement(-h, 1.0) - displacement(0.0, 1.0) == pytest.approx(1.0, abs=1e-5)
    before = (displacement(-h, 1.0) - displacement(-2 * h, 1.0)) / h
    after = (displacement(2 * h, 1.0) - displacement(h, 1.0)) / h
    assert before == pytest.approx(after, abs=1e-4)
    assert displacement(np.array([-1.0, 1.0, 5.0]), 1.0).tolist() == [0, 0, 0]
    assert abs(displacement(1 - h, 1.0)) < 1e-10


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(3, 60), min_size=2, max_size=6))
def test_steps_over_seams_are_as_small_as_the_pieces_own(seed, lengths):
    """Random poses are some 2 rad and 0.3 m apart; once spread, no step at a seam stands out."""
    motion, seams = _with_transitions(np.random.default_rng(seed), lengths)
    out = _spread(motion, seams)
    turn = rot.angle_between(out.rotations[:-1], out.rotations[1:])
    shift = np.linalg.norm(np.diff(out.translations, axis=0), axis=-1)
    # Between two frames a displacement changes by at most 1/30 of each of the jumps (up to pi and
    # about 2 m).
    assert turn.max() < len(lengths) * (np.pi + 0.5) / 30 + 0.1
    assert shift.max() < len(lengths) * 2.5 / 30
    inside = np.setdiff1d(np.arange(motion.n_frames - 1), [s.frame - 1 for s in seams])
    jumps = rot.angle_between(motion.rotations[:-1], motion.rotations[1:])
    assert jumps[inside].max() < 0.1


def test_a_single_jump_is_closed_exactly():
    """With pieces at rest both sides approach the middle of the jump, symmetrically."""
    quats = rot.identity(120, 2)
    turn = np.array([0.4, -0.3, 0.2])
    quats[60:, 1] = rot.from_rotvec(turn)
    translations = np.zeros((120, 1, 3))
    translations[60:, 0] = [0.0, 0.1, 0.0]
    motion = Motion(SKELETON, quats, translations, 1 / FPS)
    out = _spread(motion, [Seam(60, quats[0], translations[0])])
    np.testing.assert_allclose(rot.to_rotvec(out.rotations[60, 1]), 0.5 * turn, atol=1e-12)
    np.testing.assert_allclose(out.translations[60, 0], [0, 0.05, 0], atol=1e-12)
    np.testing.assert_allclose(out.rotations[:30], quats[:30], atol=1e-12)
    np.testing.assert_allclose(out.translations[91:], translations[91:], atol=1e-12)
    second = np.diff(out.translations[:, 0, 1], 2)
    assert np.abs(second).max() == pytest.approx(0.1 / 30**2, rel=1e-6)


def test_neighbouring_seams_stay_closed():
    """Four poses about 2 rad apart within half a second: at 3000 frames a second no step is larger
    than slopes are.
    """
    rng = np.random.default_rng(5)
    poses, places = rot.from_rotvec(rng.normal(size=(5, 2, 3))), rng.normal(size=(5, 1, 3))
    which = np.repeat(np.arange(5), [4000, 500, 500, 500, 4000])
    motion = Motion(SKELETON, poses[which], places[which], 1 / 3000)
    seams = [
        Seam(int(f), motion.rotations[f - 1], motion.translations[f - 1])
        for f in (4000, 4500, 5000, 5500)
    ]
    out = _spread(motion, seams)
    assert rot.angle_between(out.rotations[:-1], out.rotations[1:]).max() < 4 * np.pi / 3000
    assert np.abs(np.diff(out.translations, axis=0)).max() < 4 * 4.0 / 3000


def test_bad_spans_and_seams_are_refused():
    motion, seams = _with_transitions(np.random.default_rng(0), [10, 10])
    with pytest.raises(InvalidInputError, match="span"):
        spread_jumps(motion, seams, 0.0)
    with pytest.raises(InvalidInputError, match="outside"):
        spread_jumps(motion, [replace(seams[0], frame=20)])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(3, 40), min_size=2, max_size=5), st.data())
def test_frames_to_be_kept_stay_and_seams_stay_closed(seed, lengths, data):
    motion, seams = _with_transitions(np.random.default_rng(seed), lengths)
    keep = data.draw(st.lists(st.integers(0, motion.n_frames - 1), min_size=1, max_size=3))
    out = _spread(motion, seams, span=0.5, keep=keep)
    np.testing.assert_allclose(
        rot.angle_between(out.rotations[keep], motion.rotations[keep]), 0, atol=1e-7
    )
    np.testing.assert_allclose(out.translations[keep], motion.translations[keep], atol=1e-12)
    lone = [s.frame for s in seams if all(abs(s.frame - k) > 15 for k in keep)]
    plain = _spread(motion, seams, span=0.5)
    if len(lone) == len(seams):
        np.testing.assert_allclose(out.rotations, plain.rotations, atol=1e-12)


def test_a_seam_beside_a_kept_frame_is_closed_from_the_other_side():
    """Poses at rest: all of the jump is taken before the seam when the pose at the seam is to be
    kept.
    """
    quats = rot.identity(90, 2)
    quats[45:, 1] = rot.from_rotvec(np.array([0.6, 0.0, 0.0]))
    motion = Motion(SKELETON, quats, np.zeros((90, 1, 3)), 1 / FPS)
    out = _spread(motion, [Seam(45, quats[0], np.zeros((1, 3)))], span=1.0, keep=[45])
    angle = rot.to_rotvec(out.rotations[:, 1])[:, 0]
    np.testing.assert_allclose(angle[45:], 0.6, atol=1e-12)
    assert np.diff(angle).max() < 2 * 0.6 / 30 + 1e-9
    assert np.all(np.diff(angle) > -1e-12)


def _moving(turns, shifts):
    """A motion from its turns about one axis, radians, and its places, metres."""
    quats = rot.identity(len(turns), 2)
    quats[:, 1] = rot.from_rotvec(np.outer(turns, [0.6, 0.0, 0.8]))
    return Motion(SKELETON, quats, np.outer(shifts, [0.0, 1.0, 0.0])[:, None], 1 / FPS)


def test_an_even_acceleration_is_no_change_of_speed_to_be_spread():
    t = np.arange(60) / FPS
    motion = _moving(0.2 + 0.5 * t - 0.4 * t**2, 1.0 - 2.0 * t + 3.0 * t**2)
    out = spread_speeds(motion, [30])
    np.testing.assert_allclose(out.rotations, motion.rotations, atol=1e-12)
    np.testing.assert_allclose(out.translations, motion.translations, atol=1e-12)


@pytest.mark.parametrize("reach", [3, 10])
def test_a_change_of_speed_is_spread_evenly(reach):
    """A body that is at rest and then moves: instead of all at once it speeds up over the frames
    around.
    """
    speed = 2.0
    t = np.maximum(np.arange(-30, 30), 0) / FPS
    motion = _moving(speed * t, speed * t)
    out = spread_speeds(motion, [30], reach / FPS)
    turn, rise = rot.to_rotvec(out.rotations[:, 1]) @ [0.6, 0.0, 0.8], out.translations[:, 0, 1]
    for values in (turn, rise):
        speeds = np.diff(values) * FPS
        assert speeds.min() > -1e-9
        assert speeds.max() < speed + 1e-9
        assert np.all(np.diff(speeds) > -1e-9), "it only speeds up"
        assert np.diff(speeds).max() < 1.01 * speed / reach / 2 + speed / reach**2
        np.testing.assert_allclose(speeds[: 29 - reach], 0.0, atol=1e-9)
        np.testing.assert_allclose(speeds[30 + reach :], speed, atol=1e-9)


def _walk(speeds, frame, n=90):
    """A body that goes with one velocity up to a frame and with another from there on."""
    rate = np.where(np.arange(n)[:, None] <= frame, *np.asarray(speeds, float)[:, None]) / FPS
    rate[0] = [0.0, 1.0 / FPS, 0.0]
    places = np.cumsum(rate, axis=0)
    return Motion(SKELETON, np.broadcast_to([1.0, 0, 0, 0], (n, 2, 4)), places[:, None], 1 / FPS)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(20, 70),
    st.tuples(*[st.floats(-0.3, 0.3)] * 2),
    st.floats(0.2, 0.6),
    st.lists(st.integers(0, 89), max_size=2),
)
def test_a_change_of_pace_takes_its_time_and_nothing_else_changes(frame, change, span, keep):
    flat = np.array([change[0], 0.0, change[1]])
    walk = _walk([np.array([0.2, 0.0, 1.1]), np.array([0.2, 0.0, 1.1]) + flat], frame)
    made = spread_pace(walk, [frame], [flat], span, keep)
    np.testing.assert_array_equal(made.rotations, walk.rotations)
    before, after = (m.translations[:, 0] for m in (walk, made))
    np.testing.assert_allclose(after[:, 1], before[:, 1])
    far = np.abs(np.arange(90) - frame) >= span * FPS
    np.testing.assert_allclose(after[far], before[far], atol=1e-12)
    np.testing.assert_allclose(after[keep], before[keep], atol=1e-12)
    if not keep:
        largest = np.linalg.norm(np.diff(after, 2, axis=0), axis=-1).max() * FPS
        # Even from end to end: the change over twice the span, and a frame's share of it.
        assert largest <= np.linalg.norm(flat) / (2 * span * FPS) * 1.5 + 1e-12


def test_bodies_are_moved_for_no_larger_changes_of_pace():
    fast = np.array([[0.0, 0.0, 3.0]])
    walk = _walk([np.zeros(3), fast[0]], 45)
    made = spread_pace(walk, [45], fast)
    most = spread_pace(walk, [45], fast * LARGEST_CHANGE / 3.0)
    np.testing.assert_allclose(made.translations, most.translations)
    with pytest.raises(InvalidInputError, match="change of pace must be positive"):
        spread_pace(walk, [45], fast, 0.0)
