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
from motionloom.rotation_kernels import about_up, from_rotvec, multiply, norm, put, rotate, scale
from motionloom.spaces.pose_space import RIDGE, PoseSpace
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
            asked = aims.joint[chosen], aims.value[chosen, 0], self.free and not fixed[_ROOT]
            known = self.everywhere, self.ridge, self.shrinkage
            mean, spread = _near(self.poses, self.places, *asked, *known)
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
    ridge = np.full(body.size, RIDGE**2)
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
    gaussian = Gaussian(rows.mean(axis=0), np.ascontiguousarray(spread))
    shrinkage = SHRINKAGE[0] + (SHRINKAGE[1] - SHRINKAGE[0]) * share
    return Prior(gaussian, poses, _places(body, poses), ridge, body.free, shrinkage)


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
    for i in range(len(numbers)):
        p = numbers[i]
        own = spread[p].copy()
        gain = own / (own[p] + variance[i])
        mean += (values[i] - mean[p]) * gain
        spread -= np.outer(gain, own)


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
    if turned:
        for i in range(len(chosen)):
            s = chosen[i]
            _carry(own[i], places[:, :, s], joints, wanted, np.arctan2(across[s], along[s]))
    mean = weight @ own
    own = np.sqrt((1.0 - shrinkage) * weight).reshape(-1, 1) * (own - mean)
    spread = own.T @ own + shrinkage * everywhere.spread + (1.0 - shrinkage) * np.diag(ridge)
    drawn = len(mean) - 6 if turned else len(mean)  # but not what says where the body is
    mean[:drawn] += DRAWN * (everywhere.mean[:drawn] - mean[:drawn])
    return mean, spread


@full_kernel()
def _distances(places, joints, wanted, turned):  # pragma: no cover - compiled
    """Mean squared distance of the joints of every pose to where they are wanted, and cosine and
    sine, times any length, of the turn about the vertical that makes it so small where the body may
    be carried over the ground.
    """
    count = len(joints)
    total = np.zeros(places.shape[2])
    along = np.zeros(len(total))
    across = np.zeros(len(total))
    middle_x = np.zeros(len(total))
    middle_z = np.zeros(len(total))
    # About their mean, so that x and z need not be.
    bx = wanted[:, 0].mean() if turned else 0.0
    bz = wanted[:, 2].mean() if turned else 0.0
    for k in range(count):
        x, y, z = places[joints[k]]
        u = wanted[k, 0] - bx
        v = wanted[k, 1]
        w = wanted[k, 2] - bz
        if not turned:
            total += (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2
            continue
        total += x**2 + z**2 + (u**2 + w**2) + (y - v) ** 2
        along += x * u + z * w
        across += z * u - x * w
        middle_x += x
        middle_z += z
    if turned:
        total -= (middle_x**2 + middle_z**2) / count + 2.0 * np.sqrt(along**2 + across**2)
    return np.maximum(total, 0.0) / count, along, across


@full_kernel()
def _carry(pose, places, joints, wanted, turn):  # pragma: no cover - compiled
    """Carry a pose with a free root over the ground so that its joints are about where wanted."""
    about = about_up(turn)
    place = rotate(about, pose[-6:-3])
    pose[-6] = place[0]
    pose[-4] = place[2]
    for k in range(len(joints)):
        at = rotate(about, places[joints[k]])
        pose[-6] += (wanted[k, 0] - at[0]) / len(joints)
        pose[-4] += (wanted[k, 2] - at[2]) / len(joints)
    q = multiply(about, from_rotvec(pose[-3:]))
    sine = max(norm(q[1:]), 1e-9)
    put(pose[-3:], scale(2.0 * np.copysign(np.arctan2(sine, abs(q[0])), q[0]) / sine, q[1:]))
