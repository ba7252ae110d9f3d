"""Loading and saving by content and suffix."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io import load, load_markers, load_motion, save
from motionloom.io.registry import FORMATS, find_format
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton


@pytest.fixture
def motion():
    rng = np.random.default_rng(0)
    skeleton = Skeleton(
        ("hips", "chest", "head"),
        [-1, 0, 1],
        [[0, 0, 0], [0, 0.4, 0], [0, 0.3, 0]],
        [2],
        [[0, 0.2, 0]],
    )
    turns = rot.from_rotvec(rng.normal(size=(5, 3, 3)))
    return Motion(skeleton, turns, rng.normal(size=(5, 1, 3)), 0.04)


@pytest.mark.parametrize("suffix", [".bvh", ".BVH", ".glb"])
def test_saved_and_loaded_by_suffix(motion, tmp_path, suffix):
    save(motion, tmp_path / f"m{suffix}")
    again = load_motion(tmp_path / f"m{suffix}", unit=1.0)
    positions = forward_kinematics(motion).positions
    np.testing.assert_allclose(forward_kinematics(again).positions, positions, atol=1e-4)


def test_options_of_the_writer_are_passed_on(motion, tmp_path):
    save(motion, tmp_path / "m.bvh", unit=0.01)
    assert "OFFSET 0.0 40.0 0.0" in (tmp_path / "m.bvh").read_text()


def test_every_format_is_found_by_its_content(motion, tmp_path):
    heads = {
        ".bvh": b"\xef\xbb\xbf\n HIERARCHY\nROOT a",
        ".amc": b"#!OML:ASF x.asf\n:FULLY-SPECIFIED\n",
        ".glb": b"glTF\x02\0\0\0",
        ".fbx": b"Kaydara FBX Binary  \x00\x1a\x00",
        ".usda": b"#usda 1.0\n(\n)\n",
        ".usdc": b"PXR-USDC\0",
        ".npz": b"PK\x03\x04\x14\0\0poses.npy",
        ".c3d": b"\x02\x50\x03\0\0\0",
        ".trc": b"PathFileType\t4\t(X/Y/Z)\tx.trc\n",
    }
    assert heads.keys() == {f.suffix for f in FORMATS} - {".usd"}  # either of the two others
    for suffix, head in heads.items():
        (tmp_path / "unnamed").write_bytes(head)
        found, warning = find_format(tmp_path / "unnamed")
        assert found.suffix == suffix
        assert "without suffix" in warning
        assert sum(f.is_likely(head) for f in FORMATS if f.suffix != ".usd") == 1
    assert not find_format(_named(tmp_path / "m.usd", b"PXR-USDC\0"))[1]


def _named(path, content):
    path.write_bytes(content)
    return path


def test_content_wins_over_a_wrong_suffix_with_a_warning(motion, tmp_path):
    save(motion, tmp_path / "m.bvh")
    wrong = (tmp_path / "m.bvh").rename(tmp_path / "m.trc")
    assert (
        load_motion(wrong, unit=1.0).source.warnings[0] == "named .trc but holds BVH; read as that"
    )
    with pytest.raises(FormatError, match="strict"):
        load(wrong, strict=True)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.xyz",
            b"hello",
            r"unknown kind of file '\.xyz'; known are \.bvh, \.amc, \.glb.*\.c3d, \.trc",
        ),
        ("a", b"hello", "without suffix"),
        ("a.gltf", b"{}", r"export it as \.glb"),
        ("a.asf", b":version 1.10\n", "a skeleton without motion"),
        ("a.bvh", b"", "is empty"),
        ("a.bvh", b"hello", "not a BVH file"),
    ],
)
def test_files_that_cannot_be_loaded(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        load(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_folders_and_missing_files(tmp_path):
    with pytest.raises(FormatError, match="this is a folder"):
        load(tmp_path)
    with pytest.raises(FormatError, match="no such file"):
        load(tmp_path / "none.bvh")


def test_motions_are_no_markers(motion, tmp_path):
    save(motion, tmp_path / "m.bvh")
    with pytest.raises(FormatError, match=r"not markers; give one of \.c3d, \.trc"):
        load_markers(tmp_path / "m.bvh")


def test_suffixes_that_cannot_be_written(motion, tmp_path):
    for name in ("m.usdc", "m", "m.c3d"):
        with pytest.raises(InvalidInputError, match=r"use \.bvh, \.amc, \.glb"):
            save(motion, tmp_path / name)
    markers = MarkerSequence(("a",), np.zeros((1, 1, 3)), np.ones((1, 1), bool), 0.01)
    with pytest.raises(InvalidInputError, match=r"use \.trc"):
        save(markers, tmp_path / "m.bvh")
    assert list(tmp_path.iterdir()) == []
