"""TableMix: gait tables of several styles, and how much of each there is in every frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from motionloom.gait.path.tables.table import GaitTable
from motionloom.skeleton import frozen_array, restore_read_only
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
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", frozen_array(self.shares))

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
        fastest: Array = np.where(self.shares > NOTHING, limits, np.inf).min(axis=1)
        return fastest

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
