"""The default clips: small, seeded, and connected, as every clip starts and ends in one stance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.motion import Motion
from motionloom.performer.body import Performer, make_performer
from motionloom.performer.drive import Gesture
from motionloom.performer.footsteps import LEFT, RIGHT, Step
from motionloom.performer.gaits import walking_gait
from motionloom.performer.gestures import Swing, WeightShift
from motionloom.performer.perform import ClipLabel, PerformerClip, perform
from motionloom.performer.planning import plan_steps
from motionloom.performer.reaching import Reach
from motionloom.performer.routes import (
    running_steps,
    side_steps,
    spot_turn_steps,
    turning_steps,
    walking_steps,
)
from motionloom.threads import one_thread

#: Speed of everything that is not about speed, metres per second; sideways and on the spot.
_EASY, _SLOW = 1.1, 0.8
#: Word, sign (left is positive) and foot of each side.
_BOTH = (("left", 1.0, LEFT), ("right", -1.0, RIGHT))
#: Points for a left hand: to the left, up and ahead, shares of stature.
_POINTS = (
    ("front", (0.06, 0.78, 0.34)),
    ("high", (0.08, 0.92, 0.22)),
    ("side", (0.36, 0.70, 0.14)),
    ("across", (-0.10, 0.70, 0.30)),
    ("low", (0.12, 0.36, 0.24)),
)


@dataclass(frozen=True)
class Recipe:
    """What a clip is made of: arguments of `plan_steps` and `perform`."""

    name: str
    action: str
    style: str
    steps: tuple[Step, ...] = ()
    gestures: tuple[Gesture, ...] = ()
    first: int = RIGHT
    speed: float = 0.0
    lead_in: float = 0.3
    lead_out: float = 0.9

    def make(self, performer: Performer, fps: float, seed: int) -> PerformerClip:
        """Plan the steps and perform them with the gestures.

        Parameters
        ----------
        performer : Performer
            Who performs.
        fps : float
            Frames per second.
        seed : int
            Seed of postural sway and of the phase of breathing.

        Returns
        -------
        PerformerClip
            Motion, contacts, joint centres and markers.
        """
        plan = plan_steps(
            performer, self.steps, first=self.first, lead_in=self.lead_in, lead_out=self.lead_out
        )
        label = ClipLabel(self.name, self.action, self.style, self.speed)
        return perform(performer, plan, self.gestures, fps=fps, seed=seed, label=label)


@one_thread()
def performer_clips(
    seed: int = 0, fps: float = 30.0, *, performer: Performer | None = None
) -> tuple[PerformerClip, ...]:
    """Make the default clips: walks, curves, turns, side steps, a run, standing, reaches, a swing.

    They last 2.4 minutes.

    Parameters
    ----------
    seed : int
        Seed of sway and breathing; the same seed gives the same bytes.
    fps : float
        Frames per second.
    performer : Performer, optional
        Who performs; 1.75 m and 70 kg when not given.

    Returns
    -------
    tuple of PerformerClip
        In a fixed order, each with a name of its own.

    Examples
    --------
    >>> clips = performer_clips()
    >>> len(clips), sorted({clip.action for clip in clips})[:3]
    (24, ['reach', 'run', 'sidestep'])
    """
    body = make_performer() if performer is None else performer
    recipes = [*_walks(body), *_turns(body), *_others(body), *_reaches(body)]
    return tuple(recipe.make(body, fps, seed + i) for i, recipe in enumerate(recipes))


@dataclass(frozen=True, eq=False)
class SwingTake:
    """One of several swings.

    Parameters
    ----------
    motion : Motion
        From standing with hanging arms to the same.
    moments : mapping of str to float, seconds
        When it starts, is at its top, hits, finishes and ends.
    """

    motion: Motion
    moments: Mapping[str, float]


@one_thread()
def swing_takes(
    count: int = 16,
    seed: int = 0,
    fps: float = 30.0,
    *,
    performer: Performer | None = None,
) -> tuple[SwingTake, ...]:
    """Swings of one performer, each a little different: where it hits, how far and fast it turns.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        Of what differs; the same seed gives the same bytes.
    fps : float
        Frames per second.
    performer : Performer, optional
        Who performs; 1.75 m and 70 kg when not given.

    Returns
    -------
    tuple of SwingTake
        On feet that stay.
    """
    body = make_performer() if performer is None else performer
    out, back = side_steps(body, walking_gait(body, _SLOW), -0.14 * body.height, 1)
    rng = np.random.default_rng(seed)
    takes = []
    for i in range(count):
        tempo = float(rng.uniform(0.92, 1.08))
        x, y, z = (rng.uniform(-1, 1, 3) * (0.05, 0.03, 0.05)).tolist()
        swing = Swing(
            1.7,
            tempo=tempo,
            aim=(x, y, z),
            turn=float(rng.uniform(0.85, 1.15)),
            sway=float(rng.uniform(0.7, 1.3)),
        )
        recipe = Recipe(
            f"swing_{i:02d}",
            "swing",
            "both arms",
            (out, replace(back, wait=swing.duration)),
            (swing,),
        )
        clip = recipe.make(body, fps, seed + i)
        first = round(swing.start * fps)
        motion = clip.motion.cut(first, round((swing.start + swing.duration) * fps))
        moments = {name: t - first / fps for name, t in swing.moments.items()}
        takes.append(SwingTake(motion, {"start": 0.0, **moments, "end": motion.duration}))
    return tuple(takes)


def _walks(body: Performer) -> Iterator[Recipe]:
    for k, (speed, count) in enumerate(((0.6, 5), (1.1, 5), (1.6, 5), (2.2, 5))):
        steps = tuple(walking_steps(body, speed, count))
        first = (RIGHT, LEFT)[k % 2]
        yield Recipe(f"walk_{speed:g}", "walk", f"{speed:g} m/s", steps, first=first, speed=speed)
    yield Recipe("run_3", "run", "3 m/s", tuple(running_steps(body, 3.0, 8)), speed=3.0)


def _turns(body: Performer) -> Iterator[Recipe]:
    for word, sign, foot in _BOTH:
        steps = tuple(walking_steps(body, _EASY, 4, turn=sign * np.radians(18)))
        yield Recipe(
            f"curve_{word}",
            "turn",
            f"{word}, 18 degrees per step",
            steps,
            first=1 - foot,
            speed=_EASY,
        )
        for degrees, over in ((90, 3), (180, 5)):
            steps = tuple(turning_steps(body, _EASY, sign * np.radians(degrees), over))
            yield Recipe(
                f"turn_{word}_{degrees}", "turn", f"{word}, {degrees} degrees", steps, first=foot
            )
        steps = tuple(spot_turn_steps(walking_gait(body, _SLOW), sign * np.radians(90), 2))
        yield Recipe(
            f"spot_{word}_90", "turn", f"{word}, 90 degrees on the spot", steps, first=foot
        )


def _others(body: Performer) -> Iterator[Recipe]:
    gait = walking_gait(body, _SLOW)
    aside = 0.14 * body.height
    for word, sign, foot in _BOTH:
        yield Recipe(
            f"side_{word}",
            "sidestep",
            word,
            tuple(side_steps(body, gait, sign * aside, 2)),
            first=foot,
        )
    shifts = (WeightShift(0.3, 0.5, 0.8), WeightShift(2.6, 0.5, -0.8))
    yield Recipe("stand", "stand", "weight shifts", gestures=shifts, lead_in=4.5)
    out, back = side_steps(body, gait, -aside, 1)
    swing = Swing(1.7)
    yield Recipe("swing", "swing", "both arms", (out, replace(back, wait=swing.duration)), (swing,))


def _reaches(body: Performer) -> Iterator[Recipe]:
    for label, (x, y, z) in _POINTS:
        for word, sign, hand in _BOTH if label == "front" else _BOTH[1:]:
            reach = Reach(hand, (sign * x, y, z), 0.3)
            yield Recipe(
                f"reach_{word}_{label}", "reach", f"{word}, {label}", gestures=(reach,), lead_in=2.2
            )
    steps = tuple(walking_steps(body, _EASY, 1))
    landed = plan_steps(body, steps, lead_in=Recipe.lead_in).stances[-1].strike
    reach = Reach(RIGHT, (-0.06, 0.80, 0.33), landed + 0.15)
    yield Recipe("walk_reach", "reach", "right, after walking", steps, (reach,), lead_out=3.2)
