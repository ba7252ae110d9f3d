"""Entry point of the command line: whatever happens, one sentence and an exit code.

The commands are imported when they are run, so that an interruption is met from the first moment
on.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from contextlib import suppress

from motionloom.cli._process import Stop, discard, fill_streams, stdout_refuses, stoppable
from motionloom.cli.console import saying_what_compiles, sentence_of
from motionloom.errors import MotionloomError
from motionloom.threads import one_thread


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process when not given.

    Returns
    -------
    int
        0 when done, 1 when it could not be done, 2 for wrong input, 130 when interrupted, 143 when
        told to end.
    """
    stop = Stop()
    try:
        with stoppable(stop, last=argv is None):
            fill_streams()
            code = _run(argv, stop)
            if argv is None:
                gc.freeze()  # the process ends: no last collection of all that it holds
            try:
                sys.stderr.flush()
            except OSError:
                discard(sys.stderr)
            return code
    except KeyboardInterrupt:  # once more, while the first was being told
        return stop.code


def _run(argv: Sequence[str] | None, stop: Stop) -> int:
    try:
        with one_thread(), saying_what_compiles():
            code = _call(argv)
        sys.stdout.flush()
    except MotionloomError as error:
        return _fail(error.exit_code, *map(sentence_of, getattr(error, "each", ()) or [error]))
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        return _io_failed(error)
    except MemoryError:
        return _fail(1, "not enough memory; use fewer or shorter clips")
    except Exception:
        # What was being done when the signal came may have made another error of it.
        if not stop.came:
            raise
        code = 130
    return _fail(stop.code, "interrupted") if code == 130 else code


def _call(argv: Sequence[str] | None) -> int:
    import typer

    from motionloom.cli._app import UsageError, all_commands

    words = None if argv is None else list(argv)
    try:
        code = all_commands()(args=words, prog_name="motionloom", standalone_mode=False)
        return int(code or 0)
    except UsageError as error:
        return _usage(error)
    except typer.Abort:
        raise KeyboardInterrupt from None


def _io_failed(error: OSError) -> int:
    """A file that could not be read or written; or nobody takes the results."""
    refused = stdout_refuses(error)
    if refused is None:
        return _fail(1, f"{error.filename or 'input or output'}: {error.strerror or error}")
    discard(sys.stdout)
    if isinstance(refused, BrokenPipeError):
        return 1  # a reader (such as `head`) that has enough is no fault
    return _fail(1, f"standard output: {refused.strerror}")


def _fail(code: int, *messages: str) -> int:
    with suppress(OSError):
        for message in messages:
            print(f"motionloom: {message}", file=sys.stderr)
    return code


def _usage(error: Exception) -> int:
    """Show what is wrong with the command line; asking for nothing shows the help instead."""
    message = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "NoArgsIsHelpError":
        with suppress(OSError):
            print(message, file=sys.stderr)
        return 2
    context = getattr(error, "ctx", None)
    command = "motionloom" if context is None else context.command_path
    from motionloom.cli._app import RENAMED

    option = str(getattr(error, "option_name", ""))
    now = RENAMED.get((command.removeprefix("motionloom "), option))
    if now is not None:
        message = f"No such option: {option}, which is {now} now"
    return _fail(2, f"{message.rstrip('.')}; see: {command} --help")
