"""GaitSpace: cycles at speeds, sizes, styles and of people."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.space.fit import fit_gait, learn_gait
from motionloom.gait.space.gather import gather_examples
from motionloom.gait.survey import analyse_transition, likeness
from motionloom.performer import make_performer
from motionloom_evaluation.gait.stance import stance_speed
from performed import performer_clips


def mean_angle(a, b):
    """Mean angle between joints of two cycles, degrees."""
    return float(np.degrees(rot.angle_between(a.rotations, b.rotations).mean()))


@pytest.fixture(scope="module")
def people(gait_motions):
    """The performer and a small one, who walks at one speed, as two people."""
    small = performer_clips(performer=make_performer(height=1.45))
    own = [clip.motion for clip in small if clip.motion.name == "walk_1.1"]
    told = (ToldClips("small", person="small"), ToldClips("*", person="tall"))
    return fit_gait([*gait_motions, *(replace(m, name="small") for m in own)], told)


def test_a_speed_between_is_like_the_capture(gait_motions, examples):
    """What the performer does at 1.6 m/s, learned from 0.6, 1.1 and 2.2 m/s."""
    others = [m for m in gait_motions if m.name != "walk_1.6"]
    space = fit_gait(others)
    true = max((e.cycle for e in examples.examples if e.take == "walk_1.6"), key=lambda c: c.speed)
    person = space.persons[0]
    made = space.cycle(true.speed, person, "walk")
    takes = space.spaces["walk"].line.takes
    paces = takes.pace[takes.of(person)] * space.body(person).hip_height
    nearest = space.cycle(min(paces, key=lambda pace: abs(pace - true.speed)), person, "walk")
    assert mean_angle(made, true) < 0.7 * mean_angle(nearest, true)
    assert made.frequency == pytest.approx(true.frequency, rel=0.02)


def test_the_law_is_the_performers(gait_space):
    """Their step length over cadence is constant: frequency goes with the root of speed."""
    assert gait_space.spaces["walk"].law.b == pytest.approx(0.5, abs=0.03)


def test_a_cycle_has_the_speed_asked_for(gait_space):
    person = gait_space.persons[0]
    for speed in (0.7, 1.3, 1.9):
        cycle = gait_space.cycle(speed, person)
        assert cycle.speed == speed
        assert cycle.behaviour == "walk"
        assert stance_speed(gait_space, speed, "walk", person) == pytest.approx(speed, rel=0.1)
    assert gait_space.cycle(3.0).behaviour == "run"


def test_strides_differ_only_with_a_generator(gait_space):
    mean = gait_space.cycle(1.2)
    again = gait_space.cycle(1.2)
    assert np.array_equal(mean.rotations, again.rotations)
    drawn = [gait_space.cycle(1.2, rng=np.random.default_rng(k)) for k in (0, 0, 1)]
    assert np.array_equal(drawn[0].rotations, drawn[1].rotations)
    assert 0.02 < mean_angle(drawn[0], drawn[2]) < 5.0
    assert drawn[0].duration != mean.duration


def test_shorter_legs_step_more_often_on_a_smaller_body(gait_space):
    tall = gait_space.cycle(1.2, hip_height=1.0)
    small = gait_space.cycle(1.2, hip_height=0.7)
    assert small.frequency > 1.1 * tall.frequency
    assert small.deviations[:, 1].mean() == pytest.approx(
        0.7 * tall.deviations[:, 1].mean(), rel=0.03
    )
    assert gait_space.body(hip_height=0.7).hip_height == 0.7


def test_poses_follow_a_frequency_that_is_asked_for(gait_space):
    usual = gait_space.frequency(1.2, "walk")
    often = gait_space.cycle(1.2, behaviour="walk", frequency=1.15 * usual)
    assert often.frequency == pytest.approx(1.15 * usual)
    assert mean_angle(often, gait_space.cycle(1.2, behaviour="walk")) > 0.1


def test_trust_reaches_somewhat_beyond_captures(gait_space):
    person = gait_space.persons[0]
    trust = gait_space.trust("walk", person)
    assert trust.basis == "own"
    assert trust.trusted[0] < trust.captured[0] < trust.captured[1] < trust.trusted[1]
    assert trust.covers(1.0)
    assert not trust.covers(4.0)
    assert gait_space.trust("run", person).basis == "shifted"
    assert gait_space.trust("walk").basis == "population"
    scaled = gait_space.trust("walk", person, hip_height=0.5 * gait_space.body(person).hip_height)
    assert scaled.captured[1] == pytest.approx(0.5 * trust.captured[1])


def test_walk_and_run_meet_between_them(gait_space):
    person = gait_space.persons[0]
    transition = analyse_transition(gait_space, person)
    assert transition.meeting == gait_space.change(person).middle
    assert gait_space.behaviour_at(0.9 * transition.meeting, person) == "walk"
    assert gait_space.behaviour_at(1.1 * transition.meeting, person) == "run"
    assert (transition.duty["walk"] > transition.duty["run"]).all()


def test_one_behaviour_is_taken_at_any_speed(gait_motions):
    space = fit_gait(gait_motions[:2])
    assert space.behaviour_at(5.0) == "walk"
    with pytest.raises(InvalidInputError, match="no run was captured"):
        space.cycle(3.0, behaviour="run")


def test_people_keep_their_own_bodies_and_steps(people):
    tall, small = (people.body(p) for p in ("tall", "small"))
    assert small.hip_height < 0.9 * tall.hip_height
    assert people.frequency(1.1, "walk", "small") > people.frequency(1.1, "walk", "tall")
    assert people.behaviours("small") == ("walk",)
    assert people.cycle(3.0, "small").behaviour == "run"  # the population's


def test_the_texts_weights_are_a_share_of_others(people):
    weights = likeness(people.spaces["walk"], "small")
    assert weights == {"tall": pytest.approx(1.0)}


def test_a_style_is_an_offset(gait_motions):
    styled = (ToldClips("walk_1.6", style="brisk"),)
    space = learn_gait(gather_examples(gait_motions, styled))
    person = space.persons[0]
    plain = space.cycle(1.2, person, "walk")
    brisk = space.cycle(1.2, person, "walk", style="brisk")
    assert space.styles == ("brisk",)
    assert 0.0 < mean_angle(plain, brisk) < 5.0
    narrow = space.trust("walk", person, "brisk")
    assert narrow.trusted[0] > space.trust("walk", person).trusted[0]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"speed": 0.0}, "cannot be made"),
        ({"speed": float("nan")}, "cannot be made"),
        ({"speed": 1.0, "person": "nobody"}, "no person 'nobody'"),
        ({"speed": 1.0, "style": "sad"}, "no style 'sad'"),
        ({"speed": 1.0, "behaviour": "hop"}, "no hop was captured"),
    ],
)
def test_what_is_not_there_is_refused(gait_space, asked, says):
    with pytest.raises(InvalidInputError, match=says):
        gait_space.cycle(**asked)


def test_clips_without_gait_are_refused(performances):
    with pytest.raises(InvalidInputError, match="no straight and steady gait cycle"):
        fit_gait([performances["stand"].motion])


def test_clips_of_other_joints_are_refused(gait_motions, walkers):
    with pytest.raises(InvalidInputError, match="the same joints"):
        fit_gait([gait_motions[0], walkers.motions[0]])


def test_clips_of_another_rest_pose_are_refused(gait_motions):
    first = gait_motions[0]
    offsets = first.skeleton.offsets.copy()
    offsets[first.skeleton.index("LeftLeg")] = [0.0, 0.0, 0.4]
    other = replace(first, skeleton=replace(first.skeleton, offsets=offsets), name="other")
    with pytest.raises(InvalidInputError, match="rest pose"):
        fit_gait([gait_motions[1], other])
