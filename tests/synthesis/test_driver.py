import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from motionloom import kinematics
from motionloom.constraints import ConstraintSet
from motionloom.errors import UnknownJointError
from motionloom.graph.generator import GraphGeneratorOptions
from motionloom.graph.searching.search import SearchOptions
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.posed_motion import pose_motion
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.faults import LEAST_SKATE, SEAM_LIMIT, SKATE_LIMIT
from motionloom.synthesis.finish import FinishOptions
from motionloom.synthesis.measure import errors_of
from performed import performer_clips

SEARCH = GraphGeneratorOptions(search=SearchOptions(iterations=60_000))
OPTIONS = SynthesisOptions(seed=3, alternatives=2, generator=SEARCH)
WISH = ConstraintSet(
    duration=5.0,
    fps=30.0,
    body=[
        {"time": 0.0, "position": (0.0, 0.0), "facing": 0},
        {"time": 5.0, "position": (1.0, 3.5), "facing": 40},
    ],
)


@pytest.fixture(scope="module")
def fitted():
    clips = [c.motion for c in performer_clips(seed=0) if c.action in ("walk", "turn")]
    return fit_generator(clips, 30.0, options=OPTIONS)


@pytest.fixture(scope="module")
def made(fitted):
    return synthesize(fitted, WISH, OPTIONS)


def test_the_result_answers_the_wish_in_the_written_file(made, fitted, tmp_path):
    write_bvh(made.motion, tmp_path / "made.bvh")
    back = read_bvh(tmp_path / "made.bvh")
    assert back.n_frames == 151
    errors = errors_of(pose_motion(back, fitted.clips.roles), WISH)
    assert max(e.position for e in errors) < 1e-3
    assert max(e.facing for e in errors) < 0.1


def test_the_report_adds_up(made, fitted):
    report = made.report
    assert report.seed == 3
    assert report.frames_wanted == 151
    assert report.frames_missing == 0
    assert sum(p.stop - p.start for p in report.details.pieces) == 151
    assert {p.clip for p in report.details.pieces} <= set(fitted.clips.clip_set.names)
    assert [what for what, *_ in report.constraints] == ["body", "body"]
    _, _, before, after, _ = report.constraints[1]
    assert after.position < 1e-3 < before.position + 1e-3
    assert report.skate_ratio == pytest.approx(
        report.quality.skate_mean / report.sources.skate_mean
    )
    assert set(report.times) == {"generate", "finish"}
    data = json.loads(report.to_json())
    assert data["constraints"][1]["position_after"] == after.position
    text = report.to_text()
    for word in ("seed 3", "151 frames", "Pieces", "foot skate", report.details.pieces[0].clip):
        assert word in text


def test_further_terms_of_quality_stand_beside_those_of_the_clips(fitted):
    def count(motions, soles):
        assert soles is fitted.clips.soles
        return {"frames of all (1)": float(sum(posed.n_frames for posed in motions))}

    options = replace(OPTIONS, finish=FinishOptions(terms=count))
    report = synthesize(fitted, WISH, options).report
    assert report.quality.terms == {"frames of all (1)": 151.0}
    every = sum(motion.n_frames for motion in fitted.clips.clip_set.motions)
    assert report.sources.terms == {"frames of all (1)": float(every)}
    (line,) = (line for line in report.to_text().splitlines() if "frames of all (1)" in line)
    assert line.split()[-2:] == ["151.00", f"{every:.2f}"]
    assert report.to_dict()["quality"]["terms"] == {"frames of all (1)": 151.0}


def test_feet_hold_and_seams_are_smooth(made):
    quality = made.report.quality
    assert made.report.skate_ratio < SKATE_LIMIT or quality.skate_mean < LEAST_SKATE
    assert made.report.seam_ratio < SEAM_LIMIT
    assert made.report.problems == ()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_motion(made, fitted):
    again = synthesize(fitted, WISH, OPTIONS)
    assert again.motion.rotations.tobytes() == made.motion.rotations.tobytes()
    assert again.motion.translations.tobytes() == made.motion.translations.tobytes()
    other = synthesize(fitted, WISH, SynthesisOptions(seed=4, generator=SEARCH))
    assert other.motion.rotations.tobytes() != made.motion.rotations.tobytes()


def test_alternatives_answer_the_wish_too(made):
    assert len(made.finished) == made.report.alternatives + 1
    for other in made.finished[1:]:
        assert other.motion.n_frames == 151
        assert max(e.position for e in other.errors_after) < 1e-9
        assert not np.array_equal(other.motion.rotations, made.motion.rotations)


def test_ctrl_c_during_the_search_gives_the_best_so_far(fitted):
    def stop(stage, done, total):
        if stage == "searching" and done > 5000:
            raise KeyboardInterrupt

    cut = synthesize(fitted, WISH, OPTIONS, progress=stop)
    assert cut.report.stopped == "interrupted"
    assert any("cut short" in note for note in cut.report.notes)
    assert max(e.position for e in cut.best.errors_after) < 1e-9


def test_an_unknown_joint_is_named_before_anything_is_searched(fitted):
    wish = ConstraintSet(
        duration=5.0, joints=[{"time": 1.0, "joint": "RigthHand", "position": (0, 1, 0)}]
    )
    with pytest.raises(UnknownJointError, match="RightHand"):
        synthesize(fitted, wish, OPTIONS)


def test_a_prompt_shows_a_few_lines(made):
    text = repr(made)
    assert text.startswith("<Synthesis by 'graph': 151 frames at 30 fps")
    assert len(text.splitlines()) <= 3
    assert len(text) < 600
    assert made._repr_html_() == made.motion._repr_html_()


def test_kinematics_are_run_once_a_clip_twice_and_a_draft_once(monkeypatch):
    """Every whole-motion pass of `synthesize`: a clip when the set is made and when it is analysed;
    then only drafts.
    """
    clips = [c.motion for c in performer_clips(seed=0) if c.action in ("walk", "turn")][:6]
    wish = ConstraintSet(
        duration=3.0,
        fps=30.0,
        body=[
            {"time": 0.0, "position": (0.0, 0.0), "facing": 0},
            {"time": 3.0, "position": (0.5, 2.2), "facing": 20},
        ],
        joints=[{"time": 2.0, "joint": "RightHand", "position": (0.2, 1.2, 1.9)}],
    )
    runs = []
    plain = kinematics.forward_kinematics

    def counted(motion):
        if motion.n_frames > 1:
            runs.append(motion)
        return plain(motion)

    for name, module in list(sys.modules.items()):
        if name.startswith("motionloom") and vars(module).get("forward_kinematics") is plain:
            monkeypatch.setattr(module, "forward_kinematics", counted)
    search = GraphGeneratorOptions(search=SearchOptions(iterations=5_000))
    made = synthesize(clips, wish, SynthesisOptions(seed=3, generator=search))
    assert len(made.finished) == 1
    assert 2 * len(clips) <= len(runs) <= 2 * len(clips) + 3
