"""The rest pose of GLB files: a T-pose with bones along +Y, seen by an independent reader, that
changes no motion.
"""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pygltflib
import pytest
from gltf.test_gltf import make_motion, node_positions, values
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io import load, save
from motionloom.io._gltf import read_glb, write_glb
from motionloom.io.scenes.rest_pose import find_rest_pose, is_heap
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton
from performed import performer_clips

#: Name, parent, and offset as the body would stand.
_JOINTS = (
    ("Hips", -1, (0, 0, 0)),
    ("Spine", 0, (0, 0.2, 0)),
    ("Neck", 1, (0, 0.35, 0)),
    ("Head", 2, (0, 0.1, 0.02)),
    *(
        joint
        for i, (side, x) in enumerate((("Left", 1), ("Right", -1)))
        for joint in (
            (f"{side}UpLeg", 0, (0.1 * x, -0.05, 0)),
            (f"{side}Leg", 4 + 7 * i, (0, -0.42, 0)),
            (f"{side}Foot", 5 + 7 * i, (0, -0.40, 0)),
            (f"{side}Toe", 6 + 7 * i, (0, -0.06, 0.14)),
            (f"{side}Arm", 1, (0.2 * x, 0.3, 0)),
            (f"{side}ForeArm", 8 + 7 * i, (0, -0.28, 0)),
            (f"{side}Hand", 9 + 7 * i, (0, -0.25, 0)),
        )
    ),
)


def make_person(
    n_frames: int = 30, heading: float = 2.0, heap: bool = True, seed: int = 3
) -> Motion:
    """A person with bent elbows who walks on the spot; with `heap` all offsets but few lie along
    +X.
    """
    names, parents, standing = (np.array(column) for column in zip(*_JOINTS, strict=True))
    rng = np.random.default_rng(seed)
    t = np.arange(n_frames) / 30
    local = rot.identity(n_frames, len(names))
    for name, angle in (
        ("LeftUpLeg", 0.4),
        ("RightUpLeg", -0.4),
        ("LeftArm", -0.3),
        ("RightArm", 0.3),
    ):
        bend = np.outer(np.sin(2 * np.pi * t), [-angle, 0, 0])
        local[:, list(names).index(name)] = rot.from_rotvec(bend)
    for name in ("LeftForeArm", "RightForeArm"):
        local[:, list(names).index(name)] = rot.from_rotvec([-1.2, 0, 0])
    local[:, 0] = rot.yaw(heading)
    local = rot.multiply(local, rot.from_rotvec(rng.normal(0, 0.02, (n_frames, len(names), 3))))
    # Joint frames turned at will, as files have them: offsets and rotations change, the motion does
    # not.
    frames = rot.identity(len(names))
    if heap:
        for j in range(len(names)):
            below = [k for k in range(len(names)) if parents[k] == j]
            along = standing[below[0]] if below else standing[j]
            frames[j] = turn_between(np.array([1.0, 0, 0]), along)
    above = np.concatenate([rot.identity(1), frames[parents[1:]]])
    offsets = rot.rotate(rot.conjugate(above), standing)
    turned = rot.multiply(rot.conjugate(above), rot.multiply(local, frames))
    ends = [j for j in range(len(names)) if j not in parents]
    skeleton = Skeleton(tuple(names), parents, offsets, np.array(ends), 0.8 * offsets[ends])
    place = np.column_stack([0.3 * t, np.full(n_frames, 0.95), -0.2 * t])
    return Motion(skeleton, turned, place[:, None], 1 / 30, name="walk it")


def turn_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    turn, _ = Rotation.align_vectors([b / np.linalg.norm(b)], [a])
    return turn.as_quat(scalar_first=True)


def place_of(found: dict[str, np.ndarray], name: str) -> np.ndarray:
    return found[name][:3, 3]


@pytest.fixture
def person(tmp_path):
    motion = make_person()
    save(motion, tmp_path / "x.glb")
    return motion, tmp_path / "x.glb"


def test_the_body_that_would_lie_in_a_heap_stands_in_a_t_pose(person):
    motion, path = person
    assert is_heap(motion.skeleton)
    at = node_positions(pygltflib.GLTF2().load(path), None)
    for side, x in (("Left", 1), ("Right", -1)):
        limbs = [
            (f"{side}UpLeg", f"{side}Leg", [0, -1, 0]),
            (f"{side}Leg", f"{side}Foot", [0, -1, 0]),
        ]
        limbs += [
            (f"{side}Arm", f"{side}ForeArm", [x, 0, 0]),
            (f"{side}ForeArm", f"{side}Hand", [x, 0, 0]),
        ]
        for upper, lower, wanted in limbs:
            way = place_of(at, lower) - place_of(at, upper)
            np.testing.assert_allclose(way / np.linalg.norm(way), wanted, atol=1e-6)
        toe = place_of(at, f"{side}Toe") - place_of(at, f"{side}Foot")
        assert abs(toe[0]) < 0.01
        assert toe[2] > 0.12
    way = place_of(at, "Neck") - place_of(at, "Spine")
    np.testing.assert_allclose(way / np.linalg.norm(way), [0, 1, 0], atol=1e-6)
    lowest = min(matrix[1, 3] for matrix in at.values())
    assert 0 <= lowest < 0.15
    np.testing.assert_allclose(place_of(at, "Hips")[[0, 2]], 0, atol=1e-9)


