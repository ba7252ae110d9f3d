"""``motionloom info``."""

import json

from motionloom.cli.main import main


def test_text_says_what_a_file_is(demo_folder, capsys):
    assert main(["info", str(demo_folder / "motion.bvh")]) == 0
    out = capsys.readouterr().out
    for part in (
        "BVH motion",
        "301 frames at 30",
        "metre",
        "up axis   Y",
        "22, height 1.7",
        "left_hand = ",
    ):
        assert part in out


def test_json_has_one_entry_per_file(demo_folder, capsys):
    files = [str(demo_folder / name) for name in ("motion.bvh", "motion.glb")]
    assert main(["info", "--json", *files]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [e["path"] for e in entries] == files
    assert [e["frames"] for e in entries] == [301, 301]
    assert entries[0]["joints"][0]["channels"][:3] == ["Xposition", "Yposition", "Zposition"]
    assert abs(entries[0]["frame_time"] - 1 / 30) < 1e-6


def test_a_bad_file_does_not_stop_the_others(demo_folder, tmp_path, capsys):
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\nOFFSET 0 zero 0\n")
    good = str(demo_folder / "motion.bvh")
    assert main(["info", "--json", str(bad), str(tmp_path / "none.bvh"), good]) == 2
    out, err = capsys.readouterr()
    entries = json.loads(out)
    assert [set(e) == {"path", "error"} for e in entries] == [True, True, False]
    assert str(bad) in entries[0]["error"]
    assert len(err.splitlines()) == 2


def test_unit_and_up_are_taken_from_the_user(demo_folder, capsys):
    assert (
        main(["info", "--json", str(demo_folder / "motion.bvh"), "--unit", "0.9", "--up", "z"]) == 0
    )
    entry = json.loads(capsys.readouterr().out)[0]
    assert (entry["unit"]["metres"], entry["up"]) == (0.9, "z")
    for wrong in (["--unit", "-1"], ["--unit", "nan"], ["--up", "w"]):
        assert main(["info", str(demo_folder / "motion.bvh"), *wrong]) == 2


def test_warnings_name_the_line(demo_folder, tmp_path, capsys):
    text = (demo_folder / "motion.bvh").read_text()
    odd = tmp_path / "odd.bvh"
    odd.write_text(text.replace("Frames: 301", "Frames: 300"))
    assert main(["info", str(odd)]) == 0
    assert "warning" in capsys.readouterr().out
    assert main(["info", "--strict", str(odd)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_real_captures(shared_data, capsys):
    files = [
        shared_data / "cmu_asf_amc" / "16" / "16_01.amc",
        shared_data / "cmu_c3d" / "02_01.c3d",
    ]
    assert main(["info", "--json", *map(str, files)]) == 0
    motion, markers = json.loads(capsys.readouterr().out)
    assert motion["joints"][0]["channels"] == ["tx", "ty", "tz", "rx", "ry", "rz"]
    assert (markers["kind"], len(markers["markers"])) == ("markers", 41)


def test_a_folder_is_all_its_files(demo_folder, tmp_path, capsys):
    assert main(["info", "--json", str(demo_folder / "clips")]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert {e["path"] for e in entries} == {str(p) for p in (demo_folder / "clips").glob("*.bvh")}
    assert main(["info", str(tmp_path)]) == 2
    assert "no motion or marker file" in capsys.readouterr().err
