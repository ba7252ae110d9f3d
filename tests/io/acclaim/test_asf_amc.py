"""ASF/AMC: one tiny file per oddity, poses worked out by hand or with SciPy, round trips, and all
real captures.
"""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.io.acclaim._asf import read_asf
from motionloom.io.acclaim.amc import find_skeleton, read_amc
from motionloom.kinematics import end_site_positions, forward_kinematics

FILES = Path(__file__).parents[1] / "files"
ASF, AMC = (FILES / "tiny.asf").read_text(), (FILES / "tiny_01.amc").read_text()
UNIT = 0.0254 / 0.5


def read(path, **options):
    return read_amc(path, unit=options.pop("unit", UNIT), **options)


def warnings_of(motion):
    """Without the warning that every AMC file gives."""
    return [w for w in motion.source.warnings if "frame rate" not in w]


def fixed(order, angles):
    """Rotation about fixed axes in this order, as the format has it (SciPy's lower case)."""
    return Rotation.from_euler(order, angles, degrees=True)


def shin_tip(root, thigh, shin, thigh_order="xyz"):
    """Tip of the shin (file units) worked out with SciPy from the definition of the format."""
    hips = fixed("xyz", root[3:])
    axis = fixed("xyz", [10, 20, 30])
    thigh_world = hips * axis * fixed(thigh_order, thigh) * axis.inv()
    axis = fixed("xyz", [0, 0, 40])
    shin_world = thigh_world * axis * fixed("z", shin) * axis.inv()
    return (
        np.array(root[:3])
        + hips.apply([2, 0, 0])
        + thigh_world.apply([0, -8, 0])
        + shin_world.apply([0, -5.6, 4.2])
    )


# --- what a file means


def test_a_pose_is_what_the_format_defines(make_acclaim):
    motion = read(make_acclaim())
    pose = forward_kinematics(motion)
    tips = end_site_positions(motion, pose)
    np.testing.assert_allclose(
        tips[0, 0], UNIT * shin_tip([1, 2, 3, 10, 20, 30], [5, -15, 25], 50), atol=1e-12
    )
    np.testing.assert_allclose(
        tips[1, 0], UNIT * shin_tip([1.5, 2.5, 3.5, 12, 22, 32], [6, -16, 26], 55), atol=1e-12
    )
    np.testing.assert_allclose(motion.translations[1, 0], UNIT * np.array([1.5, 2.5, 3.5]))
    assert motion.skeleton.names == ("root", "hip", "thigh", "shin")
    assert motion.name == "tiny_01"
    assert motion.source.format == "amc"
    assert warnings_of(motion) == []


def test_joints_lie_at_the_start_of_their_bones_and_leaf_tips_are_end_sites(make_acclaim):
    skeleton = read(make_acclaim()).skeleton
    np.testing.assert_allclose(
        skeleton.offsets / UNIT, [[0, 0, 0], [0, 0, 0], [2, 0, 0], [0, -8, 0]], atol=1e-12
    )
    assert [skeleton.names[j] for j in skeleton.end_parents] == ["shin"]
    np.testing.assert_allclose(skeleton.end_offsets / UNIT, [[0, -5.6, 4.2]], atol=1e-12)


def test_zero_angles_are_the_rest_pose_whatever_the_axes(make_acclaim):
    amc = "1\nroot 0 0 0 0 0 0\nthigh 0 0 0\nshin 0\n"
    motion = read(make_acclaim(amc=":DEGREES\n" + amc))
    np.testing.assert_allclose(motion.rotations[0], rot.identity(4), atol=1e-15)


def test_limits_become_limits_of_the_coordinates(make_acclaim):
    coordinates = read(make_acclaim()).source.extra["coordinates"]
    k = coordinates.names.index("thigh.rx")
    np.testing.assert_allclose(np.degrees(coordinates.lower[k : k + 4]), [-160, -70, -60, 0])
    np.testing.assert_allclose(np.degrees(coordinates.upper[k : k + 4]), [20, 70, np.inf, 170])
    assert np.all(np.isinf(coordinates.lower[:6]))


def test_the_order_of_dof_is_the_order_of_turning(make_acclaim):
    motion = read(make_acclaim(changes=[("dof rx ry rz", "dof rz rx ry")]))
    tips = end_site_positions(motion, forward_kinematics(motion))
    expected = UNIT * shin_tip([1, 2, 3, 10, 20, 30], [5, -15, 25], 50, thigh_order="zxy")
    np.testing.assert_allclose(tips[0, 0], expected, atol=1e-12)


