"""Frames in which a leg of a motion may end, and those that meet best what is asked of joints."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from motionloom.graph.scoring.walk import OUT_OF_REACH
from motionloom.graph.searching.meet import Guide
from motionloom.graph.searching.problem import Leg, Problem
from motionloom.graph.searching.reach import frames_to_go, useful_ends, ways_to
from motionloom.typing import Array, Ints

#: Where more than the body is asked for at the end of a leg, half of the half walks backwards begin
#: in this share of the frames, those that meet it best; in so many at least.
LIKELY, LIKELY_LEAST = 1 / 64, 32
#: Frames after its goal in which a leg's end looks at what is held; how far a joint counts as away,
#: metres, where the clip ends before.
HELD, ENDED = 90, 0.3
#: Frames before the end of a leg from which half walks are led to what is asked there.
AHEAD = 120


class Outlook(NamedTuple):
    """Frames in which a leg may end, those that meet best what is asked then, what leads there."""

    ends: Ints
    likely: Ints
    guide: Guide


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
        useful = useful_ends(problem, leg)
        ends = np.intersect1d(useful, problem.starts) if len(useful) else problem.starts
        likely = likely_ends(problem, leg, ends)
        none = np.zeros(0, np.int64)
        guide = Guide(frames_to_go(problem, leg), none)
        if len(likely):
            guide = Guide(*ways_to(problem.ground, problem.adjacency, likely, AHEAD))
        known[leg.last] = Outlook(ends, likely, guide)
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
