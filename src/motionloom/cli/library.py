"""``motionloom library``: clips on disk, read once and kept ready."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.hints import sentence_of
from motionloom.cli.options import FileBlock, Roles, frame_time_of, with_blocks
from motionloom.errors import InvalidInputError
from motionloom.places import find_clips, tell_skipped
from motionloom.progress import warn, warn_about
from motionloom.workspace.tell import warn_unused

if TYPE_CHECKING:
    from motionloom.clips.labels import Label
    from motionloom.library import AddReport, Library

app = typer.Typer(
    name="library", help="Libraries: clips read once and kept ready on disk.", no_args_is_help=True
)

Place = Annotated[Path, typer.Argument(metavar="LIB", help="Folder of the library.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

#: Files per process below which starting another costs more than it saves.
_WORTH = 16
#: Refusals for one reason up to which each is listed.
_LISTED = 3


@dataclass(frozen=True, kw_only=True)
class AddBlock:
    """How clips are added."""

    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            metavar="FILE",
            help="Labels of clips, kept in the library; replaces theirs.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Processes that read files; else one per processor, if worth it.",
        ),
    ] = None
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first file that cannot be added.")
    ] = False
    retarget: Annotated[
        bool,
        typer.Option("--retarget", help="Carry clips of other skeletons over to the library's."),
    ] = False


@app.command()
@with_blocks
def create(
    library: Place,
    reading: FileBlock,
    adding: AddBlock,
    clips: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLIPS...]", help="First clips: files, folders or patterns."),
    ] = None,
    fps: Annotated[
        float, typer.Option(metavar="FPS", help="Frames per second of every clip in it.")
    ] = 30.0,
    roles: Roles = None,
) -> int:
    """Make a library of CLIPS. Most of them give its skeleton; clips of other sizes are resized."""
    from motionloom.io.roles_table import read_roles_table
    from motionloom.library import create_library
    from motionloom.library.sources import refuse_inside

    frame_time_of(fps, "--fps")
    if clips:
        refuse_inside(library, find_clips(clips).files)  # before anything is made
    create_library(library, fps, None if roles is None else read_roles_table(roles))
    say(f"made {library}, {fps:g} frames per second")
    return _add(library, clips, reading, adding) if clips else 0


@app.command()
@with_blocks
def add(
    library: Place,
    clips: Annotated[
        list[str], typer.Argument(metavar="CLIPS...", help="Clips: files, folders or patterns.")
    ],
    reading: FileBlock,
    adding: AddBlock,
) -> int:
    """Add CLIPS, and read changed ones again. The same command resumes after an interruption."""
    return _add(library, clips, reading, adding)


def _add(library: Path, clips: Sequence[str], reading: FileBlock, adding: AddBlock) -> int:
    from motionloom.library import add_clips, open_library, set_labels

    found = find_clips(clips)
    rows = _read_labels(adding.labels)
    tell_skipped(found.skipped, say)
    with progress_bars() as progress:
        report = add_clips(
            library,
            found.files,
            **reading.to_options().of_files,
            workers=adding.workers or max(1, min(os.cpu_count() or 1, len(found.files) // _WORTH)),
            strict=adding.strict,
            retarget=adding.retarget,
            progress=progress,
            on_wait=lambda: say(f"waiting for another process that is changing {library}"),
            on_left=_warn_one,
        )
    _tell(report)
    if rows and adding.labels is not None:
        say(f"labelled {_count(len(set_labels(library, rows)), 'clip')}")
        warn_unused(adding.labels, rows, open_library(library).names, say)
    print(_summary(open_library(library)))
    return 1 if report.failed else 0


@app.command()
def remove(
    library: Place,
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Names of clips, or patterns with * ? [...]."),
    ],
) -> int:
    """Take clips out of a library; their files stay where they are."""
    from motionloom.library import open_library, remove_clips

    gone = remove_clips(library, names, on_left=_warn_one)
    print(f"removed {_count(len(gone), 'clip')}: {', '.join(gone)}")
    print(_summary(open_library(library)))
    return 0


@app.command()
def check(
    library: Place,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Read damaged and changed clips again; drop those that are lost."
        ),
    ] = False,
    as_json: Json = False,
) -> int:
    """Compare every clip with what was written or read. Exit code 1 when they differ."""
    from motionloom.library import check_library, open_library, repair_library

    with progress_bars() as progress:
        if repair:
            done = repair_library(
                library,
                progress=progress,
                on_wait=lambda: say(f"waiting for another process that is changing {library}"),
                on_left=_warn_one,
            )
            for failure in done.failed:
                say(f"motionloom: {failure.message}")
            for what, names in (
                ("read again", done.restored),
                ("dropped, as it was lost", done.dropped),
            ):
                for name in names:
                    say(f"{name}: {what}")
        problems = check_library(library, progress)
    if as_json:
        print(json.dumps([asdict(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            print(f"{problem.clip}: {problem.kind}: {problem.message}")
        n = len(open_library(library))
        bad = len({problem.clip for problem in problems})
        print(
            f"{library}: {_count(n, 'clip')}, "
            + (f"{bad} with problems" if bad else "all as they were put in")
        )
    return 1 if problems else 0


@app.command("list")
def list_(library: Place, as_json: Json = False) -> int:
    """Show what is in a library."""
    from motionloom.library import open_library

    opened = open_library(library)
    rows = [_row(opened, name) for name in opened.names]
    if as_json:
        print(
            json.dumps(
                {
                    "library": str(library),
                    "fps": opened.fps,
                    "frames": opened.n_frames,
                    "clips": rows,
                },
                indent=2,
            )
        )
        return 0
    print(_summary(opened))
    width = max((len(row["clip"]) for row in rows), default=4)
    if rows:
        print(
            f"{'clip':<{width}}  frames  seconds  fps of file  scale  raised  hash          labels"
        )
    for row in rows:
        size = (
            f"{row['scale']:>5.3f}  {row['raised'] * 1000:>+3.0f} mm"
            if row["scale"] != 1
            else " " * 13
        )
        times = f"{row['frames']:>6}  {row['seconds']:>7.2f}  {row['file_fps']:>11.5g}"
        labels = "".join(
            f"  {name}" for name in dict.fromkeys(label["label"] for label in row["labels"])
        )
        print(f"{row['clip']:<{width}}  {times}  {size}  {row['hash'][:12]}{labels}")
    return 0


def _warn_one(sentence: str) -> None:
    warn([sentence], say)


def _read_labels(path: Path | None) -> tuple[Label, ...]:
    if path is None:
        return ()
    from motionloom.clips.label_files import read_labels

    return read_labels(path)


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
    warn_about(
        ((entry.name, text) for entry in (*report.added, *report.replaced) for text in entry.notes),
        say,
    )
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


def _refusals(report: AddReport) -> list[str]:
    """Why files could not be added; one sentence for many files with one reason."""
    by_reason: dict[str, list[str]] = {}
    for failure in report.failed:
        by_reason.setdefault(failure.message.replace(str(failure.path), "FILE"), []).append(
            sentence_of(InvalidInputError(failure.message, hint=failure.hint))
        )
    return [
        text
        for messages in by_reason.values()
        for text in (
            messages
            if len(messages) <= _LISTED
            else [messages[0], f"and {len(messages) - 1} more files likewise"]
        )
    ]


def _summary(library: Library) -> str:
    seconds = library.n_frames / library.fps
    joints = f", {library.skeleton.n_joints} joints" if len(library) else ""
    return (
        f"{library.path}: {_count(len(library), 'clip')}, {library.n_frames} frames ({seconds:.1f}"
        f" s) at {library.fps:g} per second{joints}"
    )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
