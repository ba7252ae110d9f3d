"""The commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from motionloom.cli.convert import convert
from motionloom.cli.demo import demo
from motionloom.cli.edit import edit
from motionloom.cli.fit import fit
from motionloom.cli.gait import app as gait
from motionloom.cli.gait_make import make as make_gait
from motionloom.cli.graph import app as graph
from motionloom.cli.idle import app as idle
from motionloom.cli.inbetween import app as inbetween
from motionloom.cli.info import info
from motionloom.cli.installed import add_installed
from motionloom.cli.library import app as library
from motionloom.cli.model import app as model
from motionloom.cli.naturalness import naturalness
from motionloom.cli.physics import app as physics
from motionloom.cli.pose import pose
from motionloom.cli.reconstruct import reconstruct
from motionloom.cli.retarget import retarget
from motionloom.cli.shot import app as shot
from motionloom.cli.studio import studio
from motionloom.cli.synthesize import synthesize
from motionloom.cli.track import app as track
from motionloom.cli.view import view

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
for command in (
    info,
    convert,
    view,
    fit,
    synthesize,
    reconstruct,
    pose,
    edit,
    retarget,
    naturalness,
    studio,
    demo,
):
    app.command()(command)
gait.command("make")(make_gait)
app.add_typer(gait)
app.add_typer(graph)
app.add_typer(idle)
app.add_typer(inbetween)
app.add_typer(library)
app.add_typer(model)
app.add_typer(physics)
app.add_typer(shot)
app.add_typer(track)
add_installed(app)


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
    top = typer.main.get_command(app)
    _refuse_twice(top)
    return top


def _refuse_twice(command: Any) -> None:
    """Refuse options that count once where they are given again, here and in all below.

    The parser keeps the last and says nothing: an output that was named first is not written.
    """
    make_parser = command.make_parser

    def make(context: Any) -> Any:
        parser = make_parser(context)
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Any:
            options, rest, order = parse(args)
            for option in dict.fromkeys(order):
                counts = option.param_type_name == "option" and not (
                    option.multiple or option.count
                )
                if counts and not option.is_flag and order.count(option) > 1:
                    name = max(option.opts, key=len)
                    raise typer.BadParameter(
                        f"given {order.count(option)} times, and only the last would count; give"
                        " it once",
                        ctx=context,
                        param_hint=name,
                    )
            return options, rest, order

        parser.parse_args = parse_once
        return parser

    command.make_parser = make
    for below in getattr(command, "commands", {}).values():
        _refuse_twice(below)
