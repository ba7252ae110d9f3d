"""``motionloom library``: clips on disk, read once and kept ready."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Command, Result
from motionloom.cli.console import say, sentence_of
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place, tell_skipped
from motionloom.progress import Progress, warn, warn_about
from motionloom.reading import ReadOptions
from motionloom.reports import Column, Report, Table, table_of

if TYPE_CHECKING:
    from motionloom.library import AddReport, Library

#: Files per process below which starting another costs more than it saves.
_WORTH = 16
#: Refusals for one reason up to which each is listed.
_LISTED = 3


class _OfLibrary(Command):
    """A command about a library."""

    library: Path = fields.argument("Folder of the library.", "LIB", file="beside")

    def say_waiting(self) -> None:
        """Say that another process is at work."""
        say(f"waiting for another process that is changing {self.library}")


class _Adding(_OfLibrary):
    """A command that adds clips."""

    labels: Path | None = fields.read_file("Labels of clips, kept in the library; replaces theirs.")
    workers: int | None = option_field(
        None, "Processes that read files; else one per processor, if worth it.", unit="N", minimum=1
    )
    strict: bool = option_field(False, "Stop at the first file that cannot be added.")
    retarget: bool = option_field(False, "Carry clips of other skeletons over to the library's.")
    reading: ReadOptions = fields.reading()

    def add(self, found: Place, progress: Progress) -> Result:
        """Add clips."""
        from motionloom.clips.label_files import read_labels
        from motionloom.clips.labels import find_unused
        from motionloom.library import add_clips, open_library, set_labels

        rows = () if self.labels is None else read_labels(self.labels)
        tell_skipped(found.skipped, say)
        report = add_clips(
            self.library,
            found.files,
            **self.reading.of_files,
            workers=self.workers or max(1, min(os.cpu_count() or 1, len(found.files) // _WORTH)),
            strict=self.strict,
            retarget=self.retarget,
            progress=progress,
            on_wait=self.say_waiting,
            on_left=_warn_one,
        )
        _tell(report)
        if rows and self.labels is not None:
            say(f"labelled {_count(len(set_labels(self.library, rows)), 'clip')}")
            unused = find_unused(rows, open_library(self.library).names)
            warn((f"{self.labels}: no clip is called {name!r}" for name in unused), say)
        text = f"{_summary(open_library(self.library))}\n"
        return Result(text=text, code=int(bool(report.failed)))


class LibraryCreateCommand(_Adding):
    """Make a library of CLIPS. Most of them give its skeleton; clips of other sizes are resized."""

    clips: Place | None = fields.clip_files(
        "First clips: files, folders or patterns.", "[CLIPS...]", None
    )
    fps: float = option_field(
        30.0, "Frames per second of every clip in it.", unit="FPS", above=0, maximum=10_000
    )
    roles: Path | None = fields.read_file("Table of roles, for odd skeletons.")

    def make(self, progress: Progress) -> Result:
        """Make it."""
        from motionloom.io.roles_table import read_roles_table
        from motionloom.library import create_library
        from motionloom.library.manifest import refuse_inside

        if self.clips is not None:
            refuse_inside(self.library, self.clips.files)  # before anything is made
        roles = None if self.roles is None else read_roles_table(self.roles)
        create_library(self.library, self.fps, roles)
        say(f"made {self.library}, {self.fps:g} frames per second")
        return Result() if self.clips is None else self.add(self.clips, progress)


class LibraryAddCommand(_Adding):
    """Add CLIPS, and read changed ones again. The same command resumes after an interruption."""

    clips: Place = fields.clip_files()

    def make(self, progress: Progress) -> Result:
        """Add them."""
        return self.add(self.clips, progress)


class LibraryRemoveCommand(_OfLibrary):
    """Take clips out of a library; their files stay where they are."""

    names: tuple[str, ...] = fields.argument(
        "Names of clips, or patterns with * ? [...].", "NAME...", repeats=True, file="beside"
    )

    def make(self, progress: Progress) -> Result:
        """Take them out."""
        from motionloom.library import open_library, remove_clips

        gone = remove_clips(self.library, self.names, on_left=_warn_one)
        summary = _summary(open_library(self.library))
        return Result(text=f"removed {_count(len(gone), 'clip')}: {', '.join(gone)}\n{summary}\n")


class LibraryCheckCommand(_OfLibrary):
    """Compare every clip with what was written or read. Exit code 1 when they differ."""

    repair: bool = option_field(
        False, "Read damaged and changed clips again; drop those that are lost."
    )
    as_json: bool = option_field(False, "Print JSON.", name="--json")

    def make(self, progress: Progress) -> Result:
        """Compare them."""
        from motionloom.library import check_library, open_library

        if self.repair:
            self._repair(progress)
        problems = check_library(self.library, progress)
        bad = len({problem.clip for problem in problems})
        how = f"{bad} with problems" if bad else "all as they were put in"
        clips = _count(len(open_library(self.library)), "clip")
        table = table_of("Problems", problems)
        report = Report(f"{self.library}: {clips}, {how}", [table], data=list(problems))
        return Result(report, code=int(bool(problems)))

    def _repair(self, progress: Progress) -> None:
        from motionloom.library import repair_library

        done = repair_library(
            self.library, progress=progress, on_wait=self.say_waiting, on_left=_warn_one
        )
        for failure in done.failed:
            say(f"motionloom: {failure.message}")
        for name in done.restored:
            say(f"{name}: read again")
        for name in done.dropped:
            say(f"{name}: dropped, as it was lost")


class LibraryListCommand(_OfLibrary):
    """Show what is in a library."""

    as_json: bool = option_field(False, "Print JSON.", name="--json")

    def make(self, progress: Progress) -> Result:
        """Show it."""
        from motionloom.library import open_library

        opened = open_library(self.library)
        rows = [_row(opened, name) for name in opened.names]
        about = {"library": str(self.library), "fps": opened.fps, "frames": opened.n_frames}
        table = Table("", _COLUMNS, [_cells(row) for row in rows])
        return Result(Report(_summary(opened), [table], data={**about, "clips": rows}))


_COLUMNS = (
    *(Column("", label) for label in ("clip", "frames", "seconds")),
    Column("", "fps of file", form=".5g"),
    Column("", "scale", form=".3f"),
    Column("", "raised", "mm", "+.0f", 1000),
    *(Column("", label) for label in ("hash", "labels")),
)


def _cells(row: dict[str, Any]) -> list[Any]:
    """A clip in the table; scale and height only where it was resized."""
    size = [row["scale"], row["raised"]] if row["scale"] != 1 else [None, None]
    labels = dict.fromkeys(label["label"] for label in row["labels"])
    head = [row[key] for key in ("clip", "frames", "seconds", "file_fps")]
    return [*head, *size, row["hash"][:12], ", ".join(labels)]


def _warn_one(sentence: str) -> None:
    warn([sentence], say)


def _row(library: Library, name: str) -> dict[str, Any]:
    entry = library.entry(name)
    return {
        "clip": name,
        "frames": entry.n_frames,
        "seconds": (entry.n_frames - 1) / library.fps,
        "file": entry.source.path,
        "file_fps": 1 / entry.source.frame_time,
        "scale": entry.scale,
        "raised": entry.raised,
        "hash": entry.hash,
        "labels": [label.model_dump() for label in library.labels(name)],
        "notes": list(entry.notes),
    }


def _tell(report: AddReport) -> None:
    """Say what came of adding: warnings first, then files that failed, then counts."""
    read = (*report.added, *report.replaced)
    warn_about(((entry.name, text) for entry in read for text in entry.notes), say)
    for note in report.notes:
        say(note)
    for sentence in _refusals(report):
        say(f"motionloom: {sentence}")
    counts = {
        "added": report.added,
        "read again": report.replaced,
        "moved": report.moved,
        "there already": report.kept,
    }
    told = [f"{what} {len(entries)}" for what, entries in counts.items() if entries]
    if report.failed:
        told.append(f"could not add {len(report.failed)}")
    say(", ".join(told))


def _refusals(report: AddReport) -> Iterator[str]:
    """Why files could not be added; one sentence for many files with one reason."""
    by_reason: dict[str, list[str]] = {}
    for failure in report.failed:
        by_reason.setdefault(failure.message.replace(str(failure.path), "FILE"), []).append(
            sentence_of(InvalidInputError(failure.message, hint=failure.hint))
        )
    for messages in by_reason.values():
        likewise = messages[0], f"and {len(messages) - 1} more files likewise"
        yield from messages if len(messages) <= _LISTED else likewise


def _summary(library: Library) -> str:
    seconds = library.n_frames / library.fps
    joints = f", {library.skeleton.n_joints} joints" if len(library) else ""
    return (
        f"{library.path}: {_count(len(library), 'clip')}, {library.n_frames} frames ({seconds:.1f}"
        f" s) at {library.fps:g} per second{joints}"
    )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
