"""Several characters and their events in, motions that go together and a report out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations, islice, product

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet
from motionloom.constraints.scene import Character, SceneConstraints
from motionloom.errors import InvalidInputError
from motionloom.graph.finishing.assemble import Assembly
from motionloom.graph.synthesize import (
    Prepared,
    Synthesis,
    SynthesisOptions,
    make_report,
    prepare_clips,
    synthesize,
)
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom.scene.check import EventGeometry, allowed_contacts, check_event, lay_out, meet_joints
from motionloom.scene.collisions import Capsules, Overlap, find_overlap, make_capsules
from motionloom.scene.placement import compile_scene
from motionloom.scene.places import choose_spots
from motionloom.scene.report import DEPTH_LIMIT, EventOutcome, PairOverlap, SceneReport
from motionloom.synthesis.report import SynthesisReport

#: Alternatives asked for of every character, so that there is a choice when two run into each other.
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
    wishes : dict of str to ConstraintSet
        What was asked of every character, its part in the events included.
    report : SceneReport
    """

    motions: dict[str, Motion]
    contacts: dict[str, FootContacts]
    wishes: dict[str, ConstraintSet]
    report: SceneReport


@dataclass(frozen=True, eq=False)
class _Take:
    """One alternative of one character."""

    found: Synthesis
    index: int
    assembly: Assembly
    capsules: Capsules

    @property
    def score(self) -> float:
        """Of its path; smaller is better."""
        return self.found.search.alternatives[self.index].score

    def report(self, cast: Prepared, wish: ConstraintSet) -> SynthesisReport:
        """Report on this alternative, whichever of its search it is."""
        found = self.found
        paths, made = list(found.search.alternatives), [found.assembly, *found.alternatives]
        paths.insert(0, paths.pop(self.index))
        made.insert(0, made.pop(self.index))
        search = replace(found.search, alternatives=tuple(paths))
        return make_report(cast, wish, found.report.seed, search, made, dict(found.report.times))


def synthesize_scene(
    clips: Sequence[Motion] | Mapping[str, Prepared],
    scene: SceneConstraints,
    options: SynthesisOptions | None = None,
    roles: Roles | None = None,
    progress: Progress = silent,
) -> Scene:
    """Make motions of several characters that meet their events.

    Each character is solved by the motion graph, with what follows from the events as constraints of its own. Of all
    combinations of their alternatives the one is taken in which nobody runs into anybody and everybody is nearest to
    the wish; joints that meet are then brought together exactly.

    Parameters
    ----------
    clips : sequence of Motion, or mapping of str to Prepared
        Clips of all characters, which each takes its own from; or what `prepare_clips` made of every character's.
    scene : SceneConstraints
    options : SynthesisOptions, optional
        The budget is that of each character's search.
    roles : Roles, optional
        Found from the skeletons when not given.
    progress : Progress

    Raises
    ------
    MotionloomError
        As of `synthesize`, and when a character's patterns match no clip.
    """
    options = options or SynthesisOptions()
    casts = clips if isinstance(clips, Mapping) else _cast(clips, scene, options, roles, progress)
    sets = {name: casts[name].sources.clips for name in scene.characters}
    spots = choose_spots(scene, casts, options.search, progress)
    wishes = compile_scene(scene, sets, spots)
    events = [lay_out(scene, i, spot, sets) for i, spot in sorted(spots.items())]
    takes: dict[str, list[_Take]] = {name: [] for name in scene.characters}
    for rounds in range(1, _ROUNDS + 1):
        for k, (name, wish) in enumerate(wishes.items()):
            seed = options.search.seed + k + 1000 * (rounds - 1)
            takes[name] += _solve(casts[name], wish, options, seed, progress)
        chosen, overlaps, compared = _choose(takes, events)
        if all(o.depth <= DEPTH_LIMIT for o in overlaps.values()):
            break
    motions, outcomes, pairs = _finish(sets, wishes, events, chosen)
    reports = {name: take.report(casts[name], wishes[name]) for name, take in chosen.items()}
    report = SceneReport(options.search.seed, reports, outcomes, pairs, compared, rounds)
    return Scene(motions, {n: take.assembly.contacts for n, take in chosen.items()}, wishes, report)


