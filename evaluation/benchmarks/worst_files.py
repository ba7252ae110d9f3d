"""The worst files for each reader, format by format; `reader_limits.py` reads them."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator

import numpy as np

MB = 1_000_000


def bvh(joints: str, motion: str) -> bytes:
    return f"HIERARCHY\n{joints}MOTION\n{motion}".encode()


def joint(channels: str, inside: str = "", name: str = "ROOT hips") -> str:
    return f"{name}\n{{\nOFFSET 0 1 0\nCHANNELS {channels}\n{inside}}}\n"


ONE = "1 Zrotation"
THREE = "3 Zrotation Xrotation Yrotation"
HEAD = "Frames: 1\nFrame Time: 0.01\n"


def nested(count: int, name: str = "j{}") -> str:
    opened = "".join(f"JOINT {name.format(i)}\n{{\nOFFSET 0 1 0\n" for i in range(count))
    return joint(ONE, opened + "}\n" * count)


def wide(count: int, name: str = "j{}", inside: str = "") -> str:
    return joint(
        ONE,
        "".join(f"JOINT {name.format(i)}\n{{\nOFFSET 0 1 0\n{inside}}}\n" for i in range(count)),
    )


def ends(count: int) -> str:
    return joint(ONE, "End Site\n{\nOFFSET 0 1 0\n}\n" * count)


def bvh_files() -> Iterator[tuple[str, bytes]]:
    one = joint(ONE)
    yield "Frames: a million times", bvh(one, "Frames: 1\n" * MB)
    yield "Frame Time: 600,000 times", bvh(one, "Frame Time: 0.01\n" * 600_000)
    yield "10 MB of empty lines in HIERARCHY", bvh("\n" * 10 * MB + one, HEAD + "1\n")
    yield "30 MB of empty lines after MOTION", bvh(one, HEAD + "1\n" + "\n" * 30 * MB)
    yield (
        "10 MB of blanks after MOTION",
        b"HIERARCHY\n" + one.encode() + b"MOTION" + b" " * 10 * MB + b"x",
    )
    yield (
        "100 times 100 kB of blanks after MOTION",
        b"HIERARCHY\n" + (b"MOTION" + b" " * 100_000 + b"x\n") * 100,
    )
    yield "10 MB in one line of HIERARCHY", bvh("x " * 5 * MB + "\n" + one, HEAD + "1\n")
    yield "10 MB of lines that are no keyword", bvh("x\n" * 5 * MB + one, HEAD + "1\n")
    yield "10 MB of closing braces", bvh(one + "}\n" * 5 * MB, HEAD + "1\n")
    yield (
        "10 MB in the name of a joint",
        bvh(joint(ONE, name="ROOT " + "a" * 10 * MB), HEAD + "1\n"),
    )
    yield "10 MB of names of channels", bvh(joint("1 " + "Zrotation " * MB), HEAD + "1\n")
    yield "10 MB in one OFFSET", bvh(one.replace("0 1 0", "0 1 0 " + "1 " * 5 * MB), HEAD + "1\n")
    yield "10 MB in a row, words", bvh(one, HEAD + "1\n1\n" + "x " * 5 * MB + "\n1\n")
    yield "10 MB in a row, numbers", bvh(one, HEAD + "1\n1\n" + "1 " * 5 * MB + "\n1\n")
    yield "10 MB in a row, run together", bvh(one, HEAD + "1\n1\n" + "1-" * 5 * MB + "1\n1\n")
    yield "10 MB of rows run together", bvh(joint(THREE), HEAD + "0-0-0\n" * (10 * MB // 6))
    yield (
        "10 MB of rows with decimal commas",
        bvh(joint(THREE), HEAD + "0,1 0,1 0,1\n" * (10 * MB // 12)),
    )
    yield "10 MB of rows, a twelfth broken", bvh(one, HEAD + ("1\n" * 11 + "x\n") * (10 * MB // 24))
    yield "10 MB of rows of one number", bvh(one, HEAD + "1\n" * (5 * MB))
    yield "10 MB of rows, 10,000 joints without channels", bvh(wide(9_990), HEAD + "1\n" * (5 * MB))
    yield (
        "10 MB, one frame's number a joint",
        bvh(wide(999, inside=f"CHANNELS {ONE}\n"), HEAD + ("1 " * 1000 + "\n") * 5000),
    )
    yield (
        "10 MB, many digits",
        bvh(joint(THREE), HEAD + ("0.12345678901234567890 " * 3 + "\n") * (10 * MB // 70)),
    )
    yield "9,990 joints in a chain", bvh(nested(9_990), HEAD + "1\n")
    yield "9,990 joints beside each other", bvh(wide(9_990), HEAD + "1\n")
    yield "9,990 joints of one name", bvh(wide(9_990, "same"), HEAD + "1\n")
    yield "9,990 joints named to collide", bvh(wide(9_990, "a_1"), HEAD + "1\n")
    yield "480 joints called hand and foot in a chain", bvh(nested(480, "left_hand"), HEAD + "1\n")
    yield "9,990 end sites", bvh(ends(9_990), HEAD + "1\n")
    yield "a million nested joints", bvh(nested(MB), HEAD + "1\n")
    yield "10 MB of JOINT words", b"HIERARCHY ROOT a { " + b"JOINT " * (10 * MB // 6)
    yield (
        "9,990 joints, 10 MB of frames",
        bvh(wide(9_990, inside=f"CHANNELS {ONE}\n"), HEAD + ("1 " * 9_991 + "\n") * 250),
    )


ASF = (
    ":units\n mass 1\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n"
    " position 0 0 0\n"
)
ASF += " orientation 0 0 0\n:bonedata\n"


def asf(count: int, dof: str = "rx", chain: bool = False) -> bytes:
    freedoms = f"dof {dof}\n" if dof else ""
    bone = "begin\nid 1\nname b{}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\n" + freedoms + "end\n"
    if chain:
        tree = "root b0\n" + "".join(f"b{i} b{i + 1}\n" for i in range(count - 1))
    else:
        tree = "root " + " ".join(f"b{i}" for i in range(count)) + "\n"
    bones = "".join(bone.format(i) for i in range(count))
    return f"{ASF}{bones}:hierarchy\nbegin\n{tree}end\n".encode()


AMC = b"#!OML:ASF a.asf\n:FULLY-SPECIFIED\n:DEGREES\n"


def amc_files() -> Iterator[tuple[str, bytes, bytes]]:
    small, root = asf(1), b"root 0 0 0 0 0 0\n"
    frame = "1\nroot 0 0 0 0 0 0\n"
    yield "10 MB of frame numbers", AMC + b"1\n" + root + b"1\n" * 5 * MB, small
    yield (
        "10 MB of ascending frames of one bone",
        AMC + b"".join(b"%d\nb0 1\n" % i for i in range(1, 850_000)),
        small,
    )
    yield "10 MB of jumping frames of one bone", AMC + b"1\nb0 1\n" * 1_250_000, small
    yield "10 MB of one bone again and again", AMC + b"1\n" + root + b"b0 1\n" * 2 * MB, small
    yield "10 MB of empty lines", AMC + b"\n" * 10 * MB + b"1\n" + root, small
    yield "10 MB in one line", AMC + b"1\n" + root + b"b0 " + b"1 " * 5 * MB + b"\n2\n", small
    yield "10 MB in one word", AMC + b"1\n" + root + b"b" * 10 * MB + b"\n2\n", small
    yield "10 MB of comments", AMC + b"1\n" + root + b"#\n" * 5 * MB, small
    yield "10 MB of frame numbers, 9,990 bones", AMC + frame.encode() + b"1\n" * 5 * MB, asf(9_990)
    yield "frames of one bone of 9,990", AMC + frame.encode() + b"2\nb0 1\n" * 100_000, asf(9_990)
    full = "root 0 0 0 0 0 0\n" + "".join(f"b{i} 1\n" for i in range(9_990))
    yield (
        "9,990 bones, 10 MB",
        AMC + "".join(f"{i}\n{full}" for i in range(1, 60)).encode(),
        asf(9_990),
    )
    yield "9,990 bones in a chain", AMC + f"1\n{full}".encode(), asf(9_990, chain=True)
    yield "150,000 bones, 10 MB", AMC + frame.encode(), asf(150_000)
    yield (
        "100,000 bones without freedom in a chain",
        AMC + frame.encode(),
        asf(100_000, "", chain=True),
    )
    yield "an ASF file of 10 MB in one line", AMC + frame.encode(), small + b"x " * 5 * MB
    yield (
        "an ASF file of 10 MB of limits",
        AMC + frame.encode(),
        small.replace(b"dof rx\n", b"dof rx\nlimits (0 1)\n" + b"(0 1)\n" * (10 * MB // 6)),
    )
    yield "an ASF file of 10 MB of keywords", AMC + frame.encode(), b":a\n" * (10 * MB // 3) + small
    yield (
        "an ASF file of 10 MB of children",
        AMC + frame.encode(),
        small.replace(b"root b0\n", b"root b0\n" + b"root b0\n" * (10 * MB // 8)),
    )
    yield (
        "an ASF file of 10 MB of words in bonedata",
        AMC + frame.encode(),
        small.replace(
            b"begin\nid", b"".join(b"w%d\n" % i for i in range(1_200_000)) + b"begin\nid"
        ),
    )


TRC = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"


def trc(markers: int, rows: str, claimed: int | None = None, names: str | None = None) -> bytes:
    head = TRC + f"100\t100\t2\t{markers if claimed is None else claimed}\tmm\n"
    names = "\t\t\t".join(f"m{i}" for i in range(markers)) if names is None else names
    axes = "\t".join(f"{a}{i + 1}" for i in range(markers) for a in "XYZ")
    return f"{head}Frame#\tTime\t{names}\t\t\n\t\t{axes}\n\n{rows}".encode()


def trc_files() -> Iterator[tuple[str, bytes]]:
    row = "1\t0.01\t1\t2\t3\n"
    yield "10 MB of rows of one marker", trc(1, row * (10 * MB // len(row)))
    yield "10 MB of empty lines", trc(1, "\n" * 10 * MB + row)
    yield "10 MB of rows of two cells", trc(1, "1\t1\n" * (10 * MB // 4))
    yield "10 MB of rows of one number", trc(1, "1\n" * (5 * MB))
    yield "10 MB of rows of one number, 10,000 markers claimed", trc(1, "1\n" * (5 * MB), 10_000)
    yield "10 MB of rows of one number, 10,000 markers", trc(10_000, "1\n" * (5 * MB))
    yield "10 MB of blank cells", trc(10_000, "\t" * 30_001 * 333)
    yield "10 MB of rows of blank cells", trc(10_000, ("1\t1" + "\t" * 30_000 + "\n") * 333)
    yield "10 MB of rows of words", trc(3, ("1\t1" + "\tx" * 9 + "\n") * (10 * MB // 22))
    yield "10 MB of rows with commas", trc(3, ("1\t1" + "\t0,1" * 9 + "\n") * (10 * MB // 40))
    yield "10 MB in one row", trc(1, "1\t1\t" + "1\t" * 5 * MB + "\n")
    yield "10 MB in one row of words", trc(1, "1\t1\t" + "x\t" * 5 * MB + "\n")
    yield "10 MB in one row of blanks", trc(1, "1\t1\t" + " " * 10 * MB + "x\n")
    yield (
        "100 rows of 100 kB of blanks in a cell",
        trc(1, ("1\t1\t" + " " * 100_000 + "x\t1\n") * 100),
    )
    yield "10 MB in the first line", b"PathFileType" + b"\t1" * 5 * MB
    yield "10 MB of names", trc(1, row, names="\t\t\t".join(["m"] * 2_500_000))
    yield "10,000 markers of one name", trc(10_000, row, names="\t\t\t".join(["m"] * 10_000))
    yield "10 MB of keys", trc(1, row).replace(b"DataRate\t", b"DataRate\t" + b"k\t" * 5 * MB)


def c3d(
    points: int,
    channels: int,
    samples: int,
    frames: int,
    data: bytes,
    parameters: bytes = b"",
    scale: float = -1.0,
):
    parts = []

    def group(number: int, name: str) -> None:
        parts.append(
            struct.pack("bb", len(name), -number) + name.encode() + struct.pack("<H", 3) + b"\0"
        )

    def add(number: int, name: str, value: bytes) -> None:
        parts.append(
            struct.pack("bb", len(name), number)
            + name.encode()
            + struct.pack("<H", len(value) + 3)
            + value
        )
        parts.append(b"\0")

    group(1, "POINT")
    add(1, "USED", struct.pack("<bbH", 2, 0, points))
    add(1, "SCALE", struct.pack("<bbf", 4, 0, scale))
    add(1, "RATE", struct.pack("<bbf", 4, 0, 100.0))
    add(1, "DATA_START", struct.pack("<bbH", 2, 0, 20_000 if parameters else 3))
    add(1, "FRAMES", struct.pack("<bbf", 4, 0, float(frames)))
    if channels:
        group(2, "ANALOG")
        add(2, "USED", struct.pack("<bbH", 2, 0, channels))
        add(2, "RATE", struct.pack("<bbf", 4, 0, 100.0 * samples))
    section = bytes([1, 0x50, 1, 84]) + b"".join(parts) + parameters + bytes(8)
    section = section.ljust(19_998 * 512 if parameters else 512, b"\0")
    last = min(frames, 0xFFFF)
    start = 20_000 if parameters else 3
    header = bytes([2, 0x50]) + struct.pack(
        "<5Hf2Hf", points, channels * samples, 1, last, 0, scale, start, samples, 100.0
    )
    return header.ljust(512, b"\0") + section + data


def c3d_files() -> Iterator[tuple[str, bytes]]:
    one = struct.pack("<4f", 1, 2, 3, 0)
    yield "10 MB, one point", c3d(1, 0, 0, 600_000, one * 600_000)
    yield (
        "10 MB, one point, integers",
        c3d(1, 0, 0, MB, bytes([1, 0]) * 3 * MB + bytes(2 * MB), scale=0.1),
    )
    yield "10 MB, 10,000 points", c3d(10_000, 0, 0, 62, one * 620_000)
    yield "10 MB, 255 channels", c3d(1, 255, 1, 9_500, np.zeros(9_500 * 259, "<f4").tobytes())
    yield (
        "10 MB, one channel of 1000 samples",
        c3d(1, 1, 1000, 2_400, np.zeros(2_400 * 1004, "<f4").tobytes()),
    )
    yield "no points, no channels, 16 million frames claimed", c3d(0, 0, 0, 16_000_000, b"")
    yield "65,535 points claimed", c3d(65_535, 0, 0, 10, one * 620_000)
    yield "65,535 points, no frames", c3d(65_535, 0, 0, 65_535, b"")
    many = b"".join(
        struct.pack("bb", 4, 3) + b"%04d" % (i % 10_000) + struct.pack("<Hbb", 4, 1, 0)
        for i in range(999_000)
    )
    yield "10 MB of parameters", c3d(1, 0, 0, 10, one * 10, many)
    empty = (
        struct.pack("bb", 6, 1)
        + b"LABELS"
        + struct.pack("<H", 60_002)
        + bytes([255, 7, 0, *[255] * 6])
    )
    yield "labels of no letters, 255^6 of them", c3d(1, 0, 0, 10, one * 10, empty + bytes(59_000))
    large = (
        struct.pack("bb", 6, 1) + b"VALUES" + struct.pack("<H", 60_002) + bytes([4, 7, *[255] * 7])
    )
    yield "a parameter of 255^7 values", c3d(1, 0, 0, 10, one * 10, large + bytes(59_000))
    last = (
        struct.pack("bb", 6, 1)
        + b"LABELS"
        + struct.pack("<H", 0)
        + bytes([255, 4, 1, 255, 255, 255])
    )
    yield "one parameter of 10 MB", c3d(1, 0, 0, 10, one * 10, last + b"x" * 9 * MB)


class Glb:
    """A GLB file made by hand."""

    def __init__(self, nodes: list[dict], joints: list[int] | None = None) -> None:
        self.document: dict = {
            "asset": {"version": "2.0"},
            "nodes": nodes,
            "accessors": [],
            "bufferViews": [],
        }
        if joints is not None:
            self.document["skins"] = [{"joints": joints}]
        self.binary = b""

    def add(self, values: np.ndarray, kind: str) -> int:
        """Append values and return their accessor."""
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": values.nbytes}
        self.document["bufferViews"].append(view)
        self.binary += values.astype("<f4").tobytes()
        view = len(self.document["bufferViews"]) - 1
        self.document["accessors"].append(
            {"bufferView": view, "componentType": 5126, "count": len(values), "type": kind}
        )
        return len(self.document["accessors"]) - 1

    def animate(self, nodes: list[int], keys: int) -> Glb:
        """One track of `keys` keys that turns all of `nodes`."""
        times = self.add(np.arange(keys, dtype="<f4") / 64, "SCALAR")
        turns = self.add(np.tile(np.array([0, 0, 0, 1], "<f4"), (keys, 1)), "VEC4")
        channels = [{"sampler": 0, "target": {"node": n, "path": "rotation"}} for n in nodes]
        self.document["animations"] = [
            {"samplers": [{"input": times, "output": turns}], "channels": channels}
        ]
        return self

    def to_bytes(self) -> bytes:
        """Return the whole file."""
        text = json.dumps(
            {**self.document, "buffers": [{"byteLength": len(self.binary)}]}, separators=(",", ":")
        ).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text
        body += struct.pack("<II", len(self.binary), 0x004E4942) + self.binary
        return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


def chain_nodes(count: int) -> list[dict]:
    return [{"children": [i + 1]} for i in range(count - 1)] + [{}]


def wide_nodes(count: int, **more: object) -> list[dict]:
    return [{"children": list(range(1, count))}, *(dict(more) for _ in range(count - 1))]


def glb_files() -> Iterator[tuple[str, bytes]]:
    for count in (10_000, 9_990, 100_000):
        yield f"{count} nodes in a chain", Glb(chain_nodes(count), list(range(count))).to_bytes()
        backwards = [{}, *({"children": [i]} for i in range(count - 1))]
        yield f"{count} nodes in a chain, last first", Glb(backwards, list(range(count))).to_bytes()
        yield (
            f"{count} nodes beside each other",
            Glb(wide_nodes(count), list(range(count))).to_bytes(),
        )
    yield "9,990 nodes of one name", Glb(wide_nodes(9_990, name="a"), list(range(9_990))).to_bytes()
    yield "a chain of 100,000, two joints", Glb(chain_nodes(100_000), [0, 99_999]).to_bytes()
    yield (
        "a chain of 100,000 above the joints",
        Glb(chain_nodes(100_000), [99_998, 99_999]).to_bytes(),
    )
    yield (
        "10 MB of nodes that are no joints",
        Glb([*chain_nodes(2), *({} for _ in range(3 * MB))], [0, 1]).to_bytes(),
    )
    for tracks, keys in ((200, 100_000), (400, 250_000), (20, 100_000), (10_000, 190)):
        file = Glb(wide_nodes(tracks), list(range(tracks))).animate(list(range(tracks)), keys)
        yield f"{tracks} channels that share {keys} keys", file.to_bytes()
    file = Glb(wide_nodes(9_990), list(range(9_990))).animate([5], 100_000)
    yield "9,990 joints, 100,000 keys", file.to_bytes()
    file = Glb(chain_nodes(1000), [998, 999]).animate(list(range(998)), 100_000)
    yield "1000 moving nodes above the joints, 100,000 keys", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1])
    file.document["skins"] = [{"joints": [0, 1] * 25} for _ in range(80_000)]
    yield "80,000 skins", file.to_bytes()
    file.document["skins"] = [{"joints": [0, 1] * 2_300_000}]
    yield "a skin of 10 MB", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 10)
    file.document["animations"] = [file.document["animations"][0]] * 60_000
    yield "60,000 animations", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 10)
    file.document["animations"][0]["channels"] *= 200_000
    yield "200,000 channels of one node", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 10)
    animation = file.document["animations"][0]
    animation["channels"] = [{"sampler": 0, "target": {"path": "rotation"}}] * 250_000
    yield "250,000 channels of no node", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 10)
    file.document["accessors"][0]["count"] = file.document["accessors"][1]["count"] = 2**40
    yield "2^40 keys claimed", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 2)
    file.binary += bytes(10 * MB)
    file.document["bufferViews"][1] = {
        "buffer": 0,
        "byteOffset": 0,
        "byteLength": 10 * MB,
        "byteStride": 9 * MB,
    }
    yield "a stride of 9 MB", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 10)
    for accessor in file.document["accessors"]:
        accessor["sparse"] = {"count": 2**40}
        del accessor["bufferView"]
        accessor["count"] = 2**40
    yield "sparse accessors of 2^40 zeros", file.to_bytes()
    file = Glb(wide_nodes(2), [0, 1]).animate([1], 600_000)
    yield "12 MB of keys", file.to_bytes()
    text = b'{"a":' + b"[" * 5 * MB
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text
    yield "5 million open brackets", struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body
    chunks = struct.pack("<II", 0, 7) * (10 * MB // 8)
    yield "a million empty chunks", struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def wish_files() -> Iterator[tuple[str, bytes]]:
    begin = b"duration: 2\n"
    yield "100,000 faulty entries", begin + b"body:\n" + b"- {time: a}\n" * 100_000
    yield "400,000 faulty numbers", begin + b"body: [" + b"1, " * 400_000 + b"]\n"
    yield "150,000 unknown fields", begin + b"".join(b"f%d: 1\n" % i for i in range(150_000))
    yield (
        "100,000 unknown fields in one entry",
        begin + b"body:\n- {" + b"".join(b"f%d: 1, " % i for i in range(100_000)) + b"}\n",
    )
    yield "an unknown field of 1.9 MB", begin + b"f" * 1_900_000 + b": 1\n"
    yield "a text of 1.9 MB for a number", begin + b"fps: '" + b"f" * 1_900_000 + b"'\n"
    yield (
        "90,000 characters",
        begin + b"characters:\n" + b"".join(b"  a%d: {}\n" % i for i in range(90_000)),
    )
    yield (
        "a list of 600,000 heights that is faulty",
        begin + b"avoid: [{shape: heightmap, heights: [[" + b"x, " * 600_000 + b"]]}]\n",
    )
    yield (
        "100,000 times in a path, descending",
        begin
        + b"paths: [{points: ["
        + b"[0,0]," * 100_000
        + b"], times: ["
        + b"9," * 100_000
        + b"]}]\n",
    )
    yield (
        "100,000 rows of heights, all of different length",
        begin
        + b"avoid: [{shape: heightmap, heights: ["
        + b",".join(b"[" + b"0," * i + b"]" for i in range(1_300))
        + b"]}]\n",
    )
    yield (
        "60,000 valid entries",
        begin
        + b"joints:\n"
        + b"".join(b"- {time: 1, joint: a%d, position: [0,0,0]}\n" % i for i in range(40_000)),
    )
    yield "2 million flow brackets", b"[" * 1_900_000


def heights_files() -> Iterator[tuple[str, str, bytes]]:
    yield "9 million numbers", "a.csv", b"1,1,1,1,1,1,1,1,1\n" * MB
    yield "a million numbers", "a.csv", (b"1," * 1000 + b"\n") * 1000
    yield "10 MB in one row", "a.csv", b"1," * 5 * MB
    yield "10 MB of empty lines", "a.csv", b"\n" * 10 * MB
    yield "10 MB of commas", "a.csv", b"," * 10 * MB
    yield "10 MB in one word", "a.csv", b"1" * 10 * MB
    yield "10 MB of comments", "a.csv", b"#\n" * 5 * MB
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    head += " " * (117 - len(head)) + "\n"
    yield (
        "10^12 heights claimed",
        "a.npy",
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode(),
    )
    head = "(" * 60_000 + "\n"
    yield (
        "60,000 brackets in the header",
        "a.npy",
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode(),
    )
