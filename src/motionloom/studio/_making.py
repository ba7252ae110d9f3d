"""What is known of the making of a shot: its plan, motions, clips, and what could not be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import singledispatchmethod
from typing import Any

from motionloom.reports import fields_of
from motionloom.studio._document.checking import Problem, path_on
from motionloom.studio._document.shot_document import ShotDocument
from motionloom.studio._events import (
    Failed,
    Found,
    Idle,
    Judged,
    Opened,
    Planned,
    Progressed,
    Solved,
    StateOf,
)
from motionloom.studio._planning import plan_early
from motionloom.studio._shown import Message, Shown


@dataclass(eq=False)
class Making:
    """What is known of the making of a shot, and what windows are told of it.

    Parameters
    ----------
    document : ShotDocument
        The shot.
    shown : Shown
        Its motions.
    is_made : bool
        Whether anything was made yet.
    """

    document: ShotDocument
    shown: Shown = field(default_factory=Shown)
    is_made: bool = False
    _library: Message | None = None
    _plan: Message | None = None
    _planned: int = 0
    _unplanned: tuple[Problem, ...] = ()
    _failed: Failed | None = None
    _state: StateOf = field(default_factory=lambda: StateOf("starting", ""))
    _seeds: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    _idle_rev: int | None = None

    @property
    def can_be_made(self) -> bool:
        """Whether the document can be made as it is."""
        self._plan_early()
        return self.document.is_valid and not self._unplanned

    @property
    def plan(self) -> Message | None:
        """When spans are, as far as that is known."""
        return self._plan

    def all(self) -> Iterator[Message]:
        """All that a new window is told besides the shot."""
        if self._library is not None:
            yield self._library
        yield from self.shown.all()
        yield {"type": "solver", "state": self._state.state, "message": self._state.message}
        if self._idle_rev == self.document.rev:
            yield {"type": "idle", "rev": self._idle_rev}

    def shot_message(self) -> Message:
        """The document, as windows are told it."""
        document = self.document
        history = document.history
        undone = "what another program wrote" if document.is_broken else history.undo_label
        self._plan_early()
        message: Message = {
            "type": "shot",
            "rev": document.rev,
            "doc": document.value,
            "transient": document.drag is not None,
            "can_undo": undone is not None,
            "can_redo": history.redo_label is not None,
            "undo_label": undone,
            "redo_label": history.redo_label,
            "saved": document.saved,
            "problems": [_without_none(asdict(problem)) for problem in self._problems()],
        }
        return {**_without_none(message), "plan": self._plan}

    def take_last(
        self, messages: Iterable[Message], is_older: bool, plan: Mapping[str, Any] | None
    ) -> Iterator[Message]:
        """Take what was shown when the shot was closed; what windows are told of it."""
        self._plan_early()
        if self._plan is None and plan is not None and not self.can_be_made:
            self._plan = dict(plan)
            yield self.shot_message()
        yield from self.shown.take_last(messages, self.document.rev, is_older)

    def has_offered(self, who: str, span: str, seed: int) -> bool:
        """Whether a motion of a span is among those that were found besides."""
        return seed in self._seeds.get((who, span), ())

    def index_of(self, who: str, span: str) -> int | None:
        """Where a span stands in its track; None where there is none."""
        planned = (self._plan or {}).get("tracks", {}).get(who, [])
        spans = self.document.value.get("tracks", {}).get(who, [])
        indices = (int(one["index"]) for one in planned if one["id"] == span)
        return next((i for i in indices if i < len(spans)), None)

    def _problems(self) -> Iterator[Problem]:
        yield from self.document.problems
        yield from self._unplanned
        failed = self._failed
        if failed is not None and failed.rev == self.document.rev:
            file = self.document.file
            where = () if file is None else path_on(file.document, failed.line)
            yield Problem(failed.message, where, failed.line, failed.hint)

    def _plan_early(self) -> None:
        """Say when spans are before anybody has made them."""
        document = self.document
        if self._planned == document.rev:
            return
        self._planned = document.rev
        self._unplanned = ()
        if document.file is None or not document.is_valid:
            return
        clips = [] if self._library is None else self._library["clips"]
        seconds = {clip["name"]: clip["seconds"] for clip in clips}
        plan, self._unplanned = plan_early(document.file, seconds)
        self._plan = plan or self._plan

    @singledispatchmethod
    def take(self, event: Any) -> Iterator[Message]:
        """Take what whoever makes the motions says; what windows are told of it."""
        yield from ()

    @take.register
    def _(self, event: Opened) -> Iterator[Message]:
        clips = [
            {"name": name, "seconds": seconds, "labels": labels}
            for name, seconds, labels in event.clips
        ]
        self._library = {"type": "library", **fields_of(event), "clips": clips}
        yield self._library

    @take.register
    def _(self, event: Planned) -> Iterator[Message]:
        if event.rev != self.document.rev:
            return
        is_news = self._failed is not None or self._plan != event.plan
        self._plan = dict(event.plan)
        self._planned = event.rev
        self._unplanned = ()
        self._failed = None
        if is_news:
            yield self.shot_message()

    @take.register
    def _(self, event: Solved) -> Iterator[Message]:
        self.is_made = True
        yield from self.shown.take(event.rev, event.result)

    @take.register
    def _(self, event: Judged) -> Iterator[Message]:
        yield from self.shown.take_judged(event.rev, event.who)

    @take.register
    def _(self, event: Found) -> Iterator[Message]:
        self._seeds[(event.who, event.span)] = tuple(one.seed for one in event.alternatives)
        items = [
            {
                "id": str(one.seed),
                "score": one.score,
                "path": one.path.tolist(),
                "rows": one.rows,
                "shown": one.is_shown,
            }
            for one in event.alternatives
        ]
        yield {"type": "alternatives", "who": event.who, "span": event.span, "items": items}

    @take.register
    def _(self, event: Progressed) -> Iterator[Message]:
        yield progress_message(event)

    @take.register
    def _(self, event: Failed) -> Iterator[Message]:
        if event.rev == self.document.rev:
            self._failed = event
            yield self.shot_message()
            yield problem_message(event.message, hint=event.hint, line=event.line)

    @take.register
    def _(self, event: Idle) -> Iterator[Message]:
        self._idle_rev = event.rev
        yield {"type": "idle", "rev": event.rev}

    @take.register
    def _(self, event: StateOf) -> Iterator[Message]:
        self._state = event
        yield {"type": "solver", "state": event.state, "message": event.message}


def progress_message(event: Progressed) -> Message:
    """How far work is, as windows are told it."""
    return {"type": "progress", **fields_of(event)}


def problem_message(message: str, **more: Any) -> Message:
    """What is wrong, as windows are told it; what is None is left out."""
    return _without_none({"type": "problem", "message": message, **more})


def note_message(message: str) -> Message:
    """What has happened and is no fault, as windows are told it."""
    return {"type": "note", "message": message}


def _without_none(message: Message) -> Message:
    """A message without the fields that say nothing."""
    return {name: value for name, value in message.items() if value is not None}
