"""Toys of gaits, waiting and gaps: small work that runs their kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from idle.standing import stand
from motionloom import rotations as rot
from motionloom.analysis.soles import SolePoint, Soles
from motionloom.gait._stream import GaitStream
from motionloom.gait.cycle import GaitBody, GaitCycle
from motionloom.gait.path._lay import lay, plan_gait
from motionloom.gait.path.tables.table import make_table
from motionloom.gait.path.way.route import straight_route
from motionloom.gait.path.way.timing import steady
from motionloom.idle import (
    IdleStream,
    IdleStreamOptions,
    Shift,
    begin_idle,
    fit_idle,
)
from motionloom.idle.learning.recording import prepare_recording
from motionloom.motion import GroundTransform
from motionloom.roles import find_roles
from walkers import NAMES, SKELETON


def stick_gait():
    """A walk and a run of a stick figure."""
    feet = (("left_foot", 3), ("right_foot", 6))
    points = [
        SolePoint(foot, part, joint, (0.0, -0.05, ahead), 0.0)
        for foot, joint in feet
        for part, ahead in (("heel", -0.05), ("toe", 0.12))
    ]
    soles = Soles(tuple(points), 0.8, 0.0)
    roles = find_roles(SKELETON)
    # What hangs on the hips besides the legs is turned back against their lean.
    roles = replace(roles, joints={**roles.joints, "spine": NAMES.index("Head")})
    body = GaitBody(SKELETON, roles, 0, soles, 0.85)
    made = [_stick_cycle(1.2, 1.0, 0.62, "walk"), _stick_cycle(3.0, 0.7, 0.35, "run")]
    return make_table(made, body)


def _stick_cycle(speed, duration, stance, behaviour):
    phase = np.arange(20) / 20
    turns = np.zeros((20, 8, 3))
    for joint, begin in ((1, 0.0), (4, 0.5)):
        turns[:, joint, 0] = -0.4 * np.cos(2 * np.pi * (phase - begin))
        turns[:, joint + 1, 0] = 0.3 + 0.3 * np.cos(2 * np.pi * (phase - begin - 0.75))
    down = [(phase - begin) % 1.0 < stance for begin in (0.0, 0.0, 0.5, 0.5)]
    places = np.zeros((20, 3))
    places[:, 1] = 0.84
    return GaitCycle(
        rotations=rot.from_rotvec(turns),
        deviations=places,
        contacts=np.column_stack(down),
        duration=duration,
        speed=speed,
        behaviour=behaviour,
    )


def a_gait_that_is_steered(folder):
    stream = GaitStream(stick_gait(), 20.0)
    frames = []
    for frame in range(90):
        stream.want(3.0 if frame > 30 else 1.2, 0.02 * frame)
        frames.append(stream.step())
    laid = lay(plan_gait(stick_gait(), straight_route(2.0), steady(1.2, 1.5, 20.0)))
    streamed = (np.stack([f.rotations for f in frames]), np.stack([f.place for f in frames]))
    return (*streamed, laid.rotations, laid.ankles, laid.turns)


def somebody_who_waits(folder):
    recording = prepare_recording(stand(14.0, ((6.0, "left"),)).motion)
    model = fit_idle([recording])
    shown = IdleStream(model, 45.0, begin_idle(model, 1)).frames(20)
    varied, _ = model.variations.go_on(model.variations.begin(np.random.default_rng(0)), 5)
    return shown.rotations, shown.translations, varied


def somebody_who_steps(folder):
    """Feet go from one place to another between two postures."""
    recording = prepare_recording(stand(14.0, ((6.0, "left"),)).motion)
    model = fit_idle([recording])
    way = np.linspace(0.0, 1.0, 12)[:, None, None]
    feet = model.rests[0].feet + way * way * (3 - 2 * way) * [0.0, 0.0, 0.05]
    turns = np.repeat(model.rests[0].turns[None], 12, axis=0)
    postures = np.repeat(model.rests[0].posture[None], 12, axis=0)
    ends = {"begin": model.rests[0].category, "end": model.rests[-1].category}
    steps = Shift(postures, **ends, feet=feet, turns=turns, moved=GroundTransform(0.1, 0.0, 0.05))
    wide = replace(model.limits, width=1.0, speed=10.0, acceleration=100.0)  # nobody stepped here
    walker = replace(model, shifts=(steps,), limits=wide)
    quick = IdleStreamOptions(restlessness=30.0)
    shown = IdleStream(walker, 30.0, begin_idle(walker, 1), quick).frames(60)
    return shown.rotations, shown.translations


TOYS = (
    a_gait_that_is_steered,
    somebody_who_waits,
    somebody_who_steps,
)
