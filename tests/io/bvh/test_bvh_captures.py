"""BVH on real captures: every file reads or is refused rightly, and joints are where other readers
put them.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.kinematics import forward_kinematics

CMU = 0.0254 / 0.45
#: Per folder: unit, up axis, joints, joints with translations. Seen in pictures and in the data's
#: notes.
FOLDERS = {
    "cmu_bvh": (CMU, "y", 31, (0,)),
    "bandai_namco": (0.01, "y", 22, (0, 1)),
    "lafan1": (0.01, "y", 22, (0,)),
    "lafan1_60fps": (0.01, "y", 23, (0, 1)),
    "dog": (1.0, "y", 21, (0,)),
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_reads_without_a_warning(shared_data, folder):
    files = sorted((shared_data / folder).rglob("*.bvh"))
    assert files
    motions = [read_bvh(file, strict=True) for file in files]
    for motion in motions:
        unit, up, n_joints, translated = FOLDERS[folder]
        assert motion.source.warnings == ()
        assert (motion.source.unit, motion.source.up) == (pytest.approx(unit), up)
        assert (motion.skeleton.n_joints, motion.translated) == (n_joints, translated)
        assert motion.n_frames == int(
            re.search(r"Frames:\s*(\d+)", Path(motion.source.path).read_text())[1]
        )
    if folder != "cmu_bvh":  # there each subject has a body of its own
        assert all(m.skeleton.matches(motions[0].skeleton) for m in motions), (
            "clips of one body must be joinable"
        )


#: What the odd files are, checked by hand: frames, unit, up axis, height of the hips in the first
#: frame (metres).
ODD = {
    "bvh_python_test_mocapbank": (455, 0.01, "y", 0.936),
    "bvh_toolbox_walk01": (
        101,
        0.01,
        "y",
        1.035,
    ),  # OFFSET and channel both hold the hips' height; not twice of it
    "cmu_bvh_tmoco_arm": (1, 1.0, "y", 0.0),
    "ganimator_idle1": (201, 1.0, "y", 1.435),  # a creature; some of its bones stretch
    "pybvh_bvh_example": (75, 0.0254, "z", 0.925),
    "pybvh_bvh_test3": (100, 0.0254, "z", 0.881),
    "pybvh_rotation_first_root": (4, 0.01, "y", 0.5),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_files(shared_data, name):
    motion = read_bvh(shared_data / "odd" / f"{name}.bvh", strict=True)
    frames, unit, up, height = ODD[name]
    assert (motion.n_frames, motion.source.unit, motion.source.up) == (frames, unit, up)
    assert forward_kinematics(motion).positions[0, 0, 1] == pytest.approx(height, abs=1e-3)


def test_a_file_without_hierarchy_is_refused(shared_data):
    with pytest.raises(
        FormatError, match=r":1: the file starts with MOTION; its HIERARCHY section is missing"
    ):
        read_bvh(shared_data / "odd" / "xbmotiongraph_output1.bvh")


def test_the_extra_pose_of_the_cmu_conversion_is_kept(shared_data):
    """Frame 0 of these files is a T-pose; it is part of the file, and whoever wants it gone can cut
    it.
    """
    motion = read_bvh(shared_data / "cmu_bvh" / "16" / "16_15.bvh")
    assert rot.angle_between(motion.rotations[0], rot.identity()).max() < np.radians(25)
    assert rot.angle_between(motion.rotations[0], motion.rotations[1]).max() > np.radians(25)


def positions_by_scipy(path, frames):
    """World positions (F, J, 3) in the file's unit and axes, read in the plainest way."""
    tokens = path.read_text().split()
    at = tokens.index("MOTION")
    parents, offsets, channels, stack = [], [], [], []
    for i, token in enumerate(tokens[:at]):
        if token in ("ROOT", "JOINT"):
            parents.append(stack[-1] if stack else -1)
            stack.append(len(parents) - 1)
        elif token == "End":
            stack.append(None)
        elif token == "}":
            stack.pop()
        elif token == "OFFSET" and stack[-1] is not None:
            offsets.append(np.array(tokens[i + 1 : i + 4], float))
        elif token == "CHANNELS":
            channels.append(tokens[i + 2 : i + 2 + int(tokens[i + 1])])
    count = int(tokens[at + 2])
    rows = np.array(tokens[at + 6 :], float).reshape(count, -1)[frames]
    positions, turns, column = [], [], 0
    for parent, offset, names in zip(parents, offsets, channels, strict=True):
        local, turn = np.repeat(offset[None], len(rows), axis=0), Rotation.identity(len(rows))
        for name in names:
            if name.endswith("position"):
                local[:, "XYZ".index(name[0])] = rows[:, column]
            else:
                turn = turn * Rotation.from_euler(
                    name[0].lower(), rows[:, column, None], degrees=True
                )
            column += 1
        positions.append(local if parent < 0 else positions[parent] + turns[parent].apply(local))
        turns.append(turn if parent < 0 else turns[parent] * turn)
    return np.stack(positions, axis=1)


