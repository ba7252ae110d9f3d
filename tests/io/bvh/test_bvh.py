"""BVH reader: one tiny file per oddity, each compared with what the file plainly means."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.kinematics import end_site_positions, forward_kinematics

TINY = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
  JOINT Leg
  {
    OFFSET 4 -5 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    {
      OFFSET 0 -30 2
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
1.5 35 -2 10 20 30 5 6 7 1 2 3
1.6 35.5 -2.5 11 21 31 6 7 8 2 3 4
1.7 36 -3 12 22 32 7 8 9 3 4 5
"""
ROWS = np.array([[float(word) for word in line.split()] for line in TINY.splitlines()[-3:]])


@pytest.fixture
def read(tmp_path):
    """Read a text as a BVH file of metres."""

    def read_text(text, **options):
        path = tmp_path / "tiny.bvh"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_bvh(path, **{"unit": 1.0, **options})

    return read_text


def chest_tip(
    rows, order=("ZXY", "ZXY"), positions=slice(0, 3), turns=slice(3, 6), chest=slice(6, 9)
):
    """World position of the tip above the chest per frame, by SciPy (upper case is intrinsic)."""
    hips = Rotation.from_euler(order[0], rows[:, turns], degrees=True)
    bend = Rotation.from_euler(order[1], rows[:, chest], degrees=True)
    return rows[:, positions] + hips.apply([0, 20, 0]) + (hips * bend).apply([0, 10, 0])


def tips(motion):
    return end_site_positions(motion, forward_kinematics(motion))


def assert_means(motion, rows=ROWS):
    """The motion is that of TINY with these rows, without a word of warning."""
    assert motion.source.warnings == ()
    np.testing.assert_allclose(tips(motion)[:, 0], chest_tip(rows), atol=1e-12)


def warned(motion, *words):
    """The one warning, which must hold all words."""
    (warning,) = motion.source.warnings
    for word in words:
        assert word in warning, warning
    return True


# --- what a plain file means


def test_plain_file(read):
    motion = read(TINY)
    assert_means(motion)
    assert motion.skeleton.names == ("Hips", "Chest", "Leg")
    assert motion.skeleton.parents.tolist() == [-1, 0, 0]
    assert motion.skeleton.end_parents.tolist() == [1, 2]
    assert motion.frame_time == 0.0333333  # exactly as written
    assert motion.translated == (0,)
    assert motion.source.channels[2] == ("Xrotation", "Yrotation", "Zrotation")
    assert motion.name == "tiny"


def test_orders_differ_within_a_file(read):
    motion = read(TINY)
    hips = Rotation.from_euler("ZXY", ROWS[:, 3:6], degrees=True)
    leg = Rotation.from_euler("XYZ", ROWS[:, 9:12], degrees=True)
    expected = ROWS[:, :3] + hips.apply([4, -5, 0]) + (hips * leg).apply([0, -30, 2])
    np.testing.assert_allclose(tips(motion)[:, 1], expected, atol=1e-12)


def test_rotations_before_positions(read):
    text = TINY.replace(
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "Zrotation Xrotation Yrotation Xposition Yposition Zposition",
    )
    rows = ROWS[:, [3, 4, 5, 0, 1, 2, *range(6, 12)]]
    text = text[: text.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in rows)
    assert_means(read(text))


def test_positions_between_rotations_in_any_order(read):
    names = "Zrotation Zposition Xrotation Xposition Yposition Yrotation"
    text = TINY.replace("Xposition Yposition Zposition Zrotation Xrotation Yrotation", names)
    rows = ROWS[:, [3, 2, 4, 0, 1, 5, *range(6, 12)]]
    motion = read(text[: text.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in rows))
    assert_means(motion)
    assert motion.source.channels[0] == tuple(names.split())


