"""The rotation algebra: SciPy as oracle, with angles near zero and near half turns as likely as
others.
"""

import itertools

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError

ORDERS = ["".join(o) for o in itertools.product("XYZ", repeat=3) if o[0] != o[1] and o[1] != o[2]]
PAIRS = ["".join(o) for o in itertools.permutations("XYZ", 2)]

component = st.floats(-1, 1, allow_subnormal=False)
tiny = st.floats(-1e-7, 1e-7, allow_subnormal=False)
#: Angles of all sizes, with those around 0, the series' limit and pi over-represented.
angle = st.one_of(
    st.floats(0, np.pi),
    st.floats(0, 3e-4),
    tiny.map(abs),
    tiny.map(lambda e: np.pi - abs(e)),
    st.sampled_from([0.0, 1e-300, 1e-12, rot.SMALL_ANGLE, np.pi / 2, np.pi]),
)


@st.composite
def unit_vectors(draw):
    v = np.array([draw(component) for _ in range(3)])
    assume(np.linalg.norm(v) > 1e-3)
    return v / np.linalg.norm(v)


@st.composite
def rotvecs(draw):
    return draw(unit_vectors()) * draw(angle)


@st.composite
def quaternions(draw):
    v = draw(rotvecs())
    q = Rotation.from_rotvec(v).as_quat(scalar_first=True)
    return q * draw(st.sampled_from([1.0, -1.0]))


def scipy_rotation(q):
    return Rotation.from_quat(q, scalar_first=True)


def assert_same_rotation(a, b, atol=1e-13):
    assert np.max(rot.angle_between(a, b), initial=0.0) < atol


# --- quaternions


@given(quaternions(), quaternions(), rotvecs())
def test_product_and_rotation_agree_with_scipy(a, b, v):
    expected = (scipy_rotation(a) * scipy_rotation(b)).as_quat(scalar_first=True)
    assert_same_rotation(rot.multiply(a, b), expected)
    np.testing.assert_allclose(rot.rotate(a, v), scipy_rotation(a).apply(v), atol=1e-14)
    np.testing.assert_allclose(
        rot.rotate(rot.multiply(a, b), v), rot.rotate(a, rot.rotate(b, v)), atol=1e-14
    )
    np.testing.assert_allclose(rot.multiply(a, rot.conjugate(a)), [1, 0, 0, 0], atol=1e-15)


@given(quaternions(), quaternions())
def test_angle_between_agrees_with_scipy(a, b):
    expected = (scipy_rotation(a).inv() * scipy_rotation(b)).magnitude()
    assert rot.angle_between(a, b) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("size", [1e-3, 1e-8, 1e-12, 1e-100])
def test_angle_between_is_exact_for_small_angles(size):
    a = rot.from_rotvec([0.3, -1.2, 0.4])
    near_identity = rot.from_rotvec([0.0, size, 0.0])
    assert rot.angle_between(rot.identity(), near_identity) == pytest.approx(size, rel=1e-15)
    assert rot.angle_between(a, rot.multiply(a, near_identity)) == pytest.approx(size, abs=4e-16)


def test_leading_axes_broadcast():
    rng = np.random.default_rng(0)
    a, b = rot.normalize(rng.normal(size=(5, 1, 4))), rot.normalize(rng.normal(size=(3, 4)))
    product = rot.multiply(a, b)
    assert product.shape == (5, 3, 4)
    np.testing.assert_array_equal(product[2, 1], rot.multiply(a[2, 0], b[1]))
    assert rot.rotate(a, np.ones((3, 3))).shape == (5, 3, 3)
    assert rot.slerp(a, b, 0.5).shape == (5, 3, 4)
    assert rot.identity(2, 3).shape == (2, 3, 4)


