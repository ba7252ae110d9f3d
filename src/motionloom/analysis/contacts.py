"""When the feet bear on the ground: slow and low, with hysteresis and least durations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from motionloom.analysis.soles import STILL_SPEED, Soles, fit_soles, point_velocity, resting_height
from motionloom.curves import runs_of, touching_runs
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.skeleton import frozen_array
from motionloom.typing import Array, Bools

#: A paw may rest higher while it is this many times slower; see `ContactOptions.paw_height`.
PAW_SLOWER = 4.0
#: Paws are short and roll faster than soles: their thresholds of speed are this many times higher.
PAW_FASTER = 1.6


@dataclass(frozen=True)
class ContactOptions:
    """Thresholds of contact; lengths in leg lengths, so that they fit a child and a dog.

    Parameters
    ----------
    enter_speed, leave_speed : float, leg lengths per second
        A point in contact stays below `leave_speed`, and somewhere below `enter_speed`.
    walking_speed : float, leg lengths per second
        Where the point's largest speed within half a second is above this (someone runs: the foot
        rolls faster, and briefly), both speeds grow in proportion.
    enter_height, leave_height : float, leg lengths
        The same for the height above where it rests.
    paw_height : float, leg lengths
        A foot of one point only (a paw stands on its toes, at any slope) may rest as high as this
        while it is `PAW_SLOWER` times slower than the other thresholds ask for.
    least_contact, least_gap : float, seconds
        Shorter contacts are dropped, after shorter gaps have been closed.
    """

    enter_speed: float = 0.2
    leave_speed: float = 0.35
    walking_speed: float = 4.5
    enter_height: float = 0.025
    leave_height: float = 0.04
    paw_height: float = 0.1
    least_contact: float = 0.06
    least_gap: float = 0.07

    def __post_init__(self) -> None:
        speeds = 0 < self.enter_speed <= self.leave_speed and self.walking_speed > 0
        if not speeds or not 0 < self.enter_height <= self.leave_height:
            raise InvalidInputError(
                "contact thresholds must be positive, and those to enter no larger than to leave"
            )
        if min(self.paw_height, self.least_contact, self.least_gap) < 0:
            raise InvalidInputError(
                "the height of paws and least durations of contact and gap must not be negative"
            )


@dataclass(frozen=True, eq=False)
class FootContacts:
    """Which points of the soles bear on the ground in which frames.

    Parameters
    ----------
    soles : Soles
        The points, in the order of the columns of `down`.
    down : bool array of shape (T, P)
        Whether each of P points bears on the ground in each of T frames.
    ground : float, metres
        Height of the ground in this motion (captures are not exactly at 0).
    """

    soles: Soles
    down: Bools
    ground: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "down", frozen_array(self.down, bool))

    def foot(self, foot: str) -> Bools:
        """Whether any point of a foot is down, shape (T,)."""
        return np.asarray(np.any(self.down[:, list(self.soles.of(foot))], axis=1))

    def by_foot(self) -> dict[str, Bools]:
        """Whether each foot is down: role of the foot to shape (T,).

        Examples
        --------
        >>> sorted(detect_contacts(posed).by_foot())
        ['left_foot', 'right_foot']
        """
        return {foot: self.foot(foot) for foot in self.soles.feet}

    def point(self, foot: str, part: str) -> Bools:
        """Whether one point of a foot is down in each frame.

        Parameters
        ----------
        foot : str
            Role of the foot's joint, such as ``"left_foot"``.
        part : {"heel", "toe"}
            A paw has no heel, a foot without toe joint and end site no toe.

        Returns
        -------
        bool array of shape (T,)

        Raises
        ------
        InvalidInputError
            When the soles have no such point.

        Examples
        --------
        >>> contacts = detect_contacts(posed)
        >>> heel, toe = (contacts.point("left_foot", part) for part in ("heel", "toe"))
        >>> bool((contacts.foot("left_foot") == (heel | toe)).all())
        True
        """
        for i, p in enumerate(self.soles.points):
            if (p.foot, p.part) == (foot, part):
                return self.down[:, i]
        raise InvalidInputError(f"there is no point {part!r} of foot {foot!r} among the soles")


def find_foot_contacts(motion: Motion) -> dict[str, Bools] | None:
    """When each foot of a motion bears on the ground, by the foot's role, shape (T,) each.

    None for a motion of something without legs, or without frames.

    Examples
    --------
    >>> sorted(find_foot_contacts(walk))
    ['left_foot', 'right_foot']
    """
    if not motion.n_frames:
        return None
    try:
        return detect_contacts(pose_motion(motion)).by_foot()
    except InvalidInputError:
        return None


def detect_contacts(
    posed: PosedMotion,
    options: ContactOptions | None = None,
    soles: Soles | None = None,
    ground: float | None = None,
) -> FootContacts:
    """Find the frames in which heels and toes bear on the ground.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    options : ContactOptions, optional
        Thresholds.
    soles : Soles, optional
        Calibrated on more motions of the same skeleton; found from this one when not given. The
        ground under this motion may lie higher or lower than under those.
    ground : float, metres, optional
        Height of the ground, where it is known; found from where the soles rest when not given.

    Returns
    -------
    FootContacts
        One level ground is assumed: feet on stairs or boxes are in the air.

    Raises
    ------
    InvalidInputError
        When the skeleton has no feet or no whole leg.

    Examples
    --------
    >>> contacts = detect_contacts(posed)
    >>> left = contacts.foot("left_foot")
    >>> bool(0.5 < left.mean() < 0.9)  # share of the time that the foot is down
    True
    """
    options = options or ContactOptions()
    soles = soles or fit_soles([posed])
    points = soles.positions(posed)
    speed = np.linalg.norm(point_velocity(points, posed.fps), axis=-1) / soles.leg
    if ground is None:
        ground = estimate_ground(points[..., 1], speed, soles, posed.fps)
    height = (points[..., 1] - ground - [p.rest for p in soles.points]) / soles.leg
    parts = [p.foot for p in soles.points]
    paw = np.array([parts.count(foot) == 1 for foot in parts])
    brisk = _brisk(speed, posed.fps, options) * np.where(paw, PAW_FASTER, 1.0)
    stays = (speed < options.leave_speed * brisk) & (height < options.leave_height)
    enters = (speed < options.enter_speed * brisk) & (height < options.enter_height)
    paw = paw & (height < options.paw_height)
    stays |= paw & (PAW_SLOWER * speed < options.leave_speed)
    enters |= paw & (PAW_SLOWER * speed < options.enter_speed)
    both = zip(stays.T, enters.T, strict=True)
    down = np.column_stack([contact_runs(a, b, posed.fps, options) for a, b in both])
    return FootContacts(soles, down, ground)


def estimate_ground(heights: Array, speed: Array, soles: Soles, fps: float) -> float:
    """Height of the ground under a motion, from where the soles' points rest in it.

    It is the median over the points of how much higher each rests than its calibrated height.

    Parameters
    ----------
    heights : array of shape (T, P), metres
        World heights of the soles' points.
    speed : array of shape (T, P), leg lengths per second
        Of the same points; only those slower than `STILL_SPEED` count.
    soles : Soles
        Their points have the calibrated heights.
    fps : float
        Frames per second.

    Returns
    -------
    float, metres
        The soles' own ground where no point rests long enough to tell.
    """
    found = []
    for point, height, slow in zip(soles.points, heights.T, speed.T < STILL_SPEED, strict=True):
        rest = resting_height(height, slow, fps)
        found += [] if rest is None else [rest - point.rest]
    return float(np.median(found)) if found else soles.ground


def _brisk(speed: Array, fps: float, options: ContactOptions) -> Array:
    """Factor of the speed thresholds, at least 1, shape (T, P)."""
    peak = scipy.ndimage.maximum_filter1d(speed, 2 * round(0.5 * fps) + 1, axis=0, mode="nearest")
    return np.maximum(peak / options.walking_speed, 1.0)


def contact_runs(
    stays: Bools, enters: Bools, fps: float, options: ContactOptions | None = None
) -> Bools:
    """Contacts with hysteresis: short gaps closed, then short contacts dropped.

    Parameters
    ----------
    stays : bool array of shape (T,)
        Frames in which a contact may last.
    enters : bool array of shape (T,)
        Frames of which a contact needs one.
    fps : float
        Frames per second.
    options : ContactOptions, optional
        Its least durations of contact and gap count.

    Returns
    -------
    bool array of shape (T,)
    """
    options = options or ContactOptions()
    real = touching_runs(stays, enters)
    gaps = _without_short(~real, options.least_gap * fps, inner=True)
    return _without_short(~gaps, options.least_contact * fps, inner=False)


def drop_short_contacts(down: Bools, fps: float, options: ContactOptions | None = None) -> Bools:
    """Contacts without those that are shorter than the least duration.

    Pieces of clips leave such short ones at their ends.

    Parameters
    ----------
    down : bool array of shape (T, P)
        Whether each point bears on the ground.
    fps : float
        Frames per second.
    options : ContactOptions, optional
        Its `least_contact` is the least duration.

    Returns
    -------
    bool array of shape (T, P)
    """
    least = (options or ContactOptions()).least_contact * fps
    return np.column_stack(
        [_without_short(column, least, inner=False) for column in np.asarray(down, bool).T]
    )


def _without_short(runs: Bools, least: float, inner: bool) -> Bools:
    """Drop true runs shorter than `least` frames; with `inner`, only those between false ones."""
    kept = np.zeros(len(runs), bool)
    for start, stop in runs_of(runs):
        at_end = start == 0 or stop == len(runs)
        kept[start:stop] = stop - start >= least or (inner and at_end)
    return kept
