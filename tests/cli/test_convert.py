"""``motionloom convert``."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_markers, load_motion, save
from motionloom.kinematics import forward_kinematics

FILES = Path(__file__).parents[1] / "io" / "files"


@pytest.fixture
def clip(demo_folder):
    return str(demo_folder / "clips" / "walk_1.1.bvh")


def test_bvh_to_glb_at_another_rate_in_a_new_folder(clip, tmp_path, capsys):
    output = tmp_path / "new" / "clip.glb"
    assert main(["convert", clip, str(output), "--fps", "60"]) == 0
    source, made = load_motion(clip), load_motion(output)
    assert made.fps == pytest.approx(60)
    assert made.duration == pytest.approx(source.duration, abs=1 / 60)
    assert "wrote" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("output", "options", "expected"),
    [
        ("out.usdc", [], "'.usdc'"),
        ("out.fbx", ["--for", "paint"], "use one of blender"),
        ("out.fbx", ["--scale", "0"], "from 1e-06 to 1e+06"),
        ("out.fbx", ["--scale", "1e40"], "from 1e-06 to 1e+06"),
        ("out.glb", ["--unit", "1e300!"], "from 1e-09 to 1e+09 m"),
        ("out.glb", ["--root", " "], "has no name"),
        ("out.glb", ["--root", "leftfoot"], "one 'LeftFoot'"),
        ("out.mot", ["--out-unit", "m"], "MOT is always in degrees"),
        ("out", [], "without suffix"),
        ("out.bvh", ["--fps", "0"], "from 1 to 10000"),
        ("out.bvh", ["--fps", "-30"], "from 1 to 10000"),
        ("out.bvh", ["--fps", "nan"], "from 1 to 10000"),
        ("out.bvh", ["--fps", "1e9"], "from 1 to 10000"),
        ("out.bvh", ["--unit", "0"], "unit"),
        ("out.bvh", ["--up", "north"], "up axis"),
        ("out.bvh", ["--fps", "0.5"], "--fps: expected fps from 1 to 10000"),
        ("out.bvh", ["--format", ".glb"], "--format is for a folder"),
        ("out.glb", ["--out-unit", "0.01"], "glTF is always in metres with Y up"),
        ("out.glb", ["--out-up", "z"], "write .bvh, .fbx, .usda, .trc"),
        ("out.bvh", ["--out-unit", "-1"], "unit"),
        ("out.bvh", ["--out-unit", "furlong"], "one of mm, cm, dm, m, in, ft, got furlong"),
        ("out.bvh", ["--out-up", "north"], "up axis"),
        ("out.bvh", ["--rest", "file"], "write .glb, .fbx, .usda"),
        ("out.glb", ["--rest", "lying"], "standing, file, first"),
    ],
)
def test_wrong_wishes_are_one_sentence_and_write_nothing(
    clip, tmp_path, capsys, output, options, expected
):
    (tmp_path / "folder").mkdir()
    assert main(["convert", clip, str(tmp_path / output), *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert expected in err
    assert [p.name for p in tmp_path.rglob("*")] == ["folder"]


@pytest.mark.parametrize("content", [b"", b"HIERARCHY\n", b"\x00\x01\x02", b"no motion"])
def test_wrong_inputs_are_one_sentence_and_write_nothing(tmp_path, capsys, content):
    source = tmp_path / "in.bvh"
    source.write_bytes(content)
    assert main(["convert", str(source), str(tmp_path / "out.glb")]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert str(source) in err
    assert [p.name for p in tmp_path.iterdir()] == ["in.bvh"]


def test_an_input_is_not_overwritten(clip, tmp_path, capsys):
    copy = tmp_path / "clip.bvh"
    before = Path(clip).read_bytes()
    copy.write_bytes(before)
    assert main(["convert", str(copy), str(tmp_path / "." / "clip.bvh")]) == 2
    assert "is also an input" in capsys.readouterr().err
    assert copy.read_bytes() == before


def test_markers_stay_markers(shared_data, tmp_path, capsys):
    source = shared_data / "cmu_c3d" / "02_01.c3d"
    assert main(["convert", str(source), str(tmp_path / "out.trc")]) == 0
    before, after = load_markers(source), load_markers(tmp_path / "out.trc")
    assert after.labels == before.labels
    assert np.array_equal(after.valid, before.valid)
    assert np.abs(after.positions - before.positions).max() < 1e-4
    capsys.readouterr()
    assert main(["convert", str(source), str(tmp_path / "out.bvh")]) == 2
    assert "markers" in capsys.readouterr().err
    assert {p.name for p in tmp_path.iterdir()} == {".motionloom", "out.trc"}


def test_what_was_guessed_is_printed(clip, tmp_path, capsys):
    assert main(["convert", clip, str(tmp_path / "a.glb")]) == 0
    assert f"{clip}: 1 unit = 1 m (body height " in capsys.readouterr().err


def test_what_was_guessed_of_many_files_is_printed_once(clip, demo_folder, tmp_path, capsys):
    other = str(demo_folder / "clips" / "stand.bvh")
    assert main(["convert", clip, other, f"{tmp_path}/out/", "--format", ".glb"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{clip} and 1 more: 1 unit = 1 m (body height" in err
    assert main(["convert", clip, f"{tmp_path}/one/", "--root", "LeftUpLeg"]) == 0
    err = capsys.readouterr().err
    assert f"{clip}: 1 unit = 1 m (body height" in err
    assert "root joint LeftUpLeg: LeftLeg, LeftFoot, LeftToeBase hang on it" in err


def test_rate_of_an_input_that_says_none(tmp_path, capsys):
    asf, amc = (FILES / name for name in ("tiny.asf", "tiny_01.amc"))
    output = tmp_path / "a.bvh"
    assert main(["convert", str(amc), str(output), "--rate", "60", "--skeleton", str(asf)]) == 0
    assert "warning" not in capsys.readouterr().err
    assert load_motion(output).frame_time == 1 / 60


def test_rate_of_an_input_that_says_it_is_refused(clip, tmp_path, capsys):
    assert main(["convert", clip, str(tmp_path / "a.glb")]) == 0
    assert main(["convert", str(tmp_path / "a.glb"), str(tmp_path / "b.bvh"), "--rate", "60"]) == 2
    assert "hold their frame rate" in capsys.readouterr().err
    assert not (tmp_path / "b.bvh").exists()


def test_amc_through_bvh_and_back_with_its_skeleton(tmp_path, capsys):
    asf, amc = (str(FILES / name) for name in ("tiny.asf", "tiny_01.amc"))
    bvh, again = str(tmp_path / "a.bvh"), str(tmp_path / "a.amc")
    assert main(["convert", amc, bvh, "--skeleton", asf]) == 0
    unit = ["--unit", repr(load_motion(amc, skeleton=asf).source.unit)]
    assert main(["convert", bvh, again, *unit]) == 2
    assert "needs an ASF skeleton" in capsys.readouterr().err
    assert main(["convert", bvh, again, *unit, "--skeleton", asf]) == 0
    np.testing.assert_allclose(
        forward_kinematics(load_motion(again)).positions,
        forward_kinematics(load_motion(amc, skeleton=asf)).positions,
        atol=1e-5,
    )


@pytest.mark.parametrize("suffix", [".glb", ".bvh"])
def test_a_file_whose_name_is_no_text(clip, tmp_path, suffix):
    source = tmp_path / os.fsdecode(b"bad\xff.bvh")
    try:
        shutil.copy(clip, source)
    except OSError:
        pytest.skip("this system has no such names")
    output = source.with_suffix(f".out{suffix}")
    assert main(["convert", str(source), str(output)]) == 0
    assert load_motion(source).name == "bad\\xff"
    assert load_motion(output).skeleton.names == load_motion(clip).skeleton.names


def test_up_axis_in_upper_case(clip, tmp_path):
    assert main(["convert", clip, str(tmp_path / "a.bvh"), "--up", "Y"]) == 0


def test_many_files_into_a_folder(demo_folder, tmp_path, capsys):
    clips = sorted((demo_folder / "clips").glob("*.bvh"))
    out = tmp_path / "out"
    assert (
        main(["convert", str(clips[0]), str(demo_folder / "clips"), f"{out}/", "--format", "glb"])
        == 0
    )
    assert sorted(p.name for p in out.glob("*.glb")) == sorted(f"{c.stem}.glb" for c in clips)
    assert load_motion(out / f"{clips[1].stem}.glb").n_frames == load_motion(clips[1]).n_frames
    assert capsys.readouterr().err.count("wrote") == len(clips)


def test_files_of_one_name_do_not_replace_each_other(clip, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(clip, tmp_path / folder / "walk.bvh")
    assert main(["convert", str(tmp_path / "a"), str(tmp_path / "b"), f"{tmp_path}/out/"]) == 0
    assert {p.name for p in (tmp_path / "out").glob("*.bvh")} == {"walk.bvh", "b-walk.bvh"}


def test_a_bad_file_among_many_is_told_and_the_others_are_converted(clip, tmp_path, capsys):
    (tmp_path / "bad.bvh").write_text("no motion")
    assert main(["convert", str(tmp_path / "bad.bvh"), clip, f"{tmp_path}/out/"]) == 1
    assert len(list((tmp_path / "out").glob("*.bvh"))) == 1
    err = capsys.readouterr().err
    assert "bad.bvh" in err
    assert "converted 1 of 2 files" in err


@pytest.mark.parametrize(
    ("tool", "name", "said"),
    [
        ("unreal", "a.fbx", "for Unreal Engine: 1 unit = 0.01 m, Y up; import it as skeletal mesh"),
        ("Maya", "a.bvh", "rotations in the order ZYX; it does not read .bvh by itself"),
        ("unity", "a.fbx", "for Unity: 1 unit = 1 m"),
        ("blender", "a.usda", "for Blender: 1 unit = 1 m, Y up"),
        ("opensim", "a.mot", "for OpenSim: nothing to set"),
    ],
)
def test_files_for_a_program_say_what_was_set(clip, tmp_path, capsys, tool, name, said):
    assert main(["convert", clip, str(tmp_path / name), "--for", tool]) == 0
    assert said in capsys.readouterr().err


def test_what_is_told_wins_over_the_program(clip, tmp_path, capsys):
    out = str(tmp_path / "a.fbx")
    assert main(["convert", clip, out, "--for", "unreal", "--out-unit", "m", "--out-up", "z"]) == 0
    assert "1 unit = 1 m, Z up" in capsys.readouterr().err
    assert (load_motion(out).source.unit, load_motion(out).source.up) == (1.0, "z")


def test_another_root_and_size(clip, tmp_path, capsys):
    out = str(tmp_path / "a.glb")
    assert main(["convert", clip, out, "--root", "root", "--scale", "0.5"]) == 0
    source, made = load_motion(clip), load_motion(out)
    assert made.skeleton.names[:2] == ("root", "Hips")
    found = forward_kinematics(made).positions[:, 1:]
    np.testing.assert_allclose(found, 0.5 * forward_kinematics(source).positions, atol=1e-5)
    assert main(["convert", clip, out, "--root", "LeftUpLeg"]) == 0
    assert load_motion(out).skeleton.names[0] == "LeftUpLeg"


def test_markers_have_no_root(demo_folder, tmp_path, capsys):
    source, out = str(demo_folder / "markers.trc"), str(tmp_path / "a.trc")
    assert main(["convert", source, out, "--root", "Hips"]) == 2
    assert "are for motions of a skeleton" in capsys.readouterr().err


def test_folders_of_many_formats_go_to_one(clip, tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    for suffix in (".fbx", ".usda", ".glb"):
        assert main(["convert", clip, str(folder / f"m{suffix[1:]}{suffix}")]) == 0
    np.savez(folder / "other.npz", x=np.zeros(3))  # no AMASS motion, so not looked at
    assert main(["convert", str(folder), f"{tmp_path}/out/", "--format", "bvh"]) == 0
    names = {path.name for path in (tmp_path / "out").glob("*.bvh")}
    assert names == {"mfbx.bvh", "musda.bvh", "mglb.bvh"}
    assert "converted 3 of 3 files" in capsys.readouterr().err


def test_several_files_need_a_folder(clip, demo_folder, tmp_path, capsys):
    clips = [str(p) for p in (demo_folder / "clips").glob("*.bvh")]
    for argv in (
        clips,
        [*clips, str(tmp_path / "out.glb")],
        [str(demo_folder / "clips"), str(tmp_path / "out.glb")],
    ):
        assert main(["convert", *argv]) == 2
        assert "name a folder to write them to" in capsys.readouterr().err
    assert main(["convert", clip]) == 2
    assert "give OUT" in capsys.readouterr().err
    assert main(["convert", clip, f"{tmp_path}/out/", "--format", ".usdc"]) == 2
    assert "expected one of .bvh, .amc, .glb, .fbx, .usda, .trc, .mot" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_output_in_another_unit_and_axis(clip, tmp_path):
    assert (
        main(["convert", clip, str(tmp_path / "cm.bvh"), "--out-unit", "0.01", "--out-up", "Z"])
        == 0
    )
    source, made = load_motion(clip), load_motion(tmp_path / "cm.bvh", unit=0.01, up="z")
    positions = [forward_kinematics(m).positions for m in (source, made)]
    np.testing.assert_allclose(positions[1], positions[0], atol=1e-6)
    height = float(
        (tmp_path / "cm.bvh").read_text().split("Frame Time")[1].splitlines()[1].split()[2]
    )
    assert height == pytest.approx(100 * source.translations[0, 0, 1], abs=1e-3)


@pytest.mark.parametrize(("name", "number"), [("cm", "0.01"), ("FT", "0.3048")])
def test_output_in_a_unit_by_name(clip, tmp_path, name, number):
    for i, unit in enumerate((name, number)):
        assert main(["convert", clip, str(tmp_path / f"{i}.bvh"), "--out-unit", unit]) == 0
    assert (tmp_path / "0.bvh").read_bytes() == (tmp_path / "1.bvh").read_bytes()


def test_markers_are_written_with_y_up_in_millimetres_for_opensim(tmp_path):
    """A file with Z up and metres, as laboratories record."""
    rows = [
        "PathFileType\t4\t(X/Y/Z)\ta.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
        "100\t100\t2\t1\tm",
    ]
    rows += [
        "Frame#\tTime\tHEAD\t\t",
        "\t\tX1\tY1\tZ1",
        "",
        "1\t0\t0.1\t0.2\t1.7",
        "2\t0.01\t0.1\t0.3\t1.7",
    ]
    (tmp_path / "z.trc").write_text("\n".join(rows) + "\n")
    options = ["--up", "z", "--out-up", "y", "--out-unit", "0.001"]
    assert main(["convert", str(tmp_path / "z.trc"), str(tmp_path / "y.trc"), *options]) == 0
    first = (tmp_path / "y.trc").read_text().splitlines()[6].split("\t")
    assert [float(v) for v in first[2:5]] == pytest.approx([200, 1700, 100])
    truth = load_markers(tmp_path / "z.trc", up="z").positions
    np.testing.assert_allclose(
        load_markers(tmp_path / "y.trc", up="y").positions, truth, atol=1e-12
    )


def test_a_trc_file_with_another_axis_up_says_so(tmp_path, capsys):
    rows = ["PathFileType\t4\t(X/Y/Z)\ta.trc", "DataRate\tNumFrames\tNumMarkers\tUnits"]
    rows += ["100\t2\t1\tm", "Frame#\tTime\tHEAD\t\t", "\t\tX1\tY1\tZ1", ""]
    rows += ["1\t0\t0.1\t0.2\t1.7", "2\t0.01\t0.1\t0.3\t1.7"]
    (tmp_path / "z.trc").write_text("\n".join(rows) + "\n")
    read = ["convert", str(tmp_path / "z.trc"), str(tmp_path / "out.trc"), "--up", "z"]
    assert main(read) == 0
    assert "out.trc: Z is up, which a TRC file cannot say" in capsys.readouterr().err
    assert main([*read, "--out-up", "y"]) == 0
    assert "is up, which" not in capsys.readouterr().err


def test_rest_pose_of_a_glb(clip, tmp_path):
    for rest in ("standing", "first"):
        assert main(["convert", clip, str(tmp_path / f"{rest}.glb"), "--rest", rest]) == 0
    data = [(tmp_path / f"{rest}.glb").read_bytes() for rest in ("standing", "first")]
    assert data[0] != data[1]
    motions = [load_motion(tmp_path / f"{rest}.glb") for rest in ("standing", "first")]
    positions = [forward_kinematics(m).positions for m in motions]
    np.testing.assert_allclose(positions[0], positions[1], atol=1e-5)


def test_a_motion_without_frames_is_no_mot_file(clip, tmp_path, capsys):
    save(load_motion(clip)[:0], tmp_path / "none.bvh")
    assert main(["convert", str(tmp_path / "none.bvh"), str(tmp_path / "a.mot")]) == 2
    assert "none.bvh: has no frames" in capsys.readouterr().err
