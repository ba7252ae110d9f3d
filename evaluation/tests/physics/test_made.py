"""Motions made of clips, corrected."""

import pytest

from motionloom_evaluation.physics import made
from motionloom_evaluation.physics.made import CriticRow, evaluate_made, format_made
from performed import performer_clips


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(made, "WAYS", ((30, 3.0),))
    monkeypatch.setattr(made, "MOST_POSES", 3)
    monkeypatch.setattr(made, "BUDGET", 0.5)


def test_three_ways_to_make_motions_are_corrected(few):
    walks = [clip.motion for clip in performer_clips(seed=0) if clip.action == "walk"]
    captured = walks[0].cut(0, 3)
    rows, critics = evaluate_made(walks, [captured])
    assert [row.kind for row in rows] == ["graph", "inbetween", "gait", "captured"]
    assert [bool(row.refused) for row in rows] == [False, False, False, True]
    assert all(row.report.after.slip <= row.report.before.slip for row in rows[:3])
    assert critics == ()
    text = format_made(rows, [CriticRow("graph", (0.7, 0.6, 0.8), (0.6, 0.5, 0.7), 0.5)])
    assert "a correction needs at least 8 frames" in text
    assert "0.700 (0.600-0.800)" in text
