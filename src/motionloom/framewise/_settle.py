"""One frame after the other: the pose nearest to a preferred one that serves layers of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motionloom.framewise._body import LEVER, ClipBody
from motionloom.framewise._goals import Track
from motionloom.ik.layer_steps import LayeredProblem, LayerSteps
from motionloom.ik.prioritized import LayeredResult, LayerOptions, solve_layers
from motionloom.ik.tasks import AskedBody
from motionloom.progress import Progress
from motionloom.spaces.linear_map import LinearMap
from motionloom.typing import Array

#: Steps that a frame is given, and those before they may become shorter altogether.
_MOST, _CALM = 60, 12
#: A step that is longer than this share of the one before makes the next ones as much shorter, down
#: to the least.
_SHRINKS, _YIELDS, _LEAST = 0.7, 0.7, 0.15
#: A frame has settled when no unknown moves farther in a step than this.
_SETTLED = 1e-5
#: It is at rest when its last step moves none farther than this.
AT_REST = 1e-3
#: How far any unknown may be from a pose to be around it.
_AROUND = 0.5
#: How often a pose that is not at rest is gone on from: a straight knee begins to bend slowly.
_ROUNDS = 4
#: Longest step of any unknown.
_LONGEST = 0.4
#: Most of a task's residual that one step is asked to make good, metres.
_CAP = 0.2


@dataclass(frozen=True, eq=False)
class FrameProblem:
    """Tasks of one frame.

    Parameters
    ----------
    body : ClipBody
        Whose frame it is.
    frame : int
        Which.
    asked : AskedBody
        Its tasks, those of upper layers first.
    """

    body: ClipBody
    frame: int
    asked: AskedBody

    @classmethod
    def of(cls, body: ClipBody, frame: int, tracks: Sequence[Track]) -> FrameProblem:
        """What tracks ask of a frame; `tracks` are in the order of their layers."""
        tasks = [track.task(frame) for track in tracks]
        return cls(body, frame, body.solver_body(frame).asked(tasks))

    @cached_property
    def layered(self) -> LayeredProblem:
        """The tasks as strict layers; zero unknowns are the clip's own pose."""
        lower, upper = self.body.limits(self.frame)
        mapped = LinearMap(self.body.values[self.frame], self.body.map_at(self.frame))
        asked = self.asked
        wanted = asked.measure, asked.rows, asked.layers, mapped
        room = self._flexion_room if len(self.body.flexions.joint) else None
        prefer = np.zeros(mapped.size)
        return LayeredProblem(*wanted, lower, upper, asked.weights, prefer, floor=room)

    def solve_strictly(self, tolerance: float, start: Array) -> LayeredResult:
        """Serve layer by layer, and find out why a layer is not met."""
        return solve_layers(self.layered, start, LayerOptions(tolerance=tolerance))

    def _flexion_room(self, values: Array) -> tuple[Array, Array]:
        flexion, rows = self.body.flexion_rows(values)
        limits = self.body.flexions
        room = np.concatenate([flexion - limits.least, limits.most - flexion])
        return LEVER * room, LEVER * np.concatenate([rows, -rows])


class Settled(NamedTuple):
    """Unknowns (A,) of one frame or (N, A) of several, the number of steps, and the longest last
    one.
    """

    unknowns: Array
    steps: int
    last: float


def settle(problem: FrameProblem, start: Array, prefer: Array) -> Settled:
    """The unknowns nearest to preferred ones that serve the layers.

    Every step serves all layers at once and moves to `prefer` in what they leave open, so that
    where targets move smoothly from frame to frame, so does the pose.

    Parameters
    ----------
    problem : FrameProblem
        The frame and its tasks.
    start : array of shape (A,)
        Unknowns to begin with, such as those of the frame before.
    prefer : array of shape (A,)
        Zero for the clip's own pose.
    """
    layered = problem.layered
    levels = tuple(range(len(layered.levels)))
    steps = LayerSteps(layered, levels, np.zeros(len(layered.layers)), _CAP)
    unknowns = start.copy()
    yielding = calm = 1.0
    before = np.inf
    for count in range(_MOST):
        step = steps.step(layered.at(unknowns), np.inf, yielding * (prefer - unknowns))
        longest = float(np.abs(step).max(initial=0.0))
        unknowns = unknowns + step * min(calm, _LONGEST / max(longest, 1e-12))
        if longest < _SETTLED:
            return Settled(unknowns, count + 1, longest)
        if longest > _SHRINKS * before:
            # Where tasks bend much, full steps swing to and fro about the nearest pose.
            yielding = max(_YIELDS * yielding, _LEAST)
            calm = max(_YIELDS * calm, _LEAST) if count >= _CALM else calm
        before = longest
    return Settled(unknowns, _MOST, before)


def settle_near(problem: FrameProblem, near: Array) -> Array:
    """The pose nearest to the clip's own that serves the tasks, of those around one that does.

    Neighbouring frames then agree about what tasks leave open. Where that does not come to rest, or
    leads far away, the pose nearest to the given one.
    """
    came = near
    for _ in range(_ROUNDS):
        found = settle(problem, came, np.zeros_like(near))
        came = found.unknowns
        if float(np.abs(came - near).max()) > _AROUND:
            break
        if found.last < AT_REST:
            return came
    return settle(problem, near, near).unknowns


def settle_all(
    body: ClipBody,
    tracks: Sequence[Track],
    frames: tuple[int, int],
    prefer: Array,
    progress: Progress,
) -> Settled:
    """Settle all frames of a span, each begun as far from what it prefers as the one before."""
    ordered = sorted(tracks, key=lambda track: track.layer)
    first, stop = frames
    found = np.zeros_like(prefer)
    used = 0
    last = 0.0
    away = np.zeros(prefer.shape[1])
    for i, frame in enumerate(range(first, stop)):
        progress("editing", i, stop - first)
        here = [t for t in ordered if t.asks(frame)]
        found[i] = prefer[i]
        if here:
            problem = FrameProblem.of(body, frame, here)
            one = settle(problem, prefer[i] + away, prefer[i])
            found[i] = one.unknowns
            used += one.steps
            last = max(last, one.last)
        away = found[i] - prefer[i]
    progress("editing", stop - first, stop - first)
    return Settled(found, used, last)
