"""Where events take place that leave it open: a few places between the characters are tried by
quick searches.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from motionloom.constraints.scene import SceneConstraints
from motionloom.errors import SynthesisError
from motionloom.motion import GroundTransform
from motionloom.progress import Progress, silent
from motionloom.scene.placement import compile_scene, find_relation
from motionloom.synthesis.driver import SynthesisOptions
from motionloom.synthesis.generator import Fitted
from motionloom.typing import Array

#: A quick search takes this share of the whole budget.
_SHARE = 0.04
#: Places tried: shifts along the way between the two, as shares of their distance, and turns of the
#: way, degrees.
_SHIFTS, _TURNS = (0.0, -0.15, 0.15), (0.0, -25.0, 25.0)
#: Turns tried where both come from one place, so that the way between them says nothing, degrees.
_ALL_AROUND = (0.0, 90.0, 180.0, -90.0)


def choose_spots(
    scene: SceneConstraints,
    cast: Mapping[str, Fitted],
    options: SynthesisOptions,
    progress: Progress = silent,
) -> dict[int, GroundTransform]:
    """Find a place for every event: the given one, or the one that both characters reach best.

    Events are placed in the order of time, each with those before it in place.

    Parameters
    ----------
    scene : SceneConstraints
        The events, and where characters are known to be.
    cast : mapping of str to Fitted
        A generator for every character.
    options : SynthesisOptions
        A quick search takes 4 % of their budget.
    progress : Progress
        Told of every place that is tried.

    Returns
    -------
    dict of int to GroundTransform
        Middle between the two, facing from the first to the second, by index of the event.
    """
    budget = _SHARE * options.budget
    clips = {name: fitted.clips.clip_set for name, fitted in cast.items()}
    spots = {
        i: GroundTransform.at_heading(event.heading, *event.position)
        for i, event in enumerate(scene.events)
        if event.position is not None and event.heading is not None
    }
    for i, event in enumerate(scene.events):
        if i in spots:
            continue
        tried = _candidates(scene, i, spots, find_relation(event, clips).distance)
        scores = []
        for k, spot in enumerate(tried):
            progress(f"choosing a place for {event.name}", k, len(tried))
            asked = compile_scene(scene, clips, {**spots, i: spot})
            try:
                found = [
                    cast[n].generate(asked[n], seed=options.seed, budget=budget)[0]
                    for n in event.between
                ]
                scores.append(sum(draft.score for draft in found))
            except SynthesisError:
                scores.append(np.inf)
        progress(f"choosing a place for {event.name}", len(tried), len(tried))
        spots[i] = tried[int(np.argmin(scores))]
    return spots


def _candidates(
    scene: SceneConstraints, index: int, spots: Mapping[int, GroundTransform], distance: float
) -> list[GroundTransform]:
    """Places to try for an event; the likeliest first."""
    event = scene.events[index]
    known = [_known_places(scene, index, name, spots) for name in event.between]
    first, second = (_expected_place(places, event.time) for places in known)
    if first is None and second is None:
        first = np.zeros(2)
    # Who may be anywhere is taken to come from ahead.
    first = second - np.array([0.0, distance]) if first is None else first
    second = first + np.array([0.0, distance]) if second is None else second
    way = second - first
    length = float(np.hypot(*way))
    if length < distance and all(known):
        # They would be at the same place: what counts is where they come from.
        way = np.subtract(min(known[1])[1], min(known[0])[1])
    heading = float(np.degrees(np.arctan2(way[0], way[1])))
    middle = (first + second) / 2
    middles = [middle + s * way for s in _SHIFTS] if length > 1.5 * distance else [middle]
    headings = [
        heading + turn for turn in (_ALL_AROUND if float(np.hypot(*way)) < 1e-9 else _TURNS)
    ]
    if event.position is not None:
        middles = [np.array(event.position)]
    if event.heading is not None:
        headings = [event.heading]
    return [GroundTransform.at_heading(h, *map(float, m)) for m in middles for h in headings]


def _known_places(
    scene: SceneConstraints, index: int, name: str, spots: Mapping[int, GroundTransform]
) -> list[tuple[float, tuple[float, float]]]:
    """Times and places at which a character is known to be."""
    placed = [(scene.events[k], spot) for k, spot in spots.items() if k != index]
    return [
        *((b.time, b.position) for b in scene.characters[name].body),
        *((event.time, (spot.x, spot.z)) for event, spot in placed if name in event.between),
    ]


def _expected_place(known: list[tuple[float, tuple[float, float]]], time: float) -> Array | None:
    """Where a character would be that goes straight from one known place to the next; None without
    any.
    """
    if not known:
        return None
    times, places = zip(*sorted(known), strict=True)
    return np.array([np.interp(time, times, [p[axis] for p in places]) for axis in (0, 1)])
