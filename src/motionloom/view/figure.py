"""What is drawn of a motion or markers: points, bones, sides, contacts and the body's path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motionloom.constraints.kinds.marks import Mark, Point
from motionloom.errors import InvalidInputError
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import GroundTransform, Motion, Timed
from motionloom.posed_motion import pose_motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Bools, Ints
from motionloom.view._overlay import Overlay

#: Contacts as callers give them: joint or role name to whether it bears on the ground, shape (T,).
Contacts = Mapping[str, ArrayLike]

MIDDLE, LEFT, RIGHT = 0, 1, 2
#: Colours of the middle of the body, its left and its right, as 8-bit red, green, blue.
SIDE_COLORS = ((70, 70, 78), (31, 119, 180), (226, 104, 28))
#: A velocity is drawn as the way of this time, seconds.
VELOCITY_TIME = 0.25


@dataclass(frozen=True, eq=False)
class FootContact:
    """When one joint bears on the ground.

    Parameters
    ----------
    name : str
        As the caller calls it.
    point : int
        Index among the figure's points.
    side : int
        ``MIDDLE``, ``LEFT`` or ``RIGHT``.
    down : bool array of shape (T,)
        Whether it bears on the ground, frame by frame.
    """

    name: str
    point: int
    side: int
    down: Bools


@dataclass(frozen=True, eq=False)
class Figure(Timed):
    """A motion made ready for drawing.

    Parameters
    ----------
    name : str
        Of the motion.
    frame_time : float, seconds
        Time between frames.
    points : array of shape (T, P, 3), metres
        World positions of joints, then end sites; or of markers.
    valid : bool array of shape (T, P)
        Whether a point is there; always so for joints.
    sides : int array of shape (P,)
        ``MIDDLE``, ``LEFT`` or ``RIGHT``.
    bones : int array of shape (B, 2)
        Points that are joined, upper first; empty for markers.
    body : array of shape (T, 3)
        x and z (metres) of the body on the ground, and where it faces (radians, continuous).
    contacts : tuple of FootContact
        Those that the caller gave.
    roles : mapping of str to int
        Point of every role that was found.
    labels : tuple of str
        Names of the joints or markers.
    feet : tuple of str
        Roles of the joints that bear weight.
    overlay : Overlay or None
        Points that are drawn over it.
    """

    name: str
    frame_time: float
    points: Array
    valid: Bools
    sides: Ints
    bones: Ints
    body: Array
    contacts: tuple[FootContact, ...]
    roles: Mapping[str, int]
    labels: tuple[str, ...]
    feet: tuple[str, ...] = ()
    overlay: Overlay | None = None

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.points)

    @cached_property
    def height(self) -> float:
        """Typical height of what is drawn, metres; at least 0.1."""
        seen = self.drawn.any(axis=1)
        top = np.where(self.drawn, self.points[..., 1], -np.inf)[seen].max(axis=1)
        bottom = np.where(self.drawn, self.points[..., 1], np.inf)[seen].min(axis=1)
        return max(float(np.median(top - bottom)), 0.1)

    @cached_property
    def head(self) -> tuple[int, int] | None:
        """Points around the middle of the head: its joint and, where there is one, its tip."""
        joint = self.roles.get("head")
        if joint is None:
            return None
        tips = self.bones[self.bones[:, 0] == joint, 1]
        return joint, int(tips[0]) if len(tips) else joint

    @cached_property
    def drawn(self) -> Bools:
        """Which points (T, P) are drawn: valid and, on a skeleton, touched by a bone."""
        if not len(self.bones):
            return self.valid
        touched = np.zeros(self.points.shape[1], bool)
        touched[self.bones] = True
        return self.valid & touched

    @cached_property
    def extent(self) -> Array:
        """Lowest and highest corner of what is drawn over all frames, shape (2, 3), metres.

        Examples
        --------
        >>> low, high = build_figure(walk).extent
        >>> bool(high[2] - low[2] > 3.0)  # metres walked along +Z
        True
        """
        points = self.points[self.drawn]
        return np.stack([points.min(axis=0), points.max(axis=0)])

    def frame_at(self, time: float) -> int:
        """Frame nearest to a time.

        Examples
        --------
        >>> build_figure(walk).frame_at(1.0)
        30
        """
        return int(np.clip(round(time / self.frame_time), 0, self.n_frames - 1))

    def find_point(self, name: str) -> int:
        """Point of a joint or role name, -1 where there is none.

        Examples
        --------
        >>> build_figure(walk).find_point("no such joint")
        -1
        """
        return self.labels.index(name) if name in self.labels else self.roles.get(name, -1)

    def place_of(self, mark: Point) -> Array | None:
        """Where a joint is to be, or is when no place is asked for; None when there is no such
        joint.
        """
        if mark.is_in_space:
            return np.array(mark.at)
        point = self.find_point(mark.joint)
        return self.points[self.frame_at(mark.time), point] if point >= 0 else None

    def stand_at(self, time: float) -> GroundTransform:
        """Where the body stands and faces at a time."""
        return GroundTransform.of_body(self.body[self.frame_at(time)])

    def every(self, step: int) -> Figure:
        """Every `step`-th frame.

        Examples
        --------
        >>> build_figure(walk).every(10).n_frames
        24
        """
        return replace(
            self,
            frame_time=self.frame_time * step,
            points=self.points[::step],
            valid=self.valid[::step],
            body=self.body[::step],
            contacts=tuple(replace(c, down=c.down[::step]) for c in self.contacts),
            overlay=None if self.overlay is None else self.overlay.every(step),
        )


def target_times(marks: Sequence[Mark]) -> list[float]:
    """Times of all points that are no mere spans, seconds."""
    points = [mark for mark in marks if isinstance(mark, Point)]
    return [mark.time for mark in points if mark.end is None or mark.at is not None]


def build_figures(
    motions: Motion | MarkerSequence | Sequence[Motion | MarkerSequence],
    contacts: Contacts | Sequence[Contacts | None] | None = None,
    overlays: Sequence[Overlay | None] = (),
) -> list[Figure]:
    """Make motions ready for drawing; a single mapping of contacts belongs to the first.

    Parameters
    ----------
    motions : Motion, MarkerSequence or sequence of them
        What is drawn.
    contacts : mapping or sequence of mappings, optional
        Per motion, joint or role name to the frames (T,) in which it bears on the ground.
    overlays : sequence of Overlay or None, optional
        Per motion, points that are drawn over it; fewer than motions mean none for the others.

    Returns
    -------
    list of Figure
        One for each motion.

    Raises
    ------
    InvalidInputError
        When there is nothing to draw, or contacts do not fit the motions.

    Examples
    --------
    >>> [figure.n_frames for figure in build_figures([walk, walk[:20]])]
    [232, 20]
    """
    several = [motions] if isinstance(motions, Motion | MarkerSequence) else list(motions)
    if not several:
        raise InvalidInputError("there is no motion to draw")
    is_one = contacts is None or isinstance(contacts, Mapping)
    given: Any = [contacts] if is_one else contacts
    if len(given) > len(several):
        raise InvalidInputError(f"contacts of {len(given)} motions were given for {len(several)}")
    figures = [build_figure(motion, own) for motion, own in zip_longest(several, given)]
    return [_with_overlay(figure, over) for figure, over in zip_longest(figures, overlays)]


def _with_overlay(figure: Figure, overlay: Overlay | None) -> Figure:
    if overlay is None:
        return figure
    if len(overlay.points) != figure.n_frames:
        raise InvalidInputError(
            f"{figure.name} has {figure.n_frames} frames, the points over it {len(overlay.points)}"
        )
    return replace(figure, overlay=overlay)


def build_figure(motion: Motion | MarkerSequence, contacts: Contacts | None = None) -> Figure:
    """Make a motion or markers ready for drawing.

    Parameters
    ----------
    motion : Motion or MarkerSequence
        What is drawn.
    contacts : mapping of str to bool array of shape (T,), optional
        Joint or role name to the frames in which it bears on the ground.

    Returns
    -------
    Figure
        Where a skeleton's facing cannot be told, its body faces 0 throughout.

    Raises
    ------
    InvalidInputError
        When there is nothing to draw, or contacts name unknown joints or have another number of
        frames.

    Examples
    --------
    >>> figure = build_figure(walk)
    >>> figure.n_frames, bool(1.5 < figure.height < 2.0)
    (232, True)
    """
    if motion.n_frames == 0:
        raise InvalidInputError(
            f"{motion.name or 'the motion'} has no frames, so there is nothing to draw"
        )
    if isinstance(motion, MarkerSequence):
        if contacts:
            raise InvalidInputError("contacts belong to joints; a file of markers has none")
        return _marker_figure(motion)
    return _motion_figure(motion, contacts or {})


def _motion_figure(motion: Motion, contacts: Contacts) -> Figure:
    skeleton = motion.skeleton
    posed = pose_motion(motion)
    roles = posed.roles
    points = np.concatenate([posed.positions, posed.end_sites], axis=1)
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    sides = sides_of(skeleton, roles)
    sides = np.concatenate([sides, sides[skeleton.end_parents]])
    bones = np.column_stack([parents, np.arange(len(parents))])[1:]
    # A still joint above the hips, as some files have at the origin, is no part of the body.
    above = skeleton.chain(roles.joints["hips"])[:-1]
    bones = bones[~np.isin(bones[:, 0], above)]
    try:
        body = posed.body
    except InvalidInputError:
        body = np.column_stack([posed.hips[:, 0], posed.hips[:, 2], np.zeros(posed.n_frames)])
    figure = Figure(
        name=motion.name or "motion",
        frame_time=motion.frame_time,
        points=points,
        valid=np.ones(points.shape[:2], bool),
        sides=sides,
        bones=bones,
        body=body,
        contacts=(),
        roles=dict(roles.joints),
        labels=skeleton.names,
        feet=roles.feet,
    )
    return replace(
        figure, contacts=tuple(_contact(figure, name, down) for name, down in contacts.items())
    )


def _contact(figure: Figure, name: str, down: ArrayLike) -> FootContact:
    point = figure.find_point(name)
    down = np.asarray(down, bool)
    if point < 0:
        raise InvalidInputError(
            f"contacts of {name!r}: {figure.name} has no joint or role of that name"
        )
    if down.shape != (figure.n_frames,):
        raise InvalidInputError(
            f"contacts of {name!r} must have shape ({figure.n_frames},), got {down.shape}"
        )
    return FootContact(name, point, int(figure.sides[point]), down)


def sides_of(skeleton: Skeleton, roles: Roles) -> Ints:
    """Side of the body (J,) that each joint belongs to: ``MIDDLE``, ``LEFT`` or ``RIGHT``.

    Examples
    --------
    >>> sides = sides_of(walk.skeleton, posed.roles)
    >>> int(sides[walk.skeleton.index("LeftHand")]) == LEFT
    True
    """
    sides = np.full(skeleton.n_joints, MIDDLE)
    for side, name in ((LEFT, "left"), (RIGHT, "right")):
        for part in ("shoulder", "hip"):
            top = roles.joint(f"{name}_{part}")
            if top is not None:
                sides[list(skeleton.descendants(top))] = side
    return sides


def _marker_figure(markers: MarkerSequence) -> Figure:
    seen = markers.valid.sum(axis=1)[:, None]
    centre = markers.positions.sum(axis=1) / np.maximum(seen, 1)
    empty = seen[:, 0] == 0
    if empty.all():
        raise InvalidInputError(f"{markers.name or 'the file'} has no valid marker in any frame")
    # Between frames with markers the body is on the straight line.
    frames = np.arange(len(centre))
    ground = np.column_stack(
        [np.interp(frames, frames[~empty], centre[~empty, axis]) for axis in (0, 2)]
    )
    return Figure(
        name=markers.name or "markers",
        frame_time=markers.frame_time,
        points=markers.positions,
        valid=markers.valid,
        sides=np.full(len(markers.labels), MIDDLE),
        bones=np.zeros((0, 2), int),
        body=np.column_stack([ground, np.zeros(len(ground))]),
        contacts=(),
        roles={},
        labels=markers.labels,
    )
