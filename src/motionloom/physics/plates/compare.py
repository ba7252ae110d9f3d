"""Inverse dynamics and contacts against force plates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.physics.dynamics._inverse import GRAVITY
from motionloom.physics.dynamics.state import low_pass
from motionloom.physics.ground._balance import Balance, zero_moment_point
from motionloom.physics.plates.read import PlateForces
from motionloom.physics.quality import LEAST_FLIGHT
from motionloom.posed_motion import PosedMotion
from motionloom.reports import shown
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: A plate is loaded above this share of the weight.
LOADED = 0.04
#: Something else carries the person (a chair, a floor beside the plates) from when the plates'
#: force has fallen below `FULL` weights on its way below `PART`, until it is back.
FULL = 0.97
PART = 0.5
#: How long it has to stay below `PART`, seconds; a jump may be as long.
LEAST_AWAY = 0.1
#: A centre of pressure is compared where the plates carry this share of the weight.
CARRIED = 0.4
#: Mass and frames that the plates carry are found anew so often at most, until the mass changes by
#: less than this share; on nine trials of six persons three times were enough.
_ROUNDS = 20
_AGREES = 1e-3
#: Root mean square distance (centimetres) of the centre of pressure beyond which plates are of
#: another trial: those of nine trials lie within 8, those of other trials 40 and more.
FAR_PRESSURE = 15.0
#: Frames at the ends of a motion whose accelerations are not those of both neighbours.
ENDS = 3


@dataclass(frozen=True)
class PlateComparison:
    """How far inverse dynamics and contacts are from force plates.

    Parameters
    ----------
    n_frames : int
        Frames in which the plates carry the whole person.
    seconds : float
        The same in seconds.
    force_rms, force_bias : float
        Vertical force against the plates', per cent of the body weight.
    force_alike : float
        The same, root mean square, with the plates' force smoothed as the poses are: impacts are
        quicker than markers show.
    pressure_ahead, pressure_aside : float, centimetres
        Zero moment point against the centre of pressure, root mean square along the body's facing
        and across it.
    bias_ahead, bias_aside : float, centimetres
        Means of the same.
    contacts : float
        Share of frames and feet in which contact agrees with load on the foot's plate.
    stances : int
        Times that plates were loaded.
    missed : int
        Those in which the foot never was in contact.
    strike_early : float, milliseconds
        Median of how much earlier contact begins than load; NaN without strikes.
    flight_load : float
        Mean force that inverse dynamics sees in flights, body weights; NaN without flight.
    mass : float, kilograms
        Mean vertical force of the plates over gravity, to compare with the body's mass.
    smoothing : str
        What was filtered.
    """

    n_frames: int
    seconds: float = field(metadata=shown("carry the whole person", "s"))
    force_rms: float = field(metadata=shown("vertical force, rms", "% body weight"))
    force_bias: float = field(metadata=shown("vertical force, bias", "% body weight", "+.2f"))
    force_alike: float
    pressure_ahead: float = field(metadata=shown("centre of pressure ahead, rms", "cm"))
    pressure_aside: float = field(metadata=shown("centre of pressure aside, rms", "cm"))
    bias_ahead: float = field(metadata=shown("centre of pressure ahead, bias", "cm", "+.2f"))
    bias_aside: float = field(metadata=shown("centre of pressure aside, bias", "cm", "+.2f"))
    contacts: float = field(metadata=shown("contacts agree", "%", ".1f", 100))
    stances: int = field(metadata=shown("stances"))
    missed: int = field(metadata=shown("stances missed"))
    strike_early: float = field(metadata=shown("contact before the load", "ms", ".0f"))
    flight_load: float
    mass: float
    smoothing: str

    @property
    def problems(self) -> tuple[str, ...]:
        """Why these can hardly be the plates of this motion, a sentence each."""
        off = float(np.hypot(self.pressure_ahead, self.pressure_aside))
        if not off > FAR_PRESSURE:
            return ()
        return (
            f"the centre of pressure lies {off:.0f} cm (rms) from the zero moment point, more than"
            f" {FAR_PRESSURE:g}: are the plates of this trial, with its origin and its beginning?",
        )


@dataclass(frozen=True, eq=False)
class PlateSeries:
    """Measured series at the frames of a motion.

    Parameters
    ----------
    wrench : array of shape (T, 6)
        Of all plates together, about the world's origin.
    pressure : array of shape (T, 2), metres
        Centre of pressure x and z; NaN where next to nothing is carried.
    carried : bool array of shape (T,)
        Whether the plates carry the whole person.
    loaded : bool array of shape (T, F)
        Whether a plate is loaded by each foot.
    """

    wrench: Array
    pressure: Array
    carried: Bools
    loaded: Bools


def series_of(
    balance: Balance, posed: PosedMotion, plates: PlateForces, mass: float | None = None
) -> PlateSeries:
    """Plates at the frames of a motion.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    posed : PosedMotion
        The motion; its first frame is the plates' time 0.
    plates : PlateForces
        Measured.
    mass : float, kilograms, optional
        Of the person whom the plates carry; else the body's.

    Returns
    -------
    PlateSeries

    Raises
    ------
    InvalidInputError
        When they have no time in common.
    """
    each = plates.at(posed.motion.times)
    known = np.asarray(np.all(np.isfinite(each), axis=(1, 2)))
    if known.sum() < 4:
        raise InvalidInputError(
            f"the plates of {plates.source} were not measured while the motion lasts"
        )
    each = np.where(known[:, None, None], each, 0.0)
    wrench = each.sum(axis=1)
    weight = GRAVITY * (balance.body.mass if mass is None else mass)
    smooth = low_pass(wrench, posed.fps, balance.smoothing.balance)
    pressure = zero_moment_point(smooth, balance.contacts.ground, CARRIED * weight)
    loaded = _loaded(balance, each, weight)
    carried = _carried(wrench[:, 1] / weight, posed.fps) & known & ~_beside(balance, loaded)
    return PlateSeries(wrench, pressure, carried, loaded)


@one_thread()
def mass_from_plates(balance: Balance, posed: PosedMotion, plates: PlateForces) -> float | None:
    """The mass with which the plates' mean vertical force agrees with the motion, kilograms.

    Which frames the plates carry the whole person in depends on the mass, and the mass on these
    frames: both are found anew until they agree. The body's own mass does not count. Plates weigh a
    person; those of one laboratory may differ by some per cent.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    posed : PosedMotion
        The motion.
    plates : PlateForces
        Measured.

    Returns
    -------
    float or None
        None where the plates never carry the whole person, or mass and frames never agree.

    Raises
    ------
    InvalidInputError
        When they have no time in common.
    """
    per_kilogram = balance.dynamics.wrench[:, 1] / balance.body.mass
    up = series_of(balance, posed, plates).wrench[:, 1]
    high = up[up > PART * np.quantile(up, 0.95)]
    mass = float(np.median(high)) / GRAVITY if len(high) else 0.0
    for _ in range(_ROUNDS):
        if mass <= 0:
            return None
        series = series_of(balance, posed, plates, mass)
        if not series.carried.any():
            return None
        last = mass
        mass = float(series.wrench[series.carried, 1].sum() / per_kilogram[series.carried].sum())
        if abs(mass - last) < _AGREES * last:
            return mass
    return None


def _beside(balance: Balance, loaded: Bools) -> Bools:
    """Frames in which a foot stands beside the plates: its contact never loads one."""
    beside = np.zeros(len(loaded), bool)
    for foot, down in enumerate(balance.contacts.feet_down.T):
        for start, stop in runs_of(down):
            if not loaded[start:stop, foot].any():
                beside[start:stop] = True
    return beside


def _carried(load: Array, fps: float) -> Bools:
    """Frames in which plates carry the whole person."""
    carried = np.ones(len(load), bool)
    for start, stop in runs_of(load < FULL):
        at_end = start == 0 or stop == len(load)
        if (load[start:stop] < PART).sum() > (0 if at_end else LEAST_AWAY * fps):
            carried[start:stop] = False
    carried[:ENDS] = carried[-ENDS:] = False
    return carried


def _loaded(balance: Balance, each: Array, weight: float) -> Bools:
    """Which foot loads a plate: the one nearest to the plate's centre of pressure in that spell."""
    feet = balance.contacts.soles.feet
    corners = balance.corners
    loaded = np.zeros((len(each), len(feet)), bool)
    own = [corners.places[:, corners.feet == foot] for foot in range(len(feet))]
    middles = np.stack([places.mean(axis=1) for places in own], axis=1)[..., [0, 2]]
    for plate in range(each.shape[1]):
        on = each[:, plate, 1] > LOADED * weight
        center = zero_moment_point(each[:, plate], balance.contacts.ground)
        for run in (slice(*ends) for ends in runs_of(on)):
            away = np.linalg.norm(middles[run] - center[run][:, None], axis=-1).mean(axis=0)
            if away.min() < 0.5:
                loaded[run, int(np.argmin(away))] = True
    return loaded


