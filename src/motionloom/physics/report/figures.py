"""The physics of a motion in numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.curves import runs_of
from motionloom.physics.body.limits import beyond_limits
from motionloom.physics.ground.balance import TOLERANCE, Balance, balanced_share, support_kind
from motionloom.physics.ground.sharing import GroundForces
from motionloom.physics.plates.compare import PlateComparison, flight_load
from motionloom.physics.quality import PhysicalQuality, quality_of
from motionloom.posed_motion import PosedMotion

#: Joints whose torques are told, by role.
TOLD = ("hip", "knee", "foot", "shoulder", "elbow")
#: Most spells of imbalance that are named.
MOST_SPELLS = 5


@dataclass(frozen=True)
class Spell:
    """A stretch of time in which the zero moment point lies outside.

    Parameters
    ----------
    start, stop : float, seconds
        Begin and end.
    outside : float, centimetres
        Farthest from the polygon.
    foot : str
        What the body stands on.
    """

    start: float
    stop: float
    outside: float
    foot: str


@dataclass(frozen=True)
class PhysicsReport:
    """The physics of one motion.

    Parameters
    ----------
    name : str
        Of the motion.
    n_frames : int
        T.
    fps : float
        Frames per second.
    height, mass : float, metres and kilograms
        Of the body.
    notes : tuple of str
        What was guessed.
    smoothing : str
        What was filtered.
    load_mean, load_max : float, body weights
        Vertical force on the body.
    flight_load : float, body weights
        Largest mean force in a flight; NaN without flight.
    single_share, double_share : float
        Shares of frames on one foot and on two.
    balanced, balanced_single, balanced_strictly : float
        Shares of the frames with support (on one foot) whose zero moment point lies within the
        polygon or up to 5 cm outside, and of those where it lies within.
    friction_p95 : float
        95th percentile of horizontal over vertical force.
    missing_force, missing_moment : float
        Mean part of the wrench that feet in contact cannot give, body weights and body weights
        times stature.
    peak_torques : mapping of str to float, newton metres per kilogram
        Largest torque of each joint, by role.
    peak_power : mapping of str to float, watts per kilogram
        Largest power, generated (positive) or absorbed.
    angular_momentum : float
        Largest about the centre of mass, over mass, stature squared and second.
    beyond : mapping of str to float, degrees
        Joints that bend beyond their range, and by how much.
    spells : tuple of Spell
        The longest stretches of imbalance.
    quality : PhysicalQuality
        Terms of the motion's quality.
    plates : PlateComparison, optional
        Against force plates.
    """

    name: str
    n_frames: int
    fps: float
    height: float
    mass: float
    notes: tuple[str, ...]
    smoothing: str
    load_mean: float
    load_max: float
    flight_load: float
    single_share: float
    double_share: float
    balanced: float
    balanced_single: float
    balanced_strictly: float
    friction_p95: float
    missing_force: float
    missing_moment: float
    peak_torques: Mapping[str, float]
    peak_power: Mapping[str, float]
    angular_momentum: float
    beyond: Mapping[str, float]
    spells: tuple[Spell, ...]
    quality: PhysicalQuality
    plates: PlateComparison | None = None

    def to_json(self) -> str:
        """For programs."""
        return json.dumps(_plain(asdict(self)), indent=2) + "\n"

    def to_text(self) -> str:
        """For people."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"{self.name}: {self.n_frames} frames at {self.fps:g} fps"
        yield f"  body       {self.height:.2f} m, {self.mass:.1f} kg"
        yield from (f"             guessed: {note}" for note in self.notes)
        yield f"  filters    {self.smoothing}"
        yield (
            f"  load       mean {self.load_mean:.3f}, largest {self.load_max:.2f} body weights"
            f"{_told(', in flight {:.3f}', self.flight_load)}"
        )
        yield (
            f"  support    {100 * self.double_share:.0f} % on two feet,"
            f" {100 * self.single_share:.0f} % on one"
        )
        yield (
            f"  balance    zero moment point within {100 * TOLERANCE:.0f} cm of the polygon"
            f" {_share(self.balanced)}, on one foot {_share(self.balanced_single)}, inside"
            f" {_share(self.balanced_strictly)}"
        )
        yield from (
            f"             {s.start:.2f}-{s.stop:.2f} s: {s.outside:.0f} cm outside, {s.foot}"
            for s in self.spells
        )
        yield f"  friction   95 % of frames need no more than {self.friction_p95:.2f}"
        yield (
            f"  not given  by the feet: {self.missing_force:.3f} body weights,"
            f" {self.missing_moment:.3f} body weights times stature"
        )
        for title, peaks, unit in (
            ("torque", self.peak_torques, "Nm/kg"),
            ("power", self.peak_power, "W/kg"),
        ):
            found = ", ".join(f"{role} {value:.2f}" for role, value in peaks.items())
            yield f"  {title:<10} {found} {unit}"
        yield f"  momentum   angular up to {self.angular_momentum:.3f} m H^2/s"
        if self.beyond:
            bent = ", ".join(f"{role} by {angle:.0f}" for role, angle in self.beyond.items())
            yield f"  joints     beyond their ranges: {bent} degrees"
        yield f"  quality    {self.quality.in_words()}"
        if self.plates is not None:
            yield from _plate_lines(self.plates)


