"""Frames of a motion put together of frames of others, without a jump where they meet.

Spans joined anew only where something has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.curves import smoothstep
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.shot.joining import Hardness, join_pieces
from motionloom.shot.live._rows import Laid, Row
from motionloom.shot.live._stages import LiveStage
from motionloom.shot.script.shot import Joins
from motionloom.typing import Array, Bools

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
Windows = list[tuple[int, int]]


def stretches_of(spans: Sequence[Laid], base: Row) -> list[Stretch]:
    """Frames of spans that are as they were, but for when and where."""
    found = []
    for k, one in enumerate(spans):
        if one.source is None:
            continue
        old = base.spans[one.source].planned
        behind = spans[k + 1] if k + 1 < len(spans) else None
        # The frame that two spans have is the later one's.
        is_last = behind is None or behind.source is None
        stop = one.planned.last + is_last
        found.append(Stretch(one.planned.first, stop, old.first, one.moved))
    return found


def changed_windows(spans: Sequence[Laid], base: Row, rule: Joins, fps: float) -> Windows:
    """Frames that are to be made anew: new spans, and joins of what was not joined so before.

    Parameters
    ----------
    spans : sequence of Laid
        What is shown now.
    base : Row
        What was shown.
    rule : Joins
        Over what time spans are joined.
    fps : float
        Frames per second.

    Returns
    -------
    list of (int, int)
        First frame and the one behind the last, in the order of time.
    """
    new = [(one.planned.first, one.planned.last + 1) for one in spans if one.source is None]
    windows = [*new, *_seams(spans, base, rule, fps)]
    return merged(windows, spans[-1].planned.last + 1, round(BETWEEN * fps))


def _seams(spans: Sequence[Laid], base: Row, rule: Joins, fps: float) -> Windows:
    """Frames around joins of what was not joined so before."""
    before, behind = round(BEFORE * fps), round(BEHIND * fps)
    found = []
    for k, (one, following) in enumerate(pairwise(spans)):
        if _goes_on(one, following, base, rule):
            continue
        frame = following.planned.first
        dies = frame + round(_over(spans, k, base, rule) * fps)
        steps = round(STEPS * fps) if following.source is None else 0
        stop = max(dies + behind, min(dies + steps, following.planned.last))
        found.append((frame - before, stop))
    return found


def _goes_on(one: Laid, following: Laid, base: Row, rule: Joins) -> bool:
    """Whether two spans are joined as they were."""
    if one.source is None or following.source is None:
        return False
    if following.source != one.source + 1 or not _same(one.moved, following.moved):
        return False
    names = [base.spans[k].planned.name for k in (one.source, following.source)]
    now = [one.planned.name, following.planned.name]
    return names == now and rule.of(*now) == base.rule.of(*now)


def _same(one: GroundTransform, other: GroundTransform) -> bool:
    away = np.array([one.angle - other.angle, one.x - other.x, one.z - other.z], float)
    return bool(np.abs(away).max() < SAME_PLACE)


def _over(spans: Sequence[Laid], k: int, base: Row, rule: Joins) -> float:
    """Over what time a span is joined to the next one, seconds; as it was found to be good."""
    names = (spans[k].planned.name, spans[k + 1].planned.name)
    asked = rule.of(*names)
    known = (join.seconds for join in base.joined.joins if (join.before, join.after) == names)
    return max(asked, next(known, asked))


def join_anew(stage: LiveStage, spans: Sequence[Laid], base: Row, rule: Joins) -> Frames:
    """Spans joined: what is as it was is taken over, the rest is made.

    Of new spans only what is near their ends is changed by joining them.

    Parameters
    ----------
    stage : LiveStage
        Of the character.
    spans : sequence of Laid
        What is shown now.
    base : Row
        What was shown.
    rule : Joins
        Over what time spans are joined.

    Returns
    -------
    Frames
    """
    count = spans[-1].planned.last + 1
    frames = Frames.of(base.joined.posed, base.joined.contacts, count, stretches_of(spans, base))
    for k, one in enumerate(spans):
        if one.source is None:
            before = spans[k - 1].piece.motion if k else None
            frames.lay(one.planned.first, one.piece.motion, one.piece.contacts.down, before)
    seams = _seams(spans, base, rule, stage.fps)
    for window in merged(seams, count, round(BESIDE * stage.fps)):
        _join_window(stage, spans, base, window, rule, frames)
    return frames


def _join_window(
    stage: LiveStage,
    spans: Sequence[Laid],
    base: Row,
    window: tuple[int, int],
    rule: Joins,
    frames: Frames,
) -> None:
    fps = stage.fps
    count = spans[-1].planned.last + 1
    beside = round(BESIDE * fps)
    begin = max(window[0] - beside, 0)
    for k in range(len(spans) - 2, -1, -1):  # what an earlier join left behind is there too
        seam = spans[k + 1].planned.first
        if seam < begin < seam + round(_over(spans, k, base, rule) * fps):
            begin = max(seam - beside, 0)
    end = min(window[1] + beside, count)
    inside = [
        k for k, one in enumerate(spans) if one.planned.first < end - 1 and one.planned.last > begin
    ]
    pieces = [
        spans[k].piece.cut(
            max(begin - spans[k].planned.first, 0),
            min(end - spans[k].planned.first, spans[k].piece.motion.n_frames),
        )
        for k in inside
    ]
    names = [spans[k].planned.name for k in inside]
    seconds = [_over(spans, k, base, rule) for k in inside[:-1]]
    joined = join_pieces(names, pieces, stage.clips, seconds, [ANY] * len(inside))
    part = slice(window[0] - begin, window[1] - begin)
    motion = joined.posed.motion[part]
    frames.insert(window[0], motion, joined.contacts.down[part])


@dataclass(frozen=True)
class Stretch:
    """Frames that are those of another motion, moved over the ground.

    Parameters
    ----------
    first, stop : int
        Frames of the new motion.
    source : int
        Frame of the other one that the first one shows.
    moved : GroundTransform
        From there to here.
    """

    first: int
    stop: int
    source: int
    moved: GroundTransform


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
    def of(
        cls, posed: PosedMotion, contacts: FootContacts, count: int, stretches: Sequence[Stretch]
    ) -> Frames:
        """Frames of a motion; those that are in no stretch are still to be written.

        Parameters
        ----------
        posed : PosedMotion
            What is shown so far.
        contacts : FootContacts
            Its contacts.
        count : int
            How many there will be.
        stretches : sequence of Stretch
            What is kept of it.
        """
        motion = posed.motion
        rotations = np.zeros((count, *motion.rotations.shape[1:]))
        rotations[..., 0] = 1.0
        translations = np.zeros((count, *motion.translations.shape[1:]))
        down = np.zeros((count, contacts.down.shape[1]), bool)
        for one in stretches:
            last = one.source + one.stop - one.first
            part = motion[one.source : last]
            if one.moved != GroundTransform():
                part = part.transformed(one.moved)
            rotations[one.first : one.stop] = part.rotations
            translations[one.first : one.stop] = part.translations
            down[one.first : one.stop] = contacts.down[one.source : last]
        return cls(rotations, translations, down, posed, contacts)

    def motion(self, first: int = 0, stop: int | None = None) -> Motion:
        """As they are now, all or some of them."""
        part = slice(first, stop)
        return replace(
            self.posed.motion,
            rotations=self.rotations[part],
            translations=self.translations[part],
        )

    def done(self) -> tuple[PosedMotion, FootContacts]:
        """The motion and its contacts."""
        return self.posed.with_motion(self.motion()), replace(self.contacts, down=self.down)

    def cut(self, first: int, stop: int) -> PosedMotion:
        """Some of them as a motion."""
        return self.posed.with_motion(self.motion(first, stop))

    def write(self, first: int, motion: Motion, down: Bools, fades: bool) -> None:
        """Put in frames of another motion as they are.

        Parameters
        ----------
        first : int
            Where they begin.
        motion : Motion
            Frames of it.
        down : bool array
            Their contacts.
        fades : bool
            Whether what is there fades into them, and they into what follows.
        """
        stop = first + motion.n_frames
        rotations = motion.rotations
        translations = motion.translations
        if fades:
            share = self._share(first, stop)
            rotations = rot.slerp(self.rotations[first:stop], rotations, share[:, None])
            old = self.translations[first:stop]
            translations = old + share[:, None, None] * (translations - old)
        self.rotations[first:stop] = rotations
        self.translations[first:stop] = translations
        self.down[first:stop] = down

    def _share(self, first: int, stop: int) -> Array:
        """How much of new frames is shown; all of them at the ends of the whole."""
        count = stop - first
        reach = max(min(round(FADE * self.posed.fps), count // 2), 1)
        frames = np.arange(count)
        rise = np.ones(count) if first == 0 else frames / reach
        is_last = stop == len(self.rotations)
        fall = np.ones(count) if is_last else (count - 1 - frames) / reach
        return smoothstep(np.minimum(rise, fall))

    def lay(self, first: int, motion: Motion, down: Bools, before: Motion | None) -> None:
        """Put in a new stretch; nothing is joined yet.

        Parameters
        ----------
        first : int
            Where it begins.
        motion : Motion
            Frames of it.
        down : bool array
            Their contacts.
        before : Motion, optional
            What ends there, as it was before it was joined: what joining moved it by, the new one
            is moved by too.
        """
        row = motion.translated.index(motion.root_joint)
        places = motion.translations.copy()
        if before is not None:
            places[:, row] += _level(self.translations[first, row] - before.translations[-1, row])
        self.write(first, replace(motion, translations=places), down, fades=False)

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
        row = motion.translated.index(motion.root_joint)
        places = motion.translations.copy()
        if first > 0:
            places[:, row] += _level(self.translations[first, row] - places[0, row])
        if stop < len(self.rotations):
            away = _level(places[-1, row] - self.translations[stop - 1, row])
            distance = float(np.linalg.norm(away))
            if distance > NEAR:
                self.take_along(stop - 1, away)
            elif distance > SAME:
                reach = min(round(RETURN * motion.fps), motion.n_frames - 1)
                share = smoothstep(np.linspace(0.0, 1.0, reach + 1))[:, None]
                places[-1 - reach :, row] -= share * away
        self.write(first, replace(motion, translations=places), down, fades=True)

    def take_along(self, first: int, away: Array) -> None:
        """Move all frames from one on, metres."""
        row = self.posed.motion.translated.index(self.posed.motion.root_joint)
        self.translations[first:, row] += away
        self.taken.append((first, away))


def _level(way: Array) -> Array:
    """The part of a way that is on the ground."""
    level: Array = way * np.array([1.0, 0.0, 1.0])
    return level


def merged(
    windows: Sequence[tuple[int, int]], count: int, between: int = 0
) -> list[tuple[int, int]]:
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
    found: list[tuple[int, int]] = []
    for first, stop in sorted((max(a, 0), min(b, count)) for a, b in windows):
        if stop - first < 2:
            continue
        if found and first <= found[-1][1] + between:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        else:
            found.append((first, stop))
    return found
