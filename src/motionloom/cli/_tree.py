"""The tree of commands; a command is imported when it is run or its help is shown."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from motionloom.cli._command import Command, run
from motionloom.cli._parameters import function_of

#: Where every command is: module of motionloom.cli and class.
COMMANDS = {
    "info": "info:Info",
    "convert": "convert:Convert",
    "view": "view:View",
    "fit": "fit:FitMarkers",
    "synthesize": "synthesize:Synthesize",
    "reconstruct": "reconstruct:Reconstruct",
    "pose": "pose:FindPose",
    "edit": "edit:EditClip",
    "retarget": "retarget:RetargetClips",
    "naturalness": "naturalness:JudgeNaturalness",
    "studio": "studio:OpenStudio",
    "demo": "demo:MakeDemo",
    "gait fit": "gait:FitGait",
    "gait info": "gait:ShowGait",
    "gait make": "gait:MakeGait",
    "graph build": "graph:BuildGraph",
    "graph report": "graph:ReportGraph",
    "idle fit": "idle:FitIdle",
    "idle info": "idle:ShowIdle",
    "idle make": "idle:MakeIdle",
    "idle mix": "idle:MixIdle",
    "idle stream": "idle:StreamIdle",
    "inbetween fill": "inbetween:FillGaps",
    "inbetween fit": "inbetween:FitInbetween",
    "library add": "library:AddClips",
    "library check": "library:CheckLibrary",
    "library create": "library:CreateLibrary",
    "library list": "library:ListLibrary",
    "library remove": "library:RemoveClips",
    "model edit": "model:EditModel",
    "model fit": "model:FitModel",
    "model info": "model:ShowModel",
    "physics correct": "physics:CorrectPhysics",
    "physics report": "physics:ReportPhysics",
    "shot check": "shot:CheckShot",
    "shot make": "shot:MakeShot",
    "shot new": "shot:NewShot",
    "track live": "track:TrackLive",
    "track replay": "track:ReplayMarkers",
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

    def __init__(self, name: str, where: str) -> None:
        self._where = where
        super().__init__(name)

    @cached_property
    def _class(self) -> type[Command]:
        module, _, name = self._where.partition(":")
        found: type[Command] = getattr(import_module(f"motionloom.cli._{module}"), name)
        return found

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

    def make_parser(self, ctx: Any) -> Any:
        return refuse_twice(super().make_parser(ctx), ctx)


class _WithDefault(TyperGroup):
    """A group of which one command is run where none is named."""

    default = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.default and args and args[0] not in (*self.commands, "-h", "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: Any) -> Any:
        return refuse_twice(super().make_parser(ctx), ctx)


def add_commands(top: Any) -> None:
    """Add all commands to the group at the top."""
    for name, where in COMMANDS.items():
        group, _, own = name.rpartition(" ")
        below = top
        if group:
            if group not in top.commands:
                below = _WithDefault(name=group, help=GROUPS[group], no_args_is_help=True)
                below.default = DEFAULTS.get(group, "")
                top.add_command(below)
            below = top.commands[group]
        below.add_command(_Lazy(own, where))


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
            if counts and not option.is_flag and order.count(option) > 1:
                raise typer.BadParameter(
                    f"given {order.count(option)} times, and only the last would count; give it"
                    " once",
                    ctx=context,
                    param_hint=max(option.opts, key=len),
                )
        return options, rest, order

    parser.parse_args = parse_once
    return parser
