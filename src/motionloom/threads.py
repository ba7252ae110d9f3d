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
from contextlib import AbstractContextManager, contextmanager
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
    with _lock:
        limit = _users[0] if _users else _whole_process()
        if not _users:
            limit.__enter__()
        _users.append(limit)
    try:
        with _one_each(tuple(pool for pool in _pools(_loaded_pools()) if _is_of_caller(pool))):
            yield
    finally:
        with _lock:
            _users.pop()
            if not _users:
                limit.__exit__(None, None, None)


_lock = threading.Lock()
#: The limit of the process, once for each that needs it.
_users: list[AbstractContextManager[None]] = []


@contextmanager
def _one_each(pools: tuple[Any, ...]) -> Iterator[list[int]]:
    """One thread for each of some pools; gives how many they had, which they get back."""
    before = [pool.get_num_threads() for pool in pools]
    for pool in pools:
        _set(pool, 1)
    try:
        yield before
    finally:
        for pool, threads in zip(pools, before, strict=True):
            _set(pool, threads)


@contextmanager
def _whole_process() -> Iterator[None]:
    """One thread for the pools that all share, and for processes that are started."""
    before = {name: os.environ.get(name) for name in _VARIABLES}
    os.environ.update(dict.fromkeys(_VARIABLES, "1"))
    loaded = _loaded_pools()
    known = _shared_pools(loaded)
    with _one_each(known) as threads:
        yield
    for name, value in before.items():
        os.environ.pop(name, None)
        os.environ.update({} if value is None else {name: value})
    if threads and _loaded_pools() != loaded:
        # Pools that were loaded meanwhile, with one thread, get as many as the others have.
        files = {pool.filepath for pool in known}
        for pool in _shared_pools(_loaded_pools()):
            if pool.filepath not in files:
                _set(pool, max(threads))


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
