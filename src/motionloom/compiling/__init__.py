"""How functions are compiled: kernels, which Python calls, and the parts that only kernels call.

Only kernels are kept on disk: each holds all of its parts. Most of what compiling costs is spent on
optimising, and what these functions do, following edges from one array to the next, gains nothing
by more than the first level of it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

#: Thresholds of the garbage collector while functions are compiled: a compiler makes many small
#: objects, of which next to none are garbage before it is done.
_RARELY = (50_000, 50, 1000)
#: Level of optimisation of kernels and parts; numba's own is 3.
_LEVEL = 1

_listening: list[Any] = []
_followers: list[tuple[Callable[[str], None], Callable[[], None]]] = []


def kernel(function: Any) -> Any:
    """Compile a function that Python calls when it is first called, and keep the result on disk."""
    return _kept(_marked(function, no_cfunc_wrapper=True))


def lean_kernel(function: Any) -> Any:
    """Compile a kernel that compiled functions call, too, over and over; it allocates nothing.

    As in a `part`, arrays are handed on without counting who holds them: with counting a walk
    through a graph took twice as long to lay down.
    """
    return _kept(_marked(function, no_cfunc_wrapper=True, _nrt=False))


def full_kernel(**options: Any) -> Callable[[Any], Any]:
    """Compile a kernel at the highest level of optimisation: loops over numbers gain by it.

    Parameters
    ----------
    **options
        Of `numba.njit`, such as `fastmath`; without `error_model` a division by zero raises.

    Returns
    -------
    function
        The decorator.
    """
    return lambda function: _kept(_compiled(function, None, **options))


def _kept(dispatcher: Any) -> Any:
    if hasattr(dispatcher, "py_func"):  # not where compiling is switched off
        from motionloom.compiling._keeping import keep

        keep(dispatcher)
    return dispatcher


def part(function: Any) -> Any:
    """Compile a function that only compiled functions call, together with them.

    It allocates nothing, and nothing is compiled that Python could call: when Python calls it all
    the same, as tests do, it is compiled once more.
    """
    # Without counting references the many arrays that are handed on cost nothing to hand on.
    dispatcher = _marked(function, no_cfunc_wrapper=True, no_cpython_wrapper=True, _nrt=False)
    if hasattr(dispatcher, "py_func"):  # not where compiling is switched off
        usual: Any = type(dispatcher)
        dispatcher.__class__ = _part_class(usual)
    return dispatcher


@cache
def _part_class(dispatcher: Any) -> type:
    return type("Part", (dispatcher,), {"__call__": lambda self, *args: _alone(self)(*args)})


@cache
def _alone(part: Any) -> Any:
    return _marked(part.py_func)


@contextmanager
def follow_compilation(begin: Callable[[str], None], end: Callable[[], None]) -> Iterator[None]:
    """Have functions called whenever something has to be compiled because it was not found on disk.

    Parameters
    ----------
    begin : function
        Receives the folder below which compiled functions are kept; empty when this one is not.
    end : function
        Called when it is compiled.
    """
    follower = (begin, end)
    _followers.append(follower)
    try:
        yield
    finally:
        _followers.remove(follower)


def _marked(function: Any, **options: Any) -> Any:
    # Division by zero gives what NumPy gives: nothing is checked that would have to be compiled.
    return _compiled(function, _LEVEL, error_model="numpy", **options)


def _compiled(function: Any, level: int | None, **options: Any) -> Any:
    from numba import njit

    _listen()
    dispatcher = njit(**options)(function)
    dispatcher.motionloom_level = level
    return dispatcher


def _listen() -> None:
    """Follow what is compiled, once."""
    if _listening:
        return
    import numba
    from numba.core import event

    config: Any = numba.config

    class Listener(event.Listener):
        """Lowers the level of optimisation while one of these functions is compiled, and tells of
        it.
        """

        def __init__(self) -> None:
            self.levels: list[Any] = []

        def on_start(self, event: Any) -> None:
            dispatcher = event.data["dispatcher"]
            self.levels.append(config.OPT)
            level = getattr(dispatcher, "motionloom_level", None)
            if level is not None and int(config.OPT) > level:
                config.OPT = type(config.OPT)(level)
            if len(self.levels) == 1:
                self.often = gc.get_threshold()
                gc.set_threshold(*_RARELY)
                # Somebody else's function says nothing of ours.
                self.told = _followers[:] if hasattr(dispatcher, "motionloom_level") else []
                for begin, _ in self.told:
                    begin(_folder_of(dispatcher))

        def on_end(self, event: Any) -> None:
            config.OPT = self.levels.pop()
            if not self.levels:
                gc.set_threshold(*self.often)
                for _, end in self.told:
                    end()

    _listening.append(Listener())
    event.register("numba:compile", _listening[0])


def _folder_of(dispatcher: Any) -> str:
    """Folder that holds the caches of all functions; empty for a function that is not kept."""
    kept = str(getattr(dispatcher._cache, "cache_path", None) or "")
    if not kept:
        return ""
    # Caches lie beside every module, or in one folder per package below a common one.
    return str(Path(__file__).parents[1] if Path(kept).name == "__pycache__" else Path(kept).parent)
