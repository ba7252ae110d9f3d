"""Natural spaces of poses: captured ones, how overlapping segments vary together, and effective
limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from motionloom.declared import NUMBER, Shape, below
from motionloom.errors import InvalidInputError
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import few
from motionloom.spaces.footing import Footing, gather_footing
from motionloom.spaces.pose_coordinates import PoseCoordinates, gather_poses
from motionloom.spaces.segments import find_segments
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools, Ints

#: A coordinate that moves less than this (standard deviation, radians) is constant: no space has
#: it.
CONSTANT = np.radians(0.01)
#: Standard deviation added to every angle where a covariance is inverted, radians.
RIDGE = np.radians(1.0)
#: Quantiles of the captured poses that the stated limits are widened to: most captures break the
#: limits of their own skeleton file.
LIMITS = (0.001, 0.999)
#: How much farther joints without stated limits may go than nearly all captures, as a share of what
#: those span, and at least and at most, radians.
BEYOND, BEYOND_BOUNDS = 0.35, (np.radians(8.0), np.radians(40.0))
#: How far nearly everybody can bend the hips, and the joints of the trunk together, forward from
#: how they stand, radians.
HIPS_BEND, TRUNK_BENDS = np.radians(110.0), np.radians(70.0)
#: A number bends forward when this share of what it moves goes there; how much it is changed to
#: see that, radians.
_MOSTLY, _LITTLE = 0.8, 0.01
_SIDES = ("left", "right")
#: Shares of the segments that are tried for the joined covariance, and parts that captures are left
#: out in. Less than half is never worth more than it may cost where poses are of another kind.
JOININGS = (0.5, 0.6, 0.75, 0.9, 1.0)
FOLDS = 5


@dataclass(frozen=True, eq=False)
class PoseSpace:
    """What poses of one skeleton are like.

    Parameters
    ----------
    coordinates : PoseCoordinates
        P numbers a pose.
    roles : Roles
        Of the skeleton's joints.
    poses : array of shape (N, P), radians
        The captured poses.
    trial : int array of shape (N,)
        Which capture each is from.
    lower, upper : array of shape (P,), radians
        Effective limits: those stated, widened to nearly all of the captured poses.
    segments : mapping of str to int array
        Numbers (columns of a pose) of every segment.
    footing : Footing
        How the captured bodies stood over their floors.
    """

    coordinates: PoseCoordinates
    roles: Roles
    poses: Annotated[Array, Shape("N", "P"), NUMBER]
    trial: Annotated[Ints, Shape("N"), below("N")]
    lower: Annotated[Array, Shape("P"), NUMBER]
    upper: Annotated[Array, Shape("P"), NUMBER]
    segments: Mapping[str, Annotated[Ints, Shape("S"), below("P")]]
    footing: Footing

    def __repr__(self) -> str:
        trials = len(np.unique(self.trial))
        return (
            f"<PoseSpace: {len(self.poses)} poses of {self.coordinates.size} numbers from {trials}"
            f" captures\n  segments: {few(list(self.segments))}>"
        )

    @cached_property
    def mean(self) -> Array:
        """Mean pose, shape (P,).

        Examples
        --------
        >>> space = fit_pose_space([walk])
        >>> bool((space.mean >= space.lower).all() and (space.mean <= space.upper).all())
        True
        """
        return self.poses.mean(axis=0)

    @cached_property
    def varying(self) -> Ints:
        """Numbers that are not constant in the captures."""
        return np.flatnonzero(self.poses.std(axis=0) > CONSTANT)

    def covariance(self, columns: Ints) -> Array:
        """Covariance of some numbers, with the ridge on its diagonal."""
        ridge: Array = RIDGE**2 * np.eye(len(columns))
        return np.atleast_2d(np.cov(self.poses[:, columns], rowvar=False)) + ridge

    @cached_property
    def precision(self) -> Array:
        """Precision (inverse covariance) of a pose when the segments meet only in what they share,
        shape (P, P).

        Every segment is Gaussian; given the trunk, the limbs are independent (a junction tree). So
        the precisions of the segments add up, less that of each shared part as often as it is
        counted twice.
        """
        return self.join_precisions(self.covariance)

    def blend(self, joining: float) -> Array:
        """Covariance of a pose (P, P): that of the whole body, drawn to what the segments tell.

        Parameters
        ----------
        joining : float
            Share, from 0 to 1, of the covariance that knows the segments only (`precision`).
        """
        whole = self.covariance(np.arange(self.coordinates.size))
        return (1 - joining) * whole + joining * np.linalg.inv(self.precision)

    @cached_property
    def joining(self) -> float:
        """Share of the segments (`blend`) that foretells captures best that it has not seen.

        Captures are left out a fifth of them at a time, those that are neighbours together; what is
        one long capture is cut.
        """
        gain = np.zeros(len(JOININGS))
        trials = np.unique(self.trial)
        unit = self.trial if len(trials) >= FOLDS else np.arange(len(self.trial))
        for left_out in np.array_split(np.unique(unit), FOLDS):
            out = np.isin(unit, left_out)
            if (~out).sum() < 3 or not out.any():
                continue
            seen = replace(self, poses=self.poses[~out], trial=self.trial[~out])
            away = self.poses[out] - seen.mean
            scatter = away.T @ away
            for k, share in enumerate(JOININGS):
                spread = seen.blend(share)
                gain[k] -= np.trace(np.linalg.solve(spread, scatter))
                gain[k] -= out.sum() * np.linalg.slogdet(spread)[1]
        return JOININGS[int(gain.argmax())]

    def join_precisions(self, covariance: Callable[[Ints], Array]) -> Array:
        """Precision of a pose (P, P) from the covariances of segments and of what they share.

        Parameters
        ----------
        covariance : callable
            From columns (C,) of a pose to their covariance (C, C).
        """
        total = np.zeros((self.coordinates.size,) * 2)
        seen = np.zeros(0, np.int64)
        for columns in self.segments.values():
            # What segments so far have in common with the next is counted once.
            shared = np.intersect1d(columns, seen)
            total[np.ix_(columns, columns)] += np.linalg.inv(covariance(columns))
            if len(shared):
                total[np.ix_(shared, shared)] -= np.linalg.inv(covariance(shared))
            seen = np.union1d(seen, columns)
        return total

    def excess(self, poses: ArrayLike) -> Array:
        """How far each number of poses (..., P) is outside the effective limits, radians, shape
        (..., P).

        Examples
        --------
        >>> space = fit_pose_space([walk])
        >>> float(space.excess(space.mean).max())  # the mean is within the limits
        0.0
        """
        poses = np.asarray(poses, float)
        return np.maximum(np.maximum(self.lower - poses, poses - self.upper), 0.0)


@one_thread()
def fit_pose_space(
    motions: Sequence[Motion],
    *,
    kind: str = "auto",
    roles: Roles | None = None,
    progress: Progress = silent,
) -> PoseSpace:
    """Learn the pose spaces of captures.

    Parameters
    ----------
    motions : sequence of Motion
        Of one topology; bones and limits are those of the first.
    kind : {"auto", "euler", "exponential"}
        Coordinates; ``"auto"`` are Euler angles where the skeleton's file states limits, else
        exponential maps about the mean rotations.
    roles : Roles, optional
        Found from the first skeleton when not given.
    progress : Progress
        Told before and after poses are gathered.

    Returns
    -------
    PoseSpace
        Limits, and the numbers of every segment.

    Raises
    ------
    InvalidInputError
        When there is no motion, the joints differ, or there are too few poses.

    Examples
    --------
    >>> space = fit_pose_space([walk])
    >>> sorted(space.segments)
    ['head', 'left_arm', 'left_leg', 'right_arm', 'right_leg']
    """
    if not motions:
        raise InvalidInputError("a pose space needs at least one clip")
    roles = roles or find_roles(motions[0].skeleton)
    coordinates = PoseCoordinates.of(motions, kind, roles)
    progress("gathering poses", 0, len(motions))
    poses, trial = gather_poses(coordinates, motions)
    progress("gathering poses", len(motions), len(motions))
    if len(poses) < 3:
        raise InvalidInputError(
            f"a pose space needs at least 3 poses, got {len(poses)}; add longer clips"
        )
    lower, upper = _effective_limits(coordinates, roles, poses)
    segments = {
        name: np.flatnonzero(np.isin(coordinates.joints, joints))
        for name, joints in find_segments(coordinates.skeleton, roles, coordinates.root).items()
    }
    segments = {name: columns for name, columns in segments.items() if len(columns)}
    footing = gather_footing(coordinates, motions, roles)
    return PoseSpace(coordinates, roles, poses, trial, lower, upper, segments, footing)


def _effective_limits(
    coordinates: PoseCoordinates, roles: Roles, poses: Array
) -> tuple[Array, Array]:
    """Limits that nearly all captured poses keep.

    Stated limits are widened to the quantiles of the captures. Where none are stated, people can do
    more than they were captured doing: the quantiles are widened by `BEYOND` of what is between
    them, but never towards a knee or an elbow that bends the wrong way.

    Parameters
    ----------
    coordinates : PoseCoordinates
        Of P numbers.
    roles : Roles
        Tell knees and elbows.
    poses : array of shape (N, P), radians
        The captured poses.

    Returns
    -------
    lower, upper : array of shape (P,), radians
    """
    low, high = np.quantile(poses, LIMITS, axis=0)
    stated_low, stated_high = coordinates.limits
    margin = np.clip(BEYOND * (high - low), *BEYOND_BOUNDS)
    margin[poses.std(axis=0) <= CONSTANT] = 0.0
    mean = poses.mean(axis=0)
    straight_low, straight_high = _straight_ends(coordinates, roles, mean, low, high)
    lower, upper = low - margin * ~straight_low, high + margin * ~straight_high
    moves = poses.std(axis=0) > CONSTANT
    for p, bend in _sagittal(coordinates, roles, mean).items():
        # Captures of people who only walk say nothing of how deep they can bend.
        if moves[p]:
            lower[p], upper[p] = min(lower[p], bend), max(upper[p], bend)
    return (
        np.where(np.isfinite(stated_low), np.minimum(stated_low, low), lower),
        np.where(np.isfinite(stated_high), np.maximum(stated_high, high), upper),
    )


def _sagittal(coordinates: PoseCoordinates, roles: Roles, mean: Array) -> dict[int, float]:
    """What the numbers that bend a human's hips and trunk forward are when those are bent as deep
    as nearly everybody can, radians.
    """
    joints = roles.joints
    needed = {"left_hip", "right_hip", "left_knee", "right_knee", "neck"}
    if roles.kind == "quadruped" or not needed <= joints.keys():
        return {}
    trunk = [j for j in coordinates.skeleton.chain(joints["neck"])[:-1] if j in coordinates.joints]
    # What joint is bent, what that carries ahead, and how deep.
    bends = [(joints[f"{side}_hip"], joints[f"{side}_knee"], HIPS_BEND) for side in _SIDES]
    bends += [(j, joints["neck"], TRUNK_BENDS / len(trunk)) for j in trunk]
    columns = [(p, *bend) for bend in bends for p in np.flatnonzero(coordinates.joints == bend[0])]
    rows = np.tile(mean, (len(columns) + 1, 1))
    for k, (p, *_) in enumerate(columns):
        rows[k + 1, p] += _LITTLE
    places = forward_kinematics(coordinates.to_motion(rows)).positions
    left = places[0, joints["left_hip"]] - places[0, joints["right_hip"]]
    ahead = np.cross(left, places[0, joints["neck"]] - places[0, joints["hips"]])
    ahead /= max(np.linalg.norm(ahead), 1e-9)
    found = {}
    for k, (p, _, tip, deep) in enumerate(columns):
        moved = places[k + 1, tip] - places[0, tip]
        far = float(moved @ ahead)
        if abs(far) > _MOSTLY * np.linalg.norm(moved):
            found[int(p)] = float(mean[p] + np.sign(far) * deep)
    return found


def _straight_ends(
    coordinates: PoseCoordinates, roles: Roles, mean: Array, low: Array, high: Array
) -> tuple[Bools, Bools]:
    """Which numbers of knees and elbows stretch the limb at their lower, and at their upper end."""
    found = np.zeros((2, len(mean)), bool)
    limbs = (("hip", "knee", "foot"), ("shoulder", "elbow", "hand"))
    for side, parts in product(_SIDES, limbs):
        named = [f"{side}_{part}" for part in parts]
        if not set(named) <= roles.joints.keys():
            continue
        a, b, c = (roles.joints[name] for name in named)
        columns = np.flatnonzero(coordinates.joints == b)
        rows = np.tile(mean, (2, len(columns), 1))
        rows[:, np.arange(len(columns)), columns] = low[columns], high[columns]
        motion = coordinates.to_motion(rows.reshape(-1, len(mean)))
        places = forward_kinematics(motion).positions
        far = np.linalg.norm(places[:, a] - places[:, c], axis=-1).reshape(2, -1)
        found[:, columns] = far == far.max(axis=0)
    return found[0], found[1]
