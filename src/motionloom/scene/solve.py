"""Several characters and their events in, motions that go together and a report out.

Where events take place that leave it open: a few places between the characters are tried by
quick searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import combinations, islice, product

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet
from motionloom.constraints.scene import Character, SceneConstraints
from motionloom.errors import SynthesisError, UnknownNameError
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.scene.check import (
    DEPTH_LIMIT,
    Capsules,
    EventGeometry,
    EventOutcome,
    Overlap,
    PairOverlap,
    SceneReport,
    allowed_contacts,
    check_event,
    find_overlap,
    lay_out,
    make_capsules,
    measure_overlaps,
    meet_joints,
)
from motionloom.scene.placement import compile_scene, find_relation
from motionloom.skeleton import few
from motionloom.synthesis.driver import Synthesis, SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.finish import Finished
from motionloom.synthesis.generator import Fitted
from motionloom.synthesis.report import SynthesisReport, make_report
from motionloom.threads import one_thread
from motionloom.typing import Array

#: A quick search takes this share of the whole budget.
_SHARE = 0.04
#: Places tried: shifts along the way between the two, as shares of their distance, and turns of the
#: way, degrees.
_SHIFTS, _TURNS = (0.0, -0.15, 0.15), (0.0, -25.0, 25.0)
#: Turns tried where both come from one place, so that the way between them says nothing, degrees.
_ALL_AROUND = (0.0, 90.0, 180.0, -90.0)

#: Alternatives asked for of every character, so that there is a choice when two run into each
#: other.
_ALTERNATIVES = 4
#: Rounds of searches, each with other seeds, while every combination interpenetrates.
_ROUNDS = 3
#: Combinations of alternatives that are compared at most.
_MOST_COMBINATIONS = 4096


@dataclass(frozen=True, eq=False)
class Scene:
    """Characters that meet.

    Parameters
    ----------
    motions : dict of str to Motion
        By character, all with the same frames.
    contacts : dict of str to FootContacts
        By character, frame by frame with the motions.
    constraints : dict of str to ConstraintSet
        What was asked of every character, its part in the events included.
    report : SceneReport
        How well all that was asked for is met.
    """

    motions: dict[str, Motion]
    contacts: dict[str, FootContacts]
    constraints: dict[str, ConstraintSet]
    report: SceneReport


@dataclass(frozen=True, eq=False)
class _Take:
    """One motion of one character, and what was found beside it."""

    finished: Finished
    found: Synthesis
    seed: int

    @cached_property
    def capsules(self) -> Capsules:
        """The body, as finished for its own constraints."""
        return make_capsules(self.finished.posed)

    def report(self, fitted: Fitted, asked: ConstraintSet) -> SynthesisReport:
        """How it meets what was asked, and how the others do."""
        others = (one for one in self.found.finished if one is not self.finished)
        times = dict(self.found.report.times)
        return make_report(fitted, asked, self.seed, (self.finished, *others), times)


@one_thread()
def synthesize_scene(
    cast: Sequence[Motion] | ClipSet | Mapping[str, Fitted],
    scene: SceneConstraints,
    options: SynthesisOptions | None = None,
    progress: Progress = silent,
    *,
    generator: str = "graph",
) -> Scene:
    """Make motions of several characters that meet their events.

    Each character is solved by a generator, with what follows from the events as constraints of its
    own. Of all combinations of their alternatives the one is taken in which nobody runs into
    anybody and everybody is nearest to what was asked; joints that meet are then brought together
    exactly.

    Parameters
    ----------
    cast : sequence of Motion, ClipSet, or mapping of str to Fitted
        Clips of all characters, which each takes its own from; or a fitted generator for every
        character.
    scene : SceneConstraints
        Characters with constraints of their own, and the events between them.
    options : SynthesisOptions, optional
        The budget is that of each character's search.
    progress : Progress
        Told of every stage.
    generator : str
        Which method to use, where none is fitted yet.

    Returns
    -------
    Scene

    Raises
    ------
    MotionloomError
        As of `synthesize`, and when a character's patterns match no clip.
    """
    options = options or SynthesisOptions()
    if not isinstance(cast, Mapping):
        cast = fit_cast(cast, scene, options, progress, generator=generator)
    sets = {name: cast[name].clips.clip_set for name in scene.characters}
    spots = _choose_spots(scene, cast, options, progress)
    asked = compile_scene(scene, sets, spots)
    events = [_lay_out(scene, i, spot, sets) for i, spot in sorted(spots.items())]
    takes: dict[str, list[_Take]] = {name: [] for name in scene.characters}
    for rounds in range(1, _ROUNDS + 1):
        for k, (name, constraints) in enumerate(asked.items()):
            seed = options.seed + k + 1000 * (rounds - 1)
            takes[name] += _solve(cast[name], constraints, options, seed, progress)
        chosen, overlaps, compared = _choose(takes, events)
        if all(o.depth <= DEPTH_LIMIT for o in overlaps.values()):
            break
    motions, outcomes, pairs = _finish(asked, events, chosen)
    report = SceneReport(
        seed=options.seed,
        characters={name: take.report(cast[name], asked[name]) for name, take in chosen.items()},
        events=outcomes,
        overlaps=pairs,
        combinations=compared,
        rounds=rounds,
    )
    contacts = {name: take.finished.contacts for name, take in chosen.items()}
    return Scene({n: m.motion for n, m in motions.items()}, contacts, asked, report)


def _lay_out(
    scene: SceneConstraints, index: int, spot: GroundTransform, clips: Mapping[str, ClipSet]
) -> EventGeometry:
    """An event with frames, joints and relations, as its characters are to stand."""
    event = scene.events[index]
    wish = scene.characters[event.between[0]]
    frames = (wish.frame_of(event.times[0]), wish.frame_of(event.times[-1]))
    return lay_out(event, spot, frames, clips)


@one_thread()
def fit_cast(
    clips: Sequence[Motion] | ClipSet,
    scene: SceneConstraints,
    options: SynthesisOptions | None = None,
    progress: Progress = silent,
    *,
    generator: str = "graph",
) -> dict[str, Fitted]:
    """Fit a generator for every character of a scene; characters with the same clips share one.

    Parameters
    ----------
    clips : sequence of Motion, or ClipSet
        Of all characters.
    scene : SceneConstraints
        Which clips are whose.
    options : SynthesisOptions, optional
        Of `synthesize_scene`; the defaults when not given.
    progress : Progress
        Told of every stage.
    generator : str
        Name of the method.

    Returns
    -------
    dict of str to Fitted
        By character.

    Raises
    ------
    InvalidInputError
        When a character's patterns match no clip, or clips do not go together.
    """
    options = options or SynthesisOptions()
    fitted: dict[tuple[int, ...], Fitted] = {}
    cast = {}
    for name, character in scene.characters.items():
        names = clips.names if isinstance(clips, ClipSet) else [m.name for m in clips]
        own = _clips_of(name, character, names)
        if own not in fitted:
            chosen = clips.subset(own) if isinstance(clips, ClipSet) else [clips[i] for i in own]
            fitted[own] = fit_generator(chosen, scene.fps, generator, options, None, progress)
        cast[name] = fitted[own]
    return cast


def _clips_of(name: str, character: Character, names: Sequence[str]) -> tuple[int, ...]:
    if not character.clips:
        return tuple(range(len(names)))
    own = tuple(i for i, n in enumerate(names) if any(fnmatchcase(n, p) for p in character.clips))
    if not own:
        known = few(names, 5)
        raise UnknownNameError(
            character.clips[0],
            f"characters.{name}.clips: no clip is named like {' or '.join(character.clips)}; there"
            f" are {known}",
        )
    return own


def _solve(
    fitted: Fitted,
    constraints: ConstraintSet,
    options: SynthesisOptions,
    seed: int,
    progress: Progress,
) -> list[_Take]:
    count = max(options.alternatives, _ALTERNATIVES)
    how = replace(options, seed=seed, alternatives=count)
    found = synthesize(fitted, constraints, how, progress=progress)
    return [_Take(one, found, seed) for one in found.finished]


def _choose(
    takes: Mapping[str, list[_Take]], events: Sequence[EventGeometry]
) -> tuple[dict[str, _Take], dict[tuple[str, str], Overlap], int]:
    """Combination of takes with least interpenetration beyond the limit, then the best scores."""
    names = list(takes)
    overlaps: dict[tuple[str, str, int, int], Overlap] = {}
    for a, b in combinations(names, 2):
        allowed = allowed_contacts(events, (a, b), (takes[a][0].capsules, takes[b][0].capsules))
        for (i, one), (j, two) in product(enumerate(takes[a]), enumerate(takes[b])):
            overlaps[a, b, i, j] = find_overlap(one.capsules, two.capsules, allowed)

    def rank(picked: Iterable[int]) -> tuple[float, float]:
        at = dict(zip(names, picked, strict=True))
        deep = sum(
            max(overlaps[a, b, at[a], at[b]].depth - DEPTH_LIMIT, 0.0)
            for a, b in combinations(names, 2)
        )
        return deep, sum(takes[n][at[n]].finished.draft.score for n in names)

    order = list(islice(product(*(range(len(takes[n])) for n in names)), _MOST_COMBINATIONS))
    best = dict(zip(names, min(order, key=rank), strict=True))
    pairs = {(a, b): overlaps[a, b, best[a], best[b]] for a, b in combinations(names, 2)}
    return {n: takes[n][best[n]] for n in names}, pairs, len(order)


def _finish(
    asked: Mapping[str, ConstraintSet], events: Sequence[EventGeometry], chosen: Mapping[str, _Take]
) -> tuple[dict[str, PosedMotion], tuple[EventOutcome, ...], tuple[PairOverlap, ...]]:
    """Bring joints together, and measure events and interpenetration on the finished motions."""
    own = {name: take.finished.posed for name, take in chosen.items()}
    before = {
        name: posed.with_same_poses(replace(posed.motion, name=name)) for name, posed in own.items()
    }
    motions = meet_joints(before, events, next(iter(asked.values())).fps)
    outcomes = tuple(check_event(event, before, motions) for event in events)
    return motions, outcomes, measure_overlaps(events, motions)


def _choose_spots(
    scene: SceneConstraints,
    cast: Mapping[str, Fitted],
    options: SynthesisOptions,
    progress: Progress,
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
            pair = [(cast[name], asked[name]) for name in event.between]
            try:
                found = [one.generate(own, seed=options.seed, budget=budget) for one, own in pair]
                scores.append(sum(drafts[0].score for drafts in found))
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
    turns = _ALL_AROUND if float(np.hypot(*way)) < 1e-9 else _TURNS
    headings = [heading + turn for turn in turns]
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
    return np.array([np.interp(time, times, axis) for axis in zip(*places, strict=True)])