def test_the_order_of_the_axis(make_acclaim):
    motion = read(
        make_acclaim(
            changes=[("axis 10 20 30 XYZ", "axis 10 20 30 ZYX"), ("thigh 5 -15 25", "thigh 90 0 0")]
        )
    )
    # A turn about the bone's own X: the axis, about fixed Z, then Y, then X.
    x = fixed("zyx", [30, 20, 10]).apply([1, 0, 0])
    np.testing.assert_allclose(rot.to_rotvec(motion.rotations[0, 2]), np.pi / 2 * x, atol=1e-12)


def test_the_order_of_the_root(make_acclaim):
    motion = read(make_acclaim(changes=[("order TX TY TZ RX RY RZ", "order RZ TY RX TX RY TZ")]))
    np.testing.assert_allclose(motion.translations[0, 0], UNIT * np.array([10, 2, 30]))
    expected = fixed("zxy", [1, 3, 20]).as_quat(scalar_first=True)
    assert rot.angle_between(motion.rotations[0, 0], expected) < 1e-12


def test_a_root_with_few_freedoms(make_acclaim):
    changes = [
        ("TX TY TZ RX RY RZ", "TY RY"),
        ("1 2 3 10 20 30", "2 45"),
        ("1.5 2.5 3.5 12 22 32", "3 50"),
    ]
    motion = read(make_acclaim(changes=changes))
    np.testing.assert_allclose(motion.translations[:, 0], UNIT * np.array([[0, 2, 0], [0, 3, 0]]))
    np.testing.assert_allclose(rot.to_rotvec(motion.rotations[0, 0]), [0, np.pi / 4, 0], atol=1e-12)


def test_a_preset_position_and_orientation_of_the_root(make_acclaim):
    changes = [("position 0 0 0", "position 10 20 30"), ("orientation 0 0 0", "orientation 0 90 0")]
    motion = read(make_acclaim(changes=changes))
    np.testing.assert_allclose(motion.translations[0, 0], UNIT * np.array([11, 22, 33]))
    expected = (fixed("xyz", [10, 20, 30]) * fixed("y", 90)).as_quat(scalar_first=True)
    assert rot.angle_between(motion.rotations[0, 0], expected.reshape(4)) < 1e-12
    assert "preset orientation" in warnings_of(motion)[0]


def test_translations_of_a_bone_are_along_its_axes(make_acclaim):
    changes = [
        ("dof rz\n    limits (0 170)", "dof ty rz"),
        ("shin 50", "shin 2 50"),
        ("shin 55", "shin 3 55"),
    ]
    motion = read(make_acclaim(changes=changes))
    assert motion.translated == (0, 3)
    along = fixed("z", 40).apply([0, 1, 0])
    np.testing.assert_allclose(
        motion.translations[0, 1], UNIT * (np.array([0, -8, 0]) + 2 * along), atol=1e-12
    )


def test_radians(make_acclaim, tmp_path):
    degrees = read(make_acclaim())
    rows = [line.split() for line in AMC.splitlines()[3:]]
    for row in rows:
        turns = range(4, 7) if row[0] == "root" else range(1, len(row))
        for k in turns if len(row) > 1 else ():
            row[k] = repr(float(np.radians(float(row[k]))))
    text = ":FULLY-SPECIFIED\n" + "\n".join(" ".join(row) for row in rows)
    asf = ASF
    for degrees_text, radians_text in (
        ("angle deg", "angle rad"),
        ("axis 10 20 30", "axis 0.17453292519943295 0.3490658503988659 0.5235987755982988"),
        ("axis 0 0 40", "axis 0 0 0.6981317007977318"),
    ):
        asf = asf.replace(degrees_text, radians_text)
    radians = read(make_acclaim(asf=asf, amc=text))
    assert rot.angle_between(radians.rotations, degrees.rotations).max() < 1e-12
    assert "skeleton's radians" in warnings_of(radians)[0]


# --- units, axes, frame time


def test_a_unit_is_an_inch_over_the_length_of_the_units_section(shared_data):
    motion = read_amc(shared_data / "cmu_asf_amc" / "16" / "16_15.amc")
    assert motion.source.unit == pytest.approx(0.056444, abs=1e-6)
    assert "0.45" in motion.source.unit_reason
    head = forward_kinematics(motion).positions[:, motion.skeleton.index("head"), 1]
    assert 1.4 < head.mean() < 1.7


def test_a_unit_may_be_told_and_must_make_sense(make_acclaim):
    motion = read_amc(make_acclaim(), unit=0.01)
    np.testing.assert_allclose(motion.skeleton.offsets[3], [0, -0.08, 0])
    assert motion.source.unit == 0.01
    with pytest.raises(InvalidInputError, match="unit"):
        read_amc(make_acclaim(), unit=-1)


