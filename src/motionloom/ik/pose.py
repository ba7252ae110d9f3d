"""A pose from a constraint set in one call.

How a body holds itself where nobody asks: arms hang, and what is symmetric is done so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.naturalness import NaturalnessModel, fit_naturalness
from motionloom.constraints import ConstraintSet
from motionloom.ik import placing as placings
from motionloom.ik import standing
from motionloom.ik._body import mass_of
from motionloom.ik._report import PoseReport, report_pose
from motionloom.ik.problem import LEVER, IkOptions, IkResult, Target
from motionloom.ik.solve import FREE_METHODS, PoseSolver
from motionloom.ik.start import Start, move_start
from motionloom.ik.targets import make_targets
from motionloom.kinematics import WorldPose
from motionloom.motion import Motion, Source
from motionloom.polygons import distance_outside
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: An arm hangs that is turned from straight down by less than this, radians.
_HANGS = np.radians(60.0)
#: Standard deviations of arms from how they hang, and of a trunk from upright and square between
#: what is asked symmetrically, radians.
_HANGING, _SQUARE = np.radians(15.0), np.radians(5.0)
#: Targets are symmetric when each is this near to the mirror image of another or itself, metres.
_SAME = 0.05
_OTHER = {"left": "right", "right": "left"}
#: Points that directions are told by are this far away, metres.
_FAR = 1000.0

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
    frame: placings.Placing
    placing: placings.Placing
    result: IkResult
    report: PoseReport

    @property
    def pose(self) -> Array:
        """Numbers of the joints below the root, shape (P,)."""
        return self.result.pose[: self.space.coordinates.size]

    def __repr__(self) -> str:
        report = self.report
        reached = sum(outcome.reached for outcome in report.targets)
        said = (
            f"<PoseAnswer: {reached} of {len(report.targets)} targets reached by {report.method},"
            f" from {report.start}"
        )
        return "\n  ".join([said, *report.problems[:3]]) + ">"

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
        return placings.place_pose(self.space, self.pose, self.placing, name=name, source=source)


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
    if constraints.body:
        start = move_start(space, start, constraints.body[0])
    free = method in FREE_METHODS and constraints.frame != "root"
    frame = placings.floor_frame(space, start.placing, start.floor) if free else start.placing
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
    placing = placings.root_placing(space, result.pose[size:], frame) if free else start.placing
    model = fit_naturalness(space, progress=progress) if naturalness is None else naturalness
    footing = _footing_of(space, wish, result, frame)
    report = report_pose(
        solver, result, wish.targets, len(asked), footing, start.name, milliseconds, model
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
    frame: placings.Placing,
    asked: tuple[Target, ...],
) -> _Wish:
    """What is asked of a body with a free root: where it faces, and that it stands."""
    inside = placings.Placing(
        frame.to_root(start.placing.place), frame.turn_to_root(start.placing.rotation)
    )
    stays = constraints.feet != "free"
    over = constraints.balance != "free" and not constraints.center_of_mass
    body = space, start.pose, inside
    footwork = standing.plan_footwork(*body, asked, planted=stays, balanced=over)
    begin = np.concatenate([start.pose, placings.root_numbers(space, start.placing, frame)])
    fixed = None
    world = placings.world_pose(space, start.pose, inside)
    more = [*footwork.planted, *footwork.wishes, *_posture_wishes(space, world, asked)]
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
    place = standing.balanced_place(wish.support, _mass_above(space, result))
    if place is None:
        return wish, result
    wish = replace(wish, targets=(*wish.targets, standing.balance_target(space, place, deviation)))
    return wish, solver.solve(wish.targets, wish.start, fixed=wish.fixed)


def _world_of(
    space: PoseSpace, result: IkResult, frame: placings.Placing = placings.ORIGIN
) -> WorldPose:
    """Kinematics of a solution with a free root."""
    size = space.coordinates.size
    placing = placings.root_placing(space, result.pose[size:], frame)
    return placings.world_pose(space, result.pose[:size], placing)


def _mass_above(space: PoseSpace, result: IkResult) -> Array:
    """Place (x, z) of the floor that the centre of mass is above."""
    return standing.centre_of_mass(space, _world_of(space, result))[[0, 2]]


def _footing_of(
    space: PoseSpace, wish: _Wish, result: IkResult, frame: placings.Placing
) -> tuple[float | None, float | None]:
    """How high the lowest point is above what it may be, and how far the centre of mass is outside
    the feet, metres; None where nothing is known.
    """
    if len(result.pose) == space.coordinates.size:
        return None, None
    world = _world_of(space, result, frame)
    lowest = float(standing.heights_above_floor(space, world, float(frame.place[1])).min())
    if wish.support is None or not mass_of(space).any():
        return lowest, None
    return lowest, float(distance_outside(wish.support, _mass_above(space, result)))


def _posture_wishes(
    space: PoseSpace, world: WorldPose, targets: Sequence[Target]
) -> tuple[Target, ...]:
    """How a body should hold itself that begins in a pose; none of it has to be met.

    Parameters
    ----------
    space : PoseSpace
        Gives skeleton and roles.
    world : WorldPose
        Where the body begins, in coordinates of the floor.
    targets : sequence of Target
        What is asked.

    Returns
    -------
    tuple of Target
        Arms that hang and that nothing is asked of keep hanging, however the trunk is bent; the
        trunk is not twisted or bent to a side for targets that are symmetric.
    """
    if space.roles.kind == "quadruped":
        return ()
    return (*_hanging_arms(space, world, targets), *_square_trunk(space, world, targets))


def _hanging_arms(space: PoseSpace, world: WorldPose, targets: Sequence[Target]) -> list[Target]:
    joints, skeleton = space.roles.joints, space.coordinates.skeleton
    wishes: list[Target] = []
    for side in ("left", "right"):
        parts = [f"{side}_{part}" for part in ("shoulder", "elbow", "hand")]
        chain = [joints[part] for part in parts if part in joints]
        if len(chain) < len(parts) or any(
            t.joint in skeleton.descendants(chain[0]) for t in targets
        ):
            continue
        for joint, below in pairwise(chain):
            along = world.positions[0, below] - world.positions[0, joint]
            length = float(np.linalg.norm(along))
            if length < 1e-6 or -along[1] < np.cos(_HANGS) * length:
                continue
            axis = rot.rotate(rot.conjugate(world.rotations[0, joint]), along / length)
            # Straight down and not as it hung: which way it hung is known only of who stands so.
            down = world.positions[0, joint] + np.array([0.0, -_FAR, 0.0])
            wishes.append(Target(joint, "gaze", down, axis, wish=LEVER * _HANGING))
    return wishes


def _square_trunk(space: PoseSpace, world: WorldPose, targets: Sequence[Target]) -> list[Target]:
    if not _symmetric(space, targets):
        return []
    root = space.coordinates.root
    trunk = list(dict.fromkeys([root, space.roles.joints.get("chest", root)]))
    lefts = rot.rotate(rot.conjugate(world.rotations[0, trunk]), [1.0, 0.0, 0.0])
    far = np.array([_FAR, 0.0, 0.0])
    return [
        Target(joint, "gaze", far, left, wish=LEVER * _SQUARE)
        for joint, left in zip(trunk, lefts, strict=True)
    ]


def _symmetric(space: PoseSpace, targets: Sequence[Target]) -> bool:
    """Whether left and right are asked for the same, as seen from where the body begins."""
    names = {joint: role for role, joint in space.roles.joints.items()}
    places: dict[str, Array] = {}
    for target in targets:
        if target.kind not in ("position", "gaze") or target.joint not in names:
            return False
        places[f"{names[target.joint]} {target.kind}"] = np.asarray(target.value, float)
    others = [places.get(_mirrored(name)) for name in places]
    return any(name.startswith("left_") for name in places) and all(
        other is not None and np.linalg.norm(other * [-1.0, 1.0, 1.0] - place) <= _SAME
        for other, place in zip(others, places.values(), strict=True)
    )


def _mirrored(name: str) -> str:
    side, between, part = name.partition("_")
    return f"{_OTHER.get(side, side)}{between}{part}"
