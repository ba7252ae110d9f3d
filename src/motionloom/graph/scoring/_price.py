"""What showing a frame costs for a second: the way, what nobody asked for, styles, restlessness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.clips.activity import measure_activity
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.labels import find_label
from motionloom.clips.rates import joint_velocities
from motionloom.clips.travel import measure_travel
from motionloom.constraints import ConstraintSet, CostConstraint, StillConstraint, StyleConstraint
from motionloom.constraints.idle import idle_frames
from motionloom.graph.scoring.walk import Sums
from motionloom.options import check_options, option_field
from motionloom.synthesis.costs import frame_costs, kind_of_cost
from motionloom.typing import Array

#: Cost of a second in another style than the one asked for.
STYLE_COST = 2.0
#: Cost of a second in which somebody who shall stand moves as fast as this, metres per second; it
#: grows with the square of the speed up to `STILL_MOST`.
STILL_COST, STILL_SPEED, STILL_MOST = 1.0, 0.2, 25.0


@dataclass(frozen=True)
class Price:
    """What travelling costs from the first body constraint to the last, so that nobody goes out of
    the way to fill time, and what it costs to do something that nobody asked for.

    Parameters
    ----------
    way : float
        Cost of a metre.
    turning : float
        Cost of a radian that the body turns, to either side; averaged over a stride, so that the
        sway of a straight walk is free.
    activity : float
        Cost of a metre that limbs, head and hips move beyond what calm clips show at that pace,
        wherever nothing but the way is asked.

    Raises
    ------
    InvalidInputError
        When one is negative or not finite.
    """

    way: float = option_field(0.0, "Cost of a metre.", minimum=0)
    turning: float = option_field(0.0, "Cost of a radian.", minimum=0)
    activity: float = option_field(0.0, "Cost of a metre that limbs move unasked.", minimum=0)

    def __post_init__(self) -> None:
        check_options(self)

    def of_frames(self, clips: ClipSet) -> Array:
        """Cost of travelling as each frame of the clips does for a second, shape (N,)."""
        travel = measure_travel(clips)
        return self.way * travel.speed + self.turning * np.radians(np.abs(travel.turn))


FREE = Price()


def sum_costs(
    clips: ClipSet, constraints: ConstraintSet, price: Price = FREE, toll: Array | None = None
) -> Sums:
    """Costs of showing frames: travelling, doing what nobody asked for, wrong styles, moving where
    somebody shall stand, and the user's own.

    Parameters
    ----------
    clips : ClipSet
        The clips that walks go through.
    constraints : ConstraintSet
        At the clips' frame rate.
    price : Price
        Of travelling between body constraints.
    toll : array of shape (N,), optional
        Cost of showing each frame for a second, whatever is asked for.

    Returns
    -------
    Sums
        Running sums over the clips, so that a piece of a clip costs one difference.

    Raises
    ------
    InvalidInputError
        For a label or cost that does not exist.
    """
    asked = [] if toll is None else [((0, constraints.n_frames), toll)]
    if (price.way or price.turning) and len(constraints.body) > 1:
        first = constraints.frames_of(constraints.body[0])[0]
        last = constraints.frames_of(constraints.body[-1])[-1]
        asked.append(((first, last + 1), price.of_frames(clips)))
    idle = idle_frames(constraints) if price.activity else []
    if idle:
        activity = price.activity * measure_activity(clips)
        asked += [(span, activity) for span in idle]
    for style in constraints.style:
        without = (~find_label(clips.labels, style.label)).astype(float)
        asked.append((_frames(constraints, style), style.weight * STYLE_COST * without))
    for still in constraints.still:
        asked.append((_frames(constraints, still), still.weight * _restlessness(clips)))
    for wish in constraints.costs:
        if kind_of_cost(wish.name) == "frame":
            rate = wish.weight * frame_costs(wish.name, clips, wish.parameters)
            asked.append((_frames(constraints, wish), rate))
    # The rates of one span are one.
    together: dict[tuple[int, int], Array] = {}
    for span, rate in asked:
        together[span] = together[span] + rate if span in together else rate
    before = np.zeros((len(together), clips.n_frames + 1))
    for s, rate in enumerate(together.values()):
        # Any stretch of a clip costs the difference of two of these.
        before[s, 1:] = np.cumsum(rate) / clips.fps
    begin, end = np.array(list(together), np.int64).reshape(-1, 2).T.copy()
    return Sums(begin, end, before)


def _restlessness(clips: ClipSet) -> Array:
    """Cost of showing each frame for a second where somebody shall stand still, shape (N,)."""
    parts = [
        clips.roles.joints[role]
        for role in ("hips", *clips.roles.feet)
        if role in clips.roles.joints
    ]
    speeds = [np.linalg.norm(joint_velocities(clips, joint), axis=1) for joint in parts]
    fastest = np.max(speeds, axis=0)
    # Squared, so that a shifted foot is cheap; bounded, or one leap would outweigh all else asked.
    return STILL_COST * np.minimum((fastest / STILL_SPEED) ** 2, STILL_MOST)


def _frames(
    constraints: ConstraintSet, span: StyleConstraint | StillConstraint | CostConstraint
) -> tuple[int, int]:
    """First frame of a span, and the frame after its last."""
    first = 0 if span.begin is None else constraints.frame_of(span.begin)
    return first, constraints.n_frames if span.end is None else constraints.frame_of(span.end) + 1
