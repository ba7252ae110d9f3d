"""One key frame edited: layers, reasons, grades, and motions between."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError, UnknownNameError
from motionloom.ik.tasks import Task
from motionloom.models import EditOptions, KeyTasks, build_problem, edit_motion
from motionloom.models.solving._local import left_out_distance
from motionloom.models.solving._rarity import rarity_of_task, wild_distance
from motionloom.models.solving.latent_kernels import measure_frames
from motionloom.models.solving.likely import suggest_coefficients
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.spaces.motion_space import build_motion_space
from motionloom.spaces.motion_space.takes import normalise_takes
from reaches import reach_keys, reach_space, reach_takes


def hand(space):
    return space.roles.joints["right_hand"]


def poses_of(space, coefficients, frame):
    """World pose at a normalised frame."""
    values = space.values_at(coefficients, [space.frame_of(frame)])
    return PosedMotion(space.coordinates.to_motion(values, 1 / 30), space.roles)


def place_of(space, coefficients, frame, joint):
    return poses_of(space, coefficients, frame).positions[0, joint]


def feet_where_they_are(space, frame="hold", layer=1):
    return [
        Task("position", place_of(space, np.zeros(space.n_components), frame, j), j, layer=layer)
        for j in (space.roles.joints["left_foot"], space.roles.joints["right_foot"])
    ]


def wide(shift=(0.03, 0.05, 0.02)):
    space = reach_space()
    target = place_of(space, np.zeros(space.n_components), "hold", hand(space)) + shift
    return space, target


@pytest.mark.parametrize("left_out", range(10))
def test_where_takes_that_were_left_out_reached_is_reached(left_out):
    takes, keys = reach_takes(), reach_keys()
    others = [i for i in range(len(takes)) if i != left_out]
    space = build_motion_space([takes[i] for i in others], keys.of(others))
    rows = normalise_takes([takes[left_out]], keys.of([left_out]))
    held = int(rows.frames[3])
    own = rows.coordinates.to_motion(rows.rows[0], 1 / 30)
    target = pose_motion(own).positions[held, hand(space)]
    edit = edit_motion(space, [KeyTasks("hold", [Task("position", target, hand(space))])])
    reached = place_of(space, edit.coefficients, "hold", hand(space))
    assert np.linalg.norm(reached - target) < 1e-3
    assert edit.iterations <= 10
    assert edit.outcomes[0].met


def test_the_whole_motion_follows_and_shows_the_edited_moment():
    space, target = wide()
    edit = edit_motion(space, [KeyTasks("hold", [Task("position", target, hand(space))])])
    at = int(np.abs(edit.frames - space.frame_of("hold")).argmin())
    shown = pose_motion(edit.motion, space.roles).positions
    assert_allclose(shown[at, hand(space)], target, atol=1e-4)
    mean = space.to_motion(np.zeros(space.n_components))
    assert_allclose(edit.motion.duration, mean.duration, rtol=0.3)
    assert edit.grade == "fine"


def test_residual_and_jacobian_are_those_of_the_body():
    space, target = wide()
    tasks = [
        Task("position", target, hand(space), local=(0.0, -0.3, 0.0), layer=2),
        Task("orientation", rot.from_rotvec([0.2, 0.1, 0.3]), hand(space)),
        Task("gaze", (0.5, 1.0, 2.0), space.roles.joints["head"], layer=3),
        Task("mass", (0.0, 0.0, 0.0), layer=3),
    ]
    problem = build_problem(space, [KeyTasks(20.5, tasks[:1]), KeyTasks("hold", tasks[1:])])
    eigen = problem._eigen(np.ones(space.n_components))
    rows = len(problem.asked.place)
    own = np.linspace(-0.4, 0.6, space.n_components)

    def residual(c):
        found, slope = np.zeros(rows), np.zeros((rows, len(c)))
        measure_frames(problem.asked, eigen, c, found, slope)
        return found, slope

    found, slope = residual(own)
    # Upper layers come first: the orientation, then the place, then gaze and mass.
    poses = space.eigen_poses("hold").to_coordinates(own)
    turned, _ = problem.bodies[1].body.measure(poses, [tasks[1]])
    assert_allclose(found[:3], turned, atol=1e-12)
    step = 1e-6
    ends = [
        (residual(own + step * e)[0] - residual(own - step * e)[0]) / (2 * step)
        for e in np.eye(len(own))
    ]
    # A residual is wanted less present: it shrinks along its Jacobian.
    near = [0, 1, 2, 3, 4, 5, 8, 9]
    assert_allclose(-slope[near[3:]], np.array(ends).T[near[3:]], atol=2e-4)


def test_a_lower_layer_does_not_disturb_an_upper_one():
    space, target = wide((0.1, 0.25, 0.1))
    feet = feet_where_they_are(space)
    alone = edit_motion(space, [KeyTasks("hold", feet)])
    both = edit_motion(
        space, [KeyTasks("hold", [*feet, Task("position", target, hand(space), layer=2)])]
    )
    assert max(o.residual for o in alone.outcomes) < 1e-3
    assert max(o.residual for o in both.outcomes[:2]) < 1e-3


def test_an_upper_layer_holds_when_a_lower_one_is_out_of_reach():
    space, target = wide((0.0, 1.0, 0.0))
    feet = feet_where_they_are(space)
    tasks = [*feet, Task("position", target, hand(space), layer=2)]
    edit = edit_motion(space, [KeyTasks("hold", tasks)])
    assert max(o.residual for o in edit.outcomes[:2]) < 5e-3
    assert edit.outcomes[2].reason == "outside what these takes know" == edit.grade
    assert 0.3 < edit.outcomes[2].residual < 1.0
    assert edit.sigmas < 15.0  # not much stranger than takes for what is out of reach anyway


def test_who_is_in_whose_way_is_told():
    """The hand at two places: the upper layer has its way."""
    space, target = wide()
    other = target + np.array([0.0, -0.06, 0.0])
    tasks = [
        Task("position", target, hand(space)),
        Task("position", other, hand(space), layer=2),
    ]
    edit = edit_motion(space, [KeyTasks("hold", tasks)])
    assert [o.reason for o in edit.outcomes] == ["met", "conflicts with layer 1"]
    assert_allclose(edit.outcomes[1].residual, 0.06, atol=1e-3)


def test_the_shortest_way_there_is_taken():
    """Of all motions that meet the task none is nearer to the mean, to first order."""
    space, target = wide()
    tasks = [KeyTasks("hold", [Task("position", target, hand(space))])]
    options = EditOptions(pull="mean", pulls=20, fade=1.0, iterations=30, tolerance=1e-9)
    edit = edit_motion(space, tasks, options)
    problem = build_problem(space, tasks)
    residual, slope = np.zeros(3), np.zeros((3, space.n_components))
    measure_frames(
        problem.asked, problem._eigen(np.ones(space.n_components)), edit.coefficients, residual,
        slope,
    )  # fmt: skip
    open_ways = np.linalg.svd(slope)[2][3:]
    assert np.abs(residual).max() < 1e-8
    assert np.abs(open_ways @ edit.coefficients).max() < 1e-3


def test_an_edit_of_a_take_stays_near_it():
    space, target = wide()
    tasks = [KeyTasks("hold", [Task("position", target, hand(space))])]
    start = space.coefficients[2]
    near = edit_motion(space, tasks, start=start)
    mean = edit_motion(space, tasks, EditOptions(pull="mean"), start=start)
    assert near.outcomes[0].met
    assert mean.outcomes[0].met
    assert np.linalg.norm(near.coefficients - start) < np.linalg.norm(mean.coefficients - start)
    assert near.sigmas == pytest.approx(mean.sigmas)  # the same is asked for
    # Nothing to do: the take itself.
    own = place_of(space, start, "hold", hand(space))
    same = edit_motion(space, [KeyTasks("hold", [Task("position", own, hand(space))])], start=start)
    assert_allclose(same.coefficients, start, atol=1e-6)


@pytest.mark.parametrize("metric", ["deviations", "orthonormal", "loadings"])
@pytest.mark.parametrize("kind", ["pca", "ppca"])
def test_every_metric_reaches_and_steps_as_it_says(metric, kind):
    space = reach_space(kind, 7)
    target = place_of(space, np.zeros(7), "hold", hand(space)) + np.array([0.02, 0.03, 0.0])
    tasks = [KeyTasks("hold", [Task("position", target, hand(space))])]
    edit = edit_motion(space, tasks, EditOptions(metric=metric, pull="mean"))
    assert edit.outcomes[0].met
    shortest = edit_motion(space, tasks, EditOptions(pull="mean"))
    assert shortest.sigmas <= edit.sigmas + 1e-3


@pytest.mark.parametrize("local", [None, 0.15])
def test_a_drag_is_as_far_from_takes_as_the_same_edit_afresh(local):
    space, target = wide((0.0, 0.0, 0.35))
    middle = target - np.array([0.0, 0.0, 0.35])

    def edit_to(point, start=None):
        tasks = [KeyTasks("hold", [Task("position", point, hand(space))])]
        return edit_motion(space, tasks, EditOptions(local=local), start=start)

    afresh = edit_to(target)
    dragged = edit_to(middle)
    for share in np.linspace(0.1, 1.0, 10):
        point = middle + share * (target - middle)
        dragged = edit_to(point, dragged.coefficients)
    assert dragged.sigmas == pytest.approx(afresh.sigmas, rel=1e-12)
    assert dragged.asked.share == pytest.approx(afresh.asked.share, rel=1e-12)
    assert dragged.grade == afresh.grade != "fine"


def test_who_drags_out_of_reach_comes_no_farther_than_who_asks_at_once():
    space, target = wide((0.0, 1.5, 0.0))
    start = np.zeros(space.n_components)
    for share in np.linspace(0.1, 1.0, 10):
        point = target - np.array([0.0, 1.5 * (1 - share), 0.0])
        edit = edit_motion(
            space, [KeyTasks("hold", [Task("position", point, hand(space))])], start=start
        )
        start = edit.coefficients
    assert edit.whole.sigmas < 2.1 * wild_distance(space.n_components)


@pytest.mark.parametrize("components", [None, 5])
def test_nineteen_in_twenty_takes_are_fine_by_their_own_hands(components):
    """With all eigen-motions takes are the square root of their number from the mean."""
    space = reach_space("pca", components, 16)
    edits = [
        edit_motion(
            space,
            [KeyTasks("hold", [Task("position", place_of(space, take, "hold", hand(space)),
                                    hand(space))])],
        )
        for take in space.coefficients
    ]  # fmt: skip
    assert sum(e.grade == "fine" for e in edits) >= 15
    assert not any(e.grade.startswith("outside") for e in edits)


def test_what_is_far_from_all_takes_is_outside_however_many_eigen_motions_there_are():
    for count in (10, 16):
        space = reach_space("pca", None, count)
        target = place_of(space, np.zeros(space.n_components), "hold", hand(space))
        target = target + np.array([0.0, 0.0, 0.4])
        task = Task("position", target, hand(space))
        edit = edit_motion(space, [KeyTasks("hold", [task])], EditOptions(local=0.15))
        assert edit.grade == "outside what these takes know"


def test_a_task_s_distance_is_that_of_new_takes_of_the_same_distribution():
    """Hotelling: of takes that are not among them, 5 % are beyond the limit of 5 %."""
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(3, 3))
    shares = []
    for _ in range(3000):
        takes = rng.normal(size=(12, 3)) @ mixing
        new = rng.normal(size=3) @ mixing
        shares.append(rarity_of_task(takes - new, 0.0).share)
    beyond = np.mean(np.array(shares) < 0.05)
    assert 0.035 < beyond < 0.065  # 3000 draws: 0.004 of chance
    # No matter in what unit, or how the axes lie.
    takes = rng.normal(size=(12, 3))
    turned = takes @ rot.to_matrix(rot.from_rotvec([0.3, 0.2, -1.0])) * 7.0
    assert_allclose(
        rarity_of_task(takes, 0.0).sigmas, rarity_of_task(turned, 0.0).sigmas, rtol=1e-9
    )


def test_a_tool_is_reached_with():
    space, target = wide((0.05, 0.0, 0.25))
    task = Task("position", target, hand(space), local=(0.0, -0.3, 0.0))
    edit = edit_motion(space, [KeyTasks("hold", [task])], EditOptions(limit=30.0))
    pose = poses_of(space, edit.coefficients, "hold")
    tip = pose.positions[0, hand(space)] + rot.rotate(
        pose.rotations[0, hand(space)], np.array([0.0, -0.3, 0.0])
    )
    assert_allclose(np.linalg.norm(tip - target), edit.outcomes[0].residual, atol=1e-9)


def test_several_frames_are_met_and_softly_as_the_likeliest():
    space = reach_space()
    wanted = 0.5 * space.coefficients[1] + 0.4 * space.coefficients[4]
    places = {key: place_of(space, wanted, key, hand(space)) for key in ("leave", "hold")}
    tasks = [KeyTasks(key, [Task("position", at, hand(space))]) for key, at in places.items()]
    hard = edit_motion(space, tasks)
    assert all(o.met for o in hard.outcomes)
    assert {space.frame_of(key) for key in places} <= set(np.round(hard.frames, 9))
    soft = edit_motion(space, tasks, EditOptions(soft=0.01))
    assert soft.sigmas < np.linalg.norm(hard.coefficients)
    assert 1e-4 < max(o.residual for o in soft.outcomes) < 0.03
    assert all(o.met for o in soft.outcomes)


def test_soft_tasks_give_the_gaussian_s_conditional_mean():
    """Nearly linear: a small step. Then maximum a posteriori is the textbook's formula."""
    space = reach_space()
    mean = np.zeros(space.n_components)
    shift = np.array([1e-4, 2e-4, -1e-4])
    target = place_of(space, mean, "hold", hand(space)) + shift
    tasks = [KeyTasks("hold", [Task("position", target, hand(space))])]
    edit = edit_motion(space, tasks, EditOptions(soft=0.02, pull="mean"))
    problem = build_problem(space, tasks)
    residual, slope = np.zeros(3), np.zeros((3, space.n_components))
    measure_frames(problem.asked, problem._eigen(np.ones(len(mean))), mean, residual, slope)
    gain = slope.T @ np.linalg.inv(slope @ slope.T + 0.02**2 * np.eye(3))
    assert_allclose(edit.coefficients, gain @ shift, rtol=0.02, atol=1e-6)


