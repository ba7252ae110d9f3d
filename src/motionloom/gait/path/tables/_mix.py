"""TableMix: gait tables of several styles, and how much of each there is in every frame.

The gait table of a person: cycles asked of a gait space at speeds close enough together.
Styles on the way: which one is asked for when, eased in and out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from motionloom.constraints import StyleConstraint
from motionloom.curves import smoothstep
from motionloom.gait.cycle import GaitBody
from motionloom.gait.path.tables.table import GaitTable, make_table
from motionloom.gait.space.space import LEAST_WIDTH, WIDTH, GaitChange, GaitSpace, Walker
from motionloom.typing import Array

#: A table of which there is less than this is not looked at.
NOTHING = 1e-6


@dataclass(frozen=True, eq=False)
class TableMix:
    """Gait over speed whose style changes on the way. K tables, T frames.

    Parameters
    ----------
    tables : tuple of GaitTable
        All of one body; the first is the ordinary one.
    shares : array of shape (T, K)
        How much of each there is; they add up to 1.
    names : tuple of str
        Of the styles; empty for the ordinary one.
    """

    tables: tuple[GaitTable, ...]
    shares: Array
    names: tuple[str, ...] = ("",)

    @property
    def base(self) -> GaitTable:
        """The ordinary table."""
        return self.tables[0]

    def over(
        self, pick: Callable[[GaitTable], Array], speeds: Array, shares: Array | None = None
    ) -> Array:
        """Values of the tables at speeds (T,), mixed.

        Parameters
        ----------
        pick : callable
            Values of a table's nodes, shape (S, ...).
        speeds : array of shape (T,), metres per second
            Frame by frame.
        shares : array of shape (T, K), optional
            Those of the frames when not given.

        Returns
        -------
        array of shape (T, ...)
        """
        shares = self.shares if shares is None else shares
        parts = []
        for k, table in enumerate(self.tables):
            own = shares[:, k]
            if own.max(initial=0.0) > NOTHING:
                values = table.mixed(pick(table), speeds)
                parts.append(own.reshape(-1, *[1] * (values.ndim - 1)) * values)
        return np.asarray(sum(parts), float)

    def standing(self, pick: Callable[[GaitTable], Array], frame: int) -> Array:
        """Values of standing in a frame: those of the tables' first nodes, mixed."""
        nodes = np.stack([pick(table)[0] for table in self.tables])
        return np.tensordot(self.shares[frame], nodes, axes=1)

    def fastest(self) -> Array:
        """Fastest speed that all styles of a frame are made for, shape (T,), metres per second."""
        limits = np.array([table.speeds[-1] for table in self.tables])
        return np.asarray(np.where(self.shares > NOTHING, limits, np.inf).min(axis=1))

    def at(self, frames: ArrayLike) -> TableMix:
        """The mix at frames that need not be whole; the first and last beyond the ends."""
        here = np.asarray(frames, float)
        every = np.arange(len(self.shares))
        shares = np.column_stack([np.interp(here, every, own) for own in self.shares.T])
        return replace(self, shares=shares)

    def paced(self, rate: float) -> TableMix:
        """The same with steps so many times as quick."""
        if rate == 1.0:
            return self
        tables = tuple(replace(t, durations=t.durations / rate) for t in self.tables)
        return replace(self, tables=tables)


def as_mix(gait: GaitTable | TableMix, n_frames: int) -> TableMix:
    """A mix as it is, or one table throughout.

    Parameters
    ----------
    gait : GaitTable or TableMix
        The gait over speed.
    n_frames : int
        Frames T of a table's mix.

    Returns
    -------
    TableMix
    """
    if isinstance(gait, TableMix):
        return gait
    return TableMix((gait,), np.ones((n_frames, 1)))


#: A style comes and goes over this time, about a cycle, half of it within its span; seconds.
EASE_TIME = 1.2


def style_shares(spans: Sequence[StyleConstraint], n_frames: int, fps: float) -> dict[str, Array]:
    """How much of every style there is in every frame.

    Parameters
    ----------
    spans : sequence of StyleConstraint
        They may overlap: styles that together ask for more than all of a body share it.
    n_frames : int
        Frames T of the motion.
    fps : float
        Frames per second.

    Returns
    -------
    dict of str to array of shape (T,)
        By style, from 0 to 1; what is left is the ordinary way.
    """
    now = np.arange(n_frames) / fps
    last = now[-1] if n_frames else 0.0
    shares: dict[str, Array] = {}
    for span in spans:
        risen = smoothstep((now - span.begin) / EASE_TIME + 0.5) if span.begin > 0 else 1.0
        gone = smoothstep((now - span.end) / EASE_TIME + 0.5) if span.end < last - 1e-9 else 0.0
        own = np.clip(risen - gone, 0.0, 1.0) * np.ones(n_frames)
        shares[span.label] = np.maximum(shares.get(span.label, 0.0), own)
    total = np.maximum(np.sum(list(shares.values()), axis=0), 1.0)
    return {style: own / total for style, own in shares.items()}


#: Speeds of neighbouring nodes differ by about this, metres per second.
APART = 0.25
#: Slower than this, walking is made of that speed's, scaled down, metres per second.
SLOWEST = 0.5
#: Tables that are kept of a space: a shot asks for the same walkers again and again.
KEPT = 32

_kept: WeakKeyDictionary[GaitSpace, dict[tuple[Walker, float | None], GaitTable]] = (
    WeakKeyDictionary()
)


def kept_table(space: GaitSpace, walker: Walker, run_from: float | None = None) -> GaitTable:
    """The same as `table_of`, made once for a space and whoever walks.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    walker : Walker
        Whose; its seed does not count.
    run_from : float, optional
        As of `table_of`.

    Returns
    -------
    GaitTable
    """
    tables = _kept.setdefault(space, {})
    key = (replace(walker, seed=None), run_from)
    if key not in tables:
        if len(tables) >= KEPT:
            tables.pop(next(iter(tables)))
        tables[key] = table_of(space, walker, run_from)
    return tables[key]


def table_of(
    space: GaitSpace,
    walker: Walker,
    run_from: float | None = None,
    body: GaitBody | None = None,
) -> GaitTable:
    """All of a person's gait, from standing to the fastest that the space is trusted with.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    walker : Walker
        Whose; its seed does not count.
    run_from : float, metres per second, optional
        From where on the person runs, if the space is trusted with that; where people do when not
        given.
    body : GaitBody, optional
        Whose bones the cycles are laid on; the space's for that person and size when not given.

    Returns
    -------
    GaitTable
    """
    person, hip_height, style = walker.person, walker.hip_height, walker.style
    known = _known(space, style)
    ranges = [_range(space, behaviour, walker) for behaviour in known]
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
    return make_table(cycles, body or space.body(person, hip_height))


def _known(space: GaitSpace, style: str | None) -> tuple[str, ...]:
    """Behaviours of the space; of a style those that it was captured in, where there are any.

    Somebody of whom only walks were captured runs as people do.
    """
    every = space.behaviours()
    own = [b for b in every if style and style in space.spaces[b].styles]
    return tuple(own) or every


def _range(space: GaitSpace, behaviour: str, walker: Walker) -> tuple[float, float]:
    low, high = space.trust(behaviour, walker.person, walker.style, walker.hip_height).trusted
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
