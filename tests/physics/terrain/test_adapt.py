"""Walks of the performer taken onto ground whose shape is known."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionloom.constraints import HeightMap, Slope, Stairs
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import solve_limb
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.physics.ground import balanced_share
from motionloom.physics.ground._contacts import find_ground_contacts
from motionloom.physics.terrain import adapt_to_terrain, make_terrain_report
from motionloom.physics.terrain._footholds import _changes
from motionloom.physics.terrain._stances import find_stances, find_way
from motionloom.posed_motion import pose_motion


@pytest.fixture(scope="module")
def walk():
    performer = make_performer()
    plan = plan_steps(performer, walking_steps(performer, 1.2, 5))
    return pose_motion(perform(performer, plan).motion)


def stairs(rise, tread=0.30, steps=3, **more):
    return Stairs(start=(0.0, 1.5), rise=rise, tread=tread, steps=steps, **more)


LEVEL = HeightMap(heights=((0.0, 0.0), (0.0, 0.0)), origin=(-5.0, -5.0), cell=20.0)
GROUNDS = {
    "up": stairs(0.17),
    "down": stairs(-0.17),
    "up, wide": stairs(0.10, 0.40),
    "down, wide": stairs(-0.10, 0.40),
    "slope": Slope(start=(0.0, 1.0), steepness=8.0),
    "slope down": Slope(start=(0.0, 1.0), steepness=-8.0),
    "hills": HeightMap(
        heights=tuple(
            tuple(0.05 * np.sin(1.7 * z) * np.cos(1.3 * x) for x in range(8)) for z in range(16)
        ),
        origin=(-2.0, -2.0),
        cell=0.6,
    ),
}


@pytest.fixture(scope="module", params=GROUNDS)
def taken(walk, request):
    return adapt_to_terrain(walk, (GROUNDS[request.param],))


@pytest.mark.parametrize(
    "ground", [(), (LEVEL,), (Slope(steepness=0.0),)], ids=["none", "flat map", "slope of 0"]
)
def test_level_ground_changes_nothing(walk, ground):
    made = adapt_to_terrain(walk, ground)
    assert np.abs(made.posed.positions - walk.positions).max() < 0.002


def test_feet_stand_where_they_are_planned_and_go_through_nothing(taken):
    report = make_terrain_report(taken)
    assert report.across == 0
    assert report.foot_error < 10
    assert report.depth < 10
    assert report.after.balanced >= 0.95


def test_bones_keep_their_lengths_and_knees_do_not_pop(walk, taken):
    parents = walk.skeleton.parents
    bones = np.flatnonzero(parents > 0)
    for posed in (walk, taken.posed):
        own = np.linalg.norm(
            posed.positions[:, bones] - posed.positions[:, parents[bones]], axis=-1
        )
        assert np.ptp(own, axis=0).max() < 1e-6
    assert make_terrain_report(taken).after.knee_speed < 1000


def test_forces_stay_those_of_walking(taken):
    report = make_terrain_report(taken)
    assert report.after.least_load > 0.3
    assert report.after.most_load < 2.0
    assert report.after.force_rate < 25


@pytest.mark.parametrize("rise", [0.17, -0.17])
def test_stairs_are_taken_tread_by_tread(walk, rise):
    made = adapt_to_terrain(walk, (stairs(rise),))
    heights = [round(hold.rise / rise) for hold in made.holds]
    assert {0, 1, 2, 3} <= set(heights)
    assert np.abs(np.diff(heights)).max() == 1
    assert made.posed.hips[-1, 1] - walk.hips[-1, 1] == pytest.approx(3 * rise, abs=0.06)


def test_the_forefoot_lands_first_on_the_way_down(walk):
    report = make_terrain_report(adapt_to_terrain(walk, (stairs(-0.17),)))
    assert report.landings["down"].forefoot == 1.0
    assert all(landing.clearance > 0 for landing in report.down)


def test_walks_that_are_turned_are_taken_as_others_are(walk):
    """Nothing depends on where the world's axes point."""
    from motionloom.motion import GroundTransform

    turn = GroundTransform.at_heading(70.0, 2.0, -1.0)
    x, z = turn.apply(np.array([0.0, 1.5]))
    there = Stairs(start=(float(x), float(z)), heading=70.0, rise=0.17, tread=0.3, steps=3)
    here = adapt_to_terrain(walk, (stairs(0.17),)).posed.transformed(turn)
    made = adapt_to_terrain(walk.transformed(turn), (there,)).posed
    assert np.abs(made.positions - here.positions).max() < 0.02


