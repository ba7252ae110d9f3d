"""Gait as a generator."""

import numpy as np
import pytest

from motionloom.clips.labels import Label
from motionloom.constraints import ConstraintSet
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError, SynthesisError, UnknownNameError
from motionloom.gait.make import make_at_speed, make_for
from motionloom.gait.path.tables._mix import kept_table
from motionloom.gait.path.way._asked import way_asked
from motionloom.gait.report import report_gait
from motionloom.gait.space.space import Walker
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.synthesis import FinishOptions, SynthesisOptions
from motionloom.synthesis.driver import fit_generator, synthesize
from motionloom.synthesis.streaming import state_before

TURN = {"points": [(0, 0), (0, 3), (3, 3)], "from": 1.0, "to": 6.0}


@pytest.fixture(scope="module")
def fitted(gait_motions):
    return fit_generator(gait_motions, 30.0, "gait")


def test_a_path_is_followed(fitted):
    made = synthesize(fitted, ConstraintSet(duration=7.0, paths=[TURN]))
    assert made.report.generator == "gait"
    (path,) = made.report.kept
    assert path.value < 0.15
    assert made.report.quality.skate_mean < 8.0
    assert "footprints" in made.report.to_text()


def test_body_constraints_are_a_way_that_leads_where_they_face(fitted):
    body = [
        {"time": 0.0, "position": (0, 0), "facing": 0},
        {"time": 5.0, "position": (3, 3), "facing": 90},
    ]
    made = synthesize(fitted, ConstraintSet(duration=5.0, body=body))
    for error in made.best.errors_after:
        assert error.position < 0.1


def test_what_asks_for_no_way_is_refused(fitted):
    with pytest.raises(SynthesisError, match="none is asked for"):
        synthesize(fitted, ConstraintSet(duration=3.0))
    with pytest.raises(InvalidInputError, match="gait"):
        synthesize(
            fitted,
            ConstraintSet(
                duration=3.0, joints=[{"time": 1, "joint": "head", "position": (0, 1, 0)}]
            ),
        )


def test_turning_on_the_spot_is_refused_with_the_reason(fitted):
    body = [{"time": t, "position": (0, 0), "facing": 40 * t} for t in (0.0, 2.0)]
    with pytest.raises(SynthesisError, match="only turn on the spot"):
        synthesize(fitted, ConstraintSet(duration=2.0, body=body))


def test_two_paths_follow_each_other_with_a_halt_between():
    first = {"points": [(0, 0), (0, 2)], "times": [0.0, 2.0]}
    second = {"points": [(0, 2), (0, 4)], "times": [4.0, 6.0]}
    route, timing = way_asked(ConstraintSet(duration=6.0, paths=[second, first]))
    assert route.length == pytest.approx(4.0)
    assert timing.speeds[90] < 0.05
    assert timing.along[90] == pytest.approx(2.0, abs=0.05)


def test_paths_at_the_same_time_are_refused():
    paths = [TURN, {"points": [(0, 0), (1, 1)], "from": 3.0, "to": 5.0}]
    with pytest.raises(InvalidInputError, match="overlap in time"):
        way_asked(ConstraintSet(duration=7.0, paths=paths))


def test_strides_differ_with_a_seed_and_feet_stay(gait_space):
    alike = make_at_speed(gait_space, 1.3, 4.0, 60.0)
    drawn = [make_at_speed(gait_space, 1.3, 4.0, 60.0, Walker(seed=k)) for k in (1, 1, 2)]
    same = [m.woven.posed.positions for m in drawn]
    assert np.array_equal(same[0], same[1])
    assert not np.allclose(same[0], same[2], atol=1e-4)
    head = alike.woven.plan.table.body.roles.joints["head"]
    assert np.abs(same[0][:, head] - alike.woven.posed.positions[:, head]).max() > 1e-4
    tip = alike.woven.plan.table.legs["left_foot"].tip
    down = alike.woven.down[:, 0]
    assert np.allclose(same[0][down, tip], alike.woven.posed.positions[down, tip], atol=0.01)


def test_speeds_are_kept_to(fitted):
    asked = ConstraintSet(
        duration=10.0,
        paths=[{"points": [(0, 0), (0, 6), (5, 6)], "from": 1.0, "to": 9.0}],
        speeds=[{"from": 3.0, "to": 6.0, "speed": 1.8}],
    )
    kept = synthesize(fitted, asked).report.kept
    (speed,) = (k for k in kept if k.kind == "path speed")
    assert speed.value == pytest.approx(1.8, rel=0.02)
    with pytest.raises(InvalidInputError, match="no path without times"):
        way_asked(
            asked.model_copy(
                update={"speeds": (asked.speeds[0].model_copy(update={"begin": 9.5, "end": 10.0}),)}
            )
        )


