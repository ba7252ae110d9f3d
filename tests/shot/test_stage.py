"""How often a span is searched for."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from motionloom.shot import stage as module
from motionloom.shot.stage import AGAIN, Stage
from motionloom.synthesis.generator import Reason


@pytest.mark.parametrize(
    ("begins", "found", "seeds", "chosen"),
    [
        ([], [(["body"], 2.0)], [5], 5),
        ([3.0], [(["body"], 2.0)], [5], 5),
        ([0.0], [([], 2.0)], [5], 5),
        ([0.0], [(["body"], 2.0), ([], 3.0)], [5, 6], 6),
        # Who does not stand for long enough is not searched for again.
        ([0.0], [(["still"], 2.0)], [5], 5),
        ([0.0], [(["body", "joint"], 1.0), (["still", "body"], 3.0), (["joint"], 4.0)], None, 6),
    ],
)
def test_what_begins_standing_is_searched_again(monkeypatch, begins, found, seeds, chosen):
    tried = []

    def search(fitted, constraints, options, progress):
        kinds, score = found[min(len(tried), len(found) - 1)]
        tried.append(options.seed)
        missed = [Reason(kind, 0, f"{kind} is missed") for kind in kinds]
        report = SimpleNamespace(problems=missed, missed=missed, faults=(), score=score)
        return SimpleNamespace(report=report, seed=options.seed)

    monkeypatch.setattr(module, "synthesize", search)
    own = SimpleNamespace(budget=1.0, progress=None)
    asked = SimpleNamespace(still=[SimpleNamespace(begin=begin) for begin in begins])
    made = Stage.synthesize(own, None, asked, SimpleNamespace(seed=5))
    assert tried == (seeds or list(range(5, 6 + AGAIN)))
    assert made.seed == chosen
