"""Learning to fill gaps: captures in, a model out, band by band and in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.clip_set import ClipSet
from motionloom.edit.mirror import Symmetry
from motionloom.errors import InvalidInputError
from motionloom.inbetween import _kernel as regression
from motionloom.inbetween import model as models
from motionloom.inbetween._curves import Exchange, Mirroring, contact_cells, symmetry_of
from motionloom.inbetween._features import (
    FeatureScale,
    Poses,
    between_lengths,
    describe_gaps,
    half_weights,
)
from motionloom.inbetween.gaps import CONTEXT, Gaps, Track
from motionloom.inbetween.rig import Rig
from motionloom.options import option_field
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, breathe, silent
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools, Ints, Singles

#: Length scale of the kernels in short gaps and in long ones, in usual distances between gaps.
SMOOTHNESS = (1.2, 0.6)
#: What rounding may change in predictions, in short gaps and in long ones, in parts of the
#: residuals at the landmarks. Chosen so that the error on four clips of the demo, left out, grows
#: by at most .5 % (.6 % at 10 frames).
ROUNDING = (0.07, 0.38)
#: Gaps that are described at a time.
_CHUNK = 1024


@dataclass(frozen=True)
class InbetweenOptions:
    """How a model is learned.

    Parameters
    ----------
    lengths : tuple of int
        Missing frames of the gaps of each band, ascending.
    samples : int
        Most gaps that a band is learned from.
    landmarks : int, optional
        Most landmarks of a band; all samples when not given.
    ridge : float
        How much of what is captured is taken for chance.
    mirror : bool
        Whether to learn from mirrored copies too, where the body is symmetric.
    compact : bool
        Whether to round the coefficients, so that a file of the model takes a tenth of the bytes.
        Learning takes three times as long, and the error grows by half a per cent.

    Raises
    ------
    InvalidInputError
        When a number makes no sense.
    """

    lengths: tuple[int, ...] = (5, 7, 10, 15, 21, 30, 45, 64)
    samples: int = option_field(5_000, "Most gaps learned from.", minimum=10, maximum=1_000_000)
    landmarks: int | None = option_field(
        None, "Most of them that are kept; else all.", minimum=10, maximum=50_000
    )
    ridge: float = 0.05
    mirror: bool = True
    compact: bool = False

    def __post_init__(self) -> None:
        ordered = sorted({*self.lengths})
        if not ordered or ordered[0] < 1 or list(self.lengths) != ordered:
            raise InvalidInputError("lengths of gaps are at least 1 frame and in ascending order")
        if self.most < 2 or self.samples < self.most:
            raise InvalidInputError(
                "a model needs at least 2 landmarks, and at least as many samples; got"
                f" {self.most} landmarks and {self.samples} samples"
            )
        if self.most * len(self.lengths) > models.MOST_LANDMARKS:
            raise InvalidInputError(
                f"a model of {len(self.lengths)} lengths has at most"
                f" {models.MOST_LANDMARKS // len(self.lengths)} landmarks a length; got {self.most}"
            )
        if not self.ridge > 0:
            raise InvalidInputError("the ridge of a model must be positive")

    @property
    def most(self) -> int:
        """Most landmarks of a band."""
        return self.samples if self.landmarks is None else self.landmarks


@dataclass(frozen=True, eq=False)
class Captures:
    """What a model is learned from; small enough to be sent to every worker.

    Parameters
    ----------
    rig : Rig
        The body.
    poses : tuple of Poses
        One for each clip.
    soles : Soles or None
        Points of the feet.
    down : tuple of bool array of shape (T, S)
        Which points are down, for each clip; empty without soles.
    reference : array of shape (J, 4)
        Mean world rotations of the bodies, facing ahead.
    mirroring : Mirroring or None
        How gaps are mirrored, where they are to be.
    fps : float
        Frames per second.
    options : InbetweenOptions
        How it is learned.
    """

    rig: Rig
    poses: tuple[Poses, ...]
    soles: Soles | None
    down: tuple[Bools, ...]
    reference: Array
    mirroring: Mirroring | None
    fps: float
    options: InbetweenOptions

    @property
    def n_frames(self) -> int:
        """Frames of all clips."""
        return sum(len(own.frames) for own in self.poses)

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Motion of every clip, as the model's file holds it."""
        return tuple(own.track for own in self.poses)


