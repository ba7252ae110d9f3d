"""FBX files of other programs: rigs with everything, units, axes, rates; damage."""

from collections import Counter

import numpy as np
import pytest
from fbx_rigs import RigNode, humanik_rig, positions_of, write_rig

from motionloom.errors import FormatError, MissingExtraError
from motionloom.io import load_motion
from motionloom.io.fbx import read_fbx
from motionloom.io.scenes._apart import Extractor, extract_apart
from motionloom.io.units import axes_to_y_up
from motionloom.kinematics import forward_kinematics

ufbx = pytest.importorskip("ufbx", reason="FBX is read by ufbx, which is not installed")


@pytest.mark.parametrize("seed", range(3))
def test_humanik_rig_with_pre_and_post_rotations(tmp_path, seed):
    nodes = humanik_rig(np.random.default_rng(seed))
    write_rig(nodes, tmp_path / "rig.fbx")
    motion = load_motion(tmp_path / "rig.fbx", unit="cm!")
    assert motion.n_frames == 40
    assert motion.skeleton.names == tuple(n.name for n in nodes[1:])
    expected = positions_of(nodes, 40)[:, 1:] * 0.01
    np.testing.assert_allclose(forward_kinematics(motion).positions, expected, atol=5e-6)
    # The reference node is folded into the hips; of the others those move that turn about a pivot.
    assert motion.translated == tuple(i - 1 for i, n in enumerate(nodes) if any(n.pivot))


@pytest.mark.parametrize("up", ["x", "y", "z"])
@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254])
def test_units_and_axes_are_those_of_the_file(tmp_path, up, unit):
    nodes = humanik_rig(np.random.default_rng(4), frames=5)
    back = axes_to_y_up(up).T
    write_rig(nodes, tmp_path / "rig.fbx", unit=unit, back=back)
    motion = read_fbx(tmp_path / "rig.fbx")
    assert (motion.source.up, motion.source.unit) == (up, pytest.approx(unit))
    expected = positions_of(nodes, 5)[:, 1:] @ back * unit
    np.testing.assert_allclose(
        forward_kinematics(motion).positions, expected, atol=1e-6 * np.abs(expected).max()
    )
    told = read_fbx(tmp_path / "rig.fbx", unit=2 * unit, up="y")
    np.testing.assert_allclose(
        forward_kinematics(told).positions,
        positions_of(nodes, 5)[:, 1:] * 2 * unit,
        atol=1e-6 * np.abs(expected).max(),
    )


RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 59.94, 60.0, 120.0, 24 / 1.001, 30 / 1.001, 27.3, 1000.0)


@pytest.mark.parametrize("fps", RATES)
def test_frame_rates_come_back_exactly(tmp_path, fps):
    write_rig(humanik_rig(np.random.default_rng(0), 7), tmp_path / "r.fbx", frame_time=1 / fps)
    motion = read_fbx(tmp_path / "r.fbx")
    assert motion.n_frames == 7
    nearest = min((fps, round(fps * 1.001) / 1.001), key=lambda rate: abs(rate - fps))
    assert motion.frame_time == pytest.approx(1 / nearest, rel=1e-9)


def test_sparse_keys_are_sampled_at_the_rate_of_the_scene(tmp_path):
    nodes = humanik_rig(np.random.default_rng(1), 3)
    write_rig(nodes, tmp_path / "r.fbx", times=np.array([0.0, 0.4, 1.0]))
    motion = read_fbx(tmp_path / "r.fbx")
    assert motion.n_frames == 31
    expected = positions_of(nodes, 3)[:, 1:] * 0.01
    found = forward_kinematics(motion).positions[[0, 12, 30]]
    np.testing.assert_allclose(found, expected, atol=5e-6)


def test_a_rig_without_animation_is_one_frame(tmp_path):
    write_rig([RigNode("a", -1), RigNode("b", 0, place=(0, 10, 0))], tmp_path / "still.fbx")
    motion = read_fbx(tmp_path / "still.fbx")
    assert motion.n_frames == 1
    assert "no animation" in motion.source.warnings[0]
    with pytest.raises(FormatError, match="no animation"):
        read_fbx(tmp_path / "still.fbx", strict=True)


def test_nodes_that_move_are_a_skeleton_where_there_are_no_limbs(tmp_path):
    turning = np.linspace([0, 0, 0], [0, 90, 0], 4)
    nodes = [
        RigNode("top", -1, kind="Null", turning=turning),
        RigNode("tip", 0, place=(0, 100, 0), kind="Null", turning=turning),
    ]
    write_rig(nodes, tmp_path / "nulls.fbx")
    assert read_fbx(tmp_path / "nulls.fbx").skeleton.names == ("top", "tip")


