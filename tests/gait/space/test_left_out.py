"""What a gait space is not learned from is named."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.labels import Label, label_clips
from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.space.fit import learn_gait, styled_by_labels
from motionloom.gait.space.gather import gather_examples


def test_every_clip_of_which_nothing_is_learned_is_named_with_the_reason(performances):
    names = ("walk_1.1", "stand", "start_stop", "curve_left")
    motions = [performances[n].motion for n in names if n in performances]
    brief = replace(performances["run_3"].motion.cut(0, 20), name="brief")
    found = gather_examples([*motions, brief])
    learned = {example.take for example in found.examples}
    left = [note for note in found.notes if note.startswith("left out: ")]
    for name in {m.name for m in motions} | {"brief"}:
        told = [note for note in left if note.startswith(f"left out: {name} (")]
        assert len(told) == (name not in learned), name
    assert any("stand (no step was found" in note for note in left)
    assert "brief" not in learned


def test_styles_that_were_told_and_are_not_learned_are_named(performances):
    motions = [performances[n].motion for n in ("walk_1.1", "stand")]
    told = [ToldClips("stand", style="weary"), ToldClips("walk*", style="brisk")]
    found = gather_examples(motions, told)
    assert any("the style 'weary'" in note for note in found.notes)
    assert not any("the style 'brisk'" in note for note in found.notes)


def test_labels_that_no_cycle_keeps_are_named(performances):
    motions = [performances[n].motion for n in ("walk_1.1", "walk_1.6")]
    labels = (Label("walk_1.1", "slow"), Label("walk_1.1", "calm"))
    clips = label_clips(make_clip_set(motions, fps=30.0), labels)
    found = styled_by_labels(gather_examples(clips.motions), clips)
    styles = {example.style for example in found.examples} - {""}
    (lost,) = {"slow", "calm"} - styles
    assert any(f"the style {lost!r}" in note for note in found.notes)


def test_takes_of_one_style_that_are_unlike_are_named(examples):
    assert not any("where they are of several styles" in n for n in learn_gait(examples).notes)
    walk = [e for e in examples.examples if e.take == "walk_1.6"]
    bent = rot.from_rotvec(np.array([0.3, 0.0, 0.0]))
    limping = [
        replace(
            e,
            take="limp",
            cycle=replace(e.cycle, rotations=rot.multiply(e.cycle.rotations, bent)),
        )
        for e in walk
    ]
    notes = learn_gait(replace(examples, examples=(*examples.examples, *limping))).notes
    (note,) = [n for n in notes if "where they are of several styles" in n]
    assert "limp and walk_1.6 by" in note or "walk_1.6 and limp by" in note
    styled = [replace(e, style="limp") for e in limping]
    notes = learn_gait(replace(examples, examples=(*examples.examples, *styled))).notes
    assert not any("where they are of several styles" in n for n in notes)


@pytest.fixture(autouse=True)
def _names(performances):
    assert {"walk_1.1", "walk_1.6", "stand", "run_3"} <= set(performances)