def test_palms_of_hanging_arms_look_down_in_the_t_pose():
    """An arm that is lifted sideways takes the palm along: what looked at the thigh looks down."""
    motion = make_person(heap=False)
    rest = find_rest_pose(motion, "standing")
    for side, x in (("Left", 1), ("Right", -1)):
        palm = rot.rotate(rest.rotations[motion.skeleton.index(f"{side}Hand")], [-x, 0.0, 0.0])
        assert palm[1] < -0.9


@pytest.mark.parametrize("rest", [None, "standing", "file", "first"])
def test_positions_and_world_rotations_stay_those_of_the_motion(tmp_path, rest):
    motion = make_person()
    write_glb(motion, tmp_path / "x.glb", rest=rest)
    gltf, truth = pygltflib.GLTF2().load(tmp_path / "x.glb"), forward_kinematics(motion)
    own = {
        n.name: Rotation.from_quat(n.extras["frame"])
        for n in gltf.nodes
        if "frame" in (n.extras or {})
    }
    for frame in (0, 11, motion.n_frames - 1):
        found = node_positions(gltf, frame)
        for j, name in enumerate(motion.skeleton.names):
            np.testing.assert_allclose(found[name][:3, 3], truth.positions[frame, j], atol=1e-6)
            world = Rotation.from_matrix(found[name][:3, :3]) * own[name]
            apart = world.inv() * Rotation.from_quat(truth.rotations[frame, j], scalar_first=True)
            assert apart.magnitude() < 2e-6


@pytest.mark.parametrize("rest", ["standing", "file", "first"])
def test_the_file_gives_the_same_motion_back_whatever_its_rest_pose(tmp_path, rest):
    motion = make_person()
    write_glb(motion, tmp_path / "x.glb", rest=rest)
    again = read_glb(tmp_path / "x.glb")
    np.testing.assert_array_equal(again.skeleton.offsets, motion.skeleton.offsets)
    np.testing.assert_array_equal(again.skeleton.end_offsets, motion.skeleton.end_offsets)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 2e-6
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-6)


def test_bones_point_along_their_y_axis(person):
    motion, path = person
    gltf = pygltflib.GLTF2().load(path)
    at = node_positions(gltf, None)
    looked_at = 0
    for node in gltf.nodes:
        if len(node.children or []) != 1 or node.name not in motion.skeleton.names:
            continue
        way = place_of(at, gltf.nodes[node.children[0]].name) - place_of(at, node.name)
        np.testing.assert_allclose(at[node.name][:3, 1], way / np.linalg.norm(way), atol=1e-6)
        looked_at += 1
    assert looked_at >= 12
    # Where limbs branch off, the trunk goes on.
    way = place_of(at, "Spine") - place_of(at, "Hips")
    np.testing.assert_allclose(at["Hips"][:3, 1], way / np.linalg.norm(way), atol=1e-6)


