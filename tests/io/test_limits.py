"""Reading costs in proportion to the file: steps and memory are counted, and what would become too
much is refused.
"""

from __future__ import annotations

import contextlib
import json
import struct
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from motionloom.clips.label_files import read_labels
from motionloom.constraints import read_constraints
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io import document, limits, load, save
from motionloom.io._markers import name_markers
from motionloom.io.bvh._channels import parse_frames
from motionloom.io.bvh._hierarchy import split_sections
from motionloom.io.describe import describe
from motionloom.io.document import parse_document
from motionloom.io.files import read_bytes
from motionloom.io.limits import (
    MOST_ABOVE,
    MOST_BYTES,
    MOST_FRAMES,
    MOST_MENDED,
    MOST_NODES,
    MOST_PATTERNS,
    MOST_POSES,
    Notes,
    check_poses,
)
from motionloom.io.number_table import parse_rows, without_comments
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton


def steps(work: Callable[[], object]) -> int:
    """Lines of motionloom that Python runs, each time it does."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if "motionloom" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def peak(work: Callable[[], object]) -> int:
    """Most bytes that are held at once on the way."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def read(path: Path) -> None:
    with contextlib.suppress(FormatError):
        describe(load(path))


# --- files by their size

HEAD = "MOTION\nFrames: 1\nFrame Time: 0.1\n"


def bvh(joints: str, motion: str = HEAD + "1\n") -> bytes:
    root = "ROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n"
    return f"HIERARCHY\n{root}{joints}}}\n{motion}".encode()


def wide(names) -> str:
    return "".join(f"JOINT {name}\n{{\nOFFSET 0 1 0\n}}\n" for name in names)


def chain(names) -> str:
    names = list(names)
    return "".join(f"JOINT {name}\n{{\nOFFSET 0 1 0\n" for name in names) + "}\n" * len(names)


def glb(nodes: list, binary: bytes = b"", **document) -> bytes:
    text = json.dumps({"nodes": nodes, **document}).encode()
    text += b" " * (-len(text) % 4)
    body = (
        struct.pack("<II", len(text), 0x4E4F534A)
        + text
        + struct.pack("<II", len(binary), 0x004E4942)
        + binary
    )
    return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


def nodes_in_a_chain(count: int) -> list:
    return [{"name": "a", "children": [i + 1]} for i in range(count - 1)] + [{"name": "a"}]


