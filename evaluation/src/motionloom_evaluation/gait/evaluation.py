"""All measures of gait on given clips, as a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.soles import leg_length
from motionloom.clips.prepare import prepare_clip
from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.cycles.find import FoundGait, find_gait
from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.cycles.tracks import tracks_of_motion
from motionloom.gait.space.behaviour import to_strides
from motionloom.gait.space.coordinates import CycleCoordinates, mean_coordinates
from motionloom.gait.space.fit import learn_gait
from motionloom.gait.space.gather import Example, GaitExamples, gather_examples
from motionloom.gait.space.space import GaitSpace
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.reports import Report, Reported, fields_of
from motionloom_evaluation.gait.events import (
    EventCheck,
    StrikeCheck,
    check_events,
    check_strikes,
    false_cycles,
)
from motionloom_evaluation.gait.left_out import (
    GAP,
    Bench,
    Likeness,
    Miss,
    compare_strides,
    leave_people_out,
    leave_speeds_out,
)
from motionloom_evaluation.gait.stance import stance_speed

Array = NDArray[np.float64]

#: What others are compared with, by kind.
_BASES = {
    "interpolated": "nearest take time-scaled",
    "extrapolated": "nearest take time-scaled",
    "newcomer": "nothing (time-scaled)",
}
#: Speeds that are asked for, metres per second.
ASKED = {"walk": np.linspace(0.5, 2.5, 9), "run": np.linspace(2.0, 5.0, 7)}


@dataclass(frozen=True)
class Law:
    """Frequency law of one group of clips and one behaviour.

    Parameters
    ----------
    group, behaviour : str
        Whose it is, and of what: walking or running.
    a, b : float
        Cycles per second are ``a (v / h)^b``, v the speed and h the hips' height in metres.
    rms, pooled_rms : float
        Root mean square error of the log of frequencies, with a factor for each person and without.
    takes : int
        How many there are.
    """

    group: str
    behaviour: str
    a: float
    b: float
    rms: float
    pooled_rms: float
    takes: int


@dataclass(frozen=True, eq=False)
class GaitEvaluation(Reported):
    """What was measured.

    Parameters
    ----------
    strikes : tuple of StrikeCheck
        Of clips that hold gait.
    events : tuple of EventCheck
        Of marker files.
    others : int
        Clips of other actions that were looked at.
    false : mapping of str to int
        Cycles found in them.
    misses : tuple of Miss
        Left-out speeds and people.
    laws : tuple of Law
        By group and behaviour.
    likeness : tuple of Likeness
        How alike captured strides are, by group and behaviour.
    stance : mapping of str to tuple of float
        By behaviour, lowest, middle and highest of the speed at which stance feet pass under a
        made cycle's body over the speed asked for.
    notes : tuple of str
        What was left out.
    """

    strikes: tuple[StrikeCheck, ...]
    events: tuple[EventCheck, ...]
    others: int
    false: Mapping[str, int]
    misses: tuple[Miss, ...]
    laws: tuple[Law, ...]
    likeness: tuple[Likeness, ...] = ()
    stance: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_report(self) -> Report:
        """Strikes, events, left-out strides, likeness, laws and stances, a line each."""
        laws = (
            f"frequency, {law.group} {law.behaviour}: {law.a:.3f} V^{law.b:.3f}, rms"
            f" {100 * law.rms:.1f} % with a factor for each person, {100 * law.pooled_rms:.1f}"
            f" % without, {law.takes} takes"
            for law in self.laws
        )
        stances = (
            f"{name}: stance feet pass under the body at {100 * low:.0f} to {100 * high:.0f} %"
            f" of the speed asked for, in the middle {100 * middle:.0f} %, before feet are planted"
            for name, (low, middle, high) in self.stance.items()
        )
        own = fields_of(self, "others", "false", "misses")
        more = {"other_clips": self.others, "false_cycles": self.false, "left_out": self.misses}
        return self.compose(
            "Gait",
            *_strike_lines(self),
            *_event_lines(self),
            *_miss_lines(self.misses),
            *(_likeness_line(one) for one in self.likeness),
            *laws,
            *stances,
            data={**own, **more},
        )


def _strike_lines(evaluation: GaitEvaluation) -> list[str]:
    checks = evaluation.strikes
    lines = [
        f"strikes: {sum(c.strikes for c in checks)} in {len(checks)} clips,"
        f" {sum(c.strides for c in checks)} strides; doubled {sum(c.doubled for c in checks)},"
        f" missed {sum(c.missed for c in checks)}"
    ]
    lines += [
        f"  {c.name}: {c.doubled} doubled, {c.missed} missed of {c.strikes}"
        for c in checks
        if c.doubled or c.missed
    ]
    if evaluation.others:
        lines.append(
            f"other actions: {sum(evaluation.false.values())} cycles found in"
            f" {len(evaluation.false)} of {evaluation.others} clips"
        )
        lines += [f"  {name}: {count}" for name, count in evaluation.false.items()]
    return lines


def _event_lines(evaluation: GaitEvaluation) -> list[str]:
    lines = []
    for kind in ("strike", "off"):
        checks = [c for c in evaluation.events if c.kind == kind]
        errors = 1000 * np.array([e for c in checks for e in c.errors])
        if len(errors):
            away = np.abs(errors)
            lines.append(
                f"{kind}s beside {len(checks)} files' own: median error {np.median(away):.0f} ms,"
                f" 90th percentile {np.quantile(away, 0.9):.0f}, largest {away.max():.0f};"
                f" {len(errors)} of {sum(c.told for c in checks)} found,"
                f" {sum(c.extra for c in checks)} besides; mean {errors.mean():+.0f} ms"
            )
    return lines


def _miss_lines(misses: Sequence[Miss]) -> list[str]:
    lines = []
    for behaviour in BEHAVIOURS:
        for kind, base in _BASES.items():
            own = [m for m in misses if (m.behaviour, m.kind) == (behaviour, kind)]
            if own:
                people = dict.fromkeys(m.person for m in own)
                lines.append(
                    f"{behaviour}, {kind}: {len(own)} strides of {', '.join(people)}; mean joint"
                    " distance, cm"
                )
                lines += [_method_line(own, name, base) for name in own[0].errors]
    return lines


def _likeness_line(one: Likeness) -> str:
    same, other = one.pairs
    return (
        f"{one.behaviour}, captured strides of one person beside each other, cm:"
        f" {100 * one.same_take:.2f} in one take ({same} pairs), {100 * one.other_take:.2f} in"
        f" different takes at one speed ({other})"
    )


def _method_line(misses: Sequence[Miss], name: str, base: str) -> str:
    errors = 100 * np.array([m.errors[name] for m in misses])
    line = f"  {name:28s} {errors.mean():.2f} +- {errors.std():.2f}"
    if name == base:
        return line
    gained = errors - 100 * np.array([m.errors[base] for m in misses])
    return (
        f"{line}; paired {gained.mean():+.2f} +- {gained.std():.2f},"
        f" better in {100 * (gained < 0).mean():.0f} %"
    )


def evaluate_gait(
    motions: Sequence[Motion],
    markers: Sequence[MarkerSequence] = (),
    others: Sequence[Motion] = (),
    told: Sequence[ToldClips] = (),
    gap: float = GAP,
    progress: Progress = silent,
) -> GaitEvaluation:
    """Measure how well gait is found and made.

    Parameters
    ----------
    motions : sequence of Motion
        Walks and runs, of one skeleton or several.
    markers : sequence of MarkerSequence
        With events to compare with.
    others : sequence of Motion
        Clips of other actions, in which no cycle should be found.
    told : sequence of ToldClips
        Whose clips they are, and styles.
    gap : float, metres per second
        Takes of a person nearer than this in speed are left out together.
    progress : Progress
        Told of every part.

    Returns
    -------
    GaitEvaluation
    """
    events = [check for sequence in markers for check in check_events(sequence)]
    none = [(motion.name, _look(motion)) for motion in others]
    strikes: list[StrikeCheck] = []
    misses: list[Miss] = []
    laws: list[Law] = []
    likeness: list[Likeness] = []
    notes: list[str] = []
    made: dict[str, list[float]] = {}
    groups = list(_groups(motions))
    for done, group in enumerate(groups):
        progress("evaluating gait", done, len(groups))
        try:
            found = gather_examples(group, _useful(told, group))
        except InvalidInputError as error:
            notes.append(f"{group[0].name} and others were left out: {error}")
            continue
        strikes += [check_strikes(name, gait) for name, gait in found.found.items() if gait.events]
        space = learn_gait(found)
        own = _measure(found, space, gap)
        misses += own.misses
        laws += own.laws
        likeness += own.likeness
        for behaviour, shares in _stance_shares(space).items():
            made.setdefault(behaviour, []).extend(shares)
    progress("evaluating gait", len(groups), len(groups))
    return GaitEvaluation(
        strikes=tuple(strikes),
        events=tuple(events),
        others=len(none),
        false=false_cycles([(name, gait) for name, gait in none if gait is not None]),
        misses=tuple(misses),
        laws=tuple(laws),
        likeness=tuple(likeness),
        stance={b: _spread(shares) for b, shares in made.items()},
        notes=tuple(notes),
    )


def _spread(shares: Sequence[float]) -> tuple[float, float, float]:
    low, middle, high = np.quantile(shares, [0.0, 0.5, 1.0])
    return float(low), float(middle), float(high)


def _useful(rows: Sequence[ToldClips], group: Sequence[Motion]) -> list[ToldClips]:
    return [row for row in rows if any(fnmatchcase(m.name, row.clips) for m in group)]


def _groups(motions: Sequence[Motion]) -> Iterator[list[Motion]]:
    """Motions with the same tree of joints, which one gait space can hold."""
    by_tree: dict[bytes, list[Motion]] = {}
    for motion in motions:
        key = motion.skeleton.parents.tobytes() + "/".join(motion.skeleton.names[:6]).encode()
        by_tree.setdefault(key, []).append(motion)
    yield from by_tree.values()


def _look(motion: Motion) -> FoundGait | None:
    """What is found in a clip of another action; None where there can be nothing."""
    try:
        posed, _, _ = prepare_clip(motion, motion.fps)
        return find_gait(tracks_of_motion(posed, leg_length(posed)))
    except InvalidInputError:
        return None


@dataclass(frozen=True)
class _Group:
    misses: list[Miss]
    laws: list[Law]
    likeness: list[Likeness]


def _measure(found: GaitExamples, space: GaitSpace, gap: float) -> _Group:
    body = next(iter(found.bodies.values()))
    coordinates = mean_coordinates([e.cycle for e in found.examples], body)
    misses: list[Miss] = []
    laws: list[Law] = []
    likeness: list[Likeness] = []
    group = ", ".join(list(found.bodies)[:4]) + (" ..." if len(found.bodies) > 4 else "")
    for behaviour in space.spaces:
        law = space.spaces[behaviour].law
        takes = len(space.spaces[behaviour].line.takes.names)
        laws.append(
            Law(
                group=group,
                behaviour=behaviour,
                a=law.a,
                b=law.b,
                rms=law.rms,
                pooled_rms=law.pooled_rms,
                takes=takes,
            )
        )
        bench = _bench(found, behaviour, coordinates)
        misses += leave_speeds_out(bench, gap) + leave_people_out(bench)
        likeness.append(compare_strides(bench, gap))
    return _Group(misses, laws, likeness)


def _bench(found: GaitExamples, behaviour: str, coordinates: CycleCoordinates) -> Bench:
    own = _ordinary([e for e in found.examples if e.cycle.behaviour == behaviour])
    strides = to_strides(
        [e.cycle for e in own],
        [found.bodies[e.cycle.person].hip_height for e in own],
        [e.take for e in own],
        ["" for _ in own],
        coordinates,
    )
    return Bench(behaviour, strides, found.bodies, coordinates)


def _ordinary(examples: Sequence[Example]) -> list[Example]:
    styles = [e.style for e in examples]
    plain = "" if "" in styles else max(dict.fromkeys(styles), key=styles.count)
    return [e for e in examples if e.style == plain]


def _stance_shares(space: GaitSpace) -> dict[str, list[float]]:
    """Speed at which stance feet pass under made cycles over the speed asked for."""
    shares: dict[str, list[float]] = {}
    for person in space.persons:
        for behaviour in space.behaviours(person):
            trust = space.trust(behaviour, person)
            for speed in ASKED[behaviour]:
                if trust.covers(float(speed)):
                    made = stance_speed(space, float(speed), behaviour, person)
                    shares.setdefault(behaviour, []).append(made / float(speed))
    return shares
