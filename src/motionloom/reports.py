"""Reports: a tree of sections, rows and tables, rendered to text, JSON, Markdown and HTML.

A result derives from `Reported` and builds its tree in `as_report`; the formats come from here.
Fields of dataclasses that carry `shown` metadata become rows (`rows_of`), columns (`table_of`) or
a comparison (`compare`), so that label and unit of a figure stand once, beside the field.
"""

from __future__ import annotations

import html
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import groupby
from numbers import Integral, Real
from typing import Any

import numpy as np

_SHOWN = "shown"


class Reported(ABC):
    """A result that has a report, in four formats."""

    @abstractmethod
    def as_report(self) -> Report:
        """Build the tree of sections, rows, tables, problems and notes."""

    def compose(self, title: str, *items: Row | Table | Section | str, **more: Any) -> Report:
        """Return a report of this result with its own fields, problems and notes.

        Parameters
        ----------
        title : str
            First line.
        *items : Row, Table, Section or str
            In order.
        **more
            ``data``, ``problems`` or ``notes`` in place of the result's own.
        """
        own = {name: getattr(self, name, ()) for name in ("problems", "notes")}
        return Report(title, items, **{"data": self, **own, **more})

    def as_part(self, name: str) -> Report:
        """Return the report as a part of another one, under a name that is also its key."""
        report = self.as_report()
        return replace(report, key=name, title=": ".join(filter(None, [name, report.title])))

    def to_dict(self) -> Any:
        """Return the report's data as plain values."""
        return _data_of(self.as_report())

    def to_json(self) -> str:
        """Return the report's data as JSON; figures that do not exist are null."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, default=str) + "\n"

    def to_text(self) -> str:
        """Return the report as text for people."""
        return _text(self.as_report())

    def to_markdown(self) -> str:
        """Return the report as Markdown, with tables."""
        return _markdown(self.as_report())

    def to_html(self) -> str:
        """Return the report as a fragment of HTML: headings, tables and lists."""
        return _html(self.as_report())


@dataclass(frozen=True)
class Row:
    """One figure or fact.

    Parameters
    ----------
    key : str
        Name in JSON; empty where the section's data hold the value.
    label : str
        What it is, for people.
    value : number, str, sequence, mapping or None
        Without a value (None, not finite) the text leaves the row out.
    unit : str
        Of the value as shown.
    form : str
        Format specification of numbers that are no integers.
    factor : float
        From the value to the value as shown, such as 100 from metres to centimetres.
    limit : float, optional
        Largest value that is good, in the unit of `value`.
    verdict : bool, optional
        Whether the value is good; None where that is not judged.
    sentence : str
        Said behind the value.
    """

    key: str
    label: str
    value: Any
    unit: str = ""
    form: str = ".2f"
    factor: float = 1.0
    limit: float | None = None
    verdict: bool | None = None
    sentence: str = ""


@dataclass(frozen=True)
class Column:
    """Heading of a column and format of its values; fields as in `Row`."""

    key: str
    label: str
    unit: str = ""
    form: str = ".2f"
    factor: float = 1.0

    @property
    def heading(self) -> str:
        """The label with the unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def row(self, value: Any) -> Row:
        """Return a value of this column as a row of its own, without a key."""
        return Row("", self.label, value, self.unit, self.form, self.factor)


