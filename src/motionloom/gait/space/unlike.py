"""Takes of one style that are unlike at one speed: perhaps they are of several styles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from motionloom.gait.space.behaviour import BehaviourSpace
from motionloom.gait.space.coordinates import CycleCoordinates

#: Takes of one style whose paces differ by less than this, 1/s, differ by less than this on average
#: over joints and cycle, metres: 2.7 cm at most in 40 pairs of four people, while limps lie 5 to 8
#: cm from walks.
NEAR, UNLIKE = 0.2, 0.035
#: So many pairs are named.
NAMED = 10


def find_unlike(
    behaviour: str, space: BehaviourSpace, coordinates: CycleCoordinates
) -> tuple[str, ...]:
    """Say which takes are averaged though they differ by more than strides of one style do.

    Parameters
    ----------
    behaviour : str
        ``"walk"`` or ``"run"``.
    space : BehaviourSpace
        What was learned of it.
    coordinates : CycleCoordinates
        Of its rows.

    Returns
    -------
    tuple of str
        A sentence for each person of whom there are such takes.
    """
    takes = space.line.takes
    sentences = []
    for person in dict.fromkeys(takes.persons):
        pairs = sorted(_pairs(person, space, coordinates), reverse=True)
        if not pairs:
            continue
        named = [f"{a} and {b} by {100 * apart:.0f} cm" for apart, a, b in pairs[:NAMED]]
        more = f", {len(pairs) - NAMED} more pairs" if len(pairs) > NAMED else ""
        sentences.append(
            f"{behaviour}s of {person!r} at about one speed differ, and their mean is learned"
            f" ({'; '.join(named)}{more}); where they are of several styles, tell these in a file"
        )
    return tuple(sentences)


def _pairs(
    person: str, space: BehaviourSpace, coordinates: CycleCoordinates
) -> Iterator[tuple[float, str, str]]:
    """Pairs of a person's takes that are unlike: how far apart, metres, and their names."""
    takes = space.line.takes
    samples, joints, _ = coordinates.reference.shape
    for i, k in combinations(takes.of(person), 2):
        if abs(takes.pace[i] - takes.pace[k]) < NEAR:
            between = (takes.rows[i] - takes.rows[k])[: 3 * samples * joints].reshape(-1, 3)
            apart = float(np.linalg.norm(between, axis=1).mean())
            if apart > UNLIKE:
                yield apart, takes.names[i], takes.names[k]
