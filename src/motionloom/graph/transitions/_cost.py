"""Transition cost: pose features in the torso frame, scaled so that a cost is a squared Euclidean
distance.

Every frame becomes one vector ``A f`` and the cost of going from frame i to frame j is ``|A f_i - A
f_j|^2`` (equation 5 of Arikan & Forsyth 2002 with a diagonal A), so the costs of all pairs of two
clips are one matrix product.
"""

from __future__ import annotations

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.clips.rates import clip_rates
from motionloom.motion import GroundTransform
from motionloom.typing import Array

#: Weight of a joint's squared distance by the role it plays: the ground gives feet away, nothing
#: gives hands away.
ROLE_WEIGHTS = {
    "toe": 2.0,
    "foot": 2.0,
    "knee": 1.5,
    "hip": 1.0,
    "elbow": 0.6,
    "hand": 0.4,
    "head": 0.6,
}
#: The largest step that normalises a feature is taken as this quantile, so that one glitch does not
#: blind it.
STEP_QUANTILE = 0.995


#: What turns raw features into ``A f``: factors, shape (J + 2,), of each joint's position, the
#: torso's speed and its turn rate, and the same for their time derivatives.
FeatureScale = tuple[Array, Array]


def torso_positions(clips: ClipSet) -> Array:
    """Joint positions seen from the torso frame, shape (N, J, 3), metres.

    The torso frame stands under the hips on the ground, turned about the vertical so that the body
    faces +Z.
    """
    return GroundTransform.of_body(clips.body[:, None]).seen(clips.positions)


def compute_features(clips: ClipSet) -> tuple[Array, Array]:
    """Raw features of every frame.

    Returns
    -------
    pose : array of shape (N, 3 J + 2)
        Joint positions in the torso frame (metres), the torso's speed (m/s) and its signed turn
        rate (rad/s).
    change : array of shape (N, 3 J + 2)
        Their time derivatives.
    """
    velocity = clip_rates(clips, clips.body)
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    joints = torso_positions(clips).reshape(clips.n_frames, -1)
    pose = np.column_stack([joints, speed, velocity[:, 2]])
    return pose, clip_rates(clips, pose)


def joint_weights(clips: ClipSet) -> Array:
    """Weight of every joint, then of speed and turn rate; shape (J + 2,).

    A joint above the hips (a reference that stays behind in the world) does not count.
    """
    weights = np.ones(clips.skeleton.n_joints + 2)
    for role, joint in clips.roles.joints.items():
        weights[joint] = ROLE_WEIGHTS.get(role.split("_")[-1], 1.0)
    weights[list(clips.skeleton.chain(clips.roles.joints["hips"])[:-1])] = 0.0
    return weights


def fit_scale(
    clips: ClipSet, pose: Array, change: Array, weights: Array | None = None
) -> FeatureScale:
    """Normalise every feature by its largest change between consecutive frames, then weight it.

    Parameters
    ----------
    clips : ClipSet
        Steps from one clip to the next do not count.
    pose, change : arrays of shape (N, 3 J + 2)
        As `compute_features` gives them.
    weights : array of shape (J + 2,), optional
        `joint_weights` when not given.

    Returns
    -------
    FeatureScale
        The diagonal of A in equation 5 of Arikan & Forsyth 2002; 0 for what never moves.
    """
    weights = joint_weights(clips) if weights is None else np.asarray(weights, float)
    return _factors(clips, pose, weights), _factors(clips, change, weights)


def _factors(clips: ClipSet, block: Array, weights: Array) -> Array:
    """``sqrt(weight / largest squared step)`` of every joint and scalar; 0 for what stays."""
    step = _per_joint(np.square(block[1:] - block[:-1]))
    inside = clips.clip_of[1:] == clips.clip_of[:-1]
    largest = np.quantile(step[inside], STEP_QUANTILE, axis=0)
    # What never moves would be divided by 0; it tells no frame from another and is left out.
    moves = largest > 1e-12
    return np.sqrt(np.where(moves, weights / np.where(moves, largest, 1.0), 0.0))


def _per_joint(squares: Array) -> Array:
    """Sum x, y, z of every joint; the two scalars stay."""
    n = len(squares)
    return np.column_stack([squares[:, :-2].reshape(n, -1, 3).sum(axis=2), squares[:, -2:]])


def scale_features(pose: Array, change: Array, scale: FeatureScale) -> Array:
    """Vectors whose squared distance is the transition cost (Arikan & Forsyth 2002, equation 5).

    Parameters
    ----------
    pose, change : arrays of shape (N, 3 J + 2)
        As `compute_features` gives them.
    scale : FeatureScale
        Factors of both.

    Returns
    -------
    array of shape (N, D)
        Without units; features with a factor of 0 are left out.
    """
    factors = [np.concatenate([np.repeat(f[:-2], 3), f[-2:]]) for f in scale]
    used = [f > 0 for f in factors]
    return np.column_stack(
        [block[:, u] * f[u] for block, f, u in zip((pose, change), factors, used, strict=True)]
    )


def step_costs(clips: ClipSet, features: Array, step: int) -> Array:
    """Cost between every frame and the one `step` later in its clip.

    The last frames of a clip, which have none, repeat the clip's last value; a shorter clip uses
    its longest step.

    Parameters
    ----------
    clips : ClipSet
        Steps stay within each of them.
    features : array of shape (N, D)
        Scaled features; their squared distance is the cost.
    step : int, frames
        At least 1.

    Returns
    -------
    array of shape (N,)
        Squared distances, without a unit.
    """
    costs = np.empty(clips.n_frames)
    for a, b in zip(clips.starts[:-1], clips.starts[1:], strict=True):
        k = min(step, int(b - a) - 1)
        own = np.square(features[a + k : b] - features[a : b - k]).sum(axis=1)
        costs[a : b - k] = own
        # The last frames have none `step` later in their clip: they take the last known cost.
        costs[b - k : b] = own[-1]
    return costs
