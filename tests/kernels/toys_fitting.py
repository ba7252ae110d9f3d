"""Toys that follow markers: those of a stick figure, some of which go, change places and jump."""

from __future__ import annotations

import functools
from dataclasses import fields
from pathlib import Path

import numpy as np

from motionloom import rotations as rot
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.tracking import MarkerTracker, TrackedPose, track
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.roles import find_roles
from walkers import SKELETON, make_walker

#: Joint of each marker: the right leg below the thigh has none.
JOINTS = np.repeat([0, 1, 2, 3, 4, 7], [4, 3, 3, 3, 2, 3])
FRAMES = 14
#: Markers that change places, the one that jumps, and the segment that is gone for a while.
SWAPPED, JUMPING, GONE = [5, 9], 16, 3


@functools.cache
def model() -> MarkerModel:
    """Eighteen markers around the joints; the right knee never bends, thighs have a rest pose."""
    spread = np.full((SKELETON.n_joints, 3), np.inf)
    spread[[1, 4]] = [1.0, 0.3, 0.3]
    spread[5] = 0.0
    return MarkerModel(
        SKELETON,
        find_roles(SKELETON),
        tuple(f"M{i}" for i in range(len(JOINTS))),
        JOINTS,
        np.random.default_rng(6).uniform(-0.12, 0.12, (len(JOINTS), 3)),
        np.full(len(JOINTS), 0.005),
        spread=spread,
    )


@functools.cache
def trial() -> MarkerSequence:
    """A short walk with all that may happen to its markers."""
    walk = make_walker(FRAMES, bend=0.5)
    pose = forward_kinematics(walk)
    places = pose.positions[:, JOINTS] + rot.rotate(pose.rotations[:, JOINTS], model().offsets)
    places += np.random.default_rng(7).normal(0, 0.001, places.shape)
    places[2:6, SWAPPED] = places[2:6, SWAPPED[::-1]]
    places[3:5, JUMPING] += [0.0, 0.2, 0.1]
    valid = np.ones(places.shape[:2], bool)
    valid[3:9, JOINTS == GONE] = False
    valid[5:7, SWAPPED[0]] = False
    valid[8, 0] = False
    return MarkerSequence(model().labels, places, valid, walk.frame_time, name="walk")


def _numbers_of(poses: list[TrackedPose]) -> list[np.ndarray]:
    return [np.array([getattr(pose, part.name) for pose in poses]) for part in fields(TrackedPose)]


def markers_that_are_followed(folder: Path):
    """Frame by frame: a swap, a jump and a foot that is found again."""
    tracker = MarkerTracker(model(), trial().frame_time)
    frames = zip(trial().positions, trial().valid, strict=True)
    poses = [tracker.update(places, valid) for places, valid in frames]
    return _numbers_of(poses)


def markers_that_begin_anew(folder: Path):
    """Labels that are wrong in the first frame; a body that is carried away."""
    tracker = MarkerTracker(model(), 0.1)
    places = trial().positions[9:].copy()
    places[0, [2, 9]] = places[0, [9, 2]]
    places[2:] += 3.0
    frames = zip(places, trial().valid[9:], strict=True)
    return _numbers_of([tracker.update(*frame) for frame in frames])


def markers_of_a_whole_trial(folder: Path):
    """Smoothed."""
    found = track(model(), trial())
    motion = found.motion
    return (
        motion.rotations,
        motion.translations,
        found.residuals,
        found.observed,
        found.trusted,
        found.sources,
        [(event.first, event.last) for event in found.events],
    )


TOYS = (markers_that_are_followed, markers_that_begin_anew, markers_of_a_whole_trial)
