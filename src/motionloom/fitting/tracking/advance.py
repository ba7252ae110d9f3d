"""One frame of causal tracking in compiled code.

The pose is predicted by its speed, then a fixed number of Gauss-Newton steps move it towards the
markers, each under the Geman-McClure loss ``u^2 / (1 + u^2 / s^2)`` with u its distance from where
its segment and its habit put it. The habit is what a marker has lately been beside its model place:
skin moves slowly, so that a jump of some centimetres stands out against it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import motionloom.rotation_kernels as rk
from motionloom.compiling import full_kernel
from motionloom.fitting.tracking import normal
from motionloom.typing import Array, Bools, Ints

#: At most so many markers that are not trusted are looked at for having changed places.
MOST_DOUBTED = 24
#: Largest turn of a step, radians.
_LONGEST_TURN = 0.6
#: A habit is at most so far from the model's place, metres.
_LONGEST_HABIT = 0.05
#: Steps in a frame in which a segment is found again, and the scale of its markers' loss, metres.
_ROUNDS_TO_REGAIN, _WIDE = 8, 0.3
#: Share of its weight that the prediction keeps of a segment that is being found again.
_REGAIN_PRIOR = 0.1
#: A found segment's markers are this near to the model's places, metres.
_REGAINED = 0.06


class State(NamedTuple):
    """What a tracker remembers from frame to frame; all written in place.

    Parameters
    ----------
    root : array of shape (3,), metres
        Place of the first node.
    turns : array of shape (K, 4)
        Turn of each node relative to its parent.
    root_speed : array of shape (3,), metres per frame
        Its speed.
    speeds : array of shape (K, 3), radians per frame
        Of each node, in its parent's frame.
    told_root, told_turns : arrays of shape (3,) and (K, 4)
        The predicted pose.
    habits : array of shape (M, 3), metres
        Usual place beside the model's, in the node's frame.
    sources : int array of shape (M,)
        Observation that each marker is taken from: its own unless labels changed places.
    trusted : bool array of shape (M,)
        Whether the marker was seen and agreed with its segment.
    lost : bool array of shape (K,)
        Segments that are found again wherever their markers come back.
    back : bool array of shape (K,)
        Lost segments of which markers are seen in this frame.
    thin : bool array of shape (K,)
        Segments whose turn the markers that are there in this frame do not tell.
    slack : array of shape (K,), metres
        How far off the prediction of a segment may be, of which no marker was trusted.
    unseen, disputed : int arrays of shape (K,)
        For how many frames trusted markers have not told the whole of the segment's turn, and for
        how many the one marker that it has disagreed with it.
    ranks : int array of shape (K,)
        Directions of each turn that trusted markers tell.
    """

    root: Array
    turns: Array
    root_speed: Array
    speeds: Array
    told_root: Array
    told_turns: Array
    habits: Array
    sources: Ints
    trusted: Bools
    lost: Bools
    back: Bools
    thin: Bools
    slack: Array
    unseen: Ints
    disputed: Ints
    ranks: Ints


class Settings(NamedTuple):
    """Numbers of the options and the frame rate as kernels take them.

    Parameters
    ----------
    root_weight : float, 1 / metres^2
        Of the predicted place.
    turn_weights : array of shape (K,), 1 / radians^2
        Of the predicted turns.
    gain : float
        Share of a frame's correction that goes into the speed.
    coast : float
        Share of its speed that a segment keeps per frame while it is not seen.
    learn : float
        Share of the way a habit goes per frame.
    gate, tolerance, lever : float, metres
        As in `TrackingOptions`.
    drift, loose : float, metres
        How much slack a segment gets per frame without a trusted marker, and with how much it is
        lost.
    patience, alone, memory : int
        Frames; as in `TrackingOptions`.
    hold : float
        Share of its weight that the rest pose keeps in a frame that does not tell a turn.
    rounds : int
        Steps per frame.
    """

    root_weight: float
    turn_weights: Array
    gain: float
    coast: float
    learn: float
    gate: float
    tolerance: float
    lever: float
    drift: float
    loose: float
    patience: int
    alone: int
    memory: int
    hold: float
    rounds: int


def make_state(nodes: int, markers: int) -> State:
    """State of a tracker that has seen nothing."""
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (nodes, 1))
    own: dict[str, Any] = {name: np.zeros(3) for name in ("root", "root_speed", "told_root")}
    own |= {name: np.zeros(nodes, bool) for name in ("lost", "back", "thin")}
    own |= {name: np.zeros(nodes, np.int64) for name in ("unseen", "disputed", "ranks")}
    return State(
        turns=turns,
        speeds=np.zeros((nodes, 3)),
        told_turns=turns.copy(),
        habits=np.zeros((markers, 3)),
        sources=np.arange(markers),
        trusted=np.zeros(markers, bool),
        slack=np.zeros(nodes),
        **own,
    )


@full_kernel()
def predict(state, coast):  # pragma: no cover - compiled
    """Move the pose on by its speed; segments that are not told slow down."""
    if state.unseen[0] > 0:
        state.root_speed[:] *= coast
    state.root[:] += state.root_speed
    state.told_root[:] = state.root
    for k in range(len(state.turns)):
        if state.unseen[k] > 0:
            state.speeds[k] *= coast
        normal.turn_by(state.turns[k], state.speeds[k])
    state.told_turns[:] = state.turns


@full_kernel()
def surprise(rig, work, state, observed, m):  # pragma: no cover - compiled
    """Square of how far an observation is from where a marker's segment and habit put it."""
    frame = work.frames[rig.nodes[m]]
    habit = state.habits[m]
    far = 0.0
    for i in range(3):
        usual = frame[i, 0] * habit[0] + frame[i, 1] * habit[1] + frame[i, 2] * habit[2]
        far += (observed[i] - work.seen[m, i] - usual) ** 2
    return far


