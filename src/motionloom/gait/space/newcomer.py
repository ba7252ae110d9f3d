"""Somebody seen at one speed and wanted at another: the text's way, and the simplest one.

The default is `SpeedLine.at`: the population's line with as much of the person's offset as their
takes bear out.
"""

from __future__ import annotations

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.gait.space.behaviour import BehaviourSpace
from motionloom.typing import Array, Ints

#: Ways to a person's row at a speed: the population's line moved to the person; the person's
#: nearest take, faster or slower; coefficients of other people by their likeness.
METHODS = ("line", "scaled", "text")
#: Share of each variance that is added to it, so that small ones do not decide who is alike.
_REGULAR = 0.1


def row_by(
    space: BehaviourSpace, pace: float, extra: float = 0.0, person: str = "", method: str = "line"
) -> Array:
    """A person's row at a pace.

    Parameters
    ----------
    space : BehaviourSpace
        The behaviour.
    pace : float, 1/s
        Speed over hip height.
    extra : float
        Log of the frequency over the law's; counts for ``"line"``.
    person : str
        Whose.
    method : str
        One of `METHODS`.

    Returns
    -------
    array of shape (D,)

    Raises
    ------
    InvalidInputError
        When there is no such method, or it needs takes that are not there.
    """
    if method not in METHODS:
        raise InvalidInputError(f"no method {method!r}; expected {', '.join(METHODS)}")
    if method == "line":
        return space.line.at(pace, extra, person)
    own = space.line.takes.of(person)
    if len(own) == 0:
        raise InvalidInputError(f"method {method!r} needs a take of the person, {person!r}")
    if method == "scaled":
        nearest = own[int(np.argmin(np.abs(space.line.takes.pace[own] - pace)))]
        row: Array = space.line.takes.rows[nearest]
        return row
    return _row_by_text(space, pace, person, own)


def _row_by_text(space: BehaviourSpace, pace: float, person: str, own: Ints) -> Array:
    weights = likeness(space, person, own)
    rows = np.stack([space.line.at(pace, 0.0, other) for other in weights])
    mean = np.array(list(weights.values())) @ space.basis.coefficients(rows)
    return space.basis.mean + mean @ space.basis.axes


def likeness(space: BehaviourSpace, person: str, own: Ints | None = None) -> dict[str, float]:
    """How much every other person counts for somebody (Xiao 2009, eqs. 4.6 and 4.7).

    The Mahalanobis distance in the leading components, at the speed at which the person was seen;
    one covariance for all people and regularised, as each has far fewer strides than components.

    Parameters
    ----------
    space : BehaviourSpace
        The behaviour.
    person : str
        Somebody with at least one take.
    own : int array, optional
        Which takes; all of the person's when not given.

    Returns
    -------
    dict of str to float
        Weights by person, 1 in total.

    Raises
    ------
    InvalidInputError
        When there is nobody else.
    """
    takes = space.line.takes
    own = takes.of(person) if own is None else own
    others = [p for p in dict.fromkeys(takes.persons) if p != person]
    if not others:
        raise InvalidInputError("a person is compared with others; this gait space has one person")
    seen = takes.rows[own].mean(axis=0)
    pace = float(takes.pace[own].mean())
    theirs = np.stack([space.line.at(pace, 0.0, other) for other in others])
    apart = space.basis.coefficients(theirs) - space.basis.coefficients(seen)
    variances = space.basis.variances[: apart.shape[1]]
    regular = variances + _REGULAR * variances.mean()
    distance = np.sqrt((apart**2 / regular).sum(axis=1))
    weights = 1.0 / np.maximum(distance, 1e-9)
    return dict(zip(others, map(float, weights / weights.sum()), strict=True))
