"""In-betweening as a bridge: how sure it is, and what stays as it was."""

import numpy as np
import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.errors import SynthesisError
from motionloom.inbetween.fillers import doubt_gaps
from motionloom.inbetween.gaps import CONTEXT
from motionloom.inbetween.generator import FittedInbetween
from motionloom.motion import GroundTransform
from motionloom.synthesis.bridges import LOOKED_AT, Bridge

MISSING = 15


def ends(motion, at):
    behind = at + MISSING
    return motion.cut(at - CONTEXT, at), motion.cut(behind, behind + CONTEXT)


@pytest.fixture(scope="module")
def fitted(walks, model):
    return FittedInbetween(analyse_clips(walks), model)


def test_it_is_a_bridge(fitted):
    assert isinstance(fitted, Bridge)
    assert LOOKED_AT == CONTEXT


def test_captured_gaps_are_surer_than_others(walks, fitted):
    walk = walks.motions[0]
    faster = walks.motions[2]
    captured, other = ends(walk, 60), ends(faster, 60)
    doubts = fitted.doubts([captured[0], captured[0]], [captured[1], other[1]], MISSING)
    assert doubts[0] < 0.3
    assert doubts[1] > 2 * doubts[0]


def test_it_does_not_matter_where_on_the_ground(walks, model):
    before, behind = ends(walks.motions[1], 70)
    there = GroundTransform(1.3, 4.0, -2.0)
    moved = [before.transformed(there)], [behind.transformed(there)]
    here = doubt_gaps(model, [before], [behind], MISSING)
    assert doubt_gaps(model, *moved, MISSING) == pytest.approx(here, abs=1e-3)


def test_many_gaps_are_told_as_one_by_one(walks, model):
    pairs = [ends(walks.motions[k], at) for k, at in ((0, 50), (1, 90), (3, 70))]
    together = doubt_gaps(model, *map(list, zip(*pairs, strict=True)), MISSING)
    single = [doubt_gaps(model, [a], [b], MISSING)[0] for a, b in pairs]
    assert together == pytest.approx(single, abs=1e-3)
    assert len(doubt_gaps(model, [], [], MISSING)) == 0


def test_few_frames_stand_for_a_body_at_rest(walks, model):
    before, behind = ends(walks.motions[1], 70)
    assert np.isfinite(doubt_gaps(model, [before.cut(8, 10)], [behind], MISSING)).all()


def test_known_frames_stay(walks, fitted):
    before, behind = ends(walks.motions[1], 70)
    made = fitted.bridge(before, behind, MISSING)
    assert made.motion.n_frames == 2 * CONTEXT + MISSING
    assert np.array_equal(made.motion.rotations[:CONTEXT], before.rotations)
    assert np.array_equal(made.motion.rotations[-CONTEXT:], behind.rotations)
    assert made.contacts.down.shape[0] == made.motion.n_frames


def test_without_a_model_nothing_is_sure(walks):
    before, behind = ends(walks.motions[1], 70)
    nothing = FittedInbetween(analyse_clips(walks), None)
    with pytest.raises(SynthesisError, match="too short to learn from"):
        nothing.doubts([before], [behind], MISSING)
