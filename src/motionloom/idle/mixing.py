"""Persons mixed: somebody who waits as one does by seven tenths and as another by three.

How they hold themselves, how far they shift, how long they stay and how large small variations are
lies in between; what they do comes from each as often as their share says. With equal shares of
many it is nobody's in particular: for somebody without a recording.

How a person waits, in a body of another size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.signal

from motionloom import rotations as rot
from motionloom.coordinates import ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.idle._variations import NoiseVariation, fit_noise
from motionloom.idle.learning.limits import join_ranges
from motionloom.idle.learning.posture_space import PostureSpace, space_of_numbers, to_numbers
from motionloom.idle.learning.spans import Shift
from motionloom.idle.model import IdleModel, Rest, check_alike, transition_chances
from motionloom.posed_motion import pose_motion
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Sizes of a body that are taken for a person's, metres.
SHORTEST, TALLEST = 0.4, 3.0

#: Sizes of two persons' movements are brought together by no more than this factor.
MOST = 3.0


@one_thread()
def mix_idle(models: Sequence[IdleModel], shares: Sequence[float], person: str = "") -> IdleModel:
    """Mix how persons wait.

    Parameters
    ----------
    models : sequence of IdleModel
        Of one family of skeletons and at one frame rate; the bones are those of the first.
    shares : sequence of float
        How much of each there is; only their proportions count.
    person : str
        Name of the mixture; made of the persons' names when empty.

    Returns
    -------
    IdleModel

    Raises
    ------
    InvalidInputError
        When shares are negative or all 0, or the models do not fit each other.
    """
    weights = _check_shares(models, shares)
    check_alike(
        [(m.person or "one model", m.space.coordinates.skeleton, m.fps) for m in models],
        (
            "persons of one skeleton can be mixed, so convert the recordings to one and fit again",
            "resample the recordings to one rate and fit again",
        ),
    )
    # Of the first's size, so that metres are the same for all.
    sized = [resize_idle(m, models[0].space.leg / m.space.leg) for m in models]
    used = [(m, float(w)) for m, w in zip(sized, weights, strict=True) if w > 0]
    if len(used) == 1:
        return replace(used[0][0], person=person or used[0][0].person)
    space = _common_space(models[0], used)
    parts = [_part(model, weight, space) for model, weight in used]
    mean = _between(parts)
    kept = _kept_counts([(len(part.model.rests), part.weight) for part in parts])
    rests = [r for part, n in zip(parts, kept, strict=True) for r in part.rests(mean, n)]
    shifts = [shift for part in parts for shift in part.shifts(mean)]
    told = ", ".join(f"{w:.2g} of {m.person or 'somebody'}" for m, w in used)
    followed = np.sum([w * m.transitions for m, w in used], axis=0)
    knees = np.sum([w * m.knees for m, w in used], axis=0)
    return IdleModel(
        space=space,
        fps=models[0].fps,
        rests=tuple(rests),
        shifts=tuple(shifts),
        transitions=transition_chances(followed, rests),
        variations=_mixed_variations(parts, mean, models[0].fps),
        knees=knees / np.linalg.norm(knees, axis=1, keepdims=True),
        limits=join_ranges(m.limits for m, _ in used),
        person=person or " + ".join(f"{w:.2g} {m.person or 'somebody'}" for m, w in used),
        seconds=sum(m.seconds for m, _ in used),
        notes=(f"mixed of {len(used)} persons: {told}",),
    )


def _check_shares(models: Sequence[IdleModel], shares: Sequence[float]) -> Array:
    given = np.asarray(shares, float)
    if len(given) != len(models) or not len(models):
        raise InvalidInputError(
            f"a mixture needs one share for each model, got {len(given)} for {len(models)}"
        )
    if not np.isfinite(given).all() or (given < 0).any() or not given.sum() > 0:
        raise InvalidInputError(
            f"shares of a mixture are positive numbers, got {', '.join(f'{s:g}' for s in given)}"
        )
    return np.asarray(given / given.sum())


def _common_space(first: IdleModel, used: Sequence[tuple[IdleModel, float]]) -> PostureSpace:
    """Space of the postures of all, each counting by its share."""
    skeleton = first.space.coordinates.skeleton
    weights = np.array([w for _, w in used])
    references = np.stack([np.asarray(m.space.coordinates.reference, float) for m, _ in used])
    coordinates = ExponentialCoordinates(skeleton, (0,), rot.mean(references, weights))
    origin = np.sum([w * m.space.origin for m, w in used], axis=0)
    leg = first.space.leg
    covariance = np.zeros((3 + 3 * skeleton.n_joints,) * 2)
    for model, weight in used:
        shown = np.concatenate(
            [[r.posture for r in model.rests], *(s.postures for s in model.shifts)]
        )
        motion = model.space.to_motion(shown, 1.0 / model.fps)
        numbers = to_numbers(coordinates, replace(motion, skeleton=skeleton), origin, leg)
        covariance += weight * numbers.T @ numbers / len(numbers)
        small = np.concatenate(_variations_of(model)) @ model.space.components
        covariance += weight * small.T @ small / max(len(small), 1)
    return space_of_numbers(coordinates, origin, leg, covariance, first.space.roles)


def _variations_of(model: IdleModel) -> list[Array]:
    """Small variations of a model, span after span, in its components."""
    own = model.variations
    starts = np.concatenate([[0], own.ends[:-1]])
    spans = [own.drive[a:b].T for a, b in zip(starts, own.ends, strict=True)]
    filtered = scipy.signal.lfilter
    return [
        np.column_stack([filtered([1.0], *one) for one in zip(own.filters, span, strict=True)])
        for span in spans
    ]


@dataclass(frozen=True, eq=False)
class _Part:
    """One person, in the components of the mixture."""

    model: IdleModel
    weight: float
    postures: Array
    ways: tuple[Array, ...]
    still: tuple[Array, ...]
    own: _Traits

    def moved(self, postures: Array, mean: _Traits) -> Array:
        """Postures as the mixture has them."""
        return mean.center + _scale(mean.size, self.own.size) * (postures - self.own.center)

    def rests(self, mean: _Traits, count: int) -> list[Rest]:
        """So many resting postures, of every category in proportion."""
        order = sorted(range(len(self.postures)), key=lambda i: self.model.rests[i].category)
        chosen = sorted(order[i] for i in np.linspace(0, len(order) - 1, count).round().astype(int))
        longer = _scale(mean.stay, self.own.stay)
        turned = rot.multiply(mean.turns, rot.conjugate(self.own.turns))
        postures = self.moved(self.postures, mean)
        return [
            replace(
                rest,
                posture=posture,
                stay=longer * rest.stay,
                feet=rest.feet + mean.feet - self.own.feet,
                turns=rot.multiply(turned, rest.turns),
            )
            for rest, posture in ((self.model.rests[i], postures[i]) for i in chosen)
        ]

    def shifts(self, mean: _Traits) -> list[Shift]:
        """All ways from posture to posture."""
        turned = rot.multiply(mean.turns, rot.conjugate(self.own.turns))
        return [
            replace(
                shift,
                postures=self.moved(way, mean),
                feet=None if shift.feet is None else shift.feet + mean.feet - self.own.feet,
                turns=None if shift.turns is None else rot.multiply(turned, shift.turns),
            )
            for shift, way in zip(self.model.shifts, self.ways, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class _Traits:
    """Mean posture over time and how far postures are from it, mean feet, how large small
    variations are and how long a posture stays: of a person, or in between.
    """

    center: Array
    feet: Array
    turns: Array
    size: float
    small: float
    stay: float


def _traits_of(rests: Sequence[Rest], postures: Array, still: Sequence[Array]) -> _Traits:
    stays = np.array([rest.stay for rest in rests])
    center = np.average(postures, axis=0, weights=stays)
    away = np.sum((postures - center) ** 2, axis=1)
    return _Traits(
        center=center,
        feet=np.mean([rest.feet for rest in rests], axis=0),
        turns=rot.mean(np.stack([rest.turns for rest in rests])),
        size=float(np.sqrt(np.average(away, weights=stays))),
        small=float(np.sqrt(np.mean(np.sum(np.concatenate(still) ** 2, axis=1)))),
        stay=float(np.median(stays)),
    )


def _between(parts: Sequence[_Part]) -> _Traits:
    """What lies in between."""
    weights = np.array([part.weight for part in parts])
    sizes = np.array([(p.own.size, p.own.small, p.own.stay) for p in parts])
    size, small, stay = map(float, np.exp(weights @ np.log(np.maximum(sizes, 1e-9))))
    return _Traits(
        center=np.sum([p.weight * p.own.center for p in parts], axis=0),
        feet=np.sum([p.weight * p.own.feet for p in parts], axis=0),
        turns=rot.mean(np.stack([p.own.turns for p in parts]), weights),
        size=size,
        small=small,
        stay=stay,
    )


def _scale(wanted: float, own: float) -> float:
    """Factor on one person's; those who hardly move are not blown up."""
    return float(np.clip(wanted / max(own, 1e-9), 1.0 / MOST, MOST))


