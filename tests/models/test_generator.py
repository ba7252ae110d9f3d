"""Motion models as a generator, stored and loaded, and new takes from them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from motionloom.clips import make_clip_set
from motionloom.clips.analysis import analyse_clips
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.errors import (
    InvalidInputError,
    SynthesisError,
    UnknownJointError,
    UnknownNameError,
)
from motionloom.models import ModelGenerator, ModelGeneratorOptions, fitted_model
from motionloom.models.learn import Tool, attach_tool, contact_keys, learn_model, read_tool
from motionloom.models.overview import reachable_region, survey_model
from motionloom.models.take import edit_take, start_of
from motionloom.motion import GroundTransform
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.posed_motion import pose_motion
from motionloom.spaces.motion_space import KeyRule, add_key_rule, find_keys, read_key_file
from motionloom.synthesis import synthesize
from motionloom.synthesis.driver import SynthesisOptions, fit_generator
from motionloom.synthesis.report import faults_of
from reaches import RULE, reach_space, reach_takes


@pytest.fixture(scope="module")
def fitted():
    clips = analyse_clips(make_clip_set(reach_takes()))
    return ModelGenerator().fit(clips, ModelGeneratorOptions(keys=RULE))


def asked(duration=2.9, time=1.4, shift=(0.0, 0.0, 0.0), **more):
    """The middle of where takes have their hands, moved."""
    places = [pose_motion(take).positions for take in reach_takes()]
    hand = reach_takes()[0].skeleton.index("RightHand")
    keys = find_keys(reach_takes(), RULE).times[:, 3]
    held = [p[round(t * 30), hand] for p, t in zip(places, keys, strict=True)]
    target = tuple(np.mean(held, axis=0) + shift)
    joint = JointConstraint(time=time, joint="right_hand", position=target)
    return ConstraintSet(duration=duration, joints=(joint,), **more)


def test_a_constraint_is_met_and_feet_stay(fitted):
    wanted = asked(shift=(0.02, 0.06, 0.03))
    result = synthesize(fitted, wanted)
    assert result.report.generator == "model"
    assert result.motion.n_frames == wanted.n_frames
    assert result.best.errors_after[0].position < 1e-3
    assert result.report.problems == ()
    assert result.report.details.slide < 0.01
    text = result.report.to_text()
    assert "takes: fine\n  what is asked for is" in text
    assert "1 for every centimetre of a miss" in text


def test_the_command_s_way_fits_by_itself():
    result = synthesize(reach_takes(), asked(), generator="model")
    assert result.best.errors_after[0].position < 1e-3
    again = synthesize(reach_takes(), asked(), generator="model")
    assert np.array_equal(again.motion.rotations, result.motion.rotations)


def test_more_motions_are_edits_of_takes(fitted):
    result = synthesize(fitted, asked(), SynthesisOptions(alternatives=3))
    assert len(result.finished) == 3
    assert all(one.errors_after[0].position < 1e-3 for one in result.finished)
    one, other = (f.motion.rotations for f in result.finished[:2])
    assert np.abs(one - other).max() > 1e-3


def test_a_body_constraint_says_where_the_model_stands(fitted):
    there = GroundTransform(np.radians(70), 2.0, -1.0)
    mean = fitted.space.placing
    wanted = asked()
    point = there.compose(mean.inverse()).apply(np.array(wanted.joints[0].position))
    moved = ConstraintSet(
        duration=2.9,
        body=(BodyConstraint(time=0.0, position=(2.0, -1.0), facing=70.0),),
        joints=(wanted.joints[0].model_copy(update={"position": tuple(point)}),),
    )
    here, result = synthesize(fitted, wanted), synthesize(fitted, moved)
    assert result.best.errors_after[0].position < 0.01
    assert result.best.errors_after[1].position < 1e-3
    assert_allclose(result.report.details.edit.sigmas, here.report.details.edit.sigmas, atol=0.3)


def test_what_nobody_asks_for_is_the_mean_and_others_near_it(fitted):
    free = ConstraintSet(duration=2.9)
    drafts = fitted.generate(free, seed=1, count=3)
    assert [d.details.edit.sigmas == 0 for d in drafts] == [True, False, False]
    assert all(d.motion.n_frames == free.n_frames for d in drafts)
    other = fitted.generate(free, seed=2, count=2)[1]
    assert np.abs(other.motion.rotations - drafts[1].motion.rotations).max() > 1e-4


def test_what_cannot_be_reached_comes_near_and_says_why(fitted):
    result = synthesize(fitted, asked(shift=(0.0, 1.5, 0.0)))
    (problem,) = [p for p in result.report.problems if p.startswith("right_hand")]
    assert "outside what these takes know" in problem
    assert result.report.details.edit.grade == "outside what these takes know"


@pytest.mark.parametrize(
    ("wanted", "error", "told"),
    [
        (ConstraintSet(duration=30.0), SynthesisError, "30 s are asked for; ask for"),
        (
            ConstraintSet(duration=3.0, still=[{"from": 0.0}]),
            InvalidInputError,
            "still: model cannot honour this",
        ),
        (
            ConstraintSet(
                duration=3.0, joints=[{"time": 1, "joint": "tail", "position": [0, 1, 0]}]
            ),
            UnknownJointError,
            "unknown joint 'tail'",
        ),
    ],
)
def test_what_a_model_cannot_do_is_refused(wanted, error, told, fitted):
    with pytest.raises(error, match=told):
        synthesize(fitted, wanted)


def test_too_few_clips_are_refused():
    with pytest.raises(InvalidInputError, match="at least 3 takes of one action, got 2"):
        fit_generator(reach_takes()[:2], generator="model")


# ------------------------------------------------------------------------------
# New takes from a stored model


def one_posture(shift=(0.0, 0.0, 0.0), **more):
    return asked(shift=shift, **more)


def test_a_take_is_edited_at_a_key_posture():
    model = fitted_model(reach_space())
    made, dated = edit_take(model, one_posture((0.0, 0.05, 0.02)), "hold")
    assert made.best.errors_after[0].position < 1e-3
    details = made.report.details
    assert details.slide_after <= details.slide + 1e-3
    assert details.edit.frames[dated.frame_of(dated.joints[0].time)] == reach_space().frame_of(
        "hold"
    )
    longer, _ = edit_take(model, one_posture(), "hold", duration=3.3)
    assert longer.motion.duration == pytest.approx(3.3, abs=1 / 30)


@pytest.mark.parametrize("duration", [1e9, 0.0, -1.0, np.nan, np.inf])
def test_a_take_lasts_as_long_as_the_action_may(duration):
    with pytest.raises(SynthesisError, match="s are asked for; ask for"):
        edit_take(fitted_model(reach_space()), one_posture(), "hold", duration=duration)


def test_what_the_written_motion_misses_is_listed():
    """The tasks are measured again on the motion as it is written, not on the draft."""
    model = fitted_model(reach_space())
    made, _ = edit_take(model, one_posture((0.0, 0.05, 0.02)), "hold")
    details = made.report.details
    assert details.edit.outcomes[0].written < 1e-3
    assert details.problems == ()
    aside = made.motion.transformed(GroundTransform(0.0, 0.02, 0.0))
    moved = details.as_written(pose_motion(aside, made.best.posed.roles), made.best.contacts)
    assert_allclose(moved.edit.outcomes[0].written, 0.02, atol=1e-3)
    assert "RightHand position is missed by 20 mm as written" in moved.problems[0]
    shown = replace(made.best, draft=replace(made.best.draft, details=moved))
    assert moved.problems[0] in faults_of(shown, model.clips, 30.0)


def test_finishing_keeps_feet_of_a_higher_priority():
    """The left foot a step aside, too far for the leg as it stands; then a hand that wants the
    hips.
    """
    model = fitted_model(reach_space())
    wanted = one_posture((0.0, -0.12, 0.1)).joints[0].model_copy(update={"priority": 2})
    mean = model.standing.to_world(model.space.to_motion(np.zeros(model.space.n_components)))
    feet = []
    for role, aside in (("left_foot", 0.2), ("right_foot", 0.0)):
        place = pose_motion(mean).positions[0, model.space.roles.joints[role]] + [aside, 0.0, 0.0]
        feet.append(JointConstraint(time=0, joint=role, position=tuple(place), priority=1))
    posture = ConstraintSet(duration=2.0, joints=(*feet, wanted.model_copy(update={"time": 0.0})))
    made, _ = edit_take(model, posture, "hold")
    assert [e.position < 2e-3 for e in made.best.errors_after[:2]] == [True, True]


def test_a_take_can_be_the_start():
    space = reach_space()
    model = fitted_model(space)
    own = start_of(space, "reach_3")
    assert np.array_equal(own, space.coefficients[3])
    made, _ = edit_take(model, one_posture(), "hold", start=own)
    plain, _ = edit_take(model, one_posture(), "hold")
    away = [
        np.linalg.norm(one.report.details.edit.coefficients - own) for one in (made, plain)
    ]  # fmt: skip
    assert away[0] < away[1]
    with pytest.raises(UnknownNameError, match="no take or style 'jump'"):
        start_of(space, "jump")


def test_takes_made_again_are_the_takes():
    """A stored model's clips are the takes it was learned from."""
    model = fitted_model(reach_space())
    for clip, take in zip(model.clips.clip_set.motions, reach_takes(), strict=True):
        assert abs(clip.duration - take.duration) <= clip.frame_time
        mine, given = pose_motion(clip).positions, pose_motion(take).positions
        assert np.linalg.norm(mine[0] - given[0], axis=-1).max() < 0.05