def animated(tracks: int, keys: int, **view) -> bytes:
    """Nodes beside each other that share one track of turns."""
    binary = (
        np.arange(keys, dtype="<f4").tobytes()
        + np.tile(np.array([0, 0, 0, 1], "<f4"), keys).tobytes()
    )
    return glb(
        [{"children": list(range(1, tracks))}, *({} for _ in range(tracks - 1))],
        binary,
        skins=[{"joints": list(range(tracks))}],
        accessors=[
            {"bufferView": 0, "componentType": 5126, "count": keys, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": keys, "type": "VEC4"},
        ],
        bufferViews=[
            {"buffer": 0, "byteOffset": 0, "byteLength": 4 * keys},
            {"buffer": 0, "byteOffset": 4 * keys, "byteLength": 16 * keys, **view},
        ],
        animations=[
            {
                "samplers": [{"input": 0, "output": 1}],
                "channels": [
                    {"sampler": 0, "target": {"node": i, "path": "rotation"}} for i in range(tracks)
                ],
            }
        ],
    )


def trc(n: int) -> bytes:
    names = "\t\t\t".join(["m"] * n)
    head = f"PathFileType\t4\nDataRate\tNumMarkers\n100\t{n}\n"
    return f"{head}Frame#\tTime\t{names}\n\tX1\n1\t0\n".encode()


def asf(count: int, more: str = "") -> bytes:
    bones = "".join(
        f"begin\nname b{i}\ndirection 0 1 0\nlength 1\ndof rx\n{more}end\n" for i in range(count)
    )
    tree = "root b0\n" + "".join(f"b{i} b{i + 1}\n" for i in range(count - 1))
    return f":root\norder TX\n:bonedata\n{bones}:hierarchy\nbegin\n{tree}end\n".encode()


CASES = {
    "words in one line": ("a.bvh", lambda n: bvh("x " * n)),
    "names that collide": (
        "a.bvh",
        lambda n: bvh(wide([*(f"a_{n + i}" for i in range(n)), *["a"] * n])),
    ),
    "one name": ("a.bvh", lambda n: bvh(wide(["a"] * n))),
    "a chain of hands": ("a.bvh", lambda n: bvh(chain(["left_hand"] * n))),
    "end sites": ("a.bvh", lambda n: bvh("End Site\n{\nOFFSET 0 1 0\n}\n" * n)),
    "broken rows": ("a.bvh", lambda n: bvh("", HEAD + ("1\n" * 11 + "x\n") * n)),
    "nodes in a chain": (
        "a.glb",
        lambda n: glb(nodes_in_a_chain(n), skins=[{"joints": list(range(n))}]),
    ),
    "nodes in a chain, last first": (
        "a.glb",
        lambda n: glb(
            [{}, *({"children": [i]} for i in range(n - 1))], skins=[{"joints": list(range(n))}]
        ),
    ),
    "channels that share keys": ("a.glb", lambda n: animated(n, 3)),
    "markers of one name": ("a.trc", trc),
    "bones": ("a.asf", asf),
}


@pytest.mark.parametrize("case", CASES)
def test_twice_the_file_takes_twice_the_steps(tmp_path, case):
    name, make = CASES[case]
    path = tmp_path / name
    counts = []
    for n in (0, 60, 120, 240):
        path.write_bytes(make(n or 30))
        if path.suffix == ".asf":
            (tmp_path / "a.amc").write_text("1\nroot 0\n")
        target = path.with_suffix(".amc") if path.suffix == ".asf" else path
        counts.append(steps(lambda target=target: read(target)))
    # The first run imports and fills caches.
    _, one, two, four = counts
    assert four - two <= 2.3 * (two - one) + 300


class Counted(bytes):
    """Bytes that know how many of them `count` has looked at."""

    looked_at = 0

    def count(self, sub, start=0, stop=None):
        stop = len(self) if stop is None else stop
        Counted.looked_at += stop - start
        return super().count(sub, start, stop)


def test_lines_are_counted_once_whatever_the_head_repeats():
    data = Counted(b"Frames: 1\n" * 90 + b"Frame Time: 0.1\n1\n")
    Counted.looked_at = 0
    assert len(parse_frames(data, 1, 1, None, Notes("a.bvh"))[0]) == 1
    assert Counted.looked_at <= 2 * len(data)
    with pytest.raises(FormatError, match="told over and over"):
        parse_frames(b"Frames: 1\n" * 1000, 1, 1, None, Notes("a.bvh"))


def test_blanks_after_motion_are_passed_once():
    """A pattern that may give blanks back would try every way to part them: here some 10^10."""
    head = b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION"
    text, body, _ = split_sections(head + b" " * 200_000 + b"x\n", Notes("a.bvh"))
    assert not body
    assert text.endswith("x\n")


def test_markers_of_one_name_are_numbered_in_one_pass():
    assert name_markers(["m"] * 4, 4, Notes("a.trc")) == ["m", "m_2", "m_3", "m_4"]
    few, many = (steps(lambda n=n: name_markers(["m"] * n, n, Notes("a.trc"))) for n in (100, 200))
    assert many <= 2.1 * few


def test_names_given_twice_are_told_in_short():
    names = [f"a{i}" for i in range(30)]
    with pytest.raises(InvalidInputError, match=r"given more than once: a0, a1, .* and 10 more"):
        Skeleton((*names, *names), np.arange(-1, 59), np.zeros((60, 3)))


# --- refused before any work


def refused(path: Path, data: bytes, message: str) -> None:
    """Check that a file is refused in one short sentence."""
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def refused_at(path: Path, data: bytes, message: str) -> int:
    """Bytes held at most while a file is refused."""
    return peak(lambda: refused(path, data, message))


def test_a_file_beyond_all_size_is_not_read(tmp_path):
    path = tmp_path / "a.bvh"
    with path.open("wb") as stream:
        stream.write(b"HIERARCHY\n")
        stream.truncate(MOST_BYTES + 1)

    def work() -> None:
        with pytest.raises(
            FormatError, match=f"has {MOST_BYTES + 1} bytes; expected at most {MOST_BYTES}"
        ):
            load(path)

    assert peak(work) < 1_000_000
    assert read_bytes(path, 4) == b"HIER"


def test_shared_keys_are_refused_before_they_are_read(tmp_path):
    data = animated(400, 10_000)
    message = f"10000 frames of 400 joints .* bytes may become {MOST_POSES + len(data) // 5}"
    assert refused_at(tmp_path / "a.glb", data, message) < 10 * len(data)


def test_many_frames_of_joints_without_channels(tmp_path):
    data = bvh(wide(range(2000)), HEAD + "1\n" * 2000)
    assert (
        refused_at(tmp_path / "a.bvh", data, "2000 frames of 2001 joints")
        < 20 * len(data) + 2_000_000
    )


def test_many_frame_numbers_of_many_bones(tmp_path):
    (tmp_path / "a.asf").write_bytes(asf(1000))
    assert (
        refused_at(tmp_path / "a.amc", b"1\nroot 0\n" + b"1\n" * 3000, "3001 frames of 1001 joints")
        < 5_000_000
    )


def test_many_rows_of_many_markers(tmp_path):
    data = trc(2000) + b"1\t0\n" * 2000
    assert refused_at(tmp_path / "a.trc", data, "2001 frames of 2000 markers") < 5_000_000


def more_joints(suffix: str, folder: Path, most: int) -> bytes:
    if suffix == ".bvh":
        return bvh(wide(range(most)))
    if suffix == ".glb":
        return glb([{} for _ in range(most + 1)], skins=[{"joints": list(range(most + 1))}])
    bone = "begin\nname b{}\ndirection 0 1 0\nlength 0\nend\n"
    bones = "".join(bone.format(i) for i in range(most + 1))
    (folder / "a.asf").write_text(f":bonedata\n{bones}:hierarchy\n")
    return b"1\nroot 0\n"


@pytest.mark.parametrize("suffix", [".bvh", ".glb", ".amc"])
def test_the_same_number_of_joints_for_all(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(limits, "MOST_JOINTS", 300)
    refused(tmp_path / f"a{suffix}", more_joints(suffix, tmp_path, 300), "more than 300 joints")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            bvh("x\n" * (MOST_MENDED + 1)).replace(b"CHANNELS 1 Zrotation\n", b"}\n"),
            f"more than {MOST_MENDED} mistakes",
        ),
        (bvh(wide(["a" * 1001])), "name has 1001 characters"),
        (bvh("End Site\n{\nCHANNELS 0\n" * 400), "name has 1004 characters"),
        (bvh("OFFSET " + "1 " * 101), "more than 100 words after OFFSET"),
        (bvh("CHANNELS " + "1 " * 101), "more than 100 words after CHANNELS"),
    ],
    ids=["mistakes", "name", "names of end sites", "OFFSET", "CHANNELS"],
)
def test_hierarchies_that_are_none(tmp_path, data, message):
    refused(tmp_path / "a.bvh", data.replace(b"CHANNELS 0\n", b"CHANNELS 1 Xrotation\n"), message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (glb([{}] * (MOST_NODES + 1)), f"has {MOST_NODES + 1} nodes"),
        (
            glb(nodes_in_a_chain(MOST_ABOVE + 2), skins=[{"joints": [MOST_ABOVE + 1]}]),
            f"has {MOST_ABOVE + 1} nodes above its skeleton",
        ),
        (glb([{}, {}], skins=[{"joints": [0, []]}]), "must be a list of numbers"),
        (animated(2, 3, byteStride=2**40), "needs .* bytes"),
        (animated(2, 3).replace(b'"count": 3', b'"count": 9'), "needs .* bytes|of keys|keys of"),
        (animated(2, 3).replace(b'"bufferView": 0, ', b'"sparse": {},    '), "sparse"),
    ],
    ids=["nodes", "above", "skin", "stride", "claimed", "sparse"],
)
def test_glb_that_claims_too_much(tmp_path, data, message):
    assert refused_at(tmp_path / "a.glb", data, message) < 60 * len(data) + 1_000_000


