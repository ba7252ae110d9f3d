"""Parameters of the command line, made of the fields of commands and of the library's options."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from motionloom.cli._command import Command
from motionloom.cli._fields import PART
from motionloom.options import Option, options_of

#: Types that a value is typed as; the first that a field may hold counts.
_TYPED = (Path, float, int, bool, str)


@dataclass(frozen=True)
class _Parameter:
    """An option or argument: the field it is made of, and what that means."""

    part: str
    field: str
    option: Option
    hint: Any
    default: Any

    @property
    def key(self) -> str:
        """Name of the parameter of the function."""
        return f"{self.part}_{self.field}" if self.part else self.field

    @property
    def names(self) -> list[str]:
        """What is typed; the last name is what messages call it."""
        names = self.option.name or self.field.replace("_", "-")
        return [name if name.startswith("-") else f"--{name}" for name in names.split()]

    @property
    def is_flag(self) -> bool:
        return self.typed is bool

    @property
    def typed(self) -> Any:
        """The type of one value, as it is typed: text where that is parsed into several things."""
        hint = get_args(self.hint)[0] if get_origin(self.hint) is tuple else self.hint
        members = _members(hint)
        is_tuple = get_origin(hint) is tuple
        if self.option.parse is not None and (is_tuple or len(members - {int}) > 1):
            return str
        return next((kind for kind in _TYPED if kind in members), str)

    def to_typer(self) -> inspect.Parameter:
        """The parameter of a function that typer reads."""
        kind: Any = list[self.typed] if self.option.repeats else self.typed  # type: ignore[name-defined]
        default: Any = self.default
        if default is MISSING:
            default = inspect.Parameter.empty
        elif self.is_flag:
            default = False
        elif default in ((), None):
            default, kind = None, kind | None
        about: Any = {"default": default, "annotation": Annotated[kind, self._info()]}
        return inspect.Parameter(self.key, inspect.Parameter.KEYWORD_ONLY, **about)

    def _info(self) -> Any:
        unit = None if self.is_flag else self.option.unit or None
        if self.option.is_argument:
            return typer.Argument(metavar=unit, help=self._help())
        return typer.Option(*self.names, metavar=unit, help=self._help())

    def _help(self) -> str:
        bounds = self.option.range.replace("of at", "at") or ", ".join(self.option.choices)
        known = f" ({bounds})" if bounds else ""
        text = self.option.help
        return f"{text.removesuffix('.')}{known}." if known and text[-3:] != "..." else text + known

    def value_of(self, typed: Any) -> Any:
        """The value of the field for what was typed."""
        if typed is None:
            return self.default
        if self.is_flag:
            return typed != (self.default is True)
        value = tuple(typed) if self.option.repeats else typed
        if self.option.parse is not None:
            value = self.option.parse(value)
        shown = self.option.unit if self.option.is_argument else self.names[-1]
        self.option.check(shown, value)
        return value


def _members(hint: Any) -> set[Any]:
    """Types that a hint is made of."""
    if get_origin(hint) is Literal:
        return {type(value) for value in get_args(hint)}
    below = [one for one in get_args(hint) if one is not NoneType]
    return set().union(*map(_members, below)) if below else {hint}


def _parameters_of(cls: Any) -> Iterator[_Parameter]:
    """Arguments, then options: a command's own, and last what it shares with others."""
    own = vars(cls).get("__annotations__", {})
    arguments = {name for name, option in options_of(cls).items() if option.is_argument}
    for f in sorted(fields(cls), key=lambda f: f.name not in {*arguments, *own}):
        if PART not in f.metadata:
            yield from _of_fields(cls, "", (f.name,))
            continue
        module, names = f.metadata[PART]
        yield from _of_fields(getattr(import_module(module), str(f.type)), f.name, names)


def _of_fields(cls: Any, part: str, names: Sequence[str]) -> Iterator[_Parameter]:
    by_name = {f.name: f for f in fields(cls)}
    about = options_of(cls)
    for name in names:
        yield _Parameter(part, name, about[name], _hint_of(cls, name), by_name[name].default)


def _hint_of(cls: Any, name: str) -> Any:
    """Type of one field; those of others may name what is not imported when the program runs."""
    owner = next(one for one in cls.__mro__ if name in vars(one).get("__annotations__", {}))
    only = type("Only", (), {"__annotations__": {name: owner.__annotations__[name]}})
    return get_type_hints(only, vars(sys.modules[owner.__module__]))[name]


def function_of(cls: type[Command], run: Callable[[Command], int]) -> Callable[..., int]:
    """Make the function of a command that typer makes a command line of.

    Parameters
    ----------
    cls : type of Command
        The command.
    run : callable
        Runs it.

    Returns
    -------
    callable
        Its parameters are all options and arguments of the command.
    """
    parameters = list(_parameters_of(cls))

    def call(**typed: Any) -> int:
        own: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {}
        for one in parameters:
            values = parts.setdefault(one.part, {}) if one.part else own
            value = one.value_of(typed[one.key])
            if value is not MISSING:
                values[one.field] = value
        for f in fields(cls):  # type: ignore[arg-type]
            if PART in f.metadata:
                library = getattr(import_module(f.metadata[PART][0]), str(f.type))
                own[f.name] = library(**parts.get(f.name, {}))
        return run(cls(**own))

    spread = [one.to_typer() for one in parameters]
    vars(call)["__signature__"] = inspect.Signature(spread, return_annotation=int)
    call.__annotations__ = {one.name: one.annotation for one in spread}
    call.__doc__ = cls.__doc__
    return call
