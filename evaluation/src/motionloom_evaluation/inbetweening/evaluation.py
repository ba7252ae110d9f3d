"""In-betweening methods on given captures: what ``motionloom evaluate inbetweening`` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import ClipSet
from motionloom.errors import InvalidInputError
from motionloom.inbetween.fillers import make_filler
from motionloom.inbetween.fit import InbetweenOptions, fit_inbetween, gather_captures
from motionloom.inbetween.gaps import Gaps, Track
from motionloom.inbetween.model import InbetweenModel
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Report, Reported, Section, Table, fields_of, table_of
from motionloom_evaluation.inbetweening.controls import (
    ControlRow,
    controls_table,
    evaluate_controls,
)
from motionloom_evaluation.inbetweening.feet import FeetRow, evaluate_feet
from motionloom_evaluation.inbetweening.measures import (
    NAMES,
    PUBLISHED,
    WindowErrors,
    measure_errors,
)
from motionloom_evaluation.inbetweening.protocol import (
    LENGTHS,
    TEST_WINDOW,
    TRAIN_WINDOW,
    cut_windows,
    position_spread,
)
from motionloom_evaluation.inbetweening.splits import Split
from motionloom_evaluation.inbetweening.thesis import (
    ThesisRow,
    evaluate_thesis,
    thesis_table,
)
from motionloom_evaluation.natural_spaces.statistics import RESAMPLES

Array = NDArray[np.float64]

#: Methods by the names under which they are printed.
METHODS = {
    "zero velocity": "hold",
    "slerp": "slerp",
    "velocity": "velocity",
    "phase space": "phase",
    "nearest capture": "nearest",
    "kernel": "kernel",
}


@dataclass(frozen=True)
class InbetweeningOptions:
    """How much is measured.

    Parameters
    ----------
    lengths : tuple of int
        Missing frames.
    model : InbetweenOptions
        How models are learned.
    feet : int
        Windows of each split on which feet are looked at; none when 0.
    pieces : int
        Pieces of each segment in the thesis' test of phase spaces; none when 0.
    controls : int
        Motions of each split for which key poses, effectors and way-points are asked for; none when
        0.
    seed : int
        Of the bootstrap.
    """

    lengths: tuple[int, ...] = LENGTHS
    model: InbetweenOptions = field(default_factory=InbetweenOptions)
    feet: int = 40
    pieces: int = 60
    controls: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        longest = TEST_WINDOW[0] - 20
        if not self.lengths or not all(1 <= n <= longest for n in self.lengths):
            raise InvalidInputError(f"missing frames lie between 1 and {longest}")
        if min(self.feet, self.pieces, self.controls) < 0:
            raise InvalidInputError("numbers of windows and pieces must not be negative")


@dataclass(frozen=True, eq=False)
class MethodErrors:
    """One method at one length, over all splits.

    Parameters
    ----------
    method : str
        As printed.
    missing : int
        Frames.
    errors : tuple of WindowErrors
        One for each split.
    """

    method: str
    missing: int
    errors: tuple[WindowErrors, ...]

    def means(self, chosen: Sequence[NDArray[np.int64]] | None = None) -> dict[str, float]:
        """Errors of all windows, or of those chosen of each split."""
        picked = [None] * len(self.errors) if chosen is None else chosen
        rows = [
            (one if some is None else _some(one, some))
            for one, some in zip(self.errors, picked, strict=True)
        ]
        return WindowErrors(
            *(np.concatenate([getattr(r, name) for r in rows]) for name in vars(rows[0]))
        ).means()


def _some(errors: WindowErrors, chosen: NDArray[np.int64]) -> WindowErrors:
    return WindowErrors(*(values[chosen] for values in vars(errors).values()))


@dataclass(frozen=True, eq=False)
class Inbetweening(Reported):
    """All results.

    Parameters
    ----------
    splits : tuple of Split
        What was learned from and what was tested.
    windows : tuple of int
        Windows that were tested, for each split.
    rows : tuple of MethodErrors
        Every method at every length.
    ranges : mapping of (str, int, str) to (float, float)
        Of the ratio to slerp, by method, length and error: 95 % when windows are drawn again, and
        captures too where there are several.
    feet : tuple of FeetRow
        What the feet do.
    thesis : tuple of ThesisRow
        The thesis' test of phase spaces.
    controls : tuple of ControlRow
        How key poses, effectors and way-points are met.
    seconds : tuple of float
        Processor time of learning, for each split.
    """

    splits: tuple[Split, ...]
    windows: tuple[int, ...]
    rows: tuple[MethodErrors, ...]
    ranges: Mapping[tuple[str, int, str], tuple[float, float]]
    feet: tuple[FeetRow, ...]
    thesis: tuple[ThesisRow, ...]
    controls: tuple[ControlRow, ...]
    seconds: tuple[float, ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """Missing frames."""
        return tuple(sorted({row.missing for row in self.rows}))

    def as_report(self) -> Report:
        """All tables."""
        seconds = ", ".join(f"{s:.0f}" for s in self.seconds)
        splits = zip(self.splits, self.windows, strict=True)
        return self.compose(
            "In-betweening",
            Section("Splits", [f"{s.in_words()} ({n} windows)" for s, n in splits]),
            self._table("Errors", self._absolute, PUBLISHED),
            self._table("Ratio to slerp", self._ratio, _published_ratios()),
            self._ranges_table(),
            table_of("Feet of kernel; toes below 5 cm as in a public benchmark", self.feet),
            *([thesis_table(self.thesis)] if self.thesis else []),
            *([controls_table(self.controls)] if self.controls else []),
            f"Learning took {seconds} s of processor time.",
            data=self._data(),
        )

    def _data(self) -> dict[str, Any]:
        errors = [{"method": r.method, "missing": r.missing, **r.means()} for r in self.rows]
        ranges = [
            {"method": m, "missing": n, "error": e, "low": low, "high": high}
            for (m, n, e), (low, high) in self.ranges.items()
        ]
        own = fields_of(self, "rows", "ranges")
        return {**own, "errors": errors, "ratio_ranges": ranges}

    def _absolute(self, method: str, missing: int) -> dict[str, float]:
        return self.row(method, missing).means()

    def _ratio(self, method: str, missing: int) -> dict[str, float]:
        own = self.row(method, missing).means()
        slerp = self.row("slerp", missing).means()
        return {name: own[name] / slerp[name] for name in NAMES}

    def row(self, method: str, missing: int) -> MethodErrors:
        """One method at one length."""
        return next(r for r in self.rows if (r.method, r.missing) == (method, missing))

    def _table(
        self,
        title: str,
        values: Callable[[str, int], dict[str, float]],
        published: Mapping[str, Mapping[str, tuple[float | None, ...]]],
    ) -> Table:
        cells = []
        for method in METHODS:
            found = {n: values(method, n) for n in self.lengths}
            cells.append([method, *(found[n][name] for name in NAMES for n in self.lengths)])
        places = {n: i for i, n in enumerate(LENGTHS)}
        for method, errors in published.items():
            known = [
                errors[name][places[n]] if n in places else None
                for name in NAMES
                for n in self.lengths
            ]
            cells.append([f"published: {method}", *known])
        heads = [f"{name} {n}" for name in NAMES for n in self.lengths]
        columns = [Column("", "method"), *(Column("", head, form=".4f") for head in heads)]
        return Table(title, columns, cells)

    def _ranges_table(self) -> Table:
        cells = [
            [name, *("{:.2f}-{:.2f}".format(*self.ranges["kernel", n, name]) for n in self.lengths)]
            for name in NAMES
        ]
        columns = [Column("", "error"), *(Column("", str(n)) for n in self.lengths)]
        return Table(
            "Ratio of kernel to slerp, 95 % of resamples, by missing frames", columns, cells
        )


def _published_ratios() -> dict[str, dict[str, tuple[float | None, ...]]]:
    slerp = PUBLISHED["slerp"]
    return {
        method: {
            name: tuple(
                None if own is None or base is None else own / base
                for own, base in zip(errors[name], slerp[name], strict=True)
            )
            for name in NAMES
        }
        for method, errors in PUBLISHED.items()
    }


def evaluate_inbetweening(
    clips: ClipSet,
    splits: Sequence[Split],
    options: InbetweeningOptions | None = None,
    progress: Progress = silent,
) -> Inbetweening:
    """Measure all methods on captures of one skeleton.

    Parameters
    ----------
    clips : ClipSet
        The captures.
    splits : sequence of Split
        What is learned from and what is tested.
    options : InbetweeningOptions, optional
        How much is measured.
    progress : Progress
        Told of every split and of learning.

    Returns
    -------
    Inbetweening

    Raises
    ------
    InvalidInputError
        When there is no split, or captures are too short.
    """
    options = options or InbetweeningOptions()
    if not splits:
        raise InvalidInputError("an evaluation needs at least one split of the captures")
    found = []
    for i, split in enumerate(splits):
        progress("splits", i, len(splits))
        found.append(_evaluate_split(clips, split, options, progress))
    progress("splits", len(splits), len(splits))
    rows = tuple(
        MethodErrors(method, n, tuple(one.errors[method, n] for one in found))
        for method in METHODS
        for n in options.lengths
    )
    return Inbetweening(
        splits=tuple(splits),
        windows=tuple(len(one.clip) for one in found),
        rows=rows,
        ranges=_bootstrap(rows, [one.clip for one in found], options.seed),
        feet=tuple(row for one in found for row in one.feet),
        thesis=tuple(row for one in found for row in one.thesis),
        controls=tuple(row for one in found for row in one.controls),
        seconds=tuple(one.seconds for one in found),
    )


@dataclass(frozen=True, eq=False)
class _Tested:
    """One split, tested."""

    errors: Mapping[tuple[str, int], WindowErrors]
    clip: NDArray[np.int64]
    feet: tuple[FeetRow, ...]
    thesis: tuple[ThesisRow, ...]
    controls: tuple[ControlRow, ...]
    seconds: float


def _evaluate_split(
    clips: ClipSet, split: Split, options: InbetweeningOptions, progress: Progress
) -> _Tested:
    names = list(clips.names)
    train = clips.subset([names.index(name) for name in split.train])
    began = process_time()
    captures = gather_captures(train, options.model, progress)
    model = fit_inbetween(captures, options.model, progress)
    seconds = process_time() - began
    rig = captures.rig
    tested = [clips.motions[names.index(name)] for name in split.test]
    tracks = [Track.of(motion, rig) for motion in tested]
    windows = cut_windows(rig, tracks, TEST_WINDOW)
    spread = position_spread(cut_windows(rig, captures.tracks, TRAIN_WINDOW))
    errors = {}
    for n in options.lengths:
        for method in METHODS:
            track = _fill_all(method, model, windows.gaps(n), clips.fps)
            errors[method, n] = measure_errors(rig, windows.missing(n), track, spread)
    feet = evaluate_feet(rig, model, windows, spread, options.lengths, options.feet)
    thesis = evaluate_thesis(rig, model, dict(zip(split.test, tracks, strict=True)), options.pieces)
    controls: tuple[ControlRow, ...] = ()
    if options.controls:
        analysed = analyse_clips(train, progress=progress)
        controls = evaluate_controls(
            analysed, model, tested, options.controls, options.seed, progress
        )
    return _Tested(
        errors=errors,
        clip=windows.clip,
        feet=feet,
        thesis=thesis,
        controls=controls,
        seconds=seconds,
    )


def _fill_all(method: str, model: InbetweenModel, gaps: Gaps, fps: float) -> Track:
    filling = make_filler(METHODS[method], model).fill(gaps, fps)[0]
    return filling.track


def _bootstrap(
    rows: Sequence[MethodErrors], clips: Sequence[NDArray[np.int64]], seed: int
) -> dict[tuple[str, int, str], tuple[float, float]]:
    """Ranges of the ratios to slerp when captures, and windows of each, are drawn again."""
    rng = np.random.default_rng(seed)
    draws = [_draw(clips, rng) for _ in range(RESAMPLES // 4)]
    base = {row.missing: row for row in rows if row.method == "slerp"}
    found = {}
    for row in rows:
        ratios: dict[str, list[float]] = {name: [] for name in NAMES}
        for chosen in draws:
            own = row.means(chosen)
            slerp = base[row.missing].means(chosen)
            for name in NAMES:
                ratios[name].append(own[name] / max(slerp[name], 1e-300))
        for name in NAMES:
            low, high = np.quantile(ratios[name], [0.025, 0.975])
            found[row.method, row.missing, name] = (float(low), float(high))
    return found


def _draw(clips: Sequence[NDArray[np.int64]], rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Windows of each split, drawn again: first captures, then windows of each."""
    owners = [(s, int(c)) for s, own in enumerate(clips) for c in np.unique(own)]
    drawn: list[list[NDArray[np.int64]]] = [[] for _ in clips]
    for pick in rng.integers(0, len(owners), len(owners)):
        split, clip = owners[pick]
        own = np.flatnonzero(clips[split] == clip)
        drawn[split].append(own[rng.integers(0, len(own), len(own))])
    empty = np.zeros(0, np.int64)
    return [np.concatenate([empty, *own]) for own in drawn]