def test_nothing_changes_its_input():
    rng = np.random.default_rng(1)
    q, v = rot.normalize(rng.normal(size=(6, 4))), 3 * rng.normal(size=(6, 3))
    q0, v0 = q.copy(), v.copy()
    q.setflags(write=False)
    v.setflags(write=False)
    for made in (
        rot.unroll(q),
        rot.normalize(q),
        rot.to_rotvec(q),
        rot.unroll_rotvec(v),
        rot.unroll_euler(v, "ZYX"),
    ):
        assert not np.shares_memory(made, q)
        assert not np.shares_memory(made, v)
    np.testing.assert_array_equal(q, q0)
    np.testing.assert_array_equal(v, v0)


def test_normalize_makes_zero_the_identity():
    np.testing.assert_array_equal(
        rot.normalize([[0, 0, 0, 0], [2, 0, 0, 0]]), [[1, 0, 0, 0], [1, 0, 0, 0]]
    )


@given(st.lists(quaternions(), min_size=1, max_size=8))
def test_unroll_keeps_rotations_and_never_jumps(qs):
    q = np.array(qs)
    out = rot.unroll(q)
    np.testing.assert_array_equal(np.abs(out), np.abs(q))
    np.testing.assert_array_equal(out[0], q[0])
    assert np.all(np.sum(out[1:] * out[:-1], axis=-1) >= -1e-15)


def test_unroll_along_another_axis():
    q = np.array([[[1.0, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0], [1, 0, 0, 0]]])
    np.testing.assert_array_equal(rot.unroll(q, axis=1)[..., 0], [[1, 1, 1, 1]])


# --- exponential map


@given(rotvecs())
def test_exponential_map_agrees_with_scipy_and_its_inverse(v):
    q = rot.from_rotvec(v)
    assert_same_rotation(q, Rotation.from_rotvec(v).as_quat(scalar_first=True), atol=1e-15)
    assert np.linalg.norm(q) == pytest.approx(1, abs=1e-15)
    back = rot.to_rotvec(q)
    if np.linalg.norm(v) < np.pi - 1e-9:
        np.testing.assert_allclose(back, v, atol=1e-14, rtol=1e-14)
    else:  # u pi and -u pi are one rotation
        assert min(np.abs(back - v).max(), np.abs(back + v).max()) < 1e-8
        assert np.linalg.norm(back) <= np.pi + 1e-15


@given(quaternions())
def test_logarithm_does_not_care_for_the_sign(q):
    np.testing.assert_allclose(
        rot.from_rotvec(rot.to_rotvec(q)), q * (1 if q[0] >= 0 else -1), atol=2e-15
    )


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-20, 1e-9, 9.99e-5, 1.001e-4, 1e-2])
def test_small_rotation_vectors_keep_all_digits(size):
    v = size * np.array([0.36, 0.48, 0.8])
    np.testing.assert_allclose(rot.to_rotvec(rot.from_rotvec(v)), v, rtol=4e-16, atol=0)


@given(rotvecs(), unit_vectors())
def test_left_jacobian_is_the_derivative_of_the_exponential_map(v, direction):
    h = 1e-6
    plus, minus = rot.from_rotvec(v + h * direction), rot.from_rotvec(v - h * direction)
    velocity = rot.to_rotvec(rot.multiply(plus, rot.conjugate(minus))) / (2 * h)
    np.testing.assert_allclose(rot.left_jacobian(v) @ direction, velocity, atol=2e-9)


def winding_path(turns, wobble=0.2, n=400):
    """Rotation vectors of a path that winds `turns` times about a slowly wandering axis, not
    wrapped.
    """
    t = np.linspace(0, 1, n)
    axis = np.stack(
        [
            np.cos(wobble * t),
            np.sin(wobble * t) * np.cos(5 * t),
            np.sin(wobble * t) * np.sin(5 * t),
        ],
        -1,
    )
    return axis * (0.5 + 2 * np.pi * turns * t)[:, None]


@pytest.mark.parametrize("turns", [0.45, 0.6, 1.4, 3.3, -0.8])
def test_rotation_vectors_unroll_through_half_and_full_turns(turns):
    path = winding_path(turns)
    wrapped = rot.to_rotvec(rot.from_rotvec(path))
    assert np.linalg.norm(wrapped, axis=-1).max() <= np.pi + 1e-12
    np.testing.assert_allclose(rot.unroll_rotvec(wrapped), path, atol=1e-9)


