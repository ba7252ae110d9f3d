"""Gaps filled: each becomes a short clip that leads from one captured clip into another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts, drop_short_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.extend import extend_clips
from motionloom.graph.bridging.choose import APART, AROUND, Gap, Sides, different
from motionloom.graph.bridging.options import BridgeOptions
from motionloom.graph.bridging.strain import measure_strain
from motionloom.graph.bridging.used import BridgeClip
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.skeleton import few
from motionloom.synthesis.bridges import Bridge
from motionloom.typing import Ints

#: Between the names of the clips on both sides, in the name of a bridge.
ARROW = " > "


def add_bridges(
    clips: AnalysedClips,
    gaps: Sequence[Sequence[Gap]],
    bridge: Bridge,
    options: BridgeOptions,
    progress: Progress = silent,
) -> tuple[AnalysedClips, tuple[BridgeClip, ...]]:
    """The clips, and after them the best bridges, called ``FROM > TO (bridge 1)``.

    All gaps are filled. The best bridges are those that pass the limits of the clips least, of
    those alike the surest.

    Parameters
    ----------
    clips : AnalysedClips
        Not changed.
    gaps : sequence of sequence of Gap
        From one way of moving to another.
    bridge : Bridge
        Fills them.
    options : BridgeOptions
        How many are kept of every sequence, and how doubtful and strained at most.
    progress : Progress
        Told of every gap.

    Returns
    -------
    clips : AnalysedClips
        As they were where no bridge is good enough.
    added : tuple of BridgeClip
    """
    sides = Sides(clips)
    made: list[_Made] = []
    for i, own in enumerate(gaps):
        progress("bridging", i, len(gaps))
        filled = sorted((_fill(sides, gap, bridge) for gap in own), key=_Made.rank)
        usable = [one for one in filled if one.rank()[0] <= options.farthest]
        apart = APART * clips.clip_set.fps
        kept = different([one.gap for one in usable], options.each, apart)
        made += [one for one in usable if one.gap in kept]
    progress("bridging", len(gaps), len(gaps))
    first = clips.clip_set.n_clips
    if not made:
        return clips, ()
    records = tuple(replace(one.record, clip=first + k) for k, one in enumerate(made))
    names = [f"{one.before} to {one.behind}" for one in records]
    longer = extend_clips(
        clips,
        [one.called(k + 1) for k, one in enumerate(made)],
        [one.contacts for one in made],
        [one.shown for one in made],
        f"changes that no clip shows may be bridged: {few(list(dict.fromkeys(names)))}",
    )
    return longer, records


@dataclass(frozen=True, eq=False)
class _Made:
    """A bridge as a clip."""

    gap: Gap
    posed: PosedMotion
    contacts: FootContacts
    shown: Ints
    record: BridgeClip

    def rank(self) -> tuple[float, int, int]:
        """Least first."""
        return self.record.strain + self.gap.doubt, self.gap.source, self.gap.target

    def called(self, number: int) -> PosedMotion:
        """The clip by its name."""
        name = f"{self.record.before}{ARROW}{self.record.behind} (bridge {number})"
        return PosedMotion(replace(self.posed.motion, name=name), self.posed.roles)


def _fill(sides: Sides, gap: Gap, bridge: Bridge) -> _Made:
    clips = sides.clips.clip_set
    around = round(AROUND * clips.fps)
    here, there = (int(clips.clip_of[frame]) for frame in (gap.source, gap.target))
    first = max(gap.source + 1 - around, int(clips.starts[here]))
    last = min(gap.target + around, int(clips.starts[there + 1]))
    before = sides.cut(first, gap.source + 1)
    behind = sides.cut(gap.target, last).transformed(sides.move(gap))
    filled = bridge.bridge(before, behind, gap.missing)
    motion = replace(
        filled.motion.with_translated(clips.motions[here].translated),
        source=replace(clips.motions[here].source, path="", warnings=()),
    )
    posed = PosedMotion(motion, clips.roles)
    begin = before.n_frames
    shown = _nearest(gap, begin, behind.n_frames)
    gap_frames = slice(begin, begin + gap.missing)
    contacts = _contacts(sides, posed, filled.contacts, shown, gap_frames)
    record = BridgeClip(
        clip=-1,  # it is numbered when it is kept
        before=clips.names[here],
        behind=clips.names[there],
        begin=begin,
        end=gap_frames.stop,
        doubt=gap.doubt,
        strain=measure_strain(posed, sides.clips),
    )
    return _Made(gap, posed, contacts, shown, record)


def _nearest(gap: Gap, before: int, behind: int) -> Ints:
    """Frames of the clip set that a bridge shows; each half of the gap the one beside it."""
    half = gap.missing // 2
    first = gap.source + 1 - before + np.arange(before + half)
    second = gap.target + np.arange(half - gap.missing, behind)
    return np.concatenate([np.minimum(first, gap.source), np.maximum(second, gap.target)])


def _contacts(
    sides: Sides,
    posed: PosedMotion,
    filled: FootContacts | None,
    shown: Ints,
    gap: slice,
) -> FootContacts:
    """Contacts as captured on both sides, as the bridge says in between, else as detected."""
    down = sides.down[shown]
    said = None if filled is None else filled.down
    if said is None or said.shape != down.shape:
        said = detect_contacts(posed, soles=sides.clips.soles).down
    down[gap] = said[gap]
    return FootContacts(sides.clips.soles, drop_short_contacts(down, posed.fps), 0.0)