def gather_captures(
    clips: ClipSet, options: InbetweenOptions | None = None, progress: Progress = silent
) -> Captures:
    """Make clips ready for learning.

    Parameters
    ----------
    clips : ClipSet
        Clips of one skeleton; those too short for a gap are passed over.
    options : InbetweenOptions, optional
        How it is learned.
    progress : Progress
        Told of every clip.

    Returns
    -------
    Captures
    """
    options = options or InbetweenOptions()
    rig = Rig.of(clips.motions[0], clips.roles)
    posed = [PosedMotion(motion, clips.roles) for motion in clips.motions]
    try:
        soles = fit_soles(posed)
    except InvalidInputError:  # something without feet
        soles = None
    poses = []
    down = []
    for i, one in enumerate(posed):
        progress("reading motion", i, len(posed))
        poses.append(Poses.of(Track(rot.unroll(one.rotations), one.positions[:, rig.root])))
        if soles is not None:
            down.append(detect_contacts(one, soles=soles).down)
    progress("reading motion", len(posed), len(posed))
    symmetry = symmetry_of(clips.motions, rig) if options.mirror else None
    mirroring = None if symmetry is None else Mirroring.of(symmetry, rig, soles)
    reference = _reference(posed, symmetry)
    known = tuple(poses), soles, tuple(down), reference
    return Captures(rig, *known, mirroring, clips.fps, options)


def _reference(posed: Sequence[PosedMotion], symmetry: Symmetry | None) -> Array:
    """Mean world rotations of bodies that are turned to face ahead, and of their mirror images."""
    seen = [rot.multiply(rot.yaw(-one.facing[::5])[:, None], one.rotations[::5]) for one in posed]
    mean = rot.mean(np.concatenate(seen))
    return mean if symmetry is None else rot.mean(np.stack([mean, symmetry.mirror_world(mean)]))


@one_thread()
def fit_inbetween(
    clips: ClipSet | Captures,
    options: InbetweenOptions | None = None,
    progress: Progress = silent,
    *,
    known: Mapping[int, models.Band] | None = None,
    keep: Callable[[models.Band], None] | None = None,
    run: Callable[[Captures, Sequence[int]], Iterator[models.Band]] | None = None,
) -> models.InbetweenModel:
    """Learn to fill gaps.

    Parameters
    ----------
    clips : ClipSet, or Captures
        Clips of one skeleton at one frame rate.
    options : InbetweenOptions, optional
        Lengths, and how much is kept; captures have theirs.
    progress : Progress
        Told of every clip and band.
    known : mapping of int to Band, optional
        Bands that an earlier run has learned, by their length.
    keep : callable, optional
        Takes every band as soon as it is learned.
    run : callable, optional
        Learns the bands, in any order; here, one after the other, when not given.

    Returns
    -------
    InbetweenModel

    Raises
    ------
    InvalidInputError
        When no clip is long enough for a gap.
    """
    captures = clips if isinstance(clips, Captures) else gather_captures(clips, options, progress)
    lengths = _possible(captures)
    bands = {missing: band for missing, band in (known or {}).items() if missing in lengths}
    left = [missing for missing in lengths if missing not in bands]
    progress("learning", len(bands), len(lengths))
    here = (fit_band(captures, missing) for missing in left)
    learned = here if run is None else run(captures, left)
    for band in learned:
        bands[band.missing] = band
        if keep is not None:
            keep(band)
        progress("learning", len(bands), len(lengths))
    found = tuple(bands[missing] for missing in lengths)
    same = ("rig", "reference", "fps", "soles", "mirroring")
    own = {name: getattr(captures, name) for name in same}
    poses = Poses.joined(captures.poses).kept_for([(one.last, one.missing) for one in found])
    return models.InbetweenModel(**own, bands=found, poses=poses, learned=captures.n_frames)


def can_learn(clips: ClipSet, options: InbetweenOptions | None = None) -> bool:
    """Whether a clip is long enough to learn from."""
    longest = max(motion.n_frames for motion in clips.motions)
    return bool(_lengths_within(longest, options or InbetweenOptions()))


def _lengths_within(frames: int, options: InbetweenOptions) -> list[int]:
    """Lengths of bands for which a clip of so many frames has some gaps."""
    return [n for n in options.lengths if n <= frames - CONTEXT - 9]


def _possible(captures: Captures) -> list[int]:
    longest = max(len(own.frames) for own in captures.poses)
    lengths = _lengths_within(longest, captures.options)
    if not lengths:
        raise InvalidInputError(
            "filling gaps is learned from clips of at least"
            f" {captures.options.lengths[0] + CONTEXT + 9} frames, and the longest has {longest};"
            " add longer ones"
        )
    return lengths


def fit_band(captures: Captures, missing: int) -> models.Band:
    """Learn one band: the unit that is computed, sent to workers and kept.

    Parameters
    ----------
    captures : Captures
        What is learned from.
    missing : int
        Missing frames of its gaps.

    Returns
    -------
    Band
    """
    picked = list(_pick(captures, missing))
    described = [_describe(captures, *chunk, missing) for chunk in picked]
    features, values = (np.concatenate(part) for part in zip(*described, strict=True))
    # Neighbours in time are much alike: every so many of them stands for the rest.
    order = _spread_order(len(features))
    features = features[order]
    values = values[order]
    scale, offset = _centers(features, values, captures, missing)
    scaled = scale.apply(features)
    values -= offset
    lengths = {}
    halves = {}
    columns = models.half_columns(captures.rig, captures.soles)
    for name, weights in half_weights(captures.rig, missing).items():
        own = scaled * weights
        lengths[name] = between_lengths(SMOOTHNESS, missing) * regression.usual_distance(own)
        own /= np.float32(lengths[name])
        half = np.ascontiguousarray(values[:, columns[name]])
        halves[name] = _fit_half(captures, missing, own, half, columns[name])
    count = captures.options.most
    last = _frames_of(captures, picked)[order][:count]
    return models.Band(missing, scale, lengths, halves, offset, last, scaled[:count].copy())


