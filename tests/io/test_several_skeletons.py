"""Files with several skeletons: one is read with a word about the others, or all are."""

import numpy as np
import pytest

from motionloom.errors import FormatError
from motionloom.io import load_motion
from motionloom.io._gltf import read_glb, write_glb
from motionloom.io.registry import load_all, save, save_scene
from motionloom.kinematics import forward_kinematics
from random_bodies import random_motion

WRITTEN = (".glb", ".fbx", ".usda")


@pytest.fixture
def pair():
    return {"alice": random_motion(1, 5, 4), "bob": random_motion(2, 7, 4)}


def scene(pair, folder, suffix):
    """A scene's file, when what reads it is installed."""
    pytest.importorskip({".fbx": "ufbx", ".usda": "pxr", ".glb": "numpy"}[suffix])
    path = folder / f"scene{suffix}"
    save_scene(pair, path)
    return path


@pytest.mark.parametrize("suffix", WRITTEN)
def test_all_are_read_where_they_are(pair, tmp_path, suffix):
    found = load_all(scene(pair, tmp_path, suffix))
    assert list(found) == ["bob", "alice"]  # the larger first
    for name, motion in pair.items():
        again = forward_kinematics(found[name]).positions
        np.testing.assert_allclose(again, forward_kinematics(motion).positions, atol=1e-4)
        assert found[name].source.skeletons == ("bob", "alice")
        assert not any("skeletons" in text for text in found[name].source.warnings)


@pytest.mark.parametrize("suffix", WRITTEN)
def test_the_largest_is_read_with_the_names_of_the_others(pair, tmp_path, suffix):
    path = scene(pair, tmp_path, suffix)
    motion = load_motion(path)
    assert motion.skeleton.n_joints == 7
    (text,) = motion.source.warnings
    assert text.startswith("holds 2 skeletons; read the largest, 'bob', and left out alice")
    with pytest.raises(FormatError, match="holds 2 skeletons"):
        load_motion(path, strict=True)


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_file_with_one_says_nothing(pair, tmp_path, suffix):
    pytest.importorskip({".fbx": "ufbx", ".usda": "pxr", ".glb": "numpy"}[suffix])
    save(pair["bob"], tmp_path / f"m{suffix}")
    ((name, motion),) = load_all(tmp_path / f"m{suffix}").items()
    assert (name, motion.source.skeletons, motion.source.warnings) == ("random", (), ())


def test_a_number_that_is_not_there_is_refused(pair, tmp_path):
    path = tmp_path / "s.glb"
    write_glb(pair, path)
    for number in (-1, 2):
        with pytest.raises(FormatError, match=f"there is no number {number}"):
            read_glb(path, number=number)


def test_skins_of_one_skeleton_are_one_character(pair, tmp_path):
    # As programs write a body, and clothes that hang on some of its joints or below them.
    pygltflib = pytest.importorskip("pygltflib")
    path = tmp_path / "s.glb"
    write_glb(pair, path)
    gltf = pygltflib.GLTF2().load(str(path))
    bob = gltf.skins[1].joints
    gltf.skins[0].joints = bob[2:4]
    gltf.save(str(path))
    assert load_motion(path).source.skeletons == ()
    gltf.skins[0].joints = bob[2:]
    gltf.skins[1].joints = bob[:2]
    gltf.save(str(path))
    assert load_motion(path).source.skeletons == ()


def test_each_skeleton_has_the_animation_that_moves_it(pair, tmp_path):
    # As Blender writes them: an animation for every character.
    pygltflib = pytest.importorskip("pygltflib")
    path = tmp_path / "s.glb"
    write_glb(pair, path)
    gltf = pygltflib.GLTF2().load(str(path))
    (both,) = gltf.animations
    made = []
    for skin in gltf.skins:
        channels = [c for c in both.channels if c.target.node in skin.joints]
        samplers = [both.samplers[c.sampler] for c in channels]
        for i, channel in enumerate(channels):
            channel.sampler = i
        made.append(pygltflib.Animation(name=skin.name, channels=channels, samplers=samplers))
    gltf.animations = made
    gltf.save(str(path))
    found = load_all(path)
    for name, motion in pair.items():
        again = forward_kinematics(found[name]).positions
        np.testing.assert_allclose(again, forward_kinematics(motion).positions, atol=1e-4)
        assert found[name].name == name
