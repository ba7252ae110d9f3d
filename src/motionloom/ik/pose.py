"""A pose from a constraint set in one call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.naturalness import NaturalnessModel, fit_naturalness
from motionloom.constraints import ConstraintSet
from motionloom.ik.body import mass_of
from motionloom.ik.placing import (
    Placing,
    floor_frame,
    place_pose,
    root_numbers,
    root_placing,
    world_pose,
)
from motionloom.ik.posture import posture_wishes
from motionloom.ik.problem import IkOptions, IkResult, Target
from motionloom.ik.report import Outcome, PoseReport, report_pose
from motionloom.ik.solve import FREE_METHODS, PoseSolver
from motionloom.ik.standing import (
    balance_target,
    balanced_place,
    centre_of_mass,
    heights_above_floor,
    plan_footwork,
)
from motionloom.ik.start import Start, move_start
from motionloom.ik.targets import make_targets
from motionloom.motion import Motion, Source
from motionloom.polygons import distance_outside
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Standard deviation of the centre of mass of who should be balanced but is not, metres.
_NEARLY = 0.008


@dataclass(frozen=True, eq=False)
class PoseAnswer:
    """A pose that answers a constraint set.

    Parameters
    ----------
    space : PoseSpace
        The captured poses that it was found among.
    start : Start
        Where the solver began.
    targets : tuple of Target
        What was asked for, in the coordinates of `frame`.
    frame : Placing
        Of the root of the start, or of the floor under it where the root is free.
    placing : Placing
        Where the root is in the end.
    result : IkResult
        The pose itself, its errors, and why the solver stopped.
    report : PoseReport
        Errors, naturalness and limits, for people and programs.
    """

    space: PoseSpace
    start: Start
    targets: tuple[Target, ...]
    frame: Placing
    placing: Placing
    result: IkResult
    report: PoseReport

    @property
    def pose(self) -> Array:
        """Numbers of the joints below the root, shape (P,)."""
        return self.result.pose[: self.space.coordinates.size]

    def __repr__(self) -> str:
        report = self.report
        reached = sum(outcome.reached for outcome in report.targets)
        lines = [
            f"<PoseAnswer: {reached} of {len(report.targets)} targets reached by {report.method},"
            f" from {report.start}"
        ]
        return "\n  ".join([*lines, *report.problems[:3]]) + ">"

    def _repr_html_(self) -> str:
        return self.to_motion()._repr_html_()

    def to_motion(self, name: str = "pose", source: Source | None = None) -> Motion:
        """The pose as a motion of one frame, in the world.

        Parameters
        ----------
        name : str
            Name of the motion.
        source : Source, optional
            What the motion is said to come from; an empty one when not given.

        Returns
        -------
        Motion
            One frame.
        """
        return place_pose(self.space, self.pose, self.placing, name=name, source=source)


@one_thread()
def find_pose(
    space: PoseSpace,
    constraints: ConstraintSet,
    start: Start,
    *,
    method: str = "natural",
    options: IkOptions | None = None,
    naturalness: NaturalnessModel | None = None,
    progress: Progress = silent,
) -> PoseAnswer:
    """Find a pose that does what its joints are asked for and looks like the captured ones.

    Parameters
    ----------
    space : PoseSpace
        Captured poses that the pose is to look like.
    constraints : ConstraintSet
        Joint constraints of one moment; a body constraint says where the hips are and where they
        face.
    start : Start
        Such as `standing_start` makes; carried over the ground to the body constraint.
    method : str
        One of `motionloom.ik.solve.solver_names`.
    options : IkOptions, optional
        Tolerance, iterations and restarts; the defaults when not given.
    naturalness : NaturalnessModel, optional
        That the pose is judged by; fitted to the space when not given.
    progress : Progress
        Told while models of naturalness are fitted.

    Returns
    -------
    PoseAnswer
        Targets out of reach are missed by as little as the solver manages, and the report says so.

    Raises
    ------
    InvalidInputError
        For what a pose cannot honour.
    UnknownJointError
        For a joint that the skeleton does not have.

    Examples
    --------
    >>> from motionloom.constraints.files import constraints_of
    >>> from motionloom.ik.start import standing_start
    >>> from motionloom.spaces.store import load_pose_space
    >>> space = load_pose_space(demo / "poses.npz")
    >>> reach = {"joints": [{"joint": "right_hand", "position": [-0.2, 1.2, 0.45]}]}
    >>> answer = find_pose(space, constraints_of(reach, still=True), standing_start(space))
    >>> bool(answer.result.errors.max() < 0.01), answer.report.problems  # metres
    (False, ())
    """
    options = options or IkOptions()
    if constraints.body:
        start = move_start(space, start, constraints.body[0])
    free = method in FREE_METHODS and constraints.frame != "root"
    frame = floor_frame(space, start.placing, start.floor) if free else start.placing
    asked = make_targets(space, constraints, frame)
    wish = _free_wish(space, constraints, start, frame, asked) if free else _Wish(asked, start.pose)
    solver = PoseSolver(space, method, options, free=free)
    # What has to be learned or compiled first is no part of the time.
    solver.solve(wish.targets, wish.start, fixed=wish.fixed)
    began = perf_counter()
    result = solver.solve(wish.targets, wish.start, fixed=wish.fixed)
    milliseconds = 1e3 * (perf_counter() - began)
    size = space.coordinates.size
    sought = constraints.balance == "kept" or not constraints.center_of_mass
    if constraints.balance != "free" and sought and wish.support is not None:
        kept, balanced = _keep_balance(
            space, solver, wish, result, 0.0 if constraints.balance == "kept" else _NEARLY
        )
        # Who only should be balanced leans as far as the targets need.
        if constraints.balance == "kept" or balanced.reached or not result.reached:
            wish, result = kept, balanced
    placing = root_placing(space, result.pose[size:], frame) if free else start.placing
    model = fit_naturalness(space, progress=progress) if naturalness is None else naturalness
    outcome = Outcome(result, len(asked), wish.targets, _footing_of(space, wish, result, frame))
    report = report_pose(
        space,
        outcome,
        method=method,
        start=start.name,
        options=options,
        milliseconds=milliseconds,
        model=model,
    )
    return PoseAnswer(space, start, asked, frame, placing, result, report)


@dataclass(frozen=True, eq=False)
class _Wish:
    """All targets, the start (P,) and the numbers that it fixes, and what the body stands on."""

    targets: tuple[Target, ...]
    start: Array
    fixed: Bools | None = None
    support: Array | None = None


def _free_wish(
    space: PoseSpace,
    constraints: ConstraintSet,
    start: Start,
    frame: Placing,
    asked: tuple[Target, ...],
) -> _Wish:
    """What is asked of a body with a free root: where it faces, and that it stands."""
    inside = Placing(frame.to_root(start.placing.place), frame.turn_to_root(start.placing.rotation))
    footwork = plan_footwork(
        space,
        start.pose,
        inside,
        asked,
        planted=constraints.feet != "free",
        balanced=constraints.balance != "free" and not constraints.center_of_mass,
    )
    begin = np.concatenate([start.pose, root_numbers(space, start.placing, frame)])
    fixed = None
    world = world_pose(space, start.pose, inside)
    more = [*footwork.planted, *footwork.wishes, *posture_wishes(space, world, asked)]
    if constraints.body:
        fixed = np.zeros(len(begin), bool)
        fixed[[-6, -4]] = True
        root = space.coordinates.root
        ahead = np.array([1.0, 0.0, 0.0])
        more.append(Target(root, "facing", ahead, space.footing.left, priority=0))
    support = footwork.support if len(footwork.support) else None
    return _Wish((*asked, *more), begin, fixed, support)


def _keep_balance(
    space: PoseSpace, solver: PoseSolver, wish: _Wish, result: IkResult, deviation: float
) -> tuple[_Wish, IkResult]:
    """Solve again with the centre of mass inside what the body stands on, where it is not: there,
    or within about a deviation, metres, that is above 0.
    """
    assert wish.support is not None
    place = balanced_place(wish.support, _mass_above(space, result))
    if place is None:
        return wish, result
    wish = replace(wish, targets=(*wish.targets, balance_target(space, place, deviation)))
    return wish, solver.solve(wish.targets, wish.start, fixed=wish.fixed)


def _mass_above(space: PoseSpace, result: IkResult) -> Array:
    """Place (x, z) of the floor that the centre of mass is above."""
    size = space.coordinates.size
    floor = Placing(np.zeros(3), rot.identity())
    world = world_pose(space, result.pose[:size], root_placing(space, result.pose[size:], floor))
    return centre_of_mass(space, world)[[0, 2]]


def _footing_of(
    space: PoseSpace, wish: _Wish, result: IkResult, frame: Placing
) -> tuple[float | None, float | None]:
    """How high the lowest point is above what it may be, and how far the centre of mass is outside
    the feet, metres; None where nothing is known.
    """
    size = space.coordinates.size
    if len(result.pose) == size:
        return None, None
    world = world_pose(space, result.pose[:size], root_placing(space, result.pose[size:], frame))
    lowest = float(heights_above_floor(space, world, float(frame.place[1])).min())
    if wish.support is None or not mass_of(space).any():
        return lowest, None
    return lowest, float(distance_outside(wish.support, _mass_above(space, result)))
