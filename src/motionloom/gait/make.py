"""Gait made: at one speed, or along the way that constraints ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints import ConstraintSet, StyleConstraint
from motionloom.constraints.values import MAX_DURATION, MAX_FPS
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.gait.cycle import GaitCycle
from motionloom.gait.path._lay import GaitPlan, Laid, Woven, plant
from motionloom.gait.path._standing import sway_standing, vary_strides
from motionloom.gait.path.tables._mix import TableMix, kept_table, style_shares
from motionloom.gait.path.way._asked import way_asked
from motionloom.gait.path.way._feasible import Obstacle, refuse_unfeasible, try_way
from motionloom.gait.path.way.route import Route, straight_route
from motionloom.gait.path.way.timing import Timing, steady
from motionloom.gait.space.space import GaitSpace, Walker

#: Nobody runs faster, metres per second.
FASTEST = 15.0
#: Kinds of constraints that count.
HONOURED = frozenset({"body", "paths", "speeds", "style"})


@dataclass(frozen=True, eq=False)
class MadeGait:
    """A gait that was made.

    Parameters
    ----------
    woven : Woven
        The motion, its plan and its contacts.
    route : Route
        The way it follows.
    notes : tuple of str
        What was changed, one sentence each.
    """

    woven: Woven
    route: Route
    notes: tuple[str, ...] = ()


def make_at_speed(
    space: GaitSpace, speed: float, seconds: float, fps: float, walker: Walker | None = None
) -> MadeGait:
    """Gait straight ahead at one speed.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    speed : float, metres per second
        From the first frame to the last.
    seconds : float
        Time of the last frame.
    fps : float
        Frames per second.
    walker : Walker, optional
        Whose.

    Returns
    -------
    MadeGait

    Raises
    ------
    InvalidInputError
        When speed, time or rate is not above 0, or is far more than any motion's.
    SynthesisError
        When nobody of that body goes that fast.

    Examples
    --------
    >>> from motionloom.gait.store import load_gait
    >>> made = make_at_speed(load_gait(demo / "gait.npz"), 1.2, 2.0, fps=30.0)
    >>> made.woven.posed.n_frames
    61
    """
    for value, most, text in (
        (speed, FASTEST, "a speed above 0 m/s and up to"),
        (seconds, MAX_DURATION, "a time above 0 seconds and up to"),
        (fps, MAX_FPS, "frames per second above 0 and up to"),
    ):
        if not 0 < value <= most:
            raise InvalidInputError(f"gait needs {text} {most:g}, got {value:g}")
    if seconds * fps < 1:
        raise InvalidInputError(
            f"gait needs a time of at least a frame, got {seconds:g} s at {fps:g} fps"
        )
    route = straight_route(max(speed * seconds, 0.1))
    return make_along(space, route, steady(speed, seconds, fps), walker)


def make_for(
    space: GaitSpace, constraints: ConstraintSet, walker: Walker | None = None
) -> MadeGait:
    """Gait along the way that constraints ask for.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    constraints : ConstraintSet
        Its paths and body constraints count.
    walker : Walker, optional
        Whose.

    Returns
    -------
    MadeGait

    Raises
    ------
    SynthesisError
        When no way is asked for, or no gait can follow it.
    """
    route, timing = way_asked(constraints)
    return make_along(space, route, timing, walker, constraints.style)


def make_along(
    space: GaitSpace,
    route: Route,
    timing: Timing,
    walker: Walker | None = None,
    styles: Sequence[StyleConstraint] = (),
) -> MadeGait:
    """Gait along a route.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    route : Route
        Where it leads.
    timing : Timing
        When the body is where.
    walker : Walker, optional
        Whose.
    styles : sequence of StyleConstraint
        Styles for a part of the way; the walker's own before and after.

    Returns
    -------
    MadeGait

    Raises
    ------
    UnknownNameError
        When there is no such style.
    SynthesisError
        When no gait can follow it; the sentence says which speed or radius is near.
    """
    walker = walker or Walker()
    for style in (walker.style, *(span.label for span in styles)):
        space.check_style(style)
    plan, laid, notes = _choose_gait(space, route, timing, walker, styles)
    laid = sway_standing(laid, plan, walker.seed)
    if walker.seed is None:
        return MadeGait(plant(laid, plan), route, notes)

    def ask(speed: float, rng: np.random.Generator | None) -> GaitCycle:
        return space.cycle(speed, walker.person, None, walker.style, rng, walker.hip_height)

    laid = vary_strides(laid, plan, ask, walker.seed)
    return MadeGait(plant(laid, plan), route, notes)


def _choose_gait(
    space: GaitSpace,
    route: Route,
    timing: Timing,
    walker: Walker,
    styles: Sequence[StyleConstraint] = (),
) -> tuple[GaitPlan, Laid, tuple[str, ...]]:
    """The gait that can follow a way: the usual one, or running where walking cannot.

    Parameters
    ----------
    space : GaitSpace
        What cycles are asked of.
    route : Route
        The way.
    timing : Timing
        When the body is where.
    walker : Walker
        Whose.
    styles : sequence of StyleConstraint
        Styles for a part of the way.

    Returns
    -------
    plan : GaitPlan
    laid : Laid
        The body laid on its way.
    notes : tuple of str
        Whether it runs where it would usually walk.

    Raises
    ------
    SynthesisError
        When none can.
    """
    shares = style_shares(styles, timing.n_frames, timing.fps)

    def ask(run_from: float | None = None) -> TableMix:
        names = (walker.style, *shares)
        tables = [kept_table(space, replace(walker, style=own), run_from) for own in names]
        ordinary = 1.0 - sum(shares.values(), np.zeros(timing.n_frames))
        mixed = np.column_stack([ordinary, *shares.values()])
        return TableMix(tuple(tables), mixed, tuple(n or "" for n in names))

    mix = ask()
    tried = try_way(mix, route, timing)
    if not isinstance(tried, Obstacle):
        return (*tried, ())
    runs = any(table.running.any() for table in mix.tables)
    if runs:
        slowest = float(timing.speeds[timing.speeds > 0.5 * timing.speeds.max()].min())
        sooner = try_way(ask(slowest), route, timing)
        if not isinstance(sooner, Obstacle):
            note = (
                f"walking cannot follow this way: at {tried.time:.1f} s {tried.text}; it is run"
                f" from {slowest:.2f} m/s on"
            )
            return (*sooner, (note,))
    try:
        refuse_unfeasible(mix, route, timing)
    except SynthesisError as refused:
        if runs:
            raise
        raise SynthesisError(f"{refused}; no run of this person is known") from None
    # At fewer frames per second it can be followed just so.
    raise SynthesisError(
        f"no gait follows this way: at {tried.time:.1f} s {tried.text}; make it a little slower"
    )
