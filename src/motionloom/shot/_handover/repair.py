"""Pieces that do not go on from the state before them: the way there is filled in, with steps.

What begins at full speed after somebody stood begins with a step that speeds up, and what stands
after somebody walked with a last step. The piece itself goes on behind that, moved to where the
body comes to; where it was asked to be at places, it is back on its way in its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.hinges import Hinge
from motionloom.clips.analysis import feet_of
from motionloom.curves import runs_of, smoothstep
from motionloom.edit.footlock import find_legs, lock_feet
from motionloom.edit.root import move_body
from motionloom.shot._handover.bridging import (
    Filled,
    Side,
    carried,
    end_to_end,
    fill_bridged,
    moved_to,
)
from motionloom.shot.joining import GATE, LOCK, Hardness, Join, join_pieces
from motionloom.shot.stage import TAIL, Piece, Stage
from motionloom.synthesis.bridges import Bridge, Bridged
from motionloom.typing import Array


def led(stage: Stage, side: Side, away: Array, share: Array, keep: tuple[int, ...]) -> Side:
    """Lead a motion elsewhere.

    Parameters
    ----------
    stage : Stage
        Its clips say how feet rest.
    side : Side
        The motion, T frames.
    away : array of shape (3,), metres
        How far.
    share : array of shape (T,)
        How much of that in every frame; eased at 0 and 1.
    keep : tuple of int
        Frames that are moved and nothing else; feet creep a little beside them.

    Returns
    -------
    Side
    """
    limits = (stage.clips.lowest, stage.clips.hinges)
    return move_on_feet(side, limits, keep, smoothstep(share)[:, None] * away)


def move_on_feet(
    side: Side,
    limits: tuple[Array | None, Mapping[str, Hinge]],
    keep: Sequence[int],
    shift: Array,
    turn: Array | None = None,
) -> Side:
    """Move a body over feet that stay where they stand.

    Parameters
    ----------
    side : Side
        The motion, T frames.
    limits : tuple of (array or None, mapping of str to Hinge)
        How low soles go, and how far knees bend; see `lock_feet`.
    keep : sequence of int
        Frames that are moved and nothing else; feet creep a little beside them.
    shift : array of shape (T, 3), metres
        How far.
    turn : array of shape (T,), radians, optional
        How far about the vertical through the hips.

    Returns
    -------
    Side
    """
    pivot = None if turn is None else side.posed.hips
    locked = lock_feet(
        move_body(side.posed, shift, turn, pivot),
        side.contacts,
        LOCK,
        captured=feet_of(side.posed, side.contacts),
        lowest=limits[0],
        hinges=limits[1],
        keep=keep,
    )
    return Side(locked.posed, locked.contacts)


#: Of the pieces beside a join so much is looked at, seconds: before it, and behind what is filled.
LOOKED_AT = (0.6, 1.2)
#: Times of gaps that are tried, seconds: on footsteps, and with feet as in-betweening has them.
TIMES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3)
FREELY = (0.3, 0.5, 0.7, 0.9)
#: So many of those on footsteps, with the least strain, are joined first; the others where none of
#: these is within the limit.
TRIED = 2
#: What makes a join as bad as one at the limit: joints turned so far, degrees, feet so far from
#: where the piece has them, leg lengths, and such a strain of what is filled in.
APART, FAR, STRAINED = 60.0, 0.4, 2.0
#: Strain of feet as in-betweening has them, for each time that a gap is farther from captured ones
#: than these are from each other.
DOUBT = 0.5
#: The same for each such time, seconds, in which no foot is on the ground: who does not run glides.
AIR = 0.2
#: So bad is a join in which standing feet step to where the piece has them.
STEPS = 0.6
#: Joins that are no worse stay as they are, and others where nothing is better by this factor.
EASY, GAIN = 0.75, 0.85
#: A piece is back on its way in no less time, seconds.
LED_BACK = 1.5
#: Frames that are kept behind a gap at least.
KEPT = 4


def hand_over(
    stage: Stage, before: Piece, piece: Piece, over: float, names: tuple[str, str]
) -> Piece:
    """Let a piece go on from the one before it.

    Parameters
    ----------
    stage : Stage
        Its clips say how bodies go over a gap.
    before, piece : Piece
        The second begins in the frame in which the first one ends.
    over : float, seconds
        What is left behind dies away over this time, or up to about twice that.
    names : tuple of str
        Of both, for the note.

    Returns
    -------
    Piece
        As it was where it can be joined as it is; else with its begin filled in and a note, where
        that is better.
    """
    left = Hardness.of(before, stage.clips.roles)
    plain = _join(stage, (before, piece), (left, piece), over)
    cost = max(badness(plain), plain.apart / APART, _feet_apart(stage, before, piece) / FAR)
    cost = max(cost, STEPS if plain.steps else 0.0)
    if cost < EASY:
        return piece
    sides = _side(stage, _end_of(stage, before))
    near = piece.cut(0, round((max(TIMES) + LOOKED_AT[1]) * stage.fps) + 1)
    if near.motion.n_frames < piece.motion.n_frames:
        # There is time to be back on its way later; that is not looked at for every begin.
        near = replace(near, bound=False)
    found: list[tuple[tuple[bool, float], _Filling]] = []
    for tried in _fillings(stage, sides, near):
        if any(not is_bad for (is_bad, _), _ in found):
            break
        for one in tried:
            # What gives way to the gap does not count: the rest may move far more softly.
            rest = replace(piece, filled=one.frames)
            joined = _join(stage, (before, one.composed(stage, sides, near)), (left, rest), over)
            found.append(((not joined.is_good, one.badness(joined)), one))
    for _, one in sorted(found, key=lambda one: one[0]):
        # Feet that are locked on the way back move the very first frame behind the gap, too.
        chosen = one if near.bound == piece.bound else one.again(stage, sides, piece)
        if chosen is None:
            continue
        made = chosen.composed(stage, sides, piece)
        join = _join(stage, (before, made), (left, made), over)
        if chosen.badness(join) <= GAIN * cost and (join.is_good or not plain.is_good):
            note = f"{join.filled:.2f} s were filled in to go on from {names[0]}: {_told(plain)}"
            return replace(made, notes=(*made.notes, note))
    return piece


def _feet_apart(stage: Stage, before: Piece, piece: Piece) -> float:
    """How far a foot is from where it is in the frame that two pieces have, leg lengths."""
    a, b = stage.posed(before.motion[-1:]), stage.posed(piece.motion[:1])
    tips = [leg.tip for leg in find_legs(stage.clips.roles).values()]
    away = np.linalg.norm(a.positions[0, tips] - b.positions[0, tips], axis=-1)
    return float(away.max(initial=0.0)) / stage.clips.soles.leg


def badness(join: Join) -> float:
    """How bad a join is, 1 at the limit."""
    return max(join.acceleration / GATE, join.push / GATE, join.skate / 15.0)


def _told(join: Join) -> str:
    """Why a join was not good."""
    if join.is_good:
        return "its feet are elsewhere"
    if join.slides:
        return f"else feet would slide at {join.skate:.0f} cm/s"
    if join.push > GATE:
        return f"else the hips would be pushed {join.push:.1f} times as hard as in the two"
    return f"else joints would accelerate {join.acceleration:.1f} times as hard as in the two"


def _join(
    stage: Stage, pieces: tuple[Piece, Piece], hardness: tuple[Hardness, Piece], over: float
) -> Join:
    """The join of two pieces, of which only what is near; how hard it is, is beside the first's
    hardness and that of another piece.
    """
    before, piece = pieces
    left, own = hardness
    tail = piece.cut(0, min(piece.motion.n_frames, piece.filled + round(LOOKED_AT[1] * stage.fps)))
    both = (left, Hardness.of(own, stage.clips.roles))
    ends = (_end_of(stage, before), tail)
    return join_pieces(("", ""), ends, stage.clips, (over,), both).joins[0]


@dataclass(frozen=True, eq=False)
class _Filling:
    """The begin of a piece filled in: how hard that is, the frames, and x and z behind them.

    `seconds` and `steps` are what was asked for.
    """

    strain: float
    filled: Filled
    place: Array
    seconds: float
    steps: bool

    @property
    def frames(self) -> int:
        """Frames of the piece that give way to what is filled in."""
        return self.filled.motion.n_frames + 1

    def badness(self, join: Join) -> float:
        """How bad it is, 1 at the limit, joined like that."""
        return max(badness(join), self.strain / STRAINED)

    def again(self, stage: Stage, before: Side, piece: Piece) -> _Filling | None:
        """The same, up to where the whole piece begins behind it."""
        assert stage.bridge is not None
        gap = _Gap.of(stage, stage.bridge, (before, piece), self.seconds)
        return None if gap is None else gap.filled(stage, stage.bridge, self.steps)

    def composed(self, stage: Stage, before: Side, piece: Piece) -> Piece:
        """The last frame before the gap, the gap, and what is behind it."""
        behind = _behind(stage, piece, _side(stage, piece, self.frames), self.place)
        n = before.posed.n_frames
        motion, down = end_to_end(before.cut(n - 1, n), self.filled, behind)
        contacts = replace(piece.contacts, down=down)
        return replace(piece, motion=motion, contacts=contacts, filled=self.frames)


def _fillings(stage: Stage, before: Side, piece: Piece) -> tuple[list[_Filling], ...]:
    """Begins of different lengths: those that are tried first, and the others."""
    bridge = stage.bridge
    if bridge is None:
        return ()
    gaps = {time: _Gap.of(stage, bridge, (before, piece), time) for time in {*TIMES, *FREELY}}

    def filled(times: Iterable[float], steps: bool) -> list[_Filling]:
        wide = (gaps[time] for time in times)
        made = (gap.filled(stage, bridge, steps) for gap in wide if gap is not None)
        return [one for one in made if one is not None]

    stepped = sorted(filled(TIMES, True), key=lambda one: one.strain)
    return [*stepped[:TRIED], *filled(FREELY, False)], stepped[TRIED:]


@dataclass(frozen=True, eq=False)
class _Gap:
    """What a piece's first frames behind the very first give way to: how bodies go over it, between
    its two sides, x and z of the hips behind it.
    """

    made: Bridged
    sides: tuple[Side, Side]
    place: Array
    seconds: float
    missing: int

    @classmethod
    def of(
        cls, stage: Stage, bridge: Bridge, ends: tuple[Side, Piece], seconds: float
    ) -> _Gap | None:
        """A gap of so many seconds; None where the piece is too short."""
        before, piece = ends
        missing = round(seconds * stage.fps) - 1
        if missing < 2 or piece.motion.n_frames < missing + 1 + KEPT:
            return None
        own = _side(stage, piece, missing + 1)
        place = before.posed.hips[-1, [0, 2]] + carried(before, own, (missing + 1) / stage.fps)
        behind = _behind(stage, piece, own, place)
        made = bridge.bridge(before.posed.motion, behind.posed.motion, missing)
        return cls(made, (before, behind), place, seconds, missing)

    def filled(self, stage: Stage, bridge: Bridge, steps: bool) -> _Filling | None:
        """Filled on footsteps or freely; None where no steps lead over it."""
        most = np.inf if steps else 0.0
        filled = fill_bridged(stage.clips, stage.feet, self.made, self.sides, self.missing, most)
        if steps and not np.isfinite(filled.strain):
            return None
        strain = filled.strain
        if not steps:
            before, behind = (side.posed.motion for side in self.sides)
            strain = DOUBT * float(bridge.doubts([before], [behind], self.missing)[0])
            flights = runs_of(np.logical_not(filled.down.max(axis=1)))
            longest = max((stop - start for start, stop in flights), default=0)
            strain += longest / (AIR * stage.fps)
        return _Filling(strain, filled, self.place, self.seconds, steps)


def _end_of(stage: Stage, before: Piece) -> Piece:
    """As much of the end of a piece as is looked at."""
    n = before.motion.n_frames
    return before.cut(max(0, n - 1 - round(LOOKED_AT[0] * stage.fps)), n)


def _side(stage: Stage, piece: Piece, first: int = 0) -> Side:
    part = piece.cut(first, piece.motion.n_frames)
    return Side(stage.posed(part.motion), part.contacts)


def _behind(stage: Stage, piece: Piece, own: Side, place: Array) -> Side:
    """What is behind a gap, with the hips where the gap leads; of a bound piece led back.

    A side that begins as it was moved, and ends as it was before; its feet stay or step.

    Where there is time, all that is handed over in its end is as it was: what follows is not made
    again.
    """
    moved = moved_to(own, place)
    if not piece.bound:
        return moved
    away = moved.posed.hips[0] - own.posed.hips[0]
    n = own.posed.n_frames
    rest = round(TAIL * stage.fps) + 1
    n_led = n - rest if n - rest > LED_BACK * stage.fps else n
    back = led(stage, own.cut(0, n_led), away, np.linspace(1.0, 0.0, n_led), (n_led - 1,))
    if n_led == n:
        return back
    motion, down = end_to_end(back, own.cut(n_led, n))
    return Side(stage.posed(motion), replace(own.contacts, down=down))
