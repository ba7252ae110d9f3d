"""How a motion graph is built."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from motionloom.errors import InvalidInputError
from motionloom.graph.transitions.product import TILE
from motionloom.options import check_options, option_field


@dataclass(frozen=True)
class GraphOptions:
    """How a motion graph is built.

    Parameters
    ----------
    tau : float, optional
        Threshold of the transition cost. Not given, it is calibrated: see `step` and `relative`.
    step : int, frames, optional
        Calibration: a transition may change the pose as much as the clips themselves do in this
        many frames. Not given, it is 2, and 3 where that leaves fewer than `density` transitions a
        frame: few clips need a larger threshold. With `momentum` up to 5.
    density : float
        Transitions a frame that are enough.
    most : float
        Calibration: transitions a frame that are too many. In a larger database every frame has
        more others like it; the threshold is lowered until it leaves no more than these, the best.
    relative : float
        Calibration: 0 takes one threshold for all frames (the median cost of a `step`), 1 takes
        each frame's own. Values between are a geometric mean; see docs/explanation/figures.md for
        what each does to slow and fast gaits.
    min_piece : int, frames
        Shortest piece of a clip between two transitions.
    min_jump : int, frames
        Shortest jump within one clip.
    bridges : tuple of float
        While the largest strongly connected component holds less than `connected` of the frames,
        transitions up to these multiples of the threshold are let in between components, one
        multiple after the other.
    connected : float
        Share of the frames that is enough.
    smallest_island : int, frames
        Components with fewer frames (the beginnings and ends of clips) are not worth a bridge.
    farthest : float
        Islands that are left after that, whatever their share, are joined by their best transitions
        up to this multiple of the threshold; 9 is as much as the clips do in three times the step.
        1 leaves them.
    prune : bool
        Keep only transitions inside the largest strongly connected component, so that no walk runs
        into a dead end.
    momentum : float, optional
        A transition changes the hips' velocity no more than so many times what 99 % of the frames
        do of the gait that it is in; twice as much, at a cost, where that leaves fewer than
        `density` transitions a frame. Bridges may change it more, at a cost, where too many clips
        would be left out otherwise. None allows any change.
    joint_weights : tuple of float, optional
        Weight of every joint, then of the torso's speed and turn rate, instead of those by role.
    block : int
        Most pairs of frames looked at in one go while building; fastest where they fit into a
        core's own cache.
    """

    tau: float | None = option_field(
        None, "Threshold of the transition cost; else calibrated.", above=0
    )
    step: int | None = option_field(
        None,
        "A transition may change a pose as much as clips do in this time.",
        unit="FRAMES",
        minimum=1,
    )
    density: float = option_field(60.0, "Transitions a frame that are enough.", minimum=0)
    most: float = 500.0
    relative: float = option_field(1.0, "Share of a frame's own threshold.", minimum=0, maximum=1)
    min_piece: int = option_field(5, "Shortest piece of a clip.", minimum=1)
    min_jump: int = option_field(10, "Shortest jump within a clip.", minimum=1)
    bridges: tuple[float, ...] = (1.5, 2.25, 3.0, 4.0)
    connected: float = 0.85
    smallest_island: int = 30
    farthest: float = option_field(9.0, "Loosest bridge, times the threshold.", minimum=1)
    prune: bool = True
    momentum: float | None = option_field(1.5, "Most change of the hips' velocity.", above=0)
    joint_weights: tuple[float, ...] | None = None
    block: int = option_field(TILE, "Pairs of frames looked at in one go.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)
        if any(b <= a for a, b in pairwise((1.0, *self.bridges))):
            raise InvalidInputError(f"bridges must be ascending and above 1, got {self.bridges}")
        if self.density >= self.most:
            raise InvalidInputError(
                f"density must be below most, got {self.density} and {self.most}"
            )
