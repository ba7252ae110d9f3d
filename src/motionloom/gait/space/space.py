"""GaitSpace: one cycle of gait at any speed, of any person and style.

Where walking ends and running begins, by what was captured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.errors import InvalidInputError, UnknownNameError, unknown
from motionloom.gait.cycle import BEHAVIOURS, GaitBody, GaitCycle
from motionloom.gait.space.behaviour import BehaviourSpace, StyleOffset, Trust, trust_of
from motionloom.gait.space.coordinates import CycleCoordinates
from motionloom.typing import Array

#: Froude number (speed squared over gravity and hip height) at which people change from walk to run
#: (Alexander 1989). It decides only among speeds at which nobody was captured.
FROUDE = 0.5
#: Walking goes over into running between speeds that differ by this, metres per second, and by no
#: less than the second where somebody was captured running at nearly the speed of their walk.
WIDTH, LEAST_WIDTH = 0.3, 0.15
#: Strides of a take are up to this much faster than their mean (3 % in walks of six people).
FASTER = 1.03

#: Hips are this share of a person's stature above the ground (Drillis & Contini 1966).
HIP_SHARE = 0.53
#: Statures that are taken, metres.
SMALLEST, TALLEST = 0.5, 3.0

#: No cycle is made slower, or faster than this, metres per second.
SLOWEST = 0.1
FASTEST = 12.0


@dataclass(frozen=True)
class Walker:
    """Whose gait is made.

    Parameters
    ----------
    person : str, optional
        One of the space's; nobody in particular when not given.
    hip_height : float, metres, optional
        Of a body of another size.
    style : str, optional
        One of the space's.
    seed : int, optional
        Strides differ as a person's do, drawn with this seed; all the same when not given.
    """

    person: str | None = None
    hip_height: float | None = None
    style: str | None = None
    seed: int | None = None

    @classmethod
    def of_stature(
        cls,
        person: str | None = None,
        height: float | None = None,
        style: str | None = None,
        seed: int | None = None,
    ) -> Walker:
        """A walker of a stature.

        Parameters
        ----------
        person, style, seed : optional
            As of the class.
        height : float, metres, optional
            Stature of a body of another size.

        Returns
        -------
        Walker

        Raises
        ------
        InvalidInputError
            When nobody is so small or tall.

        Examples
        --------
        >>> Walker.of_stature(height=1.7).hip_height
        0.901
        """
        if height is not None and not SMALLEST <= height <= TALLEST:
            raise InvalidInputError(
                f"height {height:g}: expected a stature from {SMALLEST:g} to {TALLEST:g} metres"
            )
        return cls(person, None if height is None else HIP_SHARE * height, style, seed)


@dataclass(frozen=True, eq=False)
class GaitSpace:
    """Gait of one or more people.

    Poses are rotations, so a cycle of one person can be laid on another's body; bones are kept per
    person.

    Parameters
    ----------
    coordinates : CycleCoordinates
        How cycles become rows.
    bodies : mapping of str to GaitBody
        By person.
    spaces : mapping of str to BehaviourSpace
        By behaviour.
    notes : tuple of str
        What was guessed or left out in fitting, one sentence each.
    """

    coordinates: CycleCoordinates
    bodies: Mapping[str, GaitBody]
    spaces: Mapping[str, BehaviourSpace]
    notes: tuple[str, ...] = ()

    @property
    def persons(self) -> tuple[str, ...]:
        """Whose gait was captured."""
        return tuple(self.bodies)

    @property
    def styles(self) -> tuple[str, ...]:
        """Styles of any behaviour."""
        return tuple(dict.fromkeys(s for space in self.spaces.values() for s in space.styles))

    def check_style(self, style: str | None) -> None:
        """Refuse a style that was not captured.

        Parameters
        ----------
        style : str, optional
            None is no style.

        Raises
        ------
        UnknownNameError
            When there is none of that name; it lists the nearest.
        """
        if style and style not in self.styles:
            there = unknown("style", style, self.styles, "styles there are")
            raise UnknownNameError(style, there)

    def body(self, person: str | None = None, hip_height: float | None = None) -> GaitBody:
        """The body that cycles are laid on.

        Parameters
        ----------
        person : str, optional
            Whose; else the one of middle size.
        hip_height : float, metres, optional
            The same build at another size.

        Returns
        -------
        GaitBody

        Raises
        ------
        InvalidInputError
            When there is no such person, or no such size.
        """
        if person:
            body = self.bodies[self._person(person)]
        else:
            ordered = sorted(self.bodies.values(), key=lambda body: body.hip_height)
            body = ordered[len(ordered) // 2]
        return body if hip_height is None else body.scaled(hip_height)

    def behaviours(self, person: str | None = None) -> tuple[str, ...]:
        """Behaviours that were captured, of one person or of anybody, slowest first."""
        known = [b for b in BEHAVIOURS if b in self.spaces]
        if not person:
            return tuple(known)
        self._person(person)
        return tuple(b for b in known if person in self.spaces[b].line.takes.persons)

    def change(
        self, person: str | None = None, hip_height: float | None = None, style: str | None = None
    ) -> GaitChange:
        """Speeds between which somebody changes from walk to run.

        Parameters
        ----------
        person : str, optional
            Their own captured walks and runs count; else everybody's.
        hip_height : float, metres, optional
            Size; captured speeds scale with it.
        style : str, optional
            Where it was captured, its walks and runs count.

        Returns
        -------
        GaitChange

        Raises
        ------
        InvalidInputError
            When only one behaviour was captured.
        """
        walked = self._captured("walk", person, hip_height, style)[1]
        run = self._captured("run", person, hip_height, style)[0]
        return change_between(walked, run, self.body(person, hip_height).hip_height)

    def _captured(
        self, behaviour: str, person: str | None, hip_height: float | None, style: str | None
    ) -> tuple[float, float]:
        """Slowest and fastest captured, metres per second."""
        own = self._space(behaviour).styles.get(style or "")
        if own is None:
            return self.trust(behaviour, person, None, hip_height).captured
        height = self.body(person, hip_height).hip_height
        return own.pace[0] * height, own.pace[1] * height

    def behaviour_at(
        self, speed: float, person: str | None = None, hip_height: float | None = None
    ) -> str:
        """Walk or run: which of them somebody does at a speed."""
        if len(self.spaces) == 1:
            return next(iter(self.spaces))
        return "walk" if speed < self.change(person, hip_height).middle else "run"

    def trust(
        self,
        behaviour: str,
        person: str | None = None,
        style: str | None = None,
        hip_height: float | None = None,
    ) -> Trust:
        """Range of speeds that a behaviour is to be asked for.

        Parameters
        ----------
        behaviour : str
            ``"walk"`` or ``"run"``.
        person : str, optional
            Whose; else anybody's.
        style : str, optional
            Narrows it to where the style was captured.
        hip_height : float, metres, optional
            Of another size.

        Returns
        -------
        Trust

        Raises
        ------
        InvalidInputError
            When nobody's was captured, or there is no such style.
        """
        space = self._space(behaviour)
        height = self.body(person, hip_height).hip_height
        own = self._style(behaviour, style)
        return trust_of(space, person or "", height, own.pace if own is not None else None)

    def frequency(
        self,
        speed: float,
        behaviour: str | None = None,
        person: str | None = None,
        hip_height: float | None = None,
        style: str | None = None,
    ) -> float:
        """Cycles per second at a speed; shorter legs step more often.

        Parameters
        ----------
        speed : float, metres per second
            Above 0.
        behaviour : str, optional
            Else as `behaviour_at` says.
        person : str, optional
            Whose.
        hip_height : float, metres, optional
            Of another size.
        style : str, optional
            A style's own frequency.

        Returns
        -------
        float
        """
        behaviour = behaviour or self.behaviour_at(speed, person, hip_height)
        height = self.body(person, hip_height).hip_height
        own = self._style(behaviour, style)
        usual = self._space(behaviour).law.at(_check_speed(speed), height, person or "")
        return usual * float(np.exp(own.frequency)) if own is not None else usual

    def row(
        self,
        speed: float,
        behaviour: str,
        person: str | None = None,
        hip_height: float | None = None,
        frequency: float | None = None,
    ) -> Array:
        """Row of the mean cycle at a speed, shape (D,), without style; see `cycle`."""
        space = self._space(behaviour)
        height = self.body(person, hip_height).hip_height
        extra = 0.0
        if frequency is not None:
            usual = space.law.at(speed, height, person or "")
            extra = float(np.clip(np.log(frequency / usual), -0.3, 0.3))
        return space.line.at(speed / height, extra, person or "")

    def cycle(
        self,
        speed: float,
        person: str | None = None,
        behaviour: str | None = None,
        style: str | None = None,
        rng: np.random.Generator | None = None,
        hip_height: float | None = None,
        frequency: float | None = None,
    ) -> GaitCycle:
        """A cycle at a speed.

        Parameters
        ----------
        speed : float, metres per second
            Where it lies outside what `trust` says, the cycle is an extrapolation.
        person : str, optional
            Whose; else the population's.
        behaviour : str, optional
            Else as `behaviour_at` says.
        style : str, optional
            Added to the person's ordinary way.
        rng : Generator, optional
            Strides differ as captured ones do; without it, the mean cycle.
        hip_height : float, metres, optional
            Of another size.
        frequency : float, cycles per second, optional
            Steps as often as this instead of as the law says; poses follow.

        Returns
        -------
        GaitCycle
            On the body that `body` gives for the same person and size.

        Raises
        ------
        InvalidInputError
            When there is no such person, behaviour or style, or no such speed.
        """
        speed = _check_speed(speed)
        behaviour = behaviour or self.behaviour_at(speed, person, hip_height)
        space = self._space(behaviour)
        height = self.body(person, hip_height).hip_height
        own = self._style(behaviour, style)
        beats = frequency or self.frequency(speed, behaviour, person, hip_height, style)
        row = self.row(speed, behaviour, person, hip_height, frequency)
        if own is not None:
            row = row + own.row
        if rng is not None:
            change, later = space.variation.draw(rng, person or "")
            row = row + change
            beats *= float(np.exp(later)) if frequency is None else 1.0
        rotations, deviations = self.coordinates.to_pose(row, height)
        return GaitCycle(
            rotations=rotations,
            deviations=deviations,
            contacts=space.down_at(speed / height, person or ""),
            duration=1.0 / beats,
            speed=speed,
            behaviour=behaviour,
            person=person or "",
            root=self.coordinates.root,
            name=style or "",
        )

    def _person(self, person: str) -> str:
        if person not in self.bodies:
            raise InvalidInputError(
                f"this gait space has no person {person!r}; it has {', '.join(self.persons)}"
            )
        return person

    def _space(self, behaviour: str) -> BehaviourSpace:
        if behaviour not in self.spaces:
            known = " and ".join(self.spaces)
            raise InvalidInputError(f"no {behaviour} was captured; this gait space has {known}")
        return self.spaces[behaviour]

    def _style(self, behaviour: str, style: str | None) -> StyleOffset | None:
        if not style:
            return None
        known = self._space(behaviour).styles
        if style not in known:
            have = ", ".join(known) or "none"
            raise InvalidInputError(
                f"no style {style!r} of a {behaviour} was captured; styles there are: {have}"
            )
        return known[style]


def _check_speed(speed: float) -> float:
    if not SLOWEST <= speed <= FASTEST:
        raise InvalidInputError(
            f"a gait of {speed:g} m/s cannot be made; expected {SLOWEST:g} to {FASTEST:g}"
        )
    return float(speed)


@dataclass(frozen=True)
class GaitChange:
    """Speeds between which walking goes over into running, metres per second.

    Parameters
    ----------
    walks_to : float
        Fastest walk.
    runs_from : float
        Slowest run.
    """

    walks_to: float
    runs_from: float

    @property
    def middle(self) -> float:
        """Speed below which it is rather a walk."""
        return 0.5 * (self.walks_to + self.runs_from)


def change_between(walked: float, run: float, hip_height: float) -> GaitChange:
    """The change of somebody who was captured walking and running.

    All captured walking is walked. The change lies where Froude's law has it, but behind the
    fastest captured walk and, where there is room, before the slowest captured run.

    Parameters
    ----------
    walked : float, metres per second
        Fastest captured walk.
    run : float, metres per second
        Slowest captured run.
    hip_height : float, metres
        Of the body.

    Returns
    -------
    GaitChange
    """
    walked = FASTER * walked
    usual = float(np.sqrt(FROUDE * GRAVITY * hip_height))
    walks_to = max(min(usual, run - 0.5 * WIDTH) - 0.5 * WIDTH, walked)
    width = float(np.clip(run - walks_to, LEAST_WIDTH, WIDTH))
    return GaitChange(walks_to, walks_to + width)
