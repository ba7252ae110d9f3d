"""Files for other programs: what is set, and said."""

import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.io import load_motion, save
from motionloom.io.registry import FORMATS, WRITTEN_ONLY, check_save, save_scene
from motionloom.io.tools import TOOLS, find_tool, say_preset
from motionloom.kinematics import forward_kinematics
from motionloom_evaluation.markers.mot import read_mot
from performed import performer_clips


@pytest.mark.parametrize("name", TOOLS)
def test_presets_can_be_saved_and_read(tmp_path, name):
    motion = performer_clips()[0].motion[:12]
    tool = find_tool(name.upper())
    options = tool.of(".bvh")
    save(motion, tmp_path / "m.bvh", **options)
    again = load_motion(tmp_path / "m.bvh")
    found = forward_kinematics(again).positions
    np.testing.assert_allclose(found, forward_kinematics(motion).positions, atol=1e-6)
    assert again.source.unit == options["unit"]
    rotations = {"".join(c[0] for c in own if "rot" in c) for own in again.source.channels}
    assert rotations == {options["order"]}
    said = say_preset(tool, ".bvh", options)
    assert options["order"] in said
    assert tool.name in said
    writable = {f.suffix for f in (*FORMATS, *WRITTEN_ONLY) if f.write is not None}
    assert {*tool.reads, *tool.options} <= writable


def test_markers_for_opensim_are_opened_as_such():
    tool = find_tool("opensim")
    assert "Preview Experimental Data" in say_preset(tool, ".trc", tool.of(".trc"))
    assert "Load Motion" in say_preset(tool, ".mot", tool.of(".mot"))


def test_an_order_replaces_the_channels_of_the_file(tmp_path):
    motion = performer_clips()[0].motion[:5]
    save(motion, tmp_path / "a.bvh", unit="cm")
    save(load_motion(tmp_path / "a.bvh"), tmp_path / "b.bvh", order="yxz")
    text = (tmp_path / "b.bvh").read_text()
    assert "CHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation Zrotation" in text
    assert "Zrotation Xrotation" not in text
    for order in ("XY", "XXZ", "abc"):
        with pytest.raises(InvalidInputError, match="X, Y and Z once each"):
            save(motion, tmp_path / "c.bvh", order=order)
    with pytest.raises(InvalidInputError, match="option order"):
        save(motion, tmp_path / "c.glb", order="XYZ")


def test_unknown_programs_are_refused():
    with pytest.raises(InvalidInputError, match="use one of blender"):
        find_tool("paint")


def test_joint_angles_for_opensim_read_back(tmp_path):
    motion = performer_clips()[0].motion
    check_save(motion, tmp_path / "m.mot")
    save(motion, tmp_path / "m.mot")
    table = read_mot(tmp_path / "m.mot")
    np.testing.assert_allclose(table.times, motion.times, atol=1e-8)
    knee = table.columns["knee_angle_r"]
    assert table.in_degrees
    assert np.ptp(knee) > 30
    hips = forward_kinematics(motion).positions[:, 0]
    np.testing.assert_allclose(table.columns["pelvis_ty"], hips[:, 1], atol=1e-7)


def test_angles_of_a_heap_are_those_of_a_body_that_stands(shared_data, tmp_path):
    """LAFAN1's rest pose has all bones along X; knees still bend one way, trunks are upright."""
    save(load_motion(shared_data / "lafan1" / "dance1_subject1.bvh")[:600], tmp_path / "m.mot")
    columns = read_mot(tmp_path / "m.mot").columns
    for side in "rl":
        knee = columns[f"knee_angle_{side}"]
        assert knee.min() > -25
        assert knee.max() > 30
    assert abs(np.median(columns["lumbar_extension"])) < 25


def test_mot_is_not_read_and_says_why(tmp_path):
    save(performer_clips()[0].motion[:5], tmp_path / "m.mot")
    with pytest.raises(InvalidInputError, match="MOT is always in degrees"):
        save(performer_clips()[0].motion[:5], tmp_path / "m.mot", unit=0.01)


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usda"])
def test_scenes_by_suffix(tmp_path, suffix):
    motions = {name: clip.motion[:6] for name, clip in zip("ab", performer_clips(), strict=False)}
    save_scene(motions, tmp_path / f"s{suffix}")
    assert load_motion(tmp_path / f"s{suffix}").n_frames == 6
    with pytest.raises(InvalidInputError, match=r"\.glb, \.fbx, \.usda"):
        save_scene(motions, tmp_path / "s.bvh")
