"""Physics in two verbs: what a motion asks of the body, and a motion corrected by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from motionloom.clips.prepare import prepare_clip
from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import constraints_of, read_ground
from motionloom.constraints.kinds.ground import Uneven
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.io.result import Result
from motionloom.motion import Motion
from motionloom.options import take_options
from motionloom.physics.body import Body, make_body, read_mass_table
from motionloom.physics.body._limits import turn_ranges
from motionloom.physics.correct import CorrectionOptions, correct_motion
from motionloom.physics.dynamics.state import Smoothing
from motionloom.physics.ground import Balance, GroundForces, analyse_balance, share_forces
from motionloom.physics.plates import PlateForces, compare_with_plates, read_plates
from motionloom.physics.plates.compare import PlateComparison, mass_from_plates, series_of
from motionloom.physics.quality import check_plausible
from motionloom.physics.report import make_report, write_physics_page, write_physics_picture
from motionloom.physics.robots import body_to_mjcf, save_robot_motion
from motionloom.physics.terrain import adapt_to_terrain, make_terrain_report
from motionloom.places import Place
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import ReadOptions, motion_of

Clip = Motion | Place | str | PathLike[str]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a motion asks of the body.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    body : Body
        Masses on its skeleton.
    balance : Balance
        Loads, contacts, zero moment point and support.
    forces : GroundForces
        Of the ground on the soles.
    plates : PlateComparison, optional
        With force plates of the same trial.
    series : object, optional
        Curves of plates and motion.
    """

    posed: PosedMotion
    body: Body
    balance: Balance
    forces: GroundForces
    plates: PlateComparison | None = None
    series: Any = None


