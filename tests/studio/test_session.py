"""Every message, without a browser and without anybody who makes motions."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studios import Studio, Window, open_studio

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.moments import OddSeries, OddStretch
from motionloom.io import load_motion
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.shot.live.results import (
    Alternative,
    LiveCharacterReport,
    LiveResult,
    Series,
    Summary,
    Worst,
)
from motionloom.studio._early import Last, keep_last, load_last
from motionloom.studio._events import (
    Failed,
    Found,
    Idle,
    Judged,
    Opened,
    Planned,
    Progressed,
    Solved,
    StateOf,
)
from motionloom.studio._web.protocol import MOST_WAITING

PLAN: dict[str, Any] = {
    "fps": 30.0,
    "frames": 241,
    "tracks": {
        "anna": [
            {"id": "go", "kind": "walk", "index": 0, "first": 0, "last": 150, "layer": False},
            {"id": "wait", "kind": "idle", "index": 1, "first": 150, "last": 240, "layer": False},
        ]
    },
    "marks": {},
}
DOOR = ["marks", "door", "position", 0]


def move_door(x: float, old: float = 1.5) -> dict[str, Any]:
    return {"op": "set", "path": DOOR, "value": x, "old": old}


def result_of(motion: Motion, quality: Any = "search", who: str = "anna") -> LiveResult:
    contacts = detect_contacts(pose_motion(motion))
    n = motion.n_frames
    series = Series(np.full(n, np.nan), np.linspace(0, 1, n))
    summary = (Summary("skate", 0.1, 0.2, True),)
    report = LiveCharacterReport((), (), series, Worst(7, "a hard join"), summary, (), ())
    return LiveResult(
        quality,
        {who: motion},
        {who: contacts},
        bent=((who, "go"),) if quality == "preview" else (),
        report=None if quality == "preview" else {who: report},
    )


@pytest.fixture(scope="module")
def walk(project: Path) -> Motion:
    return load_motion(project / "clips" / "walk_1.1.bvh")


def test_a_new_window_is_told_everything(studio: Studio) -> None:
    deadline = time.monotonic() + 20
    while not studio.session.making.shown.motions and time.monotonic() < deadline:
        time.sleep(0.02)
    with studio.window() as window:
        told = window.greet()
    assert told["welcome"]["protocol"] == 1
    assert told["welcome"]["file"] == "shot.yaml"
    assert told["welcome"]["reader"] is False
    assert {".bvh", ".npz"} < set(told["welcome"]["kinds"])
    assert told["shot"]["doc"]["marks"]["door"]["facing"] == 90
    assert told["shot"]["problems"] == []
    assert "undo_label" not in told["shot"]
    assert told["character"]["id"] == "anna"
    motion = told["motion"]
    assert motion["quality"] == "preview"
    assert len(motion["quats"]) == motion["n"] * len(told["character"]["names"]) * 8
    assert np.frombuffer(motion["root"], "<f4").reshape(-1, 3).shape == (motion["n"], 3)


def test_the_studio_begins_to_make_the_shot_at_once(studio: Studio) -> None:
    (job,) = studio.solver.jobs
    assert job.kind == "preview"
    assert job.file.shot.marks["door"].position == (1.5, 2.5)
    assert not job.transient


def test_when_spans_are_is_told_at_once(studio: Studio, window: Window) -> None:
    op = {"op": "set", "path": ["tracks", "anna", 0, "by"], "value": 4.0, "old": 5.0}
    shot = window.edit(studio.session.document.rev, op, transient=True, drag="d")
    spans = shot["plan"]["tracks"]["anna"]
    assert [(one["id"], one["first"], one["last"]) for one in spans] == [
        ("go", 0, 120),
        ("wait", 120, 210),
    ]
    assert shot["plan"]["frames"] == 211


def test_times_that_do_not_go_together_are_a_problem_at_once(
    studio: Studio, window: Window
) -> None:
    jobs = len(studio.solver.jobs)
    op = {"op": "set", "path": ["tracks", "anna", 0, "by"], "value": "go.end", "old": 5.0}
    shot = window.edit(studio.session.document.rev, op)
    (problem,) = shot["problems"]
    assert "depend on each other" in problem["message"]
    assert problem["line"] == 11
    assert problem["path"] == ["tracks", "anna", 0]
    assert len(studio.solver.jobs) == jobs


def test_an_edit_is_told_saved_and_made(studio: Studio, window: Window) -> None:
    shot = window.edit(studio.session.document.rev, move_door(2.0), label="move door")
    assert shot["doc"]["marks"]["door"]["position"][0] == 2.0
    assert shot["undo_label"] == "move door"
    assert shot["saved"] is True
    assert "[2.0, 2.5]" in studio.shot.read_text()
    job = studio.solver.jobs[-1]
    assert job.rev == shot["rev"]
    assert job.file.shot.marks["door"].position == (2.0, 2.5)


def test_undo_and_redo(studio: Studio, window: Window) -> None:
    before = studio.shot.read_text()
    window.edit(studio.session.document.rev, move_door(2.0), label="move door")
    after = studio.shot.read_text()
    window.say("undo")
    shot = window.hear_until("shot")
    assert shot["redo_label"] == "move door"
    assert shot["can_undo"] is False
    assert studio.shot.read_text() == before
    window.say("redo")
    assert window.hear_until("shot")["can_redo"] is False
    assert studio.shot.read_text() == after
    window.say("redo")
    assert window.hear_until("shot")["can_redo"] is False


def test_a_drag_is_shown_and_not_written_until_it_ends(studio: Studio, window: Window) -> None:
    before = studio.shot.read_text()
    rev = studio.session.document.rev
    for i in range(5):
        shot = window.edit(rev, move_door(2.0 + i), transient=True, drag="d")
        assert shot["transient"] is True
        assert studio.solver.jobs[-1].transient
        assert studio.solver.jobs[-1].file.shot.marks["door"].position == (2.0 + i, 2.5)
    assert studio.shot.read_text() == before
    shot = window.edit(rev, move_door(7.0), drag="d", label="drag door")
    assert shot["transient"] is False
    assert not studio.solver.jobs[-1].transient
    window.say("undo")
    assert window.hear_until("shot")["can_undo"] is False
    assert studio.shot.read_text() == before


def test_escape_leaves_a_drag(studio: Studio, window: Window) -> None:
    window.edit(studio.session.document.rev, move_door(4.0), transient=True, drag="d")
    window.say("cancel", drag="d")
    shot = window.hear_until("shot")
    assert shot["transient"] is False
    assert shot["doc"]["marks"]["door"]["position"][0] == 1.5
    assert shot["can_undo"] is False


def test_a_window_that_goes_leaves_its_drag(studio: Studio) -> None:
    with studio.window() as window:
        window.greet()
        window.edit(studio.session.document.rev, move_door(4.0), transient=True, drag="d")
    with studio.window() as window:
        assert window.greet()["shot"]["doc"]["marks"]["door"]["position"][0] == 1.5


def test_a_wrong_edit_is_told_in_the_sentence_of_the_command_line(
    studio: Studio, window: Window
) -> None:
    jobs = len(studio.solver.jobs)
    op = {"op": "set", "path": ["tracks", "anna", 1, "for"], "value": -3, "old": 3.0}
    shot = window.edit(studio.session.document.rev, op)
    (problem,) = shot["problems"]
    assert problem["path"] == ["tracks", "anna", 1, "for"]
    assert problem["line"] == 12
    assert "write for example" in problem["message"]
    assert len(studio.solver.jobs) == jobs
    window.say("export", format="glb")
    assert "mend" in window.hear_until("problem")["message"]


def test_a_conflict_is_refused_and_the_shot_is_told(studio: Studio, window: Window) -> None:
    window.say("edit", base_rev=studio.session.document.rev, ops=[move_door(2.0, old=9.0)])
    assert "changed in the meantime" in window.hear_until("problem")["message"]
    assert window.hear()["type"] == "shot"


@pytest.mark.parametrize("name", ["/etc", "../..", "clips/../..", "~root"])
def test_places_elsewhere_are_refused(studio: Studio, window: Window, name: str) -> None:
    op = {"op": "set", "path": ["library"], "value": name, "old": "clips"}
    window.say("edit", base_rev=studio.session.document.rev, ops=[op], transient=True)
    assert "not in the folder" in window.hear_until("problem")["message"]


@pytest.mark.parametrize("ops", [[], [{"op": "x"}], [1], [{"op": "set", "path": []}]])
def test_changes_that_are_none_are_refused(studio: Studio, window: Window, ops: list[Any]) -> None:
    window.say("edit", base_rev=studio.session.document.rev, ops=ops)
    assert "expected" in window.hear_until("problem")["message"]


def test_motions_are_told_as_far_as_they_are_new(
    studio: Studio, window: Window, walk: Motion
) -> None:
    rev = studio.session.document.rev
    studio.tell(Solved(rev, result_of(walk, "preview")))
    part = window.hear_until("motion", rev=rev)
    assert (part["first"], part["n"], part["total"]) == (0, walk.n_frames, walk.n_frames)
    assert set(part["contacts"]) == {"left_foot", "right_foot"}
    assert window.hear_until("bent") == {"type": "bent", "who": "anna", "span": "go"}
    turned = walk.rotations.copy()
    turned[50:60, 3] = turned[50:60, 4]
    studio.tell(Solved(rev, result_of(replace(walk, rotations=turned), "search")))
    part = window.hear_until("motion", quality="search")
    assert 0 < part["n"] < walk.n_frames
    assert part["first"] <= 50
    report = window.hear_until("report")
    one = report["who"]["anna"]
    assert one["worst"] == {"frame": 7, "why": "a hard join"}
    assert len(one["series"]["skate"]) == 4 * walk.n_frames
    assert one["summary"][0]["good"] is True
    studio.tell(Solved(rev, result_of(replace(walk, rotations=turned)[:100], "final")))
    part = window.hear_until("motion", quality="final")
    assert part["total"] == 100


def test_long_motions_come_in_parts(studio: Studio, window: Window, walk: Motion) -> None:
    times = np.tile(np.arange(walk.n_frames), 30)
    long = replace(walk, rotations=walk.rotations[times], translations=walk.translations[times])
    result = replace(result_of(walk), motions={"anna": long}, contacts={"anna": _Feet(len(times))})
    studio.tell(Solved(9, result))
    firsts = [window.hear_until("motion", rev=9)["first"] for _ in range(3)]
    assert firsts == [0, 3000, 6000]


class _Feet:
    def __init__(self, n: int) -> None:
        self.n = n

    def by_foot(self) -> dict[str, Any]:
        return {"left_foot": np.zeros(self.n, bool)}


def test_what_the_solver_says_is_told(studio: Studio, window: Window) -> None:
    rev = studio.session.document.rev
    clip = {"name": "walk_1.1", "seconds": 8.1, "labels": ("walk",)}
    studio.tell(Opened((clip,), ("walk",)))
    library = window.hear_until("library")
    assert library["clips"] == [{"name": "walk_1.1", "seconds": 8.1, "labels": ["walk"]}]
    assert library["styles"] == ["walk"]
    plan = {**PLAN, "frames": 250}
    studio.tell(Planned(rev, plan))
    assert window.hear_until("shot")["plan"] == plan
    studio.tell(Planned(rev - 1, {}))
    studio.tell(Progressed(rev, "searching", "anna", 3, 10))
    assert window.hear_until("progress")["total"] == 10.0
    studio.tell(StateOf("restarted", "it was ended by the system"))
    assert window.hear_until("solver")["state"] == "restarted"
    studio.tell(Failed(rev, "no mark is called door", "start", line=5))
    assert window.hear_until("shot")["problems"] == [
        {"message": "no mark is called door", "path": ["marks"], "line": 5, "hint": "start"}
    ]
    assert window.hear()["line"] == 5
    studio.tell(Idle(rev))
    assert window.hear_until("idle")["rev"] == rev
    window.say("solve", quality="final")
    window.say("view", who="anna", frame=3)
    window.say("undo")
    window.hear_until("shot")
    assert studio.solver.jobs[-1].kind == "final"


def test_naturalness_is_told_until_another_motion_is_shown(
    studio: Studio, window: Window, walk: Motion
) -> None:
    rev = studio.session.document.rev
    studio.tell(Solved(rev, result_of(walk)))
    worst = OddStretch(3, 5, 4, 1.5, "all joints tremble")
    values = np.linspace(0, 1.5, walk.n_frames)
    studio.tell(Judged(rev, {"anna": OddSeries(values, (worst,), worst)}))
    told = window.hear_until("naturalness")["who"]["anna"]
    assert np.frombuffer(told["values"], np.float32) == pytest.approx(values)
    assert told["stretches"] == [told["worst"]]
    assert told["worst"]["words"] == "all joints tremble"
    shown = studio.session.making.shown
    assert "naturalness" in [one["type"] for one in shown.all()]
    studio.tell(Solved(rev + 1, result_of(walk)))
    window.hear_until("motion", rev=rev + 1)
    assert "naturalness" not in [one["type"] for one in shown.all()]


def test_other_motions_are_offered_and_one_is_taken(
    studio: Studio, window: Window, walk: Motion
) -> None:
    rev = studio.session.document.rev
    window.say("alternatives", who="anna", span="wait")
    window.say("choose", who="anna", span="wait", item="11")
    assert "no such other motion" in window.hear_until("problem")["message"]
    job = studio.solver.jobs[-1]
    assert (job.kind, job.who, job.span) == ("alternatives", "anna", "wait")
    contacts = detect_contacts(pose_motion(walk))
    path = np.zeros((3, 2))
    found = tuple(Alternative(seed, 0.5, path, walk, contacts) for seed in (11, 12))
    studio.tell(Found(rev, "anna", "wait", found))
    items = window.hear_until("alternatives")["items"]
    assert [one["id"] for one in items] == ["11", "12"]
    assert items[0]["path"] == [[0.0, 0.0]] * 3
    window.say("choose", who="anna", span="wait", item="12")
    shot = window.hear_until("shot", can_undo=True)
    assert shot["doc"]["tracks"]["anna"][1]["seed"] == 12
    assert shot["undo_label"] == "another motion of wait"


def test_a_second_window_looks_on_until_the_first_has_gone(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("motionloom.studio._session.AWAY", 0.05)
    with studio.window() as second_first:
        second_first.greet()
        with studio.window() as second:
            assert second.greet()["welcome"]["reader"] is True
            second.say("undo")
            assert "looks on" in second.hear_until("problem")["message"]
            second_first.edit(studio.session.document.rev, move_door(2.0))
            assert second.hear_until("shot")["doc"]["marks"]["door"]["position"][0] == 2.0
            second_first.socket.close()
            assert second.hear_until("welcome")["reader"] is False
            second.say("undo")
            assert second.hear_until("shot")["can_redo"] is True


def test_a_second_studio_looks_on(studio: Studio, window: Window) -> None:
    with open_studio(studio.shot) as other:
        other.log_in()
        with other.window() as second:
            assert second.greet()["welcome"]["reader"] is True
            second.say("edit", base_rev=2, ops=[move_door(3.0)])
            assert "looks on" in second.hear_until("problem")["message"]
            window.edit(studio.session.document.rev, move_door(2.0))
            shot = second.hear_until("shot")
            assert shot["doc"]["marks"]["door"]["position"][0] == 2.0


def test_what_another_program_writes_is_shown(studio: Studio, window: Window) -> None:
    studio.shot.write_text(studio.shot.read_text().replace("facing: 90", "facing: 45"))
    shot = window.hear_until("shot")
    assert shot["doc"]["marks"]["door"]["facing"] == 45
    assert shot["undo_label"] == "edit on disk"
    assert "another program" in window.hear_until("note")["message"]


def test_a_window_that_is_far_behind_is_told_all_anew(studio: Studio, window: Window) -> None:
    (client,) = studio.session.clients.windows
    for _ in range(MOST_WAITING + 10):
        client.put(b"\x81\xa4type\xa5never")
    assert client.behind
    window.hear_until("welcome")
    window.say("undo")
    window.hear_until("shot")


def test_a_page_of_another_version_is_told_so(studio: Studio) -> None:
    with studio.window() as window:
        window.say("hello", protocol=7)
        assert "load the page anew" in window.hear_until("problem")["message"]


def test_random_edits_with_undo_and_redo_end_in_the_same_file(
    studio: Studio, window: Window
) -> None:
    first = studio.shot.read_text()
    rng = random.Random(3)
    rev = studio.session.document.rev
    value = 1.5
    for i in range(200):
        kind = rng.random()
        if kind < 0.6:
            new = round(rng.uniform(-3, 3), 3)
            if rng.random() < 0.5:
                window.edit(rev, move_door(new + 1, old=value), transient=True, drag=f"d{i}")
            shot = window.edit(rev, move_door(new, old=value), drag=f"d{i}")
        else:
            window.say("undo" if kind < 0.85 else "redo")
            shot = window.hear_until("shot")
        rev = shot["rev"]
        value = shot["doc"]["marks"]["door"]["position"][0]
    last = studio.shot.read_text()
    steps = 0
    while shot["can_undo"]:
        window.say("undo")
        shot = window.hear_until("shot")
        steps += 1
    assert steps > 5
    assert studio.shot.read_text() == first
    for _ in range(steps):
        window.say("redo")
        shot = window.hear_until("shot")
    assert studio.shot.read_text() == last


def test_a_new_shot_takes_the_place_of_what_is_there_and_undo_brings_it_back(
    studio: Studio, window: Window
) -> None:
    before = studio.shot.read_text()
    window.say("new", names=["mia", "noa"], library="clips")
    shot = window.hear_until("shot")
    assert list(shot["doc"]["cast"]) == ["mia", "noa"]
    assert "mia.talk.start" in studio.shot.read_text()
    window.say("undo")
    window.hear_until("shot")
    assert studio.shot.read_text() == before


@pytest.mark.parametrize(
    ("names", "library"), [(["1"], "clips"), (["a", "a"], "clips"), (["a"], "/etc")]
)
def test_a_new_shot_that_cannot_be_is_refused(
    studio: Studio, window: Window, names: list[str], library: str
) -> None:
    before = studio.shot.read_text()
    window.say("new", names=names, library=library)
    assert window.hear_until("problem")["message"]
    assert studio.shot.read_text() == before


def kept_by(shot: Path, motion: Motion, quality: Any = "final") -> None:
    """A studio that shows a motion and is closed once that is kept."""
    with open_studio(shot) as studio:
        studio.log_in()
        with studio.window() as window:
            window.greet()
            studio.tell(Solved(studio.session.document.rev, result_of(motion, quality)))
            wait_for(studio.session.folder / "shown.kept")


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 20
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert path.exists()


def opened_again(shot: Path) -> dict[str, dict[str, Any]]:
    """What a window is told first of somebody on the screen, up to the report."""
    with open_studio(shot) as studio:
        studio.log_in()
        with studio.window() as window:
            window.say("hello", protocol=1)
            told = {}
            while "report" not in told:
                message = window.hear()
                told[message["type"]] = message
            return told


def test_who_opens_a_shot_again_sees_what_was_there_last(shot: Path, walk: Motion) -> None:
    kept_by(shot, walk)
    told = opened_again(shot)
    assert told["motion"]["total"] == walk.n_frames
    assert "origin" not in told["motion"]
    assert told["motion"]["rev"] == told["report"]["rev"] == told["shot"]["rev"]
    assert told["report"]["quality"] == "final"


def test_a_motion_is_kept_before_the_search_ends(shot: Path, walk: Motion) -> None:
    kept_by(shot, walk, "preview")
    last = load_last(shot.with_suffix(".studio"), shot.read_text())
    assert last is not None
    assert last.is_same
    assert [one["type"] for one in last.messages] == ["character", "motion"]


@pytest.mark.parametrize("text", ["by: 6.0", "by: go.end", "by: -1"])
def test_what_was_there_before_the_last_edits_is_shown_as_such(
    shot: Path, walk: Motion, text: str
) -> None:
    kept_by(shot, walk)
    shot.write_text(shot.read_text().replace("by: 5.0", text))
    told = opened_again(shot)
    assert told["motion"]["total"] == walk.n_frames
    assert (told["motion"]["origin"], told["motion"]["rev"]) == ("older", 0)
    assert told["report"]["rev"] == 0
    assert bool(told["shot"]["problems"]) is (text != "by: 6.0")
    assert told["shot"]["plan"]["tracks"]["anna"][0]["id"] == "go"


def test_a_motion_of_a_drag_is_not_kept_as_that_of_the_file(shot: Path, walk: Motion) -> None:
    with open_studio(shot) as studio:
        studio.log_in()
        with studio.window() as window:
            told = window.greet()
            rev = told["shot"]["rev"]
            edited = window.edit(rev, move_door(2.0), transient=True, drag="d")
            studio.tell(Solved(edited["rev"], result_of(walk)))
            window.hear_until("report")
    assert load_last(shot.with_suffix(".studio"), shot.read_text()) is None


def test_somebody_of_an_older_shot_goes_when_this_one_is_made(shot: Path, walk: Motion) -> None:
    kept_by(shot, walk)
    shot.write_text(shot.read_text().replace("anna", "ben"))
    with open_studio(shot) as studio:
        studio.log_in()
        with studio.window() as window:
            window.say("hello", protocol=1)
            window.hear_until("report")
            studio.tell(Solved(studio.session.document.rev, result_of(walk, who="ben")))
            window.hear_until("gone", who="anna")
            assert "origin" not in window.hear_until("motion", who="ben")


def test_a_clip_as_captured_is_told_from_a_motion_of_the_shot(studio: Studio) -> None:
    with studio.window() as window:
        window.say("hello", protocol=1)
        assert window.hear_until("motion")["origin"] == "captured"


def test_a_file_that_cannot_be_read_any_more_is_one_problem_and_undo_mends_it(
    studio: Studio, window: Window
) -> None:
    before = studio.shot.read_text()
    studio.shot.write_text(before + "\n  bad: [unclosed\n")
    told = []
    while not told or told[-1]["type"] != "shot":
        told.append(window.hear())
    (problem,) = told[-1]["problems"]
    assert problem["line"] == before.count("\n") + 3
    assert str(studio.shot.parent) not in problem["message"]
    assert told[-1]["can_undo"]
    window.say("undo")
    assert window.hear_until("shot")["problems"] == []
    assert studio.shot.read_text() == before
    window.say("undo")
    while (message := window.hear())["type"] != "shot":
        assert message["type"] not in ("problem", "note")


def test_a_second_studio_says_so_and_makes_no_motions(studio: Studio, shot: Path) -> None:
    with open_studio(shot) as second:
        second.log_in()
        with second.window() as window:
            told = window.greet()
            assert (told["welcome"]["reader"], told["welcome"]["writer"]) == (True, "studio")
            window.say("undo")
            assert "looks on" in window.hear_until("problem")["message"]
        assert second.session.solver is None


@pytest.mark.parametrize("damage", [b"", b"\x81", b"\xc1" * 9, b"\x80"])
def test_a_damaged_note_of_what_was_shown_is_as_none(tmp_path: Path, damage: bytes) -> None:
    report = {"type": "report", "rev": 1}
    keep_last(tmp_path, "shot: 1", [report], {"fps": 30})
    assert load_last(tmp_path, "shot: 1") == Last((report,), True, {"fps": 30})
    assert load_last(tmp_path, "shot: 2") == Last((report,), False, {"fps": 30})
    (tmp_path / "shown.kept").write_bytes(damage)
    assert load_last(tmp_path, "shot: 1") is None
