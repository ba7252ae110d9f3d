"""Gait as a generator: walking and running along the way that constraints ask for.

Gait that goes on from any state of the body: where another motion ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips, feet_of
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.errors import InvalidInputError
from motionloom.gait._stream import GaitStream
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.make import HONOURED, MadeGait, make_for
from motionloom.gait.path._lay import Woven, sunk
from motionloom.gait.path.tables._mix import EASE_TIME, TableMix, table_of
from motionloom.gait.path.tables.table import GaitTable
from motionloom.gait.space.fit import learn_gait, styled_by_labels
from motionloom.gait.space.gather import gather_examples
from motionloom.gait.space.space import GaitSpace, Walker
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Section, fields_of, rows_of, shown
from motionloom.synthesis.generator import Draft, Reason
from motionloom.synthesis.streaming import ContinuedStream, StreamState
from motionloom.typing import Array, Bools

NAME = "gait"
#: Kinds of constraints that it can honour.
HONOURS = HONOURED | {"ground"}
#: A point of a standing foot bears weight up to this height above where it rests, metres.
BEARS = 0.01
#: On level ground all points that bear are within this, metres: each is up to `BEARS` high, and
#: what physics corrects moves them by less than 2 cm.
LEVEL = 0.05


@dataclass(frozen=True)
class GaitGeneratorOptions:
    """Options of gait as a generator.

    Parameters
    ----------
    model : Path, optional
        A gait space that is read; else one is learned from the clips.
    walker : Walker
        Whose gait it is.
    """

    model: Path | None = None
    walker: Walker = field(default_factory=Walker)


@dataclass(frozen=True, eq=False)
class GaitDetails:
    """What gait says about a motion.

    Parameters
    ----------
    length : float, metres
        Of the way.
    tightest : float, metres
        Smallest radius on it.
    slowest, fastest : float, metres per second
        Of the way.
    steps : int
        Footprints.
    drop : float, metres
        How far the pelvis was lowered at most.
    woven : Woven
        The gait before it is finished.
    problems : tuple of str
        Hips that sink too far, a sentence.
    """

    length: float = field(metadata=shown("length of the path", "m", ".1f"))
    slowest: float = field(metadata=shown("slowest", "m/s"))
    fastest: float = field(metadata=shown("fastest", "m/s"))
    tightest: float = field(metadata=shown("smallest radius of a turn", "m"))
    steps: int = field(metadata=shown("footprints"))
    drop: float = field(metadata=shown("hips lowered by up to", "cm", ".1f", 100))
    woven: Woven
    problems: tuple[str, ...] = ()

    def as_written(self, made: PosedMotion, contacts: FootContacts) -> GaitDetails:
        """The same with what finishing lowers the hips by; see `WrittenDetails.as_written`."""
        heights = contacts.soles.positions(made)[..., 1][contacts.down]
        if heights.size and np.ptp(heights) >= LEVEL:
            # What takes a motion onto such ground says how far hips sink there.
            return self
        lowered = self.woven.posed.hips[:, 1] - made.hips[:, 1]
        drops = self.woven.drop + np.maximum(lowered, 0.0)
        return replace(self, drop=float(drops.max()), problems=sunk(self.woven, drops))

    def as_section(self) -> Section:
        """Length, speeds, turns, footprints and hips."""
        return Section("Gait", rows_of(self), data=fields_of(self, "woven", "problems"))


def details_of(made: MadeGait) -> GaitDetails:
    """What there is to say about a gait that was made."""
    plan = made.woven.plan
    counts = [len(np.unique(steps.number[steps.stands])) for steps in plan.steps]
    return GaitDetails(
        length=made.route.length,
        tightest=made.route.tightest,
        slowest=float(plan.way.speeds.min()),
        fastest=float(plan.way.speeds.max()),
        steps=sum(counts),
        drop=float(made.woven.drop.max()),
        woven=made.woven,
        problems=sunk(made.woven),
    )


def styles_of(mix: TableMix) -> dict[str, Array]:
    """By style, how much of it there is in every frame, shape (T,)."""
    shown: dict[str, Array] = {}
    for name, share in zip(mix.names, mix.shares.T, strict=True):
        if name:
            shown[name] = shown.get(name, 0.0) + share
    return shown


def contacts_of(woven: Woven) -> FootContacts:
    """Which points of the soles bear weight.

    Parameters
    ----------
    woven : Woven
        A gait on its footprints.

    Returns
    -------
    FootContacts
        Points of standing feet that are where they rest.
    """
    soles = woven.plan.table.body.soles
    heights = soles.positions(woven.posed)[..., 1] - np.array([p.rest for p in soles.points])
    sides = [SIDES.index(p.foot.split("_")[0]) for p in soles.points]
    down: Bools = woven.down[:, sides] & (heights < BEARS)
    return FootContacts(soles, down, 0.0)


def explain_gait(
    constraints: ConstraintSet, errors: Sequence[ConstraintError], adherence: Sequence[Adherence]
) -> tuple[Reason, ...]:
    """Say why a gait misses constraints.

    Parameters
    ----------
    constraints : ConstraintSet
        What was asked for.
    errors : sequence of ConstraintError
        Of the constraints that are missed.
    adherence : sequence of Adherence
        Of what is not kept to over time.

    Returns
    -------
    tuple of Reason
    """
    facing = "a gait faces where its way leads, and changes speed gently"
    texts = {
        "path": "a gait rounds corners that are too tight for its speed, and changes speed gently;"
        " ask for more time, or for rounder corners",
        "path speed": "speed changes gently where a way begins, ends or is to change"
        " its speed; the body stands where its way is over",
        "style": f"a style comes and goes over {EASE_TIME:g} s, a step at a time",
    }
    if constraints.ground:
        # There the steps, and with them the body, go by the ground.
        del texts["path"]
    bodies = [Reason("body", e.index, facing) for e in errors if e.kind == "body"]
    others = [Reason(a.kind, a.index, texts[a.kind]) for a in adherence if a.kind in texts]
    return (*bodies, *others)


@dataclass(frozen=True, eq=False)
class FittedGait:
    """A gait space that answers constraints.

    Parameters
    ----------
    clips : AnalysedClips
        The clips.
    space : GaitSpace
        What was learned from them.
    walker : Walker
        Whose gait it is.
    """

    clips: AnalysedClips
    space: GaitSpace
    walker: Walker = field(default_factory=Walker)

    name = NAME
    honours = HONOURS
    score_meaning = "always 0: there is one answer"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was learned."""
        walker = self.walker
        spans = []
        for behaviour in self.space.behaviours():
            trust = self.space.trust(behaviour, walker.person, walker.style, walker.hip_height)
            low, high = trust.trusted
            spans.append(f"{behaviour} from {low:.2f} to {high:.2f} m/s")
        whose = walker.person or f"{len(self.space.persons)} people"
        return (*self.space.notes, f"gait of {whose}: {', '.join(spans)}")

    def generate(
        self,
        constraints: ConstraintSet,
        *,
        seed: int = 0,
        budget: float = 5.0,
        count: int = 1,
        progress: Progress = silent,
    ) -> tuple[Draft, ...]:
        """Go the way that is asked for; see `Fitted.generate`.

        Parameters
        ----------
        constraints : ConstraintSet
            With a path, or two body constraints apart.
        seed : int
            Nothing is drawn at random.
        budget : float, seconds
            Not needed.
        count : int
            Most drafts returned; there is one answer.
        progress : Progress
            Told before and after.

        Returns
        -------
        tuple of Draft
            One; `Draft.details` is a `GaitDetails`.

        Raises
        ------
        SynthesisError
            When no way is asked for, or no gait can follow it.
        """
        progress("walking", 0, 1)
        made = make_for(self.space, constraints, self.walker)
        progress("walking", 1, 1)
        contacts = contacts_of(made.woven)
        return (
            Draft(
                motion=made.woven.posed.motion,
                contacts=contacts,
                feet=feet_of(made.woven.posed, contacts),
                notes=made.notes,
                details=details_of(made),
                styles=styles_of(made.woven.plan.mix),
            ),
        )

    def stream(self, state: StreamState, fps: float, seed: int = 0) -> ContinuedGait:
        """Walk on from a state; see `Streaming.stream`.

        Parameters
        ----------
        state : StreamState
            Of a body with the joints of the clips.
        fps : float
            Frames per second.
        seed : int
            Nothing is drawn at random.

        Returns
        -------
        ContinuedGait
            Its `walk` is steered.
        """
        return ContinuedGait(table_of(self.space, self.walker), state, fps)

    explain = staticmethod(explain_gait)