def test_several_styles_are_pooled(tmp_path):
    labels = tmp_path / "labels.yaml"
    labels.write_text(
        'labels:\n  - {clips: "reach_[0-4]", label: one}\n  - {clips: "*", label: two}\n'
    )
    space = learn_model(reach_takes(), styles=labels)
    assert space.styles == ("one",) * 5 + ("two",) * 5
    assert "one 5, two 5" in survey_model(space).to_text()
    assert_allclose(start_of(space, "one"), space.coefficients[:5].mean(axis=0))
    assert any("key postures were guessed (hold of right_hand)" in n for n in space.notes)


# ------------------------------------------------------------------------------
# Tools, reach, contacts


def test_a_tool_is_a_joint_that_is_held():
    take = reach_takes()[0]
    tool = read_tool("club=right_hand:0,-0.5,0.1:0.7071068,0.7071068,0,0")
    held = pose_motion(attach_tool(take, tool))
    free = pose_motion(take)
    hand = take.skeleton.index("RightHand")
    arm = held.positions[:, -1] - held.positions[:, hand]
    assert held.skeleton.names[-1] == "club"
    assert_allclose(np.linalg.norm(arm, axis=1), np.hypot(0.5, 0.1))
    assert_allclose(held.positions[:, :-1], free.positions)
    space = learn_model(reach_takes(), tools=[read_tool("club=right_hand:0,-0.5,0.1")])
    model = fitted_model(space)
    region = reachable_region(space, space.skeleton.index("club"), "hold")
    there = space.placing.apply(region.middle) + np.array([0.02, 0.03, 0.0])
    wanted = ConstraintSet(
        duration=1.0, joints=[{"time": 0, "joint": "club", "position": tuple(there)}]
    )
    made, _ = edit_take(model, wanted, "hold")
    assert made.best.errors_after[0].position < 1e-3
    assert made.motion.skeleton.names[-1] == "club"