@pytest.mark.parametrize(
    ("names", "kept"), [("", []), ("Xrotation", [1]), ("Zrotation Yrotation", [0, 2])]
)
def test_joints_with_fewer_rotations(read, names, kept):
    count = len(names.split())
    text = TINY.replace("CHANNELS 3 Zrotation Xrotation Yrotation", f"CHANNELS {count} {names}")
    rows = np.delete(ROWS, [6 + k for k in range(3) if k not in kept], axis=1)
    motion = read(text[: text.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in rows))
    full = ROWS.copy()
    full[:, [6 + k for k in range(3) if k not in kept]] = 0
    assert_means(motion, full)


def test_one_position_channel(read):
    text = TINY.replace("CHANNELS 6 Xposition Yposition Zposition", "CHANNELS 4 Yposition").replace(
        "OFFSET 0 0 0", "OFFSET 7 8 9"
    )
    rows = np.delete(ROWS, [0, 2], axis=1)
    motion = read(text[: text.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in rows))
    full = ROWS.copy()
    full[:, [0, 2]] = 7, 9
    assert_means(motion, full)


def test_root_without_positions(read):
    text = TINY.replace("CHANNELS 6 Xposition Yposition Zposition", "CHANNELS 3")
    motion = read(
        text[: text.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in ROWS[:, 3:])
    )
    full = ROWS.copy()
    full[:, :3] = 0
    assert_means(motion, full)
    assert motion.translated == (0,)


# --- position channels below the root

MOVED = TINY.replace(
    "OFFSET 0 20 0\n    CHANNELS 3 Zrotation",
    "OFFSET 0 20 0\n    CHANNELS 6 Xposition Yposition Zposition Zrotation",
)


def moved_text(positions):
    rows = [[*row[:6], *p, *row[6:]] for row, p in zip(ROWS, positions, strict=True)]
    return MOVED[: MOVED.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in rows)


def test_absolute_positions_replace_the_offset(read):
    motion = read(moved_text([[0, 20, 0], [0, 20.5, 0], [0.1, 21, 0]]))
    assert motion.source.warnings == ()
    assert motion.translated == (0, 1)
    np.testing.assert_allclose(motion.translations[:, 1], [[0, 20, 0], [0, 20.5, 0], [0.1, 21, 0]])


def test_positions_added_to_the_offset(read):
    motion = read(moved_text([[0, 0, 0], [0, 0.5, 0], [0.1, 1, 0]]))
    assert warned(motion, "added", "option positions")
    np.testing.assert_allclose(motion.translations[:, 1], [[0, 20, 0], [0, 20.5, 0], [0.1, 21, 0]])


def test_the_user_decides_how_positions_are_meant(read):
    text = moved_text([[0, 20, 0], [0, 20.5, 0], [0.1, 21, 0]])
    motion = read(text, positions="added")
    assert motion.source.warnings == ()
    np.testing.assert_allclose(motion.translations[:, 1, 1], [40, 40.5, 41])
    with pytest.raises(InvalidInputError, match="absolute, added"):
        read(text, positions="relative")


def test_positions_that_only_repeat_the_offset_are_not_translations(read):
    motion = read(moved_text([[0, 20, 0]] * 3))
    assert motion.translated == (0,)
    assert_means(motion)
    assert len(motion.source.channels[1]) == 6  # they are written again


def test_root_offset_is_replaced_by_its_channels(read):
    """Many exporters repeat the first position in OFFSET; adding both would lift the body to twice
    its height.
    """
    assert_means(read(TINY.replace("OFFSET 0 0 0", "OFFSET 1.5 35 -2")))


def test_root_channels_near_zero_are_added_to_its_offset(read):
    text = TINY.replace("OFFSET 0 0 0", "OFFSET 0 35 0")
    rows = ROWS.copy()
    rows[:, 1] -= 35
    motion = read(text[: text.index("1.5 35")] + "\n".join(" ".join(map(str, row)) for row in rows))
    assert warned(motion, "added")
    np.testing.assert_allclose(motion.translations[:, 0], ROWS[:, :3], atol=1e-12)


# --- names and text


