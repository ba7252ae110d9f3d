"""How dense a body is, by its height and mass."""

from __future__ import annotations

from motionloom.errors import InvalidInputError

#: Heights (metres) and masses (kilograms) of people.
HEIGHTS = (0.4, 2.6)
MASSES = (2.0, 400.0)

#: Mass over squared height that is taken where no mass is told, kilograms per square metre.
USUAL_BUILD = 22.0


def check_build(height: float, mass: float) -> None:
    """Refuse a height or mass that no person has.

    Parameters
    ----------
    height : float, metres
        Stature.
    mass : float, kilograms
        Of the whole body.

    Raises
    ------
    InvalidInputError
        When one of them is out of range.
    """
    if not HEIGHTS[0] <= height <= HEIGHTS[1]:
        raise InvalidInputError(
            f"the height must be between {HEIGHTS[0]} and {HEIGHTS[1]} metres, got {height:g};"
            " give it in metres",
            hint="give height",
        )
    if not MASSES[0] <= mass <= MASSES[1]:
        raise InvalidInputError(
            f"the mass must be between {MASSES[0]:g} and {MASSES[1]:g} kilograms, got {mass:g};"
            " give it in kilograms",
            hint="give mass",
        )


def body_density(height: float, mass: float) -> float:
    """Mean density of a body (Drillis & Contini 1966, as Winter 2009 gives it).

    ``0.69 + 0.9 c`` kilograms per litre with the ponderal index ``c = height / mass^(1/3)``: the
    slimmer, the denser.

    Parameters
    ----------
    height : float, metres
        Stature.
    mass : float, kilograms
        Of the whole body.

    Returns
    -------
    float, kilograms per cubic metre

    Raises
    ------
    InvalidInputError
        When height or mass are not a person's.
    """
    check_build(height, mass)
    return float(1000.0 * (0.69 + 0.9 * height / mass ** (1 / 3)))
