import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.edit.blend import align_times, cross_fade
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

SKELETON = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1, 0], [0, 0.5, 0]]))


def _swinging(times):
    """A joint that swings to and fro, read at any times; the root goes straight on."""
    turn = np.zeros((len(times), 2, 3))
    turn[:, 1, 0] = 0.8 * np.sin(2 * np.pi * times / 40.0)
    return Motion(
        SKELETON,
        rot.from_rotvec(turn),
        np.stack([0 * times, 1 + 0 * times, 0.04 * times], 1)[:, None],
        1 / 30,
    )


def test_a_clip_faded_into_itself_stays_as_it_is():
    motion = _swinging(np.arange(90.0))
    overlap = (30, motion.cut(30, 51), motion.cut(30, 51))
    out = cross_fade(motion, [overlap])
    np.testing.assert_allclose(out.rotations, motion.rotations, atol=1e-12)
    np.testing.assert_allclose(out.translations, motion.translations, atol=1e-12)


def test_ends_of_an_overlap_belong_to_one_piece_each():
    before, after = _swinging(np.arange(60.0)), _swinging(np.arange(60.0) + 7)
    both = Motion(
        SKELETON,
        np.concatenate([before.rotations[:30], after.rotations[30:]]),
        np.concatenate([before.translations[:30], after.translations[30:]]),
        1 / 30,
    )
    out = cross_fade(both, [(20, before.cut(20, 41), after.cut(20, 41))])
    assert out.n_frames == 60
    for frame, piece in ((20, before), (40, after)):
        np.testing.assert_allclose(
            rot.angle_between(out.rotations[frame], piece.rotations[frame]), 0, atol=1e-7
        )
        np.testing.assert_allclose(out.translations[frame], piece.translations[frame], atol=1e-12)
    own, jump, step = (
        rot.angle_between(m.rotations[:-1], m.rotations[1:]).max() for m in (before, both, out)
    )
    assert jump > 3 * own
    assert step < 2 * own


def test_warping_in_time_finds_a_lag():
    """Two swings a few frames apart are brought together in the middle, so less of the swing is
    lost.
    """
    times = np.arange(41.0)
    before, after = _swinging(times), _swinging(times + 5)
    shift = align_times(before, after)
    assert shift[0] == shift[-1] == 0
    assert 1.5 < shift[20] < 3.5, "the lag of 5 frames is shared by both"
    slope = 1 + np.diff(shift)
    assert slope.min() > 0.3
    assert slope.max() < 1.7
    assert np.abs(align_times(before, before)).max() < 1e-12
    swing = [
        np.abs(rot.to_rotvec(cross_fade(before, [(0, before, after)], warp=w).rotations[:, 1]))
        for w in (1, 0)
    ]
    assert swing[0][:, 0].max() >= swing[1][:, 0].max() - 1e-9


def test_overlaps_that_do_not_fit_are_refused():
    motion = _swinging(np.arange(30.0))
    with pytest.raises(InvalidInputError, match="overlap"):
        cross_fade(motion, [(20, motion.cut(0, 15), motion.cut(0, 15))])
    with pytest.raises(InvalidInputError, match="overlap"):
        cross_fade(motion, [(0, motion.cut(0, 15), motion.cut(0, 14))])