@pytest.mark.parametrize(
    "name", ["mixamorig:Hips", "spine.001", "Bip01 Neck", "rig|Hips", "Hüfte", "End", "JOINT"]
)
def test_names(read, name, tmp_path):
    motion = read(TINY.replace("JOINT Chest", f"JOINT {name}"))
    assert_means(motion)
    assert motion.skeleton.names[1] == name
    write_bvh(motion, tmp_path / "again.bvh")
    assert read_bvh(tmp_path / "again.bvh", unit=1.0).skeleton.names == motion.skeleton.names


def test_brace_on_the_line_of_the_name(read):
    motion = read(
        TINY.replace("JOINT Chest\n  {", "JOINT Bip01 Chest {").replace(
            "ROOT Hips\n{", "ROOT Hips{"
        )
    )
    assert_means(motion)
    assert motion.skeleton.names[:2] == ("Hips", "Bip01 Chest")


@pytest.mark.parametrize("ends", ["\r\n", "\r", "  \n", "\t \n", "\n\n"])
def test_line_ends_and_trailing_blanks(read, ends):
    assert_means(read(TINY.replace("\n", ends)))


def test_tabs(read):
    assert_means(
        read(
            TINY.replace("Frames: ", "Frames:\t")
            .replace("  ", "\t")
            .replace(" 10 20 ", "\t10\t\t20 ")
        )
    )


def test_no_newline_at_the_end(read):
    assert_means(read(TINY.rstrip("\n")))


def test_byte_order_marks(read):
    assert_means(read(b"\xef\xbb\xbf" + TINY.encode()))
    assert_means(read(TINY.encode("utf-16")))


def test_keywords_in_any_case(read):
    text = TINY
    for word in (
        "HIERARCHY",
        "ROOT",
        "JOINT",
        "OFFSET",
        "CHANNELS",
        "Xrotation",
        "MOTION",
        "Frame Time",
        "End Site",
    ):
        text = text.replace(word, word.lower())
    assert_means(read(text))


def test_scientific_notation(read):
    assert_means(
        read(
            TINY.replace("1.5 35", "1.5E0 3.5e+001").replace(
                "OFFSET 0 20 0", "OFFSET 9e-320 2.0E+1 -0"
            )
        )
    )


def test_numbers_run_together(read):
    motion = read(TINY.replace("35 -2 10", "35-2 10").replace("0 -30 2", "0.0-30.0 2"))
    assert [w.split(":")[0] for w in motion.source.warnings] == ["line 21", "line 28"]
    np.testing.assert_allclose(tips(motion)[:, 0], chest_tip(ROWS), atol=1e-12)


def test_decimal_commas(read):
    motion = read(TINY.replace("1.5 35", "1,5 35"))
    assert warned(motion, "line 28", "decimal commas")
    np.testing.assert_allclose(tips(motion)[:, 0], chest_tip(ROWS), atol=1e-12)


def test_frames_wrapped_over_lines(read):
    motion = read(TINY.replace(" 10 20 30 ", "\n10 20 30\n").replace(" 2 3 4\n", "\n2 3 4\n"))
    assert warned(motion, "do not have a line each")
    np.testing.assert_allclose(tips(motion)[:, 0], chest_tip(ROWS), atol=1e-12)


# --- frame counts and times


@pytest.mark.parametrize("declared", [2, 4, 0, 300, 999_999_999_999])
def test_wrong_frame_counts(read, declared):
    motion = read(TINY.replace("Frames: 3", f"Frames: {declared}"))
    assert motion.n_frames == 3
    assert warned(motion, "line 26", f"says {declared}, found 3")


@pytest.mark.parametrize("line", ["", "Frames:\n", "Frames: many\n", "Frames: -3\n"])
def test_missing_frame_count(read, line):
    motion = read(TINY.replace("Frames: 3\n", line))
    assert motion.n_frames == 3
    assert warned(motion, "Frames: N")


@pytest.mark.parametrize(
    "line", ["", "Frame Time:\n", "Frame Time: fast\n", "Frame Time: 0\n", "Frame Time: -0.1\n"]
)
def test_missing_frame_time(read, line):
    motion = read(TINY.replace("Frame Time: 0.0333333\n", line))
    assert motion.n_frames == 3
    assert motion.frame_time == 1 / 30
    assert warned(motion, "Frame Time: SECONDS", "1/30")


