"""Results on their way to disk."""

import json
from types import SimpleNamespace

from motionloom.io.files import write_file
from motionloom.io.written import is_replaceable, note_written
from motionloom.reports import Report, Row
from motionloom.workspace.writing import Writer, output_place, save_report


def test_a_file_that_was_edited_meanwhile_stays(tmp_path):
    output = tmp_path / "new" / "walk.bvh"
    told = []
    assert output_place(output) == output
    write_file(output, "ours")
    note_written(output)
    assert output_place(output) == output
    output.write_text("edited")
    assert output_place(output, tell=told.append) == output.with_name("walk-new1.bvh")
    assert "goes beside it" in told[0]
    assert output_place(output, force=True) == output


def test_what_is_written_is_recorded_and_told(tmp_path, capsys):
    told = []
    output = tmp_path / "a.txt"
    assert Writer(tell=told.append).write_text(output, "ours") == output
    assert Writer().write_text(output, "again") == output
    assert output.read_text() == "again"
    assert is_replaceable(output)
    assert told == [f"wrote {output}"]
    assert capsys.readouterr() == ("", "")


def test_what_somebody_edited_is_not_replaced(tmp_path):
    output = tmp_path / "a.txt"
    Writer().write_text(output, "ours")
    output.write_text("theirs")
    beside = Writer().write_text(output, "ours")
    assert (output.read_text(), beside.read_text()) == ("theirs", "ours")
    assert Writer(force=True).write_text(output, "ours") == output


def test_a_report_is_json_where_its_name_says_so(tmp_path):
    report = SimpleNamespace(to_text=lambda: "words", to_json=lambda: json.dumps({"a": 1}))
    save_report(report, tmp_path / "a.JSON")
    save_report(report, tmp_path / "a.txt")
    assert json.loads((tmp_path / "a.JSON").read_text()) == {"a": 1}
    assert (tmp_path / "a.txt").read_text() == "words\n"
    save_report(Report("walk", [Row("", "speed", 1.5, "m/s")]), tmp_path / "b.md")
    assert (tmp_path / "b.md").read_text().startswith("# walk\n\n|")
