"""Points drawn over a motion, coloured by a value: such as markers over a skeleton."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.skeleton import frozen_array, restore_read_only
from motionloom.typing import Array, Bools, Ints
from motionloom.view.canvas import hex_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Colours of values from 0 to the highest, 8-bit red, green, blue: told apart by light as well.
RAMP = np.array(
    [(60, 170, 120), (150, 190, 60), (245, 190, 30), (225, 90, 40), (170, 10, 80)], np.uint8
)
#: Points are this share of the figure's height wide on pages.
POINT_SIZE = 0.008


@dataclass(frozen=True, eq=False)
class Overlay:
    """Points that are drawn over a motion.

    Parameters
    ----------
    points : array of shape (T, M, 3), metres
        World places, frame by frame with the motion.
    valid : bool array of shape (T, M)
        Whether a point is there.
    values : array of shape (T, M)
        What colours it, from 0.
    highest : float
        Value from which on all have the last colour.
    meaning : str
        What the colours show, for a legend.
    crossed : bool array of shape (T, M), optional
        Points that are drawn as a cross on sheets, such as those that do not count.
    """

    points: Array
    valid: Bools
    values: Array
    highest: float = 1.0
    meaning: str = ""
    crossed: Bools | None = None
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        for name in ("points", "values"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        object.__setattr__(self, "valid", frozen_array(self.valid, bool))
        given = np.zeros(self.valid.shape, bool) if self.crossed is None else self.crossed
        object.__setattr__(self, "crossed", frozen_array(given, bool))
        shape = self.valid.shape
        shapes = (self.points.shape, self.values.shape, given.shape)
        if len(shape) != 2 or shapes != ((*shape, 3), shape, shape) or self.highest <= 0:
            raise InvalidInputError(
                f"points over a motion need shape (T, M, 3), and (T, M) for what is said of them,"
                f" got {(*shapes, shape)}"
            )

    @property
    def crosses(self) -> Bools:
        """`crossed`, which is never None once it is made."""
        assert self.crossed is not None
        return self.crossed

    def every(self, step: int) -> Overlay:
        """Every `step`-th frame."""
        return replace(
            self,
            points=self.points[::step],
            valid=self.valid[::step],
            values=self.values[::step],
            crossed=self.crosses[::step],
        )

    @property
    def steps(self) -> Ints:
        """Step of the ramp of every point, shape (T, M)."""
        share = np.clip(np.nan_to_num(self.values) / self.highest, 0.0, 1.0)
        return np.round(share * (len(RAMP) - 1)).astype(int)

    def legend(self) -> list[tuple[str, str]]:
        """Words and colour (``#rrggbb``) of every step of the ramp."""
        values = np.linspace(0.0, self.highest, len(RAMP))
        return [(f"{value:.3g}", hex_color(ink)) for value, ink in zip(values, RAMP, strict=True)]


def draw_overlay(axes: Axes, overlay: Overlay, frames: Sequence[int] | Ints, flats: Array) -> None:
    """Draw the points of some frames on a sheet.

    Parameters
    ----------
    axes : matplotlib axes
        What is drawn on.
    overlay : Overlay
        Colours and which points are there.
    frames : sequence of K int
        Counted from 0.
    flats : array of shape (K, M, 2), metres
        Their places on the picture plane.
    """
    colors = RAMP[overlay.steps] / 255.0
    for crossed, marker, size, width in ((False, "o", 7.0, 0.0), (True, "x", 16.0, 0.9)):
        some = overlay.valid & (overlay.crosses == crossed)
        look: Any = {"s": size, "marker": marker, "linewidths": width, "zorder": 6}
        for frame, flat in zip(frames, flats, strict=True):
            here = some[frame]
            if here.any():
                x, y = flat[here].T
                axes.scatter(x, y, c=colors[frame, here], **look)
