"""Names that a package shows by themselves, each loaded when it is first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class _Facade(ModuleType):
    """A package that shows its verbs; a verb wins over a module of the same name inside."""

    __verbs__: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:
        if name not in self.__verbs__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = importlib.import_module(self.__verbs__[name])
        if value.__name__ != f"{self.__name__}.{name}":
            value = getattr(value, name)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # Python sets a module on its package as soon as it is loaded.
        if not (isinstance(value, ModuleType) and name in self.__verbs__):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__verbs__, *(name for name in self.__dict__ if name[:2] == "__")})


def show_verbs(package: str, verbs: Mapping[str, str]) -> None:
    """Let a package show its verbs, and nothing else.

    Parameters
    ----------
    package : str
        Name of the package, which is being imported.
    verbs : mapping of str to str
        Full name of the module that holds each verb, or that is the verb.

    Examples
    --------
    >>> sorted(name for name in dir(ml.gait) if not name.startswith("__"))
    ['fit', 'make', 'stream']
    """
    module: Any = sys.modules[package]
    for name in verbs:
        module.__dict__.pop(name, None)
    module.__dict__.update(__verbs__=verbs)
    module.__class__ = _Facade
