"""Labels kept in a library."""

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.labels import Label, label_clips
from motionloom.errors import InvalidInputError
from motionloom.io.registry import load_motion
from motionloom.library import add_clips, open_library, remove_clips, set_labels
from motionloom.library.clip_set import clip_set_from_library

ROWS = [Label("walk_[01]", "slow"), Label("walk_1", "turning", 0.5, 1.0)]


def test_labelled_frames_are_those_that_a_clip_set_would_get(library, walks):
    assert set_labels(library, ROWS) == ("walk_0", "walk_1")
    made = clip_set_from_library(open_library(library))
    expected = label_clips(make_clip_set([load_motion(file) for file in walks], fps=30.0), ROWS)
    assert made.labels.keys() == expected.labels.keys()
    for name, mask in expected.labels.items():
        assert np.array_equal(made.labels[name], mask)
    assert np.allclose(made.origins, expected.origins)


def test_new_labels_replace_those_of_their_clips_only(library):
    set_labels(library, ROWS)
    set_labels(library, [Label("walk_1", "fast"), Label("*_3", "fast")])
    opened = open_library(library)
    assert [[row.label for row in opened.labels(name)] for name in opened.names] == [
        ["slow"],
        ["fast"],
        [],
        ["fast"],
    ]
    with pytest.raises(InvalidInputError, match="none of the labels is for a clip"):
        set_labels(library, [Label("run*", "fast")])


def test_labels_stay_when_a_clip_is_read_again_and_go_with_it(library, walks):
    set_labels(library, ROWS)
    add_clips(library, walks[:1], unit=0.5)
    assert open_library(library).labels("walk_0")
    remove_clips(library, ["walk_0"])
    add_clips(library, walks)
    assert not open_library(library).labels("walk_0")