@given(st.lists(rotvecs(), min_size=1, max_size=8))
@example([np.array(v) for v in ([0, 0, 1.0], [0, 0, -3.0], [0, 1e-9, 0])])
def test_unrolled_rotation_vectors_mean_the_same_and_are_the_nearest(vs):
    v = np.array(vs)
    out = rot.unroll_rotvec(v)
    assert_same_rotation(rot.from_rotvec(out), rot.from_rotvec(v), atol=1e-12)
    for before, now in itertools.pairwise(out):
        size = np.linalg.norm(now)
        if size > 1e-6:
            other = [np.linalg.norm(now * (1 + 2 * np.pi * k / size) - before) for k in (-1, 1)]
            assert np.linalg.norm(now - before) <= min(other) + 1e-9


def test_a_still_frame_inside_a_full_turn_keeps_the_turn():
    path = np.array([[5.9, 0, 0], [2 * np.pi, 0, 0], [6.6, 0, 0]])
    wrapped = rot.to_rotvec(rot.from_rotvec(path))
    wrapped[1] = 0.0
    out = rot.unroll_rotvec(np.concatenate([[[3.0, 0, 0], [4.5, 0, 0]], wrapped]))
    np.testing.assert_allclose(out[2:], path, atol=1e-12)


def test_unrolling_many_series_at_once_is_unrolling_each():
    paths = np.stack([winding_path(0.2), winding_path(1.7), winding_path(-0.9)], axis=1)
    wrapped = rot.to_rotvec(rot.from_rotvec(paths))
    np.testing.assert_array_equal(
        rot.unroll_rotvec(wrapped),
        np.stack([rot.unroll_rotvec(wrapped[:, k]) for k in range(3)], axis=1),
    )


# --- interpolation and means


@given(quaternions(), quaternions(), st.floats(0, 1))
def test_slerp_agrees_with_scipy(a, b, t):
    assume(rot.angle_between(a, b) < np.pi - 1e-4)  # the short way is ambiguous there
    expected = Slerp([0, 1], scipy_rotation(np.stack([a, b])))(t).as_quat(scalar_first=True)
    assert_same_rotation(rot.slerp(a, b, t), expected, atol=1e-11)


@given(quaternions(), quaternions())
def test_slerp_passes_through_its_ends_at_constant_speed(a, b):
    t = np.linspace(0, 1, 9)[:, None]
    path = rot.slerp(a, b, t[:, 0])
    assert_same_rotation(path[0], a, atol=1e-15 + 1e-14)
    assert_same_rotation(path[-1], b, atol=1e-15 + 1e-14)
    steps = rot.angle_between(path[:-1], path[1:])
    np.testing.assert_allclose(steps, rot.angle_between(a, b) / 8, atol=1e-12)


def test_slerp_between_opposite_turns_stays_a_rotation():
    a, b = rot.identity(), np.array([0.0, 1.0, 0.0, 0.0])
    for sign in (1, -1):
        middle = rot.slerp(a, sign * b, 0.5)
        assert np.linalg.norm(middle) == pytest.approx(1)
        assert rot.angle_between(a, middle) == pytest.approx(np.pi / 2)


@given(st.lists(quaternions(), min_size=1, max_size=6), st.data())
def test_mean_agrees_with_scipy(qs, data):
    q = np.array(qs)
    weights = np.array([data.draw(st.floats(0.1, 2)) for _ in qs])
    # A clear mean: the largest eigenvalue of the scatter stands alone.
    eigenvalues = np.linalg.eigvalsh(np.einsum("n,ni,nj->ij", weights, q, q))
    assume(eigenvalues[-1] - eigenvalues[-2] > 1e-3)
    expected = scipy_rotation(q).mean(weights).as_quat(scalar_first=True)
    mean = rot.mean(q, weights)
    assert_same_rotation(mean, expected, atol=1e-10)
    assert mean[0] >= 0


