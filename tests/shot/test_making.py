"""Shots made of the built-in performer: every kind of span, joined, kept and laid over."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.edit.retarget import fit_role_frames
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform, Source
from motionloom.performer import make_performer
from motionloom.posed_motion import PosedMotion
from motionloom.shot import Stage, make_shot, plan_shot
from motionloom.shot._keeping import key_of
from motionloom.shot.joining import LEAST_ACCELERATION, join_pieces
from motionloom.shot.stage import AnotherBody, Methods, Piece, Place


@pytest.fixture(scope="module")
def keep(tmp_path_factory):
    return tmp_path_factory.mktemp("pieces")


@pytest.fixture
def make(shot_file, length_of, analysed, learned):
    """A function that makes the shot, perhaps changed, with pieces of a folder."""
    from shot.conftest import TEXT

    def made(folder=None, change=lambda text: text, body=None, learned=learned):
        file = shot_file(change(TEXT))
        plan = plan_shot(file, length_of(file))
        stage = Stage(file, analysed, budget=0.3, body=body, methods=learned)
        kept = None if folder is None else KeptFolder(folder)
        return make_shot(plan, {"anna": stage}, kept)

    return made


def test_every_span_is_made_and_joined(make, analysed, keep):
    made = make(keep)
    motion = made.motions["anna"]
    report = made.report.characters["anna"]
    assert motion.n_frames == 235
    assert made.report.problems == ()
    assert [span.kind for span in report.spans] == [
        "clip",
        "idle",
        "clip",
        "between",
        "gait",
        "reach",
    ]
    # The hand is where it was asked to be, measured anew.
    posed = PosedMotion(motion, analysed.roles)
    hand = posed.positions[60, analysed.roles.joints["right_hand"]]
    np.testing.assert_allclose(hand, [0.2, 1.2, 0.5], atol=1e-3)
    # Nothing jumps, at joins neither.
    steps = np.linalg.norm(np.diff(posed.positions, axis=0), axis=-1).max(axis=1) * motion.fps
    assert steps.max() < 6.0
    assert all(join.is_soft for join in report.joins)


def test_eyes_look_at_the_point(make, analysed):
    text = (
        "shot: 1\nlibrary: clips\ncast: {anna: {}}\ntracks:\n  anna:\n"
        "    - {id: stand, do: clip, clip: stand, to: 2.0}\n"
        "    - {id: look, do: reach, joint: gaze, target: [1.5, 1.5, 1.5], at: 1.0}\n"
    )
    made = make(change=lambda _: text)
    plain = make(change=lambda _: text.rsplit("    -", 1)[0])
    look = made.report.characters["anna"].spans[-1]
    assert look.rows == ("gaze at 1.00 s: 0.0 degrees off",)
    head = analysed.roles.joints["head"]
    turned, before = (PosedMotion(m.motions["anna"], analysed.roles) for m in (made, plain))
    angle = rot.angle_between(turned.rotations[30, head], before.rotations[30, head])
    assert np.degrees(angle) > 20
    np.testing.assert_array_equal(turned.rotations[0], before.rotations[0])


def test_one_changed_span_re_makes_no_other(make, keep):
    make(keep)
    made = make(keep, lambda text: text.replace("speed: 1.3", "speed: 1.0"))
    kept = {span.name: span.kept for span in made.report.characters["anna"].spans}
    assert kept == {
        "stand": True,
        "stop": True,
        "wave": True,
        "pose": True,
        "away": False,
        "hand": False,
    }


def test_the_same_shot_gives_the_same_bytes_kept_or_not(make, keep):
    kept = make(keep).motions["anna"]
    fresh = make(learned=Methods()).motions["anna"]
    assert kept.rotations.tobytes() == fresh.rotations.tobytes()
    assert kept.translations.tobytes() == fresh.translations.tobytes()


def test_a_damaged_piece_is_made_again(make, tmp_path):
    make(tmp_path)
    for file in tmp_path.glob("*.kept"):
        file.write_bytes(file.read_bytes()[:-100])
    made = make(tmp_path)
    assert not any(span.kept for span in made.report.characters["anna"].spans)


def test_another_body_does_it_in_the_end(make, analysed, keep):
    own = fit_role_frames([PosedMotion(m, analysed.roles) for m in analysed.clip_set.motions])
    small = make_performer(1.4).skeleton
    body = AnotherBody("small", own, fit_role_frames(small), Source())
    assert body.ratio == pytest.approx(0.8, abs=0.02)
    made = make(body=body)
    motion = made.motions["anna"]
    report = made.report.characters["anna"]
    assert motion.skeleton.matches(small)
    assert "on small, legs 0.80 times as long" in report.body
    assert report.body in made.report.to_text()
    posed = PosedMotion(motion, analysed.roles)
    # Its own hand is where it was asked to be, and its own body where the way leads.
    hand = posed.positions[60, posed.roles.joints["right_hand"]]
    np.testing.assert_allclose(hand, [0.2, 1.2, 0.5], atol=1e-3)
    usual = make(keep).motions["anna"]
    there = PosedMotion(usual, analysed.roles).body[-1, :2]
    np.testing.assert_allclose(posed.body[-1, :2], there, atol=0.15)
    # Contacts are those of its own feet, which rest while they bear.
    contacts = made.contacts["anna"]
    assert contacts.soles.leg == pytest.approx(0.8 * analysed.soles.leg, rel=0.03)
    assert report.quality.skate_mean < 1.5


def test_one_join_has_a_time_of_its_own(make, keep):
    rule = "joins: {default: {over: 0.3}, 'stop->wave': {over: 0.6}}\ncast:"
    made = make(keep, lambda text: text.replace("cast:", rule))
    times = {join.after: join.seconds for join in made.report.characters["anna"].joins}
    assert times["wave"] >= 0.6
    assert times["stop"] == 0.3


def pieces_of(analysed, name, cut, moved=None):
    """A clip as two pieces that share a frame, the second perhaps moved."""
    clips = analysed.clip_set
    clip = clips.names.index(name)
    motion = clips.motions[clip]
    contacts = analysed.contacts[clip]
    second = motion[cut:]
    if moved is not None:
        second = second.transformed(moved)
    return [
        Piece(motion[: cut + 1], type(contacts)(contacts.soles, contacts.down[: cut + 1], 0.0)),
        Piece(second, type(contacts)(contacts.soles, contacts.down[cut:], 0.0)),
    ]


def test_a_clip_cut_in_two_is_joined_to_itself(analysed):
    pieces = pieces_of(analysed, "walk_1.1", 40)
    joined = join_pieces(["a", "b"], pieces, analysed, [0.4])
    clip = analysed.clip_set.names.index("walk_1.1")
    whole = PosedMotion(analysed.clip_set.motions[clip], analysed.roles)
    apart = np.linalg.norm(joined.posed.positions - whole.positions, axis=-1)
    # One frame's acceleration is taken for a change of speed, and dies away.
    assert apart.max() < 0.03
    assert apart[60:].max() < 0.002
    assert joined.joins[0].steps == 0
    assert joined.joins[0].acceleration < 1.4


def test_feet_that_stand_are_not_taken_along_by_what_dies_away(analysed):
    clips = analysed.clip_set
    walk = pieces_of(analysed, "walk_1.6", 30)[0]
    stand = pieces_of(analysed, "stand", 5)[1]
    here = GroundTransform.of_body(PosedMotion(walk.motion[-1:], analysed.roles).body[0])
    there = GroundTransform.of_body(PosedMotion(stand.motion[:1], analysed.roles).body[0])
    moved = stand.motion.transformed(here.compose(there.inverse()))
    assert clips.fps == moved.fps
    joined = join_pieces(["go", "stop"], [walk, Piece(moved, stand.contacts)], analysed, [0.4])
    assert joined.joins[0].is_soft
    assert not joined.joins[0].slides


def test_feet_that_are_to_stand_elsewhere_step_there_one_after_the_other(analysed):
    pieces = pieces_of(analysed, "stand", 60, GroundTransform(0.2, 0.08, 0.1))
    joined = join_pieces(["a", "b"], pieces, analysed, [0.5])
    assert joined.joins[0].steps == 2
    posed = joined.posed
    for foot in ("left_foot", "right_foot"):
        joint = analysed.roles.joints[foot]
        goal = PosedMotion(pieces[1].motion, analysed.roles).positions[-1, joint]
        assert np.linalg.norm(posed.positions[-1, joint] - goal) < 0.03
    up = [~joined.contacts.foot(foot) for foot in ("left_foot", "right_foot")]
    assert up[0].any()
    assert up[1].any()
    assert not np.any(up[0] & up[1])


def test_a_mark_that_no_span_names_moves_alone(make, keep):
    make(keep)
    made = make(keep, lambda text: text.replace("[1.95, 1.1", "[1.9, 1.0"))
    spans = made.report.characters["anna"].spans
    assert all(span.kept for span in spans if span.kind != "reach")


def test_a_model_learned_anew_makes_its_spans_anew(shot_file, length_of, analysed, tmp_path):
    from shot.conftest import TEXT

    file = shot_file(TEXT.replace("do: idle,", "do: idle, model: waits.npz,"))
    planned = plan_shot(file, length_of(file)).tracks["anna"][1]
    stage = Stage(file, analysed)
    keys = set()
    for content in (b"once", b"again"):
        (tmp_path / "waits.npz").write_bytes(content)
        keys.add(key_of(stage, planned, Place((0.0, 0.0), 0.0)))
    assert len(keys) == 2


def test_a_join_is_measured_under_what_lies_over_it(make, analysed):
    text = (
        "shot: 1\nlibrary: clips\ncast: {anna: {}}\ntracks:\n  anna:\n"
        "    - {id: one, do: clip, clip: stand, to: 1.0}\n"
        "    - {id: two, do: clip, clip: stand, from: 1.0, to: 3.0}\n"
        "    - {id: up, do: reach, joint: right_hand, target: [0.0, 1.5, 0.4], at: 1.3}\n"
    )
    made = make(change=lambda _: text)
    below = make(change=lambda _: text.rsplit("    -", 1)[0])
    plain, join = (one.report.characters["anna"].joins[0] for one in (below, made))
    assert made.tracks["anna"].joined.joins == (plain,)
    assert join.acceleration > 2 * plain.acceleration
    posed = PosedMotion(made.motions["anna"], analysed.roles)
    second = np.diff(posed.positions[27:46], 2, axis=0) * 900
    hard = np.percentile(np.linalg.norm(second, axis=-1), 99.5)
    usual = hard / join.acceleration
    assert usual == pytest.approx(LEAST_ACCELERATION, rel=0.01)
