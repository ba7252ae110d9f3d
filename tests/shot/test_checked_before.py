"""What ``make`` refuses without a search is refused by the check, before anything is made."""

import re

import pytest
import yaml

from motionloom.cli.main import main
from motionloom.io import save
from motionloom.performer import performer_clips
from motionloom.shot import tracks

STAND = {"id": "a", "do": "clip", "clip": "stand", "to": 1.0}
KEY = {"clip": "stand", "frame": 0}
#: Spans that cannot be made, and what is said of them.
BAD = {
    "a key before its span": (
        [STAND, {"id": "b", "do": "between", "keys": [{**KEY, "time": 0.5}, {**KEY, "time": 3.0}]}],
        "keys.*b has not begun, or the key before is still shown; expected a time behind 1.00 s",
    ),
    "a key behind its span": (
        [STAND, {"id": "b", "do": "between", "for": 1.0, "keys": [{**KEY, "time": 9.0}]}],
        "keys.*at 9.00 s b is over; expected a time up to 2.00 s",
    ),
    "a key before the one before": (
        [STAND, {"id": "b", "do": "between", "keys": [{**KEY, "time": 2.5}, {**KEY, "time": 2.0}]}],
        "",
    ),
    "two keys in one frame": (
        [
            STAND,
            {
                **{"id": "b", "do": "between"},
                "keys": [{**KEY, "time": 2.0}, {**KEY, "time": 2.001}, {**KEY, "time": 3.0}],
            },
        ],
        "still shown",
    ),
    "poses behind nothing": (
        [{"id": "b", "do": "between", "keys": [{**KEY, "time": 2.0}]}],
        "begins with nothing",
    ),
    "a clip that is too short": (
        [STAND, {"id": "b", "do": "clip", "clip": "stand", "to": 0.5, "for": 2.0}],
        "lasts 0.5.* s; end it sooner",
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "clips").mkdir()
    for clip in performer_clips(0)[:3]:
        save(clip.motion, folder / "clips" / f"{clip.motion.name}.bvh")
    stand = next(c.motion for c in performer_clips(0) if c.motion.name == "stand")
    save(stand, folder / "clips" / "stand.bvh")
    return folder


def write(folder, spans):
    document = {
        **{"shot": 1, "fps": 30, "library": "clips"},
        **{"cast": {"anna": {}}, "tracks": {"anna": spans}},
    }
    path = folder / "shot.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


@pytest.mark.parametrize("name", BAD)
def test_the_check_refuses_it(project, name, capsys):
    spans, said = BAD[name]
    assert main(["shot", "check", str(write(project, spans))]) == 2
    assert re.search(said, capsys.readouterr().err), name


@pytest.mark.parametrize("name", BAD)
def test_nothing_is_made_before_it_is_refused(project, name, monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(tracks, "make_piece", lambda *given: made.append(given))
    path = write(project, BAD[name][0])
    assert main(["shot", str(path), "-o", str(tmp_path / "out.glb")]) == 2
    assert made == []
    assert not (tmp_path / "out.glb").exists()
