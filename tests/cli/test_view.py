"""``motionloom view``."""

import json
import webbrowser

import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
from motionloom.io.registry import save_scene


@pytest.fixture
def clip(demo_folder):
    return str(demo_folder / "clips" / "swing.bvh")


def test_page_and_picture(clip, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        webbrowser, "open", lambda url: pytest.fail("a page with a name is not opened")
    )
    assert (
        main(
            [
                "view",
                clip,
                "-o",
                str(tmp_path / "new" / "a.html"),
                "-o",
                str(tmp_path / "a.png"),
            ]
        )
        == 0
    )
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert b"<html" in (tmp_path / "new" / "a.html").read_bytes()[:2000].lower()
    assert capsys.readouterr().err.count("wrote") == 2


def test_without_an_output_the_page_is_opened(clip, tmp_path, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["view", clip]) == 0
    assert len(opened) == 1
    assert opened[0].startswith("file://")
    assert len(list(tmp_path.rglob("motion.html"))) == 1


@pytest.mark.parametrize("suffix", ["html", "png"])
def test_places_that_cannot_be_written(clip, tmp_path, capsys, suffix):
    (tmp_path / "file").write_text("x")
    assert main(["view", clip, "-o", str(tmp_path / "file" / f"a.{suffix}")]) == 2
    assert main(["view", clip, "-o", str(tmp_path)]) == 2
    assert main(["view", clip, "-o", clip]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 3
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("suffix", [".html", ".png"])
def test_a_clip_without_frames_is_one_sentence(clip, tmp_path, capsys, suffix):
    empty = tmp_path / "empty.bvh"
    save(load_motion(clip).cut(0, 0), empty)
    assert main(["view", str(empty), "-o", str(tmp_path / f"a{suffix}")]) == 2
    # Where nothing is compiled yet, that is said first.
    said = [x for x in capsys.readouterr().err.splitlines() if x.startswith("motionloom: ")]
    assert said == ["motionloom: empty has no frames, so there is nothing to draw"]
    assert [p.name for p in tmp_path.iterdir()] == ["empty.bvh"]


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.svg"])
def test_a_view_is_a_page_or_a_png_or_is_refused(clip, tmp_path, capsys, name):
    assert main(["view", clip, "-o", str(tmp_path / name)]) == 2
    assert "a page (.html) or a contact sheet (.png)" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_all_characters_of_a_scene_are_shown(clip, tmp_path, capsys):
    motion = load_motion(clip)[:20]
    save_scene({"anna": motion, "ben": motion}, tmp_path / "scene.glb")
    out = ["-o", str(tmp_path / "a.html"), "-o", str(tmp_path / "a.png")]
    assert main(["view", str(tmp_path / "scene.glb"), *out]) == 0
    page = _page(tmp_path / "a.html")
    assert [one["name"] for one in page["characters"]] == ["anna", "ben"]
    assert [text["text"] for text in page["legend"]] == ["anna", "ben"]
    assert all(one["shift"] == [0, 0, 0] for one in page["characters"])
    assert "warning" not in capsys.readouterr().err


def test_a_scene_beside_another_file_is_shown_whole(clip, tmp_path, capsys):
    motion = load_motion(clip)[:20]
    save_scene({"anna": motion, "ben": motion}, tmp_path / "scene.glb")
    page = ["-o", str(tmp_path / "a.html")]
    assert main(["view", str(tmp_path / "scene.glb"), clip, *page]) == 0
    assert len(_page(tmp_path / "a.html")["characters"]) == 3
    assert "anna, ben are shown side by side" in capsys.readouterr().err


def _page(path):
    text = path.read_text()
    start = text.index('id="motionloom">') + len('id="motionloom">')
    return json.loads(text[start : text.index("</script>", start)])
