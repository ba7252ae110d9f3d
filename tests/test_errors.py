"""Errors of other processes say here what they said there."""

from __future__ import annotations

import pickle

import pytest

from motionloom.errors import (
    FormatError,
    InvalidInputError,
    MissingExtraError,
    MotionloomError,
    UnknownJointError,
    UnknownNameError,
)


@pytest.mark.parametrize(
    "error",
    [
        FormatError("expected a number", "shot.yaml", 12, hint="start"),
        InvalidInputError("no such field", field="speed"),
        UnknownNameError("run", "no clip is called 'run'", hint="give clips"),
        UnknownJointError("hnd", ["hand", "foot"]),
        MissingExtraError("usd-core", "usd", "reading USD"),
    ],
)
def test_an_error_comes_from_another_process_as_it_was(error: MotionloomError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert type(there) is type(error)
    assert str(there) == str(error)
    assert vars(there) == vars(error)
