"""Styles that change on the way."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.constraints import StyleConstraint
from motionloom.gait.path._lay import lay, plan_gait, plant
from motionloom.gait.path.tables._mix import EASE_TIME, TableMix, as_mix, style_shares
from motionloom.gait.path.way.timing import steady
from motionloom_evaluation.gait.bends import Bend, route_of_bends

FPS = 60.0


def style(begin, end, label):
    return StyleConstraint(**{"from": begin, "to": end, "label": label})


def test_styles_come_and_go_about_the_ends_of_their_span():
    shares = style_shares([style(2.0, 4.0, "old")], 361, FPS)["old"]
    assert shares[120] == pytest.approx(0.5)
    assert shares[240] == pytest.approx(0.5)
    assert shares[180] == 1.0
    assert shares[round(FPS * (2.0 - EASE_TIME / 2)) - 1] == 0.0
    assert np.abs(np.diff(shares)).max() < 0.03


def test_styles_at_once_share_the_body():
    spans = [style(0.0, 6.0, "old"), style(3.0, 6.0, "sad"), style(1.0, 2.0, "old")]
    shares = style_shares(spans, 361, FPS)
    assert shares["old"][0] == 1.0
    assert np.allclose(shares["old"] + shares["sad"], 1.0)
    assert shares["old"][-1] == pytest.approx(0.5)


@pytest.fixture(scope="module")
def stooped(table):
    """The same gait, stooping and with slower steps."""
    from dataclasses import replace

    rotations = table.rotations.copy()
    spine = table.body.roles.joints["chest"]
    bent = rot.from_rotvec(np.array([0.5, 0.0, 0.0]))
    rotations[:, :, spine] = rot.multiply(rotations[:, :, spine], bent)
    return replace(table, rotations=rotations, durations=table.durations * 1.2)


def test_a_style_changes_the_body_and_the_pace_and_feet_stay(table, stooped):
    n = 481
    share = style_shares([style(3.0, 5.0, "stooped")], n, FPS)["stooped"]
    mix = TableMix((table, stooped), np.column_stack([1 - share, share]), ("", "stooped"))
    route = route_of_bends([Bend(length=12.0)])
    woven = plant(lay(plan := plan_gait(mix, route, steady(1.3, 8.0, FPS))), plan)
    plain = plant(lay(plan := plan_gait(table, route, steady(1.3, 8.0, FPS))), plan)
    head = table.body.roles.joints["head"]
    lower = plain.posed.positions[:, head, 1] - woven.posed.positions[:, head, 1]
    assert lower[240] > 0.02
    assert np.abs(lower[:100]).max() < 1e-6
    assert woven.plan.way.phases[-1] < plain.plan.way.phases[-1] - 0.2
    tip = table.legs["left_foot"].tip
    down = woven.plan.steps[0].share < 0.4
    still = down[1:] & down[:-1]
    middle = np.abs(woven.plan.steps[0].share - 0.22) < 0.06
    speeds = FPS * np.linalg.norm(np.diff(woven.posed.positions[:, tip, ::2], axis=0), axis=1)
    assert np.median(speeds[still & middle[1:]]) < 0.3


def test_one_table_is_a_mix_of_itself(table):
    mix = as_mix(table, 10)
    speeds = np.linspace(0.0, 2.0, 10)
    assert np.allclose(
        mix.over(lambda t: t.durations, speeds), table.mixed(table.durations, speeds)
    )
    assert np.allclose(mix.fastest(), table.speeds[-1])
    assert as_mix(mix, 99) is mix
    assert np.allclose(mix.standing(lambda t: t.strikes, 3), table.strikes[0])