def _cast(
    clips: Sequence[Motion],
    scene: SceneConstraints,
    options: SynthesisOptions,
    roles: Roles | None,
    progress: Progress,
) -> dict[str, Prepared]:
    """Every character's clips made ready; characters with the same clips share them."""
    made: dict[tuple[int, ...], Prepared] = {}
    casts = {}
    for name, wish in scene.characters.items():
        own = _clips_of(name, wish, clips)
        if own not in made:
            made[own] = prepare_clips([clips[i] for i in own], scene.fps, options, roles, progress)
        casts[name] = made[own]
    return casts


def _clips_of(name: str, wish: Character, clips: Sequence[Motion]) -> tuple[int, ...]:
    if not wish.clips:
        return tuple(range(len(clips)))
    own = tuple(i for i, m in enumerate(clips) if any(fnmatchcase(m.name, p) for p in wish.clips))
    if not own:
        known = ", ".join(m.name for m in clips[:5])
        raise InvalidInputError(
            f"characters.{name}.clips: no clip is named like {' or '.join(wish.clips)}; there are {known} ..."
        )
    return own


def _solve(
    cast: Prepared, wish: ConstraintSet, options: SynthesisOptions, seed: int, progress: Progress
) -> list[_Take]:
    count = max(options.search.alternatives, _ALTERNATIVES)
    own = replace(options, search=replace(options.search, seed=seed, alternatives=count))
    found = synthesize(cast, wish, own, progress=progress)
    made = (found.assembly, *found.alternatives)
    roles = cast.sources.clips.roles
    return [_Take(found, i, assembly, make_capsules(assembly.motion, roles)) for i, assembly in enumerate(made)]


def _choose(
    takes: Mapping[str, list[_Take]], events: Sequence[EventGeometry]
) -> tuple[dict[str, _Take], dict[tuple[str, str], Overlap], int]:
    """Combination of takes with the least interpenetration beyond the limit, then the best scores."""
    names = list(takes)
    overlaps: dict[tuple[str, str, int, int], Overlap] = {}
    for a, b in combinations(names, 2):
        one, two = takes[a][0], takes[b][0]
        allowed = allowed_contacts(
            events, (a, b), (one.assembly.motion, two.assembly.motion), (one.capsules, two.capsules)
        )
        for i, one in enumerate(takes[a]):
            for j, two in enumerate(takes[b]):
                overlaps[a, b, i, j] = find_overlap(one.capsules, two.capsules, allowed)

    def rank(picked: Iterable[int]) -> tuple[float, float]:
        at = dict(zip(names, picked, strict=True))
        deep = sum(max(overlaps[a, b, at[a], at[b]].depth - DEPTH_LIMIT, 0.0) for a, b in combinations(names, 2))
        return deep, sum(takes[n][at[n]].score for n in names)

    order = list(islice(product(*(range(len(takes[n])) for n in names)), _MOST_COMBINATIONS))
    best = dict(zip(names, min(order, key=rank), strict=True))
    pairs = {(a, b): overlaps[a, b, best[a], best[b]] for a, b in combinations(names, 2)}
    return {n: takes[n][best[n]] for n in names}, pairs, len(order)


def _finish(
    sets: Mapping[str, ClipSet],
    wishes: dict[str, ConstraintSet],
    events: Sequence[EventGeometry],
    chosen: Mapping[str, _Take],
) -> tuple[dict[str, Motion], tuple[EventOutcome, ...], tuple[PairOverlap, ...]]:
    """Bring joints together, and measure events and interpenetration on the finished motions."""
    before = {name: replace(take.assembly.motion, name=name) for name, take in chosen.items()}
    motions = meet_joints(before, events, next(iter(wishes.values())).fps)
    bodies = {name: make_capsules(motion, sets[name].roles) for name, motion in motions.items()}
    pairs = []
    for a, b in combinations(motions, 2):
        allowed = allowed_contacts(events, (a, b), (motions[a], motions[b]), (bodies[a], bodies[b]))
        found = find_overlap(bodies[a], bodies[b], allowed)
        fps = motions[a].fps
        pairs.append(PairOverlap((a, b), 1000 * found.depth, found.frame / fps, found.frames / fps, found.bones))
    return motions, tuple(check_event(event, before, motions) for event in events), tuple(pairs)