def test_who_finds_no_footholds_farther_on_is_told(walk):
    close = [Stairs(start=(0.0, z), rise=0.17, tread=0.3, steps=3) for z in (1.5, 1.6)]
    report = make_terrain_report(adapt_to_terrain(walk, close))
    assert report.way < 0.5 * report.level_way
    assert "feet find no footholds farther on" in report.to_text()
    report = make_terrain_report(adapt_to_terrain(walk, [stairs(0.17)]))
    assert "farther on" not in report.to_text()
    assert "far on level ground" in report.to_text()


def test_ground_aside_of_the_way_changes_nothing(walk):
    aside = Stairs(start=(3.0, 1.5), width=1.0, rise=0.17, tread=0.3, steps=3)
    made = adapt_to_terrain(walk, (aside,))
    assert np.abs(made.posed.positions - walk.positions).max() < 0.002


def test_balance_may_be_left_as_it_is(walk):
    free = adapt_to_terrain(walk, (stairs(0.17),), balance=False)
    kept = adapt_to_terrain(walk, (stairs(0.17),))
    assert balanced_share(free.after.distance, 0.0) <= balanced_share(kept.after.distance, 0.0)


def test_reports_are_for_people_and_programs(taken):
    report = make_terrain_report(taken)
    assert "stances moved" in report.to_text()
    assert "NaN" not in report.to_json()


def test_too_few_frames_are_refused(walk):
    with pytest.raises(InvalidInputError, match="at least 8 frames"):
        adapt_to_terrain(walk.cut(0, 5), (stairs(0.17),))


def test_hips_that_sink_too_far_are_told(walk):
    taken = adapt_to_terrain(walk, (GROUNDS["up"],))
    report = make_terrain_report(taken)
    assert 0.0 <= report.sunk <= report.most_sunk
    assert not report.problems
    lower = np.tile([0.0, -report.most_sunk - 0.05, 0.0], (taken.posed.n_frames, 1))
    moved = move_joints(taken.posed, lower)
    deep = make_terrain_report(replace(taken, posed=moved))
    assert deep.sunk > report.most_sunk
    (problem,) = deep.problems
    assert problem.startswith("the hips sink by")
    assert f"Problems\n  {problem}" in deep.to_text()
    assert problem in deep.to_json()


@pytest.mark.parametrize("behind", ["left_foot", "right_foot"])
def test_of_two_feet_that_stand_when_it_begins_the_one_behind_steps_first(walk, behind):
    ahead = "left_foot" if behind == "right_foot" else "right_foot"
    steps = find_stances(walk, find_ground_contacts(walk), find_way(walk))
    both = next(
        b.first
        for a, b in pairwise(steps)
        if (a.foot, b.foot) == (behind, ahead) and a.start > 0 and b.first < a.stop - 1
    )
    part = walk.cut(both, walk.n_frames)
    stances = find_stances(part, find_ground_contacts(part), find_way(part))
    assert [s.start for s in stances[:2]] == [0, 0]
    assert [s.foot for s in stances[:2]] == [behind, ahead]
    assert stances[0].way < stances[1].way


def test_a_step_back_changes_as_one_ahead():
    for step in (0.02, 0.7):
        np.testing.assert_array_equal(_changes(-step), -_changes(step))
    # Nobody steps twice as far back as they did.
    assert -0.7 + 0.01 * _changes(-0.7).min() > -0.9


def move_joints(posed, by):
    """The same motion with lower hips; feet stay."""
    lowered = move_body(posed, by)
    local = {}
    for foot, leg in find_legs(posed.roles).items():
        targets = posed.positions[:, posed.roles.joints[foot]]
        local |= solve_limb(lowered, leg, targets, posed.rotations[:, posed.roles.joints[foot]])
    return lowered.with_local(local)
