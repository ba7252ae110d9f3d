"""Labels that are for no clip."""

from motionloom.clips.labels import Label, find_unused


def test_names_and_patterns_of_no_clip_are_found_each_once():
    labels = [
        Label("walk_*", "walk"),
        Label("run", "run"),
        Label("ran", "run"),
        Label("j*", "jump"),
    ]
    assert find_unused([*labels, Label("ran", "fast")], ["walk_1", "run"]) == ("ran", "j*")
    assert find_unused(labels[:2], ["walk_1", "run"]) == ()


def test_a_name_with_brackets_is_its_own():
    assert find_unused([Label("walk[1]", "walk")], ["walk[1]"]) == ()