class GaitGenerator:
    """Gait learned from the clips."""

    name = NAME
    honours = HONOURS

    def fit(
        self,
        clips: AnalysedClips,
        options: GaitGeneratorOptions | None = None,
        progress: Progress = silent,
    ) -> FittedGait:
        """Learn a gait space from clips, or read one.

        Parameters
        ----------
        clips : AnalysedClips
            With walks or runs among them.
        options : GaitGeneratorOptions, optional
            Its `model` says whether one is read.
        progress : Progress
            Told of clips.

        Returns
        -------
        FittedGait

        Raises
        ------
        FormatError
            When the file of the model is none.
        InvalidInputError
            When the model is of another skeleton, or no clip holds a gait.
        """
        options = options or GaitGeneratorOptions()
        if options.model is None:
            motions = clips.clip_set.motions
            found = gather_examples(motions, roles=clips.roles, progress=progress)
            space = learn_gait(styled_by_labels(found, clips.clip_set))
        else:
            from motionloom.gait.store import load_gait

            space = load_gait(options.model)
            known = space.body(options.walker.person)
            if not known.skeleton.has_topology_of(clips.clip_set.skeleton):
                raise InvalidInputError(
                    f"{options.model}: this gait space is of another skeleton than the clips; fit"
                    " one on them"
                )
        return FittedGait(clips, space, replace(options.walker))


