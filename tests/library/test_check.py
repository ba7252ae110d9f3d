"""Finding and mending damage."""

import shutil

import pytest

from folders import bytes_of
from motionloom.errors import FormatError
from motionloom.io.registry import save
from motionloom.library import check_library, open_library, repair_library
from walkers import make_walker


def folder_of(library, name):
    return library / "clips" / open_library(library).entry(name).folder


def test_a_whole_library_has_no_problem(library):
    assert check_library(library) == ()


def truncate(folder):
    chunk = folder / "rotations/c/0/0/0"
    chunk.write_bytes(chunk.read_bytes()[:100])


def flip(folder):
    chunk = folder / "positions/c/0/0/0"
    data = bytearray(chunk.read_bytes())
    data[-1] ^= 1
    chunk.write_bytes(data)


DAMAGE = {
    "truncated chunk": truncate,
    "flipped bit": flip,
    "empty chunk": lambda folder: (folder / "body/c/0/0").write_bytes(b""),
    "missing chunk": lambda folder: (folder / "translations/c/0/0/0").unlink(),
    "missing array": lambda folder: shutil.rmtree(folder / "contacts"),
    "broken description": lambda folder: (folder / "body/zarr.json").write_text("{"),
    "other shape": lambda folder: (folder / "body/zarr.json").write_text(
        (folder / "body/zarr.json").read_text().replace("45", "44", 1)
    ),
    "missing folder": shutil.rmtree,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_named_and_mended(library, damage):
    before = bytes_of(library)
    damage(folder_of(library, "walk_1"))
    (problem,) = check_library(library)
    assert (problem.clip, problem.kind) == ("walk_1", "damaged")
    report = repair_library(library)
    assert (report.restored, report.dropped, report.failed) == (("walk_1",), (), ())
    assert check_library(library) == ()
    assert bytes_of(library) == before


@pytest.mark.parametrize("damage", [truncate, flip])
def test_damage_is_never_read_as_motion(library, damage):
    damage(folder_of(library, "walk_1"))
    with pytest.raises(FormatError, match=r"damaged .*; repair the library .*library$"):
        open_library(library).frames("walk_1")


def test_a_changed_source_is_named_and_read_again(library, walks):
    save(make_walker(70), walks[2])
    (problem,) = check_library(library)
    assert (problem.clip, problem.kind) == ("walk_2", "changed")
    assert "walk_2.bvh has changed" in problem.message
    repair_library(library)
    assert check_library(library) == ()
    assert open_library(library).clip("walk_2").n_frames == 70


def test_a_clip_without_source_stays_while_it_is_whole(library, walks):
    walks[0].unlink()
    walks[3].unlink()
    truncate(folder_of(library, "walk_3"))
    assert [(p.clip, p.kind) for p in check_library(library)] == [
        ("walk_0", "missing"),
        ("walk_3", "damaged"),
        ("walk_3", "missing"),
    ]
    assert repair_library(library).dropped == ("walk_3",)
    assert [(p.clip, p.kind) for p in check_library(library)] == [("walk_0", "missing")]
    assert "walk_0" in open_library(library).names


def test_a_changed_source_that_cannot_be_read_leaves_the_old_clip(library, walks):
    walks[1].write_text("HIERARCHY\n")
    report = repair_library(library)
    assert (report.restored, report.dropped) == ((), ())
    assert "walk_1.bvh" in report.failed[0].message
    assert open_library(library).frames("walk_1").motion.n_frames == 45