FILES = [
    "cmu_bvh/16/16_15.bvh",
    "bandai_namco/dataset-2_raise-up-right-hand_normal_001.bvh",
    "lafan1_60fps/obstacles4_subject3_standing_filtered.bvh",
    "dog/D1_010_KAN01_002.bvh",
    "odd/ganimator_idle1.bvh",
    "odd/pybvh_bvh_example.bvh",
    "odd/pybvh_bvh_test3.bvh",
    "odd/pybvh_rotation_first_root.bvh",
]


@pytest.mark.parametrize("file", FILES)
def test_joints_are_where_scipy_puts_them(shared_data, file):
    path = shared_data / file
    motion = read_bvh(path, unit=1.0, up="y")
    frames = np.linspace(0, motion.n_frames - 1, min(motion.n_frames, 12)).astype(int)
    expected = positions_by_scipy(path, frames)
    # Bones that stretch by less than a hundred thousandth are taken as stiff.
    tolerance = 5e-6 * np.abs(motion.skeleton.offsets).max()
    np.testing.assert_allclose(
        forward_kinematics(motion).positions[frames], expected, rtol=0, atol=tolerance
    )


@pytest.mark.parametrize(
    "file", ["cmu_bvh/16/16_15.bvh", "lafan1_60fps/obstacles4_subject3_standing_filtered.bvh"]
)
def test_joints_are_where_pymotion_puts_them(shared_data, file):
    pymotion = pytest.importorskip(
        "pymotion.io.bvh", reason="upc-pymotion (extra bench) is not installed"
    )
    skeleton = pytest.importorskip("pymotion.ops.skeleton")
    theirs = pymotion.BVH()
    theirs.load(str(shared_data / file))
    turns, positions, parents, offsets, *_ = theirs.get_data()
    expected, _ = skeleton.fk(turns, positions[:, 0], offsets, parents)
    motion = read_bvh(shared_data / file, unit=1.0)
    np.testing.assert_allclose(
        forward_kinematics(motion).positions[:, 0], expected[:, 0], atol=1e-3
    )
    if motion.translated == (0,):  # theirs takes positions of the root only
        np.testing.assert_allclose(forward_kinematics(motion).positions, expected, atol=1e-3)


@pytest.mark.parametrize("file", FILES)
def test_written_and_read_again(shared_data, file, tmp_path):
    motion = read_bvh(shared_data / file)
    write_bvh(motion, tmp_path / "again.bvh")
    again = read_bvh(tmp_path / "again.bvh", strict=True)
    assert again.source.channels == motion.source.channels
    assert (again.source.unit, again.source.up) == (motion.source.unit, motion.source.up)
    assert again.frame_time == motion.frame_time
    assert again.translated == motion.translated
    assert again.skeleton.names == motion.skeleton.names
    np.testing.assert_allclose(again.skeleton.offsets, motion.skeleton.offsets, atol=1e-9)
    np.testing.assert_allclose(again.skeleton.end_offsets, motion.skeleton.end_offsets, atol=1e-9)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 5e-8
    ours = forward_kinematics(motion).positions
    np.testing.assert_allclose(forward_kinematics(again).positions, ours, rtol=0, atol=5e-8)
