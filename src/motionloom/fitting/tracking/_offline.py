"""`track`: a whole trial, followed frame by frame, then smoothed with all frames known.

Looks: what the markers of many frames say, as kernels take it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.linalg import solveh_banded
from scipy.ndimage import gaussian_filter1d

from motionloom import rotations as rot
from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.fitting.limbs import match_markers
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.tracking._causal import MarkerTracker, told_by_all
from motionloom.fitting.tracking._rig import Rig, TrackingOptions, make_work, spread_to_joints
from motionloom.fitting.tracking._tracked import TrackedMotion, find_events, take_sources
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools, Ints

#: Frames that are smoothed at once, and frames on either side that are solved with them.
_WINDOW, _MARGIN = 400, 60
#: Gauss-Newton steps of smoothing.
_ROUNDS = 3


@dataclass(frozen=True, eq=False)
class _Followed:
    """What causal tracking found, frame by frame, of nodes and the model's markers.

    Nodes are `seen` in frames that tell their turns, and `told` for a while after.
    """

    roots: Array
    turns: Array
    trusted: Bools
    sources: Ints
    told: Bools
    seen: Bools
    residuals: Array


@one_thread()
def track(
    model: MarkerModel,
    markers: MarkerSequence,
    options: TrackingOptions | None = None,
    progress: Progress = silent,
) -> TrackedMotion:
    """Fit a model to a whole trial.

    Parameters
    ----------
    model : MarkerModel
        Skeleton and markers on it.
    markers : MarkerSequence
        The trial; labels that the model does not have are left out, those that the trial does not
        have count as never seen.
    options : TrackingOptions, optional
        Settings.
    progress : Progress
        Told of frames.

    Returns
    -------
    TrackedMotion
        With as many frames as the trial.

    Raises
    ------
    InvalidInputError
        When the trial has none of the model's markers, or no frame with enough of them to find the
        body.
    """
    options = options or TrackingOptions()
    given = match_markers(model, markers)
    tracker = MarkerTracker(model, given.frame_time, options)
    followed = _follow(tracker, given, progress)
    smoother = _Smoother(tracker.rig, given.frame_time, options)
    observed, valid = take_sources(given.positions, given.valid, followed.sources)
    roots = followed.roots.copy()
    turns = followed.turns.copy()
    trusted = followed.trusted
    hold = min(given.frame_time / options.rest_time, 1.0)
    holds = np.where(followed.seen, 1.0, hold)
    for _ in range(_ROUNDS):
        smoother.improve(roots, turns, _Looks(observed, trusted.astype(float), holds))
        misses, own = smoother.miss(roots, turns, observed)
        # Smoothing may win back what looked wrong; it takes nothing back, or fast movement, which
        # it rounds off, would cost a limb its markers.
        near = _surprises(own, valid & trusted, options, given) < options.gate
        trusted = valid & (followed.trusted | near)
    misses[~valid] = np.nan
    smoothed = replace(followed, roots=roots, turns=turns, trusted=trusted, residuals=misses)
    return _as_tracked(model, tracker, given, smoothed)


def follow(
    model: MarkerModel,
    markers: MarkerSequence,
    options: TrackingOptions | None = None,
    progress: Progress = silent,
) -> TrackedMotion:
    """The same as `track` from the past only, as a live stream would be followed.

    Parameters
    ----------
    model, markers, options, progress
        As of `track`.

    Returns
    -------
    TrackedMotion
        Not smoothed; frames before the body was first found are followed backwards.

    Raises
    ------
    InvalidInputError
        As of `track`.
    """
    given = match_markers(model, markers)
    tracker = MarkerTracker(model, given.frame_time, options)
    return _as_tracked(model, tracker, given, _follow(tracker, given, progress))


def _as_tracked(
    model: MarkerModel, tracker: MarkerTracker, given: MarkerSequence, found: _Followed
) -> TrackedMotion:
    rig = tracker.rig
    observed = _joints_told(rig, found, tracker.memory)
    rotations = rot.identity(len(found.roots), model.skeleton.n_joints)
    rotations[:, rig.joints] = rot.normalize(found.turns)
    places = found.roots[:, None]
    motion = Motion(model.skeleton, rotations, places, given.frame_time, name=given.name)
    tracked = TrackedMotion(model, motion, observed, found.residuals, found.trusted, found.sources)
    return replace(tracked, events=find_events(tracked, given.valid))


def _follow(tracker: MarkerTracker, given: MarkerSequence, progress: Progress) -> _Followed:
    """Causal tracking forwards and, before the first frame with enough markers, backwards."""
    poses = []
    seen = []
    for t in range(given.n_frames):
        poses.append(tracker.update(given.positions[t], given.valid[t]))
        seen.append(tracker.told)
        if t % 100 == 99:
            progress("following markers", t + 1, given.n_frames)
    begun = next((t for t, pose in enumerate(poses) if pose.started), None)
    if begun is None:
        raise InvalidInputError(
            f"{given.name or 'the trial'}: no frame has enough markers to find the body; one with"
            f" {tracker.enough} of {len(given.labels)} is needed, the fullest has"
            f" {int(given.valid.sum(axis=1).max(initial=0))}"
        )
    back = MarkerTracker(tracker.model, given.frame_time, tracker.options)
    for t in range(begun, -1, -1) if begun else ():
        poses[t] = back.update(given.positions[t], given.valid[t])
        seen[t] = back.told
    joints = tracker.rig.joints
    kept = ("trusted", "sources", "residuals")
    return _Followed(
        roots=np.array([pose.root for pose in poses]),
        turns=np.array([pose.rotations[joints] for pose in poses]),
        told=np.array([pose.observable[joints] for pose in poses]),
        seen=np.array(seen),
        **{name: np.array([getattr(pose, name) for pose in poses]) for name in kept},
    )


class _Smoother:
    """Gauss-Newton over all frames of a trial: markers, acceleration and a little speed."""

    def __init__(self, rig: Rig, frame_time: float, options: TrackingOptions) -> None:
        self.rig = rig
        self.work = make_work(rig)
        least = np.repeat(told_by_all(rig).reshape(-1, 3).min(axis=1), 3)
        # Half of a movement of the cut-off frequency f passes: (2 pi f dt)^4 is its bending.
        self.bends = least / (2 * np.pi * options.cutoff * frame_time) ** 4
        self.drags = self.bends * (frame_time / options.coast_time) ** 2

    def improve(self, roots: Array, turns: Array, looks: _Looks) -> None:
        """One step of all frames, in place, window by window."""
        before = (roots.copy(), turns.copy())
        for start in range(0, len(roots), _WINDOW):
            stop = start + _WINDOW
            whole = slice(max(start - _MARGIN, 0), stop + _MARGIN)
            moved = tuple(a[whole].copy() for a in before)
            self._solve(moved[0], moved[1], _Looks(*(a[whole] for a in looks)))
            kept = slice(start - whole.start, stop - whole.start)
            roots[start:stop] = moved[0][kept]
            turns[start:stop] = moved[1][kept]

    def _solve(self, roots: Array, turns: Array, looks: _Looks) -> None:
        from motionloom.fitting.tracking.frames import gather_frames, move_frames, tie_frames

        n = len(self.rig.above)
        band = np.zeros((2 * n + 1, len(roots) * n))
        right = np.zeros(len(roots) * n)
        gather_frames(self.rig, self.work, roots, turns, looks, band, right)
        tie_frames(self.rig, roots, turns, self.bends, self.drags, band, right)
        band[0] += 1e-9 * band[0].max()
        steps = solveh_banded(
            band, right, overwrite_ab=True, overwrite_b=True, lower=True, check_finite=False
        )
        move_frames(self.rig, roots, turns, steps)

    def miss(self, roots: Array, turns: Array, observed: Array) -> tuple[Array, Array]:
        """Residuals (T, M, 3) in the world and in the segments' frames."""
        from motionloom.fitting.tracking.frames import miss_frames

        misses, own = np.zeros((2, *observed.shape))
        miss_frames(self.rig, self.work, roots, turns, observed, misses, own)
        return misses, own


