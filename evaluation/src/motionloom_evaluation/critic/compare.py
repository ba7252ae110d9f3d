"""Whether woven motion can be told from captured motion, and by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles, find_roles
from motionloom_evaluation.critic.classifiers import (
    Auc,
    Verdict,
    check_installed,
    summarize,
    tell_apart,
)
from motionloom_evaluation.critic.distributions import Distribution, compare_distributions
from motionloom_evaluation.critic.folds import random_halves
from motionloom_evaluation.critic.giveaways import Giveaway, find_giveaways
from motionloom_evaluation.critic.parts import PARTS, find_parts
from motionloom_evaluation.critic.provenance import Provenance
from motionloom_evaluation.critic.windows import (
    Track,
    Windows,
    courses,
    cut_windows,
    join_windows,
    make_track,
    statistics,
    twins,
)

#: Parts of the body whose figures contain how fast the body turns.
_TURNING = ("hips", "all")
#: Random halvings of the takes for each repeat, and folds of each, in the control.
_HALVINGS, _CONTROL_FOLDS = 4, 2
#: Bones of woven and captured bodies may differ by this share.
_SAME_SIZE = 0.1


@dataclass(frozen=True)
class CompareOptions:
    """How motions are compared.

    Parameters
    ----------
    window, hop : float, seconds
        Length of a window, and how long after it the next one begins.
    folds : int
        Most folds; there are no more than takes.
    repeats : int
        How often, with other folds each time.
    seed : int
        Of the windows that are drawn, the folds and the classifiers.
    most_windows : int
        Of each set; where there are more, so many are drawn.
    least_windows, least_takes : int
        Fewer of either set are refused.
    giveaways : int
        Windows that are named, at most.
    parts : tuple of str
        Parts of the body that are looked at.
    """

    window: float = 0.5
    hop: float = 0.25
    folds: int = 5
    repeats: int = 2
    seed: int = 0
    most_windows: int = 3000
    least_windows: int = 30
    least_takes: int = 4
    giveaways: int = 12
    parts: tuple[str, ...] = PARTS

    def __post_init__(self) -> None:
        if not 0 < self.hop <= self.window:
            raise InvalidInputError("a window needs a positive hop that is no longer than itself")
        if not self.parts or not set(self.parts) <= set(PARTS):
            raise InvalidInputError(f"parts of the body are {', '.join(PARTS)}")
        if self.folds < 2 or self.repeats < 1 or self.least_takes < 2:
            raise InvalidInputError(
                "a comparison needs two folds, two takes and one repeat at least"
            )


@dataclass(frozen=True, eq=False)
class Pair:
    """Woven motion against one set of captured motion.

    Parameters
    ----------
    verdicts : mapping of str to Verdict
        By part of the body.
    woven, captured : int
        Windows of each set.
    takes : int
        Takes that the folds are made of.
    """

    verdicts: Mapping[str, Verdict]
    woven: int
    captured: int
    takes: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """Whether woven motion can be told from captured motion.

    Parameters
    ----------
    results : tuple of str
        Names of the woven motions.
    fps : float
        Frames per second at which all were compared.
    window : float, seconds
        Length of a window.
    clips : Pair
        Against all captured motion.
    control : mapping of str to (mapping of str to Auc)
        By part and classifier: random halves of the captured takes against each other.
    sources : Pair or None
        Against the same frames as captured; None where that was not asked for.
    floor : Pair or None
        The same frames as captured against all clips: what the choice of frames alone tells, the
        least that `clips` can come to. None where `sources` is.
    distributions : tuple of Distribution
        Figures of both sides, such as the speeds of toes and hips.
    giveaways : tuple of Giveaway
        Worst first; found by the comparison with the same frames as captured where there is one.
    notes : tuple of str
        What is not known or was left aside, one sentence each.
    """

    results: tuple[str, ...]
    fps: float
    window: float
    clips: Pair
    control: Mapping[str, Mapping[str, Auc]]
    sources: Pair | None
    floor: Pair | None
    distributions: tuple[Distribution, ...]
    giveaways: tuple[Giveaway, ...]
    notes: tuple[str, ...] = ()


def compare_motions(
    results: Sequence[Motion],
    captured: Sequence[Motion],
    *,
    provenance: Sequence[Provenance | None] = (),
    sources: bool = False,
    roles: Roles | None = None,
    options: CompareOptions | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Try to tell woven motion from captured motion, by windows of half a second.

    Parameters
    ----------
    results : sequence of Motion
        The woven motions.
    captured : sequence of Motion
        Clips of the same skeleton, one take each; a clip called ``NAME (mirrored)`` is of the take
        NAME.
    provenance : sequence of Provenance or None
        What each result is made of, where known. A window's take is then the take that its frames
        are from; else each result is a take of its own, of the clip of its name if there is one.
    sources : bool
        Whether the results are compared with the same frames as captured too: what processing adds.
    roles : Roles, optional
        Found from the first clip's skeleton when not given.
    options : CompareOptions, optional
        Windows, folds, repeats and parts of the body.
    progress : Progress
        Told of every motion and of every part of the body.

    Returns
    -------
    Comparison
        Everything at the lowest frame rate among the motions. The same seed gives the same figures.

    Raises
    ------
    InvalidInputError
        When there are too few takes or windows, the bodies differ, or `sources` are asked for and
        not known.
    MissingExtraError
        When scikit-learn is not installed.
    """
    options = options or CompareOptions()
    known = [*provenance, *[None] * (len(results) - len(provenance))]
    _check(results, captured, known, sources)
    check_installed()
    roles = roles or find_roles(captured[0].skeleton)
    fps = min(m.fps for m in (*results, *captured))
    made = _tracks("looking at the results", results, known, fps, roles, progress)
    clips = _tracks("looking at the clips", captured, [None] * len(captured), fps, roles, progress)
    _check_size(made[0], clips[0])
    if sources:
        _check_rates(known, fps)
    length = max(2, round(options.window * fps))
    hop = max(1, round(options.hop * fps))
    rng = np.random.default_rng(options.seed)
    woven = cut_windows(made, length, hop, options.most_windows, rng)
    real = cut_windows(clips, length, hop, options.most_windows, rng)
    _check_enough(woven, "results", options)
    _check_enough(real, "clips", options)
    found_parts = find_parts(captured[0].skeleton, roles)
    parts = {part: joints for part, joints in found_parts.items() if part in options.parts}
    critic = _Critic(parts, options, progress, rounds=1 + _HALVINGS + 2 * sources)
    against_clips = critic.pair(woven, real)
    control = critic.control(real, len(woven))
    against_sources = None
    floor = None
    judged, others, found = woven, real, against_clips
    if sources:
        judged, others = twins(woven, made, clips, length)
        _check_enough(judged, "results that have their clips given", options)
        found = against_sources = critic.pair(judged, others)
        floor = critic.pair(others, real)
    critic.done()
    return Comparison(
        results=tuple(m.name for m in results),
        fps=fps,
        window=length / fps,
        clips=against_clips,
        control=control,
        sources=against_sources,
        floor=floor,
        distributions=compare_distributions(made, clips, roles, length),
        giveaways=find_giveaways(judged, others, made, found.verdicts, parts, options.giveaways),
        notes=_notes(results, known, made),
    )