@full_kernel()
def weigh(rig, work, state, observed, valid, tolerance, gate):  # pragma: no cover - compiled
    """Misses of all markers, and their weight by the derivative of the Geman-McClure loss."""
    for m in range(len(rig.nodes)):
        o = state.sources[m]
        if o < 0 or not valid[o]:
            work.trust[m] = 0.0
            continue
        for i in range(3):
            work.misses[m, i] = observed[o, i] - work.seen[m, i]
        lost = state.lost[rig.nodes[m]]
        slack = state.slack[rig.nodes[m]]
        scale = _WIDE if lost else tolerance + slack
        far = surprise(rig, work, state, observed[o], m)
        u = 1 + far / (scale * scale)
        # What was not trusted before has no say until it is back where it should be.
        doubted = not (lost or state.trusted[m]) and far > (gate + slack) ** 2
        work.trust[m] = 0.0 if doubted else 1 / (u * u)


@full_kernel()
def add_prior(rig, work, state, settings):  # pragma: no cover - compiled
    """Add the pulls towards the predicted pose and the rest pose to the normal equations."""
    h = work.matrix
    g = work.step
    weight = settings.root_weight * (_REGAIN_PRIOR if state.back[0] else 1.0)
    for i in range(3):
        h[i, i] += weight
        g[i] += weight * (state.told_root[i] - state.root[i])
    for k in range(len(rig.parents)):
        turn = state.turns[k]
        weight = settings.turn_weights[k] * (_REGAIN_PRIOR if state.back[k] else 1.0)
        rest = rk.scale(settings.hold if state.thin[k] else 1.0, rig.rest_weights[k])
        away, turned = normal.way_between(turn, state.told_turns[k]), normal.vector_of(turn)
        p = rig.parents[k]
        f = work.frames[p]
        j = 3 + 3 * k
        for i in range(3):
            h[j + i, j + i] += weight
            if p < 0:  # it has no rest pose
                g[j + i] += weight * away[i]
                continue
            for d in range(3):
                g[j + i] += f[i, d] * (weight * away[d] - rest[d] * turned[d])
            for d in range(i + 1):
                for e in range(3):
                    h[j + i, j + d] += rest[e] * f[i, e] * f[d, e]


