"""C3D files: one tiny file per oddity, made here, and real captures."""

import struct

import numpy as np
import pytest
from c3d_bytes import BLOCK, TinyC3d

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.c3d import read_c3d
from motionloom.io.c3d._read import decode
from motionloom.io.c3d.layout import read_layout
from motionloom.io.limits import Notes
from motionloom.io.units import UNITS
from motionloom.kinematics import forward_kinematics


def standing(frames=20, markers=4):
    """Markers (mm, Z up) of a body 1.7 m tall that walks along X; residual 0."""
    rng = np.random.default_rng(0)
    points = np.zeros((frames, markers, 4))
    points[..., :3] = rng.uniform(-200, 200, (1, markers, 3)) + rng.normal(
        size=(frames, markers, 3)
    )
    points[..., 2] = np.linspace(20, 1700, markers) + rng.normal(size=(frames, markers))
    points[..., 0] += 20 * np.arange(frames)[:, None] + 500
    return np.round(points, 2)


@pytest.fixture
def read(tmp_path):
    def write_and_read(file, **options):
        path = tmp_path / "tiny.c3d"
        path.write_bytes(bytes(file))
        return read_c3d(path, **options)

    return write_and_read


def in_our_axes(points):
    return points[..., [1, 2, 0]] / 1000


# --- what is in the file


@pytest.mark.parametrize("processor", [84, 85, 86], ids=["intel", "dec", "mips"])
@pytest.mark.parametrize("scale", [-1.0, 0.1], ids=["floats", "integers"])
def test_byte_orders_and_sample_formats(read, processor, scale):
    points = standing()
    stored = points.copy()
    if scale > 0:
        stored[..., :3] = np.round(points[..., :3] / scale)
    analog = np.arange(20 * 3 * 2).reshape(20, 3, 2) - 50.0
    markers = read(TinyC3d(stored, analog, processor=processor, scale=scale))
    assert markers.labels == ("M0", "M1", "M2", "M3")
    assert markers.valid.all()
    assert markers.source.warnings == ()
    np.testing.assert_allclose(
        markers.positions, in_our_axes(points[..., :3]), atol=6e-5 if scale > 0 else 1e-6
    )
    np.testing.assert_array_equal(markers.analog.values, analog.reshape(-1, 2))
    assert markers.analog.frame_time == 1 / 300


def test_frame_rate_is_the_decimal_that_was_written(read):
    assert read(TinyC3d(standing(), rate=29.97)).frame_time == 1 / 29.97


def test_analog_scale_offset_and_units(read):
    analog = np.full((5, 2, 2), [100.0, 200.0])
    own = {
        "SCALE": np.array([0.5, 2.0]),
        "OFFSET": np.array([10, -20]),
        "GEN_SCALE": 0.1,
        "UNITS": ["N", "V"],
    }
    markers = read(TinyC3d(standing(5), analog, scale=0.1, parameters={"ANALOG": own}))
    np.testing.assert_allclose(markers.analog.values, np.tile([4.5, 44.0], (10, 1)), rtol=1e-6)
    assert markers.analog.units == ("N", "V")


def test_unsigned_analog(read):
    analog = np.full((5, 1, 1), 40000 - 0x10000)
    own = {"FORMAT": "UNSIGNED", "OFFSET": np.array([33000])}
    markers = read(TinyC3d(standing(5), analog, scale=0.1, parameters={"ANALOG": own}))
    np.testing.assert_allclose(markers.analog.values, 7000)


def test_more_channels_than_one_parameter_holds(read):
    analog = np.ones((5, 2, 300))
    scales = np.arange(1.0, 301.0)
    own = {
        "SCALE": scales[:255],
        "SCALE2": scales[255:],
        "OFFSET": np.zeros(255, int),
        "LABELS": [f"C{i}" for i in range(255)],
        "LABELS2": [f"C{i}" for i in range(255, 300)],
    }
    found = read(TinyC3d(standing(5), analog, parameters={"ANALOG": own})).analog
    np.testing.assert_array_equal(found.values, np.tile(scales, (10, 1)))
    assert found.labels[-1] == "C299"


def test_float_analog_offset(read):
    analog = np.ones((5, 1, 1))
    markers = read(
        TinyC3d(standing(5), analog, parameters={"ANALOG": {"OFFSET": np.array([0.25])}})
    )
    np.testing.assert_allclose(markers.analog.values, 0.75)


