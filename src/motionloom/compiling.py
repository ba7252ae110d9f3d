"""How functions are compiled: kernels, which Python calls, and the parts that only kernels call.

Only kernels are kept on disk: each holds all of its parts. Most of what compiling costs is spent on
optimising, and what these functions do, following edges from one array to the next, gains nothing
by more than the first level of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_listening: list[Any] = []
_followers: list[tuple[Callable[[str], None], Callable[[], None]]] = []


def kernel(function: Any) -> Any:
    """Compile a function that Python calls when it is first called, and keep the result on disk."""
    dispatcher = _marked(function, cache=True)
    _outlive_moved_types(dispatcher)
    return dispatcher


def _outlive_moved_types(dispatcher: Any) -> None:
    """Compile again where what is kept on disk names types that an earlier version had elsewhere;
    numba looks whether it is out of date only after it has found all types.
    """
    kept = getattr(dispatcher._cache, "_cache_file", None)
    if kept is None:
        return
    load = kept._load_index

    def load_index() -> Any:
        try:
            return load()
        except (ImportError, AttributeError):
            return {}

    kept._load_index = load_index


def part(function: Any) -> Any:
    """Compile a function that only compiled functions call, together with them; it allocates
    nothing.
    """
    # Without counting references the many arrays that are handed on cost nothing to hand on.
    return _marked(function, no_cfunc_wrapper=True, _nrt=False)


def follow_compilation(begin: Callable[[str], None], end: Callable[[], None]) -> None:
    """Have functions called whenever something has to be compiled because it was not found on disk.

    Parameters
    ----------
    begin : function
        Receives the folder that the compiled function will be kept in; empty when it is not kept.
    end : function
        Called when it is compiled.
    """
    _followers[:] = [(begin, end)]


def _marked(function: Any, **options: Any) -> Any:
    from numba import njit

    _listen()
    # Division by zero gives what NumPy gives: nothing is checked that would have to be compiled.
    dispatcher = njit(error_model="numpy", **options)(function)
    dispatcher.motionloom_light = True
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
            if getattr(dispatcher, "motionloom_light", False) and int(config.OPT) > 1:
                config.OPT = type(config.OPT)(1)
            if len(self.levels) == 1:
                for begin, _ in _followers:
                    begin(_folder_of(dispatcher))

        def on_end(self, event: Any) -> None:
            config.OPT = self.levels.pop()
            if not self.levels:
                for _, end in _followers:
                    end()

    _listening.append(Listener())
    event.register("numba:compile", _listening[0])


def _folder_of(dispatcher: Any) -> str:
    """Folder of a function's cache; empty for one that is not kept."""
    return str(getattr(dispatcher._cache, "cache_path", None) or "")