def test_an_impossible_length_is_replaced_by_a_guess_from_the_height(shared_data, tmp_path):
    folder = shared_data / "cmu_asf_amc" / "16"
    text = (folder / "16.asf").read_text().replace("length 0.45", "length 1.0")
    (tmp_path / "16.asf").write_text(text)
    (tmp_path / "16_15.amc").write_bytes((folder / "16_15.amc").read_bytes())
    motion = read_amc(tmp_path / "16_15.amc")
    assert motion.source.unit == pytest.approx(0.056444, abs=1e-6)
    assert any("inches would make the body 0.7" in w for w in motion.source.warnings)


def test_frame_time_is_120_per_second_unless_told(make_acclaim):
    motion = read(make_acclaim())
    assert motion.frame_time == 1 / 120
    assert any("frame rate" in w for w in motion.source.warnings)
    told = read(make_acclaim(), frame_time=1 / 60)
    assert told.frame_time == 1 / 60
    assert told.source.warnings == ()


@pytest.mark.parametrize(
    ("up", "turned"), [("z", lambda p: [p[0], p[2], -p[1]]), ("x", lambda p: [-p[1], p[0], p[2]])]
)
def test_another_up_axis_turns_the_whole_world(make_acclaim, up, turned):
    plain, other = read(make_acclaim()), read(make_acclaim(), up=up)
    for a, b in ((forward_kinematics(plain).positions, forward_kinematics(other).positions),):
        np.testing.assert_allclose(b, np.moveaxis(turned(np.moveaxis(a, -1, 0)), 0, -1), atol=1e-12)
    assert other.source.up == up


# --- oddities of the text


def test_crlf(make_acclaim):
    crlf, plain = read(make_acclaim(newline="\r\n")), read(make_acclaim())
    np.testing.assert_array_equal(crlf.rotations, plain.rotations)
    assert warnings_of(crlf) == []


def test_missing_degrees_keyword(make_acclaim):
    motion = read(make_acclaim(changes=[(":DEGREES\n", "")]))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)
    assert "no :DEGREES line" in warnings_of(motion)[0]
    with pytest.raises(FormatError, match="strict"):
        read(make_acclaim(changes=[(":DEGREES\n", "")]), strict=True)


def test_bones_out_of_order(make_acclaim):
    lines = AMC.splitlines()
    swapped = [*lines[:4], lines[6], lines[4], lines[5], *lines[7:], ""]
    motion = read(make_acclaim(amc="\n".join(swapped)))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)


def test_comments_tabs_and_blank_lines(make_acclaim):
    odd = AMC.replace("thigh 5 -15 25", "\n\tthigh\t5  -15\t25   # limp\n").replace(
        "2\nroot", "  2  \n# next\nroot"
    )
    motion = read(make_acclaim(amc=odd))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)
    assert warnings_of(motion) == []


def test_upper_case_bone_names_in_the_motion(make_acclaim):
    motion = read(make_acclaim(amc=AMC.replace("thigh", "Thigh").replace("root", "ROOT")))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)


def test_scientific_notation(make_acclaim):
    motion = read(make_acclaim(changes=[("shin 50", "shin 5.0e+001")]))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)


def test_a_bone_missing_from_a_frame_stays_as_it_was(make_acclaim):
    motion = read(
        make_acclaim(
            amc=AMC.replace("thigh 6 -16 26\n", "") + "3\nroot 0 0 0 0 0 0\nthigh 1 2 3\nshin 4\n"
        )
    )
    np.testing.assert_array_equal(motion.rotations[1, 2], motion.rotations[0, 2])
    assert warnings_of(motion) == [
        "bone 'thigh' is missing in frame 2; kept as it was before (at rest at the start)"
    ]


def test_frame_numbers_that_jump(make_acclaim):
    motion = read(make_acclaim(changes=[("2\nroot 1.5", "7\nroot 1.5")]))
    assert motion.n_frames == 2
    assert warnings_of(motion) == ["line 8: frame 7 follows frame 1; read as the next one"]


def test_frames_numbered_in_steps_give_one_warning(make_acclaim):
    frames = [AMC[AMC.index("root") : AMC.index("2\nroot")]] * 4
    motion = read(
        make_acclaim(
            amc=":DEGREES\n" + "".join(f"{4 * i}\n{frame}" for i, frame in enumerate(frames))
        )
    )
    assert motion.n_frames == 4
    assert len(warnings_of(motion)) == 1
    assert "2 times more" in warnings_of(motion)[0]