def test_implausible_frame_time_is_kept_and_warned_about(read):
    motion = read(TINY.replace("0.0333333", "30"))
    assert motion.frame_time == 30
    assert warned(motion, "line 27", "implausible", "frame time of 0.0333333 s")
    assert read(TINY.replace("0.0333333", "30"), frame_time=1 / 30).frame_time == 1 / 30


@pytest.mark.parametrize(
    "tail", ["MOTION\nFrames: 0\nFrame Time: 0.04\n", "MOTION\nFrames: 0\nFrame Time: 0.04"]
)
def test_no_frames(read, tail, tmp_path):
    motion = read(TINY[: TINY.index("MOTION")] + tail)
    assert motion.n_frames == 0
    assert motion.source.warnings == ()
    write_bvh(motion, tmp_path / "again.bvh")
    assert read_bvh(tmp_path / "again.bvh", unit=1.0).n_frames == 0


def test_no_motion_section(read):
    motion = read(TINY[: TINY.index("MOTION")])
    assert motion.n_frames == 0
    assert warned(motion, "no MOTION")


def test_last_frame_cut_short(read):
    motion = read(TINY[:-10])
    assert motion.n_frames == 2
    assert [w.split(":")[0] for w in motion.source.warnings] == ["line 30", "line 26"]


def test_broken_frame_in_between_repeats_the_one_before(read):
    motion = read(TINY.replace("1.6 35.5", "1.6 #IND"))
    assert motion.n_frames == 3
    assert warned(motion, "line 29", "'#IND'", "repeated")
    np.testing.assert_array_equal(motion.rotations[1], motion.rotations[0])


@pytest.mark.parametrize("odd", ["nan", "inf", "1e300", "12abc", "--3", "1.2.3", "0x10"])
def test_numbers_that_are_none(read, odd):
    motion = read(TINY.replace("1.6 35.5", f"{odd} 35.5"))
    assert warned(motion, "line 29", "repeated")


def test_text_after_the_frames_is_left_out(read):
    motion = read(TINY + "exported by hand\n")
    assert motion.n_frames == 3
    assert warned(motion, "line 31", "'exported'")


# --- trees


def test_end_sites_on_branches_and_several(read):
    site = "End Site\n  {\n    OFFSET 1 2 3\n  }\n"
    motion = read(TINY.replace("  JOINT Leg", f"{site}{site}  JOINT Leg"))
    assert motion.skeleton.end_parents.tolist() == [0, 0, 1, 2]
    assert motion.source.warnings == ()
    np.testing.assert_allclose(tips(motion)[:, 2], chest_tip(ROWS), atol=1e-12)


def test_joint_without_end_site(read):
    text = TINY.replace("    End Site\n    {\n      OFFSET 0 -30 2\n    }\n", "")
    assert_means(read(text))


def test_end_site_with_channels_becomes_a_joint(read):
    text = TINY.replace("OFFSET 0 -30 2\n", "OFFSET 0 -30 2\n      CHANNELS 1 Xrotation\n")
    motion = read("\n".join(line + " 0" * (line[:2] == "1.") for line in text.split("\n")))
    assert motion.skeleton.names[-1] == "Leg_end"
    assert warned(motion, "line 19", "'Leg_end'")


def test_same_name_twice(read):
    motion = read(TINY.replace("JOINT Leg", "JOINT Chest"))
    assert motion.skeleton.names == ("Hips", "Chest", "Chest_2")
    assert warned(motion, "line 15", "renamed Chest_2")


def test_missing_offset(read):
    motion = read(TINY.replace("    OFFSET 4 -5 0\n", ""))
    assert warned(motion, "line 15", "no OFFSET")
    np.testing.assert_array_equal(motion.skeleton.offsets[2], 0)


def test_channel_count_that_does_not_fit(read):
    motion = read(TINY.replace("CHANNELS 3 Zrotation", "CHANNELS 4 Zrotation"))
    assert warned(motion, "line 9", "CHANNELS says 4, names 3")