def test_what_takes_suggest_is_what_a_linear_action_would_do():
    """Takes whose place is a linear function of two causes: new places tell the causes."""
    rng = np.random.default_rng(0)
    causes = rng.normal(size=(12, 2))
    slope = rng.normal(size=(3, 2))
    missed = np.array([0.3, -0.2, 0.1]) - causes @ slope.T
    wanted = np.linalg.lstsq(slope, [0.3, -0.2, 0.1], rcond=None)[0]
    # Solvable at all: what is wanted lies where takes can be.
    missed = slope @ wanted - causes @ slope.T
    found = suggest_coefficients(missed, causes, np.ones(2))
    assert_allclose(found, wanted, atol=0.15)


def test_feet_and_hands_in_one_layer_are_shared():
    space, target = wide()
    tasks = [*feet_where_they_are(space), Task("position", target, hand(space))]
    edit = edit_motion(space, [KeyTasks("hold", tasks)])
    assert max(o.residual for o in edit.outcomes) < 5e-3


def test_history_begins_with_the_start_and_ends_with_what_was_reached():
    space, target = wide()
    feet = feet_where_they_are(space)
    tasks = [*feet, Task("position", target, hand(space), layer=2)]
    edit = edit_motion(space, [KeyTasks("hold", tasks)], EditOptions(pull="mean"))
    assert edit.history.shape == (edit.iterations + 1, 2)
    assert_allclose(edit.history[0], [0.0, np.linalg.norm([0.03, 0.05, 0.02])], atol=1e-9)
    assert_allclose(edit.history[-1, 1], edit.outcomes[2].residual, atol=1e-12)


