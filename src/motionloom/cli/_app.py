"""The commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from motionloom.cli._installed import add_installed
from motionloom.cli._tree import add_commands, refusing_twice

#: Base of what typer raises for a wrong command line; typer brings its own copy of click, so it is
#: found from here.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="motionloom",
    help=(
        "Weave new human motion out of captured motion: constraints in, a natural motion file out."
    ),
    epilog=(
        "Exit codes: 0 done, 1 could not be done, 2 wrong input. Documentation:"
        " docs/reference/command-line.md."
    ),
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from motionloom import __version__

        print(f"motionloom {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    plugin: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.py",
            help=(
                "Python file that registers generators, formats, kinds of constraints or checks; it"
                " is executed. May be given several times, before the command."
            ),
        ),
    ] = None,
) -> None:
    if plugin:
        from motionloom.io.python_files import run_python

        for path in plugin:
            run_python(path, "register_generator, register_format, register_kind or register_check")


@cache
def all_commands() -> Callable[..., Any]:
    """The command line, its options read once for however many commands this process runs."""
    top: Callable[..., Any] = refusing_twice(typer.main.get_command(app))
    add_commands(top)
    add_installed(top)
    return top
