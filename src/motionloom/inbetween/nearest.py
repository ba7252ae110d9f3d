"""Different answers to one gap: what single captures did in gaps like it, bent to its ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.inbetween.features import describe_gaps
from motionloom.inbetween.gaps import Gaps
from motionloom.inbetween.model import InbetweenModel, Prediction
from motionloom.typing import Array

#: Captures that are looked at for each answer asked for.
_LOOKED_AT = 8
#: Answers differ by at least this share of how far the nearest capture goes from straight ways.
_DIFFERENT = 0.5


def find_variants(
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
