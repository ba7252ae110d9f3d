"""The calls of `motionloom`: places and plain values in, motion, report and files out."""

import json
import warnings

import numpy as np
import pytest

import motionloom as ml
from motionloom.clips import make_clip_set
from motionloom.constraints import ConstraintSet
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.result import Learned, Result
from motionloom.posed_motion import pose_motion

AHEAD = {
    "duration": 3.0,
    "body": [{"time": 0.0, "position": [0, 0]}, {"time": 3.0, "position": [0, 2.5]}],
}

REACH = {"joints": [{"joint": "right_hand", "position": [-0.2, 1.2, 0.4]}]}


@pytest.fixture
def clips(demo_folder):
    return demo_folder / "clips"


@pytest.mark.usefixtures("little_work")
def test_clips_and_constraints_may_be_named_plain_or_loaded(clips, tmp_path):
    names = [clips / "walk_1.1.bvh", clips / "stand.bvh"]
    loaded = [ml.load(name) for name in names]
    wish = tmp_path / "wish.json"
    wish.write_text(json.dumps(AHEAD))
    ways = [
        (names, AHEAD),
        (loaded, ConstraintSet(**AHEAD)),
        ([loaded[0], str(names[1])][::-1], str(wish)),
        (make_clip_set(loaded, 30.0), wish),
    ]
    made = [ml.synthesize(given, asked, seed=3, budget=0.1) for given, asked in ways]
    assert made[0].motion.n_frames == 91
    assert np.array_equal(made[0].motion.rotations, made[1].motion.rotations)
    assert np.array_equal(made[0].motion.rotations, made[3].motion.rotations)
    assert all(one.report.generator == "graph" for one in made)


