"""What stands on the contact sheet of several motions."""

from types import SimpleNamespace

from motionloom.workspace.outputs import _verdict


def test_every_motion_is_judged_by_its_own_figures():
    sources = SimpleNamespace(skate_mean=2.0, acceleration_p99=40.0)
    report = SimpleNamespace(seed=3, sources=sources)
    rows = [SimpleNamespace(skate_mean=s, seam_acceleration=a) for s, a in ((1, 20), (3, 60))]
    first, second = (_verdict(report, row) for row in rows)
    assert "skate 0.50 x" in first
    assert "seams 0.50 x" in first
    assert "skate 1.50 x" in second
    assert "seams 1.50 x" in second


def test_clips_that_never_slide_are_no_measure():
    sources = SimpleNamespace(skate_mean=0.0, acceleration_p99=0.0)
    row = SimpleNamespace(skate_mean=1.0, seam_acceleration=1.0)
    assert "skate 0.00 x" in _verdict(SimpleNamespace(seed=0, sources=sources), row)
