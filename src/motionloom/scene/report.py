"""What a scene says about itself: every character's report, what became of the events, who runs
into whom.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from motionloom.constraints.scene import Tolerance
from motionloom.motion import GroundTransform
from motionloom.synthesis.report import SynthesisReport

#: Bodies that interpenetrate by more than this (metres) are called a problem.
DEPTH_LIMIT = 0.01


@dataclass(frozen=True)
class EventOutcome:
    """What became of one event.

    Parameters
    ----------
    name : str
    time : float, seconds
    between : tuple of (str, str)
    spot : GroundTransform
        The middle between the two, facing from the first to the second.
    place : float, metres
        Error of where the second stands, seen from the first; the larger one where the event is
        held.
    facing : float, degrees
        Error of where the second faces, seen from the first.
    joints_before, joints_after : float or None, metres
        How far the joints that meet are from where they should be to each other, over the whole
        time of the event, before and after the last correction of both; None where none meet.
    tolerance : Tolerance
    """

    name: str
    time: float
    between: tuple[str, str]
    spot: GroundTransform
    place: float
    facing: float
    joints_before: float | None
    joints_after: float | None
    tolerance: Tolerance

    @property
    def label(self) -> str:
        """The event as messages name it."""
        return f"{self.name} of {self.between[0]} and {self.between[1]} at {self.time:g} s"

    @property
    def problems(self) -> list[str]:
        """What is beyond the tolerance, in words."""
        missed = []
        if self.place > self.tolerance.place:
            missed.append(f"they stand {100 * self.place:.0f} cm wrong to each other")
        if self.facing > self.tolerance.facing:
            missed.append(f"they face {self.facing:.0f} degrees wrong")
        if self.joints_after is not None and self.joints_after > self.tolerance.joints:
            missed.append(f"the joints miss each other by {100 * self.joints_after:.0f} cm")
        return missed


@dataclass(frozen=True)
class PairOverlap:
    """Deepest interpenetration of two characters outside what their events allow.

    Parameters
    ----------
    between : tuple of (str, str)
    depth : float, millimetres
    time : float, seconds
        When it is deepest.
    seconds : float
        How long they interpenetrate altogether.
    bones : tuple of (str, str)
    """

    between: tuple[str, str]
    depth: float
    time: float
    seconds: float
    bones: tuple[str, str]


@dataclass(frozen=True)
class SceneReport:
    """Report on a scene.

    Parameters
    ----------
    seed : int
    characters : mapping of str to SynthesisReport
    events : tuple of EventOutcome
    overlaps : tuple of PairOverlap
        One per pair of characters.
    combinations : int
        Of the characters' alternatives, compared for interpenetration.
    rounds : int
        Rounds of searches; more than one where the first met no combination without
        interpenetration.
    """

    seed: int
    characters: Mapping[str, SynthesisReport]
    events: tuple[EventOutcome, ...]
    overlaps: tuple[PairOverlap, ...]
    combinations: int
    rounds: int

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not met: of every character, of the events, and interpenetration; one sentence
        each.
        """
        own = [
            f"{name}: {problem}"
            for name, report in self.characters.items()
            for problem in report.problems
        ]
        missed = [
            f"{event.label}: {' and '.join(event.problems)}"
            for event in self.events
            if event.problems
        ]
        through = [
            f"{o.between[0]} and {o.between[1]} interpenetrate by {o.depth:.0f} mm at {o.time:.2f}"
            f" s ({o.bones[0]}, {o.bones[1]}); another seed, more time or another way may help"
            for o in self.overlaps
            if o.depth > 1000 * DEPTH_LIMIT
        ]
        return (*own, *missed, *through)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "seed": self.seed,
            "characters": {
                name: json.loads(report.to_json()) for name, report in self.characters.items()
            },
            "events": [
                {
                    **asdict(e),
                    "tolerance": e.tolerance.model_dump(),
                    "met": not e.problems,
                    **_spot(e.spot),
                }
                for e in self.events
            ],
            "overlaps": [asdict(o) for o in self.overlaps],
            "combinations": self.combinations,
            "rounds": self.rounds,
            "problems": list(self.problems),
        }

    def to_json(self) -> str:
        """JSON text with a line break at its end."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    def to_text(self) -> str:
        """Text for people: events, interpenetration, then each character's own report."""
        lines = [f"{'Event':<44}{'apart':>10}{'facing':>11}{'joints before':>15}{'after':>10}"]
        for e in self.events:
            before, after = (_millimetres(d) for d in (e.joints_before, e.joints_after))
            lines.append(
                f"  {e.label:<42}{1000 * e.place:7.1f} mm{e.facing:7.2f} deg{before:>15}{after:>10}"
            )
            lines.append(
                f"    at ({e.spot.x:.2f}, {e.spot.z:.2f}), the second is at {e.spot.heading:.0f}"
                " degrees"
            )
        lines.append("Interpenetration outside the events")
        for o in self.overlaps:
            much = (
                f"{o.depth:.0f} mm at {o.time:.2f} s ({', '.join(o.bones)}), {o.seconds:.2f} s"
                " in all"
                if o.depth
                else "none"
            )
            lines.append(f"  {' and '.join(o.between):<42}{much}")
        lines.append(
            f"Compared {self.combinations} combinations of alternatives, {self.rounds} round(s) of"
            " searches"
        )
        own = [
            f"{name}\n{'-' * len(name)}\n{report.to_text()}"
            for name, report in self.characters.items()
        ]
        return "\n".join(lines) + "\n\n" + "\n".join(own)


def _millimetres(metres: float | None) -> str:
    return "" if metres is None else f"{1000 * metres:.1f} mm"


def _spot(spot: GroundTransform) -> dict[str, Any]:
    """Where an event takes place, as a field of JSON."""
    return {"spot": {"x": float(spot.x), "z": float(spot.z), "heading": float(spot.heading)}}
