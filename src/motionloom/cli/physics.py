"""``motionloom physics``: what a body must do to move as it does, and motions corrected."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.command import Reporting, Result, Saving, Surveying
from motionloom.cli.console import say
from motionloom.cli.fields import (
    argument,
    motion_output,
    page,
    part,
    picture,
    read_file,
    reading,
    written_file,
)
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place, find_place
from motionloom.progress import Progress, warn
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.outputs import Files

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.kinds.ground import Uneven
    from motionloom.motion import Motion
    from motionloom.physics.body import Body
    from motionloom.physics.correct import Corrected
    from motionloom.physics.correct.options import CorrectionOptions
    from motionloom.physics.dynamics.state import Smoothing
    from motionloom.physics.ground.balance import Balance
    from motionloom.physics.plates import PlateForces
    from motionloom.physics.terrain import TerrainReport
    from motionloom.posed_motion import PosedMotion


def _one_place(clip: str) -> Place:
    return find_place([clip])


class _OfBody(Reporting):
    """A command about one motion and the body that makes it."""

    clip: Place = argument("A motion of one person.", "CLIP", parse=_one_place)
    height: float | None = option_field(
        None, "Stature; else from the length of the legs.", unit="METRES"
    )
    mass: float | None = option_field(None, "Body mass; else that of a usual build.", unit="KG")
    masses: Path | None = read_file("YAML table of segments: share, along, gyration.")
    smoothing: Smoothing = part("motionloom.physics.dynamics.state", "poses", "balance")
    reading: ReadOptions = reading("only", "without", "roles")

    def read_body(self, posed: PosedMotion, mass: float | None = None) -> Body:
        """The body, with the user's table where there is one."""
        from motionloom.physics.body import make_body, read_mass_table

        table = None if self.masses is None else read_mass_table(self.masses)
        return make_body(posed, self.height, self.mass if mass is None else mass, table)

    def read_clip(self, whole: bool = False) -> PosedMotion:
        """The motion, without a calibration pose unless all of it is wanted."""
        from motionloom.clips.prepare import prepare_clip
        from motionloom.posed_motion import pose_motion

        motions = read_motions(self.clip, self.reading, tell=say)
        named = self.clip.library or self.clip.files[0]
        if len(motions) != 1:
            raise InvalidInputError(f"{named}: expected one motion, got {len(motions)}")
        motion = motions[0]
        if not motion.n_frames:
            raise InvalidInputError(f"{named}: the motion has no frames")
        roles = self.reading.read_roles(motion.skeleton)
        if whole:
            return pose_motion(motion, roles)
        posed, _, notes = prepare_clip(motion, motion.fps, roles)
        warn(notes, say)
        return posed


class ReportPhysics(Surveying, _OfBody):
    """Say which forces and torques a motion needs and whether it keeps its balance."""

    html: Path | None = page("Write a page with figures and curves.")
    png: Path | None = picture("Draw balance, forces, friction and torques.")
    npz: Path | None = written_file("Write motion, torques and forces as arrays.")
    mjcf: Path | None = written_file("Write the body as a MuJoCo model.")
    plates: Path | None = read_file("Force plates of the same trial: .mot, .sto or .c3d.")
    friction: float = option_field(0.9, "Friction between feet and ground.", unit="MU")

    def make(self, progress: Progress) -> Result:
        """Measure it."""
        from motionloom.physics.ground import analyse_balance, share_forces
        from motionloom.physics.plates import compare_with_plates, read_plates
        from motionloom.physics.plates.compare import series_of
        from motionloom.physics.plausible import check_plausible
        from motionloom.physics.report import make_report

        posed = self.read_clip(whole=self.plates is not None)
        measured = None if self.plates is None else read_plates(self.plates)
        body = self.read_body(posed)
        balance = analyse_balance(posed, body, self.smoothing)
        if measured is not None and self.mass is None:
            body = self.read_body(posed, _measured_mass(balance, posed, measured))
            balance = analyse_balance(posed, body, self.smoothing)
        check_plausible(balance, posed)
        forces = share_forces(balance, self.friction, progress)
        compared = None if measured is None else compare_with_plates(balance, posed, measured)
        series = None if measured is None else series_of(balance, posed, measured)
        report = make_report(posed, balance, forces, compared)
        files = _physics_files(report, posed, body, (balance, forces, series))
        return Result(report, files, problems=() if compared is None else compared.problems)