@dataclass(frozen=True)
class Table:
    """Values in columns.

    Parameters
    ----------
    title : str
        Heading of the table.
    columns : sequence of Column
        In order.
    rows : sequence of sequence
        A value for each column; a `Row` shows its own value, with its own format.
    key : str
        Name in JSON, of a list with a dict for each row, or of a dict of them by the values of the
        column without a key; empty where other data hold the values.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    key: str = ""


@dataclass(frozen=True)
class Section:
    """Rows, tables, sentences and sections under a title; without any it is not shown.

    Parameters
    ----------
    title : str
        Heading; empty for none.
    items : sequence of Row, Table, Section or str
        In the order in which they are shown.
    key : str
        Name in JSON; without one the data of the section stand among those around it.
    data : mapping, dataclass or list, optional
        Further plain data for JSON. They take precedence over the values of rows and tables; a list
        is all that JSON holds.
    """

    title: str
    items: Sequence[Row | Table | Section | str] = ()
    key: str = ""
    data: Any = None


@dataclass(frozen=True)
class Report(Section, Reported):
    """A section with problems, which come first, and notes, which come last.

    Parameters
    ----------
    problems : sequence of str
        What is not as it should be, a sentence each; any makes a command exit with 1.
    notes : sequence of str
        What was guessed, changed or left out, a sentence each.
    """

    problems: Sequence[str] = ()
    notes: Sequence[str] = ()

    def as_report(self) -> Report:
        """Return this report."""
        return self


def shown(
    label: str = "", unit: str = "", form: str = ".2f", factor: float = 1.0
) -> dict[str, Any]:
    """Metadata of a dataclass field that reports show: ``field(metadata=shown("speed", "m/s"))``.

    Parameters
    ----------
    label, unit, form, factor
        As in `Row`.
    """
    return {_SHOWN: (label, unit, form, factor)}


def columns_of(item: Any) -> list[Column]:
    """Return the fields with `shown` metadata of a dataclass or an instance of it.

    Parameters
    ----------
    item : dataclass
        Any.
    """
    return [Column(f.name, *f.metadata[_SHOWN]) for f in fields(item) if _SHOWN in f.metadata]


def rows_of(item: Any) -> list[Row]:
    """Return a row for each shown field of an instance of a dataclass; none has a key.

    A field that holds a dataclass gives the rows of that (``shown()`` marks it).

    Parameters
    ----------
    item : dataclass
        Its values.
    """
    rows: list[Row] = []
    for column in columns_of(item):
        value = getattr(item, column.key)
        rows += rows_of(value) if is_dataclass(value) else [column.row(value)]
    return rows


def in_words(item: Any) -> str:
    """Return the shown fields of an instance of a dataclass in one phrase.

    Parameters
    ----------
    item : dataclass
        Its values.
    """
    cells = [(row.label, _cell(row.value, row)[0], row.unit) for row in rows_of(item)]
    return ", ".join(" ".join(filter(None, words)) for words in cells if words[1])


def table_of(title: str, items: Sequence[Any], key: str = "") -> Table:
    """Return a table of instances of one dataclass: a row each, a column for each shown field.

    Parameters
    ----------
    title, key : str
        As in `Table`.
    items : sequence of dataclass
        Without any the table is not shown.
    """
    columns = columns_of(items[0]) if items else []
    return Table(title, columns, [[getattr(one, c.key) for c in columns] for one in items], key)


def compare(title: str, items: Mapping[str, Any], more: Iterable[Sequence[Row]] = ()) -> Table:
    """Return a table of instances of one dataclass side by side: a row for each shown field.

    Parameters
    ----------
    title : str
        Heading of the table.
    items : mapping of str to dataclass or None
        By heading of the column; None has no column.
    more : iterable of sequence of Row
        Further lines: a row for each of the items, or for the first of them.
    """
    known = {name: rows_of(item) for name, item in items.items() if item is not None}
    lines = [*zip(*known.values(), strict=True), *more]
    cells = [[Column("", row[0].label, row[0].unit).heading, *row] for row in lines]
    return Table(title, [Column("", ""), *(Column(name, name) for name in known)], cells)


def fields_of(item: Any, *without: str) -> dict[str, Any]:
    """Return the fields of a dataclass instance by name, as data of a report.

    Parameters
    ----------
    item : dataclass
        Its values.
    *without : str
        Fields that are left out.
    """
    return {f.name: getattr(item, f.name) for f in fields(item) if f.name not in without}


def plain(value: Any) -> Any:
    """Return a value as JSON knows it; what is no finite number becomes None.

    Parameters
    ----------
    value : object
        Reports, dataclasses, mappings, sequences and arrays are taken apart.
    """
    if isinstance(value, Reported):
        return value.to_dict()
    if is_dataclass(value):
        return plain(fields_of(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _data_of(section: Section) -> Any:
    if isinstance(section.data, list):
        return plain(section.data)
    data: dict[str, Any] = {}
    if isinstance(section, Report):
        data = {"problems": list(section.problems), "notes": list(section.notes)}
    for item in section.items:
        if isinstance(item, Section):
            data |= {item.key: _data_of(item)} if item.key else _data_of(item)
        elif isinstance(item, Row) and item.key:
            data[item.key] = plain(item.value)
        elif isinstance(item, Table) and item.key:
            keys = [column.key for column in item.columns]
            rows = [dict(zip(keys, plain(row), strict=True)) for row in item.rows]
            data[item.key] = rows if all(keys) else {row.pop(""): row for row in rows}
    if section.data is not None:
        data |= plain(fields_of(section.data) if is_dataclass(section.data) else section.data)
    return data


#: A text, and whether it is a number.
_Cell = tuple[str, bool]


@dataclass(frozen=True)
class _Block:
    """A heading, and below it a grid of cells or lines; any of them may be missing."""

    level: int
    title: str = ""
    grid: Sequence[Sequence[_Cell]] = ()
    lines: Sequence[str] = ()
    has_heading: bool = False

    @property
    def texts(self) -> list[list[str]]:
        """The grid's texts, headings first, all lines of the same length."""
        width = max(map(len, self.grid), default=0)
        lines = [[t.strip() for t, _ in line] + [""] * (width - len(line)) for line in self.grid]
        return lines if self.has_heading or not lines else [[""] * width, *lines]


def _blocks(section: Section, level: int = 0) -> list[_Block]:
    inner: list[_Block] = []
    for kind, items in groupby(section.items, type):
        inner += _blocks_of(kind, list(items), level)
    if isinstance(section, Report):
        if section.problems:
            if inner and not inner[0].title:
                inner[0] = replace(inner[0], level=level + 1, title="Figures")
            inner.insert(0, _Block(level + 1, "Problems", lines=section.problems))
        if section.notes:
            inner.append(_Block(level + 1, "Notes", lines=section.notes))
    is_shown = section.title and (inner or not level)
    return [_Block(level, section.title), *inner] if is_shown else inner


