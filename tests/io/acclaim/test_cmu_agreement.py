"""A CMU trial read from ASF/AMC and from a BVH conversion is the same motion."""

import importlib.util
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location(
    "cmu_agreement",
    Path(__file__).resolve().parents[3] / "evaluation" / "benchmarks" / "cmu_agreement.py",
)
agreement = importlib.util.module_from_spec(spec)
spec.loader.exec_module(agreement)

TRIALS = ["01_01", "02_03", "05_01", "16_15", "16_31", "49_06"]


@pytest.fixture(scope="module")
def compared(shared_data):
    found = {amc.stem: (amc, bvh) for amc, bvh in agreement.pairs(shared_data)}
    return {trial: agreement.compare(*found[trial]) for trial in TRIALS}


@pytest.mark.parametrize("trial", TRIALS)
def test_root_legs_and_spine_agree_within_a_fiftieth_of_a_millimetre(compared, trial):
    for part in ("root", "legs", "spine"):
        assert compared[trial][part]["max_mm"] < 0.02, part


@pytest.mark.parametrize("trial", TRIALS)
def test_all_joints_have_the_same_world_orientation(compared, trial):
    assert max(row["angle_max_deg"] for row in compared[trial].values()) < 0.001


@pytest.mark.parametrize("trial", TRIALS)
def test_what_is_above_the_thorax_differs_by_that_bone_and_hands_by_their_wrist_bones_too(
    compared, trial
):
    """108 to 123 mm for head and arms, up to 215 mm for hands; nothing is left when the dropped
    bones are put back.
    """
    for part in ("neck and head", "arms"):
        assert 100 < compared[trial][part]["mean_mm"] < 125
        assert compared[trial][part]["max_mm"] - compared[trial][part]["mean_mm"] < 0.02
    for row in compared[trial].values():
        assert row["explained_max_mm"] < 0.02