@full_kernel()
def take_step(rig, work, state):  # pragma: no cover - compiled
    """Move the pose by the solution of the normal equations."""
    step = work.step
    state.root[:] += step[:3]
    for k in range(len(rig.parents)):
        turned = step[3 + 3 * k : 6 + 3 * k]
        a, b, c = rk.scale(min(1.0, _LONGEST_TURN / max(rk.norm(turned), 1e-12)), turned)
        p = rig.parents[k]
        if p < 0:
            normal.turn_by(state.turns[k], (a, b, c))
            continue
        f = work.frames[p]
        x = f[0, 0] * a + f[1, 0] * b + f[2, 0] * c
        y = f[0, 1] * a + f[1, 1] * b + f[2, 1] * c
        z = f[0, 2] * a + f[1, 2] * b + f[2, 2] * c
        normal.turn_by(state.turns[k], (x, y, z))


@full_kernel()
def improve(rig, work, state, settings, observed, valid, tolerance):  # pragma: no cover - compiled
    """One Gauss-Newton step; leaves the kinematics of the pose it ends with."""
    weigh(rig, work, state, observed, valid, tolerance, settings.gate)
    normal.sum_moments(rig, work)
    normal.fill_equations(rig, work)
    add_prior(rig, work, state, settings)
    normal.solve_equations(rig.above, work.matrix, work.step)
    take_step(rig, work, state)
    normal.run_forward(rig, work, state.root, state.turns)


@full_kernel()
def judge(rig, work, state, observed, valid, gate):  # pragma: no cover - compiled
    """Which markers are trusted; returns how many were seen and are not."""
    doubted = 0
    for m in range(len(rig.nodes)):
        o = state.sources[m]
        if o < 0 or not valid[o]:
            state.trusted[m] = False
            doubted += valid[m]
            continue
        if state.lost[rig.nodes[m]]:
            far = rk.norm(rk.subtract(observed[o], work.seen[m]))
            state.trusted[m] = far < _REGAINED
        else:
            wide = gate + state.slack[rig.nodes[m]]
            state.trusted[m] = surprise(rig, work, state, observed[o], m) < wide * wide
        doubted += not state.trusted[m]
    return doubted


@full_kernel()
def exchange(rig, work, state, observed, valid, gate):  # pragma: no cover - compiled
    """Give markers that are not trusted the observations that lie where they should be.

    The nearest pair of a marker and a free observation goes first. Returns how many changed.
    """
    changed = 0
    near = 0.7 * gate
    taken = -1
    for _ in range(MOST_DOUBTED):
        best = near * near
        marker = -1
        for m in range(len(rig.nodes)):
            if state.trusted[m] or state.lost[rig.nodes[m]]:
                continue
            for o in range(len(rig.nodes)):
                if not valid[o] or o == state.sources[m]:
                    continue
                far = surprise(rig, work, state, observed[o], m)
                if far < best and is_free(state, o):
                    best = far
                    marker = m
                    taken = o
        if marker < 0:
            break
        for m in range(len(rig.nodes)):
            if state.sources[m] == taken:
                state.sources[m] = -1
        state.sources[marker] = taken
        state.trusted[marker] = True
        changed += 1
    return changed


@full_kernel()
def is_free(state, o):  # pragma: no cover - compiled
    """Whether no trusted marker is taken from an observation."""
    return not ((state.sources == o) & state.trusted).any()


@full_kernel()
def give_back(state, valid):  # pragma: no cover - compiled
    """Markers without an observation take their own when nobody else has it."""
    for m in range(len(state.sources)):
        if state.sources[m] >= 0 and valid[state.sources[m]]:
            continue
        if valid[m] and not (state.sources == m).any():
            state.sources[m] = m


@full_kernel()
def follow_lost(rig, work, state, valid, settings):  # pragma: no cover - compiled
    """Which segments their trusted markers do not tell any more, and since when."""
    work.trust[:] = state.trusted
    normal.count_ranks(rig, work, settings.lever, state.ranks)
    for k in range(len(rig.parents)):
        against = 0
        agreed = 0
        for m in range(len(rig.nodes)):
            if rig.nodes[m] == k:
                against += valid[m] and not state.trusted[m]
                agreed += state.trusted[m]
        full = state.ranks[k] >= rig.ranks[k]
        state.unseen[k] = 0 if full and (agreed > 0 or rig.own[k] == 0) else state.unseen[k] + 1
        if agreed > 0 or rig.own[k] == 0:
            state.lost[k] = state.lost[k] and not full and rig.own[k] > 0
            state.slack[k] *= 0.5
            state.disputed[k] = 0
            continue
        # One marker that disagrees may be the one that is wrong; several agree with each other.
        if against == 1:
            state.disputed[k] += 1
        else:
            state.slack[k] = min(state.slack[k] + settings.drift, _WIDE)
        if state.slack[k] > settings.loose or state.disputed[k] > settings.alone:
            state.lost[k] = True


