"""Spans that go on from each other: with steps where one stands and the other walks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.analysis.quality import skate_speed
from motionloom.clips.analysis import analyse_clips
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot import Stage, plan_shot
from motionloom.shot._handover import repair, stopping
from motionloom.shot._handover.bridging import Side, carried
from motionloom.shot._handover.footsteps import FootShape, FootState, Gap, plan_footsteps
from motionloom.shot._handover.repair import hand_over
from motionloom.shot._handover.stopping import come_to_stand, stand_in_the_end, standing_side
from motionloom.shot._keeping import load_piece, save_piece
from motionloom.shot._report import CharacterReport
from motionloom.shot.joining import GATE, Hardness, Join, join_pieces
from motionloom.shot.spans import idle
from motionloom.shot.stage import Methods, Piece, Place, state_of

FEET = ("left_foot", "right_foot")


@pytest.fixture(scope="module")
def few(performed):
    """Standing and walking of the performer."""
    names = ("stand", "walk_1.1", "walk_1.6")
    return analyse_clips(performed.subset([performed.names.index(name) for name in names]))


@pytest.fixture(scope="module")
def fitted():
    return Methods()


@pytest.fixture
def stage(shot_file, few, fitted):
    return Stage(shot_file(), few, methods=fitted)


def piece_of(clips, name, first, stop, body=(0.0, 0.0, 0.0)):
    """A part of a clip, whose first frame is at a place."""
    own = clips.clip_set
    clip = own.names.index(name)
    contacts = clips.contacts[clip]
    down = contacts.down[first:stop]
    motion = own.motions[clip][first:stop]
    there = GroundTransform.of_body(PosedMotion(motion[:1], clips.roles).body[0])
    moved = motion.transformed(GroundTransform.of_body(body).compose(there.inverse()))
    return Piece(moved, replace(contacts, down=down))


def after(clips, before, name, first, stop):
    """A part of a clip that begins where the body is after another."""
    body = PosedMotion(before.motion[-1:], clips.roles).body[0]
    return piece_of(clips, name, first, stop, body)


def joined(clips, *pieces):
    return join_pieces(["a", "b"], pieces, clips, [0.4])


def creep(clips, motion, down):
    points = clips.soles.positions(PosedMotion(motion, clips.roles))
    return skate_speed(points, down, motion.fps)


def test_a_walk_at_full_speed_after_a_stand_is_seen_and_begins_with_steps(stage, few):
    stand = piece_of(few, "stand", 0, 30)
    walk = after(few, stand, "walk_1.6", 80, 140)
    plain = joined(few, stand, walk).joins[0]
    assert plain.push > GATE
    assert not plain.is_soft
    made = hand_over(stage, stand, walk, 0.4, ("stop", "go"))
    assert made.filled > 0
    assert "filled in to go on from stop: else" in made.notes[-1]
    assert made.motion.n_frames == walk.motion.n_frames
    assert joined(few, stand, made).joins[0].is_good
    # It speeds up evenly, and does not go faster than it does in the end.
    hips = PosedMotion(made.motion, few.roles).hips[:, [0, 2]]
    speed = np.linalg.norm(np.diff(hips, axis=0), axis=1) * made.motion.fps
    assert speed[:3].max() < 0.6
    assert speed[: made.filled].max() < 1.25 * speed[made.filled :].max()


def test_what_gives_way_to_a_gap_does_not_count_for_how_hard_the_join_may_be(stage, few):
    stand = piece_of(few, "stand", 0, 30)
    walk = after(few, stand, "walk_1.6", 80, 140)
    jolted = walk.motion.translations.copy()
    jolted[:6, 0, 0] += 0.06 * np.sin(2 * np.pi * np.arange(6) / 6)
    rough = replace(walk, motion=replace(walk.motion, translations=jolted))
    expected = hand_over(stage, stand, walk, 0.4, ("stop", "go"))
    made = hand_over(stage, stand, rough, 0.4, ("stop", "go"))
    assert made.filled == expected.filled
    assert joined(few, stand, made).joins[0].push < GATE


def test_what_goes_on_by_itself_stays_as_it_is(stage, few):
    first = piece_of(few, "walk_1.1", 0, 40)
    second = after(few, first, "walk_1.1", 39, 90)
    assert hand_over(stage, first, second, 0.4, ("a", "b")) is second


def test_what_was_asked_to_be_somewhere_is_there_in_the_end(stage, few):
    stand = piece_of(few, "stand", 0, 30)
    walk = replace(after(few, stand, "walk_1.6", 80, 150), bound=True)
    made = hand_over(stage, stand, walk, 0.4, ("a", "b"))
    assert made.filled > 0
    last = [PosedMotion(one.motion[-1:], few.roles).hips[0] for one in (walk, made)]
    np.testing.assert_allclose(last[1], last[0], atol=0.02)
    assert creep(few, made.motion, made.contacts.down).mean() < 0.12


def test_what_follows_a_bound_piece_begins_the_same_whatever_came_before(stage, few):
    first = piece_of(few, "stand", 0, 30)
    length = few.clip_set.motions[few.clip_set.names.index("walk_1.6")].n_frames
    walk = replace(after(few, first, "walk_1.6", 80, length), bound=True)
    other = piece_of(few, "stand", 60, 90)
    made = [hand_over(stage, one, walk, 0.4, ("a", "b")) for one in (first, other)]
    assert min(one.filled for one in made) > 0
    tails = [state_of(stage, one).tail.motion for one in made]
    assert tails[1].rotations.tobytes() == tails[0].rotations.tobytes()
    assert tails[1].translations.tobytes() == tails[0].translations.tobytes()


def test_who_begins_by_waiting_stands_where_no_clip_shows_waiting(performed, shot_file):
    walks = analyse_clips(performed.subset([performed.names.index("walk_1.1")]))
    file = shot_file(
        "shot: 1\ncast: {anna: {}}\ntracks: {anna: [{id: wait, do: idle, for: 1.0}]}\n"
    )
    stage = Stage(file, walks)
    (planned,) = plan_shot(file, lambda who, span: 1.0).tracks["anna"]
    made = idle.make(stage, planned, Place((1.0, 2.0), 90.0))
    assert made.motion.n_frames == planned.n_frames
    assert made.contacts.down.all()
    assert any("performer" in text for text in made.notes)
    body = stage.posed(made.motion).body
    np.testing.assert_allclose(body[0, :2], (1.0, 2.0), atol=0.05)


def test_what_is_led_back_begins_where_the_gap_before_it_ends(stage, few):
    """Hips do not jump where what was filled in meets a piece whose feet are locked anew."""
    first = piece_of(few, "stand", 0, 30)
    length = few.clip_set.motions[few.clip_set.names.index("walk_1.6")].n_frames
    walk = replace(after(few, first, "walk_1.6", 80, length), bound=True)
    made = hand_over(stage, first, walk, 0.4, ("a", "b"))
    assert made.filled > 0
    hips = PosedMotion(made.motion, few.roles).hips
    jumps = np.linalg.norm(np.diff(hips, n=2, axis=0), axis=1)
    assert jumps[made.filled - 3 : made.filled + 2].max() < 0.012


def test_a_body_that_walks_comes_to_stand_with_a_last_step(stage, few):
    walk = piece_of(few, "walk_1.1", 0, 45)
    made = come_to_stand(stage, state_of(stage, walk), 60)
    assert made is not None
    np.testing.assert_allclose(made.motion.rotations[0], walk.motion.rotations[-1])
    stands = state_of(stage, made)
    assert stands.stands
    assert all(stands.stands_on(foot) for foot in FEET)
    # A foot has stepped, and no foot that stands slides.
    assert not made.contacts.down.any(axis=1).all() or not made.contacts.down.all()
    assert creep(few, made.motion, made.contacts.down).mean() < 0.1
    join = joined(few, walk, made).joins[0]
    assert join.is_good


def test_without_the_time_nobody_comes_to_stand(stage, few):
    walk = piece_of(few, "walk_1.1", 0, 45)
    assert come_to_stand(stage, state_of(stage, walk), 10) is None


def test_who_was_never_captured_standing_stands_upright_on_flat_feet(stage, few, monkeypatch):
    monkeypatch.setattr(stopping, "_standing_frame", lambda clips, like: None)
    walk = piece_of(few, "walk_1.1", 0, 45)
    like = Side(stage.posed(walk.motion), walk.contacts)
    side = standing_side(few, stage.feet, like, 3)
    heights = few.soles.positions(side.posed)[0, :, 1]
    rest = np.array([point.rest for point in few.soles.points])
    assert np.abs(heights - rest).max() < 0.02
    assert side.posed.hips[0, 1] > 0.85 * few.soles.leg
    np.testing.assert_allclose(side.posed.body[0, :2], like.posed.body[-1, :2], atol=0.05)


def test_the_same_hand_over_gives_the_same_bytes_and_can_be_kept(stage, few, tmp_path):
    stand = piece_of(few, "stand", 0, 30)
    walk = replace(after(few, stand, "walk_1.6", 80, 140), bound=True)
    one, two = (hand_over(stage, stand, walk, 0.4, ("a", "b")) for _ in range(2))
    assert one.motion.rotations.tobytes() == two.motion.rotations.tobytes()
    save_piece(one, KeptFolder(tmp_path), "k")
    kept = load_piece(stage, KeptFolder(tmp_path), "k", one.motion.n_frames)
    assert (kept.filled, kept.bound, kept.notes) == (one.filled, True, one.notes)


def test_speed_changes_evenly_over_a_gap(stage, few):
    sides = [
        Side(stage.posed(piece.motion), piece.contacts)
        for piece in (piece_of(few, "stand", 0, 30), piece_of(few, "walk_1.6", 80, 110))
    ]
    way = carried(*sides, 1.0)
    assert np.hypot(*way) == pytest.approx(0.5 * np.hypot(*sides[1].velocity(0)[[0, 2]]), abs=0.05)


def test_a_join_that_pushes_the_hips_is_reported_by_name(few):
    hard = Join("a", "b", 30, 0.4, 1.0, 0.0, 0, 0.0, push=2.0)
    assert not hard.is_good
    report = CharacterReport((), (hard,), few.quality, few.quality, 30.0)
    (problem,) = report.problems
    assert problem.startswith("join a->b at 1.00 s: the hips are pushed 2.0 times")


def test_what_was_filled_in_says_nothing_about_how_hard_a_piece_moves(few):
    walk = piece_of(few, "walk_1.1", 0, 60)
    jumpy = walk.motion.translations.copy()
    jumpy[:5] += np.random.default_rng(0).normal(0.0, 0.2, jumpy[:5].shape)
    filled = replace(walk, motion=replace(walk.motion, translations=jumpy), filled=6)
    own = Hardness.of(walk.cut(6, 60), few.roles)
    assert Hardness.of(filled, few.roles) == own


SHAPE = FootShape(rot.identity(), 0.08, np.array([0.0, -0.06, 0.14]), 0.85)


def gap_of(speeds, seconds, places, down):
    """A gap of hips that go along +Z, and of two feet."""
    n = round(seconds * 30) + 1
    u = np.linspace(0.0, seconds, n)
    way = speeds[0] * u + 0.5 * (speeds[1] - speeds[0]) * u**2 / seconds
    hips = np.stack([0.0 * u, 0.9 + 0.0 * u, way], axis=1)
    ends = []
    for side, at in ((0, 0.0), (1, way[-1])):
        states = {}
        for i, foot in enumerate(FEET):
            up = not down[side][i]
            place = np.array([0.1 - 0.2 * i, 0.2 if up else 0.08, at + places[side][i]])
            speed = np.array([0.0, 0.0, 2.0 * speeds[side] if up else 0.0])
            states[foot] = FootState(place, rot.identity(), speed, not up)
        ends.append(states)
    aside = {foot: np.array([0.1 - 0.2 * i, 0.0, 0.0]) for i, foot in enumerate(FEET)}
    return Gap(ends[0], ends[1], dict.fromkeys(FEET, SHAPE), hips, 30.0, aside)


place = st.floats(-0.3, 0.3)
either = st.tuples(st.booleans(), st.booleans())


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.floats(0.0, 2.5), st.floats(0.0, 2.5)),
    st.floats(0.4, 1.3),
    st.tuples(st.tuples(place, place), st.tuples(place, place)),
    st.tuples(either, either),
)
def test_feet_stand_or_swing_and_are_where_they_were_and_shall_be(speeds, seconds, places, down):
    gap = gap_of(speeds, seconds, places, down)
    plan = plan_footsteps(gap)
    if plan is None:
        return
    for foot, way in plan[0].items():
        np.testing.assert_allclose(way.places[0], gap.start[foot].place)
        np.testing.assert_allclose(way.places[-1], gap.stop[foot].place)
        assert np.isfinite(way.places).all()
        # Balls of feet that stand stay, but for those that stand a hair off in the end.
        balls = way.places + rot.rotate(way.turns, SHAPE.ball)
        stays = way.down[1:] & way.down[:-1]
        slip = np.linalg.norm(np.diff(balls, axis=0)[:, [0, 2]], axis=1)[stays]
        assert slip.sum() < 0.03


def test_a_step_from_a_stand_leaves_one_foot_on_the_ground():
    gap = gap_of((0.0, 1.3), 0.9, ((0.0, 0.0), (0.25, -0.25)), ((True, True), (True, True)))
    plan = plan_footsteps(gap)
    down = np.stack([way.down for way in plan[0].values()])
    assert down.any(axis=0).all()
    assert (~down).any(axis=1).all()


def test_a_walk_that_is_to_stand_in_its_end_does_so_where_it_ended(stage, few):
    walk = piece_of(few, "walk_1.1", 50, 140)
    assert not state_of(stage, walk).stands
    made = stand_in_the_end(stage, walk)
    assert made.motion.n_frames == walk.motion.n_frames
    state = state_of(stage, made)
    assert state.stands
    assert all(state.stands_on(foot) for foot in FEET)
    there = stage.posed(walk.motion[-1:]).hips[0, [0, 2]]
    np.testing.assert_allclose(state.tail.hips[-1, [0, 2]], there, atol=0.02)
    np.testing.assert_allclose(made.motion.rotations[0], walk.motion.rotations[0])
    assert creep(few, made.motion, made.contacts.down).mean() < 0.12
    assert any("comes to stand" in note for note in made.notes)
    short = walk.cut(0, 40)
    assert stand_in_the_end(stage, short) is short


@pytest.fixture
def hard_begins(monkeypatch):
    """A function that lets all begins that are tried at first push the hips as hard as is told."""

    def make(push, others=None, **plain):
        found = []

        def join(stage, pieces, hardness, over):
            piece = pieces[1]
            usual = {"acceleration": 0.1, "push": 0.1, "apart": 0.0, "skate": 0.0, "steps": 0}
            facts = {**usual, "before": "a", "after": "b", "frame": 29, "seconds": over}
            if not piece.filled:
                return Join(**{**facts, **plain})
            found.append(piece.filled)
            tried = repair.TRIED + len(repair.FREELY)
            is_first = piece.filled in found[:tried]
            filled = piece.filled / stage.fps
            return Join(**{**facts, "push": push if is_first else others, "filled": filled})

        monkeypatch.setattr(repair, "_join", join)
        return found

    return make


def test_begins_of_other_lengths_are_tried_where_the_likeliest_are_too_hard(
    stage, few, hard_begins
):
    stand = piece_of(few, "stand", 0, 30)
    walk = after(few, stand, "walk_1.6", 80, 140)
    found = hard_begins(1.6, others=1.0, skate=50.0)
    made = hand_over(stage, stand, walk, 0.4, ("a", "b"))
    assert made.filled not in {0, *found[: repair.TRIED + len(repair.FREELY)]}
    found = hard_begins(1.0, skate=50.0)
    hand_over(stage, stand, walk, 0.4, ("a", "b"))
    assert len(found) == repair.TRIED + len(repair.FREELY) + 1


def test_a_join_within_the_limit_is_not_given_up_for_one_beyond_it(stage, few, hard_begins):
    stand = piece_of(few, "stand", 0, 30)
    walk = after(few, stand, "walk_1.6", 80, 140)
    hard_begins(1.6, others=1.6, acceleration=1.4, apart=300.0)
    assert hand_over(stage, stand, walk, 0.4, ("a", "b")) is walk
