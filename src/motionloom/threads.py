"""Linear algebra with one thread while motionloom works, so that its last digits are the same
whatever the number of threads.

A library of linear algebra adds in another order with another number of threads. A difference in
the last digit decides which of two nearly equal candidates a search takes, or in which order
eigenvectors come. The matrices here are small: with more threads most work takes longer, too.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

#: Bring pools of threads when they are imported.
_BRING_POOLS = ["numpy", "sklearn.ensemble"]
_BRING_POOLS += [f"scipy.{part}" for part in ("linalg", "optimize", "spatial", "special")]
#: Read by a pool that is loaded, and inherited by processes that are started.
_VARIABLES = [f"{lib}_NUM_THREADS" for lib in ("OPENBLAS", "OMP", "MKL", "BLIS")]
_VARIABLES += ["VECLIB_MAXIMUM_THREADS"]


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for the linear algebra of all that is called; as a decorator, too.

    The number of threads belongs to the process: it comes back when the last of those ends that run
    at the same time, in whatever threads. Pools that are loaded meanwhile, and processes that are
    started meanwhile, have one thread as well. OpenMP keeps a number for every thread that calls
    it, so each thread that enters gives back its own.
    """
    limit = _limit
    with _lock:
        if limit.users == 0:
            limit.begin()
        limit.users += 1
    own = [pool for pool in _pools(_loaded_pools()) if _is_of_caller(pool)]
    before = [pool.get_num_threads() for pool in own]
    for pool in own:
        _set(pool, 1)
    try:
        yield
    finally:
        for pool, threads in zip(own, before, strict=True):
            _set(pool, threads)
        with _lock:
            limit.users -= 1
            if limit.users == 0:
                limit.end()


class _Limit:
    """What was before, and how many need the limit."""

    def __init__(self) -> None:
        self.users = 0
        self._loaded: frozenset[str] = frozenset()
        self._threads: list[int] = []
        self._before: dict[str, str | None] = {}

    def begin(self) -> None:
        self._before = {name: os.environ.get(name) for name in _VARIABLES}
        os.environ.update(dict.fromkeys(_VARIABLES, "1"))
        self._loaded = _loaded_pools()
        pools = _shared_pools(self._loaded)
        self._threads = [pool.get_num_threads() for pool in pools]
        for pool in pools:
            _set(pool, 1)

    def end(self) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        known = _shared_pools(self._loaded)
        for pool, threads in zip(known, self._threads, strict=True):
            _set(pool, threads)
        if self._threads and _loaded_pools() != self._loaded:
            self._widen(known)

    def _widen(self, known: tuple[Any, ...]) -> None:
        """Give pools that were loaded meanwhile, with one thread, as many as the others have."""
        files = {pool.filepath for pool in known}
        for pool in _shared_pools(_loaded_pools()):
            if pool.filepath not in files:
                _set(pool, max(self._threads))


_lock = threading.Lock()
_limit = _Limit()


def _loaded_pools() -> frozenset[str]:
    return frozenset(name for name in _BRING_POOLS if name in sys.modules)


def _set(pool: Any, count: int) -> None:
    """Set the number of threads, from whatever thread of ours."""
    # threadpoolctl lets the first thread that sets it keep the control, and ignores all others.
    release = getattr(pool, "clear_controlling_thread", None)
    if release is not None:
        release(force=True)
    pool.set_num_threads(count)
    if release is not None:
        release(force=True)


def _is_of_caller(pool: Any) -> bool:
    """Whether every thread that calls the pool has a number of its own."""
    return bool(pool.user_api == "openmp")


def _shared_pools(loaded: frozenset[str]) -> tuple[Any, ...]:
    return tuple(pool for pool in _pools(loaded) if not _is_of_caller(pool))


@cache
def _pools(loaded: frozenset[str]) -> tuple[Any, ...]:
    """Pools of threads of the process; looking for them takes a millisecond."""
    if not loaded:
        return ()
    from threadpoolctl import ThreadpoolController

    return tuple(ThreadpoolController().lib_controllers)
