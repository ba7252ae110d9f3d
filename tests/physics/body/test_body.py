"""Bodies against published values and by symmetry."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.physics.body import body_density, make_body, read_mass_table
from motionloom.physics.body._limits import bend_angles, bend_limits, beyond_limits
from motionloom.posed_motion import PosedMotion
from weighed_bodies import performer_body, standing

#: Radii of gyration about the centre across the segment, as shares of its length, of Winter (2009,
#: table 4.1) and de Leva (1996, table 4, men, sagittal).
PUBLISHED = {
    "thigh": (0.323, 0.329),
    "shank": (0.302, 0.255),
    "upper_arm": (0.322, 0.285),
    "forearm": (0.303, 0.276),
}


def test_density_of_a_man_of_usual_build():
    # Winter (2009, section 4.1.1) works the example of 1.80 m and 76 kg out to 1.07 kg/l.
    assert body_density(1.80, 76.0) == pytest.approx(1070, rel=0.005)


def test_shares_add_up_and_both_sides_are_alike():
    body = performer_body()
    assert body.masses.sum() == pytest.approx(70.0)
    names = list(body.names)
    left, right = names.index("LeftUpLeg"), names.index("RightUpLeg")
    assert body.masses[left] == pytest.approx(7.0) == pytest.approx(body.masses[right])
    np.testing.assert_allclose(body.centers[left], body.centers[right], atol=1e-12)
    assert (np.linalg.eigvalsh(body.inertias[body.masses > 0]) > 0).all()


def test_limbs_turn_as_published_ones_do():
    body = performer_body(1.741, 73.0)  # de Leva's mean man
    for part in body.parts:
        if part.segment.kind in PUBLISHED:
            radius = np.sqrt(part.moments[0] / part.mass) / part.segment.length
            low, high = sorted(PUBLISHED[part.segment.kind])
            assert 0.97 * low < radius < 1.12 * high, part.segment.name


def test_trunk_is_as_heavy_to_turn_as_published():
    body = performer_body(1.741, 73.0)
    trunk = [part for part in body.parts if part.segment.kind == "trunk"]
    mass = sum(part.mass for part in trunk)
    assert mass == pytest.approx(0.497 * 73.0)
    rest = standing(height=1.741).positions[0]
    centers = [rest[part.segment.joint] + part.center for part in trunk]
    middle = sum(part.mass * c for part, c in zip(trunk, centers, strict=True)) / mass
    about_side = 0.0
    for part, center in zip(trunk, centers, strict=True):
        arm = (center - middle)[1]
        about_side += part.inertia[0, 0] + part.mass * arm**2
    # De Leva: 0.358 of the length from the shoulders' to the hips' middle, 0.5155 m, men; the
    # thesis' table gives three parts of 0.006-0.009 kg m^2.
    assert np.sqrt(about_side / mass) == pytest.approx(0.358 * 0.5155, rel=0.2)


def test_trunk_hangs_on_the_spine_where_it_bends():
    body = performer_body()
    shares = {body.names[k]: body.masses[k] / 70.0 for k in range(body.n_links)}
    assert shares["Hips"] >= 0.142 - 1e-9
    assert sum(shares[n] for n in ("Hips", "Spine", "Spine1", "Spine2")) == pytest.approx(0.497)
    assert shares["LeftShoulder"] == 0.0


def test_guesses_are_told_and_told_values_are_taken():
    posed = standing(height=1.6)
    guessed = make_body(posed)
    assert guessed.height == pytest.approx(1.6, rel=0.01)
    assert len(guessed.notes) == 2
    assert make_body(posed, 1.7, 60.0).notes == ()


@pytest.mark.parametrize(("height", "mass"), [(175.0, 70.0), (1.75, 0.07), (float("nan"), 70.0)])
def test_builds_of_nobody_are_refused(height, mass):
    with pytest.raises(InvalidInputError, match=r"height|mass"):
        make_body(standing(), height, mass)


def test_a_dog_has_no_published_masses():
    posed = standing()
    with pytest.raises(InvalidInputError, match="quadruped"):
        make_body(PosedMotion(posed.motion, replace(posed.roles, kind="quadruped")))


def test_users_table_replaces_what_it_says(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(
        "thigh: {share: 0.1416, along: 0.4095, gyration: [0.329, 0.329, 0.149]}\n"
        "trunk: {share: 0.4346}\n"
    )
    body = make_body(standing(), 1.75, 70.0, read_mass_table(path))
    assert body.masses.sum() == pytest.approx(70.0)
    thigh = next(p for p in body.parts if p.segment.name == "left_thigh")
    assert np.linalg.norm(thigh.center) == pytest.approx(0.4095 * thigh.segment.length)
    np.testing.assert_allclose(
        np.sqrt(thigh.moments / thigh.mass) / thigh.segment.length, [0.329, 0.329, 0.149]
    )
    shank = next(p for p in body.parts if p.segment.name == "left_shank")
    assert thigh.mass / shank.mass == pytest.approx(0.1416 / 0.0465)


@pytest.mark.parametrize(
    "text", ["wing: {share: 0.1}", "thigh: {share: 7}", "thigh: {weight: 0.1}", "[", "thigh: 3"]
)
def test_bad_tables_are_refused(tmp_path, text):
    path = tmp_path / "table.yaml"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"table\.yaml"):
        read_mass_table(path)


def test_straight_legs_are_straight_and_a_folded_knee_is_beyond_its_range():
    posed = standing()
    knee = next(limit for limit in bend_limits(posed) if limit.name == "left_knee")
    np.testing.assert_allclose(bend_angles(posed.positions, knee), np.pi, atol=1e-6)
    assert beyond_limits(posed) == {}
    turns = posed.motion.rotations.copy()
    turns[10, knee.joint] = [np.cos(np.radians(85)), np.sin(np.radians(85)), 0.0, 0.0]
    folded = posed.with_local_rotations(turns)
    assert beyond_limits(folded)["left_knee"] == pytest.approx(15.0, abs=1e-6)
