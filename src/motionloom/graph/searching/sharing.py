"""Objects with large arrays handed to other processes: the arrays lie in shared memory once, the
rest is pickled.

Only for processes of one run that trust each other; nothing of it is ever written to disk.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Smaller arrays are pickled with the rest, bytes.
_SMALL = 1 << 14
#: Arrays begin at multiples of this, bytes.
_ALIGN = 64


@dataclass(frozen=True)
class Shared:
    """An object taken apart: the name of a shared memory block, and the pickle that needs it."""

    block: str
    rest: bytes


class _Pickler(pickle.Pickler):
    """Puts large arrays aside and remembers where in the block they will lie."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.arrays: list[tuple[int, NDArray[Any]]] = []
        self.size = 0

    def persistent_id(self, obj: object) -> tuple[int, tuple[int, ...], str] | None:
        """Place, shape and type of a large array; None for all else."""
        if not isinstance(obj, np.ndarray) or obj.nbytes < _SMALL or obj.dtype.kind == "V":
            return None
        at = self.size
        self.arrays.append((at, obj))
        self.size += -(-obj.nbytes // _ALIGN) * _ALIGN
        return at, obj.shape, obj.dtype.str


class _Unpickler(pickle.Unpickler):
    """Puts views of the block where the arrays were."""

    def __init__(self, file: io.BytesIO, block: SharedMemory) -> None:
        super().__init__(file)
        self.block = block

    def persistent_load(self, pid: tuple[int, tuple[int, ...], str]) -> NDArray[Any]:
        """View of an array in the block."""
        at, shape, kind = pid
        return np.ndarray(shape, np.dtype(kind), self.block.buf, at)


def share(value: object) -> tuple[Shared, SharedMemory]:
    """Take an object apart; the block is to be closed and unlinked when the processes are done."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(value)
    block = SharedMemory(create=True, size=max(pickler.size, 1))
    for at, array in pickler.arrays:
        np.ndarray(array.shape, array.dtype, block.buf, at)[...] = array
    return Shared(block.name, file.getvalue()), block


def attach(shared: Shared) -> tuple[object, SharedMemory]:
    """Put an object together; it is valid as long as the block is."""
    block = SharedMemory(name=shared.block)
    return _Unpickler(io.BytesIO(shared.rest), block).load(), block
