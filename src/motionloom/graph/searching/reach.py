"""How soon a frame of the clips can be shown after another: which hard constraints are out of
reach, and from where.

Frames in which a leg of a motion may end, and those that meet best what is asked of joints.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from motionloom.compiling import kernel, part
from motionloom.graph.scoring.walk import OUT_OF_REACH
from motionloom.graph.searching.meet import Guide
from motionloom.graph.searching.problem import Leg, Problem, with_pins
from motionloom.graph.searching.results import PoseError
from motionloom.typing import Array, Ints

#: Frames of the motion beyond which anything is taken to be within reach.
HORIZON = 900
NEVER = 1 << 30


@part
def _come_to(adjacency, c, t, wait, via):  # pragma: no cover - compiled
    """Note the edges to frame c, from which there are t frames to go."""
    for k in range(adjacency.in_ptr[c], adjacency.in_ptr[c + 1]):
        b = adjacency.in_source[k]
        e = adjacency.in_edge[k]
        # Of those that are as fast the cheapest.
        same = t == wait[b] and via[b] >= 0 and adjacency.cost[e] < adjacency.cost[via[b]]
        if t < wait[b] or same:
            wait[b] = t
            via[b] = e


@part
def _play_to(ground, f, t, wait, entered, via):  # pragma: no cover - compiled
    """Note the frames that play on to frame f, from which there are t frames to go."""
    if f > ground.begin[f] and t + 1 < wait[f - 1]:
        wait[f - 1] = t + 1
        via[f - 1] = -1
    if f - ground.min_piece >= ground.begin[f]:
        c = f - ground.min_piece
        entered[c] = min(entered[c], t + ground.min_piece)


@kernel
def frames_to(ground, adjacency, goals, horizon):  # pragma: no cover - compiled
    """Fewest frames from showing each frame to showing one of the frames `goals`; `NEVER` beyond
    the horizon.

    Returns
    -------
    wait : int64 array of shape (N,)
        For a frame late enough in its piece to leave it.
    entered : int64 array of shape (N,)
        For the first frame of a piece.
    via : int64 array of shape (N,)
        Edge by which each frame gets there first, -1 where it plays on.
    """
    n = len(ground.place)
    wait = np.full(n, NEVER, np.int64)
    entered = np.full(n, NEVER, np.int64)
    via = np.full(n, -1, np.int64)
    for g in goals:
        for c in range(ground.begin[g], g + 1):
            wait[c] = min(wait[c], g - c)
            entered[c] = wait[c]
    for t in range(horizon + 1):
        for c in range(n):
            if entered[c] == t:
                _come_to(adjacency, c, t, wait, via)
        for f in range(n):
            if wait[f] == t:
                _play_to(ground, f, t, wait, entered, via)
    return wait, entered, via


def within_reach(problem: Problem) -> tuple[Problem, tuple[PoseError, ...]]:
    """Move pins that cannot be shown in time, leave out those that never can, and tell which.

    One is moved to the first frame in which it can be shown, where that is before the next pin.
    """
    last = problem.span.last_frame - 1
    kept: list[tuple[int, int]] = []
    missed = []
    for index, (n, frame) in enumerate(problem.pins.tolist()):
        earliest = _earliest(problem, kept[-1] if kept else None, frame, min(last, HORIZON))
        if earliest is not None and earliest <= n:
            kept.append((n, frame))
            continue
        missed.append(PoseError(n, frame, None if earliest is None else earliest - n))
        following = int(problem.pins[index + 1, 0]) if index + 1 < len(problem.pins) else last + 1
        if earliest is not None and earliest < following:
            kept.append((earliest, frame))
    if not missed:
        return problem, ()
    return with_pins(problem, np.array(kept, np.int64).reshape(-1, 2)), tuple(missed)


def _earliest(
    problem: Problem, before: tuple[int, int] | None, frame: int, horizon: int
) -> int | None:
    """First frame of the motion in which a frame can be shown after the pin before; None when it
    cannot.
    """
    if before is None:
        return problem.span.first_frame
    wait = int(_frames_to(problem, frame, horizon)[0][before[1]])
    wait = min(wait, HORIZON)
    return before[0] + wait if before[0] + wait < problem.span.last_frame else None


def _useful_ends(problem: Problem, leg: Leg) -> Ints:
    """Frames in which a leg may end so that the next pin can still be kept; none for any frame."""
    later = problem.pins[problem.pins[:, 0] > leg.last]
    if len(later) == 0 or leg.frame >= 0 or later[0, 0] - leg.last > HORIZON:
        return np.zeros(0, np.int64)
    gap = int(later[0, 0]) - leg.last
    return np.flatnonzero(_frames_to(problem, int(later[0, 1]), gap)[0] <= gap)


def _frames_to_go(problem: Problem, leg: Leg) -> Ints:
    """Fewest frames from entering each frame to showing the one pinned at the leg's end; none
    without a pin, or for a leg over `HORIZON`.
    """
    if leg.frame < 0 or leg.last - leg.first > HORIZON:
        return np.zeros(0, np.int64)
    return _frames_to(problem, leg.frame, leg.last - leg.first)[1]


def _frames_to(problem: Problem, goal: int, horizon: int) -> tuple[Ints, Ints]:
    """Fewest frames to one goal, as `frames_to` has them."""
    wait, entered, _ = frames_to(problem.ground, problem.adjacency, np.array([goal]), horizon)
    return wait, entered


#: Where more than the body is asked for at the end of a leg, half of the half walks backwards begin
#: in this share of the frames, those that meet it best; in so many at least.
LIKELY, LIKELY_LEAST = 1 / 64, 32
#: Frames after its goal in which a leg's end looks at what is held; how far a joint counts as away,
#: metres, where the clip ends before.
HELD, ENDED = 90, 0.3
#: Frames before the end of a leg from which half walks are led to what is asked there.
AHEAD = 120


#: Frames in which a leg may end, those that meet best what is asked then, and what leads there.
Outlook = tuple[Ints, Ints, Guide]
#: What is known of the legs of a problem, by their last frames: every round looks at them again.
_KNOWN: WeakKeyDictionary[Problem, dict[int, Outlook]] = WeakKeyDictionary()


def outlook_of(problem: Problem, leg: Leg) -> Outlook:
    """In which frames a leg may end, in which it had better, and what leads to these.

    Parameters
    ----------
    problem : Problem
        The graph and the terms.
    leg : Leg
        Whose end is looked at.

    Returns
    -------
    Outlook
    """
    known = _KNOWN.setdefault(problem, {})
    if leg.frame >= 0 or leg.last not in known:
        useful = _useful_ends(problem, leg)
        ends = np.intersect1d(useful, problem.starts) if len(useful) else problem.starts
        likely = likely_ends(problem, leg, ends)
        none = np.zeros(0, np.int64)
        guide = Guide(_frames_to_go(problem, leg), none)
        if len(likely):
            _, soon, via = frames_to(problem.ground, problem.adjacency, likely, AHEAD)
            guide = Guide(np.minimum(soon, AHEAD + 1), via)
        known[leg.last] = ends, likely, guide
    return known[leg.last]


def likely_ends(problem: Problem, leg: Leg, ends: Ints) -> Ints:
    """Frames that, shown at the end of a leg, meet best what is asked of joints then.

    Each is laid down so that the body, or the joint that is the goal, is where it shall be.

    Parameters
    ----------
    problem : Problem
        The graph and the terms.
    leg : Leg
        Its goal is where the body or a joint shall be.
    ends : int64 array
        Frames in which the leg may end.

    Returns
    -------
    int64 array
        A small share of `ends`; empty where nothing more than a place or a heading is asked for.
    """
    if leg.goal.w_place == 0 or not len(_joint_terms(problem, leg)):
        return ends[:0]
    if leg.joint < 0 and leg.goal.w_turn == 0:
        return ends[:0]
    turn = leg.goal.turn * problem.ground.turn[ends].conj()
    at = problem.ground.place if leg.joint < 0 else problem.terms.joint_place[leg.joint]
    shift = leg.goal.place - turn * at[ends]
    cost = joint_cost(problem, leg, ends, turn, shift)
    most = max(int(LIKELY * len(ends)), LIKELY_LEAST)
    return np.sort(ends[np.argsort(cost, kind="stable")[:most]])


def joint_cost(
    problem: Problem,
    leg: Leg,
    shown: Ints,
    turn: NDArray[np.complex128],
    shift: NDArray[np.complex128],
) -> Array:
    """What joints miss at the goal of a leg where each of the frames is shown and laid down.

    Parameters
    ----------
    problem : Problem
        The terms, and where clips end.
    leg : Leg
        Its goal is for frame ``leg.last - leg.lag`` of the motion.
    shown : int64 array of shape (F,)
        Frames of the clips.
    turn, shift : complex arrays of shape (F,)
        They lay each frame down: ``turn * place + shift``, metres.

    Returns
    -------
    array of shape (F,)
        Weighted squared errors; what is held for up to `HELD` frames after the goal counts too.
    """
    terms = problem.terms
    ground = problem.ground
    asked = leg.last - leg.lag
    cost = np.zeros(len(shown))
    for k in _joint_terms(problem, leg):
        # What is held is asked for after the goal too, and then the clip most likely plays on.
        later = shown + (terms.frame[k] - asked)
        ends = later >= ground.end[shown]
        frames = np.where(ends, shown, later)
        row = terms.joint[k]
        miss = turn * terms.joint_place[row, frames] + terms.moves[k] * shift - terms.at[k]
        rise = terms.joint_height[row, frames] - terms.height[k]
        root = turn * terms.joint_root[row, frames] + shift - terms.at[k]
        left = np.maximum(np.abs(root) - terms.joint_radius[row, frames], 0.0)
        away = np.abs(miss) ** 2 + rise**2 + OUT_OF_REACH * left**2
        # Who is held past the end of the clip is likely to be somewhere else by then.
        cost += terms.w_place[k] * np.where(ends, np.maximum(away, ENDED**2), away)
    return cost


def _joint_terms(problem: Problem, leg: Leg) -> Ints:
    """Terms of joints in the frame of a leg's goal, and soon after it where these are held."""
    terms = problem.terms
    asked = leg.last - leg.lag
    now = (terms.frame == asked) & (terms.joint >= 0)
    held = (
        np.isin(terms.joint, terms.joint[now])
        & (terms.frame > asked)
        & (terms.frame <= asked + HELD)
    )
    return np.flatnonzero(now | held)