def _surprises(own: Array, used: Bools, options: TrackingOptions, markers: MarkerSequence) -> Array:
    """Distance of every residual from what is usual around its time, metres, (T, M)."""
    frames = max(options.habit_time / markers.frame_time, 1.0)
    weight = gaussian_filter1d(used.astype(float), frames, axis=0, mode="constant")
    total = gaussian_filter1d(own * used[..., None], frames, axis=0, mode="constant")
    usual = total / np.maximum(weight, 1e-6)[..., None]
    return np.asarray(np.linalg.norm(own - usual, axis=-1))


def _joints_told(rig: Rig, found: _Followed, memory: int) -> Bools:
    """Which joints are told; causal tracking notices late that one is not, as it bridges first.

    Joints that never turn are told with the one that carries them.
    """
    nodes = found.told.copy()
    for node in range(nodes.shape[1]):
        for first, _ in runs_of(~found.told[:, node]):
            nodes[max(first - memory, 0) : first, node] = False
    return spread_to_joints(rig, nodes)


class _Looks(NamedTuple):
    """What is known of every frame.

    Parameters
    ----------
    observed : array of shape (T, M, 3), metres
        Where markers were seen.
    trust : array of shape (T, M)
        Weight of each before its variance, 0 where it was not seen.
    holds : array of shape (T, K)
        Share of its weight that the rest pose has.
    """

    observed: Array
    trust: Array
    holds: Array
