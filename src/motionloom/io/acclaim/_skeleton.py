"""The Acclaim skeleton as its file has it, and how it becomes joints and degrees of freedom.

A bone turns at its start and ends at its tip, where its children start. The joint of a bone has the
bone's name and lies at its start; the tip of a bone without children becomes an end site.
Directions are in world axes of the rest pose, so at rest every joint frame is aligned with the
world and a bone with axis C and motion M turns by ``C M C^-1``. Rotations are about fixed axes in
the order written: ``dof rx ry rz`` means Rz Ry Rx.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom import rotations as rot
from motionloom.euler_coordinates import EulerCoordinates, EulerJoint
from motionloom.io.units import turn_vectors
from motionloom.skeleton import Skeleton
from motionloom.typing import Array

Y_UP = np.eye(3)
FREEDOMS = ("tx", "ty", "tz", "rx", "ry", "rz")


@dataclass(frozen=True)
class Bone:
    """One bone of an ASF file, in the file's units.

    Parameters
    ----------
    name : str
        Unique name.
    direction : tuple of 3 floats
        Unit vector from start to tip in the rest pose.
    length : float
        In the file's unit of length.
    axis : tuple of 3 floats
        Angles of the bone's own axes about fixed axes, in `axis_order`.
    axis_order : str
        Such as ``"XYZ"``: first about X.
    freedoms : tuple of str
        ``"rx"``, ``"ty"`` ... or ``"l"`` in the order of the numbers in an AMC file.
    limits : tuple of (float, float)
        Lower and upper limit of each freedom; empty when the file has none.
    """

    name: str
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order: str = "XYZ"
    freedoms: tuple[str, ...] = ()
    limits: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class AsfSkeleton:
    """An ASF file as it is written.

    Parameters
    ----------
    path : str
        The file.
    length_unit : float
        The number after ``length`` in the units section; 1 when there is none.
    degrees : bool
        Whether angles are degrees.
    root : Bone
        The root; `axis` is its preset orientation and `position` its preset position.
    position : tuple of 3 floats
        Preset position of the root.
    bones : tuple of Bone
        All others, parents first, siblings in the order of the hierarchy.
    parents : tuple of int
        Index of each bone's parent in `bones`, -1 for the root.
    notes : tuple of str
        What was mended while reading.
    """

    path: str
    length_unit: float
    degrees: bool
    root: Bone
    position: tuple[float, ...]
    bones: tuple[Bone, ...]
    parents: tuple[int, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Bone]:
        """All bones, the root first."""
        return {bone.name: bone for bone in (self.root, *self.bones)}

    @property
    def radians_per_unit(self) -> float:
        """Radians in the file's unit of angle."""
        return float(np.pi / 180) if self.degrees else 1.0

    def skeleton(self, unit: float, axes: Array = Y_UP) -> Skeleton:
        """Joints of the bones, joint 0 being the root.

        Parameters
        ----------
        unit : float
            Metres per unit of length.
        axes : array of shape (3, 3), optional
            Turns the file's axes to ours; see `motionloom.io.units.axes_to_y_up`.

        Returns
        -------
        Skeleton
            In metres, with its axes turned; joint 0 is called ``"root"`` and joint i + 1 after bone
            i.
        """
        bones = [np.multiply(bone.length, bone.direction) for bone in self.bones]
        tips = np.array(bones).reshape(-1, 3)
        starts = [tips[p] if p >= 0 else np.zeros(3) for p in self.parents]
        inner = set(self.parents)
        leaves = [i for i in range(len(self.bones)) if i not in inner]
        return Skeleton(
            ("root", *(bone.name for bone in self.bones)),
            np.array([-1, *(p + 1 for p in self.parents)]),
            unit * turn_vectors(axes, np.array([self.position, *starts])),
            np.array(leaves, int) + 1,
            unit * turn_vectors(axes, tips[leaves]),
        )

    def coordinates(
        self, skeleton: Skeleton, unit: float, axes: Array = Y_UP, order: tuple[str, ...] = ()
    ) -> EulerCoordinates:
        """Degrees of freedom of a skeleton that `AsfSkeleton.skeleton` made.

        Parameters
        ----------
        skeleton : Skeleton
            Made with the same `unit` and `axes`.
        unit : float
            Metres per unit of length.
        axes : array of shape (3, 3), optional
            Turns the file's axes to ours; see `motionloom.io.units.axes_to_y_up`.
        order : tuple of str, optional
            Names of bones in the order of their coordinates; the others follow in the file's order.

        Returns
        -------
        EulerCoordinates
            In metres and radians, with the limits of the file.
        """
        bones = self.by_name
        index = {name: j for j, name in enumerate(skeleton.names)}
        names = list(dict.fromkeys([*order, *bones]))
        turn = rot.from_matrix(axes)
        axes_of = self._axes([bones[name] for name in names])
        is_root = np.array([bones[name] is self.root for name in names])[:, None]
        # The root's preset orientation comes before its motion; other bones turn in the frame of
        # their axis.
        before = np.where(is_root, rot.identity(), axes_of)
        after = np.where(is_root, axes_of, rot.conjugate(axes_of))
        before = rot.multiply(turn, before)
        after = rot.multiply(after, rot.conjugate(turn))
        for array in (before, after):
            array.setflags(write=False)
        freedoms = (
            self._freedoms(bones[n], index[n], skeleton.offsets[index[n]], unit, b, a)
            for n, b, a in zip(names, before, after, strict=True)
        )
        return EulerCoordinates(skeleton, tuple(f for f in freedoms if f.freedoms))

    def _axes(self, bones: list[Bone]) -> Array:
        """Own axes of bones as rotations (N, 4)."""
        axes = np.empty((len(bones), 4))
        for order in {bone.axis_order for bone in bones}:
            own = [i for i, bone in enumerate(bones) if bone.axis_order == order]
            angles = np.array([bones[i].axis for i in own])[:, ["XYZ".index(a) for a in order]]
            # Turns about fixed axes in some order are turns about carried axes in the reverse
            # order.
            axes[own] = rot.from_euler(self.radians_per_unit * angles[:, ::-1], order[::-1])
        return axes

    def _freedoms(
        self, bone: Bone, joint: int, origin: Array, unit: float, before: Array, after: Array
    ) -> EulerJoint:
        columns = [k for k, f in enumerate(bone.freedoms) if f in FREEDOMS]
        kept = tuple(bone.freedoms[k] for k in columns)
        scale = [self.radians_per_unit if f[0] == "r" else unit for f in kept]
        pairs = [bone.limits[k] for k in columns] if bone.limits else []
        lower, upper = (
            tuple(p[side] * s for p, s in zip(pairs, scale, strict=False)) for side in (0, 1)
        )
        order = "".join(f[1] for f in reversed(kept) if f[0] == "r").upper()
        return EulerJoint(joint, kept, order, lower, upper, before, after, origin)