def test_a_folder_says_what_it_leaves_out(clips, tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    (folder / "stand.bvh").write_bytes((clips / "stand.bvh").read_bytes())
    (folder / "notes.txt").write_text("no motion")
    with pytest.warns(UserWarning, match="1 file that is no motion") as caught:
        ml.idle.fit(folder)
    assert caught[0].filename == __file__, "the warning names the line that called"


def test_an_edit_lifts_the_hand_and_nothing_else_is_said(clips):
    lift = {"time": 1.0, "joint": "right_hand", "shift": [0.0, 0.1, 0.0]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = ml.edit(clips / "stand.bvh", {"joints": [lift]})
    hand = result.motion.skeleton.index("RightHand")
    before = pose_motion(ml.load(clips / "stand.bvh")).positions[30, hand]
    moved = pose_motion(result.motion).positions[30, hand] - before
    assert np.allclose(moved, [0, 0.1, 0], atol=2e-3)
    assert result.problems == ()


def test_several_motions_are_saved_as_a_scene_or_in_a_folder(clips, tmp_path):
    names = ("reach_right_low", "reach_right_high")
    result = ml.retarget([clips / f"{name}.bvh" for name in names], to="performer:1.5")
    assert list(result.motions) == list(names)
    with pytest.raises(InvalidInputError, match="2 motions"):
        _ = result.motion
    result.save(tmp_path / "small")
    assert {path.stem for path in (tmp_path / "small").iterdir()} == set(names)
    with pytest.raises(InvalidInputError, match=r"out\.bvh: 2 motions are saved as \.glb"):
        result.save(tmp_path / "out.bvh")
    assert not (tmp_path / "out.bvh").exists()


def test_a_robot_is_saved_as_robots_read_it(clips, tmp_path):
    from motionloom.robots import example_robot

    model = tmp_path / "robot.xml"
    model.write_text(example_robot())
    result = ml.retarget(clips / "stand.bvh", to=model, fps=20)
    result.save(tmp_path / "stand.csv")
    rows = np.loadtxt(tmp_path / "stand.csv", delimiter=",")
    assert rows.shape == (result.motion.n_frames, 7 + 29)


@pytest.mark.parametrize(
    ("fit", "names"),
    [("gait", ["walk_1.1.bvh"]), ("idle", ["stand.bvh"]), ("model", ["reach_right_*.bvh"])],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_is_learned_makes_the_same_from_its_file(fit, names, clips, tmp_path):
    module = getattr(ml, fit)
    learned = module.fit([clips / name for name in names])
    assert isinstance(learned, Learned)
    learned.save(tmp_path / "model.npz")
    told = {
        "gait": {"speed": 1.2, "seconds": 1.0},
        "idle": {"seconds": 1.0},
        "model": {
            "constraints": REACH,
            "at": "hold",
        },
    }[fit]
    given = [learned, learned.model, tmp_path / "model.npz"]
    made = [module.make(model, **told).motion.rotations for model in given]
    assert np.array_equal(made[0], made[1])
    assert np.allclose(made[0], made[2], atol=1e-3)
    with pytest.raises(InvalidInputError, match=r"ends in \.npz"):
        learned.save(tmp_path / "model.bvh")


def test_results_are_what_they_say(clips):
    walk = ml.load(clips / "walk_1.1.bvh")
    result = ml.inbetween([walk[:20], walk[35:60]], frames=15)
    assert isinstance(result, Result)
    assert np.allclose(result.motion.rotations[:20], walk.rotations[:20], atol=1e-9)
    assert result.report.gaps[0].missing == 15
    assert "no problems" in repr(result)


def test_steps_down_may_be_plain_values(clips):
    stairs = {"shape": "stairs", "start": [0.0, 1.5], "rise": -0.17, "tread": 0.3, "steps": 3}
    result = ml.physics.correct(clips / "walk_1.1.bvh", ground=[stairs])
    last = pose_motion(result.motion).hips[-1, 1] - pose_motion(result.motion).hips[0, 1]
    assert last == pytest.approx(-0.51, abs=0.05)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda c: ml.synthesize([], AHEAD), "expected motions, or names of files"),
        (lambda c: ml.synthesize(3, AHEAD), r"got \[3\]"),
        (lambda c: ml.synthesize(c, [1]), "expected a file, its fields as a mapping"),
        (lambda c: ml.synthesize(c, {"duration": "x"}), "^duration: expected a number"),
        (lambda c: ml.synthesize(c, AHEAD, generator="idle", blend="x"), "^blend: not for"),
        (lambda c: ml.synthesize("nowhere", AHEAD), "nowhere: no such file"),
        (lambda c: ml.edit(c / "stand.bvh"), "say what is to be edited"),
        (lambda c: ml.edit(c, {"joints": []}), "expected one motion, got 24"),
        (lambda c: ml.edit(c / "stand.bvh", {"fps": 60, "joints": []}), "^fps: an edit keeps"),
        (lambda c: ml.pose(c / "stand.bvh", REACH, start="up"), "expected standing or zero"),
        (lambda c: ml.retarget(c / "stand.bvh", "performer", fps=30), "leave fps out"),
        (lambda c: ml.inbetween([c / "stand.bvh"], frames=3), "at least two pieces"),
        (lambda c: ml.shot({"duration": 1.0}), "a shot has tracks"),
        (lambda c: ml.gait.make(3, speed=1.0, seconds=1.0), "expected a GaitSpace"),
        (lambda c: ml.gait.stream(c / "stand.bvh"), "not a gait space"),
        (lambda c: ml.idle.make(c / "stand.bvh", 1.0), "no idle model|not an? idle"),
        (lambda c: ml.markers.fit(c / "stand.bvh"), "holds the motion of a skeleton"),
        (lambda c: ml.physics.correct(c / "stand.bvh", slower=2.0), "^slower: "),
        (lambda c: ml.physics.report(c / "stand.bvh", plates="x.mot"), "x.mot: no such file"),
    ],
)
def test_wrong_input_is_one_sentence(call, sentence, clips):
    with pytest.raises(MotionloomError, match=sentence) as caught:
        call(clips)
    assert isinstance(caught.value, (FormatError, InvalidInputError))
    assert "\n" not in str(caught.value)
