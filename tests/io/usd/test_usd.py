"""USD as we write it, as usd-core itself reads it, and what we read."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError, MissingExtraError
from motionloom.io import load_motion, save
from motionloom.io.scenes._reading import motion_of_scene
from motionloom.io.usd import read_usd, write_usda
from motionloom.kinematics import forward_kinematics
from performed import performer_clips
from random_bodies import random_motion

pytest.importorskip("pxr", reason="USD is read by usd-core, which is not installed")


def read_here(path):
    """The motion of a file, read in this process."""
    from motionloom.io.usd import extract

    return motion_of_scene(extract(str(path)), path, "usd")


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    joints=st.integers(1, 9),
    frames=st.integers(0, 6),
    frame_time=st.sampled_from([1 / 30, 1001 / 30000, 1 / 120, 0.0411, 0.033333]),
    more=st.booleans(),
    up=st.sampled_from("yz"),
    unit=st.sampled_from([1.0, 0.01]),
)
def test_any_motion_comes_back(tmp_path_factory, seed, joints, frames, frame_time, more, up, unit):
    translated = (0, joints - 1) if more and joints > 1 else (0,)
    motion = random_motion(seed, joints, frames, frame_time, translated)
    path = tmp_path_factory.mktemp("usd") / "m.usda"
    write_usda(motion, path, up=up, unit=unit)
    again = read_here(path)
    assert again.skeleton.names == motion.skeleton.names
    assert again.frame_time == motion.frame_time
    assert again.translated == motion.translated
    assert again.n_frames == frames
    np.testing.assert_allclose(again.skeleton.offsets, motion.skeleton.offsets, atol=1e-12)
    np.testing.assert_allclose(again.skeleton.end_offsets, motion.skeleton.end_offsets)
    assert rot.angle_between(again.rotations, motion.rotations).max(initial=0.0) < 1e-6
    np.testing.assert_allclose(again.translations, motion.translations, atol=2e-6)


@pytest.mark.parametrize("up", ["y", "z"])
def test_usd_itself_has_the_joints_where_they_are(tmp_path, up):
    from pxr import Gf, Usd, UsdGeom, UsdSkel

    motion = performer_clips()[0].motion[:20]
    write_usda(motion, tmp_path / "m.usda", up=up, unit=0.01)
    stage = Usd.Stage.Open(str(tmp_path / "m.usda"))
    root = UsdSkel.Root(stage.GetDefaultPrim())
    skeleton = next(p for p in stage.Traverse() if p.IsA(UsdSkel.Skeleton))
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(skeleton))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
    assert UsdGeom.GetStageUpAxis(stage) == up.upper()
    expected = forward_kinematics(motion).positions
    if up == "z":
        expected = np.stack([expected[..., 0], -expected[..., 2], expected[..., 1]], axis=-1)
    for frame in (0, 7, 19):
        transforms = query.ComputeJointSkelTransforms(Usd.TimeCode(frame))
        found = 0.01 * np.array([Gf.Matrix4d(t).ExtractTranslation() for t in transforms])
        joints = motion.skeleton.n_joints
        np.testing.assert_allclose(found[:joints], expected[frame], atol=1e-5)
    binding = UsdSkel.BindingAPI(stage.GetPrimAtPath(root.GetPath().AppendChild("Mesh")))
    assert len(binding.GetJointIndicesAttr().Get()) == len(binding.GetJointWeightsAttr().Get())
    assert not stage.GetCompositionErrors()


def test_names_that_are_no_identifiers(tmp_path):
    motion = random_motion(joints=4)
    names = ("mixamorig:Hips", "左足", 'a "b" \\c', "9 lives")
    from dataclasses import replace

    odd = replace(motion, skeleton=replace(motion.skeleton, names=names), name='a "take"')
    write_usda(odd, tmp_path / "m.usda")
    again = read_here(tmp_path / "m.usda")
    assert again.skeleton.names == names
    assert again.name == odd.name


@pytest.mark.parametrize("suffix", [".usdc", ".usd"])
def test_binary_files_and_another_program_s_transforms(tmp_path, suffix):
    from pxr import Usd, UsdGeom

    motion = performer_clips()[0].motion[:8]
    write_usda(motion, tmp_path / "m.usda")
    stage = Usd.Stage.Open(str(tmp_path / "m.usda"))
    skeleton = next(p for p in stage.Traverse() if p.GetTypeName() == "Skeleton")
    skeleton.ClearCustomData()
    UsdGeom.Xformable(skeleton).AddTranslateOp().Set((1.0, 2.0, 3.0))
    UsdGeom.Xformable(skeleton).AddScaleOp().Set((2.0, 2.0, 2.0))
    stage.Export(str(tmp_path / f"m{suffix}"))
    again = load_motion(tmp_path / f"m{suffix}", unit="1!")
    assert not again.source.warnings
    own = [again.skeleton.index(name) for name in motion.skeleton.names]
    found = forward_kinematics(again).positions[:, own]
    expected = 2 * forward_kinematics(motion).positions + [1.0, 2.0, 3.0]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_scene_has_all_characters(tmp_path):
    motions = {name: clip.motion[:6] for name, clip in zip("ab", performer_clips(), strict=False)}
    write_usda(motions, tmp_path / "s.usda", name="two")
    again = read_usd(tmp_path / "s.usda")
    assert "holds 2 skeletons" in again.source.warnings[0]
    with pytest.raises(InvalidInputError, match="same frame rate"):
        write_usda({**motions, "c": motions["a"][:3]}, tmp_path / "s.usda")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("#usda 1.0\n", "no UsdSkel skeleton"),
        ("#usda 1.0\ndef Xform {", "cannot be read as USD"),
        ('#usda 1.0\ndef "a" { float3[] b = [(1, 2', "line 2, column [0-9]+: no USD from here on"),
        ("nonsense", "cannot be read as USD"),
        ("#usda 1.0\n(subLayers = [@/etc/passwd@])\n", r"refers to other files \(/etc/passwd\)"),
        (
            '#usda 1.0\ndef SkelRoot "a" (references = @../b.usda@) {}\n',
            r"refers to other files \(\.\./b\.usda\)",
        ),
    ],
)
def test_what_is_no_skeleton_is_one_sentence(tmp_path, content, message):
    path = tmp_path / "a.usda"
    path.write_text(content)
    with pytest.raises(FormatError, match=message) as caught:
        read_usd(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_library_names_the_extra(tmp_path, monkeypatch):
    write_usda(random_motion(), tmp_path / "m.usda")
    (tmp_path / "pxr.py").write_text("raise ImportError\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtraError, match=r"needs usd-core.*motionloom\[usd\]"):
        read_usd(tmp_path / "m.usda")


def test_x_up_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="Y or Z up"):
        write_usda(random_motion(), tmp_path / "m.usda", up="x")


@pytest.mark.parametrize("suffix", [".usda", ".fbx"])
def test_a_motion_without_frames_comes_back_without_a_word(tmp_path, suffix):
    save(random_motion(0)[:0], tmp_path / f"a{suffix}")
    again = load_motion(tmp_path / f"a{suffix}")
    assert again.n_frames == 0
    assert not again.source.warnings
