"""BVH writer: what is read again equals what was written, with channels, units, axes and branches
kept.
"""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform, Motion, Source
from motionloom.skeleton import Skeleton

AXES = "XYZ"
ORDERS = [
    "".join(o)
    for n in (1, 2, 3)
    for o in itertools.product(AXES, repeat=n)
    if all(a != b for a, b in itertools.pairwise(o))
]
TIGHT = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def table(path):
    """Channel values of a plain BVH file."""
    rows = path.read_text().split("Frame Time")[1].splitlines()[1:]
    return np.array([[float(word) for word in row.split()] for row in rows])


@st.composite
def bvh_texts(draw):
    """Text of a BVH file with any tree, channels and values, and what it means: world positions per
    frame.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_joints, n_frames = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    parents = [-1, *(int(rng.integers(0, j)) for j in range(1, n_joints))]
    lines: list[str] = []
    order: list[int] = []
    offsets = np.round(rng.uniform(-30, 30, (n_joints, 3)), 4)
    channels = []
    for _ in range(n_joints):
        turns = [f"{axis}rotation" for axis in draw(st.sampled_from(["", *ORDERS]))]
        moves = list(draw(st.permutations(["Xposition", "Yposition", "Zposition"])))[
            : draw(st.sampled_from([0, 0, 1, 3]))
        ]
        both = moves + turns if draw(st.booleans()) else turns + moves
        channels.append(both)

    def block(j, depth):
        tab = "  " * depth
        order.append(j)
        lines.extend(
            [
                f"{tab}{'JOINT' if j else 'ROOT'} j{j}",
                tab + "{",
                f"{tab}OFFSET " + " ".join(map(str, offsets[j])),
            ]
        )
        lines.append(" ".join([f"{tab}CHANNELS {len(channels[j])}", *channels[j]]))
        for child in (c for c in range(n_joints) if parents[c] == j):
            block(child, depth + 1)
        lines.append(tab + "}")

    block(0, 0)
    world = np.zeros((n_frames, n_joints, 3))
    turned: dict[int, Rotation] = {}
    columns: list[np.ndarray] = []
    for j in order:
        # Positions stay near OFFSET, so that no reader can take them as added to it.
        values = {
            n: np.round(offsets[j, AXES.index(n[0])] + rng.uniform(-0.3, 0.3, n_frames), 4)
            for n in channels[j]
            if "pos" in n
        }
        local = np.repeat(offsets[j][None], n_frames, axis=0)
        for name, value in values.items():
            local[:, AXES.index(name[0])] = value
        turn = Rotation.identity(n_frames)
        for name in channels[j]:
            if "rot" in name:
                angle = np.round(rng.uniform(-179, 179, n_frames), 4)
                turn = turn * Rotation.from_rotvec(
                    np.radians(angle)[:, None] * np.eye(3)[AXES.index(name[0])]
                )
                columns.append(angle)
            else:
                columns.append(values[name])
        above = turned.get(parents[j], Rotation.identity(n_frames))
        world[:, j] = (world[:, parents[j]] if j else 0.0) + above.apply(local)
        turned[j] = above * turn
    rows = "\n".join(" ".join(map(str, row)) for row in np.array(columns).T) if columns else ""
    text = (
        "HIERARCHY\n"
        + "\n".join(lines)
        + f"\nMOTION\nFrames: {n_frames}\nFrame Time: 0.025\n{rows}\n"
    )
    return text, world[:, order] if columns else world[:0]


@TIGHT
@given(bvh_texts(), st.sampled_from(["x", "y", "z"]), st.sampled_from([1.0, 0.01, 0.0254]))
def test_reads_what_the_file_means_and_writes_it_again(tmp_path, case, up, unit):
    text, world = case
    path = tmp_path / "a.bvh"
    path.write_text(text)
    motion = read_bvh(path, up=up, unit=unit, positions="absolute")
    turn = {"x": [1, 0, 2], "y": [0, 1, 2], "z": [0, 2, 1]}[up]
    sign = {"x": [-1, 1, 1], "y": [1, 1, 1], "z": [1, 1, -1]}[up]
    pose = forward_kinematics(motion)
    np.testing.assert_allclose(
        pose.positions, world[..., turn] * sign * unit, atol=1e-9 * unit + 1e-11
    )
    write_bvh(motion, tmp_path / "b.bvh")
    again = read_bvh(tmp_path / "b.bvh", up=up, unit=unit, positions="absolute", strict=True)
    assert again.source.channels == motion.source.channels
    assert again.frame_time == motion.frame_time
    np.testing.assert_allclose(again.skeleton.offsets, motion.skeleton.offsets, atol=1e-8)
    np.testing.assert_allclose(
        forward_kinematics(again).positions, pose.positions, atol=2e-5 * unit
    )
    if motion.n_frames:
        # Same numbers in the first frame; later ones are the same rotation, on a branch that does
        # not jump.
        np.testing.assert_allclose(
            table(tmp_path / "b.bvh")[0], table(path)[0], atol=2e-5 * 30 + 1e-6
        )


def random_motion(rng, n_frames=12, source=None):
    skeleton = Skeleton(
        ("a", "b", "c", "d"),
        [-1, 0, 1, 0],
        rng.normal(size=(4, 3)),
        [2, 3],
        rng.normal(size=(2, 3)),
    )
    steps = rng.normal(size=(n_frames, 4, 3)) * 0.2
    turns = rot.from_rotvec(np.cumsum(steps, axis=0))
    moves = np.cumsum(rng.normal(size=(n_frames, 2, 3)) * 0.1, axis=0) + skeleton.offsets[[0, 2]]
    return Motion(skeleton, turns, moves, 1 / 29.97, translated=(0, 2), source=source or Source())


def test_motion_made_in_memory_gets_default_channels(tmp_path):
    motion = random_motion(np.random.default_rng(1))
    write_bvh(motion, tmp_path / "m.bvh")
    again = read_bvh(tmp_path / "m.bvh", unit=1.0, positions="absolute", strict=True)
    full = ("Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation")
    assert again.source.channels == (full, full[3:], full, full[3:])
    assert again.frame_time == 1 / 29.97
    assert again.translated == (0, 2)
    assert again.skeleton.matches(motion.skeleton)  # although the root's offset is not kept
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-8)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-7
    np.testing.assert_allclose(again.skeleton.end_offsets, motion.skeleton.end_offsets, atol=1e-9)


@pytest.mark.parametrize("up", ["x", "y", "z"])
@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254 / 0.45])
def test_writes_in_the_unit_and_axes_of_the_source_or_as_told(tmp_path, up, unit):
    motion = random_motion(np.random.default_rng(2), source=Source("bvh", unit=unit, up=up))
    write_bvh(motion, tmp_path / "own.bvh")
    write_bvh(motion, tmp_path / "told.bvh", unit=0.001, up="y")
    own = read_bvh(tmp_path / "own.bvh", unit=unit, up=up, positions="absolute")
    told = read_bvh(tmp_path / "told.bvh", unit=0.001, up="y", positions="absolute")
    for again in (own, told):
        np.testing.assert_allclose(
            forward_kinematics(again).positions, forward_kinematics(motion).positions, atol=1e-7
        )
    assert table(tmp_path / "told.bvh")[0, 1] == pytest.approx(
        1000 * motion.translations[0, 0, 1], abs=1e-5
    )


def test_angles_do_not_jump_and_pass_through_gimbal_lock(tmp_path):
    t = np.linspace(0, 4 * np.pi, 400)
    turns = rot.multiply(rot.from_euler(np.c_[t, np.sin(t) * 1.5705], "ZX"), rot.yaw(2 * t))[
        :, None
    ]
    motion = Motion(Skeleton(("a",), [-1], [[0, 0, 0]]), turns, np.zeros((400, 1, 3)), 0.01)
    write_bvh(motion, tmp_path / "spin.bvh")
    angles = table(tmp_path / "spin.bvh")[:, 3:]
    assert (
        np.abs(np.diff(angles, axis=0)).max() < 90
    )  # the file's own path turns fast near the lock, but never by 180
    assert rot.angle_between(read_bvh(tmp_path / "spin.bvh", unit=1).rotations, turns).max() < 1e-7


@pytest.mark.parametrize("order", [o for o in ORDERS if len(o) == 3])
def test_same_numbers_again_when_they_do_not_jump(tmp_path, order):
    """Angles beyond 180 and 90 degrees, as files have them, come back digit for digit."""
    rng = np.random.default_rng(3)
    start = np.array([250.0, 120.0, -200.0])
    rows = np.round(start + np.cumsum(rng.uniform(-4, 4, (60, 3)), axis=0), 6)
    names = " ".join(f"{axis}rotation" for axis in order)
    head = (
        f"HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 {names}\n}}\nMOTION\nFrames: 60\nFrame"
        " Time: 0.01\n"
    )
    (tmp_path / "a.bvh").write_text(head + "\n".join(" ".join(map(str, row)) for row in rows))
    write_bvh(read_bvh(tmp_path / "a.bvh", unit=1.0), tmp_path / "b.bvh")
    np.testing.assert_allclose(table(tmp_path / "b.bvh"), rows, atol=1.1e-6)


def test_channels_are_added_when_the_motion_needs_them(tmp_path):
    rng = np.random.default_rng(4)
    old = (
        ("Xposition", "Zrotation", "Yrotation", "Xrotation"),
        ("Xrotation",),
        (),
        ("Yrotation", "Zrotation"),
    )
    motion = random_motion(rng, source=Source("bvh", channels=old))
    write_bvh(motion, tmp_path / "m.bvh")
    again = read_bvh(tmp_path / "m.bvh", unit=1.0, positions="absolute", strict=True)
    assert again.source.channels[1] == ("Xrotation", "Zrotation", "Yrotation")
    assert again.source.channels[3] == ("Yrotation", "Zrotation", "Xrotation")
    np.testing.assert_allclose(
        forward_kinematics(again).positions, forward_kinematics(motion).positions, atol=1e-7
    )


def test_a_moved_clip_is_not_taken_for_one_with_added_positions(tmp_path):
    """The OFFSET of a root is often where its clip started; a clip moved to the origin must not
    gain it again.
    """
    head = "HIERARCHY\nROOT a\n{\nOFFSET {}\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\n"
    text = (
        head.replace("{}", "-131 0 -190", 1)
        + "Frames: 2\nFrame Time: 0.01\n-131 0 -190\n-132 1 -191\n"
    )
    (tmp_path / "a.bvh").write_text(text)
    motion = read_bvh(tmp_path / "a.bvh", unit=1.0)
    np.testing.assert_array_equal(motion.skeleton.offsets[0], 0)
    write_bvh(motion, tmp_path / "same.bvh")
    assert "OFFSET -131.0 0.0 -190.0" in (tmp_path / "same.bvh").read_text()
    moved = motion.transformed(GroundTransform(x=131, z=190))
    write_bvh(moved, tmp_path / "moved.bvh")
    again = read_bvh(tmp_path / "moved.bvh", unit=1.0)
    np.testing.assert_allclose(again.translations[:, 0], [[0, 0, 0], [-1, 1, -1]], atol=1e-9)
    assert again.skeleton.matches(motion.skeleton)


def test_added_positions_are_written_as_added(tmp_path):
    source = Source("bvh", extra={"positions": "added"})
    motion = random_motion(np.random.default_rng(5), source=source)
    write_bvh(motion, tmp_path / "m.bvh")
    again = read_bvh(tmp_path / "m.bvh", unit=1.0, positions="added")
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-8)


def test_joints_that_are_not_depth_first_are_sorted_on_writing(tmp_path):
    skeleton = Skeleton(
        ("root", "left", "right", "left tip", "right tip"), [-1, 0, 0, 1, 2], np.eye(5, 3) + 1
    )
    rng = np.random.default_rng(6)
    motion = Motion(skeleton, rot.normalize(rng.normal(size=(3, 5, 4))), np.zeros((3, 1, 3)), 0.1)
    write_bvh(motion, tmp_path / "m.bvh")
    again = read_bvh(tmp_path / "m.bvh", unit=1.0)
    assert again.skeleton.names == ("root", "left", "left tip", "right", "right tip")
    here = [again.skeleton.index(name) for name in skeleton.names]
    positions = forward_kinematics(again).positions[:, here]
    np.testing.assert_allclose(positions, forward_kinematics(motion).positions, atol=1e-7)


@pytest.mark.parametrize("options", [{"unit": 0}, {"unit": float("nan")}, {"up": "w"}])
def test_options_that_make_no_sense(tmp_path, options):
    motion = random_motion(np.random.default_rng(7))
    with pytest.raises(InvalidInputError):
        write_bvh(motion, tmp_path / "m.bvh", **options)
    assert list(tmp_path.iterdir()) == []


def added_to_offset(path):
    """World positions of the first frame as three.js and others see them: every position is added
    to OFFSET.
    """
    head = path.read_text().split("MOTION")[0]
    row, column = table(path)[0], 0
    above, found = [(np.zeros(3), Rotation.identity())], {}
    for words in map(str.split, head.splitlines()):
        if words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words[0] == "OFFSET":
            place, turn = np.array(words[1:], float), Rotation.identity()
        elif words[0] == "CHANNELS":
            for channel in words[2:]:
                axis = np.eye(3)[AXES.index(channel[0])]
                if channel.endswith("position"):
                    place = place + row[column] * axis
                else:
                    turn = turn * Rotation.from_rotvec(np.radians(row[column]) * axis)
                column += 1
            at, turned = above[-1]
            above.append((at + turned.apply(place), turned * turn))
            found[name] = above[-1][0]
        elif words[0] == "End":
            above.append(above[-1])
        elif words[0] == "}":
            above.pop()
    return found


def test_a_woven_motion_is_the_same_to_programs_that_add_positions_to_offset(tmp_path):
    """A root with an OFFSET and positions for every joint, as Bandai Namco's files have them."""
    full = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    text = (
        f"HIERARCHY\nROOT a\n{{\nOFFSET 0 90 5\nCHANNELS {full}\nJOINT b\n{{\nOFFSET 20 0"
        f" 0\nCHANNELS {full}\nEnd Site\n{{\nOFFSET 9 0 0\n}}\n}}\n}}\nMOTION\nFrames: 2\nFrame"
        " Time: 0.01\n0 90 5 10 20 30 20 0 0 1 2 3\n1 91 6 11 21 31 20 0 0 2 3 4\n"
    )
    (tmp_path / "a.bvh").write_text(text)
    motion = read_bvh(tmp_path / "a.bvh", unit=0.01)
    write_bvh(motion, tmp_path / "same.bvh")
    assert "OFFSET 0.0 90.0 5.0" in (tmp_path / "same.bvh").read_text()
    assert (tmp_path / "same.bvh").read_text().count("Xposition") == 2
    woven = motion.transformed(GroundTransform(angle=0.3, x=0.5, z=1.0))
    write_bvh(woven, tmp_path / "woven.bvh")
    truth = forward_kinematics(woven).positions[0] / 0.01
    seen = added_to_offset(tmp_path / "woven.bvh")
    np.testing.assert_allclose([seen["a"], seen["b"]], truth, atol=1e-4)
    again = read_bvh(tmp_path / "woven.bvh", unit=0.01)
    np.testing.assert_allclose(
        forward_kinematics(again).positions, forward_kinematics(woven).positions, atol=1e-7
    )
    assert again.skeleton.matches(motion.skeleton)