def test_more_is_asked_than_the_model_has_directions():
    space = reach_space("pca", 2)
    target = place_of(space, np.zeros(2), "hold", hand(space)) + 0.02
    edit = edit_motion(space, [KeyTasks("hold", [Task("position", target, hand(space))])])
    assert "3 numbers are asked for, but the model has only 2 eigen-motions" in edit.notes[0]


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda s: edit_motion(s, []), "at least one task"),
        (lambda s: edit_motion(s, [KeyTasks("hold", [])]), "at least one task"),
        (lambda s: edit_motion(s, [KeyTasks(999, [Task("position", (0, 0, 0))])]), "has frames"),
        (lambda s: edit_motion(s, [KeyTasks(0, [Task("position", (0, 0, 0), 99)])]), "joints 0 to"),
        (
            lambda s: edit_motion(s, [KeyTasks(0, [Task("position", (0, 0, 0))])], start=[1.0]),
            "9 finite coefficients",
        ),
        (lambda s: EditOptions(metric="best"), "metric must be"),
        (lambda s: EditOptions(soft=0.0), "must be above 0"),
        (lambda s: EditOptions(soft=np.inf), "soft must be at most 1 m"),
        (lambda s: EditOptions(soft=np.nan), "soft must be at most 1 m"),
        (lambda s: EditOptions(pull="up"), "pull must be"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, told):
    with pytest.raises(InvalidInputError, match=told):
        ask(reach_space())