def test_events_count_from_the_first_frame(read):
    events = {
        "USED": 2,
        "LABELS": ["Foot Off", "Foot Strike"],
        "CONTEXTS": ["Left", "Right"],
        "TIMES": np.array([[0.0, 1.0], [2.5, 3.0]]),
    }
    markers = read(TinyC3d(standing(), first=101, parameters={"EVENT": events}))
    assert [(e.label, e.context) for e in markers.events] == [
        ("Foot Off", "Left"),
        ("Foot Strike", "Right"),
    ]
    np.testing.assert_allclose([e.time for e in markers.events], [1.5, 62.0], atol=1e-6)


def test_events_in_the_header(read):
    raw = bytearray(bytes(TinyC3d(standing())))
    struct.pack_into("<2H", raw, 298, 12345, 2)
    struct.pack_into("<2f", raw, 304, 0.12, 0.05)
    raw[396:404] = b"RHS LTO "
    assert [(round(e.time, 6), e.label) for e in read(raw).events] == [(0.05, "LTO"), (0.12, "RHS")]


def test_force_plates_in_metres_and_our_axes(read):
    corners = np.array([[600.0, 0, 0], [600, 400, 0], [0, 400, 0], [0, 0, 0]]).T[..., None]
    plate = {
        "USED": 1,
        "TYPE": np.array([2]),
        "CORNERS": corners,
        "ORIGIN": np.array([[0.0], [0.0], [-40.0]]),
        "CHANNEL": np.array([[1], [2]]),
    }
    (found,) = read(
        TinyC3d(standing(), np.ones((20, 1, 2)), parameters={"FORCE_PLATFORM": plate})
    ).force_plates
    np.testing.assert_allclose(
        found["corners"], [[0, 0, 0.6], [0.4, 0, 0.6], [0.4, 0, 0], [0, 0, 0]]
    )
    np.testing.assert_allclose(found["origin"], [0, 0, -0.04])
    assert (found["type"], found["channels"]) == (2, (0, 1))


def test_results_of_gait_models_are_no_markers(read):
    own = {
        "LABELS": ["LASI", "RASI", "LKneeAngles", "C7"],
        "ANGLES": ["LKneeAngles"],
        "ANGLE_UNITS": "deg",
    }
    points = standing()
    points[:, 2, :3] = [37.0, 1.0, 2.0]
    markers = read(TinyC3d(points, parameters={"POINT": own}))
    assert markers.labels == ("LASI", "RASI", "C7")
    angles = markers.source.extra["outputs"]["ANGLES"]
    assert (angles["labels"], angles["unit"]) == (("LKneeAngles",), "deg")
    np.testing.assert_allclose(angles["values"][:, 0], np.tile([37.0, 1.0, 2.0], (20, 1)))


def test_all_parameters_are_kept(read):
    found = read(TinyC3d(standing(), parameters={"SUBJECTS": {"NAMES": ["Ann"], "MASS": 61.5}}))
    assert found.source.extra["parameters"]["SUBJECTS"]["NAMES"] == ("Ann",)
    assert found.source.extra["parameters"]["SUBJECTS"]["MASS"] == 61.5


# --- gaps


def test_negative_residual_is_a_gap(read):
    points = standing()
    points[3:5, 1] = [0, 0, 0, -1]
    points[6, 2, 3] = -1  # coordinates left over from before
    markers = read(TinyC3d(points))
    expected = np.ones((20, 4), bool)
    expected[3:5, 1] = expected[6, 2] = False
    np.testing.assert_array_equal(markers.valid, expected)
    assert (markers.positions[~expected] == 0).all()
    assert markers.source.warnings == ()


def test_nan_is_a_gap(read):
    points = standing()
    points[3, 1, 1] = np.nan
    points[4, 1, 0] = np.inf
    valid = read(TinyC3d(points)).valid
    assert np.argwhere(~valid).tolist() == [[3, 1], [4, 1]]


@pytest.mark.parametrize("processor", [84, 85, 86], ids=["intel", "dec", "mips"])
def test_numbers_that_are_none_raise_no_warning(read, processor):
    raw = bytearray(bytes(TinyC3d(standing(), np.ones((20, 1, 1)), processor=processor)))
    raw[-20 * 68 :] = b"\xff" * (20 * 68)
    markers = read(raw)
    assert not markers.valid.any()
    assert (markers.analog.values == 0).all()


def test_exact_zeros_are_a_gap_and_said(read):
    points = standing()
    points[3, 1] = 0
    markers = read(TinyC3d(points))
    assert np.argwhere(~markers.valid).tolist() == [[3, 1]]
    assert any("exactly 0 0 0" in text for text in markers.source.warnings)


