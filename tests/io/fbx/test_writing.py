"""FBX as we write it: what comes back, and what the file holds."""

import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io import load_motion, save
from motionloom.io.fbx import read_fbx, write_fbx
from motionloom.io.fbx._write import MAGIC, Record, build_file
from motionloom.io.scenes._reading import motion_of_scene
from motionloom.kinematics import forward_kinematics
from performed import performer_clips
from random_bodies import random_motion

ufbx = pytest.importorskip("ufbx", reason="FBX is read by ufbx, which is not installed")


def read_here(path, notes=True):
    """The motion of a file, read in this process; without our notes as another program's file."""
    from motionloom.io.fbx._scene import extract

    scene = extract(str(path))
    if not notes:
        scene = replace(scene, notes=[{}] * len(scene.names))
    return motion_of_scene(scene, path, "fbx")


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    joints=st.integers(1, 9),
    frames=st.integers(0, 6),
    frame_time=st.sampled_from([1 / 30, 1001 / 30000, 1 / 120, 0.0411, 0.033333]),
    more=st.booleans(),
    up=st.sampled_from("xyz"),
    unit=st.sampled_from([1.0, 0.01, 0.0254]),
)
def test_any_motion_comes_back(tmp_path_factory, seed, joints, frames, frame_time, more, up, unit):
    translated = (0, joints - 1) if more and joints > 1 else (0,)
    motion = random_motion(seed, joints, frames, frame_time, translated)
    path = tmp_path_factory.mktemp("fbx") / "m.fbx"
    write_fbx(motion, path, up=up, unit=unit)
    again = read_here(path)
    assert again.skeleton.names == motion.skeleton.names
    assert again.frame_time == motion.frame_time
    assert again.translated == motion.translated
    assert again.n_frames == frames
    np.testing.assert_array_equal(again.skeleton.parents, motion.skeleton.parents)
    np.testing.assert_allclose(again.skeleton.offsets, motion.skeleton.offsets, atol=1e-12)
    np.testing.assert_allclose(again.skeleton.end_offsets, motion.skeleton.end_offsets)
    apart = rot.angle_between(again.rotations, motion.rotations)
    assert apart.max(initial=0.0) < 1e-6
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-6)


@pytest.mark.parametrize("up", ["y", "z"])
def test_files_are_right_without_our_notes(tmp_path, up):
    motion = performer_clips()[0].motion[:40]
    write_fbx(motion, tmp_path / "m.fbx", up=up)
    foreign = read_here(tmp_path / "m.fbx", notes=False)
    own = [foreign.skeleton.index(name) for name in motion.skeleton.names]
    found = forward_kinematics(foreign).positions[:, own]
    np.testing.assert_allclose(found, forward_kinematics(motion).positions, atol=1e-6)
    assert foreign.frame_time == motion.frame_time


def test_notes_that_no_longer_fit_do_not_count(tmp_path):
    motion = performer_clips()[0].motion[:5]
    write_fbx(motion, tmp_path / "m.fbx")
    from motionloom.io.fbx._scene import extract

    scene = extract(str(tmp_path / "m.fbx"))
    for places in (scene.rest["translation"], scene.tracks["translation"]):
        places[3] *= 1.5
    longer = motion_of_scene(scene, "m.fbx", "fbx").skeleton
    changed = longer.index(scene.names[3])
    length = np.linalg.norm(motion.skeleton.offsets[motion.skeleton.index(scene.names[3])])
    assert np.linalg.norm(longer.offsets[changed]) == pytest.approx(1.5 * length)
    # End sites are still marked, and still tips.
    assert set(longer.names) == set(motion.skeleton.names)


@pytest.mark.parametrize("rest", ["standing", "file", "first"])
def test_the_rest_pose_changes_no_motion(tmp_path, rest):
    motion = performer_clips()[0].motion[:10]
    save(motion, tmp_path / "m.fbx", rest=rest)
    again = load_motion(tmp_path / "m.fbx")
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-6


def test_all_curves_but_the_roots_are_zero_in_the_rest_pose(tmp_path):
    motion = performer_clips()[0].motion[:2]
    write_fbx(motion, tmp_path / "m.fbx")
    kept = [scene := ufbx.load_file(str(tmp_path / "m.fbx")), nodes := list(scene.nodes)]
    bones = [node for node in nodes if node.attrib_type == ufbx.ElementType.BONE]
    assert len(bones) == motion.skeleton.n_joints + len(motion.skeleton.end_parents)
    for node in bones[1:]:
        kept.append(rotation := node.euler_rotation)
        assert max(map(abs, rotation)) < 1e-9
    assert scene.settings.unit_meters == 0.01


