"""The performer with its 41 markers as a marker model, and its walk as a trial of known truth."""

from functools import cache

import numpy as np

from motionloom.fitting.marker_model import MarkerModel
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.performer.markers import marker_layout, place_markers
from motionloom.roles import find_roles

BODY = make_performer()


@cache
def performer_model() -> MarkerModel:
    """Markers exactly where they are on the performer."""
    layout = marker_layout(BODY)
    skeleton = BODY.skeleton
    return MarkerModel(
        skeleton,
        find_roles(skeleton),
        tuple(layout),
        np.array([skeleton.index(joint) for joint, _ in layout.values()]),
        np.array([place for _, place in layout.values()]),
        np.full(len(layout), 0.005),
    )


@cache
def walk(fps: float = 100.0) -> Motion:
    """Two seconds and a half of walking."""
    steps = walking_steps(BODY, 1.3, 3)
    motion = perform(BODY, plan_steps(BODY, steps)).motion.resample(1 / fps)
    return motion[round(0.5 * fps) : round(3.0 * fps)]


def trial(fps: float = 100.0):
    """The walk's markers, all seen, without noise."""
    return place_markers(BODY, walk(fps))


def joints_apart(one: Motion, other: Motion) -> np.ndarray:
    """Distances (T, J) of the joints of two motions, metres."""
    places = [forward_kinematics(motion).positions for motion in (one, other)]
    return np.linalg.norm(places[0] - places[1], axis=-1)
