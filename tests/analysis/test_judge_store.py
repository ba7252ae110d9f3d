"""What was learned of naturalness, kept in a file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from motionloom.analysis.judge import fit_judge
from motionloom.analysis.judge_store import KeptNaturalness, load_naturalness, save_naturalness
from motionloom.errors import FormatError
from motionloom.spaces import fit_pose_space, load_pose_space, save_pose_space
from walkers import make_lively_walker


@pytest.fixture(scope="module")
def kept():
    walks = [make_lively_walker(40, i) for i in range(3)]
    space = fit_pose_space(walks)
    judge = fit_judge(space, seed=4, names=("a", "b", "c"))
    return KeptNaturalness(space, judge.models[-1], 4, "clips", judge)


@pytest.fixture
def file(kept, tmp_path):
    save_naturalness(kept, tmp_path / "space.npz")
    return tmp_path / "space.npz"


def change(file, **arrays):
    """The same file with other arrays."""
    with np.load(file) as data:
        content = dict(data)
    for name in list(arrays):
        if arrays[name] is None:
            del content[name], arrays[name]
    np.savez_compressed(file, **content | arrays)


def test_what_is_read_judges_as_what_was_written(kept, file):
    again = load_naturalness(file)
    assert (again.seed, again.key, again.judge.names) == (4, "clips", ("a", "b", "c"))
    poses = kept.space.poses[::3]
    for trial in (None, 0, 2):
        fresh = kept.judge.judge("x", poses, np.arange(float(len(poses))), trial)
        read = again.judge.judge("x", poses, np.arange(float(len(poses))), trial)
        assert read.worst == fresh.worst
        for measure in ("gaussian", "mixture"):
            assert np.array_equal(read.percentiles[measure], fresh.percentiles[measure])
            assert np.array_equal(getattr(read.scores, measure), getattr(fresh.scores, measure))


def test_the_file_is_a_pose_space_still(kept, file):
    assert np.array_equal(load_pose_space(file).poses, kept.space.poses)


def test_models_of_all_captures_alone(kept, tmp_path):
    save_naturalness(KeptNaturalness(kept.space, kept.model), tmp_path / "a.npz")
    again = load_naturalness(tmp_path / "a.npz")
    assert again.judge is None
    poses = kept.space.poses
    assert np.array_equal(again.model.mixture_score(poses), kept.model.mixture_score(poses))


def test_a_pose_space_without_models_has_none(kept, tmp_path):
    save_pose_space(kept.space, tmp_path / "a.npz")
    assert load_naturalness(tmp_path / "a.npz") is None


@pytest.mark.parametrize(
    ("arrays", "what"),
    [
        ({"naturalness/0/gaussian/means": None}, "is missing"),
        ({"naturalness/fold": np.array([0, 1, 9])}, "expected less than 3"),
        ({"naturalness/fold": np.array([0, 1])}, "has shape"),
        ({"naturalness/scores/gaussian": np.zeros(7)}, "has shape"),
        ({"naturalness/1/gaussian/log_weights": np.array([np.nan])}, "not finite"),
        ({"naturalness/1/gaussian/factors": None}, "is missing"),
    ],
)
def test_damage_is_refused(file, arrays, what):
    change(file, **arrays)
    with pytest.raises(FormatError, match=what) as caught:
        load_naturalness(file)
    assert "has to be learned again" in str(caught.value)


def test_a_covariance_that_is_none_is_refused(file):
    name = "naturalness/2/gaussian/factors"
    with np.load(file) as data:
        factors = data[name]
    change(file, **{name: -factors})
    with pytest.raises(FormatError, match="no mixture of Gaussians"):
        load_naturalness(file)


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        ({"motionloom_naturalness": 9}, "version 9, expected 4"),
        ({"folds": 1}, "1 parts of 3"),
        ({"folds": 40}, "40 parts of 3"),
        ({"names": ["a"]}, "names other captures"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_a_head_that_says_something_else_is_refused(file, facts, what):
    with np.load(file) as data:
        head = json.loads(str(data["naturalness"]))
    change(file, naturalness=np.array(json.dumps(head | facts)))
    with pytest.raises(FormatError, match=what):
        load_naturalness(file)
