"""What the clips of a graph can do, and what nobody does in them: speeds, turns, starts, stops,
ways to step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.analysis.gaits import GRAVITY
from motionloom.analysis.soles import leg_length
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.travel import Travel, measure_travel
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools

#: Borders between standing, moving slowly, walking and running, as shares of ``sqrt(gravity * leg
#: length)``; a person begins to run at about 0.7.
PACE_BORDERS = (0.05, 0.25, 0.7)
PACES = ("standing", "slowly", "at a walk", "at a run")
#: Turn rates that are told apart, degrees per second.
TURNS = (15.0, 45.0, 90.0)
#: What fills less time than this in all clips together counts as missing, seconds.
LEAST = 0.3
#: Within this time somebody has started or stopped, seconds.
_START_TIME = 2.0
#: Time without motion that counts as standing, seconds.
_PAUSE = 0.4
#: One side turns this much more than the other before it is worth a sentence.
_LOPSIDED = 1.5
#: Edges of the histogram, metres and degrees per second.
_SPEED_STEP, _TURN_STEP = 0.25, 15.0


@dataclass(frozen=True)
class Behaviour:
    """Something that bodies do, and for how long they do it.

    Parameters
    ----------
    name : str
        As in "nobody ...": "stands still", "walks backward".
    inside, outside : float, seconds
        In connected frames, and in those that were left out.
    clips : tuple of str
        Clips that do it in frames that were left out.
    """

    name: str
    inside: float
    outside: float
    clips: tuple[str, ...] = ()

    @property
    def missing(self) -> bool:
        """Whether connected frames hardly do it at all."""
        return self.inside < LEAST


@dataclass(frozen=True, eq=False)
class Coverage:
    """What the connected frames of a graph cover; speeds and turn rates are means over a second.

    Parameters
    ----------
    borders : tuple of float, metres per second
        Between standing, slow, walking and running; they follow from the leg length.
    slowest, fastest : float, metres per second
        Speeds that are reached or passed for `LEAST` seconds in all.
    gaps : tuple of (float, float), metres per second
        Speeds in between that nobody has.
    left, right : float, degrees per second
        Sharpest turns.
    speeding, slowing : float, metres per second squared
        Largest changes of speed.
    turned_left, turned_right : float, degrees
        All turning together.
    behaviours : tuple of Behaviour
        Standing, starting, stopping, turning on the spot, and steps aside and back.
    turning : array of shape (2, 3, 4), seconds
        Turns to the left and right by at least `TURNS`, standing, slow, walking and running.
    paces : array of shape (4,), seconds
        Standing, slow, walking and running.
    speed_edges, turn_edges : arrays
        Of the histograms; metres per second, and degrees per second to the left.
    inside, outside : arrays of shape (speeds, turns), seconds
        Histograms of the connected frames and of those left out.
    """

    borders: tuple[float, float, float]
    slowest: float
    fastest: float
    gaps: tuple[tuple[float, float], ...]
    left: float
    right: float
    speeding: float
    slowing: float
    turned_left: float
    turned_right: float
    behaviours: tuple[Behaviour, ...]
    turning: Array
    paces: Array
    speed_edges: Array
    turn_edges: Array
    inside: Array
    outside: Array


def measure_coverage(clips: ClipSet, core: Bools) -> Coverage:
    """Measure what connected frames cover.

    Parameters
    ----------
    clips : ClipSet
        All clips of the graph.
    core : bool array of shape (N,)
        The connected frames.

    Returns
    -------
    Coverage
    """
    travel = measure_travel(clips)
    speed = travel.speed
    turn = travel.turn
    borders = pace_borders(clips)
    pace = np.searchsorted(borders, speed, side="right")
    often = max(round(LEAST * clips.fps), 1)
    slowest = _extreme(-speed[core], often)
    fastest = _extreme(speed[core], often)
    sides = [turn[core], -turn[core]]
    speed_edges = np.arange(0.0, speed.max() + 2 * _SPEED_STEP, _SPEED_STEP)
    most = _TURN_STEP * (np.ceil(np.abs(turn).max() / _TURN_STEP - 0.5) + 0.5)
    turn_edges = np.arange(-most, most + 0.5 * _TURN_STEP, _TURN_STEP)
    turning = np.array(
        [[np.bincount(pace[core][s >= t], minlength=4) for t in TURNS] for s in sides]
    )
    histograms = [
        np.histogram2d(speed[part], turn[part], (speed_edges, turn_edges))[0] / clips.fps
        for part in (core, ~core)
    ]
    return Coverage(
        borders=borders,
        slowest=-slowest,
        fastest=fastest,
        gaps=_gaps(speed[core]),
        left=max(_extreme(sides[0], often), 0.0),
        right=max(_extreme(sides[1], often), 0.0),
        speeding=max(_extreme(travel.gain[core], often), 0.0),
        slowing=max(_extreme(-travel.gain[core], often), 0.0),
        turned_left=float(np.maximum(sides[0], 0).sum()) / clips.fps,
        turned_right=float(np.maximum(sides[1], 0).sum()) / clips.fps,
        behaviours=tuple(
            _behaviour(clips, core, name, shown)
            for name, shown in _shown(clips, core, travel, borders).items()
        ),
        turning=turning / clips.fps,
        paces=np.bincount(pace[core], minlength=4) / clips.fps,
        speed_edges=speed_edges,
        turn_edges=turn_edges,
        inside=histograms[0],
        outside=histograms[1],
    )


def pace_borders(clips: ClipSet) -> tuple[float, float, float]:
    """Speeds between standing, moving slowly, walking and running, metres per second."""
    leg = leg_length(PosedMotion(clips.motions[0].cut(0, 1), clips.roles))
    still, slow, walk = (float(np.round(b * np.sqrt(GRAVITY * leg), 2)) for b in PACE_BORDERS)
    return still, slow, walk


def _extreme(values: Array, often: int) -> float:
    """Largest value that is reached or passed in `often` frames."""
    return float(np.sort(values)[-min(often, len(values))])


def _gaps(speed: Array, least: float = 0.2) -> tuple[tuple[float, float], ...]:
    """Ranges of speed without a frame, wider than `least` and than a tenth of the speed."""
    ordered = np.sort(speed)
    wide = np.flatnonzero(np.diff(ordered) > np.maximum(least, 0.1 * ordered[1:]))
    return tuple((float(ordered[i]), float(ordered[i + 1])) for i in wide)


def _shown(
    clips: ClipSet, core: Bools, travel: Travel, borders: tuple[float, ...]
) -> dict[str, Bools]:
    """Frames in which something is done, by its name."""
    speed = travel.speed
    still = borders[0]
    steps = speed > 1.5 * still
    aside = steps & (np.abs(travel.left) > np.abs(travel.forward))
    moves = speed > 2 * still
    # Who stops at the very end of a clip stands for less than the second that travel is averaged
    # over.
    stands = (measure_travel(clips, _PAUSE).speed < still) & (np.abs(travel.turn) < TURNS[0])
    return {
        "stands still": stands,
        "starts from standing": stands & _later(clips, core, moves, 1),
        "comes to a stop": stands & _later(clips, core, moves, -1),
        "turns left on the spot": ~moves & (travel.turn > TURNS[0]),
        "turns right on the spot": ~moves & (travel.turn < -TURNS[0]),
        "steps sideways to the left": aside & (travel.left > 0),
        "steps sideways to the right": aside & (travel.left < 0),
        "walks backward": steps & ~aside & (travel.forward < 0),
    }


def _later(clips: ClipSet, core: Bools, what: Bools, way: int) -> Bools:
    """Whether `what` holds a little later (`way` 1) or earlier (-1) in the same clip.

    For a connected frame that one must be connected too; the connected frames of a clip are one
    run, so all between then are.
    """
    index = np.arange(clips.n_frames) + way * round(_START_TIME * clips.fps)
    index = np.clip(index, clips.starts[clips.clip_of], clips.starts[clips.clip_of + 1] - 1)
    return what[index] & (core[index] | ~core)


def _behaviour(clips: ClipSet, core: Bools, name: str, shown: Bools) -> Behaviour:
    left_out = np.add.reduceat(shown & ~core, clips.starts[:-1])
    who = tuple(clips.names[i] for i in np.flatnonzero(left_out >= LEAST * clips.fps))
    inside, outside = (float(np.sum(shown & part)) / clips.fps for part in (core, ~core))
    return Behaviour(name, inside, outside, who)


def describe_covered(coverage: Coverage) -> list[str]:
    """What there is, one sentence each."""
    c = coverage
    shown = [b.name for b in c.behaviours if not b.missing]
    paces = [f"{s:.0f} s {pace}" for pace, s in zip(PACES, c.paces, strict=True) if s >= LEAST]
    return [
        f"Speeds from {c.slowest:.2f} to {c.fastest:.2f} m/s (means over a second);"
        f" {', '.join(paces)}.",
        f"Turns of up to {c.left:.0f} degrees a second to the left and {c.right:.0f} to the"
        f" right, {c.turned_left:.0f} and {c.turned_right:.0f} degrees in all.",
        f"Speeding up by {c.speeding:.1f} m/s and slowing down by {c.slowing:.1f} m/s within a"
        " second at most.",
        *([f"Somebody {_joined(shown)}."] if shown else []),
    ]


def describe_missing(coverage: Coverage) -> list[str]:
    """What nobody does in the clips, one sentence each.

    Nothing where the clips cover everything that is looked for.
    """
    return [*_missing_speeds(coverage), *_missing_turns(coverage), *_missing_behaviours(coverage)]


def _missing_speeds(c: Coverage) -> list[str]:
    still, _, walk = c.borders
    lines = []
    if c.slowest > still:
        lines.append(f"Nobody moves slower than {c.slowest:.2f} m/s.")
    lines += [f"Nobody moves at between {a:.2f} and {b:.2f} m/s." for a, b in c.gaps]
    if c.fastest < walk:
        lines.append(f"Nobody moves faster than {c.fastest:.2f} m/s: nobody runs.")
    return lines


def _missing_turns(c: Coverage) -> list[str]:
    """What turns lack, both sides in one sentence where they lack the same."""
    left, right = (_turn_limits(c, side) for side in (0, 1))
    lines = [text.format(side="to either side") for text in left if text in right]
    lines += [text.format(side="to the left") for text in left if text not in right]
    lines += [text.format(side="to the right") for text in right if text not in left]
    more = max(c.turned_left, c.turned_right)
    less = min(c.turned_left, c.turned_right)
    if more > _LOPSIDED * less and more > 360:
        side, other = ("left", "right") if c.turned_left > c.turned_right else ("right", "left")
        lopsided = f"{more:.0f} degrees to the {side}, {less:.0f} to the {other}"
        lines.append(f"Turning is lopsided: {lopsided}; mirrored copies would even it out.")
    return lines


def _turn_limits(c: Coverage, side: int) -> list[str]:
    """Sentences about turns to one side: by how much nobody turns, at all or at some paces;
    `{side}` left open.
    """
    usual = [p for p in range(len(PACES)) if c.paces[p] >= LEAST]
    found: list[str] = []
    before = usual
    for least, row in zip(TURNS, c.turning[side], strict=True):
        much = f"by more than {least:.0f} degrees a second"
        paces = [p for p in usual if row[p] >= LEAST]
        if not paces:
            return [*found, f"Nobody turns {{side}} {much}."]
        gone = [p for p in usual if p not in paces]
        fewer = gone if len(gone) <= len(paces) else paces
        where = _joined([_pace(c, p) for p in fewer], "or") if fewer else ""
        if paces != before and fewer is gone:
            found.append(f"Nobody turns {{side}} {much} {where}.")
        elif paces != before:
            found.append(f"Turns {{side}} {much} only {where}.")
        before = paces
    return found


def _pace(c: Coverage, pace: int) -> str:
    still, slow, walk = c.borders
    between = (f"{still:g} to {slow:g}", f"{slow:g} to {walk:g}")
    ranges = (f"below {still:g}", *between, f"above {walk:g}")
    return f"{PACES[pace]} ({ranges[pace]} m/s)"


def _missing_behaviours(c: Coverage) -> list[str]:
    gone = [b for b in c.behaviours if b.missing]
    nowhere = [b.name for b in gone if not b.clips]
    lines = [f"Nobody {_joined(nowhere, 'or')}."] if nowhere else []
    return lines + [_only_outside(b) for b in gone if b.clips]


def _only_outside(b: Behaviour) -> str:
    names = _joined([*b.clips[:3], *([f"{len(b.clips) - 3} more"] if len(b.clips) > 3 else [])])
    left = f"{b.outside:.1f} s of it were left out, in {names}"
    return f"Nobody {b.name} in connected frames; {left}."


def _joined(words: list[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
