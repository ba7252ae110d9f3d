"""What windows show: characters, motions and their report, and what of them is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.motion import Motion
from motionloom.reports import fields_of
from motionloom.roles import Roles
from motionloom.typing import Bools
from motionloom.view.canvas import character_colors, hex_color

if TYPE_CHECKING:
    from motionloom.analysis.moments import OddSeries
    from motionloom.shot.joining import Join
    from motionloom.shot.live.results import LiveCharacterReport, LiveResult

#: Most frames in one message.
MOST_FRAMES = 3000
Contacts = Mapping[str, Bools]
Message = dict[str, Any]


@dataclass(frozen=True, eq=False)
class ShownMotion:
    """What a character does on all screens."""

    motion: Motion
    contacts: Contacts
    quality: str
    rev: int


@dataclass
class Shown:
    """What all windows show.

    Parameters
    ----------
    motions : dict of str to ShownMotion
        By character.
    report : dict, optional
        How they came out.
    naturalness : dict, optional
        How natural they are; absent until that was measured on the very motions.
    bent : tuple of (str, str)
        Characters and spans that no search has confirmed yet.
    last : tuple of dict
        What was shown when the shot was closed; until something is made.
    rev : int
        Of the document that was made last; 0 where none was.
    """

    motions: dict[str, ShownMotion] = field(default_factory=dict)
    report: Message | None = None
    naturalness: Message | None = None
    bent: tuple[tuple[str, str], ...] = ()
    last: tuple[Message, ...] = ()
    rev: int = 0
    _characters: dict[str, Message] = field(default_factory=dict)

    def all(self) -> Iterator[Message]:
        """All messages that a new window needs."""
        yield from self.last
        for who, shown in self.motions.items():
            yield self._characters[who]
            yield from self._parts(who, shown, 0, shown.motion.n_frames)
        if self.report is not None:
            yield self.report
        if self.naturalness is not None:
            yield self.naturalness
        yield from self._bent_messages()

    def take_judged(self, rev: int, judged: Mapping[str, OddSeries]) -> Iterator[Message]:
        """How natural the motions are that are shown."""
        who = {name: asdict(odd) for name, odd in judged.items()}
        self.naturalness = {"type": "naturalness", "rev": rev, "who": who}
        yield self.naturalness

    def take_captured(
        self, who: str, motion: Motion, roles: Roles | None = None
    ) -> Iterator[Message]:
        """A clip as it was captured, until something is made."""
        yield from self._take(who, ShownMotion(motion, {}, "preview", 0), roles)

    def take_last(
        self, messages: Iterable[Message], rev: int, is_older: bool = False
    ) -> Iterator[Message]:
        """What was shown last, until something is made.

        Parameters
        ----------
        messages : iterable of dict
            As windows were told.
        rev : int
            Of the document as it is.
        is_older : bool
            Whether they are of another text than that.

        Yields
        ------
        dict
        """
        before = self._names()
        changes = {"rev": 0, "origin": "older"} if is_older else {"rev": rev}
        self.last = tuple({**one, **changes} if "rev" in one else one for one in messages)
        self.motions.clear()
        self._characters.clear()
        yield from _gone(before - self._names())
        yield from self.last

    def kept(self) -> Shown:
        """A copy for who keeps it: of what was measured only what was on these very motions."""
        is_of_these = self.report is not None and self.report["rev"] == self.rev
        report = self.report if is_of_these else None
        own: Any = {"motions": dict(self.motions), "_characters": dict(self._characters)}
        return replace(self, report=report, **own)

    def _names(self) -> set[str]:
        """Who is on the screen."""
        return {*self.motions, *(one["id"] for one in self.last if one["type"] == "character")}

    def take(self, rev: int, result: LiveResult) -> Iterator[Message]:
        """What is new in a result."""
        gone = self._names() - result.motions.keys()
        self.last = ()
        self.naturalness = None
        self.rev = rev
        for who in gone:
            self.motions.pop(who, None)
            self._characters.pop(who, None)
        yield from _gone(gone)
        for who, motion in result.motions.items():
            contacts = result.contacts[who].by_foot()
            feet = {foot: np.asarray(down, bool) for foot, down in contacts.items()}
            yield from self._take(who, ShownMotion(motion, feet, result.quality, rev))
        if result.report is not None:
            told = {who: _character_report(one) for who, one in result.report.items()}
            self.report = {"type": "report", "rev": rev, "quality": result.quality, "who": told}
            yield self.report
        self.bent = result.bent
        yield from self._bent_messages()

    def _take(self, who: str, shown: ShownMotion, roles: Roles | None = None) -> Iterator[Message]:
        from motionloom.view.packing import pack_character

        before = self.motions.get(who)
        self.motions[who] = shown
        is_other = before is None or not before.motion.skeleton.matches(shown.motion.skeleton)
        if is_other:
            color = hex_color(character_colors(list(self.motions).index(who))[0])
            packed = pack_character(shown.motion, who, color=color, roles=roles)
            self._characters[who] = {"type": "character", **packed}
            yield self._characters[who]
        first, stop = (0, shown.motion.n_frames) if is_other else _changed(before, shown)
        yield from self._parts(who, shown, first, stop)

    def _parts(self, who: str, shown: ShownMotion, first: int, stop: int) -> Iterator[Message]:
        from motionloom.view.packing import pack_motion

        total = shown.motion.n_frames
        for begin in range(first, max(stop, first + 1), MOST_FRAMES):
            part = slice(begin, min(begin + MOST_FRAMES, stop))
            contacts = {foot: down[part] for foot, down in shown.contacts.items()}
            about: Any = {"quality": shown.quality, "rev": shown.rev, "contacts": contacts}
            packed = pack_motion(shown.motion[part], who, first=begin, total=total, **about)
            yield {"type": "motion", **packed, **({} if shown.rev else {"origin": "captured"})}

    def _bent_messages(self) -> Iterator[Message]:
        for who, span in self.bent:
            yield {"type": "bent", "who": who, "span": span}


def _gone(names: Iterable[str]) -> Iterator[Message]:
    return ({"type": "gone", "who": who} for who in sorted(names))


def _changed(before: ShownMotion | None, shown: ShownMotion) -> tuple[int, int]:
    """First frame that differs from before and the one behind the last; (0, 0) where none does."""
    assert before is not None
    old, new = before.motion, shown.motion
    if before.contacts.keys() != shown.contacts.keys() or old.frame_time != new.frame_time:
        return 0, new.n_frames
    n = min(old.n_frames, new.n_frames)
    differs = np.ones(new.n_frames, bool)  # what is behind the old one is new
    differs[:n] = np.any(old.rotations[:n] != new.rotations[:n], axis=(1, 2))
    differs[:n] |= np.any(old.translations[:n] != new.translations[:n], axis=(1, 2))
    for foot, down in shown.contacts.items():
        differs[:n] |= before.contacts[foot][:n] != down[:n]
    frames = np.flatnonzero(differs)
    return (int(frames[0]), int(frames[-1]) + 1) if len(frames) else (0, 0)


def _why(join: Join) -> list[str]:
    """What of a join is beyond its limit, in a few words."""
    from motionloom.shot.joining import GATE

    beyond = [
        (join.slides, f"standing feet slide at {join.skate:.0f} cm/s"),
        (join.push > GATE, f"hips are pushed {join.push:.1f} times as hard"),
        (join.acceleration > GATE, f"joints accelerate {join.acceleration:.1f} times as hard"),
    ]
    return [text for is_beyond, text in beyond if is_beyond]


def some_of(one: object, *names: str) -> Message:
    """Some attributes of an object, by their names."""
    return {name: getattr(one, name) for name in names}


def _character_report(one: LiveCharacterReport) -> Message:
    from motionloom.shot.joining import GATE

    spans = [
        {"id": span.name, **some_of(span, "kind", "rows", "problems", "notes", "kept")}
        for span in one.spans
    ]
    joins = [
        {**asdict(join), "limit": GATE, "ok": join.is_soft and not join.slides, "why": _why(join)}
        for join in one.joins
    ]
    keys = [
        {"error_mm": key.error, **some_of(key, "span", "path", "kind", "time", "turn")}
        for key in one.keys
    ]
    meetings = [
        {"joints": met.joints_after, **some_of(met, "label", "time", "place", "facing", "problems")}
        for met in one.meetings
    ]
    mine = {"spans": spans, "joins": joins, "keys": keys, "meetings": meetings}
    return {**fields_of(one), **mine}
