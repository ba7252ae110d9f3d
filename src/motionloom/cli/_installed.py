"""Commands of installed packages, found by entry points; one is imported when it is run."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import typer
from typer.core import TyperCommand

from motionloom.cli._tree import refusing_twice
from motionloom.errors import InvalidInputError
from motionloom.plugins import COMMANDS, load_plugins, names_of

#: Commands of the package motionloom-evaluation, and what each does.
EVALUATION = {
    "compare": "Say whether woven motions can be told from captured clips.",
    "evaluate": "Measure methods on given clips, beside published figures.",
}
_NEEDED = (
    "needs the package motionloom-evaluation; run in a clone of motionloom:"
    " python -m pip install ./evaluation"
)


class InstalledCommand(TyperCommand):
    """A command of an installed package."""

    @cached_property
    def loaded(self) -> Any:
        """The command itself.

        Raises
        ------
        InvalidInputError
            When its package is not installed or cannot be loaded.
        """
        found: dict[str, Any] = {}
        load_plugins(COMMANDS, found.__setitem__, self.name)
        if self.name not in found:
            raise InvalidInputError(f"motionloom {self.name} {_NEEDED}")
        thing = found[self.name]
        if isinstance(thing, typer.Typer):
            return refusing_twice(typer.main.get_group(thing))
        app = typer.Typer(add_completion=False)
        app.command(self.name)(thing)
        return refusing_twice(typer.main.get_command(app))

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        """Hand the words to the command itself."""
        return self.loaded.make_context(info_name, args, parent, **extra)


def add_installed(top: Any) -> None:
    """Add the commands of installed packages, and of the evaluation where it is missing.

    Parameters
    ----------
    top : group of commands
        Changed in place.
    """
    for name in dict.fromkeys((*EVALUATION, *names_of(COMMANDS))):
        top.add_command(InstalledCommand(name, help=EVALUATION.get(name, "Of another package.")))
