"""What poses are like: a Gaussian of all captured poses, and of those near a problem's targets.

The Gaussian of all poses says that hands high up are rare; it does not say how people stand when
they are. So captured poses are weighed by how near their joints are to the targets, and the one
Gaussian is drawn to theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motionloom.compiling import full_kernel
from motionloom.ik._body import Body, held_body
from motionloom.ik.rig import POSITION, Aims
from motionloom.jacobian_kernels import make_stance, run
from motionloom.spaces.pose_space import PoseSpace
from motionloom.typing import Array, Bools, Ints

#: Captured poses that are looked among, spread evenly, and how many of them count.
SAMPLES, NEIGHBOURS = 1024, 64
#: Least distance of the farthest that counts, metres (root mean square over the targets).
NEAR = 0.05
#: Share of the Gaussian of all poses in the covariance near targets: that of a space whose captures
#: foretell each other well, and of one where only their segments do. The mean of few is drawn to
#: that of all, too.
SHRINKAGE = (0.6, 1.0)
DRAWN = 0.5
#: Standard deviation of a free root's place on the ground (metres) and facing (radians), before
#: anything is known of them.
PLACE, FACING = 0.3, 0.7
#: Standard deviation added to the root's place, metres.
ROOT_RIDGE = 0.01
#: Where a free root's numbers begin, from the end of a pose.
_ROOT = -6


class Gaussian(NamedTuple):
    """Mean (P,) and covariance (P, P) of poses."""

    mean: Array
    spread: Array


@dataclass(frozen=True, eq=False)
class Prior:
    """Captured poses as the solver takes them.

    Parameters
    ----------
    everywhere : Gaussian
        Of all captured poses.
    poses : array of shape (S, P)
        Some of them.
    places : array of shape (J, 3, S), metres
        Their joints.
    ridge : array of shape (P,)
        Variance that is added to every number.
    free : bool
        Whether the last six numbers are those of a free root.
    shrinkage : float
        Share of the Gaussian of all poses near targets.
    """

    everywhere: Gaussian
    poses: Array = field(repr=False)
    places: Array = field(repr=False)
    ridge: Array
    free: bool
    shrinkage: float = SHRINKAGE[0]

    @cached_property
    def whitening(self) -> Array:
        """Lower triangle (P, P) that turns deviations into standard normal numbers."""
        lower = np.linalg.cholesky(self.everywhere.spread)
        return np.asarray(np.linalg.inv(lower), float)

    def oddness(self, pose: Array) -> float:
        """How far a pose is from the mean of all: about 1 for captured ones."""
        away = self.whitening @ (pose - self.everywhere.mean)
        return float(np.sqrt(away @ away / len(away)))

    def near(self, aims: Aims, fixed: Bools) -> Gaussian:
        """Gaussian of poses whose joints are about where targets are.

        Parameters
        ----------
        aims : Aims
            Their positions of joints count, not those of tools; without any it is the Gaussian of
            all poses.
        fixed : bool array of shape (P,)
            Numbers that may not change. Unless the root's place is among them, captured poses are
            first carried over the ground to the targets.

        Returns
        -------
        Gaussian
            Without any variance of the fixed numbers.
        """
        own = (aims.kind == POSITION) & (aims.soft == 0.0) & ~aims.local.any(axis=1)
        chosen = np.flatnonzero(own)
        if len(chosen) == 0 or len(self.poses) < NEIGHBOURS:
            mean, spread = self.everywhere.mean.copy(), self.everywhere.spread.copy()
        else:
            turned = self.free and not fixed[_ROOT]
            mean, spread = _near(
                self.poses,
                self.places,
                aims.joint[chosen],
                aims.value[chosen, 0],
                turned,
                self.everywhere,
                self.ridge,
                self.shrinkage,
            )
        if fixed.any():
            spread[fixed] = 0.0
            spread[:, fixed] = 0.0
        return Gaussian(mean, spread)


def make_prior(
    space: PoseSpace, body: Body | None = None, *, joining: float | None = None
) -> Prior:
    """Captured poses of a space as the default solver takes them.

    Parameters
    ----------
    space : PoseSpace
        The captured poses and their segments.
    body : Body, optional
        That of the space with its root held when not given.
    joining : float, optional
        Share of the covariance that knows the segments only, from 0 to 1; that which foretells
        captures best when not given.

    Returns
    -------
    Prior
        Of all numbers of the body.
    """
    body = body or held_body(space)
    size = space.coordinates.size
    root = space.footing.root
    rows = np.concatenate([space.poses, root], axis=1) if body.free else space.poses
    ridge = np.full(body.size, space.options.ridge**2)
    ridge[size : size + 3] = ROOT_RIDGE**2
    spread = np.cov(rows, rowvar=False) + np.diag(ridge)
    share = space.joining if joining is None else joining
    spread[:size, :size] = space.blend(share)
    if body.free:
        # Blocks of different origin need not fit together; less of what joins them always does.
        spread[:size, size:] *= 1.0 - share
        spread[size:, :size] *= 1.0 - share
        for number, deviation in ((0, PLACE), (2, PLACE), (4, FACING)):
            spread[size + number, size + number] += deviation**2
    chosen = np.linspace(0, len(rows) - 1, min(SAMPLES, len(rows))).astype(int)
    poses = np.ascontiguousarray(rows[chosen])
    return Prior(
        Gaussian(rows.mean(axis=0), np.ascontiguousarray(spread)),
        poses,
        _places(body, poses),
        ridge,
        body.free,
        SHRINKAGE[0] + (SHRINKAGE[1] - SHRINKAGE[0]) * share,
    )


def _places(body: Body, poses: Array) -> Array:
    stance = make_stance(body.rig)
    places = np.empty((*stance.place.shape, len(poses)))
    for n, pose in enumerate(poses):
        run(body.rig, pose, stance)
        places[:, :, n] = stance.place
    return places


def observed(gaussian: Gaussian, numbers: Ints, variance: Array, values: Array) -> Gaussian:
    """The Gaussian where some numbers are measured independently.

    Parameters
    ----------
    gaussian : Gaussian
        Of P numbers.
    numbers : int array of shape (K,)
        Which are measured.
    variance : array of shape (K,)
        Of the measurements.
    values : array of shape (K,)
        What they are.

    Returns
    -------
    Gaussian
        Narrower, and drawn to what was measured.
    """
    mean, spread = gaussian.mean.copy(), gaussian.spread.copy()
    _observe(mean, spread, numbers, variance, values)
    return Gaussian(mean, spread)


@full_kernel()
def _observe(mean, spread, numbers, variance, values):  # pragma: no cover - compiled
    """Change a Gaussian in place by one measurement after the other (Kalman 1960)."""
    n = len(mean)
    gain = np.empty(n)
    for i in range(len(numbers)):
        p = numbers[i]
        away = values[i] - mean[p]
        for q in range(n):
            gain[q] = spread[p, q]
        total = gain[p] + variance[i]
        for q in range(n):
            share = gain[q] / total
            mean[q] += share * away
            for r in range(n):
                spread[q, r] -= share * gain[r]


@full_kernel()
def _near(
    poses, places, joints, wanted, turned, everywhere, ridge, shrinkage
):  # pragma: no cover - compiled
    """Mean and covariance of poses near targets; see `Prior.near`."""
    distance, along, across = _distances(places, joints, wanted, turned)
    far = max(np.sqrt(np.partition(distance, NEIGHBOURS - 1)[NEIGHBOURS - 1]), NEAR) * 1.001
    chosen = np.flatnonzero(distance < far * far)
    weight = (1.0 - distance[chosen] / (far * far)) ** 2
    weight /= weight.sum()
    own = poses[chosen]
    n = own.shape[1]
    mean = np.zeros(n)
    for i in range(len(chosen)):
        s = chosen[i]
        if turned:
            _carry(own[i], places[:, :, s], joints, wanted, np.arctan2(across[s], along[s]))
        for p in range(n):
            mean[p] += weight[i] * own[i, p]
    for i in range(len(chosen)):
        root = np.sqrt((1.0 - shrinkage) * weight[i])
        for p in range(n):
            own[i, p] = root * (own[i, p] - mean[p])
    spread = own.T @ own
    for p in range(n):
        for q in range(n):
            spread[p, q] += shrinkage * everywhere.spread[p, q]
        spread[p, p] += (1.0 - shrinkage) * ridge[p]
        if not turned or p < n - 6:  # but not what says where the body is
            mean[p] += DRAWN * (everywhere.mean[p] - mean[p])
    return mean, spread


@full_kernel()
def _distances(places, joints, wanted, turned):  # pragma: no cover - compiled
    """Mean squared distance of the joints of every pose to where they are wanted, and cosine and
    sine, times any length, of the turn about the vertical that makes it so small where the body may
    be carried over the ground.
    """
    count = len(joints)
    n = places.shape[2]
    total = np.zeros(n)
    along = np.zeros(n)
    across = np.zeros(n)
    middle = np.zeros((2, n))
    bx = wanted[:, 0].mean() if turned else 0.0
    bz = wanted[:, 2].mean() if turned else 0.0
    for k in range(count):
        x, y, z = places[joints[k]]
        u = wanted[k, 0] - bx
        v = wanted[k, 1]
        w = wanted[k, 2] - bz
        if not turned:
            for s in range(n):
                total[s] += (x[s] - u) ** 2
                total[s] += (y[s] - v) ** 2
                total[s] += (z[s] - w) ** 2
            continue
        # u and w are about their mean, so that x and z need not be.
        for s in range(n):
            total[s] += x[s] ** 2 + z[s] ** 2 + (u**2 + w**2) + (y[s] - v) ** 2
            along[s] += x[s] * u + z[s] * w
            across[s] += z[s] * u - x[s] * w
            middle[0, s] += x[s]
            middle[1, s] += z[s]
    for s in range(n):
        if turned:
            total[s] -= (middle[0, s] ** 2 + middle[1, s] ** 2) / count
            total[s] -= 2.0 * np.sqrt(along[s] ** 2 + across[s] ** 2)
        total[s] = max(total[s], 0.0) / count
    return total, along, across


@full_kernel()
def _carry(pose, places, joints, wanted, turn):  # pragma: no cover - compiled
    """Carry a pose with a free root over the ground so that its joints are about where wanted."""
    c = np.cos(turn)
    s = np.sin(turn)
    n = len(pose)
    x = pose[n - 6]
    z = pose[n - 4]
    pose[n - 6] = c * x + s * z
    pose[n - 4] = c * z - s * x
    for k in range(len(joints)):
        a = places[joints[k], 0]
        b = places[joints[k], 2]
        pose[n - 6] += (wanted[k, 0] - (c * a + s * b)) / len(joints)
        pose[n - 4] += (wanted[k, 2] - (c * b - s * a)) / len(joints)
    _turn_vector(pose[n - 3 :], turn)


@full_kernel()
def _turn_vector(v, turn):  # pragma: no cover - compiled
    """Rotation vector of a rotation that is then turned about the vertical."""
    angle = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    w = np.cos(0.5 * angle)
    share = 0.5 if angle < 1e-9 else np.sin(0.5 * angle) / angle
    x = v[0] * share
    y = v[1] * share
    z = v[2] * share
    c = np.cos(0.5 * turn)
    s = np.sin(0.5 * turn)
    # The quaternion (c, 0, s, 0) times (w, x, y, z).
    a = c * w - s * y
    q = (c * x + s * z, c * y + s * w, c * z - s * x)
    if a < 0:
        a = -a
        q = (-q[0], -q[1], -q[2])
    sine = np.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2)
    scale = 2.0 if sine < 1e-9 else 2.0 * np.arctan2(sine, a) / sine
    for i in range(3):
        v[i] = scale * q[i]