def test_accessors_that_overlap(tmp_path):
    file = animated(2, 2000)
    text = json.loads(file[20 : 20 + struct.unpack_from("<I", file, 12)[0]])
    binary = file[20 + struct.unpack_from("<I", file, 12)[0] + 8 :]
    text["nodes"] = [{"children": list(range(1, 60))}, *({} for _ in range(59))]
    text["skins"] = [{"joints": list(range(60))}]
    text["accessors"] += [text["accessors"][1]] * 59
    samplers = [{"input": 0, "output": 1 + i} for i in range(60)]
    channels = [{"sampler": i, "target": {"node": i, "path": "rotation"}} for i in range(60)]
    text["animations"] = [{"samplers": samplers, "channels": channels}]
    data = glb(text.pop("nodes"), binary, **text)
    refused(tmp_path / "a.glb", data, "accessors overlap or claim too much")


def test_keys_far_apart_in_the_file_are_not_copied_with_what_lies_between(tmp_path):
    file = animated(2, 3, byteStride=2**20)
    text = json.loads(file[20 : 20 + struct.unpack_from("<I", file, 12)[0]])
    text["bufferViews"][1] |= {"byteOffset": 12, "byteLength": 3 * 2**20}
    turn = np.array([0, 0, 0, 1], "<f4").tobytes()
    binary = np.arange(3, dtype="<f4").tobytes() + turn.ljust(2**20, b"\1") * 3
    path = tmp_path / "a.glb"
    path.write_bytes(glb(text.pop("nodes"), binary, **text))
    assert load(path).n_frames == 3
    # The file, its binary chunk and what unpacking needs, but no third copy of the chunk.
    assert peak(lambda: load(path)) < 2.5 * path.stat().st_size


