"""TrackingOptions: what a tracker may be told; frozen settings that all trials share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TrackingOptions:
    """Settings of causal tracking and of smoothing.

    Parameters
    ----------
    cutoff : float, hertz
        Movement faster than this is taken for noise.
    gate : float, metres
        A marker this far from where its segment and its habit put it is not trusted.
    tolerance : float, metres
        Scale of the Geman-McClure loss.
    rounds : int
        Gauss-Newton steps per frame.
    least_scatter : float, metres
        No marker counts as more exact than this.
    rest_spread, bare_rest_spread : float, radians
        Standard deviation of a turn about its rest pose, with markers on the segment and without,
        where the model does not say.
    least_spread : float, radians
        No turn is taken to be more certain than this.
    least_lever : float, metres
        A turn is told by markers at least this far from its axis.
    habit_time : float, seconds
        Over which a marker's usual place beside its model place is learned.
    coast_time : float, seconds
        Over which a segment that is not seen loses its speed.
    patience : float, seconds
        How long a body of which most markers disagree with the pose is followed before it is looked
        for anew.
    patience_alone : float, seconds
        How long a segment holds out against the only marker that it has.
    drift : float, metres per second
        How fast the prediction of a segment without a trusted marker may go wrong.
    memory : float, seconds
        A segment that was not told for longer is masked, and found again wherever its markers come
        back.
    rest_time : float, seconds
        While a turn is not told, the pull towards its rest pose weighs as one look at it in so
        long.
    """

    cutoff: float = 12.0
    gate: float = 0.03
    tolerance: float = 0.03
    rounds: int = 2
    least_scatter: float = 0.01
    rest_spread: float = 3.0
    bare_rest_spread: float = 0.5
    least_spread: float = 0.02
    least_lever: float = 0.02
    habit_time: float = 0.25
    coast_time: float = 0.15
    patience: float = 0.15
    patience_alone: float = 1.0
    drift: float = 1.5
    memory: float = 0.1
    rest_time: float = 100.0
