"""What a filler knows of gaps, as numbers, and the captured poses that a model keeps for them.

The numbers do not depend on where the body is and faces, nor on its height: what is done on a box
is what is done on the ground. What a model learns from is exactly what its file holds.

The blocks are poses before and behind the gap, the way between them, speeds and accelerations, and
the same of a few points of the body. How much each counts was chosen on captures: in short gaps
speeds do, in long ones the pose that is to be reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.declared import LENGTH, NUMBER, Range, Shape
from motionloom.inbetween.gaps import CONTEXT, DESCRIBED, Gaps, Track
from motionloom.inbetween.rig import Rig
from motionloom.typing import Array, Ints, Singles

#: Weights of the blocks in short gaps and in long ones, after they are scaled to like sizes.
WEIGHTS = {
    "pose": (1.0, 2.0),
    "end_pose": (1.0, 3.0),
    "way": (2.0, 1.3),
    "speed": (1.5, 0.8),
    "acceleration": (1.0, 0.5),
    "mean_speed": (1.5, 0.35),
    "root": (1.0, 1.0),
    "turn": (1.0, 1.0),
    "root_speed": (1.0, 1.0),
    "points": (1.0, 1.0),
    "point_ways": (1.0, 1.0),
    "point_speeds": (0.8, 0.8),
}
#: Weight of the features of the other half's joints.
OTHERS = (0.15, 0.4)
#: Missing frames of what is called short and long, at 30 frames per second.
SHORT = 5
LONG = 28
#: Frames of the longer mean of speeds.
MEAN_FRAMES = DESCRIBED[0] - DESCRIBED[2]
#: Share of a block's spread that is added to that of each feature, so that still ones do not count
#: as much as those that move.
COMMON = 0.3


@dataclass(frozen=True)
class Block:
    """Features of one kind: vectors of joints, or numbers of the whole body.

    Parameters
    ----------
    name : str
        Of `WEIGHTS`.
    joints : tuple of int
        Joint of every vector; empty for the whole body.
    turns : bool
        Whether the vectors are rotation vectors in the joints' own frames; else they are seen from
        the body: to the left, up, ahead.
    signs : tuple of float
        For the whole body: what each number is multiplied by when left and right are exchanged.
    """

    name: str
    joints: tuple[int, ...] = ()
    turns: bool = False
    signs: tuple[float, ...] = ()

    @property
    def size(self) -> int:
        """Number of features."""
        return 3 * len(self.joints) or len(self.signs)


#: Signs of a vector seen from the body when left and right are exchanged.
SEEN = (-1.0, 1.0, 1.0)


def describe_layout(rig: Rig) -> tuple[Block, ...]:
    """Blocks of features in their order.

    Parameters
    ----------
    rig : Rig
        The body.

    Returns
    -------
    tuple of Block
        As many features as `describe_gaps` has columns.
    """
    names = ("pose", "end_pose", "way", "speed", "acceleration", "mean_speed")
    points = rig.points
    return (
        *(Block(name, rig.body, turns=True) for name in names),
        Block("root", signs=SEEN * 2),
        Block("turn", signs=(-1.0, 1.0)),
        Block("root_speed", signs=SEEN * 3),
        Block("points", points * 2),
        Block("point_ways", points),
        Block("point_speeds", points * 2),
    )


def describe_gaps(gaps: Gaps, reference: Array) -> Array:
    """Features of gaps.

    Parameters
    ----------
    gaps : Gaps
        B gaps.
    reference : array of shape (J, 4)
        Mean world rotations of a body that faces ahead; poses are told as rotations from them.

    Returns
    -------
    array of shape (B, D)
        In the order of `describe_layout`.
    """
    rig = gaps.rig
    body = list(rig.body)
    start = gaps.start_rotations[:, body]
    end = gaps.end_rotations[:, body]
    back = rot.yaw(-gaps.start_facing)
    end_back = rot.yaw(-gaps.end_facing)
    last = gaps.rotations[:, :, body]
    speed = rot.between(last[:, -2], start)
    before = rot.between(last[:, -3], last[:, -2])
    far = -1 - MEAN_FRAMES
    blocks = (
        rot.between(reference[body], rot.multiply(back[:, None], start)),
        rot.between(reference[body], rot.multiply(end_back[:, None], end)),
        rot.between(start, end),
        speed,
        speed - before,
        rot.between(last[:, far], start) / MEAN_FRAMES,
        *_describe_root(gaps, back, end_back),
        *_describe_points(gaps, back, end_back),
    )
    return np.concatenate([b.reshape(gaps.size, -1) for b in blocks], axis=1)


def _describe_root(gaps: Gaps, back: Array, end_back: Array) -> tuple[Array, Array, Array]:
    """Way of the root, turn of the body, and speeds of the root."""
    roots = gaps.roots
    way = gaps.end_roots - roots[:, -1]
    seen = (rot.rotate(back, way), rot.rotate(end_back, way))
    turned = gaps.end_facing - gaps.start_facing
    speed = rot.rotate(back, roots[:, -1] - roots[:, -2])
    before = rot.rotate(back, roots[:, -2] - roots[:, -3])
    mean = rot.rotate(back, roots[:, -1] - roots[:, -1 - MEAN_FRAMES]) / MEAN_FRAMES
    return (
        np.concatenate(seen, axis=1),
        np.stack([np.sin(turned), np.cos(turned)], axis=1),
        np.concatenate([speed, mean, speed - before], axis=1),
    )


def _describe_points(gaps: Gaps, back: Array, end_back: Array) -> tuple[Array, Array, Array]:
    """Points of the body seen from it, their ways, and their speeds."""
    rig = gaps.rig
    points = list(rig.points)
    start = gaps.start_positions[:, points]
    end = gaps.end_positions[:, points]
    past = gaps.known_positions[:, 1:3, points]
    seen = (
        rot.rotate(back[:, None], start - gaps.start_roots[:, None]),
        rot.rotate(end_back[:, None], end - gaps.end_roots[:, None]),
    )
    steps = np.stack([start - past[:, 0], (start - past[:, 1]) / MEAN_FRAMES], axis=1)
    return (
        np.stack(seen, axis=1),
        rot.rotate(back[:, None], end - start),
        rot.rotate(back[:, None, None], steps),
    )


def between_lengths(pair: tuple[float, float], missing: float) -> float:
    """A number for gaps of some length, between those of short and of long ones."""
    ends = np.log([SHORT + 1.0, LONG + 1.0])
    return float(np.interp(np.log(missing + 1.0), ends, pair))


@dataclass(frozen=True, eq=False)
class FeatureScale:
    """How features become numbers of like size.

    Parameters
    ----------
    mean : array of shape (D,)
        Mean of each feature.
    weight : array of shape (D,)
        What a feature's difference from its mean is multiplied by.
    """

    mean: Annotated[Array, Shape("D"), NUMBER]
    weight: Annotated[Array, Shape("D"), Range(0, 1e12)]

    @classmethod
    def of(cls, features: Array, rig: Rig, missing: float) -> FeatureScale:
        """The scale of some gaps' features.

        Parameters
        ----------
        features : array of shape (B, D)
            Of `describe_gaps`.
        rig : Rig
            The body.
        missing : float
            Frames of the gaps, about.

        Returns
        -------
        FeatureScale
        """
        weight = np.zeros(features.shape[1])
        own = features.std(axis=0, dtype=float)
        at = 0
        for block in describe_layout(rig):
            columns = slice(at, at + block.size)
            spread = own[columns] + COMMON * np.sqrt(np.mean(own[columns] ** 2))
            known = spread > 1e-9  # what is always the same says nothing
            size = between_lengths(WEIGHTS[block.name], missing)
            weight[columns] = np.where(known, size / np.where(known, spread, 1.0), 0.0)
            at += block.size
        return cls(features.mean(axis=0, dtype=float), weight)

    def apply(self, features: Array) -> Singles:
        """Scaled features, shape (B, D)."""
        return ((features - self.mean) * self.weight).astype(np.float32)


def half_weights(rig: Rig, missing: float) -> dict[str, Singles]:
    """How much each feature counts for each half of the body, shape (D,).

    Its own joints' and those of the whole body and its root count in full.

    Parameters
    ----------
    rig : Rig
        The body.
    missing : float
        Frames of the gaps, about.
    """
    blocks = describe_layout(rig)
    rows = [np.repeat(b.joints, 3) if b.joints else np.full(b.size, -1) for b in blocks]
    joints = np.concatenate(rows)
    free = (joints == -1) | (joints == rig.root)
    other = between_lengths(OTHERS, missing)
    return {
        name: np.where(free | np.isin(joints, own), 1.0, other).astype(np.float32)
        for name, own in rig.halves.items()
    }


#: What 1 is in a stored quaternion; the largest number of 16 bits.
ONE = 32767
#: Frames before a gap, from its last known one, that the features look at.
_LOOKED_AT = (*DESCRIBED, -3)


@dataclass(frozen=True, eq=False)
class Poses:
    """Some frames of all captures, one after the other.

    Parameters
    ----------
    frames : int array of shape (F,)
        Their numbers in all captures together, ascending.
    rotations : int16 array of shape (F, J, 4)
        World rotations, in units of 1 / `ONE`.
    roots : float32 array of shape (F, 3), metres
        World position of the root.
    """

    frames: Annotated[NDArray[np.uint32], Shape("F")]
    rotations: Annotated[NDArray[np.int16], Shape("F", "J", 4), Range(-ONE, ONE)]
    roots: Annotated[Singles, Shape("F", 3), LENGTH]

    @classmethod
    def of(cls, track: Track) -> Poses:
        """All frames of a track.

        Parameters
        ----------
        track : Track
            Of T frames.

        Returns
        -------
        Poses
        """
        rotations = np.rint(track.rotations * ONE).astype(np.int16)
        frames = np.arange(track.n_frames, dtype=np.uint32)
        return cls(frames, rotations, track.roots.astype(np.float32))

    @classmethod
    def joined(cls, parts: Sequence[Poses]) -> Poses:
        """All frames of some captures, each with all its frames, numbered through."""
        rotations = np.concatenate([part.rotations for part in parts])
        roots = np.concatenate([part.roots for part in parts])
        return cls(np.arange(len(roots), dtype=np.uint32), rotations, roots)

    @cached_property
    def track(self) -> Track:
        """The poses in double precision, with quaternions of length 1."""
        wide = self.rotations.astype(float)
        wide /= np.sqrt(np.sum(wide * wide, axis=-1, keepdims=True))
        return Track(wide, self.roots.astype(float))

    def holds(self, last: NDArray[np.uint32], missing: int) -> bool:
        """Whether there is all that the features of gaps look at."""
        wanted = _looked_at(last, missing)
        return bool(len(last) and wanted.min() >= 0 and np.isin(wanted, self.frames).all())

    def kept_for(self, gaps: Sequence[tuple[NDArray[np.uint32], int]]) -> Poses:
        """The frames that the features of some gaps look at.

        Parameters
        ----------
        gaps : sequence of (int array, int)
            Last frames before gaps, and their missing frames.

        Returns
        -------
        Poses
        """
        wanted = np.unique(np.concatenate([_looked_at(*own).ravel() for own in gaps]))
        chosen = np.searchsorted(self.frames, wanted)
        return Poses(self.frames[chosen], self.rotations[chosen], self.roots[chosen])

    def describe(
        self, rig: Rig, reference: Array, last: NDArray[np.uint32], missing: int
    ) -> Singles:
        """Features of gaps behind some frames.

        Parameters
        ----------
        rig : Rig
            The body.
        reference : array of shape (J, 4)
            As `describe_gaps` takes it.
        last : int array of shape (M,)
            Last frames before the gaps; see `holds`.
        missing : int
            Missing frames of the gaps.

        Returns
        -------
        array of shape (M, D)
        """
        parts = []
        for at in range(0, len(last), 1024):
            known = last[at : at + 1024, None].astype(np.int64) - np.arange(CONTEXT - 1, -1, -1)
            # Frames that the features do not look at need not be there.
            before = np.maximum(np.searchsorted(self.frames, known, side="right") - 1, 0)
            end = np.searchsorted(self.frames, known[:, -1] + missing + 1)
            turned, roots = self.track.rotations, self.track.roots
            gaps = Gaps(rig, turned[before], roots[before], turned[end], roots[end], missing)
            parts.append(describe_gaps(gaps, reference).astype(np.float32))
        return np.concatenate(parts)


def _looked_at(last: NDArray[np.uint32], missing: int) -> Ints:
    steps = np.array([*(1 + at for at in _LOOKED_AT), missing + 1])
    return last.astype(np.int64)[:, None] + steps