def _part(model: IdleModel, weight: float, space: PostureSpace) -> _Part:
    skeleton = space.coordinates.skeleton

    def shown(postures: Array) -> Array:
        motion = model.space.to_motion(postures, 1.0 / model.fps)
        return space.to_components(replace(motion, skeleton=skeleton))

    # Small variations are the same about any posture.
    across = model.space.components @ space.components.T
    postures = shown(np.array([rest.posture for rest in model.rests]))
    ways = tuple(shown(shift.postures) for shift in model.shifts)
    still = tuple(span @ across for span in _variations_of(model))
    return _Part(model, weight, postures, ways, still, _traits_of(model.rests, postures, still))


def _kept_counts(counts: Sequence[tuple[int, float]]) -> list[int]:
    """How many of each to keep so that shares come out, as many as there are of one at most."""
    total = min(n / share for n, share in counts)
    return [min(n, max(1, round(share * total))) for n, share in counts]


def _mixed_variations(parts: Sequence[_Part], mean: _Traits, fps: float) -> NoiseVariation:
    lengths = [(sum(len(span) for span in part.still), part.weight) for part in parts]
    spans: list[Array] = []
    for part, count in zip(parts, _kept_counts(lengths), strict=True):
        scale = _scale(mean.small, part.own.small)
        missing = count
        for span in sorted(part.still, key=len, reverse=True):
            if missing > 0:
                spans.append(scale * span[:missing])
            missing -= len(span)
    return fit_noise(spans, fps)


