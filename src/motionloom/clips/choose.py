"""Clips chosen by patterns of their names."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from motionloom.errors import InvalidInputError


def _instead(pattern: str, names: Sequence[str]) -> str:
    part = pattern.strip("*").lower()
    near = [n for n in names if part and part in n.lower()]
    if near:
        start = near[0].lower().index(part)
        found = near[0][start : start + len(part)]
        return f"a pattern is for the whole name: '*{found}*' is for {near[0]}"
    return f"clips there are: {', '.join(names[:5])}{' ...' if len(names) > 5 else ''}"


def choose_clips(
    names: Sequence[str], only: Sequence[str] = (), without: Sequence[str] = ()
) -> tuple[str, ...]:
    """Choose clips by patterns of their whole names, with ``*``, ``?`` and ``[...]``.

    Parameters
    ----------
    names : sequence of str
        Names of the clips.
    only : sequence of str
        Patterns of which a clip must match one; all clips when empty.
    without : sequence of str
        Patterns of which it may match none.

    Returns
    -------
    tuple of str
        Names of the chosen clips, in their order.

    Raises
    ------
    InvalidInputError
        When a pattern matches no clip, or none is left.

    Examples
    --------
    >>> choose_clips(["walk_1", "walk_2", "run"], only=["walk*"], without=["*_2"])
    ('walk_1',)
    """
    for pattern in (*only, *without) if names else ():
        if not any(fnmatchcase(name, pattern) for name in names):
            raise InvalidInputError(f"no clip matches {pattern!r}; {_instead(pattern, names)}")
    kept = [n for n in names if not only or any(fnmatchcase(n, p) for p in only)]
    kept = [n for n in kept if not any(fnmatchcase(n, p) for p in without)]
    if names and not kept:
        raise InvalidInputError("no clip is left; leave out fewer")
    return tuple(kept)
