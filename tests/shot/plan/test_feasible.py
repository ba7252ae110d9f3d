"""What nobody can do is told before it is made."""

import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.motion import GroundTransform
from motionloom.shot import Stage, plan_shot
from motionloom.shot.making import missed_in_the_end
from motionloom.shot.plan.checking import doubts_of, report_plan
from motionloom.shot.script.first import first_shot

SHOT = first_shot("clips", ["anna"])


def doubts(shot_file, analysed, text):
    file = shot_file(text)
    stages = {"anna": Stage(file, analysed)}
    return doubts_of(plan_shot(file, lambda who, span: 0.0), stages)


def test_a_first_shot_is_possible(shot_file, analysed):
    assert doubts(shot_file, analysed, SHOT) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("to: door, by: 5.0", "to: [50, 0], by: 1.0", "anna: go: 50.0 m in 1.00 s are 50.0 m/s"),
        ("[1.95, 1.1, 2.5]", "[12, 1.1, 2.5]", "anna: hand: right_hand is wanted 10.5 m from"),
        ("[1.95, 1.1, 2.5]", "[1.95, 4, 2.5]", "bring the target nearer"),
    ],
)
def test_what_nobody_can_do_is_told(shot_file, analysed, old, new, said):
    told = doubts(shot_file, analysed, SHOT.replace(old, new))
    assert any(said in text for text in told)


def test_where_waiting_comes_from_is_told(shot_file, performed):
    walk = performed.subset([performed.names.index("reach_right_front")])
    file = shot_file(SHOT)
    stages = {"anna": Stage(file, analyse_clips(walk))}
    plan = plan_shot(file, lambda who, span: 0.0)
    assert "the built-in performer's waiting" in report_plan(plan, stages).to_text()
    assert not any("waiting" in text for text in doubts_of(plan, stages))


def test_who_ends_elsewhere_in_the_finished_motion_is_told_and_a_problem(shot_file, analysed):
    file = shot_file(SHOT)
    stage = Stage(file, analysed)
    plan = plan_shot(file, lambda who, span: 0.0)
    clip = analysed.clip_set.motions[analysed.clip_set.names.index("stand")]
    there = GroundTransform(0.0, 1.5, 2.5)
    own = GroundTransform.of_body(stage.posed(clip).body[150])
    placed = stage.posed(clip.transformed(there.compose(own.inverse())))
    missed = missed_in_the_end(plan, "anna", placed)
    assert "go" not in missed  # its end is at frame 150
    assert missed["away"][0] == missed["away"][1]
    assert "mm off in the finished motion" in missed["away"][0][0]
