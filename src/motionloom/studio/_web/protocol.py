"""Messages between browser and studio: MessagePack maps with a type, checked before use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
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


class Undo(_Message):
    """Take back the last edit."""

    type: Literal["undo"]


class Redo(_Message):
    """Do again what was taken back."""

    type: Literal["redo"]


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


_Edits = Edit | Undo | Redo | Cancel | New | Choose
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
    packed: bytes = msgpack.packb(message, default=plain, use_bin_type=True)
    return packed


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
