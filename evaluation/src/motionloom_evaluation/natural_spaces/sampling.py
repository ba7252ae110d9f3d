"""Whether samples of the pose space look like captured poses: four samplers compared (the thesis'
section 3, FE2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.stats import f_oneway

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.spaces.pose_space import PoseSpace
from motionloom_evaluation.natural_spaces.targets import Split
from motionloom_evaluation.pose_solvers.latent import pca_of

Array = NDArray[np.float64]

#: Percentile over poses of a joint's angle to the nearest captured pose.
PERCENTILE = 90.0
#: Captured poses that samples are compared with, at most.
COMPARED = 6000
RESAMPLES = 1000
SAMPLERS = ("captured", "pose space", "independent", "uniform")


@dataclass(frozen=True, eq=False)
class SamplingTest:
    """Distance of samples to the nearest captured pose.

    Parameters
    ----------
    joints : tuple of str
        Joints that turn.
    angles : dict of str to array of shape (J,)
        By sampler: the 90th percentile over poses of every joint's angle, radians.
    mean, deviation : dict of str to float
        Mean over the joints, and its standard deviation over resamples of the poses, radians.
    p : float
        Of an analysis of variance over the resampled means of the samplers.
    """

    joints: tuple[str, ...]
    angles: dict[str, Array]
    mean: dict[str, float]
    deviation: dict[str, float]
    p: float


def sample_poses(space: PoseSpace, sampler: str, count: int, rng: np.random.Generator) -> Array:
    """Draw random poses within the effective limits.

    Parameters
    ----------
    space : PoseSpace
        What the samplers draw from.
    sampler : {"pose space", "independent", "uniform"}
        Gaussian in the whole-body space; each angle from its own captured values; each angle
        uniform in its limits.
    count : int
        Number of poses.
    rng : Generator
        NumPy's; it is advanced.

    Returns
    -------
    array of shape (count, P), radians
        What lies beyond a limit is moved to it.
    """
    size = space.coordinates.size
    if sampler == "pose space":
        pca = pca_of(space, "whole")
        deviations = np.sqrt(pca.explained_variance_)
        poses = pca.inverse_transform(deviations * rng.standard_normal((count, len(deviations))))
    elif sampler == "independent":
        poses = np.column_stack([rng.choice(space.poses[:, p], count) for p in range(size)])
    elif sampler == "uniform":
        poses = rng.uniform(space.lower, space.upper, (count, size))
    else:
        raise InvalidInputError(f"no sampler draws poses by {sampler!r}")
    return np.clip(poses, space.lower, space.upper)


def evaluate_sampling(split: Split, count: int = 1000, seed: int = 0) -> SamplingTest:
    """Compare the samplers; captured poses are held-out ones: none finds its own capture.

    Parameters
    ----------
    split : Split
        Samples are compared with the poses of its space, thinned to less than twice `COMPARED`.
    count : int
        Poses drawn by each sampler.
    seed : int
        Of the samples and of the bootstrap.

    Returns
    -------
    SamplingTest
        Angles to the nearest captured pose, for each of `SAMPLERS`.
    """
    rng = np.random.default_rng(seed)
    space = split.space
    joints = np.unique(space.coordinates.joints[space.varying])
    thinned = space.poses[:: max(len(space.poses) // COMPARED, 1)]
    captured = _turns(space, thinned, joints)
    reference = rot.mean(captured)
    index = cKDTree(_flat(captured, reference))
    angles = {}
    resampled = {}
    for sampler in SAMPLERS:
        if sampler == "captured":
            held = split.held_out.poses
            poses = held[rng.integers(0, len(held), count)]
        else:
            poses = sample_poses(space, sampler, count, rng)
        turns = _turns(space, poses, joints)
        nearest = np.asarray(index.query(_flat(turns, reference))[1])
        apart = rot.angle_between(turns, captured[nearest])
        angles[sampler] = np.percentile(apart, PERCENTILE, axis=0)
        drawn = rng.integers(0, count, (RESAMPLES, count))
        resampled[sampler] = np.array(
            [np.percentile(apart[d], PERCENTILE, axis=0).mean() for d in drawn]
        )
    p = float(f_oneway(*resampled.values()).pvalue)
    names = tuple(space.coordinates.skeleton.names[j] for j in joints)
    return SamplingTest(
        names,
        angles,
        {s: float(v.mean()) for s, v in resampled.items()},
        {s: float(v.std()) for s, v in resampled.items()},
        p,
    )


def _turns(space: PoseSpace, poses: Array, joints: NDArray[np.int64]) -> Array:
    """Local rotations of joints, shape (N, J, 4)."""
    return space.coordinates.coordinates.local_pose(space.coordinates.to_values(poses))[0][
        :, joints
    ]


def _flat(turns: Array, reference: Array) -> Array:
    """Rotations as points whose squared distance is twice a dissimilarity, ``1 - |q1 . q2|``."""
    sign = np.where(np.sum(turns * reference, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    return (turns * sign).reshape(len(turns), -1)


def format_sampling(test: SamplingTest) -> str:
    """The result as text."""
    lines = [
        (
            "angle to the nearest captured pose of another clip, 90th percentile over poses, mean"
            " over joints (degrees)"
        ),
        *(
            f"  {s:<14}{np.degrees(test.mean[s]):>8.2f} +- {np.degrees(test.deviation[s]):.2f}"
            for s in SAMPLERS
        ),
        (
            "  analysis of variance over resamples: p"
            f" {f'= {test.p:.1e}' if test.p > 1e-300 else '< 1e-300'}"
        ),
        "by joint" + "".join(f"{s:>14}" for s in SAMPLERS),
    ]
    for j, name in enumerate(test.joints):
        lines.append(
            f"{name:<14}" + "".join(f"{np.degrees(test.angles[s][j]):>14.1f}" for s in SAMPLERS)
        )
    return "\n".join(lines) + "\n"
