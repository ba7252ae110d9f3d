"""Where a value stands in a file of fields: names and indices from the top."""

from __future__ import annotations

from collections.abc import Iterator

Path = tuple[str | int, ...]


def format_path(path: Path) -> str:
    """Path to a value as people write it: ``body[1].position``.

    Examples
    --------
    >>> format_path(("body", 1, "position"))
    'body[1].position'
    """
    return "".join(_steps(path)).lstrip(".")


def _steps(path: Path) -> Iterator[str]:
    for step in path:
        if isinstance(step, int):
            yield f"[{step}]"
        else:
            yield f".{step if len(step) <= 60 else step[:57] + '...'}"
