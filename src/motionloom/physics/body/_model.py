"""Body: a tree of rigid links with masses, made of a skeleton, a height and a mass.

How dense a body is, by its height and mass.

Solids of uniform density that stand for segments: capsules for limbs, boxes for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy

from motionloom.errors import InvalidInputError
from motionloom.physics.body._segments import MassTable, Segment, estimate_height, find_segments
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Ints

#: Round ends stand out beyond the joints by this share of the radius: flesh goes on there.
END = 0.5


@dataclass(frozen=True)
class Solid:
    """A solid about its own centre; its long axis is z.

    Parameters
    ----------
    shape : {"capsule", "box"}
        A cylinder with half spheres at its ends, or a box.
    size : tuple of float, metres
        Of a capsule its radius and half the length between the centres of its ends; of a box half
        its lengths along x, y and z.
    """

    shape: Literal["capsule", "box"]
    size: tuple[float, ...]

    @property
    def volume(self) -> float:
        """Cubic metres."""
        if self.shape == "box":
            return float(8 * np.prod(self.size))
        radius, half = self.size
        return float(np.pi * radius**2 * (2 * half + 4 / 3 * radius))

    def inertia(self, mass: float) -> Array:
        """Moments about x, y and z through the centre, kilograms times square metres, shape (3,).

        Parameters
        ----------
        mass : float, kilograms
            Spread evenly over the volume.

        Returns
        -------
        array of shape (3,)
        """
        if self.shape == "box":
            square = np.square(self.size)
            return np.asarray(mass / 3 * (square.sum() - square), float)
        radius, half = self.size
        ends = mass * (4 / 3 * radius) / (2 * half + 4 / 3 * radius)
        middle = mass - ends
        along = (middle / 2 + ends * 2 / 5) * radius**2
        across = middle * (half**2 / 3 + radius**2 / 4)
        across += ends * (2 / 5 * radius**2 + half**2 + 3 / 4 * half * radius)
        return np.array([across, across, along])


def limb_capsule(length: float, volume: float) -> Solid:
    """The capsule of a limb: its round ends stand out beyond both joints by half their radius.

    Parameters
    ----------
    length : float, metres
        Between the joints.
    volume : float, cubic metres
        Of the whole solid.

    Returns
    -------
    Solid
        A ball where the segment is too short for its volume.
    """
    ball = (3 * volume / (4 * np.pi)) ** (1 / 3)
    if length + 2 * END * ball <= 2 * ball:
        return Solid("capsule", (float(ball), 0.0))
    # Cylinder of length + (2 END - 2) r, and a ball: both together have the volume.
    radius = scipy.optimize.brentq(
        lambda r: np.pi * r**2 * (length + (2 * END - 2 + 4 / 3) * r) - volume, 1e-9, ball
    )
    half = 0.5 * length + (END - 1) * radius
    return Solid("capsule", (float(radius), float(max(half, 0.0))))


def filled_box(length: float, width: float, volume: float) -> Solid:
    """The box of given length (z) and width (x) whose depth (y) gives its volume.

    Parameters
    ----------
    length, width : float, metres
        Along z and x.
    volume : float, cubic metres
        Of the whole solid.

    Returns
    -------
    Solid
    """
    depth = volume / max(length * width, 1e-9)
    return Solid("box", (0.5 * width, 0.5 * depth, 0.5 * length))


#: Heights (metres) and masses (kilograms) of people.
HEIGHTS = (0.4, 2.6)
MASSES = (2.0, 400.0)
#: Mass over squared height that is taken where no mass is told, kilograms per square metre.
USUAL_BUILD = 22.0


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
    density = body_density(height, mass)
    segments = find_segments(posed, height)
    parts = _weigh(segments, mass, density, table or MassTable())
    joints = _links(posed, segments)
    return Body(
        roles=posed.roles,
        height=float(height),
        mass=float(mass),
        parts=parts,
        notes=tuple(notes),
        **_assemble(posed, joints, parts),
    )


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
    both = zip(segments, shares, strict=True)
    return tuple(_part(segment, scale * share, density, table) for segment, share in both)


def _part(segment: Segment, mass: float, density: float, table: MassTable) -> Part:
    row = table.row(segment.kind)
    volume = mass / density
    solid = limb_capsule(segment.length, volume)
    if segment.width:
        solid = filled_box(segment.length, segment.width, volume)
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
        ahead = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    ahead /= np.linalg.norm(ahead)
    return np.stack([np.cross(ahead, along), ahead, along], axis=-1)


def _assemble(posed: PosedMotion, joints: Sequence[int], parts: tuple[Part, ...]) -> dict[str, Any]:
    """The links of a body, as the fields that it has of them."""
    skeleton = posed.motion.mean_skeleton()
    links = {joint: k for k, joint in enumerate(joints)}
    offsets = skeleton.offsets[list(joints)].copy()
    offsets[0] = 0.0
    owners = [links[part.segment.joint] for part in parts]
    masses = np.zeros(len(joints))
    centers = np.zeros((len(joints), 3))
    inertias = np.zeros((len(joints), 3, 3))
    for k, part in zip(owners, parts, strict=True):
        masses[k] += part.mass
        centers[k] += part.mass * part.center
    centers /= np.where(masses > 0, masses, 1.0)[:, None]
    for k, part in zip(owners, parts, strict=True):
        inertias[k] += part.inertia + part.mass * _away(part.center - centers[k])
    above = [links.get(int(skeleton.parents[joint]), -1) for joint in joints]
    numbers = {"joints": np.array(joints), "parents": np.array(above), "offsets": offsets}
    weights = {"masses": masses, "centers": centers, "inertias": inertias}
    return {"skeleton": skeleton, **numbers, **weights}


def _away(arm: Array) -> Array:
    """What a unit mass at the end of an arm adds to an inertia (Huygens & Steiner)."""
    return np.asarray(arm @ arm * np.eye(3) - np.outer(arm, arm), float)


def _check_build(height: float, mass: float) -> None:
    """Refuse a height or mass that no person has.

    Parameters
    ----------
    height : float, metres
        Stature.
    mass : float, kilograms
        Of the whole body.

    Raises
    ------
    InvalidInputError
        When one of them is out of range.
    """
    if not HEIGHTS[0] <= height <= HEIGHTS[1]:
        raise InvalidInputError(
            f"the height must be between {HEIGHTS[0]} and {HEIGHTS[1]} metres, got {height:g};"
            " give it in metres",
            hint="give height",
        )
    if not MASSES[0] <= mass <= MASSES[1]:
        raise InvalidInputError(
            f"the mass must be between {MASSES[0]:g} and {MASSES[1]:g} kilograms, got {mass:g};"
            " give it in kilograms",
            hint="give mass",
        )


def body_density(height: float, mass: float) -> float:
    """Mean density of a body (Drillis & Contini 1966, as Winter 2009 gives it).

    ``0.69 + 0.9 c`` kilograms per litre with the ponderal index ``c = height / mass^(1/3)``: the
    slimmer, the denser.

    Parameters
    ----------
    height : float, metres
        Stature.
    mass : float, kilograms
        Of the whole body.

    Returns
    -------
    float, kilograms per cubic metre

    Raises
    ------
    InvalidInputError
        When height or mass are not a person's.
    """
    _check_build(height, mass)
    return float(1000.0 * (0.69 + 0.9 * height / mass ** (1 / 3)))
