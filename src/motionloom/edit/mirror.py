"""Mirrored motions: left and right exchanged, for skeletons of any rest pose.

With M the reflection of the world in x = 0, a mirrored joint's world orientation is M R S, with R
the orientation of its counterpart on the other side and S a reflection of the joint's own frame
that maps the bones below the joint to those below its counterpart. S is the same reflection of x
for all joints of a rig whose rest pose is symmetric; in rigs whose bones lie along their frames'
axes it differs from joint to joint. A pair shares one S, so that mirroring twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.edit._sides import find_partners
from motionloom.edit.bones import SAME_BONE, mean_bones
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.threads import one_thread
from motionloom.typing import Array, Ints

#: What is added to the name of a mirrored copy.
SUFFIX = " (mirrored)"
#: Reflections that a frame can have, as the diagonals of their matrices; the first is also that of
#: the world.
_SIGNS = np.array([[-1.0, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, -1]])
#: The same, negated, as quaternions: half turns about x, y and z, and none.
_TURNS = np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
#: A reflection does not fit when it leaves more than this share of a bone's length between
#: directions: 20 degrees.
_LIMIT = 0.35


@dataclass(frozen=True, eq=False)
class Symmetry:
    """How a skeleton is mirrored.

    It is the same for all motions of a set, so that their mirrored copies fit together.

    Parameters
    ----------
    skeleton : Skeleton
        J joints.
    partners : int array of shape (J,)
        Counterpart of every joint on the other side; a joint of the trunk is its own.
    frames : int array of shape (J,)
        Reflection of every joint's frame: of x, of y, of z or of all three (0 to 3).
    bones : array of shape (J, 3), metres
        Position of every joint in its parent's frame; 0 where no bone is.

    Examples
    --------
    >>> find_symmetry([walk]).partners.tolist()[0]  # the hips are their own counterpart
    0
    """

    skeleton: Skeleton
    partners: Ints
    frames: Ints
    bones: Array

    @property
    def _above(self) -> Ints:
        """Reflection of every joint's parent; of the world for the root."""
        parents = self.skeleton.parents
        return np.where(parents < 0, 0, self.frames[parents])

    @property
    def turn_signs(self) -> Array:
        """What rotation vectors in the frames of the counterparts are multiplied by, shape (J, 3).

        A change of a joint's world rotation by such a vector, in its own frame, is mirrored so.
        """
        return -_SIGNS[self.frames]

    def mirror_world(self, rotations: Array) -> Array:
        """World rotations (..., J, 4) of mirrored poses."""
        swapped = rot.multiply(_TURNS[0], rotations[..., self.partners, :])
        return rot.multiply(swapped, _TURNS[self.frames])

    @property
    def asymmetry(self) -> Array:
        """How far every bone is from its counterpart's mirror image, shape (J,), metres.

        Mirrored motions keep the bones, so that their positions differ from mirrored positions by
        these, added up.

        Examples
        --------
        >>> bool(find_symmetry([walk]).asymmetry.max() < 0.001)  # metres
        True
        """
        image = _SIGNS[self._above] * self.bones[self.partners]
        return np.linalg.norm(image - self.bones, axis=-1)

    def note(self) -> str:
        """One sentence on the largest asymmetry of bones; empty below a millimetre.

        Examples
        --------
        >>> find_symmetry([walk]).note()  # as long on both sides
        ''
        """
        gap = self.asymmetry
        worst = int(gap.argmax())
        if gap[worst] < SAME_BONE:
            return ""
        return (
            f"the bones of left and right differ, most that to {self.skeleton.names[worst]!r} by"
            f" {1000 * gap[worst]:.0f} mm; mirrored copies keep the bones, and their joints are off"
            " by as much"
        )

    def mirror(self, motion: Motion) -> Motion:
        """Mirror a motion of the skeleton in the plane x = 0.

        Raises
        ------
        InvalidInputError
            When the motion has other joints.

        Examples
        --------
        >>> symmetry = find_symmetry([walk])
        >>> twice = symmetry.mirror(symmetry.mirror(walk))
        >>> np.allclose(twice.translations, walk.translations)
        True
        """
        if not motion.skeleton.has_topology_of(self.skeleton):
            raise InvalidInputError(
                f"cannot mirror {motion.name!r}: its joints are not those of the symmetry"
            )
        above = self._above
        swapped = rot.multiply(_TURNS[above], motion.rotations[:, self.partners])
        turned = rot.multiply(swapped, _TURNS[self.frames])
        # About the motion's own bones: a copy must not depend on which other clips are there.
        own = motion.local_translations()
        bones = mean_bones(motion)
        moved = bones + _SIGNS[above] * (own - bones)[:, self.partners]
        # A joint at its offset stays there, but what is above the root joint may stand beside the
        # plane.
        leaves = ~np.isclose(moved, motion.skeleton.offsets, rtol=0, atol=1e-12).all(axis=(0, 2))
        closed = {
            *motion.translated,
            *self.partners[list(motion.translated)],
            *np.flatnonzero(leaves),
        }
        translated = tuple(sorted(map(int, closed)))
        return replace(
            motion,
            rotations=turned,
            translations=moved[:, list(translated)],
            translated=translated,
            name=f"{motion.name}{SUFFIX}".strip(),
        )


