import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.graph.transitions._cost import (
    STEP_QUANTILE,
    compute_features,
    fit_scale,
    joint_weights,
    scale_features,
    step_costs,
    torso_positions,
)
from motionloom.motion import GroundTransform, Motion
from motionloom.skeleton import Skeleton
from walkers import NAMES, SKELETON, make_walker


def test_features_do_not_change_when_a_clip_is_moved_and_turned():
    motion = make_walker(60, bend=0.8)
    here = compute_features(make_clip_set([motion]))
    there = compute_features(make_clip_set([motion.transformed(GroundTransform(2.5, -4.0, 7.0))]))
    for a, b in zip(here, there, strict=True):
        assert np.allclose(a, b, atol=1e-9)


def test_the_turn_rate_keeps_its_sign_and_speed_is_metres_per_second():
    pose, change = compute_features(make_clip_set([make_walker(60, speed=1.2, bend=-0.8)]))
    assert np.allclose(pose[:, -1], -0.8)
    assert np.allclose(pose[:, -2], 1.2, rtol=1e-3)
    assert np.allclose(change[2:-2, -2:], 0, atol=1e-3)


def test_rates_do_not_cross_from_clip_to_clip():
    alone = compute_features(make_clip_set([make_walker(40, bend=0.3)]))[1]
    both = compute_features(make_clip_set([make_walker(40, bend=0.3), make_walker(40, speed=2.0)]))[
        1
    ]
    assert np.allclose(both[:40], alone)


def test_the_torso_frame_stands_under_the_hips_and_looks_ahead():
    local = torso_positions(make_clip_set([make_walker(30, bend=1.0)]))
    assert np.allclose(local[:, 0, [0, 2]], 0, atol=1e-12)
    left = NAMES.index("LeftUpLeg")
    assert np.allclose(local[:, left, [0, 2]], [0.1, 0.0], atol=1e-9)


def test_a_matrix_product_gives_the_cost_of_equation_5(walkers):
    pose, change = compute_features(walkers)
    features = scale_features(pose, change, fit_scale(walkers, pose, change))
    weights = joint_weights(walkers)
    inside = walkers.clip_of[1:] == walkers.clip_of[:-1]

    def largest_step(block):
        joints = block[:, :-2].reshape(len(block), -1, 3)
        steps = np.concatenate(
            [np.square(np.diff(joints, axis=0)).sum(2), np.square(np.diff(block[:, -2:], axis=0))],
            1,
        )
        return np.quantile(steps[inside], STEP_QUANTILE, axis=0)

    rng = np.random.default_rng(0)
    for i, j in rng.integers(0, walkers.n_frames, (20, 2)):
        cost = 0.0
        for block in (pose, change):
            scale = largest_step(block)
            for k in range(len(NAMES)):
                if scale[k] > 1e-12:
                    cost += (
                        weights[k]
                        / scale[k]
                        * np.sum((block[i, 3 * k : 3 * k + 3] - block[j, 3 * k : 3 * k + 3]) ** 2)
                    )
            for k in (-2, -1):
                if scale[k] > 1e-12:
                    cost += weights[k] / scale[k] * (block[i, k] - block[j, k]) ** 2
        assert np.square(features[i] - features[j]).sum() == pytest.approx(cost, rel=1e-9)


def test_a_reference_joint_above_the_hips_does_not_count():
    motion = make_walker(50, bend=0.4)
    skeleton = Skeleton(
        ("Reference", *SKELETON.names),
        np.concatenate([[-1], SKELETON.parents + 1]),
        np.vstack([[0, 0, 0], SKELETON.offsets]),
    )
    below = np.concatenate([np.tile([1.0, 0, 0, 0], (50, 1, 1)), motion.rotations], axis=1)
    under = Motion(skeleton, below, motion.translations, motion.frame_time, translated=(1,))

    def cost_matrix(motions):
        clips = make_clip_set(motions)
        pose, change = compute_features(clips)
        f = scale_features(pose, change, fit_scale(clips, pose, change))
        return np.square(f[:, None] - f[None]).sum(2)

    assert np.allclose(cost_matrix([under]), cost_matrix([motion]), rtol=1e-6, atol=1e-9)


def test_feet_weigh_more_than_hands_and_step_costs_stay_in_their_clip(walkers):
    weights = joint_weights(walkers)
    assert weights[NAMES.index("LeftFoot")] > weights[NAMES.index("Head")]
    features = np.arange(walkers.n_frames, dtype=float)[:, None]
    assert np.allclose(step_costs(walkers, features, 3), 9.0)
