"""Makes tiny C3D files byte by byte, right ones and odd ones."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np

BLOCK = 512


@dataclass
class TinyC3d:
    """A file of T frames; every field can be made wrong.

    Parameters
    ----------
    points : array of shape (T, M, 4)
        X, Y, Z and residual as stored.
    analog : array of shape (T, samples, C)
    processor : int
        84 Intel, 85 DEC, 86 MIPS.
    scale : float
        Negative for samples stored as floats.
    parameters : dict of str to dict
        Values by group and name: str, list of str, int or float arrays. None leaves a default one
        out.
    header : dict of int to int
        16-bit words of the header, by index from 0, that replace the right ones.
    """

    points: np.ndarray
    analog: np.ndarray | None = None
    processor: int = 84
    scale: float = -1.0
    rate: float = 100.0
    first: int = 1
    parameters: dict[str, dict[str, object]] = field(default_factory=dict)
    header: dict[int, int] = field(default_factory=dict)

    @property
    def order(self) -> str:
        return ">" if self.processor == 86 else "<"

    def floats(self, values) -> bytes:
        """Floats as this processor stores them."""
        values = np.asarray(values, np.float32).ravel()
        if self.processor != 85:
            return values.astype(self.order + "f4").tobytes()
        words = (values * np.float32(4)).astype("<f4").view("<u2").reshape(-1, 2)
        return np.ascontiguousarray(words[:, ::-1]).tobytes()

    def value(self, value) -> bytes:
        """Type, dimensions and data of a parameter."""
        if isinstance(value, bytes):
            return value
        if isinstance(value, str):
            text = value.encode()
            return struct.pack("bBB", -1, 1, len(text)) + text
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            texts = [v.encode() for v in value]
            length = max(map(len, texts), default=0)
            return struct.pack("bBBB", -1, 2, length, len(texts)) + b"".join(
                t.ljust(length) for t in texts
            )
        array = np.asarray(value)
        shape = bytes([array.ndim, *array.shape])
        if array.dtype.kind == "i":
            return b"\x02" + shape + (array.ravel("F") & 0xFFFF).astype(self.order + "u2").tobytes()
        return b"\x04" + shape + self.floats(array.ravel("F"))

    def section(self) -> bytes:
        n, m = self.points.shape[:2]
        groups: dict[str, dict[str, object]] = {
            "POINT": {
                "USED": m,
                "FRAMES": min(n, 65535),
                "DATA_START": 0,
                "SCALE": self.scale,
                "RATE": self.rate,
                "UNITS": "mm",
                "X_SCREEN": "+X",
                "Y_SCREEN": "+Z",
                "LABELS": [f"M{i}" for i in range(min(m, 255))],
            }
        }
        if self.analog is not None:
            samples, channels = self.analog.shape[1:]
            groups["ANALOG"] = {
                "USED": channels,
                "RATE": self.rate * samples,
                "GEN_SCALE": 1.0,
                "SCALE": np.ones(channels),
                "OFFSET": np.zeros(channels, int),
                "LABELS": [f"C{i}" for i in range(channels)],
            }
        for name, own in self.parameters.items():
            groups[name] = {
                k: v for k, v in {**groups.get(name, {}), **own}.items() if v is not None
            }
        out = b""
        for number, (name, values) in enumerate(groups.items(), 1):
            out += (
                struct.pack("bb", len(name), -number)
                + name.encode()
                + struct.pack(self.order + "H", 3)
                + b"\0"
            )
            for key, value in values.items():
                data = self.value(value)
                out += struct.pack("bb", len(key), number) + key.encode()
                out += struct.pack(self.order + "H", len(data) + 3) + data + b"\0"
        blocks = -(-(len(out) + 6) // BLOCK)
        return (bytes([1, 0x50, blocks, self.processor]) + out).ljust(blocks * BLOCK, b"\0")

    def data(self) -> bytes:
        n = len(self.points)
        parts = [self.points] if self.analog is None else [self.points, self.analog]
        values = np.concatenate(
            [part.reshape(n, part.shape[1] * part.shape[2]) for part in parts], axis=1
        )
        return self.floats(values) if self.scale < 0 else values.astype(self.order + "i2").tobytes()

    def __bytes__(self) -> bytes:
        n, m = self.points.shape[:2]
        samples, channels = self.analog.shape[1:] if self.analog is not None else (0, 0)
        section = self.section()
        words = [
            0x5002,
            m,
            samples * channels,
            self.first,
            min(self.first + n - 1, 0xFFFF),
            0,
            0,
            0,
        ]
        words += [2 + len(section) // BLOCK, samples]
        for index, word in self.header.items():
            words[index] = word
        header = bytearray(struct.pack(f"{self.order}10H", *words) + self.floats([self.rate]))
        header[:2] = b"\x02\x50"
        header[12:16] = self.floats([self.scale])
        return bytes(header).ljust(BLOCK, b"\0") + section + self.data()
