"""Reports: one tree, four formats."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionloom.reports import (
    Column,
    Report,
    Reported,
    Row,
    Section,
    Table,
    compare,
    fields_of,
    in_words,
    plain,
    rows_of,
    shown,
    table_of,
)


@dataclass(frozen=True)
class Step:
    side: str = field(metadata=shown("foot"))
    slide: float = field(metadata=shown("slide", "mm", ".1f", 1000.0))
    hidden: float = 0.5


@dataclass(frozen=True)
class Walk(Reported):
    speed: float = field(metadata=shown("speed", "m/s"))
    steps: tuple[Step, ...]
    first: Step = field(metadata=shown())

    def as_report(self) -> Report:
        return Report(
            "walk",
            [
                *rows_of(self),
                table_of("Steps", self.steps),
                Section("Empty", [Table("None", (), ())]),
            ],
            data=self,
            problems=["the left foot slides"],
            notes=["guessed: the floor"],
        )


WALK = Walk(1.25, (Step("left", 0.0125), Step("right", 0.1)), Step("left", math.nan))


def test_text_has_problems_first_units_aligned_figures_and_notes_last() -> None:
    assert WALK.to_text() == (
        "walk\n"
        "\n"
        "Problems\n"
        "  the left foot slides\n"
        "\n"
        "Figures\n"
        "  speed  1.25 m/s\n"
        "  foot   left\n"
        "\n"
        "Steps\n"
        "  foot   slide (mm)\n"
        "  left         12.5\n"
        "  right       100.0\n"
        "\n"
        "Notes\n"
        "  guessed: the floor\n"
    )


def test_json_has_every_field_of_the_data_problems_and_notes() -> None:
    assert json.loads(WALK.to_json()) == {
        "speed": 1.25,
        "steps": [
            {"side": "left", "slide": 0.0125, "hidden": 0.5},
            {"side": "right", "slide": 0.1, "hidden": 0.5},
        ],
        "first": {"side": "left", "slide": None, "hidden": 0.5},
        "problems": ["the left foot slides"],
        "notes": ["guessed: the floor"],
    }


def test_keyed_rows_tables_and_sections_are_json_where_no_data_are_given() -> None:
    report = Report(
        "",
        [
            Row("speed", "speed", 2.0, "m/s"),
            Row("", "only for people", 3),
            Table(
                "Joints", [Column("name", "joint"), Column("off", "off")], [["hip", 1]], "joints"
            ),
            Table("Legs", [Column("", "leg"), Column("bend", "bend")], [["left", 0.5]], "legs"),
            Section("Feet", [Row("left", "left", np.float64(4.0))], "feet", {"right": np.ones(2)}),
            Section("Merged", [Row("here", "here", "yes")]),
            "a sentence",
        ],
    )
    assert report.to_dict() == {
        "speed": 2.0,
        "joints": [{"name": "hip", "off": 1}],
        "legs": {"left": {"bend": 0.5}},
        "feet": {"left": 4.0, "right": [1.0, 1.0]},
        "here": "yes",
        "problems": [],
        "notes": [],
    }


def test_a_report_within_a_report_keeps_its_problems_and_stands_below() -> None:
    inner = Report("anna", [Row("speed", "speed", 1.0)], "anna", problems=["late"])
    report = Report("scene", [Section("", [inner], "characters")])
    assert report.to_dict()["characters"]["anna"]["problems"] == ["late"]
    assert "\nanna\n  Problems\n    late\n  Figures\n    speed  1.00\n" in report.to_text()


@dataclass(frozen=True)
class Feet:
    slide: float = field(metadata=shown("slide", "mm", ".1f", 1000.0))
    steps: int = field(metadata=shown("steps"))


def test_a_comparison_has_a_line_for_each_figure_and_units_beside_the_labels() -> None:
    more = [[Row("", "knee", 3.0, "deg", ".1f")]]
    report = Report("", [compare("Feet", {"before": Feet(0.0125, 3), "after": Feet(0.1, 2)}, more)])
    assert report.to_text() == (
        "Feet\n"
        "              before  after\n"
        "  slide (mm)    12.5  100.0\n"
        "  steps            3      2\n"
        "  knee (deg)     3.0\n"
    )
    assert report.to_dict() == {"problems": [], "notes": []}


def test_a_row_shows_limit_verdict_and_sentence_and_none_without_a_value() -> None:
    rows = [
        Row("", "slide", 0.02, "mm", ".0f", 1000.0, 0.015, False, "the left foot"),
        Row("", "turn", 3, limit=4, verdict=True),
        Row("", "found", np.bool_(True)),
        Row("", "file", Path("walk.bvh")),
        Row("", "angles", np.array([0.5, 1.0]), "deg"),
        Row("", "absent", None),
        Row("", "unknown", math.nan),
        Row("", "peaks", {"hip": 1.0, "knee": 2.5}, "Nm", ".1f"),
    ]
    assert Report("", rows).to_text() == (
        "  slide   20 mm (limit 15) problem the left foot\n"
        "  turn     3 (limit 4) ok\n"
        "  found   yes\n"
        "  file    walk.bvh\n"
        "  angles  0.50, 1.00 deg\n"
        "  peaks   hip 1.0, knee 2.5 Nm\n"
    )


def test_markdown_has_headings_tables_and_lists() -> None:
    text = WALK.to_markdown()
    assert text.startswith("# walk\n\n## Problems\n\n- the left foot slides\n")
    assert "## Steps\n\n| foot | slide (mm) |\n| --- | --- |\n| left | 12.5 |" in text
    assert "| a\\|b |" in Report("", [table_of("", [Step("a|b", 1.0)])]).to_markdown()[:80]


def test_one_phrase_holds_all_shown_fields() -> None:
    assert in_words(WALK.steps[0]) == "foot left, slide 12.5 mm"
    assert fields_of(WALK.steps[0], "hidden") == {"side": "left", "slide": 0.0125}


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert not attrs
        assert tag in {"h1", "h2", "h3", "table", "tr", "th", "td", "ul", "li"}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.found.append(data)


LINES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


@given(st.lists(LINES, max_size=3), st.dictionaries(LINES, LINES, max_size=3), LINES)
def test_what_people_read_stands_in_every_format(
    problems: list[str], rows: dict[str, str], title: str
) -> None:
    items = [Row("", label, value) for label, value in rows.items()]
    report = Report(title, items, problems=problems)
    page = _Texts()
    page.feed(report.to_html())
    page.close()
    assert not page.open
    texts = {title, *problems, *rows, *rows.values()}
    for one in texts:
        assert one in report.to_text()
        assert "|" in one or one.replace("<", "&lt;") in report.to_markdown()
        assert any(one == found for found in page.found)


@given(st.recursive(st.floats() | st.text() | st.integers(), lambda v: st.lists(v) | st.tuples(v)))
def test_plain_values_are_json_without_foreign_words(value: object) -> None:
    json.loads(json.dumps(plain(value), allow_nan=False))
