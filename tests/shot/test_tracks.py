"""What goes wrong in a span is told with its line, and stays the error that it is."""

from __future__ import annotations

import pytest

from motionloom.errors import FormatError, UnknownJointError
from motionloom.shot import making as tracks
from motionloom.shot.stage import Place, Stage


@pytest.fixture
def fails(shot_file, length_of, analysed, monkeypatch):
    """A function that makes the first span of a shot by a method that raises."""
    from motionloom.shot.plan.planning import plan_shot

    file = shot_file()
    planned = plan_shot(file, length_of(file)).tracks["anna"][0]

    def make(error):
        def raises(*_):
            raise error

        monkeypatch.setattr(tracks, "MAKERS", {planned.kind: raises})
        with pytest.raises(type(error)) as caught:
            tracks.make_piece(Stage(file, analysed), planned, Place((0.0, 0.0), 0.0))
        return file, planned, caught.value

    return make


def test_an_error_of_a_span_begins_with_its_line(fails):
    file, planned, error = fails(UnknownJointError("hand", ["left_hand"]))
    where = f"{file.path}:{file.line_of(planned.where)}: {planned.name}: "
    assert str(error) == f"{where}unknown joint 'hand'; nearest: left_hand"
    assert error.name == "hand"


def test_an_error_that_names_a_file_says_where_it_is_already(fails):
    _, _, error = fails(FormatError("no number", "takes.yaml", 3))
    assert str(error) == "takes.yaml:3: no number"
