"""What an idle model knows, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from motionloom.idle.learning.spans import CATEGORIES
from motionloom.idle.model import IdleModel
from motionloom.reports import Column, Report, Row, Table
from motionloom.typing import Array

_CATEGORY = (
    Column("", "category"),
    Column("postures", "postures"),
    Column("stay", "stays (least, median, most)", "s", ".1f"),
    Column("share", "share of the time", "%", ".0f", 100),
    Column("next", "then", "%", ".0f", 100),
)


def report_idle(model: IdleModel) -> Report:
    """Postures, shifts, and what happens in each category of balance.

    Parameters
    ----------
    model : IdleModel
        What is reported on.

    Returns
    -------
    Report
    """
    held = np.cumsum(model.space.energy) / model.space.energy.sum()
    shifts = model.shifts
    lasts = np.array([shift.n_frames for shift in shifts]) / model.fps
    minutes = max(model.seconds, 1e-9) / 60
    rows = [row for i, name in enumerate(CATEGORIES) for row in _category(model, i, name)]
    joints = model.space.coordinates.skeleton.n_joints
    of = f" of {model.person}" if model.person else ""
    return Report(
        f"idle model{of}: {model.seconds:.0f} s at {model.fps:g} fps, {joints} joints",
        [
            Row("components", "components of postures", model.space.n_components),
            Row(
                "components_for_95_percent",
                "of them hold 95 % of the energy",
                int(np.searchsorted(held, 0.95)) + 1,
            ),
            Row("shifts", "shifts", len(shifts)),
            Row("shifts_a_minute", "shifts a minute", len(shifts) / minutes, form=".1f"),
            Row("shifts_with_steps", "shifts with steps", sum(s.steps for s in shifts)),
            Row("shift_seconds", "they last (least, median, most)", _spread(lasts), "s", ".1f"),
            Table("Balance", _CATEGORY, rows, "categories"),
        ],
        data={
            "person": model.person,
            "seconds": model.seconds,
            "fps": model.fps,
            "joints": joints,
        },
        notes=model.notes,
    )


def _category(model: IdleModel, i: int, name: str) -> Iterator[list[Any]]:
    """The values of `_CATEGORY`; nothing for one in which nobody stays."""
    stays = model.stays(name)
    if len(stays):
        share = stays.sum() / sum(rest.stay for rest in model.rests)
        then = dict(zip(CATEGORIES, model.transitions[i], strict=True))
        then = {other: chance for other, chance in then.items() if chance > 0}
        yield [name, len(stays), _spread(stays), share, then]


def _spread(values: Array) -> list[float]:
    """Least, median and largest; empty without values."""
    return list(np.quantile(values, [0.0, 0.5, 1.0])) if len(values) else []
