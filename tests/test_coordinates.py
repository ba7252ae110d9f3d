"""Generalized coordinates and their Jacobians: round trips, continuity, finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.coordinates import ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.euler_coordinates import EulerCoordinates, EulerJoint
from motionloom.jacobians import compute_world_axes
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

ORDERS = ["XYZ", "ZYX", "YXZ", "ZXY", "XYX", "ZYZ"]


def branched_skeleton():
    """Seven joints: a spine, a leg of three, an arm, with odd offsets."""
    return Skeleton(
        ("hips", "thigh", "shin", "foot", "spine", "arm", "hand"),
        np.array([-1, 0, 1, 2, 0, 4, 5]),
        np.array(
            [
                [0, 1, 0],
                [0.1, -0.1, 0],
                [0.02, -0.4, 0.03],
                [0, -0.4, 0],
                [0, 0.3, 0],
                [0.2, 0.2, 0],
                [0.5, 0, 0.1],
            ]
        ),
    )


def tilted_axes(seed=0):
    """ASF-like coordinates: subsets of axes, tilted frames, limits, a column order unlike the order
    of turning.
    """
    rng = np.random.default_rng(seed)
    frames = rot.normalize(rng.normal(size=(7, 4)))

    def joint(j, freedoms, order, limit=2.5):
        axis = frames[j]
        return EulerJoint(
            j,
            freedoms,
            order,
            (-limit,) * len(freedoms),
            (limit,) * len(freedoms),
            axis,
            rot.conjugate(axis),
        )

    root = EulerJoint(
        0, ("tx", "rz", "ty", "rx", "tz", "ry"), "YXZ", after=frames[0], origin=(0.0, 1.0, 0.0)
    )
    return EulerCoordinates(
        branched_skeleton(),
        (
            root,
            joint(4, ("rx", "ry", "rz"), "ZYX"),
            joint(1, ("rx", "ry", "rz"), "XZY"),
            joint(2, ("rx",), "X"),
            joint(3, ("rx", "rz"), "ZX"),
            joint(6, ("ty", "rz"), "Z"),
        ),
    )


def all_kinds():
    skeleton = branched_skeleton()
    return {
        "exponential": ExponentialCoordinates(skeleton, (0, 5)),
        "generic": EulerCoordinates.generic(
            skeleton, {"thigh": "XYZ", "arm": "YZY"}, translated=(0, 5)
        ),
        "asf": tilted_axes(),
    }


def finite_differences(coordinates, values, h=1e-6):
    """Central differences of every joint's world position and orientation, (T, J, 3, D) each."""
    position, orientation = [], []
    for step in h * np.eye(coordinates.size):
        plus = forward_kinematics(coordinates.to_motion(values + step, 1.0))
        minus = forward_kinematics(coordinates.to_motion(values - step, 1.0))
        position.append((plus.positions - minus.positions) / (2 * h))
        turned = rot.multiply(plus.rotations, rot.conjugate(minus.rotations))
        orientation.append(rot.to_rotvec(turned) / (2 * h))
    return np.stack(position, axis=-1), np.stack(orientation, axis=-1)


def assert_jacobians_match_differences(coordinates, values, atol=5e-9):
    position, orientation = finite_differences(coordinates, values)
    axes = compute_world_axes(coordinates, values)
    for joint in range(coordinates.skeleton.n_joints):
        np.testing.assert_allclose(axes.position_jacobian(joint), position[:, joint], atol=atol)
        turning = axes.orientation_jacobian(joint)
        np.testing.assert_allclose(turning, orientation[:, joint], atol=atol)


# --- Jacobians


@pytest.mark.parametrize("kind", ["exponential", "generic", "asf"])
def test_jacobians_match_central_differences(kind):
    coordinates = all_kinds()[kind]
    values = np.random.default_rng(1).uniform(-1.5, 1.5, (5, coordinates.size))
    assert_jacobians_match_differences(coordinates, values)