class _Critic:
    """Runs the classifiers for every part of the body and says how far it is."""

    def __init__(
        self,
        parts: Mapping[str, tuple[int, ...]],
        options: CompareOptions,
        progress: Progress,
        rounds: int,
    ) -> None:
        self.parts = parts
        self.options = options
        self.progress = progress
        self.total = rounds * len(parts) * options.repeats
        self.n_done = 0

    def pair(self, woven: Windows, captured: Windows) -> Pair:
        """Woven windows against captured ones."""
        both = join_windows(woven, captured)
        labels = np.repeat([1, 0], [len(woven), len(captured)])
        options = self.options
        seeds = [options.seed + i for i in range(options.repeats)]
        folds = _n_folds(both, labels, options)
        verdicts = {}
        for part in self.parts:
            verdicts[part] = self._judge(part, both, labels, seeds, folds, options.most_windows)
        takes = len({t[0] for t in both.takes})
        return Pair(verdicts, len(woven), len(captured), takes)

    def control(self, captured: Windows, most: int) -> dict[str, dict[str, Auc]]:
        """Random halves of the captured takes; they learn from no more windows than `pair`.

        One way of halving a few takes may well put slow and fast ones apart: several count.
        """
        options = self.options
        found: dict[str, dict[str, list[float]]] = {part: {} for part in self.parts}
        for i in range(_HALVINGS * options.repeats):
            seed = options.seed + i
            labels = random_halves(captured.takes, np.random.default_rng(seed))
            for part in self.parts:
                verdict = self._judge(part, captured, labels, [seed], _CONTROL_FOLDS, most)
                for name, auc in verdict.auc.items():
                    found[part].setdefault(name, []).extend(auc.folds)
        return {
            part: {name: summarize(values, _CONTROL_FOLDS) for name, values in by_name.items()}
            for part, by_name in found.items()
        }

    def done(self) -> None:
        """Say that nothing is left to do."""
        self.progress("telling apart", self.total, self.total)

    def _judge(
        self,
        part: str,
        windows: Windows,
        labels: np.ndarray,
        seeds: Sequence[int],
        folds: int,
        most: int,
    ) -> Verdict:
        self.progress("telling apart", self.n_done, self.total)
        joints = self.parts[part]
        verdict = tell_apart(
            courses(windows, joints, part in _TURNING),
            statistics(windows, joints),
            labels,
            windows.takes,
            windows.near,
            seeds,
            folds=folds,
            most=most,
        )
        if not verdict.auc:
            raise InvalidInputError(
                "no fold by take holds enough windows of both kinds; give more or longer results"
                " and clips"
            )
        self.n_done += len(seeds)
        return verdict


