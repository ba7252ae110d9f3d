"""Gait found in markers is that of the skeleton that carries them."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.analysis.soles import leg_length
from motionloom.errors import InvalidInputError
from motionloom.gait.cycles.find import find_gait
from motionloom.gait.cycles.tracks import tracks_of_motion
from motionloom.marker_motion import MarkerSequence
from motionloom.posed_motion import pose_motion
from motionloom_evaluation.gait.marker_tracks import tracks_of_markers
from performed import performer_clips


@pytest.fixture(scope="module")
def performances():
    """The performer's clips by name."""
    return {clip.motion.name: clip for clip in performer_clips()}


def gait_of(motion):
    posed = pose_motion(motion)
    return find_gait(tracks_of_motion(posed, leg_length(posed)))


def test_markers_give_what_their_skeleton_gives(performances):
    clip = performances["walk_1.6"]
    seen = clip.markers.valid.copy()
    seen[40:43, clip.markers.labels.index("LANK")] = False  # a short gap is bridged
    strides = find_gait(tracks_of_markers(replace(clip.markers, valid=seen))).strides
    own = {(s.foot, round(s.start, 6)): s for s in gait_of(clip.motion).strides}
    assert len(strides) >= len(own) - 1
    for stride in strides:
        near = min(abs(stride.start - s.start) for s in own.values() if s.foot == stride.foot)
        assert near < 0.05


def test_a_span_before_the_markers_are_seen_counts_as_time(performances):
    motion = performances["walk_1.6"].motion
    posed = pose_motion(motion)
    joints = posed.roles.joints
    roles = ("hips", "left_foot", "right_foot", "left_hip", "right_hip")
    places = posed.positions[:, [joints[role] for role in roles]]
    seen = np.ones(places.shape[:2], bool)
    seen[:20] = False
    names = ("PELO", "LTIO", "RTIO", "LFEP", "RFEP")
    tracks = tracks_of_markers(MarkerSequence(names, places, seen, motion.frame_time))
    assert tracks.first == 20
    late = find_gait(tracks).of("strike", "left")
    whole = gait_of(motion).of("strike", "left")
    assert all(np.abs(whole - time).min() < 0.05 for time in late)


def test_markers_without_ankles_are_refused():
    markers = MarkerSequence(("A", "B"), np.zeros((200, 2, 3)), np.ones((200, 2), bool), 0.01)
    with pytest.raises(InvalidInputError, match="LANK"):
        tracks_of_markers(markers)
