"""``motionloom library``."""

import json

import pytest

from motionloom.cli.main import main
from motionloom.io.registry import save
from walkers import make_walker


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with three clips in it."""
    (tmp_path / "clips").mkdir()
    for i in range(3):
        save(make_walker(40 + 10 * i, bend=0.2 * i), tmp_path / f"clips/walk_{i}.bvh")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_library_from_beginning_to_end(folder, capsys):
    assert main(["library", "create", "lib", "clips", "--fps", "15"]) == 0
    out, err = capsys.readouterr()
    assert out == "lib: 3 clips, 75 frames (5.0 s) at 15 per second, 8 joints\n"
    assert err.splitlines() == ["made lib, 15 frames per second", "added 3"]
    assert main(["library", "list", "lib"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[1].split()[:3] == ["clip", "frames", "seconds"]
    assert rows[3].split()[:4] == ["walk_1", "25", "1.60", "30"]
    assert main(["library", "remove", "lib", "walk_[02]"]) == 0
    assert capsys.readouterr().out.startswith(
        "removed 2 clips: walk_0, walk_2\nlib: 1 clip, 25 frames"
    )
    assert main(["library", "add", "lib", "clips"]) == 0
    assert capsys.readouterr().err == "added 2, there already 1\n"
    assert main(["library", "check", "lib"]) == 0
    assert capsys.readouterr().out == "lib: 3 clips, all as they were put in\n"


def test_list_as_json(folder, capsys):
    big = make_walker(60, name="big")
    (folder / "labels.yaml").write_text("labels:\n  - {clips: walk_2, label: turning, from: 0.5}\n")
    assert main(["library", "create", "lib", "clips", "--labels", "labels.yaml"]) == 0
    save(big, "big.bvh")
    assert main(["library", "add", "lib", "big.bvh", "--unit", "1.25"]) == 0
    err = capsys.readouterr().err
    assert "labelled 1 clip" in err
    assert (
        "warning: big: another performer (bone to 'Head' differs by 150 mm); rotations kept" in err
    )
    assert main(["library", "list", "lib", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["fps"] == 30
    assert [clip["clip"] for clip in shown["clips"]] == ["big", "walk_0", "walk_1", "walk_2"]
    assert shown["clips"][0]["scale"] == pytest.approx(0.8)
    assert shown["clips"][3]["labels"] == [{"label": "turning", "begin": 0.5, "end": None}]
    assert shown["frames"] == sum(clip["frames"] for clip in shown["clips"])


def test_labels_of_no_clip_are_named(folder, capsys):
    rows = ["labels:", '  - {clips: "walk*", label: walk}', '  - {clips: "ruin*", label: run}']
    (folder / "labels.yaml").write_text("\n".join(rows) + "\n")
    assert main(["library", "create", "lib", "clips", "--labels", "labels.yaml"]) == 0
    assert "warning: labels.yaml: no clip is called 'ruin*'\n" in capsys.readouterr().err


def test_a_bad_file_is_named_and_the_exit_code_is_1(folder, capsys):
    (folder / "clips/bad.bvh").write_text("HIERARCHY\n")
    assert main(["library", "create", "lib", "clips"]) == 1
    out, err = capsys.readouterr()
    assert "motionloom: clips/bad.bvh" in err
    assert err.splitlines()[-1] == "added 3, could not add 1"
    assert out.startswith("lib: 3 clips")
    assert main(["library", "add", "lib", "clips", "--strict"]) == 2
    assert capsys.readouterr().err.startswith("motionloom: clips/bad.bvh")


def test_check_names_what_is_wrong_and_repair_mends_it(folder, capsys):
    main(["library", "create", "lib", "clips"])
    save(make_walker(44), folder / "clips/walk_1.bvh")
    (folder / "clips/walk_2.bvh").unlink()
    next((folder / "lib/clips").glob("walk_0-*/body/c/0/0")).write_bytes(b"no")
    capsys.readouterr()
    assert main(["library", "check", "lib"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "lib: 3 clips, 3 with problems"
    assert [line.split()[:2] for line in lines[4:]] == [
        ["walk_0", "damaged"],
        ["walk_1", "changed"],
        ["walk_2", "missing"],
    ]
    assert main(["library", "check", "lib", "--repair", "--json"]) == 1
    out, err = capsys.readouterr()
    assert err == "walk_0: read again\nwalk_1: read again\n"
    assert [(p["clip"], p["kind"]) for p in json.loads(out)] == [("walk_2", "missing")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["list", "nowhere"],
            "nowhere: no library is here; create one first (motionloom library create)",
        ),
        (["add", "nowhere", "clips"], "nowhere: no library is here"),
        (["create", "clips"], "clips: this folder holds other things"),
        (["create", "lib", "--fps", "0"], "--fps: expected fps above 0"),
        (["create", "lib", "nothing*"], "nothing*: no motion file"),
    ],
)
def test_wrong_input_is_one_sentence(folder, capsys, arguments, message):
    if arguments[-1] == "nothing*":
        (folder / "nothing").mkdir()
    assert main(["library", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"motionloom: {message}")
    assert len(err.splitlines()) == 1
    assert not (folder / "lib").exists()


def test_roles_come_from_a_table(folder, capsys):
    (folder / "roles.yaml").write_text("kind: other\n")
    assert main(["library", "create", "lib", "clips", "--roles", "roles.yaml"]) == 0
    from motionloom.library import open_library

    assert open_library("lib").roles.kind == "other"
    (folder / "roles.yaml").write_text("[]\n")
    assert main(["library", "create", "lib2", "--roles", "roles.yaml"]) == 2
    assert "roles.yaml:1: expected lines of 'role: joint'" in capsys.readouterr().err


def test_many_refusals_for_one_reason_are_one_sentence(folder, capsys):
    for i in range(5):
        (folder / f"clips/broken_{i}.bvh").write_text("no motion")
    assert main(["library", "create", "lib", "clips"]) == 1
    err = capsys.readouterr().err
    assert err.count("broken_") == 1
    assert "and 4 more files likewise" in err
    assert "added 3, could not add 5" in err
