"""GaitSpace: one cycle of gait at any speed, of any person and style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.gait.body import GaitBody
from motionloom.gait.cycle import BEHAVIOURS, GaitCycle
from motionloom.gait.space.trust import Trust


@dataclass(frozen=True, eq=False)
class GaitSpace:
    """Gait of one or more people.

    Parameters
    ----------
    cycles : tuple of GaitCycle
        As captured.
    bodies : mapping of str to GaitBody
        By person.
    """

    cycles: tuple[GaitCycle, ...]
    bodies: Mapping[str, GaitBody]

    @property
    def persons(self) -> tuple[str, ...]:
        return tuple(self.bodies)

    def body(self, person: str | None = None, hip_height: float | None = None) -> GaitBody:
        body = self.bodies[person or self.persons[0]]
        return body if hip_height is None else body.scaled(hip_height)

    def behaviours(self, person: str | None = None) -> tuple[str, ...]:
        return tuple(b for b in BEHAVIOURS if self._own(b, person))

    def _own(self, behaviour: str, person: str | None) -> list[GaitCycle]:
        return [
            c for c in self.cycles if c.behaviour == behaviour and person in (None, "", c.person)
        ]

    def behaviour_at(self, speed: float, person: str | None = None) -> str:
        """Walk or run: which of them a person does at a speed."""
        known = self.behaviours(person)
        if len(known) == 1:
            return known[0]
        walk, run = (np.mean([c.speed for c in self._own(b, person)]) for b in BEHAVIOURS)
        return "walk" if speed < 0.5 * (walk + run) else "run"

    def trust(self, behaviour: str, person: str | None = None) -> Trust:
        """Range of speeds that a behaviour is to be asked for."""
        speeds = [c.speed for c in self._own(behaviour, person)]
        if not speeds:
            raise InvalidInputError(f"no {behaviour} of {person} was captured")
        low, high = min(speeds), max(speeds)
        return Trust((low, high), (0.7 * low, 1.3 * high), len(speeds), "own")

    def frequency(
        self,
        speed: float,
        behaviour: str | None = None,
        person: str | None = None,
        hip_height: float | None = None,
    ) -> float:
        """Cycles per second at a speed."""
        behaviour = behaviour or self.behaviour_at(speed, person)
        nearest = min(self._own(behaviour, person), key=lambda c: abs(c.speed - speed))
        power = 0.46 if behaviour == "walk" else 0.21
        return float(nearest.frequency * (speed / nearest.speed) ** power)

    def cycle(
        self,
        speed: float,
        person: str | None = None,
        behaviour: str | None = None,
        style: str | None = None,
        rng: np.random.Generator | None = None,
        hip_height: float | None = None,
    ) -> GaitCycle:
        """A cycle at a speed."""
        behaviour = behaviour or self.behaviour_at(speed, person)
        nearest = min(self._own(behaviour, person), key=lambda c: abs(c.speed - speed))
        frequency = self.frequency(speed, behaviour, person, hip_height)
        return replace(nearest, speed=speed, duration=1.0 / frequency)
