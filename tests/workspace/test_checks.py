"""Outputs that would do harm are refused."""

from pathlib import Path

import pytest

from motionloom.errors import InvalidInputError
from motionloom.workspace.writing import check_outputs, make_folder_of


def test_an_input_is_never_overwritten(folder):
    Path("link.bvh").symlink_to("clips/b.bvh")
    for output in ("clips/b.bvh", "clips/../clips/b.bvh", "link.bvh"):
        with pytest.raises(InvalidInputError, match="is also an input"):
            check_outputs([Path(output)], [Path("clips/b.bvh")])
    check_outputs([Path("other.bvh"), None, None], [Path("clips/b.bvh")])


def test_an_input_is_known_by_all_its_names(folder):
    Path("other.bvh").hardlink_to("clips/b.bvh")
    with pytest.raises(InvalidInputError, match="same file as an input"):
        check_outputs([Path("other.bvh")], [Path("clips/b.bvh")], force=True)


def test_a_file_of_somebody_else_is_replaced_only_when_told(folder):
    Path("mine.bvh").write_text("x")
    Path("link.bvh").symlink_to("clips/b.bvh")
    for output in ("mine.bvh", "link.bvh"):
        with pytest.raises(InvalidInputError, match="insist on replacing") as caught:
            check_outputs([Path(output)], [])
        assert caught.value.hint == "force"
        check_outputs([Path(output)], [], force=True)


def test_a_device_is_no_output(folder):
    with pytest.raises(InvalidInputError, match="device"):
        check_outputs([Path("/dev/null")], [], force=True)


def test_two_results_in_one_file_and_folders_are_refused(folder):
    with pytest.raises(InvalidInputError, match="two outputs"):
        check_outputs([Path("a.html"), Path("./a.html")], [])
    with pytest.raises(InvalidInputError, match="is a folder"):
        check_outputs([folder], [])


def test_folders_of_outputs_are_made(tmp_path):
    make_folder_of(tmp_path / "new" / "deep" / "out.bvh")
    assert (tmp_path / "new" / "deep").is_dir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInputError, match="its folder cannot be created"):
        make_folder_of(tmp_path / "file" / "out.bvh")


@pytest.mark.parametrize("part", ["library.json", "clips/x/zarr.json", "graph/head.json"])
def test_parts_of_a_library_are_no_outputs(tmp_path, part):
    (tmp_path / "library.json").write_text("{}")
    with pytest.raises(InvalidInputError, match="part of the library"):
        check_outputs([tmp_path / part], [], force=True)
    check_outputs([tmp_path / "walk.bvh"], [])


def test_parts_of_a_graph_are_no_outputs(tmp_path):
    (tmp_path / "rows").mkdir()
    (tmp_path / "head.json").write_text("{}")
    for part in ("head.json", "graph.npz", "rows/a.npz"):
        with pytest.raises(InvalidInputError, match="part of a motion graph"):
            check_outputs([tmp_path / part], [], force=True)


def test_outputs_whose_names_are_one_where_case_or_form_does_not_count(tmp_path):
    for other in ("WALK\u00e9.bvh", "walke\u0301.bvh"):
        with pytest.raises(InvalidInputError, match="two outputs"):
            check_outputs([tmp_path / "walk\u00e9.bvh", tmp_path / other], [])


def test_a_folder_that_cannot_be_made_is_told_before(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInputError, match="folder cannot be created"):
        check_outputs([tmp_path / "file" / "deep" / "out.bvh"], [])
