"""``motionloom fit`` and ``track``: markers into a moving skeleton, of files or as they arrive."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Command, Result, Showing
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.reports import Report
from motionloom.workspace.outputs import Files

if TYPE_CHECKING:
    from motionloom.fitting import FittedTrial
    from motionloom.fitting.calibration.calibrate import CalibrationOptions
    from motionloom.fitting.live import LiveSession
    from motionloom.marker_motion import MarkerSequence

#: What is written of a trial besides motions, by suffix.
_MODEL = ".npz"
_ANGLES = ".mot"
_MARKERS = ".trc"


class FitCommand(Showing):
    """Fit a skeleton to trials of markers, and say how well it goes."""

    trials: tuple[Path, ...] = fields.argument(
        "Marker files, .c3d or .trc.", "TRIAL...", repeats=True
    )
    output: tuple[Path, ...] = fields.output(
        "What to write, once or more: a motion (.bvh, .glb, .fbx), joint angles for OpenSim (.mot),"
        " fitted markers (.trc), the model (.npz); of several trials a folder for motions in BVH.",
        repeats=True,
        file="beside",
    )
    static: Path | None = fields.read_file("Trial of the same person standing still, used as well.")
    model: Path | None = fields.read_file(
        "Model to use; else one is found from the trial.", "MODEL.npz"
    )
    markers: Path | None = fields.read_file("YAML: what labels stand for, LABEL: PLACE.", "TABLE")
    calibration: CalibrationOptions = fields.part(
        "motionloom.fitting.calibration.calibrate", "method", "size", "symmetric"
    )
    one_person: bool = option_field(
        False, "All trials are of one person; else those whose markers are alike."
    )
    partial: bool = option_field(False, "Fit the rest where limbs have no markers, and say which.")
    reading: ReadOptions = fields.reading()

    def check(self) -> None:
        """Refuse what is of one trial where there are several."""
        from motionloom.io.registry import find_writer

        first, *others = self.output
        if len(self.trials) == 1:
            for path in self.output:
                if path.suffix.lower() not in (_MODEL, _ANGLES, _MARKERS):
                    find_writer(path)
            return
        if others or first.suffix:
            raise InvalidInputError(
                f"{first}: of {len(self.trials)} trials expected one folder to write into, a name"
                " without suffix"
            )
        if len({trial.stem for trial in self.trials}) < len(self.trials):
            raise InvalidInputError("two trials have the same name; fit them one by one")
        if any((self.report, self.html, self.png)):
            raise InvalidInputError(
                "--report, --html and --png are of one trial; fit the trials one by one for these"
            )

    @property
    def _paths(self) -> list[list[Path]]:
        """Files to write for each trial."""
        if len(self.trials) == 1:
            return [list(self.output)]
        return [[self.output[0] / f"{trial.stem}.bvh"] for trial in self.trials]

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        return [*(path for paths in self._paths for path in paths), *super().outputs()]

    def make(self, progress: Progress) -> Result:
        """Fit them."""
        from motionloom.markers import read_trial, write_fitted

        markers = [read_trial(trial, **self.reading.of_files) for trial in self.trials]
        fits = self._fit_all(markers, progress)
        files: Files = {}
        for fitted, paths in zip(fits, self._paths, strict=True):
            files |= {path: partial(write_fitted, fitted) for path in paths}
        of_trials = zip(self.trials, fits, strict=True)
        problems = [f"{trial}: {one}" for trial, fitted in of_trials for one in fitted.problems]
        if len(fits) > 1:
            report = Report("", [fitted.as_report() for fitted in fits], data=list(fits))
            return Result(report, files, problems=problems)
        return Result(fits[0], files | _pictures(fits[0]), problems=problems)

    def _fit_all(self, markers: list[MarkerSequence], progress: Progress) -> list[FittedTrial]:
        """Fit all trials: with the model that is given, or with one model for each person."""
        from motionloom.fitting import fit_markers, fit_person, load_marker_model
        from motionloom.markers import read_trial

        how: dict[str, Any] = {"static": None, "partial": self.partial, "progress": progress}
        if self.static is not None:
            how["static"] = read_trial(self.static, **self.reading.of_files)
        if self.model is not None:
            model = load_marker_model(self.model)
            return [fit_markers(one, model=model, **how) for one in markers]
        options = self._calibration()
        found: dict[int, FittedTrial] = {}
        for group in self._persons(markers, options):
            fits = fit_person([markers[i] for i in group], options, **how)
            found |= dict(zip(group, fits, strict=True))
        return [found[i] for i in range(len(markers))]

    def _calibration(self) -> CalibrationOptions:
        from motionloom.fitting import read_marker_table

        if self.markers is None:
            return self.calibration
        table, body = read_marker_table(self.markers)
        return replace(self.calibration, table=table, body=body)

    def _persons(
        self, markers: list[MarkerSequence], options: CalibrationOptions
    ) -> tuple[tuple[int, ...], ...]:
        """Indices of the trials of each person; what was decided is said."""
        from motionloom.fitting import group_by_person

        if self.one_person or len(markers) == 1:
            return (tuple(range(len(markers))),)
        groups = group_by_person(markers, options)
        if self.static is not None and len(groups) > 1:
            raise InvalidInputError(
                f"{self.static} is of one person, and the trials are of {len(groups)} by their"
                " markers; fit the trials of each person with their own static trial, or say that"
                " they are of one (--one-person)"
            )
        for group in groups:
            names = ", ".join(markers[i].name for i in group)
            alike = "one skeleton, as the markers are alike"
            say(f"{names}: {alike if len(group) > 1 else 'a skeleton of its own'}")
        if len(groups) > 1:
            say("--one-person makes one skeleton of all trials, where they are of one person")
        return groups


def _pictures(fitted: FittedTrial) -> Files:
    from motionloom.fitting.picture import write_fit_page, write_fit_sheet

    drawn = fitted.tracked, fitted.markers
    return {"png": partial(write_fit_sheet, *drawn), "html": partial(write_fit_page, *drawn)}


class _Networked(Command):
    """A command that sends or receives frames."""

    host: str = option_field("127.0.0.1", "Network address.", unit="ADDRESS")
    fps: float | None = option_field(
        None, "Frames per second.", unit="FPS", minimum=1, maximum=10_000
    )


class TrackLiveCommand(_Networked):
    """Read frames of markers as they arrive and write a line of JSON for each as it is solved."""

    model: Path = fields.argument("Body with markers on it, from 'fit'.", "MODEL")
    udp: int | None = option_field(
        None, "Read datagrams; else standard input.", unit="PORT", minimum=0, maximum=65_535
    )

    def make(self, progress: Progress) -> int:
        """Track them."""
        from motionloom.fitting.live import LiveSession
        from motionloom.fitting.marker_model import load_marker_model

        session = LiveSession(load_marker_model(self.model), self.fps)
        warm_up(session)
        print(session.head(), flush=True)
        try:
            for line in _messages(self.udp, self.host):
                answer = session.take(line) if line else None
                if answer is not None:
                    print(answer, flush=True)
                if session.ended:
                    break
        except KeyboardInterrupt:
            pass
        _say_counts(session)
        return 0 if session.counts["solved"] else 1


def warm_up(session: LiveSession) -> None:
    """Compile, or load what is compiled, before the first frame arrives."""
    import numpy as np

    from motionloom.fitting.tracking import MarkerTracker

    model = session.model
    tracker = MarkerTracker(model, 0.01)
    places = np.random.default_rng(0).normal(size=(len(model.labels), 3))
    for _ in range(3):
        tracker.update(places, np.ones(len(model.labels), bool))


def _messages(udp: int | None, host: str) -> Iterator[bytes]:
    from motionloom.fitting.live.network import datagrams_of, lines_of

    if udp is None:
        say("reading frames from standard input")
        return lines_of(sys.stdin.buffer)
    return datagrams_of(udp, host, lambda port: say(f"listening on {host} port {port}"))


def _say_counts(session: LiveSession) -> None:
    if session.guessed and session.tracker is not None:
        say(
            f"no rate was told: {1 / session.tracker.frame_time:.6g} frames per second, by the"
            " first two frames"
        )
    told = [f"{count} {what}" for what, count in session.counts.items() if count]
    say(f"frames: {', '.join(told) or 'none'}")


class TrackReplayCommand(_Networked):
    """Send the frames of a trial at their own rate, as 'track' reads them."""

    trial: Path = fields.argument("C3D or TRC file.", "TRIAL")
    udp: int | None = option_field(
        None, "Send datagrams; else write lines.", unit="PORT", minimum=1, maximum=65_535
    )
    seconds: float | None = option_field(
        None, "Repeat the trial so long; else once.", unit="SECONDS", minimum=0.01, maximum=86_400
    )

    def make(self, progress: Progress) -> int:
        """Send them."""
        from motionloom.fitting.live import replay_frames
        from motionloom.fitting.live.network import sender_to
        from motionloom.markers import read_trial

        markers = read_trial(self.trial)
        outlet: Callable[[str], object] = partial(print, flush=True)
        if self.udp is not None:
            outlet = sender_to(self.host, self.udp)
        try:
            done = replay_frames(markers, outlet, **self.values_of("fps", "seconds"))
        except KeyboardInterrupt:
            return 1
        say(
            f"{done.frames} frames sent, {done.late} late; the latest {1000 * done.latest:.2f} ms"
            " after it was due"
        )
        return 0
