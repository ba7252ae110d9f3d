"""Limbs without markers are refused by name, markers that are elsewhere are problems."""

from dataclasses import replace

import numpy as np
import pytest

from marked_bodies import trial
from motionloom.errors import NotObservedError
from motionloom.fitting import fit_markers
from motionloom.fitting.calibration._result import MOST_OFF, misplaced_markers
from motionloom.fitting.limbs import unobserved_limbs
from motionloom.io import load_markers
from motionloom.io.opensim.angles import opensim_angles

#: Markers of both legs below the pelvis.
LEG = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE", "MT5")
#: The performer's markers under other conventions; what is left out keeps its name.
CONVENTIONS = {
    "OpenSim": {
        "SHO": "ACR", "UPA": "UA1", "ELB": "LEL", "FRM": "FAsuperior", "WRA": "FAradius",
        "WRB": "FAulna", "THI": "TH1", "KNE": "LFC", "TIB": "TB1", "ANK": "LMAL", "HEE": "CAL",
    },
    "Visual3D": {
        "SHO": "SHL", "ELB": "LELB", "WRA": "RAD", "WRB": "ULN", "ASI": "ASIS", "PSI": "PSIS",
        "THI": "TH1", "KNE": "LK", "TIB": "SH1", "ANK": "LA", "HEE": "HEEL", "TOE": "MT2",
    },
    "CAST": {
        "SHO": "AC", "ELB": "HLE", "WRA": "RSP", "WRB": "USP", "ASI": "IAS", "PSI": "IPS",
        "THI": "TH", "KNE": "FLE", "TIB": "SK", "ANK": "FAL", "HEE": "FCC", "TOE": "FM2",
        "MT5": "FM5",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def markers():
    whole = trial(50.0)
    return whole[20:80]


def renamed(markers, names):
    """Markers whose labels behind the side are others."""
    return replace(markers, labels=tuple(x[0] + names.get(x[1:], x[1:]) for x in markers.labels))


def without(markers, parts, sides="LR"):
    """Markers but those of some parts."""
    return keep(markers, lambda label: label[0] in sides and label[1:] in parts)


def keep(markers, dropped):
    kept = [i for i, label in enumerate(markers.labels) if not dropped(label)]
    return replace(
        markers,
        labels=tuple(markers.labels[i] for i in kept),
        positions=markers.positions[:, kept],
        valid=markers.valid[:, kept],
    )


@pytest.mark.parametrize("name", sorted(CONVENTIONS))
def test_conventions_of_laboratories_fit_with_legs(markers, name):
    fitted = fit_markers(renamed(markers, CONVENTIONS[name]))
    assert not fitted.unobserved
    assert not fitted.problems
    assert fitted.tracked.rms < 0.01


def test_legs_under_labels_that_nobody_knows_are_refused_with_the_nearest_known(markers):
    odd = renamed(markers, {part: part + "Q" for part in LEG})
    with pytest.raises(NotObservedError) as refused:
        fit_markers(odd)
    said = str(refused.value)
    assert "the left leg and the right leg" in said
    assert "14 of its labels are not known" in said
    assert "LKNEQ: LKNE" in said
    assert refused.value.exit_code == 1


def test_feet_alone_are_no_leg(markers):
    with pytest.raises(NotObservedError, match=r"the left leg \(thigh, shank\)"):
        fit_markers(without(markers, ("THI", "KNE", "TIB", "ANK", "MT5"), "L"))


def test_a_foot_with_three_markers_tells_the_shank_above_it(markers):
    fitted = fit_markers(without(markers, ("TIB", "ANK")))
    assert not fitted.unobserved


def test_a_limb_that_a_trial_does_not_see_is_refused_with_a_model_too(markers):
    model = fit_markers(markers).model
    unseen = markers.valid.copy()
    arm = [i for i, x in enumerate(markers.labels) if x in ("RUPA", "RELB", "RFRM", "RWRA", "RWRB")]
    unseen[:, arm] = False
    with pytest.raises(NotObservedError, match="the right arm; it has no other markers"):
        fit_markers(replace(markers, valid=unseen), model=model)


def test_the_rest_is_fitted_on_request_and_what_is_not_observed_is_masked(markers):
    fitted = fit_markers(without(markers, LEG), partial=True)
    assert [limb.name for limb in fitted.unobserved] == ["left leg", "right leg"]
    assert "left leg: too few markers" in fitted.to_text()
    assert '"unobserved"' in fitted.to_json()
    joints = sorted(fitted.unknown_joints)
    assert not fitted.tracked.observed[:, joints].any()
    assert fitted.tracked.observed[:, fitted.model.skeleton.index("LeftForeArm")].all()
    columns = opensim_angles(fitted.motion, fitted.model.roles, fitted.unknown_joints).columns
    assert "elbow_flex_l" in columns
    assert not {"knee_angle_l", "hip_flexion_r", "ankle_angle_l"} & set(columns)


def test_a_head_without_markers_counts_as_not_observed(markers):
    fitted = fit_markers(keep(markers, lambda label: label.endswith("HD")))
    assert not fitted.tracked.observed[:, fitted.model.skeleton.index("Neck")].any()
    assert "Neck, Head" in fitted.to_text()


def test_a_marker_on_another_segment_is_a_problem(markers):
    """What is called a toe hangs from a shank."""
    shank = markers.positions[:, markers.index("LTIB")]
    positions = markers.positions.copy()
    positions[:, markers.index("LTOE")] = shank + np.array([0.0, 0.02, 0.02])
    fitted = fit_markers(replace(markers, positions=positions))
    assert any(problem.startswith("LTOE lies") for problem in fitted.problems)
    assert sum("LTOE lies" in line for line in fitted.to_text().splitlines()) == 1


def test_the_median_decides_whether_a_marker_is_elsewhere():
    away = np.full((10, 2), MOST_OFF / 2)
    away[:4, 0] = 1.0
    away[:6, 1] = 1.0
    seen = np.ones((10, 2), bool)
    assert misplaced_markers(("A", "B"), away, seen) == {"B": 1.0}
    seen[:, 1] = False
    assert not misplaced_markers(("A", "B"), away, seen)


def test_a_run_with_clusters_fits_with_legs(shared_data):
    run = load_markers(shared_data / "markers/rajagopal/motion_capture_run.trc")[:60]
    fitted = fit_markers(run)
    assert not fitted.problems
    assert fitted.tracked.rms < 0.006
    assert not unobserved_limbs(fitted.model, np.ones(len(fitted.model.labels), bool))