def test_missing_closing_braces(read):
    motion = read(TINY.replace("}\nMOTION", "MOTION"))
    assert warned(motion, "1 closing brace missing")


def test_missing_opening_brace(read):
    motion = read(TINY.replace("JOINT Leg\n  {", "JOINT Leg"))
    assert warned(motion, "line 15", "opening brace")


def test_closing_brace_too_many(read):
    assert warned(read(TINY.replace("}\nMOTION", "}\n}\nMOTION")), "line 25", "closing brace")


def test_ten_thousand_levels(read, tmp_path):
    depth = 10_000
    joint = "JOINT j{}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n"
    text = "HIERARCHY\n" + "".join(joint.format(i) for i in range(depth)).replace(
        "JOINT", "ROOT", 1
    )
    text += "}\n" * depth + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + "0 " * depth
    motion = read(text)
    assert motion.skeleton.n_joints == depth
    np.testing.assert_allclose(forward_kinematics(motion).positions[0, -1], [0, depth, 0])
    write_bvh(motion, tmp_path / "deep.bvh")
    assert read_bvh(tmp_path / "deep.bvh", unit=1.0).skeleton.n_joints == depth


# --- refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", ":1: expected HIERARCHY"),
        ("MOTION\nFrames: 1\nFrame Time: 1\n1 2 3\n", ":1: the file starts with MOTION"),
        (TINY.replace("JOINT Leg", "ROOT Leg"), ":15: a second ROOT, 'Leg'"),
        (TINY.replace("Zrotation", "Wrotation"), ":5: unknown channel 'Wrotation'"),
        (
            TINY.replace("CHANNELS 3 Xrotation Yrotation", "CHANNELS 3 Xrotation Xrotation"),
            ":18: rotations X X Z",
        ),
        (TINY.replace("Yposition", "Xposition"), ":5: a joint has the same position channel twice"),
        (TINY.replace("OFFSET 4 -5 0", "OFFSET 4 -5"), ":17: OFFSET needs three numbers"),
        (TINY.replace("OFFSET 4 -5 0", "OFFSET 4 x 0"), ":17: OFFSET needs three numbers"),
        (TINY.replace("OFFSET 4 -5 0", "OFFSET 4 1e99 0"), ":17: OFFSET needs three numbers"),
        (
            TINY.replace(" 3\n", "\n").replace(" 4\n", "\n"),
            ":28: found 11 numbers, expected 12 .* 2 of 3 lines",
        ),
        ("HIERARCHY\n}\nOFFSET 1 2 3\nMOTION\n", ":3: OFFSET outside"),
        ("HIERARCHY\nMOTION\n", ":1: expected HIERARCHY|HIERARCHY holds no joint"),
    ],
)
def test_refused_with_one_sentence_and_the_line(read, text, message):
    with pytest.raises(FormatError, match=message) as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_more_joints_than_any_body(read):
    joint = "JOINT j{}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n"
    with pytest.raises(FormatError, match="more than 10000 joints"):
        read("HIERARCHY\n" + "".join(joint.format(i) for i in range(20_001)))


STRICT = {
    "count": TINY.replace("Frames: 3", "Frames: 4"),
    "time": TINY.replace("Frame Time: 0.0333333\n", ""),
    "glued": TINY.replace("35 -2 10", "35-2 10"),
    "short": TINY[:-10],
    "brace": TINY.replace("}\nMOTION", "MOTION"),
    "channels": TINY.replace("CHANNELS 3 Zrotation", "CHANNELS 4 Zrotation"),
    "twice": TINY.replace("JOINT Leg", "JOINT Chest"),
}


@pytest.mark.parametrize("oddity", STRICT)
def test_strict_refuses_what_would_be_mended(read, oddity):
    assert read(STRICT[oddity]).source.warnings
    with pytest.raises(FormatError, match="strict"):
        read(STRICT[oddity], strict=True)


def test_strict_reads_a_plain_file(read):
    assert_means(read(TINY, strict=True))
