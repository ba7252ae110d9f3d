"""Two motions side by side."""

import pytest

from motionloom.errors import InvalidInputError
from motionloom.view import write_side_by_side
from walkers import make_walker


def test_two_motions_are_drawn_and_the_same_gives_the_same_bytes(tmp_path):
    walker = make_walker(20)
    places = [tmp_path / "a.png", tmp_path / "b.png"]
    for place in places:
        write_side_by_side([walker, walker], place, titles=["a", "b"], notes="same", dpi=40)
    assert places[0].read_bytes() == places[1].read_bytes()
    assert places[0].read_bytes()[:4] == b"\x89PNG"


def test_motions_of_other_lengths_are_refused(tmp_path):
    walker = make_walker(20)
    with pytest.raises(InvalidInputError, match="same number of frames"):
        write_side_by_side([walker, walker[:5]], tmp_path / "a.png")