def _plate_lines(plates: PlateComparison) -> Iterator[str]:
    yield (
        f"  plates     carry all for {plates.seconds:.2f} s: vertical force rms"
        f" {plates.force_rms:.2f} % body weight (bias {plates.force_bias:+.2f})"
    )
    yield (
        f"             centre of pressure rms {plates.pressure_ahead:.2f} cm ahead,"
        f" {plates.pressure_aside:.2f} cm aside (bias {plates.bias_ahead:+.2f},"
        f" {plates.bias_aside:+.2f})"
    )
    early = _told(", {:.0f} ms before the load", plates.strike_early)
    yield (
        f"             contacts agree {plates.contacts:.3f}, {plates.missed} of"
        f" {plates.stances} stances missed{early}"
    )


def _told(words: str, value: float) -> str:
    return "" if math.isnan(value) else words.format(value)


def _share(value: float) -> str:
    return "never" if math.isnan(value) else f"{100 * value:.1f} %"


def _plain(data: Any) -> Any:
    """JSON has no NaN."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return None if isinstance(data, float) and math.isnan(data) else data


def make_report(
    posed: PosedMotion,
    balance: Balance,
    forces: GroundForces,
    plates: PlateComparison | None = None,
) -> PhysicsReport:
    """Gather the figures of one motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    balance : Balance
        Its analysis.
    forces : GroundForces
        Shared among the feet.
    plates : PlateComparison, optional
        Against force plates.

    Returns
    -------
    PhysicsReport
    """
    body = balance.body
    feet = support_kind(balance.contacts)
    held = np.isfinite(balance.distance)
    support = balance.contacts.support
    missing = np.linalg.norm(forces.missing.reshape(-1, 2, 3), axis=-1)[support]
    spin = np.linalg.norm(balance.dynamics.momentum[:, 3:], axis=-1)
    return PhysicsReport(
        name=posed.motion.name or "motion",
        n_frames=posed.n_frames,
        fps=posed.fps,
        height=body.height,
        mass=body.mass,
        notes=body.notes,
        smoothing=balance.smoothing.in_words(posed.fps),
        load_mean=float(balance.load.mean()),
        load_max=float(balance.load.max()),
        flight_load=flight_load(balance),
        single_share=float(np.mean(feet == 1)),
        double_share=float(np.mean(feet > 1)),
        balanced=balanced_share(balance),
        balanced_single=_share_of(balance, held & (feet == 1)),
        balanced_strictly=balanced_share(balance, 0.0),
        friction_p95=_quantile(balance.friction[held]),
        missing_force=float(missing[:, 0].mean() / balance.weight) if len(missing) else 0.0,
        missing_moment=(
            float(missing[:, 1].mean() / balance.weight / body.height) if len(missing) else 0.0
        ),
        peak_torques=_peaks(balance, np.linalg.norm(forces.torques, axis=-1)),
        peak_power=_peaks(balance, np.einsum("tli,tli->tl", forces.torques, balance.state.spins)),
        angular_momentum=float(spin.max(initial=0.0) / body.mass / body.height**2),
        beyond=beyond_limits(posed),
        spells=tuple(_spells(balance)),
        quality=quality_of(balance),
        plates=plates,
    )


def _share_of(balance: Balance, frames: NDArray[np.bool_]) -> float:
    return float(np.mean(balance.distance[frames] >= -TOLERANCE)) if frames.any() else math.nan


def _quantile(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(np.quantile(known, 0.95)) if len(known) else math.nan


def _peaks(balance: Balance, series: NDArray[np.float64]) -> dict[str, float]:
    """Largest of both sides per kilogram, with its sign, by role."""
    found = {}
    for part in TOLD:
        joints = [balance.body.roles.joint(f"{side}_{part}") for side in ("left", "right")]
        own = [series[:, balance.body.link(joint)] for joint in joints if joint is not None]
        if own:
            values = np.concatenate(own)
            largest = float(values[np.argmax(np.abs(values))])
            found["ankle" if part == "foot" else part] = largest / balance.body.mass
    return found


def _spells(balance: Balance) -> list[Spell]:
    """The longest stretches in which the zero moment point lies too far outside."""
    outside = np.nan_to_num(balance.distance, nan=np.inf) < -TOLERANCE
    runs = sorted(runs_of(outside), key=lambda r: r[0] - r[1])
    by_foot = balance.contacts.bearing.by_foot()
    found = []
    for start, stop in sorted(runs[:MOST_SPELLS]):
        middle = (start + stop) // 2
        feet = [foot.replace("_", " ") for foot, down in by_foot.items() if down[middle]]
        found.append(
            Spell(
                start=float(start / balance.fps),
                stop=float(stop / balance.fps),
                outside=float(-100 * balance.distance[start:stop].min()),
                foot="on the " + " and the ".join(feet),
            )
        )
    return found