def _physics_files(report: Any, posed: PosedMotion, body: Body, found: tuple[Any, ...]) -> Files:
    """What writes the files of an analysis."""
    from motionloom.io.files import write_file
    from motionloom.physics.body.limits import turn_ranges
    from motionloom.physics.report import write_physics_page, write_physics_picture
    from motionloom.physics.robots import body_to_mjcf, save_robot_motion

    balance, forces, series = found
    name = posed.motion.name

    def write_model(path: Path) -> None:
        write_file(path, body_to_mjcf(body, name or "motion", ranges=turn_ranges(posed)))

    return {
        "npz": lambda path: save_robot_motion(path, balance, forces),
        "mjcf": write_model,
        "png": lambda path: write_physics_picture(path, balance, forces, series, name),
        "html": lambda path: write_physics_page(path, report, balance, forces, series),
    }


def _measured_mass(balance: Balance, posed: PosedMotion, plates: PlateForces) -> float | None:
    """Mass as the plates' file says, else as the plates weigh it; where it is from is said."""
    from motionloom.physics.plates.compare import mass_from_plates

    weighed = mass_from_plates(balance, posed, plates)
    if plates.mass is not None:
        beside = "" if weighed is None else f"; the plates weigh {weighed:.1f} kg"
        say(f"mass {plates.mass:.1f} kg, as {plates.source} says{beside}")
        return plates.mass
    if weighed is None:
        say(
            "the plates do not weigh the person, whom they never carry alone; --mass gives the mass"
        )
        return None
    say(f"mass {weighed:.1f} kg, as the plates weigh it")
    return weighed


@dataclass(frozen=True)
class _OnGround:
    """A motion that was taken onto uneven ground."""

    motion: Motion
    report: TerrainReport
    ground: tuple[Uneven, ...]

    def shown(self) -> ConstraintSet:
        """What pictures show of the ground."""
        from motionloom.constraints import ConstraintSet

        duration = (self.motion.n_frames - 1) * self.motion.frame_time
        return ConstraintSet(duration=duration, fps=self.motion.fps, ground=self.ground)


def _height_or_file(text: str) -> float | Path:
    try:
        level = float(text)
    except ValueError:
        return Path(text)
    if not math.isfinite(level):
        raise InvalidInputError(f"--ground {text}: expected a height in metres or a file")
    return level


class CorrectPhysics(_OfBody, Saving):
    """Pin feet that slip or sink, keep the balance, let flights fall; say what changed."""

    output: Path = motion_output()
    ground: float | Path | None = option_field(
        None,
        "Height of level ground, else where the feet rest; or a file with 'ground': stairs,"
        " slopes, height maps to walk on.",
        unit="METRES|FILE",
        parse=_height_or_file,
        file="read",
    )
    slower: float = option_field(
        1.0, "How many times as long steps on stairs take; as people climb: 1.5.", unit="FACTOR"
    )
    trust_paths: bool = option_field(False, "Read height maps from any folder.")
    correcting: CorrectionOptions = part(
        "motionloom.physics.correct.options", "objective", "balance", "flight", "friction"
    )
    png: Path | None = picture("Draw a contact sheet of the result, with its ground.")

    def check(self) -> None:
        """Refuse slower steps where there are none."""
        if self.slower != 1.0 and not isinstance(self.ground, Path):
            raise InvalidInputError(
                "--slower is about steps on stairs; name a file of ground (--ground FILE), or leave"
                " it out"
            )

    def make(self, progress: Progress) -> Result:
        """Correct it."""
        from motionloom.io.registry import check_save, save
        from motionloom.physics.correct import correct_motion
        from motionloom.physics.ground import analyse_balance
        from motionloom.physics.plausible import check_plausible
        from motionloom.view.sheet import write_contact_sheet

        posed = self.read_clip()
        body = self.read_body(posed)
        check_plausible(analyse_balance(posed, body, self.smoothing), posed)
        done: Corrected | _OnGround
        if isinstance(self.ground, Path):
            done = self._take_onto(self.ground, posed, body, progress)
        else:
            options = replace(self.correcting, ground=self.ground)
            done = correct_motion(posed, options, body=body, progress=progress)
        motion = done.motion
        shown = done.shown() if isinstance(done, _OnGround) else None
        skeleton = self.reading.skeleton
        check_save(motion, self.output, skeleton)
        files: Files = {
            "output": partial(save, motion, skeleton=skeleton),
            "png": lambda path: write_contact_sheet(motion, path, targets=shown),
        }
        return Result(done.report, files)

    def _take_onto(
        self, file: Path, posed: PosedMotion, body: Body, progress: Progress
    ) -> _OnGround:
        """Take a level motion onto the ground of a file."""
        from motionloom.constraints import read_ground
        from motionloom.physics.terrain import adapt_to_terrain, make_terrain_report

        ground = read_ground(file, trust_paths=self.trust_paths)
        made = adapt_to_terrain(
            posed,
            ground,
            body=body,
            balance=self.correcting.balance,
            slower=self.slower,
            progress=progress,
        )
        return _OnGround(made.motion, make_terrain_report(made), ground)
