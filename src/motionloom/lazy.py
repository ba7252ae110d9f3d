"""Names of a package that are loaded when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and the ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    homes : mapping of str to str
        Modules of the package that hold the names.

    Returns
    -------
    tuple of two functions
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        vars(sys.modules[package])[name] = value
        return value

    return load, lambda: sorted({*vars(sys.modules[package]), *homes})
