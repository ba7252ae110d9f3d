"""The gait table of a person: cycles asked of a gait space at speeds close enough together."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from motionloom.gait.cycle import GaitBody
from motionloom.gait.path.tables.table import GaitTable, make_table
from motionloom.gait.space.space import LEAST_WIDTH, WIDTH, GaitChange, GaitSpace

#: Speeds of neighbouring nodes differ by about this, metres per second.
APART = 0.25
#: Slower than this, walking is made of that speed's, scaled down, metres per second.
SLOWEST = 0.5
#: Tables that are kept of a space: a shot asks for the same walkers again and again.
KEPT = 32

_Key = tuple[str | None, float | None, str | None, float | None]
_kept: WeakKeyDictionary[GaitSpace, dict[_Key, GaitTable]] = WeakKeyDictionary()


def kept_table(
    space: GaitSpace,
    person: str | None = None,
    hip_height: float | None = None,
    style: str | None = None,
    run_from: float | None = None,
) -> GaitTable:
    """The same as `table_of`, made once for a space and whoever walks.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    person, hip_height, style, run_from : optional
        As of `table_of`.

    Returns
    -------
    GaitTable
    """
    tables = _kept.setdefault(space, {})
    key = (person, hip_height, style, run_from)
    if key not in tables:
        if len(tables) >= KEPT:
            tables.pop(next(iter(tables)))
        tables[key] = table_of(space, person, hip_height, style, run_from=run_from)
    return tables[key]


def table_of(
    space: GaitSpace,
    person: str | None = None,
    hip_height: float | None = None,
    style: str | None = None,
    run_from: float | None = None,
    body: GaitBody | None = None,
) -> GaitTable:
    """All of a person's gait, from standing to the fastest that the space is trusted with.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    person : str, optional
        Whose; nobody's in particular when not given.
    hip_height : float, metres, optional
        Of a body of another size.
    style : str, optional
        One of the space's.
    run_from : float, metres per second, optional
        From where on the person runs, if the space is trusted with that; where people do when not
        given.
    body : GaitBody, optional
        Whose bones the cycles are laid on; the space's for that person and size when not given.

    Returns
    -------
    GaitTable
    """
    if body is None:
        body = space.body(person, hip_height)
    known = _known(space, style)
    ranges = [_range(space, behaviour, person, style, hip_height) for behaviour in known]
    if len(known) == 2:
        change = space.change(person, hip_height, style)
        if run_from is not None:
            # At lower speeds: running begins there, or where it does anyway.
            begin = max(run_from - 0.5 * WIDTH, ranges[1][0])
            earlier = max(change.runs_from - begin, 0.0)
            change = GaitChange(change.walks_to - earlier, change.runs_from - earlier)
        ranges = _apart(ranges, change)

    cycles = [
        space.cycle(float(speed), person, behaviour, style, hip_height=hip_height)
        for behaviour, (low, high) in zip(known, ranges, strict=True)
        for speed in np.linspace(low, high, max(2, int(np.ceil((high - low) / APART)) + 1))
    ]
    return make_table(cycles, body)


def _known(space: GaitSpace, style: str | None) -> tuple[str, ...]:
    """Behaviours of the space; of a style those that it was captured in, where there are any.

    Somebody of whom only walks were captured runs as people do.
    """
    every = space.behaviours()
    own = [b for b in every if style and style in space.spaces[b].styles]
    return tuple(own) or every


def _range(
    space: GaitSpace,
    behaviour: str,
    person: str | None,
    style: str | None,
    hip_height: float | None,
) -> tuple[float, float]:
    low, high = space.trust(behaviour, person, style, hip_height).trusted
    if behaviour == "walk":
        low = max(low, min(SLOWEST, high))
    return float(low), float(max(high, low + 0.01))


def _apart(ranges: list[tuple[float, float]], change: GaitChange) -> list[tuple[float, float]]:
    """Ranges of walking and running that end and begin at the change.

    Beyond captured speeds an extrapolated walk is still a walk; a mixture with a run that is far
    from it in speed is neither, and its legs do not reach the footprints.
    """
    (slow, _), (_, fast) = ranges
    walk = max(change.walks_to, slow + 0.01)
    run = max(change.runs_from, walk + LEAST_WIDTH)
    return [(slow, walk), (run, max(fast, run + 0.01))]