def test_marker_that_is_never_seen(read):
    points = standing()
    points[:, 1] = [0, 0, 0, -1]
    assert not read(TinyC3d(points)).valid[:, 1].any()


# --- labels


@pytest.mark.parametrize(
    ("labels", "expected", "warning"),
    [
        (None, ("marker1", "marker2", "marker3", "marker4"), "4 of 4 markers have no label"),
        (["A", "B"], ("A", "B", "marker3", "marker4"), "2 of 4 markers have no label"),
        (["A", "", "C", "D"], ("A", "marker2", "C", "D"), "1 of 4 markers have no label"),
        (["A", "B", "A", "A"], ("A", "B", "A_2", "A_3"), "2 marker labels appear more than once"),
        (["A", "B", "C", "D", "E"], ("A", "B", "C", "D"), "5 labels for 4 markers; the last 1"),
        (["Ann:LASI", "L.ASIS", "C 7", "é"], ("Ann:LASI", "L.ASIS", "C 7", "é"), ""),
    ],
    ids=["missing", "too few", "empty", "repeated", "too many", "odd characters"],
)
def test_labels(read, labels, expected, warning):
    markers = read(TinyC3d(standing(), parameters={"POINT": {"LABELS": labels}}))
    assert markers.labels == expected
    assert (
        any(warning in text for text in markers.source.warnings)
        if warning
        else not markers.source.warnings
    )


def test_more_labels_than_one_parameter_holds(read):
    names = [f"P{i}" for i in range(300)]
    own = {"LABELS": names[:255], "LABELS2": names[255:]}
    markers = read(TinyC3d(standing(3, 300), parameters={"POINT": own}))
    assert markers.labels == tuple(names)


def test_latin_1_labels(read):
    value = struct.pack("bBBB", -1, 2, 4, 4) + b"f\xfc\xdfeB   C   D   "
    assert read(TinyC3d(standing(), parameters={"POINT": {"LABELS": value}})).labels[0] == "füße"


# --- unit and axes


@pytest.mark.parametrize(
    ("named", "unit"), [("mm", 0.001), ("cm", 0.01), ("m ", 1.0), ("IN", 0.0254)]
)
def test_unit_that_the_file_names(read, named, unit):
    points = standing()
    points[..., :3] *= 0.001 / unit
    markers = read(TinyC3d(points, parameters={"POINT": {"UNITS": named}}))
    assert markers.source.unit == unit
    np.testing.assert_allclose(markers.positions, in_our_axes(standing()[..., :3]), atol=1e-5)


@pytest.mark.parametrize("unit", [0.001, 0.01, 1.0])
@pytest.mark.parametrize("named", [None, "", "vu"])
def test_missing_unit_is_guessed_and_said(read, unit, named):
    points = standing()
    points[..., :3] *= 0.001 / unit
    markers = read(TinyC3d(points, parameters={"POINT": {"UNITS": named}}))
    assert markers.source.unit == unit
    assert any("unit" in text and "rise" in text for text in markers.source.warnings)


def test_implausible_unit_is_kept_and_said(read):
    markers = read(TinyC3d(standing(), parameters={"POINT": {"UNITS": "m"}}))
    assert markers.source.unit == 1.0
    assert any("span" in text for text in markers.source.warnings)
    assert (
        read(TinyC3d(standing(), parameters={"POINT": {"UNITS": "m"}}), unit=0.001).source.unit
        == 0.001
    )


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_up_axis_of_the_screen_parameters(read, up):
    points = standing()
    points[..., :3] = np.roll(points[..., :3], "xyz".index(up) - 2, axis=-1)
    markers = read(TinyC3d(points, parameters={"POINT": {"Y_SCREEN": f"+{up.upper()}"}}))
    assert markers.source.up == up
    assert markers.source.warnings == ()
    np.testing.assert_allclose(markers.positions[..., 1], standing()[..., 2] / 1000, atol=1e-6)


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_missing_up_axis_is_guessed_and_said(read, up):
    points = standing()
    points[..., :3] = np.roll(points[..., :3], "xyz".index(up) - 2, axis=-1)
    markers = read(TinyC3d(points, parameters={"POINT": {"Y_SCREEN": None, "X_SCREEN": None}}))
    assert markers.source.up == up
    assert any("which axis is up" in text for text in markers.source.warnings)


def test_up_axis_that_contradicts_the_markers_is_said(read):
    markers = read(TinyC3d(standing(), parameters={"POINT": {"Y_SCREEN": "+Y"}}))
    assert markers.source.up == "y"
    assert any("stand on a floor along Z" in text for text in markers.source.warnings)