def _fit_half(
    captures: Captures, missing: int, own: Singles, values: Singles, columns: Ints
) -> regression.Exact | regression.Rounded:
    """Coefficients of the landmarks for some of the values."""
    count = min(captures.options.most, len(own))
    ridge = captures.options.ridge
    scales = regression.scales_of(missing)
    mirrored = _mirrored(captures, columns)
    found = regression.fit_ridge(own, values, count, ridge, mirrored, scales)
    if not captures.options.compact:
        return regression.Exact(np.asarray(found, np.float32))
    landmarks = own[:count]
    images = None if mirrored is None else mirrored[0].apply(landmarks)
    weights = models.value_weights(captures.rig, captures.soles)[columns]
    # What the regression leaves at the landmarks is the ridge times their coefficients.
    residual = ridge * float(np.sqrt(np.mean(np.sum((found * weights) ** 2, axis=1))))
    noise = between_lengths(ROUNDING, missing) * residual
    influence = regression.influence_of(landmarks, images, scales)
    return regression.round_coefficients(found, weights, influence, noise)


def _frames_of(captures: Captures, picked: Sequence[tuple[int, Ints]]) -> NDArray[np.uint32]:
    """Numbers of frames in all clips together."""
    first = np.cumsum([0, *(len(own.frames) for own in captures.poses)])
    return np.concatenate([first[clip] + last for clip, last in picked]).astype(np.uint32)


def _centers(
    features: Singles, values: Singles, captures: Captures, missing: int
) -> tuple[FeatureScale, Singles]:
    """Scale of the features and mean of the values, of the gaps and of their mirror images."""
    scale = FeatureScale.of(features.astype(float), captures.rig, missing)
    offset = values.mean(axis=0)
    mirroring = captures.mirroring
    if mirroring is None:
        return scale, offset
    # A sign that mirroring turns around has the mean 0; a weight is the same on both sides.
    images = mirroring.features
    mean = (scale.mean + scale.mean[images.order] * images.signs) / 2
    weight = (scale.weight + scale.weight[images.order]) / 2
    return FeatureScale(mean, weight), (offset + mirroring.values.apply(offset)) / 2


def _mirrored(captures: Captures, columns: Ints) -> tuple[Exchange, Exchange] | None:
    """Mirroring of the features, and of some of the values."""
    mirroring = captures.mirroring
    if mirroring is None:
        return None
    place = np.full(len(mirroring.values.order), -1)
    place[columns] = np.arange(len(columns))
    order = place[mirroring.values.order[columns]]
    return mirroring.features, Exchange(order, mirroring.values.signs[columns])


def _spread_order(count: int) -> Ints:
    """An order whose first part is spread evenly over all, the same on every machine."""
    golden = (np.arange(count) * 0.6180339887498949) % 1.0
    order: Ints = np.argsort(golden, kind="stable")
    inverse = np.empty(count, np.int64)
    inverse[order] = np.arange(count)
    return np.argsort((inverse * 0.7548776662466927) % 1.0, kind="stable")


def _pick(captures: Captures, missing: int) -> Iterator[tuple[int, Ints]]:
    """Clip and last frames before the gaps that are learned from, evenly over all, in chunks."""
    room = [max(0, len(own.frames) - CONTEXT - missing) for own in captures.poses]
    step = max(1.0, sum(room) / captures.options.samples)
    at = 0.0
    for clip, free in enumerate(room):
        count = int(np.ceil((free - at) / step)) if free > at else 0
        first = np.minimum((at + step * np.arange(count)).astype(np.int64), free - 1)
        last = first + CONTEXT - 1
        at += step * count - free
        for i in range(0, count, _CHUNK):
            yield clip, last[i : i + _CHUNK]


def _describe(captures: Captures, clip: int, last: Ints, missing: int) -> tuple[Singles, Singles]:
    """Features and values of gaps in one clip."""
    breathe()
    track = captures.poses[clip].track
    gaps = Gaps.cut(captures.rig, track, last, missing)
    inside = last[:, None] + np.arange(1, missing + 1)
    curves = models.curves_of(gaps, Track(track.rotations[inside], track.roots[inside]))
    values: list[Any] = [curves.reshape(len(last), -1)]
    if captures.soles is not None:
        values.append(contact_cells(captures.down[clip][inside]).reshape(len(last), -1))
    features = describe_gaps(gaps, captures.reference)
    return features.astype(np.float32), np.concatenate(values, axis=1).astype(np.float32)