@pytest.mark.parametrize("text", ["club", "club=right_hand", "club=right_hand:1,2", "=x:0,0,0"])
def test_tools_that_cannot_be_read(text):
    with pytest.raises(InvalidInputError, match="expected NAME=JOINT:x,y,z"):
        read_tool(text)


def test_a_tool_needs_a_name_of_its_own():
    with pytest.raises(InvalidInputError, match="has a joint 'Hips' already"):
        attach_tool(reach_takes()[0], Tool("Hips", "right_hand", (0.0, 0.0, 0.1)))
    with pytest.raises(InvalidInputError, match="has a joint 'head' already"):
        attach_tool(reach_takes()[0], Tool("head", "right_hand", (0.0, 0.0, 0.1)))


def test_a_tool_is_within_reach():
    with pytest.raises(InvalidInputError, match=r"'club' is at .* a tool reaches at most 20 m"):
        Tool("club", "right_hand", (0.0, 1e9, 0.0))


def test_names_in_a_key_file_that_no_take_has_are_told(tmp_path):
    times = find_keys(reach_takes(), RULE)
    rows = {f"reach_{i}": own.tolist() for i, own in enumerate(times.times)}
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": times.names, "takes": rows}))
    assert not any("no take" in n for n in learn_model(reach_takes(), read_key_file(file)).notes)
    file.write_text(json.dumps({"keys": times.names, "takes": {**rows, "reach_x": [*range(7)]}}))
    notes = learn_model(reach_takes(), read_key_file(file)).notes
    assert notes == (f"{file}: no take is called reach_x",)