def _n_folds(windows: Windows, labels: np.ndarray, options: CompareOptions) -> int:
    takes = [
        len({windows.takes[i][0] for i in np.flatnonzero(labels == label)}) for label in (0, 1)
    ]
    return max(2, min(options.folds, *takes))


def _tracks(
    stage: str,
    motions: Sequence[Motion],
    known: Sequence[Provenance | None],
    fps: float,
    roles: Roles,
    progress: Progress,
) -> list[Track]:
    found = []
    for i, (motion, own) in enumerate(zip(motions, known, strict=True)):
        progress(stage, i, len(motions))
        same_rate = abs(motion.fps / fps - 1) < 1e-4
        at_rate = motion if same_rate else motion.resample(1 / fps)
        # Frames of the report are frames at its own rate.
        keeps = own is not None and abs(own.fps / fps - 1) < 1e-3
        found.append(make_track(at_rate, roles, own if keeps else None))
    progress(stage, len(motions), len(motions))
    return found


def _check(
    results: Sequence[Motion],
    captured: Sequence[Motion],
    known: Sequence[Provenance | None],
    sources: bool,
) -> None:
    if not results or not captured:
        raise InvalidInputError("a comparison needs woven motions and captured clips")
    skeleton = captured[0].skeleton
    for motion in (*results, *captured):
        if not motion.skeleton.has_topology_of(skeleton):
            raise InvalidInputError(
                f"{motion.name} has other joints than {captured[0].name}; compare results with the"
                " clips of their own skeleton"
            )
    for motion, own in zip(results, known, strict=True):
        if own is not None and own.n_frames != motion.n_frames:
            raise InvalidInputError(
                f"{motion.name} has {motion.n_frames} frames, but the report of its pieces"
                f" {own.n_frames}; give the report that was saved with it"
            )
        if sources and own is None:
            raise InvalidInputError(
                f"{motion.name}: which captured frames it shows is not known; save the report with"
                " it, as JSON and under its name, or leave the sources out"
            )
    names = {m.name for m in captured}
    used = [p.clip for own in known if own for p in own.pieces]
    missing = sorted({clip for clip in used if clip not in names})
    if sources and missing:
        raise InvalidInputError(
            f"the results are made of {missing[0]!r}, which is not among the clips"
            f" ({len(missing)} missing); compare with the clips that they were made of"
        )


def _check_rates(known: Sequence[Provenance | None], fps: float) -> None:
    for own in known:
        if own is not None and abs(own.fps / fps - 1) > 1e-3:
            raise InvalidInputError(
                f"pieces are counted at {own.fps:g} frames per second, but the lowest rate among"
                f" the motions is {fps:g}; compare results of one rate with clips of at least that"
            )


def _check_size(made: Track, clip: Track) -> None:
    own, other = (
        float(np.linalg.norm(t.motion.skeleton.offsets[1:], axis=-1).sum()) for t in (made, clip)
    )
    if abs(own - other) > _SAME_SIZE * other:
        times = own / max(other, 1e-9)
        raise InvalidInputError(
            f"the bones of {made.motion.name} are {times:.3g} times as long as those of"
            f" {clip.motion.name}; compare motions of one body in one unit"
        )


def _check_enough(windows: Windows, what: str, options: CompareOptions) -> None:
    takes = len({t[0] for t in windows.takes})
    if takes < options.least_takes:
        raise InvalidInputError(
            f"telling motions apart needs at least {options.least_takes} takes, and the {what} are"
            f" of {takes}; give more of them"
            + (", or save each result's report as JSON beside it" if what == "results" else "")
        )
    if len(windows) < options.least_windows:
        raise InvalidInputError(
            f"telling motions apart needs at least {options.least_windows} windows of"
            f" {options.window:g} s, and the {what} have {len(windows)}; give more or longer ones"
        )


def _notes(
    results: Sequence[Motion], known: Sequence[Provenance | None], made: Sequence[Track]
) -> tuple[str, ...]:
    blind = [m.name for m, own in zip(results, known, strict=True) if own is None]
    notes = []
    if blind:
        notes.append(
            f"{len(blind)} of {len(results)} results: which captured frames they show is not known,"
            " so classifiers may have seen the takes they are made of, and seams are not told apart"
        )
    other = sum(
        own is not None and track.provenance is None for own, track in zip(known, made, strict=True)
    )
    if other:
        notes.append(
            f"the pieces of {other} results are counted at another frame rate than the clips', and"
            " were left aside"
        )
    return tuple(notes)