def test_a_bone_twice_in_one_frame(make_acclaim):
    motion = read(make_acclaim(changes=[("shin 50", "shin 20\nshin 50")]))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)
    assert (
        "'shin' comes twice"
        in read(make_acclaim(changes=[("shin 50", "shin 20\nshin 50")])).source.warnings[0]
    )


def test_a_bone_that_never_appears_stays_at_rest(make_acclaim):
    motion = read(make_acclaim(amc=AMC.replace("shin 50\n", "").replace("shin 55\n", "")))
    np.testing.assert_allclose(motion.rotations[:, 3], rot.identity(2))


def test_frame_numbers_that_do_not_begin_at_one(make_acclaim):
    motion = read(
        make_acclaim(changes=[("1\nroot 1 2", "100\nroot 1 2"), ("2\nroot 1.5", "101\nroot 1.5")])
    )
    assert motion.n_frames == 2
    assert warnings_of(motion) == []


@pytest.mark.parametrize("cut", [-4, -9, -22, -35])
def test_a_last_frame_cut_short_is_left_out(make_acclaim, cut):
    motion = read(make_acclaim(amc=AMC[:cut]))
    assert motion.n_frames == 1
    assert "ends in the middle of frame 2" in warnings_of(motion)[0]


def test_a_name_that_no_file_can_have_in_the_first_line(tmp_path):
    (tmp_path / "a.amc").write_text("#!OML:ASF " + "x" * 1500 + "\n" + AMC)
    with pytest.raises(FormatError, match="no ASF skeleton found"):
        read_amc(tmp_path / "a.amc")


def test_skeleton_without_units_or_root_section(make_acclaim):
    asf = ASF[: ASF.index(":units")] + ASF[ASF.index(":bonedata") :]
    motion = read(make_acclaim(asf=asf))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)
    assert len(warnings_of(motion)) == 3


def test_a_direction_that_is_not_a_unit_vector_gives_only_the_direction(make_acclaim):
    motion = read(make_acclaim(changes=[("direction 0 -1 0", "direction 0 -4 0")]))
    np.testing.assert_allclose(motion.skeleton.offsets[3], [0, -8 * UNIT, 0])


def test_bones_that_change_their_length_are_read_without(make_acclaim):
    changes = [
        ("dof rz\n    limits (0 170)", "dof rz l"),
        ("shin 50", "shin 50 0.25"),
        ("shin 55", "shin 55 0.5"),
    ]
    motion = read(make_acclaim(changes=changes))
    np.testing.assert_array_equal(motion.rotations, read(make_acclaim()).rotations)
    motion = read(make_acclaim(changes=changes))
    assert "changes its length" in warnings_of(motion)[0]


# --- refused with one sentence


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            [("thigh 5 -15 25", "thigh 5 -15")],
            r"tiny_01.amc:6: bone 'thigh' has 3 degrees of freedom, found 2 numbers",
        ),
        (
            [("thigh 5 -15 25", "tigh 5 -15 25")],
            r":6: 'tigh' is neither a frame number nor a bone of the skeleton",
        ),
        ([("thigh 5 -15 25", "thigh 5 x 25")], r":6: bone 'thigh' needs 3 numbers, found '5 x 25'"),
        ([("thigh 5 -15 25", "thigh 5 nan 25")], r":6: bone 'thigh' has a number beyond"),
        ([("thigh 5 -15 25", "thigh 5 1e300 25")], r":6: bone 'thigh' has a number beyond"),
        (
            [("thigh 5 -15 25", "hip 5")],
            r":6: bone 'hip' has 0 degrees of freedom, found 1 numbers",
        ),
        (
            [("length 8", "length eight")],
            r"tiny.asf:27: length of 'thigh' needs 1 numbers, found 'eight'",
        ),
        ([("length 8", "length 1e9")], r":27: length of 'thigh' holds a number beyond"),
        ([("    length 8\n", "")], r"tiny.asf:\d+: bone 'thigh' has no length"),
        (
            [("direction 0 -1 0", "direction 0 0 0")],
            r":26: bone 'thigh' has a length but no direction",
        ),
        (
            [("axis 10 20 30 XYZ", "axis 10 20 30 XXZ")],
            r":28: an axis order must hold X, Y and Z once each",
        ),
        ([("dof rx ry rz", "dof rx ry rw")], r":29: degrees of freedom must be different ones"),
        ([("dof rx ry rz", "dof rx rx rz")], r":29: degrees of freedom must be different ones"),
        ([("(-70 70)", "(-70)")], r"bone 'thigh' has 3 degrees of freedom but 5 limit numbers"),
        ([("(-70 70)", "(70 -70)")], r"bone 'thigh' has a lower limit above its upper limit"),
        ([("name shin", "name thigh")], r"bone 'thigh' is defined twice"),
        ([("name shin", "name")], r"a bone without a name"),
        ([("    hip thigh\n", "")], r"not connected to the root by the hierarchy: .thigh shin"),
        ([("root hip", "root hip thigh")], r"bone 'thigh' has two parents"),
        ([("hip thigh", "hip knee")], r"the hierarchy names 'knee', which is not a bone"),
        (
            [("    root hip\n", "    shin hip\n")],
            r"not connected to the root by the hierarchy: .hip thigh shin",
        ),
        ([(":hierarchy", ":nothing")], r"no :hierarchy section; this is not an ASF skeleton file"),
        ([("length 0.5", "length 0")], r"units length must be positive"),
        ([("angle deg", "angle grad")], r"units angle must be deg or rad, found 'grad'"),
        ([("order TX TY TZ RX RY RZ", "order")], r"root order must name some of"),
    ],
)
def test_wrong_files_are_refused_with_file_line_and_reason(make_acclaim, changes, message):
    with pytest.raises(FormatError, match=message):
        read(make_acclaim(changes=changes))


