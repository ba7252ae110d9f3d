"""The methods that fill gaps, under one interface and by name.

Different answers to one gap: what single captures did in gaps like it, bent to its ends.

In-betweening as the bridge of other generators: how sure it is of gaps, and what fills them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Protocol, runtime_checkable

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.inbetween._curves import contacts_of_cells
from motionloom.inbetween._features import describe_gaps
from motionloom.inbetween.gaps import CONTEXT, Gaps, Track, go_straight, hold_still, keep_speed
from motionloom.inbetween.model import InbetweenModel, Prediction
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion, concatenate
from motionloom.plugins import FILLERS, load_plugins, names_of
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Captures that are looked at for each answer asked for.
_LOOKED_AT = 8
#: Answers differ by at least this share of how far the nearest capture goes from straight ways.
_DIFFERENT = 0.5

#: Methods that need nothing but the gap.
STRAIGHT: dict[str, Callable[[Gaps], Track]] = {
    "hold": hold_still,
    "slerp": go_straight,
    "velocity": keep_speed,
}
#: Methods that need a model.
LEARNED = ("kernel", "nearest")
#: All of them; plug-ins add others.
METHODS = (*STRAIGHT, *LEARNED)


@dataclass(frozen=True, eq=False)
class Filling:
    """What fills gaps.

    Parameters
    ----------
    track : Track
        Of shape (B, n, ...).
    down : bool array of shape (B, n, S), optional
        Which points of the model's soles are down; None where the method does not say.
    """

    track: Track
    down: Bools | None = None


class Filler(Protocol):
    """A method with what it has learned."""

    @property
    def name(self) -> str:
        """By which it is asked for."""

    def fill(self, gaps: Gaps, fps: float, count: int = 1) -> list[Filling]:
        """Fill gaps at a frame rate in up to so many different ways, best first."""


@runtime_checkable
class MeasuringFiller(Filler, Protocol):
    """A filler that is asked for speeds."""

    def reached(
        self, rotations: Array, gaps: Sequence[tuple[int, int]], fps: float
    ) -> tuple[Any, ...]:
        """Rows of a report, each with a `problem`, on the speeds of a finished motion.

        Parameters
        ----------
        rotations : array of shape (T, J, 4)
            World rotations of the motion.
        gaps : sequence of (int, int)
            First missing frame of each gap, and how many are missing.
        fps : float
            Frames per second.
        """


@dataclass(frozen=True)
class _StraightFiller:
    """One of the methods that need no data.

    Parameters
    ----------
    name : str
        One of `STRAIGHT`.
    """

    name: str

    def fill(self, gaps: Gaps, fps: float, count: int = 1) -> list[Filling]:
        """Fill gaps; there is one way only."""
        return [Filling(STRAIGHT[self.name](gaps))]


@dataclass(frozen=True, eq=False)
class _KernelFiller:
    """What people do on average in such a gap; further ways are those of single captures.

    Parameters
    ----------
    model : InbetweenModel
        What was learned.
    captures_only : bool
        Whether the average is left out.
    """

    model: InbetweenModel
    captures_only: bool = False

    @property
    def name(self) -> str:
        """By which it is asked for."""
        return "nearest" if self.captures_only else "kernel"

    def fill(self, gaps: Gaps, fps: float, count: int = 1) -> list[Filling]:
        """Fill gaps in up to so many different ways."""
        paced = self.model.at_own_pace(gaps, fps)
        found = [] if self.captures_only else [self.model.predict(paced)]
        if len(found) < count:
            found += _find_variants(self.model, paced, count - len(found), found)
        shares = gaps.shares
        downs = [[contacts_of_cells(own, shares) for own in one.contacts] for one in found]
        pairs = zip(found, downs, strict=True)
        return [Filling(one.draw(paced, shares), np.stack(down)) for one, down in pairs]


@one_thread()
def make_filler(
    method: str | None, model: InbetweenModel | None, speeds: str | PathLike[str] | None = None
) -> Filler:
    """The filler of a name.

    Parameters
    ----------
    method : str or None
        One of `METHODS` or of a plug-in; the best there is when None: ``"kernel"`` with a model,
        ``"velocity"`` without.
    model : InbetweenModel or None
        What was learned from captures.
    speeds : path-like, optional
        YAML of how fast segments shall go, for the method ``"phase"``, which is taken then.

    Returns
    -------
    Filler

    Raises
    ------
    InvalidInputError
        When there is no such method, it needs a model, or it cannot match speeds.

    Examples
    --------
    >>> make_filler("slerp", None).name
    'slerp'
    """
    name = method or ("phase" if speeds else "velocity" if model is None else "kernel")
    if name not in METHODS:
        load_plugins(FILLERS, _makers.__setitem__, name)
        if name not in _makers:
            known = ", ".join((*METHODS, *names_of(FILLERS)))
            raise InvalidInputError(
                f"there is no method {name!r} to fill gaps; expected one of {known}"
            )
    if speeds and name != "phase":
        raise InvalidInputError(
            f"speeds are matched by the method 'phase' only, not by {name!r}; leave one of them out"
        )
    if name in STRAIGHT:
        return _StraightFiller(name)
    if model is None:
        raise InvalidInputError(
            f"the method {name!r} needs a model learned from captures; fit one first, or take one"
            f" of {', '.join(STRAIGHT)}"
        )
    if name in _makers:
        return _makers[name](model, speeds)
    return _KernelFiller(model, captures_only=name == "nearest")


#: What makes the filler of a plug-in, of a model and the file of speeds, by its name.
_makers: dict[str, Callable[[InbetweenModel, str | PathLike[str] | None], Filler]] = {}


def _find_variants(
    model: InbetweenModel, gaps: Gaps, count: int, known: Sequence[Prediction] = ()
) -> list[Prediction]:
    """What the captures nearest to each gap did, each unlike those before.

    Parameters
    ----------
    model : InbetweenModel
        Its landmarks are the captures.
    gaps : Gaps
        B gaps.
    count : int
        Most answers.
    known : sequence of Prediction
        Answers that further ones are to differ from.

    Returns
    -------
    list of Prediction
        Fewer than asked for where the captures do not differ; at least one where none is known.
    """
    single = []
    for i, features in enumerate(describe_gaps(gaps, model.reference)):
        nearest = model.band_of(gaps.missing).nearest_features(features, _LOOKED_AT * count)
        looked_at = model.predictions(gaps.missing, nearest)
        single.append(_variants_of_one(looked_at, [one.curves[i] for one in known], count))
    if not all(single):
        return []
    # A gap with fewer answers shows its last one again.
    rows = [
        [answers[min(k, len(answers) - 1)] for answers in single]
        for k in range(max(map(len, single), default=0))
    ]
    return [Prediction(*map(np.stack, zip(*row, strict=True))) for row in rows]


def _variants_of_one(
    looked_at: Prediction, taken: list[Array], count: int
) -> list[tuple[Array, Array]]:
    """Curves and contacts of one gap that are unlike those that are taken."""
    found: list[tuple[Array, Array]] = []
    for curves, contacts in zip(looked_at.curves, looked_at.contacts, strict=True):
        others = np.array([*taken, *(own for own, _ in found)]).reshape(-1, curves.size)
        apart = ((curves.ravel() - others) ** 2).mean(axis=1)
        if len(found) < count and (apart > _DIFFERENT**2 * (curves**2).mean()).all():
            found.append((curves, contacts))
    return found


#: Gaps that are looked at in one go.
_CHUNK = 512


def doubt_gaps(
    model: InbetweenModel, before: Sequence[Motion], behind: Sequence[Motion], missing: int
) -> Array:
    """How far gaps are from the nearest captured one; see `Bridge.doubts`.

    The distance is that of the kernel, in its length scales, the larger of both halves of the body.

    Parameters
    ----------
    model : InbetweenModel
        What was learned.
    before, behind : sequence of Motion
        Known frames on both sides of P gaps.
    missing : int
        Frames of each gap.

    Returns
    -------
    array of shape (P,)
    """
    found = [np.zeros(0)]
    for part in (slice(i, i + _CHUNK) for i in range(0, len(before), _CHUNK)):
        rig = Rig.of(before[0], model.rig.roles)
        gaps = _gaps_of(rig, before[part], behind[part], missing)
        paced = model.at_own_pace(gaps, before[0].fps)
        features = describe_gaps(paced, model.reference)
        found.append(model.band_of(paced.missing).distances(features))
    return np.concatenate(found)


def _gaps_of(rig: Rig, before: Sequence[Motion], behind: Sequence[Motion], missing: int) -> Gaps:
    """Gaps of one length as one batch."""
    known = [_context(motion) for motion in before]
    lead = Track.of(concatenate(known), rig)
    end = Track.of(concatenate([motion.cut(0, 1) for motion in behind]), rig)
    shape = (len(known), CONTEXT)
    turned = lead.rotations.reshape(*shape, *lead.rotations.shape[1:])
    # One after the other they were made continuous in sign; each has to be so by itself.
    turned = rot.unroll(turned, axis=1)
    return Gaps(rig, turned, lead.roots.reshape(*shape, 3), end.rotations, end.roots, missing)


def _context(motion: Motion) -> Motion:
    """The last frames of a motion; a body that is known for less was at rest before."""
    lacking = CONTEXT - motion.n_frames
    if lacking <= 0:
        return motion.cut(motion.n_frames - CONTEXT, motion.n_frames)
    return concatenate([motion.cut(0, 1)] * lacking + [motion])
