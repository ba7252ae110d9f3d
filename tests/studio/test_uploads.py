"""Files that windows send, and files that they fetch."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import pytest
from studios import Studio, Window, open_studio

from motionloom.clips.same_skeleton import check_same_skeleton
from motionloom.io import load_motion, save
from motionloom.performer import make_performer, performer_clips


def send(window: Window, name: str, content: bytes, **wrong: Any) -> None:
    digest = hashlib.sha256(content).hexdigest()
    asked = {"id": "u1", "name": name, "size": len(content), "sha256": digest, **wrong}
    window.say("upload", **asked)
    for begin in range(0, len(content), 50_000):
        window.say("chunk", id="u1", offset=begin, data=content[begin : begin + 50_000])


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("new.bvh", "new.bvh"),
        ("../../new.bvh", "new.bvh"),
        ("/etc/new.bvh", "new.bvh"),
        ("C:\\Users\\x\\new.bvh", "new.bvh"),
        (".hidden.bvh", "hidden.bvh"),
        ("a <b> & 'c'.bvh", "a_b_c_.bvh"),
        ("con.bvh", "_con.bvh"),
        ("stand.bvh", "stand-2.bvh"),
        ("Wäscheklammer.BVH", "Wäscheklammer.BVH"),
    ],
)
def test_a_clip_comes_into_the_folder_of_clips(
    studio: Studio, window: Window, told: str, kept: str
) -> None:
    content = (studio.shot.parent / "clips" / "walk_1.1.bvh").read_bytes()
    send(window, told, content)
    answer = window.hear_until("uploaded")
    assert (answer["id"], answer["name"]) == ("u1", kept)
    assert (studio.shot.parent / "clips" / kept).read_bytes() == content
    names = {p.name for p in studio.shot.parent.parent.rglob("*") if p.is_file()}
    assert names == {"shot.yaml", "stand.bvh", "walk_1.1.bvh", "lock", "journal.jsonl", kept}
    deadline = time.monotonic() + 5
    while not studio.solver.reloads and time.monotonic() < deadline:
        time.sleep(0.01)
    assert studio.solver.reloads == 1


def test_a_clip_of_another_body_is_carried_over_to_that_of_the_others(
    studio: Studio, window: Window, tmp_path: Path
) -> None:
    made = performer_clips(0, performer=make_performer(1.9))
    tall = next(clip.motion for clip in made if clip.motion.name == "walk_1.6")
    save(tall, tmp_path / "tall.bvh")
    send(window, "tall.bvh", (tmp_path / "tall.bvh").read_bytes())
    told = window.hear_until("uploaded")
    assert told["clips"] == ["tall"]
    assert "carried over to the body" in told["note"]
    clips = studio.shot.parent / "clips"
    motions = [load_motion(path) for path in sorted(clips.iterdir())]
    check_same_skeleton(motions)
    assert abs(motions[1].n_frames - tall.n_frames) <= 1


def test_a_clip_that_the_shot_does_not_take_is_said_with_what_to_do(shot: Path) -> None:
    (shot.parent / "clips").rename(shot.parent / "ours")
    shot.write_text(shot.read_text().replace("library: clips", "library: ours"))
    with open_studio(shot) as studio:
        studio.log_in()
        with studio.window() as window:
            window.greet()
            send(window, "new.bvh", (shot.parent / "ours" / "stand.bvh").read_bytes())
            told = window.hear_until("uploaded")
    assert told["clips"] == []
    assert "name the folder clips" in told["note"]


def test_a_clip_that_cannot_be_carried_over_is_refused(studio: Studio, window: Window) -> None:
    text = (studio.shot.parent / "clips" / "stand.bvh").read_text()
    for i, name in enumerate(("Leg", "Foot", "Toe", "Arm", "Hand", "Hips", "Spine", "Neck")):
        text = text.replace(name, f"Part{i}_")
    send(window, "thing.bvh", text.encode())
    message = window.hear_until("problem")["message"]
    assert message.startswith("thing.bvh: is of another skeleton")
    assert {p.name for p in (studio.shot.parent / "clips").iterdir()} == {
        "stand.bvh",
        "walk_1.1.bvh",
    }


@pytest.mark.parametrize(
    ("name", "content", "wrong", "sentence"),
    [
        ("x.bvh", b"HIERARCHY nonsense", {}, "x.bvh"),
        ("x.bvh", b"abc", {"sha256": "0" * 64}, "damaged on its way"),
        ("x.bvh", b"abc", {"size": 2}, "do not fit"),
        ("x.bvh", b"abc", {"size": 300_000_000}, "at most"),
        ("x.bvh", b"", {}, "empty"),
        ("x.exe", b"abc", {}, "no motion of a skeleton"),
        ("x.py", b"abc", {}, "no motion of a skeleton"),
        ("..", b"abc", {}, "no motion of a skeleton"),
        ("x.npz", b"PK\x03\x04abc", {}, "x.npz"),
        ("x.fbx", b"abc", {}, "x.fbx"),
    ],
)
def test_what_is_no_clip_is_refused(
    studio: Studio, window: Window, name: str, content: bytes, wrong: Any, sentence: str
) -> None:
    send(window, name, content, **wrong)
    answer = window.hear_until("problem")
    assert answer["id"] == "u1"
    assert sentence in answer["message"]
    assert "/tmp" not in answer["message"]
    names = {p.name for p in (studio.shot.parent / "clips").iterdir()}
    assert names == {"stand.bvh", "walk_1.1.bvh"}


def test_pieces_in_the_wrong_order_are_refused(studio: Studio, window: Window) -> None:
    window.say("upload", id="u1", name="x.bvh", size=10, sha256="0" * 64)
    window.say("chunk", id="u1", offset=5, data=b"abc")
    assert "do not fit" in window.hear_until("problem")["message"]
    window.say("chunk", id="u1", offset=0, data=b"abc")
    assert "not announced" in window.hear_until("problem")["message"]


def test_no_more_than_a_few_files_come_at_a_time(studio: Studio, window: Window) -> None:
    for i in range(5):
        window.say("upload", id=f"u{i}", name="x.bvh", size=10, sha256="0" * 64)
    assert window.hear_until("problem")["id"] == "u4"


def test_a_file_is_fetched_once_by_a_name_that_cannot_be_guessed(studio: Studio) -> None:
    place = studio.session.exporting.downloads.folder() / "shot.glb"
    place.write_bytes(b"glTF")
    url = studio.session.exporting.downloads.add(place)
    key = url.split("/")[1]
    assert len(key) >= 32
    assert studio.client.get(f"/exports/{key}/other.glb").status_code == 404
    answer = studio.client.get(f"/{url}")
    assert answer.content == b"glTF"
    assert answer.headers["content-disposition"] == 'attachment; filename="shot.glb"'
    assert studio.client.get(f"/{url}").status_code == 404
    assert not place.exists()


def test_the_end_removes_what_was_on_its_way(shot: Path) -> None:
    with open_studio(shot) as studio:
        studio.log_in()
        with studio.window() as window:
            window.greet()
            window.say("upload", id="u", name="x.bvh", size=10, sha256="0" * 64)
            window.say("undo")
            window.hear_until("shot")
            folder = studio.session.exporting.downloads.folder()
        solver = studio.solver
    assert solver.closed
    assert not folder.exists()
