"""Scenes as GLB: read by an independent reader, every character is where its own file has it."""

from dataclasses import replace

import numpy as np
import pygltflib
import pytest
from gltf.test_gltf import make_motion, values, world
from scipy.spatial.transform import Rotation

from motionloom.errors import InvalidInputError
from motionloom.io._gltf import read_glb, write_glb


@pytest.fixture
def pair():
    return {"alice": make_motion(seed=0), "bob": make_motion(seed=1)}


def test_every_character_has_its_own_skin_mesh_and_channels(pair, tmp_path):
    write_glb(pair, tmp_path / "s.glb")
    gltf = pygltflib.GLTF2().load(str(tmp_path / "s.glb"))
    assert len(gltf.skins) == len(gltf.meshes) == len(gltf.materials) == 2
    (animation,) = gltf.animations
    names = [gltf.nodes[i].name for i in gltf.scenes[0].nodes]
    assert names == ["alice", "alice_skin", "bob", "bob_skin"]
    joints = [set(skin.joints) for skin in gltf.skins]
    assert not joints[0] & joints[1]
    animated = {c.target.node for c in animation.channels}
    assert animated <= joints[0] | joints[1]
    assert len(animated & joints[0]) == len(animated & joints[1]) == 6
    # Nobody is the child of two nodes, and all that is not at the top is somebody's child.
    children = [c for node in gltf.nodes for c in node.children or []]
    assert len(children) == len(set(children))
    assert sorted([*children, *gltf.scenes[0].nodes]) == list(range(len(gltf.nodes)))
    # Materials differ, and the vertices of every mesh belong to its own skin.
    colors = {tuple(m.pbrMetallicRoughness.baseColorFactor) for m in gltf.materials}
    assert len(colors) == 2
    for mesh, skin in zip(gltf.meshes, gltf.skins, strict=True):
        assert values(gltf, mesh.primitives[0].attributes.JOINTS_0).max() < len(skin.joints)


def test_channels_move_the_right_character(pair, tmp_path):
    write_glb(pair, tmp_path / "s.glb")
    gltf = pygltflib.GLTF2().load(str(tmp_path / "s.glb"))
    animation = gltf.animations[0]
    for skin, motion in zip(gltf.skins, pair.values(), strict=True):
        for channel in animation.channels:
            if channel.target.path != "rotation" or channel.target.node not in skin.joints:
                continue
            joint = skin.joints.index(channel.target.node)
            found = Rotation.from_quat(values(gltf, animation.samplers[channel.sampler].output))
            own = [
                Rotation.from_quat(gltf.nodes[i].extras["frame"])
                for i in skin.joints[: motion.skeleton.n_joints]
            ]
            above = own[motion.skeleton.parents[joint]] if joint else Rotation.identity()
            turned = above.inv() * found * own[joint]
            truth = Rotation.from_quat(motion.rotations[:, joint], scalar_first=True)
            assert (turned.inv() * truth).magnitude().max() < 2e-6


def test_the_first_character_is_read_back(pair, tmp_path):
    write_glb(pair, tmp_path / "s.glb")
    back = read_glb(tmp_path / "s.glb")
    assert back.n_frames == pair["alice"].n_frames
    assert np.allclose(world(back), world(pair["alice"]), atol=1e-5)


def test_motions_of_other_lengths_are_refused(pair, tmp_path):
    with pytest.raises(InvalidInputError, match="same frame rate and number of frames"):
        write_glb({**pair, "bob": pair["bob"].cut(0, 10)}, tmp_path / "s.glb")
    with pytest.raises(InvalidInputError, match="same frame rate"):
        write_glb({**pair, "bob": replace(pair["bob"], frame_time=0.01)}, tmp_path / "s.glb")
    with pytest.raises(InvalidInputError, match="at least one"):
        write_glb({}, tmp_path / "s.glb")
