"""Writing AMC: the numbers of the file that was read come back, and curves do not jump."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.acclaim.amc import read_amc, write_amc

FILES = Path(__file__).parents[1] / "files"
ASF, AMC = (FILES / "tiny.asf").read_text(), (FILES / "tiny_01.amc").read_text()
UNIT = 0.0254 / 0.5


def read(path, **options):
    return read_amc(path, unit=UNIT, **options)


def numbers_of(text):
    return [
        float(word) for line in text.splitlines() if line[:1].isalpha() for word in line.split()[1:]
    ]


def numbers(path):
    return numbers_of(path.read_text())


def test_written_numbers_are_those_that_were_read(make_acclaim, tmp_path):
    motion = read(make_acclaim())
    write_amc(motion, tmp_path / "out.amc")
    text = (tmp_path / "out.amc").read_text()
    bones = ("root", "thigh", "shin")
    assert [line.split()[0] for line in text.splitlines()[4:]] == ["1", *bones, "2", *bones]
    assert numbers_of(text) == pytest.approx(numbers_of(AMC), abs=1e-7)
    again = read(tmp_path / "out.amc")
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-9
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-9)


def test_written_files_keep_their_frame_time_in_a_comment(make_acclaim, tmp_path):
    motion = read(make_acclaim(), frame_time=1 / 29.97)
    write_amc(motion, tmp_path / "out.amc")
    again = read(tmp_path / "out.amc")
    assert again.frame_time == 1 / 29.97
    assert again.source.warnings == ()


@pytest.mark.parametrize("odd", ["0", "-1", "1e9", "1.2.3", "nan", "."])
def test_an_odd_frame_time_in_a_comment_is_a_comment(make_acclaim, odd):
    assert read(make_acclaim(amc=f"# frame time {odd} s\n{AMC}")).frame_time == 1 / 120


def test_written_files_find_their_skeleton_from_another_folder(make_acclaim, tmp_path):
    motion = read(make_acclaim())
    (tmp_path / "results").mkdir()
    write_amc(motion, tmp_path / "results" / "new.amc")
    assert (tmp_path / "results" / "new.amc").read_text().startswith("#!OML:ASF ../tiny.asf\n")
    assert read(tmp_path / "results" / "new.amc").n_frames == 2


def test_angles_beyond_half_and_full_turns_keep_their_branch(make_acclaim, tmp_path):
    changes = [
        ("root 1 2 3 10 20 30", "root 1 2 3 350 170 -200"),
        ("root 1.5 2.5 3.5 12 22 32", "root 1 2 3 371 172 -190"),
    ]
    path = make_acclaim(changes=changes)
    write_amc(read(path), tmp_path / "out.amc")
    assert numbers(tmp_path / "out.amc") == pytest.approx(numbers(path), abs=1e-7)


def test_written_angles_do_not_jump_where_the_file_did(make_acclaim, tmp_path):
    path = make_acclaim(
        changes=[
            ("root 1 2 3 10 20 30", "root 0 0 0 0 179 0"),
            ("root 1.5 2.5 3.5 12 22 32", "root 0 0 0 0 -179 0"),
        ]
    )
    write_amc(read(path), tmp_path / "out.amc")
    assert numbers(tmp_path / "out.amc")[4] == pytest.approx(179)
    assert numbers(tmp_path / "out.amc")[14] == pytest.approx(181)


def test_writing_needs_a_skeleton_of_the_same_bones(make_acclaim, tmp_path):
    motion = read_amc(make_acclaim(), unit=UNIT)
    foreign = motion.source.extra["coordinates"].to_motion(
        motion.source.extra["first_values"][None], 0.1
    )
    with pytest.raises(InvalidInputError, match="needs an ASF skeleton"):
        write_amc(foreign, tmp_path / "out.amc")
    write_amc(foreign, tmp_path / "out.amc", skeleton=tmp_path / "tiny.asf")
    assert numbers(tmp_path / "out.amc") == pytest.approx(numbers_of(AMC)[:10], abs=1e-7)
    (tmp_path / "longer.asf").write_text(ASF.replace("length 8", "length 9"))
    with pytest.raises(InvalidInputError, match="bones differ"):
        write_amc(foreign, tmp_path / "out.amc", skeleton=tmp_path / "longer.asf")


def test_a_motion_without_frames_is_not_written(make_acclaim, tmp_path):
    with pytest.raises(InvalidInputError, match="has none"):
        write_amc(read(make_acclaim()).cut(0, 0), tmp_path / "out.amc")
    assert not (tmp_path / "out.amc").exists()


ANGLES = st.floats(-170, 170).map(lambda a: round(a, 4))


@given(st.lists(st.tuples(*[ANGLES] * 10), min_size=1, max_size=4))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_numbers_round_trip_as_poses(make_acclaim, tmp_path, rows):
    frames = [
        f"{i}\nroot {' '.join(map(str, row[:6]))}\nthigh {' '.join(map(str, row[6:9]))}\nshin"
        f" {row[9]}\n"
        for i, row in enumerate(rows, 1)
    ]
    motion = read(make_acclaim(amc=":DEGREES\n" + "".join(frames)))
    write_amc(motion, tmp_path / "out.amc")
    again = read(tmp_path / "out.amc")
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-8
    np.testing.assert_allclose(again.translations, motion.translations, atol=1e-8)
    assert numbers(tmp_path / "out.amc")[:10] == pytest.approx(list(rows[0]), abs=1e-5)


def test_another_up_axis_round_trips(make_acclaim, tmp_path):
    motion = read(make_acclaim(), up="z")
    write_amc(motion, tmp_path / "out.amc")
    assert numbers(tmp_path / "out.amc") == pytest.approx(numbers_of(AMC), abs=1e-7)


def test_lengths_that_were_left_out_are_written_as_zero(make_acclaim, tmp_path):
    changes = [
        ("dof rz\n    limits (0 170)", "dof rz l"),
        ("shin 50", "shin 50 0.25"),
        ("shin 55", "shin 55 0.5"),
    ]
    write_amc(read(make_acclaim(changes=changes)), tmp_path / "out.amc")
    assert (tmp_path / "out.amc").read_text().splitlines()[7] == "shin 50 0"


def test_captures_round_trip_number_by_number(shared_data, tmp_path):
    paths = sorted((shared_data / "cmu_asf_amc").rglob("*.amc"))
    assert paths
    for path in paths:
        motion = read_amc(path)
        if motion.n_frames > 450:
            continue
        write_amc(motion, tmp_path / "out.amc")
        before, after = np.array(numbers(path)), np.array(numbers(tmp_path / "out.amc"))
        turn = 360 * np.round((before - after) / 360)
        np.testing.assert_allclose(after + turn, before, atol=2e-5, err_msg=str(path))
