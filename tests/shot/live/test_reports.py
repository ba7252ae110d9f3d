"""What a report tells of keys, and what it calls a problem."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from motionloom.performer import performer_clips
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.shot._report import CharacterReport, SpanRow
from motionloom.shot.live.results import AskedKey, KeyRow, _problems, error_of


@pytest.fixture(scope="module")
def walk() -> PosedMotion:
    return pose_motion(next(c.motion for c in performer_clips(0) if c.motion.name == "walk_1.1"))


def key(posed: PosedMotion, first: int, last: int, away: float) -> AskedKey:
    x, z = posed.body[first, :2]
    return AskedKey("go", (), "body", first, last, (x + away, z))


def test_errors_are_told_where_a_key_holds_and_nowhere_else(walk: PosedMotion) -> None:
    error = error_of(walk, (key(walk, 10, 10, 0.2), key(walk, 20, 22, 0.0), key(walk, 20, 20, 0.1)))
    assert np.flatnonzero(~np.isnan(error)).tolist() == [10, 20, 21, 22]
    assert error[[10, 20]] == pytest.approx([0.2, 0.1])


class Told:
    """A character's report with a span that says nothing, and one that does."""

    spans = (
        SpanRow("go", "walk", 0, 1, 0, False),
        SpanRow("wave", "reach", 0, 1, 0, False, problems=("the hand misses",)),
    )

    @property
    def problems(self) -> tuple[str, ...]:
        return ("wave: the hand misses",)


def test_a_missed_key_is_a_problem_even_where_its_span_says_nothing() -> None:
    keys = [KeyRow(name, (), "body", 2.0, off) for name, off in [("go", 49.0), ("wave", 80.0)]]
    assert _problems(cast(CharacterReport, Told()), tuple(keys)) == ("wave: the hand misses",)
    missed = KeyRow("go", (), "body", 2.0, 1387.0)
    told = _problems(cast(CharacterReport, Told()), (missed,))
    assert told[-1].startswith("go: body 139 cm off its key at 2.00 s (limit 5 cm)")
