"""Where walking ends and running begins."""

from pathlib import Path

import numpy as np
import pytest

from motionloom.analysis.contacts import detect_contacts
from motionloom.gait.make import make_at_speed
from motionloom.gait.space.gather import CONTACTS, gather_examples
from motionloom.gait.space.space import FASTER, LEAST_WIDTH, WIDTH, Walker, change_between

SHARED = Path(__file__).parents[4] / "shared" / "data"


@pytest.mark.parametrize(
    ("walked", "run"), [(1.3, 3.1), (1.72, 2.5), (1.95, 2.0), (2.4, 2.0), (0.9, 1.2)]
)
def test_captured_walks_are_walked_and_captured_runs_are_run_where_there_is_room(walked, run):
    change = change_between(walked, run, 0.92)
    assert change.walks_to >= FASTER * walked
    assert change.runs_from >= change.walks_to + LEAST_WIDTH - 1e-12
    if run >= FASTER * walked + WIDTH:
        assert change.runs_from <= run


def test_among_speeds_that_nobody_was_captured_at_froude_decides():
    change = change_between(1.2, 3.5, 0.92)
    assert change.middle**2 / (9.81 * 0.92) == pytest.approx(0.5)


def shares_of(down):
    """Shares of frames (T, 2) with both feet down, and with none."""
    return float(down.all(axis=1).mean()), float((~down.any(axis=1)).mean())


def check_walks(motions):
    """Every captured walking speed is walked: no flight, double support as captured."""
    from motionloom.gait.space.fit import learn_gait

    found = gather_examples(motions)
    space = learn_gait(found)
    takes = {e.take: e for e in found.examples if e.cycle.behaviour == "walk"}
    for take in takes:
        own = [e for e in found.examples if e.take == take]
        half = own[0].cycle.contacts.shape[1] // 2
        feet = np.stack([e.cycle.contacts for e in own])
        captured = np.stack(
            [feet[..., :half].any(axis=-1), feet[..., half:].any(axis=-1)], axis=-1
        ).reshape(-1, 2)
        speed = float(np.mean([e.stride.speed for e in own]))
        person = own[0].cycle.person
        made = make_at_speed(space, speed, 5.0, 60.0, Walker(person=person)).woven
        soles = made.plan.table.body.soles
        contacts = detect_contacts(made.posed, CONTACTS, soles)
        down = np.column_stack([contacts.foot(f"{s}_foot") for s in ("left", "right")])
        both, flight = shares_of(down)
        assert flight == 0.0, take
        assert both == pytest.approx(shares_of(captured)[0], abs=0.03), take


@pytest.mark.parametrize(
    "takes",
    [
        ("16/16_15", "16/16_21", "16/16_47", "16/16_08"),
        ("02/02_01", "02/02_03"),
    ],
)
def test_speeds_at_which_somebody_was_captured_walking_are_walked(takes):
    from motionloom.io.registry import load

    files = [SHARED / "cmu_asf_amc" / f"{take}.amc" for take in takes]
    if not all(file.exists() for file in files):
        pytest.skip("needs the shared captures cmu_asf_amc")
    check_walks([load(file) for file in files])
