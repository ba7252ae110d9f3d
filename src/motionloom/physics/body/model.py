"""Body: a tree of rigid links with masses, made of a skeleton, a height and a mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.physics.body.density import USUAL_BUILD, body_density, check_build
from motionloom.physics.body.segments import Segment, estimate_height, find_segments
from motionloom.physics.body.solids import Solid, filled_box, limb_capsule
from motionloom.physics.body.table import MassTable
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton, frozen_array, restore_read_only
from motionloom.typing import Array, Ints


@dataclass(frozen=True, eq=False)
class Part:
    """A segment with its mass.

    Parameters
    ----------
    segment : Segment
        Where it lies.
    mass : float, kilograms
        Of it alone.
    center : array of shape (3,), metres
        Centre of mass in the frame of the segment's joint.
    axes : array of shape (3, 3)
        Columns: the solid's axes x, y and z in that frame.
    moments : array of shape (3,), kilograms times square metres
        Moments of inertia through the centre about these axes.
    solid : Solid
        What is drawn and exported for it.
    """

    segment: Segment
    mass: float
    center: Array
    axes: Array
    moments: Array
    solid: Solid

    @property
    def inertia(self) -> Array:
        """Inertia through its centre in the joint's frame, (3, 3)."""
        return np.asarray((self.axes * self.moments) @ self.axes.T, float)


@dataclass(frozen=True, eq=False)
class Body:
    """Rigid links that are joined by spherical joints; the first floats freely.

    Parameters
    ----------
    skeleton : Skeleton
        Joints with constant bones.
    roles : Roles
        Which joint plays which part.
    height : float, metres
        Stature.
    mass : float, kilograms
        Of the whole body.
    joints : int array of shape (L,)
        Joint of the skeleton that carries each link. Joints beyond, such as fingers, are stiff.
    parents : int array of shape (L,)
        Parent of each link among the links, -1 for the first; parents come first.
    offsets : array of shape (L, 3), metres
        Each link's joint in its parent's frame; 0 for the first.
    masses : array of shape (L,), kilograms
        Of the links; 0 where a joint only divides a segment.
    centers : array of shape (L, 3), metres
        Centre of mass of each link in its frame.
    inertias : array of shape (L, 3, 3), kilograms times square metres
        Through the centres, in the links' frames.
    parts : tuple of Part
        The segments that the links are made of.
    notes : tuple of str
        What was guessed.
    """

    skeleton: Skeleton
    roles: Roles
    height: float
    mass: float
    joints: Ints
    parents: Ints
    offsets: Array
    masses: Array
    centers: Array
    inertias: Array
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    __setstate__ = restore_read_only

    def __post_init__(self) -> None:
        for name, dtype in (
            ("joints", int),
            ("parents", int),
            ("offsets", float),
            ("masses", float),
            ("centers", float),
            ("inertias", float),
        ):
            object.__setattr__(self, name, frozen_array(getattr(self, name), dtype))

    @property
    def n_links(self) -> int:
        """Number of links L."""
        return len(self.joints)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the links: those of their joints."""
        return tuple(self.skeleton.names[j] for j in self.joints)

    def link(self, joint: int) -> int:
        """The link that moves with a joint of the skeleton: its own, or the nearest above it."""
        links = {int(j): k for k, j in enumerate(self.joints)}
        while joint not in links and joint >= 0:
            joint = int(self.skeleton.parents[joint])
        return links.get(joint, 0)


def make_body(
    posed: PosedMotion,
    height: float | None = None,
    mass: float | None = None,
    table: MassTable | None = None,
) -> Body:
    """Give a moving skeleton masses.

    Masses are Winter's (2009, table 4.1) shares of the body's; volumes follow from the density of
    Drillis and Contini; solids are capsules for limbs and boxes for trunk, hands and feet.

    Parameters
    ----------
    posed : PosedMotion
        The body in motion; places on trunk and head are means over its frames.
    height : float, metres, optional
        Stature; from the length of the legs when not given.
    mass : float, kilograms, optional
        Of the whole body; that of a usual build when not given.
    table : MassTable, optional
        The user's own shares, centres and radii of gyration.

    Returns
    -------
    Body
        Its `notes` say what was guessed.

    Raises
    ------
    InvalidInputError
        When it is no human, a joint has no role, or height or mass are not a person's.

    Examples
    --------
    >>> body = make_body(posed, height=1.75, mass=70.0)
    >>> round(float(body.mass), 1)
    70.0
    """
    notes = []
    if height is None:
        height = estimate_height(posed)
        notes.append(f"height {height:.2f} m, from the length of the legs")
    if mass is None:
        mass = USUAL_BUILD * height**2
        notes.append(f"mass {mass:.1f} kg, of a usual build ({USUAL_BUILD:g} kg/m^2)")
    check_build(height, mass)
    segments = find_segments(posed, height)
    parts = _weigh(segments, mass, body_density(height, mass), table or MassTable())
    joints = _links(posed, segments)
    return _assemble(posed, (height, mass), joints, parts, tuple(notes))


def _links(posed: PosedMotion, segments: Sequence[Segment]) -> list[int]:
    """Joints that carry a segment, and those on the way to them from the one above all."""
    skeleton = posed.skeleton
    heavy = {s.joint for s in segments}
    hips = posed.roles.joints["hips"]
    base = hips if heavy <= set(skeleton.descendants(hips)) else posed.motion.root_joint
    below = set(skeleton.descendants(base))
    return sorted({j for joint in heavy for j in skeleton.chain(joint)} & below)


def _weigh(
    segments: Sequence[Segment], mass: float, density: float, table: MassTable
) -> tuple[Part, ...]:
    """Masses and inertias; the user's shares are scaled so that all add up to the body's mass."""
    trunk = sum(s.share for s in segments if s.kind == "trunk")
    shares = []
    for segment in segments:
        told = table.row(segment.kind).share
        portion = segment.share / trunk if segment.kind == "trunk" else 1.0
        shares.append(segment.share if told is None else told * portion)
    scale = mass / sum(shares)
    return tuple(
        _part(segment, scale * share, density, table)
        for segment, share in zip(segments, shares, strict=True)
    )


def _part(segment: Segment, mass: float, density: float, table: MassTable) -> Part:
    row = table.row(segment.kind)
    volume = mass / density
    solid = (
        filled_box(segment.length, segment.width, volume)
        if segment.width
        else limb_capsule(segment.length, volume)
    )
    along = segment.along if row.along is None or segment.kind == "trunk" else row.along
    center = segment.start + along * (segment.end - segment.start)
    moments = solid.inertia(mass)
    if row.gyration is not None and segment.kind != "trunk":
        moments = mass * np.square(np.array(row.gyration) * segment.length)
    return Part(segment, mass, center, _axes(segment), moments, solid)


def _axes(segment: Segment) -> Array:
    """Columns: to the left, ahead, along the segment; in the joint's frame."""
    along = (segment.end - segment.start) / max(segment.length, 1e-12)
    ahead = np.cross(along, segment.side)
    if np.linalg.norm(ahead) < 0.1:  # an arm held out to the side
        other = np.eye(3)[int(np.argmin(np.abs(along)))]
        ahead = np.cross(along, other)
    ahead /= np.linalg.norm(ahead)
    return np.stack([np.cross(ahead, along), ahead, along], axis=-1)


