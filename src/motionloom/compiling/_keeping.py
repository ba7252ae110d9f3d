"""Digest of everything that is compiled into a kernel: what its code reaches by name.

A compiled kernel holds its parts, the constants that they read from any module, and the fields of
the named tuples that they make. numba itself looks only at the file of the kernel.

Where compiled kernels are kept, and when what is kept there may be used.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from types import CodeType, EllipsisType, FunctionType, ModuleType, NoneType, SimpleNamespace
from typing import Any

import numpy as np
from numba.core import caching
from numba.core.types import Type

_SCALARS = (bool, int, float, complex, str, bytes, NoneType, EllipsisType, Type)
_MISSING = object()
#: Kernels that came with a wheel: folders as those of the package, indices and data as numba's.
SHIPPED = Path(__file__).parents[1] / "_kernels"
#: What they are compiled for, as `NUMBA_CPU_NAME` and `NUMBA_CPU_FEATURES` have it ...
LEVEL = ("x86-64-v3", "+avx2,+fma")
#: ... and what a machine needs to run them.
_NEEDED = [
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "cx16",
    "f16c",
    "fma",
    "lzcnt",
    "movbe",
    "popcnt",
    "sse4.2",
]


def keep(dispatcher: Any) -> None:
    """Keep on disk what a dispatcher compiles, where there is a folder for it."""
    # No folder: neither the one beside the module nor the user's can be written to.
    with suppress(RuntimeError):
        dispatcher._cache = _KernelCache(dispatcher)


class _ShippedLocator(caching.InTreeCacheLocator):
    """The folder of shipped kernels, where there is none that can be written to."""

    def get_cache_path(self) -> str:
        return _shipped_beside(self._py_file)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func, py_file) if os.path.isdir(_shipped_beside(py_file)) else None


class _KernelFolder(caching.CompileResultCacheImpl):
    """Looks for the folder, as numba does."""

    def __init__(self, py_func: Any) -> None:
        known = caching.CompileResultCacheImpl._locator_classes
        # Who has no home would write into, and load from, a folder "~" wherever they are.
        usable = os.path.isabs(os.path.expanduser("~"))
        kept = [one for one in known if usable or one is not caching.UserWideCacheLocator]
        self._locator_classes = [*kept, _ShippedLocator]
        super().__init__(py_func)


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
        name = self._impl.filename_base
        self._cache_file = _KernelFile(self._cache_path, name, None)
        self._shipped = _KernelFile(_shipped_beside(self._impl.locator._py_file), name, None)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Not when it is defined: parts and constants may be defined below it.
        stamp = (self._file_stamp, _reached_by(self._kernel))
        self._cache_file._source_stamp = self._shipped._source_stamp = stamp
        return super().load_overload(sig, target_context)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super()._load_overload(sig, target_context)
        if found is not None or not _runs_shipped():
            return found
        triple, *_ = target_context.codegen().magic_tuple()
        shipping = SimpleNamespace(magic_tuple=lambda: (triple, *LEVEL))
        data = self._shipped.load(self._index_key(sig, shipping))
        return None if data is None else self._impl.rebuild(target_context, data)

    def save_overload(self, sig: Any, data: Any) -> None:
        # A full disk, or a folder that is gone: it is compiled again in the next process.
        with suppress(OSError):
            super().save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # numba takes named tuples of one name for one type, whatever their fields.
        return (*super()._index_key(sig, codegen), tuple(_fields_in(sig)))


def _shipped_beside(file: str) -> str:
    """Folder of the shipped kernels of a module."""
    return os.path.join(SHIPPED, os.path.relpath(os.path.dirname(file), SHIPPED.parent))


@cache
def _runs_shipped() -> bool:
    """Whether kernels were shipped, and this machine has what they are compiled for."""
    import llvmlite.binding

    features = llvmlite.binding.get_host_cpu_features() if SHIPPED.is_dir() else {}
    return all(features.get(name, False) for name in _NEEDED)


def _fields_in(sig: Any) -> Iterator[tuple[str, ...]]:
    """Fields of every named tuple within types of arguments."""
    for found in sig if isinstance(sig, (tuple, list)) else (sig,):
        if isinstance(found, (tuple, list)):
            yield from _fields_in(found)
            continue
        yield from [tuple(found.fields)] if hasattr(found, "instance_class") else []
        for within in ("types", "type", "dtype", "key_type", "value_type"):
            yield from _fields_in(getattr(found, within, ()))


def _reached_by(function: Any) -> str:
    """Digest of the code of a function and of all that is compiled into it.

    It covers the bytecode, constants and names of every function that is reached, the options of
    those that are compiled, and the values of module constants, closures, arrays, dtypes,
    enumerations and fields of named tuples. Lines and comments do not count.

    Parameters
    ----------
    function : function
        Python function of a kernel. Python functions of its package are followed, and compiled
        functions of any package.

    Returns
    -------
    str
        The same in every process.
    """
    digest = _Digest(_package_of(function))
    digest.add(function)
    return digest.result()


def _package_of(value: Any) -> str:
    return str(getattr(value, "__module__", None)).partition(".")[0]


class _Digest:
    """Walks from value to value, depth first, in the order of the names in the code."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._hash = hashlib.sha256()
        self._met: dict[int, int] = {}

    def result(self) -> str:
        """Digest of what was added."""
        return self._hash.hexdigest()

    def add(self, value: Any) -> None:
        """Add one value of any kind."""
        for kind, add in _KINDS:
            if isinstance(value, kind):
                return add(self, value)
        compiled = hasattr(value, "targetoptions")
        return self._add_compiled(value) if compiled else self._add_other(value)

    def _put(self, kind: str, content: str | bytes) -> None:
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        self._hash.update(f"{kind} {len(data)}:".encode())
        self._hash.update(data)

    def _is_new(self, value: Any) -> bool:
        """Whether a value is met for the first time; its number goes into the digest."""
        known = id(value) in self._met
        self._put("met", str(self._met.setdefault(id(value), len(self._met))))
        return not known

    def _add_scalar(self, value: Any) -> None:
        self._put(type(value).__name__, repr(value))

    def _add_array(self, value: Any) -> None:
        array = np.asarray(value)
        self._add_dtype(array.dtype)
        self._put("array", f"{array.shape} {array.strides}")
        self._put("content", array.tobytes())

    def _add_dtype(self, value: Any) -> None:
        self._put("dtype", f"{value!r} {value.itemsize} {value.isalignedstruct}")

    def _add_sequence(self, value: Any) -> None:
        self._put("sequence", str(len(value)))
        if hasattr(value, "_fields"):
            self.add(type(value))
        for item in value:
            self.add(item)

    def _add_set(self, value: Any) -> None:
        self._put("set", str(len(value)))
        for item in sorted(value, key=repr):  # their order differs between processes
            self.add(item)

    def _add_member(self, value: Any) -> None:
        self._put("member", value.name)
        self.add(type(value))

    def _add_class(self, value: Any) -> None:
        self._add_other(value)
        if issubclass(value, Enum):
            self._add_sequence([(m.name, m.value) for m in value])
        self.add(getattr(value, "_fields", None))
        self.add(tuple(getattr(value, "_field_defaults", {}).items()))

    def _add_code(self, value: CodeType) -> None:
        self._put("code", _digest_of_code(value, self._package))

    def _add_function(self, value: FunctionType) -> None:
        self._add_other(value)
        if _package_of(value) != self._package or not self._is_new(value):
            return
        self.add(value.__code__)
        self.add((value.__defaults__, *sorted((value.__kwdefaults__ or {}).items())))
        for cell in value.__closure__ or ():
            self.add(cell.cell_contents)
        self._add_named(value.__globals__.get, _names_in(value.__code__), set())

    def _add_named(
        self, find: Callable[[str, Any], Any], names: tuple[str, ...], entered: set[int]
    ) -> None:
        """Add what names stand for; in a module, what the same names stand for there."""
        for name in names:
            value = find(name, _MISSING)
            if value is _MISSING:
                continue
            self._put("name", name)
            if not isinstance(value, ModuleType):
                self.add(value)
            elif id(value) not in entered:
                entered.add(id(value))
                self._put("module", value.__name__)
                self._add_named(_attributes_of(value), names, entered)

    def _add_compiled(self, value: Any) -> None:
        self._put("level", repr(getattr(value, "motionloom_level", None)))
        for name, option in sorted(value.targetoptions.items()):
            self._put("option", name)
            self.add(option)
        # Whoever wrote a compiled function: its code is compiled into the kernel.
        package, self._package = self._package, _package_of(value.py_func)
        self.add(value.py_func)
        self._package = package

    def _add_other(self, value: Any) -> None:
        """Add a name only: a function of NumPy or numba means the same in one version of numba,
        which a kept kernel names.
        """
        named = value if hasattr(value, "__name__") else type(value)
        name = getattr(named, "__qualname__", named.__name__)
        self._put("other", f"{getattr(named, '__module__', None)}.{name}")


