"""Where the best motion is not clean, the next that is comes first."""

from types import SimpleNamespace

import pytest

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.synthesis import driver
from motionloom.synthesis.driver import SynthesisOptions


@pytest.mark.parametrize(
    ("faulty", "asked", "expected", "looked_at"),
    [
        ("0", 1, [1], 2),
        ("", 1, [0], 1),
        ("", 2, [0, 1], 2),
        ("012", 2, [3, 0], 4),
        ("0123", 1, [0], 4),
        ("02", 3, [1, 0, 2], 3),
    ],
)
def test_the_first_clean_draft_comes_first_and_no_more_are_finished_than_needed(
    monkeypatch, faulty, asked, expected, looked_at
):
    finished = []

    def finish(draft, *_):
        finished.append(draft)
        return draft

    monkeypatch.setattr(driver, "finish", finish)
    monkeypatch.setattr(driver, "faults_of", lambda one, clips, fps: str(one.number) in faulty)
    drafts = [SimpleNamespace(number=i, errors_after=()) for i in range(4)]
    fitted = SimpleNamespace(clips=None)
    wish = ConstraintSet(duration=1.0)
    made = driver._finish_all(
        fitted, drafts, wish, SynthesisOptions(alternatives=asked), lambda *_: None
    )
    assert [one.number for one in made] == expected
    assert len(finished) == looked_at


def test_a_clean_draft_that_misses_more_does_not_come_first(monkeypatch):
    far = ConstraintError("body", 0, 0, 0.5)
    monkeypatch.setattr(driver, "finish", lambda draft, *_: draft)
    monkeypatch.setattr(driver, "faults_of", lambda one, clips, fps: one.number == 0)
    drafts = [SimpleNamespace(number=i, errors_after=(far,) * (i == 1)) for i in range(3)]
    wish = ConstraintSet(duration=1.0)
    fitted = SimpleNamespace(clips=None)
    (made,) = driver._finish_all(fitted, drafts, wish, SynthesisOptions(), lambda *_: None)
    assert made.number == 2
