"""Adding and removing clips."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folders import bytes_of
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.files import PART
from motionloom.io.registry import load_motion, save
from motionloom.library import (
    add_clips,
    create_library,
    open_library,
    remove_clips,
    repair_library,
)
from motionloom.library.manifest import FILE_NAME
from motionloom.motion import Source
from rigs import without
from walkers import make_walker


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations([1, 2, 3]), cut=st.integers(0, 3))
def test_the_bytes_do_not_depend_on_order_or_number_of_calls(library, walks, order, cut):
    other = library.parent / "other"
    shutil.rmtree(other, ignore_errors=True)
    create_library(other)
    files = [walks[0], *(walks[i] for i in order)]
    for part in (files[:cut], files[cut:]):
        add_clips(other, part)
    assert bytes_of(other) == bytes_of(library)


def test_several_processes_make_the_same_bytes(library, walks):
    other = library.parent / "other"
    create_library(other)
    report = add_clips(other, walks, workers=2)
    assert [entry.name for entry in report.added] == ["walk_0", "walk_1", "walk_2", "walk_3"]
    assert bytes_of(other) == bytes_of(library)


def test_adding_again_reads_nothing(library, walks, monkeypatch):
    before = bytes_of(library)
    monkeypatch.setattr("motionloom.library._ingest.load_motion", None)
    report = add_clips(library, walks)
    assert len(report.kept) == 4
    assert not report.added
    assert bytes_of(library) == before


def test_a_changed_file_is_read_again(library, walks):
    old = open_library(library)
    save(make_walker(60), walks[1])
    report = add_clips(library, walks)
    assert [e.name for e in report.replaced] == ["walk_1"]
    assert len(report.kept) == 3
    new = open_library(library)
    assert new.clip("walk_1").n_frames == 60
    assert new.hash("walk_1") != old.hash("walk_1")
    assert new.hash("walk_2") == old.hash("walk_2")
    assert len(list((library / "clips").iterdir())) == 4 + 1


def test_a_file_that_moved_is_not_read_again(library, walks, monkeypatch):
    new = walks[0].parent / "elsewhere"
    new.mkdir()
    moved = walks[2].rename(new / walks[2].name)
    monkeypatch.setattr("motionloom.library._ingest.load_motion", None)
    report = add_clips(library, [moved])
    assert [e.name for e in report.moved] == ["walk_2"]
    assert open_library(library).entry("walk_2").source.path == "../walks/elsewhere/walk_2.bvh"


def test_files_of_one_name_are_called_after_their_folders(library, walks):
    folder = walks[0].parent / "slow"
    folder.mkdir()
    save(make_walker(50, speed=0.5), folder / "walk_0.bvh")
    add_clips(library, [folder / "walk_0.bvh"])
    opened = open_library(library)
    assert opened.names[0] == "slow-walk_0"
    assert opened.clip("slow-walk_0").n_frames == 50


def test_one_bad_file_does_not_stop_the_others(tmp_path, walks):
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\nOFFSET 0 zero 0\n")
    short = tmp_path / "short.bvh"
    save(make_walker(1), short)
    create_library(tmp_path / "library")
    report = add_clips(
        tmp_path / "library", [bad, walks[0], short, tmp_path / "none.bvh", walks[1]]
    )
    assert [e.name for e in report.added] == ["walk_0", "walk_1"]
    assert [f.path.name for f in report.failed] == ["bad.bvh", "short.bvh", "none.bvh"]
    assert "bad.bvh:4:" in report.failed[0].message
    assert "a clip needs at least 2" in report.failed[1].message
    assert open_library(tmp_path / "library").names == ("walk_0", "walk_1")


def test_strict_stops_at_a_bad_file_and_keeps_what_is_there(tmp_path, walks):
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\n")
    create_library(tmp_path / "library")
    with pytest.raises(MotionloomError, match=r"bad\.bvh"):
        add_clips(tmp_path / "library", [walks[0], bad, *walks[1:]], strict=True)
    assert open_library(tmp_path / "library").names == ("walk_0",)
    assert not list((tmp_path / "library").glob(".scratch*"))


def test_clips_are_brought_to_the_rate_of_the_library(tmp_path):
    save(make_walker(161, fps=120.0), tmp_path / "fast.bvh")
    create_library(tmp_path / "library", fps=20.0)
    add_clips(tmp_path / "library", [tmp_path / "fast.bvh"])
    opened = open_library(tmp_path / "library")
    clip, file = opened.clip("fast"), load_motion(tmp_path / "fast.bvh")
    assert clip.n_frames == 27
    assert np.allclose(clip.rotations, file.rotations[::6], atol=1e-14)
    entry = opened.entry("fast")
    assert entry.source.n_frames == 161
    assert 1 / entry.source.frame_time == pytest.approx(120)


def test_options_are_kept_for_the_next_time(library, walks):
    add_clips(library, walks[:1], unit=0.5)
    opened = open_library(library)
    assert opened.entry("walk_0").source.options.unit == 0.5
    assert opened.entry("walk_0").scale == pytest.approx(2)
    assert len(add_clips(library, walks).kept) == 4
    assert len(add_clips(library, walks[:1], unit=1.0).replaced) == 1


def test_removed_clips_are_gone_and_can_be_added_again(library, walks):
    before = bytes_of(library)
    assert remove_clips(library, ["walk_[12]"]) == ("walk_1", "walk_2")
    assert open_library(library).names == ("walk_0", "walk_3")
    assert len(list((library / "clips").iterdir())) == 2 + 1
    with pytest.raises(InvalidInputError, match="named 'walk_1'"):
        remove_clips(library, ["walk_0", "walk_1"])
    add_clips(library, walks)
    assert bytes_of(library) == before


def test_leftovers_of_a_process_that_died_are_cleaned(library, walks):
    before = bytes_of(library)
    clip = library / "clips" / open_library(library).entry("walk_0").folder
    shutil.copytree(clip, library / "clips" / "walk_9-0123456789ab")
    half = library / f".scratch{PART}" / f"{'a1' * 16}{PART}"
    shutil.copytree(clip, half)
    (half / "body" / f"zarr.{'0f' * 16}.partial").write_text("{")
    (library / f".journal{PART}").write_text(
        "motionloom library journal 1\nwalk_9-0123456789ab\nwalk_8-01"
    )
    (library / f".{FILE_NAME}.xyz{PART}").write_text("{")
    add_clips(library, walks)
    assert bytes_of(library) == before


def test_what_cannot_be_proven_ours_is_left_and_named(library, walks):
    """Leftovers of earlier versions, which had no marks, too."""
    clip = library / "clips" / open_library(library).entry("walk_0").folder
    shutil.copytree(clip, library / "clips" / "walk_9-0123456789ab")
    (library / ".scratch" / "half").mkdir(parents=True)
    (library / f".{FILE_NAME}.xyz.part").write_text("{")
    before, told = bytes_of(library), []
    add_clips(library, walks, on_left=told.append)
    assert bytes_of(library) == before
    (sentence,) = told
    assert sentence.endswith(".scratch and 1 more are not part of this library; left as they are")


def test_a_clip_whose_folder_is_gone_is_read_again(library, walks):
    before = bytes_of(library)
    shutil.rmtree(library / "clips" / open_library(library).entry("walk_3").folder)
    assert [e.name for e in add_clips(library, walks).replaced] == ["walk_3"]
    assert bytes_of(library) == before


def test_a_table_of_roles_holds_for_the_library(tmp_path, walks):
    create_library(
        tmp_path / "library",
        table={"kind": "other", "forward": {"joint": "Hips", "axis": [1, 0, 0]}},
    )
    add_clips(tmp_path / "library", walks[:1])
    opened = open_library(tmp_path / "library")
    assert opened.roles.kind == "other"
    assert opened.array("walk_0", "body")[0, 2] == pytest.approx(np.pi / 2)


@pytest.mark.parametrize("stray", ["a_first.bvh", "z_last.bvh"])
def test_most_files_decide_the_skeleton(tmp_path, walks, stray):
    """Not the first one in the alphabet."""
    other = make_walker(40)
    names = tuple(f"{name}_x" for name in other.skeleton.names)
    save(
        replace(other, skeleton=replace(other.skeleton, names=names), source=Source()),
        walks[0].parent / stray,
    )
    create_library(tmp_path / "new")
    report = add_clips(tmp_path / "new", sorted(walks[0].parent.glob("*.bvh")))
    assert [entry.name for entry in report.added] == ["walk_0", "walk_1", "walk_2", "walk_3"]
    assert [failure.path.name for failure in report.failed] == [stray]
    (note,) = report.notes
    assert "as 4 of 5 files do" in note


def test_a_broken_file_of_the_most_common_skeleton_gives_way_to_the_next(tmp_path, walks):
    walks[0].write_text(walks[0].read_text().split("Frame Time")[0])
    create_library(tmp_path / "new")
    report = add_clips(tmp_path / "new", walks)
    assert [entry.name for entry in report.added] == ["walk_1", "walk_2", "walk_3"]
    assert [failure.path.name for failure in report.failed] == ["walk_0.bvh"]
    assert report.notes == ()


def test_a_prompt_shows_a_few_lines(library):
    text = repr(open_library(library))
    assert text.startswith("<Library ")
    assert "4 clips" in text
    assert len(text) < 600


def test_clips_of_other_skeletons_are_retargeted_in_the_call_that_adds_the_first(
    demo_folder, tmp_path
):
    clips = demo_folder / "clips"
    other = tmp_path / "other.bvh"
    save(without(load_motion(clips / "reach_right_front.bvh"), "Toe"), other)
    create_library(tmp_path / "lib")
    files = [clips / "walk_1.1.bvh", clips / "stand.bvh", other]
    report = add_clips(tmp_path / "lib", files, retarget=True)
    assert sorted(entry.name for entry in report.added) == ["other", "stand", "walk_1.1"]
    assert not report.failed


def test_clips_of_other_skeletons_are_retargeted_on_request(demo_folder, tmp_path):
    clips = demo_folder / "clips"
    other = tmp_path / "other.bvh"
    toeless = without(load_motion(clips / "reach_right_front.bvh"), "Toe")
    save(toeless, other)
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nnothing\n")
    library = tmp_path / "lib"
    create_library(library)
    files = [clips / "walk_1.1.bvh", clips / "stand.bvh", other, bad]
    report = add_clips(library, files)
    assert [failure.hint for failure in report.failed] == ["retarget into library", None]
    report = add_clips(library, files, retarget=True)
    assert [entry.name for entry in report.added] == ["other"]
    assert [failure.path for failure in report.failed] == [bad]
    opened = open_library(library)
    entry = opened.entry("other")
    assert entry.source.options.retarget
    assert any("retargeted from another skeleton" in note for note in entry.notes)
    assert opened.frames("other").motion.skeleton.matches(opened.skeleton)
    assert add_clips(library, files[:3]).added == ()
    # What is damaged is made again as it was.
    chunks = (library / "clips" / entry.folder / "rotations" / "c").rglob("*")
    next(path for path in chunks if path.is_file()).write_bytes(b"")
    assert repair_library(library).restored == ("other",)
    assert open_library(library).entry("other").hash == entry.hash