@pytest.mark.parametrize("rest", ["standing", "file", "first"])
def test_inverse_bind_matrices_belong_to_the_rest_pose(tmp_path, rest):
    write_glb(make_person(), tmp_path / "x.glb", rest=rest)
    gltf = pygltflib.GLTF2().load(tmp_path / "x.glb")
    at, skin = node_positions(gltf, None), gltf.skins[0]
    inverse = values(gltf, skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    for joint, matrix in zip(skin.joints, inverse, strict=True):
        np.testing.assert_allclose(at[gltf.nodes[joint].name] @ matrix, np.eye(4), atol=1e-6)


def test_numbers_of_rotations_stay_within_one(tmp_path):
    for seed in range(2):
        write_glb(make_person(seed=seed), tmp_path / "x.glb")
        gltf = pygltflib.GLTF2().load(tmp_path / "x.glb")
        assert max(abs(v) for n in gltf.nodes for v in n.rotation or [0]) <= 1


def test_the_first_frame_and_the_files_own_pose_on_request(tmp_path):
    motion = make_person()
    write_glb(motion, tmp_path / "x.glb", rest="first")
    at = node_positions(pygltflib.GLTF2().load(tmp_path / "x.glb"), None)
    for j, position in enumerate(forward_kinematics(motion).positions[0]):
        np.testing.assert_allclose(place_of(at, motion.skeleton.names[j]), position, atol=1e-9)
    write_glb(motion, tmp_path / "x.glb", rest="file")
    at = node_positions(pygltflib.GLTF2().load(tmp_path / "x.glb"), None)
    way = place_of(at, "LeftLeg") - place_of(at, "LeftUpLeg")
    np.testing.assert_allclose(
        way, motion.skeleton.offsets[motion.skeleton.index("LeftLeg")], atol=1e-9
    )


def test_a_thing_without_roles_keeps_its_own_pose_and_a_heap_its_first_frame():
    thing = make_motion()
    np.testing.assert_allclose(find_rest_pose(thing).rotations, rot.identity(6), atol=1e-12)
    along = np.tile([1.0, 0, 0], (6, 1))
    heap = replace(thing, skeleton=Skeleton(thing.skeleton.names, thing.skeleton.parents, along))
    first = forward_kinematics(heap).positions[0]
    np.testing.assert_allclose(find_rest_pose(heap).positions, first, atol=1e-12)


def test_rest_poses_that_cannot_be_had_are_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="no legs of a human were found"):
        write_glb(make_motion(), tmp_path / "x.glb", rest="standing")
    with pytest.raises(InvalidInputError, match="standing, file, first"):
        write_glb(make_motion(), tmp_path / "x.glb", rest="sitting")
    assert list(tmp_path.iterdir()) == []


def test_a_person_without_frames_stands_too(tmp_path):
    motion = make_person(heap=False)
    write_glb(motion.cut(0, 0), tmp_path / "x.glb")
    at = node_positions(pygltflib.GLTF2().load(tmp_path / "x.glb"), None)
    assert place_of(at, "LeftHand")[0] > 0.6


def test_armature_mesh_and_animation_have_the_motions_name(person):
    gltf = pygltflib.GLTF2().load(person[1])
    assert gltf.skins[0].name == gltf.animations[0].name == gltf.scenes[0].name == "walk it"
    assert gltf.meshes[0].name == "walk it_mesh"
    names = [n.name for n in gltf.nodes]
    assert len(set(names)) == len(names)


def test_nodes_that_another_program_changed_are_read_as_they_are(person):
    """Notes about joint frames count only while the nodes still fit them."""
    motion, path = person
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + size])
    arm = next(n for n in document["nodes"] if n["name"] == "LeftForeArm")
    arm["translation"] = [2 * v for v in arm["translation"]]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + data[20 + size :]
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)
    again = read_glb(path)
    before, after = (
        np.linalg.norm(m.skeleton.offsets[m.skeleton.index("LeftForeArm")]) for m in (motion, again)
    )
    assert after == pytest.approx(2 * before)
    found = node_positions(pygltflib.GLTF2().load(path), 7)
    for j, name in enumerate(again.skeleton.names):
        np.testing.assert_allclose(
            forward_kinematics(again).positions[7, j], found[name][:3, 3], atol=2e-6
        )


def test_characters_of_a_scene_stand_as_well(tmp_path):
    pair = {"ann": make_person(), "bob": replace(make_person(seed=4), name="bob")}
    write_glb(pair, tmp_path / "s.glb")
    again = read_glb(tmp_path / "s.glb")
    assert rot.angle_between(again.rotations, pair["ann"].rotations).max() < 2e-6
    gltf = pygltflib.GLTF2().load(tmp_path / "s.glb")
    for skin in gltf.skins:
        root = gltf.nodes[skin.joints[0]]
        assert 0.8 < root.translation[1] < 1.1


@pytest.mark.parametrize(
    "name", ["bandai_namco/dataset-2_raise-up-right-hand_active_001.bvh", "cmu_bvh/16/16_15.bvh"]
)
def test_real_captures_stand_and_come_back(shared_data, tmp_path, name):
    motion = load(shared_data / name)
    save(motion, tmp_path / "x.glb")
    again = load(tmp_path / "x.glb")
    np.testing.assert_array_equal(again.skeleton.offsets, motion.skeleton.offsets)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 3e-6
    rest = find_rest_pose(motion)
    assert np.ptp(rest.positions[:, 0]) > 1.0
    assert np.ptp(rest.positions[:, 1]) > 1.2
    assert np.ptp(rest.positions[:, 2]) < 0.5


def test_a_body_that_no_frame_moves_stays_where_its_skeleton_has_it(tmp_path):
    motion = performer_clips()[0].motion[:3].with_translated(())
    write_glb(motion, tmp_path / "m.glb")
    again = read_glb(tmp_path / "m.glb")
    found = forward_kinematics(again).positions
    np.testing.assert_allclose(found, forward_kinematics(motion).positions, atol=1e-6)