def height_of(model: IdleModel) -> float:
    """How high the body reaches in the person's mean posture, metres."""
    space = model.space
    neutral = space.to_motion(np.zeros((1, space.n_components)), 1.0 / model.fps)
    posed = pose_motion(neutral, space.roles)
    return float(np.concatenate([posed.positions[0], posed.end_sites[0]])[:, 1].max())


def set_height(model: IdleModel, height: float) -> IdleModel:
    """The person in a body that reaches so high when they wait.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    height : float, metres
        From the ground to the top of the head.

    Returns
    -------
    IdleModel

    Raises
    ------
    InvalidInputError
        When nobody is of that height.
    """
    if not SHORTEST <= height <= TALLEST:
        raise InvalidInputError(
            f"a body is from {SHORTEST:g} to {TALLEST:g} m high, got {height:g}"
        )
    return resize_idle(model, height / height_of(model))


def resize_idle(model: IdleModel, factor: float) -> IdleModel:
    """The person in a body whose bones are so many times as long.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    factor : float
        On all lengths; angles and times stay.

    Returns
    -------
    IdleModel
    """
    if factor == 1.0:
        return model
    space = model.space
    skeleton = space.coordinates.skeleton
    bones = replace(
        skeleton, offsets=factor * skeleton.offsets, end_offsets=factor * skeleton.end_offsets
    )
    sized = replace(
        space,
        coordinates=replace(space.coordinates, skeleton=bones),
        origin=factor * space.origin,
        leg=factor * space.leg,
    )
    return replace(
        model,
        space=sized,
        limits=model.limits.scaled(factor),
        rests=tuple(replace(rest, feet=factor * rest.feet) for rest in model.rests),
        shifts=tuple(
            replace(
                shift,
                feet=None if shift.feet is None else factor * shift.feet,
                moved=replace(shift.moved, x=factor * shift.moved.x, z=factor * shift.moved.z),
            )
            for shift in model.shifts
        ),
    )
