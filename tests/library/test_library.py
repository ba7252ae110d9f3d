"""Opening a library and reading from it."""

import json
import shutil

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.registry import load_motion
from motionloom.library import add_clips, create_library, open_library
from motionloom.library.clip_set import clip_set_from_library
from motionloom.library.manifest import FILE_NAME


def test_clips_come_back_as_they_were_prepared(library, walks):
    opened = open_library(library)
    expected = make_clip_set([load_motion(file) for file in walks], fps=30.0)
    assert opened.names == expected.names
    assert opened.fps == 30.0
    assert opened.n_frames == expected.n_frames
    assert opened.roles == expected.roles
    assert opened.skeleton.matches(expected.skeleton, 1e-12)
    for name, motion in zip(expected.names, expected.motions, strict=True):
        clip = opened.clip(name)
        assert np.allclose(clip.rotations, motion.rotations, atol=1e-14, rtol=0)
        assert np.array_equal(clip.translations, motion.translations)
        assert (clip.translated, clip.name, clip.frame_time) == (motion.translated, name, 1 / 30)


def test_reading_changes_no_bit(library):
    opened = open_library(library)
    for name in opened.names:
        assert np.array_equal(opened.clip(name).rotations, opened.array(name, "rotations"))


def test_a_clip_set_is_the_one_that_would_be_computed(library, walks):
    made = clip_set_from_library(open_library(library))
    expected = make_clip_set([load_motion(file) for file in walks], fps=30.0)
    assert made.names == expected.names
    assert np.array_equal(made.starts, expected.starts)
    assert np.allclose(made.positions, expected.positions, atol=1e-13, rtol=0)
    assert np.allclose(made.body, expected.body, atol=1e-13, rtol=0)


def test_a_clip_set_of_some_clips_keeps_their_order(library):
    made = clip_set_from_library(open_library(library), ["walk_3", "walk_0"])
    assert made.names == ("walk_3", "walk_0")
    assert made.n_frames == 55 + 40


def test_opening_reads_nothing_but_the_manifest(library):
    shutil.rmtree(library / "clips")
    assert open_library(library).names == ("walk_0", "walk_1", "walk_2", "walk_3")


def test_contacts_are_those_of_the_clip_alone(library, walks):
    from motionloom.analysis import detect_contacts
    from motionloom.posed_motion import PosedMotion

    opened = open_library(library)
    clip = opened.clip("walk_2")
    expected = detect_contacts(PosedMotion(clip, opened.roles))
    found = opened.contacts("walk_2")
    assert found.soles == expected.soles
    assert found.ground == expected.ground
    assert np.array_equal(found.down, expected.down)


def test_zarr_opens_a_library_without_us(library):
    import zarr

    groups = dict(zarr.open_group(library, mode="r")["clips"].groups())
    assert {group.attrs["name"] for group in groups.values()} == set(open_library(library).names)
    group = next(g for g in groups.values() if g.attrs["name"] == "walk_1")
    assert group["positions"].shape == (45, 8, 3)


def test_long_clips_are_chunked_and_read_by_span(tmp_path):
    import zarr

    from motionloom.io.registry import save
    from motionloom.library._arrays import CHUNK
    from walkers import make_walker

    save(make_walker(CHUNK + 100), tmp_path / "long.bvh")
    create_library(tmp_path / "library")
    add_clips(tmp_path / "library", [tmp_path / "long.bvh"])
    opened = open_library(tmp_path / "library")
    array = zarr.open_array(
        opened.path / "clips" / opened.entry("long").folder / "positions", mode="r"
    )
    assert array.chunks[0] == CHUNK
    (opened.path / "clips" / opened.entry("long").folder / "positions/c/1/0/0").unlink()
    assert np.array_equal(array[:CHUNK], array[...][:CHUNK])
    with pytest.raises(FormatError, match=r"positions: this clip of a library is damaged .*repair"):
        opened.frames("long")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"motionloom_library": 99}, r"newer version \(99, expected 1\); update motionloom"),
        ({"motionloom_library": 0}, r"other version \(0, expected 1\)"),
        ({"fps": "fast"}, r"damaged at fps"),
    ],
)
def test_other_versions_and_damage_are_told(library, change, message):
    manifest = library / FILE_NAME
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | change))
    with pytest.raises(FormatError, match=message):
        open_library(library)


def test_what_is_no_library_is_told(tmp_path):
    with pytest.raises(InvalidInputError, match=r"no library is here; create one first"):
        open_library(tmp_path)
    (tmp_path / FILE_NAME).write_text("{")
    with pytest.raises(FormatError, match="not the manifest of a library"):
        open_library(tmp_path)


def test_a_library_takes_a_new_or_empty_folder_only(library, tmp_path, walks):
    with pytest.raises(InvalidInputError, match="a library is here already"):
        create_library(library)
    with pytest.raises(InvalidInputError, match="this folder holds other things"):
        create_library(walks[0].parent)
    with pytest.raises(InvalidInputError, match="fps must be a positive number"):
        create_library(tmp_path / "new", fps=0)
    assert len(create_library(tmp_path / "new")) == 0


def test_an_empty_library_says_so(tmp_path):
    opened = create_library(tmp_path / "new")
    with pytest.raises(InvalidInputError, match="this library is empty"):
        clip_set_from_library(opened)
    with pytest.raises(InvalidInputError, match="this library is empty"):
        _ = opened.skeleton


def test_unknown_clips_and_arrays_are_named(library):
    opened = open_library(library)
    with pytest.raises(InvalidInputError, match="there is no clip 'run'"):
        opened.clip("run")
    with pytest.raises(
        InvalidInputError, match=r"has no 'speed'; it has rotations, translations, positions"
    ):
        opened.array("walk_0", "speed")
    with pytest.raises(InvalidInputError, match=r"no clip of this library is named 'r\*'"):
        opened.select(["walk_0", "r*"])
    assert opened.select(["walk_[13]", "walk_0"]) == ("walk_0", "walk_1", "walk_3")
