"""A shot while it is edited: what previews, searches and the finished shot have in common."""

import json
import random
from dataclasses import replace
from itertools import count, pairwise

import numpy as np
import pytest

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import analyse_clips
from motionloom.errors import MotionloomError, UnknownNameError
from motionloom.io.kept import KeptFolder
from motionloom.posed_motion import PosedMotion
from motionloom.progress import silent
from motionloom.shot import Stage, make_shot, parse_shot
from motionloom.shot.live import _stages as live_stages
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.live.live import BETTER, Cancelled, LiveShot
from motionloom.shot.plan.checking import plan_of
from motionloom.shot.spans import _walk as walk
from motionloom.shot.stage import Methods, Place

FIELDS = {
    "shot": 1,
    "fps": 30,
    "seed": 7,
    "cast": {"anna": {}},
    "tracks": {
        "anna": [
            {"id": "go", "do": "walk", "to": [0.5, 2.0], "facing": 0, "for": 3.0},
            {"id": "wait", "do": "idle", "for": 2.0},
            {"id": "wave", "do": "clip", "clip": "reach_right_high", "to": 1.5},
            {
                "id": "hand",
                "do": "reach",
                "joint": "right_hand",
                "target": [0.3, 1.2, 2.4],
                "at": "wait.start+1",
            },
        ]
    },
}


#: So long that what is compiled and loaded by the first search does not cut it short, seconds.
BUDGET = 0.6


@pytest.fixture(scope="module")
def analysed(performed):
    return analyse_clips(performed)


