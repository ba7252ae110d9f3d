"""The learned filler: what captured motion adds to straight ways, by kernel ridge regression.

Gaps of all lengths are told by the same features and filled by the same coefficients of curves over
the gap (`motionloom.inbetween._curves`): for the world rotations of the joints, for the
root, and for when the feet are down. Regressions are kept for a few lengths, its bands; a gap of
another length, or at another frame rate, is seen at a slightly other pace, so that its length is
that of a band. In a band each half of the body has a regression of its own on the same landmarks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.soles import Soles
from motionloom.declared import NUMBER, Positive, Range, Shape
from motionloom.inbetween import _kernel as regression
from motionloom.inbetween._curves import CELLS, WAVES, Mirroring, fit_table, wave_table
from motionloom.inbetween._features import FeatureScale, Poses, describe_gaps, half_weights
from motionloom.inbetween.gaps import Gaps, Track, keep_speed
from motionloom.inbetween.rig import LOWER, Rig
from motionloom.typing import Array, Ints, Singles

#: Most landmarks of a model, of all lengths together: 1.3 GB when it is read.
MOST_LANDMARKS = 300_000
#: How far an error of one radian of a joint moves the body at least: a hand or a head turns, too.
LEAST_LEVER = 0.03
#: Metres that count as much as an error of 1 in how sure a contact is.
CONTACT_LEVER = 0.005


@dataclass(frozen=True, eq=False)
class BandCore:
    """A band without its landmarks, which follow from the captured poses.

    Parameters
    ----------
    missing : int
        Missing frames of its gaps.
    scale : FeatureScale
        How features are scaled.
    lengths : mapping of str to float
        Length scale of the kernel for every half of the body.
    coefficients : mapping of str to regression.Exact or regression.Rounded
        Of the landmarks, by half. O are the values of the half, in the order of `half_columns`.
    offset : array of shape (V,)
        Mean of every value.
    last : int array of shape (M,)
        Last frame before each landmark's gap, of all captures together.
    """

    missing: Annotated[int, Range(1, 100_000)]
    scale: FeatureScale
    lengths: Mapping[str, Positive]
    coefficients: Mapping[str, regression.Exact | regression.Rounded]
    offset: Annotated[Singles, Shape("V"), NUMBER]
    last: Annotated[NDArray[np.uint32], Shape("M")]


@dataclass(frozen=True, eq=False)
class Band(BandCore):
    """Regressions for gaps of one length.

    Parameters
    ----------
    landmarks : array of shape (M, D)
        Scaled features of M gaps.
    """

    landmarks: Annotated[Singles, Shape("M", "D"), NUMBER]


class BandModel:
    """A band, ready to answer.

    Parameters
    ----------
    band : Band
        What was learned.
    weights : mapping of str to array of shape (D,)
        How much features count for each half.
    columns : mapping of str to int array
        Values of each half; see `half_columns`.
    mirroring : Mirroring or None
        How gaps are mirrored.
    """

    def __init__(
        self,
        band: Band,
        weights: Mapping[str, Singles],
        columns: Mapping[str, Ints],
        mirroring: Mirroring | None,
    ) -> None:
        self.band = band
        self._columns = columns
        self._mirroring = mirroring
        self._scales = regression.scales_of(band.missing)
        # Row by row it is read much faster for a few gaps.
        self._marks = np.ascontiguousarray(band.landmarks.T)
        self._squares = {
            name: (own / np.float32(band.lengths[name])) ** 2 for name, own in weights.items()
        }
        self._norms = {name: (band.landmarks**2) @ own for name, own in self._squares.items()}

    def _both(self, features: Singles) -> Singles:
        """Features, and those of their mirror images where the model has any."""
        if self._mirroring is None:
            return features
        return np.concatenate([features, self._mirroring.features.apply(features)])

    def nearest_features(self, features: Array, count: int) -> Array:
        """Features of the landmarks and their images that are nearest to a gap.

        Parameters
        ----------
        features : array of shape (D,)
            Of the gap.
        count : int
            How many are wanted at most.

        Returns
        -------
        array of shape (count, D)
            Nearest first.
        """
        band = self.band
        scaled = band.scale.apply(features[None])
        weight = sum(self._squares.values()) / len(self._squares)
        root = np.sqrt(weight).astype(np.float32)
        marks = self._both(band.landmarks)
        far = regression.squared_distances(scaled * root, marks * root)[0]
        chosen = np.argsort(far, kind="stable")[:count]
        used = band.scale.weight > 0
        found = np.tile(band.scale.mean, (len(chosen), 1))
        found[:, used] += marks[chosen][:, used] / band.scale.weight[used]
        return found

    def distances(self, features: Array) -> Array:
        """How far gaps are from the nearest landmark or image of one.

        Parameters
        ----------
        features : array of shape (B, D)
            Of the gaps.

        Returns
        -------
        array of shape (B,)
            In length scales of the kernel, of the half of the body that is farther.
        """
        scaled = self.band.scale.apply(features)
        marks = self._both(self.band.landmarks)
        far = [
            regression.squared_distances(scaled * root, marks * root).min(axis=1)
            for root in (np.sqrt(own) for own in self._squares.values())
        ]
        return np.sqrt(np.max(far, axis=0)).astype(float)

    def values(self, features: Array) -> Singles:
        """Values of gaps with these features, shape (B, V)."""
        scaled = self._both(self.band.scale.apply(features))
        found = np.zeros((len(scaled), len(self.band.offset)), np.float32)
        # One product with the landmarks serves both halves: they are most of what is read.
        weighted = np.concatenate([scaled * own for own in self._squares.values()])
        products = (weighted @ self._marks).reshape(len(self._squares), len(scaled), -1)
        for (name, own), product in zip(self._squares.items(), products, strict=True):
            squares = ((scaled**2) @ own)[:, None] + self._norms[name] - 2 * product
            kernel = regression.mixed_matern(np.maximum(squares, np.float32(0.0)), self._scales)
            found[:, self._columns[name]] = kernel @ self.band.coefficients[name].values
        if self._mirroring is not None:
            half = len(features)
            found = found[:half] + self._mirroring.values.apply(found[half:])
        return found + self.band.offset


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a model says about gaps.

    Parameters
    ----------
    curves : array of shape (B, 1 + J, 3, K)
        Coefficients of what is added to the root (metres, seen from the body before the gap) and to
        the world rotations of the joints (rotation vectors in their own frames).
    contacts : array of shape (B, S, CELLS)
        How sure it is that each point of the soles is down in each cell of the gap.
    """

    curves: Array
    contacts: Array

    def draw(self, gaps: Gaps, shares: Array | None = None) -> Track:
        """Fillings that follow the curves.

        Parameters
        ----------
        gaps : Gaps
            B gaps, at the pace at which the curves were predicted.
        shares : array of shape (n,), optional
            Shares of the gap that are shown; those of the missing frames when not given.

        Returns
        -------
        Track
            Of shape (B, n, ...).
        """
        shown = gaps.shares if shares is None else shares
        table = wave_table(shown)
        added = np.einsum("nk,bjck->bnjc", table, self.curves)
        base = keep_speed(gaps, shown)
        ahead = rot.yaw(gaps.start_facing)[:, None]
        return Track(
            rot.multiply(base.rotations, rot.from_rotvec(added[:, :, 1:])),
            base.roots + rot.rotate(ahead, added[:, :, 0]),
        )