class ContinuedGait(ContinuedStream):
    """A gait stream that begins with the pose of a state.

    It goes on as fast and in the direction in which the body went, until `walk` is steered. Until
    it has come into step, within a second, feet do not stand exactly.

    Parameters
    ----------
    table : GaitTable
        The gait over speed.
    state : StreamState
        Of the same joints.
    fps : float
        Frames per second.

    Raises
    ------
    InvalidInputError
        When the state is of another skeleton.
    """

    def __init__(self, table: GaitTable, state: StreamState, fps: float) -> None:
        posed = state.posed
        if not posed.skeleton.has_topology_of(table.body.skeleton):
            raise InvalidInputError(
                "this gait is of another skeleton than the motion that it shall go on from; learn"
                " it from clips of that skeleton"
            )
        x, z, facing = posed.body[0]
        #: What is steered.
        self.walk = GaitStream(table, fps, GroundTransform(float(facing), float(x), float(z)))
        velocity = _speed_of_hips(state)
        speed = float(np.hypot(*velocity))
        heading = float(np.arctan2(*velocity)) if speed > 0.1 else float(facing)
        self.walk.want(speed, heading)
        self._pattern = posed.motion
        super().__init__(state, self._made, fps)

    def _made(self, count: int) -> Motion:
        made = self.walk.collect(self.walk.step() for _ in range(count))
        pattern = self._pattern
        made = made.with_translated(pattern.translated)
        return replace(made, skeleton=pattern.skeleton)


def _speed_of_hips(state: StreamState) -> tuple[float, float]:
    """How fast the hips go along x and z, metres per second."""
    moment = 1e-3
    posed = state.posed
    hips = posed.roles.joints["hips"]
    before = posed.with_motion(state.earlier(moment)).positions[0, hips]
    moved = (posed.positions[0, hips] - before) / moment
    return float(moved[0]), float(moved[2])
