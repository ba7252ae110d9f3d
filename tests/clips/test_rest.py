"""Rests: quiet moments held, of clips in which nobody rests."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.activity import limb_speeds
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.rest import HOLD, SLOWING, SUFFIX, SWAY, add_rests, hold_times, show_at
from walkers import make_walker

LENGTH, FPS = 180, 30.0


def standing(seconds_quiet, name="acts"):
    """Somebody on the spot whose legs and head swing, but for a while in the middle."""
    walker = make_walker(LENGTH, speed=0.0, name=name)
    t = np.arange(LENGTH) / FPS
    quiet = np.abs(t - t.mean()) < 0.5 * seconds_quiet
    pace = np.where(quiet, 0.05, 1.0)
    angle = 0.5 * np.sin(2 * np.pi * np.cumsum(pace) / FPS)
    rotations = np.tile([1.0, 0, 0, 0], (LENGTH, walker.skeleton.n_joints, 1))
    rotations[:, 0] = rot.from_rotvec(np.column_stack([0.3 * angle, 0 * t, 0 * t]))
    rotations[:, 1] = rot.from_rotvec(np.column_stack([0.0 * angle, 0 * t, angle]))
    return replace(walker, rotations=rotations)


def analysed(*motions):
    return analyse_clips(make_clip_set(motions))


def test_a_quiet_moment_is_held():
    clips = analysed(standing(0.5))
    more = add_rests(clips)
    made = more.clip_set
    assert made.names == ("acts", "acts" + SUFFIX)
    assert "acts" in made.notes[-1]
    n = clips.clip_set.n_frames
    fastest = limb_speeds(made).max(axis=0)
    assert np.sum(fastest[n:] < 0.1) > 0.5 * HOLD * FPS
    assert np.sum(fastest[:n] < 0.1) == 0
    assert len(more.contacts) == len(more.feet) == made.n_clips == len(made.origins)
    assert more.limits is clips.limits
    assert more.quality is clips.quality
    assert np.array_equal(made.positions[:n], clips.clip_set.positions)


@pytest.mark.parametrize(
    "motions",
    [[standing(2.5)], [standing(0.0)], [make_walker(LENGTH, name="walk")]],
    ids=["rests", "never quiet", "only walks"],
)
def test_other_clips_stay_as_they_are(motions):
    clips = analysed(*motions)
    assert add_rests(clips) is clips


def test_who_also_walks_may_rest_too():
    walks = [make_walker(LENGTH, name=f"walk {k}") for k in range(2)]
    assert add_rests(analysed(standing(0.5), *walks)).clip_set.names[-1] == "acts" + SUFFIX


@pytest.mark.parametrize("frame", [0, 4, 90, 175])
def test_a_hold_goes_on_without_a_jump_and_stays_near(frame):
    when = hold_times(LENGTH, frame, FPS)
    assert when.min() >= 0.0
    assert when.max() <= LENGTH - 1
    pace = np.diff(when)
    assert np.abs(pace).max() <= 1.0 + 1e-9
    assert np.abs(np.diff(pace)).max() < 0.25
    still = np.abs(pace) <= SWAY
    assert still.sum() >= 0.8 * HOLD * FPS
    assert np.abs(when[:-1][still] - frame).max() < (SLOWING + HOLD * SWAY) * FPS


def test_whole_frames_are_shown_as_they_are():
    motion = standing(0.5)
    shown = show_at(motion, np.array([3.0, 4.0, 4.0, LENGTH - 1.0]))
    assert np.allclose(shown.rotations, motion.rotations[[3, 4, 4, -1]])
    assert np.allclose(shown.translations, motion.translations[[3, 4, 4, -1]])


def test_labels_of_a_moment_are_those_of_its_rest():
    clips = analysed(standing(0.5))
    every = np.ones(clips.clip_set.n_frames, bool)
    labelled = replace(clips, clip_set=replace(clips.clip_set, labels={"calm": every}))
    assert add_rests(labelled).clip_set.labels["calm"].all()
