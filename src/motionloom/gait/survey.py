"""What a gait space holds: energy, speeds, people, laws of frequency, how newcomers are made.

How much people walk alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import BEHAVIOURS, GaitCycle
from motionloom.gait.space.behaviour import BehaviourSpace
from motionloom.gait.space.coordinates import fit_basis
from motionloom.gait.space.space import GaitSpace
from motionloom.reports import Column, Report, Reported, Row, Section, Table, rows_of
from motionloom.synthesis.paces import PaceLaw, PaceModel
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Numbers of components whose energy is told.
_COUNTS = (1, 2, 4, 10)
_PERCENT = ("%", ".1f", 100)
_STYLE = (
    Column("", "style"),
    Column("takes", "takes"),
    Column("frequency", "steps as often, times"),
)


@dataclass(frozen=True, eq=False)
class GaitOverview(Reported):
    """What a gait space holds.

    Parameters
    ----------
    space : GaitSpace
        The space.
    transition : Transition or None
        Of the population, where both behaviours were captured.
    """

    space: GaitSpace
    transition: Transition | None

    def as_report(self) -> Report:
        """Behaviours, people and styles."""
        spaces = self.space.spaces
        styles = [
            Table(
                f"Styles, {name}",
                _STYLE,
                [[style, o.takes, float(np.exp(o.frequency))] for style, o in one.styles.items()],
                name,
            )
            for name, one in spaces.items()
        ]
        return self.compose(
            "",
            Section(
                "Behaviours", [_behaviour(name, one) for name, one in spaces.items()], "behaviours"
            ),
            Section("People", [_person(self.space, who) for who in self.space.persons], "persons"),
            Section("", styles, "styles"),
            data={},
            notes=self.space.notes,
        )


def survey_gait(space: GaitSpace) -> GaitOverview:
    """Look a gait space over.

    Parameters
    ----------
    space : GaitSpace
        The space.

    Returns
    -------
    GaitOverview
    """
    both = len(space.spaces) == len(BEHAVIOURS)
    return GaitOverview(space, analyse_transition(space) if both else None)


def _energy(space: BehaviourSpace) -> dict[str, float]:
    energy = space.basis.energy
    return {str(k): float(energy[k - 1]) for k in _COUNTS if k <= len(energy)}


def _behaviour(name: str, space: BehaviourSpace) -> Section:
    takes = space.line.takes
    law = space.law
    frequency = [
        Row("a", "cycles per second = a V^b, V = speed / hip height: a", law.a, form=".3f"),
        Row("b", "b", law.b, form=".3f"),
        Row("rms", "rms, with a factor for each person", law.rms, *_PERCENT),
        Row("pooled_rms", "rms, with one for all", law.pooled_rms, *_PERCENT),
        Row("stride_sd", "between strides of a take", space.variation.frequency, *_PERCENT),
    ]
    return Section(
        name,
        [
            Row("strides", "strides", int(takes.strides.sum())),
            Row("takes", "takes", len(takes.names)),
            Row("", "people", len(set(takes.persons))),
            Row("energy", "energy of the first components", _energy(space), "", ".0%"),
            Row("", "components for 95 %", space.basis.count_for(0.95)),
            Row("", "components of pose between strides of a take", len(space.variation.axes)),
            Section("", frequency, "frequency"),
        ],
        name,
    )


def _person(space: GaitSpace, person: str) -> Section:
    behaviours = space.behaviours(person)
    changes: list[Row] = []
    if len(behaviours) == len(BEHAVIOURS):
        change = space.change(person)
        changes = [
            Row("walks_to", "walks up to", change.walks_to, "m/s"),
            Row("runs_from", "runs from", change.runs_from, "m/s"),
        ]
    own = [_behaviour_of(space, name, person) for name in behaviours]
    hips = Row("hip_height", "height of the hips", space.bodies[person].hip_height, "m")
    return Section(person, [hips, *changes, *own], person)


def _behaviour_of(space: GaitSpace, behaviour: str, person: str) -> Section:
    own = space.spaces[behaviour]
    trust = space.trust(behaviour, person)
    return Section(
        behaviour,
        [
            *rows_of(trust),
            Row("factor", "steps as often as people, times", own.law.factors[person]),
            Row("components", "components for 90 %, 95 %; strides", own.components.get(person, ())),
            Row("like", "like others, by the text's weights", _like(own, person), "", ".0%"),
        ],
        behaviour,
        trust,
    )


def _like(space: BehaviourSpace, person: str) -> dict[str, float]:
    try:
        return likeness(space, person)
    except InvalidInputError:
        return {}


#: Share of each variance that is added to it, so that small ones do not decide who is alike.
_REGULAR = 0.1


def likeness(space: BehaviourSpace, person: str) -> dict[str, float]:
    """How much every other person counts for somebody (Xiao 2009, eqs. 4.6 and 4.7).

    The Mahalanobis distance in the leading components, at the speed at which the person was seen;
    one covariance for all people and regularised, as each has far fewer strides than components.

    Parameters
    ----------
    space : BehaviourSpace
        The behaviour.
    person : str
        Somebody with at least one take.

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
    own = takes.of(person)
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