def curves_of(gaps: Gaps, track: Track) -> Array:
    """Curves of captured fillings; the inverse of `Prediction.draw`.

    Parameters
    ----------
    gaps : Gaps
        B gaps of n frames.
    track : Track
        What fills them, of shape (B, n, ...).

    Returns
    -------
    array of shape (B, 1 + J, 3, K)
    """
    base = keep_speed(gaps)
    added = rot.between(base.rotations, track.rotations)
    back = rot.yaw(-gaps.start_facing)[:, None]
    moved = rot.rotate(back, track.roots - base.roots)
    both = np.concatenate([moved[:, :, None], added], axis=2)
    return np.einsum("kn,bnjc->bjck", fit_table(gaps.missing), both)


def half_columns(rig: Rig, soles: Soles | None) -> dict[str, Ints]:
    """Values that each half of the body predicts, of those in the order of `Prediction`.

    Parameters
    ----------
    rig : Rig
        The body.
    soles : Soles, optional
        Points whose contacts are predicted.

    Returns
    -------
    dict of str to int array
        Each value belongs to one half; the root and the contacts to the lower one.
    """
    wide = 3 * WAVES
    curves = np.arange((1 + rig.n_joints) * wide).reshape(1 + rig.n_joints, wide)
    found = {name: [curves[[1 + j for j in own]].ravel()] for name, own in rig.halves.items()}
    n_points = 0 if soles is None else len(soles.points)
    found[LOWER] += [curves[0], curves.size + np.arange(n_points * CELLS)]
    return {name: np.sort(np.concatenate(columns)) for name, columns in found.items()}


