"""What is known of the making of a shot: its plan, motions, clips, and what could not be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any

from motionloom.errors import MotionloomError
from motionloom.reports import fields_of
from motionloom.shot.plan.planning import plan_shot
from motionloom.shot.script.reading import ShotFile
from motionloom.studio import _events as events
from motionloom.studio._document.shot_document import Problem, ShotDocument, path_on
from motionloom.studio._shown import Message, Shown, some_of

if TYPE_CHECKING:
    from motionloom.shot.plan.planned import Plan, PlannedSpan
    from motionloom.shot.script.span_fields import ClipSpan
    from motionloom.shot.stage import Stage


def told_plan(plan: Plan) -> dict[str, Any]:
    """A plan as the page is told it."""

    def span(one: PlannedSpan, who: str) -> dict[str, Any]:
        own = {"id": one.name, "index": one.where[-1], "layer": one in plan.layers[who]}
        return {**some_of(one, "kind", "first", "last"), **own}

    tracks = {
        who: [span(one, who) for one in (*track, *plan.layers[who])]
        for who, track in plan.tracks.items()
    }
    last = max(track[-1].last for track in plan.tracks.values())
    timed = ((name, mark.time) for name, mark in plan.file.shot.marks.items())
    marks = {name: time for name, time in timed if time is not None}
    meetings = [
        {
            **some_of(one, "first", "last"),
            **{"index": one.where[-1], "name": one.meet.name, "between": list(one.meet.between)},
        }
        for one in plan.meetings
    ]
    told = {"tracks": tracks, "marks": marks, "meetings": meetings}
    return {"fps": plan.fps, "frames": last + 1, **told}


def told_clips(stages: Mapping[str, Stage]) -> events.Opened:
    """Clips of a cast: their names, how long they are, and their labels."""
    from motionloom.shot.spans.idle import can_wait

    rows = {}
    styles: set[str] = set()
    for stage in stages.values():
        clips = stage.clips.clip_set
        styles |= clips.labels.keys()
        for c, (name, motion) in enumerate(zip(clips.names, clips.motions, strict=True)):
            own = slice(int(clips.starts[c]), int(clips.starts[c]) + motion.n_frames)
            labels = sorted(label for label, mask in clips.labels.items() if mask[own].any())
            rows[name] = {"name": name, "seconds": motion.duration, "labels": labels}
    first = next(iter(stages.values()))
    waits = can_wait(first.clips.clip_set.roles)
    return events.Opened(tuple(rows.values()), tuple(sorted(styles)), waits=waits)


class _UnknownLengthError(Exception):
    """How long a clip lasts is not known yet."""


def plan_early(
    file: ShotFile, seconds: Mapping[str, float]
) -> tuple[dict[str, Any] | None, tuple[Problem, ...]]:
    """Plan a shot.

    Parameters
    ----------
    file : ShotFile
        The shot.
    seconds : mapping of str to float
        How long clips last, as far as that is known.

    Returns
    -------
    plan : dict or None
        As windows are told it; None where it cannot be said yet, or at all.
    problems : tuple of Problem
        Why it cannot be said at all.
    """

    def length(who: str, span: ClipSpan) -> float:
        if span.last is not None and span.clip not in seconds:
            return span.last - span.first
        if span.clip not in seconds:
            raise _UnknownLengthError
        last = min(seconds[span.clip], span.last or seconds[span.clip])
        return max(last - span.first, 1.0 / file.shot.fps)

    try:
        return told_plan(plan_shot(file, length)), ()
    except _UnknownLengthError:
        return None, ()
    except MotionloomError as error:
        return None, Problem.all_of(error, file.document)


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
    _failed: events.Failed | None = None
    _state: events.StateOf = field(default_factory=lambda: events.StateOf("starting", ""))
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
        yield {"type": "solver", **fields_of(self._state)}
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
    def _(self, event: events.Opened) -> Iterator[Message]:
        self._library = {"type": "library", **fields_of(event)}
        yield self._library

    @take.register
    def _(self, event: events.Planned) -> Iterator[Message]:
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
    def _(self, event: events.Solved) -> Iterator[Message]:
        self.is_made = True
        yield from self.shown.take(event.rev, event.result)

    @take.register
    def _(self, event: events.Judged) -> Iterator[Message]:
        yield from self.shown.take_judged(event.rev, event.who)

    @take.register
    def _(self, event: events.Found) -> Iterator[Message]:
        self._seeds[(event.who, event.span)] = tuple(one.seed for one in event.alternatives)
        items = [
            {
                **some_of(one, "score", "rows"),
                **{"id": str(one.seed), "path": one.path.tolist(), "shown": one.is_shown},
            }
            for one in event.alternatives
        ]
        yield {"type": "alternatives", **some_of(event, "who", "span"), "items": items}

    @take.register
    def _(self, event: events.Progressed) -> Iterator[Message]:
        yield progress_message(event)

    @take.register
    def _(self, event: events.Failed) -> Iterator[Message]:
        if event.rev == self.document.rev:
            self._failed = event
            yield self.shot_message()
            yield problem_message(event.message, hint=event.hint, line=event.line)

    @take.register
    def _(self, event: events.Idle) -> Iterator[Message]:
        self._idle_rev = event.rev
        yield {"type": "idle", "rev": event.rev}

    @take.register
    def _(self, event: events.StateOf) -> Iterator[Message]:
        self._state = event
        yield {"type": "solver", **fields_of(event)}


def progress_message(event: events.Progressed) -> Message:
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
