"""Commands of installed packages, found by entry points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from motionloom.errors import InvalidInputError
from motionloom.plugins import COMMANDS, load_plugins, names_of

#: Commands of the package motionloom-evaluation, and what each says of itself without it.
EVALUATION = {
    "compare": "Say whether woven motions can be told from captured clips",
    "evaluate": "Measure methods on given clips, beside published figures",
}
_NEEDED = (
    "needs the package motionloom-evaluation; run in a clone of motionloom:"
    " python -m pip install ./evaluation"
)


def add_installed(app: typer.Typer) -> None:
    """Add the commands of installed packages; where there is none of a name, one that says so.

    Parameters
    ----------
    app : Typer
        The command line.
    """

    def add(name: str, command: Any) -> None:
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)

    names = names_of(COMMANDS)
    for name in names:
        try:
            load_plugins(COMMANDS, add, name)
        except InvalidInputError as error:  # the other commands go on working
            _add_refusal(app, name, "Cannot be loaded.", error)
    for name, summary in EVALUATION.items():
        if name not in names:
            missing = InvalidInputError(f"motionloom {name} {_NEEDED}")
            _add_refusal(app, name, f"{summary}: {_NEEDED}", missing)


def _add_refusal(app: typer.Typer, name: str, summary: str, error: InvalidInputError) -> None:
    """Add a command that takes any words and ends with an error."""
    context = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command(name, help=summary, context_settings=context)(_refusal(error))


def _refusal(error: InvalidInputError) -> Callable[[typer.Context], None]:
    def refuse(context: typer.Context) -> None:
        raise error

    return refuse
