"""What a woven motion is made of."""

import json

import numpy as np
import pytest

from motionloom_evaluation.critic import (
    Provenance,
    SourcePiece,
    find_provenance,
    parse_provenance,
    read_provenance,
)

PIECES = [{"clip": "a", "start": 5, "stop": 15}, {"clip": "b", "start": 0, "stop": 20}]
REPORT = {"fps": 30.0, "pieces": PIECES}


def test_seams_and_the_piece_of_every_frame():
    found = parse_provenance(REPORT)
    assert found == Provenance(30.0, (SourcePiece("a", 5, 15), SourcePiece("b", 0, 20)))
    assert (found.seams, found.n_frames) == ((10,), 30)
    assert found.pieces_of(np.array([0, 9, 10, 29])).tolist() == [0, 0, 1, 1]


def test_a_piece_may_be_shown_faster_or_slower():
    paced = [{**PIECES[0], "frames": 20}, {**PIECES[1], "frames": 16}]
    found = parse_provenance({**REPORT, "pieces": paced})
    assert (found.seams, found.n_frames) == ((20,), 36)
    assert found.pieces_of(np.array([19, 20])).tolist() == [0, 1]
    assert [found.pieces[0].source_of(i) for i in (0, 10, 20)] == [5, 10, 15]
    assert parse_provenance({**REPORT, "pieces": [{**PIECES[0], "frames": 0}]}) is None


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"fps": 30.0},
        {"fps": 0, "pieces": PIECES},
        {"fps": 30.0, "pieces": []},
        {"fps": 30.0, "pieces": [{"clip": "a", "start": 5, "stop": 5}]},
        {"fps": 30.0, "pieces": [{"clip": "a", "start": "?", "stop": 5}]},
        {"fps": 30.0, "pieces": 3},
    ],
)
def test_other_json_is_no_report(report):
    assert parse_provenance(report) is None


def test_the_report_beside_a_motion_is_found_by_name_and_length(tmp_path):
    motion = tmp_path / "walk.bvh"
    assert find_provenance(motion, 30, 30.0) is None
    (tmp_path / "report.json").write_text(json.dumps({**REPORT, "pieces": PIECES[:1]}))
    assert find_provenance(motion, 30, 30.0) is None
    assert find_provenance(motion, 10, 30.0).pieces[0].clip == "a"
    assert find_provenance(motion, 10, 60.0) is None
    (tmp_path / "run.bvh").touch()
    assert find_provenance(motion, 10, 30.0) is None
    (tmp_path / "walk.json").write_text(json.dumps(REPORT))
    assert find_provenance(motion, 30, 30.0) == parse_provenance(REPORT)


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "\0", "[" * 100_000])
def test_a_file_that_is_no_report_says_nothing(tmp_path, text):
    path = tmp_path / "walk.json"
    path.write_text(text)
    assert read_provenance(path) is None