@one_thread()
def compare_with_plates(
    balance: Balance, posed: PosedMotion, plates: PlateForces
) -> PlateComparison:
    """Compare inverse dynamics and contacts with force plates.

    Parameters
    ----------
    balance : Balance
        Of the motion.
    posed : PosedMotion
        The motion; its first frame is the plates' time 0.
    plates : PlateForces
        Measured.

    Returns
    -------
    PlateComparison

    Raises
    ------
    InvalidInputError
        When they have no time in common, or never carry the whole person.
    """
    series = series_of(balance, posed, plates)
    carried = series.carried
    if not carried.any():
        raise InvalidInputError(f"the plates of {plates.source} never carry the whole person")
    error = 100 * (balance.load - series.wrench[:, 1] / balance.weight)[carried]
    alike = low_pass(series.wrench[:, 1], posed.fps, balance.smoothing.poses) / balance.weight
    ahead, aside = _in_body_frame(balance, posed, series)
    down = balance.contacts.feet_down
    stances, missed, early = _stances(down, series, posed.fps)
    return PlateComparison(
        n_frames=int(carried.sum()),
        seconds=float(carried.sum() / posed.fps),
        force_rms=_rms(error),
        force_bias=float(error.mean()),
        force_alike=_rms(100 * (balance.load - alike)[carried]),
        pressure_ahead=_rms(ahead),
        pressure_aside=_rms(aside),
        bias_ahead=_mean(ahead),
        bias_aside=_mean(aside),
        contacts=float(np.mean((down == series.loaded)[carried])),
        stances=stances,
        missed=missed,
        strike_early=early,
        flight_load=flight_load(balance),
        mass=float(series.wrench[carried, 1].mean() / balance.weight * balance.body.mass),
        smoothing=balance.smoothing.in_words(posed.fps),
    )