#: Froude numbers between which walk and run are compared.
_AMONG = (0.25, 1.0)
_SPEEDS = 31


@dataclass(frozen=True, eq=False)
class Transition:
    """Walk and run of one person over the same speeds.

    Parameters
    ----------
    speeds : array of shape (S,), metres per second
        Ascending.
    coefficients : mapping of str to array of shape (S,)
        First component, of a basis of both behaviours.
    duty : mapping of str to array of shape (S,)
        Share of the cycle that a foot is down, by behaviour.
    step : mapping of str to array of shape (S,), metres
        Length of a step.
    apart : array of shape (S,), radians
        Mean angle between the joints of walk and run.
    meeting : float, metres per second
        Below it the person walks, above it they run.
    """

    speeds: Array
    coefficients: dict[str, Array]
    duty: dict[str, Array]
    step: dict[str, Array]
    apart: Array
    meeting: float


@one_thread()
def analyse_transition(space: GaitSpace, person: str | None = None) -> Transition:
    """Walk and run over the speeds at which people change.

    Parameters
    ----------
    space : GaitSpace
        With both behaviours.
    person : str, optional
        Whose; else the population's.

    Returns
    -------
    Transition

    Raises
    ------
    InvalidInputError
        When only one behaviour was captured.
    """
    height = space.body(person).hip_height
    low, high = (float(np.sqrt(f * GRAVITY * height)) for f in _AMONG)
    speeds = np.linspace(low, high, _SPEEDS)
    cycles = {b: [space.cycle(v, person, b) for v in speeds] for b in BEHAVIOURS}
    rows = {b: np.stack([space.row(v, b, person) for v in speeds]) for b in BEHAVIOURS}
    both = np.concatenate([space.spaces[b].line.takes.rows for b in BEHAVIOURS])
    basis = fit_basis(both, 1)
    return Transition(
        speeds=speeds,
        coefficients={b: basis.coefficients(rows[b])[:, 0] for b in BEHAVIOURS},
        duty={b: np.array([_duty(c) for c in cycles[b]]) for b in BEHAVIOURS},
        step={b: np.array([0.5 * c.length for c in cycles[b]]) for b in BEHAVIOURS},
        apart=_apart(space, rows),
        meeting=space.change(person).middle,
    )


def _apart(space: GaitSpace, rows: dict[str, Array]) -> Array:
    n, joints, _ = space.coordinates.reference.shape
    difference = (rows["walk"] - rows["run"])[:, : 3 * n * joints].reshape(-1, n, joints, 3)
    angles = np.linalg.norm(difference / space.coordinates.levers[:, None], axis=-1)
    return np.asarray(angles.mean(axis=(1, 2)))


def _duty(cycle: GaitCycle) -> float:
    """Share of the cycle that a foot is down, mean of both feet, half of the points each."""
    half = cycle.contacts.shape[1] // 2
    feet = (cycle.contacts[:, :half].any(axis=1), cycle.contacts[:, half:].any(axis=1))
    return float(np.mean([foot.mean() for foot in feet]))


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
    laws = {}
    for behaviour in space.behaviours():
        law = space.spaces[behaviour].law
        laws[behaviour] = PaceLaw(
            a=law.a * law.factors.get(person or "", 1.0),
            b=law.b,
            deviation=law.rms if person in law.factors else law.pooled_rms,
            speeds=space.trust(behaviour, person, None, hip_height).trusted,
            hip_height=space.body(person, hip_height).hip_height,
        )
    return PaceModel(laws.get("walk"), laws.get("run"))
