"""What was learned of naturalness, kept in a file."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.analysis.judge import fit_judge
from motionloom.analysis.judge_store import KeptNaturalness, load_naturalness, save_naturalness
from motionloom.errors import FormatError
from motionloom.spaces import fit_pose_space, save_pose_space
from stored_files import rewrite
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
    ("change", "what"),
    [
        (lambda head, a: a.pop("models/*/gaussian/means"), "is missing"),
        (lambda head, a: a.update({"judge/fold": np.array([0, 1, 9])}), "parts are not of its"),
        (lambda head, a: a.update({"judge/fold": np.array([0, 1])}), "has shape"),
        (lambda head, a: a["models/*/gaussian/factors"].__imul__(-1), "none of Gaussians"),
        (lambda head, a: a["models/*/gaussian/log_weights"].fill(1), "expected at most"),
        (lambda head, a: head.update(models=head["models"][:1]), "more than its head says"),
        (lambda head, a: head.update(models=head["models"][:2]), "more than its head says"),
        (lambda head, a: head.update(models=head["models"] * 9), "not what its head says"),
        (lambda head, a: head["judge"].update(names=["a"]), "names other captures"),
        (lambda head, a: head.update(seed="x"), "seed"),
        (lambda head, a: head.pop("why"), "other fields"),
    ],
)
def test_damage_is_refused(file, tmp_path, change, what):
    out = rewrite(file, tmp_path / "bad.npz", change)
    with pytest.raises(FormatError, match=what) as caught:
        load_naturalness(out)
    assert "has to be learned again" in str(caught.value)
