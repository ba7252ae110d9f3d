"""``motionloom physics``: what a body must do to move as it does, and motions corrected."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import Force, ReportAsJson, RolesBlock, SaveReport, with_blocks
from motionloom.errors import InvalidInputError
from motionloom.places import find_place
from motionloom.progress import warn
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.kinds.ground import Uneven
    from motionloom.motion import Motion
    from motionloom.physics.body import Body
    from motionloom.physics.correct import Corrected
    from motionloom.physics.dynamics import Smoothing
    from motionloom.physics.ground.balance import Balance
    from motionloom.physics.plates import PlateForces
    from motionloom.physics.terrain import TerrainReport
    from motionloom.posed_motion import PosedMotion
    from motionloom.progress import Progress

app = typer.Typer(
    name="physics",
    help="Forces, torques and balance of a clip, and motions corrected by them.",
    no_args_is_help=True,
)


@app.callback()
def _group() -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class BodyBlock:
    """Whose body it is, and how its motion is smoothed."""

    height: Annotated[
        float | None,
        typer.Option(metavar="METRES", help="Stature; else from the length of the legs."),
    ] = None
    mass: Annotated[
        float | None, typer.Option(metavar="KG", help="Body mass; else that of a usual build.")
    ] = None
    masses: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML table of segments: share, along, gyration."),
    ] = None
    cutoff: Annotated[
        float, typer.Option(metavar="HZ", min=0, help="Low-pass of poses; 0 does not filter.")
    ] = 12.0
    zmp_cutoff: Annotated[
        float,
        typer.Option(metavar="HZ", min=0, help="Low-pass of the zero moment point's wrench."),
    ] = 6.0

    def smoothing(self) -> Smoothing:
        """Cut-offs of the library."""
        from motionloom.physics.dynamics import Smoothing

        return Smoothing(poses=self.cutoff, balance=self.zmp_cutoff)

    def body_of(self, posed: PosedMotion) -> Body:
        """The body, with the user's table where there is one."""
        from motionloom.physics.body import make_body, read_mass_table

        table = None if self.masses is None else read_mass_table(self.masses)
        return make_body(posed, self.height, self.mass, table)


@dataclass(frozen=True, kw_only=True)
class PhysicsOutputs:
    """What is written of an analysis."""

    html: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a page with figures and curves.")
    ] = None
    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw balance, forces, friction and torques."),
    ] = None
    npz: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Write motion, torques and forces as arrays."),
    ] = None
    mjcf: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write the body as a MuJoCo model.")
    ] = None
    report: SaveReport = None

    @property
    def paths(self) -> list[Path | None]:
        """All of them."""
        return [self.html, self.png, self.npz, self.mjcf, self.report]


