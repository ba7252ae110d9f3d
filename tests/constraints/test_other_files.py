"""Height maps in files of their own."""

import os
import struct
import tracemalloc

import numpy as np
import pytest

from motionloom.constraints import HeightMap, read_constraints, write_constraints
from motionloom.constraints.other_files import read_heights
from motionloom.constraints.scene import read_any
from motionloom.errors import FormatError
from motionloom.io.limits import MOST_HEIGHT_BYTES, MOST_HEIGHTS

WISH = (
    "duration: 2.0\navoid:\n  - {shape: cylinder, center: [0, 0], radius: 1}\n  - {shape:"
    " heightmap, file: NAME}\n"
)
HEIGHTS = ((0.0, 0.5, 1.0), (0.0, -0.25, 2.0))


def write(tmp_path, name, text):
    (tmp_path / "wish.yaml").write_text(WISH.replace("NAME", name))
    (tmp_path / name).write_text(text)
    return tmp_path / "wish.yaml"


@pytest.mark.parametrize(
    "text", ["0,0.5,1\n0,-0.25,2\n", "# hill\n0 0.5\t1 # top\n\n 0; -.25; 2e0"]
)
def test_text(tmp_path, text):
    wish = read_constraints(write(tmp_path, "hill.csv", text))
    assert wish.avoid[1] == HeightMap(heights=HEIGHTS)
    write_constraints(wish, tmp_path / "again.yaml")
    assert read_constraints(tmp_path / "again.yaml") == wish


def test_array_and_scene(tmp_path):
    (tmp_path / "sub").mkdir()
    np.save(tmp_path / "sub" / "hill.npy", np.array(HEIGHTS, np.float32))
    scene = tmp_path / "scene.yaml"
    hill = "{shape: heightmap, file: sub/hill.npy, cell: 0.5}"
    scene.write_text(f"duration: 2\ncharacters:\n  a:\n    avoid:\n      - {hill}\n  b: {{}}\n")
    assert read_any(scene).characters["a"].avoid[0] == HeightMap(heights=HEIGHTS, cell=0.5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,1\n0,x\n", r"hill.csv:2: expected heights in metres; entry 2 of this row is none"),
        ("0,1\n\n0,1,2\n", r"hill.csv:3: this row has 3 heights and the first has 2"),
        ("0,1\n", r"wish.yaml:4: avoid\[1\].heights: expected at least 2 rows"),
        ("0,1\n1,nan\n", r"hill.csv:2: expected heights in metres; entry 2"),
        ("# nothing\n", r"wish.yaml:4: avoid\[1\].heights: expected at least 2 rows"),
    ],
)
def test_wrong_text(tmp_path, text, expected):
    with pytest.raises(FormatError, match=expected):
        read_constraints(write(tmp_path, "hill.csv", text))


def test_missing_file_and_both(tmp_path):
    path = write(tmp_path, "hill.csv", "0,0\n0,0\n")
    (tmp_path / "hill.csv").unlink()
    with pytest.raises(FormatError, match=r"hill.csv: no such file"):
        read_constraints(path)
    path.write_text(
        path.read_text().replace("file: hill.csv", "file: a, heights: [[0, 0], [0, 0]]")
    )
    with pytest.raises(FormatError, match=r"wish.yaml:4: .*either heights or a file"):
        read_constraints(path)
    path.write_text(path.read_text().replace("file: a, heights: [[0, 0], [0, 0]]", "file: 3"))
    with pytest.raises(FormatError, match=r"wish.yaml:4: file: expected the name"):
        read_constraints(path)


@pytest.mark.parametrize("values", [np.zeros(4), np.zeros((2, 2), complex), np.array([["a"]])])
def test_arrays_that_are_no_heights(tmp_path, values):
    np.save(tmp_path / "hill.npy", values)
    with pytest.raises(FormatError, match="expected heights in rows and columns"):
        read_heights(tmp_path / "hill.npy")


def test_a_file_that_is_no_array(tmp_path):
    (tmp_path / "hill.npy").write_text("0,1\n")
    with pytest.raises(FormatError, match="not a NumPy array"):
        read_heights(tmp_path / "hill.npy")
    np.save(tmp_path / "objects.npy", np.array([[{}]], object))
    with pytest.raises(FormatError, match="not a NumPy array"):
        read_heights(tmp_path / "objects.npy")
    with (tmp_path / "archive.npy").open("wb") as stream:
        np.savez(stream, heights=np.zeros((2, 2)))
    with pytest.raises(FormatError, match="archive of arrays"):
        read_heights(tmp_path / "archive.npy")


# --- whose files, and how many heights


@pytest.mark.parametrize("kind", ["absolute", "above", "link", "there and back"])
def test_files_elsewhere_only_when_trusted(tmp_path, kind):
    (tmp_path / "secret.csv").write_text("0,1\n2,3\n")
    inside = tmp_path / "wishes"
    inside.mkdir()
    names = {"absolute": str(tmp_path / "secret.csv"), "above": "../secret.csv", "link": "link.csv"}
    name = names.get(kind, "../wishes/own.csv")
    (inside / "own.csv").write_text("0,1\n2,3\n")
    os.symlink(tmp_path / "secret.csv", inside / "link.csv")
    path = inside / "wish.yaml"
    path.write_text(WISH.replace("NAME", name))
    with pytest.raises(
        FormatError, match=r"wish.yaml:4: file: .* not in the folder .* or trust the paths"
    ) as caught:
        read_constraints(path)
    assert caught.value.hint == "trust paths"
    assert read_constraints(path, trust_paths=True).avoid[1].heights == ((0, 1), (2, 3))


@pytest.mark.parametrize("name", ["hill.csv", "hill.npy"])
def test_messages_do_not_show_what_a_file_holds(tmp_path, name):
    path = write(tmp_path, name, "root:x:0:0\n")
    with pytest.raises(FormatError) as caught:
        read_constraints(path)
    assert "root:x" not in str(caught.value)


def header(shape: tuple, version: int = 1) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (header((10**6, 10**6)), "its header claims 1000000 x 1000000 heights; expected at most"),
        (header((10**30, 10**30)), "its header claims 10+ x 10+ heights"),
        (header((1000, 1000)), "cut short"),
        (header((2, 2), 9), "not a NumPy array"),
        (b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535, "not a NumPy array"),
    ],
)
def test_arrays_that_claim_too_much(tmp_path, data, message):
    (tmp_path / "hill.npy").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read_heights(tmp_path / "hill.npy")


def test_too_many_heights(tmp_path):
    path = tmp_path / "hill.csv"
    path.write_bytes((b"1," * 1000 + b"\n") * (MOST_HEIGHTS // 1000 + 1))
    with pytest.raises(
        FormatError, match=f"holds {MOST_HEIGHTS + 1000} numbers; expected at most {MOST_HEIGHTS}"
    ):
        read_heights(path)
    with path.open("ab") as stream:
        stream.truncate(MOST_HEIGHT_BYTES + 1)
    tracemalloc.start()
    with pytest.raises(FormatError, match=f"expected at most {MOST_HEIGHT_BYTES}"):
        read_heights(path)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_all_height_maps_of_a_file_together(tmp_path):
    np.save(tmp_path / "hill.npy", np.zeros((600, 1000)))
    (tmp_path / "wish.yaml").write_text(
        "duration: 2.0\navoid:\n" + "  - {shape: heightmap, file: hill.npy}\n" * 2
    )
    with pytest.raises(FormatError, match=f"wish.yaml:4: .* more than {MOST_HEIGHTS} heights"):
        read_constraints(tmp_path / "wish.yaml")