@pytest.mark.parametrize(
    "angle", [0.0, 1e-9, 1e-5, 0.99e-4, 1.01e-4, np.pi - 1e-7, np.pi, np.pi + 1e-3, 2 * np.pi - 0.1]
)
def test_exponential_jacobians_hold_at_no_turn_and_at_half_turns(angle):
    coordinates = all_kinds()["exponential"]
    rng = np.random.default_rng(2)
    axes = rng.normal(size=(4, coordinates.skeleton.n_joints, 3))
    values = rng.normal(size=(4, coordinates.size))
    values[:, coordinates.rotational] = (
        angle * axes / np.linalg.norm(axes, axis=-1, keepdims=True)
    ).reshape(4, -1)
    assert_jacobians_match_differences(coordinates, values)


@pytest.mark.parametrize("distance", [0.0, 1e-8, 1e-3])
def test_euler_jacobians_hold_at_gimbal_lock(distance):
    coordinates = EulerCoordinates.generic(branched_skeleton(), "ZYX")
    values = np.random.default_rng(3).uniform(-1, 1, (3, coordinates.size))
    values[:, [name.endswith(".ry") for name in coordinates.names]] = np.pi / 2 - distance
    assert_jacobians_match_differences(coordinates, values)
    if distance == 0:  # two of the three axes coincide
        first = compute_world_axes(coordinates, values).orientation_jacobian(0)[:, :, 3:6]
        assert np.abs(np.linalg.det(first)).max() < 1e-12


@pytest.mark.parametrize("kind", ["exponential", "generic", "asf"])
def test_kinematics_of_coordinates_are_those_of_their_motion(kind):
    coordinates = all_kinds()[kind]
    values = np.random.default_rng(6).uniform(-1.5, 1.5, (5, coordinates.size))
    world = compute_world_axes(coordinates, values)
    pose = forward_kinematics(coordinates.to_motion(values, 1.0))
    np.testing.assert_allclose(world.positions, pose.positions, atol=1e-12)
    np.testing.assert_allclose(world.matrices, rot.to_matrix(pose.rotations), atol=1e-12)


def test_the_jacobian_of_a_point_fixed_to_a_joint():
    coordinates, point, h = tilted_axes(), np.array([0.1, -0.2, 0.3]), 1e-6
    values = np.random.default_rng(4).uniform(-1, 1, (2, coordinates.size))

    def where(values):
        pose = forward_kinematics(coordinates.to_motion(values, 1.0))
        return pose.positions[:, 3] + rot.rotate(pose.rotations[:, 3], point)

    jacobian = compute_world_axes(coordinates, values).position_jacobian(3, point)
    for d in range(coordinates.size):
        step = h * np.eye(coordinates.size)[d]
        np.testing.assert_allclose(
            jacobian[:, :, d], (where(values + step) - where(values - step)) / (2 * h), atol=5e-9
        )


# --- round trips


@pytest.mark.parametrize("kind", ["exponential", "generic", "asf"])
@given(seed=st.integers(0, 10_000), size=st.sampled_from([1e-9, 1e-3, 1.0, 3.0]))
@settings(max_examples=25)
def test_values_to_motion_to_values_to_motion_is_the_same_motion(kind, seed, size):
    coordinates = all_kinds()[kind]
    values = size * np.random.default_rng(seed).uniform(-1, 1, (4, coordinates.size))
    motion = coordinates.to_motion(values, 1 / 30)
    again = coordinates.to_motion(coordinates.to_coordinates(motion), 1 / 30)
    assert rot.angle_between(motion.rotations, again.rotations).max() < 1e-9
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-12)
    assert again.translated == motion.translated == coordinates.moved_joints


@pytest.mark.parametrize("kind", ["exponential", "generic", "asf"])
def test_smooth_values_come_back_as_they_were(kind):
    coordinates = all_kinds()[kind]
    t = np.linspace(0, 1, 120)[:, None]
    phase = np.random.default_rng(5).uniform(0, 6, coordinates.size)
    values = 0.9 * np.sin(2 * t + phase) + 0.2
    if kind == "generic":  # keep the middle angle of the YZY joint off its singular 0
        values[:, coordinates.names.index("arm.rz")] += 1.5
    motion = coordinates.to_motion(values, 1 / 30, name="wave")
    assert motion.name == "wave"
    np.testing.assert_allclose(
        coordinates.to_coordinates(motion, near=values[0]), values, atol=1e-9
    )