def _attributes_of(module: ModuleType) -> Callable[[str, Any], Any]:
    return lambda name, missing: getattr(module, name, missing)


@cache  # kernels share most of their parts
def _digest_of_code(code: CodeType, package: str) -> str:
    digest = _Digest(package)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    digest._put("bytecode", code.co_code)
    digest._put("names", repr((counts, names)))
    digest.add(code.co_consts)
    return digest.result()


@cache
def _names_in(code: CodeType) -> tuple[str, ...]:
    """Names that code and the functions within it look up, globals and attributes alike."""
    within = [_names_in(value) for value in code.co_consts if isinstance(value, CodeType)]
    return tuple(dict.fromkeys(chain(code.co_names, *within)))


#: The first that fits counts: members of IntEnum are integers, numbers of NumPy are floats, too.
_KINDS: tuple[tuple[Any, Callable[[_Digest, Any], None]], ...] = (
    (Enum, _Digest._add_member),
    ((np.generic, np.ndarray), _Digest._add_array),
    (np.dtype, _Digest._add_dtype),
    (_SCALARS, _Digest._add_scalar),
    ((tuple, list), _Digest._add_sequence),
    ((set, frozenset), _Digest._add_set),
    (CodeType, _Digest._add_code),
    (FunctionType, _Digest._add_function),
    (type, _Digest._add_class),
)
