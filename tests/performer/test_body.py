import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.performer import make_performer
from motionloom.roles import ROLE_NAMES, find_roles


def test_rest_pose_stands_on_the_ground_and_is_as_tall_as_told():
    body = make_performer(1.75)
    skeleton = body.skeleton
    world = np.zeros((skeleton.n_joints, 3))
    for j, parent in enumerate(skeleton.parents):
        world[j] = skeleton.offsets[j] + (world[parent] if parent >= 0 else 0.0)
    tips = world[skeleton.end_parents] + skeleton.end_offsets
    foot = world[skeleton.index("LeftFoot")]
    assert tips[:, 1].max() == pytest.approx(1.75)
    assert tips[:, 1].min() == pytest.approx(0.0, abs=1e-12)
    assert (foot + body.heel)[1] == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(tips[:, 0]) == pytest.approx(1.75, rel=0.15)  # arm span is about stature


def test_every_role_of_a_human_is_found():
    roles = find_roles(make_performer().skeleton)
    assert roles.kind == "human"
    assert set(roles.joints) == set(ROLE_NAMES)


@given(st.floats(1.5, 2.0))
def test_lengths_scale_with_stature(height):
    one, other = make_performer(1.0), make_performer(height)
    np.testing.assert_allclose(other.skeleton.offsets, height * one.skeleton.offsets, atol=1e-12)


@pytest.mark.parametrize("height", [0.3, 3.0, float("nan")])
def test_impossible_bodies_are_refused(height):
    with pytest.raises(InvalidInputError):
        make_performer(height)