def turning(axis, turns, n=200):
    """Motion whose hips turn about one axis, through half and full turns."""
    skeleton = branched_skeleton()
    quats = rot.identity(n, skeleton.n_joints)
    angles = np.linspace(0, 2 * np.pi * turns, n)
    quats[:, 0] = rot.from_rotvec(angles[:, None] * np.asarray(axis, float))
    return Motion(skeleton, quats, np.zeros((n, 1, 3)), 1 / 30), angles


def test_exponential_maps_are_continuous_through_half_and_full_turns():
    axis = np.array([0.6, 0.0, 0.8])
    motion, angles = turning(axis, 2.3)
    values = ExponentialCoordinates(motion.skeleton).to_coordinates(motion)
    np.testing.assert_allclose(values[:, 3:6], angles[:, None] * axis, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_are_continuous_through_full_turns(order):
    motion, angles = turning(np.eye(3)["XYZ".index(order[0])], 2.3)
    coordinates = EulerCoordinates.generic(motion.skeleton, order)
    values = coordinates.to_coordinates(motion)
    assert np.abs(np.diff(values, axis=0)).max() < 1.01 * angles[1]
    again = coordinates.to_motion(values, motion.frame_time)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-9


def test_the_first_frame_takes_the_branch_that_is_near():
    coordinates = EulerCoordinates.generic(branched_skeleton(), "ZYX")
    values = np.zeros((3, coordinates.size))
    values[:, 3:6] = [
        0.2 + 2 * np.pi,
        2.0,
        -0.3,
    ]  # middle angle beyond a right angle, first beyond a full turn
    motion = coordinates.to_motion(values, 0.1)
    np.testing.assert_allclose(
        coordinates.to_coordinates(motion, near=values[0]), values, atol=1e-12
    )
    assert np.abs(coordinates.to_coordinates(motion)[:, 3:6]).max() < np.pi + 1e-9


def test_exponential_maps_take_the_branch_that_is_near():
    coordinates = ExponentialCoordinates(branched_skeleton())
    values = np.zeros((3, coordinates.size))
    values[:, 3:6] = [0.0, 4.0, 0.0]  # beyond half a turn
    motion = coordinates.to_motion(values, 0.1)
    np.testing.assert_allclose(
        coordinates.to_coordinates(motion, near=values[0]), values, atol=1e-12
    )
    np.testing.assert_allclose(coordinates.to_coordinates(motion)[:, 4], 4.0 - 2 * np.pi)


def test_a_joint_with_few_axes_takes_the_closest_rotation():
    coordinates = tilted_axes()
    rng = np.random.default_rng(6)
    quats = rot.normalize(rng.normal(size=(20, 7, 4)))
    motion = Motion(coordinates.skeleton, quats, np.zeros((20, 1, 3)), 0.1)
    values = coordinates.to_coordinates(motion)
    best = rot.angle_between(coordinates.local_pose(values)[0], motion.rotations)
    assert np.abs(best[:, [0, 1, 4]]).max() < 1e-9  # three axes follow exactly
    for _ in range(200):
        other = coordinates.local_pose(values + rng.normal(size=values.shape))[0]
        assert np.all(rot.angle_between(other, motion.rotations) >= best - 1e-9)


# --- names, units, limits


def test_names_units_and_limits():
    coordinates = tilted_axes()
    assert coordinates.names[:6] == (
        "hips.tx",
        "hips.rz",
        "hips.ty",
        "hips.rx",
        "hips.tz",
        "hips.ry",
    )
    assert coordinates.units[:3] == ("m", "rad", "m")
    assert coordinates.size == len(coordinates.names) == 17
    assert coordinates.lower[0] == -np.inf
    assert coordinates.upper[6] == 2.5
    clamped = coordinates.clamp(np.full((2, 17), 9.0))
    np.testing.assert_array_equal(clamped[0, 5:8], [9.0, 2.5, 2.5])
    assert EulerCoordinates.generic(branched_skeleton(), "ZXZ").names[3:6] == (
        "hips.rz",
        "hips.rx",
        "hips.rz2",
    )
    exponential = ExponentialCoordinates(branched_skeleton())
    assert exponential.names[:7] == (
        "hips.tx",
        "hips.ty",
        "hips.tz",
        "hips.vx",
        "hips.vy",
        "hips.vz",
        "thigh.vx",
    )
    assert np.all(np.isinf(exponential.upper))
    assert exponential.size == 3 + 3 * 7


def test_joints_without_freedoms_stay_at_rest():
    motion = tilted_axes().to_motion(np.ones((2, 17)), 0.1)
    np.testing.assert_array_equal(motion.rotations[:, 5], rot.identity(2))


def test_batches_of_any_shape():
    for coordinates in all_kinds().values():
        values = np.random.default_rng(7).normal(size=(2, 3, coordinates.size))
        quats, moves = coordinates.local_pose(values)
        assert quats.shape == (2, 3, 7, 4)
        assert moves.shape == (2, 3, len(coordinates.moved_joints), 3)
        assert coordinates.directions.shape == ((~coordinates.rotational).sum(), 3)
        np.testing.assert_array_equal(coordinates.local_pose(values[1, 2])[0], quats[1, 2])


def test_wrong_input_is_refused():
    coordinates = tilted_axes()
    with pytest.raises(InvalidInputError, match="need 17 values"):
        coordinates.to_motion(np.zeros((4, 16)), 0.1)
    with pytest.raises(InvalidInputError, match="shape"):
        coordinates.to_motion(np.zeros(17), 0.1)
    other = Motion(
        Skeleton(("a",), [-1], [[0, 0, 0]]), rot.identity(1, 1), np.zeros((1, 1, 3)), 0.1
    )
    with pytest.raises(InvalidInputError, match="other joints"):
        coordinates.to_coordinates(other)
    with pytest.raises(InvalidInputError, match="different joints"):
        EulerCoordinates(
            branched_skeleton(), (EulerJoint(1, ("rx",), "X"), EulerJoint(1, ("ry",), "Y"))
        )
    with pytest.raises(InvalidInputError, match="order 'XY'"):
        EulerJoint(0, ("rx",), "XY")
    with pytest.raises(InvalidInputError, match="freedoms"):
        EulerJoint(0, ("rx", "rw"), "X")
    with pytest.raises(InvalidInputError, match="freedoms"):
        EulerJoint(0, ("tx", "tx"), "")
    with pytest.raises(InvalidInputError, match="Euler order"):
        EulerJoint(0, ("rx", "rx"), "XX")
    with pytest.raises(InvalidInputError, match="one limit for each"):
        EulerJoint(0, ("rx", "ry"), "XY", lower=(0.0,))


@pytest.mark.parametrize("kind", ["generic", "exponential", "asf"])
def test_nearest_takes_full_turns_off_and_keeps_the_pose(kind):
    coordinates = all_kinds()[kind]
    rng = np.random.default_rng(0)
    near = 0.4 * rng.standard_normal((50, coordinates.size))
    far = near.copy()
    if kind == "exponential":
        vectors = far[:, coordinates.rotational].reshape(50, -1, 3)
        angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
        far[:, coordinates.rotational] = (vectors * (angle - 2 * np.pi) / angle).reshape(50, -1)
    else:
        far += 2 * np.pi * rng.integers(-2, 3, far.shape) * coordinates.rotational
    back = coordinates.nearest(far, np.zeros(coordinates.size))
    before, after = (
        forward_kinematics(coordinates.to_motion(v, 1.0)).positions for v in (far, back)
    )
    np.testing.assert_allclose(after, before, atol=1e-9)
    assert (
        abs(back[:, coordinates.rotational]) <= abs(far[:, coordinates.rotational]).max() + 1e-9
    ).all()
    assert np.linalg.norm(back, axis=1).max() <= np.linalg.norm(near, axis=1).max() + 1e-9


def test_translated_joints_come_in_any_order_but_with_the_root():
    skeleton = branched_skeleton()
    ordered = ExponentialCoordinates(skeleton, (0, 2))
    values = np.random.default_rng(0).normal(0, 0.3, (4, ordered.size))
    other = ExponentialCoordinates(skeleton, (2, 0))
    assert np.allclose(other.to_coordinates(other.to_motion(values, 0.1)), values)
    for translated in ((), (1,), (0, 99)):
        with pytest.raises(InvalidInputError, match="translated joints"):
            ExponentialCoordinates(skeleton, translated)
