"""MarkerTracker: one frame of markers in, one pose out, in bounded time.

The first pose of a body is the rough one that calibration starts from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.fitting._body import Lengths
from motionloom.fitting.calibration._posing import Layout
from motionloom.fitting.calibration._start import rough_poses
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.tracking import _rig as rigs
from motionloom.typing import Array, Bools, Ints

#: A body is first found in a frame that has this share of its markers, the first segment's too.
_ENOUGH = 0.6
#: Gauss-Newton steps from the first pose, and the scale of the loss at first and at last, metres.
_FIRST_ROUNDS = 40
_FIRST_SCALES = (0.5, 0.05)
#: A marker farther than this from where the first pose has it is not trusted, metres.
_FIRST_GATE = 0.08
#: A tracker that trusts less than this share of the markers it sees, for its patience, starts anew.
_LEAST_TRUSTED = 0.5


@dataclass(frozen=True, eq=False)
class TrackedPose:
    """One frame as it was solved.

    Parameters
    ----------
    root : array of shape (3,), metres
        World place of the root joint.
    rotations : array of shape (J, 4)
        Turn of each joint relative to its parent, quaternions w x y z.
    residuals : array of shape (M, 3), metres
        From where the pose has a marker to where it was seen; NaN where it was not.
    trusted : bool array of shape (M,)
        Whether the marker was seen and agreed with its segment.
    sources : int array of shape (M,)
        Observation that each marker was taken from: its own unless labels changed places, -1 where
        another marker has it.
    observable : bool array of shape (J,)
        Whether trusted markers tell the joint's turn, or did within the last tenth of a second:
        over so long a gap is bridged.
    started : bool
        Whether a body has been found at all; before, everything else is the rest pose.
    """

    root: Array
    rotations: Array
    residuals: Array
    trusted: Bools
    sources: Ints
    observable: Bools
    started: bool


class MarkerTracker:
    """Follows a body frame by frame, from the past only.

    All its memory is taken when it is made.

    Parameters
    ----------
    model : MarkerModel
        Skeleton and markers on it.
    frame_time : float, seconds
        Time between frames.
    options : TrackingOptions, optional
        Settings.
    """

    def __init__(
        self, model: MarkerModel, frame_time: float, options: rigs.TrackingOptions | None = None
    ) -> None:
        from motionloom.fitting.tracking.advance import make_state

        if not 0 < frame_time <= 1:
            raise InvalidInputError(
                f"frame_time must be seconds between frames, up to 1, got {frame_time}"
            )
        self.model = model
        self.options = options or rigs.TrackingOptions()
        self.frame_time = float(frame_time)
        self.rig = rigs.make_rig(model, self.options)
        self.started = False
        self._layout = _layout_of(model, self.rig)
        self._work: rigs.Work = rigs.make_work(self.rig)
        self._settings = _make_settings(self.rig, self.frame_time, self.options)
        self._state = make_state(len(self.rig.joints), len(self.rig.nodes))
        self._observed = np.zeros((len(self.rig.nodes), 3))
        self._valid = np.zeros(len(self.rig.nodes), bool)
        self._astray = 0

    def update(self, positions: ArrayLike, valid: ArrayLike) -> TrackedPose:
        """Follow the body into the next frame.

        Parameters
        ----------
        positions : array of shape (M, 3), metres
            World places of the model's markers, in its order.
        valid : bool array of shape (M,)
            Whether each was seen; positions of others are not looked at.

        Returns
        -------
        TrackedPose
            Of this frame.

        Raises
        ------
        InvalidInputError
            When the shapes are not those of the model's markers.
        """
        self._take(positions, valid)
        if self.started:
            self._follow()
        elif self._is_enough():
            self._start()
        return self._pose()

    def _take(self, positions: ArrayLike, valid: ArrayLike) -> None:
        given = np.asarray(positions, float)
        seen = np.asarray(valid, bool)
        if given.shape != self._observed.shape or seen.shape != self._valid.shape:
            raise InvalidInputError(
                f"a frame of this model has {len(self._valid)} markers of 3 coordinates, got "
                f"{given.shape} and {seen.shape}"
            )
        np.copyto(self._observed, given)
        np.isfinite(given).all(axis=1, out=self._valid)
        self._valid &= seen

    def _follow(self) -> None:
        from motionloom.fitting.tracking.advance import advance

        if self._state.lost[0] and self._is_enough():
            self._start()
            return
        advance(self.rig, self._work, self._state, self._settings, self._observed, self._valid)
        seen = int(self._valid.sum())
        astray = seen > 0 and self._state.trusted.sum() < _LEAST_TRUSTED * seen
        self._astray = self._astray + 1 if astray else 0
        if self._astray > self._settings.patience and self._is_enough():
            self._start()

    @property
    def told(self) -> Bools:
        """Nodes of the rig whose turn the last frame tells, (K,), bridged gaps not counted."""
        return np.asarray(self._state.unseen == 0)

    @property
    def memory(self) -> int:
        """Frames after which a joint that is not told is masked."""
        return int(self._settings.memory)

    @property
    def enough(self) -> int:
        """Markers a frame must have for the body to be found in it."""
        return max(int(np.ceil(_ENOUGH * len(self._valid))), 3)

    def _is_enough(self) -> bool:
        first = self.rig.nodes == 0
        enough = self._valid.sum() >= self.enough
        return bool(enough and self._valid[first].sum() >= min(3, first.sum()))

    def _start(self) -> None:
        from motionloom.fitting.tracking.advance import begin, make_state

        known = np.where(self._valid[:, None], self._observed, 0.0)
        first = rough_poses(self._layout, known[None], self._valid[None], 1.0)
        nodes = len(self.rig.joints)
        for own, new in zip(self._state, make_state(nodes, len(self._valid)), strict=True):
            own[...] = new
        self._state.root[:] = first.root[0]
        self._state.turns[:] = rot.from_matrix(first.local[0, self.rig.joints])
        scales = np.geomspace(*_FIRST_SCALES, _FIRST_ROUNDS)
        everything = (self.rig, self._work, self._state, self._settings)
        begin(*everything, self._observed, self._valid, scales, _FIRST_GATE)
        self.started = True
        self._astray = 0

    def _pose(self) -> TrackedPose:
        state = self._state
        # What a rig says before a body is found are the rest pose and no residuals.
        source = np.maximum(state.sources, 0)
        seen = self.started & self._valid[source] & (state.sources >= 0)
        residuals = np.where(seen[:, None], self._observed[source] - self._work.seen, np.nan)
        rotations = rot.identity(self.model.skeleton.n_joints)
        rotations[self.rig.joints] = state.turns
        memory = self._settings.memory if self.started else -1
        told = rigs.spread_to_joints(self.rig, state.unseen <= memory)
        root, trusted, sources = state.root.copy(), state.trusted.copy(), state.sources.copy()
        return TrackedPose(root, rotations, residuals, trusted, sources, told, self.started)


def _layout_of(model: MarkerModel, rig: rigs.Rig) -> Layout:
    """A model as calibration sees bodies: of size 1, and as long as it is."""
    skeleton = model.skeleton
    return Layout(
        skeleton.parents,
        turning=np.isin(np.arange(skeleton.n_joints), rig.joints),
        spread=model.spreads,
        joints=model.joints,
        lengths=Lengths(skeleton.offsets[None], np.array([np.inf])),
        local=model.offsets[None],
        loose=np.repeat(model.scatter[:, None], 3, axis=1),
    )


def _make_settings(rig: rigs.Rig, frame_time: float, options: rigs.TrackingOptions) -> Any:
    """Numbers that the kernels need, of options and frame rate.

    The prediction's weight and the speed's gain are those of an alpha-beta filter with a cut-off
    frequency f: its tracking index is ``(2 pi f dt)^2`` (Kalata 1984), and the weight is so many
    times what the markers tell of each turn when all are seen.
    """
    from motionloom.fitting.tracking.advance import Settings

    index = (2 * np.pi * options.cutoff * frame_time) ** 2
    r = (4 + index - np.sqrt(8 * index + index**2)) / 4
    alpha = 1 - r**2
    beta = 2 * (2 - alpha) - 4 * np.sqrt(1 - alpha)
    told = told_by_all(rig) * (1 - alpha) / alpha
    return Settings(
        root_weight=float(told[:3].min()),
        turn_weights=told[3:].reshape(-1, 3).min(axis=1),
        gain=float(beta / alpha),
        coast=float(np.exp(-frame_time / options.coast_time)),
        learn=float(1 - np.exp(-frame_time / options.habit_time)),
        gate=options.gate,
        tolerance=options.tolerance,
        lever=options.least_lever,
        drift=options.drift * frame_time,
        loose=options.drift * options.memory,
        patience=max(round(options.patience / frame_time), 1),
        alone=max(round(options.patience_alone / frame_time), 1),
        memory=max(round(options.memory / frame_time), 1),
        hold=float(min(frame_time / options.rest_time, 1.0)),
        rounds=options.rounds,
    )


def told_by_all(rig: rigs.Rig) -> Array:
    """Inverse variance of each unknown when all markers are seen, what is above it being known."""
    from motionloom.fitting.tracking.normal import fill_equations, solve_equations, sum_moments

    work = rigs.rest_work(rig)
    sum_moments(rig, work)
    fill_equations(rig, work)
    diagonal = np.arange(len(rig.above))
    work.matrix[diagonal[3:], diagonal[3:]] += rig.rest_weights.ravel()
    solve_equations(rig.above, work.matrix, work.step)
    return work.matrix[diagonal, diagonal] ** -2.0