def test_mesh_and_bind_pose_go_with_the_skeleton(tmp_path):
    motion = performer_clips()[0].motion[:2]
    write_fbx(motion, tmp_path / "m.fbx")
    kept = [scene := ufbx.load_file(str(tmp_path / "m.fbx"))]
    kept += [meshes := list(scene.meshes), clusters := list(scene.skin_clusters)]
    kept += [poses := list(scene.poses), warnings := list(scene.metadata.warnings)]
    assert len(meshes) == len(poses) == 1
    assert len(clusters) == motion.skeleton.n_joints
    assert sum(cluster.num_weights for cluster in clusters) == meshes[0].num_vertices
    assert poses[0].is_bind_pose
    assert not warnings


def test_places_have_curves_only_where_joints_move(tmp_path):
    motion = performer_clips()[0].motion[:4]
    everything = motion.with_translated(range(motion.skeleton.n_joints))
    write_fbx(everything, tmp_path / "all.fbx")
    write_fbx(motion, tmp_path / "root.fbx")
    counts = []
    for name in ("all", "root"):
        scene = ufbx.load_file(str(tmp_path / f"{name}.fbx"))
        counts.append(len(scene.anim_curves))
    assert counts == [3 * (motion.skeleton.n_joints + 1)] * 2
    assert read_fbx(tmp_path / "all.fbx").translated == everything.translated


def test_a_body_that_stays_where_its_skeleton_has_it(tmp_path):
    """No joint is translated; the T-pose that it is bound in stands elsewhere."""
    motion = performer_clips()[0].motion[:3].with_translated(())
    write_fbx(motion, tmp_path / "m.fbx")
    for notes in (True, False):
        again = read_here(tmp_path / "m.fbx", notes)
        own = [again.skeleton.index(name) for name in motion.skeleton.names]
        found = forward_kinematics(again).positions[:, own]
        np.testing.assert_allclose(found, forward_kinematics(motion).positions, atol=1e-6)
    assert read_here(tmp_path / "m.fbx").translated == ()


def test_turning_about_the_vertical_never_locks(tmp_path):
    """Angles between frames stay small although the body spins three times and leans."""
    motion = performer_clips()[0].motion[:90]
    spin = rot.yaw(np.linspace(0, 6 * np.pi, 90))
    turns = motion.rotations.copy()
    turns[:, 0] = rot.multiply(spin, turns[:, 0])
    write_fbx(replace(motion, rotations=turns), tmp_path / "spin.fbx")
    kept = [scene := ufbx.load_file(str(tmp_path / "spin.fbx"))]
    kept += [curves := list(scene.anim_curves)]
    steps = []
    for curve in curves[:3]:
        values = [key.value for key in curve.keyframes]
        steps.append(np.abs(np.diff(values)).max())
    assert max(steps) < 30


def test_real_captures_come_back(shared_data, tmp_path):
    for name in ("lafan1/dance1_subject1.bvh", "cmu_bvh/16/16_15.bvh", "dog/D1_009_KAN01_002.bvh"):
        found = shared_data / name
        if not found.exists():
            found = next((shared_data / name.split("/")[0]).rglob("*.bvh"))
        motion = load_motion(found)[:120]
        write_fbx(motion, tmp_path / "m.fbx")
        again = read_here(tmp_path / "m.fbx")
        assert again.skeleton.matches(motion.skeleton)
        assert again.frame_time == motion.frame_time
        apart = forward_kinematics(again).positions - forward_kinematics(motion).positions
        assert np.abs(apart).max() < 1e-6


def test_a_scene_has_all_characters(tmp_path):
    motions = {name: clip.motion[:6] for name, clip in zip("ab", performer_clips(), strict=False)}
    write_fbx(motions, tmp_path / "s.fbx", name="two")
    kept = [scene := ufbx.load_file(str(tmp_path / "s.fbx")), nodes := list(scene.nodes)]
    names = {node.name for node in nodes}
    assert {"a:Hips", "b:Hips"} <= names
    assert len(kept[0].meshes) == 2
    again = read_fbx(tmp_path / "s.fbx")
    assert again.skeleton.n_joints == motions["a"].skeleton.n_joints
    with pytest.raises(InvalidInputError, match="same frame rate"):
        write_fbx({**motions, "c": motions["a"][:3]}, tmp_path / "s.fbx")
    with pytest.raises(InvalidInputError, match="at least one"):
        write_fbx({}, tmp_path / "s.fbx")


def test_the_container_is_what_others_read():
    data = build_file((Record("A", (1, 2.5, "x"), (Record("B", (np.arange(5),)),)), Record("C")))
    assert data.startswith(MAGIC)
    assert zlib.compress(np.arange(5).tobytes(), 1) in data
    assert data.endswith(bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b"))
    assert build_file(()) == build_file(())


def test_odd_options_are_refused(tmp_path):
    motion = performer_clips()[0].motion[:2]
    for options in ({"unit": -1}, {"up": "w"}, {"rest": "lying"}):
        with pytest.raises(InvalidInputError):
            save(motion, tmp_path / "m.fbx", **options)
    assert not list(tmp_path.iterdir())