def test_axes_stay_right_handed(read):
    for up in "xyz":
        points = np.zeros((1, 3, 4))
        points[0, :, :3] = 1000 * np.eye(3)
        markers = read(TinyC3d(points), up=up)
        assert np.linalg.det(markers.positions[0]) == pytest.approx(1.0)


def test_options_that_cannot_be_used(read):
    with pytest.raises(InvalidInputError, match="unit must be"):
        read(TinyC3d(standing()), unit=-1.0)
    with pytest.raises(InvalidInputError, match="up axis"):
        read(TinyC3d(standing()), up="up")


# --- what is missing or wrong


def test_no_points(read):
    markers = read(TinyC3d(np.zeros((6, 0, 4)), np.ones((6, 2, 1))))
    assert markers.positions.shape == (6, 0, 3)
    assert markers.analog.values.shape == (12, 1)


def test_no_points_and_no_analog(read):
    assert read(TinyC3d(np.zeros((6, 0, 4)))).positions.shape == (6, 0, 3)


def test_no_frames(read):
    markers = read(TinyC3d(np.zeros((0, 4, 4)), header={3: 1, 4: 0}))
    assert markers.positions.shape == (0, 4, 3)


def test_no_analog_group(read):
    assert read(TinyC3d(standing())).analog is None


def test_analog_without_parameters_is_skipped_over(read):
    points = standing()
    file = TinyC3d(
        points,
        np.ones((20, 2, 3)),
        parameters={"ANALOG": {"USED": None, "SCALE": None, "OFFSET": None}},
    )
    np.testing.assert_allclose(read(file).positions, in_our_axes(points[..., :3]), atol=1e-6)


def test_more_frames_than_16_bits_count(read):
    points = np.zeros((70_000, 1, 4))
    points[:, 0, 0] = np.arange(70_000)
    points[:, 0, 2] = 1000.0
    trial = {
        "ACTUAL_START_FIELD": np.array([1, 0]),
        "ACTUAL_END_FIELD": np.array([70_000 - 0x10000, 1]),
    }
    markers = read(TinyC3d(points, scale=-1.0, parameters={"TRIAL": trial}))
    assert markers.n_frames == 70_000
    np.testing.assert_allclose(markers.positions[[65_535, 69_999], 0, 2], [65.535, 69.999])


def test_end_of_the_file_is_missing(read):
    raw = bytes(TinyC3d(standing()))
    markers = read(raw[: -5 * 64 - 10])
    assert markers.n_frames == 14
    assert any("claims 20 frames but ends after 14" in text for text in markers.source.warnings)
    with pytest.raises(FormatError, match=r"claims 20 frames.*strict"):
        read(raw[: -5 * 64 - 10], strict=True)


def test_parameter_that_claims_more_than_its_room(read):
    value = struct.pack("bBBB", -1, 2, 4, 32) + b"mm  "
    markers = read(TinyC3d(standing(), parameters={"EXTRA": {"UNITS": value}}))
    assert markers.valid.all()
    assert any("claims 128 bytes but has room for" in text for text in markers.source.warnings)


def test_counts_of_header_and_parameters_differ(read):
    points = standing()
    markers = read(TinyC3d(points, header={1: 9}))
    np.testing.assert_allclose(markers.positions, in_our_axes(points[..., :3]), atol=1e-6)
    assert any("the header counts 9 points" in text for text in markers.source.warnings)


def test_samples_start_only_in_the_parameters(read):
    right = TinyC3d(standing())
    start = 2 + len(right.section()) // BLOCK
    wrong = TinyC3d(standing(), parameters={"POINT": {"DATA_START": start}}, header={8: 0})
    assert read(wrong).n_frames == 20


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"HIERARCHY" * 100, "not a C3D file: its second byte is 0x49"),
        (b"\x02\x50" + bytes(100), "not a C3D file"),
        (TinyC3d(standing(), processor=84, rate=0.0), "POINT:RATE is 0"),
        (TinyC3d(standing(), rate=float("nan")), "POINT:RATE is nan"),
        (TinyC3d(standing(), parameters={"POINT": {"SCALE": 0.0}}), "POINT:SCALE is 0"),
        (TinyC3d(standing(), header={8: 900}), "the samples start in block 900"),
        (TinyC3d(standing(), parameters={"POINT": {"USED": 10_001}}), "claims 10001 points"),
    ],
    ids=["other format", "too short", "no rate", "rate nan", "scale 0", "no samples", "points"],
)
def test_refused_with_one_sentence(read, file, sentence):
    with pytest.raises(FormatError, match=sentence) as info:
        read(file)
    assert "\n" not in str(info.value)
    assert "tiny.c3d" in str(info.value)


