"""Python files that a user names to be run: costs and plug-ins."""

from __future__ import annotations

import sys
import traceback
from os import fspath
from pathlib import Path
from types import ModuleType

from motionloom.errors import FormatError, MotionloomError
from motionloom.io.files import read_text
from motionloom.plugins import registered_so_far
from motionloom.typing import PathName


def run_python(path: PathName, expected: str) -> tuple[str, ...]:
    """Run a Python file that registers something.

    It is executed with all rights of the user: run only files you trust.

    Parameters
    ----------
    path : path-like
        The file.
    expected : str
        What it should call, for the message where it registers nothing.

    Returns
    -------
    tuple of str
        What it has registered.

    Raises
    ------
    FormatError
        When the file cannot be run, with the line, or registers nothing.
    """
    try:
        code = compile(read_text(path), fspath(path), "exec")
    except (SyntaxError, ValueError) as error:
        reason, line = getattr(error, "msg", str(error)), getattr(error, "lineno", None)
        raise FormatError(f"not valid Python ({reason}); mend the file", path, line) from None
    before = len(registered_so_far())
    module = ModuleType(f"motionloom_file_{Path(path).stem}")
    module.__file__ = fspath(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:  # whatever a user's file does, it is that file's error
        line = _line_in(path, error)
        if isinstance(error, MotionloomError):
            raise FormatError(str(error), path, line) from error
        message = f"running it failed with {type(error).__name__}: {error}; mend the file"
        raise FormatError(message, path, line) from error
    found = registered_so_far()[before:]
    if not found:
        raise FormatError(f"it registers nothing; expected it to call {expected}", path)
    return found


def _line_in(path: PathName, error: BaseException) -> int | None:
    """The last line of the file that was being run."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == fspath(path)]
    return lines[-1] if lines else None