def test_an_unknown_key_posture_is_refused():
    with pytest.raises(UnknownNameError, match="unknown key posture 'impact'"):
        edit_motion(reach_space(), [KeyTasks("impact", [Task("position", (0, 0, 0))])])


# ------------------------------------------------------------------------------
# What takes do not know


def test_a_displacement_fades_from_the_edited_frame_on():
    space, target = wide()
    tasks = [KeyTasks("hold", [Task("position", target, hand(space))])]
    frames = np.arange(space.n_frames, dtype=float)
    edit = edit_motion(space, tasks, EditOptions(local=0.1), frames=frames)
    pure = space.values_at(edit.coefficients, frames)
    shown = space.coordinates.to_coordinates(edit.motion, near=pure[0])
    away = np.linalg.norm((shown - pure) * space.scale, axis=1)
    at = int(space.frame_of("hold"))
    assert edit.outcomes[0].met
    assert away.argmax() == at
    reach = 0.1 * space.n_frames
    assert_allclose(away / away[at], np.exp(-0.5 * ((frames - at) / reach) ** 2), atol=1e-3)


def test_displacements_of_two_frames_are_met_in_both():
    space, target = wide()
    other = place_of(space, np.zeros(space.n_components), "up", hand(space)) - 0.05
    tasks = [
        KeyTasks("up", [Task("position", other, hand(space))]),
        KeyTasks("hold", [Task("position", target, hand(space))]),
    ]
    edit = edit_motion(space, tasks, EditOptions(local=0.1))
    assert all(o.met for o in edit.outcomes)
    posed = pose_motion(edit.motion, space.roles).positions[:, hand(space)]
    for key, place in (("up", other), ("hold", target)):
        frame = int(np.abs(edit.frames - space.frame_of(key)).argmin())
        assert_allclose(posed[frame], place, atol=1e-3)


def test_few_takes_reach_with_a_displacement_what_they_could_not_show():
    takes, keys = reach_takes()[:4], reach_keys().of(range(4))
    space = build_motion_space(takes, keys)
    target = place_of(space, np.zeros(3), "hold", hand(space)) + np.array([0.05, -0.08, 0.03])
    feet = feet_where_they_are(space)
    tasks = [KeyTasks("hold", [*feet, Task("position", target, hand(space), layer=2)])]
    assert not all(o.met for o in edit_motion(space, tasks).outcomes)
    assert all(o.met for o in edit_motion(space, tasks, EditOptions(local=0.15)).outcomes)


def test_how_far_takes_are_from_what_the_others_show():
    space = reach_space()
    rows = (space.inverse_transform(space.coefficients) * space.scale).reshape(10, -1)
    heights = []
    for i in range(10):
        others = np.delete(rows, i, axis=0)
        ways = (others[1:] - others[0]).T
        best = np.linalg.lstsq(ways, rows[i] - others[0], rcond=None)[0]
        heights.append(np.linalg.norm(rows[i] - others[0] - ways @ best))
    assert_allclose(left_out_distance(space), np.sqrt(np.mean(np.square(heights))), rtol=1e-6)
