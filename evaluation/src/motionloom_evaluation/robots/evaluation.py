"""Motion on a robot, measured: what ``motionloom evaluate robots`` does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

from motionloom.clips.prepare import prepare_clip
from motionloom.edit.retarget import fit_role_frames, group_by_skeleton
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.robots import (
    RobotOptions,
    RobotReport,
    fit_robot_frames,
    read_robot,
    retarget_to_robot,
)
from motionloom.roles import find_roles
from motionloom_evaluation.robots.in_mujoco import Played, play_in_mujoco

#: What a motion on a robot should be: contact speed (cm/s), limb directions (degrees), processor
#: time (milliseconds a frame).
BOUNDS = (0.5, 7.0, 3.0)


@dataclass(frozen=True)
class RobotRow:
    """One clip.

    Parameters
    ----------
    report : RobotReport
        Our figures.
    played : Played
        MuJoCo's.
    """

    report: RobotReport
    played: Played

    @property
    def good(self) -> bool:
        """Whether all bounds are kept, and the limits."""
        r = self.report
        figures = (r.contact_speed, r.limb_direction, r.milliseconds)
        within = all(not f > most for f, most in zip(figures, BOUNDS, strict=True))
        return within and not r.problems and r.limit_excess <= 1e-9 and r.speed_excess <= 1e-9

    def to_line(self) -> str:
        """One line of the table."""
        r = self.report
        touching = "?" if r.self_touch_frames is None else str(r.self_touch_frames)
        played = (
            f"{1e6 * self.played.off:8.2f} {self.played.touching:6d}"
            if self.played.version
            else f"{'-':>8} {'-':>6}"
        )
        return (
            f"{r.name[:28]:28} {r.frames:6d} {r.contact_speed:6.2f} {r.limb_direction:6.1f}"
            f" {r.legs:5.1f} {r.arms:5.1f} {r.limit_excess:6.2g} {r.fastest_p99:6.1f}"
            f" {r.fastest:6.1f} {r.lowest_sole:7.1f} {r.lowest:7.1f} {touching:>6}"
            f" {played} {r.milliseconds:5.2f}  {'' if self.good else '*'}"
        )


@dataclass(frozen=True)
class RobotEvaluation:
    """All clips on one robot.

    Parameters
    ----------
    robot : str
        Its name.
    rows : tuple of RobotRow
        In the order of the clips.
    """

    robot: str
    rows: tuple[RobotRow, ...]

    def to_text(self) -> str:
        """For people."""
        head = (
            f"{'clip':28} {'frames':>6} {'cm/s':>6} {'deg':>6} {'legs':>5} {'arms':>5}"
            f" {'limit':>6} {'p99':>6} {'max':>6} {'sole':>7} {'lowest':>7} {'touch':>6}"
            f" {'um':>8} {'touch':>6} {'ms':>5}"
        )
        said = (
            "cm/s: soles in contact; deg: limb directions; limit: degrees beyond joint limits; p99,"
            " max: joint speed, rad/s; sole, lowest: mm above the ground; touch: frames in which"
            " parts are in each other, ours (?: not known, some shapes are meshes) and MuJoCo's;"
            " um: bodies off MuJoCo's; ms: a frame."
        )
        frames = sum(row.report.frames for row in self.rows)
        good = sum(row.good for row in self.rows)
        most = (
            f"{good} of {len(self.rows)} clips keep limits, {BOUNDS[0]:g} cm/s, {BOUNDS[1]:g}"
            f" degrees and {BOUNDS[2]:g} ms a frame; {frames} frames"
        )
        return "\n".join([self.robot, head, *(r.to_line() for r in self.rows), most, said]) + "\n"

    def to_json(self) -> str:
        """For programs."""
        rows: list[dict[str, Any]] = [
            {**row.report.to_dict(), "mujoco": asdict(row.played)} for row in self.rows
        ]
        return json.dumps({"robot": self.robot, "clips": rows}, indent=1) + "\n"


def evaluate_robots(
    model: str | PathLike[str], motions: Sequence[Motion], progress: Progress = silent
) -> RobotEvaluation:
    """Give clips to a robot and measure.

    Parameters
    ----------
    model : path-like
        MJCF file of the robot.
    motions : sequence of Motion
        Clips, of one skeleton or several.
    progress : Progress
        Told of clips.

    Returns
    -------
    RobotEvaluation
    """
    robot = fit_robot_frames(read_robot(model))
    options = RobotOptions()
    rows: dict[int, RobotRow] = {}
    for group in group_by_skeleton(motions):
        roles = find_roles(motions[group[0]].skeleton)
        clips = [prepare_clip(motions[i], options.fps, roles)[0] for i in group]
        frames = fit_role_frames(clips)
        # What is compiled is loaded before the clock runs.
        retarget_to_robot(clips[0].cut(0, 2), robot, options, frames)
        for i, clip in zip(group, clips, strict=True):
            progress("retargeting to a robot", len(rows), len(motions))
            done = retarget_to_robot(clip, robot, options, frames)
            rows[i] = RobotRow(done.report, play_in_mujoco(model, done.motion))
    progress("retargeting to a robot", len(rows), len(motions))
    return RobotEvaluation(robot.robot.name, tuple(rows[i] for i in sorted(rows)))
