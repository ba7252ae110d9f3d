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
from motionloom.inbetween._features import describe_gaps
from motionloom.inbetween._regression.curves import contacts_of_cells
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
        return [
            Filling(
                one.draw(paced, gaps.shares),
                np.stack([contacts_of_cells(own, gaps.shares) for own in one.contacts]),
            )
            for one in found
        ]


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
    features = describe_gaps(gaps, model.reference)
    single = [
        _variants_of_one(model, gaps.missing, row, count, known, i)
        for i, row in enumerate(features)
    ]
    most = max(map(len, single), default=0)
    found = []
    for k in range(most):
        # A gap with fewer answers shows its last one again.
        own = [answers[min(k, len(answers) - 1)] for answers in single if answers]
        if len(own) == gaps.size:
            found.append(
                Prediction(
                    np.concatenate([one.curves for one in own]),
                    np.concatenate([one.contacts for one in own]),
                )
            )
    return found


def _variants_of_one(
    model: InbetweenModel,
    missing: int,
    features: Array,
    count: int,
    known: Sequence[Prediction],
    index: int,
) -> list[Prediction]:
    band = model.band_of(missing)
    looked_at = model.predictions(missing, band.nearest_features(features, _LOOKED_AT * count))
    taken = [one.curves[index] for one in known]
    found: list[Prediction] = []
    for i in range(len(looked_at.curves)):
        curves = looked_at.curves[i]
        least = _DIFFERENT * float(np.sqrt((curves**2).mean()))
        apart = [float(np.sqrt(((curves - other) ** 2).mean())) for other in taken]
        if len(found) < count and all(gap > least for gap in apart):
            taken.append(curves)
            found.append(Prediction(curves[None], looked_at.contacts[i : i + 1]))
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
    found = [
        _doubts(model, before[i : i + _CHUNK], behind[i : i + _CHUNK], missing)
        for i in range(0, len(before), _CHUNK)
    ]
    return np.concatenate(found) if found else np.zeros(0)


def _doubts(
    model: InbetweenModel, before: Sequence[Motion], behind: Sequence[Motion], missing: int
) -> Array:
    rig = Rig.of(before[0], model.rig.roles)
    gaps = model.at_own_pace(_gaps_of(rig, before, behind, missing), before[0].fps)
    features = describe_gaps(gaps, model.reference)
    return model.band_of(gaps.missing).distances(features)


def _gaps_of(rig: Rig, before: Sequence[Motion], behind: Sequence[Motion], missing: int) -> Gaps:
    """Gaps of one length as one batch."""
    known = [_context(motion) for motion in before]
    lead = Track.of(concatenate(known), rig)
    end = Track.of(concatenate([motion.cut(0, 1) for motion in behind]), rig)
    shape = (len(known), CONTEXT)
    turned = lead.rotations.reshape(*shape, *lead.rotations.shape[1:])
    return Gaps(
        rig=rig,
        # One after the other they were made continuous in sign; each has to be so by itself.
        rotations=rot.unroll(turned, axis=1),
        roots=lead.roots.reshape(*shape, 3),
        end_rotations=end.rotations,
        end_roots=end.roots,
        missing=missing,
    )


def _context(motion: Motion) -> Motion:
    """The last frames of a motion; a body that is known for less was at rest before."""
    lacking = CONTEXT - motion.n_frames
    if lacking <= 0:
        return motion.cut(motion.n_frames - CONTEXT, motion.n_frames)
    return concatenate([motion.cut(0, 1)] * lacking + [motion])