def test_no_frames(make_acclaim):
    with pytest.raises(FormatError, match="no frame found"):
        read(make_acclaim(amc=":FULLY-SPECIFIED\n:DEGREES\n"))
    with pytest.raises(FormatError, match="before its first frame is complete"):
        read(make_acclaim(amc=":DEGREES\n1\n"))


def test_a_skeleton_file_cut_short(make_acclaim):
    with pytest.raises(FormatError, match="no :hierarchy section"):
        read(make_acclaim(asf=ASF[:500]))
    cut = ASF.replace("limits (0 170)\n  end\n", "limits (0 170)\n")
    with pytest.raises(FormatError, match="no 'end'"):
        read(make_acclaim(asf=cut))


def test_missing_files(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_amc(tmp_path / "nothing.amc")
    (tmp_path / "a.amc").write_text(AMC)
    with pytest.raises(FormatError, match="no ASF skeleton found for this AMC file"):
        read_amc(tmp_path / "a.amc")
    with pytest.raises(FormatError, match="no such file"):
        read_amc(tmp_path / "a.amc", skeleton=tmp_path / "b.asf")


# --- which skeleton


def test_the_skeleton_is_found_by_name_then_by_first_line_then_alone(tmp_path):
    amc = tmp_path / "16_15.amc"
    amc.write_text(AMC)
    (tmp_path / "any.ASF").write_text(ASF)
    assert find_skeleton(amc).name == "any.ASF"
    (tmp_path / "other.asf").write_text(ASF)
    with pytest.raises(FormatError, match=r"its folder holds any\.ASF, other\.asf"):
        find_skeleton(amc)
    assert find_skeleton(amc, "#!OML:ASF C:\\captures\\other.asf\n").name == "other.asf"
    (tmp_path / "16.asf").write_text(ASF)
    assert find_skeleton(amc, "#!OML:ASF other.asf\n").name == "16.asf"
    (tmp_path / "16_15.asf").write_text(ASF)
    assert find_skeleton(amc).name == "16_15.asf"


# --- real captures


def test_all_captures_read_without_a_warning(shared_data):
    paths = sorted((shared_data / "cmu_asf_amc").rglob("*.amc"))
    assert paths
    for path in paths:
        assert warnings_of(read_amc(path, strict=True)) == [], path


def test_every_skeleton_reads(shared_data):
    for path in sorted((shared_data / "cmu_asf_amc").rglob("*.asf")):
        asf = read_asf(path)
        assert len(asf.bones) == 30
        assert asf.notes == ()
        assert len(asf.skeleton(1.0).end_parents) == 7  # toes, fingers, thumbs, head


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_text_is_read_or_refused(make_acclaim, data):
    asf, amc = list(ASF), list(AMC)
    for text in (asf, amc):
        for _ in range(data.draw(st.integers(0, 3))):
            k = data.draw(st.integers(0, len(text) - 1))
            text[k] = data.draw(
                st.sampled_from(["", "\n", "9", "-", "x", " ", ":", "\x00", "é", "e", "#"])
            )
    with contextlib.suppress(MotionloomError):
        assert read_amc(make_acclaim(asf="".join(asf), amc="".join(amc))).n_frames > 0