@pytest.mark.parametrize("scale", [-1.0, 0.0])
def test_mirroring_scales_are_refused(tmp_path, scale):
    nodes = [RigNode("a", -1, scale=scale), RigNode("b", 0, place=(0, 10, 0))]
    write_rig(nodes, tmp_path / "m.fbx")
    with pytest.raises(FormatError, match=r"mirror|make no sense"):
        read_fbx(tmp_path / "m.fbx")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Kaydara FBX Binary  \x00\x1a\x00\xe8\x1c\x00\x00", "cannot be read as FBX"),
        (b"; FBX 7.4.0 project file\nObjects: {\n}\n", "holds no skeleton"),
        (b"no FBX at all, whatever its name says", "cannot be read as FBX"),
    ],
)
def test_what_is_no_fbx_is_one_sentence(tmp_path, content, message):
    path = tmp_path / "a.fbx"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        load_motion(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


CRASHES = {
    "abort": "import os\ndef extract(path, number):\n    os.abort()\n",
    "exit": "import os\ndef extract(path, number):\n    os._exit(3)\n",
    "segfault": "import ctypes\ndef extract(path, number):\n    ctypes.string_at(0)\n",
}


@pytest.mark.parametrize("how", CRASHES)
def test_a_crash_of_the_library_is_one_sentence(tmp_path, monkeypatch, how):
    (tmp_path / "crashing_reader.py").write_text(CRASHES[how])
    monkeypatch.syspath_prepend(tmp_path)
    reader = Extractor("crashing_reader", "FBX", "ufbx")
    with pytest.raises(
        FormatError, match=r"ufbx crashed on this file \(exit code -?\d+\)"
    ) as error:
        extract_apart(reader, tmp_path / "a.fbx")
    assert "\n" not in str(error.value)


COUNTING = """
import os
import numpy as np
from motionloom.io.scenes._reading import FileScene, split_transforms
served = 0
def extract(path, number):
    global served
    served += 1
    print("noise", flush=True)
    if "bad" in path or (served > 1 and "tired" in path):
        os.abort()
    rest = split_transforms(np.zeros((0, 10)))
    still = {path: {} for path in rest}
    return FileScene([], [], [], rest, still, served, 1.0, [], take=str(os.getpid()))
"""


def test_one_process_reads_many_files_until_it_crashes(tmp_path, monkeypatch):
    (tmp_path / "counting_reader.py").write_text(COUNTING)
    monkeypatch.syspath_prepend(tmp_path)
    reader = Extractor("counting_reader", "FBX", "ufbx")
    first, second = extract_apart(reader, "a"), extract_apart(reader, "b")
    assert first.take == second.take
    assert second.n_frames == 2
    # What only crashes a process that has read others is read by a new one.
    third = extract_apart(reader, "tired")
    assert third.take != first.take
    with pytest.raises(FormatError, match=r"bad: ufbx crashed"):
        extract_apart(reader, "bad")
    assert extract_apart(reader, "c").n_frames == 1


def test_a_missing_library_names_the_extra(tmp_path, monkeypatch):
    write_rig(humanik_rig(np.random.default_rng(0), 3), tmp_path / "r.fbx")
    (tmp_path / "ufbx.py").write_text("raise ImportError\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtraError, match=r"needs ufbx.*motionloom\[fbx\]"):
        read_fbx(tmp_path / "r.fbx")


FUZZ = """
import sys
import warnings
from pathlib import Path
import numpy as np
from motionloom.errors import MotionloomError
from motionloom.io.fbx._scene import extract
from motionloom.io.scenes._reading import motion_of_scene
warnings.simplefilter("error", RuntimeWarning)
seed, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
for number in range(int(sys.argv[3])):
    rng = np.random.default_rng(number)
    data = bytearray(seed)
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(27, len(data) - 8))
        width = int(rng.choice([1, 1, 2, 4, 8]))
        data[at : at + width] = rng.integers(0, 256, width, np.uint8).tobytes()
    file = folder / "mutant.fbx"
    file.write_bytes(data[: int(rng.integers(40, len(data)))] if number % 7 == 0 else data)
    try:
        motion_of_scene(extract(str(file)), file, "fbx")
        print("read")
    except MotionloomError as error:
        print("refused" if chr(10) not in str(error) else "several lines")
"""


def test_three_hundred_damaged_files_in_one_process(tmp_path, monkeypatch):
    """Numbers are stored plainly, so that damage reaches beyond the container."""
    import struct
    import subprocess
    import sys

    from motionloom.io.fbx import _write as objects

    def plain(values):
        values = np.ascontiguousarray(values)
        letter = objects._ARRAYS[values.dtype.newbyteorder("<").str]
        return letter + struct.pack("<III", values.size, 0, values.nbytes) + values.tobytes()

    monkeypatch.setattr(objects, "_encode_array", plain)
    write_rig(humanik_rig(np.random.default_rng(0), 20), tmp_path / "seed.fbx")
    command = [sys.executable, "-c", FUZZ, str(tmp_path / "seed.fbx"), str(tmp_path), "300"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    outcomes = Counter(done.stdout.split())
    assert set(outcomes) == {"read", "refused"}
    assert sum(outcomes.values()) == 300


@pytest.mark.parametrize(("last", "message"), [(1e5, "more than 1000000"), (1e8, "no sense")])
def test_two_keys_far_apart_take_no_memory(tmp_path, last, message):
    nodes = humanik_rig(np.random.default_rng(1), 2)
    write_rig(nodes, tmp_path / "r.fbx", times=np.array([0.0, last]))
    with pytest.raises(FormatError, match=message):
        read_fbx(tmp_path / "r.fbx")
