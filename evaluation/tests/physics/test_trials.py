"""Real trials over force plates."""

import pytest

from motionloom_evaluation.physics.trials import evaluate_plates, format_plates


@pytest.mark.slow
def test_squats_over_plates(shared_data):
    folder = shared_data / "markers" / "opencap_subject4"
    paths = [str(folder / f"{name}.trc") for name in ("squats1", "static1")]
    squats, static = evaluate_plates(paths)
    assert squats.plates.force_rms < 2.0
    assert static.plates.force_rms < 0.2
    assert static.plates.missed == squats.plates.missed == 0
    assert squats.plates.contacts > 0.94
    assert "filters: zero-phase" in format_plates([squats, static])


def test_a_trial_that_cannot_be_measured_says_why(tmp_path):
    (tmp_path / "empty.trc").write_text("")
    with pytest.raises(Exception, match=r"empty\.trc"):
        evaluate_plates([str(tmp_path / "empty.trc")])
