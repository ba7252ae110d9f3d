"""Read whole files with clear errors; write them so that no half file is ever seen."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import tempfile
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from motionloom.errors import DiskFullError, FormatError, InvalidInputError
from motionloom.io.limits import MOST_BYTES
from motionloom.typing import PathName

#: How the name of a file or folder ends that is being written or thrown away; nobody else's ends
#: so.
PART = ".motionloom-part"
#: What systems say when there is no room.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
#: What NumPy raises for an ``.npz`` file that is damaged, or is none.
DAMAGED_NPZ = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError),
    *(RuntimeError, SyntaxError, MemoryError, struct.error, tokenize.TokenError),
    *(zipfile.BadZipFile, zlib.error),
)


def read_bytes(path: PathName, limit: int = -1, most: int = MOST_BYTES) -> bytes:
    """Read a file whole, or its first `limit` bytes.

    Parameters
    ----------
    path : path-like
        The file.
    limit : int, optional
        Bytes to read from its beginning; all when negative.
    most : int, optional
        Bytes that a file may have that is read whole.

    Returns
    -------
    bytes
        At least one.

    Raises
    ------
    FormatError
        When it is missing, empty, not a file or not readable; before it is read, when it has more
        than `most` bytes.

    Examples
    --------
    >>> write_file("head.bin", b"HIERARCHY")
    >>> read_bytes("head.bin", limit=4)
    b'HIER'
    """
    file = Path(path)
    try:
        if file.is_dir():
            raise FormatError("this is a folder; name a file in it", path)
        if not file.exists():
            raise FormatError("no such file; check the name and the folder", path)
        if not file.is_file():
            raise FormatError("this is a device or a pipe; save it as a file first", path)
        with file.open("rb") as stream:
            length = os.fstat(stream.fileno()).st_size
            if limit < 0 and length > most:
                raise FormatError(f"the file has {length} bytes; expected at most {most}", path)
            data = stream.read(limit)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path) from None
    except ValueError:  # a NUL character in the name
        message = "no such file; the name holds a character that no file name can have"
        raise FormatError(message, path) from None
    if not data:
        raise FormatError("the file is empty", path)
    return data


def read_text_bytes(path: PathName, most: int = MOST_BYTES) -> bytes:
    r"""Read a text file whole, as bytes with ``\n`` at the ends of lines and no byte order mark.

    They are UTF-8, or where they are not, Latin-1; `decode` knows. UTF-16 with a byte order mark
    becomes UTF-8.

    Parameters
    ----------
    path : path-like
        The file.
    most : int, optional
        Bytes that it may have.

    Returns
    -------
    bytes
        Not blank.

    Raises
    ------
    FormatError
        When it is missing, empty, not a file, not readable, longer than `most` bytes or not text.
    """
    data = read_bytes(path, most=most)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        with suppress(UnicodeError):
            data = data.decode("utf-16").encode()
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FormatError("expected text, found binary data; is this another kind of file?", path)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not data or data.isspace():
        raise FormatError("the file is empty", path)
    return data


def name_of(path: PathName) -> str:
    """Name of a file without folder and suffix, as text that can be written anywhere.

    Bytes that are no UTF-8 become escapes.

    Examples
    --------
    >>> name_of("clips/walk_1.1.bvh")
    'walk_1.1'
    """
    return os.fsencode(Path(path).stem).decode(errors="backslashreplace")


def decode(data: bytes) -> str:
    """Text of bytes that are UTF-8, or else Latin-1, in which any byte is a character.

    Examples
    --------
    >>> decode("Hüfte".encode("latin-1"))
    'Hüfte'
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_text(path: PathName, most: int = MOST_BYTES) -> str:
    r"""Read a text file whole, as `read_text_bytes` does.

    Parameters
    ----------
    path : path-like
        The file.
    most : int, optional
        Bytes that it may have.

    Returns
    -------
    str
        Lines end with ``\n``.

    Raises
    ------
    FormatError
        When it is missing, empty, not a file, not readable, longer than `most` bytes or not text.

    Examples
    --------
    >>> write_file("note.txt", b"two\r\nlines")
    >>> read_text("note.txt")
    'two\nlines'
    """
    return decode(read_text_bytes(path, most))


@contextmanager
def atomic_write(path: PathName) -> Iterator[BinaryIO]:
    """Open a binary file that appears under its name only when all of it is written.

    The data go to a temporary file in the same folder, which takes the name at the end; when
    anything fails the temporary file is removed and a file that was there before stays as it was.
    Once it has its name, the file is on the disk and outlasts a power failure.

    Raises
    ------
    InvalidInputError
        When the folder is missing or cannot be written to, or the name is that of a folder, a
        device or a pipe.
    """
    target = Path(path)
    if not target.parent.is_dir():
        message = f"cannot write {target}: the folder {target.parent} does not exist; make it first"
        raise InvalidInputError(message)
    if target.is_dir():
        raise InvalidInputError(f"cannot write {target}: this is a folder; name a file in it")
    if target.exists() and not target.is_file():
        raise InvalidInputError(f"cannot write {target}: this is a device or a pipe; name a file")
    prefix = f".{target.name[:40]}."
    try:
        descriptor, temporary = tempfile.mkstemp(PART, prefix, target.parent)
    except OSError as error:
        raise cannot_write(target, error) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _permissions(target))
        os.replace(temporary, target)
        sync_folder(target.parent)
    except OSError as error:
        raise cannot_write(target, error) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def cannot_write(path: PathName, error: OSError) -> InvalidInputError:
    """Error to raise when a file cannot be written.

    Parameters
    ----------
    path : path-like
        The file, as the message names it.
    error : OSError
        What the system said.

    Returns
    -------
    InvalidInputError
        A `DiskFullError` where there is no room.
    """
    kind = DiskFullError if error.errno in _NO_ROOM else InvalidInputError
    return kind(f"cannot write {path}: {error.strerror or error}")


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, so that they outlast a power failure."""
    if os.name == "nt":  # folders cannot be opened there, and NTFS journals names
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network file systems have no such call for folders.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def sync_file_system(folder: Path) -> None:
    """Have everything written to the file system of a folder on the disk; one wait for all files.

    Raises
    ------
    OSError
        When the system could not write it.
    """
    if os.name == "nt":
        return
    try:
        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError):  # not Linux
        os.sync()
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if call(descriptor) != 0:
            code = ctypes.get_errno()
            if code != errno.ENOSYS:
                raise OSError(code, os.strerror(code), str(folder))
            os.sync()
    finally:
        os.close(descriptor)


def write_file(path: PathName, content: str | bytes) -> None:
    r"""Write a whole file at once; see `atomic_write`.

    Parameters
    ----------
    path : path-like
        The file; one that is there is replaced.
    content : str or bytes
        Text is written as UTF-8, and what is no character in it as an escape.

    Raises
    ------
    InvalidInputError
        When the file cannot be written.

    Examples
    --------
    >>> write_file("note.txt", "one line\n")
    >>> read_text("note.txt")
    'one line\n'
    """
    with atomic_write(path) as file:
        if isinstance(content, str):
            content = content.encode(errors="backslashreplace")
        file.write(content)


def _permissions(target: Path) -> int:
    """Those of the file that is replaced, else what any new file gets."""
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
