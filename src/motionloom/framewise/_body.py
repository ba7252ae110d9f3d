"""The body of a clip as a solver of single frames sees it: coordinates, how willingly joints move,
limits, masses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.body_masses import joint_shares
from motionloom.coordinates import ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates
from motionloom.framewise.flexion_kernels import bend
from motionloom.ik.tasks import Body
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.two_bones import unit
from motionloom.typing import Array, Ints

#: How far joints go along compared with others, radians, by role; the trunk shares among its
#: joints what one joint would do.
_WILLING = {
    **dict.fromkeys(("shoulder", "elbow", "hip", "knee"), 1.0),
    **{"hand": 0.5, "foot": 0.7, "toe": 0.2, "neck": 0.3, "head": 0.5},
}
_TRUNK, _OTHER, _HIPS = 0.4, 0.25, 0.3
#: The same for the place of the body, metres.
_PLACE = 0.3
#: Knees and elbows: about their axis, about the lower bone, and sideways.
_OF_HINGES = (1.0, 0.5, 0.1)
#: How far a knee or elbow may bend beyond what the clip shows, radians.
_MARGIN = float(np.radians(20.0))
#: Flexion up to which it may do so.
_FULL = float(np.radians(150.0))
#: The file's degrees of freedom are taken where none of its joints is turned by more without them,
#: radians: what was made of a capture, such as a foot put somewhere, may turn otherwise.
_SHOWN = 1e-3
#: Arm's length by which flexions count beside places, metres per radian.
LEVER = 0.25


class FlexionLimits(NamedTuple):
    """H knees and elbows: the joint, the axis in its parent's frame, coordinates (H, 3) that turn
    it and what they are about, directions of the bones above (in the parent's frame) and below (in
    its own), the normal of the plane of measuring, the least and largest flexion, radians.
    """

    joint: Ints
    axis: Array
    columns: Ints
    reference: Array
    upper: Array
    lower: Array
    normal: Array
    least: Array
    most: Array


@dataclass(frozen=True, eq=False)
class ClipBody:
    """A clip's body.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    coordinates : Coordinates
        D numbers: the degrees of freedom of the file where it states them and they show the clip,
        else rotation vectors.
    values : array of shape (T, D)
        Of every frame.
    """

    posed: PosedMotion
    coordinates: EulerCoordinates | ExponentialCoordinates
    values: Array

    @classmethod
    def of(cls, posed: PosedMotion) -> ClipBody:
        """The body of a clip."""
        motion = posed.motion
        own = motion.source.extra.get("coordinates")
        if isinstance(own, EulerCoordinates) and own.skeleton.has_topology_of(motion.skeleton):
            values = own.to_coordinates(motion)
            if _shows(own, values, motion):
                return cls(posed, own, values)
        root = motion.root_joint
        own = ExponentialCoordinates.about(
            [motion], motion.mean_skeleton(), tuple(sorted({0, root}))
        )
        # Each frame by itself, so that no joint winds up to where rotation vectors are singular.
        values = own.nearest(own.to_coordinates(motion), np.zeros(own.size))
        return cls(posed, own, values)

    @property
    def motion(self) -> Motion:
        """The clip's motion."""
        return self.posed.motion

    @property
    def roles(self) -> Roles:
        """Which joint plays which part."""
        return self.posed.roles

    @cached_property
    def masses(self) -> Array | None:
        """Share of each joint's place in the centre of mass (J,); None where that is not known."""
        try:
            return joint_shares(self.roles, self.coordinates.skeleton.n_joints)
        except InvalidInputError:
            return None

    @cached_property
    def center_of_mass(self) -> Array | None:
        """Centre of mass of the clip, shape (T, 3), metres."""
        return None if self.masses is None else self.masses @ self.posed.positions

    def solver_body(self, frame: int) -> Body:
        """What measures tasks in a frame: bones are as long as they are in it."""
        coordinates = self.coordinates
        if self._stretches:
            offsets = self.motion.local_translations()[frame]
            moved = list(coordinates.moved_joints)
            offsets[moved] = coordinates.skeleton.offsets[moved]
            skeleton = replace(coordinates.skeleton, offsets=offsets)
            coordinates = replace(coordinates, skeleton=skeleton)
        elif frame:
            return self._body
        n = coordinates.skeleton.n_joints
        return Body(coordinates, self.masses, np.zeros((n, 3)))

    @cached_property
    def _body(self) -> Body:
        return self.solver_body(0)

    @cached_property
    def _stretches(self) -> bool:
        """Whether bones change their length over the clip."""
        moved = self.coordinates.moved_joints
        others = [k for k, j in enumerate(self.motion.translated) if j not in moved]
        return bool(np.ptp(self.motion.translations[:, others], axis=0).max(initial=0.0) > 1e-6)

    @cached_property
    def scales(self) -> Array:
        """How willingly each coordinate moves, shape (D,); 0 for what carries the body."""
        skeleton = self.coordinates.skeleton
        root = self.motion.root_joint
        by_joint = np.full(skeleton.n_joints, _OTHER)
        for part, share in _WILLING.items():
            roles = (f"left_{part}", f"right_{part}", part)
            by_joint[[j for r in roles if (j := self.roles.joint(r)) is not None]] = share
        trunk = self._trunk
        by_joint[trunk] = _TRUNK / np.sqrt(max(len(trunk), 1))
        by_joint[root] = _HIPS
        by_joint[list(skeleton.chain(root)[:-1])] = 0.0
        scales = by_joint[self.coordinates.joints]
        moves = ~self.coordinates.rotational
        scales[moves] = np.where(self.coordinates.joints[moves] == root, _PLACE, 0.0)
        return scales

    @property
    def _trunk(self) -> list[int]:
        """Joints between the root and the neck, or the shoulders."""
        roles = self.roles
        top = next(
            (j for r in ("neck", "chest", "head") if (j := roles.joint(r)) is not None), None
        )
        if top is None:
            return []
        chain = self.coordinates.skeleton.chain(top)
        ends = {roles.joint("neck"), roles.joint("head"), self.motion.root_joint}
        above = set(self.coordinates.skeleton.chain(self.motion.root_joint))
        return [j for j in chain if j not in ends and j not in above]

    @cached_property
    def free(self) -> Ints:
        """Coordinates that move at all, shape (A,)."""
        return np.flatnonzero(self.scales > 0)

    def map_at(self, frame: int) -> Array:
        """Change of the coordinates with the unknowns of a frame, shape (D, A).

        Unknowns turn joints in their parent's frame, each as willingly as it moves.
        """
        whole = np.diag(self.scales)
        if isinstance(self.coordinates, ExponentialCoordinates):
            columns = self._turn_columns
            whole[columns[:, :, None], columns[:, None, :]] = self._turns[frame]
        return np.ascontiguousarray(whole[:, self.free])

    @cached_property
    def _turn_columns(self) -> Ints:
        """Coordinates that turn each joint, shape (J, 3)."""
        coordinates = self.coordinates
        by_joint = np.argsort(coordinates.joints, kind="stable")
        return by_joint[coordinates.rotational[by_joint]].reshape(-1, 3)

    @property
    def _reference(self) -> Array:
        """Rotation that each joint's rotation vectors are about, shape (J, 4)."""
        assert isinstance(self.coordinates, ExponentialCoordinates)
        return np.asarray(self.coordinates.reference)

    @cached_property
    def _turns(self) -> Array:
        """Change of each joint's rotation vector with its unknowns, shape (T, J, 3, 3)."""
        columns = self._turn_columns
        unturned = rot.to_matrix(rot.conjugate(self._reference))
        vectors = self.values[:, columns]
        rate = np.linalg.inv(rot.left_jacobian(vectors)) @ unturned
        axes = np.broadcast_to(np.eye(3), rate.shape) * self.scales[columns[:, :1, None]]
        for k, j in enumerate(self.flexions.joint):
            axes[:, j] = self._hinge_axes(k, vectors[:, j], self._reference[j])
        return rate @ axes

    def _hinge_axes(self, k: int, vectors: Array, reference: Array) -> Array:
        """Directions that a knee or elbow turns about, columns (T, 3, 3), as long as willing."""
        limits = self.flexions
        turn = rot.multiply(reference, rot.from_rotvec(vectors))
        bone = rot.rotate(turn, limits.lower[k])
        axis = np.broadcast_to(limits.axis[k], bone.shape)
        axis = axis - np.sum(axis * bone, axis=-1, keepdims=True) * bone
        axis = unit(axis)
        return np.stack([axis, bone, np.cross(axis, bone)], axis=-1) * np.array(_OF_HINGES)

    @cached_property
    def flexions(self) -> FlexionLimits:
        """Knees and elbows that hang on their limb's root directly; none where the file states
        limits itself.
        """
        coordinates = self.coordinates
        found: list[Hinge] = []
        reference = np.zeros((0, 4))
        if isinstance(coordinates, ExponentialCoordinates):
            found = [h for h in fit_hinges([self.posed]).values() if self._is_plain(h)]
            reference = self._reference
        joints = np.array([h.limb.middle for h in found], np.int64)
        tips = np.array([h.limb.tip for h in found], np.int64)
        axis = np.array([h.axis for h in found], float).reshape(-1, 3)
        upper = unit(coordinates.skeleton.offsets[joints])
        columns = self._turn_columns[joints] if found else np.zeros((0, 3), np.int64)
        bones = upper, unit(coordinates.skeleton.offsets[tips]), np.cross(axis, upper)
        least = np.array([min(h.least, max(h.least - _MARGIN, 0.0)) for h in found])
        most = np.array([max(h.most, min(h.most + _MARGIN, _FULL)) for h in found])
        return FlexionLimits(joints, axis, columns, reference[joints], *bones, least, most)

    def _is_plain(self, hinge: Hinge) -> bool:
        parents = self.coordinates.skeleton.parents
        limb = hinge.limb
        return bool(parents[limb.middle] == limb.root and parents[limb.tip] == limb.middle)

    def flexion_rows(self, values: Array) -> tuple[Array, Array]:
        """Flexion (H,), radians, of every knee and elbow, and its Jacobian (H, D)."""
        at = self.flexions
        if not len(at.joint):
            return np.zeros(0), np.zeros((0, len(values)))
        flexion, jacobian = bend(values, at.columns, at.reference, at.upper, at.lower, at.normal)
        return flexion, jacobian

    def limits(self, frame: int) -> tuple[Array, Array]:
        """Limits of the coordinates (D,) that the file states, widened by what the clip does."""
        here = self.values[frame]
        return np.minimum(self.coordinates.lower, here), np.maximum(self.coordinates.upper, here)

    def to_motion(self, values: Array, frames: slice) -> Motion:
        """The clip with other coordinates (N, D) in some frames; all else stays as it is."""
        return self._with(self.motion, values, frames)

    def pose_at(self, frame: int, values: Array) -> PosedMotion:
        """One frame of the clip with other coordinates (D,)."""
        return self.posed.with_motion(
            self._with(self.motion.cut(frame, frame + 1), values[None], slice(0, 1))
        )

    def _with(self, motion: Motion, values: Array, frames: slice) -> Motion:
        turned, moved = self.coordinates.local_pose(values)
        joints = np.unique(self.coordinates.joints[self.free])
        rotations = motion.rotations.copy()
        rotations[frames, joints] = turned[:, joints]
        translated = tuple(sorted({*motion.translated, *self._carried}))
        wide = motion.with_translated(translated)
        translations = wide.translations.copy()
        for k, j in enumerate(self.coordinates.moved_joints):
            if j in self._carried:
                translations[frames, translated.index(j)] = moved[:, k]
        return replace(wide, rotations=rotations, translations=translations)

    @cached_property
    def _carried(self) -> tuple[int, ...]:
        """Joints whose place an edit changes."""
        moves = self.free[~self.coordinates.rotational[self.free]]
        return tuple(sorted({int(j) for j in self.coordinates.joints[moves]}))


def _shows(coordinates: EulerCoordinates, values: Array, motion: Motion) -> bool:
    """Whether coordinates (T, D) turn all joints as a motion does."""
    turned, _ = coordinates.local_pose(values)
    return bool(rot.angle_between(turned, motion.rotations).max(initial=0.0) < _SHOWN)
