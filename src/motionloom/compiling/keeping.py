"""Where compiled kernels are kept, and when what is kept there may be used."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from numba.core import caching

from motionloom.compiling.reached import reached_by


def keep(dispatcher: Any) -> None:
    """Keep on disk what a dispatcher compiles, where there is a folder for it."""
    # No folder: neither the one beside the module nor the user's can be written to.
    with suppress(RuntimeError):
        dispatcher._cache = _KernelCache(dispatcher)


class _UserWideLocator(caching.UserWideCacheLocator):
    """The user's folder of caches, where the user has one."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        # Who has no home would write into, and load from, a folder "~" wherever they are.
        home = os.path.expanduser("~")
        return super().from_function(py_func, py_file) if os.path.isabs(home) else None


class _KernelFolder(caching.CompileResultCacheImpl):
    """Looks for the folder, as numba does."""

    _locator_classes = [  # noqa: RUF012 - as numba has it
        _UserWideLocator if found is caching.UserWideCacheLocator else found
        for found in caching.CompileResultCacheImpl._locator_classes
    ]


class _KernelFile(caching.IndexDataCacheFile):
    """An index and its data, each of which says what it was compiled from.

    Two processes may write an index and data of two versions in turn. What is damaged, or names
    types that another version had, counts as not kept: it is compiled again.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (self._source_stamp, key, data))

    def load(self, key: Any) -> Any:
        try:
            stamp, kept_key, data = super().load(key) or (None, None, None)
        except Exception:  # a pickle of anything raises anything
            return None
        return data if (stamp, kept_key) == (self._source_stamp, key) else None

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:
            return {}


class _KernelCache(caching.FunctionCache):
    """Results of compiling, stamped with everything that was compiled in.

    Parameters
    ----------
    dispatcher : numba dispatcher
        The kernel.
    """

    _impl_class = _KernelFolder

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        self._kernel = dispatcher
        self._file_stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _KernelFile(self._cache_path, self._impl.filename_base, None)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Not when it is defined: parts and constants may be defined below it.
        self._cache_file._source_stamp = (self._file_stamp, reached_by(self._kernel))
        return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        # A full disk, or a folder that is gone: it is compiled again in the next process.
        with suppress(OSError):
            super().save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # numba takes named tuples of one name for one type, whatever their fields.
        return (*super()._index_key(sig, codegen), tuple(_fields_in(sig)))


def _fields_in(sig: Any) -> Iterator[tuple[str, ...]]:
    """Fields of every named tuple within types of arguments."""
    for found in sig if isinstance(sig, (tuple, list)) else (sig,):
        if isinstance(found, (tuple, list)):
            yield from _fields_in(found)
            continue
        yield from [tuple(found.fields)] if hasattr(found, "instance_class") else []
        for within in ("types", "type", "dtype", "key_type", "value_type"):
            yield from _fields_in(getattr(found, within, ()))