@pytest.fixture(scope="module")
def learned():
    """What methods have learned, once for all tests."""
    return Methods()


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A function that reads a shot with some fields of its spans changed."""
    folder = tmp_path_factory.mktemp("shots")

    def make(**spans):
        fields = json.loads(json.dumps(FIELDS))
        for span in fields["tracks"]["anna"]:
            span.update(spans.get(span["id"], {}))
        return parse_shot(json.dumps(fields), folder / "shot.json")

    return make


@pytest.fixture(scope="module")
def stages(analysed, learned):
    """Opens the stages of a file."""

    def make(file, progress=None):
        return {"anna": Stage(file, analysed, BUDGET, methods=learned)}

    return make


@pytest.fixture(scope="module")
def edited(stages, read):
    """A shot that was made once."""
    live = LiveShot(None, stages)
    live.final(read())
    return live


def same(a, b):
    return all(
        a.motions[who].rotations.tobytes() == b.motions[who].rotations.tobytes()
        and a.motions[who].translations.tobytes() == b.motions[who].translations.tobytes()
        for who in a.motions
    )


def steps_of(motion, analysed):
    """Largest way of a joint in every frame, metres."""
    places = PosedMotion(motion, analysed.roles).positions
    return np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=1)


def test_the_finished_shot_is_that_of_the_command_line(edited, stages, read):
    file = read()
    own = stages(file)
    made = make_shot(plan_of(file, own), own)
    assert same(edited.final(file), made)


def test_a_preview_of_what_has_not_changed_is_what_is_shown(edited, read):
    final = edited.final(read())
    preview = edited.preview(read())
    assert same(preview, final)
    assert preview.bent == ()


def test_a_moved_goal_is_met_at_once_and_only_marked(edited, read, analysed):
    edited.final(read())
    goal = [0.9, 2.3]
    preview = edited.preview(read(go={"to": goal}))
    motion = preview.motions["anna"]
    body = PosedMotion(motion, analysed.roles).body
    assert np.linalg.norm(body[90, :2] - goal) < 0.03
    assert ("anna", "go") in preview.bent
    assert preview.report is None
    # Nothing jumps where frames of two motions meet.
    before = steps_of(edited.final(read()).motions["anna"], analysed)
    assert steps_of(motion, analysed).max() < 1.5 * before.max()


def test_a_moved_hand_changes_only_frames_around_it(edited, read, analysed):
    final = edited.final(read()).motions["anna"]
    target = [0.3, 1.3, 2.35]
    preview = edited.preview(read(hand={"target": target}))
    motion = preview.motions["anna"]
    changed = np.flatnonzero(np.abs(motion.rotations - final.rotations).max(axis=(1, 2)) > 1e-9)
    first, last = changed[[0, -1]]
    assert 60 <= first < 120 <= last < 196
    hand = analysed.roles.joints["right_hand"]
    at = PosedMotion(motion, analysed.roles).positions[120, hand]
    assert np.linalg.norm(at - target) < 0.02
    np.testing.assert_allclose(motion.rotations[:first], final.rotations[:first], atol=1e-9)


def test_a_longer_wait_moves_what_follows_in_time(edited, read):
    final = edited.final(read()).motions["anna"]
    preview = edited.preview(read(wait={"for": 2.5}))
    motion = preview.motions["anna"]
    assert motion.n_frames == final.n_frames + 15
    # The clip at the end is the same one, moved over the ground.
    np.testing.assert_allclose(motion.rotations[-10:, 1:], final.rotations[-10:, 1:], atol=0.05)


def test_searches_give_only_better_ones_and_confirm(edited, read):
    edited.final(read())
    file = read(go={"to": [0.8, 1.8]})
    shown = edited.preview(file)
    assert shown.bent
    found = list(edited.search(file))
    assert found
    assert all(one.bent == () and one.report is not None for one in found)
    scores = [one.score for one in found]
    assert all(b < a - BETTER for a, b in pairwise(scores))
    assert scores[0] <= shown.score + 1e-9
    report = found[-1].report["anna"]
    assert len(report.series.error) == found[-1].motions["anna"].n_frames
    assert {key.span for key in report.keys} == {"go", "hand"}
    assert all(key.error < 30 for key in report.keys)
    assert {piece.span for piece in report.pieces} >= {"go", "wave"}


def test_what_is_cancelled_leaves_everything_as_it_was(edited, read):
    final = edited.final(read())
    file = read(go={"to": [1.0, 1.6]})
    for most in (0, 1, 3, 8):
        calls = count()
        with pytest.raises(Cancelled):
            list(edited.search(file, 0.1, lambda calls=calls, most=most: next(calls) >= most))
    assert same(edited.preview(read()), final)


def test_after_many_edits_the_finished_shot_is_the_same_as_made_fresh(stages, read):
    live = LiveShot(None, stages)
    live.final(read())
    draw = random.Random(3)
    edits = {}
    for _ in range(50):
        change = draw.choice(
            [
                {"go": {"to": [round(draw.uniform(-1, 1), 2), round(draw.uniform(1.5, 3), 2)]}},
                {"go": {"facing": draw.choice([-45, 0, 45])}},
                {"wait": {"liveliness": round(draw.uniform(0, 2), 1)}},
                {"wait": {"for": draw.choice([1.5, 2.0, 2.5])}},
                {"hand": {"target": [0.3, round(draw.uniform(1.0, 1.4), 2), 2.4]}},
                {"wave": {"to": draw.choice([1.0, 1.5])}},
            ]
        )
        for span, fields in change.items():
            edits.setdefault(span, {}).update(fields)
        shown = live.preview(read(**edits))
        assert np.isfinite(shown.motions["anna"].rotations).all()
        assert isinstance(shown.contacts["anna"], FootContacts)
        assert len(shown.contacts["anna"].down) == shown.motions["anna"].n_frames
    file = read(**edits)
    own = stages(file)
    assert same(live.final(file), make_shot(plan_of(file, own), own))


def test_pieces_in_the_folder_are_those_of_the_command_line(stages, read, tmp_path):
    file = read()
    own = stages(file)
    made = make_shot(plan_of(file, own), own, KeptFolder(tmp_path))
    live = LiveShot(KeptFolder(tmp_path), stages)
    shown = live.preview(file)
    assert shown.bent == ()
    final = live.final(file)
    assert same(final, made)
    assert all(span.kept for span in final.report["anna"].spans if span.name != "hand")


def test_alternatives_are_chosen_by_their_seed(edited, read):
    edited.final(read())
    others = edited.alternatives(read(), "anna", "go", 3)
    assert len({one.seed for one in others}) == 3
    assert [one.is_shown for one in others].count(True) == 1
    assert [one.score for one in others] == sorted(one.score for one in others)
    chosen = next(one for one in others if not one.is_shown)
    preview = edited.preview(read(go={"seed": chosen.seed}))
    assert ("anna", "go") not in preview.bent
    with pytest.raises(UnknownNameError, match="there are go, wait, wave"):
        edited.alternatives(read(), "anna", "nothing")


def test_wrong_files_are_told_with_their_line_and_change_nothing(edited, read):
    final = edited.final(read())
    with pytest.raises(MotionloomError, match="no_such_clip"):
        edited.preview(read(wave={"clip": "no_such_clip"}))
    assert same(edited.preview(read()), final)


def test_a_search_that_keeps_what_is_bent_tells_its_problems(stages, read, monkeypatch):
    def bent(self, fitted, asked, planned):
        return fitted.generate(asked, budget=0.05, count=1)[0]

    file = read()
    own = stages(file)
    stage = LiveStage.of(own["anna"], file, silent)
    stage.trial = 0.05
    monkeypatch.setattr(LiveStage, "_bent", bent)
    scores = count()
    monkeypatch.setattr(live_stages, "score_of", lambda made: next(scores))
    monkeypatch.setattr("motionloom.synthesis.report.faults_of", lambda *_: ("feet slide",))
    go = plan_of(file, own).tracks["anna"][0]
    assert (
        "feet slide" in walk.make(stage, replace(go, following=""), Place((0.0, 0.0), 0.0)).problems
    )


def test_naturalness_is_told_once_of_what_was_searched_for_and_never_of_a_preview(stages, read):
    live = LiveShot(None, stages)
    file = read()
    live.preview(file)
    assert live.naturalness() is None
    found = list(live.search(file, 0.1))[-1]
    with pytest.raises(Cancelled):
        live.naturalness(lambda: True)
    odd = live.naturalness()
    assert odd["anna"].values.shape == (found.motions["anna"].n_frames,)
    assert live.naturalness() is None
    live.preview(read(go={"to": [0.6, 2.1]}))
    assert live.naturalness() is None
