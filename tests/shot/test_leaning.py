"""Hands that are wanted where nobody bends to."""

import pytest

from motionloom.shot import make_shot

TEXT = """\
shot: 1
fps: 30
library: clips
cast: {{anna: {{}}}}
tracks:
  anna:
    - {{id: stand, do: clip, clip: stand, to: 2.0}}
    - {{id: hand, do: reach, joint: right_hand, target: {target}, at: 1.0, hold: 0.1}}
"""


def rows_of(planned, target):
    """What is said of the reach."""
    made = make_shot(*planned(TEXT.format(target=target)))
    return " ".join(made.report.characters["anna"].spans[-1].rows)


@pytest.mark.parametrize("target", ["[-0.3, 1.2, 0.5]", "[-0.3, 1.6, 0.3]"])
def test_what_is_near_needs_no_warning(planned, target):
    assert "bends" not in rows_of(planned, target)


def test_who_bends_far_backwards_is_told_to_move_the_feet(planned):
    text = rows_of(planned, "[-0.3, 1.2, -1.0]")
    assert "degrees backwards" in text
    assert "let the feet come nearer" in text