def test_mean_ignores_signs_and_takes_other_axes():
    rng = np.random.default_rng(2)
    center = rot.from_rotvec([0.5, 1.0, -0.3])
    around = rot.multiply(center, rot.from_rotvec(0.1 * rng.normal(size=(40, 3))))
    signs = rng.choice([-1.0, 1.0], size=(40, 1))
    np.testing.assert_allclose(rot.mean(signs * around), rot.mean(around), atol=1e-12)
    both = np.stack([around, around[::-1]])
    np.testing.assert_allclose(rot.mean(both, axis=1)[0], rot.mean(around), atol=1e-12)
    assert rot.angle_between(rot.mean(around), center) < 0.06


# --- matrices and 6D


@given(quaternions())
def test_matrices_agree_with_scipy_and_their_inverse(q):
    m = rot.to_matrix(q)
    np.testing.assert_allclose(m, scipy_rotation(q).as_matrix(), atol=1e-15)
    assert_same_rotation(rot.from_matrix(m), q, atol=1e-15 + 1e-14)
    assert rot.from_matrix(m)[0] >= 0


# --- Euler angles


@pytest.mark.parametrize("order", ["X", "Y", "Z", *PAIRS, *ORDERS])
@given(angles=st.lists(st.floats(-7, 7), min_size=3, max_size=3))
@settings(max_examples=15)
def test_euler_angles_make_the_rotation_that_scipy_makes(order, angles):
    angles = np.array(angles[: len(order)])
    expected = Rotation.from_euler(order, angles).as_quat(scalar_first=True)
    assert_same_rotation(rot.from_euler(angles, order), expected.reshape(4), atol=1e-14)


@pytest.mark.parametrize("order", ORDERS)
@given(q=quaternions())
@settings(max_examples=20)
def test_euler_angles_of_a_rotation_make_it_again(order, q):
    angles = rot.to_euler(q, order)
    assert_same_rotation(rot.from_euler(angles, order), q, atol=1e-14)
    low, high = (0, np.pi) if order[0] == order[2] else (-np.pi / 2, np.pi / 2)
    assert low <= angles[1] <= high
    assert np.all(np.abs(angles) <= np.pi)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("distance", [0.0, 1e-15, 1e-13, 1e-10, 1e-8, 1e-6, 1e-3])
@pytest.mark.parametrize("end", [0, 1])
def test_euler_angles_near_gimbal_lock_lose_nothing(order, distance, end):
    singular = np.pi * end if order[0] == order[2] else np.pi * end - np.pi / 2
    rng = np.random.default_rng(3)
    angles = rng.uniform(-np.pi, np.pi, (200, 3))
    angles[:, 1] = singular + (distance if end == 0 else -distance)
    q = rot.from_euler(angles, order)
    assert_same_rotation(rot.from_euler(rot.to_euler(q, order), order), q, atol=1e-14)


@pytest.mark.parametrize("order", ["X", "Y", "Z", *PAIRS])
@given(angles=st.lists(st.floats(-3.1, 3.1), min_size=2, max_size=2))
@settings(max_examples=15)
def test_one_and_two_axes_give_their_angles_back(order, angles):
    angles = np.array(angles[: len(order)])
    np.testing.assert_allclose(
        rot.to_euler(rot.from_euler(angles, order), order), angles, atol=1e-14
    )


@pytest.mark.parametrize("order", ["X", "Y", "Z", *PAIRS])
def test_one_and_two_axes_take_the_closest_rotation(order):
    rng = np.random.default_rng(4)
    q = rot.normalize(rng.normal(size=(100, 4)))
    angles = rot.to_euler(q, order)
    best = rot.angle_between(rot.from_euler(angles, order), q)
    for size in (1e-3, 0.1, 3.0):
        other = angles + size * rng.normal(size=(300, *angles.shape))
        assert np.all(rot.angle_between(rot.from_euler(other, order), q) >= best - 1e-12)


