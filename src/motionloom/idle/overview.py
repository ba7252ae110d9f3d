"""What an idle model knows, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.model import IdleModel


@dataclass(frozen=True, eq=False)
class IdleOverview:
    """An idle model, told.

    Parameters
    ----------
    model : IdleModel
        What is told of.
    """

    model: IdleModel

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        model = self.model
        held = np.cumsum(model.space.energy) / model.space.energy.sum()
        rows = {}
        for i, name in enumerate(CATEGORIES):
            stays = model.stays(name)
            if len(stays):
                rows[name] = {
                    "postures": len(stays),
                    "stay": [float(q) for q in np.quantile(stays, [0.0, 0.5, 1.0])],
                    "share": float(stays.sum() / sum(rest.stay for rest in model.rests)),
                    "next": {
                        other: float(chance)
                        for other, chance in zip(CATEGORIES, model.transitions[i], strict=True)
                        if chance > 0
                    },
                }
        lasts = [shift.n_frames / model.fps for shift in model.shifts]
        return {
            "person": model.person,
            "seconds": model.seconds,
            "fps": model.fps,
            "joints": model.space.coordinates.skeleton.n_joints,
            "components": model.space.n_components,
            "components_for_95_percent": int(np.searchsorted(held, 0.95)) + 1,
            "categories": rows,
            "shifts": len(model.shifts),
            "shifts_with_steps": sum(shift.steps for shift in model.shifts),
            "shift_seconds": [float(q) for q in np.quantile(lasts, [0.0, 0.5, 1.0])]
            if lasts
            else [],
            "shifts_a_minute": 60.0 * len(model.shifts) / max(model.seconds, 1e-9),
            "notes": list(model.notes),
        }

    def to_json(self) -> str:
        """For programs."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    def to_text(self) -> str:
        """For people."""
        facts = self.to_dict()
        lines = [
            f"idle model{' of ' + facts['person'] if facts['person'] else ''}:"
            f" {facts['seconds']:.0f} s at {facts['fps']:g} fps, {facts['joints']} joints",
            f"  postures    {facts['components']} components, of which"
            f" {facts['components_for_95_percent']} hold 95 % of the energy",
            f"  shifts      {facts['shifts']} ({facts['shifts_a_minute']:.1f} a minute),"
            f" {facts['shifts_with_steps']} with steps{_lasting(facts['shift_seconds'])}",
            "  balance     postures   share   stays, s (least, median, most)   then",
        ]
        for name, row in facts["categories"].items():
            low, middle, high = row["stay"]
            then = ", ".join(f"{other} {100 * p:.0f} %" for other, p in row["next"].items())
            lines.append(
                f"    {name:<9} {row['postures']:8d} {100 * row['share']:6.0f} %"
                f"   {low:7.1f} {middle:7.1f} {high:7.1f}            {then}"
            )
        lines += [f"  note        {note}" for note in facts["notes"]]
        return "\n".join(lines) + "\n"


def _lasting(quantiles: list[float]) -> str:
    if not quantiles:
        return ""
    low, middle, high = quantiles
    return f", lasting {low:.1f} to {high:.1f} s, half of them over {middle:.1f} s"