def test_names_of_nodes_stay_different(tmp_path):
    nodes = [{"name": "a", "children": [1, 2]}, {"name": "a"}, {"name": "a.1"}]
    (tmp_path / "a.glb").write_bytes(glb(nodes, skins=[{"joints": [0, 1, 2]}]))
    assert load(tmp_path / "a.glb").skeleton.names == ("a.0", "a.1_", "a.1")


def test_more_frames_than_any_capture_has():
    check_poses(MOST_FRAMES, 1, 10**9, "a.trc")
    with pytest.raises(FormatError, match=f"{MOST_FRAMES + 1} frames, more than {MOST_FRAMES}"):
        check_poses(MOST_FRAMES + 1, 1, 10**9, "a.trc")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("body: [" + "1," * 999 + "]", "more than 1000 values"),
        ("body: [" + "{}," * 100 + "]", "more than 100 entries"),
    ],
    ids=["values", "entries"],
)
def test_documents_of_too_many_values(monkeypatch, text, message):
    monkeypatch.setattr(document, "MOST_VALUES", 1000)
    monkeypatch.setattr(document, "MOST_ENTRIES", 100)
    parse_document(text.replace("1,", "", 1).replace("{},", "", 1), "a.yaml")
    with pytest.raises(FormatError, match=message):
        parse_document(text, "a.yaml")


def test_a_list_of_numbers_is_told_by_its_first_mistake(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("duration: 2\npaths:\n  - {points: [" + "[], " * 100 + "]}\n")
    with pytest.raises(FormatError, match=r"paths\[0\]\.points\[0\].*\(\d more to correct\)"):
        read_constraints(path)


def test_comments_become_blanks_and_all_else_stays():
    data = b"#a\n1 2 # 3\n\n4#\n# 5 # 6"
    blanked = without_comments(data)
    assert blanked == b"  \n1 2    \n\n4 \n       "
    assert parse_rows(blanked).values.tolist() == [1, 2, 4]


def test_only_patterns_are_compared_with_every_clip(tmp_path):
    path = tmp_path / "labels.yaml"
    for what, row in (
        ("different labels", "{{clips: a, label: l{i}}}"),
        ("rows with patterns", "{{clips: a*, label: l}}"),
    ):
        path.write_text(
            "labels:\n" + "".join(f"- {row.format(i=i)}\n" for i in range(MOST_PATTERNS + 1))
        )
        with pytest.raises(FormatError, match=f"{MOST_PATTERNS + 1} {what}; expected at most"):
            read_labels(path)


def test_a_chain_is_written_with_steps_in_proportion(tmp_path):
    def written(n: int) -> int:
        motion = Motion(
            Skeleton([f"j{i}" for i in range(n)], np.arange(-1, n - 1), np.ones((n, 3))),
            np.tile([1.0, 0, 0, 0], (1, n, 1)),
            np.zeros((1, 1, 3)),
            0.1,
        )
        return steps(lambda: save(motion, tmp_path / "a.glb"))

    written(5)
    one, two, four = (written(n) for n in (50, 100, 200))
    assert four - two <= 2.1 * (two - one)
