"""The default set of clips: small, seeded, and connected, since every clip starts and ends in the same stance."""

from __future__ import annotations

from motionloom.performer.body import Performer, make_performer
from motionloom.performer.footsteps import Gait, Step, plan_steps, walking_gait
from motionloom.performer.perform import PerformerClip, perform


def straight_steps(gait: Gait, count: int, *, turn: float = 0.0) -> list[Step]:
    """Start, `count` full steps with an even turn, and a closing step."""
    return [
        Step(gait, 0.75 * gait.step_length, turn=0.5 * turn, rolls=0.8),
        *(Step(gait, gait.step_length, turn=turn) for _ in range(count)),
        Step(gait, closes=True, rolls=0.5),
    ]


def walk(performer: Performer, speed: float, steps: int = 6, *, seed: int = 0, fps: float = 30.0) -> PerformerClip:
    """Stand, walk straight ahead and stand again."""
    plan = plan_steps(performer, straight_steps(walking_gait(performer, speed), steps))
    return perform(
        performer, plan, fps=fps, seed=seed, name=f"walk_{speed:g}", action="walk", style=f"{speed:g} m/s", speed=speed
    )


def performer_clips(
    seed: int = 0, fps: float = 30.0, *, performer: Performer | None = None
) -> tuple[PerformerClip, ...]:
    """Make the default clips.

    Parameters
    ----------
    seed : int
        Seed of sway and breathing; the same seed gives the same bytes.
    fps : float
        Frames per second.
    performer : Performer, optional
        Who performs; 1.75 m and 70 kg when not given.
    """
    body = make_performer() if performer is None else performer
    return tuple(walk(body, speed, seed=seed + i, fps=fps) for i, speed in enumerate((0.7, 1.0, 1.2, 1.5)))