def test_labels_of_clips_are_styles_for_spans(gait_motions):
    labels = (Label("walk_1.6", "brisk"), Label("walk*", "walk"))
    own = fit_generator(gait_motions, 30.0, "gait", SynthesisOptions(labels=labels))
    assert set(own.space.styles) == {"brisk", "walk"}
    asked = ConstraintSet(
        duration=7.0, paths=[TURN], style=[{"from": 2.0, "to": 5.0, "label": "brisk"}]
    )
    kept = synthesize(own, asked).report.kept
    (style,) = (k for k in kept if k.kind == "style")
    assert style.value > 0.85
    report = report_gait(make_for(own.space, asked), asked)
    assert "style brisk from 2 to 5 s" in report.to_text()
    assert report.to_dict()["kept"][1]["value"] == pytest.approx(style.value)
    with pytest.raises(UnknownNameError, match="unknown style 'brsik'; nearest: brisk"):
        make_for(own.space, asked, Walker(style="brsik"))


def test_a_table_is_made_once(gait_space):
    assert kept_table(gait_space, Walker()) is kept_table(gait_space, Walker(seed=3))
    assert kept_table(gait_space, Walker(hip_height=0.8)) is not kept_table(gait_space, Walker())


def test_a_body_of_another_size_steps_at_its_own_pace(gait_space):
    tall = make_at_speed(gait_space, 1.2, 3.0, 30.0, Walker(hip_height=1.1))
    small = make_at_speed(gait_space, 1.2, 3.0, 30.0, Walker(hip_height=0.7))
    assert small.woven.plan.way.phases[-1] > 1.2 * tall.woven.plan.way.phases[-1]


def test_walking_that_cannot_follow_is_run_or_refused(gait_space):
    body = [
        {"time": 0.0, "position": (0, 0), "facing": 0},
        {"time": 1.0, "position": (0, 30)},
    ]
    with pytest.raises(SynthesisError, match="no gait follows"):
        make_for(gait_space, ConstraintSet(duration=1.0, body=body))


def test_it_goes_on_from_a_state_and_is_steered(fitted):
    clips = fitted.clips.clip_set
    posed = pose_motion(clips.motions[0], clips.roles)
    stream = fitted.stream(state_before(posed, 60), 30.0)
    begun = pose_motion(stream.frames(30), clips.roles)
    np.testing.assert_allclose(begun.positions[0], posed.positions[60], atol=1e-9)
    own = np.linalg.norm(posed.hips[60, ::2] - posed.hips[59, ::2]) * posed.fps
    later = pose_motion(stream.frames(60), clips.roles)
    gone = np.linalg.norm(np.diff(later.hips[:, ::2], axis=0), axis=1).mean() * 30.0
    assert gone == pytest.approx(own, rel=0.1)
    stream.walk.want(0.0)
    stood = pose_motion(stream.frames(90), clips.roles)
    assert np.linalg.norm(stood.hips[-1] - stood.hips[-10]) < 0.01


def test_it_does_not_go_on_with_another_skeleton(fitted):
    skeleton = Skeleton(("hips", "top"), np.array([-1, 0]), np.zeros((2, 3)))
    still = Motion(skeleton, np.tile([1.0, 0, 0, 0], (3, 2, 1)), np.zeros((3, 1, 3)), 1 / 30)
    state = state_before(PosedMotion(still, Roles({"hips": 0})), 1)
    with pytest.raises(InvalidInputError, match="another skeleton"):
        fitted.stream(state, 30.0)


def test_hips_that_finishing_lowers_too_far_are_a_problem(fitted):
    lowered = 0.2

    def lower(posed, contacts, clips, constraints):
        return move_body(posed, np.tile([0.0, -lowered, 0.0], (posed.n_frames, 1))), (), ()

    asked = ConstraintSet(duration=7.0, paths=[TURN])
    plain = synthesize(fitted, asked).report
    assert not any("hips sink" in problem for problem in plain.problems)
    options = SynthesisOptions(finish=FinishOptions(processor=lower))
    report = synthesize(fitted, asked, options).report
    assert any("the hips sink by 2" in problem for problem in report.problems)
    assert report.details.drop == pytest.approx(plain.details.drop + lowered, abs=0.02)


def test_what_a_processor_misses_is_a_problem(fitted):
    def miss(posed, contacts, clips, constraints):
        return posed, ("it was tried",), ("a step is too high",)

    options = SynthesisOptions(finish=FinishOptions(processor=miss))
    report = synthesize(fitted, ConstraintSet(duration=7.0, paths=[TURN]), options).report
    assert report.problems[-1] == "a step is too high"
    assert "it was tried" in report.notes
