"""How natural the motions of a shot are among its clips: learned once, kept, told in the report."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.edit.retarget import fit_role_frames
from motionloom.io.kept import KeptFolder
from motionloom.posed_motion import PosedMotion
from motionloom.progress import silent
from motionloom.reports import Report
from motionloom.shot import Stage, make_shot, parse_shot, with_naturalness
from motionloom.shot import _natural as natural
from motionloom.shot._natural import Naturalness
from motionloom.shot._report import Oddest
from motionloom.shot.plan.checking import plan_of
from motionloom.shot.stage import AnotherBody, Methods

TEXT = """\
shot: 1
fps: 30
cast: {anna: {}}
tracks:
  anna:
    - {id: go, do: clip, clip: walk_1.1, to: 4.0}
"""


@pytest.fixture(scope="module")
def analysed(performed):
    return analyse_clips(performed)


@pytest.fixture
def stage(analysed, tmp_path):
    methods = Methods(KeptFolder(tmp_path))
    return Stage(parse_shot(TEXT, tmp_path / "shot.yaml"), analysed, methods=methods)


@pytest.fixture
def walk(analysed):
    index = analysed.clip_set.names.index("walk_1.1")
    return PosedMotion(analysed.clip_set.motions[index], analysed.roles)


def test_what_is_learned_is_kept_and_read_again(stage, walk, tmp_path, monkeypatch):
    first = Naturalness().judge(stage, walk, silent)
    (kept,) = tmp_path.glob("moments-*.kept")
    monkeypatch.setattr(natural, "fit_moment_judge", lambda *_, **__: pytest.fail("learned again"))
    again = Naturalness().judge(stage, walk, silent)
    assert (first.values == again.values).all()
    assert kept.exists()


def test_a_folder_is_made_and_one_that_cannot_be_is_done_without(stage, walk, tmp_path):
    own = replace(stage, methods=Methods(KeptFolder(tmp_path / "pieces")))
    assert Naturalness().judge(own, walk, silent) is not None
    assert len(list((tmp_path / "pieces").glob("*.kept"))) == 1
    (tmp_path / "file").write_text("")
    said = []
    nowhere = KeptFolder(tmp_path / "file" / "pieces", tell=said.append)
    nowhere = replace(stage, methods=Methods(nowhere))
    assert Naturalness().judge(nowhere, walk, silent) is not None
    assert "nothing can be kept here" in said[-1]


def test_nothing_is_said_where_nothing_can_be(stage, walk, analysed):
    frames = fit_role_frames([walk])
    body = AnotherBody("other", frames, frames, walk.motion)
    another = Stage(stage.file, analysed, body=body)
    assert Naturalness().judge(another, walk, silent) is None
    # Too few clips to tell.
    few = replace(stage, methods=Methods())
    naturalness = Naturalness({few.clips.fingerprint: None})
    assert naturalness.judge(few, walk, silent) is None


def test_the_report_names_the_least_natural_moment(stage):
    stages = {"anna": stage}
    made = make_shot(plan_of(stage.file, stages), stages)
    assert "Least natural" not in made.report.to_text()
    report = with_naturalness(made, stages).report
    oddest = report.characters["anna"].oddest
    assert 0 <= oddest.start <= oddest.time <= oddest.end <= 4.0
    assert re.search(rf"Least natural moment\n +at +{oddest.time:.2f} s", report.to_text())
    assert '"oddest": {' in report.to_json()


def test_what_is_beyond_the_limit_is_told_with_its_reason():
    odd = Oddest(2.0, 1.8, 2.4, 1.75, "a leg out of step with the body", 0.05)
    assert [row.value for row in odd.as_section().items] == [
        2.0,
        (1.8, 2.4),
        "1.8",
        "a leg out of step with the body",
        0.05,
    ]
    assert "nothing stands out" in Report("", [replace(odd, value=0.4).as_section()]).to_text()