def value_weights(rig: Rig, soles: Soles | None) -> Singles:
    """How much an error of each value counts, in the order of `Prediction`, shape (V,).

    Parameters
    ----------
    rig : Rig
        The body.
    soles : Soles, optional
        Points whose contacts are predicted.

    Returns
    -------
    array of shape (V,)
        Root mean square of how far an error of 1 moves the joints, metres.
    """
    skeleton = rig.skeleton
    squares = np.full(rig.n_joints, LEAST_LEVER**2)
    for joint in rig.body[1:]:
        below = len(skeleton.descendants(joint))
        squares[skeleton.parents[joint]] += below * np.sum(rig.bones[joint] ** 2) / rig.n_joints
    n_points = 0 if soles is None else len(soles.points)
    return np.concatenate(
        [
            np.ones(3 * WAVES),
            np.repeat(np.sqrt(squares), 3 * WAVES),
            np.full(n_points * CELLS, CONTACT_LEVER),
        ]
    ).astype(np.float32)


@dataclass(frozen=True, eq=False)
class InbetweenModel:
    """Fills gaps as people do, learned from captures.

    Parameters
    ----------
    rig : Rig
        The body.
    reference : array of shape (J, 4)
        Mean world rotations of the captured bodies, facing ahead.
    fps : float
        Frames per second of the captures.
    soles : Soles or None
        Points of the feet whose contacts are predicted.
    mirroring : Mirroring or None
        How gaps are mirrored; None for a body whose sides differ.
    bands : tuple of Band
        From short gaps to long ones.
    poses : Poses
        What of the captures the landmarks are made from.
    learned : int
        Frames of the captures.
    """

    rig: Rig
    reference: Array
    fps: float
    soles: Soles | None
    mirroring: Mirroring | None
    bands: tuple[Band, ...]
    poses: Poses
    learned: int

    name = "kernel"

    @property
    def longest(self) -> float:
        """Time of the longest gaps that the model knows, seconds."""
        return (self.bands[-1].missing + 1) * 1.2 / self.fps

    def at_own_pace(self, gaps: Gaps, fps: float | None = None) -> Gaps:
        """Gaps at the pace of the band whose length is nearest to theirs, by their ratio.

        Parameters
        ----------
        gaps : Gaps
            Of the model's skeleton.
        fps : float, optional
            Their frames per second; the model's when not given.

        Returns
        -------
        Gaps
            With as many missing frames as the band's.
        """
        steps = (gaps.missing + 1) * (self.fps / (fps or self.fps))
        places = np.log([band.missing + 1.0 for band in self.bands])
        band = self.bands[int(np.argmin(np.abs(places - np.log(steps))))]
        return gaps.retimed(band.missing)

    def predict(self, gaps: Gaps) -> Prediction:
        """What would fill gaps.

        Parameters
        ----------
        gaps : Gaps
            At the model's own pace; see `at_own_pace`.

        Returns
        -------
        Prediction
        """
        return self.predictions(gaps.missing, describe_gaps(gaps, self.reference))

    def predictions(self, missing: int, features: Array) -> Prediction:
        """What would fill gaps with these features (B, D); `missing` is the length of a band."""
        values = self.band_of(missing).values(features).astype(float)
        n = (1 + self.rig.n_joints) * 3 * WAVES
        return Prediction(
            values[:, :n].reshape(len(values), -1, 3, WAVES),
            values[:, n:].reshape(len(values), -1, CELLS),
        )

    def fill(self, gaps: Gaps, fps: float | None = None) -> Track:
        """Fillings of gaps, shape (B, n, ...)."""
        paced = self.at_own_pace(gaps, fps)
        return self.predict(paced).draw(paced, gaps.shares)

    def band_of(self, missing: int) -> BandModel:
        """The band of a length, ready to answer."""
        return self._ready[[band.missing for band in self.bands].index(missing)]

    @cached_property
    def _ready(self) -> tuple[BandModel, ...]:
        columns = half_columns(self.rig, self.soles)
        return tuple(
            BandModel(band, half_weights(self.rig, band.missing), columns, self.mirroring)
            for band in self.bands
        )
