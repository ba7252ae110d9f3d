"""Motion on a robot, measured: what ``motionloom evaluate robots`` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from motionloom.clips.prepare import prepare_clip
from motionloom.edit.retarget import fit_role_frames, group_by_skeleton
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Report, Reported, Table
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


@dataclass(frozen=True)
class RobotEvaluation(Reported):
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

    def as_report(self) -> Report:
        """A table of clips, and how many are good."""
        columns = [
            Column("", "clip"),
            Column("", "frames"),
            Column("", "soles in contact", "cm/s"),
            Column("", "limbs", "degrees", ".1f"),
            Column("", "legs", "degrees", ".1f"),
            Column("", "arms", "degrees", ".1f"),
            Column("", "beyond limits", "degrees", ".2g"),
            Column("", "joint speed, 99 %", "rad/s", ".1f"),
            Column("", "largest", "rad/s", ".1f"),
            Column("", "lowest sole", "mm", ".1f"),
            Column("", "lowest", "mm", ".1f"),
            Column("", "parts in each other", "frames"),
            Column("", "bodies off MuJoCo's", "um", ".2f", 1e6),
            Column("", "parts in each other by MuJoCo", "frames"),
            Column("", "time", "ms a frame"),
            Column("", "good"),
        ]
        names = "name frames contact_speed limb_direction legs arms limit_excess fastest_p99"
        more = "fastest lowest_sole lowest self_touch_frames"
        cells = []
        for row in self.rows:
            own = [getattr(row.report, name) for name in f"{names} {more}".split()]
            theirs = [row.played.off, row.played.touching] if row.played.version else [None, None]
            cells.append([*own, *theirs, row.report.milliseconds, row.good])
        frames = sum(row.report.frames for row in self.rows)
        good = sum(row.good for row in self.rows)
        clips = [{**row.report.to_dict(), "mujoco": row.played} for row in self.rows]
        return self.compose(
            self.robot,
            Table("Clips", columns, cells),
            f"{good} of {len(self.rows)} clips keep limits, {BOUNDS[0]:g} cm/s, {BOUNDS[1]:g}"
            f" degrees and {BOUNDS[2]:g} ms a frame; {frames} frames",
            data={"robot": self.robot, "clips": clips},
        )


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