class AnalysisResult(Result):
    """A report on physics, saved as page, picture, arrays or a model of the body."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What does not agree with force plates, one sentence each."""
        plates = self.details.plates
        return () if plates is None else tuple(plates.problems)

    @property
    def writers(self) -> dict[str, Callable[[Path], object]]:
        """What writes each kind of file, by its suffix."""
        it: Analysis = self.details
        name = it.posed.motion.name
        found = (it.balance, it.forces, it.series)
        return {
            ".html": lambda path: write_physics_page(path, self.report, *found),
            ".png": lambda path: write_physics_picture(path, *found, name),
            ".npz": lambda path: save_robot_motion(path, it.balance, it.forces),
            ".xml": lambda path: write_file(
                path, body_to_mjcf(it.body, name or "motion", turn_ranges(it.posed))
            ),
        }

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Save it by the suffix of a name.

        Parameters
        ----------
        path : path-like
            ``.html`` a page, ``.png`` a picture, ``.npz`` arrays, ``.xml`` the body for MuJoCo,
            else the motion.
        **options
            Of the motion's format.

        Raises
        ------
        InvalidInputError
            When the file cannot be written.
        """
        place = Path(fspath(path))
        write = self.writers.get(place.suffix.lower())
        if write is None:
            super().save(path, **options)
        else:
            write(place)


def report(
    clip: Clip,
    *,
    height: float | None = None,
    mass: float | None = None,
    masses: str | PathLike[str] | None = None,
    plates: str | PathLike[str] | None = None,
    friction: float = 0.9,
    smoothing: Smoothing | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> AnalysisResult:
    """Say which forces and torques a motion needs, and whether it keeps its balance.

    Parameters
    ----------
    clip : Motion or path-like
        A motion of one person.
    height : float, metres, optional
        Stature; from the length of the legs when not given.
    mass : float, kilograms, optional
        Body mass; what plates weigh, or that of a usual build, when not given.
    masses : path-like, optional
        YAML table of segments: share, along, gyration.
    plates : path-like, optional
        Force plates of the same trial: ``.mot``, ``.sto`` or ``.c3d``.
    friction : float
        Between feet and ground.
    smoothing : Smoothing, optional
        Low-pass filters; 12 and 6 Hz when not given.
    progress : Progress
        Told of frames.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

    Returns
    -------
    Result
        `details` has body, balance and forces. It can be saved as page, picture, arrays or a model
        of the body: ``.html``, ``.png``, ``.npz``, ``.xml``.

    Raises
    ------
    FormatError
        When a file cannot be read.
    InvalidInputError
        When forces are beyond any body's, or the motion has no legs.

    Notes
    -----
    Masses are Winter's (2009); loads come from Newton-Euler inverse dynamics.

    Examples
    --------
    >>> result = ml.physics.report(demo / "clips/stand.bvh", height=1.75, mass=70.0)
    >>> up = result.details.forces.foot_forces.sum(axis=1)[:, 1]  # newtons, of both feet
    >>> round(float(up.mean()) / (70.0 * 9.81), 2)  # who stands weighs as much as the body
    1.0
    """
    measured = None if plates is None else read_plates(plates)
    posed = _posed(clip, ReadOptions(**reading), whole=measured is not None)
    table = None if masses is None else read_mass_table(masses)
    body = make_body(posed, height, mass, table)
    balance = analyse_balance(posed, body, smoothing)
    if measured is not None and mass is None:
        body = make_body(posed, height, _measured_mass(balance, posed, measured), table)
        balance = analyse_balance(posed, body, smoothing)
    check_plausible(balance, posed)
    forces = share_forces(balance, friction, progress)
    compared = series = None
    if measured is not None:
        compared = compare_with_plates(balance, posed, measured)
        series = series_of(balance, posed, measured)
    told = make_report(posed, balance, forces, compared)
    made = Analysis(posed, body, balance, forces, compared, series)
    return AnalysisResult({posed.motion.name or "motion": posed.motion}, told, made)


def correct(
    clip: Clip,
    *,
    ground: float | Sequence[Uneven | Mapping[str, Any]] | str | PathLike[str] | None = None,
    trust_paths: bool = False,
    height: float | None = None,
    mass: float | None = None,
    masses: str | PathLike[str] | None = None,
    slower: float = 1.0,
    progress: Progress = silent,
    **options: Any,
) -> Result:
    """Pin feet that slip or sink, keep the balance, let flights fall; or walk on other ground.

    Parameters
    ----------
    clip : Motion or path-like
        A motion of one person.
    ground : float, path-like, or sequence of HeightMap, Slope, Stairs or mapping, optional
        Height of level ground in metres; where the feet rest when not given. Or what is walked on:
        a file with ``ground``, or what is in one.
    trust_paths : bool
        Read height maps from any folder.
    height : float, metres, optional
        Stature; from the length of the legs when not given.
    mass : float, kilograms, optional
        Body mass; that of a usual build when not given.
    masses : path-like, optional
        YAML table of segments: share, along, gyration.
    slower : float
        How many times as long steps on stairs take; as people climb: 1.5.
    progress : Progress
        Told of rounds.
    **options
        Fields of `motionloom.physics.correct.CorrectionOptions`: `objective`
        (``"displacement"`` or ``"torque"``), `friction`, `balance`, `flight`; and of
        `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...; and `smoothing`
        as of `report`.

    Returns
    -------
    Result
        `details` is the `Corrected` or `OnTerrain`.

    Raises
    ------
    FormatError
        When a file cannot be read.
    InvalidInputError
        When forces are beyond any body's, or an option is for level ground only.

    Examples
    --------
    >>> result = ml.physics.correct(demo / "clips/stand.bvh")
    >>> result.motion.n_frames == ml.load(demo / "clips/stand.bvh").n_frames, result.problems
    (True, ())
    """
    reading = take_options(ReadOptions, options)
    smoothing = options.pop("smoothing", None)
    how = CorrectionOptions(**options)
    posed = _posed(clip, reading)
    body = make_body(posed, height, mass, None if masses is None else read_mass_table(masses))
    check_plausible(analyse_balance(posed, body, smoothing), posed)
    name = posed.motion.name or "motion"
    if ground is None or isinstance(ground, (int, float)):
        _refuse("steps on stairs take longer, and the ground is level", slower=slower - 1.0)
        how = replace(how, ground=None if ground is None else float(ground))
        done = correct_motion(posed, how, body=body, progress=progress)
        return Result({name: done.motion}, done.report, done)
    plain = vars(CorrectionOptions(balance=how.balance))
    _refuse("for level ground only", **{k: v != plain[k] for k, v in vars(how).items()})
    if isinstance(ground, (str, PathLike)):
        steps = read_ground(ground, trust_paths=trust_paths)
    else:
        steps = constraints_of({"duration": 1.0, "ground": list(ground)}).ground
    made = adapt_to_terrain(
        posed, steps, body=body, balance=how.balance, slower=slower, progress=progress
    )
    motion = made.motion
    duration = (motion.n_frames - 1) * motion.frame_time
    shown = ConstraintSet(duration=duration, fps=motion.fps, ground=steps)
    return Result({name: motion}, make_terrain_report(made), made, shown)


def _measured_mass(balance: Balance, posed: PosedMotion, plates: PlateForces) -> float | None:
    """Mass as the plates' file says, else as the plates weigh it; where it is from is said."""
    weighed = mass_from_plates(balance, posed, plates)
    if plates.mass is not None:
        beside = "" if weighed is None else f"; the plates weigh {weighed:.1f} kg"
        as_warning(f"mass {plates.mass:.1f} kg, as {plates.source} says{beside}")
    elif weighed is None:
        as_warning("the plates do not weigh the person, whom they never carry alone; give the mass")
    else:
        as_warning(f"mass {weighed:.1f} kg, as the plates weigh it")
    return weighed if plates.mass is None else plates.mass


def _refuse(why: str, **options: object) -> None:
    given = [name for name, value in options.items() if value]
    if given:
        raise InvalidInputError(f"{', '.join(given)}: {why}; leave it out")


def _posed(clip: Clip, reading: ReadOptions, whole: bool = False) -> PosedMotion:
    """One motion, without a calibration pose unless all of it is wanted."""
    motion = motion_of(clip, reading)
    roles = reading.read_roles(motion.skeleton)
    if whole:
        return pose_motion(motion, roles)
    posed, _, notes = prepare_clip(motion, motion.fps, roles)
    warn(notes, as_warning)
    return posed