def test_unknown_processor_is_refused(read):
    raw = bytearray(bytes(TinyC3d(standing())))
    raw[BLOCK + 3] = 99
    with pytest.raises(FormatError, match="processor 99"):
        read(raw)


# --- real captures


def test_one_recording_in_three_byte_orders(shared_data):
    intel, mips, dec = (
        read_c3d(shared_data / "odd" / f"Eb015{kind}.c3d") for kind in ("pi", "si", "vr")
    )
    for other in (mips, dec):
        assert other.labels == intel.labels
        assert other.events == intel.events
        np.testing.assert_array_equal(other.valid, intel.valid)
        np.testing.assert_allclose(other.positions, intel.positions, atol=2e-7)
        np.testing.assert_array_equal(other.analog.values, intel.analog.values)
        np.testing.assert_array_equal(
            other.force_plates[1]["corners"], intel.force_plates[1]["corners"]
        )


@pytest.mark.parametrize(
    "name", ["odd/Eb015vr", "odd/PiG_Motion-FlatFoot-Hole", "gait_c3d/bmc_gait", "cmu_c3d/02_01"]
)
def test_samples_are_those_of_ezc3d(shared_data, name):
    ezc3d = pytest.importorskip("ezc3d")
    path = shared_data / f"{name}.c3d"
    data = ezc3d.c3d(str(path))["data"]
    points = data["points"][:3].transpose(2, 1, 0)
    raw = path.read_bytes()
    notes = Notes(path)
    positions, valid, analog = decode(raw, read_layout(raw, notes), notes)
    residuals = data["meta_points"]["residuals"][0].T
    np.testing.assert_array_equal(valid, (residuals >= 0) & np.isfinite(points).all(axis=-1))
    np.testing.assert_array_equal(positions[valid], points[valid])
    np.testing.assert_allclose(analog.T.ravel(), data["analogs"].ravel(), rtol=1e-6, atol=1e-9)


def test_bad_parameter_section_still_gives_a_person(shared_data):
    markers = read_c3d(shared_data / "odd" / "badParameterOffset.c3d")
    assert markers.positions.shape == (111, 41, 3)
    assert markers.fps == 250
    height = np.ptp(np.where(markers.valid, markers.positions[..., 1], 1.0), axis=1)
    assert ((height > 1.4) & (height < 1.9)).all()


def test_vicon_file_with_model_outputs(shared_data):
    markers = read_c3d(shared_data / "odd" / "PiG_Motion-FlatFoot-Hole.c3d")
    assert len(markers.labels) == 113
    assert {kind: len(v["labels"]) for kind, v in markers.source.extra["outputs"].items()} == {
        "ANGLES": 26,
        "FORCES": 20,
        "MOMENTS": 18,
        "POWERS": 16,
    }
    assert np.abs(markers.positions).max() < 6
    # A foot strike: the heel has come down to where it then stands.
    strike = next(e for e in markers.events if (e.label, e.context) == ("Foot Strike", "Left"))
    heel = markers.positions[:, markers.index("LHEE"), 1]
    assert heel[round(strike.time * 100)] < heel.min() + 0.03


def test_markers_fit_the_skeleton_of_the_same_trial(shared_data):
    """CMU solved its AMC files from these markers; C3D x, y, z is AMC z, x, y times 56.444 mm."""
    from motionloom.io.acclaim.amc import read_amc

    markers = read_c3d(shared_data / "cmu_c3d" / "05_13.c3d")
    motion = read_amc(
        shared_data / "cmu_asf_amc" / "05" / "05_13.amc", unit=UNITS["0.45-inch unit of CMU"]
    )
    pose = forward_kinematics(motion)
    assert markers.n_frames == motion.n_frames
    # Points that Vicon computed: the ends of the skeleton's bones, in our terms the joints that
    # start there.
    for label, joint in [
        ("PEL0", "root"),
        ("LFE0", "ltibia"),
        ("LTI0", "lfoot"),
        ("TRX0", "lowerneck"),
        ("LRA0", "lwrist"),
    ]:
        point = markers.positions[:, markers.index(f"Dance:{label}")]
        assert (
            np.linalg.norm(point - pose.positions[:, motion.skeleton.index(joint)], axis=-1).max()
            < 2e-4
        )
    ankle = (
        markers.positions[:, markers.index("Dance:RANK")]
        - pose.positions[:, motion.skeleton.index("rfoot")]
    )
    assert 0.04 < np.linalg.norm(ankle, axis=-1).mean() < 0.055
