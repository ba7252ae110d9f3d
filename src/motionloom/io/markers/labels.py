"""Names for markers and channels: one for each, all different."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.io.notes import Notes


def name_markers(
    labels: Sequence[str], count: int, notes: Notes, what: str = "marker"
) -> list[str]:
    """Make exactly `count` different names out of the labels of a file.

    Parameters
    ----------
    labels : sequence of str
        As the file has them; too many, too few, empty or repeated ones are noted.
    count : int
        How many there are to name.
    notes : Notes
        Takes what was made up, repeated or left over; refuses made-up and repeated names when
        strict.
    what : str, optional
        What is named; also the stem of made-up names.

    Returns
    -------
    list of str
        In the order of the labels.
    """
    labels = [label.strip() for label in labels]
    if any(labels[count:]):
        notes.guessed(
            f"there are {len(labels)} labels for {count} {what}s; the last {len(labels) - count}"
            " are left out"
        )
    names: list[str] = []
    taken = set(labels[:count])
    made_up = repeated = 0
    used: set[str] = set()
    numbers: dict[str, int] = {}
    for i in range(count):
        name = labels[i] if i < len(labels) else ""
        if not name:
            made_up += 1
            name = _free(f"{what}{i + 1}", taken, numbers)
        elif name in used:
            repeated += 1
            name = _free(name, taken, numbers)
        used.add(name)
        taken.add(name)
        names.append(name)
    if made_up:
        notes.mended(f"{made_up} of {count} {what}s have no label; they are named by number")
    if repeated:
        notes.mended(f"{repeated} {what} labels appear more than once; a number is added to them")
    return names


def _free(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """`name`, with a number behind it where it is taken; `numbers` keeps which were tried."""
    candidate = name
    n = numbers.get(name, 2)
    while candidate in taken:
        candidate = f"{name}_{n}"
        n += 1
    numbers[name] = n
    return candidate