@app.command("report")
@with_blocks
def report_physics(
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="A motion of one person.")],
    reading: RolesBlock,
    told: BodyBlock,
    results: PhysicsOutputs,
    plates: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Force plates of the same trial: .mot, .sto or .c3d."),
    ] = None,
    friction: Annotated[
        float, typer.Option(metavar="MU", help="Friction between feet and ground.")
    ] = 0.9,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Say which forces and torques a motion needs and whether it keeps its balance."""
    from motionloom.physics.body.limits import turn_ranges
    from motionloom.physics.ground import analyse_balance, share_forces
    from motionloom.physics.plates import compare_with_plates, read_plates
    from motionloom.physics.plates.compare import series_of
    from motionloom.physics.plausible import check_plausible
    from motionloom.physics.report import (
        make_report,
        write_physics_page,
        write_physics_picture,
    )
    from motionloom.physics.robots import body_to_mjcf, save_robot_motion

    check_png(results.png)
    options = reading.to_options()
    place = find_place([clip])
    inputs = [*place.files, *options.companions]
    inputs += [path for path in (plates, told.masses) if path is not None]
    check_outputs(results.paths, inputs, force)
    smoothing = told.smoothing()
    with progress_bars() as progress:
        posed = _read_one(clip, options, whole=plates is not None)
        measured = None if plates is None else read_plates(plates)
        body = told.body_of(posed)
        balance = analyse_balance(posed, body, smoothing)
        if measured is not None and told.mass is None:
            body = replace(told, mass=_measured_mass(balance, posed, measured)).body_of(posed)
            balance = analyse_balance(posed, body, smoothing)
        check_plausible(balance, posed)
        forces = share_forces(balance, friction, progress)
    compared = None if measured is None else compare_with_plates(balance, posed, measured)
    series = None if measured is None else series_of(balance, posed, measured)
    report = make_report(posed, balance, forces, compared)
    writer = Writer(force, say)
    if results.report is not None:
        writer.write_report(results.report, report)
    if results.png is not None:
        title = posed.motion.name
        writer.write(
            results.png, lambda p: write_physics_picture(p, balance, forces, series, title)
        )
    if results.html is not None:
        writer.write(results.html, lambda p: write_physics_page(p, report, balance, forces, series))
    if results.npz is not None:
        writer.write(results.npz, lambda p: save_robot_motion(p, balance, forces))
    if results.mjcf is not None:
        name = posed.motion.name or "motion"
        ranges = turn_ranges(posed)
        writer.write_text(results.mjcf, body_to_mjcf(body, name, ranges=ranges))
    print(format_report(report, as_json), end="")
    return exit_code_of(() if compared is None else compared.problems)


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


def _read_one(clip: str, options: ReadOptions, whole: bool = False) -> PosedMotion:
    """The one motion that is named, without a calibration pose unless all of it is wanted."""
    from motionloom.clips.prepare import prepare_clip
    from motionloom.posed_motion import pose_motion

    motions = read_motions(find_place([clip]), options, tell=say)
    if len(motions) != 1:
        raise InvalidInputError(f"{clip}: expected one motion, got {len(motions)}")
    motion = motions[0]
    if not motion.n_frames:
        raise InvalidInputError(f"{clip}: the motion has no frames")
    roles = options.read_roles(motion.skeleton)
    if whole:
        return pose_motion(motion, roles)
    posed, _, notes = prepare_clip(motion, motion.fps, roles)
    warn(notes, say)
    return posed


@dataclass(frozen=True)
class _OnGround:
    """A motion that was taken onto uneven ground."""

    motion: Motion
    report: TerrainReport
    ground: tuple[Uneven, ...]


def _shown_ground(done: Corrected | _OnGround) -> ConstraintSet | None:
    """What pictures show of the ground under a motion."""
    from motionloom.constraints import ConstraintSet

    if not isinstance(done, _OnGround):
        return None
    motion = done.motion
    duration = (motion.n_frames - 1) * motion.frame_time
    return ConstraintSet(duration=duration, fps=motion.fps, ground=done.ground)


def _take_onto(
    posed: PosedMotion, correcting: CorrectionBlock, body: Body, progress: Progress
) -> _OnGround:
    """Take a level motion onto the ground of a file."""
    from motionloom.constraints import read_ground
    from motionloom.physics.terrain import adapt_to_terrain, make_terrain_report

    assert correcting.file is not None  # asked for by the caller
    ground = read_ground(correcting.file, trust_paths=correcting.trust_paths)
    balance = not correcting.keep_balance
    made = adapt_to_terrain(
        posed, ground, body=body, balance=balance, slower=correcting.slower, progress=progress
    )
    return _OnGround(made.motion, make_terrain_report(made), ground)


@dataclass(frozen=True, kw_only=True)
class CorrectionBlock:
    """How a motion is corrected."""

    objective: Annotated[
        str,
        typer.Option(help="What is made small: 'displacement' from the input, or 'torque' too."),
    ] = "displacement"
    ground: Annotated[
        str | None,
        typer.Option(
            metavar="METRES|FILE",
            help="Height of level ground, else where the feet rest; or a file with 'ground':"
            " stairs, slopes, height maps to walk on.",
        ),
    ] = None
    slower: Annotated[
        float,
        typer.Option(
            metavar="FACTOR",
            help="How many times as long steps on stairs take; as people climb: 1.5.",
        ),
    ] = 1.0
    trust_paths: Annotated[
        bool, typer.Option("--trust-paths", help="Read height maps from any folder.")
    ] = False
    keep_balance: Annotated[
        bool, typer.Option("--keep-balance", help="Leave balance and friction as they are.")
    ] = False
    keep_flight: Annotated[
        bool, typer.Option("--keep-flight", help="Leave flights as they are.")
    ] = False
    friction: Annotated[
        float, typer.Option(metavar="MU", help="Friction between feet and ground.")
    ] = 0.9

    @property
    def level(self) -> float | None:
        """Height of level ground, where that was given."""
        try:
            level = None if self.ground is None else float(self.ground)
        except ValueError:
            return None
        if level is not None and not math.isfinite(level):
            raise InvalidInputError(
                f"--ground {self.ground}: expected a height in metres or a file"
            )
        return level

    @property
    def file(self) -> Path | None:
        """File of what is walked on, where that was given."""
        if self.ground is None or self.level is not None:
            return None
        return Path(self.ground)


@dataclass(frozen=True, kw_only=True)
class CorrectionOutputs:
    """What is written of a correction besides the motion."""

    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw a contact sheet of the result, with its ground."),
    ] = None
    report: SaveReport = None


@app.command("correct")
@with_blocks
def correct_physics(
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="A motion of one person.")],
    reading: RolesBlock,
    told: BodyBlock,
    correcting: CorrectionBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
    results: CorrectionOutputs,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Pin feet that slip or sink, keep the balance, let flights fall; say what changed."""
    from motionloom.io.registry import check_save, find_writer, save
    from motionloom.physics.correct import CorrectionOptions, correct_motion
    from motionloom.physics.correct.options import check_objective
    from motionloom.physics.ground import analyse_balance
    from motionloom.physics.plausible import check_plausible
    from motionloom.view.sheet import write_contact_sheet

    find_writer(output)
    if correcting.slower != 1.0 and correcting.file is None:
        raise InvalidInputError(
            "--slower is about steps on stairs; name a file of ground (--ground FILE), or leave it"
            " out"
        )
    png = results.png
    report = results.report
    options = reading.to_options()
    place = find_place([clip])
    inputs = [*place.files, *options.companions]
    inputs += [path for path in (told.masses, correcting.file) if path is not None]
    check_png(png)
    check_outputs([output, png, report], inputs, force)
    wanted = CorrectionOptions(
        objective=check_objective(correcting.objective),
        friction=correcting.friction,
        balance=not correcting.keep_balance,
        flight=not correcting.keep_flight,
        ground=correcting.level,
    )
    with progress_bars() as progress:
        posed = _read_one(clip, options)
        body = told.body_of(posed)
        check_plausible(analyse_balance(posed, body, told.smoothing()), posed)
        done: Corrected | _OnGround
        if correcting.file is None:
            done = correct_motion(posed, wanted, body=body, progress=progress)
        else:
            done = _take_onto(posed, correcting, body, progress)
    check_save(done.motion, output, options.skeleton)
    writer = Writer(force, say)
    writer.write(output, lambda p: save(done.motion, p, skeleton=options.skeleton))
    if png is not None:
        targets = _shown_ground(done)
        writer.write(png, lambda p: write_contact_sheet(done.motion, p, targets=targets))
    if report is not None:
        writer.write_report(report, done.report)
    print(format_report(done.report, as_json), end="")
    return exit_code_of(done.report.problems)
