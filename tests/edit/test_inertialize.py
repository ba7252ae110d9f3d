from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.edit.displacement import Seam, decay, inertialize
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

SKELETON = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1, 0], [0, 0.5, 0]]))
FPS = 3000.0


def test_decay_starts_and_ends_as_it_says():
    h = 1e-4
    value, speed = decay(np.array([0.0, h, 2 * h]), 0.5, 0.3)
    assert value[0] == 1.0
    assert (value[1] - value[0]) / h == pytest.approx(0.0, abs=1e-5)
    assert speed[0] == 0.0
    assert (speed[1] - speed[0]) / h == pytest.approx(1.0, abs=1e-5)
    for curve, end in zip(
        decay(np.array([0.5 - h, 0.5, 0.6, 0.3 - h, 0.3]), 0.5, 0.3), (0, 3), strict=True
    ):
        assert np.abs(curve[end : end + 2]).max() < 1e-9
    assert np.all(np.array(decay(-0.1, 0.5, 0.3)) == 0)


def _pieces(seed, lengths):
    """Turning joints and a moving root, with jumps of pose and of speed between the pieces, very
    finely sampled.
    """
    rng = np.random.default_rng(seed)
    pieces = []
    for n in lengths:
        start, rate = 0.4 * rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
        t = np.arange(n + 1)[:, None, None] / FPS
        quats = rot.multiply(rot.from_rotvec(start), rot.from_rotvec(rate * t))
        place = 0.1 * rng.normal(size=(1, 1, 3)) + 0.5 * rng.normal(size=(1, 1, 3)) * t
        pieces.append(Motion(SKELETON, quats, place, 1 / FPS))
    motion = replace(
        pieces[0],
        rotations=np.concatenate([p.rotations[:-1] for p in pieces]),
        translations=np.concatenate([p.translations[:-1] for p in pieces]),
    )
    frames = np.cumsum(lengths)[:-1]
    return motion, [
        Seam(int(f), p.rotations[-1], p.translations[-1])
        for f, p in zip(frames, pieces, strict=False)
    ]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(300, 1500), min_size=2, max_size=4))
def test_pose_and_speed_go_on_over_seams(seed, lengths):
    motion, seams = _pieces(seed, lengths)
    out = inertialize(motion, seams, 0.4, 0.3)
    steps = rot.to_rotvec(rot.multiply(rot.conjugate(out.rotations[:-1]), out.rotations[1:])) * FPS
    speeds = np.diff(out.translations, axis=0) * FPS
    for seam in seams:
        f = seam.frame
        assert np.linalg.norm(steps[f] - steps[f - 2], axis=-1).max() < 0.2
        assert np.abs(speeds[f] - speeds[f - 2]).max() < 0.05
    np.testing.assert_allclose(
        out.rotations[: seams[0].frame], motion.rotations[: seams[0].frame], atol=1e-12
    )
    settled = seams[-1].frame + int(0.4 * FPS) + 1
    np.testing.assert_allclose(out.translations[settled:], motion.translations[settled:], atol=1e-9)


def test_bad_spans_and_seams_are_refused():
    motion, seams = _pieces(0, [300, 300])
    with pytest.raises(InvalidInputError, match="positive"):
        inertialize(motion, seams, 0.0)
    with pytest.raises(InvalidInputError, match="outside"):
        inertialize(motion, [replace(seams[0], frame=600)])
