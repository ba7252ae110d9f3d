"""Clips read from a place; nothing is printed."""

from dataclasses import replace

import pytest

from motionloom.errors import InvalidInputError
from motionloom.io import save
from motionloom.library import add_clips, create_library
from motionloom.places import find_place, find_readable
from motionloom.reading import ReadOptions, read_clip_set, read_files, read_motions
from motionloom.workspace.shots import find_graph


@pytest.fixture(scope="module")
def files(tmp_path_factory, performed):
    folder = tmp_path_factory.mktemp("clips")
    paths = [folder / place for place in ("a/walk.bvh", "b/walk.bvh", "b/turn.bvh")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        save(performed.motions[0].cut(0, 40), path)
    return paths


@pytest.fixture(scope="module")
def library(tmp_path_factory, files):
    folder = tmp_path_factory.mktemp("library") / "library"
    create_library(folder, 30.0)
    add_clips(folder, files, workers=1)
    return find_place([str(folder)])


def test_clips_of_one_name_are_told_apart(files, capsys):
    told = []
    motions = read_files(files[:2], tell=told.append)
    assert [m.name for m in motions] == ["walk", "b-walk"]
    assert told[-1].endswith("b/walk.bvh is called b-walk")
    assert capsys.readouterr() == ("", "")


def test_files_and_a_library_of_them_hold_the_same_clips(files, library):
    place = find_place([str(files[0].parents[1])])
    options = ReadOptions(only=("*walk",), mirror=True)
    loose, kept = (read_clip_set(one, options) for one in (place, library))
    assert sorted(loose.names) == sorted(kept.names)
    assert len(kept.names) == 4
    assert [m.name for m in read_motions(library, ReadOptions(without=("*walk",)))] == ["turn"]


def test_a_library_has_its_own_rate(library):
    with pytest.raises(
        InvalidInputError, match="at 30 frames per second, not 25; ask for its rate"
    ):
        read_clip_set(library, ReadOptions(fps=25.0))


def test_a_stray_of_another_skeleton_is_left_out_where_nobody_needs_it(tmp_path, performed):
    for k in range(4):
        save(performed.motions[k].cut(0, 40), tmp_path / f"own_{k}.bvh")
    other = performed.motions[4].cut(0, 40)
    longer = replace(other.skeleton, offsets=1.2 * other.skeleton.offsets)
    stray = replace(other, skeleton=longer, translations=1.2 * other.translations)
    save(stray, tmp_path / "guest.bvh")
    place = find_place([str(tmp_path)])
    told = []
    clips = read_clip_set(place, ReadOptions(needed=lambda name: False), tell=told.append)
    assert clips.names == ("own_0", "own_1", "own_2", "own_3")
    (line,) = (one for one in told if "left out" in one)
    assert "guest.bvh is left out: it and own_0 have different bones" in line
    # More than one in four is no stray, nor is what somebody needs.
    few = ReadOptions(needed=lambda name: False, without=("own_3", "own_2"))
    for options in (few, ReadOptions(needed=lambda name: name == "guest"), ReadOptions()):
        with pytest.raises(InvalidInputError, match="must share one skeleton"):
            read_clip_set(place, options)


@pytest.mark.parametrize("told", [{"unit": "cm"}, {"up": "z"}, {"rate": 100.0}])
def test_what_is_said_of_files_is_refused_for_a_library(library, told):
    for read in (read_clip_set, read_motions):
        with pytest.raises(InvalidInputError, match="is told where they are added to the library"):
            read(library, ReadOptions(**told))


def test_a_library_is_no_folder_of_files(library):
    with pytest.raises(InvalidInputError, match="this is a library; name the files"):
        find_readable([str(library.library)], (".bvh", ".c3d"))


def test_the_graph_beside_a_library_is_used_when_it_is_there(files, library, tmp_path):
    told = []
    assert find_graph(find_place([str(files[0])]), tell=told.append) is None
    assert find_graph(library, tell=told.append) is None
    assert told == []
    assert find_graph(library, tmp_path, told.append) == tmp_path
    assert told == [f"using the motion graph in {tmp_path}"]
