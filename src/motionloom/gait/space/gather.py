"""Captured cycles of clips, with whose they are: what a gait space is learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

import numpy as np

from motionloom.analysis.contacts import ContactOptions, detect_contacts
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.prepare import prepare_clip
from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import GaitBody, GaitCycle
from motionloom.gait.cycles.find import (
    STRAIGHT,
    FoundGait,
    Stride,
    cut_cycle,
    find_gait,
    strides_of,
)
from motionloom.gait.cycles.told import ToldClips, check_used, corrected, told_of
from motionloom.gait.cycles.tracks import tracks_of_motion
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles
from motionloom.threads import one_thread

#: Bones of one person's clips differ by less than this, metres.
SAME_BONES = 0.003
#: Cosine of the angle between bones of two people at rest below which their rest poses differ.
TURNED = 0.85
#: Halves of a cycle that is learned from differ in speed by less than this factor.
STEADY = 1.25
#: Looser than for pinning feet: a foot that rolls is down too. In leg lengths and per second.
CONTACTS = ContactOptions(enter_speed=0.6, leave_speed=0.95, enter_height=0.05, leave_height=0.08)


@dataclass(frozen=True, eq=False)
class Example:
    """A captured cycle and what is known of it.

    Parameters
    ----------
    cycle : GaitCycle
        The cycle.
    take : str
        Name of its clip.
    style : str
        Empty for the ordinary one.
    stride : Stride
        Where in the clip it is.
    """

    cycle: GaitCycle
    take: str
    style: str
    stride: Stride


@dataclass(frozen=True, eq=False)
class GaitExamples:
    """All captured cycles, of one or more people.

    Parameters
    ----------
    examples : tuple of Example
        Straight and steady cycles, clip by clip.
    bodies : mapping of str to GaitBody
        By person.
    found : mapping of str to FoundGait
        What was found in each clip, by its name.
    notes : tuple of str
        What was guessed or left out, one sentence each.
    """

    examples: tuple[Example, ...]
    bodies: Mapping[str, GaitBody]
    found: Mapping[str, FoundGait]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Clip:
    posed: PosedMotion
    told: ToldClips
    person: str
    name: str


@one_thread()
def gather_examples(
    motions: Sequence[Motion],
    told: Sequence[ToldClips] = (),
    roles: Roles | None = None,
    progress: Progress = silent,
) -> GaitExamples:
    """Find cycles in clips and sort them by person.

    Parameters
    ----------
    motions : sequence of Motion
        Clips of skeletons with the same joints; bones may differ from person to person.
    told : sequence of ToldClips
        What the user tells. Where nothing is told, clips whose bones are the same are of one
        person, called by what their names begin with.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.
    progress : Progress
        Told of every clip.

    Returns
    -------
    GaitExamples

    Raises
    ------
    InvalidInputError
        When skeletons have different joints, or no clip holds a cycle.
    """
    check_used(told, [motion.name for motion in motions])
    notes: list[str] = []
    clips = _prepared(motions, told, roles, notes)
    examples: list[Example] = []
    bodies: dict[str, GaitBody] = {}
    found: dict[str, FoundGait] = {}
    done = 0
    for person in dict.fromkeys(clip.person for clip in clips):
        own = [clip for clip in clips if clip.person == person]
        soles = fit_soles([clip.posed for clip in own])
        bodies[person] = body_of([clip.posed for clip in own], soles)
        for clip in own:
            gait = _find(clip, soles)
            found[clip.name] = gait
            examples += _cut(clip, gait, soles)
            done += 1
            progress("finding cycles", done, len(clips))
    if not examples:
        raise InvalidInputError(
            f"no straight and steady gait cycle was found in {len(clips)} clips; 'motionloom gait"
            " fit' needs clips that hold a walk or run of two steps and more"
        )
    _check_soles(bodies)
    some = {example.cycle.person for example in examples}
    notes += [
        f"left out: {clip.name} ({_why_left(found[clip.name])})"
        for clip in clips
        if clip.name not in {example.take for example in examples}
    ]
    notes += _styles_left(clips, examples)
    return GaitExamples(
        tuple(examples), {p: b for p, b in bodies.items() if p in some}, found, tuple(notes)
    )


def _why_left(gait: FoundGait) -> str:
    """Why nothing is learned from a clip."""
    strikes = sum(event.kind == "strike" for event in gait.events)
    if not strikes:
        return "no step was found in it"
    if not gait.strides:
        plural = "s" if strikes > 1 else ""
        return (
            f"{strikes} strike{plural} of feet, but no whole cycle: it starts, stops, turns aside"
            " or ends too soon"
        )
    count = f"{len(gait.strides)} cycle{'s' if len(gait.strides) > 1 else ''} found"
    straight = [stride for stride in gait.strides if stride.straight]
    if not straight:
        least = min(abs(stride.turn) for stride in gait.strides)
        return (
            f"{count}, which turn by {least:.0f} degrees and more; up to {STRAIGHT:g} are learned"
        )
    least = min(stride.steady for stride in straight)
    return (
        f"{count}, the steadiest with halves that differ in speed by a factor of {least:.2f}; up to"
        f" {STEADY:g} is learned"
    )


def _styles_left(clips: Sequence[_Clip], examples: Sequence[Example]) -> list[str]:
    """Styles that were told, and of which no cycle is learned."""
    learned = {example.style for example in examples}
    left = dict.fromkeys(c.told.style for c in clips if c.told.style not in learned)
    return [
        f"left out: the style {style!r}, as all of its clips are"
        f" ({', '.join(c.name for c in clips if c.told.style == style)})"
        for style in left
        if style
    ]


def _check_soles(bodies: Mapping[str, GaitBody]) -> None:
    """Contacts of all people have the same columns."""
    parts = {p: [(s.foot, s.part) for s in b.soles.points] for p, b in bodies.items()}
    first, *others = parts
    for person in others:
        if parts[person] != parts[first]:
            raise InvalidInputError(
                f"the feet of {person!r} have other points than those of {first!r}: one of them"
                " stands on its toes; fit a space for each"
            )


def _prepared(
    motions: Sequence[Motion], told: Sequence[ToldClips], roles: Roles | None, notes: list[str]
) -> list[_Clip]:
    clips: list[_Clip] = []
    for motion in motions:
        own = told_of(motion.name, told)
        if own.leave:
            continue
        posed, _, remarks = prepare_clip(motion, motion.fps, roles)
        notes.extend(remarks)
        clips.append(_Clip(posed, own, own.person, motion.name))
    if not clips:
        raise InvalidInputError("there is no clip to look for gait in")
    _check_joints([clip.posed for clip in clips])
    return _named_persons(clips, notes)


def _check_joints(motions: Sequence[PosedMotion]) -> None:
    """Refuse another tree or other roles; some files call a finger or toe differently."""
    first = motions[0]
    for posed in motions:
        if not np.array_equal(posed.skeleton.parents, first.skeleton.parents) or dict(
            posed.roles.joints
        ) != dict(first.roles.joints):
            raise InvalidInputError(
                f"clips of a gait space must have the same joints; {posed.motion.name!r}"
                f" ({posed.skeleton.n_joints} joints) has others than {first.motion.name!r}"
                f" ({first.skeleton.n_joints}); fit one space for each kind of skeleton"
            )
        turned = _turned_bone(posed, first)
        if turned:
            raise InvalidInputError(
                f"clips of a gait space must have one rest pose; the bone to {turned!r} of"
                f" {posed.motion.name!r} points elsewhere than that of {first.motion.name!r}; fit"
                " one space for each kind of skeleton"
            )


def _turned_bone(posed: PosedMotion, first: PosedMotion) -> str:
    """A joint of the legs or arms whose bone has another direction at rest; empty for none."""
    skeletons = [one.motion.mean_skeleton() for one in (posed, first)]
    limbs = [
        j for role, j in first.roles.joints.items() if role.endswith(("knee", "foot", "elbow"))
    ]
    for joint in limbs:
        own, other = (skeleton.offsets[joint] for skeleton in skeletons)
        lengths = float(np.linalg.norm(own) * np.linalg.norm(other))
        if lengths > 0 and float(own @ other) < TURNED * lengths:
            return first.skeleton.names[joint]
    return ""


def _named_persons(clips: list[_Clip], notes: list[str]) -> list[_Clip]:
    """Clips without a told person: one person for each set of bones."""
    groups: list[list[int]] = []
    bones = [clip.posed.motion.mean_skeleton().offsets[1:] for clip in clips]
    for i in (i for i, clip in enumerate(clips) if not clip.person):
        same = [g for g in groups if np.abs(bones[g[0]] - bones[i]).max() < SAME_BONES]
        if same:
            same[0].append(i)
        else:
            groups.append([i])
    names: list[str] = [clip.person for clip in clips]
    for group in groups:
        name = _common_name([clips[i].name for i in group], set(names))
        for i in group:
            names[i] = name
        notes.append(
            f"{len(group)} clips with the same bones are taken to be of one person, called"
            f" {name!r}; tell it in a file if they are of several"
        )
    return [replace(clip, person=name) for clip, name in zip(clips, names, strict=True)]


def _common_name(names: Sequence[str], taken: set[str]) -> str:
    first, last = min(names), max(names)
    start = next((first[:i] for i, c in enumerate(first) if last[i : i + 1] != c), first)
    # A number that goes on in some of the names is none of their start.
    while len(start) < max(map(len, names)) and "_" in start and start[-1].isdigit():
        start = start[:-1]
    start = start.rstrip("_-. ")
    start = (start.split("_")[0] if len(names) == 1 else start) or "person"
    numbered = (f"{start}-{number}" for number in count(2))
    return next(name for name in chain([start], numbered) if name not in taken)


def body_of(motions: Sequence[PosedMotion], soles: Soles) -> GaitBody:
    """The body of one person's clips, bones as long as they are on average."""
    first = motions[0]
    root = first.motion.root_joint
    skeleton = first.motion.mean_skeleton()
    offsets = skeleton.offsets.copy()
    offsets[list(skeleton.chain(root))] = 0.0
    feet = [first.roles.joints[role] for role in ("left_foot", "right_foot")]
    heights = [np.quantile(posed.positions[:, feet, 1], 0.1) for posed in motions]
    ankle = max(float(np.median(heights)) - soles.ground, 0.0)
    own = replace(skeleton, offsets=offsets)
    return GaitBody(own, first.roles, root, replace(soles, ground=0.0), soles.leg + ankle)


def _find(clip: _Clip, soles: Soles) -> FoundGait:
    gait = find_gait(tracks_of_motion(clip.posed, soles.leg))
    told = clip.told
    if told.events:
        gait = strides_of(corrected(gait.events, told), gait.tracks, gait.running)
    if told.behaviour:
        strides = tuple(replace(s, behaviour=told.behaviour) for s in gait.strides)
        gait = replace(gait, strides=strides)
    return gait


def _cut(clip: _Clip, gait: FoundGait, soles: Soles) -> list[Example]:
    strides = [s for s in gait.strides if s.straight and s.steady < STEADY]
    if not strides:
        return []
    contacts = detect_contacts(clip.posed, CONTACTS, soles)
    cycles = [cut_cycle(clip.posed, contacts, stride, clip.person) for stride in strides]
    return [
        Example(cycle, clip.name, clip.told.style, stride)
        for cycle, stride in zip(cycles, strides, strict=True)
    ]
