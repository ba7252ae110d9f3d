"""The tree of commands; a command is imported when it is run or its help is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from motionloom.cli._command import Command, run
from motionloom.cli._parameters import function_of
from motionloom.errors import InvalidInputError
from motionloom.plugins import COMMANDS, load_plugins, names_of

#: Commands of the modules of motionloom.cli; "idle fit" is the class `IdleFitCommand` of one.
MODULES = {
    "files": ("info", "convert", "view"),
    "markers": ("fit", "track live", "track replay"),
    "weave": ("synthesize", "graph build", "graph report"),
    "gaps": ("reconstruct", "inbetween fill", "inbetween fit"),
    "poses": ("pose", "edit", "naturalness"),
    "bodies": ("retarget", "physics correct", "physics report"),
    "shots": ("studio", "shot check", "shot make", "shot new"),
    "demo": ("demo",),
    "models": ("gait fit", "gait info", "gait make", "model edit", "model fit", "model info"),
    "idle": ("idle fit", "idle info", "idle make", "idle mix", "idle stream"),
    "library": tuple(f"library {name}" for name in ("add", "check", "create", "list", "remove")),
}
#: What the groups of commands are about.
GROUPS = {
    "gait": "Gait spaces: walking and running at any speed, learned from clips.",
    "graph": "Motion graphs: what their clips can and cannot do.",
    "idle": "Learn how a person waits, and make idle motion that never repeats.",
    "inbetween": "Fill gaps between known frames; 'inbetween START END ...' is 'inbetween fill'.",
    "library": "Libraries: clips read once and kept ready on disk.",
    "model": "Motion models: takes of one action, and new takes that do it elsewhere.",
    "physics": "Forces, torques and balance of a clip, and motions corrected by them.",
    "shot": "One script over all methods: shot FILE -o OUT makes it.",
    "track": "Poses from a live stream of markers; 'track MODEL' is 'track live MODEL'.",
}
#: What is run where no command of a group is named.
DEFAULTS = {"inbetween": "fill", "shot": "make", "track": "live"}
#: Options that have another name now, by command.
RENAMED = {
    ("convert", "--to"): "--format",
    ("demo", "--out"): "--output",
    ("edit", "--against"): "--reference",
    ("fit", "--person"): "--one-person",
    ("fit", "--stature"): "--height",
    ("idle make", "--body"): "--to",
    ("idle make", "--rate"): "--per-minute",
    ("inbetween fill", "--speed"): "--speeds",
    ("inbetween fill", "--variants"): "--alternatives",
    ("model edit", "--duration"): "--seconds",
    ("model fit", "--styles"): "--labels",
    ("naturalness", "--against"): "--reference",
    ("physics report", "--report"): "--output",
    ("retarget", "--suffix"): "--format",
    ("synthesize", "--seeds"): "--restarts",
    ("view", "--html"): "--output",
    ("view", "--png"): "--output",
}


class _Lazy(TyperCommand):
    """A command that is imported when its help or its options are needed."""

    def __init__(self, module: str, words: list[str]) -> None:
        self._module = module
        self._words = words
        super().__init__(words[-1])

    @cached_property
    def _class(self) -> type[Command]:
        name = "".join(map(str.capitalize, self._words)) + "Command"
        return getattr(import_module(f"motionloom.cli._{self._module}"), name)

    @cached_property
    def _made(self) -> Any:
        app = typer.Typer(add_completion=False)
        app.command(self.name)(function_of(self._class, run))
        return typer.main.get_command(app)

    def __getattribute__(self, name: str) -> Any:
        """What depends on the class of the command is made when it is looked at."""
        if name in ("params", "callback"):
            return getattr(self._made, name)
        if name == "help":
            return self._class.__doc__
        return super().__getattribute__(name)


class _WithDefault(TyperGroup):
    """A group of which one command is run where none is named."""

    default = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.default and args and args[0] not in (*self.commands, "-h", "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


def add_commands(top: Any) -> None:
    """Add all commands to the group at the top."""
    for module, names in MODULES.items():
        for words in map(str.split, names):
            below = top
            for group in words[:-1]:
                if group not in top.commands:
                    made = _WithDefault(name=group, help=GROUPS[group], no_args_is_help=True)
                    made.default = DEFAULTS.get(group, "")
                    top.add_command(made)
                below = top.commands[group]
            below.add_command(_Lazy(module, words))


def refusing_twice(command: Any) -> Any:
    """Let a command and all below it refuse options that are given again.

    Parameters
    ----------
    command : command
        Changed in place.

    Returns
    -------
    command
        The same.
    """
    make_parser = command.make_parser
    command.make_parser = lambda context: refuse_twice(make_parser(context), context)
    for below in getattr(command, "commands", {}).values():
        refusing_twice(below)
    return command


def refuse_twice(parser: Any, context: Any) -> Any:
    """Refuse options that count once where they are given again.

    The parser keeps the last and says nothing: an output that was named first is not written.

    Parameters
    ----------
    parser : parser of a command line
        Of one command.
    context : context of a command line
        Of the same command.

    Returns
    -------
    parser
        The same.
    """
    parse = parser.parse_args

    def parse_once(args: list[str]) -> Any:
        options, rest, order = parse(args)
        for option in dict.fromkeys(order):
            counts = option.param_type_name == "option" and not (option.multiple or option.count)
            count = order.count(option)
            if counts and not option.is_flag and count > 1:
                told = f"given {count} times, and only the last would count; give it once"
                name = max(option.opts, key=len)
                raise typer.BadParameter(told, ctx=context, param_hint=name)
        return options, rest, order

    parser.parse_args = parse_once
    return parser


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
    top: Callable[..., Any] = typer.main.get_command(app)
    add_commands(top)
    add_installed(top)
    refusing_twice(top)
    return top