@full_kernel()
def learn_habits(rig, work, state, observed, share):  # pragma: no cover - compiled
    """Move habits of trusted markers by a share of the way to where the markers are."""
    for m in range(len(rig.nodes)):
        if not state.trusted[m]:
            continue
        frame = work.frames[rig.nodes[m]]
        habit = state.habits[m]
        away = rk.subtract(observed[state.sources[m]], work.seen[m])
        for i in range(3):
            own = frame[0, i] * away[0] + frame[1, i] * away[1] + frame[2, i] * away[2]
            habit[i] += share * (own - habit[i])
        habit *= min(1.0, _LONGEST_HABIT / max(rk.norm(habit), 1e-12))


@full_kernel()
def learn_speeds(state, gain):  # pragma: no cover - compiled
    """The speed of the pose; that of a lost segment stays."""
    state.root_speed[:] += gain * (state.root - state.told_root)
    for k in range(len(state.turns)):
        if not state.lost[k]:
            turned = normal.way_between(state.told_turns[k], state.turns[k])
            for i in range(3):
                state.speeds[k, i] += gain * turned[i]


@full_kernel()
def look_ahead(rig, work, state, valid, lever):  # pragma: no cover - compiled
    """Which segments this frame's markers cannot tell, before they are looked at.

    The rest pose must not pull at those: nothing would pull back.
    """
    for m in range(len(rig.nodes)):
        o = state.sources[m]
        work.trust[m] = o >= 0 and valid[o] and state.trusted[m]
    normal.count_ranks(rig, work, lever, state.ranks)
    state.thin[:] = state.ranks < rig.ranks
    state.back[:] = False


@full_kernel()
def advance(rig, work, state, settings, observed, valid):  # pragma: no cover - compiled
    """One frame: predict, step, judge, undo exchanges, learn."""
    predict(state, settings.coast)
    give_back(state, valid)
    normal.run_forward(rig, work, state.root, state.turns)
    look_ahead(rig, work, state, valid, settings.lever)
    rounds = settings.rounds
    for m in range(len(rig.nodes)):
        if valid[m] and state.lost[rig.nodes[m]]:
            state.back[rig.nodes[m]] = True
            rounds = _ROUNDS_TO_REGAIN
    for _ in range(rounds):
        improve(rig, work, state, settings, observed, valid, settings.tolerance)
    doubted = judge(rig, work, state, observed, valid, settings.gate)
    if 0 < doubted <= MOST_DOUBTED:
        exchange(rig, work, state, observed, valid, settings.gate)
        improve(rig, work, state, settings, observed, valid, settings.tolerance)
        judge(rig, work, state, observed, valid, settings.gate)
    follow_lost(rig, work, state, valid, settings)
    learn_habits(rig, work, state, observed, settings.learn)
    learn_speeds(state, settings.gain)


@full_kernel()
def begin(rig, work, state, settings, observed, valid, scales, gate):  # pragma: no cover - compiled
    """Steps from a first pose of a new state under a loss that grows ever narrower.

    Afterwards a marker's habit is where it is.
    """
    state.slack[:] = 2 * settings.drift
    state.trusted[:] = True
    normal.run_forward(rig, work, state.root, state.turns)
    for i in range(len(scales)):
        # The pose is its own prediction: that damps the steps and pulls nowhere.
        state.told_root[:] = state.root
        state.told_turns[:] = state.turns
        improve(rig, work, state, settings, observed, valid, scales[i])
    state.told_root[:] = state.root
    state.told_turns[:] = state.turns
    judge(rig, work, state, observed, valid, gate)
    if exchange(rig, work, state, observed, valid, gate) > 0:
        improve(rig, work, state, settings, observed, valid, scales[-1])
        judge(rig, work, state, observed, valid, gate)
    learn_habits(rig, work, state, observed, 1.0)
    follow_lost(rig, work, state, valid, settings)
