"""A person's motion on a robot: one call."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from motionloom.edit.retarget.frames import RoleFrames, fit_role_frames
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.robots._frames import RobotFrames, fit_robot_frames
from motionloom.robots._parts import SIDES
from motionloom.robots._planting import plan_foot
from motionloom.robots._robot import Robot
from motionloom.robots._source import make_source
from motionloom.robots.motion import RobotMotion
from motionloom.robots.report import RobotReport, measure_robot
from motionloom.robots.solving._solve import RobotOptions, RobotTask, solve_robot
from motionloom.threads import one_thread
from motionloom.typing import Bools

#: Files write frame times with few digits: so little off is the same rate.
SAME_RATE = 1e-3


@dataclass(frozen=True, eq=False)
class RobotResult:
    """A clip on a robot.

    Parameters
    ----------
    motion : RobotMotion
        The robot's.
    report : RobotReport
        What it is worth.
    source : PosedMotion
        The person's motion at the same rate.
    frames : RobotFrames
        Of the robot.
    contacts : mapping of str to bool array of shape (T,)
        When each foot stands, by role.
    """

    motion: RobotMotion
    report: RobotReport
    source: PosedMotion
    frames: RobotFrames
    contacts: Mapping[str, Bools]


@one_thread()
def retarget_to_robot(
    motion: Motion | PosedMotion,
    robot: Robot | RobotFrames,
    options: RobotOptions | None = None,
    frames: RoleFrames | None = None,
) -> RobotResult:
    """Give a person's motion to a robot.

    Feet stand where the person's stand, flat or on one edge of their soles; knees and hands on the
    ground stay there. Limbs and trunk point as the person's do, as far as joint limits, joint speed
    and feet allow. Level ground is assumed.

    Parameters
    ----------
    motion : Motion or PosedMotion
        The person's, in metres.
    robot : Robot or RobotFrames
        From `read_robot`, or with its frames already found.
    options : RobotOptions, optional
        How.
    frames : RoleFrames, optional
        Of the person, from more clips than this one; found from it when not given.

    Returns
    -------
    RobotResult

    Raises
    ------
    InvalidInputError
        When the motion is no person's or has no frames, or the robot has no two legs.
    """
    options = options or RobotOptions()
    began = time.process_time()
    posed = motion if isinstance(motion, PosedMotion) else pose_motion(motion)
    if not posed.n_frames:
        raise InvalidInputError("a motion without frames cannot be given to a robot")
    if abs(posed.fps - options.fps) > SAME_RATE * options.fps:
        posed = posed.with_motion(posed.motion.resample(1 / options.fps))
    known = robot if isinstance(robot, RobotFrames) else fit_robot_frames(robot)
    source = make_source(posed, frames or fit_role_frames([posed]), known)
    feet = {side: plan_foot(source, side, known.feet[side]) for side in SIDES}
    solved = solve_robot(RobotTask(known, source, feet, options))
    done = replace(solved, name=posed.motion.name)
    seconds = time.process_time() - began
    report = measure_robot(done, known, source, feet, options.fastest, seconds)
    down = {f"{side}_foot": path.down for side, path in feet.items()}
    return RobotResult(done, report, posed, known, down)
