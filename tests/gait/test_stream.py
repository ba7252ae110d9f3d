"""Gait streamed frame by frame."""

import numpy as np
import pytest

from motionloom.edit.limbs import solve_limb
from motionloom.errors import InvalidInputError
from motionloom.gait._stream import GaitStream
from motionloom.gait.report import lowest_point, stance_speeds
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion

FPS = 60.0


def _walk(table, seconds, steer):
    stream = GaitStream(table, FPS)
    frames = []
    for i in range(round(seconds * FPS)):
        steer(stream, i / FPS)
        frames.append(stream.step())
    posed = PosedMotion(stream.collect(frames), table.body.roles)
    down = np.array([frame.standing for frame in frames])
    return stream, posed, down


def _tour(stream, time):
    """Walk, turn left, run, turn back, stand."""
    wanted = [(0.5, 0.0, 0.0), (3, 1.3, 0.0), (5, 1.3, np.pi / 2), (8, 2.8, np.pi / 2)]
    wanted += [(10, 1.2, np.pi), (99, 0.0, np.pi)]
    _, speed, heading = next(row for row in wanted if time < row[0])
    stream.want(speed, heading)


def test_feet_stand_on_a_tour_with_turns_a_run_and_a_halt(table):
    _, posed, down = _walk(table, 13.0, _tour)
    slow = [s.speed for s in stance_speeds(posed, table.body.soles, down)]
    assert len(slow) > 15
    assert max(slow) < 0.15
    assert lowest_point(posed, table.body.soles) < 1e-3
    assert down[-1].all()
    assert np.abs(np.diff(posed.positions[-20:], axis=0)).max() < 2e-3


def test_it_goes_where_it_is_asked_to_and_as_fast(table):
    stream, _, _ = _walk(table, 6.0, lambda s, t: s.want(1.4, 1.0))
    assert stream.speed == pytest.approx(1.4, abs=0.02)
    assert stream.stand.angle == pytest.approx(1.0, abs=0.02)


def test_the_next_step_answers(table):
    straight = _walk(table, 4.6, lambda s, t: s.want(1.3, 0.0))[1]
    turned = _walk(table, 4.6, lambda s, t: s.want(1.3, 0.0 if t < 4.0 else 1.5))[1]
    tips = [leg.tip for leg in table.legs.values()]
    apart = np.abs(turned.positions[-1, tips] - straight.positions[-1, tips])[:, 0]
    assert apart.max() > 0.05


def test_nothing_jumps(table):
    _, posed, _ = _walk(table, 11.0, _tour)
    speed = np.linalg.norm(np.diff(posed.positions, axis=0), axis=-1) * FPS
    assert speed.max() < 4.0 * 2.8


def test_legs_bend_as_the_limbs_of_a_motion_do(table):
    stream = GaitStream(table, FPS, GroundTransform(0.4, 1.0, 2.0))
    stream.want(1.3)
    for _ in range(90):
        frame = stream.step()
    posed = PosedMotion(stream.collect([frame]), table.body.roles)
    for leg in table.legs.values():
        again = solve_limb(posed, leg, posed.positions[:, leg.tip], posed.rotations[:, leg.tip])
        moved = posed.with_local(again)
        assert np.allclose(moved.positions, posed.positions, atol=1e-6)


def test_a_rate_has_to_be_positive(table):
    with pytest.raises(InvalidInputError, match="positive"):
        GaitStream(table, 0.0)
