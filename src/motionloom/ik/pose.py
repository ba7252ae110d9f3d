"""A pose from a constraint set in one call."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from motionloom.analysis.naturalness import NaturalnessModel, fit_naturalness
from motionloom.constraints import ConstraintSet
from motionloom.ik.placing import place_pose
from motionloom.ik.problem import IkOptions, IkResult, Target
from motionloom.ik.report import PoseReport, report_pose
from motionloom.ik.solve import PoseSolver
from motionloom.ik.start import Start, move_start
from motionloom.ik.targets import make_targets
from motionloom.motion import Motion, Source
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace


@dataclass(frozen=True, eq=False)
class PoseAnswer:
    """A pose that answers a constraint set.

    Parameters
    ----------
    space : PoseSpace
        The captured poses that it was found among.
    start : Start
        Where the solver began; the body is placed as there.
    targets : tuple of Target
        In root coordinates.
    result : IkResult
        The pose itself, its errors, and why the solver stopped.
    report : PoseReport
        Errors, naturalness and limits, for people and programs.
    """

    space: PoseSpace
    start: Start
    targets: tuple[Target, ...]
    result: IkResult
    report: PoseReport

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
        return place_pose(
            self.space, self.result.pose, self.start.placing, name=name, source=source
        )


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
    """
    options = options or IkOptions()
    if constraints.body:
        start = move_start(space, start, constraints.body[0])
    targets = make_targets(space, constraints, start.placing)
    solver = PoseSolver(space, method, options)
    # What has to be learned or compiled first is no part of the time.
    solver.solve(targets, start.pose)
    began = perf_counter()
    result = solver.solve(targets, start.pose)
    milliseconds = 1e3 * (perf_counter() - began)
    model = fit_naturalness(space, progress=progress) if naturalness is None else naturalness
    report = report_pose(
        space,
        targets,
        result,
        method=method,
        start=start.name,
        options=options,
        milliseconds=milliseconds,
        model=model,
    )
    return PoseAnswer(space, start, targets, result, report)
