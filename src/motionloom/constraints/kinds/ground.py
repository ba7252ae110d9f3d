"""Ground that is walked on and is not level: stairs, slopes and height maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

import numpy as np
import scipy
from pydantic import Field, model_validator

from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.avoid import Center, HeightMap, Length, fill_heights
from motionloom.constraints.kinds.measures import NEAR, Adherence, Shown
from motionloom.constraints.obstacles import PRESS
from motionloom.constraints.values import Degrees, Model, Number, expects, field_error
from motionloom.motion import GroundTransform
from motionloom.typing import Array, Bools

#: Most steps of one flight of stairs, and the highest of them, metres.
MOST_STEPS, HIGHEST_STEP = 1000, 0.5
#: Slopes that end nowhere are drawn this long, and those without a width this wide, metres.
SHOWN_LENGTH, SHOWN_WIDTH = 20.0, 3.0

_Heading = Annotated[Degrees, expects("where it goes up, in degrees from +Z towards +X", 0)]


class _Incline(Model):
    """Ground that rises from a line on: before it nothing changes.

    Parameters
    ----------
    start : tuple of (float, float), metres
        x and z of the middle of the line.
    heading : float, degrees
        Direction in which it is measured, from +Z towards +X.
    width : float, metres, optional
        Across the heading; for ever when not given.
    landing : float, metres, optional
        Of what is level behind it; for ever when not given. Beyond, it adds nothing.
    """

    start: Center = (0.0, 0.0)
    heading: _Heading = 0.0
    width: Length | None = expects(
        "a width above 0 in metres; leave it out where it has no end", 2.0, None
    )
    landing: Length | None = expects(
        "a length above 0 in metres; leave it out where it goes on level for ever", 1.5, None
    )

    @property
    def stand(self) -> GroundTransform:
        """Its line, from where it is measured."""
        return GroundTransform.at_heading(self.heading, *self.start)

    def _seen(self, places: Array, rising: float) -> tuple[Array, Bools]:
        """How far ahead of the line places (..., 2) are, and whether it lies there: within its
        width, and no farther than the landing behind what rises.
        """
        seen = self.stand.seen(places)
        half = np.inf if self.width is None else self.width / 2
        end = np.inf if self.landing is None else rising + self.landing
        return seen[..., 1], (np.abs(seen[..., 0]) <= half) & (seen[..., 1] <= end)

    def _corners(self, ahead: Sequence[float]) -> Array:
        """Ground points (K, 2, 2) of lines across the heading."""
        half = (self.width or SHOWN_WIDTH) / 2
        return self.stand.apply(np.array([[[-half, z], [half, z]] for z in ahead]))


class Slope(_Incline):
    """An even slope between two levels.

    Parameters
    ----------
    start : tuple of (float, float), metres
        x and z of the middle of its lower, or first, edge.
    heading : float, degrees
        Direction in which it goes on, from +Z towards +X.
    width : float, metres, optional
        Across the heading; for ever when not given.
    steepness : float, degrees
        Above 0 it rises along its heading, below 0 it falls.
    length : float, metres, optional
        On the ground; for ever when not given.
    landing : float, metres, optional
        Of what is level behind it; for ever when not given. Beyond, it adds nothing.
    """

    shape: Literal["slope"] = "slope"
    steepness: Annotated[Number, Field(ge=-45, le=45)] = expects(
        "degrees from -45 to 45, above 0 where it rises along its heading", 8
    )
    length: Length | None = expects(
        "a length above 0 in metres; leave it out where it has no end", 4.0, None
    )

    @model_validator(mode="after")
    def _check_landing(self) -> Self:
        if self.landing is not None and self.length is None:
            raise field_error(
                ("landing",), "expected a length too: a slope without end has nothing behind it"
            )
        return self

    def heights(self, places: Array) -> Array:
        """What it adds to the ground at places (..., 2), metres.

        Examples
        --------
        >>> slope = Slope(start=(0.0, 1.0), steepness=10.0)
        >>> slope.heights(np.array([[0.0, 0.0], [0.0, 2.0]])).round(3)  # tan 10 degrees
        array([0.   , 0.176])
        """
        length = np.inf if self.length is None else self.length
        ahead, within = self._seen(places, length)
        run = np.clip(ahead, 0.0, length)
        return np.where(within, np.tan(np.radians(self.steepness)) * run, 0.0)

    @property
    def grid(self) -> Array:
        """World points as pictures draw them, shape (2 or 3, 2, 3), metres."""
        length = self.length or SHOWN_LENGTH
        ends = [0.0, length] if self.landing is None else [0.0, length, length + self.landing]
        corners = self._corners(ends)
        return np.insert(corners, 1, self.heights(corners), axis=-1)


class Stairs(_Incline):
    """A flight of stairs, with level ground before and behind.

    Parameters
    ----------
    start : tuple of (float, float), metres
        x and z of the middle of the first riser.
    heading : float, degrees
        Direction in which it goes on, from +Z towards +X.
    width : float, metres, optional
        Across the heading; for ever when not given.
    rise : float, metres
        Height of every step; below 0 the stairs go down along their heading.
    tread : float, metres
        Depth of every step.
    steps : int
        How many.
    landing : float, metres, optional
        Of what is level behind the last riser; for ever when not given. Beyond, they add nothing.
    """

    shape: Literal["stairs"] = "stairs"
    rise: Annotated[Number, Field(ge=-HIGHEST_STEP, le=HIGHEST_STEP)] = expects(
        "a height from -0.5 to 0.5 m, below 0 where they go down", 0.17
    )
    tread: Length = expects("a length above 0 in metres", 0.3)
    steps: Annotated[int, Field(strict=True, ge=1, le=MOST_STEPS)] = expects(
        "a whole number of steps from 1 to 1000", 5
    )

    @model_validator(mode="after")
    def _check_rise(self) -> Self:
        if self.rise == 0:
            raise field_error(
                ("rise",), "expected a height other than 0; leave level ground out of the file"
            )
        return self

    def heights(self, places: Array) -> Array:
        """What they add to the ground at places (..., 2), metres.

        Examples
        --------
        >>> stairs = Stairs(start=(0.0, 1.0), rise=0.2, tread=0.3, steps=2)
        >>> stairs.heights(np.array([[0.0, 0.5], [0.0, 1.1], [0.0, 5.0]]))
        array([0. , 0.2, 0.4])
        """
        ahead, within = self._seen(places, self.tread * (self.steps - 1))
        climbed = np.clip(np.floor(ahead / self.tread) + 1, 0, self.steps)
        return np.where(within, self.rise * climbed, 0.0)

    @property
    def grid(self) -> Array:
        """World points as pictures draw them: both edges of every riser, (R, 2, 3), metres."""
        edges = self.tread * np.arange(self.steps)
        landing = self.landing or 2 * self.tread
        ends = [edges[0] - self.tread, *np.repeat(edges, 2), edges[-1] + landing]
        corners = self._corners(ends)
        climbed = self.rise * np.repeat(np.arange(self.steps + 1.0), 2)
        return np.insert(corners, 1, np.broadcast_to(climbed[:, None], corners.shape[:2]), axis=-1)


#: What the ground is made of.
Uneven = HeightMap | Slope | Stairs
Surface = Annotated[Uneven, Field(discriminator="shape")]


def ground_heights(ground: Sequence[Uneven], places: Array) -> Array:
    """Height of the ground: what all surfaces add to level ground at height 0.

    Parameters
    ----------
    ground : sequence of HeightMap, Slope or Stairs
        The surfaces; their heights are added, so that stairs may lead to a slope.
    places : array of shape (..., 2), metres
        x and z.

    Returns
    -------
    array of shape (...), metres
        Height maps add nothing outside.

    Examples
    --------
    >>> stairs = Stairs(start=(0.0, 1.0), rise=0.2, tread=0.3, steps=2)
    >>> ground_heights([stairs], np.array([[0.0, 9.0]]))
    array([0.4])
    """
    total: Array = np.zeros(np.shape(places)[:-1])
    for surface in ground:
        own = (
            _mapped(surface, places) if isinstance(surface, HeightMap) else surface.heights(places)
        )
        total += own
    return total


def _mapped(surface: HeightMap, places: Array) -> Array:
    """Heights of a map at places (..., 2), bilinear; 0 outside."""
    heights = np.array(surface.heights, float)
    x, z = surface.origin
    where = (np.stack([places[..., 1] - z, places[..., 0] - x])) / surface.cell
    rows, columns = heights.shape
    inside = (where[0] >= 0) & (where[0] <= rows - 1) & (where[1] >= 0) & (where[1] <= columns - 1)
    found = scipy.ndimage.map_coordinates(heights, where, order=1, mode="nearest")
    return np.where(inside, found, 0.0)


def _label(surface: Surface, _: object) -> str:
    x, z = surface.origin if isinstance(surface, HeightMap) else surface.start
    return f"ground {surface.shape} at {x:g} {z:g}"


def _adherence(surface: Surface, index: int, shown: Shown) -> Adherence:
    """How deep the body is below the whole ground, metres, and for how long, seconds."""
    assert shown.points is not None  # only finished motions are measured on their ground
    points = shown.points()
    height = ground_heights(shown.constraints.ground, points[..., [0, 2]])
    deep = np.maximum(height - points[..., 1] - PRESS, 0.0).max(axis=1)
    seconds = float((deep > 0).sum() / shown.constraints.fps)
    return GROUND.measured(surface, index, shown, float(deep.max()), seconds)


def _departure(a: Adherence) -> str:
    deep = a.value or 0.0
    return f"is not walked on: {100 * deep:.0f} cm below it" if deep > NEAR else ""


GROUND = Kind(
    name="ground",
    item="ground",
    model=Surface,
    field=entries(
        "a list of stairs, slopes and height maps",
        "[{shape: stairs, start: [0.0, 2.0], rise: 0.17, tread: 0.3, steps: 5}]",
    ),
    advice="leave it out, or correct the motion by physics",
    hint="correct on ground",
    fill=fill_heights,
    label=_label,
    adherence=_adherence,
    in_words=lambda a: (
        f"deepest joint {1000 * (a.value or 0.0):.0f} mm below, {a.more:.2f} s in all"
    ),
    departure=_departure,
    marks=lambda surface, _: (surface,),
    asks="way",
)
