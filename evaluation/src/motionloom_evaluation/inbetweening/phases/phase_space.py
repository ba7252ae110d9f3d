"""Motion through a space of captured poses and speeds, after Ferrydiansyah (2011), chapter 5.

A phase is a pose with its speed, both as rotation vectors of the joints of one segment of the body;
the phase space is the subspace of their principal components (M-space). A motion is a point N_t of
it for every frame. With P and V the parts of the components that give pose and speed (means are
left out here), the motion from pose p_0 to p_n is the one that minimises

``a |p_0 - P N_0|^2 + a |p_n - P N_n|^2 + a |v_0 - V N_0|^2 + a |v_n - V N_(n-1)|^2
+ b sum |P N_(t+1) - P N_t - V N_t|^2 + c sum |N_(t+1) - N_t|^2 + d sum (|V N_t|^2 - s_t^2)^2``.

Neighbouring frames alone meet in a term, so it is a block-tridiagonal system: one banded solve in
time in proportion to the frames. The last term matches a given total speed s_t; it is solved by
Gauss-Newton steps of the same shape. Every segment is solved apart; joints of several segments get
the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.linalg import solveh_banded

from motionloom import rotations as rot
from motionloom.inbetween.gaps import Gaps, Track, keep_speed
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.rig import Rig
from motionloom.spaces.pca import PCA
from motionloom.spaces.segments import find_segments
from motionloom.typing import Array

#: Dimensions of the phase space of a leg and of any other segment (thesis, table 5-1).
LEG_DIMENSIONS = 8
DIMENSIONS = 18
#: Weight of speeds that a user asks for.
ASKED = 1.0
#: Most phases that a space is learned from.
_SAMPLES = 45_000
#: Gauss-Newton steps towards a given speed at most, and halvings of a step.
_STEPS = 30
_HALVINGS = 8


@dataclass(frozen=True)
class PhaseWeights:
    """Weights of what a motion through a phase space minimises; see the module.

    Parameters
    ----------
    ends : float
        Of the poses and speeds at both ends, ``a``.
    steps : float
        Of poses that go on by their speeds, ``b``.
    changes : float
        Of changes of the phase, ``c``.
    speed : float
        Of the difference of squared speeds, ``d``, in units of the squared mean of those asked
        for.
    """

    ends: float = 10.0
    steps: float = 1.0
    changes: float = 0.1
    speed: float = 0.1


@dataclass(frozen=True, eq=False)
class PhaseSpace:
    """The phase space of one segment; K dimensions of 2 D numbers.

    Parameters
    ----------
    joints : tuple of int
        Joints of the segment; three numbers each, D in all.
    mean : array of shape (2 D,)
        Mean pose (radians, rotation vectors) and mean speed (radians per frame).
    basis : array of shape (2 D, K)
        Orthonormal columns.
    """

    joints: tuple[int, ...]
    mean: Array
    basis: Array

    @property
    def pose(self) -> Array:
        """The rows of the basis that give the pose, shape (D, K)."""
        return self.basis[: len(self.basis) // 2]

    @property
    def speed(self) -> Array:
        """The rows of the basis that give the speed, shape (D, K)."""
        return self.basis[len(self.basis) // 2 :]

    @property
    def mean_pose(self) -> Array:
        """Mean pose, shape (D,)."""
        return self.mean[: len(self.mean) // 2]

    @property
    def mean_speed(self) -> Array:
        """Mean speed, shape (D,)."""
        return self.mean[len(self.mean) // 2 :]


@dataclass(frozen=True, eq=False)
class PhaseMotion:
    """A motion through a phase space.

    Parameters
    ----------
    phases : array of shape (n + 1, K)
        One point of the space for every frame, ends included.
    poses : array of shape (n + 1, D)
        Poses of them; at both ends they are near to what was asked for.
    speeds : array of shape (n + 1,)
        Total speed of every phase.
    iterations : int
        Gauss-Newton steps that were made.
    """

    phases: Array
    poses: Array
    speeds: Array
    iterations: int


@dataclass(frozen=True, eq=False)
class Ends:
    """Where a motion through a phase space begins and ends.

    Parameters
    ----------
    start, stop : array of shape (D,)
        Poses.
    start_speed, stop_speed : array of shape (D,)
        Speeds per frame; zero for a body at rest.
    """

    start: Array
    stop: Array
    start_speed: Array
    stop_speed: Array

    @classmethod
    def at_rest(cls, start: Array, stop: Array) -> Ends:
        """From one pose to another, with no speed at either."""
        return cls(start, stop, np.zeros_like(start), np.zeros_like(start))


def solve_phase_motion(
    space: PhaseSpace,
    ends: Ends,
    steps: int,
    speeds: Array | None = None,
    weights: PhaseWeights | None = None,
) -> PhaseMotion:
    """The smoothest motion through a phase space.

    Parameters
    ----------
    space : PhaseSpace
        Of K dimensions.
    ends : Ends
        Poses and speeds at the ends.
    steps : int
        Number n of steps from frame to frame.
    speeds : array of shape (n + 1,), optional
        Total speed asked for in every frame (radians per frame); not a number where any will do.
    weights : PhaseWeights, optional
        Of the terms.

    Returns
    -------
    PhaseMotion
    """
    weights = weights or PhaseWeights()
    diagonal, beside, right = _normal_equations(space, ends, steps, weights)
    phases = _solve_blocks(diagonal, beside, right)
    made = 0
    if speeds is not None:
        phases, made = _match_speeds(space, (diagonal, beside, right), phases, speeds, weights)
    own = phases @ space.speed.T + space.mean_speed
    return PhaseMotion(
        phases,
        phases @ space.pose.T + space.mean_pose,
        np.linalg.norm(own, axis=1),
        made,
    )


def _normal_equations(
    space: PhaseSpace, ends: Ends, steps: int, weights: PhaseWeights
) -> tuple[Array, Array, Array]:
    """Blocks on the diagonal (n + 1, K, K), to the right of it (n, K, K), and right side."""
    pose = space.pose
    speed = space.speed
    k = pose.shape[1]
    diagonal = np.zeros((steps + 1, k, k))
    beside = np.zeros((steps, k, k))
    right = np.zeros((steps + 1, k))
    for at, wanted, mean, part in (
        (0, ends.start, space.mean_pose, pose),
        (steps, ends.stop, space.mean_pose, pose),
        (0, ends.start_speed, space.mean_speed, speed),
        (steps - 1, ends.stop_speed, space.mean_speed, speed),
    ):
        diagonal[at] += weights.ends * part.T @ part
        right[at] += weights.ends * part.T @ (wanted - mean)
    going = pose + speed
    diagonal[:-1] += weights.steps * going.T @ going
    diagonal[1:] += weights.steps * pose.T @ pose
    beside -= weights.steps * going.T @ pose
    # The mean speed moves the pose on in every step.
    right[:-1] -= weights.steps * going.T @ space.mean_speed
    right[1:] += weights.steps * pose.T @ space.mean_speed
    same = weights.changes * np.eye(k)
    diagonal[:-1] += same
    diagonal[1:] += same
    beside -= same
    return diagonal, beside, right


def _solve_blocks(diagonal: Array, beside: Array, right: Array) -> Array:
    """Solution of a positive definite block-tridiagonal system, shape (n + 1, K)."""
    count, k = right.shape
    rows = np.concatenate([diagonal, np.zeros((count, k, k))], axis=2)
    rows[:-1, :, k:] = beside
    flat = rows.reshape(count * k, 2 * k)
    # Upper bands: entry (i, j) of the matrix is at row u + i - j of column j.
    bands = np.zeros((2 * k, count * k))
    for i in range(k):
        for offset in range(2 * k - i):
            bands[2 * k - 1 - offset, i + offset :: k][:count] = flat[i::k, i + offset][
                : len(bands[0, i + offset :: k])
            ]
    solved: Array = solveh_banded(bands, right.ravel(), overwrite_ab=True, check_finite=False)
    return solved.reshape(count, k)


def _match_speeds(
    space: PhaseSpace,
    equations: tuple[Array, Array, Array],
    phases: Array,
    speeds: Array,
    weights: PhaseWeights,
) -> tuple[Array, int]:
    """Gauss-Newton steps towards given total speeds; each step that is made lowers the sum."""
    diagonal, beside, right = equations
    asked = np.isfinite(speeds)
    wanted = np.where(asked, speeds, 0.0) ** 2
    weight = asked * weights.speed / max(float(wanted[asked].mean()), 1e-12)

    def cost(points: Array) -> float:
        own = points @ space.speed.T + space.mean_speed
        off = (own**2).sum(axis=1) - wanted
        product = np.einsum("tk,tkl,tl->", points, diagonal, points)
        product += 2 * np.einsum("tk,tkl,tl->", points[:-1], beside, points[1:])
        return float(product - 2 * (points * right).sum() + (weight * off**2).sum())

    now = cost(phases)
    for made in range(_STEPS):
        own = phases @ space.speed.T + space.mean_speed
        slopes = 2.0 * own @ space.speed
        off = wanted - (own**2).sum(axis=1)
        block = diagonal + weight[:, None, None] * slopes[:, :, None] * slopes[:, None, :]
        side = (
            right
            + weight[:, None] * slopes * (off + np.einsum("tk,tk->t", slopes, phases))[:, None]
        )
        change = _solve_blocks(block, beside, side) - phases
        for half in range(_HALVINGS):
            tried = phases + 0.5**half * change
            then = cost(tried)
            if then < now:
                break
        else:
            return phases, made
        gained = now - then
        phases = tried
        now = then
        if gained <= 1e-6 * abs(now):
            return phases, made + 1
    return phases, _STEPS


@dataclass(frozen=True, eq=False)
class PhaseSpaces:
    """Phase spaces of all segments of a body.

    Parameters
    ----------
    rig : Rig
        The body.
    reference : array of shape (J, 4)
        Mean local rotations; poses are rotation vectors from them.
    spaces : mapping of str to PhaseSpace
        By segment.
    weights : PhaseWeights
        Of what is minimised.
    at_rest : bool
        Whether motions begin and end with no speed, as published; else they begin with the speed
        the body has.
    """

    rig: Rig
    reference: Array
    spaces: Mapping[str, PhaseSpace]
    weights: PhaseWeights = PhaseWeights()
    at_rest: bool = False

    def pose_of(self, world: Array, joints: Sequence[int]) -> Array:
        """Poses (..., D) of a segment, from world rotations (..., J, 4)."""
        local = self.rig.local_rotations(world)[..., list(joints), :]
        vectors = rot.between(self.reference[list(joints)], local)
        return vectors.reshape(*world.shape[:-2], -1)

    def solve(
        self,
        gaps: Gaps,
        segment: str,
        speeds: Array | None = None,
        index: int = 0,
    ) -> PhaseMotion:
        """The motion of one segment in one of the gaps.

        Parameters
        ----------
        gaps : Gaps
            The gaps.
        segment : str
            Its name.
        speeds : array of shape (n + 2,), optional
            Total speeds asked for, ends included, radians per frame.
        index : int
            Which gap.

        Returns
        -------
        PhaseMotion
            Of n + 2 frames, ends included.
        """
        space = self.spaces[segment]
        start, before = (self.pose_of(gaps.rotations[index, at], space.joints) for at in (-1, -2))
        stop = self.pose_of(gaps.end_rotations[index], space.joints)
        ends = Ends.at_rest(start, stop)
        if not self.at_rest:
            ends = replace(ends, start_speed=start - before)
        weights = self.weights if speeds is None else replace(self.weights, speed=ASKED)
        return solve_phase_motion(space, ends, gaps.missing + 1, speeds, weights)

    def fill(self, gaps: Gaps, speeds: Mapping[str, Array] | None = None) -> Track:
        """Fillings whose ends are met exactly; the root goes as `keep_speed` has it.

        Parameters
        ----------
        gaps : Gaps
            B gaps of n frames.
        speeds : mapping of str to array of shape (n + 2,), optional
            Total speeds asked for, by segment, ends included, radians per frame.

        Returns
        -------
        Track
            Of shape (B, n, ...).
        """
        speeds = speeds or {}
        base = keep_speed(gaps)
        local = self.rig.local_rotations(base.rotations)
        shape = (gaps.size, gaps.missing, self.rig.n_joints, 3)
        total = np.zeros(shape)
        times = np.zeros(self.rig.n_joints)
        for name, space in self.spaces.items():
            joints = list(space.joints)
            times[joints] += 1
            for i in range(gaps.size):
                motion = self.solve(gaps, name, speeds.get(name), i)
                poses = _meet_ends(motion.poses, self._ends(gaps, i, space))
                total[i][:, joints] += poses[1:-1].reshape(gaps.missing, -1, 3)
        moved = np.flatnonzero(times)
        mean = total[:, :, moved] / times[moved, None]
        local[:, :, moved] = rot.multiply(self.reference[moved], rot.from_rotvec(mean))
        world = self.rig.world_rotations(local)
        # Poses know no signs: they go on from those before the gap.
        signed = np.concatenate([gaps.start_rotations[:, None], world], axis=1)
        return Track(rot.unroll(signed, axis=1)[:, 1:], base.roots)

    def _ends(self, gaps: Gaps, index: int, space: PhaseSpace) -> tuple[Array, Array]:
        start = self.pose_of(gaps.start_rotations[index], space.joints)
        return start, self.pose_of(gaps.end_rotations[index], space.joints)


def _meet_ends(poses: Array, ends: tuple[Array, Array]) -> Array:
    """Poses with what they lack at both ends spread over them."""
    share = np.linspace(0.0, 1.0, len(poses))[:, None]
    met: Array = poses + (1 - share) * (ends[0] - poses[0]) + share * (ends[1] - poses[-1])
    return met


@lru_cache(maxsize=1)
def phase_spaces_of(model: InbetweenModel) -> PhaseSpaces:
    """Learn the phase spaces of the poses that a model keeps.

    Parameters
    ----------
    model : InbetweenModel
        Of its poses the last three before every gap that it was learned from are taken.

    Returns
    -------
    PhaseSpaces
    """
    rig = model.rig
    last = np.unique(np.concatenate([band.last for band in model.bands]))
    last = last[:: max(1, len(last) // _SAMPLES)]
    at = np.searchsorted(model.poses.frames, last) + np.arange(-2, 1)[:, None]
    local = rig.local_rotations(rot.unroll(model.poses.track.rotations[at]))
    reference = rot.mean(local[1])
    vectors = rot.unroll_rotvec(rot.between(reference, local))
    spaces = {}
    for name, joints in find_segments(rig.skeleton, rig.roles, rig.root).items():
        poses = vectors[:, :, list(joints)].reshape(3, len(last), -1)
        phases = np.concatenate([poses[1], 0.5 * (poses[2] - poses[0])], axis=1)
        dimensions = LEG_DIMENSIONS if name.endswith("_leg") else DIMENSIONS
        spaces[name] = fit_phase_space(phases, joints, dimensions)
    return PhaseSpaces(rig, reference, spaces)


def fit_phase_space(phases: Array, joints: Sequence[int], dimensions: int) -> PhaseSpace:
    """The phase space of some phases.

    Parameters
    ----------
    phases : array of shape (N, 2 D)
        Poses and speeds.
    joints : sequence of int
        Joints that they are of.
    dimensions : int
        Of the space, at most.

    Returns
    -------
    PhaseSpace
    """
    pca = PCA.fit(phases)
    return PhaseSpace(tuple(joints), pca.mean_, pca.components_[:dimensions].T.copy())
