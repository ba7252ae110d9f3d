"""The default solver: the likeliest pose that meets the targets and keeps limits and floor.

Among all poses x with ``f(x) = target`` and ``lower <= x <= upper`` it looks for the one nearest to
a centre c in the metric of captured poses, ``(x - c)^t Q (x - c)``. Q is the precision, and c about
the mean, of captured poses near the targets (`motionloom.ik.prior`); `motionloom.ik.descent` does
the search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.ik.descent import NEVER_MET, SOFT, Descent, descend, settle
from motionloom.ik.layer_steps import LayeredProblem
from motionloom.ik.prior import Gaussian, Prior, observed
from motionloom.ik.prioritized import LayerOptions, solve_layers
from motionloom.ik.problem import IkResult, PoseProblem, Target
from motionloom.spaces.linear_map import LinearMap
from motionloom.typing import Array

#: How far the centre lies from the mean pose towards the start, in numbers that move a target ...
CENTRE = 0.2
#: ... and in others: what nobody asks about.
FREE_CENTRE = 0.3
#: Standard deviations of what a number of hips and trunk changes by, where the start is natural,
#: metres and radians.
MOVED, LEANT = 0.07, 0.1
#: Oddness from which a start pulls less, and by which power of how much odder it is.
ODD, DOUBT = 0.6, 3.0
#: A start whose targets are missed by less than about this is only changed, metres.
CLOSE = 0.15
#: The place of a free root on the ground, and its facing, stay while targets are missed by less
#: than about this, metres.
GROUND = 0.5
_GROUND_NUMBERS = [-6, -4, -2]
#: Standard deviation of what a number changes by while a pose follows its start, beside what
#: captures say of how numbers change together: that is about poses, and little about the way from
#: one to the next.
INERTIA = 0.1
#: Most iterations in which a pose settles.
SETTLING = 80
#: How much less that is, squared, where a pose would leap.
STIFF = 10.0
#: How far targets may be from a start that is followed so, metres.
DRAGGED = 0.05
#: A pose follows its start when what targets are missed by can become less by less than this,
#: metres, from there ...
FOLLOWED = 0.1
#: ... then no number changes more than this, radians or metres, for coming nearer by less than
#: that, metres, and by less than this share.
LEAP, NOT_WORTH, LAGGING = 0.1, 0.003, 0.1

_STOPPED = ("reached", "iterations", "stalled")


def centre_of(
    problem: PoseProblem, gaussian: Gaussian, oddness: float, miss: float | None = None
) -> Array:
    """The pose that solutions are drawn to: between the mean and the start.

    Parameters
    ----------
    problem : PoseProblem
        Targets and start.
    gaussian : Gaussian
        Its mean.
    oddness : float
        Of the start; about 1 for captured poses, less for those that stand about.
    miss : float, metres, optional
        What the start's targets are missed by, as far as that can be mended; all of it when not
        given.

    Returns
    -------
    array of shape (P,)
        The start itself where it all but meets the targets, so that a pose follows what is dragged;
        else near the mean, drawn to a start as far as that is natural.
    """
    if miss is None:
        miss = problem.worst(problem.evaluate(problem.start)[0])
    near = _nearness(miss, CLOSE)
    trust = min(1.0, ODD / max(oddness, 1e-12)) ** DOUBT
    asked = problem.rig.moves[problem.aims.joint[problem.aims.soft == 0]].any(axis=0)
    share = near + (1.0 - near) * trust * np.where(asked, CENTRE, FREE_CENTRE)
    if problem.body.free:
        ground = float(np.exp(-((miss / GROUND) ** 2)))
        share[_GROUND_NUMBERS] = np.maximum(share[_GROUND_NUMBERS], ground)
    if problem.fixed is not None:
        share = np.where(problem.fixed, 1.0, share)
    centre = gaussian.mean + share * (problem.start - gaussian.mean)
    return np.where(problem.body.narrow, problem.clamp(centre), centre)


def _nearness(miss: float, scale: float) -> float:
    """How much a start counts whose targets are missed by so much, metres."""
    return float(np.exp(-((miss / scale) ** 2)))


def _slowed(gaussian: Gaussian, near: float) -> Gaussian:
    """The same Gaussian where poses follow a start that is so near to meet the targets."""
    spread = gaussian.spread
    # (Q + d I)^-1 = S (I + d S)^-1 for the covariance S, whose inverse Q need not exist.
    slowed = np.linalg.solve(np.eye(len(spread)) + near / INERTIA**2 * spread, spread)
    return Gaussian(gaussian.mean, np.ascontiguousarray(0.5 * (slowed + slowed.T)))


def solve_natural(problem: PoseProblem, prior: Prior, *, local: bool = True) -> IkResult:
    """Solve for the likeliest pose.

    Parameters
    ----------
    problem : PoseProblem
        Targets, start and options.
    prior : Prior
        Captured poses of the problem's body.
    local : bool
        Whether captured poses near the targets count more than others.

    Returns
    -------
    IkResult
        Of the attempt whose largest weighted miss is smallest.
    """
    if problem.layered:
        return solve_priorities(
            problem, lambda upper: solve_natural(upper, prior, local=local), prior, local=local
        )
    gaussian = _gaussian(problem, prior, local)
    return solve_likeliest(problem, gaussian, prior.oddness(problem.start))


def solve_priorities(
    problem: PoseProblem,
    solve: Callable[[PoseProblem], IkResult],
    prior: Prior,
    *,
    local: bool = True,
) -> IkResult:
    """Serve targets of several priorities: the first by any solver, the others by likely steps.

    Parameters
    ----------
    problem : PoseProblem
        Targets, start and options.
    solve : callable
        Finds a pose for those of the first priority and for wishes, as if there were no others.
    prior : Prior
        Captured poses of the problem's body.
    local : bool
        As of `solve_natural`.

    Returns
    -------
    IkResult
        No target is missed by more than the tolerance beyond what it would be without those of
        lower priority; `layers` says how each priority came out. Floor and limits are kept.
    """
    gaussian = _gaussian(problem, prior, local)
    centre = centre_of(problem, gaussian, prior.oddness(problem.start))
    wishes = [t for t in problem.targets if t.wish]
    asked = [t for t in problem.targets if not t.wish]
    priority = np.array([t.priority for t in asked], np.int64)
    top = int(priority[priority > 0].min())
    chosen = [t for t in problem.targets if t.wish or t.priority <= top]
    first = solve(replace(problem, targets=tuple(chosen)))
    strict = replace(problem, targets=tuple(asked))
    steps, prefer = _likely_steps(problem, wishes, first.pose, gaussian, centre)
    body = problem.body
    joints = np.arange(body.size) < body.coordinates.size
    floor = (lambda pose: problem.heights(pose, NEAR_FLOOR)) if len(problem.floor.joint) else None
    wanted = strict.evaluate, strict.aims.rows, np.maximum(priority, top), steps
    weight = strict.aims.weight
    layered = LayeredProblem(
        *wanted, body.lower, body.upper, weight, prefer, joints, priority == 0, floor
    )
    options = LayerOptions(tolerance=problem.options.tolerance)
    found = solve_layers(layered, np.zeros(steps.size), options, served=1)
    used = first.iterations + found.iterations
    done = problem.result(found.coordinates, used, "stalled")
    return replace(done, stopped="reached" if done.reached else "stalled", layers=found.layers)


def _steadied(problem: PoseProblem, gaussian: Gaussian, oddness: float) -> Gaussian:
    """The same Gaussian where nobody moves hips and trunk much for what arms and legs can do."""
    heavy = problem.body.heavy
    heavy = heavy[gaussian.spread[heavy, heavy] > 0]
    if not problem.body.free or len(heavy) == 0:
        return gaussian
    doubt = 1.0 / min(1.0, ODD / max(oddness, 1e-12)) ** DOUBT
    # The start's numbers are taken as measurements of what they should be.
    variance = np.where(problem.rig.slides[heavy], MOVED, LEANT) ** 2 * doubt
    return observed(gaussian, heavy, variance, problem.start[heavy])


def _gaussian(problem: PoseProblem, prior: Prior, local: bool) -> Gaussian:
    narrow = problem.body.narrow
    fixed = narrow if problem.fixed is None else narrow | problem.fixed
    aims = (
        problem.aims if local else problem.aims._replace(kind=np.full_like(problem.aims.kind, -1))
    )
    return prior.near(aims, fixed)


def restart_poses(problem: PoseProblem, count: int) -> list[Array]:
    """Captured poses nearest to the targets: of each capture its nearest first, then the others.

    Parameters
    ----------
    problem : PoseProblem
        Its residual at a captured pose says how near that pose is.
    count : int
        Most poses.

    Returns
    -------
    list of arrays of shape (P,), radians
        Of the problem's seeds; within the effective limits.
    """
    if problem.seeds is None:
        return []
    poses = problem.seeds.poses
    worst = np.array([np.linalg.norm(problem.evaluate(pose)[0]) for pose in poses])
    order = np.argsort(worst, kind="stable")
    _, first = np.unique(problem.seeds.trial[order], return_index=True)
    ranked = [*order[np.sort(first)], *order[np.setdiff1d(np.arange(len(order)), first)]]
    return [problem.clamp(poses[i]) for i in ranked[:count]]


def solve_likeliest(problem: PoseProblem, gaussian: Gaussian, oddness: float) -> IkResult:
    """Solve for the likeliest pose under one Gaussian.

    Parameters
    ----------
    problem : PoseProblem
        Targets, start and options.
    gaussian : Gaussian
        What poses are like.
    oddness : float
        Of the start, as `centre_of` has it.

    Returns
    -------
    IkResult
        Of the attempt whose largest weighted miss is smallest.
    """
    options = problem.options
    gaussian = _steadied(problem, gaussian, oddness)
    miss = problem.worst(problem.evaluate(problem.start)[0])
    near = _nearness(miss, DRAGGED)
    if near > 0.01:
        gaussian = _slowed(gaussian, near)
    body = problem.body
    centre = centre_of(problem, gaussian, oddness, miss)
    how = options.tolerance, options.step, options.iterations
    descent = Descent(gaussian.spread, body.lower, body.upper, centre, *how)
    beside = _Beside(problem, gaussian, oddness)
    # From the centre rather than from the start: an odd start would end in an odd local minimum.
    pose = problem.clamp(descent.centre)
    used = 0
    reason = 1
    best = (np.inf, pose)
    reached = False
    seeds: list[Array] = []
    for attempt in range(options.restarts + 1):
        if attempt == 1:
            seeds = restart_poses(problem, options.restarts)
        if attempt > len(seeds):
            break
        begin = pose if attempt == 0 else seeds[attempt - 1]
        found = begin.copy()
        rest = descent._replace(most=options.iterations - used)
        count, reason, worst, miss = descend(problem.rig, problem.aims, problem.floor, rest, found)
        used += count
        if attempt == 0 and (reason != 0 or (near > 0.9 and beside.leaps(found))):
            close = beside.solve(descent, worst)
            if close is not None and (reason != 0 or close.reached):
                return replace(close, iterations=used + close.iterations)
        if miss < best[0]:
            best = (miss, found)
            reached = worst <= options.tolerance
        if reason == 0 or used >= options.iterations:
            break
    if not reached:
        count, worst, _ = beside.settle(descent, best[1])
        used += count
        reached = worst <= options.tolerance
    return problem.result(best[1], used, _STOPPED[0] if reached else _STOPPED[reason or 1])


@dataclass(frozen=True, eq=False)
class _Beside:
    """Solutions next to the start, for targets that are dragged."""

    problem: PoseProblem
    gaussian: Gaussian
    oddness: float
    soft: float = NEVER_MET

    @cached_property
    def precision(self) -> Array:
        """Inverse of the covariance; zero for what has none."""
        spread = self.gaussian.spread
        free = np.flatnonzero(spread.diagonal() > 0)
        inverse = np.zeros_like(spread)
        inverse[np.ix_(free, free)] = np.linalg.inv(spread[np.ix_(free, free)])
        return inverse

    @cached_property
    def start(self) -> Array:
        """Where solutions are next to."""
        return self.problem.clamp(self.problem.start)

    def settle(self, descent: Descent, pose: Array) -> tuple[int, float, float]:
        """`motionloom.ik.descent.settle` from a pose, which is changed in place."""
        asked = self.problem.rig, self.problem.aims, self.problem.floor
        short = descent._replace(most=min(descent.most, SETTLING))
        return settle(*asked, short, self.precision, self.soft, pose)

    def leaps(self, pose: Array) -> bool:
        """Whether a pose is far from the start."""
        return bool(np.abs(pose - self.start).max() > LEAP)

    def solve(self, descent: Descent, found: float) -> IkResult | None:
        """The solution next to the start; None where the start is far from what can be reached:
        from there, or as a descent found it that missed its worst target by so much, metres.
        """
        slowed = _slowed(self.gaussian, 1.0)
        met = found <= self.problem.options.tolerance
        beside = replace(self, gaussian=slowed, soft=SOFT if met else NEVER_MET)
        return beside._follow(descent._replace(spread=slowed.spread), found)

    def _follow(self, descent: Descent, found: float) -> IkResult | None:
        problem = self.problem
        pose = self.start.copy()
        stay = descent._replace(centre=self.start)
        before = self.settle(stay._replace(most=0), pose)[1]
        first, after, _ = self.settle(stay, pose)
        if before - min(after, found) > FOLLOWED:
            return None
        centre = centre_of(problem, self.gaussian, self.oddness, before - after)
        own = descent._replace(centre=centre)
        second, _, miss = self.settle(own, pose)
        result = problem.result(pose, first + second, _STOPPED[2])
        if self.leaps(pose):
            result = self._without_leap(own, result, miss)
        return replace(result, stopped=_STOPPED[0 if result.reached else 2])

    def _without_leap(self, descent: Descent, leapt: IkResult, miss: float) -> IkResult:
        """A pose nearer to the start that does all but as well; else the same result."""
        stiff = _slowed(self.gaussian, STIFF)
        beside = replace(self, gaussian=stiff)
        free = descent._replace(spread=stiff.spread)
        small = free._replace(
            lower=np.maximum(free.lower, self.start - LEAP),
            upper=np.minimum(free.upper, self.start + LEAP),
        )
        far = np.abs(leapt.pose - self.start).max()
        used = leapt.iterations
        for trial in (small, free):
            pose = self.start.copy()
            count, worst, missed = beside.settle(trial, pose)
            used += count
            met = worst <= self.problem.options.tolerance
            close = not leapt.reached and missed < (1.0 + LAGGING) * miss + NOT_WORTH
            if (met or close) and np.abs(pose - self.start).max() < far:
                return self.problem.result(pose, used, _STOPPED[2])
        return replace(leapt, iterations=used)


#: Points of the floor that are nearer to it than this are kept above it in a step, metres.
NEAR_FLOOR = 0.3


def _likely_steps(
    problem: PoseProblem, wishes: Sequence[Target], pose: Array, gaussian: Gaussian, centre: Array
) -> tuple[LinearMap, Array]:
    """Standard deviations of the poses that captures and wishes make likely, told from a pose, and
    the likeliest of those.

    Wishes are measurements of the pose, linear about it: they narrow the Gaussian and draw it.
    """
    free = gaussian.spread.diagonal() > 0
    spread = gaussian.spread[np.ix_(free, free)]
    away = (centre - pose)[free]
    if wishes:
        weighed = replace(problem, targets=tuple(wishes))
        lacking, rows = weighed.evaluate(pose)
        rows = rows[:, free]
        variance = np.repeat(weighed.aims.soft, np.diff(weighed.aims.rows))
        carried = rows @ spread
        gain = np.linalg.solve(carried @ rows.T + np.diag(variance), carried).T
        away = away + gain @ (lacking - rows @ away)
        spread = spread - gain @ carried
    # Unknowns are standard deviations: moving little in them is staying likely.
    own = np.linalg.cholesky(spread)
    matrix = np.zeros((len(pose), len(own)))
    matrix[free] = own
    return LinearMap(pose, matrix), np.linalg.solve(own, away)
