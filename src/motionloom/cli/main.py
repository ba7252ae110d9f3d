"""Entry point of the command line: the commands, and one sentence for everything that can go wrong."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from motionloom.cli.convert import convert
from motionloom.cli.demo import demo
from motionloom.cli.evaluate import app as evaluate
from motionloom.cli.graph import app as graph
from motionloom.cli.info import info
from motionloom.cli.library import app as library
from motionloom.cli.naturalness import naturalness
from motionloom.cli.pose import pose
from motionloom.cli.synthesize import synthesize
from motionloom.cli.view import view
from motionloom.errors import MotionloomError

#: Base of what typer raises for a wrong command line; typer brings its own copy of click, so it is found from here.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="motionloom",
    help="Weave new human motion out of captured motion: constraints in, a natural motion file out.",
    epilog="Exit codes: 0 done, 1 could not be done, 2 wrong input. Documentation: docs/command-line.md.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
for command in (info, convert, view, synthesize, pose, naturalness, demo):
    app.command()(command)
app.add_typer(graph)
app.add_typer(library)
app.add_typer(evaluate)


def _print_version(wanted: bool) -> None:
    if wanted:
        from motionloom import __version__

        print(f"motionloom {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process when not given.

    Returns
    -------
    int
        0 when done, 1 when it could not be done, 2 for wrong input, 130 when interrupted.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # File and joint names may hold characters that the terminal's encoding has not.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = app(args=None if argv is None else list(argv), prog_name="motionloom", standalone_mode=False) or 0
        sys.stdout.flush()
        return _fail(130, "interrupted") if code == 130 else int(code)
    except MotionloomError as error:
        return _fail(error.exit_code, str(error))
    except UsageError as error:
        return _usage(error)
    except (KeyboardInterrupt, typer.Abort):
        return _fail(130, "interrupted")
    except BrokenPipeError:
        # The reader (such as `head`) has enough; nothing may be written to it when Python shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _fail(1, f"{error.filename or 'input or output'}: {error.strerror or error}")
    except MemoryError:
        return _fail(1, "not enough memory; use fewer or shorter clips")


def _fail(code: int, message: str) -> int:
    print(f"motionloom: {message}", file=sys.stderr)
    return code


def _usage(error: Exception) -> int:
    """Show what is wrong with the command line; asking for nothing shows the help instead."""
    message = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message, file=sys.stderr)
        return 2
    context = getattr(error, "ctx", None)
    command = "motionloom" if context is None else context.command_path
    return _fail(2, f"{message.rstrip('.')}; see: {command} --help")
