"""Woven against captured motion, where the truth is known."""

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom_evaluation.critic import (
    CompareOptions,
    Provenance,
    SourcePiece,
    classifiers,
    compare_motions,
    comparison_to_json,
    format_comparison,
    write_comparison,
)
from walkers import SKELETON, make_walker

QUICK = CompareOptions(repeats=1, folds=4, parts=("feet", "upper body"))
LITTLE = replace(QUICK, folds=2, parts=("feet",), least_windows=20)
FEET = [SKELETON.names.index(name) for name in ("LeftLeg", "RightLeg")]


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(classifiers, "TREES", 20)


def takes(n):
    """Walks of one person that begin anywhere in a step."""
    rng = np.random.default_rng(5)
    return [make_walker(120, phase=rng.uniform(0, 6), vary=0.05, name=f"{i}") for i in range(n)]


def shaken(motion, start, stop):
    """The same with shins that tremble for a while."""
    rng = np.random.default_rng(0)
    rotations = motion.rotations.copy()
    own = rotations[start:stop, FEET]
    rotations[start:stop, FEET] = rot.multiply(
        own, rot.from_rotvec(rng.normal(0, 0.03, (*own.shape[:2], 3)))
    )
    return replace(motion, rotations=rotations)


def whole(motion, clip):
    """Provenance of a motion that is one whole clip."""
    return Provenance(motion.fps, (SourcePiece(clip.name, 0, clip.n_frames),))


def mean(by_classifier, name="boosted"):
    return by_classifier[name].mean


def test_captured_motion_is_not_told_from_captured_motion():
    walks = takes(30)
    options = replace(QUICK, parts=("feet",))
    found = compare_motions(walks[:15], walks[15:], options=options)
    assert mean(found.clips.verdicts["feet"].auc) == pytest.approx(0.5, abs=0.15)
    assert mean(found.control["feet"]) == pytest.approx(0.5, abs=0.15)


def test_trembling_feet_are_told_by_the_feet_where_they_tremble():
    walks = takes(12)
    results = [shaken(walk, 30, 75) if i < 6 else walk for i, walk in enumerate(walks)]
    known = [whole(r, w) for r, w in zip(results, walks, strict=True)]
    options = replace(QUICK, giveaways=6, folds=3)
    found = compare_motions(results, walks, provenance=known, sources=True, options=options)
    # Half of the takes tremble for a good third of the time; all else is the same to the bit.
    assert mean(found.sources.verdicts["upper body"].auc) == pytest.approx(0.5, abs=1e-9)
    assert mean(found.sources.verdicts["feet"].auc) > 0.6
    worst = found.giveaways
    assert len(worst) == 6
    assert all(g.motion in "012345" and g.part == "feet" for g in worst)
    assert all(g.end > 1.0 and g.begin < 2.5 and not g.near_seam for g in worst)
    assert all(g.joint in ("LeftFoot", "RightFoot") for g in worst)


def test_feet_that_are_frozen_at_contact_are_told_from_feet_that_creep(performed):
    results = [m.cut(0, min(m.n_frames, 150)) for m in performed.motions if "walk" in m.name][:6]
    creep = [creeping(m, i) for i, m in enumerate(results)]
    known = [whole(m, m) for m in results]
    options = replace(QUICK, parts=("feet", "upper body"), folds=3)
    found = compare_motions(results, creep, provenance=known, sources=True, options=options)
    assert mean(found.sources.verdicts["feet"].auc) > 0.9
    assert mean(found.sources.verdicts["upper body"].auc) == pytest.approx(0.5, abs=1e-9)
    least = next(d for d in found.distributions if d.name.startswith("least toe speed"))
    assert least.woven[1] < 0.1 < least.captured[1]
    assert least.sources == pytest.approx(least.captured)
    assert found.giveaways[0].statistic == "least"
    assert found.giveaways[0].value < found.giveaways[0].captured[0]


def creeping(motion, seed):
    """The same with feet that creep and roll a little, as captured ones do."""
    times = motion.times[:, None] + 10 * seed
    angle = 0.01 * np.sin(9 * times) + 0.006 * np.sin(23 * times + 1)
    legs = [motion.skeleton.names.index(name) for name in ("LeftLeg", "RightLeg")]
    rotations = motion.rotations.copy()
    bend = rot.from_rotvec(np.stack([angle, 0 * angle, 0 * angle], axis=-1))
    rotations[:, legs] = rot.multiply(rotations[:, legs], bend)
    return replace(motion, rotations=rotations)


@pytest.fixture(scope="module")
def woven():
    """Walks, and provenance that says that one of them has a seam in the middle."""
    walks = takes(6)
    pieces = (SourcePiece("0", 0, 60), SourcePiece("1", 60, 120))
    known = [Provenance(30.0, pieces), *(whole(w, w) for w in walks[1:4])]
    return {"results": walks[:4], "captured": walks, "provenance": known, "sources": True}


@pytest.fixture(scope="module")
def found(woven):
    """Their comparison."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classifiers, "TREES", 5)
        return compare_motions(**woven, options=LITTLE)


def test_windows_near_seams_are_judged_apart(found):
    assert found.sources.verdicts["feet"].far
    assert found.sources.woven == found.sources.captured == found.clips.woven


def test_the_same_seed_gives_the_same_report(found, woven, monkeypatch):
    monkeypatch.setattr(classifiers, "TREES", 5)
    again = compare_motions(**woven, options=LITTLE)
    assert comparison_to_json(again) == comparison_to_json(found)


def test_motions_of_other_rates_are_compared_at_the_lowest():
    walks = takes(8)
    quick = [w.resample(1 / 60) for w in walks[:4]]
    assert compare_motions(quick, walks[4:], options=LITTLE).fps == 30


def test_report(found):
    text = format_comparison(found)
    for line in ("results against all clips", "the same frames as captured", "control", "turning"):
        assert line in text
    data = json.loads(comparison_to_json(found))
    assert set(data["sources"]["parts"]) == set(data["control"]) == set(LITTLE.parts)
    names = [d["name"] for d in data["distributions"]]
    assert {"foot_skate_from_height", "foot_skate_ratio", "below the lowest captured"} <= {*names}


def test_picture(found, tmp_path):
    write_comparison(found, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_compared_is_refused_in_one_sentence():
    walks = takes(4)
    with pytest.raises(InvalidInputError, match="at least 4 takes, and the results are of 1"):
        compare_motions(walks[:1], walks[1:], options=QUICK)
    short = [w.cut(0, 40) for w in walks]
    with pytest.raises(InvalidInputError, match=r"at least 30 windows of 0.5 s, .* have"):
        compare_motions(short, walks, options=QUICK)
    with pytest.raises(InvalidInputError, match="which captured frames it shows is not known"):
        compare_motions(walks, walks, sources=True, options=QUICK)
    known = [whole(w, replace(w, name="elsewhere")) for w in walks]
    with pytest.raises(InvalidInputError, match="'elsewhere', which is not among the clips"):
        compare_motions(walks, walks, provenance=known, sources=True, options=QUICK)
    cut = [w.cut(0, 100) for w in walks]
    known = [whole(w, w) for w in walks]
    with pytest.raises(InvalidInputError, match="100 frames, but the report of its pieces 120"):
        compare_motions(cut, walks, provenance=known, options=QUICK)
    big = replace(SKELETON, offsets=3 * SKELETON.offsets)
    with pytest.raises(InvalidInputError, match="3 times as long"):
        compare_motions([replace(w, skeleton=big) for w in walks], walks, options=QUICK)
    with pytest.raises(InvalidInputError, match="parts of the body are feet"):
        CompareOptions(parts=("nose",))
