from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.clip_set import add_mirrored, make_clip_set
from motionloom.clips.labels import Label, label_clips
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.io.registry import load_motion
from motionloom.motion import Source
from motionloom.skeleton import Skeleton
from walkers import SKELETON, make_walker


def test_frames_are_counted_through_and_kinematics_done():
    clips = make_clip_set([make_walker(40), make_walker(50, bend=0.5)])
    assert clips.starts.tolist() == [0, 40, 90]
    assert clips.clip_of.tolist() == [0] * 40 + [1] * 50
    assert clips.body[89, 2] == pytest.approx(0.5 * 49 / 30)
    assert np.allclose(clips.positions[:, 0, [0, 2]], clips.body[:, :2])


def test_rates_are_brought_together_exactly():
    fast = make_walker(121, fps=120.0)
    clips = make_clip_set([fast, make_walker(31)])
    assert clips.fps == pytest.approx(30)
    assert clips.motions[0].n_frames == 31
    assert np.array_equal(clips.motions[0].rotations, fast.rotations[::4])


def test_a_rounded_frame_time_loses_no_frame_and_changes_none():
    rounded = replace(make_walker(50), frame_time=0.0333333)
    clip = make_clip_set([rounded], fps=30).motions[0]
    assert clip.n_frames == 50
    assert clip.frame_time == 1 / 30
    assert np.array_equal(clip.rotations, rounded.rotations)


def test_another_rate_is_interpolated():
    clip = make_clip_set([make_walker(101, fps=100.0)], fps=30).motions[0]
    assert clip.n_frames == 31
    assert np.allclose(clip.translations, make_walker(31).translations[:1] + 0, atol=1.1)


def test_a_calibration_pose_is_left_out_and_told():
    motion = make_walker(60, name="subject")
    rotations = motion.rotations.copy()
    rotations[0, 1] = [np.cos(0.6), 0, 0, np.sin(0.6)]
    clips = make_clip_set([replace(motion, rotations=rotations), motion])
    assert [m.n_frames for m in clips.motions] == [59, 60]
    assert len(clips.notes) == 1
    assert "subject" in clips.notes[0]
    assert "calibration pose" in clips.notes[0]


@pytest.mark.parametrize("poses", [(0.6, 0.6), (0.6, 0.9), (0.6,) * 20, (0.6, 0.0, 0.0, 0.6)])
def test_all_calibration_poses_are_left_out(poses):
    motion = make_walker(60, name="subject")
    rotations = np.concatenate([np.repeat(motion.rotations[:1], len(poses), 0), motion.rotations])
    translations = motion.translations[[0] * len(poses) + list(range(60))]
    for frame, angle in enumerate(poses):
        rotations[frame, 1] = [np.cos(angle), 0, 0, np.sin(angle)]
    longer = replace(motion, rotations=rotations, translations=translations)
    clips = make_clip_set([longer])
    assert [m.n_frames for m in clips.motions] == [60]
    np.testing.assert_allclose(clips.motions[0].rotations, motion.rotations)
    assert f"frames 0 to {len(poses) - 1} look like a calibration pose" in clips.notes[0]


def test_a_leap_late_in_a_clip_does_not_hide_its_calibration_pose():
    motion = make_walker(90, name="subject")
    rotations = motion.rotations.copy()
    for frame, angle in ((0, 0.6), (70, 0.4)):
        rotations[frame, 1] = [np.cos(angle), 0, 0, np.sin(angle)]
    clips = make_clip_set([replace(motion, rotations=rotations)])
    assert [m.n_frames for m in clips.motions] == [89]


def test_a_leap_in_the_midst_of_a_clip_is_no_calibration():
    motion = make_walker(60)
    rotations = motion.rotations.copy()
    rotations[:20, 1] = [np.cos(0.6), 0, 0, np.sin(0.6)]
    assert make_clip_set([replace(motion, rotations=rotations)]).motions[0].n_frames == 60


def test_other_bones_are_refused_naming_both_files():
    other = replace(
        make_walker(40),
        skeleton=Skeleton(SKELETON.names, SKELETON.parents, SKELETON.offsets * 1.1),
        source=Source(path="tall.bvh"),
    )
    with pytest.raises(
        InvalidInputError, match=r"walk and tall\.bvh have different bones .* 60\.0 mm.*retarget"
    ):
        make_clip_set([make_walker(40), other])


def test_the_clip_that_is_unlike_the_others_is_named_wherever_it_stands():
    other = replace(
        make_walker(40),
        skeleton=Skeleton(SKELETON.names, SKELETON.parents, SKELETON.offsets * 1.1),
        source=Source(path="tall.bvh"),
    )
    with pytest.raises(InvalidInputError, match=r"leave out tall\.bvh, or retarget"):
        make_clip_set([other, make_walker(40), make_walker(50)])


