"""What a character shows: spans with their pieces, how those follow from what was shown, and their
joins made anew where something changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.curves import smoothstep
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.shot._keeping import Keeper, Kept, KeptFrames, key_of
from motionloom.shot.joining import Hardness, Joined, join_pieces
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.making import MadeSpan, make_piece
from motionloom.shot.plan.planned import Plan, PlannedSpan
from motionloom.shot.script.shot import Joins
from motionloom.shot.script.span_fields import (
    BetweenSpan,
    ClipSpan,
    EditSpan,
    GaitSpan,
    IdleSpan,
    SpanBase,
    WalkSpan,
)
from motionloom.shot.stage import FINISHED, Piece, Place, State, state_of
from motionloom.typing import Array, Bools

#: Where a span would begin if places did not matter.
NOWHERE = Place((0.0, 0.0), 0.0)


@dataclass(frozen=True, eq=False)
class Laid(MadeSpan):
    """A span that is shown.

    Parameters
    ----------
    shape : str
        The same for spans that differ in nothing but where they begin.
    source : int or None
        Which span of the row before it comes from; None for a new one.
    moved : GroundTransform
        From there to here.
    """

    shape: str = ""
    source: int | None = None
    moved: GroundTransform = field(default_factory=GroundTransform)


@dataclass(frozen=True, eq=False)
class Row:
    """Everything that a character shows.

    Parameters
    ----------
    spans : tuple of Laid
        One after the other.
    layers : tuple of PlannedSpan
        What lies over them.
    joined : Joined
        The motion before anything was laid over it.
    rule : Joins
        Over what time they were to be joined.
    shown : PosedMotion
        The motion in the end.
    contacts : FootContacts
        Its contacts.
    """

    spans: tuple[Laid, ...]
    layers: tuple[PlannedSpan, ...]
    joined: Joined
    rule: Joins
    shown: PosedMotion
    contacts: FootContacts

    def before(self) -> dict[str, Kept]:
        """What spans are, by name."""
        return {one.planned.name: one.kept for one in self.spans}


@dataclass(frozen=True, eq=False)
class Change:
    """What a character is to show, and what is shown.

    Parameters
    ----------
    stage : LiveStage
        Of the character.
    base : Row
        What is shown.
    spans, layers : tuple
        What is to be.
    rule : Joins
        Over what time spans are joined.
    """

    stage: LiveStage
    base: Row
    spans: tuple[Laid, ...]
    layers: tuple[PlannedSpan, ...]
    rule: Joins

    @property
    def count(self) -> int:
        """Frames of it all."""
        return self.spans[-1].planned.last + 1

    def frames(self, seconds: float) -> int:
        """Frames of a time."""
        return round(seconds * self.stage.fps)

    def sources(self) -> Iterator[tuple[Laid, PlannedSpan | None]]:
        """Spans with the times that they had; None for new ones."""
        for one in self.spans:
            yield one, None if one.source is None else self.base.spans[one.source].planned

    def over(self, k: int) -> float:
        """Over what time a span is joined to the next one, seconds; as it was found to be good."""
        names = (self.spans[k].planned.name, self.spans[k + 1].planned.name)
        joins = self.base.joined.joins
        known = [join.seconds for join in joins if (join.before, join.after) == names]
        return max(self.rule.of(*names), *known[:1], 0.0)


def lay_quickly(
    stage: LiveStage, plan: Plan, who: str, keeper: Keeper, base: Sequence[Laid]
) -> tuple[Laid, ...]:
    """Pieces of a character without a search: those that are known, moved, or quickly made.

    Parameters
    ----------
    stage : LiveStage
        A quick one.
    plan : Plan
        What happens when.
    who : str
        The character.
    keeper : Keeper
        Pieces that are known.
    base : sequence of Laid
        What was shown when all was confirmed last.

    Returns
    -------
    tuple of Laid
    """
    begin: State | Place = stage.start_of(who)
    nowhere = GroundTransform()
    known = {one.planned.name: replace(one, source=k, moved=nowhere) for k, one in enumerate(base)}
    row: list[Laid] = []
    for planned in plan.tracks[who]:
        row.append(_lay(stage, planned, begin, keeper, known.get(planned.name)))
        begin = row[-1].end
    return tuple(row)


def _lay(
    stage: LiveStage,
    planned: PlannedSpan,
    begin: State | Place,
    keeper: Keeper,
    before: Laid | None,
) -> Laid:
    key = key_of(stage, planned, begin)
    shape = key_of(stage, planned, NOWHERE)
    if before is not None and before.kept.key == key:
        return replace(before, planned=planned)
    kept = keeper.find(stage, planned, key, 0.0)
    if kept is None and before is not None and before.shape == shape:
        if before.begin.place == begin.place:
            return replace(before, planned=planned, kept=replace(before.kept, key=key, budget=0.0))
        if _goes_along(planned.span, has_obstacles=bool(stage.file.shot.avoid)):
            return _moved(stage, planned, begin, key, before)
    if kept is None:
        stage.progress(planned.name, 0, 1)
        piece = make_piece(stage, planned, begin)
        found, budget = stage.searched(planned.name, 0.0)
        kept = Kept(piece, key, budget, found)
        if budget == FINISHED:
            keeper.add(kept)
    return Laid(planned, kept, begin, kept.piece, state_of(stage, kept.piece), shape=shape)


def _moved(
    stage: LiveStage, planned: PlannedSpan, begin: State | Place, key: str, before: Laid
) -> Laid:
    moved = begin.place.transform.compose(before.begin.place.transform.inverse())
    kept = replace(before.kept, piece=_elsewhere(before.kept.piece, moved), key=key, budget=0.0)
    piece = _elsewhere(before.piece, moved)
    end = state_of(stage, piece)
    source, shape = before.source, before.shape
    return Laid(planned, kept, begin, piece, end, shape=shape, source=source, moved=moved)


def _elsewhere(piece: Piece, moved: GroundTransform) -> Piece:
    """A piece laid elsewhere, as long as nothing better is known."""
    end = piece.end
    if end is not None:
        at = moved.compose(end.transform)
        end = Place.of_body((at.x, at.z, at.angle))
    return replace(piece, motion=piece.motion.transformed(moved), end=end)


def _goes_along(span: SpanBase, has_obstacles: bool) -> bool:
    """Whether a span is the same wherever it begins, or only where there is nothing in its way."""
    if isinstance(span, WalkSpan):
        return span.to is None and not span.constraints and not has_obstacles
    if isinstance(span, GaitSpan):
        return not span.path and not has_obstacles
    if isinstance(span, EditSpan):
        return not span.constraints
    if isinstance(span, BetweenSpan):
        return all(key.position is None and key.facing is None for key in span.keys)
    return isinstance(span, (IdleSpan, ClipSpan))


#: Where frames of two motions meet, one fades into the other over this time, seconds.
FADE = 0.2
#: What a new stretch leads elsewhere is taken back over this time, seconds, if it is no farther
#: than `NEAR`, metres; else all that follows is taken along.
RETURN, NEAR = 1.0, 0.06
#: Windows with less between them are one, seconds: a window costs more than frames do.
BETWEEN = 2.0
#: What is nearer is the same, metres.
SAME = 1e-6

#: How far before and behind what has changed frames are made anew, seconds; and how much farther
#: pieces are laid for that.
BEFORE, BEHIND, BESIDE = 0.4, 0.4, 0.6
#: Feet that stand elsewhere at a join come to where a new span has them within this time, seconds.
STEPS = 2.0
#: Joins of a preview take the time that was found to be good before, however hard they come out.
ANY = Hardness(float("inf"), float("inf"))
#: Places that differ by less are the same, metres and radians.
SAME_PLACE = 1e-9
LEVEL = np.array([1.0, 0.0, 1.0])
Windows = list[tuple[int, int]]


def changed_windows(change: Change) -> Windows:
    """Frames that are to be made anew: new spans, and joins of what was not joined so before.

    Parameters
    ----------
    change : Change
        What is shown now, and what was.

    Returns
    -------
    list of (int, int)
        First frame and the one behind the last, in the order of time.
    """
    spans = change.spans
    new = [(one.planned.first, one.planned.last + 1) for one in spans if one.source is None]
    return merged([*new, *_seams(change)], change.count, change.frames(BETWEEN))


def _seams(change: Change) -> Windows:
    """Frames around joins of what was not joined so before."""
    found = []
    for k, (one, following) in enumerate(pairwise(change.spans)):
        if _goes_on(change, one, following):
            continue
        frame = following.planned.first
        dies = frame + change.frames(change.over(k))
        steps = change.frames(STEPS) if following.source is None else 0
        stop = max(dies + change.frames(BEHIND), min(dies + steps, following.planned.last))
        found.append((frame - change.frames(BEFORE), stop))
    return found


def _goes_on(change: Change, one: Laid, following: Laid) -> bool:
    """Whether two spans are joined as they were."""
    if one.source is None or following.source != one.source + 1:
        return False
    a, b = one.moved, following.moved
    is_moved_alike = np.abs([a.angle - b.angle, a.x - b.x, a.z - b.z]).max() < SAME_PLACE
    names = one.planned.name, following.planned.name
    return bool(is_moved_alike) and change.rule.of(*names) == change.base.rule.of(*names)


def join_anew(change: Change) -> Frames:
    """Spans joined: what is as it was is taken over, the rest is made.

    Of new spans only what is near their ends is changed by joining them.

    Parameters
    ----------
    change : Change
        What is shown now, and what was.

    Returns
    -------
    Frames
    """
    frames = Frames.of(change, change.base.joined.posed, change.base.joined.contacts)
    for k, one in enumerate(change.spans):
        if one.source is None:
            frames.lay(one, change.spans[k - 1] if k else None)
    for window in merged(_seams(change), change.count, change.frames(BESIDE)):
        _join_window(change, window, frames)
    return frames


def _join_window(change: Change, window: tuple[int, int], frames: Frames) -> None:
    spans = change.spans
    beside = change.frames(BESIDE)
    begin = max(window[0] - beside, 0)
    for k in range(len(spans) - 2, -1, -1):  # what an earlier join left behind is there too
        seam = spans[k + 1].planned.first
        if seam < begin < seam + change.frames(change.over(k)):
            begin = max(seam - beside, 0)
    end = min(window[1] + beside, change.count)
    inside = [
        k for k, one in enumerate(spans) if one.planned.first < end - 1 and one.planned.last > begin
    ]
    begins = [spans[k].planned.first for k in inside]
    pieces = [
        spans[k].piece.cut(max(begin - at, 0), end - at)
        for k, at in zip(inside, begins, strict=True)
    ]
    names = [spans[k].planned.name for k in inside]
    seconds = [change.over(k) for k in inside[:-1]]
    joined = join_pieces(names, pieces, change.stage.clips, seconds, [ANY] * len(inside))
    part = slice(window[0] - begin, window[1] - begin)
    frames.insert(window[0], joined.posed.motion[part], joined.contacts.down[part])


@dataclass(eq=False)
class Frames:
    """Frames that are being put together.

    Parameters
    ----------
    rotations, translations : array
        As in `Motion`.
    down : bool array of shape (T, P)
        As in `FootContacts`.
    posed : PosedMotion
        A motion of that body.
    contacts : FootContacts
        With the points of its soles.
    taken : list of (int, array of shape (3,))
        From which frame on everything was taken along, and how far, metres.
    """

    rotations: Array
    translations: Array
    down: Bools
    posed: PosedMotion
    contacts: FootContacts
    taken: list[tuple[int, Array]] = field(default_factory=list)

    @classmethod
    def of(cls, change: Change, posed: PosedMotion, contacts: FootContacts) -> Frames:
        """Frames of spans that are as they were, but for when and where; others are to be written.

        Parameters
        ----------
        change : Change
            What is shown now, and what was.
        posed : PosedMotion
            What is shown so far.
        contacts : FootContacts
            Its contacts.
        """
        motion = posed.motion
        rotations = np.zeros((change.count, *motion.rotations.shape[1:]))
        rotations[..., 0] = 1.0
        translations = np.zeros((change.count, *motion.translations.shape[1:]))
        down = np.zeros((change.count, contacts.down.shape[1]), bool)
        for k, one in enumerate(change.spans):
            if one.source is None:
                continue
            # The frame that two spans have is the later one's.
            is_last = k + 1 == len(change.spans) or change.spans[k + 1].source is None
            now = slice(one.planned.first, one.planned.last + is_last)
            first = change.base.spans[one.source].planned.first
            old = slice(first, first + now.stop - now.start)
            part = motion[old]
            if one.moved != GroundTransform():
                part = part.transformed(one.moved)
            rotations[now], translations[now] = part.rotations, part.translations
            down[now] = contacts.down[old]
        return cls(rotations, translations, down, posed, contacts)

    @property
    def row(self) -> int:
        """Which of the translations is that of the body."""
        motion = self.posed.motion
        return motion.translated.index(motion.root_joint)

    def motion(self, part: slice) -> Motion:
        """Some of them, as they are now."""
        return KeptFrames(self.rotations[part], self.translations[part]).on(self.posed.motion)

    def done(self) -> tuple[PosedMotion, FootContacts]:
        """The motion and its contacts."""
        return self.cut(slice(None)), replace(self.contacts, down=self.down)

    def cut(self, part: slice) -> PosedMotion:
        """Some of them, posed."""
        return self.posed.with_motion(self.motion(part))

    def write(self, first: int, motion: Motion, down: Bools | None = None) -> None:
        """Put in frames of another motion: what is there fades into them, and they into the rest.

        Parameters
        ----------
        first : int
            Where they begin.
        motion : Motion
            Frames of it.
        down : bool array, optional
            Their contacts; those that are there when not given.
        """
        own = slice(first, first + motion.n_frames)
        share = self._share(own)
        old = self.translations[own]
        self.rotations[own] = rot.slerp(self.rotations[own], motion.rotations, share[:, None])
        self.translations[own] = old + share[:, None, None] * (motion.translations - old)
        if down is not None:
            self.down[own] = down

    def _share(self, own: slice) -> Array:
        """How much of new frames is shown; all of them at the ends of the whole."""
        count = own.stop - own.start
        reach = max(min(round(FADE * self.posed.fps), count // 2), 1)
        frames = np.arange(count)
        rise = np.ones(count) if own.start == 0 else frames / reach
        is_last = own.stop == len(self.rotations)
        fall = np.ones(count) if is_last else (count - 1 - frames) / reach
        return smoothstep(np.minimum(rise, fall))

    def lay(self, one: Laid, before: Laid | None) -> None:
        """Put in a new span; nothing is joined yet.

        Parameters
        ----------
        one : Laid
            The span.
        before : Laid, optional
            What ends where it begins: what joining has moved that by, the new one is moved by too.
        """
        first, piece = one.planned.first, one.piece
        places = piece.motion.translations.copy()
        if before is not None:
            was = before.piece.motion.translations[-1, self.row]
            places[:, self.row] += LEVEL * (self.translations[first, self.row] - was)
        own = slice(first, first + piece.motion.n_frames)
        self.rotations[own], self.translations[own] = piece.motion.rotations, places
        self.down[own] = piece.contacts.down

    def insert(self, first: int, motion: Motion, down: Bools) -> None:
        """Put in a new stretch so that it goes on from what is before it, and what follows from it.

        What follows is taken along over the ground, if the stretch leads elsewhere.

        Parameters
        ----------
        first : int
            Where it begins.
        motion : Motion
            Frames of it.
        down : bool array
            Their contacts.
        """
        stop = first + motion.n_frames
        row = self.row
        places = motion.translations.copy()
        if first > 0:
            places[:, row] += LEVEL * (self.translations[first, row] - places[0, row])
        if stop < len(self.rotations):
            away = LEVEL * (places[-1, row] - self.translations[stop - 1, row])
            distance = float(np.linalg.norm(away))
            if distance > NEAR:
                self.take_along(stop - 1, away)
            elif distance > SAME:
                reach = min(round(RETURN * motion.fps), motion.n_frames - 1)
                share = smoothstep(np.linspace(0.0, 1.0, reach + 1))[:, None]
                places[-1 - reach :, row] -= share * away
        self.write(first, replace(motion, translations=places), down)

    def take_along(self, first: int, away: Array) -> None:
        """Move all frames from one on, metres."""
        self.translations[first:, self.row] += away
        self.taken.append((first, away))


def merged(windows: Sequence[tuple[int, int]], count: int, between: int = 0) -> Windows:
    """Windows of frames within a motion, in the order of time.

    Parameters
    ----------
    windows : sequence of (int, int)
        First frames and those behind the last.
    count : int
        Frames of the motion.
    between : int
        Windows with no more frames between them are one.

    Returns
    -------
    list of (int, int)
    """
    found: Windows = []
    for first, stop in sorted((max(a, 0), min(b, count)) for a, b in windows):
        if stop - first < 2:
            continue
        if found and first <= found[-1][1] + between:
            first, last = found.pop()
            stop = max(stop, last)
        found.append((first, stop))
    return found
