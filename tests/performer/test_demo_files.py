"""The files of the built-in clips that the package keeps."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.io import load
from motionloom.performer.demo_files import demo_files, perform_files


def test_kept_files_are_those_of_the_performer(tmp_path):
    """Numbers are compared, not bytes: machines round the last digit otherwise."""
    kept, performed = demo_files(), perform_files()
    assert list(kept) == list(performed)
    assert list(kept)[-1] == "markers.trc"
    for name in kept:
        texts = []
        for folder, write in (("kept", kept[name]), ("performed", performed[name])):
            place = tmp_path / folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            write(place)
            texts.append(place.read_text().split())
        ours, theirs = texts
        assert len(ours) == len(theirs), f"{name}: run python tools/build_demo.py"
        numbers = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
        values = np.array(numbers, float).reshape(-1, 2)
        assert np.abs(np.diff(values)).max(initial=0.0) < 2e-4, f"{name}: run tools/build_demo.py"


@pytest.mark.parametrize("seed", [1])
def test_another_seed_is_performed(tmp_path, seed):
    place = tmp_path / "walk.bvh"
    demo_files(seed)["clips/walk_1.1.bvh"](place)
    other = load(place)
    demo_files()["clips/walk_1.1.bvh"](place)
    assert np.abs(load(place).rotations - other.rotations).max() > 1e-4
