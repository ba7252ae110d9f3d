"""Least squares over poses, lengths and marker places, with a loss that lets outliers go.

Every frame's pose meets only what all frames share, so its block is eliminated by itself (a Schur
complement): the work grows with the number of frames, not with its cube.

What is made small: misfit of markers with a loss that lets outliers go, and priors.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.fitting.calibration import _posing as posing
from motionloom.typing import Array, Bools

#: Standard deviation (metres) of a marker about its place on a rigid segment. Larger than what is
#: left over in the end: errors of soft tissue last for many frames, so these are not independent.
NOISE = 0.012
#: Residual (metres) from which a marker counts ever less (Geman & McClure 1985).
OUTLIER = 0.060


@dataclass(frozen=True, eq=False)
class Data:
    """What is fitted to.

    Parameters
    ----------
    positions : array of shape (T, M, 3), metres
        Of the markers.
    seen : bool array of shape (T, M)
        Which are known.
    size : float, metres
        Guess of the body's size.
    size_spread : float, metres
        Standard deviation of that guess.
    """

    positions: Array
    seen: Bools
    size: float
    size_spread: float


@dataclass(frozen=True)
class Effort:
    """How long is solved.

    Parameters
    ----------
    steps : int
        Most steps.
    enough : float
        Relative decrease of the cost below which it ends.
    shared : bool
        Whether lengths and marker places are found too, or only poses.
    outlier : float, metres
        Of the loss.
    """

    steps: int = 30
    enough: float = 1e-4
    shared: bool = True
    outlier: float = OUTLIER


def cost_of(
    layout: posing.Layout, data: Data, state: posing.State, posed: posing.Posed, outlier: float
) -> float:
    """Half the sum of all squares, with the loss of markers (Geman & McClure 1985).

    Parameters
    ----------
    layout : Layout
        The body and its markers.
    data : Data
        What is fitted to.
    state : State
        Where that is.
    posed : Posed
        Its kinematics.
    outlier : float, metres
        Residual from which a marker counts ever less.
    """
    square = np.sum((posed.markers - data.positions) ** 2, axis=-1) * data.seen
    loss = square / (1 + square / outlier**2) / NOISE**2
    rest, _ = posing.rest_terms(layout, state.poses)
    pull, _ = _length_pull(layout, data, state.values)
    parts = (loss, rest**2, pull**2, (state.shifts / layout.loose) ** 2)
    return 0.5 * float(sum(part.sum() for part in parts))


def _length_pull(layout: posing.Layout, data: Data, values: Array) -> tuple[Array, Array]:
    """Residuals of the prior on lengths, that of the size on its guess, and its deviations."""
    spread = layout.lengths.spread * data.size
    spread[0] = data.size_spread
    return (values - np.eye(len(values))[0] * data.size) / spread, spread


@dataclass(frozen=True, eq=False)
class Normal:
    """Normal equations in arrow form.

    Parameters
    ----------
    pose : array of shape (T, D, D)
        Blocks of the poses.
    cross : array of shape (T, D, S)
        Poses against what is shared: K lengths, then 3 M shifts.
    shared : array of shape (S, S)
        What is shared.
    pose_slope : array of shape (T, D)
        Downhill, of the poses.
    shared_slope : array of shape (S,)
        Downhill, of what is shared.
    """

    pose: Array
    cross: Array
    shared: Array
    pose_slope: Array
    shared_slope: Array


def normal_equations(
    layout: posing.Layout, data: Data, state: posing.State, posed: posing.Posed, effort: Effort
) -> Normal:
    """Linearise about a state."""
    n_frames, n_markers = data.seen.shape
    error = data.positions - posed.markers
    weight = data.seen / (1 + np.sum(error**2, axis=-1) / effort.outlier**2) ** 2 / NOISE**2
    error *= weight[..., None]
    moved = posing.pose_jacobian(layout, posed)
    flat = moved.reshape(n_frames, 3 * n_markers, -1)
    weighted = flat * np.repeat(weight, 3, axis=1)[..., None]
    pose = weighted.swapaxes(1, 2) @ flat
    slope = (error.reshape(n_frames, 1, -1) @ flat)[:, 0]
    _add_rest(layout, state.poses, pose, slope)
    if not effort.shared:
        nothing = np.zeros((n_frames, layout.freedom, 0))
        return Normal(pose, nothing, np.zeros((0, 0)), slope, np.zeros(0))
    turns = posed.turns[:, layout.joints]
    longer = posing.length_jacobian(layout, posed)
    long_flat = longer.reshape(n_frames, 3 * n_markers, -1)
    by_shift = np.einsum("tmad,tmac->tdmc", weighted.reshape(moved.shape), turns, optimize=True)
    by_length = weighted.swapaxes(1, 2) @ long_flat
    cross = np.concatenate([by_length, by_shift.reshape(n_frames, layout.freedom, -1)], axis=2)
    shared, shared_slope = _shared_block(layout, data, state, longer, turns, weight, error)
    return Normal(pose, cross, shared, slope, shared_slope)


def _add_rest(layout: posing.Layout, poses: posing.LocalPoses, pose: Array, slope: Array) -> None:
    rest, derivatives = posing.rest_terms(layout, poses)
    blocks = derivatives.swapaxes(-1, -2) @ derivatives
    rest = rest.reshape(*derivatives.shape[:2], 3)
    slopes = (derivatives.swapaxes(-1, -2) @ rest[..., None])[..., 0]
    for i in range(len(layout.turns)):
        own = slice(3 + 3 * i, 6 + 3 * i)
        pose[:, own, own] += blocks[:, i]
        slope[:, own] -= slopes[:, i]


def _shared_block(
    layout: posing.Layout,
    data: Data,
    state: posing.State,
    longer: Array,
    turns: Array,
    weight: Array,
    error: Array,
) -> tuple[Array, Array]:
    n_lengths = longer.shape[-1]
    n = n_lengths + 3 * layout.n_markers
    block = np.zeros((n, n))
    slope = np.empty(n)
    weighted = longer * weight[..., None, None]
    flat = longer.reshape(-1, n_lengths)
    block[:n_lengths, :n_lengths] = weighted.reshape(-1, n_lengths).T @ flat
    mixed = np.einsum("tmak,tmac->kmc", weighted, turns, optimize=True).reshape(n_lengths, -1)
    block[:n_lengths, n_lengths:] = mixed
    block[n_lengths:, :n_lengths] = mixed.T
    slope[:n_lengths] = error.reshape(-1) @ flat
    slope[n_lengths:] = np.einsum("tma,tmac->mc", error, turns).reshape(-1)
    own = np.repeat(weight.sum(axis=0), 3) + 1 / layout.loose.reshape(-1) ** 2
    slope[n_lengths:] -= (state.shifts / layout.loose**2).reshape(-1)
    pull, spread = _length_pull(layout, data, state.values)
    slope[:n_lengths] -= pull / spread
    block[np.arange(n), np.arange(n)] += np.concatenate([1 / spread**2, own])
    return block, slope


def eliminate(normal: Normal, damping: float = 0.0) -> tuple[Array, Array, Array, Array]:
    """Take the poses out of normal equations.

    Parameters
    ----------
    normal : Normal
        The equations.
    damping : float, optional
        What is added to the diagonals, as a share of them.

    Returns
    -------
    block : array of shape (S, S)
        What is left of what is shared.
    slope : array of shape (S,)
        Its right side.
    answers : array of shape (T, D, S)
        Poses by what is shared: pose steps are ``alone - answers @ shared step``.
    alone : array of shape (T, D)
        Pose steps where nothing shared moves.
    """
    freedom = normal.pose.shape[-1]
    diagonal = np.arange(freedom)
    pose = normal.pose.copy()
    pose[:, diagonal, diagonal] *= 1 + damping
    pose[:, diagonal, diagonal] += 1e-6
    both = np.concatenate([normal.cross, normal.pose_slope[..., None]], axis=2)
    solved = np.linalg.solve(pose, both)
    answers = solved[..., :-1]
    alone = solved[..., -1]
    n_frames, _, n = normal.cross.shape
    block = normal.shared.copy()
    block[np.arange(n), np.arange(n)] *= 1 + damping
    flat = normal.cross.reshape(n_frames * freedom, n)
    block -= flat.T @ answers.reshape(n_frames * freedom, n)
    slope = normal.shared_slope - flat.T @ alone.reshape(-1)
    return block, slope, answers, alone


def minimise(
    layout: posing.Layout, data: Data, state: posing.State, effort: Effort
) -> posing.State:
    """Go downhill from a state (Levenberg-Marquardt), until little changes.

    Parameters
    ----------
    layout : Layout
        The body and its markers.
    data : Data
        What is fitted to.
    state : State
        Where to begin.
    effort : Effort
        How long, and over what.

    Returns
    -------
    State
    """
    damping = 1e-3
    posed = posing.run(layout, state)
    cost = cost_of(layout, data, state, posed, effort.outlier)
    normal = normal_equations(layout, data, state, posed, effort)
    for _ in range(effort.steps):
        block, slope, answers, alone = eliminate(normal, damping)
        shared = np.asarray(np.linalg.solve(block, slope), float) if len(slope) else slope
        tried = _stepped(layout, state, shared, alone - answers @ shared)
        posed = posing.run(layout, tried)
        new_cost = cost_of(layout, data, tried, posed, effort.outlier)
        if not new_cost < cost:
            damping = max(10 * damping, 1e-6)
            if damping > 1e3:
                break
            continue
        decrease = (cost - new_cost) / max(cost, 1e-12)
        state = tried
        cost = new_cost
        damping = max(0.2 * damping, 1e-9)
        if decrease < effort.enough:
            break
        normal = normal_equations(layout, data, state, posed, effort)
    return state


def _stepped(
    layout: posing.Layout, state: posing.State, shared: Array, moved: Array
) -> posing.State:
    poses = state.poses.moved(moved, layout)
    if not len(shared):
        return replace(state, poses=poses)
    n = len(state.values)
    shifts = state.shifts + shared[n:].reshape(-1, 3)
    return posing.State(state.values + shared[:n], shifts, poses)
