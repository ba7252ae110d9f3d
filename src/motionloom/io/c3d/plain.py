"""A plain copy of a C3D file, safe to give to the packages that decode the samples.

These packages trust every count, label list and scale of a parameter section; ezc3d ends the whole
process on some that do not fit together. The copy has a new header and section, made from counts
that were checked.
"""

from __future__ import annotations

import struct

from motionloom.io.c3d.layout import BLOCK, PROCESSORS, C3dLayout


def plain_copy(raw: bytes, layout: C3dLayout) -> bytes:
    """The same samples behind a header and parameters that agree and hold nothing but counts.

    The rate is 1, so that the analog rate is the number of samples in a frame. Analog scales are 1
    and offsets 0.

    Parameters
    ----------
    raw : bytes
        The whole file.
    layout : C3dLayout
        With at most `MOST_MARKERS` points and `MOST_CHANNELS` channels: their labels and scales
        must fit into one parameter section of 255 blocks, scales even into one parameter.

    Returns
    -------
    bytes
        A whole C3D file of the same byte order and float format.
    """
    order = layout.order
    n = layout.n_frames
    channels = layout.n_channels
    samples = max(layout.samples, 1)
    processor = next(k for k, v in PROCESSORS.items() if v == (order, layout.dec))
    scale = _float(-1.0 if layout.is_float else layout.scale, layout)
    one = _float(1.0, layout)
    groups = {
        "POINT": {
            "USED": _words([layout.n_points], order),
            "SCALE": scale,
            "RATE": one,
            "DATA_START": _words([0], order),  # known when the length of the section is
            "FRAMES": _words([min(n, 0xFFFF)], order),
            **_labels(layout.n_points),
        },
        "ANALOG": {
            "USED": _words([channels], order),
            "RATE": _float(samples, layout),
            "GEN_SCALE": one,
            "SCALE": bytes([4, 1, min(channels, 255)]) + one[2:] * min(channels, 255),
            "OFFSET": bytes([2, 1, min(channels, 255)]) + bytes(2 * min(channels, 255)),
            **_labels(channels),
        },
        "TRIAL": {
            "ACTUAL_START_FIELD": _words([1, 0], order),
            "ACTUAL_END_FIELD": _words([n & 0xFFFF, n >> 16], order),
        },
    }
    blocks = -(-(4 + len(_section(groups, order))) // BLOCK)
    groups["POINT"]["DATA_START"] = _words([2 + blocks], order)
    section = bytes([1, 0x50, blocks, processor]) + _section(groups, order)
    counts = [layout.n_points, channels * samples, 1, min(n, 0xFFFF), 0]
    header = bytes([2, 0x50]) + struct.pack(order + "5H", *counts) + scale[2:]
    header += struct.pack(order + "2H", 2 + blocks, samples) + one[2:]
    return (
        header.ljust(BLOCK, b"\0") + section.ljust(blocks * BLOCK, b"\0") + raw[layout.data_start :]
    )


def _section(groups: dict[str, dict[str, bytes]], order: str) -> bytes:
    """Groups and parameters, without the four bytes before them."""
    section = b""
    for number, (group, parameters) in enumerate(groups.items(), 1):
        section += (
            struct.pack("bb", len(group), -number)
            + group.encode()
            + struct.pack(order + "H", 3)
            + b"\0"
        )
        for name, value in parameters.items():
            section += struct.pack("bb", len(name), number) + name.encode()
            section += struct.pack(order + "H", len(value) + 3) + value + b"\0"
    return section.ljust(len(section) + 8, b"\0")


def _labels(count: int) -> dict[str, bytes]:
    """Parameters of `count` numbers as labels, 255 in each."""
    names = [b"%05d" % i for i in range(count)]
    parts = {
        f"LABELS{k + 1 if k else ''}": names[255 * k : 255 * k + 255]
        for k in range(-(-max(count, 1) // 255))
    }
    return {name: bytes([0xFF, 2, 5, len(part)]) + b"".join(part) for name, part in parts.items()}


def _words(values: list[int], order: str) -> bytes:
    """Type, dimensions and data of a parameter of 16-bit integers."""
    shape = bytes([1, len(values)]) if len(values) > 1 else b"\0"
    return b"\x02" + shape + struct.pack(f"{order}{len(values)}H", *values)


def _float(value: float, layout: C3dLayout) -> bytes:
    """Type, no dimensions and data of a parameter that is one float."""
    data = struct.pack(layout.order + "f", 4.0 * value if layout.dec else value)
    return b"\x04\0" + (data[2:] + data[:2] if layout.dec else data)
