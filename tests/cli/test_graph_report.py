"""``motionloom graph report``, and what ``synthesize`` exits with when constraints are not met."""

import json

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion


@pytest.fixture
def walks(demo_folder):
    """Only straight walks."""
    return [str(p) for p in sorted((demo_folder / "clips").glob("walk_[0-9]*.bvh"))]


def test_report_of_straight_walks_says_that_turns_are_missing(walks, tmp_path, capsys):
    picture, saved = tmp_path / "new" / "graph.png", tmp_path / "graph.txt"
    assert main(["graph", "report", *walks, "--png", str(picture), "-o", str(saved)]) == 0
    out, err = capsys.readouterr()
    assert "4 clips" in out
    assert "Nobody turns to either side by more than 15 degrees a second." in out
    assert "Somebody stands still, starts from standing and comes to a stop." in out
    assert out == saved.read_text()
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert err.count("wrote") == 2


def test_report_as_json(walks, tmp_path, capsys):
    saved = tmp_path / "graph.json"
    assert main(["graph", "report", *walks, "--json", "-o", str(saved)]) == 0
    out = capsys.readouterr().out
    data = json.loads(out)
    assert out == saved.read_text()
    assert data["names"] == ["walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2"]
    assert data["report"]["n_edges"] > 1000
    assert data["coverage"]["fastest"] == pytest.approx(2.2, abs=0.05)


def test_report_of_a_library_is_that_of_its_clips(walks, tmp_path, capsys):
    library = str(tmp_path / "walks")
    assert main(["library", "create", library, *walks]) == 0
    assert main(["graph", "report", *walks, "-o", str(tmp_path / "clips.txt")]) == 0
    assert main(["graph", "report", library, "-o", str(tmp_path / "library.txt")]) == 0
    assert (tmp_path / "library.txt").read_text() == (tmp_path / "clips.txt").read_text()
    capsys.readouterr()
    assert main(["graph", "report", library, "--fps", "60"]) == 2
    assert "this library is at 30 frames per second, not 60" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--png", "graph.jpg"], "pictures are written as PNG"),
        (["--fps", "-3"], "--fps"),
        (["--png", "a.png", "-o", "a.png"], "two outputs"),
    ],
)
def test_wrong_use_is_one_sentence(walks, monkeypatch, tmp_path, capsys, more, says):
    monkeypatch.chdir(tmp_path)
    assert main(["graph", "report", *walks, *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1
    assert not any(tmp_path.iterdir())


IMPOSSIBLE = {
    "20 m in 2 s": (
        "body: [{time: 0, position: [0, 0]}, {time: 2, position: [0, 20]}]",
        "the clips get at most",
    ),
    "half a turn in 0.3 s": (
        (
            "body: [{time: 0, position: [0, 0], facing: 0}, {time: 0.3, position: [0, 0.2], facing:"
            " 180}]"
        ),
        "the clips turn by at most",
    ),
    "a hand at 4 m": (
        "joints: [{time: 1, joint: right_hand, position: [0, 4, 1]}]",
        "a height of 4.00 m is asked for",
    ),
    "a hand far from the body": (
        (
            "body: [{time: 0, position: [0, 0]}, {time: 2, position: [0, 2]}]\n"
            "joints: [{time: 2, joint: right_hand, position: [0, 1.2, 8]}]"
        ),
        "6.00 m from body at 2 s",
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_the_impossible_is_named_and_the_closest_motion_written(
    demo_folder, name, tmp_path, capsys
):
    text, says = IMPOSSIBLE[name]
    wish, out = tmp_path / "wish.yaml", tmp_path / "closest.bvh"
    wish.write_text(f"duration: 3\n{text}\n")
    argv = [
        "synthesize",
        str(demo_folder / "clips"),
        "-c",
        str(wish),
        "-o",
        str(out),
        "--budget",
        "0.3",
    ]
    assert main([*argv, "--report", str(tmp_path / "report.json")]) == 1
    printed, err = capsys.readouterr()
    assert "not met: " in err
    assert says in err
    assert says in printed
    motion = load_motion(out)
    assert motion.n_frames == 91
    assert np.isfinite(motion.rotations).all()
    report = json.loads((tmp_path / "report.json").read_text())
    assert any(says in problem for problem in report["problems"])
    worst = max(
        max(c["position_after"], (c["facing_after"] or 0) / 57) for c in report["constraints"]
    )
    assert worst > 0.05


def test_what_is_met_exits_with_0_and_alternatives_get_a_row(demo_folder, tmp_path, capsys):
    wish = str(demo_folder / "constraints.yaml")
    argv = [
        "synthesize",
        str(demo_folder / "clips"),
        "-c",
        wish,
        "-o",
        str(tmp_path / "a.bvh"),
        "--alternatives",
        "2",
    ]
    assert main([*argv, "--budget", "1"]) == 0
    out, err = capsys.readouterr()
    assert "not met" not in err
    heading, *rows = out[out.index("Motions") :].splitlines()[1:4]
    assert [row.split()[0] for row in rows] == ["1", "2"]
    assert "(cm)" in heading
    assert "(mm)" in heading
