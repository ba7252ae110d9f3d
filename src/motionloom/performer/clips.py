"""The default set of clips: small, seeded, and connected, since every clip starts and ends in the same stance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.performer.body import Performer, make_performer
from motionloom.performer.drive import Gesture
from motionloom.performer.footsteps import LEFT, RIGHT, Step
from motionloom.performer.gaits import Gait, running_gait, walking_gait
from motionloom.performer.gestures import Swing, WeightShift
from motionloom.performer.perform import PerformerClip, perform
from motionloom.performer.planning import plan_steps
from motionloom.performer.reaching import Reach

_SLOW = 0.8


def walking_steps(performer: Performer, speed: float, count: int, *, turn: float = 0.0) -> list[Step]:
    """Speed up over two steps, take `count` full ones that each turn by `turn` radians, slow down and close.

    Steady speed is reached within two steps (Breniere & Do 1986) and lost within two (Jaeger & Vanitchatchavan 1992).
    """
    full, easy, slow = (walking_gait(performer, share * speed) for share in (1.0, 0.85, 0.6))
    return [
        Step(slow, slow.step_length, turn=0.5 * turn, rolls=0.8),
        Step(easy, easy.step_length, turn=turn),
        *(Step(full, full.step_length, turn=turn) for _ in range(count)),
        Step(easy, 0.9 * easy.step_length, turn=0.5 * turn),
        Step(slow, 0.6 * slow.step_length, rolls=0.7),
        Step(slow, closes=True, rolls=0.5),
    ]


def turning_steps(performer: Performer, speed: float, angle: float, over: int) -> list[Step]:
    """Walk, turn by `angle` radians over a few shorter steps (Courtine & Schieppati 2003), walk on and stand."""
    gait = walking_gait(performer, 0.9 * speed)
    steps = walking_steps(performer, speed, 2)
    return [*steps[:3], *(Step(gait, 0.8 * gait.step_length, turn=angle / over) for _ in range(over)), *steps[3:]]


def running_steps(performer: Performer, speed: float, count: int) -> list[Step]:
    """Start walking, speed up, run, slow down and stand."""
    run, walk = running_gait(performer, speed), walking_gait(performer, 1.6)
    easy = running_gait(performer, 0.75 * speed)
    half = Step(walk, 0.75 * walk.step_length, rolls=0.8)
    return [
        half,
        Step(walk, walk.step_length),
        Step(easy, easy.step_length),
        *(Step(run, run.step_length) for _ in range(count)),
        Step(easy, easy.step_length),
        Step(walk, walk.step_length),
        Step(walk, 0.7 * walk.step_length, rolls=0.8),
        Step(walk, closes=True, rolls=0.5),
    ]


def spot_turn_steps(gait: Gait, angle: float, pairs: int) -> list[Step]:
    """Turn on the spot: the foot on the inside of the turn leads, the other one closes, `pairs` times."""
    lead = Step(gait, turn=angle / pairs, rolls=0.25)
    return [lead, Step(gait, closes=True, rolls=0.25)] * pairs


def side_steps(performer: Performer, gait: Gait, distance: float, count: int) -> list[Step]:
    """Steps to the side (left is positive): the leading foot goes `distance` metres, the other one closes."""
    wide = replace(gait, step_width=_standing_width(performer) + abs(distance))
    return [Step(wide, sideways=0.5 * distance, rolls=0.25), Step(gait, closes=True, rolls=0.25)] * count


def _standing_width(performer: Performer) -> float:
    spread = plan_steps(performer, ()).stances
    return float(np.hypot(spread[0].x - spread[1].x, spread[0].z - spread[1].z))


def _inside(turn: float) -> int:
    return LEFT if turn > 0 else RIGHT


class _Stage:
    """Performs clips with one body, rate and seed; every clip gets a seed of its own."""

    def __init__(self, performer: Performer, seed: int, fps: float) -> None:
        self.performer, self.seed, self.fps = performer, seed, fps
        self.clips: list[PerformerClip] = []

    def add(
        self,
        name: str,
        action: str,
        style: str,
        steps: Sequence[Step],
        gestures: Sequence[Gesture] = (),
        *,
        first: int = RIGHT,
        speed: float = 0.0,
        lead_in: float = 0.3,
        lead_out: float = 0.9,
    ) -> None:
        plan = plan_steps(self.performer, steps, first=first, lead_in=lead_in, lead_out=lead_out)
        clip = perform(
            self.performer,
            plan,
            gestures,
            fps=self.fps,
            seed=self.seed + len(self.clips),
            name=name,
            action=action,
            style=style,
            speed=speed,
        )
        self.clips.append(clip)

    def walks(self) -> None:
        for k, (speed, count) in enumerate(((0.6, 2), (1.1, 4), (1.6, 4), (2.2, 4))):
            steps = walking_steps(self.performer, speed, count)
            self.add(f"walk_{speed:g}", "walk", f"{speed:g} m/s", steps, first=(RIGHT, LEFT)[k % 2], speed=speed)

    def curves(self) -> None:

        for degrees in (18,):
            for side, sign in (("left", 1), ("right", -1)):
                steps = walking_steps(self.performer, 1.1, 4, turn=sign * np.radians(degrees))
                self.add(f"curve_{side}_{degrees}", "turn", f"{side}, {degrees} degrees per step", steps,
                         first=_inside(-sign), speed=1.1)  # fmt: skip

    def turns(self) -> None:

        for degrees, over in ((90, 3), (180, 5)):
            for side, sign in (("left", 1), ("right", -1)):
                steps = turning_steps(self.performer, 1.1, sign * np.radians(degrees), over)
                self.add(f"turn_{side}_{degrees}", "turn", f"{side}, {degrees} degrees", steps, first=_inside(sign))
        gait = walking_gait(self.performer, _SLOW)
        for degrees, pairs in ((90, 2),):
            for side, sign in (("left", 1), ("right", -1)):
                steps = spot_turn_steps(gait, sign * np.radians(degrees), pairs)
                self.add(f"spot_{side}_{degrees}", "turn", f"{side}, {degrees} degrees on the spot", steps,
                         first=_inside(sign))  # fmt: skip

    def others(self) -> None:
        body = self.performer
        slow = walking_gait(body, _SLOW)
        for side, sign in (("left", 1), ("right", -1)):
            steps = side_steps(body, slow, sign * 0.14 * body.height, 2)
            self.add(f"side_{side}", "sidestep", side, steps, first=_inside(sign))
        self.add("run_3", "run", "3 m/s", running_steps(body, 3.0, 8), speed=3.0)
        shifts = (WeightShift(0.3, 0.5, 0.8), WeightShift(2.6, 0.5, -0.8))
        self.add("stand", "stand", "weight shifts", (), shifts, lead_in=4.5)
        self.reaches()
        wide = side_steps(body, slow, -0.14 * body.height, 1)
        steps = [wide[0], replace(wide[1], wait=Swing(0.0).duration)]
        self.add("swing", "swing", "both arms", steps, (Swing(1.7),))

    def reaches(self) -> None:
        high, front, side = (0.08, 0.92, 0.22), (0.06, 0.78, 0.34), (0.36, 0.70, 0.14)
        across, low = (-0.10, 0.70, 0.30), (0.12, 0.36, 0.24)
        for k, (x, y, z) in enumerate((front, high, side, across, low)):
            for hand in ((RIGHT, LEFT) if k == 0 else (RIGHT,)):
                word, sign = (("left", 1.0), ("right", -1.0))[hand]
                label = ("front", "high", "side", "across", "low")[k]
                self.add(f"reach_{word}_{label}", "reach", f"{word}, {label}", (),
                         (Reach(hand, (sign * x, y, z), 0.3),), lead_in=2.2)  # fmt: skip

        steps = walking_steps(self.performer, 1.1, 1)
        arrived = plan_steps(self.performer, steps).stances[-1].strike
        self.add("walk_reach", "reach", "right, after walking", steps,
                 (Reach(RIGHT, (-0.06, 0.80, 0.33), arrived + 0.15),), lead_out=3.2)  # fmt: skip


def performer_clips(
    seed: int = 0, fps: float = 30.0, *, performer: Performer | None = None
) -> tuple[PerformerClip, ...]:
    """Make the default clips: walks, curves, turns, side steps, a run, standing, reaches and a swing.

    Parameters
    ----------
    seed : int
        Seed of sway and breathing; the same seed gives the same bytes.
    fps : float
        Frames per second.
    performer : Performer, optional
        Who performs; 1.75 m and 70 kg when not given.
    """
    stage = _Stage(make_performer() if performer is None else performer, seed, fps)
    stage.walks()
    stage.curves()
    stage.turns()
    stage.others()
    return tuple(stage.clips)