def test_the_reachable_region_is_as_far_as_its_deviations_say():
    space = reach_space()
    hand = space.roles.joints["right_hand"]
    region = reachable_region(space, hand, "hold")
    near = np.linalg.norm(region.shells[1] - region.middle, axis=1)
    far = np.linalg.norm(region.shells[3] - region.middle, axis=1)
    assert_allclose([near.max(), near.min()], region.spread[[0, 2]], rtol=0.15)
    assert far.max() > 2.0 * near.max()
    assert_allclose(region.takes.std(axis=0, ddof=1).max(), region.spread[0], rtol=0.5)
    assert survey_model(space).region.joint == hand


def test_feet_that_land_are_key_postures():
    body = make_performer()
    clip = perform(body, plan_steps(body, walking_steps(body, 1.1, 3), lead_in=0.5), fps=30.0)
    names, frames = contact_keys(pose_motion(clip.motion), 0, KeyRule("contacts", "hips"))
    assert (np.diff(frames) >= 0).all()
    assert names[0].endswith(" up")
    first = names[0].split()[0]
    assert names.index(f"{first} down") > 0
    assert len(set(names)) == len(names) >= 4


def test_another_rule_can_be_added():
    add_key_rule("third", lambda posed, joint, rule: (("third",), [posed.n_frames / 3]))
    keys = find_keys(reach_takes()[:3], KeyRule("third", "hips"))
    assert keys.names == ("start", "third", "end")


def test_takes_that_show_other_postures_are_told():
    add_key_rule("named", lambda posed, joint, rule: ((posed.motion.name,), [posed.n_frames / 2]))
    with pytest.raises(InvalidInputError, match="reach_1 shows reach_1, but reach_0 reach_0"):
        find_keys(reach_takes()[:2], KeyRule("named", "hips"))


def test_a_take_in_which_nothing_happens_is_told():
    still = reach_takes()[0].cut(0, 1)
    waits = replace(
        still,
        rotations=still.rotations.repeat(30, axis=0),
        translations=still.translations.repeat(30, axis=0),
        name="waits",
    )
    takes = [waits, *reach_takes()[1:3]]
    with pytest.raises(InvalidInputError, match="waits does not show leave, up"):
        find_keys(takes, RULE)


def test_two_people_meet_with_their_hands():
    from motionloom.constraints.scene import SceneConstraints
    from motionloom.scene import synthesize_scene

    meeting = {
        "time": 1.4,
        "name": "five",
        "between": ["alice", "bob"],
        "distance": 0.95,
        "position": [0.0, 0.5],
        "joints": [{"first": "right_hand", "second": "right_hand", "gap": 0.05}],
    }
    wanted = SceneConstraints.model_validate(
        {"fps": 10, "duration": 2.9, "characters": {"alice": {}, "bob": {}}, "events": [meeting]}
    )
    scene = synthesize_scene(
        reach_takes(), wanted, SynthesisOptions(alternatives=1), generator="model"
    )
    alice, bob = (pose_motion(scene.motions[name]) for name in ("alice", "bob"))
    frame = wanted.characters["alice"].frame_of(1.4)
    hand = reach_takes()[0].skeleton.index("RightHand")
    apart = alice.positions[frame, hand] - bob.positions[frame, hand]
    assert abs(np.linalg.norm(apart) - 0.05) < 0.01
