"""Names of joints when several nodes of a file share one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence


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
