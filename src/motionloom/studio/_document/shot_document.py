"""One shot while it is edited: its text, what a drag shows of it, what is wrong with it, undo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from motionloom.constraints.explain import explain_all
from motionloom.constraints.other_files import fill_files
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.document import Document, parse_document
from motionloom.io.document import Path as FieldPath
from motionloom.shot.script.reading import ShotFile
from motionloom.shot.script.shot import Shot
from motionloom.studio._document.changes import ConflictError, Op, apply_ops, edited_text, is_same
from motionloom.studio._document.files import DiskFile, History, Journal
from motionloom.workspace.bodies import is_performer

#: Fields that name files or folders.
PLACES = ("library", "labels", "skeleton", "model", "file")


@dataclass(frozen=True)
class Problem:
    """What is wrong with a document.

    Parameters
    ----------
    message : str
        What was read, what was expected and what to do.
    path : tuple of str and int
        Of the field.
    line : int or None
        In the file.
    hint : str or None
        As `MotionloomError` has it.
    """

    message: str
    path: FieldPath = ()
    line: int | None = None
    hint: str | None = None

    @classmethod
    def of(cls, error: MotionloomError, document: Document | None = None) -> Problem:
        """What an error says, and the field that its line has; not where the file is."""
        if not isinstance(error, FormatError):
            return cls(str(error), (), None, error.hint)
        where = () if document is None else path_on(document, error.line)
        return cls(error.message, where, error.line, error.hint)

    @classmethod
    def all_of(
        cls, error: MotionloomError, document: Document | None = None
    ) -> tuple[Problem, ...]:
        """What an error says, one for each mistake that it counts."""
        each = error.each if isinstance(error, FormatError) else ()
        return tuple(cls.of(one, document) for one in each or (error,))


def check_document(document: Document, path: Path) -> tuple[ShotFile | None, tuple[Problem, ...]]:
    """The shot of a document, or what is wrong with it.

    Parameters
    ----------
    document : Document
        Values, and their lines in the file as it was last written.
    path : Path
        The file; height maps lie in its folder.

    Returns
    -------
    file : ShotFile or None
    problems : tuple of Problem
        Empty where there is a file.
    """
    try:
        shot = Shot.model_validate(fill_files(document, path))
    except ValidationError as error:
        told = explain_all(error, Shot, document)
        return None, tuple(Problem(one, where, document.line_of(where)) for one, where in told)
    except MotionloomError as error:
        return None, Problem.all_of(error, document)
    return ShotFile(shot, path, document), ()


def path_on(document: Document, line: int | None) -> FieldPath:
    """What begins on a line of the file: the widest value that does.

    Parameters
    ----------
    document : Document
        Values and their lines.
    line : int or None
        As an error has it.

    Returns
    -------
    tuple of str and int
        Its path; empty where nothing begins there.
    """
    found = (path for path, own in document.lines.items() if own == line and path)
    return min(found, key=len, default=())


def named_places(value: Any) -> Iterator[str]:
    """Files and folders that a document names."""
    rows = dict(enumerate(value)) if isinstance(value, list) else value
    for name, inside in rows.items() if isinstance(rows, dict) else ():
        if name in PLACES and isinstance(inside, str):
            yield inside
        yield from named_places(inside)


def check_places(value: Any, known: set[str], folder: Path) -> None:
    """Refuse names of files that a page brings and that lead out of the shot's folder.

    Parameters
    ----------
    value : object
        The document.
    known : set of str
        Names that whoever started the studio has given.
    folder : Path
        Of the shot.

    Raises
    ------
    InvalidInputError
        Naming the first one.
    """
    for name in named_places(value):
        if name not in known and not is_performer(name) and not _is_inside(name, folder):
            raise InvalidInputError(
                f"{name[:60]!r} is not in the folder of the shot; put it there, or write its name"
                " into the file with an editor"
            )


def _is_inside(name: str, folder: Path) -> bool:
    given = Path(name)
    try:
        inside = (folder / given).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False
    return inside and not (given.is_absolute() or ".." in given.parts or name.startswith("~"))


#: What an edit is called that another program made.
FROM_DISK = "edit on disk"


@dataclass(frozen=True)
class Drag:
    """An edit that is not finished.

    Parameters
    ----------
    name : str
        Of the drag.
    value : object
        The document as it is shown meanwhile.
    """

    name: str
    value: Any


@dataclass
class ShotDocument:
    """One shot while it is edited.

    Parameters
    ----------
    path : Path
        Its file.
    journal : Journal or None
        Where edits are noted; None for somebody who only reads.
    history : History
        What can be undone.
    file : ShotFile or None
        The last shot that was valid; None when there was none yet.
    """

    path: Path
    journal: Journal | None
    rev: int = 1
    saved: bool = True
    drag: Drag | None = None
    file: ShotFile | None = None
    history: History = field(init=False)
    _disk: DiskFile = field(init=False)
    _read: Document = field(init=False)
    _problems: tuple[Problem, ...] = ()
    _unsaved: tuple[Problem, ...] = ()
    _known: set[str] = field(default_factory=set)
    _foreign_rev: int = 1
    _broken: str = ""

    def __post_init__(self) -> None:
        self._disk = DiskFile(self.path)
        text = self._disk.read()
        self._read = parse_document(text, self.path)
        history = self.journal.read() if self.journal is not None else None
        is_newer = self.journal is None or self._disk.written > self.journal.written
        self.history = _resumed(history, text, is_newer)
        if self.journal is not None:
            self.journal.begin(self.history)
        if self.history.text != text:
            # The last edit was noted, and the process died before the file was written.
            self._disk.write(self.history.text)
        self._take(self.history)
        self._known = set(named_places(self._read.value))

    @property
    def value(self) -> Any:
        """The document as it is shown, drags included."""
        return self._read.value if self.drag is None else self.drag.value

    @property
    def text(self) -> str:
        """The file as it is or will be on disk."""
        return self.history.text

    @property
    def is_broken(self) -> bool:
        """Whether another program has made it unreadable; undo writes it again as it was."""
        return bool(self._broken)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the document as it is shown."""
        return (*self._problems, *self._unsaved)

    @property
    def is_valid(self) -> bool:
        """Whether it can be made as it is shown, saved or not."""
        return self.file is not None and not self._problems

    def edit(
        self,
        base_rev: int,
        ops: Sequence[Op],
        *,
        label: str = "",
        drag: str | None = None,
        transient: bool = False,
    ) -> None:
        """Change it; a change that is not transient is kept, and can be undone.

        Parameters
        ----------
        base_rev : int
            The revision that whoever edits has seen.
        ops : sequence of Op
            The changes, of the document without the drag.
        label : str
            What is done, in words.
        drag : str, optional
            The drag that they belong to; the newest replaces those before.
        transient : bool
            Whether the drag goes on.

        Raises
        ------
        ConflictError
            When the document has changed otherwise since.
        InvalidInputError
            When it cannot be written, or names files elsewhere.
        """
        self.look_at_disk()
        if self._broken:
            raise InvalidInputError(self._broken)
        if not self._foreign_rev <= base_rev <= self.rev:
            raise ConflictError("the shot has changed in the meantime; here it is")
        value = apply_ops(self._read.value, ops)
        check_places(value, self._known, self.path.parent)
        if transient:
            self.drag = Drag(drag or "", value)
            self._show(value)
            return
        if is_same(value, self._read.value):
            self.cancel(drag)
            return
        text = edited_text(self.history.text, ops, self.path)
        self._keep(label or "edit", text)

    def begin_anew(self, text: str) -> None:
        """Put another shot in the place of what is there; undo brings that back.

        Parameters
        ----------
        text : str
            The file as it then is.

        Raises
        ------
        InvalidInputError
            When it names files elsewhere.
        """
        self.look_at_disk()
        check_places(parse_document(text, self.path).value, self._known, self.path.parent)
        self._broken = ""
        self._keep("begin a new shot", text)
        self._foreign_rev = self.rev

    def cancel(self, drag: str | None = None) -> None:
        """End a drag without an edit."""
        if self.drag is not None and drag in (None, self.drag.name):
            self.drag = None
            self._show(self._read.value)

    def move(self, by: int) -> bool:
        """Undo (-1) or redo (+1); whether there was anything."""
        self.look_at_disk()
        moved = self.history
        if not self._broken:  # else what was there before is written again
            moved = self.history.moved(by)
            if moved.now == self.history.now:
                return False
            self._note({"move": by})
            self._foreign_rev = self.rev + 1  # that of what is taken below
        self._broken = ""
        self._take(moved)
        self.save()
        return True

    def look_at_disk(self) -> bool:
        """Take over what another program has written; whether there was anything.

        It becomes an edit, so that undo brings back what was there.
        """
        if not self._disk.is_changed():
            return False
        try:
            text = self._disk.read()
            read = parse_document(text, self.path)
            if not isinstance(read.value, dict):
                raise InvalidInputError(f"{self.path.name}: expected fields")
        except MotionloomError as error:
            found = Problem.of(error)
            told = (
                f"{self.path.name} was changed by another program and cannot be read any more:"
                f" {found.message}; correct it there, or undo to have it written again as it was"
            )
            self._broken = told if found.line is None else f"line {found.line}: {told}"
            self.drag = None
            self.rev += 1
            self._problems = (Problem(told, (), found.line),)
            return True
        self._broken = ""
        self._known |= set(named_places(read.value))
        self._keep(FROM_DISK, text, is_on_disk=True)
        self._foreign_rev = self.rev
        return True

    def save(self) -> None:
        """Write the file; `saved` says whether it could be.

        What another program has written meanwhile stays and is taken over instead.
        """
        if self.journal is None or self.look_at_disk() or self._broken:
            return
        try:
            if not self.saved:  # what was noted before may be missing in it
                self.journal.begin(self.history)
            self._disk.write(self.history.text)
            self.saved = True
            self._unsaved = ()
        except (MotionloomError, OSError) as error:
            self.saved = False
            why = getattr(error, "strerror", None) or str(error)
            self._unsaved = (Problem(f"cannot be saved: {why}"),)

    def _keep(self, label: str, text: str, is_on_disk: bool = False) -> None:
        history = self.history.edited(label[:200], text)
        self._note({"edit": label[:200], "text": text})
        self._take(history)
        if not is_on_disk:
            self.save()

    def _note(self, row: dict[str, Any]) -> None:
        """Write into the journal; where it cannot be written, the file itself still can."""
        try:
            if self.journal is not None:
                self.journal.note(row)
        except OSError:
            self.saved = False

    def _take(self, history: History) -> None:
        self.history = history
        self._read = parse_document(history.text, self.path)
        self.drag = None
        self._show(self._read.value)

    def _show(self, value: Any) -> None:
        self.rev += 1
        shown = replace(self._read, value=value)
        file, self._problems = check_document(shown, self.path)
        self.file = file or self.file


def _resumed(history: History | None, text: str, is_newer: bool) -> History:
    """The history of a file, which may have been written by others since the journal was.

    The last edit may have been noted in the journal, and the process died before the file was
    written; then the file is older, and one of the steps.
    """
    if history is None:
        return History.of(text)
    is_known = any(step.text == text for step in history.steps)
    if history.text == text or (is_known and not is_newer):
        return history
    return history.edited(FROM_DISK, text)
