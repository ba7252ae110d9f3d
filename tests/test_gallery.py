"""The pictures of the documents are those that this version draws."""

from __future__ import annotations

import importlib.util
import re
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))
_SPEC = importlib.util.spec_from_file_location("gallery", ROOT / "docs" / "build_gallery.py")
gallery = importlib.util.module_from_spec(_SPEC)
sys.modules["gallery"] = gallery
_SPEC.loader.exec_module(gallery)


@pytest.fixture(scope="module")
def studio():
    with gallery.studio():
        yield


def test_the_page_lists_every_picture_and_every_picture_is_on_it():
    assert gallery.PAGE.read_text() == gallery.page()
    names = {path.stem for path in gallery.IMAGES.glob("*")}
    assert names == {entry.name for entry in (*gallery.FIGURES, *gallery.SCREENSHOTS)}


def test_documents_show_no_other_pictures():
    pages = [ROOT / "README.md", *gallery.DOCS.rglob("*.md")]
    for page in pages:
        for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text()):
            shown = (page.parent / target).resolve()
            assert shown.parent == gallery.IMAGES, f"{page}: {target}"
            assert shown.exists(), f"{page}: {target}"


@pytest.mark.usefixtures("stopped_clock", "studio")
@pytest.mark.parametrize(
    "figure",
    [
        pytest.param(f, id=f.name, marks=[pytest.mark.slow] if f.slow else [])
        for f in gallery.FIGURES
    ],
)
def test_the_picture_is_as_it_is_drawn_now(figure, monkeypatch):
    monkeypatch.chdir(Path.cwd())  # it comes back from wherever the picture is made
    kept = gallery.IMAGES / f"{figure.name}.png"
    assert 2_000 < kept.stat().st_size < 200_000
    apart = gallery.difference(figure.make(), kept)
    assert apart <= gallery.TOLERANCE, "stale: run python docs/build_gallery.py"


def test_pictures_that_differ_are_told_apart(tmp_path):
    """A line that moves by two pixels in a small picture, and another size."""
    from matplotlib.image import imsave

    for name, column, size in (("a", 20, 64), ("b", 22, 64), ("c", 20, 65)):
        picture = np.ones((size, 64, 3))
        picture[:, column : column + 2] = 0.0
        imsave(tmp_path / f"{name}.png", picture)
    a, b, c = (tmp_path / f"{name}.png" for name in "abc")
    assert gallery.difference(a, a) == 0.0
    assert gallery.difference(a, b) > gallery.TOLERANCE
    assert gallery.difference(a, c) == 1.0


def test_a_stale_picture_fails_the_check_and_is_made_again(tmp_path, monkeypatch, capsys):
    figure = next(f for f in gallery.FIGURES if f.name == "sheet")
    monkeypatch.setattr(gallery, "studio", nullcontext)  # the made-up picture needs no clips
    monkeypatch.setattr(gallery, "IMAGES", tmp_path)
    monkeypatch.setattr(gallery, "PAGE", tmp_path / "gallery.md")
    made = gallery.DOCS / "images" / "pose.png"
    monkeypatch.setattr(
        gallery, "FIGURES", (gallery.Figure("sheet", figure.made_by, "", lambda: made),)
    )
    other = gallery.DOCS / "images" / "pair.png"
    (tmp_path / "sheet.png").write_bytes(other.read_bytes())
    monkeypatch.setattr(gallery, "demo_report", lambda: "")
    monkeypatch.setattr(gallery, "filled_pages", lambda report: {})
    assert gallery.main(["--check"]) == 1
    assert "sheet is stale" in capsys.readouterr().out
    assert gallery.main([]) == 0
    assert (tmp_path / "sheet.png").read_bytes() == made.read_bytes()
    assert gallery.main(["--check"]) == 0
    assert gallery.main(["nothing"]) == 2


def test_excerpts_of_the_documents_are_those_of_this_build(demo_folder):
    """To the last digit: the demo gives the same bytes on every run."""
    pages = gallery.filled_pages((demo_folder / "report.txt").read_text())
    assert {path.name for path in pages} == {"README.md", "first-motion.md"}
    for path, filled in pages.items():
        assert gallery.excerpts.excerpts_of(filled), f"{path.name} has no excerpt"
        assert path.read_text() == filled, "stale: run python docs/build_gallery.py"


def test_an_excerpt_takes_its_rows_from_the_report_and_refuses_a_row_that_is_not_there():
    marked = (
        "<!-- excerpt of demo/report.txt -->\n```text\nErrors  found\n  body  4.00 s  1 cm\n```\n"
    )
    report = "Errors   found\n  body   4.00 s   2.5 cm\n  body   8.00 s   3.5 cm\n"
    filled = gallery.excerpts.filled_page(marked, report)
    assert gallery.excerpts.excerpts_of(filled) == ["Errors   found\n  body   4.00 s   2.5 cm\n"]
    assert gallery.excerpts.filled_page(filled, report) == filled
    with pytest.raises(ValueError, match="0 rows"):
        gallery.excerpts.filled_page(marked.replace("4.00", "5.00"), report)