def _blocks_of(kind: type, items: list[Any], level: int) -> list[_Block]:
    """Blocks of neighbouring items of one type."""
    if kind is Row:
        grid = [cells for cells in map(_cells_of_row, items) if cells]
        return [_Block(level, grid=grid)] if grid else []
    if kind is str:
        lines = [text for text in items if text]
        return [_Block(level, lines=lines)] if lines else []
    if kind is Table:
        level += 1
        return [_Block(level, t.title, _grid(t), has_heading=True) for t in items if t.rows]
    return [block for item in items for block in _blocks(item, level + bool(item.title))]


def _cells_of_row(row: Row) -> list[_Cell]:
    text, is_number = _cell(row.value, row)
    if not text:
        return []
    limit = "" if row.limit is None else f"(limit {_cell(row.limit, row)[0]})"
    verdict = "" if row.verdict is None else "ok" if row.verdict else "problem"
    more = " ".join(word for word in (row.unit, limit, verdict, row.sentence) if word)
    if is_number:
        return [(f"{row.label} ", False), (text, True), *([(more, False)] if more else [])]
    return [(f"{row.label} ", False), (f"{text} {more}".rstrip(), False)]


def _grid(table: Table) -> Sequence[Sequence[_Cell]]:
    """Cells of a table under their headings; columns without any value are left out."""
    columns = []
    for i, column in enumerate(table.columns):
        values = [row[i] if i < len(row) else None for row in table.rows]
        cells = [_cell(v.value, v) if isinstance(v, Row) else _cell(v, column) for v in values]
        if any(text for text, _ in cells):
            is_number = all(number for text, number in cells if text)
            columns.append([(column.heading, is_number), *cells])
    return list(zip(*columns, strict=True))


def _cell(value: Any, how: Row | Column) -> _Cell:
    """A value as people read it, without its unit; empty where it does not exist."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(v, how)[0]}" for key, v in value.items()), False
    if isinstance(value, list | tuple | np.ndarray):
        return ", ".join(_cell(item, how)[0] for item in value), False
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no", False
    if not isinstance(value, Real):
        return "" if value is None else str(value), False
    if isinstance(value, Integral) and how.factor == 1.0:
        return str(value), True
    return format(value * how.factor, how.form) if math.isfinite(value) else "", True


def _text(report: Report) -> str:
    lines: list[str] = []
    for block in _blocks(report):
        indent = "  " * max(block.level - 1, 0)
        if block.title:
            lines += [""] if lines and block.level < 2 else []
            lines.append(indent + block.title)
        lines += [f"{indent}  {line}" for line in (*_aligned(block), *block.lines)]
    return "".join(f"{line}\n" for line in lines)


def _aligned(block: _Block) -> Iterator[str]:
    """Lines of a grid: numbers to the right; text that ends a line does not widen its column."""
    widths = [0] * len(max(block.grid, key=len, default=()))
    for line in block.grid:
        for i, (text, is_number) in enumerate(line):
            if is_number or i < len(line) - 1:
                widths[i] = max(widths[i], len(text))
    gap = "  " if block.has_heading else " "
    for line in block.grid:
        cells = [
            text.rjust(width) if is_number else text.ljust(width)
            for (text, is_number), width in zip(line, widths, strict=False)
        ]
        yield gap.join(cells).rstrip()


def _markdown(report: Report) -> str:
    parts = []
    for block in _blocks(report):
        parts += [f"{'#' * (block.level + 1)} {block.title}"] if block.title else []
        grid = [" | ".join(cell.replace("|", "\\|") for cell in line) for line in block.texts]
        if grid:
            grid.insert(1, " | ".join("---" for _ in block.texts[0]))
            parts.append("\n".join(f"| {line} |" for line in grid))
        parts += ["\n".join(f"- {line}" for line in block.lines)] if block.lines else []
    return "\n\n".join(parts).replace("<", "&lt;") + "\n"


def _html(report: Report) -> str:
    parts = []
    for block in _blocks(report):
        if block.title:
            parts.append(_element(f"h{min(block.level + 1, 6)}", html.escape(block.title)))
        if block.grid:
            kinds = ["th", *["td"] * len(block.grid)]
            lines = [
                _element("tr", "".join(_element(kind, html.escape(cell)) for cell in line))
                for kind, line in zip(kinds, block.texts, strict=False)
            ]
            parts.append(_element("table", "\n".join(lines)))
        if block.lines:
            items = (_element("li", html.escape(line)) for line in block.lines)
            parts.append(_element("ul", "\n".join(items)))
    return "\n".join(parts) + "\n"


def _element(name: str, inside: str) -> str:
    return f"<{name}>{inside}</{name}>"
