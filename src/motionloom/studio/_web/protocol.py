"""Messages between browser and studio, checked before use, and the windows that they go to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal

import msgpack
import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from motionloom.errors import InvalidInputError

#: Version of the protocol, and the name of it that a browser has to ask for.
PROTOCOL, SUBPROTOCOL = 1, "motionloom.1"
#: Largest message of a browser, bytes.
MOST_MESSAGE = 4_000_000
#: Largest chunk of an upload, largest upload, bytes; most uploads of one studio.
MOST_CHUNK, MOST_UPLOAD, MOST_UPLOADS = 1_000_000, 200_000_000, 500

Rev = Annotated[int, Field(ge=0, le=2**53)]
Short = Annotated[str, Field(min_length=1, max_length=200)]
Frame = Annotated[int, Field(ge=0, le=10_000_000)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(_Message):
    """The first message: whoever is there asks for all there is."""

    type: Literal["hello"]
    protocol: int


class Edit(_Message):
    """Changes of the document."""

    type: Literal["edit"]
    base_rev: Rev
    ops: list[Any]
    transient: bool = False
    label: Annotated[str, Field(max_length=200)] = ""
    drag: Short | None = None


class Move(_Message):
    """Take back the last edit, or do again what was taken back."""

    type: Literal["undo", "redo"]


class Cancel(_Message):
    """Leave a drag."""

    type: Literal["cancel"]
    drag: Short | None = None


class Solve(_Message):
    """Look for something better, or make it as the command line does."""

    type: Literal["solve"]
    quality: Literal["search", "final"]


class Alternatives(_Message):
    """Ask for other motions of a span."""

    type: Literal["alternatives"]
    who: Short
    span: Short


class New(_Message):
    """Begin a new shot in place of what is there."""

    type: Literal["new"]
    names: Annotated[list[Short], Field(min_length=1, max_length=2)]
    library: Annotated[str, Field(min_length=1, max_length=1000)]


class Choose(_Message):
    """Take one of them."""

    type: Literal["choose"]
    who: Short
    span: Short
    item: Annotated[str, Field(pattern=r"^[0-9]{1,10}$")]


class Upload(_Message):
    """Announce a file."""

    type: Literal["upload"]
    id: Short
    name: Annotated[str, Field(min_length=1, max_length=1000)]
    size: Annotated[int, Field(ge=0, le=2**53)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Chunk(_Message):
    """The next bytes of it."""

    type: Literal["chunk"]
    id: Short
    offset: Annotated[int, Field(ge=0, le=2**53)]
    data: Annotated[bytes, Field(max_length=MOST_CHUNK)]


class Export(_Message):
    """Ask for the shot as a file."""

    type: Literal["export"]
    format: Literal["glb", "bvh", "fbx", "usda", "html", "report", "png"]


class View(_Message):
    """Tell what is looked at."""

    type: Literal["view"]
    who: Short | None = None
    frame: Frame


_Edits = Edit | Move | Cancel | New | Choose
Message = Hello | _Edits | Solve | Alternatives | Upload | Chunk | Export | View

_ADAPTER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def read_message(data: bytes) -> Message:
    """Read a message of a browser.

    Parameters
    ----------
    data : bytes
        MessagePack.

    Returns
    -------
    Message

    Raises
    ------
    InvalidInputError
        In one sentence, when it is none.
    """
    if len(data) > MOST_MESSAGE:
        raise InvalidInputError(f"a message has at most {MOST_MESSAGE} bytes, not {len(data)}")
    try:
        value = msgpack.unpackb(
            data, raw=False, strict_map_key=True, max_array_len=100_000, max_map_len=10_000
        )
    except Exception as error:  # msgpack raises many kinds, and promises none
        raise InvalidInputError(f"not a message: {str(error)[:100]}") from None
    try:
        return _ADAPTER.validate_python(value)
    except (ValidationError, RecursionError) as error:
        raise InvalidInputError(_told(error)) from None


def _told(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "not a message: nested too deep"
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(step)[:60] for step in first["loc"])
    return f"not a message of this studio: {where + ': ' if where else ''}{first['msg'][:300]}"


def write_message(message: Mapping[str, Any]) -> bytes:
    """Bytes of a message for a browser; see `plain`."""
    return msgpack.packb(message, default=plain, use_bin_type=True)


def plain(value: Any) -> Any:
    """What a message can hold of a value: fields of records, lists of tuples, bytes of arrays.

    Numbers of arrays are little endian: 32-bit floats, or 32-bit whole numbers.
    """
    if isinstance(value, np.ndarray):
        kind = "<f4" if value.dtype.kind == "f" else "<i4"
        return value.astype("u1" if value.dtype == bool else kind).tobytes()
    if isinstance(value, np.generic):
        return value.item()
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"a message cannot hold {type(value).__name__}")


#: A window that is behind by so many messages is told all anew instead.
MOST_WAITING = 400
#: Messages per second that a window may send, and how many at once.
RATE, BURST = 300.0, 600.0
#: Messages that are none, until a window is closed.
MOST_FAULTS = 5
#: Most windows.
MOST_CLIENTS = 16


@dataclass(eq=False)
class Client:
    """One window."""

    reader: bool = True
    greeted: bool = False
    faults: int = 0
    behind: bool = False
    waiting: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    _left: float = BURST
    _when: float = field(default_factory=time.monotonic)

    def send(self, message: Mapping[str, Any]) -> None:
        """Say something, as soon as the window listens."""
        self.put(write_message(message))

    def put(self, data: bytes) -> None:
        """Say something that is packed already."""
        if self.waiting.qsize() >= MOST_WAITING:
            self.behind = True
        if not self.behind:
            self.waiting.put_nowait(data)

    def forget(self) -> None:
        """Forget what is waiting to be said."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
            self.waiting.task_done()
        self.behind = False

    async def said(self) -> None:
        """Wait until the window has been told everything."""
        await self.waiting.join()

    def pause(self) -> float:
        """Seconds that the window's next message has to wait."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._when) * RATE) - 1.0
        self._when = now
        return max(0.0, -self._left / RATE)


@dataclass
class Clients:
    """All windows.

    Parameters
    ----------
    reader_only : bool
        Whether nobody writes, because another studio does.
    """

    reader_only: bool = False
    windows: list[Client] = field(default_factory=list)

    def join(self) -> Client:
        """A new window; the first one writes."""
        client = Client(reader=self.reader_only or self.writer is not None)
        self.windows.append(client)
        return client

    def leave(self, client: Client) -> None:
        """A window is closed."""
        if client in self.windows:
            self.windows.remove(client)

    @property
    def writer(self) -> Client | None:
        """The window that writes."""
        return next((one for one in self.windows if not one.reader), None)

    def promote(self) -> Client | None:
        """Let the oldest window write where none does; that window."""
        if self.reader_only or self.writer is not None or not self.windows:
            return None
        self.windows[0].reader = False
        return self.windows[0]

    def tell(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Say something to all that have said hello."""
        for message in messages:
            data = write_message(message)
            for client in self.windows:
                if client.greeted:
                    client.put(data)