@one_thread()
def find_symmetry(motions: Sequence[Motion], roles: Roles | None = None) -> Symmetry:
    """Find how motions of one skeleton are mirrored.

    Parameters
    ----------
    motions : sequence of Motion
        Reflections that fit the bones alike are told apart by which makes the mirrored poses most
        like the poses.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    Symmetry
        It holds for all motions of the skeleton.

    Raises
    ------
    InvalidInputError
        When there is no motion, joints have no counterpart, or a pair's bones are no mirror images
        of each other.

    Examples
    --------
    >>> symmetry = find_symmetry([walk])
    >>> hand = walk.skeleton.index("LeftHand")
    >>> walk.skeleton.names[symmetry.partners[hand]]
    'RightHand'
    """
    if not motions:
        raise InvalidInputError("a symmetry is found from at least one motion")
    skeleton = motions[0].skeleton
    roles = roles or find_roles(skeleton)
    partners = find_partners(skeleton, roles)
    bones = mean_bones(motions[0])
    pairs = [_mirror_pairs(skeleton, partners, bones, roles, j) for j in range(skeleton.n_joints)]
    misfit = np.array([_misfit(own) for own in pairs])
    bad = int(misfit.min(axis=1).argmax())
    if misfit[bad].min() > _LIMIT:
        raise InvalidInputError(
            f"cannot mirror: the bones below {skeleton.names[bad]!r} are no mirror image of those"
            f" below {skeleton.names[partners[bad]]!r} ({100 * misfit[bad].min():.0f} % of their"
            " length apart at best); the rest pose must be symmetric, or each bone lie along an"
            " axis of its joint"
        )
    unlike = _unlikeness(motions, partners)
    cost = np.where(misfit[:, None] > _LIMIT, np.inf, unlike)
    return Symmetry(skeleton, partners, _choose(skeleton, partners, cost), bones)


def mirror_motion(motion: Motion, roles: Roles | None = None) -> Motion:
    """Mirror a motion in the plane x = 0: what the left side did is done by the right side.

    Mirror several motions of one skeleton with one `Symmetry` (`find_symmetry`) instead.

    Parameters
    ----------
    motion : Motion
        Motion of a body with a left and a right side.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    Motion
        With the same bones, called ``NAME (mirrored)``.

    Raises
    ------
    InvalidInputError
        When joints have no counterpart, or a pair's bones are no mirror images of each other.

    Examples
    --------
    >>> from motionloom.posed_motion import pose_motion
    >>> mirrored = pose_motion(mirror_motion(walk))
    >>> left, right = (walk.skeleton.index(name) for name in ("LeftHand", "RightHand"))
    >>> np.allclose(mirrored.positions[:, left], posed.positions[:, right] * [-1, 1, 1], atol=1e-3)
    True
    """
    return find_symmetry([motion], roles).mirror(motion)


def _mirror_pairs(
    skeleton: Skeleton, partners: Ints, bones: Array, roles: Roles, joint: int
) -> Iterator[tuple[Array, Array]]:
    """Vectors in a joint's frame, and those in its counterpart's frame that may be their mirror
    images, (1 or E, 3).
    """
    other = int(partners[joint])
    for child in skeleton.children[joint]:
        yield bones[child], bones[partners[child]][None]
    tips = skeleton.end_offsets[skeleton.end_parents == other]
    for tip in skeleton.end_offsets[skeleton.end_parents == joint]:
        if len(tips):
            yield tip, tips
    if roles.forward is not None and joint == other == roles.forward[0]:
        ahead = np.asarray(roles.forward[1], float)
        yield ahead, ahead[None]


def _misfit(pairs: Iterator[tuple[Array, Array]]) -> Array:
    """Distance between mirrored and wanted directions for each reflection, as a share of the
    longest bone, (4,).
    """
    worst = np.zeros(4)
    longest = SAME_BONE
    for vector, images in pairs:
        lengths = np.linalg.norm(images, axis=-1)
        length = (np.linalg.norm(vector) + lengths.mean()) / 2
        if min(np.linalg.norm(vector), lengths.min()) < SAME_BONE:
            continue
        towards = _SIGNS * vector / np.linalg.norm(vector)
        gap = np.linalg.norm(towards[:, None] - images / lengths[:, None], axis=-1).min(axis=1)
        worst = np.maximum(worst, length * gap)
        longest = max(longest, length)
    return worst / longest


def _unlikeness(motions: Sequence[Motion], partners: Ints) -> Array:
    """How unlike the mirrored mean pose is to the mean pose, for reflections of parent and joint,
    (J, 4, 4).

    Minus the scalar product of the mean rotation matrices: bilinear in the diagonals of the two
    reflections.
    """
    means = [rot.to_matrix(m.rotations).mean(axis=0) for m in motions if m.n_frames]
    mean = np.mean(means, axis=0)
    alike: Array = _SIGNS @ (mean[partners] * mean) @ _SIGNS.T
    chain = motions[0].skeleton.chain(motions[0].root_joint)
    for joint in chain[:-1]:  # still: as they stand in the world
        alike[joint] = _SIGNS @ (mean[joint] ** 2) @ _SIGNS.T
    # Where the body faces says nothing about its frame: only what is up in it does.
    world = np.eye(3)
    for joint in chain[:-1]:
        world = world @ mean[joint]
    alike[chain[-1]] = _SIGNS @ ((world @ mean[chain[-1]])[1] ** 2)
    return -alike


def _choose(skeleton: Skeleton, partners: Ints, cost: Array) -> Ints:
    """Reflections with the least sum of costs over the tree, shape (J,); costs by parent's and own
    reflection.
    """
    n = skeleton.n_joints
    first = np.minimum(np.arange(n), partners)  # of a pair one chooses
    total = cost.copy()
    for j in range(n - 1, 0, -1):
        if first[j] == j:
            total[first[skeleton.parents[j]]] += total[j].min(axis=1)[None]
    frames = np.zeros(n, int)
    for j in range(n):
        above = 0 if j == 0 else frames[first[skeleton.parents[j]]]
        frames[j] = total[first[j], above].argmin() if first[j] == j else frames[first[j]]
    return frames
