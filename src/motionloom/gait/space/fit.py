"""Gait spaces learned from clips.

Labels of clips as styles of the strides in them.

Takes of one style that are unlike at one speed: perhaps they are of several styles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from motionloom.clips.clip_set import ClipSet
from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.space.behaviour import BehaviourSpace, fit_behaviour, to_strides
from motionloom.gait.space.coordinates import CycleCoordinates, leg_swing, mean_coordinates
from motionloom.gait.space.gather import Example, GaitExamples, gather_examples
from motionloom.gait.space.space import GaitSpace
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom.threads import one_thread

#: Takes of one style whose paces differ by less than this, 1/s, differ by less than this on average
#: over joints and cycle, metres: 2.7 cm at most in 40 pairs of four people, while limps lie 5 to 8
#: cm from walks.
NEAR, UNLIKE = 0.2, 0.035
#: So many pairs are named.
NAMED = 10


@one_thread()
def fit_gait(
    motions: Sequence[Motion],
    told: Sequence[ToldClips] = (),
    roles: Roles | None = None,
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
    return learn_gait(gather_examples(motions, told, roles, progress=progress))


@one_thread()
def learn_gait(found: GaitExamples) -> GaitSpace:
    """Learn a gait space from captured cycles.

    Parameters
    ----------
    found : GaitExamples
        Cycles by person.

    Returns
    -------
    GaitSpace
    """
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
        spaces[behaviour] = fit_behaviour(behaviour, strides, swing)
    unlike = [s for b, space in spaces.items() for s in _find_unlike(b, space, coordinates)]
    return GaitSpace(coordinates, dict(found.bodies), spaces, (*found.notes, *unlike))


def _find_unlike(
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


def styled_by_labels(found: GaitExamples, clips: ClipSet) -> GaitExamples:
    """Captured cycles with the labels of their frames as styles.

    A cycle has one style: of several labels that most of its frames have, the rarest says most.
    What has no label is ordinary.

    Parameters
    ----------
    found : GaitExamples
        Cycles of the clips of a set.
    clips : ClipSet
        With labels.

    Returns
    -------
    GaitExamples
        As it was where no clip has a label.
    """
    masks = {label: mask for label, mask in clips.labels.items() if mask.any()}
    if not masks:
        return found
    begins = dict(zip(clips.names, clips.starts, strict=False))
    rarest = sorted(masks, key=lambda label: (int(masks[label].sum()), label))

    def style_of(example: Example) -> str:
        begin = int(begins[example.take])
        stride = example.stride
        frames = slice(
            begin + round(stride.start * clips.fps), begin + round(stride.stop * clips.fps) + 1
        )
        own = (label for label in rarest if float(np.mean(masks[label][frames])) > 0.5)
        return next(own, "")

    examples = tuple(replace(e, style=e.style or style_of(e)) for e in found.examples)
    learned = {example.style for example in examples}
    notes = tuple(
        f"left out: the style {label!r}, as no straight and steady cycle has this label, or all"
        " that have it have a rarer one, too"
        for label in masks
        if label not in learned
    )
    return replace(found, examples=examples, notes=(*found.notes, *notes))
