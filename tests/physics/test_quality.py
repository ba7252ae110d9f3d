"""Physical terms of quality, as syntheses and naturalness report them."""

import numpy as np
import pytest

from motionloom.analysis.soles import fit_soles
from motionloom.performer import make_performer, perform, plan_steps, walking_steps
from motionloom.physics.body import make_body
from motionloom.physics.ground._balance import analyse_balance
from motionloom.physics.quality import MOST_CLIPS, physical_terms, quality_of
from motionloom.posed_motion import pose_motion
from weighed_bodies import standing


@pytest.fixture(scope="module")
def walk():
    performer = make_performer()
    return pose_motion(
        perform(performer, plan_steps(performer, walking_steps(performer, 1.2, 3))).motion
    )


def test_terms_are_those_of_one_motion_in_percent(walk):
    found = physical_terms([walk], fit_soles([walk]))
    alone = quality_of(analyse_balance(walk, make_body(walk)))
    assert len(found) == 3
    assert list(found.values()) == pytest.approx(
        [100 * alone.unbalanced_share, 100 * alone.slipping_share, 100 * alone.floating_share]
    )


def test_terms_of_many_motions_are_weighted_by_what_they_are_of(walk):
    still = standing(30)
    soles = fit_soles([still])
    many = physical_terms([still, walk], soles)
    one = physical_terms([walk], soles)
    assert all(0 <= many[name] <= one[name] for name in one)
    assert physical_terms([still] * (MOST_CLIPS + 5), soles) == physical_terms([still], soles)


def test_what_has_no_masses_has_no_terms(walk):
    from dataclasses import replace

    dog = pose_motion(walk.motion, replace(walk.roles, kind="dog"))
    assert physical_terms([dog], fit_soles([walk])) == {}


def test_a_body_that_leans_is_not_balanced():
    from dataclasses import replace

    from motionloom import rotations as rot

    posed = standing(60)
    turned = posed.motion.rotations.copy()
    spine = posed.roles.joints["spine"]
    turned[:, spine] = rot.multiply(turned[:, spine], rot.from_rotvec(np.array([-1.5, 0.0, 0.0])))
    bent = pose_motion(replace(posed.motion, rotations=turned), posed.roles)
    name = next(iter(physical_terms([bent], fit_soles([posed]))))
    assert "not balanced" in name
    assert physical_terms([bent], fit_soles([posed]))[name] == pytest.approx(100.0)
