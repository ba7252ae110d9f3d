"""What a gait space says of how often somebody steps, for whoever changes speeds of clips."""

from __future__ import annotations

from motionloom.gait.space.space import GaitSpace
from motionloom.synthesis.paces import PaceLaw, PaceModel


def pace_model_of(
    space: GaitSpace, person: str | None = None, hip_height: float | None = None
) -> PaceModel:
    """How a person's pace changes with speed.

    Parameters
    ----------
    space : GaitSpace
        What was learned.
    person : str, optional
        Whose; nobody's in particular when not given.
    hip_height : float, metres, optional
        Of a body of another size.

    Returns
    -------
    PaceModel

    Raises
    ------
    InvalidInputError
        When there is no such person.
    """
    laws = {b: _law_of(space, b, person, hip_height) for b in space.behaviours()}
    return PaceModel(laws.get("walk"), laws.get("run"))


def _law_of(
    space: GaitSpace, behaviour: str, person: str | None, hip_height: float | None
) -> PaceLaw:
    law = space.spaces[behaviour].law
    height = space.body(person, hip_height).hip_height
    speeds = space.trust(behaviour, person, None, hip_height).trusted
    return PaceLaw(
        a=law.a * law.factors.get(person or "", 1.0),
        b=law.b,
        deviation=law.rms if person in law.factors else law.pooled_rms,
        speeds=speeds,
        hip_height=height,
    )
