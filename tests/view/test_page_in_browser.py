"""The page in a real browser: it plays, draws what it should, complains about nothing and asks for
nothing.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from browser import Browser, Tab, open_browser
from motionloom.kinematics import forward_kinematics
from motionloom.skeleton import Skeleton
from motionloom.view import write_page

FRAME = "(document.getElementById('frame').textContent.match(/^frame (\\d+) [/] 60$/) || [])[1]"
HIPS = "window.motionloom.stage.figures.get('figure0').center.z"
TARGET = "window.motionloom.stage.rig.target.z"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def tab(browser, tmp_path_factory, make_walker, make_contacts, targets) -> Iterator[Tab]:
    folder = tmp_path_factory.mktemp("page")
    walker = make_walker()
    page = folder / "walk.html"
    write_page(walker, page, contacts=make_contacts(walker), targets=targets, title="A walk")
    with browser.tab() as tab:
        tab.open(page)
        tab.wait_for("window.motionloom && window.motionloom.stage.pictures > 1")
        yield tab


@pytest.fixture(autouse=True)
def at_rest(request: pytest.FixtureRequest) -> None:
    if "tab" in request.fixturenames:
        tab = request.getfixturevalue("tab")
        tab.press("Home")
        tab.wait_for(f"{FRAME} == '0'")


def picture_of(tab: Tab) -> np.ndarray:
    """The scene as (H, W, 3) from 0 to 255, after what was asked for has been drawn."""
    tab.page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))"
    )
    data = tab.page.locator("canvas.stage").screenshot()
    return 255 * imread(io.BytesIO(data))[:530, :, :3]


def share(picture: np.ndarray, hue: str) -> float:
    """Share of the dots that are clearly of a hue."""
    r, g, b = np.moveaxis(picture, -1, 0)
    rules = {
        "blue": (b > r + 50) & (b > g + 20),
        "orange": (r > b + 50) & (g > b + 15) & (r > g + 15),
        "pink": (r > g + 70) & (b > g + 10),
    }
    return float(rules[hue].mean())


def test_it_plays(tab):
    tab.press("Space")
    tab.wait_for(f"+{FRAME} > 0")
    tab.press("Space")
    tab.wait_for("!window.motionloom.playback.playing")


def test_nothing_is_drawn_while_nothing_changes(tab):
    pictures = "window.motionloom.stage.pictures"
    tab.page.wait_for_timeout(200)
    before = tab.page.evaluate(pictures)
    tab.page.wait_for_timeout(400)
    assert tab.page.evaluate(pictures) == before


def test_figure_targets_and_ground_are_drawn(tab):
    picture = picture_of(tab)
    for hue, least in (("blue", 0.002), ("orange", 0.002), ("pink", 0.0005)):
        assert least < share(picture, hue) < 0.1, hue
    # Light ground with the lines of the grid.
    assert 0.5 < np.mean(picture.min(axis=-1) > 215) < 0.99


def test_joints_are_where_the_library_has_them(tab, make_walker):
    walker = make_walker()
    truth = forward_kinematics(walker).positions
    for frame in (0, 17, 60):
        script = """frame => { const {stage, playback} = window.motionloom; playback.seek(frame);
          const figure = stage.figures.get('figure0');
          return figure.character.names.map((_, j) => figure.jointAt(j).toArray()); }"""
        np.testing.assert_allclose(tab.page.evaluate(script, frame), truth[frame], atol=5e-4)


def test_title_and_facts_are_shown(tab):
    assert tab.page.title() == "A walk"
    assert "2.0 s at 30 fps" in tab.page.locator("header").inner_text()


def test_the_page_complains_about_nothing_and_asks_for_nothing(tab):
    assert tab.complaints == []
    assert tab.foreign == []


def test_frames_are_stepped_by_buttons_and_arrow_keys(tab):
    tab.press("ArrowRight")
    tab.wait_for(f"{FRAME} == '1'")
    tab.page.get_by_label("one frame on").click()
    tab.wait_for(f"{FRAME} == '2'")
    tab.press("ArrowLeft")
    tab.wait_for(f"{FRAME} == '1'")
    tab.press("End")
    tab.wait_for(f"{FRAME} == '60'")
    # The figure is where the last frame has it: 2 m on.
    tab.wait_for(f"Math.abs({HIPS} - 2) < 0.01")


def test_the_camera_follows_when_asked(tab):
    tab.press("End")
    tab.wait_for(f"Math.abs({HIPS} - 2) < 0.01 && Math.abs({TARGET} - 2) > 0.5")
    tab.press("f")
    tab.wait_for(f"Math.abs({TARGET} - 2) < 0.01")
    tab.press("Home")
    tab.wait_for(f"Math.abs({TARGET}) < 0.01")
    tab.press("f")


def test_joints_have_names_when_asked(tab):
    seen = "[...document.querySelectorAll('.label-name')].map(e => e.textContent)"
    tab.press("n")
    assert tab.wait_for(f"{seen}.length == 16 && {seen}.join()").startswith("Hips,Spine,Neck,Head")
    tab.press("n")
    tab.wait_for(f"{seen}.length == 0")


def test_the_joint_under_the_mouse_is_named(tab):
    at = tab.page.evaluate("""() => { const {stage} = window.motionloom;
      const figure = stage.figures.get('figure0');
      const place = stage.picker.project(figure.jointAt(figure.character.names.indexOf('Head')));
      return [place.x, place.y]; }""")
    tab.page.mouse.move(*at)
    tab.wait_for("document.querySelector('.label-name')?.textContent == 'Head'")
    tab.page.mouse.move(5, 5)
    tab.wait_for("document.querySelector('.label-name') === null")


def test_curves_have_a_cursor_that_is_dragged(tab):
    box = tab.page.locator("canvas.page-curves").bounding_box()
    tab.page.mouse.move(box["x"] + 10, box["y"] + 30)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    tab.wait_for(f"{FRAME} == '30'")
    tab.page.mouse.up()


def test_dark_and_traces_and_back(tab):
    light = picture_of(tab)
    tab.press("d")
    tab.press("t")
    dark = picture_of(tab)
    assert np.median(dark) < 80 < np.median(light)
    tab.press("d")
    tab.press("t")
    assert np.abs(picture_of(tab) - light).mean() < 2


def test_checkpoints_and_ground_are_hit_by_the_mouse(tab):
    hits = tab.page.evaluate("""() => { const {stage} = window.motionloom;
      const place = stage.props.objectOf('page:1').position;
      const at = stage.picker.project(place);
      return stage.pick(at.x, at.y).map(hit => [hit.kind, hit.id ?? '', hit.point.toArray()]); }""")
    kinds = {kind: (name, point) for kind, name, point in hits}
    assert kinds["drawable"][0] == "page:1"
    np.testing.assert_allclose(kinds["ground"][1], [0.3, 0, 2.0], atol=0.02)


@pytest.mark.parametrize(("width", "height"), [(640, 360), (1280, 720)])
def test_the_page_is_usable_at_twice_the_size(tab, width, height):
    tab.page.set_viewport_size({"width": width, "height": height})
    for label in ("play or pause", "one frame on", "frame"):
        box = tab.page.get_by_label(label).first.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    overflow = "document.documentElement.scrollWidth - innerWidth"
    assert tab.page.evaluate(overflow) <= 0


def test_names_stay_text(browser, tmp_path, make_walker):
    """An element in a clip's or a joint's name is neither made nor run."""
    evil = "</script><img src=x onerror=window.owned=1><b>&amp;"
    walker = make_walker(5)
    old = walker.skeleton
    names = (evil, *old.names[1:])
    skeleton = Skeleton(names, old.parents, old.offsets, old.end_parents, old.end_offsets)
    bad = replace(walker, skeleton=skeleton, name=evil)
    write_page([bad, bad], tmp_path / "x.html")
    with browser.tab(640, 480) as tab:
        tab.open(tmp_path / "x.html")
        tab.wait_for("window.motionloom && window.motionloom.stage.pictures > 1")
        tab.press("n")
        tab.wait_for("document.querySelectorAll('.label-name').length == 32")
        assert evil in tab.page.locator(".label-caption").first.text_content()
        assert evil in tab.page.locator("h1").text_content()
        assert tab.page.evaluate("window.owned") is None
        assert tab.page.locator("img, b").count() == 0
        assert tab.complaints == []


def test_a_page_that_does_complain_and_ask_is_found_out(browser, tmp_path):
    """The checks above can fail."""
    page = tmp_path / "bad.html"
    page.write_text(
        '<img src="http://127.0.0.1:9/logo.png"><script>console.error("no"); undefined.x</script>'
    )
    with browser.tab(640, 480) as tab:
        tab.open(page)
        tab.wait_for("document.readyState == 'complete'")
        assert tab.foreign == ["http://127.0.0.1:9/logo.png"]
        assert len(tab.complaints) >= 2


def test_several_players_of_a_notebook_run_on_one_page(browser, tmp_path: Path, make_walker):
    page = tmp_path / "notebook.html"
    players = [make_walker(40, name=name)._repr_html_() for name in ("first", "<b>second")]
    page.write_text(f"<!doctype html><body>{''.join(players)}", encoding="utf-8")
    with browser.tab(700, 900) as tab:
        tab.open(page)
        tab.wait_for("document.body.innerText.includes('<b>second')")
        frames = [frame for frame in tab.page.frames if frame != tab.page.main_frame]
        assert len(frames) == 2
        for frame in frames:
            shown = "document.querySelector('input').value"
            before = frame.evaluate(shown)
            frame.wait_for_function(f"() => {shown} != {before!r}")
        assert tab.complaints == []
        assert tab.foreign == []
