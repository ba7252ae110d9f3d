"""What a gait space holds: energy, speeds, people, laws of frequency, how newcomers are made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.space.behaviour import BehaviourSpace
from motionloom.gait.space.newcomer import likeness
from motionloom.gait.space.space import GaitSpace
from motionloom.gait.space.transition import Transition, analyse_transition

#: Numbers of components whose energy is told.
_COUNTS = (1, 2, 4, 10)


@dataclass(frozen=True, eq=False)
class GaitOverview:
    """What a gait space holds.

    Parameters
    ----------
    space : GaitSpace
        The space.
    transition : Transition or None
        Of the population, where both behaviours were captured.
    """

    space: GaitSpace
    transition: Transition | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        space = self.space
        return {
            "behaviours": {name: _facts(one) for name, one in space.spaces.items()},
            "persons": {person: _person(space, person) for person in space.persons},
            "styles": {
                name: {
                    style: {"takes": o.takes, "frequency": float(np.exp(o.frequency))}
                    for style, o in one.styles.items()
                }
                for name, one in space.spaces.items()
            },
            "notes": list(space.notes),
        }

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(self.to_dict(), indent=2) + "\n"

    def to_text(self) -> str:
        """As lines of text."""
        lines: list[str] = []
        for name, one in self.space.spaces.items():
            lines += _behaviour_lines(name, one)
        for person in self.space.persons:
            lines += _person_lines(self.space, person)
        for name, one in self.space.spaces.items():
            for style, offset in one.styles.items():
                lines.append(
                    f"style {style}, {name}: {offset.takes} takes, steps"
                    f" {np.exp(offset.frequency):.2f} times as often"
                )
        return "\n".join(lines) + "\n"


def survey_gait(space: GaitSpace) -> GaitOverview:
    """Look a gait space over.

    Parameters
    ----------
    space : GaitSpace
        The space.

    Returns
    -------
    GaitOverview
    """
    both = len(space.spaces) == len(BEHAVIOURS)
    return GaitOverview(space, analyse_transition(space) if both else None)


def _energy(space: BehaviourSpace) -> dict[str, float]:
    energy = space.basis.energy
    return {str(k): float(energy[k - 1]) for k in _COUNTS if k <= len(energy)}


def _facts(space: BehaviourSpace) -> dict[str, Any]:
    takes = space.line.takes
    law = space.law
    return {
        "takes": len(takes.names),
        "strides": int(takes.strides.sum()),
        "energy": _energy(space),
        "frequency": {
            "a": law.a,
            "b": law.b,
            "rms": law.rms,
            "pooled_rms": law.pooled_rms,
            "stride_sd": space.variation.frequency,
        },
    }


def _person(space: GaitSpace, person: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"hip_height": space.bodies[person].hip_height}
    for behaviour in space.behaviours(person):
        own = space.spaces[behaviour]
        trust = space.trust(behaviour, person)
        facts[behaviour] = {
            "captured": list(trust.captured),
            "trusted": list(trust.trusted),
            "basis": trust.basis,
            "strides": trust.strides,
            "factor": own.law.factors[person],
            "components": list(own.components.get(person, ())),
            "like": _like(own, person),
        }
    if len(space.behaviours(person)) == len(BEHAVIOURS):
        change = space.change(person)
        facts["walks_to"] = change.walks_to
        facts["runs_from"] = change.runs_from
    return facts


def _like(space: BehaviourSpace, person: str) -> dict[str, float]:
    try:
        return likeness(space, person)
    except InvalidInputError:
        return {}


def _behaviour_lines(name: str, space: BehaviourSpace) -> list[str]:
    takes = space.line.takes
    law = space.law
    energy = ", ".join(f"{k}: {100 * v:.0f} %" for k, v in _energy(space).items())
    people = len(set(takes.persons))
    return [
        f"{name}: {int(takes.strides.sum())} strides of {len(takes.names)} takes, {people} people",
        f"  energy of the first components: {energy}; 95 % take {space.basis.count_for(0.95)}",
        f"  cycles per second: {law.a:.3f} V^{law.b:.3f}, V = speed / hip height; rms"
        f" {100 * law.rms:.1f} % with a factor for each person, {100 * law.pooled_rms:.1f} % with"
        " one for all",
        f"  between strides of a take: frequency {100 * space.variation.frequency:.1f} %,"
        f" {len(space.variation.axes)} components of pose",
    ]


def _person_lines(space: GaitSpace, person: str) -> list[str]:
    turns = ""
    if len(space.behaviours(person)) == len(BEHAVIOURS):
        change = space.change(person)
        turns = f"; walks to {change.walks_to:.2f} m/s, runs from {change.runs_from:.2f} m/s"
    lines = [f"{person}: hips {space.bodies[person].hip_height:.2f} m{turns}"]
    for behaviour in space.behaviours(person):
        own = space.spaces[behaviour]
        lines.append(f"  {behaviour}: {space.trust(behaviour, person)}")
        factor = own.law.factors[person]
        more = f"steps {factor:.2f} times as often as people"
        if person in own.components:
            n90, n95, strides = own.components[person]
            more += f"; {n90} components hold 90 %, {n95} 95 % of {strides} strides"
        lines.append(f"    {more}")
        like = _like(own, person)
        if like:
            shares = ", ".join(f"{p} {100 * w:.0f} %" for p, w in like.items())
            lines.append(f"    like others, by the text's weights: {shares}")
    return lines
