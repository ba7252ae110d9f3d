"""TRC files: one tiny file per oddity, made here, round trips, and real captures."""

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io import load, load_markers, save
from motionloom.io._markers import read_trc, write_trc
from motionloom.marker_motion import MarkerSequence

HEAD = """PathFileType\t4\t(X/Y/Z)\ttiny.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
100.00\t100.00\t3\t2\tmm\t100.00\t1\t3
Frame#\tTime\tHEAD\t\t\tLHEEL\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

"""
ROWS = """1\t0.00\t10.5\t1700.25\t-12.125\t15\t20\t30
2\t0.01\t20.5\t1701.25\t-11.125\t16\t21\t31
3\t0.02\t30.5\t1702.25\t-10.125\t17\t22\t32
"""
POSITIONS = [
    [[10.5, 1700.25, -12.125], [15, 20, 30]],
    [[20.5, 1701.25, -11.125], [16, 21, 31]],
    [[30.5, 1702.25, -10.125], [17, 22, 32]],
]


@pytest.fixture
def read(tmp_path):
    def write_and_read(*changes, text=HEAD + ROWS, newline="\n", **options):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "tiny.trc"
        path.write_bytes(text.replace("\n", newline).encode())
        return read_trc(path, **options)

    return write_and_read


def assert_plain(markers):
    assert markers.labels == ("HEAD", "LHEEL")
    assert markers.valid.all()
    assert markers.frame_time == 0.01
    np.testing.assert_allclose(markers.positions, np.array(POSITIONS) / 1000, rtol=1e-14)


def about(markers):
    """Warnings, but not those about the up axis, which TRC never names."""
    return [text for text in markers.source.warnings if "which axis is up" not in text]


def test_plain_file(read):
    markers = read()
    assert_plain(markers)
    assert about(markers) == []
    assert markers.source.extra["header"]["camerarate"] == "100.00"


@pytest.mark.parametrize(
    "changes",
    [
        [("\n\n1\t", "\n1\t")],
        [("\n", " \n")],
        [("LHEEL\t\t\n", "LHEEL\n")],
        [("LHEEL\t\t\n", "LHEEL\t\t\t\t\n"), ("\t30\n", "\t30\t\n")],
        [("Frame#", "frame#"), ("DataRate\tC", "datarate\tC")],
        [("1700.25", "1.70025e3"), ("-12.125", "-1.2125E+1")],
        [("PathFileType", "\ufeffPathFileType")],
    ],
    ids=[
        "no blank line",
        "trailing blanks",
        "no tabs after the last label",
        "trailing tabs",
        "lower case",
        "scientific",
        "byte order mark",
    ],
)
def test_read_without_a_word(read, changes):
    markers = read(*changes)
    assert_plain(markers)
    assert about(markers) == []


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends(read, newline):
    assert_plain(read(newline=newline))


def test_blanks_instead_of_tabs(read):
    text = (HEAD + ROWS).replace("HEAD\t\t\tLHEEL\t\t", "HEAD LHEEL").replace("\t", "  ")
    assert_plain(read(text=text))


# --- gaps


@pytest.mark.parametrize(
    "cells", ["\t\t", " \t \t ", "nan\tnan\tnan", "NaN\t21\t31", "\t21\t31", "0\t0\t0.00"]
)
def test_gaps(read, cells):
    markers = read(("16\t21\t31", cells))
    assert np.argwhere(~markers.valid).tolist() == [[1, 1]]
    assert (markers.positions[1, 1] == 0).all()
    np.testing.assert_allclose(markers.positions[1, 0], np.array(POSITIONS[1][0]) / 1000)
    assert [t for t in about(markers) if "0 0 0" not in t] == []


def test_gap_in_the_first_marker_keeps_the_columns(read):
    markers = read(("20.5\t1701.25\t-11.125", "\t\t"))
    assert np.argwhere(~markers.valid).tolist() == [[1, 0]]
    np.testing.assert_allclose(markers.positions[1, 1], [0.016, 0.021, 0.031])


def test_row_that_ends_early_is_a_gap(read):
    assert np.argwhere(~read(("\t16\t21\t31", "")).valid).tolist() == [[1, 1]]


def test_no_marker_seen_in_any_frame(read):
    text = HEAD + "1\t0.00" + "\t" * 6 + "\n2\t0.01" + "\t" * 6 + "\n"
    markers = read(text=text)
    assert not markers.valid.any()
    assert markers.n_frames == 2