def test_bones_within_a_millimetre_are_one_skeleton():
    offsets = SKELETON.offsets + 0.0008
    near = replace(make_walker(40), skeleton=Skeleton(SKELETON.names, SKELETON.parents, offsets))
    clips = make_clip_set([make_walker(40), near])
    assert clips.motions[1].skeleton is clips.motions[0].skeleton


def test_bones_kept_in_position_channels_are_compared_too():
    motion = make_walker(40)
    every = tuple(range(SKELETON.n_joints))
    moved = replace(motion, translated=every, translations=motion.local_translations())
    assert make_clip_set([motion, moved]).motions[0].translated == every
    longer = moved.translations.copy()
    longer[:, 2] *= 1.2
    with pytest.raises(InvalidInputError, match="different bones"):
        make_clip_set([motion, replace(moved, translations=longer)])


@pytest.mark.parametrize("n", [0, 1])
def test_too_short_a_clip_is_refused(n):
    with pytest.raises(InvalidInputError, match="at least 2"):
        make_clip_set([make_walker(20), make_walker(n)])


def test_a_clip_without_frames_is_told_so_and_not_to_have_other_bones():
    motion = make_walker(20)
    other = replace(motion.cut(0, 0), name="nobody")
    with pytest.raises(InvalidInputError, match=r"nobody has no frames"):
        make_clip_set([motion, other])


def test_no_clip_is_refused():
    with pytest.raises(InvalidInputError, match="at least one clip"):
        make_clip_set([])


def test_hips_that_slide_below_a_moving_reference_are_no_bone(shared_data):
    paths = sorted((shared_data / "lafan1_60fps").glob("*.bvh"))
    clips = make_clip_set([load_motion(path) for path in paths])
    assert clips.n_clips == len(paths) > 1


def test_mirrored_copies_follow_their_originals():
    motions = [make_walker(40, bend=0.3, name="a"), make_walker(50, bend=0.1, name="b")]
    plain, clips = make_clip_set(motions), make_clip_set(motions, mirror=True)
    assert clips.names == ("a", "b", "a (mirrored)", "b (mirrored)")
    assert clips.starts.tolist() == [0, 40, 90, 130, 180]
    assert np.array_equal(clips.positions[:90], plain.positions)
    swap = [0, 4, 5, 6, 1, 2, 3, 7]
    assert np.allclose(clips.positions[90:], plain.positions[:, swap] * [-1, 1, 1], atol=1e-9)
    assert np.allclose(clips.body[90:], plain.body * [-1, 1, -1], atol=1e-9)
    assert clips.frame_of_file("b (mirrored)", 7) == 137
    assert np.array_equal(clips.file_time(3), clips.file_time(1))


def test_labels_are_for_mirrored_copies_too():
    motions = [make_walker(40, name="a"), make_walker(50, name="b")]
    labelled = label_clips(make_clip_set(motions, mirror=True), [Label("b", "slow", 0.0, 0.5)])
    mask = labelled.labels["slow"]
    assert np.array_equal(np.flatnonzero(mask), [*range(40, 56), *range(130, 146)])
    before = add_mirrored(label_clips(make_clip_set(motions), [Label("b", "slow", 0.0, 0.5)]))
    assert np.array_equal(before.labels["slow"], mask)


def test_a_mirrored_copy_depends_on_no_other_clip():
    """Files with a position for every joint differ by the digits that they were written with."""
    rng, motions = np.random.default_rng(0), []
    for name in "abc":
        walker = make_walker(40, bend=0.3, name=name)
        walker = walker.with_translated(range(walker.skeleton.n_joints))
        motions.append(
            replace(walker, translations=walker.translations + rng.normal(scale=1e-6, size=(8, 3)))
        )
    whole = make_clip_set(motions, mirror=True)
    for k, motion in enumerate(motions):
        alone = make_clip_set([motion], mirror=True)
        frames = slice(whole.starts[3 + k], whole.starts[4 + k])
        assert np.array_equal(alone.positions[40:], whole.positions[frames])
        assert np.array_equal(alone.body[40:], whole.body[frames])


def test_a_misspelt_clip_is_answered_with_those_of_like_names():
    clips = make_clip_set(
        [make_walker(40, name=name) for name in ("walk_slow", "walk_fast", "turn")]
    )
    with pytest.raises(
        UnknownNameError,
        match=r"no clip is called 'walk_slov'; did you mean walk_slow or walk_fast\?",
    ):
        clips.frame_of_file("walk_slov", 0)
    with pytest.raises(UnknownNameError, match="clips there are: walk_slow, walk_fast, turn"):
        clips.frame_of_file("xyz", 0)
