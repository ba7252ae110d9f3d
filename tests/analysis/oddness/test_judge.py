"""Motion judged by captured motion, and what was learned of it in a file."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.judge import fit_judge
from motionloom.analysis.judge_store import KeptNaturalness, load_naturalness, save_naturalness
from motionloom.analysis.oddness import CHECKS, fit_motion_judge
from motionloom.analysis.verdicts import (
    judge_clips,
    report_verdicts,
    write_curves,
)
from motionloom.errors import FormatError, InvalidInputError
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.spaces import fit_pose_space
from stored_files import rewrite
from walkers import make_lively_walker


@pytest.fixture(scope="module")
def walks():
    return [make_lively_walker(60, i) for i in range(8)]


@pytest.fixture(scope="module")
def movement(walks):
    return fit_motion_judge([pose_motion(w) for w in walks], seed=2)


@pytest.fixture(scope="module")
def kept(walks, movement):
    space = fit_pose_space(walks)
    judge = fit_judge(space, seed=2, names=[w.name for w in walks])
    return KeptNaturalness(space, judge.models[-1], 2, "clips", judge, movement)


def popped(motion, frame=40, joint=2):
    rotations = motion.rotations.copy()
    turn = rot.from_rotvec([0.0, 0.0, np.radians(25.0)])
    rotations[frame, joint] = rot.multiply(rotations[frame, joint], turn)
    return replace(motion, rotations=rotations, name="popped")


def test_a_jump_is_found_with_its_joint_and_time(movement):
    motion = popped(make_lively_walker(70, 20))
    verdict = movement.judge(pose_motion(motion))
    plain = movement.judge(pose_motion(make_lively_walker(70, 20)))
    assert verdict.scores["pops"] > plain.scores["pops"]
    pops = [m for m in verdict.worst if m.check == "pops"]
    assert pops[0].part == motion.skeleton.names[2]
    assert pops[0].time == pytest.approx(40 / 30.0, abs=0.1)
    assert pops[0].words == CHECKS["pops"].words_of(1.0, pops[0].part)
    assert pops[0].begin <= 40 / 30.0 + 0.1
    assert pops[0].end >= 40 / 30.0 - 0.1
    assert pops[0].end - pops[0].begin < 0.5


def test_a_verdict_lies_in_its_interval_and_worst_come_first(movement):
    verdict = movement.judge(pose_motion(popped(make_lively_walker(70, 21))), worst=5)
    assert verdict.low <= verdict.oddness <= verdict.high
    first = {}
    for m in verdict.worst:
        first.setdefault(m.check, m.evidence)
        assert m.evidence <= first[m.check]
        assert 0 <= m.begin <= m.time <= m.end <= 71 / 30
    assert list(first.values()) == sorted(first.values(), reverse=True)
    assert all(len(c) == len(verdict.times) for c in verdict.curves.values())
    assert "frozen" not in verdict.curves  # this body has no arms


def test_what_goes_on_is_told_once_and_other_checks_are_heard(movement):
    motion = make_lively_walker(90, 22)
    shake = rot.from_rotvec(
        np.random.default_rng(1).normal(0, 0.1, (*motion.rotations.shape[:2], 3))
    )
    shaken = replace(motion, rotations=rot.multiply(motion.rotations, shake))
    verdict = movement.judge(pose_motion(shaken), worst=4)
    noise = [m for m in verdict.worst if m.check == "noise"]
    assert len(noise) == 1
    assert noise[0].begin < 0.5
    assert noise[0].end > 2.5
    assert noise[0].when.startswith("from 0.")
    assert len({m.check for m in verdict.worst}) > 1


def test_more_faults_are_more_evidence(movement):
    plain = make_lively_walker(90, 24)
    once = popped(plain)
    back = replace(once, rotations=once.rotations[::-1], translations=once.translations[::-1])
    found = [movement.judge(pose_motion(m)).evidence for m in (plain, once, back)]
    assert found[0] < found[1] < found[2]


def test_few_groups_guarantee_little(movement):
    groups = len({name.partition("@")[0] for name in movement.names})
    assert 1 / (groups + 1) <= movement.by_chance <= 1
    verdict = movement.judge(pose_motion(make_lively_walker(60, 25)))
    assert verdict.by_chance == movement.by_chance


def test_what_stands_still_is_not_said_to_run_backwards(movement):
    walk = make_lively_walker(90, 22)
    order = CHECKS["order"]
    said = {}
    for name, frames in (("back", range(89, -1, -1)), ("still", [30] * 90)):
        at = list(frames)
        motion = replace(
            walk, rotations=walk.rotations[at], translations=walk.translations[at], name=name
        )
        verdict = movement.judge(pose_motion(motion), worst=30)
        said[name] = {m.words for m in verdict.worst if m.check == "order"}
    assert said == {"back": {order.words}, "still": {order.below}}


def test_a_capture_is_judged_by_the_model_without_it(movement, walks):
    posed = pose_motion(walks[3])
    piece = movement.names.index(walks[3].name)
    verdict = movement.judge(posed, walks[3].name)
    own = [verdict.scores[name] for name in movement.checks]
    assert np.allclose(own, movement.scores[piece])
    assert not np.allclose(own, [movement.judge(posed).scores[n] for n in movement.checks])


def test_place_and_heading_do_not_count(movement):
    motion = make_lively_walker(60, 30)
    there = motion.transformed(GroundTransform(1.3, 4.0, -2.0))
    here, elsewhere = (movement.judge(pose_motion(m)) for m in (motion, there))
    for name, value in here.scores.items():
        assert elsewhere.scores[name] == pytest.approx(value, abs=1e-6)


def test_slower_clips_are_judged_without_checks_of_single_frames(movement):
    verdict = movement.judge(pose_motion(make_lively_walker(60, 9).every(2)))
    assert not {"pops", "noise", "gap"} & set(verdict.curves)
    assert "order" in verdict.curves


def test_too_short_and_too_few(movement, walks):
    assert movement.judge(pose_motion(walks[0].cut(0, 8))) is None
    with pytest.raises(InvalidInputError, match="at least 4 captured clips"):
        fit_motion_judge([pose_motion(w) for w in walks[:3]])


def test_what_cannot_be_judged_is_refused_in_one_sentence(walks):
    still = [replace(w, rotations=np.tile(w.rotations[:1], (60, 1, 1))) for w in walks[:4]]
    with pytest.raises(InvalidInputError, match="joints turn, and none does"):
        fit_motion_judge([pose_motion(w) for w in still])
    roles = pose_motion(walks[0]).roles
    joints = {r: j for r, j in roles.joints.items() if r != "right_hip"}
    with pytest.raises(InvalidInputError, match="left and right"):
        fit_motion_judge([PosedMotion(w, replace(roles, joints=joints)) for w in walks[:4]])


def test_long_takes_are_learned_from_in_pieces():
    take = pose_motion(make_lively_walker(1000, 1))
    judge = fit_motion_judge([take])
    assert len(judge.names) == 5
    assert judge.names[1] == "walk_1@200"
    assert len(set(judge.fold.tolist())) == 5
    assert judge.part_of("walk_1") is None  # its pieces are in several parts


def test_what_is_read_judges_as_what_was_written(kept, tmp_path):
    save_naturalness(kept, tmp_path / "a.npz")
    again = load_naturalness(tmp_path / "a.npz")
    posed = pose_motion(popped(make_lively_walker(70, 22)))
    fresh, read = kept.motion.judge(posed), again.motion.judge(posed)
    assert (read.oddness, read.low, read.high) == (fresh.oddness, fresh.low, fresh.high)
    assert read.worst == fresh.worst


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda head, a: a.pop("motion/models/*/order"), "is missing"),
        (lambda head, a: a.update({"motion/body/balance/mean": np.zeros(3)}), "has shape"),
        (lambda head, a: a["motion/body/moving"].fill(99), "other joints"),
        (lambda head, a: a["motion/fold"].fill(0), "a part has no captures"),
        (lambda head, a: a["motion/body/flow/spread"].fill(0), "expected at least"),
        (lambda head, a: head["motion"].update(checks=["x"] * 9), "expected|other checks"),
    ],
)
def test_damage_is_refused(kept, tmp_path, change, what):
    file = tmp_path / "a.npz"
    save_naturalness(kept, file)
    with pytest.raises(FormatError, match=what) as caught:
        load_naturalness(rewrite(file, tmp_path / "bad.npz", change))
    assert "has to be learned again" in str(caught.value)


def test_two_judgements_are_printed_kept_and_drawn(kept, walks, tmp_path):
    odd = popped(make_lively_walker(70, 23))
    verdicts = judge_clips(kept.judge, [odd, walks[0]], movement=kept.motion)
    text = report_verdicts(verdicts).to_text()
    assert "Odd pose or style, and odd motion" in text
    assert f"pops: {odd.skeleton.names[2]} jumps for a moment, at 1.3 s" in text
    assert "% of the clips may be called odd by chance" in text
    rows = json.loads(report_verdicts(verdicts).to_json())
    assert rows[0]["odd_motion"]["oddness"] == verdicts[0].motion.oddness
    low, high = rows[0]["odd_motion"]["interval"]
    assert low <= rows[0]["odd_motion"]["oddness"] <= high
    assert rows[1]["odd_pose"]["odd"] in (True, False)
    write_curves(kept.judge, verdicts, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_judge_of_motion_only_poses_are_judged(kept, walks):
    verdicts = judge_clips(kept.judge, walks[:1])
    report = report_verdicts(verdicts, "because")
    assert "as odd  not judged\n" in report.to_text()
    assert "motion is not judged: because" in report.to_text()
    assert json.loads(report.to_json())[0]["odd_motion"] is None
