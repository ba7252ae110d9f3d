"""What a scene says about itself: every character's report, what became of the events, who runs
into whom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motionloom.constraints.scene import Tolerance
from motionloom.motion import GroundTransform
from motionloom.reports import Report, Reported, Section, fields_of, shown, table_of
from motionloom.synthesis.report import SynthesisReport

#: Bodies that interpenetrate by more than this (metres) are called a problem.
DEPTH_LIMIT = 0.01


@dataclass(frozen=True)
class EventOutcome:
    """What became of one event.

    Parameters
    ----------
    name : str
        Of the event.
    time : float, seconds
        Begin of the event.
    between : tuple of (str, str)
        The two characters.
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
        What still counts as met.
    """

    name: str = field(metadata=shown("event"))
    time: float = field(metadata=shown("at", "s"))
    between: tuple[str, str] = field(metadata=shown("of"))
    spot: GroundTransform
    place: float = field(metadata=shown("apart", "mm", ".1f", 1000))
    facing: float = field(metadata=shown("facing", "deg"))
    joints_before: float | None = field(metadata=shown("joints before", "mm", ".1f", 1000))
    joints_after: float | None = field(metadata=shown("joints after", "mm", ".1f", 1000))
    tolerance: Tolerance

    @property
    def label(self) -> str:
        """The event as messages name it."""
        return f"{self.name} of {self.between[0]} and {self.between[1]} at {self.time:g} s"

    @property
    def missed(self) -> str:
        """The event and its problems."""
        return f"{self.label}: {' and '.join(self.problems)}"

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
        The two characters.
    depth : float, millimetres
        0 when they never touch.
    time : float, seconds
        When it is deepest.
    seconds : float
        How long they interpenetrate altogether.
    bones : tuple of (str, str)
        Joints that carry the two bones.
    """

    between: tuple[str, str] = field(metadata=shown("characters"))
    depth: float = field(metadata=shown("deepest", "mm", ".0f"))
    time: float = field(metadata=shown("at", "s"))
    seconds: float = field(metadata=shown("in all", "s"))
    bones: tuple[str, str] = field(metadata=shown("bones"))


@dataclass(frozen=True)
class SceneReport(Reported):
    """Report on a scene.

    Parameters
    ----------
    seed : int
        That the scene was asked for with.
    characters : mapping of str to SynthesisReport
        By character.
    events : tuple of EventOutcome
        In the order of the scene.
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
        missed = [event.missed for event in self.events if event.problems]
        through = [
            f"{o.between[0]} and {o.between[1]} interpenetrate by {o.depth:.0f} mm at {o.time:.2f}"
            f" s ({o.bones[0]}, {o.bones[1]}); another seed, more time or another way may help"
            for o in self.overlaps
            if o.depth > 1000 * DEPTH_LIMIT
        ]
        return (*own, *missed, *through)

    def as_report(self) -> Report:
        """Events, interpenetration, then each character's own report."""
        characters = [report.as_part(name) for name, report in self.characters.items()]
        searched = f"Compared {self.combinations} combinations of alternatives"
        return self.compose(
            f"seed {self.seed}",
            table_of("Events", self.events),
            *(
                f"{e.label}: at ({e.spot.x:.2f}, {e.spot.z:.2f}), the second is at"
                f" {e.spot.heading:.0f} degrees"
                for e in self.events
            ),
            table_of("Interpenetration outside the events", self.overlaps, "overlaps"),
            f"{searched}, {self.rounds} round(s) of searches",
            Section("", characters, "characters"),
            data=fields_of(self, "characters", "events", "overlaps")
            | {"events": [_data_of(event) for event in self.events]},
        )


def _data_of(event: EventOutcome) -> dict[str, Any]:
    spot = {"x": event.spot.x, "z": event.spot.z, "heading": event.spot.heading}
    more = {"tolerance": event.tolerance.model_dump(), "met": not event.problems, "spot": spot}
    return fields_of(event) | more