def _assemble(
    posed: PosedMotion,
    build: tuple[float, float],
    joints: Sequence[int],
    parts: tuple[Part, ...],
    notes: tuple[str, ...],
) -> Body:
    skeleton = posed.motion.mean_skeleton()
    links = {joint: k for k, joint in enumerate(joints)}
    parents = [links.get(int(skeleton.parents[joint]), -1) for joint in joints]
    offsets = skeleton.offsets[list(joints)].copy()
    offsets[0] = 0.0
    masses = np.zeros(len(joints))
    moments = np.zeros((len(joints), 3))
    for part in parts:
        masses[links[part.segment.joint]] += part.mass
        moments[links[part.segment.joint]] += part.mass * part.center
    centers = moments / np.where(masses > 0, masses, 1.0)[:, None]
    inertias = np.zeros((len(joints), 3, 3))
    for part in parts:
        k = links[part.segment.joint]
        inertias[k] += part.inertia + part.mass * _away(part.center - centers[k])
    return Body(
        skeleton=skeleton,
        roles=posed.roles,
        height=float(build[0]),
        mass=float(build[1]),
        joints=np.array(joints),
        parents=np.array(parents),
        offsets=offsets,
        masses=masses,
        centers=centers,
        inertias=inertias,
        parts=parts,
        notes=notes,
    )


def _away(arm: Array) -> Array:
    """What a unit mass at the end of an arm adds to an inertia (Huygens & Steiner)."""
    return np.asarray(arm @ arm * np.eye(3) - np.outer(arm, arm), float)
