"""Gait spaces learned from clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from motionloom.gait.body import GaitBody
from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.space.behaviour import fit_behaviour, to_strides
from motionloom.gait.space.coordinates import CycleCoordinates, mean_coordinates, swing_of
from motionloom.gait.space.gather import GaitExamples, gather_examples
from motionloom.gait.space.space import GaitSpace
from motionloom.gait.space.speed_line import SpeedOptions
from motionloom.gait.space.unlike import find_unlike
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom.threads import one_thread
from motionloom.typing import Array


@one_thread()
def fit_gait(
    motions: Sequence[Motion],
    told: Sequence[ToldClips] = (),
    roles: Roles | None = None,
    options: SpeedOptions | None = None,
    progress: Progress = silent,
) -> GaitSpace:
    """Learn a gait space from clips.

    Parameters
    ----------
    motions : sequence of Motion
        Clips with walks and runs, of skeletons with the same joints.
    told : sequence of ToldClips
        Whose they are, their styles, strikes found wrongly.
    roles : Roles, optional
        Which joint plays which part; found from the skeletons when not given.
    options : SpeedOptions, optional
        Variances of the parts.
    progress : Progress
        Told of every clip.

    Returns
    -------
    GaitSpace

    Raises
    ------
    InvalidInputError
        When skeletons have different joints, or no clip holds a cycle.
    """
    return learn_gait(gather_examples(motions, told, roles, progress=progress), options)


@one_thread()
def learn_gait(found: GaitExamples, options: SpeedOptions | None = None) -> GaitSpace:
    """Learn a gait space from captured cycles.

    Parameters
    ----------
    found : GaitExamples
        Cycles by person.
    options : SpeedOptions, optional
        Variances of the parts.

    Returns
    -------
    GaitSpace
    """
    options = options or SpeedOptions()
    body = next(iter(found.bodies.values()))
    coordinates = mean_coordinates([example.cycle for example in found.examples], body)
    swing = leg_swing(coordinates, body)
    spaces = {}
    for behaviour in BEHAVIOURS:
        own = [e for e in found.examples if e.cycle.behaviour == behaviour]
        if not own:
            continue
        strides = to_strides(
            [e.cycle for e in own],
            [found.bodies[e.cycle.person].hip_height for e in own],
            [e.take for e in own],
            [e.style for e in own],
            coordinates,
        )
        spaces[behaviour] = fit_behaviour(behaviour, strides, options, swing)
    unlike = [s for b, space in spaces.items() for s in find_unlike(b, space, coordinates)]
    return GaitSpace(coordinates, dict(found.bodies), spaces, (*found.notes, *unlike))


def leg_swing(coordinates: CycleCoordinates, body: GaitBody) -> Callable[[Array], Array]:
    """What a row gains, per unit, when its legs swing farther from the hips.

    Parameters
    ----------
    coordinates : CycleCoordinates
        Of the rows.
    body : GaitBody
        Whose joints are the hips.

    Returns
    -------
    callable
        From rows to rows.
    """
    joints = [body.roles.joints[role] for role in ("left_hip", "right_hip")]
    return partial(swing_of, coordinates, joints=joints)
