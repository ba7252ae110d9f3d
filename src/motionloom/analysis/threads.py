"""How many threads the libraries of linear algebra and of learning use."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

#: Bring thread pools of their own when they are imported.
_BRING_POOLS = ("sklearn.ensemble", "scipy.linalg")


def one_thread() -> AbstractContextManager[object]:
    """One thread for all that is called, where that can be told: more only wait for each other.

    Returns
    -------
    context manager
        The number of threads before comes back at its end.
    """
    pools = _pools(tuple(name in sys.modules for name in _BRING_POOLS))
    limit: AbstractContextManager[object] = (
        nullcontext() if pools is None else pools.limit(limits=1)
    )
    return limit


@cache
def _pools(loaded: tuple[bool, ...]) -> Any:
    """The thread pools of the process, looked for once: that takes as long as scoring a motion."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