# --- mistakes: mended with a warning, refused when strict


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ([("100.00\t3\t2", "100.00\t5\t2")], "line 3: NumFrames says 5, found 3 rows"),
        ([("100.00\t3\t2", "100.00\t3\t7")], "line 4: NumMarkers says 7, but 2 are named"),
        ([("\t30\n", "\t30\t99\n")], "line 7: expected 8 columns, found 9"),
        (
            [("1\t0.00\t10.5", "1\t0.00\t10,5")],
            "line 7: column 3: '10,5' is read as a number with a decimal point",
        ),
        (
            [("\t0.01\t", "\t0.02\t"), ("3\t0.02", "3\t0.04")],
            "line 3: DataRate says 100 frames per second",
        ),
        ([("100.00\t100.00\t3", "\t100.00\t3")], "line 3: DataRate is ''; the frame time 0.01 s"),
        ([("100.00\t100.00\t3", "fast\t100.00\t3")], "line 3: DataRate is 'fast'"),
    ],
    ids=["frames", "markers", "columns", "comma", "times", "no rate", "rate is a word"],
)
def test_mended(read, changes, warning):
    markers = read(*changes)
    assert_plain(markers)
    (text,) = about(markers)
    assert text.startswith(warning)
    with pytest.raises(FormatError, match="refused because strict"):
        read(*changes, strict=True)


def test_cell_that_is_no_number(read):
    markers = read(("1701.25", "oops"))
    assert np.argwhere(~markers.valid).tolist() == [[1, 0]]
    assert about(markers) == [
        "line 8: column 4: 'oops' is no number that can be a position; taken as a gap"
    ]


def test_the_same_mistake_in_many_rows_is_told_once(read):
    text = HEAD + "".join(f"{i + 1}\t{i / 100}\t1\t2\t3\t4\t5\t6\t7\t8\t9\n" for i in range(50))
    told = [t for t in about(read(("100.00\t3\t2", "100.00\t50\t2"), text=text)) if "columns" in t]
    assert told == [
        "line 7: expected 8 columns, found 11; what has no name is left out, and in 49 more rows"
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("A\t\t\tA\t\t", ("A", "A_2")),
        ("\t\t\tB\t\t", ("marker1", "B")),
        ("A\t\t\t\t\t", ("A", "marker2")),
    ],
)
def test_labels(read, names, expected):
    assert read(("HEAD\t\t\tLHEEL\t\t", names)).labels == expected


def test_odd_characters_in_labels(read):
    assert read(("HEAD", "Ann:R.ASIS 1")).labels[0] == "Ann:R.ASIS 1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "HIERARCHY\n",
            r":1: expected a TRC file that begins with PathFileType, found 'HIERARCHY'",
        ),
        (HEAD.split("Frame#")[0], r":4: the header ends early"),
        (
            HEAD.replace("100.00", "") + ROWS[: ROWS.index("2\t")],
            r":3: expected a frame rate under DataRate, found ''",
        ),
    ],
    ids=["other format", "cut off", "no rate"],
)
def test_refused_with_one_sentence(read, text, sentence):
    with pytest.raises(FormatError, match=sentence) as info:
        read(text=text)
    assert "\n" not in str(info.value)


def test_no_frames(read):
    markers = read(text=HEAD)
    assert markers.positions.shape == (0, 2, 3)


def test_no_markers(read):
    text = (
        HEAD.replace("\tHEAD\t\t\tLHEEL\t\t", "")
        .replace("X1\tY1\tZ1\tX2\tY2\tZ2", "")
        .replace("3\t2\tmm", "2\t0\tmm")
    )
    assert read(text=text + "1\t0.0\n2\t0.01\n").positions.shape == (2, 0, 3)


# --- unit, axes, rate


@pytest.mark.parametrize(
    ("named", "unit"), [("m", 1.0), ("cm", 0.01), ("MM", 0.001), ("meters", 1.0)]
)
def test_unit_that_the_file_names(read, named, unit):
    assert read(("\tmm\t", f"\t{named}\t")).source.unit == unit


def test_missing_unit_is_guessed_and_said(read):
    markers = read(("\tmm\t", "\t\t"))
    assert markers.source.unit == 0.001
    assert any("the file names no unit; the markers rise" in text for text in about(markers))


def test_unit_and_axes_told_by_the_user(read):
    markers = read(unit=0.01, up="z")
    np.testing.assert_allclose(markers.positions[0, 0], [17.0025, -0.12125, 0.105])
    assert markers.source.warnings == (
        "Z was told to be up, but the markers stand on a floor along Y",
    )
    with pytest.raises(InvalidInputError, match="unit must be"):
        read(unit=0.0)


@pytest.mark.parametrize("rate", ["29.97", "59.94", "240", "1e2"])
def test_frame_rate_is_exact(read, rate):
    rows = "".join(f"{i + 1}\t{i / float(rate):.4f}\t1\t2\t3\t4\t5\t6\n" for i in range(3))
    assert read(
        ("100.00\t100.00\t3", f"{rate}\t{rate}\t3"), text=HEAD + rows
    ).frame_time == 1 / float(rate)


# --- writing


def random_markers(seed=0, frame_time=1 / 29.97, **options):
    rng = np.random.default_rng(seed)
    positions = rng.uniform([-0.3, 0.7, -0.3], [0.3, 1.3, 0.3], (40, 5, 3))
    positions[:, 0, 1] = 0.01
    return MarkerSequence(
        tuple("ABCDE"), positions, rng.random((40, 5)) > 0.2, frame_time, **options
    )