def smooth_path(n=300, size=4.0):
    """Angles that wander smoothly through several turns and through every middle angle."""
    t = np.linspace(0, 1, n)
    return np.stack([size * np.sin(3 * t), 0.3 + size * t, size * np.cos(4 * t) - size], axis=-1)


@pytest.mark.parametrize("order", ["X", "YZ", *ORDERS])
def test_unrolled_euler_angles_follow_the_path_they_came_from(order):
    path = smooth_path()[:, : len(order)]
    q = rot.from_euler(path, order)
    if len(order) == 3:  # stay clear of the singular middle angles, where the path is not unique
        path = path * [1, 0, 1] + [0, 0.7 if order[0] != order[2] else 2.0, 0]
        q = rot.from_euler(path, order)
    angles = np.concatenate([path[:1], rot.to_euler(q, order)])
    np.testing.assert_allclose(rot.unroll_euler(angles, order)[1:], path, atol=1e-10)


@pytest.mark.parametrize("order", ORDERS)
def test_unrolled_euler_angles_mean_the_same_and_do_not_jump_through_gimbal_lock(order):
    path = smooth_path()
    q = rot.from_euler(path, order)
    out = rot.unroll_euler(rot.to_euler(q, order), order)
    assert_same_rotation(rot.from_euler(out, order), q, atol=1e-12)
    step = np.abs(np.diff(path, axis=0)).max()
    assert np.abs(np.diff(out, axis=0)).max() < 1.5 * step


@pytest.mark.parametrize("order", ORDERS)
def test_exactly_singular_frames_keep_their_last_angle(order):
    path = smooth_path(200)
    singular = np.pi if order[0] == order[2] else np.pi / 2
    path[:, 1] = singular - 0.5
    path[80:120, 1] = singular
    out = rot.unroll_euler(
        np.concatenate([path[:1], rot.to_euler(rot.from_euler(path, order), order)]), order
    )[1:]
    assert_same_rotation(rot.from_euler(out, order), rot.from_euler(path, order), atol=1e-13)
    np.testing.assert_allclose(out[80:120, 2], out[79, 2], atol=1e-12)
    np.testing.assert_allclose(out[:80], path[:80], atol=1e-10)


@given(
    st.sampled_from(ORDERS),
    st.lists(st.lists(st.floats(-9, 9), min_size=3, max_size=3), min_size=1, max_size=6),
)
@example("ZYX", [[0.0, np.pi / 2, 0.0], [1.0, np.pi / 2, 3.0], [0.0, 0.0, 0.0]])
def test_unroll_euler_never_changes_the_rotation(order, rows):
    angles = np.array(rows)
    assert_same_rotation(
        rot.from_euler(rot.unroll_euler(angles, order), order), rot.from_euler(angles, order), 1e-9
    )


@pytest.mark.parametrize("order", ["", "XX", "XYY", "XYZX", "ABC", "X Y"])
def test_an_impossible_order_is_refused(order):
    with pytest.raises(InvalidInputError, match="Euler order"):
        rot.from_euler(np.zeros((2, 3)), order)


def test_a_wrong_count_of_angles_is_refused():
    with pytest.raises(InvalidInputError, match="needs 3 angles, got 2"):
        rot.from_euler(np.zeros((5, 2)), "ZYX")


# --- headings


@given(st.floats(-10, 10))
def test_yaw_turns_forward_towards_plus_x(a):
    np.testing.assert_allclose(
        rot.rotate(rot.yaw(a), [0, 0, 1]), [np.sin(a), 0, np.cos(a)], atol=1e-14
    )


@given(st.floats(-1e3, 1e3))
@example(float(np.nextafter(-np.pi, -4)))
@example(np.pi)
def test_wrapped_angles_are_the_same_direction(a):
    wrapped = rot.wrap_angle(a)
    assert -np.pi <= wrapped < np.pi
    assert np.cos(wrapped - a) == pytest.approx(1, abs=1e-12)
