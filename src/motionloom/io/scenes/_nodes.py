"""Nodes of a file: an order of them, and names when several share one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence

from motionloom.typing import Ints


def unique_names(names: Sequence[str], numbers: Iterable[int] | None = None) -> tuple[str, ...]:
    """Names, all different: one that several nodes share gets the node's number appended.

    Parameters
    ----------
    names : sequence of str
        As the file has them.
    numbers : iterable of int, optional
        Numbers of the nodes; otherwise their places in `names`.

    Returns
    -------
    tuple of str
        In the same order.
    """
    counts = Counter(names)
    taken = set(names)
    unique = []
    for name, number in zip(names, numbers or range(len(names)), strict=True):
        if counts[name] > 1:
            name = free_name(f"{name}.{number}", taken)
            taken.add(name)
        unique.append(name)
    return tuple(unique)


def free_name(name: str, taken: Container[str]) -> str:
    """A name with as many underscores behind it as make it another than those that are taken."""
    while name in taken:
        name += "_"
    return name


def depth_first(wanted: Iterable[int], parents: Sequence[int] | Ints) -> list[int]:
    """Nodes with each one's children behind it, in the order of their numbers.

    Parameters
    ----------
    wanted : iterable of int
        Numbers of nodes.
    parents : sequence of int
        Parent of every node; one that is not wanted counts as none.

    Returns
    -------
    list of int
        The wanted nodes.
    """
    known = set(wanted)
    below: dict[int, list[int]] = {}
    for node in sorted(known, reverse=True):
        parent = int(parents[node])
        below.setdefault(parent if parent in known else -1, []).append(node)
    order: list[int] = []
    waiting = below.get(-1, [])
    while waiting:
        order.append(waiting.pop())
        waiting += below.get(order[-1], [])
    return order