@pytest.mark.parametrize("frame_time", [1 / 29.97, 1 / 120, 0.0083333, 1 / 60000 * 1001])
@pytest.mark.parametrize(("unit", "up"), [(None, None), (1.0, "y"), (0.01, "z"), (0.001, "x")])
def test_round_trip(tmp_path, unit, up, frame_time):
    markers = random_markers(frame_time=frame_time)
    write_trc(markers, tmp_path / "a.trc", unit=unit, up=up)
    again = read_trc(tmp_path / "a.trc", up=up or "y", strict=True)
    assert (again.labels, again.frame_time) == (markers.labels, markers.frame_time)
    np.testing.assert_array_equal(again.valid, markers.valid)
    np.testing.assert_allclose(again.positions, markers.positions, atol=1e-11)
    assert again.source.unit == (unit or 0.001)


def test_file_written_back_has_the_same_numbers(read, tmp_path):
    markers = read(("16\t21\t31", "\t\t"))
    write_trc(markers, tmp_path / "tiny.trc")
    written = (tmp_path / "tiny.trc").read_text()
    rows = written.split("\n\n")[1].splitlines()
    assert rows[0] == "1\t0\t10.5\t1700.25\t-12.125\t15\t20\t30"
    assert rows[1] == "2\t0.01\t20.5\t1701.25\t-11.125\t\t\t"


def test_unit_that_trc_cannot_name_becomes_millimetres(tmp_path):
    write_trc(random_markers(), tmp_path / "a.trc", unit=0.0254)
    assert read_trc(tmp_path / "a.trc").source.unit == 0.001


def test_labels_with_tabs_stay_in_their_column(tmp_path):
    markers = MarkerSequence(("A\tB", "C"), np.ones((2, 2, 3)), np.ones((2, 2), bool), 0.01)
    write_trc(markers, tmp_path / "a.trc")
    assert read_trc(tmp_path / "a.trc").labels == ("A B", "C")


def test_loaded_and_saved_by_suffix(tmp_path):
    save(random_markers(), tmp_path / "a.trc")
    assert isinstance(load(tmp_path / "a.trc"), MarkerSequence)
    with pytest.raises(
        InvalidInputError, match=r"no format in which markers can be written; use \.trc"
    ):
        save(random_markers(), tmp_path / "a.bvh")


# --- real captures


def test_unnamed_points_behind_the_named_markers(shared_data):
    markers = read_trc(shared_data / "odd" / "Gait.trc")
    assert (len(markers.labels), markers.n_frames, markers.source.up) == (33, 487, "z")
    assert not markers.valid[0].any()  # before the named markers were tracked
    heel = np.where(
        markers.valid[:, markers.index("R.Heel"), None],
        markers.positions[:, markers.index("R.Heel")],
        np.nan,
    )
    assert 0 < np.nanmin(heel[:, 1]) < 0.1
    assert any(
        "line 7: expected 101 columns, found 206" in text for text in markers.source.warnings
    )


@pytest.mark.parametrize(
    ("name", "sentence"), [("Empty", "empty"), ("Truncated", r":3: the header ends early")]
)
def test_refused_real_files(shared_data, name, sentence):
    with pytest.raises(FormatError, match=sentence):
        load(shared_data / "odd" / f"{name}.trc")


def test_captures_of_opensim_and_opencap_stand_upright(shared_data):
    files = sorted((shared_data / "markers").rglob("*.trc"))
    assert len(files) >= 6
    for file in files:
        markers = load_markers(file)
        assert markers.source.up == "y"
        seen = np.where(markers.valid, markers.positions[..., 1], np.nan)
        assert 0 < np.nanmin(seen) < 0.1
        assert 1.2 < np.nanmax(seen) < 1.9


def test_real_files_survive_a_round_trip(shared_data, tmp_path):
    for file in sorted((shared_data / "markers").rglob("*.trc"))[:2]:
        markers = load_markers(file)
        save(markers, tmp_path / "again.trc")
        again = load_markers(tmp_path / "again.trc")
        np.testing.assert_array_equal(again.valid, markers.valid)
        np.testing.assert_array_equal(again.positions, markers.positions)


def test_names_closer_than_their_columns_are_found(tmp_path):
    path = tmp_path / "close.trc"
    names = ("A", "B", "C", "D")
    head = (
        "PathFileType\t4\t(X/Y/Z)\tclose.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
    )
    head += "100\t100\t1\t4\tm\nFrame#\tTimes\t\t" + "\t\t".join(names) + "\n"
    head += "\t\t\t" + "\t".join(f"{axis}{i}" for i in range(1, 5) for axis in "XYZ") + "\n\n"
    path.write_text(head + "1\t0.0\t" + "\t".join(str(0.1 * i) for i in range(1, 13)) + "\n")
    markers = load_markers(path)
    assert markers.labels == names
    assert markers.valid.all()