def _in_body_frame(
    balance: Balance, posed: PosedMotion, series: PlateSeries
) -> tuple[Array, Array]:
    """How far the zero moment point lies ahead and to the left of the measured one, centimetres."""
    off = 100 * (balance.zmp - series.pressure)
    known = series.carried & np.isfinite(off).all(axis=1)
    aside, ahead = GroundTransform(posed.facing[known]).seen(off[known]).T
    return ahead, aside


def _stances(down: Bools, series: PlateSeries, fps: float) -> tuple[int, int, float]:
    """Loaded spells, those without any contact, and how early contact begins (milliseconds)."""
    met = []
    early = []
    for foot in range(down.shape[1]):
        for start, stop in runs_of(series.loaded[:, foot], least=LEAST_AWAY * fps):
            if series.carried[start:stop].any():
                met.append(bool(down[start:stop, foot].any()))
                if met[-1] and start > ENDS and series.carried[start]:
                    contact = next(run for run in runs_of(down[:, foot]) if run[1] > start)
                    early.append(start - contact[0])
    before = float(1000 / fps * np.median(early)) if early else float("nan")
    return len(met), met.count(False), before


def flight_load(balance: Balance) -> float:
    """Mean vertical force in flights, body weights.

    Single flights of a tenth of a second scatter by .2 on both sides: of all together the mean says
    whether bodies fall at g.

    Parameters
    ----------
    balance : Balance
        Of the motion.
        Of its flights a fifth at both ends is passed over.

    Returns
    -------
    float
        NaN without flight.
    """
    found = [np.zeros(0)]
    for start, stop in runs_of(~balance.contacts.support, least=LEAST_FLIGHT * balance.fps):
        if start >= ENDS and stop <= len(balance.load) - ENDS:
            cut = (stop - start) // 5
            found.append(balance.load[start + cut : stop - cut])
    return abs(_mean(np.concatenate(found)))


def _rms(values: Array) -> float:
    return float(np.sqrt(_mean(values**2)))


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")
